//! What a post says that its run has not heard yet: the answer to the question that is open, and further messages. Pure.

use super::{answer::Answer, ask_id, imported::PARAGRAPH};
use crate::{
    engine::{
        entry::{Entry, Run, RunEvent},
        flow::{Flow, Stamp},
    },
    http::chat::{Message, ToolState},
    rooms::research::{
        flow::{Command, Event, Item, Posting, Refusal, Research, State},
        server::commands::is_halted,
    },
};
use uuid::Uuid;

/// The entries that the post amounts to; none where the run knows all of it. A run that was stopped goes on with what is new,
/// and, where it can and `again` says so, without anything new.
pub fn heard(id: Uuid, run: &Run<Research>, messages: &[Message], again: bool) -> Result<Vec<Entry<Event>>, Refusal> {
    let halted = is_halted(run);
    let mut hearing = Hearing { state: if halted { run.resumed() } else { run.state.clone() }, events: vec![] };
    hearing.answer(id, messages)?;
    hearing.further(messages)?;
    let goes_on = halted && (!hearing.events.is_empty() || (again && run.can_continue()));
    let continued = goes_on.then_some(Entry::Run(RunEvent::Continued));
    Ok(continued.into_iter().chain(hearing.events.into_iter().map(Entry::Room)).collect())
}

struct Hearing {
    state: State,
    events: Vec<Event>,
}

impl Hearing {
    fn answer(&mut self, run: Uuid, messages: &[Message]) -> Result<(), Refusal> {
        let Some((turn, question)) = self.state.open_question() else { return Ok(()) };
        let id = ask_id(run, turn);
        let calls = messages.iter().rev().flat_map(Message::calls);
        let states: Vec<&ToolState> = calls.filter(|call| call.call_id == id).map(|call| &call.state).collect();
        let command = match states.into_iter().find_map(|state| Answer::of(state, &question.options)) {
            None => return Ok(()),
            Some(Answer::Words(text)) => Command::Say { text },
            Some(Answer::Chosen(options)) if question.multi || options.len() == 1 => Command::Choose { question: turn, options },
            // Several of which one was to be chosen are words as any.
            Some(Answer::Chosen(options)) => {
                let chosen = options.iter().filter_map(|place| question.options.get(*place as usize));
                Command::Say { text: chosen.map(|choice| choice.label.as_str()).collect::<Vec<_>>().join(", ") }
            }
            Some(Answer::Skipped) => Command::Choose { question: turn, options: vec![] },
        };
        let message = messages.last().filter(|last| last.is_assistants()).and_then(|last| last.id.clone());
        self.carry(Some(Posting { id, message }), command)
    }

    /// The messages at the end that nobody has answered.
    fn further(&mut self, messages: &[Message]) -> Result<(), Refusal> {
        let unanswered = messages.iter().rev().take_while(|message| message.is_users()).count();
        let said = unanswered_words(&self.state);
        for message in &messages[messages.len() - unanswered..] {
            let known = match &message.id {
                Some(id) => self.state.posted.contains(id),
                // What goes by no id is known by its words.
                None => message.said().is_some_and(|text| said.contains(&paragraphs(&text))),
            };
            let Some(text) = message.said().filter(|_| !known) else { continue };
            let posted = message.id.clone().map(|id| Posting { id, message: None });
            self.carry(posted, Command::Say { text })?;
        }
        Ok(())
    }

    fn carry(&mut self, posted: Option<Posting>, command: Command) -> Result<(), Refusal> {
        let decided = Research::decide(&self.state, command)?;
        let events = posted.map(Event::Posted).into_iter().chain(decided);
        for event in events {
            // Rules ask for no time of day; what is begun here is stamped when it is applied.
            self.state.take(Stamp { seq: i64::MAX, at: 0 }, &event);
            self.events.push(event);
        }
        Ok(())
    }
}

/// What the person has said since the interviewer's last turn.
fn unanswered_words(state: &State) -> String {
    let since = state.thread.iter().rev().take_while(|item| !matches!(item, Item::Turn(_)));
    let said = since.filter_map(|item| if let Item::Said { text, .. } = item { Some(paragraphs(text)) } else { None });
    said.collect()
}

/// Between ends that tell whole paragraphs from parts: messages that are read as one are paragraphs of it.
fn paragraphs(text: &str) -> String {
    format!("{PARAGRAPH}{}{PARAGRAPH}", text.trim())
}
