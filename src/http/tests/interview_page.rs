//! The pages of the research room as the server renders them: what can be done without a script, and by which names.

use super::*;
use crate::{rooms::research::flow::Research, runs::server::escape};
use std::collections::BTreeMap;

/// A page of a run that has come to rest, begun with these words by whoever has that cookie.
async fn asked(server: &Server, cookie: &str, opening: &str) -> (String, String) {
    let form = format!("opening={}&key=one", escape(opening));
    let path = server.form("start_research", &form, cookie).await;
    let id = path.strip_prefix("/journey/").and_then(|id| id.parse().ok()).expect("a run's page");
    server.engine.rest::<Research>(id).await.expect("it rests");
    (text(server.get(&path, &[("cookie", cookie)]).await).await, path)
}

/// How often each name of each kind of element is on the page.
fn names(html: &str) -> BTreeMap<(String, String), usize> {
    let mut names = BTreeMap::new();
    for tag in html.split('<').skip(1) {
        let (tag, behind) = tag.split_once('>').unwrap_or((tag, ""));
        let kind = tag.split(' ').next().unwrap_or_default();
        let label = tag.split_once("aria-label=\"").and_then(|(_, label)| label.split('"').next());
        let words = Some(behind.trim()).filter(|words| kind == "button" && !words.is_empty());
        if let Some(name) = label.or(words) {
            *names.entry((kind.to_owned(), name.to_owned())).or_default() += 1;
        }
    }
    names
}

fn has(html: &str, there: &[&str]) {
    for what in there {
        assert!(html.contains(what), "{what}: {html}");
    }
}

#[tokio::test]
async fn the_bench_begins_with_words_or_without() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let bench = text(server.get("/journey", &[("cookie", &cookie)]).await).await;
    has(&bench, &["What are you working on?", ">Start conversation<", "start_research", "Card reader for bakeries", "name=\"key\""]);
    let (page, path) = asked(&server, &cookie, "").await;
    has(&page, &["aria-label=\"Choices\"", "0 of 8 answers · 0 of 5 sections", "aria-label=\"What we know\""]);
    has(&text(server.get("/journey", &[("cookie", &cookie)]).await).await, &["Continue where you were", &path]);
}

#[tokio::test]
async fn everything_on_a_conversations_page_has_a_name_of_its_own() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let opening = "We sell a card reader to independent bakeries, for a monthly subscription. Our industry is payments.";
    let (page, path) = asked(&server, &cookie, opening).await;
    has(&page, &["aria-label=\"Message\"", "aria-label=\"Send\"", "role=\"log\" aria-label=\"Conversation\"", "aria-label=\"Rehearsal\""]);
    // Of the two sheets at most one can be reached.
    let reached = |(_, name): &(String, String)| name != "Close";
    let twice: Vec<_> = names(&page).into_iter().filter(|(name, times)| *times > 1 && reached(name)).collect();
    assert!(twice.is_empty(), "{twice:?}");
    // Somebody who may not see it sees nothing of it.
    let other = server.get(&path, &[("cookie", &server.cookie().await)]).await;
    assert!(!text(other).await.contains("card reader"));
}

#[tokio::test]
async fn what_is_refused_is_shown_where_it_was_written() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let (_, path) = asked(&server, &cookie, "").await;
    let id = path.strip_prefix("/journey/").expect("a run's page");
    let correct = format!("id={id}&what=correct&of=industry&text={}", "x".repeat(1_001));
    let back = server.form("tell_research", &correct, &cookie).await;
    assert!(back.contains("field=industry"), "{back}");
    has(&text(server.get(&back, &[("cookie", &cookie)]).await).await, &["<details open", &"x".repeat(1_001)]);
    let said = format!("id={id}&what=say&text={}", "y".repeat(4_001));
    let back = server.form("tell_research", &said, &cookie).await;
    has(&text(server.get(&back, &[("cookie", &cookie)]).await).await, &[&"y".repeat(4_001)]);
}

#[tokio::test]
async fn what_one_said_goes_on_differently_in_a_run_of_its_own() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let (_, path) = asked(&server, &cookie, "We sell tills.").await;
    let id = path.strip_prefix("/journey/").expect("a run's page").to_owned();
    let rests = async |id: &str| server.engine.rest::<Research>(id.parse().expect("an id")).await.expect("it rests").state;
    let question = rests(&id).await.open_question().map(|(turn, question)| (turn, question.options[0].label.clone()));
    let (turn, label) = question.expect("a question with options");
    server.form("tell_research", &format!("id={id}&what=choose&of={turn}&options[]=0"), &cookie).await;
    let parent = rests(&id).await;
    let edit = |message: u32| format!("/runs/{id}/edit/{message}");
    has(&server.page(&path, &cookie).await, &[&format!("href=\"{}\"", edit(0)), &format!("href=\"{}\"", edit(1))]);
    let page = server.page(&edit(1), &cookie).await;
    has(&page, &["Say it differently", "maxlength=\"4000\"", &format!("href=\"{path}\""), "Go on from here", &label]);
    assert_eq!(server.get(&edit(2), &[("cookie", &cookie)]).await.status(), StatusCode::NOT_FOUND, "nobody has said that");
    assert_eq!(server.get(&edit(0), &[]).await.status(), StatusCode::NOT_FOUND, "it is somebody else's");

    // What is refused comes back with what is wrong with it.
    let post =
        async |turn: u32, text: &str| server.form("fork_run", &format!("id={id}&turn={turn}&key=one&text={}", escape(text)), &cookie).await;
    for (text, fault) in [(" ", "Write a message."), (&"y".repeat(4_001), "This has 4,001 characters; 4,000 are the most.")] {
        let back = post(1, text).await;
        assert!(back.starts_with(&edit(1)), "{back}");
        has(&server.page(&back, &cookie).await, &[fault, text]);
    }
    for (message, words) in [(0, "We sell ovens."), (1, "By the hour.")] {
        let fork = post(message, words).await;
        assert_eq!(post(message, words).await, fork, "sent twice");
        let state = rests(fork.strip_prefix("/journey/").expect("a run's page")).await;
        assert_eq!((state.message(message), state.messages), (Some(words), message + 1));
        assert!((0..message).all(|said| state.message(said) == parent.message(said)));
        for (page, says, link) in [(&fork, "Continues from", &path), (&path, "Also went on as", &fork)] {
            has(&server.page(page, &cookie).await, &[says, &format!("href=\"{link}\""), words]);
        }
    }
    assert_eq!(rests(&id).await, parent, "it stays as it is");
}
