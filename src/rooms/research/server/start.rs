//! Starting a conversation.

use crate::{
    error::AppError,
    http::{IdempotencyKey, answered_at, caller},
    rooms::research::flow::{Research, Setup},
    runs::server::{carried, escape},
};

pub async fn start(opening: String, key: String) -> Result<(), AppError> {
    let (app, client) = caller()?;
    // Nothing but spaces is nothing: the interviewer begins.
    let setup = Setup { opening: opening.trim().to_owned(), ..Setup::default() };
    let key = IdempotencyKey::of_form(&key, &setup, client.known);
    let back = format!("/journey?opening={}", escape(&carried(&opening)));
    let id = answered_at(app.start::<Research>(&client, setup, key, None).await, &back)?;
    leptos_axum::redirect(&format!("/journey/{id}"));
    Ok(())
}
