//! What stands before every route: foreign origins are refused, and every answer carries its policy.

use super::AppState;
use crate::{
    error::{AppError, Code},
    settings::Settings,
};
use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, Method, Uri, header},
    middleware::Next,
    response::Response,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use std::time::Duration;
use tower_http::cors::{AllowHeaders, CorsLayer};

/// The nonce of a response's own scripts.
#[derive(Clone)]
pub struct CspNonce(pub String);

const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// How long a browser may remember that it may ask.
const PREFLIGHT: Duration = Duration::from_secs(3600);

/// Whose pages may change something behind a route, besides our own.
#[derive(Clone, Copy, PartialEq)]
pub enum Open {
    ToNobody,
    /// To those of `cors_origins`.
    ToListed,
}

/// A missing Origin is allowed, since programs send none; a foreign one may not change anything.
pub async fn origin(State((app, open)): State<(AppState, Open)>, request: Request, next: Next) -> Result<Response, AppError> {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !app.settings.is_public() && !host.is_empty() && !LOOPBACK.contains(&name(host)) {
        // A page elsewhere may point a name of its own at this machine.
        return Err(AppError::new(
            Code::Forbidden,
            "This server answers to localhost only. Set public_url in Leptos.toml to serve it under a name.",
        ));
    }
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let Some(origin) = request.headers().get(header::ORIGIN) else { return Ok(next.run(request).await) };
    let ours = match &app.settings.server.public_url {
        Some(url) => origin.as_bytes() == url.as_bytes(),
        None => origin
            .to_str()
            .ok()
            .and_then(|origin| origin.parse::<Uri>().ok())
            .is_some_and(|origin| origin.authority().is_some_and(|authority| authority.as_str() == host)),
    };
    let listed = || app.settings.server.cors_origins.iter().any(|listed| origin.as_bytes() == listed.as_bytes());
    if safe || ours || (open == Open::ToListed && listed()) {
        Ok(next.run(request).await)
    } else {
        Err(AppError::new(Code::Forbidden, "Requests from other origins are not accepted."))
    }
}

/// Hosts under which this server is asked for, and origins whose pages may ask, as `host` and `scheme://host:port` with `*` for
/// any port; `None` where nobody has said under which names strangers reach it.
pub fn names(settings: &Settings) -> Option<(Vec<String>, Vec<String>)> {
    let url = settings.server.public_url.as_deref();
    if url.is_none() && settings.is_public() {
        return None;
    }
    let own = url.and_then(|url| url.parse::<Uri>().ok()).and_then(|url| url.host().map(str::to_owned));
    let hosts = LOOPBACK.map(str::to_owned).into_iter().chain(own).collect();
    let ours = match url {
        Some(url) => vec![with_port(url)],
        None => LOOPBACK.map(|host| format!("http://{host}:*")).to_vec(),
    };
    let listed = settings.server.cors_origins.iter().map(|origin| with_port(origin));
    Some((hosts, ours.into_iter().chain(listed).collect()))
}

/// The origin with the port that its scheme leaves out.
fn with_port(origin: &str) -> String {
    match origin.parse::<Uri>() {
        Ok(uri) if uri.port().is_none() => format!("{origin}:{}", if uri.scheme_str() == Some("https") { 443 } else { 80 }),
        _ => origin.to_owned(),
    }
}

/// What tells browsers that listed origins may ask, and read the answer; `None` where none is listed.
pub fn cors(settings: &Settings) -> Option<CorsLayer> {
    let origins: Vec<HeaderValue> = settings.server.cors_origins.iter().filter_map(|origin| origin.parse().ok()).collect();
    let exposed = ["location", "colloquy-run-token", "preference-applied", "x-request-id"].map(HeaderName::from_static);
    (!origins.is_empty()).then(|| {
        CorsLayer::new()
            .allow_origin(origins)
            .allow_credentials(true)
            .allow_methods([Method::GET, Method::POST])
            .allow_headers(AllowHeaders::mirror_request())
            .expose_headers(exposed)
            .max_age(PREFLIGHT)
    })
}

/// The host without its port.
fn name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

pub async fn headers(State(app): State<AppState>, mut request: Request, next: Next) -> Response {
    let nonce = STANDARD.encode(rand::random::<[u8; 16]>());
    request.extensions_mut().insert(CspNonce(nonce.clone()));
    let mut response = next.run(request).await;
    if is_stream(&response) {
        // Nobody renders a stream, and a connection keeps room for its headers as long as it is open.
        response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        return response;
    }
    let reload = if app.settings.leptos.env == leptos::config::Env::DEV { " ws:" } else { "" };
    let policy = format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'{reload}; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
    );
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    ];
    let headers = response.headers_mut();
    headers.extend(fixed.map(|(name, value)| (name, HeaderValue::from_static(value))));
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    // Pages and answers belong to their owner; files say themselves how long they keep.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn is_stream(response: &Response) -> bool {
    response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes() == b"text/event-stream")
}
