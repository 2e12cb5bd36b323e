//! The pieces every room is made of: plain values in, callbacks out. No server function, no room's type.
//!
//! What changes comes in as a `Signal`, not as a closure of its own type: each such type costs the browser
//! a copy of the code that renders it.

mod bubble;
mod charts;
mod choices;
mod clipboard;
mod clock;
mod composer;
mod escape;
mod field;
mod focus;
mod icons;
mod keyboard;
pub mod markdown;
mod notice;
mod phone;
mod ring;
mod sheet;
mod stage;
mod stepper;
mod storage;
mod submission;
mod thread;
mod when;

pub use bubble::{Bubble, Meta, Plain, Side, Speaker, Speech, dollars};
pub use charts::{Portion, Rung, price_ladder, split};
pub use choices::{Choice, Choices, Ways};
pub use clipboard::copy;
pub use clock::{Elapsed, countdown};
pub use composer::{Composer, Message, Sending, Target};
pub use escape::escaped;
pub use field::{Field, PlainField, thousands};
pub use focus::focus_soon;
pub use icons::{Glyph, Icon};
pub use markdown::Markdown;
pub use notice::Notice;
pub use phone::{AppBar, Badge, Phone};
pub use ring::Ring;
pub use sheet::Sheet;
pub use stage::Stage;
pub use stepper::{Stage as StepStage, Step, Stepper};
pub use storage::Draft;
pub use submission::{Submission, new_key};
pub use thread::Thread;
pub use when::When;
