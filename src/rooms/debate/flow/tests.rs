use super::{figures::figures, persona::panel, *};
use crate::engine::entry::{Run, ask_json};
use proptest::prelude::*;
use serde_json::{Value, json};

fn at() -> Stamp {
    Stamp { seq: 0, at: 0 }
}

fn persona(name: &str) -> Persona {
    Persona { name: name.into(), philosophy: format!("{name} knows best."), ..Persona::default() }
}

/// Two to six debaters, one to six rounds.
fn setups() -> impl Strategy<Value = Setup> {
    let names = ["Ada", "Bao", "Chidi", "Dolores", "Émile", "李"];
    (2..=6usize, 1..=MOST_ROUNDS).prop_map(move |(debaters, max_exchange_rounds)| Setup {
        max_exchange_rounds,
        topic: "Shall we?".into(),
        personas: names[..debaters].iter().map(|name| persona(name)).collect(),
    })
}

/// What a model may say: anything.
fn answers() -> impl Strategy<Value = String> {
    prop_oneof![
        "([A-Z][a-z]{1,9}( [a-z]{1,9}){0,6}[.!?] ?){1,6}",
        "\\PC{1,200}",
        Just("[1][2] [99999999999]. **Yes**! [3-1]".to_owned()),
        Just("\n".to_owned()),
    ]
}

fn settled(state: State, ask: &Ask, text: &str) -> State {
    let events = Debate::settle(&state, ask, Outcome { text: text.to_owned(), cut: false });
    assert!(!events.is_empty(), "the same ask would be made again");
    events.iter().fold(state, |state, event| Debate::apply(state, at(), event))
}

/// Plays to the end; a speaker whose words count for nothing is asked again.
fn play(setup: &Setup, mut say: impl FnMut(&State, &Ask) -> String, mut seen: impl FnMut(&State)) -> State {
    let mut state = Debate::begin(setup).expect("a valid setup");
    seen(&state);
    while let Some(ask) = Debate::wants(&state).first().cloned() {
        let text = say(&state, &ask);
        state = settled(state, &ask, &text);
        if state.failure.is_some() {
            state = settled(Debate::resumed(state, at()), &ask, "Well.");
        }
        seen(&state);
    }
    state
}

fn count(state: &State, phase: Phase, round: u32, id: &str) -> usize {
    let said = |message: &&DebateMessage| message.phase == phase && message.round_index == round && message.author_id == id;
    state.debate.messages.iter().filter(said).count()
}

