//! What the room offers over MCP: the fourteen tools, with which a program holds a debate itself, and one that holds it here.

use super::{
    arguments::{self, START},
    schema::DebateSchema,
    start::{begin, finished},
    tools::TOOLS,
};
use crate::{
    engine::entry::Run,
    error::AppError,
    http::{
        IdempotencyKey,
        mcp::{Caller, Offer, Tool},
    },
    rooms::debate::flow::{Debate, DebateMessage},
};
use futures::{FutureExt, TryStreamExt};
use serde_json::{Value, json};
use std::future::ready;
use utoipa::PartialSchema;
use uuid::Uuid;

const INSTRUCTIONS: &str = "\
A debate has phases that are never skipped: OPENING, DEFENCE, EXCHANGE, REFLECTION, SUMMARY, DONE. Each debater speaks once in each, in \
EXCHANGE once a round; a neutral summariser closes.

run_debate holds a whole debate on this server's models and answers the final state.

To hold one yourself, whoever speaks: begin with create_initial_state and pass the state that a tool answers as state_dict to the next \
one; the server keeps none. For each debater of a phase: build_opening_prompt, build_defence_prompt, build_exchange_prompt or \
build_reflection_prompt says what the debater is told (2 to 3 sentences are expected), and record_opening, record_defence, \
record_exchange_message or record_reflection adds what was said. advance_phase begins the next phase; in EXCHANGE advance_exchange_round \
begins each round, the first as well. In SUMMARY: build_summary_prompt, record_summary (4 to 5 sentences), then advance_phase to DONE. \
A tool that refuses says what is still to do.";

pub fn offer() -> Offer {
    let pure = TOOLS.iter().map(|tool| Tool {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        takes: tool.arguments(),
        answers: if tool.answers_state() { state() } else { json!({ "type": "string" }) },
        is_pure: true,
        call: Box::new(move |_, arguments| ready(tool.call(arguments)).boxed()),
    });
    let run = Tool {
        name: "run_debate",
        title: "Hold a debate",
        description: "Holds a whole debate on this server’s models and answers its final state with the run’s id and token, which open it \
            at /api/runs/{run_id}. It takes as long as its models do, tells its progress, and goes on if the caller goes away.",
        takes: arguments::schema(START),
        answers: with_run(state()),
        is_pure: false,
        call: Box::new(|caller, arguments| run_debate(caller, arguments).boxed()),
    };
    Offer { instructions: INSTRUCTIONS, tools: pure.chain([run]).collect() }
}

async fn run_debate(caller: Caller, arguments: Value) -> Result<Value, AppError> {
    let setup = arguments::read(START, arguments)?.setup;
    let id = begin(&caller.app, &caller.client, setup, IdempotencyKey::default()).await?;
    let token = caller.app.signer.run_token(id);
    let debate = rest(&caller, id).await.and_then(finished).map_err(|error| {
        error.remedy(format!(
            "It is the run {id}: read it at /api/runs/{id} and continue it by POST to /api/runs/{id}/continue, with Authorization: Bearer {token}"
        ))
    })?;
    let mut answer = serde_json::to_value(debate).map_err(|_| AppError::internal())?;
    answer["run_id"] = json!(id);
    answer["run_token"] = json!(token);
    Ok(answer)
}

/// The run once it rests; each message is told as it is said.
async fn rest(caller: &Caller, id: Uuid) -> Result<Run<Debate>, AppError> {
    let mut runs = caller.app.engine.follow::<Debate>(id);
    let (mut said, mut last) = (0, None);
    while let Some(run) = runs.try_next().await? {
        let debate = &run.state.debate;
        for message in debate.messages.iter().skip(said) {
            said += 1;
            caller.tell(said, debate.expected(), turn(message)).await;
        }
        last = Some(run);
    }
    last.ok_or_else(AppError::internal)
}

/// `Gandhi, EXCHANGE round 2`
fn turn(message: &DebateMessage) -> String {
    let round = if message.round_index > 0 { format!(" round {}", message.round_index) } else { String::new() };
    format!("{}, {}{round}", message.author_name, message.phase.word())
}

fn state() -> Value {
    json!(DebateSchema::schema())
}

fn with_run(mut state: Value) -> Value {
    for (name, what) in [("run_id", "The run, under /api/runs."), ("run_token", "Opens the run, as Bearer.")] {
        state["properties"][name] = json!({ "type": "string", "description": what });
        state["required"].as_array_mut().into_iter().for_each(|required| required.push(json!(name)));
    }
    state
}
