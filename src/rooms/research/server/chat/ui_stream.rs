//! A conversation as an AI SDK UI message stream (npm `ai` 5 to 7): a step for each of the interviewer's turns, with its question
//! as a call the client makes and its research as calls made here. Pure.

use super::{ASK_USER, RUN_RESEARCH, ask_id};
use crate::{
    engine::{
        entry::{Partial, Run},
        flow::{Flow, Status},
        follow::Follower,
    },
    http::chat::{Chunk, FinishReason, Telling, ToolCall, standing},
    rooms::research::{
        flow::{Ask, Called, Event, Field, MAX_STEPS, Question, Research, Section, State, Turn},
        server::results,
    },
};
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// While a line is being written, preliminary outputs come at most this often.
const PRELIMINARY: Duration = Duration::from_millis(250);
/// The id of the summary's text.
const SUMMARY: &str = "summary";

/// What has been told of a conversation.
pub struct UiStream {
    run: Uuid,
    /// Is a step open, and does it hold more than words?
    step: Option<bool>,
    /// The text that is open, by its id, and what was told of it.
    text: Option<(String, String)>,
    /// Sections that have begun and were not told yet: the turn that called them follows them.
    begun: Vec<Card>,
    /// Sections that were told and have no result yet.
    cards: Vec<Card>,
    /// The question that was told and has no answer yet.
    question: Option<(u32, Field)>,
}

/// A section under way.
struct Card {
    section: Section,
    call: ToolCall,
    input: Value,
    /// What its calls have written, by their steps.
    written: Vec<(i64, String)>,
    /// The lines that were told last, and when.
    told: Option<(usize, Instant)>,
}

impl UiStream {
    /// From that state on: sections that are under way in it are told as well.
    pub fn new(run: Uuid, state: &State) -> Self {
        let begun = state.under_way().into_iter().map(|study| Card::new(run, state, study.section)).collect();
        UiStream { run, step: None, text: None, begun, cards: vec![], question: None }
    }
}

impl Telling<Research> for UiStream {
    fn hear(&mut self, run: &Run<Research>, event: &Event) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        match event {
            Event::ResearchBegan { section } => self.begun.push(Card::new(self.run, &run.state, *section)),
            Event::Turned(turn) => self.write_turn(turn, &mut chunks),
            _ => self.write_begun(|_| true, &mut chunks),
        }
        match event {
            Event::Found { told, .. } => {
                let found = run.state.study(told.section).result.as_ref();
                let output = found.map(|found| results::complete(found, &run.progress));
                chunks.extend(output.and_then(|output| Some(self.closed(told.section)?.output(output))));
            }
            Event::ResearchFailed { section, error } => {
                chunks.extend(self.closed(*section).map(|call| call.output(results::failed(*section, error))));
            }
            Event::Summarised { text } => {
                self.write_text(SUMMARY, text, &mut chunks);
                self.close_text(&mut chunks);
            }
            _ => {}
        }
        chunks.extend(self.answered(&run.state));
        chunks
    }

    fn tell(&mut self, follower: &Follower<Research>, now: Instant) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        self.write_begun(|_| true, &mut chunks);
        self.write_open(follower, now, &mut chunks);
        self.write_end(&follower.run, &mut chunks);
        chunks
    }
}

impl UiStream {
    fn open_step(&mut self, chunks: &mut Vec<Chunk>) {
        self.close_text(chunks);
        if self.step.replace(false).is_some() {
            chunks.push(Chunk::FinishStep);
        }
        chunks.push(Chunk::StartStep);
    }

    /// What there is of a text, in a step of its own. What is said again in other words is told in a further step.
    fn write_text(&mut self, id: &str, text: &str, chunks: &mut Vec<Chunk>) {
        let told = self.text.as_ref().filter(|(open, _)| open == id).map(|(_, told)| told.as_str());
        if told.is_some_and(|told| told.starts_with(text)) || text.is_empty() {
            return;
        }
        let more = told.and_then(|told| text.strip_prefix(told)).map(str::to_owned);
        if more.is_none() {
            self.open_step(chunks);
            chunks.push(Chunk::TextStart { id: id.to_owned() });
        }
        chunks.push(Chunk::TextDelta { id: id.to_owned(), delta: more.unwrap_or_else(|| text.to_owned()) });
        self.text = Some((id.to_owned(), text.to_owned()));
    }

