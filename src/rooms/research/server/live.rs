//! What people see of an answer while it comes: an interviewer's words and question, and what a researcher is doing.

use super::tools::ASK_USER;
use crate::models::{ModelEvent, so_far};

/// Characters of a search that are shown.
const QUERY_CHARS: usize = 80;

/// A turn as it is written: the words, then the question, as the log will have them.
#[derive(Default)]
pub struct Spoken {
    text: String,
    /// The first question's place among the calls, and its arguments so far.
    asking: Option<(usize, String)>,
    shown: String,
}

impl Spoken {
    /// What is to be added to what is shown.
    pub fn more(&mut self, event: &ModelEvent) -> Option<String> {
        match event {
            // Words behind the question stand before it in the end.
            ModelEvent::Text(text) if self.asking.is_none() => self.text.push_str(text),
            ModelEvent::Arguments { call, tool, piece } if tool == ASK_USER => {
                let (first, arguments) = self.asking.get_or_insert((*call, String::new()));
                if first != call {
                    return None;
                }
                arguments.push_str(piece);
            }
            _ => return None,
        }
        let words = self.words();
        let new = words.strip_prefix(&self.shown).filter(|new| !new.is_empty())?.to_owned();
        self.shown = words;
        Some(new)
    }

    fn words(&self) -> String {
        let (text, question) = (self.text.trim(), self.asking.as_ref().map(|(_, arguments)| so_far(arguments, "question")));
        match question.as_deref().map(str::trim) {
            // Some models say the question and ask it as well.
            None | Some("") => text.to_owned(),
            Some(question) if text.contains(question) => text.to_owned(),
            Some(question) if text.is_empty() => question.to_owned(),
            Some(question) => format!("{text}\n\n{question}"),
        }
    }
}

/// What a researcher is doing, one line for each step; the last line is what is done now.
#[derive(Default)]
pub struct Steps {
    last: String,
}

impl Steps {
    pub fn more(&mut self, event: &ModelEvent) -> Option<String> {
        let now = match event {
            ModelEvent::Searching(queries) => searching(queries)?,
            ModelEvent::Reading(1) => "Reading 1 source".to_owned(),
            ModelEvent::Reading(sources) => format!("Reading {sources} sources"),
            ModelEvent::Text(_) => "Writing".to_owned(),
            _ => return None,
        };
        if now == self.last {
            return None;
        }
        let line = if self.last.is_empty() { now.clone() } else { format!("\n{now}") };
        self.last = now;
        Some(line)
    }
}

fn searching(queries: &[String]) -> Option<String> {
    let query = queries.first()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let more = if queries.len() > 1 { format!(" and {} more", queries.len() - 1) } else { String::new() };
    let query: String = query.chars().take(QUERY_CHARS).collect();
    (!query.is_empty()).then(|| format!("Searching “{query}”{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> ModelEvent {
        ModelEvent::Text(text.to_owned())
    }

    fn asks(call: usize, piece: &str) -> ModelEvent {
        ModelEvent::Arguments { call, tool: ASK_USER.to_owned(), piece: piece.to_owned() }
    }

    fn check(events: &[ModelEvent], expect: &str) {
        let mut spoken = Spoken::default();
        let shown: String = events.iter().filter_map(|event| spoken.more(event)).collect();
        assert_eq!(shown, expect, "{events:?}");
    }

    #[test]
    fn words_and_question_are_shown_as_the_log_will_have_them() {
        let research = ModelEvent::Arguments { call: 0, tool: "runResearch".into(), piece: r#"{"question":"no"}"#.into() };
        let question = [asks(1, r#"{"question":"Who "#), asks(1, r#"buys it?","field":"icpDescription"}"#)];
        let with = |before: &[ModelEvent]| [before, &question].concat();
        check(&with(&[]), "Who buys it?");
        check(&with(&[text(" Thank "), text("you. \n"), research]), "Thank you.\n\nWho buys it?");
        check(&[with(&[]), vec![asks(2, r#"{"question":"And why?"}"#), text("Hm.")]].concat(), "Who buys it?");
        // Said and asked as well.
        check(&with(&[text("So: Who buys it?")]), "So: Who buys it?");
        check(&[text(""), text("  ")], "");
    }

    #[test]
    fn steps_are_lines_of_their_own_and_none_comes_twice() {
        let mut steps = Steps::default();
        let search = |queries: &[&str]| ModelEvent::Searching(queries.iter().map(|query| (*query).to_owned()).collect());
        let events = [
            ModelEvent::Thinking,
            search(&[]),
            search(&["card\nreaders uk"]),
            search(&["a", "b", "c"]),
            ModelEvent::Reading(1),
            ModelEvent::Reading(6),
            text("It "),
            text("is"),
        ];
        let shown: String = events.iter().filter_map(|event| steps.more(event)).collect();
        assert_eq!(shown, "Searching “card readers uk”\nSearching “a” and 2 more\nReading 1 source\nReading 6 sources\nWriting");
    }
}
