use super::*;
use crate::engine::flow::{Stamp, words::Fault};
use proptest::prelude::*;

const NOW: Stamp = Stamp { seq: 0, at: 0 };

fn setup(max_steps: u32) -> Setup {
    let (icp, query) = ("Marta, 41, runs a bakery.".into(), "Which card reader?".into());
    Setup { icp, query, assistant: Assistant::default(), max_steps, context_chars: CONTEXT_CHARS }
}

fn begun(max_steps: u32) -> State {
    Simulate::begin(&setup(max_steps)).expect("a valid setup")
}

/// Lets the outcome happen to the ask that is wanted.
fn happen(state: State, outcome: Outcome) -> State {
    let ask = Simulate::wants(&state).first().copied().expect("something is wanted");
    let events = Simulate::settle(&state, &ask, outcome);
    assert!(!events.is_empty());
    events.iter().fold(state, |state, event| Simulate::apply(state, NOW, event))
}

fn answer(state: State) -> State {
    happen(state, Outcome::Assistant(Answer { text: "Well.".into(), cut: false }))
}

fn say(state: State, tool: Tool) -> State {
    happen(state, Outcome::Customer { said: Said::default(), tool })
}

fn ask(phase: Phase, query: &str) -> Tool {
    Tool::SendQuery { query: query.into(), phase: phase.slug().into() }
}

fn record(phase: Phase) -> Tool {
    Tool::RecordPhaseCompletion { phase: phase.slug().into(), insights: vec!["  Offline matters ".into(), " ".into()] }
}

/// A journey through all phases with one question in each.
fn complete() -> State {
    let mut state = answer(begun(MAX_STEPS));
    for phase in Phase::ALL {
        if phase != Phase::Discovery {
            state = answer(say(state, ask(phase, phase.name())));
        }
        state = say(state, record(phase));
    }
    state
}

#[test]
fn the_first_question_is_the_persons_own_word_for_word() {
    let state = begun(MAX_STEPS);
    let expect = Step::Asked { phase: Phase::Discovery, query: "Which card reader?".into(), call: None, answer: None };
    assert_eq!(state.steps, [expect]);
    assert_eq!(Simulate::wants(&state), [Ask::Assistant { step: 0 }]);
    assert_eq!(Simulate::wants(&answer(state)), [Ask::Customer { step: 1 }]);
}

fn too_long() -> Fault {
    Fault::Long { chars: MAX_CHARS + 1, most: MAX_CHARS }
}

#[test]
fn bad_setups_are_refused_at_their_field() {
    let long = "x".repeat(MAX_CHARS + 1);
    let cases = [
        ("", "q", 15, Err(Refusal::Icp(Fault::Empty))),
        (" \n\u{200b}\u{a0}", "q", 15, Err(Refusal::Icp(Fault::Empty))),
        ("icp", "\t", 15, Err(Refusal::Query(Fault::Empty))),
        (long.as_str(), "q", 15, Err(Refusal::Icp(too_long()))),
        ("icp", long.as_str(), 15, Err(Refusal::Query(too_long()))),
        ("icp\u{0}", "q", 15, Err(Refusal::Icp(Fault::Control))),
        ("icp", "q\u{1b}[31m", 15, Err(Refusal::Query(Fault::Control))),
        ("icp", "q", 0, Err(Refusal::Steps)),
        ("icp", "q", 16, Err(Refusal::Steps)),
        ("line one\r\n\tline two 李 😀", "q", 1, Ok(())),
        (&long[..MAX_CHARS], "q", 15, Ok(())),
    ];
    for (icp, query, max_steps, expect) in cases {
        let setup = Setup { icp: icp.into(), query: query.into(), ..setup(max_steps) };
        assert_eq!(Simulate::begin(&setup).map(drop), expect, "{icp:.20?} {query:.20?} {max_steps}");
    }
    for (instructions, expect) in [
        (" \n", Ok(())),
        ("You sell nothing.", Ok(())),
        ("\u{7}", Err(Refusal::Instructions(Fault::Control))),
        (long.as_str(), Err(Refusal::Instructions(too_long()))),
    ] {
        let setup = Setup { assistant: Assistant::chosen(String::new(), instructions.into()), ..setup(15) };
        assert_eq!(Simulate::begin(&setup).map(drop), expect, "{instructions:.20?}");
    }
}

