//! What a debate amounts to in figures, at no cost: counted from its own words.

use super::{debate::DebateState, persona::Persona, sentences::sentences};
use std::collections::BTreeSet;

/// A word of at least so many letters says something; so many of its first letters are what it is known by.
const LETTERS: usize = 4;
const STEM: usize = 5;
const EMPTY_WORDS: [&str; 34] = [
    "about", "after", "against", "also", "because", "been", "before", "being", "cannot", "does", "each", "every", "from", "have", "into",
    "more", "must", "never", "only", "other", "should", "such", "than", "that", "their", "them", "then", "there", "they", "this", "what",
    "when", "will", "with",
];

#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// In the order of the panel.
    pub shares: Vec<Share>,
    /// `named[i][j]`: messages of debater `i` that name debater `j`.
    pub named: Vec<Vec<u32>>,
    pub claims: Vec<Claim>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    pub persona: String,
    pub name: String,
    pub words: usize,
    /// Of all debaters' words, in percent; together 100 or, before the first word, 0.
    pub percent: usize,
}

/// A sentence of an opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub persona: String,
    pub text: String,
    /// The sentence of the summary (from 0) that still carries it.
    pub alive: Option<usize>,
}

/// `support` are the messages that each sentence of the summary rests on.
pub fn figures(state: &DebateState, support: &[Vec<u32>]) -> Figures {
    let debaters: Vec<&Persona> = state.debaters().collect();
    Figures { shares: shares(state, &debaters), named: named(state, &debaters), claims: claims(state, support) }
}

fn shares(state: &DebateState, debaters: &[&Persona]) -> Vec<Share> {
    let count = |persona: &&Persona| {
        let said = state.messages.iter().filter(|message| message.author_id == persona.id);
        said.map(|message| words(&message.content).count()).sum()
    };
    let counts: Vec<usize> = debaters.iter().map(count).collect();
    let percents = percents(&counts);
    let share = |((persona, words), percent): ((&&Persona, usize), usize)| Share {
        persona: persona.id.clone(),
        name: persona.name.clone(),
        words,
        percent,
    };
    debaters.iter().zip(counts).zip(percents).map(share).collect()
}

/// Whole percents that make 100 together: what rounding leaves over goes to the largest remainders.
fn percents(counts: &[usize]) -> Vec<usize> {
    let sum: usize = counts.iter().sum();
    if sum == 0 {
        return vec![0; counts.len()];
    }
    let mut percents: Vec<usize> = counts.iter().map(|count| count * 100 / sum).collect();
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(counts[*i] * 100 % sum));
    let left = 100 - percents.iter().sum::<usize>();
    order.into_iter().take(left).for_each(|i| percents[i] += 1);
    percents
}

fn named(state: &DebateState, debaters: &[&Persona]) -> Vec<Vec<u32>> {
    let calls = calls(debaters);
    let row = |speaker: &&Persona| {
        let said: Vec<&str> =
            state.messages.iter().filter(|message| message.author_id == speaker.id).map(|message| message.content.as_str()).collect();
        let count = |(named, calls): (&&Persona, &Vec<String>)| match named.id == speaker.id {
            true => 0,
            false => said.iter().filter(|content| names(content, &named.name, calls)).count() as u32,
        };
        debaters.iter().zip(&calls).map(count).collect()
    };
    debaters.iter().map(row).collect()
}

/// What stands before many a name is none.
const TITLES: [&str; 10] = ["the", "sir", "saint", "lady", "lord", "king", "queen", "doctor", "captain", "president"];

/// The words that call each of them: those of their names that are no titles and nobody else's, as they are written.
fn calls(debaters: &[&Persona]) -> Vec<Vec<String>> {
    let names: Vec<Vec<String>> = debaters.iter().map(|persona| tokens(&persona.name).collect()).collect();
    let own = |(i, name): (usize, &Vec<String>)| {
        let others: Vec<&String> = names.iter().enumerate().filter(|(j, _)| *j != i).flat_map(|(_, name)| name).collect();
        let calls = |word: &&String| {
            let short = word.is_ascii() && word.len() < LETTERS - 1;
            let title = TITLES.contains(&word.to_ascii_lowercase().as_str());
            !short && !title && !word.starts_with(char::is_lowercase) && !others.contains(word)
        };
        name.iter().filter(calls).cloned().collect()
    };
    names.iter().enumerate().map(own).collect()
}

/// Does the text call them, by their whole name or by one of those words?
fn names(text: &str, name: &str, calls: &[String]) -> bool {
    let whole: Vec<String> = words(name).collect();
    let all: Vec<String> = words(text).collect();
    tokens(text).any(|word| calls.contains(&word)) || (!whole.is_empty() && all.windows(whole.len()).any(|part| part == whole))
}

/// The claims of the openings, and which of them the summary still carries: a sentence of it does that has a quarter
/// of the claim's words, at least two; one is enough where it names the opening as its ground.
fn claims(state: &DebateState, support: &[Vec<u32>]) -> Vec<Claim> {
    let common: BTreeSet<String> = state.debaters().flat_map(|persona| stems(&persona.name)).chain(stems(&state.topic)).collect();
    let telling = |text: &str| -> BTreeSet<String> { stems(text).into_iter().filter(|stem| !common.contains(stem)).collect() };
    let carriers: Vec<BTreeSet<String>> = sentences(&state.summary).into_iter().map(telling).collect();
    let opening = |(number, persona): (u32, &Persona)| {
        let text = state.openings.get(&persona.id).cloned().unwrap_or_default();
        let claim = |claim: &str| {
            let words = telling(claim);
            let carries = |(i, sentence): (usize, &BTreeSet<String>)| {
                let shared = words.intersection(sentence).count();
                let grounded = support.get(i).is_some_and(|messages| messages.contains(&number));
                let enough = if grounded { 1 } else { words.len().div_ceil(4).max(2) };
                (shared >= enough).then_some((shared, std::cmp::Reverse(i)))
            };
            let best = carriers.iter().enumerate().filter_map(carries).max();
            Claim { persona: persona.id.clone(), text: claim.to_owned(), alive: best.map(|(_, std::cmp::Reverse(i))| i) }
        };
        sentences(&text).into_iter().map(claim).collect::<Vec<_>>()
    };
    let number =
        |persona: &Persona| state.messages.iter().position(|message| message.author_id == persona.id).map_or(0, |at| at as u32 + 1);
    state.debaters().flat_map(|persona| opening((number(persona), persona))).collect()
}

fn stems(text: &str) -> Vec<String> {
    let telling = words(text).filter(|word| word.chars().count() >= LETTERS && !EMPTY_WORDS.contains(&word.as_str()));
    telling.map(|word| word.chars().take(STEM).collect()).collect()
}

/// The words, capitals of the Latin alphabet as small ones: the tables of all others would cost the browser kilobytes.
fn words(text: &str) -> impl Iterator<Item = String> {
    tokens(text).map(|word| word.to_ascii_lowercase())
}

/// The words as they are written; a sign of a script without spaces is a word of its own.
fn tokens(text: &str) -> impl Iterator<Item = String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        let alone = matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}');
        if !c.is_alphanumeric() {
            // An apostrophe within a word hides nothing but its ending.
            open = false;
            continue;
        }
        if alone || !open {
            found.push(String::new());
        }
        if let Some(word) = found.last_mut() {
            word.push(c);
        }
        open = !alone;
    }
    // What an apostrophe leaves behind is no word.
    found.retain(|word| !matches!(word.as_str(), "s" | "t" | "ll" | "re" | "ve" | "d"));
    found.into_iter()
}
