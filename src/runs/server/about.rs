//! What a run's own page shows.

use super::facts::{facts, is_over};
use crate::{
    error::AppError,
    http::{AppState, Client, answered, caller, refused, unlisted},
    rooms,
    runs::{Card, api::About},
};
use axum::http::{HeaderMap, request::Parts};
use leptos::prelude::use_context;

pub async fn about(id: &str) -> Result<About, AppError> {
    let (app, client) = caller()?;
    let headers = use_context::<Parts>().map(|parts| parts.headers).unwrap_or_default();
    let about = sheet(&app, &client, id, &headers).await;
    if about.as_ref().is_ok_and(|about| !about.mine) {
        unlisted();
    }
    answered(about.map(|about| About { refused: refused(), ..about }))
}

async fn sheet(app: &AppState, client: &Client, id: &str, headers: &HeaderMap) -> Result<About, AppError> {
    let row = app.run(client, id).await?;
    let (reading, _) = app.reading(&row).await?;
    let mine = client.may_command(&row);
    let token = if mine { app.engine.store().share_of(row.id).await? } else { None };
    let (facts, over) = (facts(&row, &reading), is_over(reading.status));
    let (again, address) = (format!("{}?from={id}", rooms::bench(&row.kind)), rooms::address(&row.kind, id));
    Ok(About {
        card: Card::from(row),
        mine,
        facts,
        link: token.map(|token| app.share_url(headers, &token)),
        again,
        replay: over.then(|| format!("{address}/replay")),
        refused: None,
    })
}
