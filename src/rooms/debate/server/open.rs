//! What the bench shows: who could debate, and what its address asks for.

use super::{
    address::{self, json, same},
    personas::{self, coloured},
};
use crate::{
    error::AppError,
    http::{AppState, Client, answered, caller, refused},
    models::Role,
    rooms::debate::{
        api::{Bench, Candidate, Given, Offer},
        examples::{EXAMPLES, Example},
        flow::{Debate, Persona, Setup, persona},
    },
    runs::server::{Search, row, unfinished},
};
use uuid::Uuid;

pub async fn bench(search: &str) -> Result<Bench, AppError> {
    let (app, client) = caller()?;
    answered(desk(&app, &client, &Search::parse(search)).await)
}

async fn desk(app: &AppState, client: &Client, search: &Search) -> Result<Bench, AppError> {
    let kept = personas::all(app.engine.store(), &client.owner).await?;
    let (source, asked) = (address::source(search), source(app, client, search).await?);
    let models = [Role::Debater, Role::Summariser].map(|role| app.models.route(role).map(|route| route.name.clone()));
    let panel = asked.as_ref().map(|setup| debaters(&setup.personas));
    let chosen = chosen(search);
    Ok(Bench {
        models: models.into_iter().collect::<Option<_>>().filter(|_| app.models.is_complete()),
        debaters: app.models.routes(Role::Debater).iter().map(|route| route.name.clone()).collect(),
        unfinished: unfinished::<Debate>(app, client).await?,
        examples: EXAMPLES.iter().map(|example| offer(example, search)).collect(),
        candidates: candidates(panel, &kept, chosen.as_deref(), search.get("with").as_deref(), &source),
        given: given(search, asked.as_ref(), chosen.is_some(), &kept),
        new_persona: address::new_sheet(&source),
        source,
        key: Uuid::new_v4().to_string(),
        refused: refused(),
    })
}

/// Another debate's setup, or a worked example's.
async fn source(app: &AppState, client: &Client, search: &Search) -> Result<Option<Setup>, AppError> {
    if let Some(id) = search.get("from") {
        let setup = row::<Debate>(app, client, &id).await?.setup;
        return serde_json::from_value(setup).map(Some).map_err(|_| AppError::internal());
    }
    let name = search.get("example");
    Ok(EXAMPLES.iter().find(|example| Some(slug(example)) == name).map(Example::setup))
}

fn slug(example: &Example) -> String {
    persona::slug(example.name)
}

fn offer(example: &Example, search: &Search) -> Offer {
    let slug = slug(example);
    Offer { name: example.name.to_owned(), href: format!("/debate?example={slug}"), shown: search.get("example") == Some(slug) }
}

/// Where whatever was typed is to stay, the address brings the people alone.
fn given(search: &Search, asked: Option<&Setup>, chosen: bool, kept: &[Persona]) -> Given {
    let filled = asked.filter(|_| search.get("draft").is_none());
    let closing = |setup: &Setup| setup.personas.iter().find(|one| one.is_summariser() && **one != persona::summariser()).map(json);
    Given {
        topic: search.get("topic").or_else(|| filled.map(|setup| setup.topic.clone())),
        rounds: search.get("rounds").or_else(|| filled.map(|setup| setup.max_exchange_rounds.to_string())),
        panel: chosen || filled.is_some(),
        added: search.get("with").filter(|name| kept.iter().any(|persona| persona.name == *name)),
        summariser: asked.and_then(closing),
    }
}

/// Names and models of those who were chosen in a form that was refused.
fn chosen(search: &Search) -> Option<Vec<(String, String)>> {
    serde_json::from_str(&search.get("panel")?).ok()
}

/// The panel that is asked for, or the default one; then everybody else. One who is kept takes the place of a default one of that name.
fn candidates(
    panel: Option<Vec<Persona>>,
    kept: &[Persona],
    chosen: Option<&[(String, String)]>,
    with: Option<&str>,
    source: &str,
) -> Vec<Candidate> {
    let own = |persona: Persona| kept.iter().find(|own| same(own, &persona)).cloned().unwrap_or(persona);
    let default: Vec<Persona> = coloured(debaters(&persona::panel())).into_iter().map(own).collect();
    let mut people = panel.map_or_else(|| default.clone(), coloured);
    let seats = people.len();
    for persona in default.into_iter().chain(kept.iter().cloned()) {
        if !people.iter().any(|other| same(other, &persona)) {
            people.push(persona);
        }
    }
    let candidate = |(place, persona): (usize, Persona)| {
        let asked = chosen.map(|chosen| chosen.iter().find(|(name, _)| *name == persona.name));
        let model = asked.flatten().map(|(_, model)| model.clone()).or(persona.model.clone()).unwrap_or_default();
        let chosen = asked.map_or(place < seats, |asked| asked.is_some()) || with == Some(&persona.name);
        let href = address::sheet(&persona, kept, source);
        Candidate { persona: Persona { hue: Some(persona.hue_at(place).to_owned()), model: None, ..persona }, model, chosen, href }
    };
    people.into_iter().enumerate().map(candidate).collect()
}

fn debaters(personas: &[Persona]) -> Vec<Persona> {
    personas.iter().filter(|persona| !persona.is_summariser()).cloned().collect()
}
