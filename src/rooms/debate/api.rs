//! The room's server functions: one line of work each, calling the engine.

use super::flow::Refusal;
use crate::error::AppError;

impl From<Refusal> for AppError {
    fn from(refusal: Refusal) -> Self {
        AppError::field(refusal.field(), refusal.to_string())
    }
}
