//! `/api/journey/stream` for clients that hold a chat of their own: a conversation to its end, by cookie, by token and without
//! either, posted twice, resumed, and taken up from messages alone.

use super::*;
use crate::{
    engine::flow::Status,
    http::chat::tests::{assert_message, open_calls},
};

const STREAM: &str = "/api/journey/stream";
const CHAT: &str = "/api/journey/chat-1/stream";
const OPENING: &str = "We sell card readers to bakeries in Leeds.";

impl Server {
    async fn journey_post(&self, body: Value, headers: &[(&str, &str)]) -> Response<HttpBody> {
        let headers = [&[("content-type", "application/json")], headers].concat();
        self.send(Method::POST, STREAM, &headers, body.to_string()).await
    }

    async fn seq(&self, run: &str) -> i64 {
        self.engine.store().run(run[10..].parse().expect("a UUID")).await.expect("read").expect("there").seq
    }
}

fn user(id: &str, text: &str) -> Value {
    json!({ "id": id, "role": "user", "parts": [{ "type": "text", "text": text }] })
}

/// A client that keeps messages as `useChat` does.
struct Chat {
    id: Option<&'static str>,
    /// A cookie or a run token.
    right: Option<(&'static str, String)>,
    messages: Vec<Value>,
    /// Where each post was answered.
    runs: Vec<String>,
}

impl Chat {
    fn new(id: Option<&'static str>, right: Option<(&'static str, String)>) -> Self {
        Chat { id, right, messages: vec![user("u1", OPENING)], runs: vec![] }
    }

    fn body(&self) -> Value {
        let mut body = json!({ "messages": self.messages, "trigger": "submit-message" });
        if let Some(id) = self.id {
            body["id"] = json!(id);
        }
        body
    }

    /// Posts all of it, and reads the response into the messages; answers its chunks.
    async fn post(&mut self, server: &Server) -> Vec<Value> {
        let right: Vec<(&str, &str)> = self.right.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let response = server.journey_post(self.body(), &right).await;
        self.runs.push(value(&response, "location"));
        let chunks = chunks(response).await;
        assert_message(&chunks);
        chunks.iter().for_each(|chunk| self.read(chunk));
        chunks
    }

    fn read(&mut self, chunk: &Value) {
        let tool = |state: &str, field: &str| json!({ "state": state, field: chunk[field] });
        let set = match chunk["type"].as_str().expect("a type") {
            "start" if self.messages.last().is_some_and(|last| last["role"] == "assistant") => {
                return assert_eq!(self.messages.last().expect("one")["id"], chunk["messageId"], "the message goes on");
            }
            "start" => return self.messages.push(json!({ "id": chunk["messageId"], "role": "assistant", "parts": [] })),
            "start-step" => return self.push(json!({ "type": "step-start" })),
            "text-delta" => return self.push(json!({ "type": "text", "text": chunk["delta"] })),
            "tool-input-start" if self.part(&chunk["toolCallId"]).is_none() => {
                let name = chunk["toolName"].as_str().expect("a name");
                return self.push(json!({ "type": format!("tool-{name}"), "toolCallId": chunk["toolCallId"], "state": "input-streaming" }));
            }
            "tool-input-available" => tool("input-available", "input"),
            "tool-output-available" => {
                let mut set = tool("output-available", "output");
                set["preliminary"] = json!(chunk["preliminary"] == true);
                set
            }
            "tool-output-error" => tool("output-error", "errorText"),
            "error" => panic!("{chunk}"),
            _ => return,
        };
        let part = self.part(&chunk["toolCallId"]).expect("a known call");
        part.as_object_mut().expect("an object").extend(set.as_object().expect("an object").clone());
    }

    fn push(&mut self, part: Value) {
        self.messages.last_mut().expect("one")["parts"].as_array_mut().expect("parts").push(part);
    }

    fn part(&mut self, id: &Value) -> Option<&mut Value> {
        let parts = self.messages.iter_mut().filter_map(|message| message["parts"].as_array_mut()).flatten();
        parts.into_iter().find(|part| part["toolCallId"] == *id)
    }

    fn calls(&self, tool: &str) -> Vec<&Value> {
        let parts = self.messages.iter().filter_map(|message| message["parts"].as_array()).flatten();
        parts.filter(|part| part["type"] == format!("tool-{tool}")).collect()
    }

    /// Gives the open question its answer; answers whether there was one.
    fn answer(&mut self) -> bool {
        let Some(call) = self.calls("askUser").into_iter().find(|call| call["state"] == "input-available").cloned() else { return false };
        let output = match (call["input"]["field"].as_str().expect("a field"), call["input"]["options"][0]["value"].as_str()) {
            ("offerPricing", _) => json!({ "answer": "£29 once, and 1.5% of sales" }),
            ("monthlyBudget", _) => json!("I don't know"),
            (_, Some(first)) if call["input"]["multi"] == true => json!({ "answer": [first] }),
            (_, Some(first)) => json!(first),
            (field, None) => json!(format!("In a few words: {field}.")),
        };
        let part = self.part(&call["toolCallId"]).expect("the call");
        (part["state"], part["output"]) = (json!("output-available"), output);
        true
    }

