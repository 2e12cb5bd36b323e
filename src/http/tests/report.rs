//! A conversation's report: the page to be printed, Markdown and JSON.

use super::*;
use crate::engine::flow::read::Read;
use crate::{
    engine::{entry::REHEARSAL, flow::Flow},
    rooms::research::{
        flow::{Claim, Command, Field, Imported, Research, Section, Setup, Source, Told},
        held::{self, Story},
    },
    store::{EventRow, NewRun, RunChange},
    ui::dollars,
};

const PARTS: [&str; 3] = ["report", "report.md", "report.json"];

/// Puts that conversation into the store, as an owner's; its id.
async fn kept(server: &Server, story: &Story, owner: &str) -> Uuid {
    let setup = Setup::read(&story.log[0].1["run"]["started"]["setup"]).expect("a setup");
    let log = story.log.iter().map(|(stamp, body)| EventRow { stamp: *stamp, body: body.clone() }).collect();
    let new = NewRun {
        id: Uuid::now_v7(),
        kind: Research::KIND,
        owner: owner.to_owned(),
        title: Research::title(&setup),
        setup: serde_json::to_value(&setup).expect("JSON"),
        status: story.run.status(),
        at: held::BEGAN,
        log,
        key: None,
        external_id: None,
        parent: None,
    };
    server.engine.store().create(new).await.expect("created")
}

fn token(id: Uuid) -> String {
    format!("Bearer {}", Signer::new(b"a secret of the tests").run_token(id))
}

/// The three of them, as whoever has the run's token reads them.
async fn report(server: &Server, story: &Story) -> [String; 3] {
    let id = kept(server, story, "somebody").await;
    let mut parts = Vec::new();
    for part in PARTS {
        let response = server.get(&format!("/journey/{id}/{part}"), &[("authorization", &token(id))]).await;
        assert_eq!(response.status(), StatusCode::OK, "{part}");
        parts.push(text(response).await.replace(&id.to_string(), "{id}"));
    }
    parts.try_into().expect("three")
}

fn has(text: &str, all: &[&str]) {
    for what in all {
        assert!(text.contains(what), "{what:?} is missing in\n{text}");
    }
}

#[tokio::test]
async fn a_finished_conversation_is_reported_whole() {
    let server = server(&[]).await;
    let [page, markdown, json] = report(&server, &held::finished()).await;
    insta::assert_snapshot!("report_markdown", markdown);
    let mut json: Value = serde_json::from_str(&json).expect("JSON");
    assert!(json["exportedAt"].as_i64().is_some_and(|at| at > json["startedAt"].as_i64().expect("a time")));
    json["exportedAt"] = json!(0);
    // The data is that of the fixture, which would fill pages.
    for section in json["sections"].as_array_mut().expect("sections") {
        assert!(section["data"].as_object().is_some_and(|data| data.len() >= 3));
        section["data"] = json!({});
    }
    insta::assert_json_snapshot!("report_json", json);
    has(
        &page,
        &[
            "<title>Crumbtrack: market research · Colloquy</title>",
            "<h1>Crumbtrack</h1>",
            "<strong>dated and legal</strong>",
            "<dt>Ideal customer</dt><dd>Owners of independent bakeries",
            "id=\"industryMarket\"",
            "id=\"sources-crossAnalysis\"",
            "href=\"#source-offerAnalysis-10\"",
            "id=\"source-offerAnalysis-10\"",
            "href=\"https://pricing.example.com/free-trials-vertical-software\"",
            "<dt>Researched</dt><dd>20 Nov 2026, 14:05 UTC</dd>",
            "<dt>Models</dt><dd>perplexity:sonar-pro</dd>",
            "<dt>Cost</dt><dd>$0.0084</dd>",
            "1 reference was taken out",
        ],
    );
    for absent in ["Not finished", "Rehearsal:", "Out of date", "style=", "<!>", "Not known"] {
        assert!(!page.contains(absent), "{absent} is there");
    }
    assert_eq!(page.matches("<script").count(), 1, "one to print, and none else");
}

