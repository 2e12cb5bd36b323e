//! A run as a file that stands by itself: Markdown for people, JSON for programs. Whatever people and models said is
//! quoted, so that no line of theirs becomes a part of the document.

use super::facts::{facts, models};
use crate::{
    engine::server::{Passage, Reading, now},
    http,
    store::{EventRow, RunRow},
};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::json;
use std::ops::Range;

/// Bytes of a file's name without its kind.
const MAX_NAME: usize = 60;
/// Rounds in which harm is taken out of a text before all of it becomes mere words.
const ROUNDS: usize = 8;

pub fn as_json(row: &RunRow, reading: &Reading, log: &[EventRow]) -> String {
    let mut document = json!(http::document(row, reading, log));
    (document["models"], document["exportedAt"]) = (json!(models(&reading.progress)), json!(now()));
    format!("{document:#}\n")
}

pub fn as_markdown(row: &RunRow, reading: &Reading) -> String {
    let facts: Vec<String> = facts(row, reading).iter().map(|(name, value)| format!("- {name}: {}", plain(value))).collect();
    let passages = reading.transcript.iter().map(passage);
    let parts = [format!("# {}", plain(&row.title)), facts.join("\n")].into_iter().chain(passages);
    parts.collect::<Vec<_>>().join("\n\n") + "\n"
}

fn passage(passage: &Passage) -> String {
    match passage {
        Passage::Part(name) => format!("## {}", plain(name)),
        Passage::Said { who, text, markdown, mark } => {
            let mark = mark.as_ref().map(|mark| format!(" ({})", plain(mark))).unwrap_or_default();
            format!("**{}**{mark}\n\n{}", plain(who), if *markdown { quotation(text) } else { quoted_words(text) })
        }
        Passage::Findings { of, items } => {
            let items: Vec<String> = items.iter().map(|item| format!("- {}", plain(item))).collect();
            format!("**{}**\n\n{}", plain(of), items.join("\n")).trim_end().to_owned()
        }
    }
}

/// Every way to end a line that readers of Markdown know.
fn lines(text: &str) -> Vec<String> {
    text.trim().replace("\r\n", "\n").split(['\n', '\r']).map(str::to_owned).collect()
}

/// Somebody's Markdown in a quotation, as harmless as it is on a page: HTML is text in it, an image its description, and only http(s)
/// links lead anywhere.
pub fn quotation(markdown: &str) -> String {
    let mut text = quoted(markdown);
    for _ in 0..ROUNDS {
        let edits = edits(&text);
        if edits.is_empty() {
            return text;
        }
        // What was taken out may have hidden more of it.
        edits.into_iter().rev().for_each(|(range, instead)| text.replace_range(range, &instead));
    }
    quoted_words(markdown)
}

