//! A report as Markdown. Whatever people, models and pages said is mere words in it, and the summary a quotation.

use super::sheet::{Chapter, Sheet};
use crate::{
    rooms::research::flow::{
        Finding, Point, Source,
        data::{Channel, Competitor, Competitors, CrossAnalysis, Data, Figure, IcpValidation, IndustryMarket, Mark, OfferAnalysis},
    },
    runs::server::{plain, quotation},
};

const NOTHING: &str = "Nothing was found.";

pub fn text(sheet: &Sheet) -> String {
    let known = sheet.known.iter().map(|(name, answer)| (*name, answer.as_deref().unwrap_or("Not known")));
    let opening = [
        format!("# {}", plain(&sheet.title)),
        format!("Market research, {}", plain(&sheet.date)),
        notes(&sheet.notes),
        "## In short".to_owned(),
        sheet.summary.as_deref().map_or_else(|| "Written once everything is answered and found.".to_owned(), quotation),
        "## What we know".to_owned(),
        pairs(known),
    ];
    let chapters = (1..).zip(&sheet.chapters).flat_map(|(number, chapter)| chapter_parts(number, chapter));
    let facts = ["## How this was made".to_owned(), pairs(sheet.facts.iter().map(|(name, value)| (name.as_str(), value.as_str())))];
    joined(opening.into_iter().chain(chapters).chain(facts)) + "\n"
}

fn joined(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn notes(notes: &[String]) -> String {
    joined(notes.iter().map(|note| format!("*{}*", plain(note))))
}

fn pairs<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    pairs.map(|(name, value)| format!("- {}: {}", plain(name), plain(value))).collect::<Vec<_>>().join("\n")
}

fn chapter_parts(number: usize, chapter: &Chapter) -> Vec<String> {
    let facts = pairs(chapter.facts.iter().map(|(name, value)| (*name, value.as_str())));
    let mut parts = vec![format!("## {number}. {}", chapter.section.name()), facts, notes(&chapter.notes)];
    if let Some(Finding { told, sources, dropped, .. }) = &chapter.finding {
        parts.extend(match told.data() {
            Some(Data::IndustryMarket(market)) => market_parts(&market),
            Some(Data::Competitors(found)) => rival_parts(&found),
            Some(Data::IcpValidation(icp)) => customer_parts(&icp),
            Some(Data::OfferAnalysis(offer)) => offer_parts(&offer),
            Some(Data::CrossAnalysis(cross)) => cross_parts(&cross),
            None => vec![],
        });
        parts.push(part("Sources", sources.iter().map(source)));
        parts.push(if *dropped > 0 {
            format!("References that pointed to no source, and were taken out: {dropped}")
        } else {
            String::new()
        });
    }
    parts
}

fn market_parts(market: &IndustryMarket) -> Vec<String> {
    vec![
        said(&market.overview),
        [figure("Market size", &market.size), figure("Growth", &market.growth)].join("\n"),
        points("Trends", &market.trends),
        points("Buying triggers", &market.buying_triggers),
        points("Barriers", &market.barriers),
    ]
}

fn rival_parts(found: &Competitors) -> Vec<String> {
    vec![said(&found.landscape), part("Who is there", found.competitors.iter().map(rival)), points("What nobody offers", &found.openings)]
}

fn customer_parts(icp: &IcpValidation) -> Vec<String> {
    let score = icp.score.map(|score| format!(", {score} of 100")).unwrap_or_default();
    let sharper = if icp.sharper.text.is_empty() { NOTHING.to_owned() } else { said(&icp.sharper) };
    vec![
        format!("**The fit is {}{score}**", icp.verdict.word()),
        said(&icp.reasoning),
        points("Evidence", &icp.evidence),
        points("Concerns", &icp.concerns),
        format!("### The customer, described more sharply\n\n{sharper}"),
    ]
}

fn offer_parts(offer: &OfferAnalysis) -> Vec<String> {
    vec![
        said(&offer.overall),
        part("Scorecard", offer.scorecard.iter().map(mark)),
        points("Red flags", &offer.red_flags),
        points("What would make it stronger", &offer.improvements),
    ]
}

fn cross_parts(cross: &CrossAnalysis) -> Vec<String> {
    vec![
        said(&cross.positioning),
        part("Channels and budget", cross.channels.iter().map(channel)),
        points("First moves", &cross.first_moves),
        points("Risks", &cross.risks),
    ]
}

/// A list under its heading; an empty one says that nothing was found.
fn part(name: &str, items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.map(|item| format!("- {item}")).collect();
    format!("### {name}\n\n{}", if items.is_empty() { NOTHING.to_owned() } else { items.join("\n") })
}

fn points(name: &str, points: &[Point]) -> String {
    part(name, points.iter().map(said))
}

fn said(point: &Point) -> String {
    words(&[&point.text], &point.sources)
}

/// Words on one line, with the numbers of their sources.
fn words(words: &[&str], sources: &[i64]) -> String {
    let words: Vec<String> = words.iter().filter(|words| !words.is_empty()).map(|words| plain(words)).collect();
    let ids: Vec<String> = sources.iter().map(i64::to_string).collect();
    let marks = if ids.is_empty() { String::new() } else { format!(" \\[{}\\]", ids.join(", ")) };
    format!("{}{marks}", words.join(": "))
}

fn figure(name: &str, figure: &Figure) -> String {
    let value = if figure.value.is_empty() { "No figure was found" } else { &figure.value };
    let basis = if figure.basis.is_empty() { String::new() } else { format!(". {}", plain(&figure.basis)) };
    format!("- **{name}**: {}{basis}", words(&[value], &figure.sources))
}

fn rival(rival: &Competitor) -> String {
    let list = |name: &str, texts: &[String]| (!texts.is_empty()).then(|| format!("  - {name}: {}", plain(&texts.join("; "))));
    let price = (!rival.price.is_empty()).then(|| format!("  - Price: {}", plain(&rival.price)));
    let head = Some(words(&[&rival.name, &rival.positioning], &rival.sources));
    [head, price, list("Strengths", &rival.strengths), list("Gaps", &rival.gaps)].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn mark(mark: &Mark) -> String {
    let score = mark.score.map_or_else(|| "not scored".to_owned(), |score| format!("{score} of 10"));
    words(&[&format!("{}, {score}", mark.criterion), &mark.reason], &mark.sources)
}

fn channel(channel: &Channel) -> String {
    let share = channel.share.map(|share| format!(", {share}% of the budget")).unwrap_or_default();
    words(&[&format!("{}{share}", channel.name), &channel.why], &channel.sources)
}

fn source(source: &Source) -> String {
    let (title, url) = (plain(&source.title), plain(&source.url));
    let date = source.date.as_deref().map(|date| format!(", {}", plain(date))).unwrap_or_default();
    let named = if title.is_empty() || title == url { format!("{url}{date}") } else { format!("{title}{date}: {url}") };
    format!("\\[{}\\] {named}", source.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_without_a_title_is_its_address() {
        let line =
            |title: &str| source(&Source { id: 7, title: title.into(), url: "https://b.example/".into(), date: Some("2025".into()) });
        assert_eq!(line("Tills"), "\\[7\\] Tills, 2025: https://b.example/");
        for title in ["", "https://b.example/"] {
            assert_eq!(line(title), "\\[7\\] https://b.example/, 2025");
        }
    }
}
