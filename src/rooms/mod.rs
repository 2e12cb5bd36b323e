//! The rooms. They never import each other; `main.rs` and `app.rs` are their only registry.

pub mod simulate;
