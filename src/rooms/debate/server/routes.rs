//! `POST /debate/run`: a whole debate in one request, for other programs.

use super::{
    schema::DebateSchema,
    start::{begin, finished},
};
use crate::{
    engine::{entry::Run, flow::Status},
    error::AppError,
    http::{AppState, Body, Client, IdempotencyKey, Problems, RespondAsync},
    rooms::debate::flow::{Debate, Persona, Setup},
};
use axum::{
    Json,
    extract::State,
    http::{HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(run))
}

/// What is debated, by whom and how long. All of it may be left out, the body itself as well.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DebateRequest)]
struct Posted {
    /// 3 where it is left out.
    #[schema(minimum = 1, maximum = 6)]
    max_exchange_rounds: Option<u32>,
    /// The motion. “How to achieve peace and prosperity” where it is left out.
    #[schema(max_length = 300)]
    topic: Option<String>,
    /// Two to six debaters in the order in which they speak; the summariser may be among them. Napoleon, Gandhi and Alexander
    /// where it is left out.
    personas: Option<Vec<PostedPersona>>,
}

/// Somebody who debates.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DebatePersona)]
pub struct PostedPersona {
    /// Made from the name where it is left out. `summariser` is the one who closes.
    id: Option<String>,
    #[schema(max_length = 40)]
    name: String,
    /// What they believe.
    #[schema(max_length = 600)]
    philosophy: String,
    /// Which portrait they have, as `emperor` or `sage`.
    icon_hint: Option<String>,
    /// The name of their colour, as `indigo`.
    hue: Option<String>,
    /// `provider:model`; what debaters have anyway where it is left out.
    model: Option<String>,
}

impl From<PostedPersona> for Persona {
    fn from(posted: PostedPersona) -> Self {
        let PostedPersona { id, name, philosophy, icon_hint, hue, model } = posted;
        Persona { id: id.unwrap_or_default(), name, philosophy, icon_hint: icon_hint.unwrap_or_default(), hue, model }
    }
}

impl From<Posted> for Setup {
    fn from(posted: Posted) -> Self {
        let usual = Setup::default();
        Setup {
            max_exchange_rounds: posted.max_exchange_rounds.unwrap_or(usual.max_exchange_rounds),
            topic: posted.topic.unwrap_or(usual.topic),
            personas: posted.personas.map_or(usual.personas, |personas| personas.into_iter().map(Persona::from).collect()),
        }
    }
}

/// Holds a whole debate and answers it once it is over, which takes as long as its models do. With `Prefer: respond-async` it is
/// answered at once as it is then.
///
/// Whoever goes away stops nothing: the debate is found again at its `Location`, or by the same request with the same
/// `Idempotency-Key`. It answers 503 where no model is configured, and where the provider is down: then the debate waits at
/// its `Location` to be continued. 403: the provider has refused the server's key. 409: somebody has stopped the debate.
#[utoipa::path(post, path = "/debate/run", operation_id = "run_debate", tag = "rooms",
    request_body(content = Option<Posted>, content_type = "application/json"),
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a repeated request answer the same debate. Without a cookie it counts \
            with 32 characters or more."),
        ("Prefer" = Option<String>, Header, description = "`respond-async`: do not wait for the end."),
    ),
    security((), ("cookie" = []), ("run_token" = [])),
    responses(
        (status = 200, description = "The debate, which is over.", body = DebateSchema, headers(
            ("Location" = String, description = "The run, under /api/runs."),
            ("Colloquy-Run-Token" = String, description = "Opens the run, as Bearer."),
        )),
        (status = 202, description = "The debate so far; it goes on.", body = DebateSchema, headers(
            ("Location" = String, description = "The run, under /api/runs."),
            ("Colloquy-Run-Token" = String, description = "Opens the run, as Bearer."),
            ("Preference-Applied" = String, description = "`respond-async`."),
        )),
        Problems,
    ))]
async fn run(
    State(app): State<AppState>,
    client: Client,
    key: IdempotencyKey,
    RespondAsync(at_once): RespondAsync,
    posted: Option<Body<Posted>>,
) -> Result<Response, AppError> {
    let setup = posted.map(|Body(posted)| posted).unwrap_or_default().into();
    let id = begin(&app, &client, setup, key).await?;
    let run = if at_once { app.engine.load::<Debate>(id).await } else { app.engine.rest::<Debate>(id).await };
    let headers =
        [(header::LOCATION, format!("/api/runs/{id}")), (HeaderName::from_static("colloquy-run-token"), app.signer.run_token(id))];
    Ok((headers, run.and_then(answer)).into_response())
}

/// The debate, or why it is not at its end.
fn answer(run: Run<Debate>) -> Result<Response, AppError> {
    if run.status() == Status::Running {
        let applied = [(HeaderName::from_static("preference-applied"), "respond-async")];
        return Ok((StatusCode::ACCEPTED, applied, Json(run.state.debate)).into_response());
    }
    Ok(Json(finished(run)?).into_response())
}
