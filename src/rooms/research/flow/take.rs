//! How a state comes about: from what a run is started with, and by what happens.

use super::{
    Claim, Event, Section, Setup, Told,
    state::{Brief, Called, Finding, Floor, Item, Known, Stage, State, Study, Turn, Unread, Work},
};
use crate::engine::flow::Stamp;

pub fn begun(setup: &Setup) -> State {
    let mut state = State {
        known: vec![],
        thread: vec![],
        studies: Section::ALL.into_iter().map(Study::new).collect(),
        floor: Floor::Interviewer,
        unread: None,
        asked: None,
        steps: 0,
        turns: 0,
        messages: 0,
        fresh: vec![],
        summarised: None,
        opened: false,
        imported: 0,
        posted: setup.posted.iter().map(|posted| posted.id.clone()).collect(),
        failure: None,
    };
    for quoted in &setup.imported.said {
        match quoted.person {
            true => state.hear(quoted.text.clone(), true),
            false => state.thread.push(Item::Turn(Turn { number: state.turns, words: quoted.text.clone(), ..Turn::default() })),
        }
        state.turns += u32::from(!quoted.person);
    }
    setup.imported.known.iter().for_each(|known| state.learn(known.clone()));
    setup.imported.results.iter().for_each(|claim| state.claim(claim, &setup.imported.results));
    if !setup.opening.is_empty() {
        state.opened = setup.imported.is_empty();
        state.hear(setup.opening.clone(), false);
        let message = state.messages - 1;
        state.unread = Some(Unread {
            since: message.saturating_sub(setup.imported.unread),
            message,
            asked: setup.imported.asked,
            ..Unread::default()
        });
    }
    state.imported = if setup.imported.is_empty() { 0 } else { state.messages };
    state
}

impl State {
    pub fn take(&mut self, stamp: Stamp, event: &Event) {
        match event {
            Event::Posted(posted) => self.posted.push(posted.id.clone()),
            Event::Said { text } => self.said(text),
            Event::Chose { question, options } => self.chose(*question, options),
            Event::Understood { known, question, .. } => self.understood(known, *question),
            Event::Corrected { known } => self.corrected(known),
            Event::Turned(turn) => self.turned(turn),
            Event::ResearchBegan { section } => self.research_began(stamp, *section),
            Event::Gathered { section, text, sources } => {
                self.advance(*section, Stage::Synthesise { text: text.clone(), sources: sources.clone() });
            }
            Event::Misfit { section, draft, why } => self.misfit(*section, draft, why),
            Event::Found { told, dropped } => self.found(stamp, told, *dropped),
            Event::ResearchFailed { section, error } => {
                self.lay(*section);
                let study = &mut self.studies[*section as usize];
                (study.work, study.due, study.error) = (None, false, Some(error.clone()));
            }
            Event::Requested { sections } => sections.iter().for_each(|section| self.studies[*section as usize].due = true),
            Event::Summarised { text } => {
                self.thread.push(Item::Summary { text: text.clone() });
                self.summarised = Some(self.attempts());
            }
            Event::GaveUp { why } => self.failure = Some(why.clone()),
        }
    }

    fn hear(&mut self, text: String, chosen: bool) {
        self.thread.push(Item::Said { text, chosen });
        self.messages += 1;
    }

    fn learn(&mut self, new: Known) {
        match self.known.iter_mut().find(|known| known.field == new.field) {
            Some(known) => *known = new,
            None => self.known.push(new),
        }
    }

    /// Words that come while others are unread are read together with them.
    fn said(&mut self, text: &str) {
        let asked = self.open_question().map(|(_, question)| question.field);
        let message = self.messages;
        self.hear(text.to_owned(), false);
        self.unread = Some(match self.unread.take() {
            Some(unread) => Unread { message, ..unread },
            None => Unread { since: message, message, asked, corrected: vec![] },
        });
        (self.asked, self.steps) = (None, 0);
    }

    fn chose(&mut self, turn: u32, options: &[u32]) {
        let Some((_, question)) = self.open_question().filter(|(open, _)| *open == turn) else { return };
        let chosen: Vec<_> = options.iter().filter_map(|option| question.options.get(*option as usize)).collect();
        let labels: Vec<&str> = chosen.iter().map(|choice| choice.label.as_str()).collect();
        let values: Vec<&str> = chosen.iter().map(|choice| choice.value.as_str()).collect();
        let (field, value) = (question.field, values.join(", "));
        let text = if labels.is_empty() { "Skip".to_owned() } else { labels.join(", ") };
        self.learn(Known { field, value });
        self.hear(text, true);
        (self.asked, self.steps) = (None, 0);
        self.pass(false);
    }

