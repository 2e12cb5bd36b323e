//! The icons: one set, 24 units square, drawn with the text's colour.

use leptos::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    Back,
    Dots,
    Stop,
    Play,
    Pause,
    Pencil,
    Close,
    Check,
    Copy,
    Info,
    Down,
    Up,
    Theme,
    Alert,
    Simulate,
    Research,
    Debate,
    Survey,
    Campaigns,
    Runs,
    Pin,
    Bin,
}

impl Glyph {
    fn paths(self) -> &'static str {
        match self {
            Glyph::Back => "M15 5l-7 7 7 7",
            Glyph::Dots => "M6 12h.01M12 12h.01M18 12h.01",
            Glyph::Stop => "M9 8h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1z",
            Glyph::Play => "M8 5.500v13l11-6.500z",
            Glyph::Pause => "M8.500 6v12M15.500 6v12",
            Glyph::Pencil => "M5 19l1-4L16.500 4.500a1.500 1.500 0 0 1 2 0l1 1a1.500 1.500 0 0 1 0 2L9 18z",
            Glyph::Close => "M7 7l10 10M17 7L7 17",
            Glyph::Check => "M6 12.500l4 4 8-9",
            Glyph::Copy => "M9 9h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM5 15V5a1 1 0 0 1 1-1h9",
            Glyph::Info => "M12 11v5M12 8h.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z",
            Glyph::Down => "M12 5v14M6 13l6 6 6-6",
            Glyph::Up => "M12 19V5M6 11l6-6 6 6",
            Glyph::Theme => "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
            Glyph::Alert => {
                "M12 8v5M12 16.500h.01M10.300 4.200L2.800 17.500A2 2 0 0 0 4.500 20.500h15a2 2 0 0 0 1.700-3L13.700 4.200a2 2 0 0 0-3.400 0z"
            }
            Glyph::Simulate => "M4 12a8 8 0 1 1 4 7l-4 1 1-4a8 8 0 0 1-1-4zM9 12h6",
            Glyph::Research => "M17 11a6 6 0 1 1-12 0 6 6 0 0 1 12 0zM20 20l-4.500-4.500",
            Glyph::Debate => "M4 5h10v7H8l-4 3zM20 10v9l-3-2h-6",
            Glyph::Survey => {
                "M9.500 4h6A2.500 2.500 0 0 1 18 6.500v10a2.500 2.500 0 0 1-2.500 2.500h-6A2.500 2.500 0 0 1 7 16.500v-10A2.500 2.500 0 0 1 9.500 4zM4 8v11a2 2 0 0 0 2 2h8"
            }
            Glyph::Campaigns => "M4 10v4l10 5V5L4 10zM18 9a4 4 0 0 1 0 6",
            Glyph::Pin => "M9 4h6M10 4l-.500 6L6.500 13.500h11L14.500 10 14 4M12 13.500V20",
            Glyph::Bin => "M5 7h14M10 7V4.500h4V7M7 7l.800 12.500h8.400L17 7M10.500 11v5M13.500 11v5",
            Glyph::Runs => "M4 12a8 8 0 1 0 3-6.200M4 5v4h4M12 8v4l3 2",
        }
    }

    /// As HTML.
    pub fn svg(self, size: u32) -> String {
        let kind = match self {
            Glyph::Stop | Glyph::Play => "filled",
            Glyph::Dots | Glyph::Pause => "heavy",
            _ => "drawn",
        };
        format!(r#"<svg class="{kind}" width="{size}" height="{size}" viewBox="0 0 24 24"><path d="{}"/></svg>"#, self.paths())
    }
}

/// Decoration: what it means is said beside it, or by its button's label.
#[component]
pub fn Icon(glyph: Glyph, #[prop(default = 22)] size: u32) -> impl IntoView {
    view! { <span class="icon" aria-hidden="true" inner_html=glyph.svg(size)></span> }
}
