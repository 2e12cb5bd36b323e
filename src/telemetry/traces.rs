//! OpenTelemetry traces over OTLP/HTTP, with the semantic conventions for generative AI: what a run's drive, its calls
//! of models and its tools took. Nothing at all unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set.

use crate::{
    models::{ChatRequest, Completion, Message, Route, ToolCall},
    settings::Environment,
};
use opentelemetry::{
    Context, KeyValue,
    trace::{SpanKind, Status, TraceContextExt, Tracer, TracerProvider},
};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{SdkTracer, SdkTracerProvider},
};
use serde_json::{Value, json};
use std::{sync::OnceLock, time::Duration};
use uuid::Uuid;

/// What is still to be sent at the end gets so long; a shutdown as a whole has four seconds.
const FLUSH: Duration = Duration::from_secs(2);

struct Tracing {
    tracer: SdkTracer,
    /// Prompts and answers are told as well.
    content: bool,
}

static TRACING: OnceLock<Tracing> = OnceLock::new();

/// What sends traces, if anything does.
pub struct Traces(Option<SdkTracerProvider>);

impl Traces {
    /// Reads the standard `OTEL_*` names; the exporter reads further ones from the process's environment itself.
    pub fn start(environment: &Environment) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let Some(endpoint) = environment.get("OTEL_EXPORTER_OTLP_ENDPOINT") else { return Ok(Traces(None)) };
        let list = |key: &str| environment.get(key).map(|list| pairs(&list)).unwrap_or_default();
        let exporter = SpanExporter::builder()
            .with_http()
            .with_endpoint(format!("{}/v1/traces", endpoint.trim().trim_end_matches('/')))
            .with_headers(list("OTEL_EXPORTER_OTLP_HEADERS").into_iter().collect())
            .build()
            .map_err(|error| format!("OTEL_EXPORTER_OTLP_ENDPOINT: {error}"))?;
        let resource = Resource::builder()
            .with_attributes(list("OTEL_RESOURCE_ATTRIBUTES").into_iter().map(|(key, value)| KeyValue::new(key, value)))
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .with_service_name(environment.get("OTEL_SERVICE_NAME").unwrap_or_else(|| "colloquy".to_owned()))
            .build();
        // The batch processor has a thread of its own; nothing is sent from where a span ends.
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
        let content = environment
            .get("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")
            .is_some_and(|value| value.trim().eq_ignore_ascii_case("true"));
        TRACING.get_or_init(|| Tracing { tracer: provider.tracer("colloquy"), content });
        Ok(Traces(Some(provider)))
    }

    /// Sends what is left, and ends.
    pub async fn close(self) {
        let Some(provider) = self.0 else { return };
        let closed = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(FLUSH)).await;
        if !matches!(closed, Ok(Ok(()))) {
            tracing::warn!("some traces were not sent");
        }
    }
}

/// `key=value,key=value`, as the `OTEL_*` names spell lists.
fn pairs(list: &str) -> Vec<(String, String)> {
    let pair = |pair: &str| pair.split_once('=').map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()));
    list.split(',').filter_map(pair).collect()
}

/// A span, which ends with its last clone. Where traces are off, nothing.
#[derive(Clone, Default)]
pub struct Span(Option<Context>);

impl Span {
    /// A room's agent at work on a run.
    pub fn agent(room: &'static str, run: Uuid) -> Self {
        let Some(tracing) = TRACING.get() else { return Span(None) };
        let attributes = vec![
            KeyValue::new("gen_ai.operation.name", "invoke_agent"),
            KeyValue::new("gen_ai.agent.name", room),
            KeyValue::new("gen_ai.conversation.id", run.to_string()),
        ];
        open(tracing, &Context::new(), format!("invoke_agent {room}"), SpanKind::Internal, attributes)
    }

    /// A tool that a model has called, while it is executed.
    pub fn tool(&self, run: Uuid, name: &'static str) -> Self {
        let (Some(tracing), Some(parent)) = (TRACING.get(), &self.0) else { return Span(None) };
        let attributes = vec![
            KeyValue::new("gen_ai.operation.name", "execute_tool"),
            KeyValue::new("gen_ai.tool.name", name),
            KeyValue::new("gen_ai.tool.type", "function"),
            KeyValue::new("gen_ai.conversation.id", run.to_string()),
        ];
        open(tracing, parent, format!("execute_tool {name}"), SpanKind::Internal, attributes)
    }

