//! In which order the missing fields are asked for: so that a section that begins knows what is welcome to it.

use crate::rooms::research::flow::{Field, Section, State};

/// What a section should know before it begins, though it could begin without.
const WISHES: [(Section, Field); 3] = [
    (Section::IndustryMarket, Field::GeographicFocus),
    (Section::Competitors, Field::Competitors),
    (Section::OfferAnalysis, Field::MonthlyBudget),
];

/// The required fields that are not answered yet, the next one first.
pub fn missing(state: &State) -> Vec<Field> {
    let mut order: Vec<Field> = state.missing().collect();
    for (section, wish) in WISHES {
        let begins = order.iter().rposition(|field| section.needs().contains(field));
        let wished = order.iter().position(|field| *field == wish);
        if let (Some(begins), Some(wished)) = (begins, wished)
            && begins < wished
        {
            order[begins..=wished].rotate_right(1);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::flow::{Flow, Stamp},
        rooms::research::flow::{Event, Known, Research, Setup},
    };

    #[test]
    fn a_section_knows_what_is_welcome_when_it_begins() {
        for opened in [None, Some(Field::ProductDescription), Some(Field::Industry)] {
            let mut state = Research::begin(&Setup::default()).expect("a valid setup");
            let mut answer = |state: State, field| {
                let known = Known { field, value: "x".into() };
                Research::apply(state, Stamp { seq: 1, at: 1 }, &Event::Corrected { known })
            };
            state = opened.into_iter().fold(state, &mut answer);
            assert_eq!(missing(&state).len(), state.missing().count());
            let knows = |state: &State, section: Section, field| {
                let has_all = section.needs().iter().all(|field| state.answer(*field).is_some());
                assert!(!has_all || state.answer(field).is_some(), "{section:?} begins without {field:?}, {opened:?}");
            };
            while let Some(field) = missing(&state).first().copied() {
                state = answer(state, field);
                WISHES.iter().for_each(|(section, wish)| knows(&state, *section, *wish));
            }
        }
    }
}
