//! Errors on plain HTTP: RFC 9457 problem details, never HTML, also for what no handler answered.

use crate::error::{AppError, Code, FieldError};
use axum::{
    Json,
    extract::{MatchedPath, Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use std::{any::Any, collections::HashSet, sync::Arc};
use tower_http::request_id::RequestId;
use utoipa::ToSchema;

impl IntoResponse for AppError {
    /// The layer writes the body, since it knows the request.
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Every error of a handler of ours is told as a problem, and on the routes that programs call whatever else is refused.
/// Pages show errors themselves, and server functions carry them typed.
pub async fn layer(State(machine): State<Arc<HashSet<String>>>, request: Request, next: Next) -> Response {
    let is_machine = request.extensions().get::<MatchedPath>().is_some_and(|route| machine.contains(route.as_str()));
    let path = request.uri().path().to_owned();
    let id = request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok()).unwrap_or_default().to_owned();
    let response = next.run(request).await;
    let error = match response.extensions().get::<AppError>() {
        Some(error) => error.clone(),
        None if is_machine && needs_problem(&response) => from_status(response.status()),
        None => return response,
    };
    let (mut parts, _) = response.into_parts();
    let problem = problem(&error, parts.status, &path, &id);
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    let body = Json(problem).into_response().into_body();
    Response::from_parts(parts, body)
}

fn needs_problem(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    response.status().as_u16() >= 400 && !kind.contains("json")
}

/// RFC 9457, with a code for programs.
#[derive(Serialize, ToSchema)]
pub struct Problem {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    /// A sentence for people.
    detail: String,
    /// The path that was asked for.
    instance: String,
    /// A word for programs, such as `not_found`.
    #[schema(value_type = String)]
    code: Code,
    /// Under which the server's log has the details.
    request_id: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    remedy: Option<String>,
    /// Faults in single fields: `pointer` (a JSON pointer into the request) and `detail`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Option<Vec<Object>>, nullable = false)]
    errors: Vec<FieldError>,
}

fn problem(error: &AppError, status: StatusCode, path: &str, request_id: &str) -> Problem {
    Problem {
        kind: "about:blank",
        title: status.canonical_reason().unwrap_or("Error"),
        status: status.as_u16(),
        detail: error.detail.clone(),
        instance: path.to_owned(),
        code: error.code,
        request_id: request_id.to_owned(),
        remedy: error.remedy.clone(),
        errors: error.errors.clone(),
    }
}

fn from_status(status: StatusCode) -> AppError {
    match status {
        StatusCode::NOT_FOUND => AppError::not_found(),
        StatusCode::METHOD_NOT_ALLOWED => AppError::new(Code::MethodNotAllowed, "This address does not know that method."),
        StatusCode::PAYLOAD_TOO_LARGE => AppError::new(Code::TooLarge, "The request is larger than this address takes."),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => AppError::new(Code::UnsupportedMediaType, "Send JSON, with content-type: application/json."),
        status if status.is_client_error() => AppError::new(Code::Invalid, "The request is not understood."),
        _ => AppError::internal(),
    }
}

pub fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let message = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    tracing::error!(message = message.unwrap_or("no message"), "a handler panicked");
    AppError::internal().into_response()
}

/// Everything logged while a request is handled carries its id. Whoever reads the log does not learn what opens a shared run.
pub fn span<B>(request: &axum::http::Request<B>) -> tracing::Span {
    let id = request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok()).unwrap_or_default();
    let path = Some(request.uri().path()).filter(|path| !path.starts_with("/s/")).unwrap_or("/s/…");
    tracing::info_span!("request", method = %request.method(), path, id)
}
