//! The debate for people who read it elsewhere: the motion, what was said phase by phase, and the summary on its grounds.

use crate::{
    engine::{entry::Run, server::Passage},
    rooms::debate::flow::{Debate, DebateMessage, State, sentences::sentences},
};

pub fn transcript(run: &Run<Debate>) -> Vec<Passage> {
    let state = &run.state;
    let mut passages = vec![Passage::Part("Motion".to_owned()), said("Motion", &state.debate.topic, None)];
    let mut part = None;
    for (number, message) in (1..).zip(&state.debate.messages) {
        let now = (message.phase, message.round_index);
        if part.replace(now) != Some(now) {
            passages.push(Passage::Part(heading(message)));
        }
        passages.push(said(&message.author_name, &message.content, state.shortened.contains(&number).then_some("shortened")));
    }
    if !state.debate.summary.is_empty() {
        passages.push(Passage::Findings { of: "What the summary rests on".to_owned(), items: grounds(state) });
    }
    let halted = run.progress.halt.iter().flat_map(|halt| &halt.partial).filter(|halted| !halted.text.trim().is_empty());
    let who = state.debate.due().map_or("", |persona| &persona.name);
    passages.extend(halted.map(|halted| said(who, &halted.text, Some("stopped"))));
    passages
}

fn heading(message: &DebateMessage) -> String {
    match message.round_index {
        0 => message.phase.name().to_owned(),
        round => format!("{}, round {round}", message.phase.name()),
    }
}

fn said(who: &str, text: &str, mark: Option<&str>) -> Passage {
    Passage::Said { who: who.to_owned(), text: text.to_owned(), markdown: false, mark: mark.map(str::to_owned) }
}

/// Each sentence of the summary, with the messages that it names.
fn grounds(state: &State) -> Vec<String> {
    let ground = |(i, sentence): (usize, &str)| match state.support.get(i).map(Vec::as_slice) {
        None | Some([]) => format!("{sentence} (names no message)"),
        Some(messages) => {
            let by = |number: &u32| {
                let message = state.debate.messages.get(*number as usize - 1)?;
                Some(format!("{} in {}", message.author_name, heading(message)))
            };
            format!("{sentence} ({})", messages.iter().filter_map(by).collect::<Vec<_>>().join("; "))
        }
    };
    sentences(&state.debate.summary).into_iter().enumerate().map(ground).collect()
}
