//! What is known of a business, field by field.

use crate::engine::flow::read::{Json, Read};
use serde::{Deserialize, Serialize};

/// Characters of a field's value at most.
pub const FIELD_CHARS: usize = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Field {
    BusinessModel,
    Industry,
    IcpDescription,
    ProductDescription,
    Competitors,
    OfferPricing,
    MonthlyBudget,
    GeographicFocus,
    CompanyName,
    WebsiteUrl,
    SalesCycleLength,
    AvgDealSize,
}

impl Field {
    pub const ALL: [Field; 12] = [
        Field::BusinessModel,
        Field::Industry,
        Field::IcpDescription,
        Field::ProductDescription,
        Field::Competitors,
        Field::OfferPricing,
        Field::MonthlyBudget,
        Field::GeographicFocus,
        Field::CompanyName,
        Field::WebsiteUrl,
        Field::SalesCycleLength,
        Field::AvgDealSize,
    ];
    /// Those that are asked for until they are answered.
    pub const REQUIRED: usize = 8;

    pub fn is_required(self) -> bool {
        (self as usize) < Field::REQUIRED
    }

    /// As tools and the log spell it.
    pub fn slug(self) -> &'static str {
        match self {
            Field::BusinessModel => "businessModel",
            Field::Industry => "industry",
            Field::IcpDescription => "icpDescription",
            Field::ProductDescription => "productDescription",
            Field::Competitors => "competitors",
            Field::OfferPricing => "offerPricing",
            Field::MonthlyBudget => "monthlyBudget",
            Field::GeographicFocus => "geographicFocus",
            Field::CompanyName => "companyName",
            Field::WebsiteUrl => "websiteUrl",
            Field::SalesCycleLength => "salesCycleLength",
            Field::AvgDealSize => "avgDealSize",
        }
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Field::BusinessModel => "Business model",
            Field::Industry => "Industry",
            Field::IcpDescription => "Ideal customer",
            Field::ProductDescription => "Product",
            Field::Competitors => "Competitors",
            Field::OfferPricing => "Offer and pricing",
            Field::MonthlyBudget => "Monthly budget",
            Field::GeographicFocus => "Geographic focus",
            Field::CompanyName => "Company",
            Field::WebsiteUrl => "Website",
            Field::SalesCycleLength => "Sales cycle",
            Field::AvgDealSize => "Average deal",
        }
    }

    pub fn parse(slug: &str) -> Option<Field> {
        Field::ALL.into_iter().find(|field| field.slug() == slug)
    }
}

impl Read for Field {
    fn read(json: &Json) -> Option<Self> {
        Field::parse(json.as_str()?)
    }
}
