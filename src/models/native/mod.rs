//! Anthropic and Gemini in their own dialects, through the crate `genai`. It answers before anything was
//! asked, hides refusals in the stream, and goes on after errors: here is where that ends.

use super::{
    ChatModel, ChatRequest, Completion, Format, Message, ModelError, ModelEvent, ModelStream, ToolCall, ToolSpec,
    refusal::{error_in, refusal},
    wire::Endpoint,
};
use futures::{StreamExt, stream};
use genai::{
    Client, ModelIden, ServiceTarget,
    adapter::AdapterKind,
    chat::{
        self, ChatOptions, ChatStream, ChatStreamEvent, ContentPart, JsonSpec, MessageContent, ReasoningEffort, StopReason, StreamEnd,
        ToolChoice,
    },
    resolver::{self, AuthData},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[cfg(test)]
mod tests;

/// Under these names a call keeps what its provider wants to see again; no other provider is shown it.
pub const ECHOED: [&str; 2] = ["anthropic", "gemini"];

pub struct Native {
    client: Client,
    kind: AdapterKind,
    endpoint: Endpoint,
}

/// What a turn was thought with: signed, and only worth something to who signed it.
#[derive(Default, Serialize, Deserialize)]
struct Thoughts {
    /// Of the whole turn; on its first call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    turn: Vec<ContentPart>,
    /// Of this call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<Vec<String>>,
}

impl Native {
    pub fn anthropic(endpoint: Endpoint) -> Option<Self> {
        Self::new(AdapterKind::Anthropic, endpoint)
    }

    pub fn gemini(endpoint: Endpoint) -> Option<Self> {
        Self::new(AdapterKind::Gemini, endpoint)
    }

    fn new(kind: AdapterKind, endpoint: Endpoint) -> Option<Self> {
        let client = Client::builder().with_reqwest(endpoint.client.clone()).build().ok()?;
        Some(Native { client, kind, endpoint })
    }

    /// The name in [`ECHOED`].
    fn echoed(&self) -> &'static str {
        ECHOED[usize::from(self.kind == AdapterKind::Gemini)]
    }

    fn target(&self, model: &str) -> ServiceTarget {
        ServiceTarget {
            endpoint: resolver::Endpoint::from_owned(format!("{}/", self.endpoint.base_url.trim_end_matches('/'))),
            auth: AuthData::from_single(self.endpoint.key.clone().unwrap_or_default()),
            model: ModelIden::new(self.kind, model),
        }
    }
}

impl ChatModel for Native {
    fn stream(&self, model: &str, request: ChatRequest) -> ModelStream {
        let (client, target, echoed, provider) = (self.client.clone(), self.target(model), self.echoed(), self.endpoint.provider.clone());
        let options = options(self.kind, model, &request);
        let opened = async move {
            let messages = request.messages.iter().filter_map(|message| spoken(message, echoed)).collect();
            let asked = chat::ChatRequest::new(messages).with_tools(request.tools.iter().map(tool));
            client.exec_chat_stream(target, asked, Some(&options)).await
        };
        stream::once(opened)
            .flat_map(move |opened| match opened {
                Ok(response) => answer(response.stream, echoed),
                Err(error) => stream::once(async { Err(failure(error, false)) }).boxed(),
            })
            .map(move |event| event.map_err(|error| error.by(&provider)))
            .boxed()
    }
}

/// A model thinks where its name asks for it, as `claude-sonnet-5-high` does; otherwise the tokens it has are for words.
fn options(kind: AdapterKind, model: &str, request: &ChatRequest) -> ChatOptions {
    let (claude, (effort, _)) = (kind == AdapterKind::Anthropic, ReasoningEffort::from_model_name(model));
    let mut options = ChatOptions::default()
        .with_max_tokens(request.max_tokens)
        .with_capture_usage(true)
        .with_capture_content(true)
        .with_capture_tool_calls(true)
        // Of Gemini this would ask for thoughts that not every model has.
        .with_capture_reasoning_content(claude);
    if claude && effort.is_none() {
        options = options.with_reasoning_effort(ReasoningEffort::Zero);
    }
    if !request.tools.is_empty() {
        // A Claude that thinks cannot be made to call a tool.
        let required = request.tool_required && !(claude && effort.is_some());
        options = options.with_tool_choice(if required { ToolChoice::Required } else { ToolChoice::Auto });
    }
    if let Some(Format::Schema { name, schema }) = &request.format {
        options = options.with_response_format(JsonSpec::new(*name, schema.clone()));
    }
    options
}

fn tool(tool: &ToolSpec) -> chat::Tool {
    chat::Tool::new(tool.name).with_description(tool.description).with_schema(tool.parameters.clone())
}

/// A message in genai's words; one that says nothing is left out, since both providers refuse it.
fn spoken(message: &Message, echoed: &str) -> Option<chat::ChatMessage> {
    Some(match message {
        Message::System(text) => chat::ChatMessage::system(text),
        Message::User(text) => chat::ChatMessage::user(text),
        Message::Tool { id, text } => chat::ChatMessage::from(chat::ToolResponse::new(id, text)),
        Message::Assistant { text, calls } => {
            let thoughts = |call: &ToolCall| {
                let kept = call.extra.get(echoed).cloned();
                kept.and_then(|kept| serde_json::from_value::<Thoughts>(kept).ok()).unwrap_or_default()
            };
            let mut parts: Vec<ContentPart> = calls.iter().flat_map(|call| thoughts(call).turn).collect();
            if !text.is_empty() {
                parts.push(ContentPart::from_text(text));
            }
            parts.extend(calls.iter().map(|call| ContentPart::ToolCall(called(call, thoughts(call).call))));
            if parts.is_empty() {
                return None;
            }
            chat::ChatMessage::assistant(MessageContent::from_parts(parts))
        }
    })
}