#[test]
fn a_turn_in_other_words_is_judged_like_any_other() {
    let one = answer(begun(MAX_STEPS));
    let two = answer(say(one.clone(), ask(Phase::Discovery, "And offline?")));
    let recorded = say(two.clone(), record(Phase::Discovery));
    assert_eq!([0, 1, 2, 3].map(|turn| Simulate::turn(&recorded, turn)), [Some("Which card reader?"), Some("And offline?"), None, None]);
    let long = "x".repeat(MAX_CHARS + 1);
    for (before, turn, words, expect) in [
        (&one, 1, " And fees? ", Ok(Some("And fees?"))),
        (&one, 1, "And offline?", Ok(Some("And offline?"))),
        (&one, 0, "Which phone?", Ok(Some("Which phone?"))),
        (&recorded, 3, "Fees?", Ok(Some("Fees?"))),
        (&one, 2, "Fees?", Ok(None)),
        (&begun(MAX_STEPS), 1, "Fees?", Ok(None)),
        (&complete(), 6, "Fees?", Ok(None)),
        (&one, 1, " ", Err(Refusal::Turn(Fault::Empty))),
        (&one, 0, "\u{1}", Err(Refusal::Turn(Fault::Control))),
        (&one, 1, long.as_str(), Err(Refusal::Turn(too_long()))),
        (&two, 2, "and  OFFLINE?", Err(Refusal::Again)),
    ] {
        let said = Simulate::retell(before, turn, words.into()).map(|retold| {
            retold.map(|retold| match retold {
                Retold::Setup(setup) => setup.query,
                Retold::Events(events) => match &events[..] {
                    [Event::Asked { query, call: None, .. }] => query.clone(),
                    other => panic!("{other:?}"),
                },
            })
        });
        assert_eq!(said, expect.map(|words| words.map(str::to_owned)), "{turn} {words:.20}");
    }
}

/// What a call of the customer's model amounts to, in a state.
fn check(state: &State, tool: Tool, expect: &str) {
    let (said, step) = (Said::default(), state.steps_taken());
    let events = Simulate::settle(state, &Ask::Customer { step }, Outcome::Customer { said, tool: tool.clone() });
    let text = format!("{events:?}");
    assert!(text.contains(expect), "{tool:?} led to {text}, not to {expect}");
}

