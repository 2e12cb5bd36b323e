//! The clipboard, where there is one.

use leptos::prelude::*;

/// Pages that are not served securely have no clipboard: then nothing is copied.
pub fn copy(text: &str) -> bool {
    let navigator = window().navigator();
    if js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|clipboard| clipboard.is_undefined()) {
        return false;
    }
    drop(navigator.clipboard().write_text(text));
    true
}
