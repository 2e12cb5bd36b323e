//! A report as a page, laid out to be read and to be printed.

use super::sheet::{Chapter, Sheet};
use crate::{
    rooms::research::reader,
    ui::{escaped, markdown},
};

/// The page's body.
pub fn html(sheet: &Sheet, address: &str) -> String {
    let parts = [
        toolbar(address),
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

fn toolbar(address: &str) -> String {
    format!(
        "<nav class=\"toolbar\" aria-label=\"Report\"><a class=\"btn\" href=\"{address}\">Conversation</a><span class=\"grow\"></span>\
         <span class=\"meta\" data-unprinted>To keep it as a PDF, print it from your browser’s menu.</span>\
         <a class=\"btn\" href=\"{address}/report.md\">Markdown</a><a class=\"btn\" href=\"{address}/report.json\">JSON</a>\
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
         <section id=\"known\"><h2>What it goes by</h2><dl class=\"pairs\">{known}</dl></section>",
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
    format!("{chapters}<section id=\"run\"><h2>How this was made</h2><dl class=\"pairs\">{facts}</dl></section>")
}

fn one(number: usize, chapter: &Chapter) -> String {
    let (slug, name) = (chapter.section.slug(), chapter.section.name());
    let facts: String = chapter.facts.iter().map(|(name, value)| pair(name, value)).collect();
    let facts = if facts.is_empty() { facts } else { format!("<dl class=\"facts\">{facts}</dl>") };
    let read = chapter.finding.as_ref().map(|finding| {
        let sources = reader::sources(chapter.section, &finding.sources);
        format!("{}<div class=\"listed\" id=\"sources-{slug}\"><h3>Sources</h3>{sources}</div>", reader::section(finding))
    });
    format!(
        "<section class=\"chapter\" id=\"{slug}\"><h2><span class=\"number\">{number}</span>{name}</h2>{}{}{facts}</section>",
        notes(&chapter.notes),
        read.unwrap_or_default()
    )
}

fn pair(name: &str, value: &str) -> String {
    format!("<div><dt>{}</dt><dd>{}</dd></div>", escaped(name), escaped(value))
}
