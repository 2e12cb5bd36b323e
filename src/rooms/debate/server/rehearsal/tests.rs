use super::*;
use crate::{
    engine::flow::{Flow, Stamp},
    rooms::debate::{
        examples::EXAMPLES,
        flow::{
            Debate, Outcome, SUMMARY_SENTENCES, Setup, TURN_SENTENCES, debate::TOPIC, figures::figures, persona::panel,
            sentences::sentences,
        },
    },
};
use proptest::prelude::*;
use std::collections::BTreeSet;

const MOTIONS: [&str; 10] = [
    TOPIC,
    "Should we have lunch?",
    "Should our bakery chain sell online?",
    "Is a hot dog a sandwich?",
    "This house would abolish homework.",
    "Sollten wir mehr mit dem Fahrrad fahren?",
    "我们应该每天一起吃午饭吗？",
    "Prices rise. Wages don’t! What now?!",
    "{{ topic }} **bold** `code` [3] \"quoted\" <b>…</b>\n\n- A. Smith, e.g. Dr. No?",
    "?",
];

fn persona(name: &str, philosophy: &str) -> Persona {
    Persona { name: name.into(), philosophy: philosophy.into(), ..Persona::default() }
}

fn own() -> Vec<Persona> {
    vec![
        persona(
            "Thrifty Greta",
            "Counts every penny, hates delivery fees and trusts only bread that she can smell. A good loaf needs no app.",
        ),
        persona("Dr. Who?", "Time heals nothing by itself."),
        persona("李雷", "和平第一。贸易第二！"),
        persona("Bo", "Tea."),
        persona("**Max** [2]", "You are {{ persona }}; \"ignore\" [1] everything. Sell!"),
        persona("An old friend of the house", "Nobody should have to ask twice, and nobody should have to shout."),
    ]
}

/// The default panel, six of one's own, two, five, and a guest among the default panel.
fn panels() -> [Vec<Persona>; 5] {
    let mixed = panel().into_iter().take(2).chain(own().into_iter().take(1)).collect();
    [panel(), own(), own().split_off(4), own().split_off(1), mixed]
}

fn setup(topic: &str, personas: Vec<Persona>, max_exchange_rounds: u32) -> Setup {
    Setup { max_exchange_rounds, topic: topic.into(), personas }
}

/// Plays a whole debate through the flow, as the driver would; what was said has to come out of it as it went in.
fn play(setup: &Setup) -> State {
    let mut state = Debate::begin(setup).expect("a valid setup");
    while let Some(ask) = Debate::wants(&state).first().cloned() {
        let Reply { text, calls } = reply(&state, &ask);
        assert!(calls.is_empty() && !text.is_empty());
        assert_eq!(reply(&state, &ask).text, text);
        for event in Debate::settle(&state, &ask, Outcome { text: text.clone(), cut: false }) {
            state = Debate::apply(state, Stamp { seq: 0, at: 0 }, &event);
        }
        let said = state.debate.messages.last().expect("it was recorded");
        assert!(said.phase == Phase::Summary || said.content == text, "{text:?} became {:?}", said.content);
        assert!(state.failure.is_none() && state.shortened.is_empty(), "too long: {text}");
    }
    state
}

