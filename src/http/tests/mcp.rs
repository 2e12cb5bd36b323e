//! `/mcp` as clients of both generations meet it: what is offered, called, refused, told meanwhile and left behind.

use super::*;
use crate::{
    engine::flow::Status,
    models::loopback::{Loopback, refusal},
    rooms::debate::{
        flow::{Debate, TOPIC},
        server::tools::TOOLS,
    },
};
use futures::future::join_all;

const OLD: [&str; 2] = ["2025-03-26", "2025-11-25"];
const NEW: &str = "2026-07-28";
const TALKS: [(&str, &str); 2] = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];

impl Server {
    async fn post(&self, headers: &[(&str, &str)], body: impl Into<HttpBody>) -> Response<HttpBody> {
        self.send(Method::POST, "/mcp", &[&TALKS, headers].concat(), body).await
    }

    /// One message in that revision of the protocol.
    async fn ask(&self, revision: &str, method: &str, mut params: Value) -> Response<HttpBody> {
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let mut headers = vec![("mcp-protocol-version", revision)];
        if revision == NEW {
            headers.extend([("mcp-method", method), ("mcp-name", &name)]);
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(revision);
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        self.post(&headers, json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string()).await
    }

    async fn result(&self, revision: &str, method: &str, params: Value) -> Value {
        let mut messages = messages(self.ask(revision, method, params).await).await;
        let last = messages.pop().expect("an answer");
        assert_eq!((&last["id"], messages.len()), (&json!(7), 0), "{last}");
        last["result"].clone()
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.result(NEW, "tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Why that tool refused.
    async fn refused(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{tool}: {result}");
        result["content"][0]["text"].as_str().expect("a sentence").to_owned()
    }
}

/// What comes back to a request, its answer last.
async fn messages(response: Response<HttpBody>) -> Vec<Value> {
    assert_eq!((response.status(), value(&response, "content-type").as_str()), (StatusCode::OK, "text/event-stream"));
    let text = text(response).await;
    let frames = text.lines().filter_map(|line| line.strip_prefix("data: "));
    frames.map(|frame| serde_json::from_str(frame).expect("JSON")).collect()
}

/// A refusal of the protocol's.
async fn error(response: Response<HttpBody>, status: u16, code: i64) -> String {
    assert_eq!((response.status().as_u16(), value(&response, "content-type").as_str()), (status, "application/json"));
    let error: Value = serde_json::from_str(&text(response).await).expect("JSON");
    assert_eq!((&error["jsonrpc"], &error["error"]["code"]), (&json!("2.0"), &json!(code)), "{error}");
    error["error"]["message"].as_str().expect("a sentence").to_owned()
}

/// A tool as one may call it.
fn line(tool: &Value) -> String {
    let (takes, required) = (&tool["inputSchema"]["properties"], tool["inputSchema"]["required"].as_array().expect("names"));
    let mark = |name: &String| if required.contains(&json!(name)) { name.clone() } else { format!("{name}?") };
    let takes: Vec<String> = takes.as_object().expect("properties").keys().map(mark).collect();
    let answers: Vec<&str> = tool["outputSchema"]["required"].as_array().expect("names").iter().filter_map(Value::as_str).collect();
    let hints = &tool["annotations"];
    let hints = ["readOnlyHint", "idempotentHint", "destructiveHint", "openWorldHint"].map(|hint| hints[hint] == true);
    format!("{} ({}): {} → {} {hints:?}", tool["name"], tool["title"], takes.join(", "), answers.join(", "))
}

#[tokio::test]
async fn both_generations_are_greeted_and_told_the_tools() {
    let server = server(&[]).await;
    let hello =
        |revision: &str| json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    let mut greetings = Vec::new();
    for revision in OLD {
        let greeting = server.result(revision, "initialize", hello(revision)).await;
        assert_eq!(greeting["protocolVersion"], revision);
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(server.post(&[("mcp-protocol-version", revision)], initialized.to_string()).await.status(), StatusCode::ACCEPTED);
        greetings.push((revision, greeting));
    }
    let found = server.result(NEW, "server/discover", json!({})).await;
    assert!(found["supportedVersions"].as_array().is_some_and(|known| known.contains(&json!(NEW)) && known.contains(&json!(OLD[1]))));
    greetings.push((NEW, found));
    for (revision, greeting) in greetings {
        let instructions = greeting["instructions"].as_str().unwrap_or_default();
        assert!(instructions.contains("create_initial_state") && greeting["capabilities"]["tools"].is_object(), "{greeting}");
        let tools = server.result(revision, "tools/list", json!({})).await["tools"].take();
        let tools = tools.as_array().expect("tools");
        let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
        assert_eq!(names, TOOLS.iter().map(|tool| tool.name).chain(["run_debate"]).collect::<Vec<_>>());
        assert!(tools.iter().all(|tool| tool["outputSchema"]["type"] == "object" && tool["inputSchema"]["additionalProperties"] == false));
    }
    let tools = server.result(NEW, "tools/list", json!({})).await;
    let lines = tools["tools"].as_array().expect("tools").iter().map(line).collect::<Vec<_>>();
    insta::assert_snapshot!("mcp_tools", lines.join("\n"));
}

#[tokio::test]
async fn every_answer_fits_its_schema() {
    let server = server(&[]).await;
    let tools = server.result(NEW, "tools/list", json!({})).await;
    let fits = |name: &str, answer: &Value| {
        let tool = tools["tools"].as_array().expect("tools").iter().find(|tool| tool["name"] == name).expect("it is there");
        jsonschema::validate(&tool["outputSchema"], &answer["structuredContent"]).expect("it fits");
    };
    let panel =
        json!([{ "name": "Ada", "philosophy": "Count.", "hue": "teal", "model": "rehearsal" }, { "name": "Bo", "philosophy": "Feel." }]);
    let begun = server.call("create_initial_state", json!({ "topic": "Tea?", "personas": panel, "max_exchange_rounds": 1.0 })).await;
    fits("create_initial_state", &begun);
    let state = &begun["structuredContent"];
    assert_eq!(begun["content"][0]["text"].as_str().map(serde_json::from_str::<Value>).and_then(Result::ok).as_ref(), Some(state));
    let prompt = server.call("build_opening_prompt", json!({ "persona_id": "ada", "state_dict": state })).await;
    fits("build_opening_prompt", &prompt);
    assert_eq!(prompt["content"][0]["text"], prompt["structuredContent"]["result"]);
    assert!(prompt["content"][0]["text"].as_str().is_some_and(|prompt| prompt.contains("Tea?") && prompt.contains("Count.")));
    let usual = server.call("build_opening_prompt", json!({ "persona_id": "gandhi", "state_dict": null })).await;
    assert!(usual["content"][0]["text"].as_str().is_some_and(|prompt| prompt.contains(TOPIC)));
    fits("run_debate", &server.call("run_debate", json!({ "personas": panel, "max_exchange_rounds": 1 })).await);
}

#[tokio::test]
async fn a_debate_is_held_for_whoever_calls_and_its_progress_is_told() {
    let server = server(&[]).await;
    for revision in [OLD[0], OLD[1], NEW] {
        let params = json!({ "name": "run_debate", "arguments": { "max_exchange_rounds": 2 }, "_meta": { "progressToken": "mine" } });
        let mut messages = messages(server.ask(revision, "tools/call", params).await).await;
        let result = messages.pop().expect("an answer")["result"].take();
        assert_eq!(result["isError"], false, "{result}");
        let debate = &result["structuredContent"];
        assert_eq!((&debate["phase"], &debate["exchange_rounds"], &debate["max_exchange_rounds"]), (&json!("DONE"), &json!(2), &json!(2)));
        let told: Vec<(f64, &str)> = messages
            .iter()
            .map(|message| {
                let params = &message["params"];
                assert_eq!((&message["method"], &params["progressToken"]), (&json!("notifications/progress"), &json!("mine")));
                assert_eq!(params["total"], 16.0);
                (params["progress"].as_f64().expect("a number"), params["message"].as_str().expect("words"))
            })
            .collect();
        assert_eq!(told.iter().map(|(done, _)| *done).collect::<Vec<_>>(), (1..=16).map(f64::from).collect::<Vec<_>>());
        assert_eq!((told[0].1, told[10].1, told[15].1), ("Napoleon, OPENING", "Gandhi, EXCHANGE round 2", "Summariser, SUMMARY"));
        let (run, token) = (debate["run_id"].as_str().expect("an id"), debate["run_token"].as_str().expect("a token"));
        let read = json(server.get(&format!("/api/runs/{run}"), &[("authorization", &format!("Bearer {token}"))]).await).await;
        assert_eq!((&read["kind"], &read["status"]), (&json!("debate"), &json!("done")));
    }
}

#[tokio::test]
async fn a_debate_belongs_to_the_session_that_asked_for_it() {
    let server = server(&[]).await;
    let owner = owner(&server).await;
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": "run_debate", "arguments": {} } });
    let held = messages(server.post(&[("cookie", &owner)], call.to_string()).await).await;
    let run = held[0]["result"]["structuredContent"]["run_id"].as_str().expect("an id").to_owned();
    assert_eq!(json(server.get(&format!("/api/runs/{run}"), &[("cookie", &owner)]).await).await["kind"], "debate");
    problem(server.get(&format!("/api/runs/{run}"), &[]).await, 404, "not_found").await;
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_refused_by_name() {
    let server = server(&[]).await;
    let state = server.call("create_initial_state", json!({})).await["structuredContent"].take();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut arguments = json!({ "persona_id": "gandhi", "text": "Peace.", "state_dict": state });
        change(&mut arguments);
        arguments
    };
    let message = json!({ "author_id": "gandhi", "author_name": "Gandhi", "content": "x", "round_index": 0, "phase": "OPENING" });
    let crowd = vec![json!({ "name": "Ada", "philosophy": "Count." }); 50_000];
    let rows = [
        ("create_initial_state", json!({ "max_exchange_rounds": 1_000_000_000 }), "Choose 1 to 6 exchange rounds."),
        (
            "create_initial_state",
            json!({ "max_exchange_rounds": -3 }),
            "max_exchange_rounds has to be a whole number from 1 to 6, and was -3.",
        ),
        ("create_initial_state", json!({ "max_exchange_rounds": 2.5 }), "and was 2.5."),
        ("create_initial_state", json!({ "max_exchange_rounds": 1e300 }), "and was 1e+300."),
        ("create_initial_state", json!({ "max_exchange_rounds": "3" }), "and was a string."),
        ("create_initial_state", json!({ "topic": 3 }), "topic has to be a string, and was a number."),
        ("create_initial_state", json!({ "topic": "x".repeat(301) }), "Write a motion of 1 to 300 characters."),
        ("create_initial_state", json!({ "personas": {} }), "personas has to be an array, and was an object."),
        ("create_initial_state", json!({ "personas": [] }), "A debate needs 2 to 6 debaters; there are 0."),
        ("create_initial_state", json!({ "personas": crowd }), "A debate needs 2 to 6 debaters; there are 50000."),
        (
            "create_initial_state",
            json!({ "personas": [{ "name": "Ada", "philosophy": 1 }] }),
            "personas/0/philosophy is not what it has to be",
        ),
        (
            "create_initial_state",
            json!({ "rounds": 3, "topic": "x" }),
            "There is no argument “rounds” here. This tool takes max_exchange_rounds,",
        ),
        ("get_debate_state", json!({}), "state_dict is missing. This tool takes state_dict."),
        ("get_debate_state", json!({ "state_dict": "{}" }), "state_dict has to be an object, and was a string."),
        ("get_debate_state", json!({ "state_dict": {} }), "state_dict is not what it has to be: missing field `phase`."),
        (
            "record_opening",
            with(&|all| all["persona_id"] = json!(null)),
            "persona_id is missing. This tool takes persona_id, text, state_dict.",
        ),
        ("record_opening", with(&|all| all["persona_id"] = json!("x".repeat(100_000))), "persona_id has at most 40 characters."),
        (
            "record_opening",
            with(&|all| all["persona_id"] = json!("caesar")),
            "There is no persona “caesar” in this debate. There are: napoleon,",
        ),
        ("record_opening", with(&|all| all["text"] = json!("x".repeat(4_001))), "Give the words that were said, 1 to 4000 characters."),
        ("record_opening", with(&|all| all["text"] = json!(["x"])), "text has to be a string, and was an array."),
        ("record_opening", with(&|all| all["round"] = json!(1)), "There is no argument “round” here."),
        ("record_opening", with(&|all| all["state_dict"]["phase"] = json!("x".repeat(9_999))), "state_dict/phase is not what it has to be"),
        ("record_opening", with(&|all| all["state_dict"]["messages"] = json!(vec![&message; 20_000])), "holds at most 19 messages"),
        (
            "record_opening",
            with(&|all| all["state_dict"]["openings"] = json!({ "gandhi": "x".repeat(5_000) })),
            "of at most 4000 characters",
        ),
        ("record_opening", with(&|all| all["state_dict"]["exchange_rounds"] = json!(4)), "All 3 exchange rounds have begun."),
        ("record_defence", with(&|_| {}), "This belongs into DEFENCE, and the debate is in OPENING."),
        ("advance_phase", json!({ "state_dict": state, "new_phase": "DEFENCE" }), "still to speak: Napoleon, Gandhi, Alexander."),
        ("advance_phase", json!({ "state_dict": state, "new_phase": "DONE" }), "After OPENING comes DEFENCE, not DONE."),
        ("run_debate", json!({ "max_exchange_rounds": 0 }), "Choose 1 to 6 exchange rounds."),
        ("run_debate", json!({ "personas": [{ "name": "Ada" }] }), "missing field `philosophy`"),
        ("run_debate", json!({ "motion": "x" }), "There is no argument “motion” here."),
    ];
    let refusals = join_all(rows.into_iter().map(|(tool, arguments, words)| {
        let refused = server.refused(tool, arguments);
        async move { (tool, words, refused.await) }
    }));
    for (tool, words, said) in refusals.await {
        assert!(said.contains(words) && said.chars().count() < 400, "{tool}: {said}");
    }
    assert_eq!(server.engine.store().spent(None, 0).await.expect("read").runs, 0);
}

#[tokio::test]
async fn what_the_protocol_refuses_is_a_json_rpc_error() {
    let server = server(&[]).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    error(server.post(&[], "{").await, 400, -32700).await;
    error(server.post(&[], "[]").await, 400, -32700).await;
    error(server.post(&[], format!("{}1{}", "[".repeat(9_999), "]".repeat(9_999))).await, 400, -32700).await;
    let large = error(server.post(&[], " ".repeat(4 * 1024 * 1024 + 1)).await, 413, -32600).await;
    assert!(large.contains("4194304 bytes"), "{large}");
    error(server.send(Method::POST, "/mcp", &TALKS[..1], ping.clone()).await, 406, -32600).await;
    error(server.send(Method::POST, "/mcp", &TALKS[1..], ping.clone()).await, 415, -32600).await;
    error(server.post(&[("mcp-protocol-version", "1999-01-01")], ping.clone()).await, 400, -32600).await;
    let nowhere = messages(server.ask(OLD[1], "tools/call", json!({ "name": "nowhere", "arguments": {} })).await).await;
    assert_eq!(nowhere[0]["error"]["code"], -32602, "{nowhere:?}");
    // Nothing is remembered, so there is no stream to open and no session to end.
    for method in [Method::GET, Method::DELETE] {
        let response = server.send(method, "/mcp", &TALKS, "").await;
        assert_eq!(value(&response, "allow"), "POST");
        problem(response, 405, "method_not_allowed").await;
    }
}

#[tokio::test]
async fn foreign_origins_and_hosts_are_refused() {
    let own = server(&[]).await;
    let public = server(&[("COLLOQUY_PUBLIC_URL", "https://colloquy.example"), ("CORS_ORIGINS", "https://friend.example")]).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    let send = async |server: &Server, host: &str, origin: &str| {
        let request = Request::builder().method(Method::POST).uri("/mcp").header(header::HOST, host).header(header::ORIGIN, origin);
        let request = TALKS.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let request = request.body(HttpBody::from(ping.clone())).expect("a request");
        server.router.clone().oneshot(request).await.expect("an answer").status().as_u16()
    };
    for (server, host, origin, status) in [
        (&own, "127.0.0.1:3000", "http://127.0.0.1:3000", 200),
        (&own, "localhost:8000", "http://localhost:3000", 200),
        (&own, "127.0.0.1:3000", "https://evil.example", 403),
        (&own, "127.0.0.1:3000", "null", 403),
        (&own, "evil.example", "http://evil.example", 403),
        (&public, "colloquy.example", "https://colloquy.example", 200),
        (&public, "127.0.0.1:3000", "https://friend.example", 200),
        (&public, "colloquy.example", "https://evil.example", 403),
        (&public, "evil.example", "https://colloquy.example", 403),
    ] {
        assert_eq!(send(server, host, origin).await, status, "{origin} asks {host}");
    }
    let asked =
        [("origin", "http://localhost:3000"), ("access-control-request-method", "POST"), ("access-control-request-headers", "mcp-method")];
    let allowed = own.send(Method::OPTIONS, "/mcp", &asked, "").await;
    assert_eq!(
        (value(&allowed, "access-control-allow-origin").as_str(), value(&allowed, "access-control-allow-headers").as_str()),
        (asked[0].1, "mcp-method")
    );
}

#[tokio::test]
async fn a_caller_that_goes_away_stops_nothing() {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "1")]).await;
    let call = server.ask(OLD[1], "tools/call", json!({ "name": "run_debate", "arguments": {} })).await;
    let id = running(&server).await;
    drop(call);
    assert_eq!(server.engine.rest::<Debate>(id).await.expect("it goes on").status(), Status::Done);
}

