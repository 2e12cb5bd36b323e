//! The rules over arbitrary orders of what people, models and providers do.

use super::*;
use proptest::{collection::vec, option, prelude::*, sample::select};
use std::collections::BTreeMap;

/// What somebody does next. What is not possible then changes nothing.
#[derive(Clone, Debug)]
enum Deed {
    Say(&'static str),
    Choose {
        question: Option<u32>,
        options: Vec<u32>,
    },
    Correct(Field, &'static str),
    Retry(Section),
    Refresh,
    StopSection(Section),
    /// One of the asks that are wanted is answered, or has failed for good.
    Answer(usize, Answer),
    Fail(usize),
    Continue,
}

/// What that amounts to, whichever ask it is.
#[derive(Clone, Debug)]
struct Answer {
    reply: Reply,
    known: Vec<Known>,
    words: &'static str,
    tools: Vec<Tool>,
    fits: bool,
}

fn any_tool() -> impl Strategy<Value = Tool> {
    let field = prop_oneof![9 => select(Field::ALL.map(Field::slug).to_vec()), 1 => Just("mood")];
    let options = select(vec![&[][..], &["Shops", "Cafés"]]);
    let section = prop_oneof![9 => select(Section::ALL.map(Section::slug).to_vec()), 1 => Just("weather")];
    prop_oneof![
        4 => (field, options, any::<bool>()).prop_map(|(field, options, multi)| ask_user(field, options, multi)),
        4 => section.prop_map(|section| Tool::RunResearch(section.to_owned())),
        1 => Just(Tool::Unusable("no".to_owned())),
    ]
}

fn any_answer() -> impl Strategy<Value = Answer> {
    let reply = select(vec![Reply::Answer, Reply::Skip, Reply::Question]);
    let known = vec((select(Field::ALL.to_vec()), select(vec!["x", "y", " "])).prop_map(|(field, value)| known(field, value)), 0..4);
    let words = select(vec!["", "Well."]);
    (reply, known, words, vec(any_tool(), 0..4), prop::bool::weighted(0.8)).prop_map(|(reply, known, words, tools, fits)| Answer {
        reply,
        known,
        words,
        tools,
        fits,
    })
}

fn any_deed() -> impl Strategy<Value = Deed> {
    let section = || select(Section::ALL.to_vec());
    prop_oneof![
        3 => select(vec!["Well.", "skip", "shops", "Shops, Cafés"]).prop_map(Deed::Say),
        2 => (option::weighted(0.2, 0..9_u32), vec(0..3_u32, 0..3)).prop_map(|(question, options)| Deed::Choose { question, options }),
        2 => (select(Field::ALL.to_vec()), select(vec!["x", "y"])).prop_map(|(field, value)| Deed::Correct(field, value)),
        1 => section().prop_map(Deed::Retry),
        1 => Just(Deed::Refresh),
        1 => section().prop_map(Deed::StopSection),
        18 => (0..4_usize, any_answer()).prop_map(|(which, answer)| Deed::Answer(which, answer)),
        1 => (0..4_usize).prop_map(Deed::Fail),
        1 => Just(Deed::Continue),
    ]
}

/// The answers that were known when an attempt began, and the attempts it was built on.
type Base = (BTreeMap<Field, Option<String>>, BTreeMap<Section, u32>);

/// A run, and beside it in plain books what was allowed and what it went by.
#[derive(Clone)]
struct World {
    state: State,
    seq: i64,
    /// By section and attempt.
    bases: BTreeMap<(Section, u32), Base>,
    /// What a person has asked for again and has not got yet.
    requested: Vec<Section>,
    /// What the person typed, and how many of it was read.
    typed: Vec<(u32, String)>,
    read: usize,
}

/// By its fields alone; what adds everything up is so when all that it adds up is.
fn is_barren(state: &State, section: Section) -> bool {
    let nothing = |section: Section| section.needs().iter().all(|field| state.answer(*field) == Some(""));
    match section.builds_on() {
        all if all.len() == 4 => all.iter().all(|on| nothing(*on) && state.study(*on).result.is_none()),
        _ => nothing(section),
    }
}

impl World {
    fn new() -> Self {
        World { state: begun(""), seq: 1, bases: BTreeMap::new(), requested: vec![], typed: vec![], read: 0 }
    }

    fn play(&mut self, deed: Deed) {
        match deed {
            Deed::Say(text) => self.command(Command::Say { text: text.to_owned() }),
            Deed::Choose { question, options } => {
                let question = question.or(self.state.asked).unwrap_or_default();
                self.command(Command::Choose { question, options });
            }
            Deed::Correct(field, value) => self.command(Command::Correct { field, text: value.to_owned() }),
            Deed::Retry(section) => self.command(Command::Retry { section }),
            Deed::Refresh => self.command(Command::Refresh),
            Deed::StopSection(section) => self.command(Command::StopSection { section }),
            Deed::Answer(which, answer) => {
                let wants = Research::wants(&self.state);
                if let Some(ask) = wants.get(which % wants.len().max(1)) {
                    self.answer(ask, answer);
                }
            }
            Deed::Fail(which) => {
                let wants = Research::wants(&self.state);
                let Some(ask) = wants.get(which % wants.len().max(1)) else { return };
                let failure = Failure { why: "Down.".to_owned(), cause: None };
                // Without events the run halts, and nothing has changed once somebody continues it.
                Research::failed(&self.state, ask, &failure).into_iter().for_each(|events| self.happen(events));
            }
            Deed::Continue => self.state = resumed(self.state.clone()),
        }
        self.check();
    }

    fn command(&mut self, command: Command) {
        if let Ok(events) = Research::decide(&self.state, command) {
            self.happen(events);
        }
    }

    /// Goes on with these words in the place of the message that came next, as a run of its own does.
    fn retell(&mut self, words: &str) {
        self.state = resumed(self.state.clone());
        let (before, turn) = (self.state.clone(), self.state.messages);
        match Research::retell(&before, turn, words.to_owned()) {
            Ok(Some(Retold::Events(events))) => self.happen(events),
            _ => panic!("{words} comes to nothing: {before:?}"),
        }
        assert!(self.state.messages == turn + 1 && Research::turn(&self.state, turn).is_some());
        assert!((0..turn).all(|turn| Research::turn(&self.state, turn) == Research::turn(&before, turn)));
        self.check();
    }

    fn answer(&mut self, ask: &Ask, answer: Answer) {
        let Answer { reply, known, words, tools, fits } = answer;
        let outcome = match *ask {
            Ask::Extract { .. } => Outcome::Extracted { reply, known },
            Ask::Interview { .. } => {
                let tools = tools.into_iter().map(|tool| ("{}".to_owned(), tool)).collect();
                Outcome::Turned { words: words.to_owned(), tools, told: self.state.fresh.clone() }
            }
            Ask::Gather { .. } => Outcome::Gathered { text: "Notes.".to_owned(), sources: vec![] },
            Ask::Synthesise { section, .. } | Ask::Repair { section, .. } => {
                Outcome::Drafted { draft: "{".to_owned(), data: if fits { Ok(Box::new(nothing(section))) } else { Err("no".to_owned()) } }
            }
            Ask::Summary { .. } => Outcome::Summarised("So it is.".to_owned()),
        };
        let events = Research::settle(&self.state, ask, outcome);
        assert!(!events.is_empty(), "{ask:?} would be made again");
        self.happen(events);
    }

    fn happen(&mut self, events: Vec<Event>) {
        for event in events {
            self.note(&event);
            self.seq += 1;
            let before = self.state.clone();
            self.state = Research::apply(before.clone(), Stamp { seq: self.seq, at: self.seq }, &event);
            for (section, old) in Section::ALL.into_iter().zip(&before.studies) {
                let found = matches!(&event, Event::Found { told, .. } if told.section == section);
                assert!(found || self.state.study(section).result == old.result, "{section:?} has lost its result to {event:?}");
            }
        }
    }

    /// Judges an event by the books and enters it there, before it happens.
    fn note(&mut self, event: &Event) {
        match event {
            Event::ResearchBegan { section } => self.begin(*section),
            Event::Requested { sections } => self.requested.extend(sections),
            Event::ResearchFailed { section, error } => {
                let begun = self.state.study(*section).work.is_some() || self.requested.contains(section);
                assert!(begun || error.starts_with("Nothing to go by"), "{section:?} fails without having begun");
                self.requested.retain(|requested| requested != section);
            }
            Event::Said { text } => self.typed.push((self.state.messages, text.clone())),
            Event::Understood { .. } => self.read = self.typed.len(),
            Event::Turned(turn) => {
                let asked: Vec<_> = turn.calls.iter().filter(|call| matches!(call.called, Called::Question(_))).collect();
                assert!(asked.len() <= 1 && self.state.asked.is_none(), "two questions at once");
            }
            Event::Found { told, .. } => assert!(self.state.study(told.section).work.is_some()),
            _ => {}
        }
    }

    fn begin(&mut self, section: Section) {
        let study = self.state.study(section);
        let lacks: Vec<Field> = section.needs().iter().copied().filter(|field| self.state.answer(*field).is_none()).collect();
        assert!(lacks.is_empty(), "{section:?} begins without {lacks:?}");
        assert!(!is_barren(&self.state, section), "{section:?} begins with nothing to go by");
        for on in section.builds_on() {
            let below = self.state.study(*on);
            let found = below.result.is_some() && below.work.is_none() && !self.is_stale(*on);
            assert!(found || is_barren(&self.state, *on), "{section:?} begins without {on:?}");
        }
        let requested = self.requested.contains(&section);
        let first = study.attempts == 0;
        assert!(study.work.is_none() && (first || requested), "{section:?} begins again");
        let is_last = section == Section::CrossAnalysis;
        assert!(!is_last || self.state.missing().next().is_none(), "it adds up what is not all answered");
        let answers = section.uses().map(|field| (field, self.state.answer(field).map(str::to_owned)));
        let known = answers.filter(|(_, answer)| is_last || answer.is_some()).collect();
        let attempt = |on: &Section| (*on, self.state.study(*on).result.as_ref().map_or(0, |found| found.attempt));
        self.bases.insert((section, study.attempts + 1), (known, section.builds_on().iter().map(attempt).collect()));
        self.requested.retain(|other| *other != section);
    }

    /// By the books.
    fn is_stale(&self, section: Section) -> bool {
        let Some(found) = &self.state.study(section).result else { return false };
        let (known, on) = &self.bases[&(section, found.attempt)];
        let other = |field, value: &Option<String>| match value {
            Some(value) => self.state.answer(field) != Some(value),
            None => self.state.answer(field).is_some_and(|answer| !answer.is_empty()),
        };
        known.iter().any(|(field, value)| other(*field, value))
            || on.iter().any(|(on, attempt)| {
                self.state.study(*on).result.as_ref().map_or(0, |found| found.attempt) != *attempt || self.is_stale(*on)
            })
    }

    fn check(&self) {
        let (state, wants) = (&self.state, Research::wants(&self.state));
        let research = wants.iter().filter(|ask| !matches!(ask, Ask::Extract { .. } | Ask::Interview { .. } | Ask::Summary { .. }));
        assert!(research.count() <= SIDE_BY_SIDE && wants.len() <= SIDE_BY_SIDE + 1, "{wants:?}");
        assert!(state.steps <= MAX_STEPS);
        if wants.is_empty() && state.failure.is_none() {
            assert_eq!(state.ready(), [], "something could be researched, and nobody does it");
        }
        assert!(state.ready().iter().all(|section| !self.requested.contains(section)), "a person waits for what could begin");
        for section in Section::ALL {
            assert_eq!(state.is_stale(section), self.is_stale(section), "{section:?}");
        }
        self.check_talk(&wants);
    }

    fn check_talk(&self, wants: &[Ask]) {
        let state = &self.state;
        // A question is the last thing that was said, about something that nobody knows yet.
        if let Some(turn) = state.asked {
            let (open, question) = state.open_question().expect("the question is there");
            assert_eq!((open, state.turns), (turn, turn + 1));
            assert!(state.answer(question.field).is_none() && state.floor == Floor::Person && state.unread.is_none());
        }
        // Whatever was typed is there, and has been read or is going to be.
        for (number, text) in &self.typed {
            assert_eq!(state.message(*number), Some(text.as_str()));
        }
        let unread: Vec<&str> = self.typed[self.read..].iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(state.unread_words(), unread.join("\n"));
        let reads = matches!(wants.first(), Some(Ask::Extract { message }) if *message == state.messages - 1);
        assert!(unread.is_empty() || reads, "nobody reads {unread:?}");
        // Somebody is to speak, or has been asked or told something.
        let told = matches!(state.thread.iter().rev().find(|item| matches!(item, Item::Turn(_))), Some(Item::Turn(turn)) if !turn.words.is_empty());
        let talks = wants.iter().any(|ask| matches!(ask, Ask::Extract { .. } | Ask::Interview { .. }));
        assert!(talks || told || state.missing().next().is_none() || state.at_step_limit(), "a silence that nobody breaks");
    }

    /// The next deed of people and models who want to come to an end.
    fn towards_the_end(&self) -> Deed {
        let good = |tools| Answer { reply: Reply::Answer, known: vec![], words: "Well.", tools, fits: true };
        let state = &self.state;
        let failed = Section::ALL.into_iter().find(|section| state.study(*section).error.is_some() && !state.is_settled(*section));
        match Research::wants(state).first() {
            Some(Ask::Interview { .. }) => {
                let next = state.missing().next().map(|field| ask_user(field.slug(), &[], false));
                Deed::Answer(0, good(next.into_iter().collect()))
            }
            Some(_) => Deed::Answer(0, good(vec![])),
            None if state.at_step_limit() => Deed::Continue,
            None if state.asked.is_some() || state.missing().next().is_some() => Deed::Say("Well."),
            None if let Some(section) = failed => Deed::Retry(section),
            None => Deed::Refresh,
        }
    }
}

proptest! {
    /// Whatever people, models and providers do, the rules hold after each deed; and from wherever that led, the conversation can
    /// still be brought to its end: everything answered, found on the newest answers, and summed up.
    #[test]
    fn the_rules_hold_whatever_is_done_and_the_end_stays_within_reach(deeds in vec(any_deed(), 0..80)) {
        let mut world = World::new();
        deeds.into_iter().for_each(|deed| world.play(deed));
        for _ in 0..120 {
            if Research::status(&world.state) == Status::Done {
                break;
            }
            let deed = world.towards_the_end();
            world.play(deed);
        }
        prop_assert_eq!(Research::status(&world.state), Status::Done, "{:?}", world.state);
        prop_assert!(world.state.is_complete() && world.state.is_summarised());
    }

    /// Whatever a person has said or chosen can be said in other words, and by the same rules: what was found before is neither lost nor
    /// researched again.
    #[test]
    fn each_message_can_be_said_in_other_words(deeds in vec(any_deed(), 0..60), words in select(vec!["Well.", "skip", "shops"])) {
        let (mut world, mut forks) = (World::new(), Vec::new());
        for deed in deeds {
            let before = world.clone();
            world.play(deed);
            forks.extend((world.state.messages > before.state.messages).then_some(before));
        }
        prop_assert_eq!(forks.len(), world.state.messages as usize);
        forks.into_iter().for_each(|mut fork| fork.retell(words));
    }

    /// References go and everything else stays, whatever is around them; a second look finds nothing more.
    #[test]
    fn texts_are_kept_to_their_sources_once_and_for_all(text in r"([a-cé.,;()<>\[\] ]|\[[0-9]{1,2}\]|https?://[a-c./()]{0,6}){0,12}") {
        let overview = data::Point { text, sources: vec![] };
        let mut data = Data::IndustryMarket(data::IndustryMarket { overview, ..Default::default() });
        data.keep_to(&[source(7, "https://a.b")]);
        let once = data.clone();
        prop_assert_eq!(data.keep_to(&[source(7, "https://a.b")]), 0, "{:?}", once);
        prop_assert_eq!(data, once);
    }
}
