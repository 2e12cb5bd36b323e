//! What may count as a source: only what the provider returned.

use super::data::{Data, Point, Source};

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

    /// The text without marks and addresses, which are cited instead.
    fn unmarked(&mut self, text: &str, sources: &mut Vec<i64>) -> String {
        let (mut kept, mut rest) = (String::new(), text);
        while let Some(at) = rest.find(['[', 'h']) {
            let (before, from) = rest.split_at(at);
            kept.push_str(before);
            if let Some((ids, after)) = marks(from) {
                ids.into_iter().for_each(|id| self.cite(Some(id), sources));
                rest = after;
            } else if let Some((url, after)) = address(from) {
                let named = self.sources.iter().find(|source| source.url.trim_end_matches('/') == url.trim_end_matches('/'));
                self.cite(named.map(|source| source.id), sources);
                rest = after;
            } else {
                let first = from.chars().next().map_or(0, char::len_utf8);
                kept.push_str(&from[..first]);
                rest = &from[first..];
                continue;
            }
            // An address in brackets leaves none behind.
            if let (true, Some(after)) = (kept.ends_with('('), rest.strip_prefix(')')) {
                kept.pop();
                rest = after;
            }
            kept.truncate(kept.trim_end().len());
        }
        kept.push_str(rest);
        kept.trim().to_owned()
    }
}

/// `[7]` or `[3, 9]` at the start, and what follows.
fn marks(text: &str) -> Option<(Vec<i64>, &str)> {
    let (inside, after) = text.strip_prefix('[')?.split_once(']')?;
    let ids: Option<Vec<i64>> = inside.split(',').map(|id| id.trim().parse().ok()).collect();
    Some((ids?, after))
}

/// An address of a web page at the start, and what follows.
fn address(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with("https://") && !text.starts_with("http://") {
        return None;
    }
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, ')' | ']' | '>' | '"' | '<')).unwrap_or(text.len());
    let url = text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
    Some((url, &text[url.len()..]))
}
