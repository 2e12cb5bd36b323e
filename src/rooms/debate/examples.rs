//! Three worked debates to start from. The people in them are invented, as is what the default panel says.

use super::flow::{Persona, Setup, debate::TOPIC, persona::panel};

pub struct Example {
    pub name: &'static str,
    pub topic: &'static str,
    pub max_exchange_rounds: u32,
    /// Empty: the default panel.
    pub debaters: &'static [Debater],
}

pub struct Debater {
    pub name: &'static str,
    pub philosophy: &'static str,
    pub icon_hint: &'static str,
}

pub const EXAMPLES: [Example; 3] = [
    Example { name: "Peace and prosperity", topic: TOPIC, max_exchange_rounds: 3, debaters: &[] },
    Example {
        name: "A bakery goes online",
        topic: "Should our bakery chain sell online?",
        max_exchange_rounds: 3,
        debaters: &[
            Debater {
                name: "Thrifty Greta",
                philosophy: "Counts every penny, hates delivery fees and trusts only bread that she can smell. A good loaf needs no app.",
                icon_hint: "farmer",
            },
            Debater {
                name: "Brand manager Ines",
                philosophy: "A brand is a promise that is kept at every counter. Growth is welcome, as long as nobody forgets what the first \
                             shop smelled like.",
                icon_hint: "queen",
            },
            Debater {
                name: "Analyst Kofi",
                philosophy: "Believes the till and not the survey. Test it small, measure it honestly, and stop what does not work.",
                icon_hint: "engineer",
            },
        ],
    },
    Example {
        name: "The sofa",
        topic: "Who should have the sofa?",
        max_exchange_rounds: 2,
        debaters: &[
            Debater {
                name: "The Cat",
                philosophy: "The sofa belongs to whoever is on it. Affection is a service, and it is paid for in advance.",
                icon_hint: "queen",
            },
            Debater {
                name: "The Dog",
                philosophy: "Everything is better together, and there is always room for one more. Loyalty comes before comfort, though not \
                             long before.",
                icon_hint: "jester",
            },
            Debater {
                name: "The Goldfish",
                philosophy: "Every lap is a new beginning, so nothing is worth a quarrel. Furniture is for those who cannot float.",
                icon_hint: "sage",
            },
        ],
    },
];

impl Example {
    pub fn setup(&self) -> Setup {
        let persona = |debater: &Debater| Persona {
            name: debater.name.to_owned(),
            philosophy: debater.philosophy.to_owned(),
            icon_hint: debater.icon_hint.to_owned(),
            ..Persona::default()
        };
        let personas = if self.debaters.is_empty() { panel() } else { self.debaters.iter().map(persona).collect() };
        Setup { max_exchange_rounds: self.max_exchange_rounds, topic: self.topic.to_owned(), personas }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::flow::Flow, rooms::debate::flow::Debate};

    #[test]
    fn each_is_a_debate_that_can_begin() {
        for example in &EXAMPLES {
            let state = Debate::begin(&example.setup()).expect("it is accepted");
            assert_eq!(state.debate.debaters().count(), 3, "{}", example.name);
        }
    }
}
