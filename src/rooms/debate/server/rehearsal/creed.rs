//! A philosophy in the mouth of its owner: in the first person, sentence by sentence and clause by clause.

use super::words::{capital, clean, lower_first, without_ends};
use crate::rooms::debate::flow::{Persona, sentences::sentences};

/// Characters of a belief that is spoken in one breath.
const BREATH: usize = 150;
const CLAUSE: usize = 90;

/// Verbs with which people describe somebody: “trusts no slogan”.
const VERBS: [&str; 66] = [
    "admire",
    "argue",
    "ask",
    "avoid",
    "believe",
    "build",
    "buy",
    "calculate",
    "care",
    "check",
    "choose",
    "compare",
    "count",
    "defend",
    "demand",
    "dislike",
    "distrust",
    "doubt",
    "dream",
    "enjoy",
    "expect",
    "fear",
    "feel",
    "fight",
    "find",
    "follow",
    "give",
    "hate",
    "hold",
    "hope",
    "insist",
    "judge",
    "keep",
    "know",
    "lead",
    "like",
    "listen",
    "live",
    "look",
    "love",
    "make",
    "measure",
    "need",
    "pay",
    "prefer",
    "protect",
    "put",
    "read",
    "refuse",
    "reject",
    "say",
    "see",
    "seek",
    "sell",
    "speak",
    "stand",
    "swear",
    "think",
    "treat",
    "trust",
    "understand",
    "value",
    "want",
    "weigh",
    "wish",
    "worry",
];
const ADVERBS: [&str; 8] = ["never", "always", "only", "rarely", "often", "firmly", "deeply", "still"];
/// What a verb of that form never stands before: there it is a noun in the plural.
const BEHIND_NOUNS: [&str; 14] =
    ["are", "is", "matter", "come", "comes", "make", "must", "should", "can", "will", "drive", "win", "count", "and"];

pub struct Creed {
    /// What its owner opens with.
    pub first: String,
    clauses: Vec<String>,
    key: String,
}

impl Creed {
    pub fn read(persona: &Persona) -> Self {
        let philosophy = clean(&persona.philosophy);
        let spoken = |text: &str| own(without_ends(text).trim_matches(|c: char| !c.is_alphanumeric() && !closes(c)), &persona.name);
        let whole: Vec<String> = sentences(&philosophy).into_iter().map(spoken).collect();
        let parts = sentences(&philosophy).into_iter().flat_map(clauses).map(spoken);
        let mut clauses: Vec<String> = parts.filter(|clause| tells(clause) && clause.chars().count() <= CLAUSE).collect();
        if clauses.is_empty() {
            clauses.push("I believe what I believe".to_owned());
        }
        let fits = |sentence: &&String| tells(sentence) && sentence.chars().count() <= BREATH;
        let first = whole.first().filter(fits).unwrap_or(&clauses[0]).clone();
        let key = key(&first).map_or_else(|| "this".to_owned(), |key| format!("“{key}”"));
        Creed { first: capital(&first), clauses, key }
    }

    /// One of its clauses, as it stands within a sentence; the first was heard in the opening.
    pub fn clause(&self, turn: usize) -> String {
        lower_first(&self.clauses[turn % self.clauses.len()])
    }

    /// Each as it may stand in a message.
    pub fn spoken(&self) -> impl Iterator<Item = String> {
        self.clauses.iter().flat_map(|clause| [lower_first(clause), capital(clause)])
    }

    /// The word of it that says most, in quotation marks.
    pub fn key(&self) -> &str {
        &self.key
    }
}

fn closes(c: char) -> bool {
    matches!(c, '’' | ')' | '‘' | '(')
}

fn tells(clause: &str) -> bool {
    clause.chars().filter(|c| c.is_alphanumeric()).count() >= 2
}

/// What a sentence lists or joins, where each part can stand alone.
fn clauses(sentence: &str) -> Vec<&str> {
    let (mut found, mut from) = (vec![], 0);
    for (at, c) in sentence.char_indices() {
        let behind = &sentence[at + c.len_utf8()..];
        let joined = [", and ", ", but ", ", so "].iter().any(|join| sentence[at..].starts_with(join));
        let verb = |join: &str| sentence[at..].strip_prefix(join).and_then(|rest| first_person(rest.split(' ').next()?)).is_some();
        let parts = matches!(c, ';' | ':') && behind.starts_with(' ') || matches!(c, '–' | '—' | '；' | '：' | '，');
        let parts = parts || joined || verb(", ") || verb(" and ") || verb(" but ");
        if parts {
            found.push(sentence[from..at].trim());
            from = at + c.len_utf8();
        }
    }
    found.push(sentence[from..].trim());
    found.into_iter().map(led).collect()
}

fn led(clause: &str) -> &str {
    ["and ", "but ", "so "].iter().find_map(|lead| clause.strip_prefix(lead)).unwrap_or(clause)
}

/// “Trusts no slogan and keeps her word” → “I trust no slogan and keep my word”.
fn own(belief: &str, name: &str) -> String {
    let told = without_subject(belief, name);
    let belief = told.unwrap_or(belief);
    let words: Vec<&str> = belief.split(' ').collect();
    let at = words.iter().position(|word| !ADVERBS.contains(&word.to_lowercase().as_str())).unwrap_or_default();
    let followed = words.get(at + 1).is_some_and(|next| BEHIND_NOUNS.contains(next));
    let verb = words.get(at).is_some_and(|word| first_person(word).is_some()) && !followed;
    match () {
        () if verb || told.is_some() => format!("I {}", lower_first(&joined(&words, at))),
        () if is_somebody(belief) => format!("I am {}", lower_first(belief)),
        () => belief.to_owned(),
    }
}

