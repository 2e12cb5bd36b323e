use super::*;
use crate::rooms::research::{
    flow::{Command, Field, Imported, Quoted, Setup},
    held::{self, Story},
    view::shown::{begin, has, html},
};

fn drawn(story: &Story, item: Item, mine: bool) -> String {
    html(story, mine, |page| show(page, item))
}

#[test]
fn the_thread_holds_words_and_cards_where_they_came() {
    let items = items(&held::half().run, true);
    let expect = [
        Item::Said(0),
        Item::Card(Section::Competitors),
        Item::Turn(0),
        Item::Said(1),
        Item::Card(Section::IndustryMarket),
        Item::Turn(1),
        Item::Said(2),
        // It began by itself behind the question, and stands above it.
        Item::Card(Section::IcpValidation),
        Item::Turn(2),
    ];
    assert_eq!(items[..expect.len()], expect);
    assert_eq!(items.last(), Some(&Item::Choices(3)));
    let finished = super::items(&held::finished().run, true);
    assert!(matches!(finished.last(), Some(Item::Summary(0, _))), "{finished:?}");
}

#[test]
fn nothing_is_told_apart_by_the_same_key() {
    let items = items(&held::finished().run, true);
    let keys: std::collections::HashSet<_> = items.iter().map(|item| item.key()).collect();
    assert_eq!(keys.len(), items.len());
}

#[test]
fn whoever_speaks_next_is_seen_before_the_first_word() {
    let mut story = Story::begin(&Setup { opening: "Bread".into(), ..Setup::default() }, "x");
    assert_eq!(items(&story.run, true), [Item::Said(0), Item::Turn(0)]);
    has(&drawn(&story, Item::Turn(0), true), &["is writing", "Interviewer"], &["Copy"]);
    story.extract(crate::rooms::research::flow::Reply::Answer, &[Field::Industry]);
    begin(&mut story, Ask::Interview { turn: 0 });
    assert_eq!(items(&story.run, true), [Item::Said(0), Item::Turn(0)]);
    story.turn("Hello. What is it?", vec![]);
    has(&drawn(&story, Item::Turn(0), true), &["Hello. What is it?", "message-2"], &["is writing"]);
}

#[test]
fn a_question_is_answered_by_its_choices_by_whoever_may() {
    let mut story = Story::begin(&Setup::default(), "x");
    story.turn("", vec![held::ask(Field::Industry, "Which?", &["Bread & tea", "Cafés"])]);
    let choices = drawn(&story, Item::Choices(0), true);
    has(
        &choices,
        &[
            r#"aria-label="Choices""#,
            r#"name="what" value="choose""#,
            r#"name="options[]" value="0">Bread &amp; tea</button>"#,
            "Something else…",
            r#"name="what" value="skip""#,
        ],
        &["Done"],
    );
    assert!(!items(&story.run, false).contains(&Item::Choices(0)));
    let open = held::half();
    has(&drawn(&open, Item::Choices(3), true), &["Skip"], &["Something else…"]);
}

#[test]
fn messages_are_counted_without_cards() {
    let story = held::half();
    has(&drawn(&story, Item::Turn(0), true), &[r#"id="message-2""#, "Good to meet you."], &[]);
    has(&drawn(&story, Item::Said(1), true), &[r#"id="message-3""#, "Subscription, sold direct", "You"], &[]);
}

#[test]
fn what_one_has_said_or_chosen_oneself_can_be_said_differently() {
    let (story, edit) = (held::half(), |number: u32| format!(r#"href="/runs/7/edit/{number}""#));
    for said in [0, 1, 2] {
        has(&drawn(&story, Item::Said(said), true), &[&edit(said), "aria-label=\"Edit message"], &[]);
        has(&drawn(&story, Item::Said(said), false), &["You"], &["Edit message"]);
    }
    has(&drawn(&story, Item::Turn(0), true), &["Interviewer"], &["Edit message"]);
    // What a program brought along is not the run's own.
    let imported = Imported { said: vec![Quoted { person: true, text: "Bread.".into() }], ..Imported::default() };
    let mut story = Story::begin(&Setup { imported, ..Setup::default() }, "x");
    story.turn("", vec![held::ask(Field::Industry, "Which?", &["Cafés"])]);
    story.command(Command::Choose { question: 0, options: vec![0] });
    has(&drawn(&story, Item::Said(0), true), &["Bread."], &["Edit message"]);
    has(&drawn(&story, Item::Said(1), true), &["Cafés", &edit(1)], &[]);
}

#[test]
fn the_summary_leads_to_the_report() {
    let story = held::finished();
    let summary = *items(&story.run, true).last().expect("a summary");
    has(
        &drawn(&story, summary, false),
        &["What it comes to", "<strong>dated and legal</strong>", r#"href="/journey/7/report""#, "Open the report"],
        &["is writing"],
    );
}