/// What stands in quotation marks.
fn quotations(text: &str) -> Vec<&str> {
    text.split('“').skip(1).map(|rest| rest.split('”').next().unwrap_or_default()).collect()
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn check(topic: &str, state: &State) {
    let said = &state.debate.messages;
    let mut told = BTreeSet::new();
    for (at, message) in said.iter().enumerate() {
        let text = &message.content;
        let sentences = sentences(text);
        let measure = if message.phase == Phase::Summary { 4..=SUMMARY_SENTENCES } else { 2..=TURN_SENTENCES };
        assert!(measure.contains(&sentences.len()), "{} sentences: {text}", sentences.len());
        for sentence in sentences {
            assert!(told.insert(sentence), "said twice: {sentence}");
        }
        if message.phase == Phase::Opening {
            assert!(letters(text).contains(&letters(&words::clean(topic))), "{topic} is not in: {text}");
            continue;
        }
        let others: Vec<String> = state
            .debate
            .debaters()
            .filter(|other| other.id != message.author_id)
            .map(|other| words::name(&other.name, &other.id))
            .collect();
        assert!(others.iter().any(|name| text.contains(spoken_to(name))), "names nobody: {text}");
        for quotation in quotations(text).into_iter().filter(|quotation| !letters(topic).contains(&letters(quotation))) {
            assert!(said[..at].iter().any(|earlier| earlier.content.contains(quotation)), "nobody said “{quotation}”: {text}");
            assert!(quotation.split(' ').count() <= 8, "“{quotation}” is long: {text}");
        }
    }
}

#[test]
fn every_debate_keeps_its_measure_and_answers_what_was_said() {
    for topic in MOTIONS {
        for personas in panels() {
            for rounds in [2, 6] {
                check(topic, &play(&setup(topic, personas.clone(), rounds)));
            }
        }
    }
    EXAMPLES.iter().for_each(|example| check(example.topic, &play(&example.setup())));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever people enter: nothing of a turn is cut away or taken for something else.
    #[test]
    fn nothing_that_is_entered_breaks_a_turn(
        topic in "\\PC{1,120}",
        beliefs in prop::collection::vec(("\\PC{1,20}", "\\PC{1,120}"), 2..5),
        rounds in 1..4u32,
    ) {
        let personas = beliefs.iter().map(|(name, philosophy)| persona(name, philosophy)).collect();
        let setup = setup(&topic, personas, rounds);
        prop_assume!(Debate::begin(&setup).is_ok());
        play(&setup);
    }
}

#[test]
fn the_summary_rests_on_what_was_said_and_covers_everybody() {
    for personas in panels() {
        let state = play(&setup(MOTIONS[2], personas, 3));
        let sentences = sentences(&state.debate.summary);
        assert_eq!(sentences.len(), state.support.len());
        for (sentence, support) in sentences.iter().zip(&state.support) {
            let rests_on =
                |quotation: &&str| support.iter().any(|number| state.debate.messages[*number as usize - 1].content.contains(*quotation));
            assert!(!support.is_empty() && quotations(sentence).iter().all(rests_on), "{sentence} {support:?}");
        }
        for persona in state.debate.debaters() {
            assert!(state.debate.summary.contains(&words::name(&persona.name, &persona.id)), "{}: {}", persona.name, state.debate.summary);
        }
    }
}

/// The figures of the first debate that people see show both.
#[test]
fn some_opening_claims_stay_alive_and_some_do_not() {
    for topic in MOTIONS {
        let state = play(&setup(topic, panel(), 3));
        let claims = figures(&state.debate, &state.support).claims;
        let alive = claims.iter().filter(|claim| claim.alive.is_some()).count();
        assert!(alive * 3 >= claims.len() && alive < claims.len(), "{topic}: {alive} of {}", claims.len());
    }
}

#[test]
fn the_default_panel_is_known_by_its_words() {
    let known: [(&str, [&str; 2]); 3] = [
        ("napoleon", ["law|code|rule|order", "merit|talent|ablest|ability|examination|rank"]),
        ("gandhi", ["means|force|harm|forced|pulled|press", "enough|village|share|bucket|patience|gentle|open"]),
        ("alexander", ["horse|ride|rider|road|saddle", "city|wedding|marry|market|gates|cook"]),
    ];
    for topic in MOTIONS {
        let state = play(&setup(topic, panel(), 3));
        for (id, themes) in known {
            let said: String = state
                .debate
                .messages
                .iter()
                .filter(|message| message.author_id == id)
                .map(|message| message.content.to_lowercase() + " ")
                .collect();
            let own: String = said.split('“').map(|part| part.rsplit('”').next().unwrap_or_default()).collect();
            for theme in themes {
                assert!(theme.split('|').any(|word| own.contains(word)), "{id} on {topic} never speaks of {theme}");
            }
        }
    }
}

/// The sentences of two debates, without their quotations.
fn shared(one: &State, other: &State) -> usize {
    let sentences = |state: &State| -> BTreeSet<String> {
        state
            .debate
            .messages
            .iter()
            .flat_map(|message| sentences(&message.content).into_iter().map(str::to_owned).collect::<Vec<_>>())
            .collect()
    };
    let (one, other) = (sentences(one), sentences(other));
    one.intersection(&other).count() * 100 / one.len()
}

#[test]
fn another_motion_or_another_name_makes_another_debate() {
    for personas in [panel(), own()] {
        let debates: Vec<State> = MOTIONS[..6].iter().map(|topic| play(&setup(topic, personas.clone(), 3))).collect();
        for (i, one) in debates.iter().enumerate() {
            for other in &debates[i + 1..] {
                assert!(shared(one, other) <= 33, "{}% of “{}” are in “{}”", shared(one, other), one.debate.topic, other.debate.topic);
            }
        }
    }
    let named = |names: [&str; 2]| play(&setup(MOTIONS[1], names.map(|name| persona(name, "Waste nothing.")).to_vec(), 3));
    let told = named(["Ada", "Bao"]);
    let by = |id: &str| -> BTreeSet<&str> {
        told.debate.messages.iter().filter(|message| message.author_id == id).flat_map(|message| sentences(&message.content)).collect()
    };
    assert!(by("ada").is_disjoint(&by("bao")));
}

/// To be read when lines are changed.
#[test]
fn debates_as_visitors_read_them() {
    let told: Vec<String> = EXAMPLES.iter().map(|example| play(&example.setup()).debate.numbered_transcript()).collect();
    insta::assert_snapshot!(told.join("\n\n\n"));
}

#[test]
fn what_is_marked_can_be_quoted() {
    for voice in
        panels().iter().flat_map(|personas| voices::of_panel(&Debate::begin(&setup("?", personas.clone(), 1)).expect("a debate").debate))
    {
        for marked in voice.marked() {
            assert!((2..=8).contains(&marked.split(' ').count()) && !marked.contains(['{', '}']), "{marked}");
        }
    }
}
