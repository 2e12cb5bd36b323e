//! A message's line: its words as they stand in the log, or the step that is still writing them.

use crate::{
    engine::{
        entry::{REHEARSAL, Usage},
        follow::Texts,
        progress::{Halted, Progress},
    },
    ui::{Meta, Speech},
};
use leptos::prelude::*;
use serde_json::Value;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    text: String,
    /// The step that is writing it.
    step: Option<i64>,
    mark: &'static str,
    meta: String,
}

impl Line {
    /// What was said in answer to that ask; `mark` is a word about its end, mostly empty.
    pub fn said(progress: &Progress, ask: &Value, text: &str, mark: &'static str) -> Self {
        let call = progress.calls.iter().rev().find(|call| call.ask == *ask);
        Line { text: text.to_owned(), step: None, mark, meta: call.map(|call| measured(call).sentence()).unwrap_or_default() }
    }

    /// What is being written in answer to it, or was when the run was halted.
    pub fn unsaid(progress: &Progress, ask: &Value) -> Self {
        match halted(progress, ask) {
            Some(halted) => Line { text: halted.text.clone(), mark: "stopped", ..Line::default() },
            None => Line { step: progress.step(ask).map(|step| step.seq), ..Line::default() },
        }
    }

    /// Is something being written in answer to it, or was it when the run was halted?
    pub fn is_begun(progress: &Progress, ask: &Value) -> bool {
        progress.step(ask).is_some() || halted(progress, ask).is_some_and(|halted| !halted.text.is_empty())
    }

    /// As a bubble shows it; `texts` are those being written.
    pub fn speech(line: Memo<Line>, texts: RwSignal<Texts>) -> Speech {
        let written = move |step: i64| texts.with(|texts| texts.iter().find(|open| open.message == step).map(|open| open.text.clone()));
        Speech {
            text: Signal::derive(move || {
                line.with(|line| line.step.map_or_else(|| line.text.clone(), |step| written(step).unwrap_or_default()))
            }),
            writing: Signal::derive(move || line.with(|line| line.step.is_some())),
            meta: Signal::derive(move || line.with(|line| line.meta.clone())),
            mark: Signal::derive(move || line.with(|line| line.mark.to_owned())),
        }
    }
}

fn halted<'a>(progress: &'a Progress, ask: &Value) -> Option<&'a Halted> {
    progress.halt.as_ref()?.partial.iter().find(|partial| partial.ask == *ask)
}

fn measured(call: &Usage) -> Meta {
    Meta {
        model: call.model.clone(),
        first_ms: call.first_ms,
        ms: call.ms,
        tokens: call.input_tokens.zip(call.output_tokens),
        cost_micros: call.cost_micros,
        rehearsal: call.model == REHEARSAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::entry::Partial, runs::watch::tests::progress};
    use serde_json::json;

    #[test]
    fn a_line_is_written_then_cut_off_or_said() {
        let (ask, other) = (json!({ "assistant": { "step": 0 } }), json!({ "customer": { "step": 1 } }));
        let started = json!({ "step_started": { "ask": ask, "model": "rehearsal" } });
        let open = progress(std::slice::from_ref(&started));
        assert!(Line::is_begun(&open, &ask) && !Line::is_begun(&open, &other));
        assert_eq!(Line::unsaid(&open, &ask), Line { step: Some(2), ..Line::default() });

        let cut = |text: &str| {
            progress(&[started.clone(), json!({ "stopped": { "partial": [{ "message": 2, "text": text }], "why": "By you." } })])
        };
        assert!(Line::is_begun(&cut("The first"), &ask) && !Line::is_begun(&cut(""), &ask));
        assert_eq!(Line::unsaid(&cut("The first"), &ask), Line { text: "The first".to_owned(), mark: "stopped", ..Line::default() });

        let call = |ms| Usage { ask: ask.clone(), model: REHEARSAL.to_owned(), ms, ..Usage::default() };
        let called = Progress { calls: vec![call(1_000), call(2_300)], ..Progress::default() };
        let said = Line::said(&called, &ask, "All of it.", "cut");
        assert_eq!((said.text.as_str(), said.step, said.mark, said.meta.as_str()), ("All of it.", None, "cut", "rehearsal · 2.3 s"));
        assert_eq!(Line::said(&called, &other, "x", "").meta, "");
    }

    #[test]
    fn a_bubble_shows_the_text_of_its_own_step() {
        let owner = Owner::new();
        owner.set();
        let texts = RwSignal::new(vec![Partial { message: 3, text: "not this".to_owned() }]);
        let now = RwSignal::new(Line { step: Some(7), ..Line::default() });
        let speech = Line::speech(Memo::new(move |_| now.get()), texts);
        let check =
            |text: &str, writing| assert_eq!((speech.text.get_untracked().as_str(), speech.writing.get_untracked()), (text, writing));
        check("", true);
        texts.update(|texts| texts.push(Partial { message: 7, text: "so far".to_owned() }));
        check("so far", true);
        now.set(Line { text: "so far, so good".to_owned(), ..Line::default() });
        check("so far, so good", false);
    }
}
