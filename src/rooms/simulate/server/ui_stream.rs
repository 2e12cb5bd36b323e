//! A journey as an AI SDK UI message stream (npm `ai` 5 to 7): signals of the run in, chunks out. Pure.

use super::tools::{RECORD_PHASE, SEND_QUERY};
use crate::{
    engine::{
        flow::Status,
        follow::{Change, Follower, Gap, Signal},
    },
    rooms::simulate::flow::{Phase, Simulate, State, Step},
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Preliminary outputs come at most this often.
const PRELIMINARY: Duration = Duration::from_millis(250);

pub struct UiStream {
    follower: Follower<Simulate>,
    /// Steps written so far, and whether the last of them has its output.
    written: usize,
    answered: bool,
    shown_phase: Option<Phase>,
    preliminary: Instant,
    /// The log's last entry when the stream was opened: an end before it was not the end.
    known: i64,
    over: bool,
}

impl UiStream {
    /// The follower stands at the run's first entry; the chunks open the message.
    pub fn open(follower: Follower<Simulate>, known: i64, token: &str) -> (Self, Vec<Value>) {
        let progress = &follower.run.progress;
        let metadata = json!({ "runId": follower.id, "runToken": token, "model": progress.model, "rehearsal": progress.rehearsal() });
        let mut chunks = vec![json!({ "type": "start", "messageId": follower.id, "messageMetadata": metadata })];
        let mut stream =
            UiStream { follower, written: 0, answered: true, shown_phase: None, preliminary: Instant::now(), known, over: false };
        stream.write_steps(&mut chunks);
        (stream, chunks)
    }

    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The chunks that a signal amounts to; `now` paces the preliminary outputs.
    pub fn take(&mut self, signal: Signal, now: Instant) -> Result<Vec<Value>, Gap> {
        let mut chunks = Vec::new();
        if self.over {
            return Ok(chunks);
        }
        match self.follower.take(signal)? {
            Change::Nothing => {}
            Change::Texts => chunks.extend(self.preliminary(now)),
            Change::Run => {
                self.write_steps(&mut chunks);
                self.write_end(&mut chunks);
            }
        }
        Ok(chunks)
    }

    fn state(&self) -> &State {
        &self.follower.run.state
    }

    /// The answer so far, as the output of the question that waits for it.
    fn preliminary(&mut self, now: Instant) -> Option<Value> {
        let text = &self.follower.texts.first()?.text;
        if self.answered || now.duration_since(self.preliminary) < PRELIMINARY {
            return None;
        }
        let chunk = json!({ "type": "tool-output-available", "toolCallId": call_id(self.written - 1), "output": text, "providerExecuted": true, "preliminary": true });
        self.preliminary = now;
        Some(chunk)
    }

    fn write_steps(&mut self, chunks: &mut Vec<Value>) {
        loop {
            if let Some(output) = self.pending_output() {
                chunks.push(output);
                self.answered = true;
            }
            let Some(step) = self.state().steps.get(self.written).cloned() else { break };
            if self.written > 0 {
                chunks.push(json!({ "type": "finish-step" }));
            }
            chunks.push(json!({ "type": "start-step" }));
            self.write_phase(chunks);
            chunks.extend(opening(self.written, &step));
            if let Step::Completed { phase, insights, .. } = &step {
                chunks.push(phase_part(*phase, "complete", insights));
            }
            self.answered = !matches!(step, Step::Asked { .. });
            self.written += 1;
        }
    }

    fn pending_output(&self) -> Option<Value> {
        let Some(Step::Asked { answer: Some(answer), .. }) = self.state().steps.get(self.written.checked_sub(1)?) else { return None };
        (!self.answered).then(|| output(self.written - 1, json!(answer.text)))
    }

    /// Says which phase is active when that has changed.
    fn write_phase(&mut self, chunks: &mut Vec<Value>) {
        let phase = match &self.state().steps[self.written] {
            Step::Asked { phase, .. } | Step::Completed { phase, .. } => *phase,
            Step::Corrected { .. } => return,
        };
        if self.shown_phase != Some(phase) {
            self.shown_phase = Some(phase);
            chunks.push(phase_part(phase, "active", &[]));
        }
    }

    /// Ends the message when the run has ended or waits for a person; an end in words where it went well.
    fn write_end(&mut self, chunks: &mut Vec<Value>) {
        let run = &self.follower.run;
        let sentence = match (run.status(), &run.progress.halt) {
            (Status::Running, _) => return,
            _ if run.seq < self.known => return,
            (_, Some(halt)) => halt.why.clone(),
            (Status::Done, _) => "The journey is complete.".to_owned(),
            (Status::Stopped, _) => {
                format!("Stopped at the limit of {} steps, before the journey was complete.", self.state().setup.max_steps)
            }
            _ => self.state().failure.clone().unwrap_or_else(|| "The run failed.".to_owned()),
        };
        self.over = true;
        if !self.answered {
            chunks.push(json!({ "type": "tool-output-error", "toolCallId": call_id(self.written - 1), "errorText": sentence, "providerExecuted": true }));
        }
        if matches!(run.status(), Status::Failed | Status::Waiting) {
            chunks.push(json!({ "type": "error", "errorText": sentence }));
            return;
        }
        let usage = run.progress.tokens().map(|(input, output)| json!({ "inputTokens": input, "outputTokens": output }));
        let mut metadata = json!({ "status": run.status().word(), "steps": self.state().steps_taken() });
        if let Some(usage) = usage {
            metadata["usage"] = usage;
        }
        if self.state().at_step_limit() {
            metadata["reason"] = json!("step_limit");
        }
        chunks.extend([
            json!({ "type": "finish-step" }),
            json!({ "type": "start-step" }),
            json!({ "type": "text-start", "id": "end" }),
            json!({ "type": "text-delta", "id": "end", "delta": sentence }),
            json!({ "type": "text-end", "id": "end" }),
            json!({ "type": "finish-step" }),
            json!({ "type": "finish", "finishReason": "stop", "messageMetadata": metadata }),
        ]);
    }
}

fn call_id(step: usize) -> String {
    format!("step-{step}")
}

/// A step's call. What the customer's model got wrong is nothing a client could use.
fn opening(i: usize, step: &Step) -> Vec<Value> {
    let call = |name: &str, input: Value| {
        let id = call_id(i);
        vec![
            json!({ "type": "tool-input-start", "toolCallId": id, "toolName": name, "providerExecuted": true }),
            json!({ "type": "tool-input-available", "toolCallId": id, "toolName": name, "input": input, "providerExecuted": true }),
        ]
    };
    match step {
        Step::Asked { phase, query, .. } => call(SEND_QUERY, json!({ "query": query, "phase": phase.slug() })),
        Step::Completed { phase, insights, .. } => {
            let mut chunks = call(RECORD_PHASE, json!({ "phase": phase.slug(), "insightsGathered": insights }));
            chunks.push(output(i, json!(phase.slug())));
            chunks
        }
        Step::Corrected { .. } => vec![],
    }
}

fn output(step: usize, output: Value) -> Value {
    json!({ "type": "tool-output-available", "toolCallId": call_id(step), "output": output, "providerExecuted": true })
}

fn phase_part(phase: Phase, status: &str, insights: &[String]) -> Value {
    json!({ "type": "data-phase", "id": phase.slug(), "data": { "phase": phase.slug(), "status": status, "insights": insights } })
}
