//! One tiny real call, to see whether a role's model answers, and how fast.

use super::report::provider;
use crate::{
    models::{ChatRequest, Completion, Message, ModelError, ModelEvent, Reply, Role, Route},
    settings::ModelSettings,
};
use futures::StreamExt;
use serde::Serialize;
use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use utoipa::ToSchema;

/// A model that takes longer is of no use in a conversation.
const PATIENCE: Duration = Duration::from_secs(30);
/// Room for those that think before they speak.
const MAX_TOKENS: u32 = 64;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ModelTest)]
pub struct Tested {
    pub role: &'static str,
    pub model: String,
    pub ok: bool,
    /// Milliseconds to the first word.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub first_ms: Option<u64>,
    /// Milliseconds in all.
    pub ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub remedy: Option<String>,
}

/// The roles that are being tested: each once at a time, so that a second click calls nobody.
#[derive(Default)]
pub struct Tests(Mutex<HashSet<Role>>);

impl Tests {
    pub async fn run(&self, settings: &ModelSettings, role: Role, route: &Route) -> Tested {
        let said = |first_ms, ms, error, remedy| {
            let (role, model) = (role.key(), route.name.clone());
            Tested { role, model, ok: Option::is_none(&error), first_ms, ms, error, remedy }
        };
        let Some(_turn) = Turn::take(self, role) else {
            return said(None, 0, Some("This role is being tested already.".to_owned()), Some("Wait for that to end.".to_owned()));
        };
        let (started, mut first) = (Instant::now(), None);
        let called = tokio::time::timeout(PATIENCE, call(route, || first = first.or(Some(started.elapsed())))).await;
        let ms = |took: Duration| took.as_millis() as u64;
        let error = called.unwrap_or(Err(ModelError::Silent(PATIENCE.as_secs()))).err();
        let remedy = error.as_ref().map(|error| remedy(error, settings, &route.name));
        said(first.map(ms), ms(started.elapsed()), error.map(|error| error.to_string()), remedy)
    }

    fn under_way(&self) -> MutexGuard<'_, HashSet<Role>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Given back when the test ends, also when whoever wanted it has gone.
struct Turn<'a>(&'a Tests, Role);

impl<'a> Turn<'a> {
    fn take(tests: &'a Tests, role: Role) -> Option<Self> {
        let free = tests.under_way().insert(role);
        free.then(|| Turn(tests, role))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.under_way().remove(&self.1);
    }
}

async fn call(route: &Route, mut word: impl FnMut()) -> Result<Completion, ModelError> {
    let request = ChatRequest {
        messages: vec![Message::User("Answer with the one word: ready".to_owned())],
        tools: vec![],
        tool_required: false,
        max_tokens: MAX_TOKENS,
        format: None,
        rehearsal: Reply { text: "Ready.".to_owned(), calls: vec![] },
    };
    let mut events = route.chat.stream(&route.model, request);
    while let Some(event) = events.next().await {
        match event? {
            ModelEvent::Done(done) => return Ok(done),
            ModelEvent::Text(_) => word(),
            _ => {}
        }
    }
    Err(ModelError::Truncated)
}

/// What the administrator can do about it.
fn remedy(error: &ModelError, settings: &ModelSettings, model: &str) -> String {
    let (key, base) = provider(model).map_or(("the key", "the address"), |provider| (provider.key_env, provider.base_env));
    let address = provider(model).map(|provider| settings.access(provider).base_url).unwrap_or_default();
    match error {
        ModelError::Auth { .. } => format!("Put a valid key into {key} and start the server again. Nothing stands in for a refused key."),
        ModelError::BadRequest(_) | ModelError::ContextTooLong => "Check the model’s name in Leptos.toml and COLLOQUY_MODEL.".to_owned(),
        ModelError::Network => format!("Check that {address} can be reached from the server; {base} sets another address."),
        ModelError::RateLimited { .. } | ModelError::Overloaded { .. } => {
            "Wait a little, and see whether the provider’s quota is used up.".to_owned()
        }
        _ => "Test again; if it stays so, choose another model in Leptos.toml.".to_owned(),
    }
}