#[tokio::test]
async fn what_is_known_of_a_cost_is_told() {
    let server = server(&[]).await;
    let mut story = held::half();
    (story.model, story.cost) = ("openai:gpt-5", None);
    story.synthesise(Section::OfferAnalysis);
    let [page, markdown, json] = report(&server, &story).await;
    let told: i64 = story.run.progress.calls.iter().filter_map(|call| call.cost_micros).sum();
    for text in [&page, &markdown] {
        let all = format!("{} and what openai:gpt-5 does not tell", dollars(told));
        has(text, &["$0.0042 and what openai:gpt-5 does not tell", &all]);
    }
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let costs = |of: &Value| (of["cost"].clone(), of["knownCost"].clone(), of["costUnknownFor"].clone());
    assert_eq!(costs(&json), (Value::Null, json!(told as f64 / 1_000_000.0), json!(["openai:gpt-5"])));
    let offer = json["sections"].as_array().expect("sections").iter().find(|section| section["section"] == "offerAnalysis").expect("it");
    assert_eq!(costs(offer), (Value::Null, json!(0.0042), json!(["openai:gpt-5"])));
    assert_eq!(costs(&json["sections"][1]), (json!(0.0084), json!(0.0084), json!([])));
}

#[tokio::test]
async fn what_is_missing_is_said() {
    let server = server(&[]).await;
    let mut story = held::half();
    story.command(Command::StopSection { section: Section::OfferAnalysis });
    let [page, markdown, json] = report(&server, &story).await;
    for text in [&page, &markdown] {
        has(
            text,
            &[
                "Not finished: 3 sections are still missing, and 2 questions are still open. The conversation goes on.",
                "It is being researched.",
                "It came to nothing: Stopped by you.",
                "Not researched yet. It waits for “Competitors”, “Monthly budget”, “Customer fit” and “Offer”.",
                "Written once everything is answered and found.",
                "Not known",
            ],
        );
    }
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let stand: Vec<&Value> = json["sections"].as_array().expect("sections").iter().map(|section| &section["status"]).collect();
    assert_eq!(stand, ["complete", "complete", "running", "error", "missing"]);
    assert_eq!(json["sections"][4]["lacks"], json!(["competitors", "monthlyBudget", "icpValidation", "offerAnalysis"]));
    assert_eq!(
        (&json["summary"], &json["known"]["companyName"], &json["known"]["monthlyBudget"]),
        (&Value::Null, &json!("Crumbtrack"), &Value::Null)
    );
}

#[tokio::test]
async fn what_is_out_of_date_scripted_or_somebody_elses_word_is_said() {
    let server = server(&[]).await;
    let mut story = held::finished();
    story.command(Command::Correct { field: Field::OfferPricing, text: "£59 a month".into() });
    let [page, markdown, json] = report(&server, &story).await;
    for text in [&page, &markdown] {
        has(
            text,
            &[
                "Answers have changed since 2 sections were researched.",
                "Out of date: Offer and pricing has changed since this was found.",
                "£59 a month",
                "A fair price for a clear use",
            ],
        );
    }
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let stale: Vec<bool> = json["sections"].as_array().expect("sections").iter().map(|section| section["stale"] == true).collect();
    assert_eq!(stale, [false, false, false, true, true]);
    story.command(Command::Refresh);
    story.command(Command::StopSection { section: Section::OfferAnalysis });
    let [page, ..] = report(&server, &story).await;
    has(&page, &["The last attempt came to nothing: Stopped by you."]);

    let mut rehearsed = Story::begin(&Setup::default(), REHEARSAL);
    for field in [Field::BusinessModel, Field::Industry] {
        rehearsed.command(Command::Correct { field, text: "Bread".into() });
    }
    rehearsed.turn("Well.", vec![]);
    rehearsed.research(Section::IndustryMarket);
    let [page, markdown, json] = report(&server, &rehearsed).await;
    for text in [&page, &markdown] {
        has(
            text,
            &[
                "Rehearsal: scripted answers, no AI model. Nothing in this report was researched.",
                "Rehearsal: scripted, and nothing was looked up.",
            ],
        );
    }
    has(&json, &["\"rehearsal\":true"]);

    let held = held::held(Section::Competitors);
    let imported =
        Imported { results: vec![Claim { told: Told::new(&held.data), sources: held.sources, dropped: 0 }], ..Imported::default() };
    let claimed = Story::begin(&Setup { opening: "Go on.".into(), imported, ..Setup::default() }, "openai:gpt-5");
    let [page, markdown, json] = report(&server, &claimed).await;
    for text in [&page, &markdown] {
        has(text, &["elsewhere, and brought along", "Doughline"]);
    }
    has(&json, &["\"imported\":true", "\"cost\":null"]);
}

