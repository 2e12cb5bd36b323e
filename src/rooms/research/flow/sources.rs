//! What may count as a source: only what the provider returned.

use super::{
    data::{Data, Point, Source},
    references::{Reference, To},
};

const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('“', '”'), ('"', '"')];
/// What stands before a reference in brackets and says nothing without it.
const LEADS: [&str; 6] = ["", "see", "source", "sources", "from", "via"];

impl Source {
    /// Where its page is; `None` where its address is not that of a web page.
    pub fn host(&self) -> Option<&str> {
        let rest = self.url.strip_prefix("https://").or_else(|| self.url.strip_prefix("http://"))?;
        let authority = rest.split(['/', '?', '#']).next()?;
        let host = authority.rsplit('@').next()?;
        let is_host = host.starts_with(|c: char| c.is_alphanumeric() || c == '[') && !host.contains(char::is_whitespace);
        is_host.then(|| host.strip_prefix("www.").unwrap_or(host))
    }
}

/// Pages of the web, each number once.
pub fn pages(returned: impl IntoIterator<Item = Source>) -> Vec<Source> {
    let mut kept: Vec<Source> = Vec::new();
    for source in returned {
        if source.id > 0 && source.host().is_some() && kept.iter().all(|known| known.id != source.id) {
            kept.push(source);
        }
    }
    kept
}

/// Which of these a text refers to, by their numbers.
pub fn cited(text: &str, sources: &[Source]) -> Vec<i64> {
    let mut cited = Vec::new();
    Keeper { sources, dropped: 0 }.unmarked(text, &mut cited);
    cited
}

impl Data {
    /// Takes out of its texts and lists every reference to a source that nobody returned, and answers how many there were.
    /// Marks such as `[7]`, and addresses, move from the texts into the lists.
    pub fn keep_to(&mut self, sources: &[Source]) -> u32 {
        let mut keeper = Keeper { sources, dropped: 0 };
        match self {
            Data::IndustryMarket(market) => {
                let figures = [&mut market.size, &mut market.growth];
                figures.into_iter().for_each(|figure| keeper.lines(&mut [&mut figure.value, &mut figure.basis], &mut figure.sources));
                keeper.point(&mut market.overview);
                [&mut market.trends, &mut market.buying_triggers, &mut market.barriers]
                    .into_iter()
                    .for_each(|points| keeper.points(points));
            }
            Data::Competitors(found) => {
                keeper.point(&mut found.landscape);
                for rival in &mut found.competitors {
                    let own = [&mut rival.name, &mut rival.positioning, &mut rival.price];
                    let mut lines: Vec<&mut String> = own.into_iter().chain(&mut rival.strengths).chain(&mut rival.gaps).collect();
                    keeper.lines(&mut lines, &mut rival.sources);
                    [&mut rival.strengths, &mut rival.gaps].into_iter().for_each(|texts| texts.retain(|text| !text.is_empty()));
                }
                keeper.points(&mut found.openings);
            }
            Data::IcpValidation(icp) => {
                [&mut icp.reasoning, &mut icp.sharper].into_iter().for_each(|point| keeper.point(point));
                [&mut icp.evidence, &mut icp.concerns].into_iter().for_each(|points| keeper.points(points));
            }
            Data::OfferAnalysis(offer) => {
                keeper.point(&mut offer.overall);
                offer.scorecard.iter_mut().for_each(|mark| keeper.lines(&mut [&mut mark.criterion, &mut mark.reason], &mut mark.sources));
                [&mut offer.red_flags, &mut offer.improvements].into_iter().for_each(|points| keeper.points(points));
            }
            Data::CrossAnalysis(cross) => {
                keeper.point(&mut cross.positioning);
                cross
                    .channels
                    .iter_mut()
                    .for_each(|channel| keeper.lines(&mut [&mut channel.name, &mut channel.why], &mut channel.sources));
                [&mut cross.first_moves, &mut cross.risks].into_iter().for_each(|points| keeper.points(points));
            }
        }
        keeper.dropped
    }
}

struct Keeper<'a> {
    sources: &'a [Source],
    dropped: u32,
}

impl Keeper<'_> {
    fn points(&mut self, points: &mut Vec<Point>) {
        points.iter_mut().for_each(|point| self.point(point));
        points.retain(|point| !point.text.is_empty());
    }

    fn point(&mut self, point: &mut Point) {
        self.lines(&mut [&mut point.text], &mut point.sources);
    }

    fn lines(&mut self, lines: &mut [&mut String], sources: &mut Vec<i64>) {
        let listed = std::mem::take(sources);
        listed.into_iter().for_each(|id| self.cite(Some(id), sources));
        for line in lines {
            let words = self.unmarked(line, sources);
            **line = words;
        }
    }

    /// One more reference; `None` names nothing that could be a source.
    fn cite(&mut self, id: Option<i64>, sources: &mut Vec<i64>) {
        match id.filter(|id| self.sources.iter().any(|source| source.id == *id)) {
            Some(id) if sources.contains(&id) => {}
            Some(id) => sources.push(id),
            None => self.dropped += 1,
        }
    }

    fn follow(&mut self, to: To, sources: &mut Vec<i64>) {
        match to {
            To::Numbers(ids) => ids.into_iter().for_each(|id| self.cite(id, sources)),
            To::Address(url) => {
                let plain = |url: &str| url.trim_end_matches('/').to_lowercase();
                let named = self.sources.iter().find(|source| plain(&source.url) == plain(url));
                self.cite(named.map(|source| source.id), sources);
            }
        }
    }

    /// The text without references, which are cited instead. Of a text that was nothing else nothing is left.
    fn unmarked(&mut self, text: &str, sources: &mut Vec<i64>) -> String {
        let (mut kept, mut rest) = (String::new(), text);
        while let Some(first) = rest.chars().next() {
            if let Some(Reference { to, label, after }) = Reference::at(rest) {
                self.follow(to, sources);
                kept.push_str(label);
                rest = if label.is_empty() { closed(&mut kept, after) } else { after };
            } else {
                kept.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        if kept.contains(char::is_alphanumeric) { kept.trim().to_owned() } else { String::new() }
    }
}

/// Closes the gap where a reference stood: nothing stays of what led to it, or stood between it and the next. Answers what follows.
fn closed<'a>(kept: &mut String, mut after: &'a str) -> &'a str {
    let next = after.trim_start_matches([' ', ',', ';']);
    if Reference::at(next).is_some_and(|next| next.label.is_empty()) {
        return next;
    }
    for (open, shut) in BRACKETS {
        let Some((at, inner)) = kept.rfind(open).zip(after.strip_prefix(shut)) else { continue };
        if LEADS.contains(&kept[at + open.len_utf8()..].trim().trim_end_matches(':').to_lowercase().as_str()) {
            kept.truncate(at);
            after = inner;
        }
    }
    if !after.starts_with(char::is_alphanumeric) {
        kept.truncate(kept.trim_end().len());
    }
    if after.is_empty() || after.starts_with(['.', ',', ';', '!', '?']) {
        kept.truncate(kept.trim_end_matches([',', ';', ':', ' ']).len());
    }
    after
}
