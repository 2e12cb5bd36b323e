//! Appends and open texts of any number of runs, written with one statement each however many come together.
//! Rows travel as one JSON array, which SQLite takes apart.

use crate::store::{Append, OpenText};
use serde_json::{Value, json};
use sqlx::{Row, SqliteConnection};
use std::collections::HashSet;

/// Each append as if it came alone, in their order; says which of them their fences let through.
pub async fn append(connection: &mut SqliteConnection, adds: &[Append]) -> Result<Vec<bool>, sqlx::Error> {
    let (mut landed, mut left) = (vec![false; adds.len()], (0..adds.len()).collect::<Vec<_>>());
    // One statement sees each run as it was before it: so a run's appends go one per round.
    while !left.is_empty() {
        let mut runs = HashSet::new();
        let (round, later): (Vec<usize>, Vec<usize>) = left.into_iter().partition(|at| runs.insert(adds[*at].run));
        let passed = pass(connection, round.iter().map(|at| &adds[*at])).await?;
        let passed: Vec<usize> = round.into_iter().filter(|at| passed.contains(&adds[*at].run.to_string())).collect();
        for at in &passed {
            landed[*at] = true;
        }
        if !passed.is_empty() {
            let passed = || passed.iter().map(|at| &adds[*at]);
            insert_events(connection, passed()).await?;
            drop_partials(connection, passed()).await?;
        }
        left = later;
    }
    Ok(landed)
}

/// Moves the rows of those runs on whose fences hold, and answers their ids.
async fn pass(connection: &mut SqliteConnection, adds: impl Iterator<Item = &Append>) -> Result<HashSet<String>, sqlx::Error> {
    let rows = adds.map(|add| {
        json!([
            add.run,
            add.after,
            add.epoch,
            add.bodies.len(),
            add.status.word(),
            add.at,
            add.input_tokens,
            add.output_tokens,
            add.cost_micros
        ])
    });
    let passed = sqlx::query(
        "UPDATE runs SET seq = seq + added, status = a.status, updated_at = a.at, input_tokens = input_tokens + input,
           output_tokens = output_tokens + output, cost_micros = cost_micros + cost
         FROM (SELECT value ->> 0 AS run, value ->> 1 AS after, value ->> 2 AS epoch, value ->> 3 AS added, value ->> 4 AS status,
                 value ->> 5 AS at, value ->> 6 AS input, value ->> 7 AS output, value ->> 8 AS cost FROM json_each(?)) AS a
         WHERE id = run AND seq = after AND (epoch IS NULL OR lease_epoch = epoch) RETURNING id",
    )
    .bind(array(rows))
    .fetch_all(connection)
    .await?;
    passed.iter().map(|row| row.try_get("id")).collect()
}

async fn insert_events(connection: &mut SqliteConnection, adds: impl Iterator<Item = &Append>) -> Result<(), sqlx::Error> {
    let rows = adds.flat_map(|add| (add.after + 1..).zip(&add.bodies).map(|(seq, body)| json!([add.run, seq, add.at, body.to_string()])));
    sqlx::query(
        "INSERT INTO run_events (run_id, seq, at, body) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)",
    )
    .bind(array(rows))
    .execute(connection)
    .await?;
    Ok(())
}

/// Drops the texts of steps that are over.
async fn drop_partials(connection: &mut SqliteConnection, adds: impl Iterator<Item = &Append> + Clone) -> Result<(), sqlx::Error> {
    let open = adds.clone().flat_map(|add| add.open.iter().map(|step| json!([add.run, step])));
    sqlx::query(
        "DELETE FROM run_partials WHERE run_id IN (SELECT value FROM json_each(?1))
           AND (run_id, message) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(?2))",
    )
    .bind(array(adds.map(|add| json!(add.run))))
    .bind(array(open))
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn save_partials(connection: &mut SqliteConnection, texts: &[OpenText]) -> Result<(), sqlx::Error> {
    let rows = texts.iter().map(|text| json!([text.run, text.seq, text.partial.message, text.partial.text]));
    sqlx::query(
        "INSERT INTO run_partials (run_id, message, text) SELECT value ->> 0, value ->> 2, value ->> 3 FROM json_each(?)
         WHERE EXISTS (SELECT 1 FROM runs WHERE id = value ->> 0 AND seq = value ->> 1 AND deleted_at IS NULL)
         ON CONFLICT DO UPDATE SET text = excluded.text",
    )
    .bind(array(rows))
    .execute(connection)
    .await?;
    Ok(())
}

fn array(rows: impl Iterator<Item = Value>) -> String {
    Value::Array(rows.collect()).to_string()
}
