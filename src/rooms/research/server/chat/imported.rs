//! What a conversation that was posted whole amounts to: what was said, which fields were answered, what the caller says was
//! found, and the words that nobody has read yet. Pure.

use super::{
    ASK_USER,
    answer::{Answer, Asked},
    claims::extract_research_results,
};
use crate::{
    engine::flow::words::one_line,
    http::chat::{Message, Part},
    rooms::research::flow::{Imported, Known, MESSAGE_CHARS, Posting, Quoted, Setup, field::FIELD_CHARS},
};

/// Characters of the conversation that are quoted, the latest ones.
const QUOTED_CHARS: usize = 40_000;
/// Between messages that are read as one.
pub const PARAGRAPH: &str = "\n\n";

/// What a run that takes the conversation up is started with.
pub fn begun(messages: &[Message]) -> Setup {
    let mut pieces: Vec<Piece> = messages.iter().flat_map(pieces).collect();
    let mut unread = unread(&mut pieces);
    let opening = unread.pop().unwrap_or_default();
    let mut reader = Reader::default();
    pieces.into_iter().for_each(|piece| reader.read(piece));
    let Reader { mut said, known, open } = reader;
    let asked = open.map(|asked| asked.field).filter(|_| !opening.is_empty());
    let waiting = unread.len();
    said.extend(unread.into_iter().map(|text| Quoted { person: true, text: text.chars().take(MESSAGE_CHARS).collect() }));
    let said = latest(said);
    let unread = waiting.min(said.len()) as u32;
    let imported = Imported { said, known, results: extract_research_results(messages), asked, unread };
    Setup { opening, imported, posted: messages.last().and_then(posted) }
}

/// How the client knows its last message, and that it goes on where it is an assistant's.
fn posted(last: &Message) -> Option<Posting> {
    let id = last.id.clone()?;
    Some(Posting { message: last.is_assistants().then(|| id.clone()), id })
}

fn latest(mut said: Vec<Quoted>) -> Vec<Quoted> {
    let mut chars = 0;
    let fits = |quoted: &&Quoted| {
        chars += quoted.text.chars().count();
        chars <= QUOTED_CHARS
    };
    let kept = said.iter().rev().take_while(fits).count();
    said.split_off(said.len() - kept)
}

enum Piece {
    Said(String),
    Spoken(String),
    Asked(Asked, Option<Answer>),
}

fn pieces(message: &Message) -> Vec<Piece> {
    let piece = |part: &Part| match part {
        Part::Text(text) if text.trim().is_empty() => None,
        Part::Text(text) if message.is_assistants() => Some(Piece::Spoken(text.trim().to_owned())),
        Part::Tool(call) if message.is_assistants() && call.name == ASK_USER => {
            let asked = Asked::read(&call.input)?;
            let answer = Answer::of(&call.state, &asked.options);
            Some(Piece::Asked(asked, answer))
        }
        _ => None,
    };
    match message.said() {
        Some(text) => vec![Piece::Said(text.trim().to_owned())],
        None => message.parts.iter().filter_map(piece).collect(),
    }
}

/// Takes out the words at the end that nobody has answered, or the answer in words that stands there.
fn unread(pieces: &mut Vec<Piece>) -> Vec<String> {
    if let Some(Piece::Asked(_, answer)) = pieces.last_mut()
        && let Some(Answer::Words(words)) = answer.take_if(|answer| matches!(answer, Answer::Words(_)))
    {
        return vec![words];
    }
    let unanswered = pieces.iter().rev().take_while(|piece| matches!(piece, Piece::Said(_))).count();
    let words = pieces.split_off(pieces.len() - unanswered).into_iter().filter_map(|piece| match piece {
        Piece::Said(text) => Some(text),
        Piece::Spoken(_) | Piece::Asked(..) => None,
    });
    words.fold(vec![], joined)
}

/// One more text, in one message with the last as long as that is not too long for one.
fn joined(mut messages: Vec<String>, text: String) -> Vec<String> {
    let chars = |text: &str| text.chars().count();
    match messages.last_mut() {
        Some(last) if chars(last) + chars(PARAGRAPH) + chars(&text) <= MESSAGE_CHARS => *last = [last, text.as_str()].join(PARAGRAPH),
        _ => messages.push(text),
    }
    messages
}

#[derive(Default)]
struct Reader {
    said: Vec<Quoted>,
    known: Vec<Known>,
    /// A question that has no answer yet.
    open: Option<Asked>,
}

impl Reader {
    fn read(&mut self, piece: Piece) {
        match piece {
            Piece::Spoken(text) => self.quote(false, text),
            Piece::Said(text) => match self.open.take() {
                Some(asked) => {
                    let answer = Answer::read(std::slice::from_ref(&text), &asked.options);
                    self.answered(&asked, answer);
                }
                None => self.quote(true, text),
            },
            Piece::Asked(asked, answer) => {
                // What is asked again was not answered.
                self.known.retain(|known| known.field != asked.field);
                self.quote(false, asked.question.clone());
                match answer {
                    Some(answer) => self.answered(&asked, answer),
                    None => self.open = Some(asked),
                }
            }
        }
    }

    fn answered(&mut self, asked: &Asked, answer: Answer) {
        let (text, value) = match answer {
            Answer::Skipped => ("Skip".to_owned(), String::new()),
            Answer::Words(words) => (words.clone(), words),
            Answer::Chosen(places) => {
                let chosen = || places.iter().filter_map(|place| asked.options.get(*place as usize));
                let joined = |words: Vec<&str>| words.join(", ");
                (
                    joined(chosen().map(|choice| choice.label.as_str()).collect()),
                    joined(chosen().map(|choice| choice.value.as_str()).collect()),
                )
            }
        };
        self.quote(true, text);
        self.known.push(Known { field: asked.field, value: one_line(&value).chars().take(FIELD_CHARS).collect() });
    }

    /// What one of them says in several pieces is one.
    fn quote(&mut self, person: bool, text: String) {
        let text: String = text.chars().take(MESSAGE_CHARS).collect();
        match self.said.last_mut() {
            Some(last) if last.person == person => last.text = format!("{}\n\n{text}", last.text),
            _ if text.is_empty() => {}
            _ => self.said.push(Quoted { person, text }),
        }
    }
}
