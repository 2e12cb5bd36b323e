//! The pieces every room is made of: plain values in, callbacks out. No server function, no room's type.

mod bubble;
mod clock;
mod field;
mod icons;
pub mod markdown;
mod notice;
mod phone;
mod stage;
mod stepper;
mod storage;
mod thread;

pub use bubble::{Bubble, Dots, Meta, Side};
pub use clock::{Elapsed, countdown};
pub use field::Field;
pub use icons::{Glyph, Icon};
pub use markdown::Markdown;
pub use notice::Notice;
pub use phone::{AppBar, Badge, Phone};
pub use stage::Stage;
pub use stepper::{Stage as StepStage, Step, Stepper};
pub use storage::Draft;
pub use thread::Thread;
