//! A person's commands: carried to the log, and where the run was stopped it goes on with most of them.

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
    let goes_on = is_halted(run) && lets_go_on(command);
    let state = if goes_on { &run.resumed() } else { &run.state };
    let events = Research::decide(state, command.clone())?;
    let continued = (goes_on && !events.is_empty()).then_some(Entry::Run(RunEvent::Continued));
    let events = posted.cloned().map(Event::Posted).into_iter().chain(events);
    Ok(continued.into_iter().chain(events.map(Entry::Room)).collect())
}

/// Whoever puts something right, or stops a section, does not ask for more.
fn lets_go_on(command: &Command) -> bool {
    !matches!(command, Command::Correct { .. } | Command::StopSection { .. })
}

/// Has it been stopped, or come to a halt by itself?
pub fn is_halted(run: &Run<Research>) -> bool {
    run.progress.halt.is_some() || run.status() == Status::Failed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::research::{
        flow::{Field, Section},
        held::{self, Story},
    };

    fn continues(story: &Story, command: Command) -> bool {
        let entries = entries(&story.run, &command, None).expect("carried out");
        assert!(entries.iter().any(|entry| matches!(entry, Entry::Room(_))), "{command:?} changes nothing");
        entries.contains(&Entry::Run(RunEvent::Continued))
    }

    #[test]
    fn a_stopped_run_goes_on_when_somebody_asks_for_more() {
        let correct = |text: &str| Command::Correct { field: Field::Industry, text: text.into() };
        let mut story = held::half();
        story.command(correct("Cafés"));
        story.append(Entry::Run(RunEvent::Stopped { partial: vec![], why: "Stopped by you.".into() }));
        let question = story.run.state.asked.expect("a question");
        for (command, expect) in [
            (Command::Say { text: "Doughline.".into() }, true),
            (Command::Choose { question, options: vec![] }, true),
            (Command::Retry { section: Section::IndustryMarket }, true),
            (Command::Refresh, true),
            (correct("Hotels"), false),
            (Command::StopSection { section: Section::OfferAnalysis }, false),
        ] {
            assert_eq!(continues(&story, command.clone()), expect, "{command:?}");
        }
    }
}
