//! A message: its words, who says them, and on demand how it came about.

use super::{Glyph, Icon, Markdown};
use leptos::prelude::*;

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
    #[prop(into)] meta: Signal<Option<Meta>>,
    #[prop(into)] mark: Signal<Option<&'static str>>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let class = if side == Side::Me { "msg me" } else { "msg them" };
    let words = if side == Side::Me {
        view! { <p class="plain">{text}{caret(writing)}</p> }.into_any()
    } else {
        view! { <Markdown text=text writing=writing /> }.into_any()
    };
    let empty = move || writing.get() && text.with(String::is_empty);
    view! {
        <article class="turn" class:mine=side == Side::Me class:open=open>
            <p class="who">{who}</p>
            <div class=class class:empty=empty on:click=move |_| open.update(|open| *open = !*open)>
                <Show when=empty><Dots /></Show>
                {words}
                <Show when=move || mark.get().is_some()><span class="mark-word">{mark}</span></Show>
            </div>
            <Show when=move || !writing.get()>
                <Actions number=number text=text meta=meta open=open />
            </Show>
        </article>
    }
}

#[component]
fn Actions(number: usize, text: Signal<String>, meta: Signal<Option<Meta>>, open: RwSignal<bool>) -> impl IntoView {
    let copied = RwSignal::new(false);
    let copy = move |_| {
        drop(window().navigator().clipboard().write_text(&text.get_untracked()));
        copied.set(true);
        set_timeout(move || _ = copied.try_set(false), std::time::Duration::from_secs(2));
    };
    view! {
        <div class="actions">
            <button type="button" class="mini" aria-label=format!("Copy message {number}") on:click=copy>
                <Icon glyph=Glyph::Copy size=15 />
                <span>{move || if copied.get() { "Copied" } else { "Copy" }}</span>
            </button>
            <Show when=move || meta.get().is_some()>
                <button
                    type="button" class="mini" aria-label=format!("Details of message {number}")
                    aria-expanded=move || open.get().to_string()
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    <Icon glyph=Glyph::Info size=15 />
                </button>
                <span class="meta-line">{move || meta.get().map(|meta| meta.sentence())}</span>
            </Show>
        </div>
    }
}

impl Meta {
    fn sentence(&self) -> String {
        let seconds = |ms: i64| format!("{:.1} s", ms as f64 / 1000.0);
        let first = self.first_ms.map(|ms| format!("first word after {}", seconds(ms)));
        let (tokens, cost) = match self.rehearsal {
            true => (None, None),
            false => (
                Some(self.tokens.map_or("tokens unknown".to_owned(), |(input, output)| format!("{input} + {output} tokens"))),
                Some(self.cost_micros.map_or("cost unknown".to_owned(), |micros| format!("${:.4}", micros as f64 / 1e6))),
            ),
        };
        let parts = [Some(self.model.clone()), first, Some(seconds(self.ms)), tokens, cost];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

/// Somebody is about to write.
#[component]
pub fn Dots() -> impl IntoView {
    view! { <span class="dots" role="img" aria-label="is writing"><i></i><i></i><i></i></span> }
}

fn caret(writing: Signal<bool>) -> impl IntoView {
    move || writing.get().then(|| view! { <span class="caret" aria-hidden="true"></span> })
}
