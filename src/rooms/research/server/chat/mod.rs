//! `/api/journey/stream`: a conversation for a client that holds it as a chat of its own (npm `ai` 5 to 7, as `useChat` reads it).
//! It answers the interviewer's questions as calls of a tool, and reads what was researched as what another tool has put out.

use crate::engine::flow::read::Read;
use crate::{
    engine::{
        entry::{Entry, RunEvent},
        server::fold,
    },
    error::AppError,
    http::{
        AppState, Body, Client, IdempotencyKey, Problems,
        chat::{self, Reply},
    },
    rooms::research::{
        flow::{Event, Research, Setup},
        server::tools::{ASK_USER, RUN_RESEARCH},
    },
    store::{EventRow, RunRow},
};
use axum::{
    extract::{DefaultBodyLimit, Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use ui_stream::UiStream;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

mod answer;
mod claims;
mod heard;
mod imported;
mod posted;
#[cfg(test)]
mod tests;
mod ui_stream;

pub use posted::Posted;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(journey)).routes(routes!(resume)).layer(DefaultBodyLimit::max(chat::MAX_BODY))
}

/// Starts a conversation, or goes on with it, and answers what comes of it: an AI SDK UI message stream (npm `ai` 5 to 7), as
/// `useChat` reads it. Closing the connection does not stop the run.
///
/// `askUser` is a call the client makes: its input is `{ question, field, options?, multi?, allowOther? }`, and its output, a string or
/// `{ "answer": … }`, is posted with the messages. `runResearch` is made here: its input is `{ section, context }`, its preliminary
/// outputs are `{ section, status: "running", stage, steps }`, and its output is `{ section, status: "complete", data, sources, durationMs,
/// cost }`, the cost in US dollars where it is known, or `{ section, status: "error", error }`. The response ends when all it has begun
/// has its output.
///
/// A run is found by the cookie or the run token, and the chat's id. Where there is none a new one takes up the conversation as it was
/// posted; what that claims to have been researched is used as the caller's word, where it has the form that is put out here.
#[utoipa::path(post, path = "/api/journey/stream", tag = "rooms", request_body = Posted,
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes a repeated start answer the same run. Without a cookie it counts \
            with 32 characters or more.")),
    security((), ("cookie" = []), ("run_token" = [])),
    responses(
        (status = 200, description = "Server-sent events, ending with `[DONE]`.", content_type = "text/event-stream", body = String, headers(
            ("Location" = String, description = "The run, under /api/runs."),
            ("Colloquy-Run-Token" = String, description = "Opens the run, as Bearer."),
        )),
        Problems,
    ))]
async fn journey(
    State(app): State<AppState>,
    client: Client,
    key: IdempotencyKey,
    Body(posted): Body<Posted>,
) -> Result<Response, AppError> {
    let chat = chat::chat_id(posted.id.as_deref())?.map(str::to_owned);
    chat::check_ids(&posted.messages)?;
    let found = match &chat {
        Some(chat) => chat::find::<Research>(&app, &client, chat).await?,
        None => None,
    };
    let id = match found {
        Some(row) => hear(&app, &client, &row, &posted).await.map(|()| row.id),
        None => begin(&app, &client, &posted, key, chat).await,
    };
    respond(&app, id.map_err(in_wire_names)?, posted.going_on()).await
}

/// Takes the conversation up in a run of its own.
async fn begin(app: &AppState, client: &Client, posted: &Posted, key: IdempotencyKey, chat: Option<String>) -> Result<Uuid, AppError> {
    let own = chat.as_ref().filter(|_| client.known).and_then(|chat| posted.key(chat));
    let key = IdempotencyKey(key.0.or(own));
    app.start::<Research>(client, imported::begun(&posted.messages), key, chat).await
}

/// Tells the run what is new in the post, if anything is.
async fn hear(app: &AppState, client: &Client, row: &RunRow, posted: &Posted) -> Result<(), AppError> {
    let (id, messages, again) = (row.id, posted.messages.clone(), posted.again());
    let run = app.engine.load::<Research>(id).await?;
    if heard::heard(id, &run, &messages, again)?.is_empty() {
        return Ok(());
    }
    let _spending = app.may_spend(&client.clone().acting_for(row)).await?;
    app.engine.command::<Research, _>(id, move |run, _| Ok(heard::heard(id, run, &messages, again)?)).await
}

/// This route's name for what a message's fault is in.
fn in_wire_names(mut error: AppError) -> AppError {
    for fault in &mut error.errors {
        fault.pointer = "/messages".to_owned();
    }
    error
}

/// The stream of a chat whose run goes on, again from the start of its present message. `useChat` is told of this address with
/// `prepareReconnectToStreamRequest`.
#[utoipa::path(get, path = "/api/journey/{chatId}/stream", operation_id = "resume_journey", tag = "rooms",
    params(("chatId" = String, Path, description = "The client's own id of the conversation.")),
    security(("cookie" = []), ("run_token" = [])),
    responses(
        (status = 200, description = "As POST /api/journey/stream answers.", content_type = "text/event-stream", body = String),
        (status = 204, description = "There is nothing to resume: no such chat, somebody else's, or nothing goes on in its run."),
        Problems,
    ))]
async fn resume(State(app): State<AppState>, client: Client, Path(chat): Path<String>) -> Result<Response, AppError> {
    match chat::find::<Research>(&app, &client, &chat).await?.filter(chat::goes_on) {
        Some(row) => respond(&app, row.id, None).await,
        None => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}

/// What came after the person's last words, as the message that goes on, or as one of its own.
async fn respond(app: &AppState, run: Uuid, going_on: Option<&str>) -> Result<Response, AppError> {
    let log = app.engine.store().events(run, 0).await?;
    let (from, message) = present(&log);
    let message = going_on.map(str::to_owned).or(message).unwrap_or_else(|| format!("{run}-{from}"));
    let before = fold::<Research>(&log[..from as usize]).ok_or_else(AppError::internal)?;
    chat::respond(app, Reply { run, from, message }, UiStream::new(run, &before.state)).await
}

/// The entry with the person's last words, and the client's message that went on with them.
fn present(log: &[EventRow]) -> (i64, Option<String>) {
    let (mut present, mut posted) = ((1, None), None);
    for EventRow { stamp, body } in log {
        match Entry::read(body) {
            Some(Entry::Run(RunEvent::Started { setup, .. })) => {
                let setup = Setup::read(&setup).unwrap_or_default();
                present.1 = setup.posted.and_then(|posted| posted.message);
            }
            Some(Entry::Room(Event::Posted(next))) => posted = Some(next),
            Some(Entry::Room(Event::Said { .. } | Event::Chose { .. })) => {
                present = (stamp.seq, posted.take().and_then(|posted| posted.message));
            }
            _ => {}
        }
    }
    present
}

/// How a question's call is known: by the run as well, since a client may go on with a conversation in another one.
fn ask_id(run: Uuid, turn: u32) -> String {
    format!("{run}-ask-{turn}")
}
