//! What a person may do, as tables.

use super::*;
use Section::*;

fn open(options: &[&str], multi: bool) -> State {
    asked(begun(""), Field::Industry, options, multi)
}

fn chosen(options: &[u32]) -> Vec<Event> {
    vec![Event::Chose { question: 0, options: options.to_vec() }]
}

#[test]
fn choices_are_those_on_offer() {
    let (one, many) = (open(&["Shops", "Cafés"], false), open(&["Shops", "Cafés"], true));
    let choose =
        |state: &State, question, options: &[u32]| Research::decide(state, Command::Choose { question, options: options.to_vec() });
    for (state, question, options, expect) in [
        (&one, 0, &[1][..], Ok(chosen(&[1]))),
        (&one, 0, &[], Ok(chosen(&[]))),
        (&one, 0, &[1, 1], Ok(chosen(&[1]))),
        (&one, 0, &[0, 1], Err(Refusal::Options)),
        (&one, 0, &[2], Err(Refusal::Options)),
        (&one, 1, &[0], Err(Refusal::Question)),
        (&many, 0, &[1, 0, 1], Ok(chosen(&[0, 1]))),
        (&many, 0, &[0, 9], Err(Refusal::Options)),
    ] {
        assert_eq!(choose(state, question, options), expect, "{question} {options:?}");
    }
    // A double click, and a question that is answered or was another one, change nothing.
    let answered = decide(many, Command::Choose { question: 0, options: vec![1, 0] });
    assert_eq!((answered.answer(Field::Industry), answered.asked), (Some("shops, cafés"), None));
    assert_eq!(answered.thread.last(), Some(&Item::Said { text: "Shops, Cafés".into(), chosen: true }));
    assert_eq!(choose(&answered, 0, &[1]), Ok(vec![]));
    let next = asked(answered, Field::OfferPricing, &["£5"], false);
    assert_eq!((choose(&next, 0, &[0]), choose(&next, 2, &[0])), (Ok(vec![]), Err(Refusal::Question)));
}

#[test]
fn words_may_name_options_skip_or_be_words() {
    let (one, many) = (open(&["Shops", "Not sure", "Yes, always"], false), open(&["Shops", "Cafés"], true));
    let say = |state: &State, text: &str| Research::decide(state, Command::Say { text: text.into() });
    let said = |text: &str| Event::Said { text: text.into() };
    let skipped = |text: &str| vec![said(text), Event::Understood { message: 0, known: vec![known(Field::Industry, "")], question: false }];
    for (state, text, expect) in [
        (&one, " shops ", chosen(&[0])),
        (&one, "Not sure", chosen(&[1])),
        (&one, "yes,  ALWAYS", chosen(&[2])),
        (&one, "shops, not sure", vec![said("shops, not sure")]),
        (&one, "Shops and more", vec![said("Shops and more")]),
        (&many, "cafés, Shops,cafés", chosen(&[0, 1])),
        (&many, "Cafés, bars", vec![said("Cafés, bars")]),
        (&many, "Skip.", skipped("Skip.")),
        (&many, "I don’t know!", skipped("I don’t know!")),
        (&many, "no  idea", skipped("no  idea")),
        (&many, "I don’t know yet, shops perhaps", vec![said("I don’t know yet, shops perhaps")]),
    ] {
        assert_eq!(say(state, text), Ok(expect), "{text}");
    }
    // Where nothing is asked, nothing is skipped and no option is named.
    assert_eq!(say(&begun(""), "skip"), Ok(vec![said("skip")]));
    for wrong in ["", " \n ", "x\u{0}", &"x".repeat(MESSAGE_CHARS + 1)] {
        assert!(matches!(say(&one, wrong), Err(Refusal::Message(_))), "{wrong:.20?}");
    }
}

#[test]
fn a_skip_is_an_answer_and_needs_no_model() {
    let state = say(open(&[], false), "skip");
    assert_eq!((state.answer(Field::Industry), Research::wants(&state)), (Some(""), vec![Ask::Interview { turn: 1 }]));
    let again = turn(state, "", vec![ask_user("industry", &[], false)]);
    assert_eq!(calls(&again), [Called::Refused("industry is answered already: the person does not know. Ask for something else.".into())]);
}

#[test]
fn corrections_hold() {
    let correct = |state: &State, text: &str| Research::decide(state, Command::Correct { field: Field::Industry, text: text.into() });
    let state = know(begun(""), &[Field::Industry]);
    assert_eq!(correct(&state, " x "), Ok(vec![]));
    assert_eq!(correct(&state, " a\n b "), Ok(vec![Event::Corrected { known: known(Field::Industry, "a b") }]));
    for wrong in ["", " ", "\u{7}", &"x".repeat(field::FIELD_CHARS + 1)] {
        assert!(matches!(correct(&state, wrong), Err(Refusal::Field(_))), "{wrong:.20?}");
    }
    // Whoever does not know says so as in an answer.
    for skip in ["I don’t know.", "skip"] {
        assert_eq!(correct(&state, skip), Ok(vec![Event::Corrected { known: known(Field::Industry, "") }]));
    }
    // It answers the question that asks for the same, and no other.
    let asking = open(&[], false);
    assert_eq!(know(asking.clone(), &[Field::Industry]).asked, None);
    assert_eq!(know(asking, &[Field::OfferPricing]).asked, Some(0));
    // What was said before it says nothing newer.
    let said = say(open(&[], false), "Shops, for £5.");
    let corrected = decide(said, Command::Correct { field: Field::Industry, text: "Cafés".into() });
    let read = extract(corrected, Reply::Answer, vec![known(Field::Industry, "Shops"), known(Field::OfferPricing, "£5")]);
    assert_eq!((read.answer(Field::Industry), read.answer(Field::OfferPricing)), (Some("Cafés"), Some("£5")));
    // What is said later does.
    let later = extract(say(read, "It is bars now."), Reply::Answer, vec![known(Field::Industry, "Bars")]);
    assert_eq!(later.answer(Field::Industry), Some("Bars"));
}

#[test]
fn a_section_can_be_retried_refreshed_and_stopped_where_there_is_something_to() {
    let decide = |state: &State, command| Research::decide(state, command);
    let done = summarised();
    assert_eq!(decide(&done, Command::Retry { section: IndustryMarket }), Err(Refusal::UpToDate("Industry and market")));
    assert_eq!(
        (decide(&done, Command::Refresh), decide(&done, Command::StopSection { section: IndustryMarket })),
        (Ok(vec![]), Ok(vec![]))
    );
    let fresh = begun("");
    assert_eq!(decide(&fresh, Command::Retry { section: CrossAnalysis }), Ok(vec![]), "it begins by itself once it can");
    let running = turn(know(begun(""), &[Field::BusinessModel, Field::Industry]), "Hm.", vec![]);
    assert_eq!(decide(&running, Command::Retry { section: IndustryMarket }), Ok(vec![]));
    let stopped = super::decide(running, Command::StopSection { section: IndustryMarket });
    assert_eq!((stopped.study(IndustryMarket).error.as_deref(), stopped.ready()), (Some("Stopped by you."), vec![]));
    // What waits to be done again can be stopped as well.
    let stale = super::decide(done, Command::Correct { field: Field::BusinessModel, text: "y".into() });
    let refreshed = super::decide(stale, Command::Refresh);
    assert!(refreshed.study(CrossAnalysis).due);
    let stopped = super::decide(refreshed, Command::StopSection { section: CrossAnalysis });
    assert!(!stopped.study(CrossAnalysis).due && stopped.study(CrossAnalysis).result.is_some());
}
