//! What the room's pages show: the bench, and a journey.

use super::personas;
use crate::{
    error::AppError,
    http::{AppState, Client, answered, caller, refused},
    models::Role,
    rooms::simulate::{
        api::{Desk, Given, Saved},
        flow::{Setup, Simulate},
    },
    runs::{
        Opened,
        server::{Search, opened, row, unfinished},
    },
};

pub async fn bench(search: &str) -> Result<Desk, AppError> {
    let (app, client) = caller()?;
    answered(desk(&app, &client, &Search::parse(search)).await)
}

async fn desk(app: &AppState, client: &Client, search: &Search) -> Result<Desk, AppError> {
    let models = [Role::Simulator, Role::Assistant, Role::Summariser].map(|role| app.models.route(role).map(|route| route.name.clone()));
    let saved = personas::all(app.engine.store(), &client.owner).await?;
    Ok(Desk {
        models: models.into_iter().collect(),
        assistants: app.models.routes(Role::Assistant).iter().map(|route| route.name.clone()).collect(),
        unfinished: unfinished::<Simulate>(app, client).await?,
        given: given(app, client, search, &saved).await?,
        refused: refused(),
        unsaved: search.get("unsaved").map(|why| personas::unsaved(&why)),
        personas: saved.into_iter().map(|(saved, _)| saved).collect(),
    })
}

/// What the address asks for: another run's setup, a saved customer, or a question that was typed before.
async fn given(app: &AppState, client: &Client, search: &Search, saved: &[(Saved, String)]) -> Result<Given, AppError> {
    if let Some(id) = search.get("from") {
        let setup = serde_json::from_value::<Setup>(row::<Simulate>(app, client, &id).await?.setup).map_err(|_| AppError::internal())?;
        return Ok(Given {
            icp: Some(setup.icp),
            query: Some(setup.query),
            instructions: Some(setup.assistant.instructions.unwrap_or_default()),
            assistant: setup.assistant.model.unwrap_or_default(),
        });
    }
    let name = search.get("persona");
    let icp = saved.iter().find(|(saved, _)| Some(&saved.name) == name.as_ref()).map(|(_, text)| text.clone());
    Ok(Given { icp, query: search.get("query"), ..Given::default() })
}

pub async fn journey(id: &str) -> Result<Opened, AppError> {
    opened::<Simulate>(id).await
}
