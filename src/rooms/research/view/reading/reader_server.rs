//! On the server nothing is opened.

use super::{Written, page};
use crate::rooms::research::flow::Finding;

pub fn write(found: Finding, sources: bool, written: Written) {
    written(page(&found, sources));
}
