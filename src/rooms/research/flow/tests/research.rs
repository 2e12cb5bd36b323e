//! When a section is researched, when again, and what becomes of what is found.

use super::*;
use crate::engine::flow::read::Read;
use Section::*;

#[test]
fn a_section_needs_what_the_table_says_and_is_told_what_is_missing() {
    use Field::*;
    const REQUIRED: [Field; 8] =
        [BusinessModel, Industry, IcpDescription, ProductDescription, Field::Competitors, OfferPricing, MonthlyBudget, GeographicFocus];
    let table: [(Section, &[Field], &[Section]); 5] = [
        (IndustryMarket, &[BusinessModel, Industry], &[]),
        (Section::Competitors, &[Industry, ProductDescription], &[]),
        (IcpValidation, &[BusinessModel, Industry, IcpDescription], &[IndustryMarket]),
        (OfferAnalysis, &[ProductDescription, OfferPricing], &[IndustryMarket]),
        (CrossAnalysis, &REQUIRED, &[IndustryMarket, Section::Competitors, IcpValidation, OfferAnalysis]),
    ];
    for (section, fields, results) in table {
        let slugs: Vec<&str> = fields.iter().map(|field| field.slug()).collect();
        let needs: Vec<&str> = results.iter().map(|on| on.slug()).filter(|on| !slugs.contains(on)).collect();
        let needs = [slugs, needs].concat();
        assert_eq!(begun("").lacks(section), needs);
        let refused = turn(begun(""), "", vec![Tool::RunResearch(section.slug().into())]);
        assert_eq!(
            calls(&refused),
            [Called::Refused(format!("{} needs {}. Ask for it, or wait for it.", section.slug(), needs.join(", ")))]
        );
        assert_eq!(refused.floor, Floor::Interviewer, "it may put that right");
        // Without any one of them it does not begin, with all of them it does.
        for missing in fields {
            let others: Vec<Field> = Field::ALL.into_iter().filter(|field| field != missing).collect();
            assert_eq!(know(begun(""), &others).lacks(section).first(), Some(&missing.slug()), "{section:?}");
        }
        let mut state = know(begun(""), fields);
        for on in results {
            state.studies[*on as usize].result = complete().study(*on).result.clone();
            state = know(state, &on.uses().collect::<Vec<_>>());
        }
        let state = turn(state, "", vec![Tool::RunResearch(section.slug().into())]);
        assert_eq!(calls(&state), [Called::Research(section)]);
        assert!(state.study(section).work.is_some());
    }
}

#[test]
fn calls_are_judged_one_by_one() {
    let ready = know(begun(""), &[Field::BusinessModel, Field::Industry, Field::ProductDescription]);
    let run = |section: &str| Tool::RunResearch(section.into());
    let tools = vec![
        run("competitors"),
        run("competitors"),
        run("weather"),
        ask_user("mood", &[], false),
        ask_user("industry", &[], false),
        ask_user("offerPricing", &[], false),
        ask_user("monthlyBudget", &[], false),
        Tool::Unusable("There is no tool “dance”.".into()),
    ];
    let state = turn(ready, "So.", tools);
    let said: Vec<String> = calls(&state)
        .into_iter()
        .map(|called| match called {
            Called::Question(question) => question.field.slug().to_owned(),
            Called::Research(section) => section.slug().to_owned(),
            Called::Refused(why) => why,
        })
        .collect();
    assert_eq!(
        said,
        [
            "competitors",
            "competitors is being researched already.",
            "There is no section “weather”.",
            "There is no field “mood”.",
            "industry is answered already: x. Ask for something else.",
            "offerPricing",
            "One question at a time: ask this one later.",
            "There is no tool “dance”.",
        ]
    );
    // What was ready and was not called has begun by itself, behind the turn.
    assert_eq!(state.under_way().iter().map(|study| study.section).collect::<Vec<_>>(), [Section::Competitors, IndustryMarket]);
    let again = turn(say_and_read(find(state, Section::Competitors)), "", vec![run("competitors")]);
    assert_eq!(calls(&again), [Called::Refused("competitors has been researched already, and nothing it rests on has changed.".into())]);
}