/// Somebody's Markdown in a quotation, which none of its lines can leave.
fn quoted(markdown: &str) -> String {
    lines(markdown).iter().map(|line| format!("> {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// Somebody's words in a quotation, line by line as they stand.
fn quoted_words(text: &str) -> String {
    let lines: Vec<String> = lines(text).iter().map(|line| format!("> {}", plain(line)).trim_end().to_owned()).collect();
    // Two spaces keep the end of a line.
    lines.join("  \n")
}

/// One line of mere words: no sign in it means anything to readers of Markdown.
pub fn plain(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut safe = String::with_capacity(line.len());
    // A number with a stop, and some signs, begin a list or a heading where a line begins.
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    for (at, c) in line.char_indices() {
        let opens = (at == 0 && matches!(c, '-' | '+' | '=')) || (at == digits && digits > 0 && matches!(c, '.' | ')'));
        if opens || matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '~' | '|' | '&') {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}

/// What could act on whoever opens the file, and what stands there instead, in their order.
fn edits(markdown: &str) -> Vec<(Range<usize>, String)> {
    let parser = Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    // An address that is given apart would serve what others have written in the same document as well.
    let definitions = parser.reference_definitions().iter().map(|(_, definition)| definition.span.start);
    let mut edits: Vec<(Range<usize>, String)> = definitions.map(|start| (start..start, "\\".to_owned())).collect();
    let (mut end, mut words) = (0, String::new());
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Text(text) | Event::Code(text) if range.start < end => words.push_str(&text),
            Event::SoftBreak | Event::HardBreak if range.start < end => words.push(' '),
            Event::End(TagEnd::Image | TagEnd::Link) if range.end == end => {
                edits.push((range, plain(&words)));
                (end, words) = (0, String::new());
            }
            _ if range.start < end => {}
            Event::Html(_) | Event::InlineHtml(_) => edits.push((range.clone(), markdown[range].replace('<', "&lt;"))),
            Event::Start(Tag::Image { .. }) => end = range.end,
            Event::Start(Tag::Link { dest_url, .. }) if !is_page(&dest_url) => end = range.end,
            _ => {}
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    edits
}

fn is_page(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// A `Content-Disposition` with a name made from the title that is safe on every system.
pub fn attachment(title: &str, kind: &str) -> String {
    let words: Vec<String> = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let name = words.into_iter().fold(String::new(), |name, word| match (name.is_empty(), name.len() + word.len() < MAX_NAME) {
        (true, true) => word,
        (false, true) => format!("{name}-{word}"),
        (_, false) => name,
    });
    let name = if name.is_empty() { "conversation".to_owned() } else { name };
    let ascii: String = name.chars().map(|c| if c.is_ascii() { c } else { '-' }).collect();
    let encoded: String = name
        .bytes()
        .map(|b| if b.is_ascii_alphanumeric() || b == b'-' { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect();
    format!("attachment; filename=\"{ascii}.{kind}\"; filename*=UTF-8''{encoded}.{kind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands in the document itself, outside every quotation: its headings, and whether there is HTML anywhere.
    fn outline(markdown: &str) -> (Vec<String>, bool) {
        let (mut depth, mut heading, mut headings, mut html) = (0, None::<String>, Vec::new(), false);
        for event in Parser::new(markdown) {
            match event {
                Event::Start(Tag::BlockQuote(_)) => depth += 1,
                Event::End(TagEnd::BlockQuote(_)) => depth -= 1,
                Event::Start(Tag::Heading { .. }) if depth == 0 => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => headings.extend(heading.take()),
                Event::Text(text) => heading.iter_mut().for_each(|heading| heading.push_str(&text)),
                Event::Html(_) | Event::InlineHtml(_) => html = true,
                _ => {}
            }
        }
        (headings, html)
    }

    #[test]
    fn no_line_of_theirs_becomes_a_part_of_the_document() {
        let hostile = [
            "# A heading",
            "\r# After a lone return",
            "x\n===\ny\n---",
            "```\nnever closed",
            "<script>alert(1)</script>",
            "<!-- never closed",
            "\\<script>x</script>",
            "a <b onclick=x>b</b> `<i>`",
            "- a\n\n# b",
            "1. x\n\n    # y",
            "[x]: y\n# z",
            "<details>\n```\n</details>\n\n```\n<img src=x>",
            "> > a\n# b",
            "</blockquote>\n\n# out",
            "\u{2028}# x",
            "|a|\n|-|\n# x",
            "![# x\n# y](http://evil.example/i.png)",
        ];
        for text in hostile {
            for markdown in [true, false] {
                let said = Passage::Said { who: text.into(), text: text.into(), markdown, mark: Some(text.into()) };
                let findings = Passage::Findings { of: text.into(), items: vec![text.into()] };
                let whole = format!("{}\n\n{}\n\n## End\n", passage(&said), passage(&findings));
                assert_eq!(outline(&whole), (vec!["End".to_owned()], false), "{text:?} became\n{whole}");
            }
        }
    }

    #[test]
    fn images_and_what_is_no_page_are_words() {
        for (markdown, expect) in [
            ("A ![pixel](http://evil.example/i.png) b", "> A pixel b"),
            ("[x](javascript:alert(1))", "> x"),
            ("[*x* `y`\nz](java&#115;cript:1)", "> x y z"),
            ("[![a \\[b\\]](http://evil.example/i.png)](data:x)", "> a \\[b\\]"),
            ("[![a](http://evil.example/i.png)](https://a.example)", "> [a](https://a.example)"),
            ("<javascript:alert(1)> <a@a.example>", "> javascript:alert(1) a@a.example"),
            ("<b title=\"[x](javascript:1)\">", "> &lt;b title=\"x\">"),
            (
                "![x] [y]\n\n[x]: http://evil.example/i.png\n[y]: javascript:1",
                "> x y\n>\n> \\[x]: http://evil.example/i.png\n> \\[y]: javascript:1",
            ),
            ("    ![x](http://evil.example/i.png)", "> x"),
            ("- [a](https://a.example/?b \"c\") and <http://b.example>", "> - [a](https://a.example/?b \"c\") and <http://b.example>"),
        ] {
            assert_eq!(quotation(markdown), expect, "{markdown}");
        }
    }

    #[test]
    fn nothing_harmful_is_left_however_deep_it_hides() {
        let deep = (0..40).fold("x".to_owned(), |inner, i| format!("![{inner}](http://evil.example/{i})\n\n[x]: javascript:{i}"));
        for text in [
            deep.as_str(),
            "<a <b [x](javascript:1)>",
            "\t![x](http://evil.example)",
            "![x][y]",
            "|![x](y)|\n|-|\n|[x](y)|",
            "<i>\n![x](y)\n</i>",
        ] {
            // Another text in the same document names an address.
            let whole = format!("{}\n\n{}", quotation(text), quotation("[y]: http://evil.example\n\n[x]: javascript:1"));
            for event in Parser::new_ext(&whole, Options::ENABLE_TABLES) {
                let harms = match &event {
                    Event::Start(Tag::Link { dest_url, .. }) => !is_page(dest_url),
                    Event::Start(Tag::Image { .. }) | Event::Html(_) | Event::InlineHtml(_) => true,
                    _ => false,
                };
                assert!(!harms, "{event:?} in\n{whole}");
            }
        }
    }

    #[test]
    fn words_stay_what_they_are() {
        for text in ["1. x", "- x", "a_b*c", "5 < 6 & 7 > 2", "[x](javascript:1)", "C:\\x", "100 % | ~x~", "#1"] {
            let mut words = String::new();
            for event in Parser::new(&quoted_words(text)) {
                if let Event::Text(text) = event {
                    words.push_str(&text);
                }
            }
            assert_eq!(words, text);
        }
        assert_eq!(quoted("**a**\n\n- b"), "> **a**\n>\n> - b");
    }

    #[test]
    fn file_names_are_safe_and_made_from_the_title() {
        let check = |title: &str, ascii: &str, encoded: &str| {
            assert_eq!(attachment(title, "md"), format!("attachment; filename=\"{ascii}.md\"; filename*=UTF-8''{encoded}.md"));
        };
        check("Marta: Which card reader?", "marta-which-card-reader", "marta-which-card-reader");
        check("../../etc/passwd\"\r\nx: y", "etc-passwd-x-y", "etc-passwd-x-y");
        check("Zoë", "zo-", "zo%C3%AB");
        check("…", "conversation", "conversation");
        check(&"word ".repeat(40), &["word"; 12].join("-"), &["word"; 12].join("-"));
    }
}
