//! Where a conversation and its research stand.

use super::{Ask, Field, Section, Source, Told, event::is_zero};
use crate::engine::flow::read::read;
use serde::{Deserialize, Serialize};

/// Interview steps between two messages of the person.
pub const MAX_STEPS: u32 = 20;
/// Sections that are researched side by side.
pub const SIDE_BY_SIDE: usize = 3;

/// A field that has been answered. Empty: whoever was asked does not know, or would rather not say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    pub field: Field,
    pub value: String,
}

/// What the thread holds, in order.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Item {
    /// A person's words, or what they chose of the options on offer.
    Said {
        text: String,
        chosen: bool,
    },
    Turn(Turn),
    /// Where a section's card stands: where it was begun first.
    Card {
        section: Section,
    },
    Summary {
        text: String,
    },
}

/// What the interviewer said and called in one go.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// From 0; a question is known by its turn.
    pub number: u32,
    /// As people read them: what was said, then the question.
    pub words: String,
    pub calls: Vec<Call>,
    /// The sections whose findings the interviewer was told of for the first time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<Section>,
}

/// A tool call. `raw` is the provider's own JSON, to be echoed and never read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    pub raw: String,
    pub called: Called,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Called {
    Question(Question),
    Research(Section),
    /// It was not done; the sentence is said to the model.
    Refused(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    pub question: String,
    pub field: Field,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Choice>,
    /// More than one may be chosen.
    #[serde(default)]
    pub multi: bool,
    /// Words of one's own are invited as well; they are taken in any case.
    #[serde(default)]
    pub allow_other: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub label: String,
    pub value: String,
}

/// Who speaks next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Floor {
    Interviewer,
    Person,
}

/// Words that nobody has made anything of yet.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Unread {
    /// The first and the last of these messages of the person, counted from 0.
    pub since: u32,
    pub message: u32,
    /// What they were asked for when they said it.
    pub asked: Option<Field>,
    /// What they have put right themselves since: the words say nothing newer.
    pub corrected: Vec<Field>,
}

/// One section: what is being done for it, and what was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Study {
    pub section: Section,
    /// How often it was begun.
    pub attempts: u32,
    pub work: Option<Work>,
    /// What was found last; it is kept until there is something newer.
    pub result: Option<Finding>,
    /// Why the last attempt came to nothing.
    pub error: Option<String>,
    /// A person wants it again; it begins once what it builds on is there.
    pub due: bool,
}

/// An attempt that goes on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Work {
    /// When it began, or went on after a break, in Unix milliseconds.
    pub since: i64,
    /// The log's entry that began it.
    pub seq: i64,
    pub brief: Brief,
    pub stage: Stage,
}

/// What an attempt goes by: changed later, its result is stale.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Brief {
    pub known: Vec<Known>,
    /// Fields that it minds and that nobody had been asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Field>,
    /// The sections it builds on, and which attempt of each.
    pub on: Vec<(Section, u32)>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Gather,
    Synthesise {
        text: String,
        sources: Vec<Source>,
    },
    /// `draft` did not fit, and `why` says how.
    Repair {
        text: String,
        sources: Vec<Source>,
        draft: String,
        why: String,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// From 1; 0 where the caller brought it along.
    pub attempt: u32,
    pub told: Told,
    pub sources: Vec<Source>,
    /// References to sources that nobody returned, which were taken out.
    pub dropped: u32,
    /// Milliseconds from its beginning, or its last break; `None` where the caller brought it along.
    pub ms: Option<i64>,
    /// When it was found, in Unix milliseconds.
    pub at: i64,
    pub brief: Brief,
}

impl Finding {
    /// The caller's word, not ours.
    pub fn is_imported(&self) -> bool {
        self.attempt == 0
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    pub known: Vec<Known>,
    pub thread: Vec<Item>,
    /// One for each of [`Section::ALL`], in their order.
    pub studies: Vec<Study>,
    pub floor: Floor,
    pub unread: Option<Unread>,
    /// The turn whose question is open.
    pub asked: Option<u32>,
    /// Interview steps since the person's last message.
    pub steps: u32,
    /// Interview turns so far.
    pub turns: u32,
    /// Messages of the person so far.
    pub messages: u32,
    /// Sections found since the interviewer last asked something.
    pub fresh: Vec<Section>,
    /// The attempts that the last summary rests on.
    pub summarised: Option<Vec<u32>>,
    /// The first message was there when the run was started.
    pub opened: bool,
    /// Messages of the person's that a caller brought along: where there was more than an opening, the setup holds them all.
    #[serde(skip_serializing_if = "is_zero")]
    pub imported: u32,
    /// The programs' own ids of what they have posted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub posted: Vec<String>,
    pub failure: Option<String>,
}

impl State {
    /// The answer: empty where the person does not know. `None` where it was not asked yet.
    pub fn answer(&self, field: Field) -> Option<&str> {
        self.known.iter().find(|known| known.field == field).map(|known| known.value.as_str())
    }

