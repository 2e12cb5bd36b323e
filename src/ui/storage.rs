//! Drafts: what was typed and not yet sent, kept in the browser across reloads.

use leptos::prelude::*;

/// A text field's value with its copy in local storage.
#[derive(Clone, Copy)]
pub struct Draft {
    pub value: RwSignal<String>,
}

impl Draft {
    /// Starts with the text that is given, which replaces what was kept; else empty on both sides, and the kept
    /// text comes after hydration.
    pub fn new(key: &str, given: Option<String>) -> Self {
        let (asked, key) = (given.is_some(), key.to_owned());
        let draft = Draft { value: RwSignal::new(given.unwrap_or_default()) };
        Effect::new(move |restored: Option<()>| {
            let value = draft.value.get();
            match restored {
                None if value.is_empty() && !asked => {
                    if let Some(kept) = store().and_then(|store| store.get_item(&key).ok().flatten()) {
                        draft.value.set(kept);
                    }
                }
                _ if value.is_empty() => drop(store().map(|store| store.remove_item(&key))),
                _ => drop(store().map(|store| store.set_item(&key, &value))),
            }
        });
        draft
    }
}

/// Private windows may have none.
fn store() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}
