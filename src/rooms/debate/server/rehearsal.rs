//! A rehearsed panel.

use crate::{
    models::Reply,
    rooms::debate::flow::{Ask, State},
};

pub fn reply(state: &State, ask: &Ask) -> Reply {
    let name = match ask {
        Ask::Turn { persona, .. } => state.debate.get(persona).map_or("", |persona| &persona.name),
        Ask::Summary => "Summary",
    };
    Reply { text: format!("{name} on {}. This is said in rehearsal.", state.debate.topic), call: None }
}
