//! HTTP as the dialects here speak it: opening a call, reading server-sent frames. Knows no dialect's JSON.

use super::{
    Completion, ModelError, ModelEvent, ModelStream,
    frames::Frames,
    refusal::{error_in, refusal},
};
use futures::{Stream, StreamExt, stream};
use reqwest::{Response, header::CONTENT_TYPE};
use serde_json::Value;
use std::collections::VecDeque;

/// Of a body that is no stream so much is read.
const MAX_BODY: usize = 64 * 1024;

/// Where a provider is, and what it lets us in with.
#[derive(Clone)]
pub struct Endpoint {
    pub client: reqwest::Client,
    /// How people know the provider.
    pub provider: String,
    /// Up to and including the version.
    pub base_url: String,
    pub key: Option<String>,
}

/// Puts an answer together from a dialect's frames.
pub trait Assemble: Default + Send + 'static {
    /// One frame; an error that was sent as one comes back as an error.
    fn take(&mut self, frame: &Value) -> Result<Vec<ModelEvent>, ModelError>;
    /// Was that the answer's last frame? Where no frame says so, the end of the stream does.
    fn is_over(&self) -> bool {
        false
    }
    /// The whole answer; an error when its end never came.
    fn end(self) -> Result<Completion, ModelError>;
}

impl Endpoint {
    /// Posts the request and reads the answer's frames.
    pub fn stream<A: Assemble>(&self, path: &str, body: &Value) -> ModelStream {
        let mut call = self.client.post(format!("{}/{path}", self.base_url.trim_end_matches('/'))).json(body);
        if let Some(key) = &self.key {
            call = call.bearer_auth(key);
        }
        let provider = self.provider.clone();
        stream::once(open(call))
            .flat_map(|opened| match opened {
                Ok(response) => answer(response.bytes_stream().boxed(), A::default()),
                Err(error) => stream::once(async { Err(error) }).boxed(),
            })
            .map(move |event| event.map_err(|error| error.by(&provider)))
            .boxed()
    }
}

async fn open(call: reqwest::RequestBuilder) -> Result<Response, ModelError> {
    let response = call.send().await.map_err(|error| {
        tracing::warn!(error = %error.without_url(), "no answer from the model");
        ModelError::Network
    })?;
    let (status, headers) = (response.status(), response.headers().clone());
    if !status.is_success() {
        tracing::warn!(status = status.as_u16(), "the model refused a request");
        return Err(refusal(status.as_u16(), &headers, &text(response).await));
    }
    // JSON is no stream: an error under a friendly status, or somebody who cannot stream.
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("application/json") {
        let body = serde_json::from_str(&text(response).await).unwrap_or_default();
        return Err(error_in(&body).unwrap_or(ModelError::Decode));
    }
    Ok(response)
}

async fn text(mut response: Response) -> String {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > MAX_BODY {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What is still to come of an answer.
struct Reading<S, A> {
    bytes: S,
    frames: Frames,
    /// Frames that have come and are not read yet.
    waiting: VecDeque<String>,
    told: VecDeque<ModelEvent>,
    /// Gone once the end was told.
    assembler: Option<A>,
}

fn answer<A: Assemble, B: AsRef<[u8]> + Send, E>(
    bytes: impl Stream<Item = Result<B, E>> + Send + Unpin + 'static,
    assembler: A,
) -> ModelStream {
    let (frames, waiting, told) = (Frames::default(), VecDeque::new(), VecDeque::new());
    let reading = Reading { bytes, frames, waiting, told, assembler: Some(assembler) };
    stream::unfold(reading, |mut reading| async move {
        let next = reading.next().await?;
        if next.is_err() {
            reading.assembler = None;
        }
        Some((next, reading))
    })
    .boxed()
}

impl<B: AsRef<[u8]>, E, S: Stream<Item = Result<B, E>> + Unpin, A: Assemble> Reading<S, A> {
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        loop {
            if let Some(event) = self.told.pop_front() {
                return Some(Ok(event));
            }
            let assembler = self.assembler.as_mut()?;
            if let Some(frame) = self.waiting.pop_front().filter(|_| !assembler.is_over()) {
                match read(assembler, &frame) {
                    Ok(Some(events)) => self.told.extend(events),
                    Ok(None) => return Some(self.assembler.take()?.end().map(ModelEvent::Done)),
                    Err(error) => return Some(Err(error)),
                }
                continue;
            }
            let bytes = if assembler.is_over() { None } else { self.bytes.next().await };
            // Whether the last bytes were an end or a break, the answer itself knows.
            let Some(Ok(bytes)) = bytes else { return Some(self.assembler.take()?.end().map(ModelEvent::Done)) };
            let Ok(frames) = self.frames.take(bytes.as_ref()) else { return Some(Err(ModelError::Decode)) };
            self.waiting.extend(frames);
            // A comment, or a part of a frame, is a sign of life.
            if self.waiting.is_empty() {
                return Some(Ok(ModelEvent::Thinking));
            }
        }
    }
}

/// The frame's events; `None` at the mark some servers set behind the last one.
fn read(assembler: &mut impl Assemble, frame: &str) -> Result<Option<Vec<ModelEvent>>, ModelError> {
    match frame.trim() {
        "[DONE]" => Ok(None),
        "" => Ok(Some(vec![ModelEvent::Thinking])),
        frame => assembler.take(&serde_json::from_str(frame).map_err(|_| ModelError::Decode)?).map(Some),
    }
}
