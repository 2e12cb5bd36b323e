//! The bench's form: a debate is started with what it holds, or it is shown again with that.

use super::{
    address,
    personas::{carried, coloured},
    start::begin,
};
use crate::{
    error::AppError,
    http::{IdempotencyKey, answered_at, caller},
    rooms::debate::{
        api::{Seat, faults},
        flow::{Persona, Setup, TOPIC, persona},
    },
    runs::server::{Search, escape},
};

/// What the form holds, as it was typed.
pub struct Filled {
    pub topic: String,
    pub rounds: String,
    pub seats: Vec<Seat>,
    pub key: String,
    pub source: String,
}

pub async fn start(filled: Filled) -> Result<(), AppError> {
    let (app, client) = caller()?;
    let started = async {
        let setup = filled.setup()?;
        if let Some(error) = faults(&setup) {
            return Err(error);
        }
        let key = IdempotencyKey::of_form(&filled.key, &setup, client.known);
        begin(&app, &client, setup, key).await.map_err(at_the_panel)
    };
    let id = answered_at(started.await, &filled.address())?;
    leptos_axum::redirect(&format!("/debate/{id}"));
    Ok(())
}

impl Filled {
    fn setup(&self) -> Result<Setup, AppError> {
        let personas: Result<Vec<Persona>, AppError> = self.taken().map(Seat::persona).collect();
        // What is no number is no number of rounds.
        let max_exchange_rounds = self.rounds.trim().parse().unwrap_or_default();
        // Nothing typed is the motion that the field shows.
        let topic = if self.topic.trim().is_empty() { TOPIC.to_owned() } else { self.topic.clone() };
        Ok(Setup { max_exchange_rounds, topic, personas: usual(personas?) })
    }

    fn taken(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().filter(|seat| !seat.persona.is_empty())
    }

    /// The bench with what was typed. Who was chosen goes by name: the bench knows them.
    fn address(&self) -> String {
        let source = address::source(&Search::parse(&self.source));
        let named = |seat: &Seat| Some((seat.persona().ok()?.name, seat.model.clone()));
        let panel = serde_json::to_string(&self.taken().filter_map(named).collect::<Vec<_>>()).unwrap_or_default();
        let (topic, rounds, panel) = (escape(&carried(&self.topic)), escape(&carried(&self.rounds)), escape(&panel));
        format!("/debate?{source}&topic={topic}&rounds={rounds}&panel={panel}")
    }
}

impl Seat {
    fn persona(&self) -> Result<Persona, AppError> {
        let persona: Persona = serde_json::from_str(&self.persona)
            .map_err(|_| AppError::field("personas", "One of the debaters cannot be read. Reload the page, and choose them again."))?;
        Ok(Persona { model: (!self.model.is_empty()).then(|| self.model.clone()), ..persona })
    }
}

/// The default panel is taken for it, also where the bench has given it its hues.
fn usual(personas: Vec<Persona>) -> Vec<Persona> {
    let mut default = persona::panel();
    default.retain(|persona| !persona.is_summariser());
    if personas == coloured(default) { persona::panel() } else { personas }
}

/// The form says at the panel what is wrong with one of its members.
fn at_the_panel(mut error: AppError) -> AppError {
    for fault in error.errors.iter_mut().filter(|fault| fault.pointer.starts_with("/personas/")) {
        fault.pointer = "/personas".to_owned();
    }
    error
}
