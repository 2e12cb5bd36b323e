//! A report as a page, laid out to be read and to be printed.

use super::sheet::{Chapter, Sheet};
use crate::{
    engine::flow::Flow,
    rooms::research::{flow::Research, reader},
    ui::{escaped, markdown},
};
use uuid::Uuid;

/// The page's body; `id` is the run's.
pub fn html(sheet: &Sheet, id: Uuid) -> String {
    let parts = [
        toolbar(id),
        // Repeated on each sheet of paper.
        format!(
            "<div class=\"running\" aria-hidden=\"true\"><p><b>{}</b><span>Market research · {}</span></p></div>",
            escaped(&sheet.title),
            sheet.date
        ),
        format!("<main class=\"body\"><article>{}{}</article></main>", opening(sheet), chapters(sheet)),
    ];
    format!("<div class=\"paper\">{}</div>", parts.concat())
}

fn toolbar(id: Uuid) -> String {
    let (address, report) = (crate::rooms::address(Research::KIND, &id.to_string()), format!("/journey/{id}/report"));
    format!(
        "<nav class=\"toolbar\" aria-label=\"Report\"><a class=\"btn\" href=\"{address}\">Conversation</a><span class=\"grow\"></span>\
         <span class=\"meta\" data-unprinted>To keep it as a PDF, print it from your browser’s menu.</span>\
         <a class=\"btn\" href=\"{report}.md\">Markdown</a><a class=\"btn\" href=\"{report}.json\">JSON</a>\
         <button class=\"btn primary\" type=\"button\" data-print hidden>Print or save as PDF</button></nav>"
    )
}

fn opening(sheet: &Sheet) -> String {
    let summary = match &sheet.summary {
        Some(summary) => format!("<div class=\"md\">{}</div>", markdown::html(summary)),
        None => "<p class=\"meta\">Written once everything is answered and found.</p>".to_owned(),
    };
    let known = |(name, answer): &(&str, Option<String>)| match answer {
        Some(answer) => format!("<div><dt>{name}</dt><dd>{}</dd></div>", escaped(answer)),
        None => format!("<div><dt>{name}</dt><dd class=\"none\">Not known</dd></div>"),
    };
    let known: String = sheet.known.iter().map(known).collect();
    format!(
        "<header><p class=\"kicker\">Market research</p><h1>{}</h1><p class=\"meta\">{}</p>{}</header>\
         <section id=\"summary\"><h2>In short</h2>{summary}</section>\
         <section id=\"known\"><h2>What we know</h2><dl class=\"pairs\">{known}</dl></section>",
        escaped(&sheet.title),
        sheet.date,
        notes(&sheet.notes)
    )
}

fn notes(notes: &[String]) -> String {
    notes.iter().map(|note| format!("<p class=\"note\">{}</p>", escaped(note))).collect()
}

fn chapters(sheet: &Sheet) -> String {
    let chapters: String = (1..).zip(&sheet.chapters).map(|(number, chapter)| one(number, chapter)).collect();
    let facts: String = sheet.facts.iter().map(|(name, value)| pair(name, value)).collect();
    let made = format!("<section id=\"run\"><h2>How this was made</h2><dl class=\"pairs\">{facts}</dl></section>");
    [chapters, sources(sheet), made].concat()
}

fn one(number: usize, chapter: &Chapter) -> String {
    let (slug, name) = (chapter.section.slug(), chapter.section.name());
    let facts: String = chapter.facts.iter().map(|(name, value)| pair(name, value)).collect();
    let facts = if facts.is_empty() { facts } else { format!("<dl class=\"made\">{facts}</dl>") };
    format!(
        "<section class=\"chapter\" id=\"{slug}\"><h2><span class=\"number\">{number}</span>{name}</h2>{facts}{}{}</section>",
        notes(&chapter.notes),
        chapter.finding.as_ref().map(reader::section).unwrap_or_default()
    )
}

/// Each chapter's, under its name; their numbers are the chapter's own.
fn sources(sheet: &Sheet) -> String {
    let list = |(number, chapter): (usize, &Chapter)| {
        let finding = chapter.finding.as_ref()?;
        let (slug, name) = (chapter.section.slug(), chapter.section.name());
        let sources = reader::sources(chapter.section, &finding.sources);
        Some(format!("<div class=\"listed\" id=\"sources-{slug}\"><h3>{number}. {name}</h3>{sources}</div>"))
    };
    let lists: String = (1..).zip(&sheet.chapters).filter_map(list).collect();
    if lists.is_empty() { lists } else { format!("<section class=\"chapter\" id=\"sources\"><h2>Sources</h2>{lists}</section>") }
}

fn pair(name: &str, value: &str) -> String {
    format!("<div><dt>{}</dt><dd>{}</dd></div>", escaped(name), escaped(value))
}
