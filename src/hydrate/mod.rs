//! The browser's entry: takes over the page that the server rendered.

mod shared;

#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    shared::keep_together();
    leptos::mount::hydrate_lazy(crate::app::App);
}
