//! What the room's server functions come down to.

use crate::{
    engine::flow::{Flow, Status},
    error::AppError,
    http::{AppState, Client, IdempotencyKey, answered, caller, refused, unlisted},
    models::Role,
    rooms::simulate::{
        api::{Desk, Page},
        flow::{MAX_STEPS, Setup, Simulate},
    },
    runs::Card,
};

/// Runs among which the newest unfinished one is looked for.
const LOOKED_AT: i64 = 20;

pub async fn start(icp: String, query: String, key: String) -> Result<(), AppError> {
    let (app, client) = caller()?;
    let setup = Setup { icp, query, max_steps: MAX_STEPS, context_chars: app.context_chars() };
    let key = IdempotencyKey((!key.is_empty()).then_some(key));
    let id = answered(app.start::<Simulate>(&client, setup, key).await)?;
    leptos_axum::redirect(&format!("/demo/{id}"));
    Ok(())
}

pub async fn open(id: Option<String>) -> Result<Page, AppError> {
    let (app, client) = caller()?;
    let page = async {
        match id {
            Some(id) => run(&app, &client, &id).await,
            None => desk(&app, &client).await.map(Page::Bench),
        }
    };
    answered(page.await)
}

async fn run(app: &AppState, client: &Client, id: &str) -> Result<Page, AppError> {
    let row = app.run(client, id).await?;
    if row.kind != Simulate::KIND {
        return Err(AppError::not_found());
    }
    let mine = client.may_command(&row);
    if !mine {
        unlisted();
    }
    Ok(Page::Run { snapshot: app.engine.snapshot(&row).await?, mine })
}

async fn desk(app: &AppState, client: &Client) -> Result<Desk, AppError> {
    let models = [Role::Simulator, Role::Assistant, Role::Summariser].map(|role| app.models.route(role).map(|route| route.name.clone()));
    Ok(Desk { models: models.into_iter().collect(), unfinished: unfinished(app, client).await?, refused: refused() })
}

/// The newest run that goes on, or would on Continue.
async fn unfinished(app: &AppState, client: &Client) -> Result<Option<Card>, AppError> {
    let mut rows = app.engine.store().list(&client.owner, "", LOOKED_AT).await?;
    rows.sort_by_key(|row| std::cmp::Reverse(row.created_at));
    for row in rows.into_iter().filter(|row| row.kind == Simulate::KIND && row.status != Status::Done) {
        let log = app.engine.store().events(row.id, 0).await?;
        let reading = app.engine.room(&row.kind).and_then(|room| room.read(&log));
        if reading.is_some_and(|reading| reading.status == Status::Running || reading.can_continue) {
            return Ok(Some(Card::from(row)));
        }
    }
    Ok(None)
}