/// Arguments that are no JSON object would be refused.
fn called(call: &ToolCall, thought_signatures: Option<Vec<String>>) -> chat::ToolCall {
    let fn_arguments = serde_json::from_str(&call.arguments).ok().filter(Value::is_object).unwrap_or_else(|| json!({}));
    chat::ToolCall { call_id: call.id.clone(), fn_name: call.name.clone(), fn_arguments, thought_signatures }
}

/// What has been heard of an answer so far.
#[derive(Default)]
struct Heard {
    anything: bool,
    /// Each tool call's id, and how much of its arguments has been told.
    calls: Vec<(String, usize)>,
}

fn answer(events: ChatStream, echoed: &'static str) -> ModelStream {
    stream::unfold(Some((events, Heard::default())), move |reading| async move {
        let (mut events, mut heard) = reading?;
        loop {
            let told = match events.next().await {
                Some(Ok(ChatStreamEvent::Start)) => continue,
                Some(Ok(ChatStreamEvent::End(end))) => return Some((whole(end, echoed).map(ModelEvent::Done), None)),
                Some(Ok(event)) => heard.take(event),
                Some(Err(error)) => return Some((Err(failure(error, heard.anything)), None)),
                None => return Some((Err(ModelError::Truncated), None)),
            };
            return Some((Ok(told), Some((events, heard))));
        }
    })
    .boxed()
}

impl Heard {
    fn take(&mut self, event: ChatStreamEvent) -> ModelEvent {
        self.anything = true;
        match event {
            ChatStreamEvent::Chunk(chunk) if !chunk.content.is_empty() => ModelEvent::Text(chunk.content),
            ChatStreamEvent::ToolCallChunk(chunk) => self.call(&chunk.tool_call).unwrap_or(ModelEvent::Thinking),
            _ => ModelEvent::Thinking,
        }
    }

    /// Each chunk carries the arguments from their beginning; the new part is told.
    fn call(&mut self, call: &chat::ToolCall) -> Option<ModelEvent> {
        let at = self.calls.iter().position(|(id, _)| *id == call.call_id).unwrap_or_else(|| {
            self.calls.push((call.call_id.clone(), 0));
            self.calls.len() - 1
        });
        let (arguments, told) = (text_of(&call.fn_arguments), &mut self.calls[at].1);
        let piece = arguments.get(*told..).filter(|piece| !piece.is_empty())?.to_owned();
        *told = arguments.len();
        Some(ModelEvent::Arguments { call: at, tool: call.fn_name.clone(), piece })
    }
}

/// Arguments as text: while they are written they are a string, later whatever JSON they are.
fn text_of(arguments: &Value) -> String {
    match arguments {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        whole => whole.to_string(),
    }
}

/// The answer at its end. One that ended for no reason has broken off, as has one that ended for a reason nobody
/// knows, unless it calls a tool: that says enough.
fn whole(end: StreamEnd, echoed: &str) -> Result<Completion, ModelError> {
    let calls = end.captured_tool_calls().is_some_and(|calls| !calls.is_empty());
    let cut = match end.captured_stop_reason {
        None => return Err(ModelError::Truncated),
        Some(StopReason::Other(_)) if !calls => return Err(ModelError::Truncated),
        reason => matches!(reason, Some(StopReason::MaxTokens(_))),
    };
    let tokens = end.captured_usage.and_then(|usage| Some((usage.prompt_tokens?.into(), usage.completion_tokens?.into())));
    let (mut done, mut turn) = (Completion { cut, tokens, ..Completion::default() }, Vec::new());
    for part in end.captured_content.map(MessageContent::into_parts).unwrap_or_default() {
        match part {
            ContentPart::Text(text) => done.text.push_str(&text),
            ContentPart::ToolCall(call) => done.calls.push(own(call, &mut turn, echoed)),
            ContentPart::Binary(_) | ContentPart::ToolResponse(_) => {}
            thought => turn.push(thought),
        }
    }
    Ok(done)
}

fn own(call: chat::ToolCall, turn: &mut Vec<ContentPart>, echoed: &str) -> ToolCall {
    let arguments = Some(text_of(&call.fn_arguments)).filter(|text| !text.trim().is_empty()).unwrap_or_else(|| "{}".to_owned());
    let thoughts = Thoughts { turn: std::mem::take(turn), call: call.thought_signatures };
    let mut own = ToolCall { id: call.call_id, name: call.fn_name, arguments, ..ToolCall::default() };
    if !thoughts.turn.is_empty() || thoughts.call.is_some() {
        own.extra.extend(serde_json::to_value(thoughts).ok().map(|thoughts| (echoed.to_owned(), thoughts)));
    }
    own
}

/// `begun`: something of the answer had come.
fn failure(error: genai::Error, begun: bool) -> ModelError {
    use genai::Error;
    match error {
        // The refusal of a call hides in here, as does a connection that failed.
        Error::WebStream { error, .. } => match error.downcast::<Error>() {
            Ok(inner) => failure(*inner, begun),
            Err(_) if begun => ModelError::Truncated,
            Err(_) => {
                tracing::warn!("no answer from the model");
                ModelError::Network
            }
        },
        Error::HttpError { status, body, headers, .. } => {
            tracing::warn!(status = status.as_u16(), "the model refused a request");
            refusal(status.as_u16(), &headers, &body)
        }
        Error::ChatResponse { body, .. } => error_in(&body).unwrap_or(ModelError::Decode),
        Error::StreamParse { .. } | Error::JsonValueExt(_) | Error::SerdeJson(_) => ModelError::Decode,
        _ => ModelError::BadRequest("it could not be put into the provider's words".to_owned()),
    }
}
