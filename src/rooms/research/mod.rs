//! Market research that goes on while an onboarding chat asks its questions: what is found is shown between them and used in the
//! next.

pub mod api;
pub mod flow;
#[cfg(test)]
pub mod held;
pub mod page;
pub mod reader;
mod view;

#[cfg(feature = "ssr")]
mod examples;
#[cfg(feature = "ssr")]
pub mod server;
