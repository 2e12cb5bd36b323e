//! A message: its words, who says them, and on demand how it came about.

use super::{Glyph, Icon, Markdown, When};
use leptos::{ev::MouseEvent, prelude::*};
use wasm_bindgen::JsCast;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// To the right, in ink: the side the person is on, or plays.
    Me,
    Them,
}

/// How a message came about; `None` is what the provider did not say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meta {
    pub model: String,
    pub first_ms: Option<i64>,
    pub ms: i64,
    pub tokens: Option<(i64, i64)>,
    pub cost_micros: Option<i64>,
    pub rehearsal: bool,
}

/// `number` tells the message from others to those who hear it; `mark` is a word about its end, as “stopped”.
#[component]
pub fn Bubble(
    side: Side,
    number: usize,
    #[prop(into)] who: String,
    #[prop(into)] text: Signal<String>,
    #[prop(into)] writing: Signal<bool>,
    /// How it came about, in a line.
    #[prop(into)]
    meta: Signal<String>,
    #[prop(into)] mark: Signal<String>,
    /// Where its words can be changed.
    edit: Option<String>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let (mine, shown) = (side == Side::Me, Signal::derive(move || open.get()));
    // A tap shows how it came about; selecting words and following a link are no taps.
    let toggle = move |event: MouseEvent| {
        let selecting = window().get_selection().ok().flatten().is_some_and(|selection| !selection.is_collapsed());
        let link = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlAnchorElement>().ok()).is_some();
        if !selecting && !link {
            open.update(|open| *open = !*open);
        }
    };
    let empty = Signal::derive(move || writing.get() && text.with(String::is_empty));
    let words = if mine {
        view! { <p class="plain">{text}<When when=writing><span class="caret" aria-hidden="true"></span></When></p> }.into_any()
    } else {
        view! { <Markdown text=text writing=writing /> }.into_any()
    };
    view! {
        <article class="turn" class:mine=mine class:open=shown>
            <p class="who">{who}</p>
            <div class="msg" class:me=mine class:them=!mine class:empty=empty on:click=toggle>
                <When when=empty><span class="dots" role="img" aria-label="is writing"><i></i><i></i><i></i></span></When>
                {words}
                <span class="mark-word">{mark}</span>
            </div>
            <When when=Signal::derive(move || !writing.get())><Actions number=number text=text meta=meta open=open edit=edit.clone() /></When>
        </article>
    }
}

#[component]
fn Actions(number: usize, text: Signal<String>, meta: Signal<String>, open: RwSignal<bool>, edit: Option<String>) -> impl IntoView {
    let copied = RwSignal::new(false);
    let press = move |_| {
        if super::copy(&text.get_untracked()) {
            copied.set(true);
            set_timeout(move || _ = copied.try_set(false), std::time::Duration::from_secs(2));
        }
    };
    let label = Signal::derive(move || if copied.get() { "Copied" } else { "Copy" }.to_owned());
    view! {
        <div class="actions">
            <button type="button" class="mini" aria-label=format!("Copy message {number}") on:click=press>
                <Icon glyph=Glyph::Copy size=15 /><span>{label}</span>
            </button>
            <button type="button" class="mini" aria-label=format!("Details of message {number}") on:click=move |_| open.update(|open| *open = !*open)>
                <Icon glyph=Glyph::Info size=15 />
            </button>
            {edit.map(|href| view! { <a class="mini" href=href aria-label=format!("Edit message {number}")><Icon glyph=Glyph::Pencil size=15 /></a> })}
            <span class="meta-line">{meta}</span>
        </div>
    }
}

impl Meta {
    /// In a line: model, times, tokens, cost.
    pub fn sentence(&self) -> String {
        let seconds = |ms: i64| format!("{}.{} s", ms / 1000, ms % 1000 / 100);
        let first = self.first_ms.map(|ms| format!("first word after {}", seconds(ms)));
        let charged = match self.rehearsal {
            true => None,
            false => Some(format!(
                "{} · {}",
                self.tokens.map_or("tokens unknown".to_owned(), |(input, output)| format!("{input} + {output} tokens")),
                self.cost_micros.map_or("cost unknown".to_owned(), dollars)
            )),
        };
        [Some(self.model.clone()), first, Some(seconds(self.ms)), charged].into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

/// Millionths of a dollar as people read them.
pub fn dollars(micros: i64) -> String {
    format!("${}.{:04}", micros / 1_000_000, micros % 1_000_000 / 100)
}
