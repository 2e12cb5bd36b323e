//! The rooms. They never import each other; `main.rs` and `app.rs` are their only registry.

pub mod debate;
pub mod research;
pub mod simulate;

use crate::ui::Glyph;

/// A room as the springboard and the history show it; `href` where it can be entered.
pub struct Room {
    pub name: &'static str,
    pub kind: &'static str,
    pub glyph: Glyph,
    pub href: Option<&'static str>,
}

pub const ROOMS: [Room; 5] = [
    Room { name: "Simulate", kind: "simulate", glyph: Glyph::Simulate, href: Some("/demo") },
    Room { name: "Research", kind: "research", glyph: Glyph::Research, href: Some("/journey") },
    Room { name: "Debate", kind: "debate", glyph: Glyph::Debate, href: Some("/debate") },
    Room { name: "Survey", kind: "survey", glyph: Glyph::Survey, href: None },
    Room { name: "Campaigns", kind: "campaigns", glyph: Glyph::Campaigns, href: None },
];

/// What a room of that kind is called.
pub fn name(kind: &str) -> &'static str {
    ROOMS.iter().find(|room| room.kind == kind).map_or("Run", |room| room.name)
}

/// Where a run of that kind is shown.
pub fn address(kind: &str, id: &str) -> String {
    format!("{}/{id}", bench(kind))
}

/// Where a run of that kind is set up.
pub fn bench(kind: &str) -> &'static str {
    ROOMS.iter().find(|room| room.kind == kind).and_then(|room| room.href).unwrap_or_default()
}
