use super::*;
use crate::rooms::research::{
    flow::{Command, Setup},
    held::{self, Story},
    view::shown::{has, html},
};

fn region(story: &Story, mine: bool, typed: Typed) -> String {
    html(story, mine, |page| view! { <Known page=page typed=typed /> }.into_any())
}

#[test]
fn what_is_asked_for_is_shown_and_what_was_answered_besides() {
    let shown = |story: &Story| Field::ALL.into_iter().filter(|field| is_shown(&story.run.state, *field)).count();
    let begun = Story::begin(&Setup::default(), "x");
    assert_eq!((shown(&begun), shown(&held::half())), (8, 10));
    has(&region(&begun, true, Typed::default()), &[r#"aria-label="What we know""#, "Not asked yet", "add"], &["edit<"]);
    let mut skipped = begun;
    skipped.command(Command::Correct { field: Field::Industry, text: "Bread <b>".into() });
    let html = region(&skipped, true, Typed::default());
    has(
        &html,
        &["Bread &lt;b&gt;", r#"aria-label="Industry""#, r#"name="of" value="industry""#, r#"aria-label="Save Industry""#],
        &["<b>\""],
    );
}

#[test]
fn who_only_reads_changes_nothing() {
    let html = region(&held::half(), false, Typed::default());
    has(&html, &["Crumbtrack", "Bakery management software"], &["<form", "<textarea", "edit<", "add<"]);
}

#[test]
fn what_was_refused_stands_open_with_its_words() {
    let typed = Typed { text: "x & y".into(), field: "industry".into() };
    let html = region(&held::half(), true, typed);
    assert_eq!(html.matches("<details open").count(), 1, "{html}");
    has(&html, &["x &amp; y</textarea>", "Bakery management software"], &[]);
}

#[test]
fn what_nobody_knows_is_said_quietly() {
    has(&line(Field::Industry, Some(""), true), &["Not known", "value none"], &[]);
    has(&line(Field::Industry, None, false), &["Not asked yet"], &["add"]);
}