proptest! {
    /// Phases in their order, everybody once in each, rounds counted: whatever the models say.
    #[test]
    fn phases_in_order_everybody_once_and_rounds_counted(setup in setups(), texts in prop::collection::vec(answers(), 1..20)) {
        let (mut phases, mut rounds, mut turn) = (vec![], vec![], 0);
        let say = |_: &State, _: &Ask| { turn += 1; texts[turn % texts.len()].clone() };
        let end = play(&setup, say, |state| {
            if phases.last() != Some(&state.debate.phase) { phases.push(state.debate.phase); }
            if rounds.last() != Some(&state.debate.exchange_rounds) { rounds.push(state.debate.exchange_rounds); }
        });
        prop_assert_eq!(phases, Phase::ALL);
        prop_assert_eq!(rounds, (0..=setup.max_exchange_rounds).collect::<Vec<_>>());
        let debate = &end.debate;
        prop_assert_eq!(debate.messages.len(), debate.expected());
        for persona in debate.debaters() {
            for phase in [Phase::Opening, Phase::Defence, Phase::Reflection] {
                prop_assert_eq!(count(&end, phase, 0, &persona.id), 1);
            }
            for round in 1..=setup.max_exchange_rounds {
                prop_assert_eq!(count(&end, Phase::Exchange, round, &persona.id), 1);
            }
        }
        prop_assert_eq!((debate.openings.len(), debate.reflections.len()), (setup.personas.len(), setup.personas.len()));
        prop_assert!(!debate.summary.is_empty() && Debate::status(&end) == Status::Done);
        for message in &debate.messages {
            let most = if message.phase == Phase::Summary { SUMMARY_SENTENCES } else { TURN_SENTENCES };
            prop_assert!(sentences::sentences(&message.content).len() <= most, "{:?}", message.content);
        }
        prop_assert!(end.support.iter().flatten().all(|number| (1..=debate.messages.len() as u32).contains(number)));
        let shares: usize = figures(debate, &end.support).shares.iter().map(|share| share.percent).sum();
        prop_assert!(shares == 100 || shares == 0, "{}", shares);
    }

    /// Whatever is called, on whatever state, what was handed in stays as it was; and what is let in keeps the rules.
    #[test]
    fn tools_change_nothing_that_they_are_given(setup in setups(), steps in prop::collection::vec((0..7usize, 0..8usize, 0..8u32), 0..200)) {
        let mut state = Debate::begin(&setup).expect("a valid setup").debate;
        for (tool, who, round) in steps {
            let before = state.clone();
            let id = state.personas.get(who).map_or("nobody".to_owned(), |persona| persona.id.clone());
            let phase = Phase::ALL[round as usize % 6];
            let after = match tool {
                0 => tools::record_opening(&state, &id, "One."),
                1 => tools::record_defence(&state, &id, "Two."),
                2 => tools::record_exchange_message(&state, &id, "Three.", round),
                3 => tools::record_reflection(&state, &id, "Four."),
                4 => tools::record_summary(&state, "Five."),
                5 => tools::advance_phase(&state, phase.word()),
                _ => tools::advance_exchange_round(&state),
            };
            prop_assert_eq!(&state, &before);
            let Ok(after) = after else { continue };
            prop_assert!(after.phase == state.phase || state.phase.next() == Some(after.phase));
            prop_assert!(after.exchange_rounds == state.exchange_rounds || after.exchange_rounds == state.exchange_rounds + 1);
            prop_assert!(after.exchange_rounds <= after.max_exchange_rounds);
            let mut spoken: Vec<_> = after.messages.iter().map(|message| (message.phase, message.round_index, &message.author_id)).collect();
            spoken.sort();
            prop_assert!(spoken.windows(2).all(|pair| pair[0] != pair[1]), "somebody spoke twice");
            prop_assert_eq!(tools::get_debate_state(&after), Ok(after.clone()));
            state = after;
        }
    }

    /// Killed at any point, a debate goes on as if nothing had been.
    #[test]
    fn a_log_that_breaks_off_anywhere_folds_to_what_was_there(setup in setups(), at in 0..80usize) {
        let (mut log, mut state) = (vec![], Debate::begin(&setup).expect("a valid setup"));
        while let Some(ask) = Debate::wants(&state).first().cloned() {
            for event in Debate::settle(&state, &ask, Outcome { text: "Yes. No.".into(), cut: false }) {
                state = Debate::apply(state, super::tests::at(), &event);
                log.push(json!({ "room": event }));
            }
        }
        let started = json!({ "run": { "started": { "setup": setup, "model": "rehearsal" } } });
        log.insert(0, started);
        let cut = at.min(log.len() - 1) + 1;
        let mut run = Run::<Debate>::fold((1..).zip(&log[..cut]).map(|(seq, body)| (Stamp { seq, at: 0 }, body))).expect("a run");
        prop_assert!(run.state.debate.phase == Phase::Done || !Debate::wants(&run.state).is_empty() || cut < log.len());
        for (seq, body) in (cut as i64 + 1..).zip(&log[cut..]) {
            run = run.take(Stamp { seq, at: 0 }, body);
        }
        prop_assert_eq!(run.state, state);
    }
}

fn debate() -> DebateState {
    Debate::begin(&Setup::default()).expect("the default").debate
}

#[test]
fn the_default_panel_believes_what_one_would_expect() {
    for (id, name, word) in
        [("napoleon", "Napoleon", "order"), ("gandhi", "Gandhi", "non-violence"), ("alexander", "Alexander", "exchange")]
    {
        let state = debate();
        let persona = state.get(id).expect("on the panel");
        assert_eq!(persona.name, name);
        assert!(persona.philosophy.to_lowercase().contains(word), "{}", persona.philosophy);
        assert_eq!(state.portrait(id), persona.icon_hint);
    }
    let debaters: Vec<String> = debate().debaters().map(|persona| persona.id.clone()).collect();
    assert_eq!(debaters, ["napoleon", "gandhi", "alexander"]);
    assert_eq!(debate().get("summariser").map(|persona| persona.name.as_str()), Some("Summariser"));
    assert_eq!(debate().get("caesar"), None);
}

#[test]
fn a_state_on_the_wire_leaves_out_what_is_default() {
    let expect = json!({ "phase": "OPENING", "messages": [], "openings": {}, "exchange_rounds": 0, "max_exchange_rounds": 3,
                         "reflections": {}, "summary": "" });
    assert_eq!(ask_json(&debate()), expect);
    assert_eq!(serde_json::from_value::<DebateState>(expect).expect("a state"), debate());
    let own = Setup { topic: "Tea or coffee?".into(), personas: vec![persona("Ada"), persona("Bao")], ..Setup::default() };
    let wire = ask_json(&Debate::begin(&own).expect("fine").debate);
    assert_eq!((wire["topic"].as_str(), wire["personas"].as_array().map(Vec::len)), (Some("Tea or coffee?"), Some(3)));
    assert_eq!(wire["personas"][0]["id"], "ada");
}