    fn understood(&mut self, known: &[Known], question: bool) {
        known.iter().for_each(|known| self.learn(known.clone()));
        let asked = self.unread.take().and_then(|unread| unread.asked);
        self.pass(question || asked.is_none());
    }

    fn corrected(&mut self, known: &Known) {
        let answers = self.open_question().is_some_and(|(_, question)| question.field == known.field);
        self.learn(known.clone());
        if let Some(unread) = &mut self.unread {
            unread.corrected.push(known.field);
        }
        if answers {
            (self.asked, self.steps) = (None, 0);
            self.pass(false);
        }
    }

    /// The interviewer goes on while something is missing, or owes an answer.
    fn pass(&mut self, owed: bool) {
        self.floor = if owed || self.missing().next().is_some() { Floor::Interviewer } else { Floor::Person };
    }

    fn turned(&mut self, turn: &Turn) {
        (self.turns, self.steps) = (turn.number + 1, self.steps + 1);
        let is_refused = turn.calls.iter().any(|call| matches!(call.called, Called::Refused(_)));
        let is_research = turn.calls.iter().any(|call| matches!(call.called, Called::Research(_)));
        let is_silent = turn.words.is_empty() && turn.calls.is_empty();
        let asks = turn.question().is_some();
        self.asked = asks.then_some(turn.number);
        self.floor = match () {
            () if asks => Floor::Person,
            () if is_silent || is_refused || (is_research && self.missing().next().is_some()) => Floor::Interviewer,
            () => Floor::Person,
        };
        if asks {
            self.fresh.retain(|section| !turn.told.contains(section));
        }
        self.thread.push(Item::Turn(turn.clone()));
    }

    fn research_began(&mut self, stamp: Stamp, section: Section) {
        self.lay(section);
        let work = Work { since: stamp.at, seq: stamp.seq, brief: self.brief(section), stage: Stage::Gather };
        let study = &mut self.studies[section as usize];
        study.attempts += 1;
        (study.work, study.due, study.error) = (Some(work), false, None);
    }

    fn advance(&mut self, section: Section, stage: Stage) {
        if let Some(work) = &mut self.studies[section as usize].work {
            work.stage = stage;
        }
    }

    fn misfit(&mut self, section: Section, draft: &str, why: &str) {
        let stage = self.study(section).work.as_ref().map(|work| work.stage.clone());
        if let Some(Stage::Synthesise { text, sources }) = stage {
            self.advance(section, Stage::Repair { text, sources, draft: draft.to_owned(), why: why.to_owned() });
        }
    }

    fn found(&mut self, stamp: Stamp, told: &Told, dropped: u32) {
        let section = told.section;
        let study = &mut self.studies[section as usize];
        let Some(Work { since, brief, stage, .. }) = study.work.take() else { return };
        let sources = match stage {
            Stage::Gather => vec![],
            Stage::Synthesise { sources, .. } | Stage::Repair { sources, .. } => sources,
        };
        let ms = Some(stamp.at - since);
        study.result = Some(Finding { attempt: study.attempts, told: told.clone(), sources, dropped, ms, at: stamp.at, brief });
        self.fresh.retain(|fresh| *fresh != section);
        self.fresh.push(section);
    }

    /// A result that the caller brought along goes by what the caller said, and by what else the caller claims.
    fn claim(&mut self, claim: &Claim, claims: &[Claim]) {
        let Claim { told, sources, dropped } = claim.clone();
        let section = told.section;
        let known = section.uses().filter_map(|field| Some(Known { field, value: self.answer(field)?.to_owned() })).collect();
        let is_claimed = |on: &Section| claims.iter().any(|claim| claim.told.section == *on);
        let on = section.builds_on().iter().copied().filter(is_claimed).map(|on| (on, 0)).collect();
        let brief = Brief { known, unknown: vec![], on };
        self.lay(section);
        self.studies[section as usize].result = Some(Finding { attempt: 0, told, sources, dropped, ms: None, at: 0, brief });
    }

    /// A section has one card.
    fn lay(&mut self, section: Section) {
        if !self.thread.contains(&Item::Card { section }) {
            self.thread.push(Item::Card { section });
        }
    }
}
