//! Starting a debate, and what has become of it.

use crate::{
    engine::{
        entry::Run,
        flow::{Flow, Status},
    },
    error::{AppError, Code},
    http::{AppState, Client, IdempotencyKey},
    models::{Models, Role},
    rooms::debate::flow::{Debate, DebateState, Persona, Setup},
};
use uuid::Uuid;

/// Starts a debate on the models there are, or answers the one that was started under this key.
pub async fn begin(app: &AppState, client: &Client, setup: Setup, key: IdempotencyKey) -> Result<Uuid, AppError> {
    known(&app.models, &setup.personas)?;
    app.start::<Debate>(client, setup, key, None).await
}

/// Is every model that one of them was given there?
pub fn known(models: &Models, personas: &[Persona]) -> Result<(), AppError> {
    let unknown = |persona: &Persona| persona.model.as_deref().is_some_and(|name| models.named(Role::Debater, name).is_none());
    let Some(at) = personas.iter().position(unknown) else { return Ok(()) };
    let names: Vec<&str> = models.routes(Role::Debater).iter().map(|route| route.name.as_str()).collect();
    let name = personas[at].model.as_deref().unwrap_or_default();
    Err(AppError::field(&format!("personas/{at}/model"), format!("There is no model “{name}” here. There are: {}.", names.join(", "))))
}

/// The debate of a run that rests, or why it is not at its end.
pub fn finished(run: Run<Debate>) -> Result<DebateState, AppError> {
    let status = run.status();
    let (why, cause) = match run.progress.halt {
        Some(halt) => (halt.why, halt.cause),
        None => (Debate::reason(&run.state).unwrap_or_default(), None),
    };
    let continued = |code, why: String| Err(AppError::new(code, why).remedy("Continue it by POST to /continue at its Location."));
    match (status, cause.as_deref()) {
        (Status::Done, _) => Ok(run.state.debate),
        (Status::Stopped, _) => continued(Code::Conflict, "This debate was stopped before its end.".to_owned()),
        (Status::Failed, Some("auth")) => Err(AppError::new(Code::KeyRefused, why)),
        (Status::Failed, _) => Err(AppError::new(Code::Internal, why)),
        (Status::Waiting | Status::Running, _) => continued(Code::Unavailable, why),
    }
}
