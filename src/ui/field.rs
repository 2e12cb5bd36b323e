//! A labelled text field with a counter and its own error.

use super::escaped;
use leptos::{html::Textarea, prelude::*};

/// `value` follows what is typed, also before hydration. `name` is the form field's.
#[component]
pub fn Field(
    name: &'static str,
    #[prop(into)] label: String,
    #[prop(into)] placeholder: String,
    value: RwSignal<String>,
    max: usize,
    #[prop(default = 3)] rows: u32,
    #[prop(default = true)] required: bool,
    /// What is wrong with it; empty when nothing is.
    #[prop(into)]
    error: Signal<String>,
) -> impl IntoView {
    let node = NodeRef::<Textarea>::new();
    let initial = value.get_untracked();
    follow(node, value);
    let count = move || value.with(|text| text.chars().count());
    let counter = Signal::derive(move || format!("{} of {}", thousands(count()), thousands(max)));
    let wrong = Signal::derive(move || error.with(|said| !said.is_empty()));
    let id = format!("field-{name}");
    let hint = format!("{id}-hint");
    let describes = hint.clone();
    view! {
        <div class="field" class:wrong=wrong>
            <div class="field-head">
                <label for=id.clone()>{label}</label>
                <span class="meta" class:over=Signal::derive(move || count() > max)>{counter}</span>
            </div>
            <textarea
                id=id name=name rows=rows class="input" placeholder=placeholder node_ref=node required=required
                aria-describedby=describes
                aria-invalid=Signal::derive(move || wrong.get().to_string())
                // Leptos writes a textarea's text into the page as it stands.
                inner_html=escaped(&initial)
                on:input=move |event| value.set(event_target_value(&event))
            ></textarea>
            <p class="field-error" id=hint role="alert">{error}</p>
        </div>
    }
}

/// The element keeps its own text, so that what was typed before hydration is not lost; from then on both are the same.
pub(super) fn follow(node: NodeRef<Textarea>, value: RwSignal<String>) {
    let (first, synced) = (value.get_untracked(), StoredValue::new(false));
    Effect::new(move || {
        let (Some(area), text) = (node.get(), value.get()) else { return };
        let typed = area.value();
        if !synced.get_value() {
            synced.set_value(true);
            if typed != first {
                value.set(typed);
                return;
            }
        }
        if typed != text {
            area.set_value(&text);
        }
    });
}

/// The same without anything that moves, for a form that is sent as it is. `error` is empty when nothing is wrong;
/// what is `locked` can be read only.
#[component]
pub fn PlainField(
    name: &'static str,
    #[prop(into)] label: String,
    #[prop(into)] text: String,
    max: usize,
    rows: u32,
    #[prop(optional)] locked: bool,
    #[prop(optional)] error: String,
) -> impl IntoView {
    let id = format!("field-{name}");
    let hint = format!("{id}-hint");
    let wrong = !error.is_empty();
    view! {
        <div class="field" class:wrong=wrong>
            <div class="field-head"><label for=id.clone()>{label}</label></div>
            <textarea
                id=id name=name rows=rows class="input" maxlength=max required=true readonly=locked
                aria-describedby=hint.clone()
                aria-invalid=wrong.to_string()
                inner_html=escaped(&text)
            ></textarea>
            <p class="field-error" id=hint role="alert">{error}</p>
        </div>
    }
}

/// 4000 → 4,000
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let grouped: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    grouped.join(",")
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_grouped() {
        for (number, expect) in [(0, "0"), (178, "178"), (4000, "4,000"), (1234567, "1,234,567")] {
            assert_eq!(super::thousands(number), expect);
        }
    }
}
