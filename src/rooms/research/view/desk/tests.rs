use super::*;
use crate::rooms::research::{
    flow::{Command, Setup},
    held::{self, Story},
    view::shown::{correct, fail, halt, has, html},
};

#[test]
fn it_is_said_in_a_sentence_how_far_it_has_come() {
    let check = |story: &Story, expect: &str| assert_eq!(lede(&story.run), expect);
    check(&Story::begin(&Setup::default(), "x"), "None of eight answers, none of five sections.");
    check(&held::half(), "Six of eight answers, two of five sections. Research goes on while you talk.");
    check(&held::finished(), "Eight of eight answers, five of five sections. The report holds all of it.");
    let mut stale = held::finished();
    correct(&mut stale);
    check(&stale, "Eight of eight answers, five of five sections. Some of it is out of date.");
    let mut halted = held::half();
    halt(&mut halted);
    check(&halted, "Six of eight answers, two of five sections.");
}

#[test]
fn a_section_leads_to_its_card_once_there_is_one() {
    let item = |story: &Story, section| item(&story.run, &Texts::new(), section, "/journey/7");
    let mut half = held::half();
    has(&item(&half, Section::Competitors), &["class=\"done\"", r##"href="/journey/7#card-competitors""##], &[]);
    has(&item(&half, Section::OfferAnalysis), &["class=\"now\"", "<a "], &[]);
    has(&item(&half, Section::CrossAnalysis), &["class=\"ahead\"", "needs 2 answers"], &["<a "]);
    fail(&mut half, Section::OfferAnalysis);
    has(&item(&half, Section::OfferAnalysis), &["class=\"failed\"", "<svg"], &[]);
}

#[test]
fn all_that_is_stale_runs_again_by_one_button() {
    let mut story = held::finished();
    let page = |story: &Story, mine| html(story, mine, |page| view! { <Sections page=page /> }.into_any());
    has(&page(&story, true), &[r#"aria-label="Sections""#, ">Report</a>"], &["<button"]);
    has(&page(&held::half(), false), &[r#"href="/journey/7/report">Report so far</a>"#], &[]);
    correct(&mut story);
    has(&page(&story, true), &["Run 5 sections again", r#"name="what" value="refresh""#], &[]);
    has(&page(&story, false), &["stale"], &["<button"]);
    story.command(Command::Refresh);
    assert_eq!(again(&story.run.state), None);
}
