//! What a section finds, as a strategist would want to read it. What was not found is left out or empty, and no figure is
//! ever filled in: `basis` says what a figure rests on, or why there is none.

use super::{Section, extract_top_findings};
use crate::engine::flow::read::{Json, Read, get, json, read};
use serde::{Deserialize, Serialize};

/// A page that the provider has read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Texts refer to it by this number.
    pub id: i64,
    pub title: String,
    pub url: String,
    /// As the provider writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

/// A statement, and the numbers of the sources it rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Point {
    pub text: String,
    pub sources: Vec<i64>,
}

/// A figure as it is read, such as “£4.2 bn in 2025”. Empty where none was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Figure {
    pub value: String,
    pub basis: String,
    pub sources: Vec<i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct IndustryMarket {
    pub overview: Point,
    pub size: Figure,
    pub growth: Figure,
    pub trends: Vec<Point>,
    pub buying_triggers: Vec<Point>,
    pub barriers: Vec<Point>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Competitors {
    pub landscape: Point,
    pub competitors: Vec<Competitor>,
    /// What nobody among them offers.
    pub openings: Vec<Point>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Competitor {
    pub name: String,
    pub positioning: String,
    /// As it is advertised, such as “from £19 a month”.
    pub price: String,
    /// The same a month in whole units of the currency, where it can be said so.
    pub price_per_month: Option<i64>,
    pub strengths: Vec<String>,
    pub gaps: Vec<String>,
    pub sources: Vec<i64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Strong,
    Promising,
    Weak,
    #[default]
    Unclear,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct IcpValidation {
    pub verdict: Verdict,
    /// From 0 to 100.
    pub score: Option<i64>,
    pub reasoning: Point,
    pub evidence: Vec<Point>,
    pub concerns: Vec<Point>,
    /// The customer, described more sharply.
    pub sharper: Point,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct OfferAnalysis {
    pub overall: Point,
    pub scorecard: Vec<Mark>,
    pub red_flags: Vec<Point>,
    pub improvements: Vec<Point>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Mark {
    pub criterion: String,
    /// From 1 to 10.
    pub score: Option<i64>,
    pub reason: String,
    pub sources: Vec<i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CrossAnalysis {
    pub positioning: Point,
    pub channels: Vec<Channel>,
    pub first_moves: Vec<Point>,
    pub risks: Vec<Point>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Channel {
    pub name: String,
    pub why: String,
    /// Its part of the stated monthly budget in whole percent. All channels have one, and they make 100, or none has.
    pub share: Option<i64>,
    pub sources: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Data {
    IndustryMarket(IndustryMarket),
    Competitors(Competitors),
    IcpValidation(IcpValidation),
    OfferAnalysis(OfferAnalysis),
    CrossAnalysis(CrossAnalysis),
}

impl Data {
    pub fn section(&self) -> Section {
        match self {
            Data::IndustryMarket(_) => Section::IndustryMarket,
            Data::Competitors(_) => Section::Competitors,
            Data::IcpValidation(_) => Section::IcpValidation,
            Data::OfferAnalysis(_) => Section::OfferAnalysis,
            Data::CrossAnalysis(_) => Section::CrossAnalysis,
        }
    }
}

/// A section as the log and a state hold it: its top findings to be shown, and its data as JSON, which only whoever reads the whole
/// section takes apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    pub section: Section,
    pub findings: Vec<Point>,
    pub data: Json,
}

impl Told {
    pub fn new(data: &Data) -> Self {
        let section = data.section();
        Told { section, findings: extract_top_findings(data), data: get(&json(data), section.slug()).clone() }
    }

    /// `None` where the data is not of the section's form.
    pub fn data(&self) -> Option<Data> {
        Some(match self.section {
            Section::IndustryMarket => Data::IndustryMarket(Read::read(&self.data)?),
            Section::Competitors => Data::Competitors(Read::read(&self.data)?),
            Section::IcpValidation => Data::IcpValidation(Read::read(&self.data)?),
            Section::OfferAnalysis => Data::OfferAnalysis(Read::read(&self.data)?),
            Section::CrossAnalysis => Data::CrossAnalysis(Read::read(&self.data)?),
        })
    }
}

impl Read for Verdict {
    fn read(json: &Json) -> Option<Self> {
        [Verdict::Strong, Verdict::Promising, Verdict::Weak, Verdict::Unclear]
            .into_iter()
            .find(|verdict| json.as_str() == Some(verdict.word()))
    }
}

read!(struct Source { id, title, url, date });
read!(struct Point { text, sources });
read!(struct Figure { value, basis, sources });
read!(struct IndustryMarket { overview, size, growth, trends, buying_triggers = "buyingTriggers", barriers });
read!(struct Competitors { landscape, competitors, openings });
read!(struct Competitor { name, positioning, price, price_per_month = "pricePerMonth", strengths, gaps, sources });
read!(struct IcpValidation { verdict, score, reasoning, evidence, concerns, sharper });
read!(struct OfferAnalysis { overall, scorecard, red_flags = "redFlags", improvements });
read!(struct Mark { criterion, score, reason, sources });
read!(struct CrossAnalysis { positioning, channels, first_moves = "firstMoves", risks });
read!(struct Channel { name, why, share, sources });
read!(struct Told { section, findings, data });
