//! `/settings/models`, for whoever has the admin token: which model plays which role, and whether it answers.

use super::{
    AppState, Client,
    session::{bearer, cookie, cookies},
};
use crate::{
    error::{AppError, Code},
    models::{Role, Route},
};
use axum::{
    Form, Json, Router,
    extract::{FromRequestParts, Path, State},
    http::{HeaderMap, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};

mod report;
mod test;
mod view;

pub use test::Tests;

pub const PAGE: &str = "/settings/models";
const COOKIE: &str = "colloquy_admin";
/// Twelve hours, in seconds.
const COOKIE_AGE: u32 = 43_200;

pub fn routes() -> Router<AppState> {
    Router::new()
        .route(PAGE, get(page))
        .route("/settings/login", post(log_in).get(back))
        .route("/settings/models/{role}/test", post(test_on_page).get(back))
        .route("/api/settings/models", get(read))
        .route("/api/settings/models/{role}/test", post(test))
}

/// Where a Bearer token is the administrator's, and no run's.
pub fn is_path(path: &str) -> bool {
    path.starts_with("/settings/") || path.starts_with("/api/settings/")
}

/// Whoever has said the admin token: now, as Bearer, or before, to the form.
pub struct Admin;

impl FromRequestParts<AppState> for Admin {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let token = token(app)?;
        let client = Client::from_request_parts(parts, app).await?;
        let known = match bearer(&parts.headers) {
            Some(said) => app.guess(client.address, said, token)?,
            None => cookies(&parts.headers, COOKIE).any(|mark| app.signer.holds("admin", token, mark, COOKIE_AGE)),
        };
        if known { Ok(Admin) } else { Err(refused("Administration needs the admin token.")) }
    }
}

fn token(app: &AppState) -> Result<&str, AppError> {
    app.settings.server.admin_token.as_deref().ok_or_else(|| refused("This server has no admin token."))
}

fn refused(detail: &str) -> AppError {
    AppError::new(Code::Unauthorized, detail)
        .remedy("It is COLLOQUY_ADMIN_TOKEN, or, where that is not set, the one that the server printed when it started.")
}

#[derive(Deserialize)]
struct Login {
    token: String,
}

async fn log_in(State(app): State<AppState>, client: Client, headers: HeaderMap, Form(login): Form<Login>) -> Response {
    let said = token(&app).and_then(|token| {
        let right = app.guess(client.address, login.token.trim(), token)?;
        if right { Ok(app.signer.mark("admin", token)) } else { Err(AppError::new(Code::Unauthorized, "This is not the admin token.")) }
    });
    match said {
        Ok(mark) => {
            let cookie = cookie(&app, COOKIE, &mark, COOKIE_AGE, "Strict");
            (cookie.map(|cookie| [(header::SET_COOKIE, cookie)]), Redirect::to(PAGE)).into_response()
        }
        Err(error) => view::login(&app, &headers, &error, true),
    }
}

async fn page(State(app): State<AppState>, admin: Result<Admin, AppError>, headers: HeaderMap) -> Response {
    match admin {
        Ok(Admin) => view::models(&app, &headers, None),
        Err(error) => view::login(&app, &headers, &error, bearer(&headers).is_some()),
    }
}

async fn test_on_page(
    State(app): State<AppState>,
    admin: Result<Admin, AppError>,
    headers: HeaderMap,
    Path(role): Path<String>,
) -> Response {
    if let Err(error) = admin {
        return view::login(&app, &headers, &error, false);
    }
    let Some((role, route)) = known(&app, &role) else { return Redirect::to(PAGE).into_response() };
    let tested = app.tests.run(&app.settings.models, role, route).await;
    view::models(&app, &headers, Some(tested))
}

/// Where a result stood, or a mistake, and somebody asks for that address again.
async fn back() -> Redirect {
    Redirect::to(PAGE)
}

async fn read(State(app): State<AppState>, _: Admin) -> Json<Value> {
    Json(json!({ "roles": report::roles(&app) }))
}

async fn test(State(app): State<AppState>, _: Admin, Path(role): Path<String>) -> Result<Json<test::Tested>, AppError> {
    let (role, route) = known(&app, &role).ok_or_else(AppError::not_found)?;
    Ok(Json(app.tests.run(&app.settings.models, role, route).await))
}

/// The role of that name and the model that plays it.
fn known<'a>(app: &'a AppState, name: &str) -> Option<(Role, &'a Route)> {
    let role = Role::ALL.into_iter().find(|role| role.key() == name)?;
    Some((role, app.models.route(role)?))
}
