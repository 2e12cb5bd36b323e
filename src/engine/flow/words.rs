//! Texts as people hand them in, and how they are told in few words.

/// What is wrong with it, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("This is empty.")]
    Empty,
    #[error("This has {} characters; {} are the most.", thousands(*chars), thousands(*most))]
    Long { chars: usize, most: usize },
    #[error("This holds control characters, which no person types.")]
    Control,
}

impl Fault {
    /// The sentence, and where nothing was written another one that says what to write.
    pub fn with(&self, remedy: &str) -> String {
        if *self == Fault::Empty { format!("{self} {remedy}") } else { self.to_string() }
    }
}

/// Is this a text a person may hand in, of `most` characters at most?
pub fn check(text: &str, most: usize) -> Result<(), Fault> {
    let chars = text.chars().count();
    match () {
        () if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) => Err(Fault::Control),
        () if text.chars().all(|c| c.is_whitespace() || is_invisible(c)) => Err(Fault::Empty),
        () if chars > most => Err(Fault::Long { chars, most }),
        () => Ok(()),
    }
}

/// Zero-width characters, which `is_whitespace` does not count.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
}

/// 4000 → 4,000
fn thousands(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", thousands(number / 1000), number % 1000) }
}

/// Without line breaks and other control characters: in a prompt a line of its own could pass for somebody's words.
pub fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// On one line, and cut at the end of a word where it has more characters than that.
pub fn shortened(text: &str, most: usize) -> String {
    let line = one_line(text);
    if line.chars().count() <= most {
        return line;
    }
    let cut = |chars: usize| line.chars().take(chars).collect::<String>();
    let words = cut(most).rsplit_once(' ').map(|(words, _)| words.to_owned()).unwrap_or_default();
    // A language without spaces, or one very long word, is cut anywhere.
    let kept = if words.chars().count() * 2 < most { cut(most - 1) } else { words };
    format!("{}…", kept.trim_end_matches([',', ';', ':', '.', '-', '–', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_visible_typed_and_of_its_length() {
        for (text, expect) in [
            ("", Err(Fault::Empty)),
            (" \n\u{200b}\u{a0}\u{feff}", Err(Fault::Empty)),
            ("a\u{200b}", Ok(())),
            ("line\r\n\tl 李", Ok(())),
            ("123456789 ", Ok(())),
            ("1234567890 ", Err(Fault::Long { chars: 11, most: 10 })),
            ("q\u{1b}[31m", Err(Fault::Control)),
            ("\u{0}", Err(Fault::Control)),
        ] {
            assert_eq!(check(text, 10), expect, "{text:?}");
        }
    }

    #[test]
    fn faults_say_what_to_do() {
        let long = Fault::Long { chars: 1_234_567, most: 4_000 };
        assert_eq!(Fault::Empty.with("Write something."), "This is empty. Write something.");
        assert_eq!(long.with("Write something."), "This has 1,234,567 characters; 4,000 are the most.");
    }
}
