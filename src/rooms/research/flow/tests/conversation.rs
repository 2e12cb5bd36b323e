//! What is said, asked and answered.

use super::*;

#[test]
fn the_interviewer_begins_where_nothing_was_said_and_reads_first_where_something_was() {
    assert_eq!(Research::wants(&begun("")), [Ask::Interview { turn: 0 }]);
    assert_eq!(Research::wants(&begun("We sell tills.")), [Ask::Extract { message: 0 }]);
    let read = extract(begun("We sell tills."), Reply::Answer, vec![known(Field::ProductDescription, "  Tills\n for bakeries ")]);
    assert_eq!(read.known, [known(Field::ProductDescription, "Tills for bakeries")]);
    assert_eq!(Research::wants(&read), [Ask::Interview { turn: 0 }]);
    let open = asked(read, Field::Industry, &[], false);
    assert_eq!((Research::wants(&open), Research::status(&open)), (vec![], Status::Waiting));
}

#[test]
fn bad_setups_are_refused() {
    let refused = |opening: &str| Research::begin(&Setup { opening: opening.into(), ..Setup::default() }).is_err();
    for (opening, expect) in [("", false), ("Tills", false), (" \n", true), ("x\u{1b}", true), (&"x".repeat(MESSAGE_CHARS + 1), true)] {
        assert_eq!(refused(opening), expect, "{opening:.20?}");
    }
}

#[test]
fn a_message_answers_the_question_unless_it_is_one() {
    use Field::*;
    let open = || asked(begun(""), Industry, &[], false);
    for (reply, found, expect) in [
        (Reply::Answer, vec![], vec![known(Industry, "Shops, mostly.")]),
        (Reply::Answer, vec![known(Industry, "Retail")], vec![known(Industry, "Retail")]),
        (Reply::Answer, vec![known(CompanyName, "Crumb")], vec![known(CompanyName, "Crumb"), known(Industry, "Shops, mostly.")]),
        (Reply::Answer, vec![known(Industry, "Retail"), known(Industry, "Food")], vec![known(Industry, "Retail")]),
        (Reply::Answer, vec![known(CompanyName, " \n")], vec![known(Industry, "Shops, mostly.")]),
        (Reply::Skip, vec![], vec![known(Industry, "")]),
        (Reply::Skip, vec![known(CompanyName, "Crumb")], vec![known(CompanyName, "Crumb"), known(Industry, "")]),
        (Reply::Question, vec![], vec![]),
        (Reply::Question, vec![known(CompanyName, "Crumb")], vec![known(CompanyName, "Crumb")]),
    ] {
        let said = say(open(), " Shops, mostly. ");
        assert_eq!((said.asked, said.open_question()), (None, None), "it is closed");
        let read = extract(said, reply, found.clone());
        assert_eq!(read.known, expect, "{reply:?} {found:?}");
        assert_eq!(Research::wants(&read), [Ask::Interview { turn: 1 }]);
    }
}

#[test]
fn words_that_come_while_others_are_unread_are_read_with_them() {
    let state = say(say(asked(begun(""), Field::Industry, &[], false), "Shops."), "And cafés.");
    assert_eq!((state.unread_words().as_str(), Research::wants(&state)), ("Shops.\nAnd cafés.", vec![Ask::Extract { message: 1 }]));
    let read = extract(state, Reply::Answer, vec![]);
    assert_eq!(read.known, [known(Field::Industry, "Shops. And cafés.")]);
}

#[test]
fn words_that_no_model_can_read_are_the_answer_themselves() {
    let failure = Failure { why: "The key was refused.".into(), cause: Some("auth".into()) };
    let said = say(asked(begun(""), Field::Industry, &[], false), "Shops.");
    let ask = Research::wants(&said)[0];
    let read = apply(said.clone(), &Research::failed(&said, &ask, &failure).expect("the run goes on"));
    assert_eq!((read.known, read.unread), (vec![known(Field::Industry, "Shops.")], None));
    // Without a question they are left to the interviewer.
    let opened = begun("We sell tills.");
    let read = apply(opened.clone(), &Research::failed(&opened, &Ask::Extract { message: 0 }, &failure).expect("the run goes on"));
    assert_eq!((read.known.len(), Research::wants(&read)), (0, vec![Ask::Interview { turn: 0 }]));
}

#[test]
fn without_an_interviewer_or_a_summary_the_run_halts() {
    let failure = Failure { why: "Down.".into(), cause: None };
    for (state, ask) in [(begun(""), Ask::Interview { turn: 0 }), (complete(), Ask::Summary { turn: 1 })] {
        assert_eq!((Research::wants(&state), Research::failed(&state, &ask, &failure)), (vec![ask], None));
    }
    let state = turn(know(begun(""), &[Field::BusinessModel, Field::Industry]), "Hm.", vec![]);
    for stage in 0..3 {
        let state = (0..stage).fold(state.clone(), |state, at| match at {
            0 => gather(state, Section::IndustryMarket),
            _ => drafted(state, Section::IndustryMarket, Err("no".into())),
        });
        let ask = Research::wants(&state)[0];
        let expect = Event::ResearchFailed { section: Section::IndustryMarket, error: "Down.".into() };
        assert_eq!(Research::failed(&state, &ask, &failure), Some(vec![expect]), "{ask:?}");
    }
}

