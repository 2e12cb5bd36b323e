//! Drives one run: fold, see what is wanted, start it, settle what comes back, append, and again.

use super::{Agent, CONFLICTS, Call, CallError, Engine, call::Meter, drivers::Wake, now};
use crate::{
    engine::{
        entry::{Entry, Run, RunEvent, Usage, ask_json},
        flow::{Failure, Flow, Status},
        progress::Step,
    },
    models::ModelError,
    store::StoreError,
    telemetry::{Span, metrics},
};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::task::{AbortHandle, JoinSet};
use uuid::Uuid;

/// Calls before the first word, the first included, and the milliseconds they may take together.
const TRIES: u32 = 4;
const TRYING_MS: i64 = 60_000;
/// The first wait between them; each further one is twice as long.
const FIRST_WAIT_MS: i64 = 500;
/// Restarts of a step whose answer broke off.
const RESTARTS: u32 = 2;

type Ask<A> = <<A as Agent>::Flow as Flow>::Ask;
type Outcome<A> = <<A as Agent>::Flow as Flow>::Outcome;
type Entries<A> = Vec<Entry<<<A as Agent>::Flow as Flow>::Event>>;

/// A call that has ended.
struct Landed<A: Agent> {
    ask: Ask<A>,
    step: i64,
    result: Result<Outcome<A>, CallError>,
    usage: Usage,
}

/// A call that is being made, for that step.
struct Flight {
    step: i64,
    call: AbortHandle,
}

pub struct Driver<A: Agent> {
    engine: Engine,
    agent: Arc<A>,
    id: Uuid,
    epoch: i64,
    run: Run<A::Flow>,
    calls: JoinSet<Landed<A>>,
    flying: HashMap<Ask<A>, Flight>,
    /// Open steps that the log already knows are to be made again.
    announced: HashSet<i64>,
    span: Span,
}

impl<A: Agent> Driver<A> {
    pub async fn claim(engine: &Engine, agent: Arc<A>, id: Uuid) -> Result<Self, StoreError> {
        let epoch = engine.store().claim(id, engine.0.server).await?;
        let log = engine.store().events(id, 0).await?;
        let run = super::fold(&log).ok_or_else(|| StoreError::Decode(format!("the log of {id} does not fold")))?;
        Ok(Driver {
            engine: engine.clone(),
            agent,
            id,
            epoch,
            run,
            calls: JoinSet::new(),
            flying: HashMap::new(),
            announced: HashSet::new(),
            span: Span::agent(A::Flow::KIND, id),
        })
    }

    /// Until nothing is wanted any more, or the server stops. Calls in flight end with the driver.
    pub async fn drive(mut self, wake: &Wake) -> Result<(), StoreError> {
        let mut conflicts = 0;
        loop {
            match self.advance().await {
                Ok(()) => conflicts = 0,
                Err(StoreError::Conflict) if conflicts < CONFLICTS => {
                    conflicts += 1;
                    continue;
                }
                Err(error) => return Err(error),
            }
            if self.run.status() != Status::Running {
                return Ok(());
            }
            let rest = self.rest();
            tokio::select! {
                biased;
                () = self.engine.0.shutdown.cancelled() => return Ok(()),
                () = wake.woken() => if wake.take_ended() {
                    return Ok(());
                },
                Some(landed) = self.calls.join_next() => self.land(landed).await?,
                () = tokio::time::sleep(rest.min(Duration::from_secs(3600))), if rest < Duration::MAX => {}
            }
        }
    }

    /// Reads what others appended, cancels what is not wanted any more, starts what is.
    async fn advance(&mut self) -> Result<(), StoreError> {
        self.catch_up().await?;
        self.flying.retain(|ask, flight| {
            let wanted = is_wanted(&self.run, ask, flight.step);
            if !wanted {
                flight.call.abort();
            }
            wanted
        });
        let wants = self.run.wants();
        if !self.is_over_time() {
            for ask in wants {
                if !self.flying.contains_key(&ask) && !self.rests(&ask) {
                    self.begin(ask).await?;
                }
            }
        } else if self.flying.is_empty() && !wants.is_empty() {
            let minutes = self.engine.limits().run_time.as_secs().div_ceil(60);
            let why = format!("This run has used {minutes} minutes of model time. Continue if it should go on.");
            self.append(vec![Entry::Run(RunEvent::Waited { until: None, why, cause: None, step: None })]).await?;
        }
        Ok(())
    }

    /// Then what is being said is heard to its end, and nothing more is asked.
    fn is_over_time(&self) -> bool {
        self.run.progress.model_ms >= self.engine.limits().run_time.as_millis() as i64
    }

