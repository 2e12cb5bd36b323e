//! Going on from a turn in other words, running again with changes, saved customers, and the assistant under test.

use super::*;
use crate::{
    engine::flow::Status,
    rooms::simulate::flow::{Assistant, MAX_STEPS, Setup, Simulate},
};

const JSON: (&str, &str) = ("content-type", "application/json");
const FORM: [(&str, &str); 2] = [("content-type", "application/x-www-form-urlencoded"), ("accept", "text/html")];

fn id(run: &str) -> &str {
    run.rsplit('/').next().expect("an id")
}

impl Server {
    /// A cookie's name and value.
    pub(super) async fn cookie(&self) -> String {
        value(&self.get("/api/nowhere", &[]).await, "set-cookie").split(';').next().expect("a cookie").to_owned()
    }

    async fn own_journey(&self, cookie: &str) -> String {
        let response = self.simulate(marta(), &[("cookie", cookie)]).await;
        let run = value(&response, "location");
        text(response).await;
        run
    }

    async fn read(&self, run: &str, headers: &[(&str, &str)]) -> Value {
        serde_json::from_str(&text(self.get(run, headers).await).await).expect("JSON")
    }

    async fn fork(&self, run: &str, body: Value, headers: &[(&str, &str)]) -> Response<HttpBody> {
        self.send(Method::POST, &format!("{run}/fork"), &[&[JSON], headers].concat(), body.to_string()).await
    }

    /// Sends a form as a browser without JavaScript does; answers where it leads.
    pub(super) async fn form(&self, name: &str, body: &str, cookie: &str) -> String {
        let response =
            self.send(Method::POST, &format!("/api/fn/{name}"), &[&FORM[..], &[("cookie", cookie)]].concat(), body.to_owned()).await;
        assert_eq!(response.status(), StatusCode::FOUND, "{name}");
        value(&response, "location")
    }

    pub(super) async fn page(&self, path: &str, cookie: &str) -> String {
        let response = self.get(path, &[("cookie", cookie)]).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        text(response).await
    }

    async fn ended(&self, run: &str) -> Status {
        let id = id(run).parse().expect("a UUID");
        loop {
            let row = self.engine.store().run(id).await.expect("read").expect("there");
            if row.status != Status::Running {
                return row.status;
            }
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn a_fork_is_a_run_of_its_own_that_begins_as_its_parent() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let run = server.own_journey(&cookie).await;
    let owner = [("cookie", cookie.as_str())];
    let parent = server.read(&run, &owner).await;
    let response = server.fork(&run, json!({ "step": 1, "text": "What does it cost in a quiet month?" }), &owner).await;
    let (fork, token) = (value(&response, "location"), value(&response, "colloquy-run-token"));
    assert_eq!(response.status(), StatusCode::CREATED);
    let said: Value = serde_json::from_str(&text(response).await).expect("JSON");
    assert_eq!((&said["id"], &said["parent"]), (&json!(id(&fork)), &json!(id(&run))));
    assert_eq!(server.ended(&fork).await, Status::Done);
    let read = server.read(&fork, &[("authorization", &format!("Bearer {token}"))]).await;
    assert_eq!((&read["parent"], &read["setup"], &read["rehearsal"]), (&json!(id(&run)), &parent["setup"], &json!(true)));
    assert_eq!(read["state"]["steps"][0], parent["state"]["steps"][0]);
    assert_eq!(read["state"]["steps"][1]["query"], "What does it cost in a quiet month?");
    let calls = |run: &Value| run["usage"]["calls"].as_u64().expect("a number") as usize;
    let usage =
        |run: &Value| run["events"].as_array().expect("a log").iter().filter(|event| event["body"]["run"]["usage"].is_object()).count();
    assert_eq!((calls(&parent), calls(&read)), (usage(&parent), usage(&read) - 1), "a copied call is not its own");
}

#[tokio::test]
async fn a_first_question_in_other_words_is_a_new_run() {
    let server = server(&[]).await;
    let (run, token) = server.journey().await;
    let bearer = format!("Bearer {token}");
    let response = server.fork(&run, json!({ "step": 0, "text": "Which till?" }), &[("authorization", &bearer)]).await;
    let (fork, token) = (value(&response, "location"), value(&response, "colloquy-run-token"));
    assert_eq!(server.ended(&fork).await, Status::Done);
    let read = server.read(&fork, &[("authorization", &format!("Bearer {token}"))]).await;
    assert_eq!((&read["setup"]["query"], &read["parent"]), (&json!("Which till?"), &json!(id(&run))));
}

#[tokio::test]
async fn a_fork_is_refused_at_its_field_and_to_strangers() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let run = server.own_journey(&cookie).await;
    let owner = [("cookie", cookie.as_str())];
    for (body, pointer) in [
        (json!({ "step": 1, "text": " " }), "/text"),
        (json!({ "step": 0, "text": "" }), "/text"),
        (json!({ "step": 1, "text": "x".repeat(4001) }), "/text"),
        (json!({ "step": 1, "text": "WHICH card  reader?" }), "/text"),
        (json!({ "step": 14, "text": "And?" }), "/step"),
    ] {
        let problem = problem(server.fork(&run, body, &owner).await, 422, "invalid").await;
        assert_eq!(problem["errors"][0]["pointer"], pointer);
    }
    problem(server.fork(&run, json!({ "text": "And?" }), &owner).await, 422, "invalid").await;
    problem(server.fork(&run, json!({ "step": 1, "text": "And?" }), &[]).await, 404, "not_found").await;
    assert_eq!(server.engine.store().spent(None, 0).await.expect("read").runs, 1);
}

#[tokio::test]
async fn a_repeated_fork_is_one() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let run = server.own_journey(&cookie).await;
    let headers = [("cookie", cookie.as_str()), ("idempotency-key", "once")];
    let fork = async |text: &str| server.fork(&run, json!({ "step": 1, "text": text }), &headers).await;
    assert_eq!(value(&fork("And fees?").await, "location"), value(&fork("And fees?").await, "location"));
    problem(fork("And more?").await, 422, "key_reused").await;
}

