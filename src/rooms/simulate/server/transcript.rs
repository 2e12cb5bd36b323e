//! The journey for people who read it elsewhere: the customer, then what was said and learned, phase by phase.

use crate::{
    engine::{
        entry::{Run, ask_json},
        server::Passage,
    },
    rooms::simulate::flow::{Ask, Phase, Simulate, Step},
};

pub fn transcript(run: &Run<Simulate>) -> Vec<Passage> {
    let setup = &run.state.setup;
    let mut passages = vec![Passage::Part("Customer".to_owned()), said("Persona", &setup.icp, false, None)];
    let mut phase = None;
    for step in &run.state.steps {
        match step {
            Step::Asked { phase: now, query, answer, .. } => {
                begin(&mut passages, &mut phase, *now);
                passages.push(said(&setup.label(), query, false, None));
                if let Some(answer) = answer {
                    passages.push(said("Assistant", &answer.text, true, answer.cut.then_some("cut off at the length limit")));
                }
            }
            Step::Completed { phase, insights, .. } => {
                passages.push(Passage::Findings { of: format!("Learned in {}", phase.name()), items: insights.clone() });
            }
            // Not counted as said.
            Step::Corrected { .. } => {}
        }
    }
    passages.extend(halted(run));
    passages
}

fn begin(passages: &mut Vec<Passage>, phase: &mut Option<Phase>, now: Phase) {
    if phase.replace(now) != Some(now) {
        passages.push(Passage::Part(now.name().to_owned()));
    }
}

fn said(who: &str, text: &str, markdown: bool, mark: Option<&str>) -> Passage {
    Passage::Said { who: who.to_owned(), text: text.to_owned(), markdown, mark: mark.map(str::to_owned) }
}

/// What a Stop cut off.
fn halted(run: &Run<Simulate>) -> Vec<Passage> {
    let step = run.state.steps_taken();
    let texts = run.progress.halt.iter().flat_map(|halt| &halt.partial).filter(|halted| !halted.text.trim().is_empty());
    let customer = ask_json(&Ask::Customer { step });
    let passage = |who: &str, text: &str, markdown| said(who, text, markdown, Some("stopped"));
    texts
        .map(|halted| match halted.ask == customer {
            true => passage(&run.state.setup.label(), &halted.text, false),
            false => passage("Assistant", &halted.text, true),
        })
        .collect()
}
