//! `/mcp`: what rooms offer to programs and their models over the Model Context Protocol (streamable HTTP). Nothing is remembered
//! between requests, so one address serves the current revision, which knows no sessions, and the older ones alike.

use super::{AppState, Client, Problems, guard};
use crate::error::AppError;
use axum::{
    Extension,
    body::Body,
    extract::Request,
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use futures::future::BoxFuture;
use rmcp::{
    ErrorData, Peer, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject, JsonRpcError, ListToolsResult,
        PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ServerCapabilities, ServerConfig, Tool as Listed,
        ToolAnnotations,
    },
    service::RequestContext,
    transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager},
};
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa_axum::{router::OpenApiRouter, routes};

/// Bytes of a message. The longest state of a debate has about 300,000 characters, of which JSON may make six bytes each.
const MAX_MESSAGE: usize = 4 * 1024 * 1024;
/// Bytes of a refusal of the protocol's, which is one sentence.
const MAX_REFUSAL: usize = 64 * 1024;

/// What a room offers.
pub struct Offer {
    /// How its tools work together, for a model that is to use them.
    pub instructions: &'static str,
    pub tools: Vec<Tool>,
}

pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// The JSON Schema of its arguments, an object's.
    pub takes: Value,
    /// The JSON Schema of what it answers.
    pub answers: Value,
    /// Does it answer the same for the same, and change nothing?
    pub is_pure: bool,
    pub call: Call,
}

/// Arguments, an object, to what the tool answers.
pub type Call = Box<dyn Fn(Caller, Value) -> BoxFuture<'static, Result<Value, AppError>> + Send + Sync>;

/// Whoever calls a tool.
pub struct Caller {
    pub app: AppState,
    pub client: Client,
    progress: Option<(ProgressToken, Peer<RoleServer>)>,
}

impl Caller {
    /// Tells how far the call has come, if the caller wants to know. `done` grows from one to the next.
    pub async fn tell(&self, done: usize, of: usize, what: String) {
        if let Some((token, peer)) = &self.progress {
            let progress = ProgressNotificationParam::new(token.clone(), done as f64).with_total(of as f64).with_message(what);
            // Whoever does not listen any more misses nothing.
            let _ = peer.notify_progress(progress).await;
        }
    }
}

type Service = StreamableHttpService<Server, NeverSessionManager>;

pub fn routes(app: &AppState, offers: Vec<Offer>) -> OpenApiRouter<AppState> {
    let config = StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_max_request_body_bytes(MAX_MESSAGE);
    let config = match guard::names(&app.settings) {
        Some((hosts, origins)) => config.with_allowed_hosts(hosts).with_allowed_origins(origins).enforce_origin_validation(),
        None => config.disable_allowed_hosts(),
    };
    let server = Server { app: app.clone(), offers: offers.into() };
    let service = Service::new(move || Ok(server.clone()), Arc::default(), config);
    OpenApiRouter::new().routes(routes!(mcp)).layer(Extension(service))
}

/// The rooms’ tools over the Model Context Protocol (streamable HTTP, stateless): any MCP client finds and calls them here.
///
/// One JSON-RPC message each, of the revision 2026-07-28 or an older one. What a tool refuses is a result with `isError` and a
/// sentence; what the protocol refuses is a JSON-RPC error.
#[utoipa::path(post, path = "/mcp", operation_id = "mcp", tag = "rooms",
    request_body(content = Object, content_type = "application/json", description = "A JSON-RPC 2.0 message."),
    params(("MCP-Protocol-Version" = Option<String>, Header, description = "The revision that is spoken; 2025-03-26 where it is left out.")),
    security((), ("cookie" = []), ("run_token" = [])),
    responses(
        (status = 200, description = "The answer, where it was asked for behind notifications of progress.",
            content_type = "text/event-stream", body = String),
        (status = 202, description = "A notification was heard."),
        (status = 400, description = "A JSON-RPC error.", content_type = "application/json", body = Object),
        Problems,
    ))]
