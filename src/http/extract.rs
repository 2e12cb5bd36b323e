//! What handlers take from a request, with our errors where it is not there.

use super::session::Client;
use crate::error::{AppError, Code};
use axum::{
    Json,
    extract::{FromRequest, FromRequestParts, Request, rejection::JsonRejection},
    http::request::Parts,
};
use serde::de::DeserializeOwned;

/// A JSON body.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self, AppError> {
        match Json::from_request(request, state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => {
                Err(AppError::new(Code::UnsupportedMediaType, "Send JSON, with content-type: application/json."))
            }
            Err(JsonRejection::BytesRejection(_)) => Err(AppError::new(Code::TooLarge, "The request is larger than 64 KB.")),
            Err(rejection) => Err(AppError::new(Code::Invalid, format!("The JSON is not what is expected: {}", rejection.body_text()))),
        }
    }
}

/// The `Idempotency-Key`, if one was sent.
#[derive(Clone, Debug, Default)]
pub struct IdempotencyKey(pub Option<String>);

impl IdempotencyKey {
    /// Characters from which a key counts on its own, without an owner: those of a UUID, nearly.
    const CAPABILITY: usize = 32;

    /// The scope in which the key is unique, and the key. A client nobody knew before has no scope of
    /// its own; then only a key that cannot be guessed counts.
    pub fn scope(self, client: &Client) -> Option<(String, String)> {
        let key = self.0?;
        match () {
            () if client.known => Some((client.owner.clone(), key)),
            () if key.len() >= Self::CAPABILITY => Some(("key".to_owned(), key)),
            () => None,
        }
    }
}

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        let Some(key) = parts.headers.get("idempotency-key") else { return Ok(IdempotencyKey(None)) };
        let key = key.to_str().ok().filter(|key| (1..=255).contains(&key.len()));
        let key = key.ok_or_else(|| AppError::new(Code::Invalid, "An Idempotency-Key has 1 to 255 plain characters."))?;
        Ok(IdempotencyKey(Some(key.to_owned())))
    }
}
