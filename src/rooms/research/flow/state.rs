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
    /// The sections it builds on, and which attempt of each; 0 where there was nothing to go by.
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

    /// What an attempt that begins now goes by.
    pub fn brief(&self, section: Section) -> Brief {
        let known = section.uses().filter_map(|field| Some(Known { field, value: self.answer(field)?.to_owned() })).collect();
        let unknown = section.minds().filter(|field| self.answer(*field).is_none()).collect();
        let on = section.builds_on().iter().map(|on| (*on, self.study(*on).attempt())).collect();
        Brief { known, unknown, on }
    }

    /// The sections under way, those that began first coming first.
    pub fn under_way(&self) -> Vec<&Study> {
        let mut studies: Vec<&Study> = self.studies.iter().filter(|study| study.work.is_some()).collect();
        studies.sort_by_key(|study| study.work.as_ref().map(|work| work.seq));
        studies
    }

    /// Is everything answered, and found as far as there was anything to go by?
    pub fn is_complete(&self) -> bool {
        self.missing().next().is_none() && Section::ALL.into_iter().all(|section| self.is_settled(section))
    }

    /// The attempts that a summary written now would rest on.
    pub fn attempts(&self) -> Vec<u32> {
        self.studies.iter().map(Study::attempt).collect()
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

    pub fn is_untried(&self) -> bool {
        self.attempts == 0 && self.result.is_none() && self.error.is_none()
    }

    /// The attempt that its result is of; 0 where there is none, or the caller brought it along.
    pub fn attempt(&self) -> u32 {
        self.result.as_ref().map_or(0, |result| result.attempt)
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
