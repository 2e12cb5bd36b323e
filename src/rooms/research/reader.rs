//! A section laid out to be read, as HTML: on the run's page it comes in a chunk of its own, and the report is made of it.
//! What was not found says so; every text is escaped, and only addresses of web pages become links.

use super::flow::{
    Finding, Point, Section, Source,
    data::{Channel, Competitor, Competitors, CrossAnalysis, Data, Figure, IcpValidation, IndustryMarket, Mark, OfferAnalysis, Verdict},
};
use crate::ui::escaped;

/// A measure beyond this is drawn like it: no price and no score comes near.
const MOST: i64 = 1_000_000_000;

/// The whole of it, under headings of the third rank. Its marks lead to the list that [`sources`] writes.
pub fn section(finding: &Finding) -> String {
    let page = Page { section: finding.data.section() };
    let body = match &finding.data {
        Data::IndustryMarket(market) => page.market(market),
        Data::Competitors(found) => page.competitors(found),
        Data::IcpValidation(icp) => page.customer(icp),
        Data::OfferAnalysis(offer) => page.offer(offer),
        Data::CrossAnalysis(cross) => page.added_up(cross),
    };
    format!("<div class=\"read\">{body}{}</div>", notes(finding))
}

/// The numbered sources of a section, each to be reached as `#source-<section>-<number>`.
pub fn sources(section: Section, sources: &[Source]) -> String {
    if sources.is_empty() {
        return "<p class=\"meta\">No sources were returned.</p>".to_owned();
    }
    let items: String = sources.iter().map(|source| listed(section, source)).collect();
    format!("<ol class=\"sources\">{items}</ol>")
}

fn listed(section: Section, source: &Source) -> String {
    let (slug, id, host) = (section.slug(), source.id, host(&source.url));
    let title = escaped(if source.title.is_empty() { host.unwrap_or(&source.url) } else { &source.title });
    let title = match host {
        Some(_) => format!("<a href=\"{}\" rel=\"noopener nofollow\" target=\"_blank\">{title}</a>", escaped(&source.url)),
        None => title,
    };
    let about: Vec<String> = [host, source.date.as_deref()].into_iter().flatten().map(escaped).collect();
    format!(
        "<li id=\"source-{slug}-{id}\" tabindex=\"-1\"><span class=\"number\">{id}</span><span>{title}<span class=\"meta\">{}</span></span></li>",
        about.join(" · ")
    )
}

/// Of the address of a web page.
fn host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let host = rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty())?;
    Some(host.strip_prefix("www.").unwrap_or(host))
}

/// The numbers behind a statement. They lead to a section's sources, on that page.
pub fn marks(page: &str, section: Section, sources: &[i64]) -> String {
    let mark = |id: &i64| {
        let slug = section.slug();
        format!("<a rel=\"external\" href=\"{page}#source-{slug}-{id}\" aria-label=\"Source {id}\">{id}</a>")
    };
    if sources.is_empty() { String::new() } else { format!("<sup class=\"cites\">{}</sup>", sources.iter().map(mark).collect::<String>()) }
}

/// Where it comes from, where that is not what a reader expects.
fn notes(finding: &Finding) -> String {
    let imported = finding.is_imported().then(|| "Brought along from elsewhere, and not researched here.".to_owned());
    let dropped = match finding.dropped {
        0 => None,
        1 => Some("1 reference was taken out: it pointed to no source that was returned.".to_owned()),
        many => Some(format!("{many} references were taken out: they pointed to no source that was returned.")),
    };
    imported.into_iter().chain(dropped).map(|note| format!("<p class=\"meta\">{note}</p>")).collect()
}

/// What is being written.
#[derive(Clone, Copy)]
struct Page {
    section: Section,
}

