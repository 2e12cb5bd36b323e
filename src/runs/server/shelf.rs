//! What `/runs` shows: an owner's runs, found by the words in the page's address.

use super::address::{Search, escape};
use crate::{
    engine::server::UNDO_MS,
    error::AppError,
    http::{AppState, Client, answered, caller, refused},
    runs::{Card, api::Shelf},
};
use std::time::Duration;

/// Runs on a page, and pages that are shown at most.
const PAGE: i64 = 30;
const PAGES: i64 = 30;

pub async fn list(search: &str) -> Result<Shelf, AppError> {
    let (app, client) = caller()?;
    answered(shelf(&app, &client, search).await)
}

async fn shelf(app: &AppState, client: &Client, search: &str) -> Result<Shelf, AppError> {
    let search = Search::parse(search);
    let words = search.get("q").map(|words| words.trim().to_owned()).unwrap_or_default();
    let pages = search.get("pages").and_then(|pages| pages.parse().ok()).unwrap_or(1).clamp(1, PAGES);
    let store = app.engine.store();
    let (found, all) = (store.count(&client.owner, &words).await?, store.count(&client.owner, "").await?);
    let rows = store.list(&client.owner, &words, pages * PAGE).await?;
    let more = (found > pages * PAGE && pages < PAGES).then(|| address(&words, pages + 1));
    Ok(Shelf {
        cards: rows.into_iter().map(Card::from).collect(),
        count: if words.is_empty() { conversations(all) } else { format!("{found} of {}", conversations(all)) },
        words,
        more,
        deleted: deleted(app, client, search.get("deleted").as_deref()).await?,
        erased: search.get("erased").is_some(),
        kept: kept(app.settings.retention),
        desk: search.get("show").as_deref() == Some("desk"),
        refused: refused(),
    })
}

/// Only a run that is this client's, and still deleted.
async fn deleted(app: &AppState, client: &Client, id: Option<&str>) -> Result<Option<Card>, AppError> {
    let Some(id) = id else { return Ok(None) };
    let row = app.kept_run(client, id).await.ok();
    Ok(row.filter(|row| row.deleted_at.is_some()).map(Card::from))
}

fn address(words: &str, pages: i64) -> String {
    let found = if words.is_empty() { String::new() } else { format!("q={}&", escape(words)) };
    format!("/runs?{found}pages={pages}")
}

fn conversations(count: i64) -> String {
    if count == 1 { "1 conversation".to_owned() } else { format!("{count} conversations") }
}

fn kept(retention: Option<Duration>) -> String {
    let days = |millis: i64| match millis / UNDO_MS {
        1 => "a day".to_owned(),
        days => format!("{days} days"),
    };
    let stay = match retention {
        None => "Conversations stay here until you delete them.".to_owned(),
        Some(kept) => {
            format!(
                "Conversations stay here for {} after their last change, pinned ones until you delete them.",
                days(kept.as_millis() as i64)
            )
        }
    };
    format!("{stay} A deleted one can be brought back for {}; then it is gone for good.", days(UNDO_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_carry_any_words_and_are_read_back() {
        for (words, pages, expect) in [("", 2, "/runs?pages=2"), ("5 % & <b>?", 3, "/runs?q=5%20%25%20%26%20%3Cb%3E%3F&pages=3")] {
            let made = address(words, pages);
            assert_eq!(made, expect);
            let read = Search::parse(made.trim_start_matches("/runs"));
            assert_eq!((read.get("q").unwrap_or_default().as_str(), read.get("pages")), (words, Some(pages.to_string())));
        }
    }

    #[test]
    fn what_is_kept_how_long_is_said() {
        let check = |days: Option<u64>, expect: &str| {
            let said = kept(days.map(|days| Duration::from_secs(days * 86_400)));
            assert!(said.contains(expect) && said.contains("for a day"), "{said}");
        };
        check(None, "until you delete them");
        check(Some(1), "for a day after their last change");
        check(Some(30), "for 30 days after");
    }
}
