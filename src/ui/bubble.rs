//! A message: its words, who says them, and on demand how it came about.

use super::{Glyph, Icon, When};
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

/// What is said: its words so far, whether more are coming, how it came about in a line, and a word about its end, as
/// “stopped”.
#[derive(Clone, Copy)]
pub struct Speech {
    pub text: Signal<String>,
    pub writing: Signal<bool>,
    pub meta: Signal<String>,
    pub mark: Signal<String>,
}

/// What sets a speaker apart from others on the same side: a colour, as `data-hue` names it, and a drawn face.
pub struct Speaker {
    pub hue: String,
    pub face: AnyView,
}

/// `number` tells the message from others to those who hear it, and to links. One of a `speaker` is known by their name as well.
#[component]
pub fn Bubble(
    side: Side,
    number: usize,
    #[prop(into)] who: String,
    speech: Speech,
    /// The words as they are drawn: [`Plain`] ones, or Markdown.
    words: AnyView,
    /// Where they can be changed.
    edit: Option<String>,
    #[prop(optional)] speaker: Option<Speaker>,
) -> impl IntoView {
    let Speech { text, writing, meta, mark } = speech;
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
    let name = speaker.is_some().then(|| who.clone());
    let (hue, face) = speaker.map(|speaker| (speaker.hue, speaker.face)).unzip();
    view! {
        <article id=format!("message-{number}") class="turn" class:mine=mine class:open=shown data-hue=hue aria-label=name>
            {face}
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

/// Mere words, with a caret while more are coming.
#[component]
pub fn Plain(speech: Speech) -> impl IntoView {
    view! { <p class="plain">{speech.text}<When when=speech.writing><span class="caret" aria-hidden="true"></span></When></p> }
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
