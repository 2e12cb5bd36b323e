//! What a page is made of: asked of the server, waited for, shown. Pages differ in what they ask and show, not in how:
//! each type of its own in here would cost the browser a copy of all of it.

use super::Missing;
use crate::{
    engine::flow::read::Read,
    error::{AppError, Code},
};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use send_wrapper::SendWrapper;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{fmt, future::Future, pin::Pin, str::FromStr, sync::Arc};

/// Waits between one attempt and the next: long enough for a server to come back from a restart.
const WAITS_MS: [u32; 6] = [300, 700, 1_000, 2_000, 3_000, 5_000];

/// A page's data as JSON, which only the page itself takes apart.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sent(Value);

impl Sent {
    pub fn pack<T: Serialize>(data: Result<T, AppError>) -> Result<Sent, AppError> {
        serde_json::to_value(data?).map(Sent).map_err(|_| AppError::internal())
    }

    /// Fails where the server is of another build.
    pub fn open<T: Read>(self) -> Result<T, AppError> {
        T::read(&self.0).ok_or_else(AppError::internal)
    }
}

/// What came of asking, as the server hands it to the browser with the first paint. Text becomes a [`Value`], and only
/// that becomes a type: each further way into a type would cost the browser a copy of its decoder.
#[derive(Clone, Debug)]
struct Answer(Result<Sent, AppError>);

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(&self.0).map_err(|_| fmt::Error)?)
    }
}

impl FromStr for Answer {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        serde_json::from_slice(text.as_bytes()).and_then(serde_json::from_value).map(Answer)
    }
}

/// What is shown of a page whose data cannot be had: the room's name, and the way on from here.
#[derive(Clone, Copy)]
pub struct Absent {
    pub room: &'static str,
    pub href: &'static str,
    pub way: &'static str,
}

pub type Asking = Pin<Box<dyn Future<Output = Result<Sent, AppError>> + Send>>;
pub type Ask = Arc<dyn Fn(String) -> Asking + Send + Sync>;
pub type Address = Box<dyn Fn() -> String + Send + Sync>;

/// The page of an address: asked for again when the address changes.
pub fn load<A: Future<Output = Result<Sent, AppError>> + Send + 'static>(
    address: impl Fn() -> String + Send + Sync + 'static,
    ask: impl Fn(String) -> A + Send + Sync + 'static,
    show: fn(Sent) -> Result<AnyView, AppError>,
    absent: Absent,
) -> AnyView {
    page(Box::new(address), Arc::new(move |address| Box::pin(ask(address))), show, absent)
}

/// The same whatever is asked and shown, so that it is there once.
pub fn page(address: Address, ask: Ask, show: fn(Sent) -> Result<AnyView, AppError>, absent: Absent) -> AnyView {
    let sent = resource(address, ask);
    let shown = move || {
        Suspend::new(async move {
            match sent().await.and_then(show) {
                Ok(page) => page,
                Err(error) => {
                    let Absent { room, href, way } = absent;
                    view! { <Missing error=error room=room href=href way=way /> }.into_any()
                }
            }
        })
    };
    view! { <Transition>{shown}</Transition> }.into_any()
}

/// A part of the page's address, by its name in the route; empty where the address has none.
pub fn named(name: &'static str) -> impl Fn() -> String + Copy + Send + Sync + 'static {
    let params = use_params_map();
    move || params.with(|params| params.get(name)).unwrap_or_default()
}

/// The data alone, as often as it is asked for.
pub fn sent<A: Future<Output = Result<Sent, AppError>> + Send + 'static>(
    address: impl Fn() -> String + Send + Sync + 'static,
    ask: impl Fn(String) -> A + Send + Sync + 'static,
) -> impl Fn() -> Asking + Copy + Send + Sync {
    resource(Box::new(address), Arc::new(move |address| Box::pin(ask(address))))
}

fn resource(address: Address, ask: Ask) -> impl Fn() -> Asking + Copy + Send + Sync {
    let resource = Resource::new_str(address, move |address| {
        let asking = reach(ask.clone(), address);
        async move { Answer(asking.await) }
    });
    move || Box::pin(async move { resource.await.0 })
}

/// Asks again while the browser cannot reach the server, which may just be away.
async fn reach(ask: Ask, address: String) -> Result<Sent, AppError> {
    for wait in WAITS_MS {
        match ask(address.clone()).await {
            Err(error) if error.code == Code::Unavailable && cfg!(target_arch = "wasm32") => {
                SendWrapper::new(TimeoutFuture::new(wait)).await
            }
            answer => return answer,
        }
    }
    ask(address).await
}
