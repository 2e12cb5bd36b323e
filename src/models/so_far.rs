//! Reading a tool call's arguments while they are being written.

/// That text among unfinished arguments, as far as they hold it.
pub fn so_far(arguments: &str, name: &str) -> String {
    let Some(value) = arguments.split_once(&format!("\"{name}\"")).and_then(|(_, rest)| rest.trim_start().strip_prefix(':')) else {
        return String::new();
    };
    let Some(text) = value.trim_start().strip_prefix('"') else { return String::new() };
    let mut escaped = false;
    let end = text.find(|c: char| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    let text = &text[..end.unwrap_or(text.len())];
    // An escape may be cut in the middle: then the part before it counts.
    let cuts = (text.len().saturating_sub(12)..=text.len()).rev().filter(|cut| text.is_char_boundary(*cut));
    cuts.filter_map(|cut| serde_json::from_str(&format!("\"{}\"", &text[..cut])).ok()).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_readable_while_it_is_written() {
        let whole = r#"{"phase": "discovery", "query" : "He said \"no\".\nWhy 5 \u20ac? \ud83d\ude00 ok"}"#;
        let expect = "He said \"no\".\nWhy 5 €? 😀 ok";
        assert_eq!(so_far(whole, "query"), expect);
        let mut last = String::new();
        for end in (0..=whole.len()).filter(|end| whole.is_char_boundary(*end)) {
            let now = so_far(&whole[..end], "query");
            assert!(expect.starts_with(&now), "{now:?}");
            assert!(now.starts_with(&last), "went back from {last:?} to {now:?}");
            last = now;
        }
    }
}
