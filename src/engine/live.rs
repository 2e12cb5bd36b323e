//! A run on a page: signals that follow its stream. Opens one `EventSource` at the run's cursor, folds
//! what comes, redraws once per frame, and comes back by cursor after anything that breaks.

use crate::engine::{
    entry::{Entry, RunEvent},
    event_source::{Incoming, Source, is_gone},
    flow::{Flow, Stamp, Status},
    follow::{Change, Follower, Gap, Signal, Snapshot, Texts},
    shown::Shown,
};
use futures::{
    StreamExt,
    channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded},
    future::{Either, select},
};
use gloo_timers::future::TimeoutFuture;
use leptos::{prelude::*, reactive::spawn_local_scoped_with_cancellation};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// A hidden tab gives its connection back after this, in milliseconds.
const HIDDEN_MS: f64 = 5_000.0;
/// Silence after which the connection counts as lost: twice the server's ping, and a little.
const SILENT_MS: u32 = 5_000;
const SILENT_IDLE_MS: u32 = 35_000;
const REOPEN_MS: u32 = 100;
/// Waits before reopening after the server refused, growing up to the last.
const RETRY_MS: [u32; 4] = [300, 1_000, 2_000, 5_000];

/// Is the stream there?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    Connected,
    Reconnecting,
    /// The run was deleted, or may not be read any more.
    Gone,
}

enum Control {
    Shown,
    Hidden,
    Offline,
    /// Look again: somebody has just commanded the run.
    Nudge,
}

/// The page's end of a stream, whatever the room: is it there, and what whoever listens is told.
#[derive(Clone, Copy)]
pub struct Connection {
    pub link: RwSignal<Link>,
    control: StoredValue<UnboundedSender<Control>>,
}

impl Connection {
    /// To be called after a command, so that a stream that had ended is opened again.
    pub fn nudge(self) {
        self.tell(Control::Nudge);
    }

    fn tell(self, control: Control) {
        self.control.with_value(|sender| drop(sender.unbounded_send(control)));
    }

    fn watch_page(self) {
        let handles = [
            window_event_listener_untyped("visibilitychange", move |_| {
                self.tell(if document().hidden() { Control::Hidden } else { Control::Shown })
            }),
            window_event_listener_untyped("offline", move |_| self.tell(Control::Offline)),
            window_event_listener_untyped("online", move |_| self.tell(Control::Nudge)),
        ];
        on_cleanup(move || handles.into_iter().for_each(|handle| handle.remove()));
    }
}

pub struct Live<F: Flow> {
    pub id: StoredValue<String>,
    pub shown: Shown<F>,
    pub connection: Connection,
}

// A handle of signals is `Copy` whatever the room is.
impl<F: Flow> Clone for Live<F> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Flow> Copy for Live<F> {}

impl<F: Flow> Live<F> {
    /// Shows the snapshot, and in the browser follows the run for as long as the calling owner lives.
    /// `None` when the log is not one of this room's.
    pub fn follow(snapshot: Snapshot) -> Option<Self> {
        let build = snapshot.build.clone();
        let follower = Follower::new(snapshot)?;
        let (id, shown) = (follower.id.clone(), Shown::new(follower.run.clone(), follower.texts.clone()));
        let connection = Listener::start(id.clone(), build, Rc::new(RefCell::new(OnPage { follower, shown })));
        Some(Live { id: StoredValue::new(id), shown, connection })
    }
}

/// Why a connection was given up.
enum Broken {
    /// The server said no, or that there is nothing more.
    Closed,
    /// A part is missing, or the line is silent: reopen at once.
    Reopen,
    Offline,
    Hidden,
}

/// A run that is followed, whatever its room: all that the browser has to carry once for each room of what is in here.
pub trait Followed {
    /// Where to reopen.
    fn cursor(&self) -> String;
    fn status(&self) -> Status;
    fn take(&mut self, signal: Signal) -> Result<Change, Gap>;
    /// Shows what has come, unless the page is gone.
    fn show(&self);
    /// Shows it as it is, whatever was shown of it.
    fn show_all(&self);
    /// Shows that nothing more is written, as far as anybody can see; what is followed stays where it was.
    fn show_gone(&self);
}

struct OnPage<F: Flow> {
    follower: Follower<F>,
    shown: Shown<F>,
}

impl<F: Flow> Followed for OnPage<F> {
    fn cursor(&self) -> String {
        self.follower.cursor()
    }

    fn status(&self) -> Status {
        self.follower.run.status()
    }

    fn take(&mut self, signal: Signal) -> Result<Change, Gap> {
        self.follower.take(signal)
    }

    fn show(&self) {
        let (Shown { run, texts }, follower) = (self.shown, &self.follower);
        let (Some(seq), Some(same)) = (run.try_with_untracked(|run| run.seq), texts.try_with_untracked(|texts| *texts == follower.texts))
        else {
            return;
        };
        if seq != follower.run.seq {
            run.set(follower.run.clone());
        }
        if !same {
            texts.set(follower.texts.clone());
        }
    }

    fn show_all(&self) {
        self.shown.run.set(self.follower.run.clone());
    }

    fn show_gone(&self) {
        let (run, partial) = (self.follower.run.clone(), self.follower.texts.clone());
        let stamp = Stamp { seq: run.seq, at: run.progress.updated_at };
        if run.status() == Status::Running {
            self.shown.run.set(run.apply(stamp, &Entry::Run(RunEvent::Stopped { partial, why: String::new() })));
            self.shown.texts.set(Texts::new());
        }
    }
}