/// “Ada believes”, “she believes”, “you believe” → what stands behind her.
fn without_subject<'a>(belief: &'a str, name: &str) -> Option<&'a str> {
    let subjects = [name, name.split(' ').next().unwrap_or_default(), "He", "She", "They", "You"];
    let rest = subjects.iter().find_map(|subject| belief.strip_prefix(*subject)?.strip_prefix(' '))?;
    let word = rest.split(' ').find(|word| !ADVERBS.contains(word)).unwrap_or_default();
    (first_person(word).is_some() || VERBS.contains(&word)).then_some(rest)
}

/// Verbs that stand behind a conjunction or a comma go with the first; what was hers is mine.
fn joined(words: &[&str], verb: usize) -> String {
    let said = |(i, word): (usize, &&str)| {
        let before = i.checked_sub(1).map_or("", |before| words[before]);
        let anew = before.ends_with([';', ':']);
        let goes_on = i == verb || anew || before.ends_with(',') || matches!(before, "and" | "but" | "or" | "he" | "she");
        let inner = word.trim_end_matches([',', ';', ':']);
        let first = if goes_on { first_person(inner) } else { None };
        let own = match inner {
            "his" | "her" => Some("my".to_owned()),
            "he" | "she" => Some("I".to_owned()),
            _ => None,
        };
        let subject = if anew && first.is_some() { "I " } else { "" };
        format!("{subject}{}{}", first.or(own).unwrap_or_else(|| inner.to_owned()), &word[inner.len()..])
    };
    words.iter().enumerate().map(said).collect::<Vec<_>>().join(" ")
}

/// “trusts” → “trust”; `None` where it is no such verb.
fn first_person(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    let irregular = match word.as_str() {
        "is" | "are" => Some("am"),
        "has" => Some("have"),
        "does" => Some("do"),
        "goes" => Some("go"),
        _ => None,
    };
    irregular.or_else(|| VERBS.into_iter().find(|verb| third_person(verb) == word)).map(str::to_owned)
}

fn third_person(verb: &str) -> String {
    match verb.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if verb.ends_with(['s', 'x', 'o']) || verb.ends_with("sh") || verb.ends_with("ch") => format!("{verb}es"),
        _ => format!("{verb}s"),
    }
}

/// “A customer who counts every penny”.
fn is_somebody(belief: &str) -> bool {
    (belief.starts_with("A ") || belief.starts_with("An ")) && (belief.contains(" who ") || belief.contains(" whose "))
}

/// A word that looks like the name of something: behind an article, by its ending, or by its length.
fn key(belief: &str) -> Option<&str> {
    const BEFORE: [&str; 14] = ["a", "an", "the", "every", "no", "each", "my", "our", "more", "less", "without", "for", "trust", "hate"];
    const ENDINGS: [&str; 9] = ["tion", "ness", "ity", "ment", "ship", "ence", "ance", "ers", "ism"];
    const NO_NAMES: [&str; 14] = [
        "everything",
        "nothing",
        "something",
        "everybody",
        "nobody",
        "anybody",
        "whoever",
        "should",
        "because",
        "always",
        "another",
        "without",
        "what",
        "that",
    ];
    let words: Vec<&str> = belief.split(' ').map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let rank = |(i, word): (usize, &&str)| {
        let before = i.checked_sub(1).map_or("", |before| words[before]);
        let ends = ENDINGS.iter().any(|ending| word.ends_with(ending));
        (BEFORE.contains(&before), ends, word.chars().count(), std::cmp::Reverse(i))
    };
    let telling = |word: &str| {
        let (lower, letters) = (word.to_lowercase(), word.chars().count());
        let plain = (4..=24).contains(&letters) && word.chars().all(char::is_alphanumeric);
        plain && !NO_NAMES.contains(&lower.as_str()) && !VERBS.contains(&lower.as_str()) && !lower.ends_with("ly")
    };
    words.iter().enumerate().filter(|(_, word)| telling(word)).max_by_key(|found| rank(*found)).map(|(_, word)| *word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_philosophy_is_told_by_its_owner() {
        let check = |philosophy: &str, first: &str, second: &str| {
            let persona = Persona { name: "Ada Quill".into(), philosophy: philosophy.into(), ..Persona::default() };
            let creed = Creed::read(&persona);
            assert_eq!((creed.first.as_str(), creed.clause(1).as_str()), (first, second), "{philosophy}");
        };
        check("Buys only what he can smell.", "I buy only what I can smell", "I buy only what I can smell");
        check(
            "Counts every penny, hates waste and trusts only her nose. A good loaf needs no app.",
            "I count every penny, hate waste and trust only my nose",
            "I hate waste",
        );
        check("Never buys on credit; is patient.", "I never buy on credit; I am patient", "I am patient");
        check("Ada knows best.", "I know best", "I know best");
        check("You are stubborn: you like order.", "I am stubborn: you like order", "you like order");
        check("She wants fair prices, so nobody has to compare.", "I want fair prices, so nobody has to compare", "nobody has to compare");
        check("A customer who hates queues.", "I am a customer who hates queues", "I am a customer who hates queues");
        check("Values matter more than price: always.", "Values matter more than price: always", "always");
        check("Tea.", "Tea", "tea");
        check("和平第一。贸易第二！", "和平第一", "贸易第二");
        check("**!!!**", "I believe what I believe", "I believe what I believe");
    }
}
