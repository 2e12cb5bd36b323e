//! One call of a model as an operator sees it: a span, and figures once it has ended, however it ends.

use super::{Span, metrics};
use crate::models::{ChatRequest, Completion, ModelError, Route};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Counts as cancelled when it is dropped before its end.
pub struct ModelCall {
    route: Route,
    span: Span,
    started: Instant,
    ended: bool,
}

impl ModelCall {
    pub fn begin(parent: &Span, run: Uuid, route: &Route, request: &ChatRequest) -> Self {
        ModelCall { route: route.clone(), span: parent.chat(run, route, request), started: Instant::now(), ended: false }
    }

    /// The model has begun to speak; answers how long that took.
    pub fn spoke(&self) -> Duration {
        let after = self.started.elapsed();
        metrics::first_word(&self.route, after);
        after
    }

    pub fn end(mut self, result: Result<&Completion, &ModelError>) {
        match result {
            Ok(answer) => {
                self.span.answered(answer);
                self.count("ok", Some(answer));
            }
            Err(error) => {
                self.span.failed(error.word());
                self.count(error.word(), None);
            }
        }
    }

    fn count(&mut self, outcome: &'static str, answer: Option<&Completion>) {
        self.ended = true;
        metrics::called(&self.route, outcome, self.started.elapsed(), answer);
    }
}

impl Drop for ModelCall {
    fn drop(&mut self) {
        if !self.ended {
            self.span.failed("cancelled");
            self.count("cancelled", None);
        }
    }
}
