//! Starting a debate.

use crate::{
    error::AppError,
    http::{AppState, Client, IdempotencyKey},
    models::{Models, Role},
    rooms::debate::flow::{Debate, Persona, Setup},
};
use uuid::Uuid;

/// Starts a debate on the models there are, or answers the one that was started under this key.
pub async fn begin(app: &AppState, client: &Client, setup: Setup, key: IdempotencyKey) -> Result<Uuid, AppError> {
    known(&app.models, &setup.personas)?;
    app.start::<Debate>(client, setup, key, None).await
}

fn known(models: &Models, personas: &[Persona]) -> Result<(), AppError> {
    let unknown = |persona: &Persona| persona.model.as_deref().is_some_and(|name| models.named(Role::Debater, name).is_none());
    let Some(at) = personas.iter().position(unknown) else { return Ok(()) };
    let names: Vec<&str> = models.routes(Role::Debater).iter().map(|route| route.name.as_str()).collect();
    let name = personas[at].model.as_deref().unwrap_or_default();
    Err(AppError::field(&format!("personas/{at}/model"), format!("There is no model “{name}” here. There are: {}.", names.join(", "))))
}
