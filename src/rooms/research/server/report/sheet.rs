//! What a report says, whatever it is written as.

use crate::engine::flow::read::Read;
use crate::{
    engine::{
        entry::{REHEARSAL, Run},
        flow::{Flow, Status},
        server::Reading,
    },
    rooms::research::{
        flow::{Field, Finding, Item, Research, Section, Setup, State, Study},
        server::results::Effort,
    },
    runs::server::{date, facts},
    store::RunRow,
};
use std::collections::BTreeSet;

pub struct Sheet {
    pub title: String,
    /// When the conversation began.
    pub date: String,
    /// What a reader should know before anything else.
    pub notes: Vec<String>,
    /// What is known of the business; `None` where it was not answered.
    pub known: Vec<(&'static str, Option<String>)>,
    /// Markdown.
    pub summary: Option<String>,
    /// One for each section, in their order.
    pub chapters: Vec<Chapter>,
    /// What is known of the run.
    pub facts: Vec<(String, String)>,
}

pub struct Chapter {
    pub section: Section,
    pub finding: Option<Finding>,
    /// When, by whom and at what cost it was found.
    pub facts: Vec<(&'static str, String)>,
    /// What a reader should know before.
    pub notes: Vec<String>,
}

impl Sheet {
    pub fn new(row: &RunRow, reading: &Reading, run: &Run<Research>) -> Self {
        let state = &run.state;
        let known = Field::ALL.into_iter().filter_map(|field| match state.answer(field) {
            Some("") if field.is_required() => Some((field.name(), None)),
            Some("") => None,
            Some(answer) => Some((field.name(), Some(answer.to_owned()))),
            None => field.is_required().then_some((field.name(), None)),
        });
        Sheet {
            title: title(row, state),
            date: date(row.created_at),
            notes: notes(reading, state),
            known: known.collect(),
            summary: summary(state),
            chapters: state.studies.iter().map(|study| Chapter::new(study, run)).collect(),
            facts: facts(row, reading),
        }
    }
}

/// The newest.
pub fn summary(state: &State) -> Option<String> {
    state.thread.iter().rev().find_map(|item| if let Item::Summary { text } = item { Some(text.clone()) } else { None })
}

/// The company's name stands for an opening that was cut short, but not for a name that somebody gave the run.
pub fn title(row: &RunRow, state: &State) -> String {
    let own = Setup::read(&row.setup).map(|setup| Research::title(&setup)).unwrap_or_default();
    match state.answer(Field::CompanyName).filter(|name| !name.is_empty()) {
        Some(company) if row.title == own => company.to_owned(),
        _ => row.title.clone(),
    }
}

fn notes(reading: &Reading, state: &State) -> Vec<String> {
    let progress = &reading.progress;
    let rehearsal = match (progress.only_rehearsal(), progress.rehearsal()) {
        (true, _) => Some("Rehearsal: scripted answers, no AI model. Nothing in this report was researched.".to_owned()),
        (_, true) => Some("Rehearsal: some of these answers are scripted. The sections concerned say so.".to_owned()),
        _ => None,
    };
    let missing = state.studies.iter().filter(|study| study.result.is_none()).count();
    let unanswered = state.missing().count();
    let goes_on = if reading.status == Status::Running { " The conversation goes on." } else { "" };
    let unfinished = match (missing, unanswered) {
        (0, 0) => None,
        (0, open) => Some(format!("Not finished: {} still open.{goes_on}", counted(open, "question is", "questions are"))),
        (missing, 0) => Some(format!("Not finished: {} still missing.{goes_on}", counted(missing, "section is", "sections are"))),
        (missing, open) => {
            let (missing, open) = (counted(missing, "section is", "sections are"), counted(open, "question is", "questions are"));
            Some(format!("Not finished: {missing} still missing, and {open} still open.{goes_on}"))
        }
    };
    let stale = state.stale().len();
    let stale = (stale > 0).then(|| format!("Answers have changed since {} researched.", counted(stale, "section was", "sections were")));
    let summary = state.summarised.is_some() && !state.is_summarised();
    let summary = summary.then(|| "The summary was written before the newest findings.".to_owned());
    [rehearsal, unfinished, stale, summary].into_iter().flatten().collect()
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

impl Chapter {
    fn new(study: &Study, run: &Run<Research>) -> Self {
        let effort = study.result.as_ref().map(|finding| Effort::of(finding, &run.progress)).unwrap_or_default();
        Chapter {
            section: study.section,
            facts: study.result.as_ref().map(|finding| came_about(finding, &effort)).unwrap_or_default(),
            notes: remarks(study, &run.state, &effort),
            finding: study.result.clone(),
        }
    }
}

fn came_about(finding: &Finding, effort: &Effort) -> Vec<(&'static str, String)> {
    let rehearsed = effort.is_rehearsed();
    let cost = (!rehearsed).then(|| effort.cost.words().unwrap_or_else(|| "unknown".to_owned()));
    let facts = match finding.is_imported() {
        true => vec![("Researched", Some("elsewhere, and brought along".to_owned()))],
        false => vec![
            ("Researched", Some(date(finding.at))),
            ("Took", finding.ms.map(duration)),
            ("Models", Some(effort.models.join(", ")).filter(|models| !models.is_empty())),
            ("Cost", cost),
        ],
    };
    let sources = ("Sources", Some(finding.sources.len().to_string()));
    facts.into_iter().chain([sources]).filter_map(|(name, value)| Some((name, value?))).collect()
}

fn remarks(study: &Study, state: &State, effort: &Effort) -> Vec<String> {
    let (section, found, stale) = (study.section, study.result.is_some(), state.is_stale(study.section));
    let rehearsed = effort.is_rehearsed().then(|| "Rehearsal: scripted, and nothing was looked up.".to_owned());
    let stale = stale.then(|| format!("Out of date: {} since this was found.", changed(section, state)));
    let standing = match (&study.work, &study.error) {
        (Some(_), _) if found => Some("It is being researched again.".to_owned()),
        (Some(_), _) => Some("It is being researched.".to_owned()),
        (None, Some(error)) if found => Some(format!("The last attempt came to nothing: {error}")),
        (None, Some(error)) => Some(format!("It came to nothing: {error}")),
        (None, None) if found => None,
        (None, None) => Some(waits_for(section, state)),
    };
    [rehearsed, stale, standing].into_iter().flatten().collect()
}

/// What a result that is out of date went by and is not so any more.
fn changed(section: Section, state: &State) -> String {
    let Some(found) = &state.study(section).result else { return String::new() };
    let is_other =
        |field: &Field| found.brief.known.iter().any(|known| known.field == *field && state.answer(*field) != Some(&known.value));
    let fields: BTreeSet<Field> = section.uses().filter(is_other).collect();
    let names: Vec<&str> = fields.iter().map(|field| field.name()).collect();
    match names.len() {
        0 => "what it builds on has changed".to_owned(),
        1 => format!("{} has changed", names[0]),
        _ => format!("{} have changed", listed(&names)),
    }
}

fn waits_for(section: Section, state: &State) -> String {
    let fields = section.needs().iter().filter(|field| state.answer(**field).is_none()).map(|field| field.name());
    let results = section.builds_on().iter().filter(|on| !state.is_fresh(**on)).map(|on| on.name());
    let names: Vec<&str> = fields.chain(results).collect();
    if names.is_empty() { "Not researched yet.".to_owned() } else { format!("Not researched yet. It waits for {}.", listed(&names)) }
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("“{name}”")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Milliseconds as people say them.
fn duration(ms: i64) -> String {
    let seconds = (ms + 500) / 1000;
    if seconds < 60 { format!("{seconds} s") } else { format!("{} min {} s", seconds / 60, seconds % 60) }
}

impl Effort {
    /// Did nobody but the rehearsal model speak?
    fn is_rehearsed(&self) -> bool {
        !self.models.is_empty() && self.models.iter().all(|model| model == REHEARSAL)
    }
}
