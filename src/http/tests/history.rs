//! What a person does with runs besides talking in them.

use super::*;

/// A finished journey of that owner's; its id.
async fn journey(server: &Server, cookie: &str, query: &str) -> String {
    let response =
        server.simulate(json!({ "icpPersona": "Marta, 41, runs a bakery.", "initialQuery": query }), &[("cookie", cookie)]).await;
    let run = value(&response, "location");
    text(response).await;
    run.rsplit('/').next().expect("an id").to_owned()
}

/// What a browser without JavaScript sends; the address it is led to.
async fn post(server: &Server, cookie: &str, function: &str, form: &str, page: &str) -> String {
    posted(server, cookie, function, form, page).await.0
}

/// The same, with the cookie that was set on the way.
async fn posted(server: &Server, cookie: &str, function: &str, form: &str, page: &str) -> (String, String) {
    let referer = format!("http://127.0.0.1:3000{page}");
    let headers = [
        ("cookie", cookie),
        ("content-type", "application/x-www-form-urlencoded"),
        ("accept", "text/html,*/*"),
        ("referer", referer.as_str()),
        ("origin", "http://127.0.0.1:3000"),
    ];
    let response = server.send(Method::POST, &format!("/api/fn/{function}"), &headers, form.to_owned()).await;
    assert_eq!(response.status(), StatusCode::FOUND, "{function} {form}");
    let set = value(&response, "set-cookie").split(';').next().unwrap_or_default().to_owned();
    (value(&response, "location").trim_start_matches("http://127.0.0.1:3000").to_owned(), set)
}

async fn titles(server: &Server, cookie: &str, query: &str) -> Vec<String> {
    let found = super::json(server.get(&format!("/api/runs{query}"), &[("cookie", cookie)]).await).await;
    found["runs"].as_array().expect("runs").iter().map(|run| run["title"].as_str().expect("a title").to_owned()).collect()
}

#[tokio::test]
async fn programs_find_name_pin_delete_and_bring_back() {
    let server = server(&[]).await;
    let (anna, berta) = (owner(&server).await, owner(&server).await);
    let (first, second) = (journey(&server, &anna, "Which card reader?").await, journey(&server, &anna, "Which oven?").await);
    let all = titles(&server, &anna, "").await;
    assert_eq!(all, ["Marta: Which oven?", "Marta: Which card reader?"]);
    assert_eq!(titles(&server, &anna, "?q=OVEN").await, ["Marta: Which oven?"]);
    assert!(titles(&server, &berta, "").await.is_empty());
    let few = super::json(server.get("/api/runs?limit=1", &[("cookie", &anna)]).await).await;
    assert_eq!((few["runs"].as_array().map(Vec::len), &few["total"]), (Some(1), &json!(2)));

    let send = async |method: Method, path: &str, cookie: &str, body: Value| {
        server
            .send(method, &format!("/api/runs/{path}"), &[("cookie", cookie), ("content-type", "application/json")], body.to_string())
            .await
    };
    let changed = super::json(send(Method::PATCH, &first, &anna, json!({ "title": " Card\n readers ", "pinned": true })).await).await;
    assert_eq!((&changed["title"], &changed["pinned"]), (&json!("Card readers"), &json!(true)));
    assert_eq!(titles(&server, &anna, "").await, ["Card readers", "Marta: Which oven?"], "the pinned one comes first");
    for wrong in [json!({ "title": " " }), json!({ "title": "x".repeat(121) })] {
        let problem = problem(send(Method::PATCH, &first, &anna, wrong).await, 422, "invalid").await;
        assert_eq!(problem["errors"][0]["pointer"], "/title");
    }
    problem(send(Method::PATCH, &first, &anna, json!({ "owner": "x" })).await, 422, "invalid").await;

    // Somebody else's is not there, whatever is asked.
    for (method, path) in [
        (Method::PATCH, first.clone()),
        (Method::DELETE, first.clone()),
        (Method::PUT, format!("{first}/share")),
        (Method::POST, format!("{first}/undelete")),
    ] {
        problem(send(method, &path, &berta, json!({ "pinned": true })).await, 404, "not_found").await;
    }

    assert_eq!(send(Method::DELETE, &second, &anna, json!(null)).await.status(), StatusCode::NO_CONTENT);
    for path in ["", "/events", "/export.md"] {
        problem(server.get(&format!("/api/runs/{second}{path}"), &[("cookie", &anna)]).await, 404, "not_found").await;
    }
    assert_eq!(server.get(&format!("/demo/{second}"), &[("cookie", &anna)]).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(titles(&server, &anna, "").await.len(), 1);
    assert_eq!(send(Method::POST, &format!("{second}/undelete"), &anna, json!(null)).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(titles(&server, &anna, "").await.len(), 2);
}

#[tokio::test]
async fn a_run_that_is_deleted_stops_and_its_streams_end() {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "200")]).await;
    let cookie = owner(&server).await;
    let run = value(&server.simulate(marta(), &[("cookie", &cookie)]).await, "location");
    let mut stream = server.get(&format!("{run}/events"), &[("cookie", &cookie)]).await.into_body().into_data_stream();
    let first = futures::StreamExt::next(&mut stream).await.expect("a frame").expect("bytes");
    assert!(String::from_utf8_lossy(&first).contains("\"started\""));
    assert_eq!(server.send(Method::DELETE, &run, &[("cookie", &cookie)], "").await.status(), StatusCode::NO_CONTENT);
    let rest = futures::StreamExt::count(stream);
    tokio::time::timeout(std::time::Duration::from_secs(5), rest).await.expect("the stream ends");
    let id = run.rsplit('/').next().expect("an id").parse().expect("a UUID");
    let row = server.engine.store().run(id).await.expect("read").expect("kept for the undo");
    assert_eq!(row.status.word(), "stopped");
}

