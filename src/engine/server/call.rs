//! One outside call as a room's agent makes it: speaks to the model, shows the words as they come, measures.

use super::Engine;
use crate::{
    engine::entry::{Partial, Usage},
    models::{ChatRequest, Completion, ModelError, ModelEvent, Route},
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
}

impl Call {
    pub(super) fn new(engine: Engine, run: Uuid, step: i64, meter: Arc<Meter>) -> Self {
        Call { engine, run, step, meter }
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
        let (started, silence) = (Instant::now(), self.engine.limits().call_silence);
        let (mut begun, mut text, mut kept) = (false, String::new(), Instant::now());
        let mut events = route.chat.stream(&route.model, request);
        loop {
            let event = match tokio::time::timeout(silence, events.next()).await {
                Err(_) => return Err(failed(ModelError::Silent(silence.as_secs()), begun)),
                Ok(None) => return Err(failed(ModelError::Truncated, begun)),
                Ok(Some(Err(error))) => return Err(failed(error, begun)),
                Ok(Some(Ok(event))) => event,
            };
            // Thinking is no word, but it is no silence either.
            if event == ModelEvent::Thinking {
                continue;
            }
            if !begun {
                begun = true;
                self.meter.with(|measure| measure.first = measure.first.or(Some(started.elapsed())));
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
                let price = Price { tokens: completion.tokens, cost_micros: completion.cost_micros };
                self.meter.with(|measure| measure.answers.push(price));
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
        let call = Call::new(Engine::new(Arc::new(store), vec![], limits(), "build".into()), Uuid::nil(), 1, Arc::default());
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
