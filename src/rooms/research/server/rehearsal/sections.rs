//! Rehearsed sections: the shape of each, made of the person's own words. No figure, no source and no name that they did not give.

use super::words::{line, listed, said, thing, yours};
use crate::rooms::research::flow::{
    Data, Field, Point, Section, Stage, State,
    data::{Channel, Competitor, Competitors, CrossAnalysis, Figure, IcpValidation, IndustryMarket, Mark, OfferAnalysis, Verdict},
};

/// Characters of an answer that are quoted in a section.
const QUOTED: usize = 110;
const MOST_COMPETITORS: usize = 6;

pub fn data(state: &State, section: Section) -> Data {
    match section {
        Section::IndustryMarket => Data::IndustryMarket(market(state)),
        Section::Competitors => Data::Competitors(competitors(state)),
        Section::IcpValidation => Data::IcpValidation(customer(state)),
        Section::OfferAnalysis => Data::OfferAnalysis(offer(state)),
        Section::CrossAnalysis => Data::CrossAnalysis(added_up(state)),
    }
}

/// Why there is nothing in it, without a full stop.
pub fn basis_of(state: &State, section: Section) -> &'static str {
    let looked_up = state.studies.iter().any(|study| study.result.as_ref().is_some_and(|found| !found.sources.is_empty()));
    let gathered = match state.study(section).work.as_ref().map(|work| &work.stage) {
        Some(Stage::Synthesise { text, .. } | Stage::Repair { text, .. }) => text != super::NOTHING,
        _ => looked_up,
    };
    if gathered { "Rehearsal: what was looked up has not been read" } else { "Rehearsal: nothing was looked up" }
}

fn point(text: impl Into<String>) -> Point {
    Point { text: text.into(), sources: vec![] }
}

fn told(state: &State, field: Field, otherwise: &str) -> String {
    said(state, field, QUOTED).map_or_else(|| otherwise.to_owned(), |said| format!("“{said}”"))
}

/// “ (United Kingdom)”, or nothing.
fn region(state: &State) -> String {
    said(state, Field::GeographicFocus, 60).map(|place| format!(" ({place})")).unwrap_or_default()
}

fn market(state: &State) -> IndustryMarket {
    let basis = basis_of(state, Section::IndustryMarket);
    let unknown = || Figure { basis: format!("{basis}."), ..Figure::default() };
    let industry = told(state, Field::Industry, "the industry, which was left open,");
    let model = told(state, Field::BusinessModel, "one that was left open");
    IndustryMarket {
        overview: point(format!(
            "{basis}. A researcher would begin with the industry {industry}{} and the business model {model}.",
            region(state)
        )),
        size: unknown(),
        growth: unknown(),
        trends: vec![
            point(format!("How {industry} has changed in the last two years has to be looked up.")),
            point("Whether customers there spend more or less than a year ago has to be looked up."),
        ],
        buying_triggers: vec![
            point(format!("Ask three customers what happened on the day they began to look for something like {}.", yours(state))),
            point("Ask them what would have had to happen for them to begin a year earlier."),
        ],
        barriers: vec![point("Ask what it would cost a customer to leave what they have now.")],
    }
}

fn competitors(state: &State) -> Competitors {
    let basis = basis_of(state, Section::Competitors);
    let names = named(state.answer(Field::Competitors).unwrap_or_default());
    let landscape = match names.as_slice() {
        [] => format!("{basis}. You have named nobody yet who offers something like {}.", yours(state)),
        names => format!("{basis}. You have named {}.", listed(names)),
    };
    let rival = |name: String| Competitor { name, positioning: "named by you, not looked up".to_owned(), ..Competitor::default() };
    Competitors {
        landscape: point(landscape),
        competitors: names.into_iter().map(rival).collect(),
        openings: vec![
            point(format!(
                "Who else people find when they search for {} has to be looked up.",
                thing(state).map_or("it".to_owned(), |thing| format!("a {thing}"))
            )),
            point("Ask customers what they miss in everything they have tried."),
        ],
    }
}