#[tokio::test]
async fn an_assistant_is_chosen_among_those_there_are() {
    let server = server(&[]).await;
    let start = async |assistant: Value| {
        let mut body = marta();
        body["assistant"] = assistant;
        server.simulate(body, &[]).await
    };
    let refused = problem(start(json!({ "model": "openai:gpt-9" })).await, 422, "invalid").await;
    assert_eq!(refused["errors"][0]["pointer"], "/assistant/model");
    assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains("There are: rehearsal.")), "{refused}");
    let refused = problem(start(json!({ "instructions": "x".repeat(4001) })).await, 422, "invalid").await;
    assert_eq!(refused["errors"][0]["pointer"], "/assistant/instructions");
    let response = start(json!({ "model": "rehearsal", "instructions": "You sell nothing." })).await;
    let (run, token) = (value(&response, "location"), value(&response, "colloquy-run-token"));
    chunks(response).await;
    let read = server.read(&run, &[("authorization", &format!("Bearer {token}"))]).await;
    assert_eq!(read["setup"]["assistant"], json!({ "model": "rehearsal", "instructions": "You sell nothing." }));
    // Nothing chosen stands nowhere.
    let response = start(json!({ "model": "", "instructions": " " })).await;
    let (run, token) = (value(&response, "location"), value(&response, "colloquy-run-token"));
    chunks(response).await;
    assert!(server.read(&run, &[("authorization", &format!("Bearer {token}"))]).await["setup"]["assistant"].is_null());
}

#[tokio::test]
async fn a_chosen_model_that_is_gone_fails_the_run_and_no_other_takes_its_place() {
    let server = server(&[]).await;
    let assistant = Assistant { model: Some("openai:gpt-4o".into()), instructions: None };
    let setup = Setup { icp: "Marta".into(), query: "Which?".into(), assistant, max_steps: MAX_STEPS, context_chars: 24_000 };
    let run = server.engine.start::<Simulate>("anna", setup, None, None).await.expect("started");
    assert_eq!(server.ended(&run.to_string()).await, Status::Failed);
    let run = server.engine.load::<Simulate>(run).await.expect("folds");
    assert!(run.progress.halt.is_some_and(|halt| halt.why.starts_with("openai:gpt-4o, which was chosen for this run, is not configured")));
    assert_eq!((run.progress.model.as_str(), run.progress.calls.len()), ("openai:gpt-4o", 0));
}

