//! A section's card in the thread: what is being done for it, what was found, or why nothing was. Written as HTML, in three parts, so
//! that a button stays the same button while the rest changes.

use super::{
    deeds::Forms,
    text,
    thread::Page,
    words::{Standing, duration, overtaken, sources, steps},
};
use crate::{
    engine::{entry::Run, follow::Texts},
    rooms::research::{
        api::Deed,
        flow::{Point, Research, Section, Study},
        reader::marks,
    },
    ui::{Glyph, escaped},
};
use leptos::{
    ev::{MouseEvent, SubmitEvent},
    prelude::*,
};

/// Steps of the work that are shown, the last of them now.
const STEPS: usize = 3;

#[component]
pub fn Card(page: Page, section: Section) -> impl IntoView {
    let shown = page.shown;
    let stale = Signal::derive(move || shown.run.with(|run| Standing::of(run, section) == Standing::Stale));
    let head = text(move || {
        let forms = page.forms();
        shown.run.with(|run| head(run, section, &forms))
    });
    let body =
        text(move || shown.run.with(|run| page.report.with_value(|report| shown.texts.with(|texts| body(run, texts, section, report)))));
    let foot = text(move || {
        let forms = page.forms();
        shown.run.with(|run| page.report.with_value(|report| foot(run, section, report, &forms)))
    });
    let submit = move |event: SubmitEvent| {
        if let Some(deeds) = page.deeds {
            deeds.submit(deeds.thread, event);
        }
    };
    let follow = move |event: MouseEvent| {
        if let Some(reading) = page.reading {
            reading.follow(&event);
        }
    };
    view! {
        <article id=format!("card-{}", section.slug()) class="card" class:stale=stale aria-label=format!("Research: {}", section.name()) on:submit=submit on:click=follow>
            <div class="card-head" inner_html=head></div>
            <div class="card-body" inner_html=body></div>
            <div class="card-foot" inner_html=foot></div>
        </article>
    }
}

fn head(run: &Run<Research>, section: Section, forms: &Forms) -> String {
    let (study, standing, name) = (run.state.study(section), Standing::of(run, section), section.name());
    let icon = |class: &str, glyph: Glyph| format!("<span class=\"{class} icon\" aria-hidden=\"true\">{}</span>", glyph.svg(14));
    let icon = match standing {
        Standing::Working => "<span class=\"pulse\" aria-hidden=\"true\"></span>".to_owned(),
        Standing::Failed => icon("bad", Glyph::Close),
        Standing::Stale | Standing::Complete => icon("ok", Glyph::Check),
        _ => icon("halted", Glyph::Pause),
    };
    let imported = study.result.as_ref().is_some_and(|found| found.is_imported());
    let tag = match standing {
        Standing::Stale => "<span class=\"tag stale\">Stale</span>",
        Standing::Complete if imported => "<span class=\"tag\">Imported</span>",
        _ => "",
    };
    let meta = match (standing, &study.result) {
        (Standing::Stale | Standing::Complete, Some(found)) => found.ms.map(duration).unwrap_or_default(),
        (Standing::Queued, _) => "queued".to_owned(),
        (Standing::Due, _) => "waiting".to_owned(),
        (Standing::Halted, _) => "stopped".to_owned(),
        _ => String::new(),
    };
    let stop = match standing {
        Standing::Working | Standing::Queued | Standing::Due => {
            let button = format!(
                "<button class=\"icon-button halt\" aria-label=\"Stop research: {name}\"><span class=\"icon\" aria-hidden=\"true\">{}</span></button>",
                Glyph::Stop.svg(18)
            );
            forms.form(Deed::Stop, section.slug(), &button)
        }
        _ => String::new(),
    };
    format!("{icon}<h2>{name}</h2>{tag}<span class=\"meta\">{meta}</span>{stop}")
}

fn body(run: &Run<Research>, texts: &Texts, section: Section, report: &str) -> String {
    let (study, sentence) = (run.state.study(section), |text: &str| format!("<p class=\"why\">{}</p>", escaped(text)));
    let now = match Standing::of(run, section) {
        Standing::Working => working(steps(run, texts, section)),
        Standing::Queued => sentence("It begins when one of the sections under way is done."),
        Standing::Due => sentence("It begins when what it builds on is there."),
        Standing::Halted => sentence("It goes on when the conversation is continued."),
        Standing::Failed | Standing::Stopped => sentence(study.error.as_deref().unwrap_or_default()),
        Standing::Stale => sentence(&overtaken(&run.state, section).unwrap_or_default()),
        Standing::Ahead | Standing::Complete => String::new(),
    };
    now + &findings(study, report)
}

fn working(steps: Vec<String>) -> String {
    let last = &steps[steps.len().saturating_sub(STEPS)..];
    let lines: String = last.iter().map(|step| format!("<li>{}</li>", escaped(step))).collect();
    let lines = if lines.is_empty() { "<li>Beginning</li>".to_owned() } else { lines };
    format!("<ol class=\"steps\">{lines}</ol><div class=\"shim\"></div><div class=\"shim\"></div>")
}

/// The old ones stay until there are newer ones.
fn findings(study: &Study, report: &str) -> String {
    let Some(found) = &study.result else { return String::new() };
    let item = |Point { text, sources }: &Point| format!("<li>{}{}</li>", escaped(text), marks(report, study.section, sources));
    format!("<ul class=\"findings\">{}</ul>", found.told.findings.iter().map(item).collect::<String>())
}

/// What it rests on, what can be done about it, and the way to all of it.
fn foot(run: &Run<Research>, section: Section, report: &str, forms: &Forms) -> String {
    let (study, slug, name) = (run.state.study(section), section.slug(), section.name());
    let deed = match Standing::of(run, section) {
        Standing::Failed | Standing::Stopped if is_first_to_retry(run, section) => forms.form(Deed::Retry, slug, "<button>Retry</button>"),
        Standing::Failed | Standing::Stopped => {
            forms.form(Deed::Retry, slug, &format!("<button aria-label=\"Try again: {name}\">Try again</button>"))
        }
        Standing::Stale => forms.form(Deed::Retry, slug, &format!("<button aria-label=\"Run again: {name}\">Run again</button>")),
        _ => String::new(),
    };
    let Some(found) = &study.result else { return deed };
    let count = match found.sources.is_empty() {
        true => "<span>No sources</span>".to_owned(),
        false => format!(
            "<a class=\"count\" rel=\"external\" href=\"{report}#sources-{slug}\" aria-label=\"{0}: {name}\">{0}</a>",
            sources(study)
        ),
    };
    format!("{count}{deed}<a rel=\"external\" href=\"{report}#{slug}\" aria-label=\"Read the section: {name}\">Read the section</a>")
}

/// A name stands once on a page: of several that failed or were stopped the first has Retry.
fn is_first_to_retry(run: &Run<Research>, section: Section) -> bool {
    let retried = |section: &Section| matches!(Standing::of(run, *section), Standing::Failed | Standing::Stopped);
    Section::ALL.iter().find(|section| retried(section)) == Some(&section)
}

#[cfg(test)]
mod tests;
