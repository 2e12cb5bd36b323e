//! What is known of a run, in words: for its own page and for its export.

use crate::{
    engine::{entry::Usage, flow::Status, progress::Progress, server::Reading},
    rooms,
    store::RunRow,
    ui::dollars,
};
use std::time::{Duration, UNIX_EPOCH};

/// Each fact with its name.
pub fn facts(row: &RunRow, reading: &Reading) -> Vec<(String, String)> {
    let progress = &reading.progress;
    let ended = if is_over(reading.status) { "Ended" } else { "Last change" };
    let facts = [
        ("Room", rooms::name(&row.kind).to_owned()),
        ("Status", status(reading)),
        ("Models", models(progress).join(", ")),
        ("Rehearsal", rehearsal(progress).to_owned()),
        ("Started", date(row.created_at)),
        (ended, date(row.updated_at)),
        ("Model calls", progress.own_calls().len().to_string()),
        ("Tokens", tokens(progress)),
        ("Cost", cost(progress)),
    ];
    facts.map(|(name, value)| (name.to_owned(), value)).to_vec()
}

/// Nothing more comes unless somebody continues it.
pub fn is_over(status: Status) -> bool {
    matches!(status, Status::Done | Status::Stopped | Status::Failed)
}

/// Every model that has spoken, in the order in which they first did.
pub fn models(progress: &Progress) -> Vec<String> {
    let spoke = progress.calls.iter().map(|call| &call.model).chain([&progress.model]);
    let mut models: Vec<String> = Vec::new();
    spoke.filter(|model| !model.is_empty()).for_each(|model| {
        if !models.contains(model) {
            models.push(model.clone());
        }
    });
    models
}

fn status(reading: &Reading) -> String {
    let word = reading.status.word();
    let word = format!("{}{}", word[..1].to_uppercase(), &word[1..]);
    match reading.reason.as_deref() {
        None => word,
        Some("step_limit") => format!("{word}: at the limit of its steps"),
        Some(reason) => format!("{word}: {reason}"),
    }
}

fn rehearsal(progress: &Progress) -> &'static str {
    match (progress.rehearsal(), progress.only_rehearsal()) {
        (_, true) => "Yes: scripted answers, no AI model",
        (true, _) => "Partly: some answers are scripted",
        (false, _) => "No",
    }
}

fn tokens(progress: &Progress) -> String {
    match progress.tokens() {
        _ if progress.only_rehearsal() => "None".to_owned(),
        Some((input, output)) => format!("{input} in, {output} out"),
        None => "Tokens unknown".to_owned(),
    }
}

fn cost(progress: &Progress) -> String {
    match progress.own_calls() {
        _ if progress.only_rehearsal() => "None".to_owned(),
        [] => dollars(0),
        calls => Cost::of(calls).words().unwrap_or_else(|| "Cost unknown".to_owned()),
    }
}

/// What calls cost, as far as their providers tell.
#[derive(Debug, Default, PartialEq)]
pub struct Cost {
    /// Millionths of a US dollar; `None` where nobody tells.
    pub told_micros: Option<i64>,
    /// The models of which it is not told, in the order in which they first were called.
    pub untold: Vec<String>,
}

impl Cost {
    pub fn of<'a>(calls: impl IntoIterator<Item = &'a Usage>) -> Self {
        let mut cost = Cost::default();
        for call in calls {
            match call.cost_micros {
                Some(micros) => cost.told_micros = Some(cost.told_micros.unwrap_or_default() + micros),
                None if cost.untold.contains(&call.model) => {}
                None => cost.untold.push(call.model.clone()),
            }
        }
        cost
    }

    /// All of it; `None` where a part is not told.
    pub fn micros(&self) -> Option<i64> {
        self.told_micros.filter(|_| self.untold.is_empty())
    }

    /// “$0.0100 and what openai:gpt-5 does not tell”; `None` where nobody tells anything.
    pub fn words(&self) -> Option<String> {
        let told = dollars(self.told_micros?);
        Some(match self.untold.as_slice() {
            [] => told,
            [model] => format!("{told} and what {model} does not tell"),
            [models @ .., last] => format!("{told} and what {} and {last} do not tell", models.join(", ")),
        })
    }
}

/// Unix milliseconds as `20 Nov 2026`, by UTC.
fn day(at: i64) -> String {
    http_date(at).get(5..16).unwrap_or_default().to_owned()
}

/// Unix milliseconds as `20 Nov 2026, 14:05 UTC`.
pub fn date(at: i64) -> String {
    format!("{}, {} UTC", day(at), http_date(at).get(17..22).unwrap_or_default())
}

/// Its fields have fixed places: `Fri, 20 Nov 2026 14:05:09 GMT`.
fn http_date(at: i64) -> String {
    httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_millis(at.max(0) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_is_told_as_far_as_it_is_known() {
        let check = |calls: &[(&str, Option<i64>)], all: Option<i64>, words: Option<&str>| {
            let usage = |(model, cost_micros): &(&str, _)| Usage { model: (*model).into(), cost_micros: *cost_micros, ..Usage::default() };
            let calls: Vec<Usage> = calls.iter().map(usage).collect();
            let cost = Cost::of(&calls);
            assert_eq!((cost.micros(), cost.words().as_deref()), (all, words), "{calls:?}");
        };
        check(&[], None, None);
        check(&[("a:b", Some(10_000)), ("c:d", Some(0))], Some(10_000), Some("$0.0100"));
        check(&[("a:b", None)], None, None);
        check(
            &[("a:b", Some(4_000)), ("c:d", None), ("a:b", Some(6_000)), ("c:d", None)],
            None,
            Some("$0.0100 and what c:d does not tell"),
        );
        check(&[("c:d", None), ("e:f", None), ("a:b", Some(0))], None, Some("$0.0000 and what c:d and e:f do not tell"));
    }

    #[test]
    fn dates_are_the_same_wherever_they_are_rendered() {
        for (at, expect) in [(0, "01 Jan 1970, 00:00 UTC"), (1_795_183_509_123, "20 Nov 2026, 14:05 UTC"), (-5, "01 Jan 1970, 00:00 UTC")] {
            assert_eq!(date(at), expect);
        }
    }
}
