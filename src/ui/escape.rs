//! Text in HTML that is written by hand.

/// Nothing in it is HTML any more, in an element as in a quoted attribute.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_stays_html() {
        assert_eq!(super::escaped(r#"<a href="x">&amp;</a>"#), "&lt;a href=&quot;x&quot;&gt;&amp;amp;&lt;/a&gt;");
    }
}