pub struct Listener {
    id: String,
    connection: Connection,
    followed: Rc<RefCell<dyn Followed>>,
    build: String,
    /// A frame has been asked for.
    drawing: Rc<Cell<bool>>,
}

impl Listener {
    /// In the browser, follows for as long as the calling owner lives.
    pub fn start(id: String, build: String, followed: Rc<RefCell<dyn Followed>>) -> Connection {
        let (sender, receiver) = unbounded();
        let connection = Connection { link: RwSignal::new(Link::Connected), control: StoredValue::new(sender) };
        let mut start = Some((Listener { id, connection, followed, build, drawing: Rc::default() }, receiver));
        Effect::new(move || {
            let Some((listener, receiver)) = start.take() else { return };
            connection.watch_page();
            spawn_local_scoped_with_cancellation(listener.listen(receiver));
        });
        connection
    }

    async fn listen(self, mut control: UnboundedReceiver<Control>) {
        let mut retries = 0;
        loop {
            let url = format!("/api/events?run={}", self.followed.borrow().cursor());
            let broken = match Source::open(&url) {
                Some(source) => self.read(source, &mut control, &mut retries).await,
                None => Broken::Closed,
            };
            match broken {
                Broken::Hidden => self.until_shown(&mut control).await,
                Broken::Reopen => {
                    self.connection.link.set(Link::Reconnecting);
                    TimeoutFuture::new(REOPEN_MS).await;
                }
                Broken::Offline => {
                    self.connection.link.set(Link::Reconnecting);
                    self.until_shown(&mut control).await;
                }
                Broken::Closed if self.is_over() => {
                    self.connection.link.set(Link::Connected);
                    self.until_shown(&mut control).await;
                }
                Broken::Closed if is_gone(&self.id).await => {
                    self.followed.borrow().show_gone();
                    self.connection.link.set(Link::Gone);
                    self.until_shown(&mut control).await;
                }
                Broken::Closed => {
                    self.connection.link.set(Link::Reconnecting);
                    let wait = RETRY_MS[retries.min(RETRY_MS.len() - 1)];
                    retries += 1;
                    select(TimeoutFuture::new(wait), control.next()).await;
                }
            }
        }
    }

    async fn read(&self, mut source: Source, control: &mut UnboundedReceiver<Control>, retries: &mut usize) -> Broken {
        let since = |hidden: bool| hidden.then(js_sys::Date::now);
        let mut hidden = since(document().hidden());
        loop {
            let running = self.followed.borrow().status() == Status::Running;
            let patience = match (hidden, running) {
                (Some(since), _) => (since + HIDDEN_MS - js_sys::Date::now()).max(0.0) as u32,
                (None, true) => SILENT_MS,
                (None, false) => SILENT_IDLE_MS,
            };
            match select(select(source.incoming.next(), control.next()), TimeoutFuture::new(patience)).await {
                Either::Left((Either::Left((Some(Incoming::Signal(signal)), _)), _)) => {
                    *retries = 0;
                    if self.take(signal).is_err() {
                        return Broken::Reopen;
                    }
                    // Nothing more comes: other tabs need the connection.
                    if self.followed.borrow().status() == Status::Done {
                        return Broken::Closed;
                    }
                }
                Either::Left((Either::Left((Some(Incoming::Lost), _)), _)) => self.connection.link.set(Link::Reconnecting),
                Either::Left((Either::Left(_), _)) => return Broken::Closed,
                Either::Left((Either::Right((Some(Control::Hidden), _)), _)) => hidden = since(true),
                Either::Left((Either::Right((Some(Control::Shown), _)), _)) => hidden = None,
                Either::Left((Either::Right((Some(Control::Offline), _)), _)) => return Broken::Offline,
                Either::Left((Either::Right(_), _)) => {}
                Either::Right(_) if hidden.is_some() => return Broken::Hidden,
                Either::Right(_) => return Broken::Reopen,
            }
        }
    }

    fn take(&self, signal: Signal) -> Result<(), Gap> {
        match self.connection.link.get_untracked() {
            Link::Connected => {}
            Link::Reconnecting => self.connection.link.set(Link::Connected),
            Link::Gone => {
                self.connection.link.set(Link::Connected);
                self.followed.borrow().show_all();
            }
        }
        if let Signal::Status(standing) = &signal
            && standing.build != self.build
            && standing.status != Status::Running
        {
            // Drafts are kept, and nothing is running: the new build may take the page over.
            let _ = window().location().reload();
        }
        if self.followed.borrow_mut().take(signal)? != Change::Nothing {
            self.draw();
        }
        Ok(())
    }

    /// Once per frame, whatever has come in between.
    fn draw(&self) {
        if self.drawing.replace(true) {
            return;
        }
        let (followed, drawing) = (self.followed.clone(), self.drawing.clone());
        request_animation_frame(move || {
            drawing.set(false);
            followed.borrow().show();
        });
    }

    /// Until the page is seen again, or something was done to the run.
    async fn until_shown(&self, control: &mut UnboundedReceiver<Control>) {
        while let Some(control) = control.next().await {
            if matches!(control, Control::Shown | Control::Nudge) {
                return;
            }
        }
        std::future::pending().await
    }

    fn is_over(&self) -> bool {
        matches!(self.followed.borrow().status(), Status::Done | Status::Failed)
    }
}
