//! Research as it could have been held: whole data for every section, and runs made of it by the rules themselves.

use super::flow::{Ask, AskUser, Choice, Command, Data, Event, Field, Known, Outcome, Reply, Research, Section, Setup, Source, Tool};
use crate::engine::{
    entry::{Entry, Run, RunEvent, Usage, ask_json},
    flow::{Flow, Stamp},
};
use serde::Deserialize;
use serde_json::{Value, json};

/// 20 November 2026, 14:05 UTC.
pub const BEGAN: i64 = 1_795_183_509_123;
/// Milliseconds between two entries.
const PACE: i64 = 1_700;

pub const OPENING: &str = "We make Crumbtrack, a tablet app for independent bakeries in the United Kingdom. It plans the night’s bake \
    from the orders and prints the allergen labels.";
pub const SUMMARY: &str = "Crumbtrack meets a need that is **dated and legal**: labels have to name every ingredient, and four in ten \
    bakeries still write them by hand. Nobody joins plan and labels in one product under £60 a month.\n\n\
    - Sell to bakeries with *four to ten* staff, not from two.\n\
    - Begin with flour suppliers in Yorkshire; let the free month start with the first label.\n\
    - Watch TillKit: it has the counter already.";

/// What a model wrote of that section, and the sources it had. One of its references points nowhere.
#[derive(Clone, Deserialize)]
pub struct Held {
    pub data: Data,
    pub sources: Vec<Source>,
}

pub fn held(section: Section) -> Held {
    let all: Vec<Held> = serde_json::from_str(include_str!("findings.json")).expect("findings");
    all.into_iter().nth(section as usize).expect("one for each section")
}

/// The person's answers.
pub fn known(field: Field) -> Known {
    let value = match field {
        Field::BusinessModel => "Subscription, sold direct",
        Field::Industry => "Bakery management software",
        Field::IcpDescription => "Owners of independent bakeries with two to ten staff who plan on paper",
        Field::ProductDescription => "A tablet app that plans the night’s bake from the orders and prints allergen labels",
        Field::Competitors => "Doughline, BakeBoard and spreadsheets",
        Field::OfferPricing => "£49 a month per site, first month free, no contract",
        Field::MonthlyBudget => "£3,000",
        Field::GeographicFocus => "United Kingdom, Yorkshire first",
        Field::CompanyName => "Crumbtrack",
        Field::WebsiteUrl => "crumbtrack.example",
        Field::SalesCycleLength => "",
        Field::AvgDealSize => "£588 a year",
    };
    Known { field, value: value.to_owned() }
}

/// A run in the making, with its log.
#[derive(Clone)]
pub struct Story {
    pub log: Vec<(Stamp, Value)>,
    pub run: Run<Research>,
    /// Who speaks.
    pub model: &'static str,
    /// Millionths of a dollar that each call costs.
    pub cost: Option<i64>,
}

impl Story {
    pub fn begin(setup: &Setup, model: &'static str) -> Self {
        let started = RunEvent::Started { setup: ask_json(setup), model: model.to_owned() };
        let log = vec![(Stamp { seq: 1, at: BEGAN }, ask_json(&Entry::<Event>::Run(started)))];
        let run = Run::fold(log.iter().map(|(stamp, body)| (*stamp, body))).expect("a setup that is accepted");
        Story { log, run, model, cost: Some(4_200) }
    }

    pub fn append(&mut self, entry: Entry<Event>) {
        let seq = self.run.seq + 1;
        let (stamp, body) = (Stamp { seq, at: BEGAN + seq * PACE }, ask_json(&entry));
        self.run = self.run.clone().take(stamp, &body);
        self.log.push((stamp, body));
    }

    pub fn command(&mut self, command: Command) {
        let events = Research::decide(&self.run.state, command).expect("a command that is carried out");
        events.into_iter().for_each(|event| self.append(Entry::Room(event)));
    }

    pub fn wants(&self, ask: &Ask) -> bool {
        self.run.wants().contains(ask)
    }

    /// Lets that be the answer to an ask that is wanted.
    pub fn answer(&mut self, ask: Ask, outcome: Outcome) {
        assert!(self.wants(&ask), "{ask:?} is not wanted, but {:?}", self.run.wants());
        self.append(Entry::Run(RunEvent::StepStarted { ask: ask_json(&ask), model: self.model.to_owned() }));
        let events = Research::settle(&self.run.state, &ask, outcome);
        let (input_tokens, output_tokens) = (Some(1_200), Some(340));
        let (model, cost_micros) = (self.model.to_owned(), self.cost);
        let usage = Usage { ask: ask_json(&ask), model, input_tokens, output_tokens, cost_micros, first_ms: Some(420), ms: PACE };
        self.append(Entry::Run(RunEvent::Usage(usage)));
        events.into_iter().for_each(|event| self.append(Entry::Room(event)));
    }

