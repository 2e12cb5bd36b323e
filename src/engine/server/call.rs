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
    /// A step may take more than one answer.
    answers: Vec<Price>,
}

/// What an answer cost, as far as its provider said.
#[derive(Clone)]
struct Price {
    tokens: Option<(i64, i64)>,
    cost_micros: Option<i64>,
}

impl Measure {
    /// The sum, where every answer has said its part.
    fn total(&self, part: impl Fn(&Price) -> Option<i64>) -> Option<i64> {
        let parts: Vec<_> = self.answers.iter().map(part).collect();
        if parts.is_empty() { None } else { parts.into_iter().sum() }
    }
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
            input_tokens: measure.total(|price| price.tokens.map(|(input, _)| input)),
            output_tokens: measure.total(|price| price.tokens.map(|(_, output)| output)),
            cost_micros: measure.total(|price| price.cost_micros),
            first_ms: measure.first.map(|first| first.as_millis() as i64),
            ms: took.as_millis() as i64,
        }
    }
}

pub struct Call {
    pub(super) engine: Engine,
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
                if event.as_ref().is_ok_and(ModelEvent::is_word) && !std::mem::replace(begun, true) {
                    let first = observed.spoke();
                    self.meter.with(|measure| measure.first = measure.first.or(Some(first)));
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
                let price = Price { tokens: completion.tokens, cost_micros: completion.cost_micros };
                self.meter.with(|measure| measure.answers.push(price));
                return Ok(completion);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::server::tests::limits,
        models::{ChatCompletions, Endpoint, Message, loopback},
        store::story,
    };
    use tokio::io::AsyncWriteExt;

    #[tokio::test]
    async fn a_server_that_falls_silent_is_given_up_and_its_connection_closed() {
        let (store, _folder) = story::sqlite().await;
        let call =
            Call::new(Engine::new(Arc::new(store), vec![], limits(), "build".into()), Uuid::nil(), 1, Arc::default(), Span::default());
        let provider = loopback::Loopback::open().await;
        let endpoint = Endpoint { client: reqwest::Client::new(), provider: "Local".into(), base_url: provider.url.clone(), key: None };
        let route = Route { name: "local:m".into(), model: "m".into(), chat: Arc::new(ChatCompletions { endpoint, limit: "max_tokens" }) };
        let messages = vec![Message::User("Hello".into())];
        let request =
            ChatRequest { messages, tools: vec![], tool_required: false, max_tokens: 9, format: None, rehearsal: Default::default() };
        // From the first word on the clock runs by itself, so that a minute is over at once.
        let asking = call.chat(&route, request, |_| {
            tokio::time::pause();
            None
        });
        let answering = async {
            let (_, mut connection) = provider.call().await;
            let word = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
            connection.write_all(&[loopback::OK, word].concat()).await.expect("written");
            connection
        };
        let (said, mut connection) = tokio::join!(asking, answering);
        let failed = said.expect_err("it says no more");
        assert_eq!((failed.error, failed.begun), (ModelError::Silent(60), true));
        tokio::time::resume();
        assert!(loopback::hangs_up(&mut connection).await);
    }
}
