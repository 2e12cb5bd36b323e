//! Traces as a collector gets them: over OTLP/HTTP, with the names and attributes of the conventions for generative AI,
//! and without a word of what was said unless that was asked for.

use crate::process::{Run, Server};
use axum::{Router, body::Bytes, extract::State, routing::post};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value},
    trace::v1::{ResourceSpans, Span, span::SpanKind},
};
use prost::Message;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};
use tokio::net::TcpListener;

const ICP: &str = "Marta, 41, runs a bakery. Hates hidden fees.";

type Received = Arc<Mutex<Vec<ResourceSpans>>>;

/// A collector, and its address.
async fn collector() -> (Received, String) {
    let received = Received::default();
    let take = async |State(received): State<Received>, body: Bytes| {
        let request = ExportTraceServiceRequest::decode(body).expect("protobuf");
        received.lock().expect("not poisoned").extend(request.resource_spans);
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let app = Router::new().route("/v1/traces", post(take)).with_state(received.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (received, url)
}

/// What is told of one journey: everything there is has been sent when the server has ended.
async fn journey(environment: &[(&str, &str)]) -> (Vec<ResourceSpans>, String) {
    let (received, url) = collector().await;
    let folder = tempfile::tempdir().expect("a folder");
    let environment = [&[("OTEL_EXPORTER_OTLP_ENDPOINT", url.as_str()), ("OTEL_BSP_SCHEDULE_DELAY", "60000")], environment].concat();
    let server = Server::start(folder.path(), &environment).await;
    let run = Run::journey(&server, ICP).await;
    run.until_over(&server).await;
    server.stop().await;
    let id = run.path.rsplit('/').next().expect("an id").to_owned();
    let told = std::mem::take(&mut *received.lock().expect("not poisoned"));
    (told, id)
}

fn attributes(list: &[KeyValue]) -> BTreeMap<&str, String> {
    let text = |attribute: &KeyValue| match attribute.value.clone().and_then(|value| value.value) {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    };
    list.iter().map(|attribute| (attribute.key.as_str(), text(attribute))).collect()
}

fn spans(told: &[ResourceSpans]) -> Vec<&Span> {
    told.iter().flat_map(|resource| &resource.scope_spans).flat_map(|scope| &scope.spans).collect()
}

#[tokio::test]
async fn a_run_is_told_by_the_conventions_and_without_its_words() {
    let (told, id) = journey(&[("OTEL_SERVICE_NAME", "colloquy-test"), ("OTEL_RESOURCE_ATTRIBUTES", "team=sales")]).await;
    let resource = attributes(&told[0].resource.as_ref().expect("a resource").attributes);
    assert_eq!((resource["service.name"].as_str(), resource["team"].as_str()), ("colloquy-test", "sales"));
    let spans = spans(&told);
    let names: BTreeSet<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    assert_eq!(
        names,
        BTreeSet::from(["invoke_agent simulate", "chat rehearsal", "execute_tool sendQuery", "execute_tool recordPhaseCompletion"])
    );
    let of = |name: &str| spans.iter().copied().filter(|span| span.name.starts_with(name)).collect::<Vec<_>>();
    let [agent] = of("invoke_agent")[..] else { panic!("the run was driven once") };
    assert!(agent.parent_span_id.is_empty());
    assert!(spans.iter().all(|span| span.trace_id == agent.trace_id && attributes(&span.attributes)["gen_ai.conversation.id"] == id));
    assert_eq!(of("execute_tool recordPhaseCompletion").len(), 3);
    for chat in of("chat") {
        let told = attributes(&chat.attributes);
        assert_eq!(chat.kind(), SpanKind::Client);
        for (name, value) in [
            ("gen_ai.operation.name", "chat"),
            ("gen_ai.provider.name", "rehearsal"),
            ("gen_ai.request.model", "rehearsal"),
            ("gen_ai.usage.input_tokens", "0"),
            ("gen_ai.usage.output_tokens", "0"),
        ] {
            assert_eq!(told[name], value, "{name}");
        }
        assert!(!told.contains_key("error.type"));
    }
    // An answer executes the customer's tool; the call of its model stands below that.
    for tool in of("execute_tool sendQuery") {
        assert_eq!((attributes(&tool.attributes)["gen_ai.tool.name"].as_str(), &tool.parent_span_id), ("sendQuery", &agent.span_id));
        assert_eq!(of("chat").iter().filter(|chat| chat.parent_span_id == tool.span_id).count(), 1);
    }
    let everything = format!("{told:?}");
    for word in ["Marta", "card reader", "bakery"] {
        assert!(!everything.contains(word), "{word:?} is told");
    }
}

#[tokio::test]
async fn words_are_told_once_that_was_asked_for() {
    let (told, _) = journey(&[("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")]).await;
    let chat = spans(&told).into_iter().find(|span| span.name == "chat rehearsal").expect("a call");
    let told = attributes(&chat.attributes);
    let messages = |name: &str| serde_json::from_str::<serde_json::Value>(&told[name]).expect("JSON");
    assert!(messages("gen_ai.input.messages")[0]["role"].is_string());
    assert_eq!(messages("gen_ai.output.messages")[0]["role"], "assistant");
    assert!(told["gen_ai.input.messages"].contains("card reader"));
}

#[tokio::test]
async fn a_failed_call_says_why() {
    let (told, _) =
        journey(&[("OPENAI_API_KEY", "none"), ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"), ("COLLOQUY_MODEL", "openai:m")]).await;
    let spans = spans(&told);
    let failed: Vec<_> = spans.iter().filter(|span| span.name == "chat m").map(|span| attributes(&span.attributes)).collect();
    assert_eq!(failed.len(), 4);
    assert!(failed.iter().all(|call| call["error.type"] == "network" && call["gen_ai.provider.name"] == "openai"));
}

#[tokio::test]
async fn a_collector_that_hangs_holds_up_no_shutdown() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[("OTEL_EXPORTER_OTLP_ENDPOINT", &url)]).await;
    Run::journey(&server, ICP).await.until_over(&server).await;
    server.stop().await;
}
