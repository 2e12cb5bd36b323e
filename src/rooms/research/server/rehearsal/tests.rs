use super::*;
use crate::{
    engine::flow::{Flow, Stamp, Status},
    models::ToolCall,
    rooms::research::{
        examples::EXAMPLES,
        flow::{Command, Data, Field, Finding, Item, Outcome, Research, Section, Setup},
        server::{schema, tools},
    },
};
use proptest::prelude::*;
use serde_json::Value;

/// What a person answers to the question for a field; `None` skips it.
type Answers<'a> = dyn Fn(&State, Field) -> Option<String> + 'a;

fn outcome(state: &State, ask: &Ask) -> Outcome {
    let models::Reply { text, calls } = reply(state, ask);
    assert_eq!(reply(state, ask).text, text, "the same each time");
    let form = |schema: Value| -> Value {
        let value = serde_json::from_str(&text).expect("JSON");
        assert!(jsonschema::validator_for(&schema).expect("a schema").is_valid(&value), "{ask:?}: {value}");
        value
    };
    match *ask {
        Ask::Extract { .. } => {
            let (reply, known) = schema::read_extraction(form(schema::extraction())).expect("it is read");
            Outcome::Extracted { reply, known }
        }
        Ask::Interview { .. } => {
            let call =
                |(name, arguments): (&str, Value)| ToolCall { name: name.into(), arguments: arguments.to_string(), ..ToolCall::default() };
            Outcome::Turned { words: text, tools: tools::read(calls.into_iter().map(call).collect()), told: state.fresh.clone() }
        }
        Ask::Gather { .. } => Outcome::Gathered { text, sources: vec![] },
        Ask::Synthesise { section, .. } => {
            let data = schema::read_section(section, form(schema::section(section))).map(Box::new);
            Outcome::Drafted { draft: text, data }
        }
        Ask::Repair { .. } => panic!("a rehearsed section had to be repaired: {text}"),
        Ask::Summary { .. } => Outcome::Summarised(text),
    }
}

fn apply(state: State, events: &[crate::rooms::research::flow::Event]) -> State {
    let seq = state.thread.len() as i64;
    events.iter().fold(state, |state, event| Research::apply(state, Stamp { seq, at: 0 }, event))
}

/// Whatever is wanted, as the driver would have it, until the person has to say something. The conversation comes first.
fn settle(mut state: State) -> State {
    for _ in 0..200 {
        let Some(ask) = Research::wants(&state).first().copied() else { return state };
        let events = Research::settle(&state, &ask, outcome(&state, &ask));
        assert!(!events.is_empty());
        state = apply(state, &events);
        assert_eq!(state.failure, None);
    }
    panic!("it never rests: {:?}", Research::wants(&state));
}

fn play(opening: &str, answers: &Answers) -> State {
    let setup = Setup { opening: opening.trim().to_owned(), ..Setup::default() };
    let mut state = settle(Research::begin(&setup).expect("a valid setup"));
    for _ in 0..20 {
        let Some((turn, question)) = state.open_question() else { return state };
        let command = match answers(&state, question.field) {
            Some(text) => Command::Say { text },
            None => Command::Choose { question: turn, options: vec![] },
        };
        let events = Research::decide(&state, command).expect("accepted");
        state = settle(apply(state, &events));
    }
    panic!("it asks for ever: {:?}", state.open_question());
}

fn bakery(_: &State, field: Field) -> Option<String> {
    let text = match field {
        Field::BusinessModel => "A fee per transaction",
        Field::Industry => "Payments",
        Field::Competitors => "SumUp and Zettle, mostly. Some only take cash.",
        Field::OfferPricing => "£29 for the reader, then 1.5% of sales",
        Field::MonthlyBudget => "about £5k a month",
        _ => return None,
    };
    Some(text.to_owned())
}

fn found(state: &State, section: Section) -> &Finding {
    state.study(section).result.as_ref().expect("it was found")
}

/// The conversation and the sections, as a person reads them.
fn read(state: &State) -> String {
    let item = |item: &Item| match item {
        Item::Said { text, .. } => format!("> {text}"),
        Item::Turn(turn) => {
            let options = turn.question().map_or(vec![], |question| question.options.iter().map(|option| option.label.clone()).collect());
            if options.is_empty() { turn.words.clone() } else { format!("{}\n[{}]", turn.words, options.join("] [")) }
        }
        Item::Card { section } => {
            let findings = &found(state, *section).told.findings;
            let lines: Vec<String> = findings.iter().map(|point| format!("  - {}", point.text)).collect();
            format!("({})\n{}", section.name(), lines.join("\n"))
        }
        Item::Summary { text } => text.clone(),
    };
    state.thread.iter().map(item).collect::<Vec<_>>().join("\n\n")
}

/// To be read when lines are changed.
#[test]
fn an_interview_as_visitors_read_it() {
    insta::assert_snapshot!(read(&play(EXAMPLES[0].opening, &bakery)));
}

/// The sections whole, where the second example has them.
#[test]
fn the_sections_as_visitors_read_them() {
    let state = play(EXAMPLES[1].opening, &|_, field| match field {
        Field::Industry => Some("Customer success software".into()),
        Field::IcpDescription => Some("Heads of customer success at software companies with 20 to 200 people".into()),
        Field::Competitors => Some("Gainsight, Vitally".into()),
        Field::GeographicFocus => Some("UK and Germany".into()),
        _ => None,
    });
    let sections: Vec<String> =
        Section::ALL.iter().map(|section| serde_json::to_string_pretty(&found(&state, *section).told.data).expect("JSON")).collect();
    insta::assert_snapshot!(format!("{}\n\n{}", read(&state), sections.join("\n")));
}