/// The person says something that is an answer.
fn say_and_read(state: State) -> State {
    extract(say(state, "Well."), Reply::Question, vec![])
}

#[test]
fn what_came_to_nothing_is_tried_again_only_when_a_person_asks_for_it() {
    let mut state = turn(know(begun(""), &[Field::BusinessModel, Field::Industry]), "Hm.", vec![]);
    let ask = Ask::Gather { section: IndustryMarket, attempt: 1 };
    let failure = Failure { why: "The provider is down.".into(), cause: Some("network".into()) };
    state = apply(state.clone(), &Research::failed(&state, &ask, &failure).expect("the run goes on"));
    assert_eq!(state.study(IndustryMarket).error.as_deref(), Some("The provider is down."));
    assert_eq!((Research::wants(&state), state.ready()), (vec![], vec![]));
    // A refusal lets the interviewer go on, and then the person has not just spoken.
    let again = || vec![Tool::RunResearch("industryMarket".into())];
    let unasked = turn(turn(say_and_read(state.clone()), "", vec![Tool::Unusable("no".into())]), "", again());
    assert_eq!(calls(&unasked), [Called::Refused("industryMarket is researched again only when the person asks for it.".into())]);
    let called = turn(say_and_read(state.clone()), "", again());
    assert_eq!(calls(&called), [Called::Research(IndustryMarket)]);
    assert!(Research::wants(&called).contains(&Ask::Gather { section: IndustryMarket, attempt: 2 }));
    let retried = decide(state, Command::Retry { section: IndustryMarket });
    assert_eq!(Research::wants(&retried), [Ask::Gather { section: IndustryMarket, attempt: 2 }]);
    assert_eq!(retried.study(IndustryMarket).error, None);
}

#[test]
fn once_all_is_answered_what_is_stale_can_be_asked_for_in_words() {
    let stale = decide(summarised(), Command::Correct { field: Field::OfferPricing, text: "y".into() });
    assert_eq!((Research::wants(&stale), Research::status(&stale)), (vec![], Status::Waiting));
    let run = |section: Section| Tool::RunResearch(section.slug().into());
    // What it builds on comes along, as with a retry.
    let called = turn(say_and_read(stale), "", vec![run(CrossAnalysis), run(OfferAnalysis)]);
    assert_eq!(calls(&called), [Called::Research(CrossAnalysis), Called::Research(OfferAnalysis)]);
    assert_eq!(Research::wants(&called), [Ask::Gather { section: OfferAnalysis, attempt: 2 }]);
    let found = find(called, OfferAnalysis);
    assert_eq!(Research::wants(&found), [Ask::Gather { section: CrossAnalysis, attempt: 2 }]);
    assert!(find(found, CrossAnalysis).is_complete());
}

#[test]
fn what_a_person_wants_again_does_not_wait_for_the_interviewer() {
    let stopped = decide(
        turn(know(begun(""), &[Field::BusinessModel, Field::Industry]), "Hm.", vec![]),
        Command::StopSection { section: IndustryMarket },
    );
    let busy = say_and_read(stopped);
    assert_eq!(Research::wants(&busy), [Ask::Interview { turn: 1 }]);
    let retried = decide(busy, Command::Retry { section: IndustryMarket });
    assert_eq!(Research::wants(&retried), [Ask::Interview { turn: 1 }, Ask::Gather { section: IndustryMarket, attempt: 2 }]);
}

