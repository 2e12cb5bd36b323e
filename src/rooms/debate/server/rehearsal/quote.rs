//! A few words of a message, cut where they can stand by themselves.

use super::words::{has_end, is_end};
use crate::rooms::debate::flow::sentences::sentences;

/// Words of a quotation.
const FEWEST: usize = 3;
const MOST: usize = 8;
/// Characters of one in a script without spaces.
const CHARS: usize = 70;

/// Words that lead into a clause and are left out.
const LEADS: [&str; 12] = ["and", "but", "so", "yet", "or", "for", "because", "then", "very well", "say", "since", "though"];
/// Words with which a clause leans on what stood before it, and those it cannot end on.
const LEANING: [&str; 35] = [
    "if", "when", "where", "which", "who", "whose", "whom", "as", "while", "than", "like", "under", "with", "without", "by", "to", "of",
    "from", "is", "are", "was", "were", "does", "has", "have", "had", "until", "before", "after", "unless", "whoever", "what", "they",
    "it’s", "once",
];
const DANGLING: [&str; 54] = [
    "the", "a", "an", "of", "to", "and", "or", "but", "in", "on", "at", "by", "for", "with", "from", "than", "that", "is", "are", "my",
    "your", "as", "into", "not", "they", "we", "you", "he", "she", "it", "what", "who", "which", "over", "so", "be", "been", "will",
    "would", "can", "could", "should", "must", "each", "every", "its", "their", "our", "no", "very", "more", "less", "if", "when",
];

/// Words before which one can stop.
const JOINING: [&str; 17] =
    ["and", "but", "or", "that", "which", "where", "who", "as", "because", "until", "if", "when", "while", "what", "how", "why", "whether"];

/// What is best quoted of a message, word for word; `fit` says no to what must not be quoted.
pub fn cut(said: &str, fit: impl Fn(&str) -> bool) -> &str {
    let sentences = sentences(said);
    // What answers somebody else is theirs by half.
    let own = sentences.iter().copied().filter(|sentence| !sentence.contains('“'));
    let clauses = own.flat_map(clauses).filter(|clause| fit(clause));
    // Of equals the last: that is where an argument arrives.
    let best = clauses.map(|clause| (worth(clause), clause)).max_by_key(|(worth, _)| *worth);
    let last = sentences.iter().rfind(|sentence| !sentence.contains('“')).or(sentences.last());
    best.filter(|(worth, _)| *worth >= 0).map_or_else(|| beginning(last.unwrap_or(&said)), |(_, clause)| clause)
}

/// Whole sentences, what stands between their commas, and of what is too long the beginning up to where something joins it.
fn clauses(sentence: &str) -> Vec<&str> {
    let (mut found, mut from) = (vec![sentence], 0);
    for (at, c) in sentence.char_indices() {
        let behind = &sentence[at + c.len_utf8()..];
        let parts =
            matches!(c, ';' | ':' | ',') && behind.starts_with(' ') || matches!(c, '–' | '—' | '(' | ')' | '，' | '；' | '：' | '、');
        if parts {
            found.push(&sentence[from..at]);
            from = at + c.len_utf8();
        }
    }
    found.push(&sentence[from..]);
    let trimmed: Vec<&str> = found.into_iter().map(|clause| led(clause.trim().trim_end_matches(is_end))).collect();
    let long = |clause: &&&str| clause.split(' ').count() > MOST && !clause.contains(',');
    let heads = trimmed.iter().filter(long).filter_map(|clause| head(clause));
    trimmed.iter().copied().chain(heads).filter(|clause| is_whole(clause)).collect()
}

/// Up to the last word that joins something, within the length of a quotation.
fn head(clause: &str) -> Option<&str> {
    ends(clause).take(MOST).filter(|end| is_joined(&clause[*end..])).last().map(|end| &clause[..end])
}

/// Behind each word but the last.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices(' ').map(|(at, _)| at)
}