impl Page {
    fn market(self, market: &IndustryMarket) -> String {
        let figures = [self.figure("Market size", &market.size), self.figure("Growth", &market.growth)].concat();
        [
            self.lead(&market.overview),
            format!("<dl class=\"figures-read\">{figures}</dl>"),
            self.points("Trends", &market.trends),
            self.points("Buying triggers", &market.buying_triggers),
            self.points("Barriers", &market.barriers),
        ]
        .concat()
    }

    fn competitors(self, found: &Competitors) -> String {
        [
            self.lead(&found.landscape),
            ladder(&found.competitors),
            self.heading("Who is there", self.rivals(&found.competitors)),
            self.points("What nobody offers", &found.openings),
        ]
        .concat()
    }

    fn customer(self, icp: &IcpValidation) -> String {
        let sharper =
            if icp.sharper.text.is_empty() { String::new() } else { format!("<blockquote>{}</blockquote>", self.said(&icp.sharper)) };
        [
            verdict(icp.verdict, icp.score),
            self.lead(&icp.reasoning),
            self.points("Evidence", &icp.evidence),
            self.points("Concerns", &icp.concerns),
            self.heading("The customer, described more sharply", sharper),
        ]
        .concat()
    }

    fn offer(self, offer: &OfferAnalysis) -> String {
        let marks: String = offer.scorecard.iter().map(|mark| self.score(mark)).collect();
        [
            self.lead(&offer.overall),
            self.heading("Scorecard", listing("ul", "scores", marks)),
            self.points("Red flags", &offer.red_flags),
            self.points("What would make it stronger", &offer.improvements),
        ]
        .concat()
    }

    fn added_up(self, cross: &CrossAnalysis) -> String {
        let channels: String = cross.channels.iter().map(|channel| self.channel(channel)).collect();
        let name = if cross.channels.iter().any(|channel| channel.share.is_some()) { "Channels and budget" } else { "Channels" };
        let moves: String = cross.first_moves.iter().map(|step| format!("<li>{}</li>", self.said(step))).collect();
        [
            self.lead(&cross.positioning),
            self.heading(name, listing("ul", "scores", channels)),
            self.heading("First moves", listing("ol", "moves", moves)),
            self.points("Risks", &cross.risks),
        ]
        .concat()
    }

    /// A statement with its marks.
    fn said(self, point: &Point) -> String {
        format!("{}{}", escaped(&point.text), self.marks(&point.sources))
    }

    fn marks(self, sources: &[i64]) -> String {
        marks("", self.section, sources)
    }

    fn lead(self, point: &Point) -> String {
        if point.text.is_empty() { String::new() } else { format!("<p class=\"lead\">{}</p>", self.said(point)) }
    }

    fn points(self, name: &str, points: &[Point]) -> String {
        let items: String = points.iter().map(|point| format!("<li>{}</li>", self.said(point))).collect();
        self.heading(name, listing("ul", "points", items))
    }

    /// A part under its heading; an empty one says that nothing was found.
    fn heading(self, name: &str, part: String) -> String {
        let part = if part.is_empty() { "<p class=\"meta\">Nothing was found.</p>".to_owned() } else { part };
        format!("<h3>{name}</h3>{part}")
    }

    fn figure(self, name: &str, figure: &Figure) -> String {
        let value = match figure.value.is_empty() {
            true => "<dd class=\"none\">No figure was found</dd>".to_owned(),
            false => format!("<dd>{}{}</dd>", escaped(&figure.value), self.marks(&figure.sources)),
        };
        let basis = if figure.basis.is_empty() { String::new() } else { format!("<dd class=\"meta\">{}</dd>", escaped(&figure.basis)) };
        format!("<div><dt>{name}</dt>{value}{basis}</div>")
    }

    /// A table, of which a narrow page makes cards.
    fn rivals(self, rivals: &[Competitor]) -> String {
        let rows: String = rivals.iter().map(|rival| self.rival(rival)).collect();
        if rows.is_empty() {
            return rows;
        }
        format!(
            "<table class=\"rivals\"><thead><tr><th scope=\"col\">Competitor</th><th scope=\"col\">Positioning</th><th scope=\"col\">Price</th>\
             <th scope=\"col\">Strengths</th><th scope=\"col\">Gaps</th></tr></thead><tbody>{rows}</tbody></table>"
        )
    }