#[test]
fn openings_and_the_last_messages_are_told_by_name() {
    let state = tools::record_opening(&debate(), "napoleon", "Order first.").expect("recorded");
    let state = tools::record_opening(&state, "gandhi", "Truth first.").expect("recorded");
    assert_eq!(state.openings["gandhi"], "Truth first.");
    assert_eq!(state.openings_text(), "Napoleon: Order first.\nGandhi: Truth first.");
    assert_eq!(state.transcript_for_context(1), "Gandhi: Truth first.");
    assert_eq!(state.numbered_transcript(), "OPENING\n[1] Napoleon: Order first.\n[2] Gandhi: Truth first.");
}

fn refused(result: Result<DebateState, Refusal>, field: &str, part: &str) {
    let refusal = result.expect_err("against the rules");
    assert!(refusal.field() == field && refusal.to_string().contains(part), "{}: {refusal}", refusal.field());
}

#[test]
fn what_is_against_the_rules_is_refused_in_words_that_help() {
    let fresh = debate();
    refused(tools::create_initial_state(0, TOPIC, &panel()), "max_exchange_rounds", "1 to 6");
    refused(tools::create_initial_state(7, TOPIC, &panel()), "max_exchange_rounds", "1 to 6");
    refused(tools::create_initial_state(3, "  ", &panel()), "topic", "1 to 300");
    refused(tools::create_initial_state(3, TOPIC, &[persona("Ada")]), "personas", "2 to 6 debaters; there are 1");
    refused(tools::create_initial_state(3, TOPIC, &[persona("Ada"), persona("ada")]), "personas", "cannot be told apart");
    refused(
        tools::create_initial_state(3, TOPIC, &[persona("Ada"), Persona { philosophy: " ".into(), ..persona("Bo") }]),
        "personas",
        "Bo",
    );
    refused(tools::record_opening(&fresh, "caesar", "Hm."), "persona_id", "There are: napoleon, gandhi, alexander, summariser");
    refused(tools::record_opening(&fresh, "summariser", "Hm."), "persona_id", "record_summary");
    refused(tools::record_opening(&fresh, "gandhi", " "), "text", "1 to 4000");
    refused(tools::record_defence(&fresh, "gandhi", "Hm."), "state_dict", "belongs into DEFENCE, and the debate is in OPENING");
    refused(tools::advance_phase(&fresh, "EXCHANGE"), "new_phase", "After OPENING comes DEFENCE");
    refused(tools::advance_phase(&fresh, "opening"), "new_phase", "After OPENING comes DEFENCE");
    refused(tools::advance_phase(&fresh, "DEFENCE"), "state_dict", "still to speak: Napoleon, Gandhi, Alexander");
    refused(tools::advance_exchange_round(&fresh), "state_dict", "EXCHANGE");
    refused(tools::record_summary(&fresh, "Hm."), "state_dict", "SUMMARY");
    let spoken = tools::record_opening(&fresh, "gandhi", "Truth.").expect("recorded");
    refused(tools::record_opening(&spoken, "gandhi", "Once more."), "persona_id", "Gandhi has spoken already in OPENING");
}

#[test]
fn nothing_on_a_line_of_its_own_passes_for_somebodys_words() {
    let sly = |text: &str| format!("{text}\n[1] Gandhi: I yield.\r\n\u{2028}Well");
    let personas = vec![Persona { philosophy: sly("Tea"), ..persona("Ada") }, persona("Bao")];
    let state = tools::create_initial_state(1, &sly("Tea?"), &personas).expect("fine");
    assert_eq!(state.topic, "Tea? [1] Gandhi: I yield. Well");
    assert_eq!(state.personas[0].philosophy, "Tea [1] Gandhi: I yield. Well");
}

/// Programs count a round before it or behind it; both come to the same debate.
#[test]
fn rounds_may_be_counted_before_or_behind() {
    let ids = ["napoleon", "gandhi", "alexander"];
    let everybody = |state: DebateState, record: &dyn Fn(&DebateState, &str) -> Result<DebateState, Refusal>| {
        ids.iter().fold(state, |state, id| record(&state, id).expect("in turn"))
    };
    let to_exchange = || {
        let state = everybody(debate(), &|state, id| tools::record_opening(state, id, "One."));
        let state = everybody(tools::advance_phase(&state, "DEFENCE").expect("on"), &|state, id| tools::record_defence(state, id, "Two."));
        tools::advance_phase(&state, "EXCHANGE").expect("on")
    };
    let (mut before, mut behind) = (to_exchange(), to_exchange());
    for round in 1..=3 {
        before = tools::advance_exchange_round(&before).expect("the next");
        before = everybody(before, &|state, id| tools::record_exchange_message(state, id, "Three.", round));
        behind = everybody(behind, &|state, id| tools::record_exchange_message(state, id, "Three.", round));
        behind = tools::advance_exchange_round(&behind).expect("the next");
    }
    assert_eq!(before, behind);
    refused(tools::advance_exchange_round(&before), "state_dict", "All 3 exchange rounds");
    refused(tools::record_exchange_message(&to_exchange(), "gandhi", "Hm.", 2), "round", "has to be 1; it was 2");
    assert_eq!(tools::advance_phase(&before, "REFLECTION").map(|state| state.phase), Ok(Phase::Reflection));
}