    /// Answers questions for as long as there are any.
    async fn finish(&mut self, server: &Server) -> Vec<Value> {
        for _ in 0..15 {
            let chunks = self.post(server).await;
            let open = open_calls(&chunks);
            let reason = chunks.last().expect("chunks")["finishReason"].as_str().expect("a reason").to_owned();
            assert_eq!(
                (open.as_slice(), reason.as_str()),
                if self.answer() { (["askUser"].as_slice(), "tool-calls") } else { (&[] as &[&str], "stop") }
            );
            if reason == "stop" {
                return chunks;
            }
        }
        panic!("it asks for ever: {:#?}", self.messages);
    }

    /// Every section complete, and each researched once.
    fn assert_researched_once(&self) {
        let results = self.calls("runResearch");
        let mut sections: Vec<&str> = results.iter().filter_map(|call| call["output"]["section"].as_str()).collect();
        sections.sort_unstable();
        assert_eq!(sections, ["competitors", "crossAnalysis", "icpValidation", "industryMarket", "offerAnalysis"]);
        assert!(results.iter().all(|call| call["output"]["status"] == "complete" && call["preliminary"] != true), "{results:#?}");
    }
}

async fn bearer(server: &Server) -> String {
    let response = server.journey_post(Chat::new(Some("chat-1"), None).body(), &[]).await;
    let bearer = format!("Bearer {}", value(&response, "colloquy-run-token"));
    text(response).await;
    bearer
}

#[tokio::test]
async fn a_conversation_is_held_to_its_end_by_cookie_and_by_token() {
    let server = server(&[]).await;
    for right in [("cookie", owner(&server).await), ("authorization", bearer(&server).await)] {
        let mut chat = Chat::new(Some("chat-1"), Some(right));
        let last = chat.finish(&server).await;
        assert!(chat.runs.iter().all(|run| *run == chat.runs[0]), "one chat, one run");
        assert_eq!(last.last().expect("chunks")["messageMetadata"]["status"], "done");
        chat.assert_researched_once();
        // All of it is one message of the assistant's, which ends in the summary.
        assert_eq!(chat.messages.len(), 2);
        assert!(chat.messages[1]["parts"].as_array().expect("parts").last().is_some_and(|part| part["type"] == "text"));
        // The conversation goes on afterwards, in a message of its own.
        let first = chat.messages[1]["id"].clone();
        chat.messages.push(user("u2", "What should I do first?"));
        let more = chat.post(&server).await;
        assert_eq!((chat.runs.last(), chat.messages.len()), (chat.runs.first(), 4));
        assert_ne!(more[0]["messageId"], first);
    }
}

#[tokio::test]
async fn without_cookie_and_token_the_messages_are_the_conversation() {
    let server = server(&[]).await;
    let mut chat = Chat::new(None, None);
    chat.finish(&server).await;
    chat.assert_researched_once();
    let runs: std::collections::BTreeSet<&String> = chat.runs.iter().collect();
    assert_eq!(runs.len(), chat.runs.len(), "each post is a run of its own");
    // What the messages claim is marked, and nothing of ours.
    chat.messages.push(user("u2", "And now?"));
    let response = server.journey_post(chat.body(), &[]).await;
    let (run, token) = (value(&response, "location"), format!("Bearer {}", value(&response, "colloquy-run-token")));
    assert_eq!(open_calls(&chunks(response).await), Vec::<&str>::new());
    let read = json(server.get(&run, &[("authorization", &token)]).await).await;
    let studies = read["state"]["studies"].as_array().expect("studies");
    assert!(studies.iter().all(|study| study["result"]["attempt"] == 0 && study["attempts"] == 0), "{studies:#?}");
}

#[tokio::test]
async fn the_same_post_changes_nothing() {
    let server = server(&[]).await;
    let cookie = owner(&server).await;
    let mut chat = Chat::new(Some("chat-1"), Some(("cookie", cookie.clone())));
    for _ in 0..3 {
        let before = chat.body();
        let first = chat.post(&server).await;
        let seq = server.seq(&chat.runs[0]).await;
        let response = server.journey_post(before, &[("cookie", &cookie)]).await;
        assert_eq!(value(&response, "location"), chat.runs[0]);
        // What was told of it while it was written comes whole now.
        let words = |chunks: &[Value]| chunks.iter().filter_map(|chunk| chunk["delta"].as_str()).collect::<String>();
        let again = chunks(response).await;
        assert_eq!((&again[0], words(&again), again.last()), (&first[0], words(&first), first.last()));
        assert_eq!(server.seq(&chat.runs[0]).await, seq);
        chat.answer();
    }
}

