//! What a rehearsed interviewer asks, with options that follow the person's words where they can.

use super::{
    told::named_places,
    words::{thing, yours},
};
use crate::rooms::research::flow::{Field, State};
use serde_json::{Value, json};

/// Options of a question at most.
const MOST: usize = 6;

/// Words that tell of an industry, and what it may be called.
const INDUSTRIES: [(&[&str], &[&str]); 9] = [
    (&["card reader", "payment", "checkout", "till"], &["Payments", "Retail technology"]),
    (&["baker", "bread", "café", "cafe", "restaurant", "hotel"], &["Food and hospitality"]),
    (&["baby", "child", "parent", "school"], &["Children’s products", "Family and childcare"]),
    (&["food", "meal", "drink", "organic", "wine"], &["Food and drink", "Meal delivery"]),
    (
        &["saas", "software", "app ", "platform", "tool", "onboarding", "customer success"],
        &["Business software", "Customer success software"],
    ),
    (&["health", "clinic", "patient", "doctor", "care "], &["Healthcare"]),
    (&["fashion", "clothes", "shoe", "jewel"], &["Fashion"]),
    (&["bank", "insur", "loan", "invest", "accounting"], &["Financial services"]),
    (&["build", "house", "craft", "repair", "solar"], &["Building and trades"]),
];
const USUAL: [&str; 6] = ["Business software", "Retail", "Food and drink", "Healthcare", "Financial services", "Education"];

/// Words that tell how money may be earned, and what that is called.
const MODELS: [(&[&str], &str); 6] = [
    (&["subscription", "saas", "monthly", "weekly"], "Subscription"),
    (&["card", "payment", "transaction", "marketplace"], "A fee per transaction"),
    (&["device", "reader", "shop", "sell"], "One-off sales"),
    (&["agency", "consult", "service"], "Services, by time"),
    (&["licence", "license"], "Licences"),
    (&["free", "ads", "audience"], "Free, paid by advertising"),
];

/// The arguments of `askUser`.
pub fn question(state: &State, field: Field) -> Value {
    let yours = yours(state);
    let (question, options, multi) = match field {
        Field::BusinessModel => {
            let what = thing(state).unwrap_or_else(|| "business".to_owned());
            (format!("How does your {what} earn its money?"), models(state), true)
        }
        Field::Industry => ("Which industry would you say you are in?".to_owned(), industries(state), false),
        Field::IcpDescription => {
            (format!("Who is the ideal customer for {yours}? Think of one of whom you would like ten more."), vec![], false)
        }
        Field::ProductDescription => ("What exactly do you sell, in one or two sentences?".to_owned(), vec![], false),
        Field::Competitors => {
            let options = ["Nobody that I know of", "They do it by hand", "They do without"].map(str::to_owned);
            (format!("What do people choose today instead of {yours}? Names are welcome."), options.to_vec(), true)
        }
        Field::OfferPricing => {
            let options = ["A price per month", "A price paid once", "A share of sales", "Not decided yet"].map(str::to_owned);
            (format!("What does {yours} cost, and what is included? A figure helps, if you have one."), options.to_vec(), true)
        }
        Field::MonthlyBudget => ("What can you spend on marketing in a month?".to_owned(), budgets(state), false),
        _ => (format!("Where do you want to sell {yours}?"), places(state), true),
    };
    let options: Vec<Value> = options.iter().take(MOST).map(|option| json!({ "label": option, "value": option })).collect();
    match options.is_empty() {
        true => json!({ "question": question, "field": field.slug() }),
        false => json!({ "question": question, "field": field.slug(), "options": options, "multi": multi, "allowOther": true }),
    }
}

/// All that the person has said.
fn told(state: &State) -> String {
    (0..state.messages).filter_map(|number| state.message(number)).collect::<Vec<_>>().join("\n")
}

fn mentions(words: &str, any: &[&str]) -> bool {
    any.iter().any(|word| words.contains(word))
}

/// Those that the person's words tell of come first.
fn models(state: &State) -> Vec<String> {
    let words = told(state).to_lowercase();
    let (likely, rest): (Vec<_>, Vec<_>) = MODELS.iter().partition(|(any, _)| mentions(&words, any));
    likely.into_iter().chain(rest).take(5).map(|(_, name)| (*name).to_owned()).collect()
}

fn industries(state: &State) -> Vec<String> {
    let words = told(state).to_lowercase();
    let likely = INDUSTRIES.iter().filter(|(any, _)| mentions(&words, any)).flat_map(|(_, names)| *names).copied();
    unique(likely.chain(USUAL)).take(5).map(str::to_owned).collect()
}

fn budgets(state: &State) -> Vec<String> {
    let words = told(state);
    let sign = words.chars().find(|c| matches!(c, '£' | '$' | '€')).unwrap_or('£');
    let steps = ["Under {}1,000", "{}1,000 to {}5,000", "{}5,000 to {}20,000", "More than {}20,000"];
    steps.map(|step| step.replace("{}", &sign.to_string())).to_vec()
}

fn places(state: &State) -> Vec<String> {
    let words = told(state);
    let usual = ["United Kingdom", "Ireland", "European Union", "United States", "Worldwide"];
    unique(named_places(&words).into_iter().chain(usual)).map(str::to_owned).collect()
}

fn unique<'a>(names: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    let mut seen = vec![];
    names.filter(move |name| {
        let is_new = !seen.contains(name);
        seen.push(*name);
        is_new
    })
}