#[tokio::test]
async fn delete_all_my_data_leaves_nothing_and_makes_somebody_new() {
    let server = server(&[]).await;
    let (anna, berta) = (owner(&server).await, owner(&server).await);
    let (mine, theirs) = (journey(&server, &anna, "Which one?").await, journey(&server, &berta, "Which one?").await);
    let link = super::json(server.send(Method::PUT, &format!("/api/runs/{mine}/share"), &[("cookie", &anna)], "").await).await;
    let link = link["url"].as_str().expect("a link").trim_start_matches("http://127.0.0.1:3000").to_owned();
    problem(server.send(Method::DELETE, "/api/me", &[], "").await, 401, "unauthorized").await;

    // Without the tick nothing happens, and the page says so.
    let (back, refused) = posted(&server, &anna, "erase_me", "", "/runs?show=desk").await;
    let shown = text(server.get(&back, &[("cookie", &format!("{anna}; {refused}"))]).await).await;
    assert!(back.starts_with("/runs?show=desk&") && shown.contains("Nothing was deleted."));
    assert_eq!(titles(&server, &anna, "").await.len(), 1);

    let response = server.send(Method::DELETE, "/api/me", &[("cookie", &anna)], "").await;
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
    let cookies: Vec<String> =
        response.headers().get_all("set-cookie").iter().map(|cookie| cookie.to_str().expect("text").to_owned()).collect();
    assert!(cookies[0].starts_with("colloquy_owner=") && !cookies[0].starts_with(&anna) && cookies[1].starts_with("colloquy_shares=;"));
    assert!(titles(&server, &anna, "").await.is_empty());
    for path in [format!("/api/runs/{mine}"), format!("/api/runs/{mine}/export.json")] {
        problem(server.get(&path, &[("cookie", &anna)]).await, 404, "not_found").await;
    }
    assert_eq!(server.get(&link, &[]).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(super::json(server.get(&format!("/api/runs/{theirs}"), &[("cookie", &berta)]).await).await["status"], "done");

    // The same by a form, which leads on.
    assert_eq!(post(&server, &berta, "erase_me", "sure=yes", "/runs").await, "/runs?erased=yes");
    assert!(titles(&server, &berta, "").await.is_empty());
}

#[tokio::test]
async fn a_run_is_taken_away_as_markdown_and_as_json() {
    let server = server(&[]).await;
    let cookie = owner(&server).await;
    let id = journey(&server, &cookie, "# Which <b>card</b> reader?").await;
    let markdown = server.get(&format!("/api/runs/{id}/export.md"), &[("cookie", &cookie)]).await;
    assert_eq!(value(&markdown, "content-type"), "text/markdown; charset=utf-8");
    assert!(value(&markdown, "content-disposition").starts_with("attachment; filename=\"marta-which-b-card-b-reader.md\""));
    let markdown = text(markdown).await;
    for part in [
        "# Marta: \\# Which",
        "- Rehearsal: Yes: scripted answers, no AI model",
        "- Models: rehearsal",
        "- Status: Done",
        "- Cost: None",
        "## Discovery",
        "## Activation",
        "**Marta, simulated customer**\n\n> \\# Which \\<b\\>card",
        "**Assistant**\n\n> ",
        "**Learned in Discovery**\n\n- ",
    ] {
        assert!(markdown.contains(part), "{part} is missing from\n{markdown}");
    }
    let exported = server.get(&format!("/api/runs/{id}/export.json"), &[("cookie", &cookie)]).await;
    assert!(value(&exported, "content-disposition").contains(".json"));
    let exported = super::json(exported).await;
    assert_eq!((&exported["id"], &exported["models"], &exported["rehearsal"]), (&json!(id), &json!(["rehearsal"]), &json!(true)));
    assert!(exported["events"].as_array().is_some_and(|events| events.len() > 10) && exported["exportedAt"].is_i64());
    problem(server.get(&format!("/api/runs/{id}/export.md"), &[]).await, 404, "not_found").await;
}

#[tokio::test]
async fn the_pages_work_without_javascript() {
    let server = server(&[]).await;
    let cookie = owner(&server).await;
    let page = async |path: &str| text(server.get(path, &[("cookie", &cookie)]).await).await;
    assert!(page("/runs").await.contains("Nothing is kept here yet."));
    let id = journey(&server, &cookie, "Which <card> reader?").await;
    let about = format!("/runs/{id}/about");

    assert_eq!(post(&server, &cookie, "rename_run", &format!("id={id}&title=My+%3Cb%3E+readers"), &about).await, about);
    assert_eq!(post(&server, &cookie, "pin_run", &format!("id={id}&pinned=true"), &about).await, about);
    let html = page("/runs").await;
    for part in [
        "aria-label=\"Runs\"",
        "My &lt;b&gt; readers",
        "Pinned: ",
        "1 conversation",
        "Conversations stay here until you delete them.",
        &about,
        &format!("/demo/{id}"),
    ] {
        assert!(html.contains(part), "{part} is missing");
    }
    assert!(page("/runs?q=no+such+words").await.contains("Nothing here holds “no such words”."));
    assert!(page("/runs?q=card").await.contains("My &lt;b&gt; readers"));

    let html = page(&about).await;
    for part in ["Unpin", "Share", "Export Markdown", "Replay", &format!("/demo?from={id}"), "Model calls", "scripted answers, no AI model"]
    {
        assert!(html.contains(part), "{part} is missing");
    }
    // A name that is none is refused on the page.
    for (function, form, from, said) in [
        ("rename_run", format!("id={id}&title=+"), about.as_str(), "Write what the conversation should be called."),
        ("start_simulation", "icp=&query=x&key=".to_owned(), "/demo", "Describe the customer in a sentence or two."),
    ] {
        let (back, refused) = posted(&server, &cookie, function, &form, from).await;
        let shown = text(server.get(&back, &[("cookie", &format!("{cookie}; {refused}"))]).await).await;
        assert!(back.starts_with(from) && refused.starts_with("colloquy_refused=") && shown.contains(said));
        // An address alone makes no page say anything.
        assert!(!page(&back).await.contains(said));
    }

    let found = server.get(&format!("/runs/{id}"), &[("cookie", &cookie)]).await;
    assert_eq!((found.status(), value(&found, "location")), (StatusCode::SEE_OTHER, format!("/demo/{id}")));
    for path in [format!("/runs/{id}"), about.clone()] {
        assert_eq!(server.get(&path, &[]).await.status(), StatusCode::NOT_FOUND, "{path}");
    }

    let deleted = post(&server, &cookie, "delete_run", &format!("id={id}"), &about).await;
    assert_eq!(deleted, format!("/runs?deleted={id}"));
    assert!(page(&deleted).await.contains("is deleted. It can be brought back for a day."));
    assert!(!text(server.get(&deleted, &[]).await).await.contains("is deleted."), "others are told nothing");
    assert_eq!(post(&server, &cookie, "undelete_run", &format!("id={id}"), &deleted).await, "/runs");
    assert!(page("/runs").await.contains("My &lt;b&gt; readers"));
}

#[tokio::test]
async fn a_long_list_is_shown_bit_by_bit_and_says_how_long_it_is_kept() {
    let server = server_with("[store]\nretention_days = 7\n", &[]).await;
    let cookie = owner(&server).await;
    for _ in 0..31 {
        server.simulate(marta(), &[("cookie", &cookie)]).await;
    }
    let html = text(server.get("/runs", &[("cookie", &cookie)]).await).await;
    assert!(html.contains("/runs?pages=2") && html.contains("for 7 days after their last change"));
    let rows = |html: &str| html.matches("class=\"run\"").count();
    assert_eq!(rows(&html), 30);
    let html = text(server.get("/runs?pages=2", &[("cookie", &cookie)]).await).await;
    assert!(rows(&html) == 31 && !html.contains("pages=3"));
}
