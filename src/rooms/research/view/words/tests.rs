use super::*;
use crate::{
    engine::entry::{Entry, Partial, RunEvent},
    rooms::research::{
        flow::{Event, Setup},
        held::{self, Story},
        view::shown::{begin, correct, fail, halt},
    },
};

fn notes(story: &Story) -> [String; 5] {
    Section::ALL.map(|section| note(&story.run, &Texts::new(), section))
}

#[test]
fn it_is_said_how_far_a_conversation_has_come() {
    let check = |story: &Story, place: &str, doing: &str| {
        let words = words(&story.run, false);
        assert_eq!((words.place.as_str(), words.doing.as_str(), words.end), (place, doing, None));
    };
    let begun = Story::begin(&Setup::default(), "x");
    check(&begun, "0 of 8 answers · 0 of 5 sections", "The interviewer is thinking…");
    check(&held::half(), "6 of 8 answers · 2 of 5 sections", "Research goes on.");
    check(&held::finished(), "8 of 8 answers · 5 of 5 sections", "Research goes on.");
    let read = Story::begin(&Setup { opening: "Bread".into(), ..Setup::default() }, "x");
    check(&read, "0 of 8 answers · 0 of 5 sections", "The interviewer is reading…");
    assert_eq!(words(&begun.run, true).doing, "The interviewer is writing…");
    assert!(is_speaking(&read.run) && is_speaking(&begun.run) && !is_speaking(&held::half().run));
}

#[test]
fn what_was_found_is_heard_before_what_was_asked() {
    let said = |story: &Story| words(&story.run, false).said;
    assert_eq!(said(&Story::begin(&Setup::default(), "x")), None);
    let half = held::half();
    let last = said(&half).expect("a question");
    assert!(last.ends_with("Whom do you meet when you sell?"), "{last}");
    let mut found = half;
    found.synthesise(Section::OfferAnalysis);
    assert_eq!(said(&found), Some(format!("Offer: researched. {}", last.split(". ").last().unwrap_or_default())));
}

#[test]
fn only_the_rooms_own_ends_are_said() {
    let mut gave_up = held::half();
    gave_up.append(Entry::Room(Event::GaveUp { why: "It broke a rule.".into() }));
    assert_eq!(words(&gave_up.run, false).end, Some(("bad", "It broke a rule.".to_owned())));
    let mut stopped = held::half();
    halt(&mut stopped);
    assert_eq!(words(&stopped.run, false).end, None);
}

#[test]
fn each_section_says_where_it_stands() {
    let begun = Story::begin(&Setup::default(), "x");
    assert_eq!(notes(&begun), ["needs 2 answers", "needs 2 answers", "needs 3 answers", "needs 2 answers", "needs 8 answers"]);
    let mut told = begun;
    told.turn("", vec![held::ask(Field::Industry, "Which?", &[])]);
    told.command(crate::rooms::research::flow::Command::Correct { field: Field::Industry, text: "Cafés".into() });
    assert_eq!(notes(&told)[..2], ["needs the business model", "needs the product"]);

    let mut story = held::half();
    let [market, .., cross] = notes(&story);
    assert!(market.ends_with(" sources") && market.contains(" s · "), "{market}");
    assert_eq!((notes(&story)[3].as_str(), cross.as_str()), ("Putting it in order", "needs 2 answers"));
    fail(&mut story, Section::OfferAnalysis);
    assert_eq!(notes(&story)[3], "did not work out");
    halt(&mut story);
    assert_eq!(notes(&story)[2], "stopped");
}

#[test]
fn what_rests_on_a_changed_answer_is_stale_and_says_why() {
    let mut story = held::finished();
    assert_eq!(overtaken(&story.run.state, Section::IndustryMarket), None);
    correct(&mut story);
    assert_eq!(notes(&story), ["stale"; 5]);
    assert_eq!(overtaken(&story.run.state, Section::Competitors).as_deref(), Some("Found before this was changed: Industry."));
    story.command(crate::rooms::research::flow::Command::Refresh);
    let standing = |section| Standing::of(&story.run, section);
    assert_eq!(Section::ALL.map(standing)[..3], [Standing::Working, Standing::Working, Standing::Due]);
    assert_eq!(notes(&story)[2], "waits for Industry and market");
}

#[test]
fn the_steps_of_a_section_are_what_is_being_written_for_it() {
    let mut story = held::half();
    let section = Section::IcpValidation;
    let step = begin(&mut story, Ask::Gather { section, attempt: 1 });
    let texts = vec![Partial { message: step, text: "Searching “ovens”\nReading 6 sources".into() }];
    let steps = |texts: &Texts, story: &Story| steps(&story.run, texts, section);
    assert_eq!(steps(&texts, &story), ["Searching “ovens”", "Reading 6 sources"]);
    assert_eq!(note(&story.run, &texts, section), "Reading 6 sources");
    assert!(steps(&Texts::new(), &story).is_empty());
    let why = "The provider is busy.".to_owned();
    story.append(Entry::<Event>::Run(RunEvent::Waited { until: Some(1), why, cause: None, step: Some(step) }));
    assert_eq!(steps(&texts, &story), ["Taking a moment… The provider is busy."]);
}

#[test]
fn what_was_done_before_stays_while_it_is_put_in_order() {
    let (mut story, section) = (held::half(), Section::OfferAnalysis);
    let steps = |story: &Story| steps(&story.run, &Texts::new(), section);
    let read = format!("Read {} sources", held::held(section).sources.len());
    assert_eq!(steps(&story), [read.as_str(), "Putting it in order"]);
    begin(&mut story, Ask::Synthesise { section, attempt: 1 });
    assert_eq!(steps(&story), [read.as_str(), "Putting it in order"]);
    story.append(Entry::Room(Event::Misfit { section, draft: "{".into(), why: "It ends too soon.".into() }));
    assert_eq!(steps(&story), [read.as_str(), "Putting it in order", "Putting it right"]);
}

#[test]
fn durations_are_read_at_a_glance() {
    for (ms, expect) in [(0, "0.0 s"), (400, "0.4 s"), (9_999, "9.9 s"), (22_900, "22 s"), (60_000, "1 min 0 s"), (125_000, "2 min 5 s")] {
        assert_eq!(duration(ms), expect);
    }
}
