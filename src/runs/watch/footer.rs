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
    /// What is typed: see [`Watch::draft`]; and how many messages stand above it.
    pub draft: RwSignal<String>,
    pub seen: Signal<u32>,
    /// Stop has the place of Send.
    pub speaking: Signal<bool>,
    /// What is under way: see [`Watch::submission`]; and how a message gets there.
    pub submission: Submission<AppError>,
    pub send: Callback<Message>,
}

#[component]
pub fn Footer(watch: Watch, speaking: Speaking) -> impl IntoView {
    let Speaking { mut target, max, placeholder, draft, seen, speaking, submission, send } = speaking;
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
                    <Buttons watch=watch class="phone-only" stop=false />
                </div>
            </When>
            <Composer
                target=target halt=CommandRun::url() draft=draft seen=seen sending=sending(watch, submission)
                speaking=speaking shut=shut placeholder=placeholder max=max send=send stop=stop
            />
        </footer>
    }
}

fn sending(watch: Watch, submission: Submission<AppError>) -> Sending {
    Sending {
        pending: submission.pending.into(),
        done: submission.done.into(),
        failure: failure(submission),
        unreached: Signal::derive(move || {
            submission.error.with(|error| error.as_ref().is_some_and(|error| error.code == Code::Unavailable))
        }),
        connected: Signal::derive(move || watch.connection.link.get() == Link::Connected),
    }
}
