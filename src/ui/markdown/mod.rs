//! Markdown from models, rendered while it grows. Finished blocks are frozen: only the open one is
//! parsed and drawn again. What the server has rendered stays as it is, without a parser in the browser.

use leptos::{html::Div, prelude::*};

pub mod parse;
#[cfg_attr(feature = "hydrate", path = "parser_browser.rs")]
#[cfg_attr(not(feature = "hydrate"), path = "parser_server.rs")]
mod parser;

pub use parser::html;

use parse::{Block, Blocks};

#[component]
pub fn Markdown(#[prop(into)] text: Signal<String>, #[prop(into)] writing: Signal<bool>) -> impl IntoView {
    let node = NodeRef::<Div>::new();
    let first = text.get_untracked();
    let rendered = parser::html(&first);
    let shown = StoredValue::new((first, Blocks::default()));
    Effect::new(move || {
        let (Some(node), text) = (node.get(), text.get()) else { return };
        if node.first_element_child().is_some() && shown.with_value(|(last, _)| *last == text) {
            return;
        }
        match parser::loaded() {
            Some(parse) => shown.update_value(|(last, blocks)| {
                let first = blocks.blocks.is_empty();
                let same = blocks.update(&text, parse);
                draw(&node, &blocks.blocks, same, first);
                *last = text;
            }),
            None => node.set_text_content(Some(&text)),
        }
    });
    view! { <div class="md" class:writing=writing node_ref=node inner_html=rendered></div> }
}

/// Changes only the children from the first block on that is not the `same`; at first, what the server has drawn.
fn draw(node: &web_sys::Element, blocks: &[Block], same: usize, first: bool) {
    if first {
        node.set_inner_html("");
    }
    let children = node.children();
    for (i, block) in blocks.iter().enumerate().skip(same) {
        let child = match children.item(i as u32) {
            Some(child) => child,
            None => {
                let Ok(child) = document().create_element("div") else { return };
                let _ = node.append_child(&child);
                child
            }
        };
        child.set_inner_html(&block.html);
    }
    while let Some(extra) = children.item(blocks.len() as u32) {
        extra.remove();
    }
}
