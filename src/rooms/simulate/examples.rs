//! Four worked customers to start from. The people and companies in them are invented.

pub struct Example {
    pub name: &'static str,
    pub icp: &'static str,
    pub query: &'static str,
}

pub const EXAMPLES: [Example; 4] = [
    Example {
        name: "Bakery owner",
        icp: "Marta, 41, runs a twelve-person bakery in Leeds. Hates hidden fees, tight cash flow, needs a card reader that works when the line is down.",
        query: "What is the most reliable card reader for a small bakery?",
    },
    Example {
        name: "First-time parent",
        icp: "Jonas, 33, is a primary school teacher and will be a father in May. Worried about buying the wrong thing, lives on the fourth floor without a lift, wants something that lasts for a second child.",
        query: "Which stroller is right for a flat with many stairs?",
    },
    Example {
        name: "IT buyer",
        icp: "Priya, 46, heads IT at a logistics company with 300 people. Distrusts sales calls, needs single sign-on from the first day, is afraid of another migration that drags on.",
        query: "What is the best password manager for a company of our size?",
    },
    Example {
        name: "Student abroad",
        icp: "Lucía, 20, studies architecture in Copenhagen for a year. Limited budget, hates paperwork in a language she cannot read, wants to be able to cancel from her phone.",
        query: "How do I find a bank account for one year in Denmark?",
    },
];