#[tokio::test]
async fn the_bench_is_filled_with_another_run_or_a_saved_customer() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let run = server.own_journey(&cookie).await;
    let bench = server.page(&format!("/demo?from={}", id(&run)), &cookie).await;
    assert!(bench.contains(">Marta, 41, runs a bakery in Leeds.</textarea>") && bench.contains(">Which card reader?</textarea>"));
    // Somebody else's run fills nothing.
    assert_eq!(server.get(&format!("/demo?from={}", id(&run)), &[]).await.status(), StatusCode::NOT_FOUND);

    let saved =
        server.form("save_persona", "icp=Ada%2C%2030%2C%20collects%20clocks.%20Likes%20%3Cb%3E.&query=Which%20%26%20why%3F", &cookie).await;
    assert_eq!(saved, "/demo?persona=Ada%2C%2030%2C%20collects%20clocks&query=Which%20%26%20why%3F");
    let bench = server.page(&saved, &cookie).await;
    for part in [
        ">Ada, 30, collects clocks. Likes &lt;b&gt;.</textarea>",
        ">Which &amp; why?</textarea>",
        "aria-label=\"Delete Ada, 30, collects clocks\"",
    ] {
        assert!(bench.contains(part), "{part} is missing");
    }
    let stranger = text(server.get(&saved, &[]).await).await;
    assert!(!stranger.contains("Ada"));
    let unsaved = server.form("save_persona", "icp=%20&query=", &cookie).await;
    assert!(server.page(&unsaved, &cookie).await.contains("This customer was not saved"));
    assert_eq!(server.form("delete_persona", "icp=x&query=y&persona=Ada%2C%2030%2C%20collects%20clocks", &cookie).await, "/demo");
    assert!(!server.page("/demo", &cookie).await.contains("Saved customers"));
}

#[tokio::test]
async fn a_turn_is_edited_and_a_run_replayed_without_javascript() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let run = server.own_journey(&cookie).await;
    let (run, journey) = (id(&run), format!("/demo/{}", id(&run)));
    assert!(server.page(&journey, &cookie).await.contains(&format!("href=\"/runs/{run}/edit/1\"")));
    let edit = server.page(&format!("/runs/{run}/edit/0"), &cookie).await;
    assert!(edit.contains(">Which card reader?</textarea>") && edit.contains("Go on from here"));
    let post = async |text: &str| server.form("fork_run", &format!("id={run}&turn=1&text={text}&key=one"), &cookie).await;
    // What is refused comes back with its words and what is wrong with them.
    let back = post("which%20card%20READER%3F").await;
    let page = server.page(&back, &cookie).await;
    assert!(page.contains(">which card READER?</textarea>") && page.contains("asked exactly this before"), "{back}");
    let fork = post("And%20fees%3F").await;
    assert_eq!(post("And%20fees%3F").await, fork);
    assert_ne!(post("And%20service%3F").await, fork);
    server.ended(&fork).await;
    for (page, words, link) in [(&fork, "Continues from", &journey), (&journey, "Also went on as", &fork)] {
        let html = server.page(page, &cookie).await;
        assert!(html.contains(words) && html.contains(&format!("href=\"{link}\"")), "{page} does not say {words}");
    }
    let replay = server.page(&format!("{journey}/replay"), &cookie).await;
    for part in ["Rehearsal: scripted answers", "A replay needs JavaScript", "Which card reader?", "aria-label=\"Position\""] {
        assert!(replay.contains(part), "{part} is missing");
    }
    // A turn in which nobody says anything, a turn that is not there, and strangers find nothing.
    let there = [("cookie", cookie.as_str())];
    let edit = |turn: &str| format!("/runs/{run}/edit/{turn}");
    for (path, headers) in [(edit("14"), &there[..]), (edit("x"), &there[..]), (edit("1"), &[]), (format!("{journey}/replay"), &[])] {
        assert_eq!(server.get(&path, headers).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn a_run_that_goes_on_is_not_replayed() {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "60000")]).await;
    let cookie = server.cookie().await;
    let response = server.simulate(marta(), &[("cookie", &cookie)]).await;
    let replay = server.page(&format!("/demo/{}/replay", id(&value(&response, "location"))), &cookie).await;
    assert!(replay.contains("not over yet") && replay.contains("Watch it live"));
}
