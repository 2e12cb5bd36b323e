//! What a script can read off a message: the answer to the question before it, and what is said in passing in so many words.

use super::words::last_said;
use crate::rooms::research::flow::{Field, Known, Reply, State};

/// What the message is to the question before it, and the fields that it states.
pub fn read(state: &State) -> (Reply, Vec<Known>) {
    let words = state.unread_words();
    let asked = state.unread.as_ref().and_then(|unread| unread.asked);
    let reply = if is_question(&words) {
        Reply::Question
    } else if is_skip(&words) {
        Reply::Skip
    } else {
        Reply::Answer
    };
    // The question's own answer is the whole of the words, and no part of them.
    let is_own = |field: Field| asked == Some(field) && reply != Reply::Question;
    let in_passing = |(field, value): (Field, Option<String>)| Some(Known { field, value: value? });
    let found = [
        (Field::CompanyName, company(&words)),
        (Field::WebsiteUrl, website(&words)),
        (Field::MonthlyBudget, budget(&words)),
        (Field::OfferPricing, price(&words)),
        (Field::GeographicFocus, places(&words)),
        (Field::BusinessModel, model(&words)),
        (Field::ProductDescription, sold(&words).map(|(product, _)| product)),
        (Field::IcpDescription, sold(&words).and_then(|(_, customer)| customer)),
    ];
    let new = found.into_iter().filter(|(field, _)| !is_own(*field) && state.answer(*field).is_none());
    (reply, new.filter_map(in_passing).collect())
}

/// Has the person asked something themselves?
pub fn has_asked(state: &State) -> bool {
    last_said(state).is_some_and(is_question)
}

fn is_question(words: &str) -> bool {
    words.trim_end().ends_with(['?', '？', '؟'])
}

fn is_skip(words: &str) -> bool {
    const STARTS: [&str; 7] =
        ["i don’t know", "i don't know", "no idea", "not sure", "i’d rather not", "i'd rather not", "i would rather not"];
    let words = words.trim().to_lowercase();
    words.split_whitespace().count() <= 8 && STARTS.iter().any(|start| words.starts_with(start))
}

/// Sentences without their ends.
fn sentences(words: &str) -> impl Iterator<Item = &str> {
    let ends = words.match_indices(['.', '!', '?', '\n', '。', '！', '？']).map(|(at, end)| (at, at + end.len()));
    let ends = ends.filter(|(_, after)| words[*after..].chars().next().is_none_or(|c| c.is_whitespace() || !c.is_ascii()));
    let mut from = 0;
    let cuts: Vec<(usize, usize)> = ends.chain([(words.len(), words.len())]).collect();
    cuts.into_iter().map(move |(at, after)| {
        let sentence = words[from..at.max(from)].trim();
        from = after;
        sentence
    })
}

/// What stands behind one of these at the beginning of a sentence; in capitals or not.
fn behind<'a>(sentence: &'a str, openings: &[&str]) -> Option<&'a str> {
    let lower = sentence.to_ascii_lowercase();
    openings.iter().find(|opening| lower.starts_with(**opening)).map(|opening| sentence[opening.len()..].trim())
}

/// “we are Crumbtill”, “a company called Firststep”.
fn company(words: &str) -> Option<String> {
    sentences(words).find_map(|sentence| {
        let lower = sentence.to_ascii_lowercase();
        let named = [" called ", " named "].iter().find_map(|mark| Some(&sentence[lower.find(mark)? + mark.len()..]));
        if let Some(name) = named.and_then(name) {
            return Some(name.0);
        }
        let (name, rest) = name(behind(sentence, &["we are ", "we’re ", "we're ", "i work for "])?)?;
        let is_people = ["sh", "ch", "ss", "ese", "an"].iter().any(|end| name.ends_with(end));
        (!is_people && (rest.is_empty() || rest.starts_with([',', ';', '–', '-']) || rest.starts_with("and "))).then_some(name)
    })
}

