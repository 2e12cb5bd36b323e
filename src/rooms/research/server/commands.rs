//! A person's commands: carried to the log, and where the run was stopped it goes on with them.

use crate::{
    engine::{
        entry::{Entry, Run, RunEvent},
        flow::{Flow, Status},
    },
    error::AppError,
    http::{AppState, Client},
    rooms::research::flow::{Command, Event, Posting, Refusal, Research},
    store::RunRow,
};

/// Carries it out, if the client may spend. What was posted before is done already.
pub async fn command(app: &AppState, client: &Client, row: &RunRow, command: Command, posted: Option<Posting>) -> Result<(), AppError> {
    let _spending = match command {
        Command::StopSection { .. } => None,
        _ => app.may_spend(&client.clone().acting_for(row)).await?,
    };
    app.engine.command::<Research, _>(row.id, move |run, _| Ok(entries(run, &command, posted.as_ref())?)).await
}

fn entries(run: &Run<Research>, command: &Command, posted: Option<&Posting>) -> Result<Vec<Entry<Event>>, Refusal> {
    if posted.is_some_and(|posted| run.state.posted.contains(&posted.id)) {
        return Ok(vec![]);
    }
    let goes_on = is_halted(run) && !matches!(command, Command::StopSection { .. });
    let state = if goes_on { &run.resumed() } else { &run.state };
    let events = Research::decide(state, command.clone())?;
    let continued = (goes_on && !events.is_empty()).then_some(Entry::Run(RunEvent::Continued));
    let events = posted.cloned().map(Event::Posted).into_iter().chain(events);
    Ok(continued.into_iter().chain(events.map(Entry::Room)).collect())
}

/// Has it been stopped, or come to a halt by itself? Then a command lets it go on.
pub fn is_halted(run: &Run<Research>) -> bool {
    run.progress.halt.is_some() || run.status() == Status::Failed
}
