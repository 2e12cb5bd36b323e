//! One outside call as a room's agent makes it: speaks to the model, shows the words as they come, measures.

use super::Engine;
use crate::{
    engine::entry::Usage,
    models::{ChatRequest, Completion, ModelError, ModelEvent, ModelStream, Route},
    telemetry::{ModelCall, Span},
};
use futures::StreamExt;
use serde_json::Value;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use uuid::Uuid;

/// Events that have come together and are told together, at most.
const TOGETHER: usize = 64;

/// A call that failed; `begun` when something of the answer had come.
#[derive(Debug)]
pub struct CallError {
    pub error: ModelError,
    pub begun: bool,
}

/// What a call took, filled in by the call and read by the driver.
#[derive(Default)]
pub struct Meter(Mutex<Measure>);

#[derive(Clone, Default)]
struct Measure {
    first: Option<Duration>,
    tokens: Option<(i64, i64)>,
    cost_micros: Option<i64>,
}

impl Meter {
    fn with(&self, change: impl FnOnce(&mut Measure)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub fn usage(&self, ask: Value, model: String, took: Duration) -> Usage {
        let measure = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Usage {
            ask,
            model,
            input_tokens: measure.tokens.map(|(input, _)| input),
            output_tokens: measure.tokens.map(|(_, output)| output),
            cost_micros: measure.cost_micros,
            first_ms: measure.first.map(|first| first.as_millis() as i64),
            ms: took.as_millis() as i64,
        }
    }
}

pub struct Call {
    engine: Engine,
    run: Uuid,
    step: i64,
    meter: Arc<Meter>,
    span: Span,
}

impl Call {
    pub(super) fn new(engine: Engine, run: Uuid, step: i64, meter: Arc<Meter>, span: Span) -> Self {
        Call { engine, run, step, meter, span }
    }

    /// The same call as the execution of a tool that a model has called: traces say so, until it is dropped.
    pub fn tool(&self, name: &'static str) -> Call {
        let Call { engine, run, step, meter, span } = self;
        Call { engine: engine.clone(), run: *run, step: *step, meter: meter.clone(), span: span.tool(*run, name) }
    }

    /// Asks the model and answers with the whole of what it said. `shown` turns each event into the
    /// words that people see of it, if any.
    pub async fn chat(
        &self,
        route: &Route,
        request: ChatRequest,
        mut shown: impl FnMut(&ModelEvent) -> Option<String> + Send,
    ) -> Result<Completion, CallError> {
        let failed = |error, begun| CallError { error, begun };
        let Ok(_permit) = self.engine.0.calls.acquire().await else { return Err(failed(ModelError::Network, false)) };
        let observed = ModelCall::begin(&self.span, self.run, route, &request);
        let mut begun = false;
        let answer = self.read(route.chat.stream(&route.model, request), &mut shown, &observed, &mut begun).await;
        observed.end(answer.as_ref());
        answer.map_err(|error| failed(error, begun))
    }

    /// The answer to its end. `begun` says whether something of it has come.
    async fn read(
        &self,
        events: ModelStream,
        shown: &mut (impl FnMut(&ModelEvent) -> Option<String> + Send),
        observed: &ModelCall,
        begun: &mut bool,
    ) -> Result<Completion, ModelError> {
        let silence = self.engine.limits().call_silence;
        // What has come already is told at once, however many pieces it came in.
        let mut events = events.ready_chunks(TOGETHER);
        loop {
            let Ok(batch) = tokio::time::timeout(silence, events.next()).await else {
                return Err(ModelError::Silent(silence.as_secs()));
            };
            let (mut words, mut end) = (String::new(), batch.is_none().then_some(Err(ModelError::Truncated)));
            for event in batch.into_iter().flatten() {
                // Thinking is no word, but it is no silence either.
                if event.as_ref().is_ok_and(|event| *event != ModelEvent::Thinking) && !std::mem::replace(begun, true) {
                    let first = observed.spoke();
                    self.meter.with(|measure| measure.first = Some(first));
                }
                words.extend(event.as_ref().ok().and_then(&mut *shown));
                match event {
                    Ok(ModelEvent::Done(completion)) => end = Some(Ok(completion)),
                    Ok(_) => continue,
                    Err(error) => end = Some(Err(error)),
                }
                break;
            }
            if !words.is_empty() {
                self.engine.tell(self.run, self.step, &words);
            }
            if let Some(end) = end {
                let completion = end?;
                self.meter.with(|measure| {
                    (measure.tokens, measure.cost_micros) = (completion.tokens, completion.cost_micros);
                });
                return Ok(completion);
            }
        }
    }
}