/// Words with a capital at the beginning, and what follows them.
fn name(text: &str) -> Option<(String, &str)> {
    let (mut end, mut from) = (0, 0);
    for word in text.split_inclusive(' ').take(4) {
        let bare = word.trim_end_matches(|c: char| c.is_whitespace() || c.is_ascii_punctuation());
        if !bare.starts_with(char::is_uppercase) {
            break;
        }
        end = from + bare.len();
        if bare.len() < word.trim_end().len() {
            break;
        }
        from += word.len();
    }
    let name = text[..end].to_owned();
    (2..=60).contains(&name.chars().count()).then(|| (name, text[end..].trim_start()))
}

fn website(words: &str) -> Option<String> {
    const ENDS: [&str; 12] = [".com", ".co.uk", ".uk", ".org", ".net", ".io", ".app", ".de", ".fr", ".eu", ".ai", ".shop"];
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/').to_owned();
    words.split_whitespace().map(bare).find(|word| {
        let is_host =
            word.is_ascii() && !word.contains(['@', '/']) && ENDS.iter().any(|end| word.len() > end.len() + 1 && word.ends_with(end));
        word.len() <= 200 && (word.starts_with("https://") || word.starts_with("http://") || word.starts_with("www.") || is_host)
    })
}

/// “£8k a month”, where it is said to be spent.
fn budget(words: &str) -> Option<String> {
    let sentence = sentences(words).find(|sentence| has(sentence, &["market", "budget", "spend", "advertis"]))?;
    let (from, lower) = (sentence.find(['£', '$', '€'])?, sentence.to_ascii_lowercase());
    let ends = ["a month", "per month", "each month", "every month", "monthly", "/month"];
    let end = ends.iter().filter_map(|end| Some(from + lower.get(from..)?.find(end)? + end.len())).min()?;
    sentence.get(from..end).filter(|sum| sum.chars().count() <= 40).map(str::to_owned)
}

/// The sentence that says what it costs.
fn price(words: &str) -> Option<String> {
    let mut told = sentences(words).filter(|sentence| sentence.contains(['£', '$', '€']) && has(sentence, &["cost", "price", "charge"]));
    told.find(|sentence| !has(sentence, &["budget", "market", "spend"])).map(str::to_owned)
}

fn has(sentence: &str, words: &[&str]) -> bool {
    let lower = sentence.to_ascii_lowercase();
    words.iter().any(|word| lower.contains(word))
}

const PLACES: [&str; 31] = [
    "United Kingdom",
    "UK",
    "Great Britain",
    "England",
    "Scotland",
    "Wales",
    "Northern Ireland",
    "Ireland",
    "Germany",
    "Austria",
    "Switzerland",
    "France",
    "Spain",
    "Portugal",
    "Italy",
    "Netherlands",
    "Belgium",
    "Denmark",
    "Sweden",
    "Norway",
    "Finland",
    "Poland",
    "Europe",
    "European Union",
    "EU",
    "United States",
    "USA",
    "Canada",
    "Australia",
    "India",
    "Worldwide",
];

/// Countries and regions that are named, in their order.
pub fn named_places(words: &str) -> Vec<&'static str> {
    let is_word = |at: usize, place: &str| {
        let beside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        beside(words[..at].chars().next_back()) && beside(words[at + place.len()..].chars().next())
    };
    let found = |place: &&'static str| Some((words.match_indices(*place).find(|(at, _)| is_word(*at, place))?.0, *place));
    let mut places: Vec<(usize, &str)> = PLACES.iter().filter_map(found).collect();
    places.sort_unstable();
    // “Ireland” within “Northern Ireland” is none of its own.
    let is_inner = |(at, place): &(usize, &str)| {
        let until_here = &words[..at + place.len()];
        PLACES.iter().any(|other| other.len() > place.len() && other.ends_with(place) && until_here.ends_with(other))
    };
    places.iter().filter(|place| !is_inner(place)).map(|(_, place)| *place).collect()
}

fn places(words: &str) -> Option<String> {
    let places = named_places(words);
    (!places.is_empty()).then(|| places.join(", "))
}