    async fn catch_up(&mut self) -> Result<(), StoreError> {
        for row in self.engine.store().events(self.id, self.run.seq).await? {
            self.run = self.run.clone().take(row.stamp, &row.body);
        }
        Ok(())
    }

    /// Has this ask a backoff that is not over?
    fn rests(&self, ask: &Ask<A>) -> bool {
        let backoff = self.run.progress.step(&ask_json(ask)).and_then(|step| step.backoff.as_ref());
        backoff.is_some_and(|backoff| backoff.until > now())
    }

    /// How long until the first call may be made again; for ever where none waits for that.
    fn rest(&self) -> Duration {
        let ends = self.run.progress.open.iter().filter_map(|step| Some(step.backoff.as_ref()?.until));
        let first = ends.min().filter(|_| !self.is_over_time());
        first.map_or(Duration::MAX, |until| Duration::from_millis(until.saturating_sub(now()).max(0) as u64))
    }

    async fn begin(&mut self, ask: Ask<A>) -> Result<(), StoreError> {
        let (json, model) = (ask_json(&ask), self.agent.model_for(&self.run.state, &ask));
        match self.run.progress.step(&json) {
            None => self.append(vec![Entry::Run(RunEvent::StepStarted { ask: json.clone(), model: model.clone() })]).await?,
            Some(step) if self.announced.remove(&step.seq) => {}
            Some(step) => {
                let why = if step.backoff.is_some() { "Trying again." } else { "The server was restarted." }.to_owned();
                self.append(vec![Entry::Run(RunEvent::StepRestarted { step: step.seq, why, counted: false })]).await?;
            }
        }
        let Some(step) = self.run.progress.step(&json).map(|step| step.seq) else { return Ok(()) };
        let meter = Arc::new(Meter::default());
        let call = Call::new(self.engine.clone(), self.id, step, meter.clone(), self.span.clone());
        let (agent, state, key) = (self.agent.clone(), self.run.state.clone(), ask.clone());
        let flight = async move {
            let started = Instant::now();
            let result = agent.perform(state, key.clone(), call).await;
            Landed { ask: key, step, result, usage: meter.usage(json, model, started.elapsed()) }
        };
        self.flying.insert(ask, Flight { step, call: self.calls.spawn(flight) });
        Ok(())
    }