#[test]
fn a_turn_is_read_as_its_words_and_then_its_question() {
    let question = |said: &str, question: &str| {
        let tool = Tool::AskUser(AskUser {
            question: question.into(),
            field: "industry".into(),
            options: vec![],
            multi: false,
            allow_other: false,
        });
        let state = turn(begun(""), said, vec![tool]);
        let Some(Item::Turn(turn)) = state.thread.last() else { panic!("{state:?}") };
        turn.words.clone()
    };
    assert_eq!(question("", "Which?"), "Which?");
    assert_eq!(question(" Good. ", " Which? "), "Good.\n\nWhich?");
    assert_eq!(question("Good. Which?", "Which?"), "Good. Which?");
    let long = question(&"x".repeat(5_000), &"y".repeat(600));
    assert!(
        long.ends_with(&format!("\n\n{}", "y".repeat(500))) && long.chars().count() == 2_502,
        "the question is never cut off by the words"
    );
    assert_eq!(question("Hm.", " "), "Hm.", "an empty question is refused");
}

#[test]
fn options_are_cut_to_size_and_told_apart() {
    let choice = |label: &str, value: &str| Choice { label: label.into(), value: value.into() };
    let mut options = vec![choice(" A\n b ", ""), choice("A b", "again"), choice("", "x"), choice(&"x".repeat(100), "long")];
    options.extend((0..20).map(|number| choice(&number.to_string(), "")));
    let tool = Tool::AskUser(AskUser { question: "Which?".into(), field: "industry".into(), options, multi: true, allow_other: true });
    let state = turn(begun(""), "", vec![tool]);
    let (_, question) = state.open_question().expect("a question");
    assert_eq!(question.options.len(), 8);
    assert_eq!(question.options[..2], [choice("A b", "A b"), choice(&"x".repeat(80), "long")]);
}

#[test]
fn the_interviewer_goes_on_until_it_has_asked_and_then_waits() {
    let run = || Tool::RunResearch("industryMarket".into());
    let ready = || know(begun(""), &[Field::BusinessModel, Field::Industry]);
    for (name, state, floor) in [
        ("words", turn(ready(), "Well.", vec![]), Floor::Person),
        ("a question", turn(ready(), "", vec![ask_user("offerPricing", &[], false)]), Floor::Person),
        ("research", turn(ready(), "", vec![run()]), Floor::Interviewer),
        ("both", turn(ready(), "", vec![run(), ask_user("offerPricing", &[], false)]), Floor::Person),
        ("a refusal", turn(ready(), "", vec![Tool::RunResearch("x".into())]), Floor::Interviewer),
        ("nothing at all", turn(ready(), " ", vec![]), Floor::Interviewer),
        ("research and nothing left to ask", turn(know(begun(""), &Field::ALL), "", vec![run()]), Floor::Person),
    ] {
        assert_eq!(state.floor, floor, "{name}");
    }
}

#[test]
fn twenty_steps_and_then_it_says_so_and_waits() {
    let mut state = know(begun(""), &[Field::BusinessModel, Field::Industry]);
    for step in 0..MAX_STEPS {
        assert_eq!(Research::wants(&state), [Ask::Interview { turn: step }]);
        state = turn(state, "", vec![Tool::Unusable("no".into())]);
    }
    // The research goes on without the interviewer.
    assert_eq!(Research::wants(&state), [Ask::Gather { section: Section::IndustryMarket, attempt: 1 }]);
    state = find(state, Section::IndustryMarket);
    assert_eq!((Research::status(&state), Research::reason(&state).as_deref()), (Status::Waiting, Some("step_limit")));
    assert_eq!(Research::wants(&resumed(state.clone())), [Ask::Interview { turn: MAX_STEPS }]);
    let said = extract(say(state.clone(), "Are you there?"), Reply::Question, vec![]);
    assert_eq!((said.steps, Research::wants(&said)), (0, vec![Ask::Interview { turn: MAX_STEPS }]));

    // The question of its last step can still be answered, in any way.
    state.steps = MAX_STEPS - 1;
    let open = asked(state, Field::OfferPricing, &["£5"], false);
    for answer in [
        Command::Choose { question: MAX_STEPS, options: vec![0] },
        Command::Correct { field: Field::OfferPricing, text: "£5".into() },
        Command::Say { text: "£5".into() },
        Command::Say { text: "skip".into() },
    ] {
        let answered = decide(open.clone(), answer.clone());
        assert_eq!((answered.answer(Field::OfferPricing).is_some(), Research::wants(&answered).len()), (true, 1), "{answer:?}");
    }
}