#[tokio::test]
async fn whoever_may_read_the_run_may_read_its_report_and_nobody_else() {
    let server = server(&[]).await;
    let cookie = owner(&server).await;
    let started = server.simulate(marta(), &[("cookie", &cookie)]).await;
    let other = value(&started, "location").rsplit('/').next().expect("an id").to_owned();
    let mine = server.engine.store().run(other.parse().expect("an id")).await.expect("read").expect("there").owner;
    let id = kept(&server, &held::finished(), &mine).await;
    let link = super::json(server.send(Method::PUT, &format!("/api/runs/{id}/share"), &[("cookie", &cookie)], "").await).await;
    let link = link["url"].as_str().expect("an address").trim_start_matches("http://127.0.0.1:3000").to_owned();
    let guest = value(&server.get(&link, &[]).await, "set-cookie").split(';').next().expect("a cookie").to_owned();
    let (bearer, stranger) = (token(id), owner(&server).await);
    for part in PARTS {
        let path = format!("/journey/{id}/{part}");
        for header in [("cookie", cookie.as_str()), ("cookie", guest.as_str()), ("authorization", bearer.as_str())] {
            for method in [Method::GET, Method::HEAD] {
                let answer = server.send(method.clone(), &path, &[header], "").await;
                assert_eq!(answer.status(), StatusCode::OK, "{method} {part} {header:?}");
                let is_page = part == "report";
                assert_eq!(value(&answer, "x-robots-tag") == "noindex", is_page, "{part}");
                assert_eq!(
                    value(&answer, "content-disposition").starts_with("attachment; filename=\"crumbtrack-market-research."),
                    !is_page
                );
                assert!(value(&answer, "content-security-policy").contains("frame-ancestors 'none'"));
            }
        }
        for (path, header) in [
            (&path, ("cookie", stranger.as_str())),
            // A run of another room has no report, and what is no id has no run.
            (&format!("/journey/{other}/{part}"), ("cookie", cookie.as_str())),
            (&format!("/journey/x/{part}"), ("cookie", cookie.as_str())),
        ] {
            refused(&server, path, header).await;
        }
    }
    server.engine.store().change(id, RunChange::Deleted(Some(1))).await.expect("deleted");
    refused(&server, &format!("/journey/{id}/report"), ("cookie", &cookie)).await;
}

/// People are shown a page, and programs told a problem.
async fn refused(server: &Server, path: &str, header: (&str, &str)) {
    let answer = server.get(path, &[header]).await;
    if path.ends_with("report") {
        assert_eq!(
            (answer.status(), value(&answer, "content-type").as_str()),
            (StatusCode::NOT_FOUND, "text/html; charset=utf-8"),
            "{path}"
        );
    } else {
        problem(answer, 404, "not_found").await;
    }
}

#[tokio::test]
async fn no_word_of_theirs_becomes_a_part_of_the_report() {
    let server = server(&[]).await;
    let evil = "</title><script>alert(1)</script> # x\n<img src=x onerror=y>";
    let mut story = Story::begin(&Setup { opening: evil.into(), ..Setup::default() }, "openai:gpt-5");
    for field in Field::ALL {
        story.command(Command::Correct { field, text: evil.replace('\n', " ") });
    }
    story.extract(crate::rooms::research::flow::Reply::Question, &[]);
    story.turn(evil, vec![]);
    for section in [Section::IndustryMarket, Section::Competitors] {
        let text = serde_json::to_string(&held::held(section).data)
            .expect("JSON")
            .replace("Tablets at the bench", "<b>Tablets</b> [x](javascript:1)");
        let text = text.replace("Doughline", "</td><script>alert(2)</script>");
        let data = serde_json::from_str(&text).expect("a section");
        let source = Source { id: 1, title: evil.into(), url: "javascript:alert(3)".into(), date: Some(evil.into()) };
        story.found(section, data, vec![source]);
    }
    let [page, markdown, _] = report(&server, &story).await;
    for part in ["<script>", "<img", "<b>Tablets", "href=\"javascript:", "</td><script"] {
        assert!(!page.contains(part), "{part} is there");
    }
    assert_eq!((page.matches("<script").count(), page.matches("</title>").count()), (1, 1));
    let html = {
        let mut html = String::new();
        pulldown_cmark::html::push_html(&mut html, pulldown_cmark::Parser::new(&markdown));
        html
    };
    for part in ["<script", "<img", "javascript:1\"", "<h1>x", "<b>"] {
        assert!(!html.contains(part), "{part} is there:\n{html}");
    }
}
