//! What is said of a conversation and of its research, in words.

use crate::{
    engine::{
        entry::{Run, ask_json},
        flow::Status,
        follow::Texts,
    },
    rooms::research::flow::{Ask, Field, Item, MAX_STEPS, Research, SIDE_BY_SIDE, STOPPED, Section, Stage, State, Study},
    runs::watch::Words,
};

/// `writing`: is a text being written?
pub fn words(run: &Run<Research>, writing: bool) -> Words {
    let state = &run.state;
    Words { place: place(state), count: sections(state), doing: doing(run, writing), end: end(run), said: said(state) }
}

/// How many of the required fields are answered, and of the sections found.
pub fn done(state: &State) -> (u32, u32) {
    let found = state.studies.iter().filter(|study| study.result.is_some()).count();
    ((Field::REQUIRED - state.missing().count()) as u32, found as u32)
}

fn place(state: &State) -> String {
    format!("{} of {} answers · {}", done(state).0, Field::REQUIRED, sections(state))
}

fn sections(state: &State) -> String {
    format!("{} of {} sections", done(state).1, Section::ALL.len())
}

/// Is the interviewer at it, and not only the research?
pub fn is_speaking(run: &Run<Research>) -> bool {
    run.wants().iter().any(|ask| matches!(ask, Ask::Extract { .. } | Ask::Interview { .. } | Ask::Summary { .. }))
}

fn doing(run: &Run<Research>, writing: bool) -> String {
    match run.wants().first() {
        Some(Ask::Extract { .. }) => "The interviewer is reading…".to_owned(),
        Some(Ask::Interview { .. }) => format!("The interviewer is {}…", if writing { "writing" } else { "thinking" }),
        Some(Ask::Summary { .. }) => "The interviewer is summing up…".to_owned(),
        _ => "Research goes on.".to_owned(),
    }
}

fn end(run: &Run<Research>) -> Option<(&'static str, String)> {
    match run.status() {
        Status::Waiting if run.state.at_step_limit() => {
            Some(("wait", format!("The interviewer has taken {MAX_STEPS} steps without a word from you. Write something, and it goes on.")))
        }
        Status::Failed if run.progress.halt.is_none() => run.state.failure.clone().map(|why| ("bad", why)),
        _ => None,
    }
}

/// What was said last, behind what has been found since.
fn said(state: &State) -> Option<String> {
    let last = state.thread.iter().rev().find_map(|item| match item {
        Item::Turn(turn) if !turn.words.is_empty() => Some(format!("Interviewer: {}", turn.words)),
        // It is Markdown, and longer than anybody wants to hear unasked.
        Item::Summary { .. } => Some("It is summed up.".to_owned()),
        _ => None,
    })?;
    let found = state.fresh.last().map(|section| format!("{}: researched. ", section.name())).unwrap_or_default();
    Some(found + &last)
}

/// Where a section stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It lacks something.
    Ahead,
    /// It is wanted again, once what it builds on is there.
    Due,
    /// As many as may are researched already.
    Queued,
    Working,
    /// It was being researched when the run was halted.
    Halted,
    /// A person has stopped it: nothing went wrong.
    Stopped,
    Failed,
    Stale,
    Complete,
}

impl Standing {
    pub fn of(run: &Run<Research>, section: Section) -> Standing {
        let (state, study) = (&run.state, run.state.study(section));
        let is_now = |study: &&Study| study.section == section;
        match () {
            () if study.work.is_some() && run.status() != Status::Running => Standing::Halted,
            () if study.work.is_some() && !state.under_way().iter().take(SIDE_BY_SIDE).any(is_now) => Standing::Queued,
            () if study.work.is_some() => Standing::Working,
            () if study.due => Standing::Due,
            () if study.error.as_deref() == Some(STOPPED) => Standing::Stopped,
            () if study.error.is_some() => Standing::Failed,
            () if study.result.is_none() => Standing::Ahead,
            () if state.is_stale(section) => Standing::Stale,
            () => Standing::Complete,
        }
    }
}

