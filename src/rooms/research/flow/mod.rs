//! The research as pure rules: a conversation that asks for what is missing, and five sections that are researched beside it as
//! soon as there is enough for them, each once, and again only when what it went by has changed.

use crate::engine::flow::{Failure, Flow, Retold, Stamp, Status, words};
use serde::{Deserialize, Serialize};

mod commands;
pub mod data;
mod event;
pub mod field;
mod findings;
mod readiness;
mod references;
mod rules;
mod section;
mod setup;
mod sources;
mod state;
mod take;
#[cfg(test)]
mod tests;

pub use commands::{Command, Refusal, STOPPED, is_skip};
pub use data::{Data, Point, Source, Told};
pub use event::Event;
pub use field::Field;
pub use findings::extract_top_findings;
pub use rules::{AskUser, Outcome, Reply, Tool, fitted};
pub use section::Section;
pub use setup::{Claim, Imported, Posting, Quoted, Setup};
pub use sources::{cited, pages};
pub use state::{
    Brief, Call, Called, Choice, Finding, Floor, Item, Known, MAX_STEPS, Question, SIDE_BY_SIDE, Stage, State, Study, Turn, Unread, Work,
};

/// Characters of a message at most.
pub const MESSAGE_CHARS: usize = 4_000;
/// Characters of a title.
const TITLE_CHARS: usize = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// What the person's message (from 0) says.
    Extract {
        message: u32,
    },
    /// The interviewer's next turn, from 0.
    Interview {
        turn: u32,
    },
    Gather {
        section: Section,
        attempt: u32,
    },
    Synthesise {
        section: Section,
        attempt: u32,
    },
    Repair {
        section: Section,
        attempt: u32,
    },
    /// What it all amounts to, after so many turns.
    Summary {
        turn: u32,
    },
}

pub struct Research;

impl Flow for Research {
    const KIND: &'static str = "research";
    const TURN_CHARS: usize = MESSAGE_CHARS;
    type Setup = Setup;
    type State = State;
    type Event = Event;
    type Command = Command;
    type Ask = Ask;
    type Outcome = Outcome;
    type Refusal = Refusal;

    fn begin(setup: &Setup) -> Result<State, Refusal> {
        if !setup.opening.is_empty() {
            words::check(&setup.opening, MESSAGE_CHARS).map_err(Refusal::Opening)?;
        }
        Ok(take::begun(setup))
    }

    /// The person's first words.
    fn title(setup: &Setup) -> String {
        let quoted = setup.imported.said.iter().find(|quoted| quoted.person);
        let line = words::shortened(quoted.map_or(&setup.opening, |quoted| &quoted.text), TITLE_CHARS);
        if line.is_empty() { "Market research".to_owned() } else { line }
    }

    fn decide(state: &State, command: Command) -> Result<Vec<Event>, Refusal> {
        let events = match command {
            Command::Say { text } => commands::say(state, text)?,
            Command::Choose { question, options } => commands::choose(state, question, options)?,
            Command::Correct { field, text } => commands::correct(state, field, &text)?,
            Command::Retry { section } => commands::retry(state, section)?,
            Command::Refresh => commands::refresh(state),
            Command::StopSection { section } => commands::stop(state, section),
        };
        Ok(with_begins(state, events))
    }

    fn settle(state: &State, ask: &Ask, outcome: Outcome) -> Vec<Event> {
        let events = match (*ask, outcome) {
            (Ask::Extract { message }, Outcome::Extracted { reply, known }) => vec![rules::understood(state, message, reply, known)],
            (Ask::Interview { .. }, Outcome::Turned { words, tools, told }) => rules::turn(state, &words, tools, told),
            (Ask::Gather { section, .. }, Outcome::Gathered { text, sources }) => vec![Event::Gathered { section, text, sources }],
            (Ask::Synthesise { section, .. } | Ask::Repair { section, .. }, Outcome::Drafted { draft, data }) => {
                vec![rules::drafted(state, section, draft, data)]
            }
            (Ask::Summary { .. }, Outcome::Summarised(text)) => vec![Event::Summarised { text }],
            (ask, _) => vec![Event::GaveUp { why: format!("An answer came back that does not belong to {ask:?}.") }],
        };
        with_begins(state, events)
    }

    /// A section that cannot be researched says so on its card, and the conversation goes on; of words that cannot be read by
    /// the model the person's own are the answer.
    fn failed(state: &State, ask: &Ask, failure: &Failure) -> Option<Vec<Event>> {
        let events = match *ask {
            Ask::Gather { section, .. } | Ask::Synthesise { section, .. } | Ask::Repair { section, .. } => {
                vec![Event::ResearchFailed { section, error: failure.why.clone() }]
            }
            Ask::Extract { message } => vec![rules::understood(state, message, Reply::Answer, vec![])],
            Ask::Interview { .. } | Ask::Summary { .. } => return None,
        };
        Some(with_begins(state, events))
    }

    fn apply(mut state: State, stamp: Stamp, event: &Event) -> State {
        state.take(stamp, event);
        state
    }

    /// The interviewer may speak once more after a failure, and take as many steps again. Research under way takes as long as it does
    /// from here on: nobody was at it during the break.
    fn resumed(mut state: State, stamp: Stamp) -> State {
        (state.failure, state.steps) = (None, 0);
        state.studies.iter_mut().filter_map(|study| study.work.as_mut()).for_each(|work| work.since = stamp.at);
        state
    }

    fn wants(state: &State) -> Vec<Ask> {
        if state.failure.is_some() {
            return vec![];
        }
        let research = state.under_way().into_iter().take(SIDE_BY_SIDE).filter_map(Study::ask);
        let talk = match (&state.unread, state.floor) {
            (Some(unread), _) => Some(Ask::Extract { message: unread.message }),
            (None, Floor::Interviewer) => (!state.at_step_limit()).then_some(Ask::Interview { turn: state.turns }),
            (None, Floor::Person) => (state.is_complete() && !state.is_summarised()).then_some(Ask::Summary { turn: state.turns }),
        };
        talk.into_iter().chain(research).collect()
    }

    fn status(state: &State) -> Status {
        match () {
            () if state.failure.is_some() => Status::Failed,
            () if !Self::wants(state).is_empty() => Status::Running,
            () if state.is_complete() && state.is_summarised() && state.asked.is_none() => Status::Done,
            () => Status::Waiting,
        }
    }

    fn written(event: &Event) -> Option<&str> {
        match event {
            Event::Turned(turn) => Some(&turn.words),
            Event::Summarised { text } => Some(text),
            _ => None,
        }
    }

    /// A message of the person's, or what they chose, is such a turn, unless a caller brought it along.
    fn turn(state: &State, turn: u32) -> Option<&str> {
        state.message(turn).filter(|_| turn >= state.imported)
    }

    fn retell(before: &State, turn: u32, words: String) -> Result<Option<Retold<Self>>, Refusal> {
        commands::retell(before, turn, words)
    }

    fn reason(state: &State) -> Option<String> {
        state.failure.clone().or_else(|| state.at_step_limit().then(|| "step_limit".to_owned()))
    }
}

/// What begins by itself once these have happened, behind them.
fn with_begins(state: &State, mut events: Vec<Event>) -> Vec<Event> {
    let mut after = state.clone();
    // Rules ask for no time of day; what is begun here is stamped when it is applied.
    events.iter().for_each(|event| after.take(Stamp { seq: i64::MAX, at: 0 }, event));
    events.extend(rules::begins(&after));
    events
}