#[tokio::test]
async fn a_debate_that_does_not_end_is_refused_with_where_it_is() {
    // Its first word would take a minute.
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "60000")]).await;
    let call = json!({ "name": "run_debate", "arguments": {} });
    let stop = async {
        let run = running(&server).await;
        server.engine.shutdown().cancel();
        run
    };
    let (result, run) = tokio::join!(server.result(OLD[1], "tools/call", call), stop);
    let said = result["content"][0]["text"].as_str().expect("a sentence");
    assert_eq!(result["isError"], true);
    assert!(said.starts_with("The server is being stopped.") && said.contains(&format!("/api/runs/{run}/continue")), "{said}");
}

async fn running(server: &Server) -> Uuid {
    loop {
        match server.engine.store().running().await.expect("read").pop() {
            Some((id, _)) => return id,
            None => tokio::task::yield_now().await,
        }
    }
}

#[tokio::test]
async fn a_refused_key_is_said_and_never_shown() {
    let provider = Loopback::open().await;
    let server = server(&[("OPENAI_API_KEY", "sk-secret"), ("OPENAI_BASE_URL", &provider.url), ("COLLOQUY_MODEL", "openai:gpt-4o")]).await;
    let answer = refusal("401 Unauthorized", "", r#"{"error":{"message":"Incorrect API key provided: sk-secret"}}"#);
    let pieces = [answer.as_slice()];
    let (_, said) = tokio::join!(provider.answer(&pieces), server.refused("run_debate", json!({})));
    assert!(said.starts_with("OpenAI refused the key.") && said.contains("/api/runs/") && !said.contains("sk-secret"), "{said}");
}

#[tokio::test]
async fn nothing_starts_that_may_not_be_spent() {
    let off = server_with("[models]\nrehearsal = \"off\"\n", &[]).await;
    assert!(off.refused("run_debate", json!({})).await.contains("OPENAI_API_KEY"));
    let real = [
        ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"),
        ("COLLOQUY_MODEL", "openai:gpt-4o"),
        ("COLLOQUY_PUBLIC_URL", "http://127.0.0.1:3000"),
        ("COLLOQUY_ACCESS_CODE", "open sesame"),
    ];
    let closed = server(&real).await;
    let said = closed.refused("run_debate", json!({})).await;
    assert!(said.contains("access code") && said.contains("Colloquy-Access-Code"), "{said}");
    assert_eq!(closed.engine.store().spent(None, 0).await.expect("read").runs, 0);
}
