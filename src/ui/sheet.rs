//! A sheet that comes up from the bottom of the phone. Not a native modal: that would cover the desk as well, and lie in front
//! of the phone instead of in it.

use super::{Glyph, Icon};
use leptos::{
    ev::KeyboardEvent,
    html::{Div, Section},
    prelude::*,
};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// To stand directly in the phone's screen, beside all that it covers. `open` says whether it is up; Escape, the button and
/// whatever is left of the screen close it.
#[component]
pub fn Sheet(open: RwSignal<bool>, title: Signal<String>, children: Children) -> impl IntoView {
    let (layer, sheet) = (NodeRef::<Div>::new(), NodeRef::<Section>::new());
    Effect::new(move |up: Option<Option<Up>>| {
        if let Some(up) = up.flatten() {
            up.end();
        }
        let layer = layer.get().filter(|_| open.get())?;
        // Once it is shown.
        request_animation_frame(move || drop(sheet.get_untracked().map(|sheet| sheet.focus())));
        Some(Up::over(&layer))
    });
    let close = move || open.set(false);
    let key = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            close();
        }
    };
    view! {
        <div class="sheet-layer" class:open=open node_ref=layer on:keydown=key>
            <div class="scrim" on:click=move |_| close()></div>
            <section class="bottom-sheet" role="dialog" aria-label=title tabindex="-1" node_ref=sheet>
                <header class="sheet-head">
                    <h2>{title}</h2>
                    <button type="button" class="icon-button" aria-label="Close" on:click=move |_| close()><Icon glyph=Glyph::Close size=20 /></button>
                </header>
                // What is longer than the sheet is scrolled by keys as well.
                <div class="sheet-body" tabindex="0">{children()}</div>
            </section>
        </div>
    }
}

/// A sheet while it is up: where the focus was, and what cannot be reached meanwhile.
struct Up {
    before: Option<HtmlElement>,
    aside: Vec<Element>,
}

impl Up {
    fn over(layer: &Element) -> Self {
        let before = document().active_element().and_then(|active| active.dyn_into().ok());
        let aside = beside(layer);
        aside.iter().for_each(|element| _ = element.set_attribute("inert", ""));
        Up { before, aside }
    }

    fn end(self) {
        self.aside.iter().for_each(|element| _ = element.remove_attribute("inert"));
        if let Some(before) = self.before {
            let _ = before.focus();
        }
    }
}

/// All that shares its parent and can be reached. A sheet that is not up may come up over this one.
fn beside(layer: &Element) -> Vec<Element> {
    let Some(parent) = layer.parent_element() else { return vec![] };
    let all = parent.children();
    let all = (0..all.length()).filter_map(|at| all.item(at));
    let is_reached = |element: &Element| !element.has_attribute("inert") && !element.matches(".sheet-layer:not(.open)").unwrap_or_default();
    all.filter(|element| element != layer && is_reached(element)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_dialog_that_is_named_and_can_be_closed() {
        let owner = Owner::new();
        let html = |open: bool| {
            owner.with(|| {
                view! { <Sheet open=RwSignal::new(open) title=Signal::stored("Sources".to_owned())><p>"One"</p></Sheet> }.to_html()
            })
        };
        for what in [r#"role="dialog" aria-label="Sources""#, r#"aria-label="Close""#, "<p>One"] {
            assert!(html(false).contains(what), "{what}: {}", html(false));
        }
        assert!(html(true).contains(r#"class="sheet-layer open""#) && !html(false).contains("sheet-layer open"));
    }
}
