//! What is opened to be read: a section, or its sources, in sheets over the phone. Links to the report lead there as well, and are
//! all there is without JavaScript. The sheets and what fills them are loaded when the first is opened.

use crate::{
    engine::shown::Shown,
    rooms::research::{
        flow::{Finding, Research, Section},
        reader,
    },
    ui::{Sheet, When},
};
use leptos::{ev::MouseEvent, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

#[cfg_attr(feature = "hydrate", path = "reading/reader_browser.rs")]
#[cfg_attr(not(feature = "hydrate"), path = "reading/reader_server.rs")]
mod chunk;

#[derive(Clone, Copy)]
pub struct Reading {
    shown: Shown<Research>,
    /// The reader has been loaded.
    there: RwSignal<bool>,
    section: Pane,
    sources: Pane,
}

/// What a sheet shows.
#[derive(Clone, Copy)]
struct Pane {
    open: RwSignal<bool>,
    title: RwSignal<String>,
    html: RwSignal<String>,
}

/// What a link in the report's manner leads to.
#[derive(Debug, PartialEq)]
enum Aim {
    Section(Section),
    /// And which of them is meant.
    Sources(Section, String),
}

/// What is loaded: a section to be read, or its numbered sources, as HTML; and the sheets.
#[derive(Clone, Copy)]
struct Reader {
    page: fn(&Finding, bool) -> String,
    sheets: fn(Reading) -> AnyView,
}

/// Pixels that stay free above a source that is shown.
const ABOVE: i32 = 12;

const READER: Reader = Reader { page, sheets };

impl Reading {
    pub fn new(shown: Shown<Research>) -> Self {
        let pane = || Pane { open: RwSignal::new(false), title: RwSignal::default(), html: RwSignal::default() };
        Reading { shown, there: RwSignal::new(false), section: pane(), sources: pane() }
    }

    /// Opens here what a link that was pressed leads to.
    pub fn follow(self, event: &MouseEvent) {
        let link = event.target().and_then(|target| target.dyn_into::<Element>().ok()?.closest("a").ok().flatten());
        let aim = link.and_then(|link| aim(&link.get_attribute("href")?));
        let Some(aim) = aim.filter(|_| !event.ctrl_key() && !event.meta_key() && !event.shift_key()) else { return };
        event.prevent_default();
        match aim {
            Aim::Section(section) => self.open(section, None),
            Aim::Sources(section, id) => self.open(section, Some(id)),
        }
    }

    /// The section itself, or its sources and which of them is meant, if one is.
    fn open(self, section: Section, meant: Option<String>) {
        let Some(found) = self.shown.run.with_untracked(|run| run.state.study(section).result.clone()) else { return };
        let sources = meant.is_some();
        let pane = if sources { self.sources } else { self.section };
        let title = if sources { format!("Sources: {}", section.name()) } else { section.name().to_owned() };
        let meant = meant.unwrap_or_default();
        chunk::load(move |reader| {
            // The page may be gone by now.
            if pane.title.try_set(title).is_some() {
                return;
            }
            pane.html.set((reader.page)(&found, sources));
            pane.open.set(true);
            self.there.set(true);
            request_animation_frame(move || show(&meant));
        });
    }
}

/// The source that is meant is seen at once. Its sheet alone is scrolled: the page behind it may be long, and stays where it is.
fn show(id: &str) {
    let source = document().get_element_by_id(id).and_then(|source| source.dyn_into::<HtmlElement>().ok());
    let Some(source) = source else { return };
    let _ = source.set_attribute("aria-current", "true");
    if let Ok(Some(sheet)) = source.closest(".sheet-body") {
        sheet.set_scroll_top(source.offset_top() - ABOVE);
    }
}

fn aim(href: &str) -> Option<Aim> {
    let (_, mark) = href.split_once('#')?;
    let sources = |slug: &str, id: &str| Some(Aim::Sources(Section::parse(slug)?, id.to_owned()));
    match (mark.strip_prefix("source-"), mark.strip_prefix("sources-")) {
        (Some(one), _) => sources(one.rsplit_once('-')?.0, mark),
        (None, Some(slug)) => sources(slug, ""),
        (None, None) => Section::parse(mark).map(Aim::Section),
    }
}

fn page(found: &Finding, sources: bool) -> String {
    if sources { reader::sources(found.told.section, &found.sources) } else { reader::section(found) }
}

fn sheets(reading: Reading) -> AnyView {
    let follow = move |event: MouseEvent| reading.follow(&event);
    let (section, sources) = (reading.section, reading.sources);
    let html = |pane: Pane| -> Signal<String> { pane.html.into() };
    view! {
        <Sheet open=section.open title=section.title.into()><div inner_html=html(section) on:click=follow></div></Sheet>
        <Sheet open=sources.open title=sources.title.into()><div class="section" inner_html=html(sources)></div></Sheet>
    }
    .into_any()
}

/// Where the sheets come up, to stand in the phone's screen beside all that they cover.
#[component]
pub fn Sheets(reading: Reading) -> impl IntoView {
    view! { <When when=reading.there>{chunk::sheets(reading)}</When> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_the_report_are_understood() {
        let check = |href: &str, expect| assert_eq!(aim(href), expect, "{href}");
        check("/journey/7/report#competitors", Some(Aim::Section(Section::Competitors)));
        check("#source-icpValidation-12", Some(Aim::Sources(Section::IcpValidation, "source-icpValidation-12".into())));
        check("/journey/7/report#sources-offerAnalysis", Some(Aim::Sources(Section::OfferAnalysis, String::new())));
        check("https://example.org/#top", None);
        check("/journey/7/report", None);
        check("#source-x", None);
    }
}