async fn mcp(Extension(service): Extension<Service>, request: Request) -> Response {
    let is_json = request.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let response = service.handle(request).await;
    let says_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes() == b"application/json");
    let status = response.status();
    if status.is_success() || says_json {
        return response.map(Body::new);
    }
    if status.is_server_error() {
        return AppError::internal().into_response();
    }
    let said = axum::body::to_bytes(Body::new(response.into_body()), MAX_REFUSAL).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    match status {
        // Here it was not the type that is not supported.
        StatusCode::UNSUPPORTED_MEDIA_TYPE if is_json => {
            refused(StatusCode::BAD_REQUEST, ErrorData::parse_error("The body is not a JSON-RPC 2.0 message.", None))
        }
        status => refused(status, ErrorData::invalid_request(said, None)),
    }
}

/// As MCP clients read it: they cannot tell which request it answers, since it was not read.
fn refused(status: StatusCode, error: ErrorData) -> Response {
    let body = serde_json::to_string(&JsonRpcError::new(None, error)).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}

#[derive(Clone)]
struct Server {
    app: AppState,
    offers: Arc<[Offer]>,
}

impl Server {
    fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.offers.iter().flat_map(|offer| &offer.tools)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut info = Implementation::new("Colloquy", env!("CARGO_PKG_VERSION"));
        info.description = Some(env!("CARGO_PKG_DESCRIPTION").to_owned());
        let instructions: Vec<&str> = self.offers.iter().map(|offer| offer.instructions).collect();
        let mut config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        config.server_info = info;
        config.with_instructions(instructions.join("\n\n"))
    }

    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: RequestContext<RoleServer>) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools().map(listed).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Listed> {
        self.tools().find(|tool| tool.name == name).map(listed)
    }

    /// Whoever goes away or cancels ends the waiting; what was started goes on.
    async fn call_tool(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let unknown = || ErrorData::invalid_params("There is no such tool. tools/list tells those there are.", None);
        let tool = self.tools().find(|tool| tool.name == request.name).ok_or_else(unknown)?;
        let client = context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Client>()).cloned();
        let client = client.ok_or_else(|| ErrorData::internal_error(AppError::internal().detail, None))?;
        let progress = context.meta.get_progress_token().map(|token| (token, context.peer.clone()));
        let caller = Caller { app: self.app.clone(), client, progress };
        tokio::select! {
            answer = (tool.call)(caller, Value::Object(request.arguments.unwrap_or_default())) => Ok(answered(answer).into()),
            () = context.ct.cancelled() => Err(ErrorData::internal_error("The call was cancelled.", None)),
        }
    }
}

fn answered(answer: Result<Value, AppError>) -> CallToolResult {
    match answer {
        Ok(Value::String(text)) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(text.clone())]);
            result.structured_content = Some(json!({ WRAPPED: text }));
            result
        }
        Ok(value) => CallToolResult::structured(value),
        Err(error) => CallToolResult::error(vec![ContentBlock::text(error.sentence())]),
    }
}

/// Structured content had to be an object before 2026-07-28, so a text stands in one under this name.
const WRAPPED: &str = "result";

fn listed(tool: &Tool) -> Listed {
    let object = |schema: &Value| Arc::new(schema.as_object().cloned().unwrap_or_else(JsonObject::new));
    let answers = if tool.answers["type"] == "object" {
        tool.answers.clone()
    } else {
        // fastmcp's own mark: its clients unwrap what stands in such an object.
        json!({ "type": "object", "properties": { WRAPPED: tool.answers }, "required": [WRAPPED], "x-fastmcp-wrap-result": true })
    };
    let hints = ToolAnnotations::with_title(tool.title).destructive(false);
    let hints = hints.read_only(tool.is_pure).idempotent(tool.is_pure).open_world(!tool.is_pure);
    let listed = Listed::new(tool.name, tool.description, object(&tool.takes)).with_title(tool.title).with_annotations(hints);
    listed.with_raw_output_schema(object(&answers))
}
