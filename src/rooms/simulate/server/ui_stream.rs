//! A journey as an AI SDK UI message stream (npm `ai` 5 to 7). Pure.

use super::tools::{RECORD_PHASE, SEND_QUERY};
use crate::{
    engine::{entry::Run, flow::Status, follow::Follower},
    http::chat::{Chunk, FinishReason, Telling, ToolCall, standing},
    rooms::simulate::flow::{Event, Phase, Simulate, State, Step},
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Preliminary outputs come at most this often.
const PRELIMINARY: Duration = Duration::from_millis(250);

/// What has been told of a journey.
#[derive(Default)]
pub struct UiStream {
    /// Steps written so far, and whether the last of them waits for its output.
    written: usize,
    waits: bool,
    shown_phase: Option<Phase>,
    /// When the last preliminary output was written.
    preliminary: Option<Instant>,
}

impl Telling<Simulate> for UiStream {
    fn hear(&mut self, run: &Run<Simulate>, _: &Event) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        self.write_steps(&run.state, &mut chunks);
        chunks
    }

    fn tell(&mut self, follower: &Follower<Simulate>, now: Instant) -> Vec<Chunk> {
        let mut chunks = Vec::from_iter(self.preliminary(follower, now));
        self.write_end(&follower.run, &mut chunks);
        chunks
    }
}

impl UiStream {
    /// The answer so far, as the output of the question that waits for it.
    fn preliminary(&mut self, follower: &Follower<Simulate>, now: Instant) -> Option<Chunk> {
        let text = &follower.texts.first()?.text;
        let since = now.duration_since(*self.preliminary.get_or_insert(now));
        if !self.waits || since < PRELIMINARY {
            return None;
        }
        self.preliminary = Some(now);
        Some(call(self.written - 1, SEND_QUERY).preliminary(json!(text)))
    }

    fn write_steps(&mut self, state: &State, chunks: &mut Vec<Chunk>) {
        loop {
            if let Some(output) = self.pending_output(state) {
                chunks.push(output);
                self.waits = false;
            }
            let Some(step) = state.steps.get(self.written) else { break };
            if self.written > 0 {
                chunks.push(Chunk::FinishStep);
            }
            chunks.push(Chunk::StartStep);
            self.write_phase(step, chunks);
            write_call(self.written, step, chunks);
            self.waits = matches!(step, Step::Asked { .. });
            self.written += 1;
        }
    }

    fn pending_output(&self, state: &State) -> Option<Chunk> {
        let Some(Step::Asked { answer: Some(answer), .. }) = state.steps.get(self.written.checked_sub(1)?) else { return None };
        self.waits.then(|| call(self.written - 1, SEND_QUERY).output(json!(answer.text)))
    }

    /// Says which phase is active when that has changed.
    fn write_phase(&mut self, step: &Step, chunks: &mut Vec<Chunk>) {
        let (Step::Asked { phase, .. } | Step::Completed { phase, .. }) = step else { return };
        if self.shown_phase != Some(*phase) {
            self.shown_phase = Some(*phase);
            chunks.push(phase_part(*phase, "active", &[]));
        }
    }

    /// Ends the message when the run has ended or waits for a person; an end in words where it went well.
    fn write_end(&mut self, run: &Run<Simulate>, chunks: &mut Vec<Chunk>) {
        let state = &run.state;
        let sentence = match (run.status(), &run.progress.halt) {
            (Status::Running, _) => return,
            (_, Some(halt)) => halt.why.clone(),
            (Status::Done, _) => "The journey is complete.".to_owned(),
            (Status::Stopped, _) => format!("Stopped at the limit of {} steps, before the journey was complete.", state.setup.max_steps),
            _ => state.failure.clone().unwrap_or_else(|| "The run failed.".to_owned()),
        };
        if self.waits {
            chunks.push(call(self.written - 1, SEND_QUERY).failed(sentence.clone()));
        }
        if matches!(run.status(), Status::Failed | Status::Waiting) {
            chunks.push(Chunk::Error { error_text: sentence });
            return;
        }
        chunks.extend([Chunk::FinishStep, Chunk::StartStep]);
        chunks.extend(Chunk::text("end", sentence));
        chunks.extend([Chunk::FinishStep, Chunk::Finish { finish_reason: FinishReason::Stop, message_metadata: outcome(run) }]);
    }
}

/// How a journey has ended, and what it took.
fn outcome(run: &Run<Simulate>) -> Value {
    let mut metadata = standing(run);
    metadata["steps"] = json!(run.state.steps_taken());
    if run.state.at_step_limit() {
        metadata["reason"] = json!("step_limit");
    }
    metadata
}

fn call(step: usize, name: &'static str) -> ToolCall {
    ToolCall { id: format!("step-{step}"), name, provider_executed: true }
}

/// A step's call. What the customer's model got wrong is nothing a client could use.
fn write_call(i: usize, step: &Step, chunks: &mut Vec<Chunk>) {
    match step {
        Step::Asked { phase, query, .. } => {
            chunks.extend(call(i, SEND_QUERY).opened(json!({ "query": query, "phase": phase.slug() })));
        }
        Step::Completed { phase, insights, .. } => {
            let call = call(i, RECORD_PHASE);
            chunks.extend(call.opened(json!({ "phase": phase.slug(), "insightsGathered": insights })));
            chunks.extend([call.output(json!(phase.slug())), phase_part(*phase, "complete", insights)]);
        }
        Step::Corrected { .. } => {}
    }
}

fn phase_part(phase: Phase, status: &str, insights: &[String]) -> Chunk {
    let data = json!({ "phase": phase.slug(), "status": status, "insights": insights });
    Chunk::Data { kind: "data-phase", id: phase.slug().to_owned(), data }
}
