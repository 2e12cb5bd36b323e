//! The five sections of the research, and what each of them needs.

use super::Field;
use crate::engine::flow::read::{Json, Read};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Section {
    IndustryMarket,
    Competitors,
    IcpValidation,
    OfferAnalysis,
    CrossAnalysis,
}

impl Section {
    pub const ALL: [Section; 5] =
        [Section::IndustryMarket, Section::Competitors, Section::IcpValidation, Section::OfferAnalysis, Section::CrossAnalysis];

    /// As tools and the log spell it.
    pub fn slug(self) -> &'static str {
        ["industryMarket", "competitors", "icpValidation", "offerAnalysis", "crossAnalysis"][self as usize]
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        ["Industry and market", "Competitors", "Customer fit", "Offer", "What it adds up to"][self as usize]
    }

    pub fn parse(slug: &str) -> Option<Section> {
        Section::ALL.into_iter().find(|section| section.slug() == slug)
    }

    /// Fields without which it cannot be researched.
    pub fn needs(self) -> &'static [Field] {
        match self {
            Section::IndustryMarket => &[Field::BusinessModel, Field::Industry],
            Section::Competitors => &[Field::Industry, Field::ProductDescription],
            Section::IcpValidation => &[Field::BusinessModel, Field::Industry, Field::IcpDescription],
            Section::OfferAnalysis => &[Field::ProductDescription, Field::OfferPricing],
            // What adds everything up waits for the last answer.
            Section::CrossAnalysis => Field::ALL.split_at(Field::REQUIRED).0,
        }
    }

    /// Fields that go into its brief as well, where they are known.
    pub fn welcomes(self) -> &'static [Field] {
        match self {
            Section::IndustryMarket => &[Field::GeographicFocus, Field::CompanyName, Field::WebsiteUrl],
            Section::Competitors => &[Field::Competitors, Field::GeographicFocus, Field::CompanyName],
            Section::IcpValidation => &[Field::MonthlyBudget, Field::GeographicFocus, Field::SalesCycleLength, Field::AvgDealSize],
            Section::OfferAnalysis => &[Field::Industry, Field::Competitors, Field::MonthlyBudget, Field::AvgDealSize],
            Section::CrossAnalysis => Field::ALL.split_at(Field::REQUIRED).1,
        }
    }

    /// The sections whose results it builds on.
    pub fn builds_on(self) -> &'static [Section] {
        match self {
            Section::IndustryMarket | Section::Competitors => &[],
            Section::IcpValidation | Section::OfferAnalysis => &[Section::IndustryMarket],
            Section::CrossAnalysis => &[Section::IndustryMarket, Section::Competitors, Section::IcpValidation, Section::OfferAnalysis],
        }
    }

    /// Fields that make its result stale when they are answered only after it has begun. What begins beside the conversation does
    /// without what is merely welcome; what adds everything up begins when all has been asked, and whatever is said then is news.
    pub fn minds(self) -> impl Iterator<Item = Field> {
        let welcomes = if self == Section::CrossAnalysis { self.welcomes() } else { &[] };
        self.needs().iter().chain(welcomes).copied()
    }

    /// The fields of its brief, where they are known.
    pub fn uses(self) -> impl Iterator<Item = Field> {
        self.needs().iter().chain(self.welcomes()).copied()
    }
}

impl Read for Section {
    fn read(json: &Json) -> Option<Self> {
        Section::parse(json.as_str()?)
    }
}