    fn close_text(&mut self, chunks: &mut Vec<Chunk>) {
        chunks.extend(self.text.take().map(|(id, _)| Chunk::TextEnd { id }));
    }

    /// The words, the research that was called, then the question.
    fn write_turn(&mut self, turn: &Turn, chunks: &mut Vec<Chunk>) {
        let called = |section: Section| turn.calls.iter().any(|call| call.called == Called::Research(section));
        self.write_begun(|section| !called(section), chunks);
        let words = spoken(turn);
        if words.is_empty() && turn.question().is_none() && self.begun.is_empty() {
            // What the interviewer got wrong is nothing a client could use.
            return;
        }
        match words {
            "" => self.open_step(chunks),
            words => self.write_text(&turn_id(turn.number), words, chunks),
        }
        self.close_text(chunks);
        self.write_begun(called, chunks);
        if let Some(question) = turn.question() {
            self.step = Some(true);
            self.question = Some((turn.number, question.field));
            chunks.extend(ask(self.run, turn.number).opened(question_input(question)));
        }
    }

    /// A section belongs to the step it was called in, or to the one that stands when it begins by itself: then the step
    /// that a client waits in remains the one with the question.
    fn write_begun(&mut self, which: impl Fn(Section) -> bool, chunks: &mut Vec<Chunk>) {
        for card in self.begun.extract_if(.., |card| which(card.section)) {
            if self.step.is_none() {
                chunks.push(Chunk::StartStep);
            }
            self.step = Some(true);
            chunks.extend(card.call.opened(card.input.clone()));
            self.cards.push(card);
        }
    }

    /// The call of a section that was told, which has its result now.
    fn closed(&mut self, section: Section) -> Option<ToolCall> {
        let at = self.cards.iter().position(|card| card.section == section)?;
        Some(self.cards.remove(at).call)
    }

    /// A question that was answered elsewhere meanwhile.
    fn answered(&mut self, state: &State) -> Option<Chunk> {
        let (turn, field) = self.question.take_if(|(turn, _)| state.asked != Some(*turn))?;
        let words = state.answer(field).or_else(|| state.message(state.messages.checked_sub(1)?));
        Some(ask(self.run, turn).output(json!(words.unwrap_or_default())))
    }

    /// What is being written: words that stand for certain, and what sections are at.
    fn write_open(&mut self, follower: &Follower<Research>, now: Instant, chunks: &mut Vec<Chunk>) {
        for Partial { message, text } in &follower.texts {
            let step = follower.run.progress.open.iter().find(|step| step.seq == *message);
            match step.and_then(|step| serde_json::from_value(step.ask.clone()).ok()) {
                Some(Ask::Interview { turn }) => self.write_text(&turn_id(turn), whole_paragraphs(text), chunks),
                Some(Ask::Summary { .. }) => self.write_text(SUMMARY, text, chunks),
                Some(ask) => {
                    let card = self.cards.iter_mut().find(|card| Some(card.section) == section(&ask));
                    chunks.extend(card.and_then(|card| card.write(&follower.run, *message, text, now)));
                }
                None => {}
            }
        }
    }

    /// Ends the message when nothing goes on any more: with the question that is open, or in words.
    fn write_end(&mut self, run: &Run<Research>, chunks: &mut Vec<Chunk>) {
        if run.status() == Status::Running {
            return;
        }
        self.close_text(chunks);
        let broken = run.progress.halt.as_ref().map(|halt| halt.why.clone()).or_else(|| run.state.failure.clone());
        if let Some(why) = &broken {
            chunks.extend(self.cards.drain(..).map(|card| card.call.failed(why.clone())));
            if run.status() != Status::Stopped {
                return chunks.push(Chunk::Error { error_text: why.clone() });
            }
        }
        let finish_reason = if self.question.is_some() && broken.is_none() { FinishReason::ToolCalls } else { FinishReason::Stop };
        let closes = broken.is_some() || run.state.at_step_limit() || self.step != Some(false);
        if finish_reason == FinishReason::Stop && closes {
            self.open_step(chunks);
            chunks.extend(Chunk::text("end", broken.unwrap_or_else(|| closing(run))));
        }
        chunks.extend([Chunk::FinishStep, Chunk::Finish { finish_reason, message_metadata: standing(run) }]);
    }
}