#[test]
fn three_are_researched_side_by_side_and_the_fourth_takes_the_first_free_place() {
    let mut state = complete();
    for section in Section::ALL {
        state = apply(state, &[Event::Requested { sections: vec![section] }]);
    }
    // Those that build on others wait for them all the same.
    let state =
        apply(state, &[IndustryMarket, Section::Competitors, IcpValidation, OfferAnalysis].map(|section| Event::ResearchBegan { section }));
    let wants = |state: &State| Research::wants(state).iter().map(section_of).collect::<Vec<_>>();
    assert_eq!(wants(&state), [IndustryMarket, Section::Competitors, IcpValidation]);
    assert_eq!(wants(&find(state.clone(), IcpValidation)), [IndustryMarket, Section::Competitors, OfferAnalysis]);
    let stopped = decide(state, Command::StopSection { section: IndustryMarket });
    assert_eq!(wants(&stopped), [Section::Competitors, IcpValidation, OfferAnalysis]);
}

fn section_of(ask: &Ask) -> Section {
    match ask {
        Ask::Gather { section, .. } | Ask::Synthesise { section, .. } | Ask::Repair { section, .. } => *section,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_adds_everything_up_waits_for_the_last_answer() {
    let but_budget: Vec<Field> = Field::ALL.into_iter().filter(|field| *field != Field::MonthlyBudget).collect();
    let mut state = asked(know(begun(""), &but_budget), Field::MonthlyBudget, &["£1,000"], false);
    for section in [IndustryMarket, Section::Competitors, IcpValidation, OfferAnalysis] {
        state = find(state, section);
    }
    assert_eq!((Research::wants(&state), Research::status(&state)), (vec![], Status::Waiting));
    assert_eq!(state.lacks(CrossAnalysis), ["monthlyBudget"]);
    let called = turn(say_and_read(state.clone()), "", vec![Tool::RunResearch("crossAnalysis".into())]);
    assert_eq!(calls(&called), [Called::Refused("crossAnalysis needs monthlyBudget. Ask for it, or wait for it.".into())]);
    let answered = decide(state, Command::Choose { question: 0, options: vec![0] });
    assert_eq!(Research::wants(&answered), [Ask::Gather { section: CrossAnalysis, attempt: 1 }]);
    assert!(
        answered.study(CrossAnalysis).work.as_ref().is_some_and(|work| work.brief.known.contains(&known(Field::MonthlyBudget, "£1,000")))
    );
}

#[test]
fn a_correction_makes_stale_what_used_it_and_what_is_built_on_that_and_nothing_else() {
    use Field::*;
    let table: [(Field, &[Section]); 12] = [
        (BusinessModel, &[IndustryMarket, IcpValidation, OfferAnalysis, CrossAnalysis]),
        (Industry, &[IndustryMarket, Section::Competitors, IcpValidation, OfferAnalysis, CrossAnalysis]),
        (IcpDescription, &[IcpValidation, CrossAnalysis]),
        (ProductDescription, &[Section::Competitors, OfferAnalysis, CrossAnalysis]),
        (Field::Competitors, &[Section::Competitors, OfferAnalysis, CrossAnalysis]),
        (OfferPricing, &[OfferAnalysis, CrossAnalysis]),
        (MonthlyBudget, &[IcpValidation, OfferAnalysis, CrossAnalysis]),
        (GeographicFocus, &[IndustryMarket, Section::Competitors, IcpValidation, OfferAnalysis, CrossAnalysis]),
        (CompanyName, &[IndustryMarket, Section::Competitors, IcpValidation, OfferAnalysis, CrossAnalysis]),
        (WebsiteUrl, &[IndustryMarket, IcpValidation, OfferAnalysis, CrossAnalysis]),
        (SalesCycleLength, &[IcpValidation, CrossAnalysis]),
        (AvgDealSize, &[IcpValidation, OfferAnalysis, CrossAnalysis]),
    ];
    for (field, stale) in table {
        let before = summarised();
        let corrected = decide(before.clone(), Command::Correct { field, text: "y".into() });
        assert_eq!(corrected.stale(), stale, "{field:?}");
        assert_eq!((Research::wants(&corrected), Research::status(&corrected)), (vec![], Status::Waiting), "it waits for a person");
        assert_eq!(corrected.ready(), []);
        let back = decide(corrected.clone(), Command::Correct { field, text: "x".into() });
        assert_eq!((back.stale(), Research::status(&back)), (vec![], Status::Done), "nothing has changed after all");

        let mut state = decide(corrected, Command::Refresh);
        assert_eq!(Research::decide(&state, Command::Refresh), Ok(vec![]), "a double click is one click");
        while let Some(study) = state.under_way().first() {
            let section = study.section;
            assert_eq!(study.result, before.study(section).result, "the old result stays until then");
            state = find(state, section);
        }
        let attempts: Vec<u32> = Section::ALL.into_iter().map(|section| 1 + u32::from(stale.contains(&section))).collect();
        assert_eq!(state.attempts(), attempts, "{field:?}");
        assert_eq!((state.stale(), Research::wants(&state)), (vec![], vec![Ask::Summary { turn: 1 }]));
    }
}

#[test]
fn what_is_said_later_is_news_to_what_adds_everything_up_and_to_nothing_else() {
    let but_company: Vec<Field> = Field::ALL.into_iter().filter(|field| *field != Field::CompanyName).collect();
    let mut state = turn(know(begun(""), &but_company), "Thank you.", vec![]);
    for section in Section::ALL {
        state = find(state, section);
    }
    assert!(state.is_complete());
    assert_eq!(know(state.clone(), &[Field::CompanyName]).stale(), [CrossAnalysis]);
    let nothing = Event::Corrected { known: known(Field::CompanyName, "") };
    assert_eq!(apply(state, &[nothing]).stale(), [], "nothing to say is no news");
}

#[test]
fn a_log_in_which_it_began_too_early_makes_it_stale_with_the_answer() {
    let but_budget: Vec<Field> = Field::ALL.into_iter().filter(|field| *field != Field::MonthlyBudget).collect();
    let mut state = asked(know(begun(""), &but_budget), Field::MonthlyBudget, &[], false);
    for section in [IndustryMarket, Section::Competitors, IcpValidation, OfferAnalysis] {
        state = find(state, section);
    }
    let early = find(apply(state, &[Event::ResearchBegan { section: CrossAnalysis }]), CrossAnalysis);
    assert_eq!((early.stale(), know(early, &[Field::MonthlyBudget]).stale()), (vec![], vec![CrossAnalysis]));
}

#[test]
fn what_was_found_on_old_answers_is_stale_from_the_start() {
    let state = turn(know(begun(""), &[Field::BusinessModel, Field::Industry]), "Hm.", vec![]);
    let state = decide(state, Command::Correct { field: Field::Industry, text: "y".into() });
    let state = find(state, IndustryMarket);
    assert_eq!((state.stale(), state.ready()), (vec![IndustryMarket], vec![]));
    let state = know(state, &[Field::IcpDescription]);
    assert_eq!(state.lacks(IcpValidation), ["industryMarket"], "nothing is built on it");
}

#[test]
fn a_retry_takes_along_what_it_builds_on() {
    let stale = decide(complete(), Command::Correct { field: Field::Industry, text: "y".into() });
    let state = decide(stale, Command::Retry { section: OfferAnalysis });
    let due: Vec<Section> = state.studies.iter().filter(|study| study.due || study.work.is_some()).map(|study| study.section).collect();
    assert_eq!(due, [IndustryMarket, OfferAnalysis]);
    let state = find(state, IndustryMarket);
    assert_eq!(Research::wants(&state), [Ask::Gather { section: OfferAnalysis, attempt: 2 }]);
    assert_eq!(find(state, OfferAnalysis).stale(), [Section::Competitors, IcpValidation, CrossAnalysis]);
}

#[test]
fn a_draft_goes_back_once() {
    let state = gather(turn(know(begun(""), &[Field::BusinessModel, Field::Industry]), "Hm.", vec![]), IndustryMarket);
    let misfit = drafted(state, IndustryMarket, Err("“size” is missing.".into()));
    let Some(Work { stage: Stage::Repair { text, sources, draft, why }, .. }) = &misfit.study(IndustryMarket).work else {
        panic!("{misfit:?}")
    };
    assert_eq!((text.as_str(), sources.len(), draft.as_str(), why.as_str()), ("Notes.", 1, "{", "“size” is missing."));
    let mended = drafted(misfit.clone(), IndustryMarket, Ok(nothing(IndustryMarket)));
    assert!(mended.is_fresh(IndustryMarket) && mended.study(IndustryMarket).result.as_ref().is_some_and(|found| found.sources.len() == 1));
    let failed = drafted(misfit, IndustryMarket, Ok(nothing(OfferAnalysis)));
    let error = "What was found could not be put in order. This is not the form of industryMarket.";
    assert_eq!((failed.study(IndustryMarket).error.as_deref(), &failed.study(IndustryMarket).result), (Some(error), &None));
}

#[test]
fn shares_of_the_budget_make_a_hundred_or_there_are_none() {
    let channel = |share| data::Channel { name: "Fairs".into(), share, ..Default::default() };
    let fits = |shares: &[Option<i64>]| {
        let channels = shares.iter().map(|share| channel(*share)).collect();
        let data = Data::CrossAnalysis(data::CrossAnalysis { channels, ..Default::default() });
        let state = gather(
            decide(decide(complete(), Command::Correct { field: Field::OfferPricing, text: "y".into() }), Command::Refresh),
            OfferAnalysis,
        );
        let state = gather(drafted(state, OfferAnalysis, Ok(nothing(OfferAnalysis))), CrossAnalysis);
        match drafted(state, CrossAnalysis, Ok(data)).study(CrossAnalysis).work.as_ref().map(|work| work.stage.clone()) {
            None => "fits".to_owned(),
            Some(Stage::Repair { why, .. }) => why,
            Some(other) => panic!("{other:?}"),
        }
    };
    for (shares, expect) in [
        (&[][..], "fits"),
        (&[None, None], "fits"),
        (&[Some(60), Some(40)], "fits"),
        (&[Some(100), Some(0)], "fits"),
        (&[Some(60), None], "Either each channel has a share of the budget, or none has."),
        (&[Some(60), Some(50)], "The shares of the budget make 110, not 100."),
        (&[Some(150), Some(-50)], "A share of the budget is not between 0 and 100."),
        (&[Some(i64::MAX), Some(i64::MAX)], "A share of the budget is not between 0 and 100."),
    ] {
        assert_eq!(fits(shares), expect, "{shares:?}");
    }
}

#[test]
fn an_outcome_that_belongs_to_another_ask_ends_the_run_instead_of_looping() {
    let state = begun("We sell tills.");
    let events = Research::settle(&state, &Ask::Extract { message: 0 }, Outcome::Summarised("x".into()));
    assert!(matches!(&events[..], [Event::GaveUp { .. }]));
    let failed = apply(state, &events);
    assert_eq!((Research::status(&failed), Research::wants(&failed).len()), (Status::Failed, 0));
    assert_eq!(Research::wants(&resumed(failed)), [Ask::Extract { message: 0 }]);
}

#[test]
fn what_a_caller_brings_along_is_not_researched_again() {
    let claim = |section| Claim { told: Told::new(&nothing(section)), sources: vec![source(1, "https://a.example")], dropped: 0 };
    let known = [Field::BusinessModel, Field::Industry, Field::IcpDescription].map(|field| known(field, "x")).to_vec();
    let said = vec![Quoted { person: true, text: "We sell tills.".into() }, Quoted { person: false, text: "To whom?".into() }];
    let results = vec![claim(IcpValidation), claim(IndustryMarket), claim(IcpValidation)];
    let imported = Imported { said, known, results, asked: Some(Field::GeographicFocus), unread: 0 };
    let setup = Setup { opening: "To bakeries.".into(), imported, ..Setup::default() };
    let state = Research::begin(&setup).expect("accepted");
    assert_eq!(Research::wants(&state), [Ask::Extract { message: 1 }]);
    assert!([IcpValidation, IndustryMarket].into_iter().all(|section| state.is_fresh(section)));
    assert!(state.study(IcpValidation).result.as_ref().is_some_and(Finding::is_imported));
    let cards = state.thread.iter().filter(|item| matches!(item, Item::Card { section: IcpValidation })).count();
    assert_eq!((cards, state.turns, state.messages, state.opened), (1, 1, 2, false));
    let state = extract(state, Reply::Answer, vec![self::known(Field::ProductDescription, "Tills")]);
    let state = asked(state, Field::OfferPricing, &[], false);
    assert_eq!(Research::wants(&state), [Ask::Gather { section: Section::Competitors, attempt: 1 }], "the rest is");
    // It is stale as any result is.
    let corrected = decide(state, Command::Correct { field: Field::IcpDescription, text: "y".into() });
    assert_eq!(corrected.stale(), [IcpValidation]);

    // What it was built on elsewhere is not missed here.
    let lonely = Setup { imported: Imported { results: vec![claim(CrossAnalysis)], ..Imported::default() }, ..Setup::default() };
    assert!(Research::begin(&lonely).expect("accepted").is_fresh(CrossAnalysis));
    let json = serde_json::to_value(&setup).expect("JSON");
    assert_eq!(Setup::read(&json).expect("a setup"), setup);
    assert_eq!(serde_json::to_value(Setup::default()).expect("JSON"), serde_json::json!({ "opening": "" }));
}

/// Everything is asked, and these alone are answered.
fn skipped_but(fields: &[Field]) -> State {
    let required = || Field::ALL.into_iter().filter(|field| field.is_required());
    let skips = required().filter(|field| !fields.contains(field)).map(|field| Event::Corrected { known: known(field, "") });
    let state = apply(know(begun(""), fields), &skips.collect::<Vec<_>>());
    turn(state, "Thank you.", vec![])
}

#[test]
fn nothing_is_researched_on_nothing_and_it_comes_to_an_end() {
    let state = skipped_but(&[]);
    assert_eq!(Research::wants(&state), [Ask::Summary { turn: 1 }], "no section is called for");
    let why = |section| state.study(section).error.as_deref().unwrap_or_default();
    let open = "Nothing to go by: these were left open: Business model, Industry. Answer one of them, and try again.";
    assert_eq!(why(IndustryMarket), open);
    for section in Section::ALL {
        assert!(why(section).starts_with("Nothing to go by: ") && state.thread.contains(&Item::Card { section }), "{section:?}");
    }
    let done = settle(state, Ask::Summary { turn: 1 }, Outcome::Summarised("Nothing is known.".into()));
    assert_eq!(Research::status(&done), Status::Done);
    // As long as nothing is said, a retry comes to the same; then it is researched.
    let again = decide(done, Command::Retry { section: IndustryMarket });
    assert_eq!((again.study(IndustryMarket).attempts, Research::status(&again)), (0, Status::Done));
    let given = know(again, &[Field::Industry]);
    assert_eq!((Research::wants(&given), Research::status(&given)), (vec![], Status::Waiting));
    let retried = decide(given, Command::Retry { section: IndustryMarket });
    assert_eq!(Research::wants(&retried), [Ask::Gather { section: IndustryMarket, attempt: 1 }]);
}

#[test]
fn what_there_is_is_added_up_and_is_stale_once_there_is_more() {
    let state = find(skipped_but(&[Field::ProductDescription]), Section::Competitors);
    let state = find(state, OfferAnalysis);
    assert_eq!(Research::wants(&state), [Ask::Gather { section: CrossAnalysis, attempt: 1 }]);
    let state = find(state, CrossAnalysis);
    assert!(state.is_complete(), "{state:?}");
    let given = know(state, &[Field::BusinessModel]);
    assert_eq!(given.stale(), [CrossAnalysis]);
    let state = find(decide(given, Command::Retry { section: IndustryMarket }), IndustryMarket);
    assert_eq!(state.stale(), [OfferAnalysis, CrossAnalysis], "the offer was built without the market");
}
