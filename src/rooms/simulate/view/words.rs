//! What is said of a journey, in words.

use crate::{
    engine::{entry::Run, flow::Status},
    rooms::simulate::flow::{Ask, Simulate, State, Step},
    runs::watch::Words,
};

/// `writing`: is a text being written?
pub fn words(run: &Run<Simulate>, writing: bool) -> Words {
    let state = &run.state;
    Words { place: place(state), count: count(state), doing: doing(run, writing), end: end(run), said: said(state) }
}

fn place(state: &State) -> String {
    match state.phase() {
        Some(phase) => format!("{} · step {} of {}", phase.name(), state.steps_taken(), state.setup.max_steps),
        None => format!("all phases · {} steps", state.steps_taken()),
    }
}

fn count(state: &State) -> String {
    let (taken, most) = (state.steps_taken(), state.setup.max_steps);
    if state.is_complete() { format!("{taken} steps") } else { format!("Step {taken} of {most}") }
}

fn doing(run: &Run<Simulate>, writing: bool) -> String {
    match run.wants().first() {
        Some(Ask::Assistant { .. }) => "The assistant is answering…".to_owned(),
        _ => format!("{} is {}…", run.state.setup.name(), if writing { "writing" } else { "thinking" }),
    }
}

fn end(run: &Run<Simulate>) -> Option<(&'static str, String)> {
    let state = &run.state;
    match run.status() {
        Status::Done => Some(("good", format!("The journey is complete, in {} steps.", state.steps_taken()))),
        Status::Stopped if state.at_step_limit() => {
            Some(("wait", format!("Stopped at the limit of {} steps, before the journey was complete.", state.setup.max_steps)))
        }
        Status::Failed if run.progress.halt.is_none() => state.failure.clone().map(|why| ("bad", why)),
        _ => None,
    }
}

fn said(state: &State) -> Option<String> {
    match state.steps.last()? {
        Step::Asked { answer: Some(answer), .. } => Some(format!("Assistant: {}", answer.text)),
        Step::Asked { query, .. } => Some(format!("{}: {query}", state.setup.name())),
        Step::Completed { phase, .. } => Some(format!("{} complete", phase.name())),
        Step::Corrected { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{
            entry::{Entry, RunEvent},
            flow::Stamp,
        },
        rooms::simulate::flow::{Answer, Event},
    };
    use serde_json::json;

    /// What is said after the first question and these entries, of a journey of so many steps.
    fn after(steps: u32, entries: Vec<Entry<Event>>, writing: bool) -> Words {
        let setup = json!({ "icp": "Marta, a baker.", "query": "Which one?", "maxSteps": steps });
        let started = Entry::Run(RunEvent::Started { setup, model: String::new() });
        let log: Vec<_> = std::iter::once(started).chain(entries).map(|entry| json!(entry)).collect();
        words(&Run::fold((1..).zip(&log).map(|(seq, body)| (Stamp { seq, at: 0 }, body))).expect("a run"), writing)
    }

    fn answered() -> Entry<Event> {
        Entry::Room(Event::Answered { answer: Answer { text: "The **second** one.".into(), cut: false } })
    }

    #[test]
    fn it_is_said_who_is_at_it_and_what_was_said_last() {
        let asked = after(15, vec![], false);
        assert_eq!((asked.doing.as_str(), asked.said.as_deref()), ("The assistant is answering…", Some("Marta: Which one?")));
        assert_eq!((asked.place.as_str(), asked.count.as_str()), ("Discovery · step 1 of 15", "Step 1 of 15"));
        for (writing, doing) in [(false, "Marta is thinking…"), (true, "Marta is writing…")] {
            let words = after(15, vec![answered()], writing);
            assert_eq!((words.doing.as_str(), words.said.as_deref()), (doing, Some("Assistant: The **second** one.")));
        }
    }

    #[test]
    fn an_end_of_the_rooms_own_is_said_and_a_halt_is_not() {
        let gave_up = after(15, vec![Entry::Room(Event::GaveUp { why: "It went wrong five times.".into() })], false);
        assert_eq!(gave_up.end, Some(("bad", "It went wrong five times.".to_owned())));
        let limit = "Stopped at the limit of 1 steps, before the journey was complete.".to_owned();
        assert_eq!(after(1, vec![answered()], false).end, Some(("wait", limit)));
        let stopped = after(15, vec![Entry::Run(RunEvent::Stopped { partial: vec![], why: "Stopped by you.".into() })], false);
        assert_eq!(stopped.end, None);
    }
}
