//! What a script can read off a persona and a query: trade, concerns, the thing that is looked for.

use crate::models::seed;

/// Why something matters to the customer, which decides how it is spoken of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Matter {
    Dislike,
    Need,
    Worry,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Concern {
    pub matter: Matter,
    /// A noun phrase, as in “hidden fees”.
    pub what: String,
}

pub struct Brief {
    /// “a twelve-person bakery in Leeds”; empty where none is told.
    pub trade: String,
    /// “card reader”.
    pub product: String,
    /// At least three.
    pub concerns: Vec<Concern>,
    /// Two invented names.
    pub options: [&'static str; 2],
    seed: u64,
}

const TRADES: [&str; 14] = [
    " runs ",
    " owns ",
    " works as ",
    " works in ",
    " works for ",
    " manages ",
    " leads ",
    " heads ",
    " is the ",
    " is an ",
    " is a ",
    " studies ",
    " study ",
    " run ",
];

/// Openings of a clause, and what follows them.
const OPENINGS: [(&str, Matter); 24] = [
    ("hates ", Matter::Dislike),
    ("hate ", Matter::Dislike),
    ("dislikes ", Matter::Dislike),
    ("distrusts ", Matter::Dislike),
    ("avoids ", Matter::Dislike),
    ("is tired of ", Matter::Dislike),
    ("tired of ", Matter::Dislike),
    ("wants no ", Matter::Dislike),
    ("has no ", Matter::Dislike),
    ("fears ", Matter::Worry),
    ("is afraid of ", Matter::Worry),
    ("afraid of ", Matter::Worry),
    ("worries about ", Matter::Worry),
    ("worried about ", Matter::Worry),
    ("is sceptical of ", Matter::Worry),
    ("unsure about ", Matter::Worry),
    ("tight ", Matter::Worry),
    ("limited ", Matter::Worry),
    ("needs ", Matter::Need),
    ("need ", Matter::Need),
    ("wants ", Matter::Need),
    ("values ", Matter::Need),
    ("cares about ", Matter::Need),
    ("prefers ", Matter::Need),
];

const COMMON: [(Matter, &str); 5] = [
    (Matter::Worry, "what it costs in the end"),
    (Matter::Need, "something that works from the first day"),
    (Matter::Dislike, "long contracts"),
    (Matter::Worry, "support when something breaks"),
    (Matter::Need, "a plain explanation"),
];

/// Invented; any likeness to a real company would be chance.
const NAMES: [&str; 12] = [
    "Tillwick",
    "Quadrello",
    "Zenpaya",
    "Larkmoor",
    "Pellowin",
    "Castanelle",
    "Norrhaven",
    "Miraboska",
    "Ostrivo",
    "Velmery",
    "Fennwick",
    "Umbrelio",
];

impl Brief {
    pub fn read(icp: &str, query: &str) -> Self {
        let seed = seed(&[icp, query]);
        let first = seed as usize % NAMES.len();
        let second = (first + 1 + (seed >> 8) as usize % (NAMES.len() - 1)) % NAMES.len();
        Brief { trade: trade(icp), product: product(query), concerns: concerns(icp, seed), options: [NAMES[first], NAMES[second]], seed }
    }

    /// One of them, the same each time for the same input and `salt`.
    pub fn pick<'a, T>(&self, from: &'a [T], salt: u32) -> &'a T {
        &from[(self.seed.rotate_right(11 * salt + 5) as usize) % from.len()]
    }

    pub fn concern(&self, nth: usize) -> &Concern {
        &self.concerns[nth % self.concerns.len()]
    }
}

fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split(['.', ';', ',', '\n', '!', '?', '，', '。'])
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" but "))
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

fn trade(icp: &str) -> String {
    let clause = clauses(icp).find_map(|clause| {
        let padded = format!(" {clause}");
        let (at, verb) = TRADES.iter().filter_map(|verb| Some((padded.find(verb)?, *verb))).min()?;
        Some(padded[at + verb.len()..].trim().to_owned())
    });
    shorten(&clause.unwrap_or_default(), 60)
}

