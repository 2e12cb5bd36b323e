//! A report for programs.

use super::sheet::{summary, title};
use crate::{
    engine::{
        entry::Run,
        flow::Status,
        server::{Reading, now},
    },
    rooms::research::{
        flow::{Research, Study},
        server::results::{Effort, complete, dollars, result},
    },
    runs::server::{Cost, models},
    store::RunRow,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A conversation and what was found in it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ResearchReport)]
pub struct Document {
    /// The run's.
    id: String,
    title: String,
    /// `running`, `waiting` (for a person), `done`, `stopped` or `failed`.
    #[schema(value_type = String)]
    status: Status,
    /// Some answers are scripted, and no AI's.
    rehearsal: bool,
    started_at: i64,
    exported_at: i64,
    /// Every model that has spoken, as `provider:model`.
    models: Vec<String>,
    /// US dollars in all; null where a provider did not say.
    cost: Option<f64>,
    /// US dollars as far as providers did say; null where none did.
    known_cost: Option<f64>,
    /// The models whose providers did not.
    cost_unknown_for: Vec<String>,
    /// What is known, by the names of the fields; an empty text where the person does not know.
    known: BTreeMap<&'static str, String>,
    /// Markdown; null until it is written.
    summary: Option<String>,
    /// One for each section: `section`, `name` and `status`, which is `complete`, `running`, `error` or `missing`. A complete one has
    /// its `data`, `sources`, `durationMs`, `cost`, `knownCost`, `costUnknownFor`, `models`, `foundAt` and `droppedReferences`; `stale`
    /// says whether answers have changed since, `imported` that the caller brought it along, and `error` that it was tried again in
    /// vain. A missing one `lacks` what it waits for.
    #[schema(value_type = Vec<Object>)]
    sections: Vec<Value>,
}

impl Document {
    pub fn new(row: &RunRow, reading: &Reading, run: &Run<Research>) -> Self {
        let (state, progress) = (&run.state, &run.progress);
        let cost = Cost::of(progress.own_calls());
        Document {
            id: row.id.to_string(),
            title: title(row, state),
            status: reading.status,
            rehearsal: progress.rehearsal(),
            started_at: row.created_at,
            exported_at: now(),
            models: models(progress),
            cost: progress.cost_micros().map(dollars),
            known_cost: cost.told_micros.map(dollars),
            cost_unknown_for: cost.untold,
            known: state.known.iter().map(|known| (known.field.slug(), known.value.clone())).collect(),
            summary: summary(state),
            sections: state.studies.iter().map(|study| section(study, run)).collect(),
        }
    }

    pub fn title(&self) -> &str {
        &self.title
    }
}

fn section(study: &Study, run: &Run<Research>) -> Value {
    let (section, state) = (study.section, &run.state);
    let mut told = match &study.result {
        Some(finding) => {
            let mut told = complete(finding, &run.progress);
            let Effort { models, cost } = Effort::of(finding, &run.progress);
            told["knownCost"] = json!(cost.told_micros.map(dollars));
            told["costUnknownFor"] = json!(cost.untold);
            told["models"] = json!(models);
            told["foundAt"] = json!((!finding.is_imported()).then_some(finding.at));
            told["droppedReferences"] = json!(finding.dropped);
            told["stale"] = json!(state.is_stale(section));
            if let Some(error) = &study.error {
                told["error"] = json!(error);
            }
            told
        }
        None => result(state, &run.progress, section)
            .unwrap_or_else(|| json!({ "section": section, "status": "missing", "lacks": state.lacks(section) })),
    };
    told["name"] = json!(section.name());
    told
}
