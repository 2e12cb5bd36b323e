//! A turn being put into other words: what its page shows, and what its form does.

use super::address::{Search, carried, escape};
use crate::{
    error::{AppError, Code},
    http::{AppState, Client, IdempotencyKey, answered, caller},
    rooms,
    runs::{Card, api::Turn},
};
use leptos_axum::redirect;
use uuid::Uuid;

pub async fn turn(id: &str, turn: u32, search: &str) -> Result<Turn, AppError> {
    let (app, client) = caller()?;
    answered(wording(&app, &client, id, turn, &Search::parse(search)).await)
}

/// The turn as it was said, or as it was sent and refused, with what is wrong with it.
async fn wording(app: &AppState, client: &Client, id: &str, turn: u32, search: &Search) -> Result<Turn, AppError> {
    let row = app.own_run(client, id).await?;
    let room = app.engine.room(&row.kind).ok_or_else(AppError::internal)?;
    let log = app.engine.store().events(row.id, 0).await?;
    let said = room.wording(&log, turn).ok_or_else(AppError::not_found)?;
    let refused = search.get("text");
    let fault = match (&refused, search.get("refused").as_deref()) {
        (Some(text), _) => room.fork(&app.engine, &row, turn, text.clone()).await.err().map(|error| error.detail),
        (None, Some("budget")) => Some("Today’s budget for conversations with a real model is used up. Come back tomorrow.".to_owned()),
        (None, Some(_)) => Some(AppError::internal().detail),
        (None, None) => None,
    };
    let (text, key) = (refused.unwrap_or(said.text), Uuid::new_v4().to_string());
    Ok(Turn { card: Card::from(row), turn, text, max: said.max, fault, key })
}

/// Goes on from a turn in other words. What is refused leads back to the words, so that they can be mended.
pub async fn fork(id: &str, turn: u32, text: String, key: String) -> Result<(), AppError> {
    let (app, client) = caller()?;
    let row = answered(app.own_run(&client, id).await)?;
    let key = IdempotencyKey::of_form(&key, &text, client.known);
    let back = |what: &str, text: &str| format!("/runs/{id}/edit/{turn}?{what}={}", escape(text));
    let to = match app.fork(&client, &row, turn, text.clone(), key).await {
        Ok(fork) => rooms::address(&row.kind, &fork.to_string()),
        Err(error) if error.at("text").is_some() => back("text", &carried(&text)),
        Err(error) if error.code == Code::AccessCode => "/access".to_owned(),
        Err(error) => back("refused", if error.code == Code::Budget { "budget" } else { "fault" }),
    };
    redirect(&to);
    Ok(())
}