    /// What the person has just said is understood as that.
    pub fn extract(&mut self, reply: Reply, fields: &[Field]) {
        let message = self.run.state.unread.as_ref().expect("words that nobody has read").message;
        self.answer(Ask::Extract { message }, Outcome::Extracted { reply, known: fields.iter().copied().map(known).collect() });
    }

    /// The interviewer's next turn.
    pub fn turn(&mut self, words: &str, tools: Vec<Tool>) {
        let tools = tools.into_iter().map(|tool| (json!({ "id": "call" }).to_string(), tool)).collect();
        let told = self.run.state.fresh.clone();
        self.answer(Ask::Interview { turn: self.run.state.turns }, Outcome::Turned { words: words.to_owned(), tools, told });
    }

    pub fn gather(&mut self, section: Section) {
        self.gathered(section, held(section).sources);
    }

    fn gathered(&mut self, section: Section, sources: Vec<Source>) {
        let attempt = self.run.state.study(section).attempts;
        self.answer(Ask::Gather { section, attempt }, Outcome::Gathered { text: "Notes with marks [1].".to_owned(), sources });
    }

    pub fn synthesise(&mut self, section: Section) {
        self.drafted(section, held(section).data);
    }

    fn drafted(&mut self, section: Section, data: Data) {
        let attempt = self.run.state.study(section).attempts;
        self.answer(Ask::Synthesise { section, attempt }, Outcome::Drafted { draft: "{}".to_owned(), data: Ok(Box::new(data)) });
    }

    /// Lets that be found.
    pub fn found(&mut self, section: Section, data: Data, sources: Vec<Source>) {
        self.gathered(section, sources);
        self.drafted(section, data);
    }

    pub fn research(&mut self, section: Section) {
        self.gather(section);
        self.synthesise(section);
    }
}

/// A question with options.
pub fn ask(field: Field, question: &str, options: &[&str]) -> Tool {
    let options = options.iter().map(|option| Choice { label: (*option).to_owned(), value: (*option).to_owned() }).collect();
    Tool::AskUser(AskUser { question: question.to_owned(), field: field.slug().to_owned(), options, multi: false, allow_other: true })
}

fn say(field: Field) -> Command {
    Command::Say { text: known(field).value }
}

/// Up to the last question, which is open; two sections are there, and the offer is being researched.
pub fn half() -> Story {
    let mut story = Story::begin(&Setup { opening: OPENING.to_owned(), ..Setup::default() }, "perplexity:sonar-pro");
    story.extract(Reply::Question, &[Field::CompanyName, Field::ProductDescription, Field::Industry, Field::GeographicFocus]);
    story.turn(
        "Good to meet you. I will look around among your competitors while we talk.",
        vec![
            Tool::RunResearch("competitors".to_owned()),
            ask(Field::BusinessModel, "How do you sell it?", &["Subscription, sold direct", "Licence", "Through resellers"]),
        ],
    );
    story.gather(Section::Competitors);
    story.command(Command::Choose { question: 0, options: vec![0] });
    story.turn("", vec![Tool::RunResearch("industryMarket".to_owned()), ask(Field::IcpDescription, "Who buys it?", &[])]);
    story.synthesise(Section::Competitors);
    story.research(Section::IndustryMarket);
    story.command(say(Field::IcpDescription));
    story.extract(Reply::Answer, &[Field::IcpDescription, Field::AvgDealSize]);
    story.turn(
        "Four in ten bakeries write their labels by hand, so there is something to win.",
        vec![ask(Field::OfferPricing, "What does it cost?", &[])],
    );
    story.command(say(Field::OfferPricing));
    story.extract(Reply::Answer, &[Field::OfferPricing]);
    story.turn("", vec![ask(Field::Competitors, "Whom do you meet when you sell?", &[])]);
    story.gather(Section::OfferAnalysis);
    story
}

/// A run from the first question to the summary, with everything found.
pub fn finished() -> Story {
    let mut story = half();
    story.synthesise(Section::OfferAnalysis);
    story.research(Section::IcpValidation);
    story.command(say(Field::Competitors));
    story.extract(Reply::Answer, &[Field::Competitors]);
    story.turn("", vec![ask(Field::MonthlyBudget, "What can you spend on marketing each month?", &["£1,000", "£3,000", "£10,000"])]);
    story.command(Command::Choose { question: story.run.state.asked.expect("a question"), options: vec![1] });
    story.research(Section::CrossAnalysis);
    let turn = story.run.state.turns;
    story.answer(Ask::Summary { turn }, Outcome::Summarised(SUMMARY.to_owned()));
    story
}