impl Card {
    /// Of the attempt that goes on, with what it goes by.
    fn new(run: Uuid, state: &State, section: Section) -> Self {
        let study = state.study(section);
        let known = study.work.iter().flat_map(|work| &work.brief.known);
        let context: Map<String, Value> = known.map(|known| (known.field.slug().to_owned(), json!(known.value))).collect();
        let id = format!("{run}-{}-{}", section.slug(), study.attempts);
        let call = ToolCall { id, name: RUN_RESEARCH, provider_executed: true };
        Card { section, call, input: json!({ "section": section, "context": context }), written: vec![], told: None }
    }

    /// What that step has written so far. A new line is told at once, one that grows now and then.
    fn write(&mut self, run: &Run<Research>, step: i64, text: &str, now: Instant) -> Option<Chunk> {
        match self.written.iter_mut().find(|(written, _)| *written == step) {
            Some((_, earlier)) if earlier == text => return None,
            Some((_, earlier)) => text.clone_into(earlier),
            None => self.written.push((step, text.to_owned())),
        }
        let lines: Vec<&str> = self.written.iter().flat_map(|(_, text)| text.lines()).filter(|line| !line.trim().is_empty()).collect();
        let same = self.told.is_some_and(|(told, at)| told == lines.len() && now.duration_since(at) < PRELIMINARY);
        if same || lines.is_empty() {
            return None;
        }
        self.told = Some((lines.len(), now));
        let mut result = results::result(&run.state, &run.progress, self.section)?;
        result["steps"] = json!(lines);
        Some(self.call.preliminary(result))
    }
}

fn ask(run: Uuid, turn: u32) -> ToolCall {
    ToolCall { id: ask_id(run, turn), name: ASK_USER, provider_executed: false }
}

/// The section that a call is made for.
fn section(ask: &Ask) -> Option<Section> {
    match *ask {
        Ask::Gather { section, .. } | Ask::Synthesise { section, .. } | Ask::Repair { section, .. } => Some(section),
        Ask::Extract { .. } | Ask::Interview { .. } | Ask::Summary { .. } => None,
    }
}

fn turn_id(turn: u32) -> String {
    format!("turn-{turn}")
}

/// Of a turn that is being written. Its last paragraph may be the question, which is told as a call.
fn whole_paragraphs(text: &str) -> &str {
    text.rfind("\n\n").map_or("", |end| text[..end].trim_end())
}

fn question_input(question: &Question) -> Value {
    let mut input = json!({
        "question": question.question, "field": question.field, "multi": question.multi, "allowOther": question.allow_other,
    });
    if !question.options.is_empty() {
        input["options"] = json!(question.options);
    }
    input
}

/// What was said besides the question, which the call holds.
fn spoken(turn: &Turn) -> &str {
    let question = turn.question().map_or("", |question| question.question.as_str());
    turn.words.strip_suffix(question).unwrap_or(&turn.words).trim_end()
}

/// Why nothing more comes where nobody is asked anything.
fn closing(run: &Run<Research>) -> String {
    let state = &run.state;
    let failed: Vec<String> = state
        .studies
        .iter()
        .filter_map(|study| Some(format!("{} could not be researched. {}", study.section.name(), study.error.as_ref()?)))
        .collect();
    match () {
        () if state.at_step_limit() => format!("I have taken {MAX_STEPS} steps without hearing from you. Write something, and I go on."),
        () if !failed.is_empty() => failed.join("\n\n"),
        () if Research::status(state) == Status::Done => "The research is complete.".to_owned(),
        () => "That is all for now. Write when you want to go on.".to_owned(),
    }
}
