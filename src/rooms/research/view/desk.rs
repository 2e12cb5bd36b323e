//! The desk beside a conversation: how far it has come, and the five sections with what each of them waits for.

use super::{
    deeds::Forms,
    text,
    thread::Page,
    words::{Standing, done, note},
};
use crate::{
    engine::{entry::Run, flow::Status, follow::Texts},
    rooms::research::{
        api::Deed,
        flow::{self, Field, Research, Section, State},
    },
    ui::{Glyph, escaped},
};
use leptos::{ev::SubmitEvent, prelude::*};

const SMALL: [&str; 9] = ["None", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight"];

/// How far it has come, in a sentence, and section by section.
#[component]
pub fn Sections(page: Page) -> impl IntoView {
    let shown = page.shown;
    let lede = text(move || shown.run.with(lede));
    let list = text(move || {
        let address = page.address.get_value();
        shown.run.with(|run| shown.texts.with(|texts| list(run, texts, &address)))
    });
    let ways = text(move || {
        let forms = page.forms();
        shown.run.with(|run| page.report.with_value(|report| ways(&run.state, report, &forms)))
    });
    let submit = move |event: SubmitEvent| {
        if let Some(deeds) = page.deeds {
            deeds.submit(deeds.desk, event);
        }
    };
    view! {
        <p class="lede">{lede}</p>
        <div inner_html=list></div>
        <div class="row ways" on:submit=submit inner_html=ways></div>
    }
}

/// “Six of eight answers, three of five sections.”
fn lede(run: &Run<Research>) -> String {
    let state = &run.state;
    let (answers, sections) = done(state);
    let word = |number: u32| SMALL[number as usize % SMALL.len()];
    let rest = match () {
        () if run.status() == Status::Running && state.studies.iter().any(|study| study.work.is_some()) => {
            " Research goes on while you talk."
        }
        () if !state.stale().is_empty() => " Some of it is out of date.",
        () if state.is_summarised() => " The report holds all of it.",
        () => "",
    };
    let sections = word(sections);
    let (first, others) = sections.split_at(1);
    format!("{} of eight answers, {}{others} of five sections.{rest}", word(answers), first.to_ascii_lowercase())
}

fn list(run: &Run<Research>, texts: &Texts, address: &str) -> String {
    let items = Section::ALL.map(|section| item(run, texts, section, address)).concat();
    format!("<ol class=\"graph\" aria-label=\"Sections\">{items}</ol>")
}

fn item(run: &Run<Research>, texts: &Texts, section: Section, address: &str) -> String {
    let (standing, note, name) = (Standing::of(run, section), escaped(&note(run, texts, section)), section.name());
    let class = match standing {
        Standing::Complete => "done",
        Standing::Working => "now",
        Standing::Stale => "stale",
        Standing::Failed => "failed",
        _ => "ahead",
    };
    let dot = match standing {
        Standing::Complete => Glyph::Check.svg(14),
        Standing::Failed => Glyph::Close.svg(14),
        _ => (section as u32 + 1).to_string(),
    };
    let has_card = run.state.thread.contains(&flow::Item::Card { section });
    let name =
        if has_card { format!("<a rel=\"external\" href=\"{address}#card-{}\">{name}</a>", section.slug()) } else { name.to_owned() };
    format!(
        "<li class=\"{class}\"><span class=\"dot icon\" aria-hidden=\"true\">{dot}</span><b>{name}</b><span class=\"meta\">{note}</span></li>"
    )
}

/// What can be done with all of it: run what is stale again, and read what was found.
fn ways(state: &State, report: &str, forms: &Forms) -> String {
    let again = again(state).map(|word| forms.form(Deed::Refresh, "", &format!("<button class=\"btn\">{word}</button>")));
    let (class, word) = if state.is_complete() { ("btn primary", "Report") } else { ("btn", "Report so far") };
    let read = (done(state).1 > 0).then(|| format!("<a class=\"{class}\" rel=\"external\" href=\"{report}\">{word}</a>"));
    again.into_iter().chain(read).collect()
}

/// What runs all that is stale again.
fn again(state: &State) -> Option<String> {
    let idle = |section: &Section| state.study(*section).work.is_none() && !state.study(*section).due;
    match state.stale().into_iter().filter(idle).count() {
        0 => None,
        1 => Some("Run 1 section again".to_owned()),
        many => Some(format!("Run {many} sections again")),
    }
}

/// Of all that is to be answered and found, as the ring shows it.
pub const WHOLE: u32 = (Field::REQUIRED + Section::ALL.len()) as u32;

#[cfg(test)]
mod tests;
