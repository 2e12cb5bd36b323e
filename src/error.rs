//! The only error on the wire: a code for programs, a sentence for people and, where it helps, a remedy.
//! Details (SQL, upstream texts) go to the log with the request id, never into this.

use crate::engine::flow::read::{Json, Read};
use leptos::{
    prelude::{FromServerFnError, ServerFnErrorErr},
    server_fn::{Bytes, ContentType, Decodes, Encodes, Format, FormatType},
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The request is not understood; `errors` may name the fields.
    Invalid,
    Unauthorized,
    /// A foreign origin.
    Forbidden,
    NotFound,
    MethodNotAllowed,
    TooLarge,
    UnsupportedMediaType,
    /// The same idempotency key was used for something else.
    KeyReused,
    /// The run is not in a state in which this can be done.
    Conflict,
    /// A budget is used up.
    Budget,
    /// The server's access code has not been entered, or not rightly.
    AccessCode,
    /// Too many wrong guesses at a code or token.
    TooMany,
    /// No model is configured and rehearsal is off.
    NoModel,
    /// The model's provider has refused the key that this server has for it.
    KeyRefused,
    Unavailable,
    Internal,
}

impl Code {
    /// The HTTP status it travels under.
    pub fn status(self) -> u16 {
        match self {
            Code::Invalid | Code::KeyReused => 422,
            Code::Unauthorized | Code::AccessCode => 401,
            Code::Forbidden | Code::KeyRefused => 403,
            Code::NotFound => 404,
            Code::MethodNotAllowed => 405,
            Code::TooLarge => 413,
            Code::UnsupportedMediaType => 415,
            Code::Conflict => 409,
            Code::Budget | Code::TooMany => 429,
            Code::NoModel | Code::Unavailable => 503,
            Code::Internal => 500,
        }
    }
}

/// A fault in one field; `pointer` is a JSON pointer into the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldError {
    pub pointer: String,
    pub detail: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{detail}")]
pub struct AppError {
    pub code: Code,
    pub detail: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
}

impl AppError {
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        AppError { code, detail: detail.into(), remedy: None, errors: Vec::new() }
    }

    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// A fault in one field of the request.
    pub fn field(field: &str, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        AppError {
            errors: vec![FieldError { pointer: format!("/{field}"), detail: detail.clone() }],
            ..AppError::new(Code::Invalid, detail)
        }
    }

    pub fn not_found() -> Self {
        AppError::new(Code::NotFound, "There is nothing here, or it belongs to somebody else.")
    }

    pub fn internal() -> Self {
        AppError::new(Code::Internal, "Something went wrong on our side. Nothing you entered is lost; please try again.")
    }

    /// What happened and, where there is one, the remedy.
    pub fn sentence(&self) -> String {
        [Some(self.detail.as_str()), self.remedy.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// What is said at that field, if anything.
    pub fn at(&self, field: &str) -> Option<&str> {
        self.errors.iter().find(|error| error.pointer.strip_prefix('/') == Some(field)).map(|error| error.detail.as_str())
    }
}

/// As [`JsonEncoding`], but decoded by way of a [`Value`], as everything is in the browser: see `runs::load`.
///
/// [`JsonEncoding`]: leptos::server_fn::codec::JsonEncoding
pub struct ErrorEncoding;

impl ContentType for ErrorEncoding {
    const CONTENT_TYPE: &'static str = "application/json";
}

impl FormatType for ErrorEncoding {
    const FORMAT_TYPE: Format = Format::Text;
}

impl Encodes<AppError> for ErrorEncoding {
    type Error = serde_json::Error;

    fn encode(error: &AppError) -> Result<Bytes, Self::Error> {
        serde_json::to_vec(error).map(Bytes::from)
    }
}

impl Decodes<AppError> for ErrorEncoding {
    type Error = serde_json::Error;

    fn decode(bytes: Bytes) -> Result<AppError, Self::Error> {
        serde_json::from_slice(&bytes).and_then(serde_json::from_value)
    }
}

impl FromServerFnError for AppError {
    type Encoder = ErrorEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            // What comes by half cannot be read.
            ServerFnErrorErr::Request(_) | ServerFnErrorErr::Deserialization(_) => {
                AppError::new(Code::Unavailable, "The server cannot be reached. Try again when you are back online.")
            }
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => {
                AppError::new(Code::Invalid, "The server did not understand this. Reload the page and try again.")
            }
            _ => AppError::internal(),
        }
    }
}

/// It comes from server functions as well, which bring their own decoder.
impl Read for AppError {
    fn read(json: &Json) -> Option<Self> {
        serde_json::from_value(json.clone()).ok()
    }
}