    fn rival(self, rival: &Competitor) -> String {
        let cell =
            |label: &str, inside: String| format!("<td data-label=\"{label}\">{}</td>", if inside.is_empty() { "–" } else { &inside });
        let items = |texts: &[String]| listing("ul", "points", texts.iter().map(|text| format!("<li>{}</li>", escaped(text))).collect());
        let cells = [
            cell("Positioning", escaped(&rival.positioning)),
            cell("Price", escaped(&rival.price)),
            cell("Strengths", items(&rival.strengths)),
            cell("Gaps", items(&rival.gaps)),
        ];
        format!("<tr><th scope=\"row\">{}{}</th>{}</tr>", escaped(&rival.name), self.marks(&rival.sources), cells.concat())
    }

    fn score(self, mark: &Mark) -> String {
        let (bar, score) = match mark.score {
            Some(score) => (bar(score, 10), format!("{score} of 10")),
            None => (String::new(), "not scored".to_owned()),
        };
        self.measured(&mark.criterion, &score, bar, &mark.reason, &mark.sources)
    }

    fn channel(self, channel: &Channel) -> String {
        let (bar, share) = channel.share.map(|share| (bar(share, 100), format!("{share} %"))).unwrap_or_default();
        self.measured(&channel.name, &share, bar, &channel.why, &channel.sources)
    }

    /// Something that has a measure, and why it has that.
    fn measured(self, name: &str, measure: &str, bar: String, why: &str, sources: &[i64]) -> String {
        let (name, why, marks) = (escaped(name), escaped(why), self.marks(sources));
        format!("<li><b>{name}</b><span class=\"measure\">{measure}</span>{bar}<p>{why}{marks}</p></li>")
    }
}

/// A list; empty where nothing is in it.
fn listing(kind: &str, class: &str, items: String) -> String {
    if items.is_empty() { items } else { format!("<{kind} class=\"{class}\">{items}</{kind}>") }
}

fn verdict(verdict: Verdict, score: Option<i64>) -> String {
    let word = ["Strong fit", "Promising fit", "Weak fit", "Not clear yet"][verdict as usize];
    let (bar, score) = match score {
        Some(score) => (bar(score, 100), format!("{score} of 100")),
        None => (String::new(), "no score".to_owned()),
    };
    format!("<p class=\"verdict\" data-verdict=\"{}\"><b>{word}</b><span class=\"measure\">{score}</span>{bar}</p>", verdict.word())
}

/// What competitors ask a month, the least first, where at least two of them say so.
fn ladder(rivals: &[Competitor]) -> String {
    let mut priced: Vec<(i64, &Competitor)> = rivals.iter().filter_map(|rival| Some((rival.price_per_month?, rival))).collect();
    if priced.len() < 2 {
        return String::new();
    }
    priced.sort_by_key(|(price, _)| *price);
    let most = priced.iter().map(|(price, _)| *price).max().unwrap_or_default();
    let rung = |(price, rival): &(i64, &Competitor)| {
        let said = if rival.price.is_empty() { price.to_string() } else { escaped(&rival.price) };
        format!("<li><span>{}</span>{}<span class=\"measure\">{said}</span></li>", escaped(&rival.name), bar(*price, most))
    };
    format!("<h3>Prices a month</h3><ul class=\"ladder\">{}</ul>", priced.iter().map(rung).collect::<String>())
}

/// So much of the most there can be. Decoration: the figure stands beside it.
fn bar(value: i64, most: i64) -> String {
    let most = most.clamp(1, MOST);
    let percent = value.clamp(0, most) * 100 / most;
    format!("<svg class=\"bar\" aria-hidden=\"true\"><rect width=\"{percent}%\" height=\"100%\" rx=\"3\"></rect></svg>")
}

#[cfg(test)]
mod tests;