/// What is done for a section, a line for each step so far; the last is what is done now.
pub fn steps(run: &Run<Research>, texts: &Texts, section: Section) -> Vec<String> {
    let study = run.state.study(section);
    let mut lines = study.work.as_ref().map(|work| stages(&work.stage)).unwrap_or_default();
    let Some(step) = study.ask().and_then(|ask| run.progress.step(&ask_json(&ask))) else { return lines };
    if let Some(backoff) = &step.backoff {
        lines.push(format!("Taking a moment… {}", backoff.why));
    } else if let Some(open) = texts.iter().find(|open| open.message == step.seq) {
        lines.extend(open.text.lines().map(str::to_owned));
    }
    lines
}

/// What was done before this stage, and the stage itself; of the first nothing but what is written in it.
fn stages(stage: &Stage) -> Vec<String> {
    let (read, now): (_, &[&str]) = match stage {
        Stage::Gather => return vec![],
        Stage::Synthesise { sources, .. } => (sources.len(), &["Putting it in order"]),
        Stage::Repair { sources, .. } => (sources.len(), &["Putting it in order", "Putting it right"]),
    };
    let read = format!("Read {read} {}", if read == 1 { "source" } else { "sources" });
    std::iter::once(read).chain(now.iter().map(|line| (*line).to_owned())).collect()
}

/// A section's standing, in few words.
pub fn note(run: &Run<Research>, texts: &Texts, section: Section) -> String {
    let study = run.state.study(section);
    match Standing::of(run, section) {
        Standing::Ahead => lacking("needs", &run.state, section),
        Standing::Due => lacking("waits for", &run.state, section),
        Standing::Queued => "queued".to_owned(),
        Standing::Working => steps(run, texts, section).pop().unwrap_or("beginning".to_owned()),
        Standing::Halted | Standing::Stopped => "stopped".to_owned(),
        Standing::Failed => "did not work out".to_owned(),
        Standing::Stale => "stale".to_owned(),
        Standing::Complete => {
            let took = study.result.as_ref().and_then(|found| found.ms).map_or("imported".to_owned(), duration);
            format!("{took} · {}", sources(study))
        }
    }
}

/// What a section needs and does not have, as “needs the price”.
fn lacking(needs: &str, state: &State, section: Section) -> String {
    let fields: Vec<&str> = section.needs().iter().filter(|field| state.answer(**field).is_none()).map(|field| wanted(*field)).collect();
    let on = section.builds_on();
    let results: Vec<&str> = on.iter().filter(|on| !state.is_fresh(**on)).map(|on| on.name()).collect();
    match (fields.as_slice(), results.as_slice()) {
        ([], []) => "begins soon".to_owned(),
        ([field], _) => format!("{needs} {field}"),
        ([_, ..], _) => format!("{needs} {} answers", fields.len()),
        ([], [result]) => format!("{needs} {result}"),
        ([], results) if results.len() == on.len() => format!("{needs} all four"),
        ([], results) => format!("{needs} {} more sections", results.len()),
    }
}

fn wanted(field: Field) -> &'static str {
    match field {
        Field::BusinessModel => "the business model",
        Field::Industry => "the industry",
        Field::IcpDescription => "the customer",
        Field::ProductDescription => "the product",
        Field::OfferPricing => "the price",
        Field::Competitors => "the competitors",
        Field::MonthlyBudget => "the budget",
        Field::GeographicFocus => "the region",
        field => field.name(),
    }
}

/// “11 sources”
pub fn sources(study: &Study) -> String {
    match study.result.as_ref().map_or(0, |found| found.sources.len()) {
        0 => "no sources".to_owned(),
        1 => "1 source".to_owned(),
        many => format!("{many} sources"),
    }
}

/// Milliseconds as people read them: “0.4 s”, “22 s”, “1 min 5 s”.
pub fn duration(ms: i64) -> String {
    match ms / 1_000 {
        0..10 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        seconds @ 10..60 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// What has changed since a section was found, in a sentence.
pub fn overtaken(state: &State, section: Section) -> Option<String> {
    let found = state.study(section).result.as_ref().filter(|_| state.is_stale(section))?;
    let changed: Vec<&str> = state.changed(&found.brief).map(Field::name).collect();
    Some(match changed.as_slice() {
        [] => "Found before what it builds on had changed.".to_owned(),
        changed => format!("Found before this was changed: {}.", changed.join(", ")),
    })
}

#[cfg(test)]
mod tests;