    /// The required fields that are not answered yet, in the order in which they are asked.
    pub fn missing(&self) -> impl Iterator<Item = Field> {
        Field::ALL.into_iter().filter(|field| field.is_required() && self.answer(*field).is_none())
    }

    pub fn study(&self, section: Section) -> &Study {
        &self.studies[section as usize]
    }

    /// The turn whose question is open, and the question.
    pub fn open_question(&self) -> Option<(u32, &Question)> {
        let asked = self.asked?;
        let turn = self.thread.iter().rev().find_map(|item| match item {
            Item::Turn(turn) if turn.number == asked => Some(turn),
            _ => None,
        });
        Some((asked, turn?.question()?))
    }

    /// The person's message with that number, from 0.
    pub fn message(&self, number: u32) -> Option<&str> {
        let mut said = self.thread.iter().filter_map(|item| if let Item::Said { text, .. } = item { Some(text.as_str()) } else { None });
        said.nth(number as usize)
    }

    /// The words that nobody has made anything of yet.
    pub fn unread_words(&self) -> String {
        let Some(Unread { since, message, .. }) = self.unread else { return String::new() };
        (since..=message).filter_map(|number| self.message(number)).collect::<Vec<_>>().join("\n")
    }

    /// What a section needs and does not have, by name.
    pub fn lacks(&self, section: Section) -> Vec<&'static str> {
        let fields = section.needs().iter().filter(|field| self.answer(**field).is_none()).map(|field| field.slug());
        let results = section.builds_on().iter().filter(|on| !self.is_fresh(**on)).map(|on| on.slug());
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

    /// Has what its result went by changed since?
    pub fn is_stale(&self, section: Section) -> bool {
        let Some(found) = &self.study(section).result else { return false };
        let overtaken = |(on, attempt): &(Section, u32)| {
            self.study(*on).result.as_ref().is_none_or(|result| result.attempt != *attempt) || self.is_stale(*on)
        };
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

    /// May it be researched now? It was never begun, or is wanted again, has all it needs, and nobody is at it.
    pub fn may_begin(&self, section: Section) -> bool {
        let study = self.study(section);
        let wanted = study.due || (study.attempts == 0 && study.result.is_none());
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

    /// What an attempt that begins now goes by.
    pub fn brief(&self, section: Section) -> Brief {
        let known = section.uses().filter_map(|field| Some(Known { field, value: self.answer(field)?.to_owned() })).collect();
        let unknown = section.minds().filter(|field| self.answer(*field).is_none()).collect();
        let on = section.builds_on().iter().filter_map(|on| Some((*on, self.study(*on).result.as_ref()?.attempt))).collect();
        Brief { known, unknown, on }
    }

    /// The sections under way, those that began first coming first.
    pub fn under_way(&self) -> Vec<&Study> {
        let mut studies: Vec<&Study> = self.studies.iter().filter(|study| study.work.is_some()).collect();
        studies.sort_by_key(|study| study.work.as_ref().map(|work| work.seq));
        studies
    }

    /// Is everything answered and found that was asked for?
    pub fn is_complete(&self) -> bool {
        self.missing().next().is_none() && Section::ALL.into_iter().all(|section| self.is_fresh(section))
    }

    /// The attempts that a summary written now would rest on.
    pub fn attempts(&self) -> Vec<u32> {
        self.studies.iter().map(|study| study.result.as_ref().map_or(0, |result| result.attempt)).collect()
    }

    pub fn is_summarised(&self) -> bool {
        self.summarised.as_ref() == Some(&self.attempts())
    }

    /// Has the interviewer used up its steps without hearing from the person?
    pub fn at_step_limit(&self) -> bool {
        self.floor == Floor::Interviewer && self.steps >= MAX_STEPS
    }
}

impl Turn {
    pub fn question(&self) -> Option<&Question> {
        self.calls.iter().find_map(|call| if let Called::Question(question) = &call.called { Some(question) } else { None })
    }
}

impl Study {
    pub fn new(section: Section) -> Self {
        Study { section, attempts: 0, work: None, result: None, error: None, due: false }
    }

    /// The call that takes it further.
    pub fn ask(&self) -> Option<Ask> {
        let (section, attempt) = (self.section, self.attempts);
        Some(match self.work.as_ref()?.stage {
            Stage::Gather => Ask::Gather { section, attempt },
            Stage::Synthesise { .. } => Ask::Synthesise { section, attempt },
            Stage::Repair { .. } => Ask::Repair { section, attempt },
        })
    }
}

read!(struct Known { field, value });
read!(struct Turn { number, words, calls, told });
read!(struct Call { raw, called });
read!(enum Called { "question" => Question (_), "research" => Research (_), "refused" => Refused (_) });
read!(struct Question { question, field, options, multi, allow_other = "allowOther" });
read!(struct Choice { label, value });