fn model(words: &str) -> Option<String> {
    const MODELS: [&str; 9] = ["b2b saas", "b2c saas", "saas", "marketplace", "by subscription", "franchise", "e-commerce", "b2b", "b2c"];
    let lower = words.to_ascii_lowercase();
    let is_denied = |at: usize| ["no ", "not ", "without "].iter().any(|denial| lower[..at].ends_with(denial));
    let found = MODELS.iter().find_map(|model| Some((lower.find(model).filter(|at| !is_denied(*at))?, model.len())));
    found.and_then(|(at, len)| words.get(at..at + len)).map(str::to_owned)
}

/// “We sell bread to hotels”: what, and to whom.
fn sold(words: &str) -> Option<(String, Option<String>)> {
    const SELLING: [&str; 4] = ["we sell ", "i sell ", "we want to sell ", "i want to sell "];
    const MAKING: [&str; 4] = ["we make ", "we build ", "we offer ", "our product is "];
    const BEING: [&str; 3] = ["it is ", "it’s ", "it's "];
    const VERBS: [&str; 14] =
        ["help", "make", "get", "let", "reduce", "save", "find", "build", "be", "do", "keep", "improve", "show", "manage"];
    let whom = |what: &str| {
        let (what, whom) = what.rsplit_once(" to ")?;
        let is_verb = VERBS.contains(&whom.split(' ').next().unwrap_or_default());
        (!is_verb).then(|| (what.trim_end_matches([',', ' ']).to_owned(), Some(whom.trim().to_owned())))
    };
    let read = |sentence| {
        if let Some(what) = behind(sentence, &SELLING) {
            return Some(whom(what).unwrap_or_else(|| (what.to_owned(), None)));
        }
        // With an article it is a thing, and no judgement.
        let is_thing = |what: &&str| what.starts_with("a ") || what.starts_with("an ");
        let what = behind(sentence, &MAKING).or_else(|| behind(sentence, &BEING).filter(is_thing));
        Some((what?.to_owned(), None))
    };
    sentences(words).find_map(read).filter(|(what, _)| what.chars().count() > 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sums_and_places_are_read_and_nothing_is_made_up() {
        let some = |text: &str| Some(text.to_owned());
        for (words, expect) in [
            ("We are Crumbtill. We sell bread.", some("Crumbtill")),
            ("Our company is called Firststep Analytics, since 2019.", some("Firststep Analytics")),
            ("We’re British bakers.", None),
            ("We are British.", None),
            ("We are Dutch, and proud of it.", None),
            ("I am from Leeds.", None),
            ("We are cheaper than others", None),
        ] {
            assert_eq!(company(words), expect, "{words}");
        }
        for (words, expect) in [
            ("We have about £8k a month for marketing.", some("£8k a month")),
            ("Our budget is €2,000 per month", some("€2,000 per month")),
            ("It costs £19 a month.", None),
            ("Marketing is hard.", None),
        ] {
            assert_eq!(budget(words), expect, "{words}");
        }
        assert_eq!(price("It costs £19 a month. We spend £2k."), some("It costs £19 a month"));
        assert_eq!(website("See https://crumbtill.example/a, or mail me@x.com."), some("https://crumbtill.example/a"));
        assert_eq!(website("It is crumbtill.co.uk!"), some("crumbtill.co.uk"));
        assert_eq!(website("Hello. World."), None);
        assert_eq!(places("In Northern Ireland, the UK and France; tell us."), some("Northern Ireland, UK, France"));
        assert_eq!(model("It is a B2B SaaS tool"), some("B2B SaaS"));
        assert_eq!(model("No, without SaaS"), None);
    }

    #[test]
    fn what_is_sold_and_to_whom() {
        let check = |words: &str, what: &str, whom: Option<&str>| {
            assert_eq!(sold(words), Some((what.to_owned(), whom.map(str::to_owned))), "{words}");
        };
        check("We sell a card reader, to bakeries in Leeds.", "a card reader", Some("bakeries in Leeds"));
        check("Hello. We sell software to help people!", "software to help people", None);
        check("It is a B2B SaaS tool that shows things to teams.", "a B2B SaaS tool that shows things to teams", None);
        assert_eq!(sold("We were founded in 2019."), None);
    }
}
