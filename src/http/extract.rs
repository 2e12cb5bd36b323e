//! What handlers take from a request, with our errors where it is not there.

use crate::{
    error::{AppError, Code},
    store::InputKey,
};
use axum::{
    Json,
    extract::{FromRequest, FromRequestParts, Request, rejection::JsonRejection},
    http::request::Parts,
};
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

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
            Err(JsonRejection::BytesRejection(_)) => Err(AppError::new(Code::TooLarge, "The request is larger than this address takes.")),
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
        let key = key.to_str().ok().filter(|key| (1..=255).contains(&key.len()));
        let key = key.ok_or_else(|| AppError::new(Code::Invalid, "An Idempotency-Key has 1 to 255 plain characters."))?;
        Ok(IdempotencyKey(Some(key.to_owned())))
    }
}
