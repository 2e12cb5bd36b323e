//! What the room's pages show: the bench, a journey, one of its turns.

use super::personas;
use crate::{
    engine::{entry::ask_json, flow::Flow},
    error::AppError,
    http::{AppState, Client, answered, caller, refused},
    models::Role,
    rooms::simulate::{
        api::{Desk, Given, Saved, Turn},
        flow::{Ask, Setup, Simulate},
    },
    runs::{
        Opened,
        server::{Search, opened, own_row, row, unfinished},
    },
};
use uuid::Uuid;

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

pub async fn turn(id: &str, step: u32, search: &str) -> Result<Turn, AppError> {
    let (app, client) = caller()?;
    answered(wording(&app, &client, id, step, &Search::parse(search)).await)
}

/// The turn as it was said, or as it was sent and refused, with what is wrong with it.
async fn wording(app: &AppState, client: &Client, id: &str, step: u32, search: &Search) -> Result<Turn, AppError> {
    let row = own_row::<Simulate>(app, client, id).await?;
    let run = app.engine.load::<Simulate>(row.id).await?;
    let ask = ask_json(&Ask::Customer { step });
    let cut_off = || run.progress.halt.as_ref()?.partial.iter().find(|partial| partial.ask == ask).map(|partial| partial.text.as_str());
    let said = Simulate::turn(&run.state, step).or_else(cut_off).ok_or_else(AppError::not_found)?;
    let refused = search.get("text");
    let fault = match (&refused, search.get("refused").as_deref()) {
        (Some(text), _) => app.engine.fork::<Simulate>(&row, step, text.clone()).await.err().map(|error| error.detail),
        (None, Some("budget")) => Some("Today’s budget for conversations with a real model is used up. Come back tomorrow.".to_owned()),
        (None, Some(_)) => Some(AppError::internal().detail),
        (None, None) => None,
    };
    Ok(Turn {
        id: row.id.to_string(),
        step,
        title: row.title,
        text: refused.unwrap_or_else(|| said.to_owned()),
        fault,
        key: Uuid::new_v4().to_string(),
    })
}
