//! What stands behind the `?` of a page's address.

use leptos_router::location::{RequestUrl, Url};

/// Characters of a text that travel back to its form: more than are allowed anywhere, so that it is still too long there.
const CARRIED: usize = 5_000;

/// A text as an address can carry it back to its form.
pub fn carried(text: &str) -> String {
    text.chars().take(CARRIED).collect()
}

/// A text as it may stand in an address.
pub fn escape(text: &str) -> String {
    Url::escape(text)
}

/// The named values of `search`, the address's part behind its `?` or from there on.
pub struct Search(Option<Url>);

impl Search {
    pub fn parse(search: &str) -> Self {
        Search(RequestUrl::new(&format!("/?{}", search.trim_start_matches('?'))).parse().ok())
    }

    pub fn get(&self, name: &str) -> Option<String> {
        self.0.as_ref()?.search_params().get(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_is_read_again() {
        for text in ["Marta", "Lucía, 20 & more?", "50 % + 1", "a=b#c", "李 😀", ""] {
            let search = Search::parse(&format!("from=x&persona={}", escape(text)));
            assert_eq!((search.get("persona").as_deref(), search.get("other")), (Some(text), None));
        }
    }
}
