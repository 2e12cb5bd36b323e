//! `Show` without type parameters, so that the browser carries it once.

use leptos::prelude::*;

#[component]
pub fn When(#[prop(into)] when: Signal<bool>, children: ChildrenFn) -> impl IntoView {
    let when = Memo::new(move |_| when.get());
    move || when.get().then(|| children())
}
