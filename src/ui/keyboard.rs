//! A phone's keyboard, which some browsers lay over the page instead of making the page smaller.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, closure::Closure};

/// Pixels: no keyboard is lower, and what comes and goes with the address is.
const LOWEST: i32 = 100;

/// For as long as the calling owner lives, `--keyboard` is as high as what a keyboard hides of the page.
pub fn make_room_for_keyboard() {
    Effect::new(|| {
        let Some(viewport) = window().visual_viewport() else { return };
        let seen = viewport.clone();
        let fit = Closure::<dyn Fn()>::new(move || lift(hidden(&seen)));
        let _ = viewport.add_event_listener_with_callback("resize", fit.as_ref().unchecked_ref());
        let kept = StoredValue::new_local((viewport, fit));
        on_cleanup(move || {
            kept.with_value(|(viewport, fit)| {
                let _ = viewport.remove_event_listener_with_callback("resize", fit.as_ref().unchecked_ref());
            });
            lift(0);
        });
    });
}

/// Somebody who has zoomed in sees less as well, and nothing is hidden.
fn hidden(viewport: &web_sys::VisualViewport) -> i32 {
    let page = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default();
    page as i32 - (viewport.height() * viewport.scale()) as i32
}

fn lift(keyboard: i32) {
    let root = document().document_element().and_then(|root| root.dyn_into::<web_sys::HtmlElement>().ok());
    let Some(style) = root.map(|root| root.style()) else { return };
    if keyboard < LOWEST {
        let _ = style.remove_property("--keyboard");
        return;
    }
    let _ = style.set_property("--keyboard", &format!("{keyboard}px"));
    // What the browser pushed up to show the field comes back: there is room now.
    window().scroll_to_with_x_and_y(0.0, 0.0);
}
