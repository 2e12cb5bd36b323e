//! When a section may be researched, and when what was found holds no more.

use super::{
    Field, Section,
    state::{Brief, Item, Known, State},
};

impl State {
    /// What a section needs and does not have, by name.
    pub fn lacks(&self, section: Section) -> Vec<&'static str> {
        let fields = section.needs().iter().filter(|field| self.answer(**field).is_none()).map(|field| field.slug());
        let results = section.builds_on().iter().filter(|on| !self.is_settled(**on)).map(|on| on.slug());
        let mut names: Vec<&str> = Vec::new();
        // A field and a section may have one name.
        for name in fields.chain(results) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Is there a result that nothing has overtaken, and none in the making?
    pub fn is_fresh(&self, section: Section) -> bool {
        self.study(section).result.is_some() && self.study(section).work.is_none() && !self.is_stale(section)
    }

    /// Was nobody able to say anything of what it would go by?
    pub fn is_barren(&self, section: Section) -> bool {
        match section {
            Section::CrossAnalysis => section.builds_on().iter().all(|on| self.is_barren(*on) && self.study(*on).result.is_none()),
            _ => section.needs().iter().all(|field| self.answer(*field) == Some("")),
        }
    }

    /// Is nothing more to come of it as things stand?
    pub fn is_settled(&self, section: Section) -> bool {
        let study = self.study(section);
        self.is_fresh(section) || (self.is_barren(section) && study.result.is_none() && study.work.is_none())
    }

    /// Has what its result went by changed since?
    pub fn is_stale(&self, section: Section) -> bool {
        let Some(found) = &self.study(section).result else { return false };
        let overtaken = |(on, attempt): &(Section, u32)| self.study(*on).attempt() != *attempt || self.is_stale(*on);
        self.changed(&found.brief).next().is_some() || found.brief.on.iter().any(overtaken)
    }

    /// The fields that are not what they were for that brief. Nothing to say is no news.
    pub fn changed(&self, brief: &Brief) -> impl Iterator<Item = Field> {
        let other = |known: &&Known| self.answer(known.field) != Some(known.value.as_str());
        let told = |field: &Field| self.answer(*field).is_some_and(|answer| !answer.is_empty());
        brief.known.iter().filter(other).map(|known| known.field).chain(brief.unknown.iter().copied().filter(told))
    }

    /// Is nobody at it, and has nobody asked for it again?
    pub fn is_idle(&self, section: Section) -> bool {
        self.study(section).work.is_none() && !self.study(section).due
    }

    pub fn stale(&self) -> Vec<Section> {
        Section::ALL.into_iter().filter(|section| self.is_stale(*section)).collect()
    }

    /// May it be researched now? It was never tried, or is wanted again, has all it needs, and nobody is at it.
    pub fn may_begin(&self, section: Section) -> bool {
        let study = self.study(section);
        let wanted = study.due || study.is_untried();
        wanted && study.work.is_none() && self.lacks(section).is_empty()
    }

    /// Has it come to nothing, or been overtaken, so that a person may want it again?
    pub fn may_retry(&self, section: Section) -> bool {
        self.is_idle(section) && (self.study(section).error.is_some() || self.is_stale(section))
    }

    /// Has the person written something that the interviewer has not answered yet?
    pub fn is_addressed(&self) -> bool {
        let last = self.thread.iter().rev().find(|item| !matches!(item, Item::Card { .. }));
        matches!(last, Some(Item::Said { chosen: false, .. }))
    }

    /// The sections that may be researched now: they begin by themselves.
    pub fn ready(&self) -> Vec<Section> {
        Section::ALL.into_iter().filter(|section| self.may_begin(*section)).collect()
    }
}