    /// A call of a model.
    pub fn chat(&self, run: Uuid, route: &Route, request: &ChatRequest) -> Self {
        let (Some(tracing), Some(parent)) = (TRACING.get(), &self.0) else { return Span(None) };
        let mut attributes = vec![
            KeyValue::new("gen_ai.operation.name", "chat"),
            KeyValue::new("gen_ai.provider.name", conventional(route.provider()).to_owned()),
            KeyValue::new("gen_ai.request.model", route.model.clone()),
            KeyValue::new("gen_ai.request.max_tokens", i64::from(request.max_tokens)),
            KeyValue::new("gen_ai.conversation.id", run.to_string()),
        ];
        if tracing.content {
            let messages: Value = request.messages.iter().map(message).collect();
            attributes.push(KeyValue::new("gen_ai.input.messages", messages.to_string()));
        }
        open(tracing, parent, format!("chat {}", route.model), SpanKind::Client, attributes)
    }

    pub fn answered(&self, answer: &Completion) {
        let (Some(tracing), Some(context)) = (TRACING.get(), &self.0) else { return };
        let reason = if answer.cut {
            "length"
        } else if answer.calls.is_empty() {
            "stop"
        } else {
            "tool_calls"
        };
        let reasons = opentelemetry::Value::Array(opentelemetry::Array::String(vec![reason.into()]));
        let span = context.span();
        span.set_attribute(KeyValue::new("gen_ai.response.finish_reasons", reasons));
        if let Some((input, output)) = answer.tokens {
            span.set_attribute(KeyValue::new("gen_ai.usage.input_tokens", input));
            span.set_attribute(KeyValue::new("gen_ai.usage.output_tokens", output));
        }
        if tracing.content {
            let said = message(&Message::Assistant { text: answer.text.clone(), calls: answer.calls.clone() });
            span.set_attribute(KeyValue::new("gen_ai.output.messages", json!([said]).to_string()));
        }
    }

    /// `why` is one of a few words.
    pub fn failed(&self, why: &'static str) {
        let Some(context) = &self.0 else { return };
        context.span().set_attribute(KeyValue::new("error.type", why));
        context.span().set_status(Status::error(why));
    }
}

fn open(tracing: &Tracing, parent: &Context, name: String, kind: SpanKind, attributes: Vec<KeyValue>) -> Span {
    let builder = tracing.tracer.span_builder(name).with_kind(kind).with_attributes(attributes);
    Span(Some(parent.with_span(tracing.tracer.build_with_context(builder, parent))))
}

/// The conventions' own names of providers, where they differ from ours.
fn conventional(provider: &str) -> &str {
    match provider {
        "mistral" => "mistral_ai",
        "gemini" => "gcp.gemini",
        other => other,
    }
}

/// A message as the conventions write it.
fn message(message: &Message) -> Value {
    let text = |role: &str, text: &str| json!({ "role": role, "parts": [{ "type": "text", "content": text }] });
    match message {
        Message::System(words) => text("system", words),
        Message::User(words) => text("user", words),
        Message::Tool { id, text } => json!({ "role": "tool", "parts": [{ "type": "tool_call_response", "id": id, "response": text }] }),
        Message::Assistant { text, calls } => {
            let call = |call: &ToolCall| json!({ "type": "tool_call", "id": call.id, "name": call.name, "arguments": call.arguments });
            let words = (!text.is_empty()).then(|| json!({ "type": "text", "content": text }));
            json!({ "role": "assistant", "parts": words.into_iter().chain(calls.iter().map(call)).collect::<Vec<_>>() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_the_standard_writes_them() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(pairs("api-key=a=b, team = sales,broken,"), [pair("api-key", "a=b"), pair("team", "sales")]);
        assert!(pairs("").is_empty());
    }

    #[test]
    fn spans_cost_nothing_where_nobody_collects() {
        let span = Span::agent("room", Uuid::nil());
        assert!(span.0.is_none() && span.tool(Uuid::nil(), "tool").0.is_none());
    }
}