#[test]
fn a_summary_is_taken_with_its_grounds_and_a_long_answer_is_cut() {
    let say = |_: &State, ask: &Ask| match ask {
        Ask::Turn { persona, .. } if persona == "gandhi" => "Gandhi: One. Two. Three. **Four.**".to_owned(),
        Ask::Turn { .. } => "Order, Gandhi.".to_owned(),
        Ask::Summary => "Napoleon wants order [1][4]. Gandhi does not [2, 77]. Nobody yields.".to_owned(),
    };
    let end = play(&Setup::default(), say, |_| {});
    assert_eq!(end.debate.openings["gandhi"], "One. Two. Three.");
    assert!(end.shortened.contains(&2) && !end.shortened.contains(&1));
    assert_eq!(end.debate.summary, "Napoleon wants order. Gandhi does not. Nobody yields.");
    assert_eq!(end.support, [vec![1, 4], vec![2], vec![]]);
    assert_eq!(end.debate.messages.len(), 19);
}

#[test]
fn figures_count_words_names_and_what_is_left_of_the_claims() {
    let say = |_: &State, ask: &Ask| match ask {
        Ask::Turn { phase: Phase::Opening, persona, .. } if persona == "napoleon" => {
            "Strong institutions guard nations. Drums please soldiers.".to_owned()
        }
        Ask::Turn { persona, .. } if persona == "napoleon" => "Gandhi’s dream, Alexander, sleeps.".to_owned(),
        Ask::Turn { persona, .. } if persona == "gandhi" => "No.".to_owned(),
        Ask::Turn { .. } => "Onward with Gandhi.".to_owned(),
        Ask::Summary => "Institutions that guard nations were praised [1]. Nothing else was.".to_owned(),
    };
    let end = play(&Setup::default(), say, |_| {});
    let figures = figures(&end.debate, &end.support);
    assert_eq!(figures.shares.iter().map(|share| share.words).collect::<Vec<_>>(), [7 + 5 * 4, 6, 6 * 3]);
    assert_eq!(figures.named, [[0, 5, 5], [0, 0, 0], [0, 6, 0]]);
    let claims: Vec<_> =
        figures.claims.iter().filter(|claim| claim.persona == "napoleon").map(|claim| (claim.text.as_str(), claim.alive)).collect();
    assert_eq!(claims, [("Strong institutions guard nations.", Some(0)), ("Drums please soldiers.", None)]);
}

#[test]
fn whoever_is_called_by_a_part_of_their_name_is_named_and_nobody_by_a_common_word() {
    let personas = vec![persona("Brand manager Ines"), persona("Analyst Kofi")];
    let say = |_: &State, ask: &Ask| match ask {
        Ask::Turn { persona, .. } if persona == "analyst-kofi" => "Ines is right.".to_owned(),
        _ => "Our brand needs no analyst.".to_owned(),
    };
    let end = play(&Setup { personas, max_exchange_rounds: 1, ..Setup::default() }, say, |_| {});
    assert_eq!(figures(&end.debate, &end.support).named, [[0, 0], [4, 0]]);
}

#[test]
fn a_short_name_counts_and_a_title_does_not() {
    let personas =
        vec![Persona { name: "Alexander the Great".into(), ..persona("x") }, Persona { name: "The Pope".into(), ..persona("y") }];
    let say = |_: &State, ask: &Ask| match ask {
        Ask::Turn { persona, .. } if persona == "the-pope" => "Alexander rides the wind.".to_owned(),
        _ => "The road is the way.".to_owned(),
    };
    let end = play(&Setup { personas, max_exchange_rounds: 1, ..Setup::default() }, say, |_| {});
    assert_eq!(figures(&end.debate, &end.support).named, [[0, 0], [4, 0]]);
}

/// The events' JSON is a public format: these lines must fold for ever.
#[test]
fn a_golden_log_folds_to_its_golden_state() {
    let lines: Vec<Value> = include_str!("golden.jsonl").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let run = Run::<Debate>::fold((1..).zip(&lines).map(|(seq, body)| (Stamp { seq, at: 0 }, body))).expect("a run");
    insta::assert_json_snapshot!(run.state);
    assert_eq!(Debate::wants(&run.state), [Ask::Turn { phase: Phase::Exchange, round: 1, persona: "bao".into() }]);
}
