//! Three worked openings to start from. The companies in them are invented.

pub struct Example {
    pub name: &'static str,
    pub opening: &'static str,
}

pub const EXAMPLES: [Example; 3] = [
    Example {
        name: "Card reader for bakeries",
        opening: "We are Crumbtill. We sell a card reader that goes on taking payments when the internet is down, to independent bakeries in the \
                  United Kingdom.",
    },
    Example {
        name: "Onboarding for B2B software",
        opening: "Our company is called Firststep. It is a B2B SaaS tool that shows customer success teams where new accounts get stuck in \
                  their first month. We have about £8k a month for marketing.",
    },
    Example {
        name: "Organic baby food by subscription",
        opening: "We want to sell organic baby food by subscription, delivered frozen once a week. Who would buy it, and who is there already?",
    },
];
