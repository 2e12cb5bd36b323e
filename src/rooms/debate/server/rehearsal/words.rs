//! What people entered, made fit to stand inside somebody's sentence.

use crate::rooms::debate::flow::sentences::{plain, sentences};

const LETTERS: usize = 4;
const WORD_CHARS: usize = 24;
/// Words of a motion that are not what it is about.
const EMPTY_WORDS: [&str; 80] = [
    "about",
    "achieve",
    "after",
    "allow",
    "always",
    "another",
    "around",
    "away",
    "become",
    "been",
    "before",
    "being",
    "better",
    "between",
    "both",
    "build",
    "change",
    "close",
    "come",
    "could",
    "does",
    "down",
    "each",
    "even",
    "every",
    "from",
    "give",
    "grow",
    "have",
    "hire",
    "increase",
    "into",
    "introduce",
    "invest",
    "join",
    "just",
    "keep",
    "leave",
    "less",
    "like",
    "make",
    "many",
    "more",
    "most",
    "move",
    "much",
    "must",
    "need",
    "never",
    "offer",
    "only",
    "open",
    "other",
    "over",
    "raise",
    "really",
    "reduce",
    "replace",
    "sell",
    "shall",
    "should",
    "some",
    "spend",
    "start",
    "stop",
    "switch",
    "take",
    "than",
    "that",
    "them",
    "then",
    "there",
    "they",
    "this",
    "want",
    "what",
    "when",
    "which",
    "with",
    "would",
];
/// What stands before the name of something that is spoken of without an article.
const NAMING: [&str; 21] = [
    "abolish", "about", "achieve", "against", "ban", "become", "buy", "drink", "eat", "for", "from", "have", "learn", "love", "need", "of",
    "on", "teach", "want", "with", "without",
];

pub fn is_end(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

fn closes(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | '」' | '』')
}

/// Plain words without Markdown, brackets or double quotation marks, which mean something here.
pub fn clean(text: &str) -> String {
    let mut opened = false;
    let mark = |c: char| match c {
        '[' => '(',
        ']' => ')',
        '“' | '„' => '‘',
        '”' => '’',
        '"' => {
            opened = !opened;
            if opened { '‘' } else { '’' }
        }
        c => c,
    };
    settled(text.chars().map(mark).collect())
}

/// Taking one mark off may leave another.
fn settled(text: String) -> String {
    let plainer = plain(&text, "");
    if plainer == text { text } else { settled(plainer) }
}

/// Does a sentence end within this text, wherever it stands?
pub fn has_end(text: &str) -> bool {
    let ends = |(at, c): (usize, char)| is_end(c) && (!c.is_ascii() && c != '…' || closes_off(&text[at + c.len_utf8()..]));
    text.char_indices().any(ends)
}

fn closes_off(behind: &str) -> bool {
    let behind = behind.trim_start_matches(|c| is_end(c) || closes(c));
    behind.is_empty() || behind.starts_with(char::is_whitespace)
}

/// The text without marks that would end a sentence in it.
pub fn without_ends(text: &str) -> String {
    let ends = |(at, c): &(usize, char)| is_end(*c) && (!c.is_ascii() && *c != '…' || closes_off(&text[at + c.len_utf8()..]));
    let kept: String = text.char_indices().filter(|place| !ends(place)).map(|(_, c)| c).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What they are called; those whose name is nothing but marks, by their id.
pub fn name(name: &str, id: &str) -> String {
    let name = without_ends(&clean(name));
    if name.chars().any(char::is_alphanumeric) { name } else { id.to_owned() }
}

/// Does the text call that name, as a word of its own?
pub fn calls(text: &str, name: &str) -> bool {
    let apart = |text: &str| text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect::<String>();
    format!(" {} ", apart(text)).contains(&format!(" {} ", apart(name).trim()))
}

pub struct Motion {
    /// “how to achieve peace and prosperity” as it is woven into a sentence, everything else in quotation marks.
    pub woven: String,
    words: Vec<String>,
    /// Without the marks around it.
    bare: String,
}

impl Motion {
    pub fn read(topic: &str) -> Self {
        let quoted = format!("a “{}”", clean(topic));
        let asks = topic.trim_end().ends_with(['?', '？']);
        // Sentences are told apart as they may be inside the quotation marks, behind a capital or not.
        let parts: Vec<String> = sentences(&quoted).into_iter().map(|part| open_ended(part.strip_prefix("a “").unwrap_or(part))).collect();
        let bare = parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" – ");
        let words = words(&bare);
        let woven = match woven(&bare) {
            Some(woven) => woven,
            None if bare.is_empty() => "this".to_owned(),
            None => format!("“{bare}{}”", if asks { "?" } else { "" }),
        };
        Motion { woven, words, bare }
    }

    /// One of the things it is about, as it stands within a sentence.
    pub fn word(&self, at: usize) -> &str {
        self.words.get(at % self.words.len().max(1)).map_or("this motion", String::as_str)
    }

    /// Is the text a piece of it, or it of the text?
    pub fn overlaps(&self, text: &str) -> bool {
        let (bare, text) = (self.bare.to_lowercase(), text.to_lowercase());
        bare.contains(&text) || (bare.chars().count() >= LETTERS && text.contains(&bare))
    }
}

