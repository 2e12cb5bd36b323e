//! What the bench holds before a debate: what is typed, who is chosen, and what was wrong with it.

use super::ROOM;
use crate::{
    error::AppError,
    rooms::debate::{
        api::{Candidate, Given, Seat},
        flow::{ROUNDS, Setup, TOPIC, persona::FEWEST},
    },
    ui::{Draft, Submission},
};
use leptos::prelude::*;

/// What is typed and chosen here, and the action that starts with it.
#[derive(Clone, Copy)]
pub struct Form {
    pub topic: Draft,
    /// Empty as long as nobody has typed.
    pub rounds: Draft,
    /// The names of those who are chosen, a line each; empty as long as nobody has chosen.
    panel: Draft,
    pub people: StoredValue<Vec<Person>>,
    /// Where the panel comes from, as the address says it.
    pub source: StoredValue<String>,
    /// The one who closes, as JSON, where it is not the usual one.
    pub summariser: StoredValue<Option<String>>,
    pub start: Submission<AppError>,
    /// What was wrong when it was last sent.
    pub refused: RwSignal<Option<AppError>>,
}

/// A candidate, and which model they were given.
#[derive(Clone)]
pub struct Person {
    pub candidate: Candidate,
    /// The persona as the form sends it.
    pub json: String,
    pub model: RwSignal<String>,
}

impl Form {
    pub fn new(given: Given, source: String, candidates: Vec<Candidate>, refused: Option<AppError>) -> Self {
        let person = |candidate: Candidate| {
            let json = serde_json::to_string(&candidate.persona).unwrap_or_default();
            Person { json, model: RwSignal::new(candidate.model.clone()), candidate }
        };
        let asked =
            given.panel.then(|| lines(candidates.iter().filter(|candidate| candidate.chosen).map(|candidate| &candidate.persona.name)));
        Form {
            topic: Draft::new("debate.topic", given.topic),
            rounds: Draft::new("debate.rounds", given.rounds),
            panel: Draft::new("debate.panel", asked),
            people: StoredValue::new(candidates.into_iter().map(person).collect()),
            source: StoredValue::new(source),
            summariser: StoredValue::new(given.summariser),
            start: Submission::default(),
            refused: RwSignal::new(refused),
        }
    }

    pub fn is_chosen(&self, person: &Person) -> bool {
        self.panel
            .value
            .with(|names| if names.is_empty() { person.candidate.chosen } else { names.lines().any(|name| name == person.name()) })
    }

    pub fn chosen(&self) -> Vec<Person> {
        self.people.with_value(|people| people.iter().filter(|person| self.is_chosen(person)).cloned().collect())
    }

    pub fn choose(&self, name: &str, on: bool) {
        let chosen = untrack(|| self.chosen());
        let mut names: Vec<&str> = chosen.iter().map(Person::name).filter(|other| *other != name).collect();
        names.extend(on.then_some(name));
        self.panel.value.set(lines(names));
    }

    pub fn rounds(&self) -> u32 {
        self.rounds.value.with(|rounds| if rounds.is_empty() { ROUNDS } else { rounds.trim().parse().unwrap_or_default() })
    }

    /// As the flow judges it.
    pub fn setup(&self) -> Setup {
        let personas = self.chosen().into_iter().map(|person| person.candidate.persona).collect();
        // Nothing typed is the motion that the field shows.
        let topic = Some(self.topic.value.get()).filter(|topic| !topic.trim().is_empty()).unwrap_or(TOPIC.to_owned());
        Setup { max_exchange_rounds: self.rounds(), topic, personas }
    }

    /// As it is sent: those who debate, and whoever closes.
    pub fn seats(&self) -> Vec<Seat> {
        let seat = |person: Person| Seat { persona: person.json, model: person.model.get_untracked() };
        let closing = self.summariser.get_value().map(|persona| Seat { persona, model: String::new() });
        self.chosen().into_iter().map(seat).chain(closing).collect()
    }

    pub fn error(&self) -> Option<AppError> {
        self.refused.get().or_else(|| self.start.error.get())
    }

    /// What is wrong with that field.
    pub fn at(self, field: &'static str) -> Signal<String> {
        Signal::derive(move || self.error().and_then(|error| error.at(field).map(str::to_owned)).unwrap_or_default())
    }

    /// Whoever was kept just now is chosen, and a draft of people who are not here any more is none.
    pub fn seat(self, added: Option<String>) {
        Effect::new(move || {
            untrack(|| {
                let names = self.panel.value.get();
                let here = self
                    .people
                    .with_value(|people| names.lines().filter(|name| people.iter().any(|person| person.name() == *name)).count());
                if here < FEWEST && here < names.trim().lines().count() {
                    self.panel.value.set(String::new());
                }
                if let Some(added) = &added {
                    self.choose(added, true);
                }
            });
        });
    }

    /// Once something changes, what was said of the last attempt is over, and so is what the address asks for besides the
    /// people: a reload brings the draft.
    pub fn watch(self) {
        Effect::new(move |before: Option<()>| {
            [self.topic, self.rounds, self.panel].iter().for_each(|draft| draft.value.track());
            if before.is_none() {
                return;
            }
            self.refused.set(None);
            self.start.error.set(None);
            if window().location().search().is_ok_and(|search| !search.is_empty()) {
                let source = self.source.get_value();
                let address = if source.is_empty() { ROOM.href.to_owned() } else { format!("{}?{source}&draft=yes", ROOM.href) };
                drop(
                    window()
                        .history()
                        .map(|history| history.replace_state_with_url(&history.state().unwrap_or_default(), "", Some(&address))),
                );
            }
        });
    }
}

impl Person {
    pub fn name(&self) -> &str {
        &self.candidate.persona.name
    }
}

/// A line each, and one where there is none: nobody is chosen, too.
fn lines(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let lines: String = names.into_iter().map(|name| format!("{}\n", name.as_ref())).collect();
    if lines.is_empty() { "\n".to_owned() } else { lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choosing_nobody_is_a_choice() {
        assert_eq!((lines(["Ada", "Bo"]).as_str(), lines([""; 0]).as_str()), ("Ada\nBo\n", "\n"));
    }
}
