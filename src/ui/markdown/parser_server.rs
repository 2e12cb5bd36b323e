//! The server renders at once and never draws.

use super::parse::{Parse, parse};

/// The blocks of a text, as the browser would draw them.
pub fn html(text: &str) -> String {
    parse(text).into_iter().map(|block| format!("<div>{}</div>", block.html)).collect()
}

pub fn loaded() -> Option<Parse> {
    None
}
