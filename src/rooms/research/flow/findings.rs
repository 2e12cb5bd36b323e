//! What a section's card says before it is opened.

use super::data::{Channel, Competitor, CrossAnalysis, Data, Figure, IcpValidation, Mark, OfferAnalysis, Point, Verdict};

/// Findings of a section at most.
const MOST: usize = 5;

/// The three to five findings that a reader would want first, in their order; fewer where less was found. Where nothing was
/// found that is the finding.
pub fn extract_top_findings(data: &Data) -> Vec<Point> {
    let found: Vec<Point> = match data {
        Data::IndustryMarket(market) => {
            let figures = [figure("Market size", &market.size), figure("Growth", &market.growth)];
            let points = market.trends.iter().take(2).chain(market.buying_triggers.first());
            let rest = std::iter::once(&market.overview).chain(&market.barriers);
            figures.into_iter().flatten().chain(points.chain(rest).cloned()).collect()
        }
        Data::Competitors(found) => {
            let rivals = found.competitors.iter().take(3).map(rival);
            found.openings.iter().take(2).cloned().chain(rivals).chain([found.landscape.clone()]).collect()
        }
        Data::IcpValidation(icp) => customer(icp),
        Data::OfferAnalysis(offer) => offered(offer),
        Data::CrossAnalysis(cross) => added_up(cross),
    };
    let mut found: Vec<Point> = found.into_iter().filter(|point| !point.text.is_empty()).take(MOST).collect();
    if found.is_empty() {
        found.push(Point { text: "Nothing was found.".to_owned(), sources: vec![] });
    }
    found
}

fn figure(name: &str, figure: &Figure) -> Option<Point> {
    (!figure.value.is_empty()).then(|| Point { text: format!("{name}: {}", figure.value), sources: figure.sources.clone() })
}

fn rival(rival: &Competitor) -> Point {
    let said: Vec<&str> =
        [rival.positioning.trim_end_matches('.'), rival.price.as_str()].into_iter().filter(|said| !said.is_empty()).collect();
    let text = if said.is_empty() { rival.name.clone() } else { format!("{}: {}", rival.name, said.join(", ")) };
    Point { text: if rival.name.is_empty() { String::new() } else { text }, sources: rival.sources.clone() }
}

fn customer(icp: &IcpValidation) -> Vec<Point> {
    let verdict = match (icp.verdict, icp.score) {
        (Verdict::Unclear, None) => String::new(),
        (verdict, None) => format!("The fit is {}", verdict.word()),
        (verdict, Some(score)) => format!("The fit is {}: {score} of 100", verdict.word()),
    };
    let verdict = Point { text: verdict, sources: icp.reasoning.sources.clone() };
    let rest = icp.evidence.iter().take(2).chain(icp.concerns.first()).chain([&icp.sharper, &icp.reasoning]);
    std::iter::once(verdict).chain(rest.cloned()).collect()
}

fn offered(offer: &OfferAnalysis) -> Vec<Point> {
    let (mut scored, unscored): (Vec<&Mark>, Vec<&Mark>) = offer.scorecard.iter().partition(|mark| mark.score.is_some());
    scored.sort_by_key(|mark| mark.score);
    // The best and the worst say most.
    let ends = [scored.last(), scored.first().filter(|_| scored.len() > 1)].into_iter().flatten().map(|end| marked(end));
    let rest = offer.red_flags.iter().take(2).chain(offer.improvements.first()).cloned();
    std::iter::once(offer.overall.clone()).chain(ends).chain(rest).chain(unscored.into_iter().map(marked)).collect()
}

fn marked(mark: &Mark) -> Point {
    let said = mark.score.map_or_else(|| mark.reason.clone(), |score| format!("{score} of 10"));
    let text = match (mark.criterion.as_str(), said.as_str()) {
        (_, "") => String::new(),
        ("", _) => mark.reason.clone(),
        (criterion, said) => format!("{criterion}: {said}"),
    };
    Point { text, sources: mark.sources.clone() }
}

fn added_up(cross: &CrossAnalysis) -> Vec<Point> {
    let named = cross.channels.iter().filter(|channel| !channel.name.is_empty());
    // Of several with the same share the first: the last of them from behind.
    let channel = named.rev().max_by_key(|channel| channel.share).map(|Channel { name, why, share, sources }| {
        let share = share.map(|share| format!(", {share}% of the budget")).unwrap_or_default();
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        Point { text: format!("{name}{share}{why}"), sources: sources.clone() }
    });
    let rest = cross.first_moves.iter().take(2).chain(cross.risks.first());
    std::iter::once(cross.positioning.clone()).chain(channel).chain(rest.cloned()).collect()
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Strong => "strong",
            Verdict::Promising => "promising",
            Verdict::Weak => "weak",
            Verdict::Unclear => "unclear",
        }
    }
}
