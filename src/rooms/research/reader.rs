//! A section laid out to be read, as HTML: on the run's page it comes in a chunk of its own, and the report is made of it.
//! What was not found says so; every text is escaped, and only addresses of web pages become links.

use super::flow::{
    Finding, Point, Section, Source,
    data::{Channel, Competitor, Competitors, CrossAnalysis, Data, Figure, IcpValidation, IndustryMarket, Mark, OfferAnalysis, Verdict},
};
use crate::ui::{Portion, Rung, escaped, price_ladder, split};

/// What prices are written in.
const CURRENCIES: [char; 5] = ['£', '$', '€', '¥', '₹'];

/// The whole of it, under headings of the third rank. Its marks lead to the list that [`sources`] writes.
pub fn section(finding: &Finding) -> String {
    let page = Page { section: finding.told.section };
    let body = match finding.told.data() {
        Some(Data::IndustryMarket(market)) => page.market(&market),
        Some(Data::Competitors(found)) => page.competitors(&found),
        Some(Data::IcpValidation(icp)) => page.customer(&icp),
        Some(Data::OfferAnalysis(offer)) => page.offer(&offer),
        Some(Data::CrossAnalysis(cross)) => page.added_up(&cross),
        None => String::new(),
    };
    format!("<div class=\"section\">{body}{}</div>", notes(finding))
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
    let (slug, id, host) = (section.slug(), source.id, source.host());
    let title = escaped(if source.title.is_empty() { host.unwrap_or(&source.url) } else { &source.title });
    let title = match host {
        Some(_) => format!("<a href=\"{}\" rel=\"noopener nofollow\" target=\"_blank\">{title}</a>", escaped(&source.url)),
        None => format!("<span>{title}</span>"),
    };
    let about: String = [("host", host), ("date", source.date.as_deref())]
        .into_iter()
        .filter_map(|(class, text)| Some(format!("<span class=\"{class}\">{}</span>", escaped(text?))))
        .collect();
    format!("<li id=\"source-{slug}-{id}\"><b>{id}</b>{title}<span class=\"meta\">{}</span></li>", about)
}

/// The numbers behind a statement. They lead to a section's sources, on that page.
pub fn marks(page: &str, section: Section, sources: &[i64]) -> String {
    let slug = section.slug();
    let mark =
        |id: &i64| format!("<a class=\"source\" rel=\"external\" href=\"{page}#source-{slug}-{id}\" aria-label=\"Source {id}\">{id}</a>");
    sources.iter().map(mark).collect()
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
            format!("<dl class=\"amounts\">{figures}</dl>"),
            self.points("Trends", &market.trends),
            self.points("Buying triggers", &market.buying_triggers),
            self.points("Barriers", &market.barriers),
        ]
        .concat()
    }

    fn competitors(self, found: &Competitors) -> String {
        [
            self.lead(&found.landscape),
            self.ladder(&found.competitors),
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
        let moves: String = cross.first_moves.iter().map(|step| format!("<li>{}</li>", self.said(step))).collect();
        [
            self.lead(&cross.positioning),
            self.budget(&cross.channels),
            self.heading("Channels", listing("ul", "scores", channels)),
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
        self.heading(name, listing("ul", "findings", items))
    }

    /// A part under its heading; an empty one says that nothing was found.
    fn heading(self, name: &str, part: String) -> String {
        let part = if part.is_empty() { "<p class=\"meta\">Nothing was found.</p>".to_owned() } else { part };
        format!("<div><h3>{name}</h3>{part}</div>")
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
        let items = |texts: &[String]| listing("ul", "findings", texts.iter().map(|text| format!("<li>{}</li>", escaped(text))).collect());
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
        self.measured(&channel.name, "", String::new(), &channel.why, &channel.sources)
    }

    /// How the stated budget is split, where that can be said.
    fn budget(self, channels: &[Channel]) -> String {
        let portion = |channel: &Channel| Some(Portion { name: channel.name.clone(), percent: u32::try_from(channel.share?).ok()? });
        let parts: Vec<Portion> = channels.iter().filter_map(portion).collect();
        if parts.is_empty() { String::new() } else { self.heading("The monthly budget", split("The monthly budget", &parts)) }
    }

    /// What competitors ask a month, where at least two of them say so in the same currency.
    fn ladder(self, rivals: &[Competitor]) -> String {
        let rung = |rival: &Competitor| Some(Rung { name: rival.name.clone(), price: u32::try_from(rival.price_per_month?).ok()? });
        let rungs: Vec<Rung> = rivals.iter().filter_map(rung).collect();
        let mut currencies: Vec<char> = rivals.iter().flat_map(|rival| rival.price.chars().filter(|c| CURRENCIES.contains(c))).collect();
        currencies.dedup();
        if rungs.len() < 2 || currencies.len() > 1 {
            return String::new();
        }
        let currency = currencies.first().map(char::to_string).unwrap_or_default();
        self.heading("Prices a month", price_ladder("Prices a month", &currency, &rungs))
    }

    /// Something that has a measure, and why it has that.
    fn measured(self, name: &str, measure: &str, bar: String, why: &str, sources: &[i64]) -> String {
        let (name, why, marks) = (escaped(name), escaped(why), self.marks(sources));
        format!("<li><b>{name}</b><span class=\"meta\">{measure}</span>{bar}<p>{why}{marks}</p></li>")
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
    format!("<p class=\"verdict\" data-verdict=\"{}\"><b>{word}</b><span class=\"meta\">{score}</span>{bar}</p>", verdict.word())
}

/// So much of the most there can be. Decoration: the figure stands beside it.
fn bar(value: i64, most: i64) -> String {
    let percent = value.clamp(0, most) * 100 / most;
    format!("<svg class=\"bar\" aria-hidden=\"true\"><rect width=\"{percent}%\" height=\"100%\" rx=\"3\"></rect></svg>")
}

#[cfg(test)]
mod tests;
