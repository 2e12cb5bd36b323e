//! `/settings/models`, for whoever has the admin token: which model plays which role, and whether it answers.

use super::{
    AppState, Client, Problems,
    session::{METRICS, bearer, cookie, cookies},
};
use crate::{
    error::{AppError, Code},
    models::{Role, Route},
};
use axum::{
    Form, Json,
    extract::{FromRequestParts, Path, State},
    http::{HeaderMap, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

mod report;
mod test;
mod view;

pub use test::Tests;

const PAGE: &str = "/settings/models";
const COOKIE: &str = "colloquy_admin";
/// Twelve hours, in seconds.
const COOKIE_AGE: u32 = 43_200;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(page))
        .routes(routes!(log_in, after_login))
        .routes(routes!(test_on_page, after_test))
        .routes(routes!(read))
        .routes(routes!(test))
}

/// Where a Bearer token is the administrator's, and no run's.
pub fn is_path(path: &str) -> bool {
    path == METRICS || path.starts_with("/settings/") || path.starts_with("/api/settings/")
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

#[derive(Deserialize, ToSchema)]
#[schema(as = AdminLogin)]
struct Login {
    token: String,
}

/// Takes the admin token and remembers it in a cookie.
#[utoipa::path(post, path = "/settings/login", operation_id = "log_in", tag = "pages",
    request_body(content = Login, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 303, description = "To the page."),
        (status = 401, description = "It is another token.", content_type = "text/html", body = String),
        (status = 429, description = "There were too many wrong guesses.", content_type = "text/html", body = String),
    ))]
async fn log_in(State(app): State<AppState>, client: Client, headers: HeaderMap, Form(login): Form<Login>) -> Response {
    let said = token(&app).and_then(|token| {
        let right = app.guess(client.address, login.token.trim(), token)?;
        if right { Ok(app.signer.mark("admin", token)) } else { Err(AppError::new(Code::Unauthorized, "This is not the admin token.")) }
    });
    match said {
        Ok(mark) => {
            let cookie = cookie(&app, COOKIE, &mark, COOKIE_AGE, "Strict");
            ([(header::SET_COOKIE, cookie)], Redirect::to(PAGE)).into_response()
        }
        Err(error) => view::login(&app, &headers, &error, true),
    }
}

/// Which model plays which role; before it, the login.
#[utoipa::path(get, path = "/settings/models", operation_id = "models_page", tag = "pages", security(("admin_token" = [])),
    responses(
        (status = 200, description = "The page.", content_type = "text/html", body = String),
        (status = 401, description = "The login.", content_type = "text/html", body = String),
    ))]
async fn page(State(app): State<AppState>, admin: Result<Admin, AppError>, headers: HeaderMap) -> Response {
    match admin {
        Ok(Admin) => view::models(&app, &headers, None),
        Err(error) => view::login(&app, &headers, &error, bearer(&headers).is_some()),
    }
}

/// Tests a role and shows what came of it.
#[utoipa::path(post, path = "/settings/models/{role}/test", operation_id = "test_model_on_page", tag = "pages",
    params(("role" = String, Path, description = "The role.")), security(("admin_token" = [])),
    responses(
        (status = 200, description = "The page.", content_type = "text/html", body = String),
        (status = 401, description = "The login.", content_type = "text/html", body = String),
    ))]
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

/// Where a mistake stood, and somebody asks for that address again.
#[utoipa::path(get, path = "/settings/login", operation_id = "after_login", tag = "pages",
    responses((status = 303, description = "To the page.")))]
async fn after_login() -> Redirect {
    Redirect::to(PAGE)
}

/// Where a result stood, and somebody asks for that address again.
#[utoipa::path(get, path = "/settings/models/{role}/test", operation_id = "after_test", tag = "pages",
    params(("role" = String, Path, description = "The role.")), responses((status = 303, description = "To the page.")))]
async fn after_test() -> Redirect {
    Redirect::to(PAGE)
}

#[derive(Serialize, ToSchema)]
#[schema(as = ModelReport)]
struct Report {
    roles: Vec<report::RoleReport>,
}

/// Which model plays which role.
#[utoipa::path(get, path = "/api/settings/models", operation_id = "read_models", tag = "operation", security(("admin_token" = [])),
    responses((status = 200, description = "The roles.", body = Report), Problems))]
async fn read(State(app): State<AppState>, _: Admin) -> Json<Report> {
    Json(Report { roles: report::roles(&app) })
}

/// Tests a role with one tiny real call.
#[utoipa::path(post, path = "/api/settings/models/{role}/test", operation_id = "test_model", tag = "operation",
    params(("role" = String, Path, description = "The role.")), security(("admin_token" = [])),
    responses((status = 200, description = "What came of it, also where the model did not answer.", body = test::Tested), Problems))]
async fn test(State(app): State<AppState>, _: Admin, Path(role): Path<String>) -> Result<Json<test::Tested>, AppError> {
    let (role, route) = known(&app, &role).ok_or_else(AppError::not_found)?;
    Ok(Json(app.tests.run(&app.settings.models, role, route).await))
}

/// The role of that name and the model that plays it.
fn known<'a>(app: &'a AppState, name: &str) -> Option<(Role, &'a Route)> {
    let role = Role::ALL.into_iter().find(|role| role.key() == name)?;
    Some((role, app.models.route(role)?))
}
