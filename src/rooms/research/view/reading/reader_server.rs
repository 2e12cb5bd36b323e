//! On the server nothing is opened.

use super::{READER, Reader, Reading};
use leptos::prelude::*;

pub fn load(arrived: impl FnOnce(Reader)) {
    arrived(READER);
}

pub fn sheets(reading: Reading) -> AnyView {
    (READER.sheets)(reading)
}