#[test]
fn findings_are_told_once_and_kept_until_something_was_asked() {
    let state = find(turn(know(begun(""), &[Field::BusinessModel, Field::Industry]), "Hm.", vec![]), Section::IndustryMarket);
    assert_eq!(state.fresh, [Section::IndustryMarket]);
    let state = extract(say(state, "Well."), Reply::Question, vec![]);
    let state = turn(state, "", vec![Tool::Unusable("no".into())]);
    assert_eq!(state.fresh, [Section::IndustryMarket], "nothing was asked yet");
    assert_eq!(asked(state, Field::OfferPricing, &[], false).fresh, []);
}

#[test]
fn it_is_done_once_all_is_answered_found_and_summed_up() {
    let state = complete();
    assert_eq!((Research::status(&state), Research::wants(&state)), (Status::Running, vec![Ask::Summary { turn: 1 }]));
    let done = summarised();
    assert_eq!((Research::status(&done), Research::wants(&done)), (Status::Done, vec![]));
    // One may talk on, and nothing is summed up twice.
    let asking = extract(say(done, "Why?"), Reply::Question, vec![]);
    let told = turn(asking, "Because.", vec![]);
    assert_eq!((Research::status(&told), told.thread.len()), (Status::Done, summarised().thread.len() + 2));
}

#[test]
fn a_title_is_what_was_said_first() {
    let title = |opening: &str| Research::title(&Setup { opening: opening.into(), ..Setup::default() });
    assert_eq!((title("").as_str(), title("We sell\n tills.").as_str()), ("Market research", "We sell tills."));
    assert_eq!(title(&"x".repeat(100)).chars().count(), 60);
}

/// What these words in the place of that message come to, written out.
fn retell(before: &State, turn: u32, words: &str) -> Result<Option<String>, Refusal> {
    Research::retell(before, turn, words.to_owned()).map(|retold| {
        retold.map(|retold| match retold {
            Retold::Setup(setup) => format!("{setup:?}"),
            Retold::Events(events) => format!("{events:?}"),
        })
    })
}

#[test]
fn a_message_in_other_words_is_judged_like_any_other() {
    let open = asked(extract(begun("We sell tills."), Reply::Answer, vec![]), Field::Industry, &["Shops", "Cafés"], false);
    let said = say(open.clone(), "Bars.");
    assert_eq!([0, 1, 2].map(|turn| Research::turn(&said, turn)), [Some("We sell tills."), Some("Bars."), None]);
    let chosen = decide(open.clone(), Command::Choose { question: 0, options: vec![0] });
    assert_eq!(Research::turn(&chosen, 1), Some("Shops"), "a choice is a turn as well");
    let setup = Setup { opening: "We sell ovens.".to_owned(), ..Setup::default() };
    assert_eq!(retell(&open, 0, " We sell ovens. "), Ok(Some(format!("{setup:?}"))));
    for (before, turn, words) in
        [(&open, 1, "Bars."), (&open, 1, " shops "), (&open, 1, "skip"), (&asked(begun(""), Field::Industry, &[], false), 0, "Bars.")]
    {
        let events = Research::decide(before, Command::Say { text: words.to_owned() }).expect("said");
        assert_eq!(retell(before, turn, words), Ok(Some(format!("{events:?}"))), "{words}");
    }
    assert_eq!(retell(&open, 2, "Bars."), Ok(None));
    for (turn, words) in [(0, " "), (1, "\u{1}"), (1, &"x".repeat(MESSAGE_CHARS + 1))] {
        assert!(matches!(retell(&open, turn, words), Err(Refusal::Message(_))), "{turn} {words:.9}");
    }
}

#[test]
fn what_a_caller_brought_along_is_not_said_in_other_words_but_what_comes_behind_it_is() {
    let quoted = |person, text: &str| Quoted { person, text: text.to_owned() };
    let imported = Imported { said: vec![quoted(true, "Hello."), quoted(false, "What do you sell?")], ..Imported::default() };
    let brought = Research::begin(&Setup { opening: "Tills.".into(), imported, ..Setup::default() }).expect("accepted");
    let open = asked(extract(brought.clone(), Reply::Answer, vec![]), Field::Industry, &[], false);
    let said = say(open.clone(), "Shops.");
    assert_eq!([0, 1, 2].map(|turn| Research::turn(&said, turn)), [None, None, Some("Shops.")]);
    // It would be lost with the setup.
    for (before, turn) in [(&brought, 0), (&brought, 1), (&open, 1)] {
        assert_eq!(retell(before, turn, "Ovens."), Ok(None));
    }
    assert_eq!(retell(&open, 2, "Bars."), Ok(Some(format!("{:?}", [Event::Said { text: "Bars.".into() }]))));
}

#[test]
fn research_under_way_takes_as_long_as_it_does_after_a_break() {
    let state = turn(know(begun(""), &[Field::BusinessModel, Field::Industry]), "Well.", vec![]);
    let section = Section::IndustryMarket;
    let resumed = Research::resumed(gather(state, section), Stamp { seq: 9, at: 3_600_000 });
    let found = Event::Found { told: Told::new(&nothing(section)), dropped: 0 };
    let state = Research::apply(resumed, Stamp { seq: 10, at: 3_601_500 }, &found);
    let result = state.study(section).result.as_ref().expect("found");
    assert_eq!((result.ms, result.sources.len()), (Some(1_500), 1));
}
