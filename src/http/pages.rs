//! The pages: the app rendered on the server, its server functions, and the site's files.

use super::{
    AppState, Client,
    guard::CspNonce,
    openapi::describe_pages,
    session::{cookie, cookies},
    shell::shell,
};
use crate::{
    app::App,
    error::{AppError, Code},
};
use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderName, HeaderValue, Request, StatusCode, header, request::Parts},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use leptos::{nonce::Nonce, prelude::*};
use leptos_axum::{AxumRouteListing, LeptosRoutes, ResponseOptions, generate_route_list, render_app_async_with_context};
use std::sync::OnceLock;
use tower::ServiceExt;
use tower_http::{compression::CompressionLayer, services::ServeDir};
use utoipa_axum::{router::OpenApiRouter, routes};

/// While pages are listed no page of this process gets its data: so once, before the first is rendered.
static LISTED: OnceLock<Vec<AxumRouteListing>> = OnceLock::new();
const REFUSED: &str = "colloquy_refused";
/// Seconds for which a page says what was wrong with its form.
const REFUSED_AGE: u32 = 60;
pub(super) const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

pub fn routes(state: &AppState) -> OpenApiRouter<AppState> {
    let (context, options) = (state.clone(), state.settings.leptos.clone());
    let files = ServeDir::new(&*options.site_root).precompressed_br().precompressed_gzip();
    let files = Router::new().fallback_service(files).layer(from_fn(revalidate));
    let list = LISTED.get_or_init(|| generate_route_list(App)).clone();
    let pages = Router::new()
        .leptos_routes_with_context(state, list.clone(), move || provide(&context), move || shell(options.clone()))
        .fallback(move |state: State<AppState>, request: Request<Body>| file_or_page(files.clone(), state, request))
        .layer(CompressionLayer::new());
    let mut pages = OpenApiRouter::from(pages).routes(routes!(robots));
    describe_pages(pages.get_openapi_mut(), &list);
    pages
}

/// Runs belong to cookies, so search engines see none; what machines call is not for them.
#[utoipa::path(get, path = "/robots.txt", tag = "pages", responses((status = 200, description = "Plain text.", content_type = "text/plain", body = String)))]
async fn robots() -> &'static str {
    "User-agent: *\nDisallow: /api/\n"
}

/// Files are asked for again each time, and answered with 304 when they are the same.
async fn revalidate(request: axum::extract::Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// A file of the site, or the app, which says that there is no such page.
async fn file_or_page(files: Router, State(app): State<AppState>, request: Request<Body>) -> Response {
    let (parts, body) = request.into_parts();
    if parts.uri.path().rsplit('/').next().is_some_and(|name| name.contains('.')) {
        let file = files.oneshot(Request::from_parts(parts.clone(), Body::empty())).await.into_response();
        if file.status() != StatusCode::NOT_FOUND {
            return file;
        }
    }
    drop(body);
    app_page(app, parts, StatusCode::NOT_FOUND).await
}

/// What components and server functions find in their context.
fn provide(app: &AppState) {
    provide_context(app.clone());
    if let Some(nonce) = use_context::<Parts>().and_then(|parts| parts.extensions.get::<CspNonce>().cloned()) {
        provide_context(Nonce::from_value(nonce.0));
    }
}

/// The state and whoever is asking, on the first line of every server function.
pub fn caller() -> Result<(AppState, Client), AppError> {
    let app = use_context::<AppState>().ok_or_else(AppError::internal)?;
    let client = use_context::<Parts>().and_then(|parts| parts.extensions.get::<Client>().cloned()).ok_or_else(AppError::internal)?;
    Ok((app, client))
}

/// The app at that address, for handlers that have found that there is nothing to show.
pub async fn error_page(app: AppState, parts: Parts, error: &AppError) -> Response {
    app_page(app, parts, StatusCode::from_u16(error.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)).await
}

async fn app_page(app: AppState, parts: Parts, status: StatusCode) -> Response {
    let (context, options) = (app.clone(), app.settings.leptos.clone());
    let page = render_app_async_with_context(move || provide(&context), move || shell(options.clone()));
    let mut response = page(Request::from_parts(parts, Body::empty())).await.into_response();
    *response.status_mut() = status;
    response
}

/// What a server function had against a form that was posted without JavaScript; it leads back to the form's page.
/// The words come by a signed cookie, so that no address can make a page say anything.
pub fn refused() -> Option<AppError> {
    let (app, parts) = (use_context::<AppState>()?, use_context::<Parts>()?);
    let here = parts.uri.query().is_some_and(|query| query.contains("__err=")) && !parts.uri.path().starts_with("/api/");
    let signed = cookies(&parts.headers, REFUSED).find_map(|cookie| app.signer.verified("refused", cookie)).filter(|_| here)?;
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(signed).ok()?).ok()
}

fn refused_cookie(app: &AppState, error: &AppError) -> Option<HeaderValue> {
    let words = URL_SAFE_NO_PAD.encode(serde_json::to_vec(error).ok()?);
    HeaderValue::from_str(&cookie(app, REFUSED, &app.signer.sign("refused", &words), REFUSED_AGE, "Lax")).ok()
}

/// Says that no search engine may list this page: it was opened by a link that somebody gave away.
pub fn unlisted() {
    if let Some(options) = use_context::<ResponseOptions>() {
        options.insert_header(ROBOTS, HeaderValue::from_static("noindex"));
    }
}

/// Gives a server function's error its HTTP status, also on the page that calls it. A form posted without
/// JavaScript is redirected instead, with the error in the address.
pub fn answered<T>(result: Result<T, AppError>) -> Result<T, AppError> {
    if let (Err(error), Some(options), Some(parts)) = (&result, use_context::<ResponseOptions>(), use_context::<Parts>()) {
        let is_form = is_form(&parts);
        if is_form && error.code == Code::AccessCode {
            leptos_axum::redirect("/access");
        } else if is_form && let Some(cookie) = use_context::<AppState>().and_then(|app| refused_cookie(&app, error)) {
            options.append_header(header::SET_COOKIE, cookie);
        }
        if !is_form {
            options.set_status(StatusCode::from_u16(error.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
        }
    }
    result
}

/// The same, where a form's page can show again what was typed: `back` is its address with that, which has a query.
pub fn answered_at<T>(result: Result<T, AppError>, back: &str) -> Result<T, AppError> {
    let (result, parts) = (answered(result), use_context::<Parts>());
    if result.as_ref().is_err_and(|error| error.code != Code::AccessCode) && parts.is_some_and(|parts| is_form(&parts)) {
        leptos_axum::redirect(&format!("{back}&__err="));
    }
    result
}

/// Leads a form that was posted without JavaScript to that page. Pages with it stay where they are.
pub fn leads_to(page: &str) {
    if use_context::<Parts>().is_some_and(|parts| is_form(&parts)) {
        leptos_axum::redirect(page);
    }
}

/// Was it posted by a page without JavaScript?
fn is_form(parts: &Parts) -> bool {
    let accept = parts.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    parts.uri.path().starts_with("/api/fn/") && accept.contains("text/html")
}
