//! The person's words, made fit to be said again.

use crate::rooms::research::flow::{Field, State};

/// The answer on one line of at most so many characters; `None` where there is none.
pub fn said(state: &State, field: Field, most: usize) -> Option<String> {
    let answer = line(state.answer(field)?);
    (!answer.is_empty()).then(|| short(&answer, most))
}

/// Without what could be taken for a reference to a source.
pub fn line(text: &str) -> String {
    let text = text.replace("https://", "").replace("http://", "").replace("://", " ").replace('[', "(").replace(']', ")");
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_end_matches(['.', ',', ';', ':', '!', '?', '。', '！', '？']).to_owned()
}

/// Cut behind a word.
pub fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most).collect();
    let cut = cut.rsplit_once(' ').filter(|(head, _)| head.chars().count() * 2 > most).map_or(cut.as_str(), |(head, _)| head);
    format!("{}…", cut.trim_end_matches([',', ';', ':', ' ']))
}

/// “card reader”: what is sold, in a few words and without its article.
pub fn thing(state: &State) -> Option<String> {
    const BEHIND: [&str; 9] = [" that ", " which ", " who ", " for ", " by ", " with ", " to ", " in ", ", "];
    let told = line(state.answer(Field::ProductDescription)?);
    let end = BEHIND.iter().filter_map(|word| told.find(word)).min().unwrap_or(told.len());
    let head = ["a ", "an ", "the ", "our ", "A ", "An ", "The ", "Our "].iter().find_map(|article| told[..end].strip_prefix(article));
    let head = head.unwrap_or(&told[..end]).trim();
    let is_phrase = (1..=5).contains(&head.split(' ').count()) && head.chars().count() <= 48;
    // In the middle of an English sentence only what can be read there.
    (is_phrase && head.chars().all(|c| c.is_ascii() && !c.is_control()) && head.chars().any(|c| c.is_ascii_alphabetic()))
        .then(|| head.to_owned())
}

/// “your card reader”, or “your product”.
pub fn yours(state: &State) -> String {
    format!("your {}", thing(state).unwrap_or_else(|| "product".to_owned()))
}

/// “a, b and c”
pub fn listed(items: &[impl AsRef<str>]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

/// The person's last message, if they have said something.
pub fn last_said(state: &State) -> Option<&str> {
    state.messages.checked_sub(1).and_then(|last| state.message(last))
}