/// Names among the words: each of a few words that all begin like a name.
fn named(words: &str) -> Vec<String> {
    const NONE: [&str; 20] = [
        "nobody", "none", "no", "not", "nothing", "yes", "they", "we", "i", "the", "some", "many", "most", "maybe", "people", "only",
        "also", "others", "mainly", "mostly",
    ];
    let mut names: Vec<String> = Vec::new();
    let parts = words
        .split([',', ';', '\n', '.', '/', '、', '，', '(', ')'])
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" or "));
    for part in parts.map(line) {
        let is_name = |word: &str| word.chars().next().is_some_and(|c| c.is_alphanumeric() && !c.is_lowercase());
        let first = part.split(' ').next().unwrap_or_default().to_lowercase();
        let fits = (1..=4).contains(&part.split(' ').count()) && (2..=30).contains(&part.chars().count());
        if fits && part.split(' ').all(is_name) && !NONE.contains(&first.as_str()) && !names.contains(&part) {
            names.push(part);
        }
    }
    names.truncate(MOST_COMPETITORS);
    names
}

fn customer(state: &State) -> IcpValidation {
    let sharper = match said(state, Field::IcpDescription, QUOTED) {
        Some(customer) => {
            format!("In your words: “{customer}”. It becomes sharper with one thing that all of them have and others have not.")
        }
        None => "Nobody is described yet. Begin with the last person who paid, or would have paid.".to_owned(),
    };
    IcpValidation {
        verdict: Verdict::Unclear,
        score: None,
        reasoning: point(format!("{}, so there is no verdict.", basis_of(state, Section::IcpValidation))),
        evidence: vec![],
        concerns: vec![
            point(format!("How many such customers there are{} has to be looked up.", region(state))),
            point("Ask who among them decides, who pays, and what they do about it today."),
        ],
        sharper: point(sharper),
    }
}

fn offer(state: &State) -> OfferAnalysis {
    let mark =
        |criterion: &str, reason: &str| Mark { criterion: criterion.to_owned(), score: None, reason: reason.to_owned(), sources: vec![] };
    let basis = basis_of(state, Section::OfferAnalysis);
    let overall = match said(state, Field::OfferPricing, QUOTED) {
        Some(offer) => format!("The offer in your words: “{offer}”. {basis}, so it was compared with nothing."),
        None => format!("What it costs was left open. {basis}, so there is nothing to go by either."),
    };
    OfferAnalysis {
        overall: point(overall),
        scorecard: vec![
            mark("Clarity", "Can a stranger say in one breath what it costs and what is included?"),
            mark("Price", "Is there a comparable offer that costs less, and why would anybody pay more here?"),
            mark("Proof", "Is there one customer who would say in public that it works?"),
            mark("Risk to the buyer", "What does a customer lose who finds out after a month that it was a mistake?"),
        ],
        red_flags: vec![point("Without a comparable price nobody knows whether this one is high or low.")],
        improvements: vec![point(format!("Say in one sentence what a customer has after the first month with {}.", yours(state)))],
    }
}

fn added_up(state: &State) -> CrossAnalysis {
    let basis = basis_of(state, Section::CrossAnalysis);
    let customer = told(state, Field::IcpDescription, "the customer whom you have yet to name");
    let product = told(state, Field::ProductDescription, "what you sell");
    let channel = |name: &str, why: &str| Channel { name: name.to_owned(), why: why.to_owned(), share: None, sources: vec![] };
    let budget = match said(state, Field::MonthlyBudget, 40) {
        Some(budget) => format!("{basis}, so your budget, “{budget}”, was not divided: no channel’s cost is known."),
        None => format!("{basis}, and no budget was told that could be divided."),
    };
    CrossAnalysis {
        positioning: point(format!("A sentence to try on ten people: {product}, for {customer}.")),
        channels: vec![
            channel("Ten conversations", "as long as nothing has been looked up, customers are the best source"),
            channel("One search advertisement", "it shows whether anybody looks for it at all"),
            channel("One partner whom they trust already", "trust is slow to earn and quick to borrow"),
        ],
        first_moves: vec![
            point("Write down the three questions on the cards above that would change your mind."),
            point(format!("Put them to three people who could buy {} this week.", yours(state))),
            point("Have the cards made once more with a model that searches the web."),
        ],
        risks: vec![point(budget), point("These cards hold your own words. They can be no surer than you are.")],
    }
}
