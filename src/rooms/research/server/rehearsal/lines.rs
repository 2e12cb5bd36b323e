//! What a rehearsed interviewer says around its questions, and at the end.

use super::{
    sections::basis_of,
    told::has_asked,
    words::{last_said, line, listed, said, short},
};
use crate::rooms::research::flow::{Field, Item, Point, Section, State};

/// Characters of a finding, or of a question, that are quoted.
const QUOTED: usize = 120;

const THANKS: [&str; 4] = ["Thank you, I have that.", "Good, noted.", "Understood.", "Thanks, that helps."];

/// What is said before a question: to what came before, of what was found meanwhile, and which sections begin.
pub fn before(state: &State, begun: &[Section]) -> String {
    let reaction = match last_said(state) {
        _ if state.turns == 0 => opening(state),
        Some(_) if has_asked(state) => reply_to_a_question(state),
        Some(_) if is_left_open(state) => "That is fine, we can leave it open.".to_owned(),
        _ => THANKS[state.turns as usize % THANKS.len()].to_owned(),
    };
    let cards = begun.iter().map(|section| card(*section)).collect::<Vec<_>>();
    let beginning = match cards.as_slice() {
        [] => String::new(),
        [one] => format!("The card on {one} begins meanwhile."),
        more => format!("The cards on {} begin meanwhile.", listed(more)),
    };
    [reaction, beginning, woven(state)].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Nothing is missing any more, and the person has said something.
pub fn closing(state: &State) -> String {
    let words = match has_asked(state) {
        true => reply_to_a_question(state),
        false => "Thank you. Everything that I wanted to know has been answered.".to_owned(),
    };
    format!("{words} You can put any answer right; what rests on it can then be made anew.")
}

fn opening(state: &State) -> String {
    let names: Vec<String> = state.known.iter().map(|known| format!("the {}", known.field.name().to_lowercase())).collect();
    let scripted = "This is a rehearsal: my lines are scripted, and nothing is looked up.";
    match names.as_slice() {
        [] if state.messages == 0 => {
            format!(
                "Hello. I will ask you about your business, one thing at a time, and begin each card as soon as I know enough for it. {scripted}"
            )
        }
        [] => format!("Thank you. I will ask for one thing at a time, and begin each card as soon as I know enough for it. {scripted}"),
        names => format!("Thank you. I have taken down {}. {scripted}", listed(names)),
    }
}

/// It cannot be answered, and that is said; what can be said is what the person has told.
fn reply_to_a_question(state: &State) -> String {
    let asked = last_said(state).map(|asked| short(&line(asked), QUOTED)).unwrap_or_default();
    let opening = if state.turns == 0 { String::new() } else { format!("You ask “{asked}?” ") };
    let told: Vec<String> =
        state.known.iter().filter(|known| !known.value.is_empty()).map(|known| known.field.name().to_lowercase()).collect();
    let known = match told.as_slice() {
        [] => "So far I know nothing of your business.".to_owned(),
        told => format!("What I have by now is what you told me: {}.", listed(told)),
    };
    format!("{opening}I cannot judge that here: this is a rehearsal, my lines are scripted, and nothing is looked up. {known}")
}

/// Was the last question answered with nothing?
fn is_left_open(state: &State) -> bool {
    let asked = state.thread.iter().rev().find_map(|item| if let Item::Turn(turn) = item { turn.question() } else { None });
    asked.is_some_and(|question| state.answer(question.field) == Some(""))
}

/// A piece of a finding, word for word.
fn woven(state: &State) -> String {
    let Some((section, found)) = state.fresh.first().and_then(|section| Some((*section, state.study(*section).result.as_ref()?))) else {
        return String::new();
    };
    let findings = &found.told.findings;
    // One that can be quoted whole, and holds no quotation itself.
    let (whole, rest): (Vec<&Point>, Vec<&Point>) =
        findings.iter().partition(|point| point.text.chars().count() <= QUOTED && !point.text.contains(['“', ':']));
    let from = if whole.is_empty() { rest } else { whole };
    let Some(finding) = from.get(state.turns as usize % from.len().max(1)) else { return String::new() };
    format!("The card on {} says: “{}”. With that in mind:", card(section), piece(&finding.text))
}

/// As it stands there, as far as it can be said in passing.
fn piece(text: &str) -> &str {
    let text = text.trim_end_matches('.');
    let end = text.char_indices().nth(QUOTED).map_or(text.len(), |(at, _)| at);
    let cut = if end == text.len() { end } else { text[..end].rfind(' ').unwrap_or(end) };
    text[..cut].trim_end_matches([',', ';', ':'])
}

/// What a section is called in the middle of a sentence.
fn card(section: Section) -> &'static str {
    ["the market", "competitors", "customer fit", "the offer", "what it adds up to"][section as usize]
}

pub fn summary(state: &State) -> String {
    let told = Field::ALL.into_iter().filter_map(|field| Some(format!("- **{}**: {}", field.name(), said(state, field, 160)?)));
    let told: Vec<String> = told.collect();
    let open: Vec<String> =
        Field::ALL.into_iter().filter(|field| state.answer(*field) == Some("")).map(|field| field.name().to_lowercase()).collect();
    let told = if told.is_empty() { "You have told nothing that could be summed up.".to_owned() } else { told.join("\n") };
    let open = if open.is_empty() { String::new() } else { format!("\n\nLeft open: {}.", listed(&open)) };
    let basis = basis_of(state, Section::CrossAnalysis);
    format!(
        "{basis}. So this holds no findings: it is what you told me, in order.\n\n{told}{open}\n\nThe five cards say what would have to \
         be looked up, and what to ask your customers. Begin with the first move on the last card."
    )
}
