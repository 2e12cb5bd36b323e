//! How far something has come, as a circle that closes.

use super::Glyph;
use leptos::prelude::*;

/// In the phone's header, where it also leads to what stands on the desk. `label` is what it says, in words.
#[component]
pub fn Ring(done: Signal<u32>, of: u32, label: Signal<String>) -> impl IntoView {
    let circle = Signal::derive(move || circle(done.get(), of));
    view! { <a class="icon-button phone-only ring" href="?show=desk" aria-label=label><span class="icon" aria-hidden="true" inner_html=circle></span></a> }
}

/// As HTML. The circle is a hundred long by its own account, so that no fraction is needed.
fn circle(done: u32, of: u32) -> String {
    let percent = done.min(of) * 100 / of.max(1);
    let check = if percent == 100 { Glyph::Check.svg(14) } else { String::new() };
    format!(
        "<svg class=\"arc\" width=\"28\" height=\"28\" viewBox=\"0 0 28 28\">\
         <circle cx=\"14\" cy=\"14\" r=\"11\"/><circle cx=\"14\" cy=\"14\" r=\"11\" pathLength=\"100\" stroke-dasharray=\"{percent} 100\"/></svg>{check}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_closes_as_the_parts_are_done() {
        for (done, of, arc) in
            [(0, 13, "\"0 100\""), (9, 13, "\"69 100\""), (13, 13, "\"100 100\""), (14, 13, "\"100 100\""), (0, 0, "\"0 100\"")]
        {
            let html = circle(done, of);
            assert!(html.contains(arc), "{done} of {of}: {html}");
            assert_eq!(html.contains("M6 12.500"), done >= of && of > 0);
        }
    }

    #[test]
    fn it_says_in_words_what_it_shows() {
        let owner = Owner::new();
        let html = owner.with(|| {
            let label = Signal::stored("6 of 8 answers, 3 of 5 sections".to_owned());
            view! { <Ring done=Signal::stored(9) of=13 label=label /> }.to_html()
        });
        assert!(html.contains(r#"aria-label="6 of 8 answers, 3 of 5 sections""#) && html.contains(r#"href="?show=desk""#), "{html}");
    }
}
