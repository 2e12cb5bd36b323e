//! What a model wrote, as plain sentences: cut where it says too much, and with the numbers of the messages they rest on.

use super::tools::MESSAGE_CHARS;
use crate::engine::flow::words::one_line;

/// Ends of words that are not ends of sentences.
const ABBREVIATIONS: [&str; 15] = ["mr", "mrs", "ms", "dr", "st", "prof", "gen", "sen", "vs", "cf", "e.g", "i.e", "etc", "approx", "jr"];

/// Plain words on one line: without the name in front, emphasis, headings and bullets.
pub fn plain(text: &str, name: &str) -> String {
    let line = |line: &str| {
        let line = line.trim().trim_start_matches('#').trim_start_matches("- ").trim_start_matches("* ").trim_start_matches("> ").trim();
        line.replace("**", "").replace("__", "").replace('`', "")
    };
    let words = one_line(&text.lines().map(line).collect::<Vec<_>>().join(" "));
    let own = words.strip_prefix(name).and_then(|rest| rest.trim_start().strip_prefix(':')).map(|rest| rest.trim_start().to_owned());
    own.filter(|rest| !rest.is_empty()).unwrap_or(words)
}

/// The sentences of a text on one line, each with its end and the marks `[1]` behind it.
pub fn sentences(text: &str) -> Vec<&str> {
    let (mut found, mut from) = (Vec::new(), 0);
    // Whoever begins without a capital ends no less.
    let capitals = !text.trim_start().starts_with(char::is_lowercase);
    for (at, c) in text.char_indices() {
        // What is behind the last end is looked at once more only from there on.
        if at < from || !is_end(c) {
            continue;
        }
        let end = with_marks(text, closed(text, at + c.len_utf8()));
        if ends_sentence(&text[from..at], c, &text[end..], capitals) {
            found.push(text[from..end].trim());
            from = end;
        }
    }
    found.push(text[from..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

fn is_end(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

/// Behind further ends, and quotes and brackets that close.
fn closed(text: &str, from: usize) -> usize {
    let behind = text[from..].find(|c: char| !is_end(c) && !matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | '」' | '』'));
    behind.map_or(text.len(), |behind| from + behind)
}

/// Behind the marks that follow, which belong to what they stand behind.
fn with_marks(text: &str, from: usize) -> usize {
    let mut end = from;
    while let Some((_, length)) = mark(text[end..].trim_start()) {
        end += text[end..].len() - text[end..].trim_start().len() + length;
    }
    end
}

/// `capitals`: sentences begin with one.
fn ends_sentence(before: &str, end: char, behind: &str, capitals: bool) -> bool {
    if !behind.is_empty() && !behind.starts_with(char::is_whitespace) {
        return matches!(end, '。' | '！' | '？');
    }
    if end != '.' {
        return true;
    }
    // Marks in it change nothing.
    let before = without_marks(before);
    let word = before.trim_end().rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase) && word != "I";
    let goes_on = capitals && behind.trim_start().starts_with(char::is_lowercase);
    let number = word.eq_ignore_ascii_case("no") && behind.trim_start().starts_with(|c: char| c.is_ascii_digit());
    !(initial || goes_on || number || (!behind.is_empty() && ABBREVIATIONS.contains(&word.to_ascii_lowercase().as_str())))
}

/// The first `most` sentences, and whether there were more. Of a text whose end is missing, what has no end is
/// left out, unless it is all there is.
pub fn shorten(text: &str, most: usize, cut: bool) -> (String, bool) {
    let mut sentences = sentences(text);
    if cut && sentences.len() > 1 && !sentences.last().is_some_and(|last| last.contains(is_end)) {
        sentences.pop();
    }
    let more = sentences.len() > most;
    sentences.truncate(most);
    let text = sentences.join(" ");
    match text.char_indices().nth(MESSAGE_CHARS - 1).filter(|_| text.chars().count() > MESSAGE_CHARS) {
        Some((end, _)) => (format!("{}…", &text[..end]), true),
        None => (text, more || cut),
    }
}

/// A sentence and the numbers of the messages that it names as its ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Supported {
    pub text: String,
    pub messages: Vec<u32>,
}

/// Takes the marks `[3]`, `[1, 4]`, `[2-5]` out of a text. Numbers that name none of the `messages` (from 1) are dropped. The
/// texts, joined by spaces, have exactly these [`sentences`].
pub fn supported(text: &str, messages: usize) -> Vec<Supported> {
    let pieces: Vec<Supported> =
        sentences(text).into_iter().map(|sentence| unmark(sentence, messages)).filter(|sentence| !sentence.text.is_empty()).collect();
    let joined = pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>().join(" ");
    // Without its marks a text may have its ends elsewhere: each piece belongs to the sentence that it begins in.
    let (mut begins, mut pieces) = (0, pieces.into_iter().peekable());
    let sentence = |sentence: &str| {
        let end = sentence.as_ptr() as usize - joined.as_ptr() as usize + sentence.len();
        let mut numbers = Vec::new();
        while let Some(piece) = pieces.next_if(|_| begins < end) {
            begins += piece.text.len() + 1;
            numbers.extend(piece.messages);
        }
        numbers.sort_unstable();
        numbers.dedup();
        Supported { text: sentence.to_owned(), messages: numbers }
    };
    sentences(&joined).into_iter().map(sentence).collect()
}

fn unmark(sentence: &str, messages: usize) -> Supported {
    let (mut text, mut numbers, mut rest) = (String::new(), Vec::new(), sentence);
    while let Some(at) = rest.find('[') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        match mark(rest) {
            Some((named, length)) => {
                numbers.extend(named);
                // No gap is left where a mark stood before the end.
                text.truncate(text.trim_end().len());
                rest = &rest[length..];
            }
            None => {
                text.push('[');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    numbers.retain(|number| (1..=messages as u32).contains(number));
    Supported { text: text.trim().to_owned(), messages: numbers }
}

/// Numbers in a range of a mark, at most.
const RANGE: u32 = 60;

/// The mark that a text begins with: its numbers, and its length in bytes.
fn mark(text: &str) -> Option<(Vec<u32>, usize)> {
    let (inner, _) = text.strip_prefix('[')?.split_once(']')?;
    let mut numbers = Vec::new();
    for piece in inner.split([',', ';']).map(str::trim) {
        match piece.split_once(['-', '–']) {
            Some((first, last)) => {
                let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
                numbers.extend(first..=last.min(first.saturating_add(RANGE)));
            }
            None => numbers.push(piece.parse().ok()?),
        }
    }
    Some((numbers, inner.len() + 2))
}

/// A text while it is being written, without its marks: what is still open to become one is held back.
pub fn without_marks(text: &str) -> String {
    let (mut words, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('[') {
        words.push_str(&rest[..at]);
        rest = &rest[at..];
        match (mark(rest), rest[1..].find(|c: char| !(c.is_ascii_digit() || matches!(c, ' ' | ',' | ';' | '-' | '–')))) {
            (Some((_, length)), _) => {
                words.truncate(words.trim_end().len());
                rest = &rest[length..];
            }
            (None, None) => {
                words.truncate(words.trim_end().len());
                return words;
            }
            (None, Some(_)) => {
                words.push('[');
                rest = &rest[1..];
            }
        }
    }
    words.push_str(rest);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_readers_end_them() {
        let check = |text: &str, expect: &[&str]| assert_eq!(sentences(text), expect, "{text}");
        check("", &[]);
        check("One. Two! Three?", &["One.", "Two!", "Three?"]);
        check("No end", &["No end"]);
        check("He said “stop.” Then he left.", &["He said “stop.”", "Then he left."]);
        check(
            "It grew by 3.5 percent. Dr. Smith, e.g. in St. Ives, agreed.",
            &["It grew by 3.5 percent.", "Dr. Smith, e.g. in St. Ives, agreed."],
        );
        check("J. S. Mill wrote so. So did I. And you?", &["J. S. Mill wrote so.", "So did I.", "And you?"]);
        check("Wait… what? Yes.", &["Wait…", "what?", "Yes."]);
        check("peace is calm. trade is not, e.g. in spring. who knows", &["peace is calm.", "trade is not, e.g. in spring.", "who knows"]);
        check("和平第一。贸易第二！", &["和平第一。", "贸易第二！"]);
        check("Trade joins them. [3][1] Law holds [2, 4].", &["Trade joins them. [3][1]", "Law holds [2, 4]."]);
        check("...", &["..."]);
    }

    #[test]
    fn what_says_too_much_is_cut_at_a_sentence() {
        assert_eq!(shorten("One. Two. Six.", 3, false), ("One. Two. Six.".into(), false));
        assert_eq!(shorten("One. Two. Six. Ten.", 3, false), ("One. Two. Six.".into(), true));
        assert_eq!(shorten("One. Two. And then the", 3, true), ("One. Two.".into(), true));
        assert_eq!(shorten("And then the", 3, true), ("And then the".into(), true));
    }

    #[test]
    fn names_and_markdown_are_taken_off() {
        assert_eq!(plain("Napoleon: **Order** first.\n\n- Then `law`.", "Napoleon"), "Order first. Then law.");
        assert_eq!(plain("Napoleon: ", "Napoleon"), "Napoleon:");
        assert_eq!(plain("Gandhi is wrong.", "Gandhi"), "Gandhi is wrong.");
    }

    #[test]
    fn support_is_read_and_checked() {
        let read: Vec<_> = supported("Law won [1][9]. Trade stayed [2, 4-5]. Nobody [sic] agreed.", 5)
            .into_iter()
            .map(|sentence| (sentence.text, sentence.messages))
            .collect();
        let expect = [("Law won.".to_owned(), vec![1]), ("Trade stayed.".into(), vec![2, 4, 5]), ("Nobody [sic] agreed.".into(), vec![])];
        assert_eq!(read, expect);
        assert_eq!(supported("x [1-4000000000].", 3)[0].messages, [1, 2, 3]);
    }

    #[test]
    fn grounds_stay_with_their_sentences() {
        let read = |text: &str| supported(text, 9).into_iter().map(|sentence| sentence.messages).collect::<Vec<_>>();
        assert_eq!(read("To war the answer was no [2]. Then Gandhi spoke of truth [3]. Alexander rode [4]."), [[2], [3], [4]]);
        assert_eq!(read("They took Plan B [1]. It held [2]."), [vec![1, 2]]);
        assert_eq!(read("Tea, etc [1]. Then coffee [2]."), [vec![1, 2]]);
    }

    proptest::proptest! {
        #[test]
        fn a_summary_has_the_sentences_it_is_read_with(text in "([A-Za-z]{1,4}|no|etc|B|\\[[0-9]\\]|[.!?…]|[.]\\[1\\]|\\(| ){0,30}") {
            let read = supported(&one_line(&text), 9);
            let joined = read.iter().map(|sentence| sentence.text.as_str()).collect::<Vec<_>>().join(" ");
            let again: Vec<&str> = sentences(&joined);
            proptest::prop_assert_eq!(again, read.iter().map(|sentence| sentence.text.as_str()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_text_without_end_is_cut_to_measure() {
        let (text, shortened) = shorten(&"wörd ".repeat(2_000), 3, false);
        assert!(shortened && text.chars().count() == MESSAGE_CHARS && text.ends_with('…'));
    }

    #[test]
    fn what_is_shown_while_it_is_written_only_grows() {
        let whole = "Law won [1][2]. Nobody [sic] agreed [3].";
        let mut last = String::new();
        for end in 0..=whole.len() {
            let now = without_marks(&whole[..end]);
            assert!(now.starts_with(last.trim_end()), "{last:?} → {now:?}");
            last = now;
        }
        assert_eq!(last, "Law won. Nobody [sic] agreed.");
    }
}
