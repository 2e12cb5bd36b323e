//! The thread: what the panel said, phase by phase and round by round, and the summary as a card of its own.

use super::portrait::Portrait;
use crate::{
    engine::{
        entry::{Run, ask_json},
        flow::Flow,
        shown::Shown,
    },
    rooms::debate::flow::{Ask, Debate, Phase, State, sentences::sentences},
    runs::watch::{Conversation, Line, Placed, Readout},
    ui::{Bubble, Plain, Side, Speaker, Speech, When, escaped},
};
use leptos::prelude::*;

/// A place in the thread: where a phase or round begins, or a message by its number from 1, which may still be being written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    Divider(Phase, u32),
    Message(u32),
}

#[component]
pub fn Thread(shown: Shown<Debate>, readout: Memo<Readout>) -> impl IntoView {
    let placed = move |item: Item| Placed::new(item.key(), move || show(shown, item));
    let placed = Signal::derive(move || shown.run.with(items).into_iter().map(placed).collect());
    view! { <Conversation readout=readout placed=placed /> }
}

impl Item {
    /// What tells it from all others.
    fn key(self) -> (u32, u32) {
        match self {
            Item::Message(number) => (0, number),
            Item::Divider(phase, round) => (1 + phase as u32, round),
        }
    }
}

fn items(run: &Run<Debate>) -> Vec<Item> {
    let debate = &run.state.debate;
    let next = ask(&run.state, debate.messages.len()).filter(|ask| Line::is_begun(&run.progress, &ask_json(ask)));
    let said = debate.messages.iter().map(|message| (message.phase, message.round_index));
    let (mut items, mut part) = (Vec::new(), None);
    for (number, now) in (1..).zip(said.chain(next.map(|_| (debate.phase, debate.round())))) {
        // The summary's card has a heading of its own.
        if part.replace(now) != Some(now) && now.0 != Phase::Summary {
            items.push(Item::Divider(now.0, now.1));
        }
        items.push(Item::Message(number));
    }
    items
}

/// What the message at that place (from 0) answers; the next one is that which is due.
fn ask(state: &State, at: usize) -> Option<Ask> {
    match state.debate.messages.get(at) {
        Some(message) if message.phase == Phase::Summary => Some(Ask::Summary),
        Some(message) => Some(Ask::Turn { phase: message.phase, round: message.round_index, persona: message.author_id.clone() }),
        None => Debate::wants(state).pop(),
    }
}

fn show(shown: Shown<Debate>, item: Item) -> AnyView {
    match item {
        Item::Divider(phase, 0) => view! { <p class="divide" data-hue="phase">{phase.name()}</p> }.into_any(),
        Item::Divider(phase, round) => {
            view! { <p class="divide" data-hue="phase">{format!("{}, round {round}", phase.name())}</p> }.into_any()
        }
        Item::Message(number) => view! { <Said shown=shown number=number as usize /> }.into_any(),
    }
}

/// A message; the same bubble while it is written and ever after.
#[component]
fn Said(shown: Shown<Debate>, number: usize) -> impl IntoView {
    let line = Memo::new(move |_| shown.run.with(|run| line(run, number)));
    let speech = Line::speech(line, shown.texts);
    let (who, hue, portrait, closes) = shown.run.with_untracked(|run| {
        let debate = &run.state.debate;
        let author = debate.messages.get(number - 1).and_then(|message| debate.get(&message.author_id)).or(debate.due());
        let (id, name) = author.map(|author| (author.id.as_str(), author.name.clone())).unwrap_or_default();
        (name, debate.hue(id).to_owned(), debate.portrait(id), author.is_some_and(|author| author.is_summariser()))
    });
    let words = match closes {
        true => view! { <Summary shown=shown speech=speech /> }.into_any(),
        false => view! { <Plain speech=speech /> }.into_any(),
    };
    let speaker = Speaker { hue, face: view! { <Portrait name=portrait /> }.into_any() };
    view! { <Bubble side=Side::Them number=number who=who speech=speech words=words edit=None speaker=speaker /> }
}

fn line(run: &Run<Debate>, number: usize) -> Line {
    let (state, progress) = (&run.state, &run.progress);
    let ask = ask(state, number - 1).map(|ask| ask_json(&ask)).unwrap_or_default();
    match state.debate.messages.get(number - 1) {
        Some(message) => {
            let mark = if state.shortened.contains(&(number as u32)) { "shortened" } else { "" };
            Line::said(progress, &ask, &message.content, mark)
        }
        None => Line::unsaid(progress, &ask),
    }
}

/// Words while they are written; then each sentence with the messages that it rests on.
#[component]
fn Summary(shown: Shown<Debate>, speech: Speech) -> impl IntoView {
    let said = Signal::derive(move || shown.run.with(|run| !run.state.debate.summary.is_empty()));
    let sentences = Signal::derive(move || shown.run.with(|run| supported(&run.state)).iter().map(sentence).collect::<String>());
    view! {
        <h2>"Summary"</h2>
        <When when=Signal::derive(move || !said.get())><Plain speech=speech /></When>
        <When when=said><p inner_html=sentences></p></When>
    }
}

