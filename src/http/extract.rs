//! What handlers take from a request, with our errors where it is not there.

use crate::{
    error::{AppError, Code},
    store::InputKey,
};
use axum::{
    Json,
    body::Bytes,
    extract::{
        FromRequest, FromRequestParts, OptionalFromRequest, Request,
        rejection::{JsonDataError, JsonRejection},
    },
    http::request::Parts,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_path_to_error::Segment;
use sha2::{Digest, Sha256};
use std::{convert::Infallible, error::Error};

/// A JSON body.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self, AppError> {
        match <Json<T> as FromRequest<S>>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => {
                Err(AppError::new(Code::UnsupportedMediaType, "Send JSON, with content-type: application/json."))
            }
            Err(JsonRejection::BytesRejection(_)) => Err(too_large()),
            Err(JsonRejection::JsonDataError(error)) => Err(unfit(&error)),
            Err(rejection) => Err(AppError::new(Code::Invalid, format!("{UNEXPECTED}: {}", rejection.body_text()))),
        }
    }
}

/// A request without a single byte in its body brings none, whatever it says of its type.
impl<S: Send + Sync, T: DeserializeOwned> OptionalFromRequest<S> for Body<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Option<Self>, AppError> {
        let (parts, body) = request.into_parts();
        let bytes = Bytes::from_request(Request::from_parts(parts.clone(), body), state).await.map_err(|_| too_large())?;
        if bytes.is_empty() {
            return Ok(None);
        }
        <Self as FromRequest<S>>::from_request(Request::from_parts(parts, bytes.into()), state).await.map(Some)
    }
}

const UNEXPECTED: &str = "The JSON is not what is expected";

fn too_large() -> AppError {
    AppError::new(Code::TooLarge, "The request is larger than this address takes.")
}

/// JSON of another shape; names the field that is at fault.
fn unfit(rejection: &JsonDataError) -> AppError {
    let whole: &(dyn Error + 'static) = rejection;
    let found = std::iter::successors(Some(whole), |error| (*error).source())
        .find_map(|error| error.downcast_ref::<serde_path_to_error::Error<serde_json::Error>>());
    let Some(fault) = found else { return AppError::new(Code::Invalid, format!("{UNEXPECTED}: {}", rejection.body_text())) };
    let (place, detail) = (pointer(fault.path()), format!("{UNEXPECTED}: {}", fault.inner()));
    if place.is_empty() { AppError::new(Code::Invalid, detail) } else { AppError::field(&place, detail) }
}

/// The place as a JSON pointer without its first slash; empty where it is the whole.
pub fn pointer(path: &serde_path_to_error::Path) -> String {
    let place = path.iter().filter_map(|segment| match segment {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } | Segment::Enum { variant: key } => Some(key.replace('~', "~0").replace('/', "~1")),
        Segment::Unknown => None,
    });
    place.collect::<Vec<_>>().join("/")
}

/// Would whoever asks rather have an answer now than the whole one later (RFC 7240)?
pub struct RespondAsync(pub bool);

impl<S: Sync> FromRequestParts<S> for RespondAsync {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let lines = parts.headers.get_all("prefer").iter().filter_map(|line| line.to_str().ok());
        Ok(RespondAsync(lines.flat_map(|line| line.split(',')).any(|word| word.trim().eq_ignore_ascii_case("respond-async"))))
    }
}

/// The `Idempotency-Key`, if one was sent.
#[derive(Clone, Debug, Default)]
pub struct IdempotencyKey(pub Option<String>);

impl IdempotencyKey {
    /// Characters from which a key counts on its own, without an owner: those of a UUID, nearly.
    pub const CAPABILITY: usize = 32;
    const LONGEST: usize = 255;

    /// A form's key, which may be empty, for what is started with it: the same page may be sent again with something else, which is
    /// another start. The key of a stranger, who is not `known`, has to be long enough by itself.
    pub fn of_form(key: &str, what: &impl Serialize, known: bool) -> Self {
        let counts = (if known { 1 } else { Self::CAPABILITY }..=Self::LONGEST).contains(&key.len());
        let what = Sha256::digest(serde_json::to_string(what).unwrap_or_default());
        IdempotencyKey(counts.then(|| format!("{key}-{what:x}")))
    }

    /// The key as it stands in the store, for whatever `what` starts. It is unique to its `owner`; where nobody knows
    /// who is asking, only a key that cannot be guessed counts.
    pub fn input(self, owner: Option<&str>, what: &impl Serialize) -> Option<InputKey> {
        let key = self.0?;
        let scope = match owner {
            Some(owner) => owner.to_owned(),
            None if key.len() >= Self::CAPABILITY => "key".to_owned(),
            None => return None,
        };
        let fingerprint = format!("{:x}", Sha256::digest(serde_json::to_string(what).unwrap_or_default()));
        Some(InputKey { scope, key, fingerprint })
    }
}

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        let Some(key) = parts.headers.get("idempotency-key") else { return Ok(IdempotencyKey(None)) };
        let key = key.to_str().ok().filter(|key| (1..=IdempotencyKey::LONGEST).contains(&key.len()));
        let key = key.ok_or_else(|| AppError::new(Code::Invalid, "An Idempotency-Key has 1 to 255 plain characters."))?;
        Ok(IdempotencyKey(Some(key.to_owned())))
    }
}
