//! Personas that a person keeps for debates, by name.

use super::{
    address::{self, json, same},
    start::known,
};
use crate::{
    engine::{flow::Flow, server::now},
    error::AppError,
    http::{AppState, Client, answered, caller},
    models::{Models, Role},
    rooms::debate::{
        api::Sheet,
        flow::{
            Debate, Persona,
            persona::{self, HUES, PORTRAITS, SUMMARISER},
        },
    },
    runs::server::{Search, escape},
    store::{PersonaRow, Store},
};

/// An owner keeps no more.
const MOST: usize = 50;
/// Characters of a text that travel back to its form: more than are allowed, so that it is still too long there.
const CARRIED: usize = 2_000;

pub async fn all(store: &dyn Store, owner: &str) -> Result<Vec<Persona>, AppError> {
    let kept = |row: PersonaRow| Some(Persona { name: row.name, ..serde_json::from_str(&row.text).ok()? });
    Ok(store.personas(owner, Debate::KIND).await?.into_iter().filter_map(kept).collect())
}

/// Each with the hue of their place.
pub fn coloured(personas: Vec<Persona>) -> Vec<Persona> {
    let colour = |(place, persona): (usize, Persona)| Persona { hue: Some(persona.hue_at(place).to_owned()), ..persona };
    personas.into_iter().enumerate().map(colour).collect()
}

pub async fn sheet(search: &str) -> Result<Sheet, AppError> {
    let (app, client) = caller()?;
    answered(open(&app, &client, &Search::parse(search)).await)
}

/// The persona of that name, one that is offered or was refused, or a new one.
async fn open(app: &AppState, client: &Client, search: &Search) -> Result<Sheet, AppError> {
    let kept = all(app.engine.store(), &client.owner).await?;
    let models = app.models.routes(Role::Debater).iter().map(|route| route.name.clone()).collect();
    let named = search.get("name").filter(|name| !name.is_empty());
    let known = kept.iter().find(|persona| Some(&persona.name) == named.as_ref());
    let was = known.map(|persona| persona.name.clone()).unwrap_or_default();
    let draft = search.get("draft").and_then(|draft| serde_json::from_str::<Persona>(&draft).ok());
    let persona = match draft.or_else(|| known.cloned()) {
        Some(persona) => persona,
        None if named.is_some() => return Err(AppError::not_found()),
        None => fresh(kept.len() + persona::panel().len() - 1),
    };
    let fault = search.get("refused").and_then(|_| judged(&app.models, &kept, &was, &persona).err());
    let source = search.get("source").unwrap_or_default();
    Ok(Sheet { was, persona, models, fault, back: address::bench(&source), source })
}

/// Somebody without a name, in the colours that come next.
fn fresh(place: usize) -> Persona {
    let (hue, icon_hint) = (Some(HUES[place % HUES.len()].to_owned()), PORTRAITS[place % PORTRAITS.len()].to_owned());
    Persona { hue, icon_hint, ..Persona::default() }
}

/// A text as an address can carry it back to its form.
pub fn carried(text: &str) -> String {
    text.trim().chars().take(CARRIED).collect()
}

/// Keeps the persona and leads to the bench with it. One that is refused leads back to its form, which judges it anew.
pub async fn save(was: &str, persona: Persona, source: &str) -> Result<(), AppError> {
    let (app, client) = caller()?;
    let persona = Persona { name: carried(&persona.name), philosophy: carried(&persona.philosophy), ..persona };
    let to = match keep(app.engine.store(), &app.models, &client.owner, was, &persona).await {
        Ok(()) => address::bench_with(source, &persona.name),
        Err(error) if error.errors.is_empty() => return answered(Err(error)),
        Err(_) => {
            let typed = [was, &json(&persona), source].map(escape);
            format!("/debate/personas?name={}&draft={}&source={}&refused=yes", typed[0], typed[1], typed[2])
        }
    };
    leptos_axum::redirect(&to);
    Ok(())
}

async fn keep(store: &dyn Store, models: &Models, owner: &str, was: &str, persona: &Persona) -> Result<(), AppError> {
    let kept = all(store, owner).await?;
    judged(models, &kept, was, persona)?;
    store.save_persona(owner, Debate::KIND, PersonaRow { name: persona.name.clone(), text: json(persona) }, now()).await?;
    if was != persona.name {
        store.delete_persona(owner, Debate::KIND, was).await?;
    }
    Ok(())
}

/// May this persona be kept in the place of the one that was called `was`?
fn judged(models: &Models, kept: &[Persona], was: &str, persona: &Persona) -> Result<(), AppError> {
    if let Some((field, what)) = persona.fault() {
        return Err(AppError::field(field, what));
    }
    if persona::slug(&persona.name) == SUMMARISER {
        return Err(AppError::field("name", "the summariser closes every debate. Give another name."));
    }
    if kept.iter().any(|other| other.name != was && same(other, persona)) {
        return Err(AppError::field("name", "you keep a persona of this name already. Give another name, or change that one."));
    }
    if kept.len() >= MOST && kept.iter().all(|other| other.name != was) {
        return Err(AppError::field("personas", format!("You keep {MOST} personas, which is the most. Delete one to keep another.")));
    }
    known(models, std::slice::from_ref(persona)).map_err(|error| AppError::field("model", error.detail))
}

/// What is debated already stays as it is.
pub async fn delete(name: &str, source: &str) -> Result<(), AppError> {
    let (app, client) = caller()?;
    answered(app.engine.store().delete_persona(&client.owner, Debate::KIND, name).await.map_err(AppError::from))?;
    leptos_axum::redirect(&address::bench(source));
    Ok(())
}