fn is_joined(behind: &str) -> bool {
    behind.split(' ').nth(1).is_some_and(|next| JOINING.contains(&next))
}

/// Behind the word that leads into it.
fn led(clause: &str) -> &str {
    let lower = clause.to_lowercase();
    let lead = LEADS.iter().find(|lead| lower.strip_prefix(**lead).is_some_and(|rest| rest.starts_with(' ')));
    lead.and_then(|lead| clause.get(lead.len()..)).map_or(clause, str::trim)
}

fn is_whole(clause: &str) -> bool {
    let words = clause.split(' ').count();
    let spaced = (FEWEST..=MOST).contains(&words) && clause.chars().count() <= CHARS;
    let foreign = clause.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()).count();
    let unspaced = words < FEWEST && (4..=CHARS / 3).contains(&foreign);
    (spaced || unspaced) && !clause.contains(['“', '”', '"', '[', ']', '{', '}']) && !has_end(clause)
}

/// A full clause of middling length that stands on its own feet.
fn worth(clause: &str) -> i32 {
    let words: Vec<String> = clause.split(' ').map(str::to_lowercase).collect();
    let (first, last) = (words.first().map_or("", String::as_str), words.last().map_or("", String::as_str));
    let long = match words.len() {
        5..=7 => 3,
        4 | 8 => 2,
        _ => 0,
    };
    let leans = match first {
        _ if LEANING.contains(&first) => 4,
        "it" | "there" | "he" | "she" | "this" | "its" | "one" => 3,
        _ => 0,
    };
    let dangles = if DANGLING.contains(&last) { 6 } else { 0 };
    let addressed = words.iter().any(|word| matches!(word.as_str(), "you" | "your" | "here" | "this" | "me"));
    long - leans - dangles - if addressed { 3 } else { 0 }
}

/// The first words of a sentence, up to one that it can stop at.
pub fn beginning(sentence: &str) -> &str {
    let opened = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = opened.find(['“', '”', '"', '[', ']', ',', ';', ':']).unwrap_or(opened.len());
    let opened = opened[..end].trim_end_matches(|c: char| is_end(c) || c.is_whitespace());
    let plain = |end: &usize| opened[..*end].chars().count() <= CHARS && !has_end(&opened[..*end]);
    let dangles = |end: &usize| DANGLING.contains(&opened[..*end].rsplit(' ').next().unwrap_or_default().to_lowercase().as_str());
    let ends = || ends(opened).take(MOST).filter(|end| plain(end) && !dangles(end));
    let all = Some(opened.len()).filter(|end| opened.split(' ').count() <= MOST && *end > 0 && plain(end));
    let joined = || ends().filter(|end| is_joined(&opened[*end..]) && opened[..*end].split(' ').count() > FEWEST).last();
    match all.or_else(joined).or_else(|| ends().last()) {
        Some(end) => &opened[..end],
        None => {
            let end = opened
                .char_indices()
                .enumerate()
                .find(|(i, (_, c))| *i >= CHARS / 3 || is_end(*c))
                .map_or(opened.len(), |(_, (end, _))| end);
            opened[..end].trim_end()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_cut_where_they_can_stand() {
        let check = |said: &str, expect: &str| assert_eq!(cut(said, |clause| !clause.contains("Gandhi")), expect, "{said}");
        check("Peace is made by a strong centre, one code for everyone and careers open to talent.", "Peace is made by a strong centre");
        check("I answer “no, never” to that. Trade makes strangers into guests.", "Trade makes strangers into guests");
        check("Gandhi is a dreamer, but dreams have built more than one road.", "dreams have built more than one road");
        check(
            "Whoever means to order things writes down in plain words what order is before anybody else does",
            "Whoever means to order things writes down",
        );
        check("和平第一，贸易第二。", "贸易第二");
        check("No.", "No");
        assert_eq!(beginning("a!b? c d"), "a", "an end stands in a quotation");
    }
}
