//! What the room's pages show: the bench, and a conversation.

use crate::engine::flow::read::Read;
use crate::{
    error::AppError,
    http::{AppState, Client, answered, caller, refused},
    models::Role,
    rooms::research::{
        api::{Bench, Held, Offer, Typed},
        examples::EXAMPLES,
        flow::{Research, Setup},
    },
    runs::server::{Search, opened, row, unfinished},
};
use uuid::Uuid;

/// What to do where nothing can be looked up.
pub const UNRESEARCHED: &str = "No model is configured that looks things up. Set PERPLEXITY_API_KEY, or name another one as researcher in \
                                Leptos.toml, and start the server again.";

pub async fn bench(search: &str) -> Result<Bench, AppError> {
    let (app, client) = caller()?;
    answered(desk(&app, &client, &Search::parse(search)).await)
}

async fn desk(app: &AppState, client: &Client, search: &Search) -> Result<Bench, AppError> {
    let route = |role: Role| app.models.route(role).map(|route| route.name.clone());
    let researcher = route(Role::Researcher);
    let models = [Role::Interviewer, Role::Synthesist].map(route).into_iter().chain(researcher.clone().map(Some));
    Ok(Bench {
        models: models.collect::<Option<_>>().filter(|_| app.models.is_complete()),
        unresearched: researcher.is_none().then(|| UNRESEARCHED.to_owned()),
        unfinished: unfinished::<Research>(app, client).await?,
        examples: EXAMPLES.iter().map(|example| Offer { name: example.name.to_owned(), opening: example.opening.to_owned() }).collect(),
        opening: opening(app, client, search).await?,
        key: Uuid::new_v4().to_string(),
        refused: refused(),
    })
}

/// What was typed and refused, or another run's opening.
async fn opening(app: &AppState, client: &Client, search: &Search) -> Result<Option<String>, AppError> {
    if let Some(typed) = search.get("opening") {
        return Ok(Some(typed));
    }
    if let Some(id) = search.get("from") {
        let setup = Setup::read(&row::<Research>(app, client, &id).await?.setup).ok_or_else(AppError::internal)?;
        return Ok(Some(setup.opening));
    }
    Ok(None)
}

/// The conversation, and what was refused on its page.
pub async fn held(id: &str, search: &str) -> Result<Held, AppError> {
    let opened = opened::<Research>(id).await?;
    let search = Search::parse(search);
    let typed = |name: &str| search.get(name).unwrap_or_default();
    Ok(Held { opened, key: Uuid::new_v4().to_string(), typed: Typed { text: typed("text"), field: typed("field") }, refused: refused() })
}
