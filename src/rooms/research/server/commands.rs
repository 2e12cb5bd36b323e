//! A person's commands: carried to the log, and where the run was stopped it goes on with them.

use crate::{
    engine::{
        entry::{Entry, Run, RunEvent},
        flow::{Flow, Status},
    },
    error::AppError,
    http::{AppState, Client},
    rooms::research::flow::{Command, Event, Refusal, Research},
    store::RunRow,
};

/// Carries it out, if the client may spend. `seen` is the number of the person's messages that they knew of: the same words said
/// twice from there are one message.
pub async fn command(app: &AppState, client: &Client, row: &RunRow, command: Command, seen: Option<u32>) -> Result<(), AppError> {
    let _spending = match command {
        Command::StopSection { .. } => None,
        _ => app.may_spend(&client.clone().acting_for(row)).await?,
    };
    app.engine.command::<Research, _>(row.id, move |run, _| Ok(entries(run, &command, seen)?)).await
}

fn entries(run: &Run<Research>, command: &Command, seen: Option<u32>) -> Result<Vec<Entry<Event>>, Refusal> {
    if is_said_again(run, command, seen) {
        return Ok(vec![]);
    }
    let goes_on = is_halted(run) && !matches!(command, Command::StopSection { .. });
    let state = if goes_on { &Research::resumed(run.state.clone()) } else { &run.state };
    let events = Research::decide(state, command.clone())?;
    let continued = (goes_on && !events.is_empty()).then_some(Entry::Run(RunEvent::Continued));
    Ok(continued.into_iter().chain(events.into_iter().map(Entry::Room)).collect())
}

/// Has it been stopped, or come to a halt by itself? Then a command lets it go on.
pub fn is_halted(run: &Run<Research>) -> bool {
    run.progress.halt.is_some() || run.status() == Status::Failed
}

fn is_said_again(run: &Run<Research>, command: &Command, seen: Option<u32>) -> bool {
    let (Command::Say { text }, messages) = (command, run.state.messages) else { return false };
    let last = messages.checked_sub(1).and_then(|last| run.state.message(last));
    seen.is_some_and(|seen| seen < messages) && last == Some(text.trim())
}
