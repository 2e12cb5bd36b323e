//! One outside call as a room's agent makes it: speaks to the model, shows the words as they come, measures.

use super::Engine;
use crate::{
    engine::entry::{Partial, Usage},
    models::{ChatRequest, Completion, ModelError, ModelEvent, ModelStream, Route},
    telemetry::{ModelCall, Span},
};
use futures::StreamExt;
use serde_json::Value;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use uuid::Uuid;

/// How often the text so far is kept, so that a refresh or another server shows it.
const KEEP: Duration = Duration::from_millis(250);

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
        mut events: ModelStream,
        shown: &mut (impl FnMut(&ModelEvent) -> Option<String> + Send),
        observed: &ModelCall,
        begun: &mut bool,
    ) -> Result<Completion, ModelError> {
        let silence = self.engine.limits().call_silence;
        let (mut text, mut kept) = (String::new(), Instant::now());
        loop {
            let event = match tokio::time::timeout(silence, events.next()).await {
                Err(_) => return Err(ModelError::Silent(silence.as_secs())),
                Ok(None) => return Err(ModelError::Truncated),
                Ok(Some(event)) => event?,
            };
            // Thinking is no word, but it is no silence either.
            if event == ModelEvent::Thinking {
                continue;
            }
            if !std::mem::replace(begun, true) {
                let first = observed.spoke();
                self.meter.with(|measure| measure.first = Some(first));
            }
            if let Some(words) = shown(&event).filter(|words| !words.is_empty()) {
                self.engine.0.hub.delta(self.run, self.step, &words);
                text.push_str(&words);
                if kept.elapsed() >= KEEP {
                    self.keep(&text).await;
                    kept = Instant::now();
                }
            }
            if let ModelEvent::Done(completion) = event {
                self.meter.with(|measure| {
                    (measure.tokens, measure.cost_micros) = (completion.tokens, completion.cost_micros);
                });
                return Ok(completion);
            }
        }
    }

    /// Losing this costs a refresh some words, never a fact.
    async fn keep(&self, text: &str) {
        let partial = Partial { message: self.step, text: text.to_owned() };
        if let Err(error) = self.engine.store().save_partial(self.run, partial).await {
            tracing::warn!(run = %self.run, %error, "a partial text was not kept");
        }
    }
}
