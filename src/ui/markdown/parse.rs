//! Markdown as HTML: a small safe part of it. Text is data here: HTML in it is shown as text, images are
//! their description, and only http(s) links lead anywhere.

use super::super::escaped;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

/// A top-level block: where it begins in the text (bytes), and its HTML.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub start: usize,
    pub html: String,
}

/// Text to blocks.
pub type Parse = fn(&str) -> Vec<Block>;

/// No list marker is longer (three spaces, nine digits, a dot): a longer line is none, whatever follows.
const MARKER: usize = 16;

/// The blocks of a text that grows. All but the last one or two are frozen: they are not parsed again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks {
    pub blocks: Vec<Block>,
    text: String,
    /// Links are explained somewhere: that may concern any block.
    references: bool,
}

impl Blocks {
    /// Parses only from the open blocks on when `text` continues the old one; answers how many blocks, from the
    /// first on, are as they were.
    pub fn update(&mut self, text: &str, parse: Parse) -> usize {
        let from = self.open(text);
        self.references |= text[from..].contains("]:");
        let from = if self.references { 0 } else { from };
        let frozen = self.blocks.partition_point(|block| block.start < from);
        let old = self.blocks.split_off(frozen);
        self.blocks.extend(parse(&text[from..]).into_iter().map(|block| Block { start: from + block.start, ..block }));
        if from == 0 && !text.starts_with(&self.text) {
            self.text.clear();
        }
        self.text.push_str(&text[self.text.len()..]);
        frozen + old.iter().zip(&self.blocks[frozen..]).take_while(|(old, new)| old == new).count()
    }

    /// Where the first block begins that more text may still change.
    fn open(&self, text: &str) -> usize {
        let [.., before, last] = &*self.blocks else { return 0 };
        if !text.starts_with(&self.text) {
            return 0;
        }
        // What seems to begin a block may yet turn out to belong to the one before it: an empty list item, a table
        // or a fence whose first lines are not complete.
        let (above, below) = self.text.split_at(last.start);
        let apart = above.ends_with("\n\n") && below.lines().next().is_some_and(|line| line.len() >= MARKER);
        if apart || below.matches('\n').nth(1).is_some() { last.start } else { before.start }
    }
}

pub fn parse(text: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let (mut blocks, mut events, mut depth, mut start) = (Vec::new(), Vec::new(), 0, 0);
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        if events.is_empty() && depth == 0 {
            // With its indentation, so that it is the same block when it is parsed alone.
            start = text[..range.start].rfind('\n').map_or(0, |before| before + 1);
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        events.extend(harmless(event));
        if depth == 0 {
            let mut html = String::new();
            html::push_html(&mut html, events.drain(..));
            blocks.push(Block { start, html });
        }
    }
    blocks
}

/// Nothing raw, nothing remote.
fn harmless(event: Event<'_>) -> Vec<Event<'_>> {
    match event {
        Event::Html(raw) | Event::InlineHtml(raw) => vec![Event::Text(raw)],
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => vec![],
        Event::Start(Tag::HtmlBlock) => vec![Event::Start(Tag::Paragraph)],
        Event::End(TagEnd::HtmlBlock) => vec![Event::End(TagEnd::Paragraph)],
        Event::Start(Tag::Heading { .. }) => vec![Event::Start(Tag::Paragraph), Event::Start(Tag::Strong)],
        Event::End(TagEnd::Heading(_)) => vec![Event::End(TagEnd::Strong), Event::End(TagEnd::Paragraph)],
        Event::Start(Tag::Link { dest_url, .. }) => vec![Event::InlineHtml(format!("<a{}>", href(&dest_url)).into())],
        Event::End(TagEnd::Link) => vec![Event::InlineHtml("</a>".into())],
        event => vec![event],
    }
}

fn href(url: &str) -> String {
    let leads = url.starts_with("https://") || url.starts_with("http://");
    if !leads {
        return String::new();
    }
    format!(" href=\"{}\" rel=\"noopener nofollow\" target=\"_blank\"", escaped(url))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn html(text: &str) -> String {
        parse(text).into_iter().map(|block| block.html).collect()
    }

    #[test]
    fn hostile_text_stays_text() {
        for (text, expect) in [
            ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"),
            ("a <img src=x onerror=y> b", "<p>a &lt;img src=x onerror=y&gt; b</p>\n"),
            ("![pixel](https://evil.example/p.png)", "<p>pixel</p>\n"),
            ("[x](javascript:alert(1))", "<p><a>x</a></p>\n"),
            (
                "[x](https://a.example/?q=\"><b>)",
                "<p><a href=\"https://a.example/?q=&quot;&gt;&lt;b&gt;\" rel=\"noopener nofollow\" target=\"_blank\">x</a></p>\n",
            ),
            ("# Title", "<p><strong>Title</strong></p>\n"),
        ] {
            assert_eq!(html(text), expect, "{text}");
        }
    }

    /// Grows a text piece by piece, and after each compares with parsing it at once.
    fn check(pieces: &[&str]) {
        let (mut text, mut grown) = (String::new(), Blocks::default());
        for piece in pieces {
            let before = grown.blocks.clone();
            text.push_str(piece);
            let same = grown.update(&text, parse);
            assert_eq!(grown.blocks, parse(&text), "{text:?}");
            assert_eq!(before.get(..same), grown.blocks.get(..same), "{text:?}");
        }
    }

    #[test]
    fn what_seems_to_begin_a_block_may_still_belong_to_the_one_before() {
        for text in [
            "1. a\n\n2. b\n\n10) c",
            "- a\n\n- b\n\n-- c",
            "para\na|b\n-|-x\n",
            "para\na|b\n-|-\nc|d\n\nafter",
            "para\n```a b c d e f g h i j k l m n`\nx",
            "para\n*** x",
            "para\n<div>\nx\n\n<divine\ny",
            "a\n\n      code\n\n      more\n\nb",
            "> a\nb\n\nc\n---\n",
            "see [a] and [b][c]\n\nmore\n\nand more of it, at length\n\n[a]: https://a.example\n[c]: https://c.example",
        ] {
            check(&text.split_inclusive(|_| true).collect::<Vec<_>>());
        }
    }

    proptest! {
        #[test]
        fn growing_is_the_same_as_parsing_at_once(pieces in proptest::collection::vec(
            "[a-z*`#>|_ -]{0,6}|\n|\n\n|1\\. |[0-9]{1,2}|- |```\n|    |<div>|a\\|b\n-\\|-|---|a sentence of some length", 0..40)) {
            check(&pieces.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_answer_of_20_kb_in_4000_pieces_ends_as_one_parse() {
        let answer = include_str!("../../../benches/table/answer.md").repeat(25);
        let mut grown = Blocks::default();
        for end in (1..=4_000).map(|piece| answer.len() * piece / 4_000).filter(|end| answer.is_char_boundary(*end)) {
            grown.update(&answer[..end], parse);
        }
        assert_eq!(grown.blocks, parse(&answer));
    }
}
