//! What in a text refers to a source: marks such as `[7]` and `[3, 9]`, addresses of web pages, and Markdown's links.

/// A reference at the start of a text.
pub struct Reference<'a> {
    pub to: To<'a>,
    /// What is read in its place.
    pub label: &'a str,
    pub after: &'a str,
}

pub enum To<'a> {
    /// Numbers of sources; `None` is a number that no source can have.
    Numbers(Vec<Option<i64>>),
    Address(&'a str),
}

impl<'a> Reference<'a> {
    pub fn at(text: &'a str) -> Option<Self> {
        link(text).or_else(|| mark(text)).or_else(|| address(text))
    }
}

/// `[7]`, `[3, 9]`, `[^7]`.
fn mark(text: &str) -> Option<Reference<'_>> {
    let (inside, after) = text.strip_prefix('[')?.split_once(']')?;
    Some(Reference { to: To::Numbers(numbers(inside)?), label: "", after })
}

fn numbers(inside: &str) -> Option<Vec<Option<i64>>> {
    let inside = inside.trim().trim_start_matches('^');
    let plain = inside.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | ',' | ';' | '-' | '–'));
    let numbers = inside.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).map(|number| number.parse().ok());
    let numbers: Vec<_> = numbers.collect();
    (plain && !numbers.is_empty()).then_some(numbers)
}

/// `[words](https://…)`, with a title or without.
fn link(text: &str) -> Option<Reference<'_>> {
    let (label, rest) = text.strip_prefix('[')?.split_once(']')?;
    let Reference { to, after, .. } = address(rest.strip_prefix('(')?)?;
    let (title, after) = after.split_once(')')?;
    let label = if numbers(label).is_some() { "" } else { label };
    (title.is_empty() || title.starts_with(' ')).then_some(Reference { to, label, after })
}

/// `https://…` or `<https://…>`.
fn address(text: &str) -> Option<Reference<'_>> {
    let inside = text.strip_prefix('<');
    let from = inside.unwrap_or(text);
    let is = |scheme: &str| from.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    if !is("https://") && !is("http://") {
        return None;
    }
    let mut open = 0;
    let ends = |c: char| match c {
        '(' => {
            open += 1;
            false
        }
        ')' => {
            open -= 1;
            open < 0
        }
        _ => c.is_whitespace() || matches!(c, ']' | '<' | '>' | '"' | '“' | '”'),
    };
    let url = &from[..from.find(ends).unwrap_or(from.len())];
    let url = url.trim_end_matches(['.', ',', ';', ':', '!', '?']);
    let after = &from[url.len()..];
    let after = if inside.is_some() { after.strip_prefix('>')? } else { after };
    Some(Reference { to: To::Address(url), label: "", after })
}
