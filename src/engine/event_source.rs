//! A browser's `EventSource` as a channel; the connection lives as long as this value. And what an `EventSource`
//! does not say: whether the server has refused it for good.

use crate::engine::follow::Signal;
use futures::channel::mpsc::{UnboundedReceiver, unbounded};
use wasm_bindgen::{JsCast, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, EventSource, MessageEvent, Response};

pub enum Incoming {
    Signal(Signal),
    /// The line is lost, and the browser tries again by itself.
    Lost,
    /// The browser has given up for good, as it does when the server says no.
    Closed,
}

pub struct Source {
    pub incoming: UnboundedReceiver<Incoming>,
    source: EventSource,
    _listener: Closure<dyn Fn(Event)>,
}

impl Source {
    /// `None` when the browser does not take the address.
    pub fn open(url: &str) -> Option<Self> {
        let source = EventSource::new(url).ok()?;
        let (sender, incoming) = unbounded();
        let listener = Closure::<dyn Fn(Event)>::new(move |event: Event| drop(sender.unbounded_send(read(&event))));
        for name in Signal::NAMES.iter().chain(&["error"]) {
            source.add_event_listener_with_callback(name, listener.as_ref().unchecked_ref()).ok()?;
        }
        Some(Source { incoming, source, _listener: listener })
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.source.close();
    }
}

fn read(event: &Event) -> Incoming {
    if let Some(message) = event.dyn_ref::<MessageEvent>() {
        let data = message.data().as_string().unwrap_or_default();
        return Incoming::Signal(Signal::parse(&event.type_(), &data).unwrap_or(Signal::Ping));
    }
    let state = event.target().and_then(|target| target.dyn_into::<EventSource>().ok()).map(|source| source.ready_state());
    if state == Some(EventSource::CONNECTING) { Incoming::Lost } else { Incoming::Closed }
}

/// Does the server say that there is no such run? Anything else, silence included, says nothing.
pub async fn is_gone(run: &str) -> bool {
    let answer = JsFuture::from(leptos::prelude::window().fetch_with_str(&format!("/api/runs/{run}"))).await;
    answer.ok().and_then(|answer| answer.dyn_into::<Response>().ok()).is_some_and(|answer| answer.status() == 404)
}