fn concerns(icp: &str, seed: u64) -> Vec<Concern> {
    let told = clauses(icp).filter_map(|clause| {
        let lower = clause.to_lowercase();
        let (opening, matter) =
            OPENINGS.iter().find(|(opening, _)| lower.starts_with(opening) || lower.contains(&format!(" {opening}")))?;
        let at = lower.find(opening)? + if matches!(*opening, "tight " | "limited ") { 0 } else { opening.len() };
        let what = shorten(clause.get(at..)?.trim(), 80);
        (what.chars().count() > 2).then(|| Concern { matter: *matter, what: lower_first(&what) })
    });
    let mut concerns: Vec<Concern> = told.take(4).collect();
    let from = seed as usize % COMMON.len();
    let common = (0..COMMON.len()).map(|i| COMMON[(from + i) % COMMON.len()]);
    concerns.extend(common.map(|(matter, what)| Concern { matter, what: what.to_owned() }));
    concerns.truncate(concerns.len().saturating_sub(COMMON.len()).max(3));
    concerns
}

/// The thing itself: what stands behind the article or the superlative, up to the first “for”, “that”, “with”.
fn product(query: &str) -> String {
    const BEFORE: [&str; 12] = [
        " best ",
        " reliable ",
        " good ",
        " cheapest ",
        " right ",
        " safest ",
        " which ",
        " what kind of ",
        " what ",
        " a ",
        " an ",
        " the ",
    ];
    const AFTER: [&str; 18] = [
        " for ",
        " that ",
        " which ",
        " with ",
        " in ",
        " to ",
        " when ",
        " should ",
        " do ",
        " does ",
        " is ",
        " are ",
        " can ",
        " if ",
        " without ",
        " would ",
        " on ",
        " from ",
    ];
    let line = query.lines().next().unwrap_or_default().split(['?', '.', '!', ',']).next().unwrap_or_default();
    let padded = format!(" {} ", line.trim().to_lowercase());
    let phrase = BEFORE.iter().find_map(|word| {
        let rest = padded.split_once(word)?.1;
        let end = AFTER.iter().filter_map(|word| format!(" {rest}").find(word)).min().unwrap_or(rest.len());
        let phrase = rest.get(..end)?.trim();
        (phrase.chars().count() > 2).then(|| phrase.to_owned())
    });
    shorten(&phrase.unwrap_or_else(|| "solution".to_owned()), 40)
}

fn shorten(text: &str, chars: usize) -> String {
    if text.chars().count() <= chars {
        return text.to_owned();
    }
    let cut: String = text.chars().take(chars).collect();
    cut.rsplit_once(' ').map_or(cut.clone(), |(head, _)| head.to_owned())
}

pub fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brief_is_read_off_the_words() {
        let brief = Brief::read(
            "Marta, 41, runs a twelve-person bakery in Leeds. Hates hidden fees, tight cash flow, needs a card reader that works when the line is down.",
            "What is the most reliable card reader for a small bakery?",
        );
        assert_eq!((brief.trade.as_str(), brief.product.as_str()), ("a twelve-person bakery in Leeds", "card reader"));
        let told: Vec<_> = brief.concerns.iter().take(3).map(|concern| (concern.matter, concern.what.as_str())).collect();
        assert_eq!(
            told,
            [
                (Matter::Dislike, "hidden fees"),
                (Matter::Worry, "tight cash flow"),
                (Matter::Need, "a card reader that works when the line is down")
            ]
        );
        assert_ne!(brief.options[0], brief.options[1]);
    }

    #[test]
    fn products_are_found_in_many_questions() {
        for (query, product) in [
            ("Which stroller should I buy?", "stroller"),
            ("How do I find a student bank account without fees?", "student bank account"),
            ("What is the best password manager for a company of 300 people?", "password manager"),
            ("Help!", "solution"),
            ("", "solution"),
        ] {
            assert_eq!(Brief::read("x", query).product, product, "{query}");
        }
    }
}
