//! The file: a line of JSON for the roles as they were cast, then one for each exchange.

use crate::{
    engine::entry::REHEARSAL,
    models::{ModelError, ModelEvent},
    settings::SettingsError,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;
use std::{collections::BTreeMap, fmt::Display, path::Path, time::SystemTime};

const VERSION: u32 = 1;
/// No exchange lasts a day; a number beyond it is a slip, or malice.
const LONGEST_MS: u64 = 86_400_000;
const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/// What a recording begins with, and again where the roles have changed since: the last one counts.
#[derive(Clone, Serialize, Deserialize)]
pub struct Head {
    /// The format's version.
    cassette: u32,
    #[serde(serialize_with = "write_date", deserialize_with = "read_date")]
    pub at: SystemTime,
    /// By role the models that could play it; the first one did.
    pub roles: BTreeMap<String, Vec<String>>,
}

impl Head {
    pub fn new(roles: BTreeMap<String, Vec<String>>, at: SystemTime) -> Self {
        Head { cassette: VERSION, at, roles }
    }
}

/// One request and what came of it, with milliseconds from the request on.
#[derive(Clone, Serialize, Deserialize)]
pub struct Exchange {
    pub hash: String,
    #[serde(serialize_with = "write_date", deserialize_with = "read_date")]
    pub at: SystemTime,
    /// `provider:model`.
    pub model: String,
    /// For people to read: it is found by its hash.
    #[serde(skip_deserializing)]
    pub request: Value,
    pub events: Vec<(u64, ModelEvent)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<(u64, ModelError)>,
}

impl Exchange {
    /// Complete, in order, and of a length that somebody could have waited for.
    fn is_whole(&self) -> bool {
        let done = |event: &ModelEvent| matches!(event, ModelEvent::Done(_));
        let ends = match (&self.error, self.events.split_last()) {
            (Some(_), _) => !self.events.iter().any(|(_, event)| done(event)),
            (None, Some(((_, last), before))) => done(last) && !before.iter().any(|(_, event)| done(event)),
            (None, None) => false,
        };
        let times = self.events.iter().map(|(ms, _)| *ms).chain(self.error.iter().map(|(ms, _)| *ms));
        ends && times.clone().is_sorted() && times.max().is_some_and(|last| last <= LONGEST_MS)
    }
}

/// A whole cassette.
pub struct Contents {
    pub head: Head,
    pub exchanges: Vec<Exchange>,
}

/// Reads and checks it all; an error names the line and never what stands in it.
pub fn read(path: &Path) -> Result<Contents, SettingsError> {
    let text = std::fs::read_to_string(path).map_err(|problem| match problem.kind() {
        std::io::ErrorKind::NotFound => {
            error(path.display(), "there is no such file. Record one with COLLOQUY_CASSETTE=record, or name it in Leptos.toml")
        }
        _ => error(path.display(), format!("it cannot be read ({problem})")),
    })?;
    let (mut head, mut exchanges) = (None, Vec::new());
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("{}, line {}", path.display(), i + 1);
        match parse(line).map_err(|problem| error(place, problem))? {
            Line::Head(found) => head = Some(found),
            Line::Exchange(exchange) => exchanges.push(exchange),
        }
    }
    let head = head.ok_or_else(|| error(path.display(), "it does not say which models played which role. Record it again"))?;
    Ok(Contents { head, exchanges })
}

enum Line {
    Head(Head),
    Exchange(Exchange),
}

fn parse(line: &str) -> Result<Line, String> {
    const HEAD: &str = "the roles cannot be read. Take the line out, or record it again";
    const EXCHANGE: &str = "the exchange is not whole. Take the line out, or record it again";
    let value: Value = serde_json::from_str(line).map_err(|problem| format!("there is no JSON at column {}", problem.column()))?;
    match value.get("cassette") {
        Some(version) if *version != VERSION => Err("another version of Colloquy has recorded this. Record it again".to_owned()),
        Some(_) => serde_json::from_value(value).ok().filter(is_cast).map(Line::Head).ok_or_else(|| HEAD.to_owned()),
        None => serde_json::from_value(value).ok().filter(Exchange::is_whole).map(Line::Exchange).ok_or_else(|| EXCHANGE.to_owned()),
    }
}

fn is_cast(head: &Head) -> bool {
    head.roles.values().flatten().all(|name| name == REHEARSAL || name.split_once(':').is_some_and(|(_, model)| !model.is_empty()))
}

pub fn error(place: impl Display, problem: impl Display) -> SettingsError {
    SettingsError { key: "models.cassette".to_owned(), place: place.to_string(), problem: problem.to_string() }
}

/// 20 November 2026, as it is in Greenwich.
pub fn day(at: SystemTime) -> String {
    let date = httpdate::fmt_http_date(at);
    let mut words = date.split_whitespace().skip(1);
    let (day, month, year) = (words.next().unwrap_or_default(), words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let month = MONTHS.iter().find(|name| name.starts_with(month)).copied().unwrap_or_default();
    format!("{} {month} {year}", day.trim_start_matches('0'))
}

fn write_date<S: Serializer>(at: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&httpdate::fmt_http_date(*at))
}

fn read_date<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SystemTime, D::Error> {
    httpdate::parse_http_date(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}
