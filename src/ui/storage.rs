//! Drafts: what was typed and not yet sent, kept in the browser across reloads.

use leptos::prelude::*;

/// A text field's value with its copy in local storage.
#[derive(Clone, Copy)]
pub struct Draft {
    pub value: RwSignal<String>,
    key: &'static str,
}

impl Draft {
    /// Starts with the text that is given, which replaces what was kept; else empty on both sides, and the kept
    /// text comes after hydration.
    pub fn new(key: &'static str, given: Option<String>) -> Self {
        let asked = given.is_some();
        let draft = Draft { value: RwSignal::new(given.unwrap_or_default()), key };
        Effect::new(move |restored: Option<()>| {
            let value = draft.value.get();
            match restored {
                None if value.is_empty() && !asked => {
                    if let Some(kept) = store().and_then(|store| store.get_item(key).ok().flatten()) {
                        draft.value.set(kept);
                    }
                }
                _ => drop(store().map(|store| store.set_item(key, &value))),
            }
        });
        draft
    }

    pub fn clear(&self) {
        self.value.set(String::new());
        drop(store().map(|store| store.remove_item(self.key)));
    }
}

/// Private windows may have none.
fn store() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}
