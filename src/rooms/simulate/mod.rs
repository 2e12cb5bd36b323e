//! The journey simulator: an AI customer with a given persona talks to an AI assistant,
//! through Discovery, Consideration and Activation, and says what it learned in each.
//! A step is one call of the customer's model and one tool call; the assistant's answers are asks of their own.

pub mod api;
mod examples;
pub mod flow;
pub mod page;
mod view;

#[cfg(feature = "ssr")]
pub mod server;