/// Without the marks at its end, except those that close what was opened in it.
fn open_ended(part: &str) -> String {
    let part = part.strip_suffix('”').unwrap_or(part);
    let kept = part.trim_end_matches(|c: char| is_end(c) || closes(c) || c.is_whitespace());
    let closing: String = part[kept.len()..].chars().filter(|c| closes(*c)).collect();
    kept.to_owned() + &closing
}

/// An indirect question goes on without quotation marks.
fn woven(bare: &str) -> Option<String> {
    let lower = bare.to_lowercase();
    let indirect = ["how to ", "whether ", "what to ", "when to ", "where to "].iter().any(|start| lower.starts_with(start));
    (indirect && !bare.contains(" – ")).then(|| lower_first(bare))
}

/// What the motion is about: its telling words, neighbours together, in quotation marks unless they stand in it as the name of something.
fn words(bare: &str) -> Vec<String> {
    let mut found: Vec<Found> = vec![];
    let mut before = "";
    for (i, word) in bare.split(' ').enumerate() {
        let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
        // The first word asks.
        if is_telling(inner) && (i > 0 || !bare.contains(' ')) {
            match found.last_mut() {
                Some(last) if last.open && word.starts_with(inner) => {
                    last.text += &format!(" {inner}");
                    last.open = false;
                }
                last => {
                    let before = Before::of(before, last.as_deref());
                    found.push(Found { text: inner.to_owned(), before, open: word.ends_with(inner) });
                }
            }
        } else if let Some(last) = found.last_mut() {
            last.open = false;
        }
        before = word;
    }
    // A name reads best; a long word stands out among short ones.
    let named = found.iter().any(Found::is_name);
    let long = found.iter().any(|found| found.text.chars().count() > LETTERS);
    found.retain(|found| if named { found.is_name() } else { !long || found.text.chars().count() > LETTERS });
    found.into_iter().map(Found::spoken).collect()
}

struct Found {
    text: String,
    before: Before,
    /// May be joined by its neighbour.
    open: bool,
}

/// What stands before it in the motion.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Article,
    Naming,
    Other,
}

impl Before {
    fn of(word: &str, last: Option<&Found>) -> Self {
        match word.to_lowercase().as_str() {
            "and" => last.map_or(Before::Other, |last| last.before),
            word if NAMING.contains(&word) => Before::Naming,
            "a" | "an" | "the" | "our" | "my" | "your" | "its" | "their" => Before::Article,
            _ => Before::Other,
        }
    }
}

impl Found {
    fn is_name(&self) -> bool {
        let one = !self.text.ends_with('s') && !self.text.ends_with("ly");
        self.before != Before::Other && one && self.text.chars().all(|c| c.is_ascii_lowercase() || c == ' ')
    }

    fn spoken(self) -> String {
        match self.before {
            _ if !self.is_name() => format!("“{}”", self.text),
            Before::Article => format!("the {}", self.text),
            _ => self.text,
        }
    }
}

fn is_telling(word: &str) -> bool {
    let letters = word.chars().count();
    // Scripts without spaces make one word of a sentence.
    let most = if word.is_ascii() { WORD_CHARS } else { WORD_CHARS / 2 };
    let plain = word.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '’');
    plain && (LETTERS..=most).contains(&letters) && !EMPTY_WORDS.contains(&word.to_lowercase().as_str())
}

pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// As it goes on within a sentence: “I” and what looks like a name stay as they are.
pub fn lower_first(text: &str) -> String {
    let mut words = text.split(' ');
    let first = words.next().unwrap_or_default();
    let name = first.chars().skip(1).any(|c| c.is_uppercase() || c.is_numeric())
        || words.next().is_some_and(|next| next.starts_with(char::is_uppercase) && next != "I");
    if name || first == "I" || first.starts_with("I’") {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_is_woven_in_or_quoted() {
        let check = |topic: &str, woven: &str, words: [&str; 2]| {
            let motion = Motion::read(topic);
            assert_eq!((motion.woven.as_str(), [motion.word(0), motion.word(1)]), (woven, words), "{topic}");
        };
        check("How to achieve peace and prosperity", "how to achieve peace and prosperity", ["peace", "prosperity"]);
        check("Should we have lunch?", "“Should we have lunch?”", ["lunch", "lunch"]);
        check("Should our bakery chain sell online?", "“Should our bakery chain sell online?”", ["the bakery chain", "the bakery chain"]);
        check("Do customers read  labels ??", "“Do customers read labels?”", ["“customers read”", "“labels”"]);
        check("We grow. Do “they”?", "“We grow – Do ‘they’?”", ["this motion", "this motion"]);
        check("我们吃饭吗？", "“我们吃饭吗?”", ["“我们吃饭吗”", "“我们吃饭吗”"]);
        check("?!", "this", ["this motion", "this motion"]);
    }

    #[test]
    fn a_name_is_told_from_other_words_and_ends_no_sentence() {
        assert!(calls("Bo’s boldness", "Bo") && !calls("Boldness is not noise", "Bo"));
        for (given, spoken) in [("Dr. Who?", "Dr Who"), ("**Max** [2]", "Max (2)"), ("!!!", "persona-1"), ("Ada 3.5", "Ada 3.5")] {
            assert_eq!(name(given, "persona-1"), spoken);
        }
    }
}
