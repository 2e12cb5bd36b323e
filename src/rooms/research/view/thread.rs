//! The thread: what the person and the interviewer said, the research between it, and what can be chosen now.

use super::{
    card::Card,
    deeds::{Deeds, Forms},
    reading::Reading,
    words::is_speaking,
};
use crate::{
    engine::{
        entry::{Run, ask_json},
        flow::Flow,
        shown::Shown,
    },
    rooms::research::{
        api::{Deed, Tell},
        flow::{self, Ask, Research, Section},
    },
    runs::watch::{Conversation, Line, Placed, Readout, failure},
    ui::{Bubble, Choice, Choices, Markdown, Plain, Side, Speaker, Speech, Target, Ways},
};
use leptos::{prelude::*, server_fn::ServerFn};

/// What is drawn, and what can be done there: nothing in a replay, and reading alone by whoever it is shared with.
#[derive(Clone, Copy)]
pub struct Page {
    pub shown: Shown<Research>,
    /// The run's id, its page and its report.
    pub id: StoredValue<String>,
    pub address: StoredValue<String>,
    pub report: StoredValue<String>,
    pub deeds: Option<Deeds>,
    pub reading: Option<Reading>,
}

impl Page {
    pub fn new(id: StoredValue<String>, address: String, shown: Shown<Research>, deeds: Option<Deeds>, reading: Option<Reading>) -> Self {
        let report = StoredValue::new(format!("{address}/report"));
        Page { shown, id, address: StoredValue::new(address), report, deeds, reading }
    }

    pub fn forms(self) -> Forms {
        Forms::new(self.deeds.map(|_| self.id.get_value()))
    }
}

/// A place in the thread. The interviewer's turn and the summary may still be being written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    /// The person's message with that number.
    Said(u32),
    Turn(u32),
    Card(Section),
    /// A summary, by its number and the turns that were taken before it.
    Summary(u32, u32),
    /// What that turn's question offers.
    Choices(u32),
}

#[component]
pub fn Thread(page: Page, readout: Memo<Readout>) -> impl IntoView {
    let placed = move |item: Item| Placed::new(item.key(), move || show(page, item));
    let placed = Signal::derive(move || page.shown.run.with(|run| items(run, page.deeds.is_some())).into_iter().map(placed).collect());
    view! { <Conversation readout=readout placed=placed /> }
}

impl Item {
    /// What tells it from all others.
    fn key(self) -> (u32, u32) {
        match self {
            Item::Said(number) => (0, number),
            Item::Turn(number) => (1, number),
            Item::Card(section) => (2, section as u32),
            Item::Summary(number, _) => (3, number),
            Item::Choices(turn) => (4, turn),
        }
    }
}

/// `answered`: can a question be answered here?
fn items(run: &Run<Research>, answered: bool) -> Vec<Item> {
    let (state, progress) = (&run.state, &run.progress);
    let (mut items, mut said, mut turns, mut summaries) = (Vec::new(), 0, 0, 0);
    // Where a question stands that nothing has been said to: cards that come then go above it, so that its choices stay with it.
    let mut question = None;
    for item in &state.thread {
        match item {
            flow::Item::Said { .. } => {
                items.push(Item::Said(said));
                (said, question) = (said + 1, None);
            }
            flow::Item::Turn(turn) => {
                turns = turn.number + 1;
                question = turn.question().map(|_| items.len());
                items.extend((!turn.words.is_empty()).then_some(Item::Turn(turn.number)));
            }
            flow::Item::Card { section } => {
                items.insert(question.unwrap_or(items.len()), Item::Card(*section));
                question = question.map(|at| at + 1);
            }
            flow::Item::Summary { .. } => {
                items.push(Item::Summary(summaries, turns));
                summaries += 1;
            }
        }
    }
    let is_begun = |ask: Ask| Line::is_begun(progress, &ask_json(&ask));
    if is_begun(Ask::Summary { turn: state.turns }) {
        items.push(Item::Summary(summaries, state.turns));
    } else if is_begun(Ask::Interview { turn: state.turns }) || is_speaking(run) {
        items.push(Item::Turn(state.turns));
    }
    items.extend(state.open_question().filter(|_| answered).map(|(turn, _)| Item::Choices(turn)));
    items
}