/// A sentence of the summary, and the messages it rests on: number, author and hue of each.
#[derive(Debug, PartialEq)]
struct Supported {
    text: String,
    messages: Vec<(u32, String, String)>,
}

fn supported(state: &State) -> Vec<Supported> {
    let debate = &state.debate;
    let message = |number: &u32| {
        let message = debate.messages.get(*number as usize - 1)?;
        Some((*number, message.author_name.clone(), debate.hue(&message.author_id).to_owned()))
    };
    let support = state.support.iter().map(Vec::as_slice).chain(std::iter::repeat(&[][..]));
    let sentences = sentences(&debate.summary).into_iter().zip(support);
    sentences.map(|(text, messages)| Supported { text: text.to_owned(), messages: messages.iter().filter_map(message).collect() }).collect()
}

/// As HTML. Its marks are links the browser itself follows: it scrolls there and says which message is meant.
fn sentence(Supported { text, messages }: &Supported) -> String {
    let mark = |(number, author, hue): &(u32, String, String)| {
        let author = escaped(author);
        format!(
            "<a class=\"ground\" data-hue=\"{hue}\" rel=\"external\" href=\"#message-{number}\" aria-label=\"{number}, {author}\">{number}</a>"
        )
    };
    let marks = match messages.as_slice() {
        [] => "<span class=\"bare\">names no message</span>".to_owned(),
        messages => messages.iter().map(mark).collect(),
    };
    format!("{} <span class=\"grounds\">{marks}</span> ", escaped(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::debate::view::held::{TURNS, begun, held, stopped};

    #[test]
    fn every_phase_and_round_is_announced_once_and_the_summary_by_its_card() {
        let dividers = |turns: usize| {
            let items = items(&held(turns)).into_iter();
            items.filter_map(|item| if let Item::Divider(phase, round) = item { Some((phase, round)) } else { None }).collect::<Vec<_>>()
        };
        let all = [(Phase::Opening, 0), (Phase::Defence, 0), (Phase::Exchange, 1), (Phase::Exchange, 2), (Phase::Reflection, 0)];
        assert_eq!(dividers(0), []);
        assert_eq!(dividers(6), all[..3]);
        assert_eq!(dividers(TURNS), all);
    }

    #[test]
    fn a_turn_stands_in_the_thread_from_when_it_is_begun_and_keeps_its_place() {
        let numbers = |run: &Run<Debate>| items(run).iter().filter(|item| matches!(item, Item::Message(_))).count();
        assert_eq!(items(&held(2)).last(), Some(&Item::Message(2)));
        let thinking = begun(held(2));
        assert_eq!(items(&thinking)[3..], [Item::Divider(Phase::Defence, 0), Item::Message(3)]);
        assert_eq!(line(&thinking, 3), Line::unsaid(&thinking.progress, &ask_json(&ask(&thinking.state, 2))));
        let cut = stopped(thinking, "Half a");
        assert_eq!((numbers(&cut), numbers(&stopped(begun(held(2)), ""))), (3, 2));
        assert_eq!((numbers(&begun(held(10))), numbers(&held(TURNS))), (TURNS, TURNS));
    }

    #[test]
    fn what_was_cut_to_measure_says_so() {
        let run = held(TURNS);
        let check = |number: usize, text: &str, mark| {
            let key = ask_json(&ask(&run.state, number - 1));
            assert_eq!(line(&run, number), Line::said(&run.progress, &key, text, mark));
        };
        check(5, "ada has a word.", "");
        check(6, "One. Two. Three.", "shortened");
        check(11, "Ada spoke of tea. Nobody else was heard.", "");
    }

    #[test]
    fn a_sentence_of_the_summary_has_its_messages_or_none() {
        let message = |number| (number, "Ada".to_owned(), "indigo".to_owned());
        let expect = [
            Supported { text: "Ada spoke of tea.".into(), messages: vec![message(1), message(3)] },
            Supported { text: "Nobody else was heard.".into(), messages: vec![] },
        ];
        assert_eq!(supported(&held(TURNS).state), expect);
        assert_eq!(supported(&held(10).state), []);
    }

    /// As the server renders that message of a debate after so many turns.
    fn html(turns: usize, number: u32) -> String {
        let owner = Owner::new();
        owner.with(|| show(Shown::new(held(turns), vec![]), Item::Message(number)).to_html())
    }

    #[test]
    fn a_message_is_an_article_of_its_speaker_that_links_can_name() {
        let turn = html(TURNS, 6);
        let has = |html: &str, what: &str| assert!(html.contains(what), "{what}: {html}");
        for what in
            [r#"id="message-6""#, r#"aria-label="Bao""#, r#"data-hue="amber""#, "#sage", "One. Two. Three.", "shortened", "Copy message 6"]
        {
            has(&turn, what);
        }
        let summary = html(TURNS, 11);
        for what in [r#"aria-label="Summariser""#, r##"href="#message-1""##, r#"aria-label="3, Ada""#, "names no message"] {
            has(&summary, what);
        }
        assert!(!turn.contains("names no message"));
    }
}
