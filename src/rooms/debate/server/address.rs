//! The addresses of the bench and of a persona's sheet. Where the panel comes from travels with both, so that nobody is lost
//! on the way to the library and back.

use crate::{
    rooms::debate::flow::Persona,
    runs::server::{Search, escape},
};

/// Another debate or a worked example, as the bench's address says it; empty where it says neither.
pub fn source(search: &Search) -> String {
    let is_id = |id: &String| id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let said = |name: &&str| Some(format!("{name}={}", search.get(name).filter(is_id)?));
    ["from", "example"].iter().find_map(said).unwrap_or_default()
}

/// The bench with those people, and with whatever was typed there.
pub fn bench(source: &str) -> String {
    let source = self::source(&Search::parse(source));
    if source.is_empty() { "/debate".to_owned() } else { format!("/debate?{source}&draft=yes") }
}

/// The same with somebody who was just kept.
pub fn bench_with(source: &str, name: &str) -> String {
    let bench = bench(source);
    format!("{bench}{}with={}", if bench.contains('?') { '&' } else { '?' }, escape(name))
}

/// Where a persona is changed, or kept: by name where one of that name is kept, and with all else where that is new.
pub fn sheet(persona: &Persona, kept: &[Persona], source: &str) -> String {
    let known = kept.iter().find(|other| same(other, persona));
    let name = known.map(|known| format!("name={}", escape(&known.name)));
    let draft = (known != Some(persona)).then(|| format!("draft={}", escape(&json(persona))));
    let source = (!source.is_empty()).then(|| format!("source={}", escape(source)));
    format!("/debate/personas?{}", [name, draft, source].into_iter().flatten().collect::<Vec<_>>().join("&"))
}

/// Of somebody new.
pub fn new_sheet(source: &str) -> String {
    if source.is_empty() { "/debate/personas".to_owned() } else { format!("/debate/personas?source={}", escape(source)) }
}

/// Those who cannot be told apart by their names.
pub fn same(one: &Persona, other: &Persona) -> bool {
    one.name.to_lowercase() == other.name.to_lowercase()
}

pub fn json(persona: &Persona) -> String {
    serde_json::to_string(persona).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_kept_and_nothing_else_is() {
        for (said, source, back) in [
            ("", "", "/debate"),
            ("topic=x&with=y", "", "/debate"),
            ("topic=x&example=the-sofa", "example=the-sofa", "/debate?example=the-sofa&draft=yes"),
            ("from=1&example=2", "from=1", "/debate?from=1&draft=yes"),
            ("from=%0d%0aa&example=%26", "", "/debate"),
        ] {
            assert_eq!((self::source(&Search::parse(said)).as_str(), bench(said).as_str()), (source, back), "{said}");
        }
        assert_eq!(bench_with("", "A & B"), "/debate?with=A%20%26%20B");
        assert_eq!(bench_with("from=1", "A"), "/debate?from=1&draft=yes&with=A");
    }
}