fn show(page: Page, item: Item) -> AnyView {
    let number = page.shown.run.with_untracked(|run| {
        let items = items(run, false);
        let message = |item: &&Item| !matches!(item, Item::Card(_));
        items.split(|other| *other == item).next().unwrap_or_default().iter().filter(message).count() + 1
    });
    match item {
        Item::Said(said) => person(page, said, number),
        Item::Turn(turn) => interviewer(page, Ask::Interview { turn }, item, number),
        Item::Summary(_, turn) => interviewer(page, Ask::Summary { turn }, item, number),
        Item::Card(section) => view! { <Card page=page section=section /> }.into_any(),
        Item::Choices(turn) => choices(page, turn),
    }
}

fn person(page: Page, said: u32, number: usize) -> AnyView {
    let (text, is_turn) = page.shown.run.with_untracked(|run| {
        let (state, words) = (&run.state, run.state.message(said).unwrap_or_default());
        (words.to_owned(), Research::turn(state, said).is_some())
    });
    let edit = (is_turn && page.deeds.is_some()).then(|| page.id.with_value(|id| format!("/runs/{id}/edit/{said}")));
    let nothing = || Signal::stored(String::new());
    let speech = Speech { text: Signal::stored(text), writing: Signal::stored(false), meta: nothing(), mark: nothing() };
    view! { <Bubble side=Side::Me number=number who="You" speech=speech words=view! { <Plain speech=speech /> }.into_any() edit=edit /> }
        .into_any()
}

/// A turn, or the summary; the same bubble while it is written and ever after.
fn interviewer(page: Page, ask: Ask, item: Item, number: usize) -> AnyView {
    let shown = page.shown;
    let ask = ask_json(&ask);
    let line = Memo::new(move |_| {
        shown.run.with(|run| match written(run, item) {
            Some(text) => Line::said(&run.progress, &ask, text, ""),
            None => Line::unsaid(&run.progress, &ask),
        })
    });
    let speech = Line::speech(line, shown.texts);
    // They think before they write, and read what was said before they think.
    let thinks = Memo::new(move |_| shown.run.with(|run| written(run, item).is_none() && is_speaking(run)));
    let speech = Speech { writing: Signal::derive(move || speech.writing.get() || thinks.get()), ..speech };
    if !matches!(item, Item::Summary(..)) {
        let words = view! { <Plain speech=speech /> }.into_any();
        return view! { <Bubble side=Side::Them number=number who="Interviewer" speech=speech words=words edit=None /> }.into_any();
    }
    let words = view! {
        <h2>"What it comes to"</h2>
        <Markdown text=speech.text writing=speech.writing />
        <p class="row"><a class="btn" rel="external" href=page.report.get_value()>"Open the report"</a></p>
    };
    // The card that is set apart, as a debate's summary is.
    let speaker = Speaker { hue: "slate".to_owned(), face: ().into_any() };
    view! { <Bubble side=Side::Them number=number who="Summary" speech=speech words=words.into_any() edit=None speaker=speaker /> }
        .into_any()
}

fn written(run: &Run<Research>, item: Item) -> Option<&str> {
    let mut summaries =
        run.state.thread.iter().filter_map(|item| if let flow::Item::Summary { text } = item { Some(text.as_str()) } else { None });
    let mut turns = run.state.thread.iter();
    match item {
        Item::Turn(number) => turns.find_map(|item| match item {
            flow::Item::Turn(turn) if turn.number == number => Some(turn.words.as_str()),
            _ => None,
        }),
        Item::Summary(number, _) => summaries.nth(number as usize),
        _ => None,
    }
}

/// A typed answer serves as well; whoever has none skips.
fn choices(page: Page, turn: u32) -> AnyView {
    let question = page.shown.run.with_untracked(|run| run.state.open_question().map(|(_, question)| question.clone()));
    let (Some(deeds), Some(question)) = (page.deeds, question) else { return ().into_any() };
    let offered: Vec<Choice> =
        (0..).zip(question.options).map(|(at, option): (u32, _)| Choice { label: option.label, value: at.to_string() }).collect();
    let ways = Ways { several: question.multi, other: question.allow_other && !offered.is_empty() };
    let fields = |what: Deed| vec![("id", page.id.get_value()), ("what", what.slug().to_owned()), ("of", turn.to_string())];
    let target = Target { action: Tell::url(), fields: fields(Deed::Choose), name: "options" };
    let skip = Some(fields(Deed::Skip));
    let choose =
        Callback::new(move |values: Vec<String>| deeds.choose(turn, values.iter().filter_map(|value| value.parse().ok()).collect()));
    let pending = deeds.thread.pending.into();
    view! { <Choices target=target choices=offered ways=ways skip=skip pending=pending failure=failure(deeds.thread) choose=choose /> }
        .into_any()
}

#[cfg(test)]
mod tests;
