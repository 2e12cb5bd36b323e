//! The footer of a room whose runs are spoken to: what is to be said of the run, and the composer.

use super::{
    Watch,
    controls::{Buttons, standing},
    failure,
};
use crate::{
    engine::{flow::Status, live::Link},
    error::{AppError, Code},
    runs::{CommandRun, Verb, command_run},
    ui::{Composer, Message, Sending, Submission, Target, When},
};
use leptos::{prelude::*, server_fn::ServerFn};

/// What a room brings to it.
pub struct Speaking {
    /// The server function that takes the words: its address, what it wants besides them and the run's `id`, and their name there.
    pub target: Target,
    /// Characters that it takes.
    pub max: usize,
    pub placeholder: Signal<String>,
    /// What is typed: see [`Watch::draft`].
    pub draft: RwSignal<String>,
    /// What makes repeated requests harmless: new for every page.
    pub key: String,
    /// Stop has the place of Send.
    pub speaking: Signal<bool>,
    /// What is under way: see [`Watch::submission`]; and how a message gets there.
    pub submission: Submission<AppError>,
    pub send: Callback<Message>,
}

#[component]
pub fn Footer(watch: Watch, speaking: Speaking) -> impl IntoView {
    let Speaking { mut target, max, placeholder, draft, key, speaking, submission, send } = speaking;
    let quiet = move || {
        let link = watch.connection.link.get() == Link::Connected;
        link && watch.readout.with(|readout| !readout.can_continue && matches!(readout.status, Status::Running | Status::Waiting))
    };
    let shut = Signal::derive(move || if watch.is_gone() { "Nothing can be said here any more.".to_owned() } else { String::new() });
    // The verb is what makes a Stop of them.
    target.fields.extend([("id", watch.id.get_value()), ("verb", Verb::Stop.slug().to_owned())]);
    let stop = Callback::new(move |()| watch.command.send(command_run(watch.id.get_value(), Verb::Stop)));
    view! {
        <footer class="spoken-to">
            <When when=Signal::derive(move || !quiet())>
                <div class="run-bar">
                    <p class="run-bar-text">{Signal::derive(move || standing(watch))}</p>
                    <Buttons watch=watch class="phone-only" stop=Signal::stored(false) />
                </div>
            </When>
            <Composer
                target=target halt=CommandRun::url() draft=draft key=key sending=sending(watch, submission)
                speaking=speaking shut=shut placeholder=placeholder max=max send=send stop=stop
            />
        </footer>
    }
}

fn sending(watch: Watch, submission: Submission<AppError>) -> Sending {
    Sending {
        pending: submission.pending.into(),
        done: submission.done,
        failure: failure(submission),
        unreached: Signal::derive(move || {
            submission.error.with(|error| error.as_ref().is_some_and(|error| error.code == Code::Unavailable))
        }),
        connected: Signal::derive(move || watch.connection.link.get() == Link::Connected),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::follow::{Fact, Snapshot},
        rooms::simulate::flow::Simulate,
        runs::{
            Opened,
            watch::{Room, Words},
        },
    };
    use serde_json::{Value, json};

    const ROOM: Room = Room { name: "Journey", href: "/demo", complete: "The journey is complete", again: "Reset" };

    /// The footer of a run with these events behind its start.
    fn html(events: &[Value]) -> String {
        let started = json!({ "started": { "setup": { "icp": "Marta", "query": "Which one?" }, "model": "rehearsal" } });
        let fact = |(seq, event): (i64, &Value)| Fact { run: "7".into(), seq, at: 0, body: json!({ "run": event }) };
        let log = (1..).zip(std::iter::once(&started).chain(events)).map(fact).collect();
        let snapshot = Snapshot { id: "7".into(), title: String::new(), log, open: vec![], build: String::new() };
        let owner = Owner::new();
        owner.with(|| {
            let opened = Opened { snapshot, mine: true, parent: None, forks: vec![] };
            let (watch, _) = Watch::open::<Simulate>(ROOM, opened, |_, _| Words::default()).expect("a journey");
            let speaking = Speaking {
                target: Target { action: "/say", fields: vec![("what", "say".into())], name: "text" },
                max: 100,
                placeholder: Signal::stored("Message".to_owned()),
                draft: watch.draft(None),
                key: "page".to_owned(),
                speaking: Signal::stored(false),
                submission: watch.submission(),
                send: Callback::new(|_| ()),
            };
            view! { <Footer watch=watch speaking=speaking /> }.to_html()
        })
    }

    fn check(html: &str, there: &[&str], not_there: &[&str]) {
        assert!(there.iter().all(|what| html.contains(what)), "{there:?}: {html}");
        assert!(!not_there.iter().any(|what| html.contains(what)), "none of {not_there:?}: {html}");
    }

    #[test]
    fn it_is_quiet_while_the_conversation_goes_on() {
        let form =
            [r#"action="/say""#, r#"name="what" value="say""#, r#"name="id" value="7""#, r#"aria-label="Message""#, r#"aria-label="Send""#];
        check(&html(&[]), &form, &["run-bar", "Continue", "Replay"]);
    }

    #[test]
    fn a_run_that_was_stopped_can_be_continued_or_spoken_to() {
        let stopped = json!({ "stopped": { "partial": [], "why": "By you." } });
        check(&html(&[stopped]), &["Stopped", ">Continue", r#"aria-label="Message""#], &[">Stop<"]);
    }
}