#[tokio::test]
async fn simultaneous_first_posts_are_one_run() {
    let server = server(&[]).await;
    let cookie = owner(&server).await;
    let (chat, mine) = (Chat::new(Some("chat-1"), None), [("cookie", cookie.as_str())]);
    let answers = futures::future::join_all((0..8).map(|_| server.journey_post(chat.body(), &mine))).await;
    let first = value(&answers[0], "location");
    assert!(answers.iter().all(|answer| value(answer, "location") == first));
    for answer in answers {
        assert_eq!(open_calls(&chunks(answer).await), ["askUser"]);
    }
    // To somebody else it is another chat, whatever they call it.
    let long: &'static str = "a chat’s id of more than thirty-two characters";
    let runs = [Chat::new(Some("chat-1"), None), Chat::new(Some(long), None), Chat::new(Some(long), None)];
    let answers = futures::future::join_all(runs.iter().map(|chat| server.journey_post(chat.body(), &[]))).await;
    let runs: std::collections::BTreeSet<String> = answers.iter().map(|answer| value(answer, "location")).chain([first]).collect();
    assert_eq!(runs.len(), 4);
}

#[tokio::test]
async fn a_message_is_resumed_from_its_start_while_it_goes_on() {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "50")]).await;
    let cookie = owner(&server).await;
    let posted = server.journey_post(Chat::new(Some("chat-1"), None).body(), &[("cookie", &cookie)]).await;
    let (run, bearer) = (value(&posted, "location"), format!("Bearer {}", value(&posted, "colloquy-run-token")));
    for (name, right) in [("cookie", &cookie), ("authorization", &bearer)] {
        let resumed = server.get(CHAT, &[(name, right)]).await;
        assert_eq!((resumed.status(), value(&resumed, "location")), (StatusCode::OK, run.clone()), "{name}");
    }
    assert_eq!(server.get(CHAT, &[]).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(server.get("/api/journey/other/stream", &[("cookie", &cookie)]).await.status(), StatusCode::NO_CONTENT);
    let resumed = server.get(CHAT, &[("cookie", &cookie)]).await;
    let (posted, resumed) = (chunks(posted).await, chunks(resumed).await);
    assert_message(&resumed);
    assert_eq!((&resumed[0], resumed.last()), (&posted[0], posted.last()));
    // It waits for an answer: nothing goes on.
    assert_eq!(server.get(CHAT, &[("cookie", &cookie)]).await.status(), StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn an_answer_goes_on_in_the_clients_message_also_when_it_is_resumed() {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "50")]).await;
    // Taken up from messages whose ids are the client's own.
    let call = json!({ "type": "tool-askUser", "toolCallId": "q", "state": "output-available", "input": { "question": "Which industry?", "field": "industry" }, "output": "Payments" });
    let messages = json!([user("u1", OPENING), { "id": "mine", "role": "assistant", "parts": [call] }]);
    let first = server.journey_post(json!({ "id": "chat-1", "messages": messages }), &[]).await;
    let bearer = format!("Bearer {}", value(&first, "colloquy-run-token"));
    let resumed = server.get(CHAT, &[("authorization", &bearer)]).await;
    for response in [first, resumed] {
        let mut body = response.into_body().into_data_stream();
        let frame = futures::StreamExt::next(&mut body).await.expect("a frame").expect("bytes");
        let start: Value = serde_json::from_slice(frame.strip_prefix(b"data: ").expect("a chunk")).expect("JSON");
        assert_eq!(start["messageId"], "mine");
    }
}

#[tokio::test]
async fn a_stopped_conversation_goes_on_with_an_answer() {
    let server = server(&[]).await;
    let cookie = owner(&server).await;
    let mut chat = Chat::new(Some("chat-1"), Some(("cookie", cookie.clone())));
    chat.post(&server).await;
    let stopped = server.send(Method::POST, &format!("{}/stop", chat.runs[0]), &[("cookie", &cookie)], "").await;
    assert_eq!(stopped.status(), StatusCode::NO_CONTENT);
    assert!(chat.answer());
    assert_eq!(open_calls(&chat.post(&server).await), ["askUser"]);
    let row = server.engine.store().run(chat.runs[0][10..].parse().expect("a UUID")).await.expect("read").expect("there");
    assert_eq!((row.status, row.external_id.as_deref()), (Status::Waiting, Some("chat-1")));
}

#[tokio::test]
async fn wrong_posts_are_told_what_is_wrong() {
    let server = server(&[]).await;
    for (body, pointer) in [
        (json!({ "id": "i".repeat(256), "messages": [] }), "/id"),
        (json!({ "messages": [user("u", &"x".repeat(4001))] }), "/messages"),
        (json!({ "messages": [user("u", "\u{1}")] }), "/messages"),
        (json!({ "messages": [user("u", "Hello"), user(&"i".repeat(256), "there")] }), "/messages/1/id"),
        (json!({ "messages": [{ "role": 7 }] }), "/messages/0/role"),
    ] {
        let problem = problem(server.journey_post(body, &[]).await, 422, "invalid").await;
        assert_eq!(problem["errors"][0]["pointer"], pointer);
    }
    assert_eq!(server.engine.store().spent(None, 0).await.expect("read").runs, 0);
    // Nothing has to be said: the interviewer begins.
    assert_eq!(open_calls(&chunks(server.journey_post(json!({}), &[]).await).await), ["askUser"]);
}