    /// Settles what came back, on a fresh fold each time the log has moved on.
    async fn land(&mut self, landed: Result<Landed<A>, tokio::task::JoinError>) -> Result<(), StoreError> {
        let landed = match landed {
            Ok(landed) => landed,
            Err(cancelled) if cancelled.is_cancelled() => return Ok(()),
            Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
        };
        if self.flying.get(&landed.ask).is_none_or(|flight| flight.step != landed.step) {
            return Ok(());
        }
        self.flying.remove(&landed.ask);
        for _ in 0..CONFLICTS {
            if !is_wanted(&self.run, &landed.ask, landed.step) {
                return Ok(());
            }
            let entries = self.settle(&landed);
            match self.append(entries).await {
                Err(StoreError::Conflict) => self.catch_up().await?,
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    fn settle(&mut self, landed: &Landed<A>) -> Entries<A> {
        let Landed { ask, result, usage, .. } = landed;
        let used = || Entry::Run(RunEvent::Usage(usage.clone()));
        match result {
            Ok(outcome) => {
                let events = A::Flow::settle(&self.run.state, ask, outcome.clone());
                let mut entries = vec![used()];
                if events.is_empty() {
                    let why = "Nothing could be made of the model’s answer.".to_owned();
                    entries.push(Entry::Run(RunEvent::Failed { why, cause: None }));
                }
                entries.extend(events.into_iter().map(Entry::Room));
                entries
            }
            Err(failure) => {
                // What broke off was charged, nobody says how much.
                let charged = usage.first_ms.map(|_| used());
                charged.into_iter().chain(self.fail(ask, failure)).collect()
            }
        }
    }

    /// What a failed call amounts to. Where it would halt the run, the room is asked first.
    fn fail(&mut self, ask: &Ask<A>, failure: &CallError) -> Entries<A> {
        let Some(step) = self.run.progress.step(&ask_json(ask)) else { return Vec::new() };
        tracing::warn!(run = %self.id, error = %failure.error, begun = failure.begun, "a model call failed");
        let event = after_failure(step, failure, now(), rand::random_range(0.5..1.0));
        match event {
            RunEvent::StepRestarted { .. } => {
                self.announced.insert(step.seq);
                metrics::retried(A::Flow::KIND, failure.error.word());
            }
            RunEvent::Waited { until: Some(_), .. } => metrics::retried(A::Flow::KIND, failure.error.word()),
            _ => {
                let failure = Failure { why: remedied(&failure.error), cause: Some(failure.error.word().to_owned()) };
                if let Some(events) = A::Flow::failed(&self.run.state, ask, &failure).filter(|events| !events.is_empty()) {
                    return events.into_iter().map(Entry::Room).collect();
                }
            }
        }
        vec![Entry::Run(event)]
    }

    async fn append(&mut self, entries: Entries<A>) -> Result<(), StoreError> {
        self.run = self.engine.append(self.id, self.run.clone(), Some(self.epoch), &entries).await?;
        Ok(())
    }
}

/// Is this step's answer waited for? One that was stopped is another than the one that was begun after it.
fn is_wanted<F: Flow>(run: &Run<F>, ask: &F::Ask, step: i64) -> bool {
    run.wants().contains(ask) && run.progress.step(&ask_json(ask)).is_some_and(|open| open.seq == step)
}

/// What a failed call amounts to: another try after a wait, the step once more, a person, or the end.
/// `jitter` from 0.5 to 1 shortens our own waits, never those a provider asks for.
fn after_failure(step: &Step, failure: &CallError, now: i64, jitter: f64) -> RunEvent {
    let (why, cause) = (failure.error.to_string(), Some(failure.error.word().to_owned()));
    if !failure.error.is_transient() {
        return RunEvent::Failed { why: remedied(&failure.error), cause };
    }
    if failure.begun {
        return match step.restarts {
            RESTARTS.. => RunEvent::Waited { until: None, why: format!("{why} Tried {} times.", RESTARTS + 1), cause, step: None },
            _ => RunEvent::StepRestarted { step: step.seq, why, counted: true },
        };
    }
    let own = (FIRST_WAIT_MS << step.tries.min(TRIES)) as f64 * jitter;
    let asked = failure.error.retry_after().map_or(0, |after| after.as_millis() as i64);
    let until = now + asked.max(own as i64);
    // Where the provider has kept silent, that time has been spent on trying as well.
    let silent = if let ModelError::Silent(seconds) = failure.error { seconds as i64 * 1_000 } else { 0 };
    let too_late = until > step.tries_since.unwrap_or(now - silent) + TRYING_MS;
    if step.tries + 1 >= TRIES || too_late {
        return RunEvent::Waited { until: None, why: format!("{why} Continue to try again."), cause, step: None };
    }
    RunEvent::Waited { until: Some(until), why, cause, step: Some(step.seq) }
}

fn remedied(error: &ModelError) -> String {
    match error {
        ModelError::Auth { .. } => format!("{error} Put a valid one into the environment or .env, start the server again, then continue."),
        ModelError::NotConfigured { .. } => format!("{error} Configure it again and continue, or run this again with another."),
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tried: (u32, Option<i64>), restarts: u32, error: ModelError, begun: bool, expect: RunEvent) {
        let step = Step { seq: 2, restarts, tries: tried.0, tries_since: tried.1, ..Step::default() };
        assert_eq!(after_failure(&step, &CallError { error, begun }, 1_000, 1.0), expect);
    }

    #[test]
    fn failures_wait_restart_or_end() {
        let waited = |until: Option<i64>, cause: &str, why: &str| {
            let step = until.map(|_| 2);
            RunEvent::Waited { until, why: why.into(), cause: Some(cause.into()), step }
        };
        let busy = |seconds| ModelError::RateLimited { retry_after: Some(Duration::from_secs(seconds)) };
        check((0, None), 0, ModelError::Network, false, waited(Some(1_500), "network", "The model cannot be reached."));
        check((2, Some(0)), 0, ModelError::Network, false, waited(Some(3_000), "network", "The model cannot be reached."));
        check((3, Some(0)), 0, ModelError::Network, false, waited(None, "network", "The model cannot be reached. Continue to try again."));
        let silent = "The model said nothing for 60 seconds. Continue to try again.";
        check((0, None), 0, ModelError::Silent(60), false, waited(None, "silent", silent));
        let briefly = "The model said nothing for 20 seconds.";
        check((0, None), 0, ModelError::Silent(20), false, waited(Some(1_500), "silent", briefly));
        check((0, None), 0, busy(7), false, waited(Some(8_000), "rate_limited", "The model is busy."));
        check((1, Some(500)), 0, busy(60), false, waited(None, "rate_limited", "The model is busy. Continue to try again."));
        check(
            (0, None),
            1,
            ModelError::Truncated,
            true,
            RunEvent::StepRestarted { step: 2, why: "The model’s answer broke off.".into(), counted: true },
        );
        check((0, None), 2, ModelError::Truncated, true, waited(None, "truncated", "The model’s answer broke off. Tried 3 times."));
        check(
            (0, None),
            0,
            ModelError::BadRequest("no".into()),
            false,
            RunEvent::Failed { why: "The model did not accept the request: no".into(), cause: Some("bad_request".into()) },
        );
    }
}