/// Figures in a text.
fn figures(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty()).map(str::to_owned).collect()
}

/// It came to its end, with nothing in it that the person had not said: neither a figure nor a source.
fn check(state: &State, said: &str) {
    assert_eq!(Research::status(state), Status::Done, "{:?}", state.missing().collect::<Vec<_>>());
    for section in Section::ALL.into_iter().filter(|section| !state.is_barren(*section)) {
        let Finding { told, sources, dropped, .. } = found(state, section);
        assert_eq!((sources.len(), *dropped), (0, 0), "{section:?}: {told:?}");
        let data = told.data.to_string();
        let made_up: Vec<String> = figures(&data).into_iter().filter(|figure| !said.contains(figure.as_str())).collect();
        assert_eq!(made_up, Vec::<String>::new(), "{data}");
        assert!((3..=5).contains(&told.findings.len()), "{section:?}: {:?}", told.findings);
        let whole = serde_json::to_string(&(&told.data, &state.thread)).expect("JSON");
        assert!(whole.contains("Rehearsal: nothing was looked up."));
    }
    let cross = state.study(Section::CrossAnalysis).result.as_ref();
    if let Some(Data::CrossAnalysis(cross)) = cross.and_then(|found| found.told.data()) {
        assert!(cross.channels.len() == 3 && cross.first_moves.len() == 3);
    }
    let refused = |item: &Item| matches!(item, Item::Turn(turn) if turn.calls.iter().any(|call| matches!(call.called, crate::rooms::research::flow::Called::Refused(_))));
    assert!(!state.thread.iter().any(refused), "a rehearsed call was refused: {:?}", state.thread);
}

#[test]
fn every_example_comes_to_its_end_whatever_is_answered() {
    let odd =
        ["x", "我们在北京卖面包", "{{ known }} <known> \"q\" [3] https://a.example/b", "No, without SaaS.", "We are A. We sell B to C."];
    let openings = EXAMPLES.iter().map(|example| example.opening).chain(odd).chain([""]);
    for opening in openings {
        let answers: [&Answers; 3] = [&bakery, &|_, _| None, &|_, field| Some(format!("{} [1], as above.", field.name()))];
        for answers in answers {
            let state = play(opening, answers);
            let said: Vec<&str> = (0..state.messages).filter_map(|number| state.message(number)).collect();
            check(&state, &said.join("\n"));
        }
    }
}

#[test]
fn the_first_question_after_a_card_quotes_it() {
    let state = play(EXAMPLES[0].opening, &bakery);
    let mut cards: Vec<Section> = vec![];
    let mut quoted = 0;
    for item in &state.thread {
        match item {
            Item::Card { section } => cards.push(*section),
            Item::Turn(turn) if !turn.told.is_empty() => {
                let finding = &found(&state, turn.told[0]).told.findings;
                let quotation = turn.words.rsplit('“').next().and_then(|rest| rest.split('”').next());
                let quotation = quotation.unwrap_or_else(|| panic!("nothing is quoted: {}", turn.words));
                assert!(finding.iter().any(|point| point.text.contains(quotation)), "{quotation} is not in {finding:?}");
                quoted += 1;
            }
            _ => {}
        }
    }
    assert!(quoted >= 1 && cards.len() == 5, "{quoted}, {cards:?}");
}

#[test]
fn a_question_of_ones_own_is_answered_and_the_interview_goes_on() {
    let state = settle(Research::begin(&Setup { opening: EXAMPLES[0].opening.into(), ..Setup::default() }).expect("valid"));
    let field = state.open_question().expect("a question").1.field;
    let events = Research::decide(&state, Command::Say { text: "Why do you want to know that?".into() }).expect("accepted");
    let state = settle(apply(state, &events));
    let (_, question) = state.open_question().expect("asked once more");
    let said = state.thread.iter().rev().find_map(|item| if let Item::Turn(turn) = item { Some(&turn.words) } else { None });
    assert_eq!((question.field, state.answer(field)), (field, None));
    let said = said.expect("a turn");
    assert!(said.contains("“Why do you want to know that?”") && said.contains("this is a rehearsal"), "{said}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever people enter: the interview comes to its end, and every section has its form.
    #[test]
    fn nothing_that_is_entered_breaks_an_interview(opening in "\\PC{0,300}", answer in "\\PC{1,200}", long in 1..40usize) {
        let answer = answer.repeat(long).chars().take(4_000).collect::<String>();
        prop_assume!(answer.chars().any(|c| c.is_alphanumeric()));
        prop_assume!(Research::begin(&Setup { opening: opening.trim().to_owned(), ..Setup::default() }).is_ok());
        let once = |state: &State, field: Field| {
            let asked = state.thread.iter().filter(|item| matches!(item, Item::Turn(turn) if turn.question().is_some_and(|question| question.field == field)));
            (asked.count() < 2).then(|| answer.clone())
        };
        check(&play(&opening, &once), &format!("{opening}\n{answer}"));
    }
}
