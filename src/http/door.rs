//! The access code: on a server that strangers can reach, no real model is called before it was entered once.

use super::{
    AppState, Client,
    session::{COOKIE_AGE, cookie, cookies},
    static_page::{secret_field, static_page, status},
};
use crate::{
    error::{AppError, Code},
    ui::{AppBar, Glyph, Icon},
};
use axum::{
    Form,
    extract::State,
    http::{HeaderMap, Uri, header},
    response::{IntoResponse, Redirect, Response},
};
use leptos::prelude::*;
use serde::Deserialize;
use std::net::IpAddr;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

const COOKIE: &str = "colloquy_access";
const HEADER: &str = "colloquy-access-code";

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(ask, enter))
}

/// The code that has to be said, if any.
fn code(app: &AppState) -> Option<&str> {
    app.settings.server.access_code.as_deref().filter(|_| app.models.is_real() && app.settings.is_public())
}

/// Has whoever sends this said the code? In the header it has to be the right one.
pub fn entered(app: &AppState, headers: &HeaderMap, address: IpAddr) -> Result<bool, AppError> {
    let Some(code) = code(app) else { return Ok(false) };
    match headers.get(HEADER) {
        None => Ok(cookies(headers, COOKIE).any(|mark| app.signer.holds("access", code, mark, COOKIE_AGE))),
        Some(said) if app.guess(address, said.to_str().unwrap_or_default(), code)? => Ok(true),
        Some(_) => Err(wrong().remedy("Send the right one as Colloquy-Access-Code, or enter it at /access.")),
    }
}

/// Lets in whoever has said the code.
pub fn open(app: &AppState, client: &Client) -> Result<(), AppError> {
    if code(app).is_none() || client.entered {
        return Ok(());
    }
    Err(AppError::new(Code::AccessCode, "This server asks for its access code before it calls a real model.")
        .remedy("Enter it once at /access; programs send it as Colloquy-Access-Code."))
}

fn wrong() -> AppError {
    AppError::new(Code::AccessCode, "This is not the access code.")
}

/// Asks for the access code, or says that none is needed.
#[utoipa::path(get, path = "/access", operation_id = "ask_access", tag = "pages",
    responses((status = 200, description = "The page.", content_type = "text/html", body = String)))]
async fn ask(State(app): State<AppState>, client: Client, headers: HeaderMap) -> Response {
    let came_from = headers.get(header::REFERER).and_then(|from| from.to_str().ok()?.parse::<Uri>().ok());
    let from = came_from.and_then(|from| from.path_and_query().map(|path| path.as_str().to_owned())).unwrap_or_default();
    let needed = code(&app).is_some() && !client.entered;
    page(&app, &headers, needed, local(&from), None)
}

#[derive(Deserialize, ToSchema)]
#[schema(as = AccessEntry)]
struct Entry {
    code: String,
    /// The path that it leads back to.
    #[serde(default)]
    from: String,
}

/// Takes the access code and remembers it in a cookie.
#[utoipa::path(post, path = "/access", operation_id = "enter_access", tag = "pages",
    request_body(content = Entry, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 303, description = "Back to where one was."),
        (status = 401, description = "It is another code.", content_type = "text/html", body = String),
        (status = 429, description = "There were too many wrong guesses.", content_type = "text/html", body = String),
    ))]
async fn enter(State(app): State<AppState>, client: Client, headers: HeaderMap, Form(entry): Form<Entry>) -> Response {
    let from = local(&entry.from);
    let Some(code) = code(&app) else { return Redirect::to(from).into_response() };
    match app.guess(client.address, entry.code.trim(), code) {
        Ok(true) => {
            let mark = cookie(&app, COOKIE, &app.signer.mark("access", code), COOKIE_AGE, "Lax");
            ([(header::SET_COOKIE, mark)], Redirect::to(from)).into_response()
        }
        Ok(false) => page(&app, &headers, true, from, Some(wrong().remedy("Ask whoever runs this server for it."))),
        Err(error) => page(&app, &headers, true, from, Some(error)),
    }
}

/// The way back, which stays in this house.
fn local(path: &str) -> &str {
    let foreign = !path.starts_with('/') || path.starts_with("//") || path.contains(|c: char| c == '\\' || c.is_control());
    if foreign || path.starts_with("/access") { "/" } else { path }
}

fn page(app: &AppState, headers: &HeaderMap, needed: bool, from: &str, error: Option<AppError>) -> Response {
    static_page(app, headers, status(error.as_ref()), "Access", || {
        let desk = if needed { form(from, error.as_ref()) } else { unneeded(from) };
        let phone = view! {
            <AppBar title="Access" back=from.to_owned()>{if needed { "Asked for once" } else { "Open" }}</AppBar>
            <div class="empty">
                <span class="empty-face" data-room="simulate"><Icon glyph=Glyph::Simulate size=40 /></span>
                <p><b>"Reading is free."</b></p>
                <p class="meta">"Whoever was given a conversation to read needs no code. It is asked for before a model is called."</p>
            </div>
        };
        (desk, phone.into_any())
    })
}

fn form(from: &str, error: Option<&AppError>) -> AnyView {
    view! {
        <h1>"Enter the access code"</h1>
        <p class="lede">"Conversations on this server are held with real models, and those cost money. Enter the code you were given; this browser then remembers it for a year."</p>
        <form class="bench" method="post" action="/access">
            {secret_field("code", "Access code", error)}
            <input type="hidden" name="from" value=from.to_owned() />
            <div class="row"><button type="submit" class="btn primary">"Enter"</button></div>
        </form>
    }
    .into_any()
}

fn unneeded(from: &str) -> AnyView {
    view! {
        <h1>"The door is open"</h1>
        <p class="lede">"No access code is asked for, or this browser has entered it already."</p>
        <p><a class="btn primary" href=from.to_owned()>"Go on"</a></p>
    }
    .into_any()
}
