//! Markdown as HTML: a small safe part of it. Text is data here: HTML in it is shown as text, images are
//! their description, and only http(s) links lead anywhere.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

/// A top-level block: where it begins in the text (bytes), and its HTML.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub start: usize,
    pub html: String,
}

/// Text to blocks.
pub type Parse = fn(&str) -> Vec<Block>;

/// The blocks of a text that grows. All but the last two are frozen: they are not parsed again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks {
    pub blocks: Vec<Block>,
    text: String,
}

impl Blocks {
    /// Parses only from the last block on when `text` continues the old one.
    pub fn update(mut self, text: &str, parse: Parse) -> Self {
        if !text.starts_with(&self.text) {
            self.blocks.clear();
        }
        // A block may still take in the one behind it, as an empty list item does: two are open.
        self.blocks.truncate(self.blocks.len().saturating_sub(1));
        let from = self.blocks.pop().map_or(0, |open| open.start);
        self.blocks.extend(parse(&text[from..]).into_iter().map(|block| Block { start: from + block.start, ..block }));
        self.text = text.to_owned();
        self
    }
}

pub fn parse(text: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let (mut blocks, mut events, mut depth, mut start) = (Vec::new(), Vec::new(), 0, 0);
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        if events.is_empty() && depth == 0 {
            start = range.start;
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
    let escaped = url.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
    format!(" href=\"{escaped}\" rel=\"noopener nofollow\" target=\"_blank\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn html(text: &str) -> String {
        Blocks::default().update(text, parse).blocks.into_iter().map(|block| block.html).collect()
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

    proptest! {
        #[test]
        fn growing_is_the_same_as_parsing_at_once(words in proptest::collection::vec("[a-z*`#>|_ -]{0,6}|\n|\n\n|1\\. |- |```\n", 0..40)) {
            let mut text = String::new();
            let mut grown = Blocks::default();
            for word in words {
                text.push_str(&word);
                grown = grown.update(&text, parse);
            }
            prop_assert_eq!(grown.blocks, Blocks::default().update(&text, parse).blocks);
        }
    }
}