#[test]
fn the_rules_are_judged_one_by_one() {
    use Phase::*;
    let first = answer(begun(MAX_STEPS));
    check(&first, ask(Discovery, "  And offline? "), r#"Asked { phase: Discovery, query: "And offline?""#);
    check(&first, ask(Consideration, "Fees?"), "Discovery comes before Consideration");
    check(&first, ask(Discovery, "which  CARD reader?"), "exactly this before");
    check(&first, ask(Discovery, " \n"), "The query is empty");
    check(&first, ask(Discovery, &"x".repeat(MAX_CHARS + 1)), "4,000 are the most");
    check(&first, Tool::SendQuery { query: "x".into(), phase: "Purchase".into() }, "is not a phase");
    check(&first, record(Activation), "Discovery comes before Activation");
    check(&first, record(Discovery), r#"PhaseCompleted { phase: Discovery, insights: ["Offline matters"]"#);
    check(&first, Tool::Unusable("Speak only by calling a tool.".into()), "Corrected");
    let second = say(first, record(Discovery));
    check(&second, record(Consideration), "Ask at least one question in Consideration");
    check(&second, ask(Discovery, "More?"), "Discovery is already complete");
    check(&second, ask(Consideration, "Fees?"), "Asked { phase: Consideration");
}

#[test]
fn two_corrections_in_a_row_and_then_it_fails_and_can_be_continued() {
    let wrong = || Tool::Unusable("No tool.".into());
    let state = say(say(answer(begun(MAX_STEPS)), wrong()), wrong());
    assert_eq!(Simulate::status(&state), Status::Running);
    let failed = say(state.clone(), wrong());
    assert_eq!(Simulate::status(&failed), Status::Failed);
    assert!(failed.failure.as_deref().is_some_and(|why| why.ends_with("No tool.")));
    assert_eq!(Simulate::wants(&failed), []);
    assert_eq!(Simulate::status(&Simulate::resumed(failed, NOW)), Status::Running);
    // A good step in between starts the count anew.
    let mended = say(say(answer(say(state, ask(Phase::Discovery, "Sorry: offline?"))), wrong()), wrong());
    assert_eq!(Simulate::status(&mended), Status::Running);
}

#[test]
fn it_is_done_when_all_three_phases_are_recorded() {
    let state = complete();
    assert_eq!((Simulate::status(&state), Simulate::wants(&state).len()), (Status::Done, 0));
    assert_eq!(state.insights(Phase::Activation), Some(["Offline matters".to_owned()].as_slice()));
    assert_eq!(state.steps_taken(), 6);
}

#[test]
fn the_step_limit_stops_and_is_never_success() {
    let mut state = answer(begun(4));
    for i in 0..3 {
        state = answer(say(state, ask(Phase::Discovery, &format!("Question {i}"))));
    }
    assert_eq!((Simulate::status(&state), state.at_step_limit()), (Status::Stopped, true));
    assert_eq!(Simulate::status(&Simulate::resumed(state, NOW)), Status::Stopped);
    // The last question is still answered.
    assert_eq!(Simulate::wants(&begun(1)), [Ask::Assistant { step: 0 }]);
    assert_eq!(Simulate::status(&answer(begun(1))), Status::Stopped);
}

#[test]
fn near_the_end_the_way_out_is_the_only_way() {
    // Five more steps are needed after the first: a record, and a question and a record for each later phase.
    assert!(!answer(begun(7)).must_complete());
    assert!(answer(begun(6)).must_complete());
}

#[test]
fn long_conversations_are_summarised_once_they_are_long_and_keep_their_last_turns() {
    let mut state = Simulate::begin(&Setup { context_chars: 200, ..setup(MAX_STEPS) }).expect("a valid setup");
    let long = Answer { text: "x".repeat(90), cut: false };
    for i in 0..3 {
        state = happen(state, Outcome::Assistant(long.clone()));
        if let [Ask::Summary { through }] = Simulate::wants(&state)[..] {
            assert_eq!((i, through), (2, 1));
            state = happen(state, Outcome::Summary("They talked.".into()));
            assert_eq!(state.summary, Some(Summary { through: 1, text: "They talked.".into() }));
        }
        state = say(state, ask(Phase::Discovery, &format!("Question {i}")));
    }
    assert!(state.summary.is_some());
}

#[test]
fn an_outcome_that_belongs_to_another_ask_ends_the_run_instead_of_looping() {
    let events = Simulate::settle(&begun(15), &Ask::Assistant { step: 0 }, Outcome::Summary("x".into()));
    assert!(matches!(events[..], [Event::GaveUp { .. }]));
}

#[test]
fn customers_are_called_by_their_name() {
    for (icp, name) in [
        ("Marta, 41, runs a bakery", "Marta"),
        ("Lucía, 20", "Lucía"),
        ("Mary-Ann O’Neill: nurse", "Mary-Ann O’Neill"),
        ("A student in Leeds", "Customer"),
        ("I am tired.", "Customer"),
        ("runs a bakery", "Customer"),
        ("", "Customer"),
        ("Marta runs a bakery", "Marta"),
    ] {
        assert_eq!(Setup { icp: icp.into(), ..setup(15) }.name(), name, "{icp}");
    }
}

fn any_tool() -> impl Strategy<Value = Tool> {
    let phase = prop_oneof![Just("discovery"), Just("consideration"), Just("activation"), Just("elsewhere")].prop_map(str::to_owned);
    prop_oneof![
        ("[ab ]{0,3}", phase.clone()).prop_map(|(query, phase)| Tool::SendQuery { query, phase }),
        (phase, proptest::collection::vec("[a ]{0,3}", 0..3)).prop_map(|(phase, insights)| Tool::RecordPhaseCompletion { phase, insights }),
        Just(Tool::Unusable("no".into())),
    ]
}

proptest! {
    /// Whatever a model does: phases in order, every completed phase with a question, no question twice
    /// or in a completed phase, never more than two corrections in a row, never more steps than allowed.
    #[test]
    fn the_rules_hold_whatever_the_model_does(max_steps in 1..=MAX_STEPS, tools in proptest::collection::vec(any_tool(), 0..40)) {
        let mut state = begun(max_steps);
        let mut tools = tools.into_iter();
        while let Some(next) = Simulate::wants(&state).first() {
            state = match next {
                Ask::Customer { .. } => match tools.next() {
                    Some(tool) => say(state, tool),
                    None => break,
                },
                _ => answer(state),
            };
        }
        prop_assert!(state.steps_taken() <= max_steps);
        let (mut current, mut asked_in_phase, mut in_a_row, mut seen) = (0, 0, 0, Vec::new());
        for step in &state.steps {
            in_a_row = if matches!(step, Step::Corrected { .. }) { in_a_row + 1 } else { 0 };
            prop_assert!(in_a_row <= 2);
            match step {
                Step::Asked { phase, query, .. } => {
                    prop_assert_eq!(*phase as usize, current);
                    prop_assert!(!query.trim().is_empty() && !seen.contains(query));
                    seen.push(query.clone());
                    asked_in_phase += 1;
                }
                Step::Completed { phase, .. } => {
                    prop_assert_eq!(*phase as usize, current);
                    prop_assert!(asked_in_phase > 0);
                    (current, asked_in_phase) = (current + 1, 0);
                }
                Step::Corrected { .. } => {}
            }
        }
        prop_assert_eq!(Simulate::status(&state) == Status::Done, current == 3);
    }
}

/// Lines as they stood in logs once; they must fold to the same state for ever. A line nobody knows is skipped.
fn golden(name: &str, lines: &str) -> Vec<serde_json::Value> {
    let log: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let stamped = (1..).zip(&log).map(|(seq, body)| (Stamp { seq, at: 1_000 * seq }, body));
    let run = crate::engine::entry::Run::<Simulate>::fold(stamped).expect("it folds");
    let folded = serde_json::json!({ "seq": run.seq, "status": run.status(), "state": run.state, "progress": run.progress });
    insta::assert_json_snapshot!(name, folded);
    log
}

#[test]
fn golden_logs_fold_to_golden_states() {
    let log = golden("golden_journey", include_str!("golden/journey.jsonl"));
    assert!(log.iter().any(|line| line["room"].get("danced").is_some()), "the log holds a line from another time");
    golden("golden_fork", include_str!("golden/fork.jsonl"));
}

#[test]
fn a_title_says_who_asks_what() {
    let check = |icp: &str, query: &str, expect: &str| {
        let assistant = Assistant::default();
        let setup = Setup { icp: icp.into(), query: query.into(), assistant, max_steps: MAX_STEPS, context_chars: CONTEXT_CHARS };
        let title = Simulate::title(&setup);
        assert_eq!(title, expect);
        assert!(title.chars().count() <= 80);
    };
    check("Marta, 41, runs a bakery.", "Which card reader?", "Marta: Which card reader?");
    check("Marta, 41", "Which  card\nreader?\u{7}", "Marta: Which card reader?");
    check(
        "Priya, 46, heads IT.",
        "What is the best password manager for a company of our size, when everybody hates it?",
        "Priya: What is the best password manager for a company of our size, when…",
    );
    check("a tired father of two who lives on the fourth floor", "Which stroller?", "a tired father of two who lives…: Which stroller?");
    check(". hm", "Why?", "Customer: Why?");
    check("我叫李雷，在北京开面包店", &"为".repeat(100), &format!("我叫李雷，在北京开面包店: {}…", "为".repeat(65)));
}
