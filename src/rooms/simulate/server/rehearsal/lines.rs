//! The script's lines. A voice gives each customer a manner of its own; what they speak of is the brief's.

use super::brief::{Brief, Concern, Matter};
use crate::rooms::simulate::flow::Phase;

/// How somebody types: what stands before a question and behind it, one for each question of a journey.
struct Voice {
    before: [&'static str; 5],
    behind: [&'static str; 5],
}

const VOICES: [Voice; 5] = [
    Voice { before: ["Right.", "Fine.", "Hm.", "OK.", "Good."], behind: ["", "Short answer, please.", "", "No brochure talk.", ""] },
    Voice {
        before: ["Oh nice, thank you!", "Ok so,", "Ha, I knew it.", "That helps a lot!", "Sorry, me again:"],
        behind: ["I’m on my phone between two things, so keep it simple.", "", "My sister says it’s always like that.", "", "Then I’m done, promise."],
    },
    Voice {
        before: ["Understood.", "Let me narrow it down.", "I would like to compare on facts.", "One point is still open.", "Before I decide:"],
        behind: ["Please name the assumption behind it.", "", "A number would help, if there is one.", "", "I need it for the file."],
    },
    Voice {
        before: ["Sorry if this is basic.", "I think I follow.", "I’m not sure I should ask this, but", "Okay, that calms me a bit.", "And just to be safe:"],
        behind: ["", "I’d rather know now than later.", "", "I have been let down before.", ""],
    },
    Voice {
        before: ["Well, everybody claims that.", "I’ll believe it when I see it.", "Let’s talk about the catch.", "Suppose it is true.", "Last thing."],
        behind: ["Be honest.", "", "And don’t tell me it depends.", "", ""],
    },
];

/// The customer's `nth` question in a phase.
pub fn question(brief: &Brief, phase: Phase, nth: usize) -> String {
    let voice = brief.pick(&VOICES, 1);
    let turn = phase as usize * 2 + nth;
    let (before, behind) = (voice.before[turn % 5], voice.behind[(turn + 1) % 5]);
    let core = match phase {
        Phase::Discovery => discovery(brief, nth),
        Phase::Consideration => consideration(brief, nth),
        Phase::Activation => activation(brief, nth),
    };
    [before, &core, behind].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn discovery(brief: &Brief, nth: usize) -> String {
    let (concern, product) = (brief.concern(nth.saturating_sub(1)), &brief.product);
    let what = &concern.what;
    let case = if brief.trade.is_empty() { "In my situation".to_owned() } else { format!("With {}", brief.trade) };
    match concern.matter {
        Matter::Dislike => format!("{case}, what I cannot stand is {what}. Which kind of {product} gets by without?"),
        Matter::Need => format!("{case}, I need {what}. Is that normal for a {product}, or am I asking for something special?"),
        Matter::Worry => format!("{case}, my worry is {what}. What should I look at in a {product} because of that?"),
    }
}

fn consideration(brief: &Brief, nth: usize) -> String {
    let [one, other] = brief.options;
    let concern = brief.concern(nth + 1);
    let what = &concern.what;
    match (nth % 3, concern.matter) {
        (0, Matter::Dislike) => format!("You named {one} and {other}. Where would I run into {what} with each?"),
        (0, _) => format!("So it is {one} or {other}. Which is ahead when it comes to {what}?"),
        (1, _) => format!("What is the catch with {one}? I keep thinking about {what}."),
        (_, _) => format!("And if I took {other} instead, what would I miss after half a year?"),
    }
}

fn activation(brief: &Brief, nth: usize) -> String {
    let [one, _] = brief.options;
    let what = &brief.concern(nth).what;
    match nth % 3 {
        0 => format!("Say I go with {one}. What do I do first, and how long until it really works for me?"),
        1 => format!("How do I get out again if {what} turns out badly after all?"),
        _ => format!("Who do I call when my {} gives up in the middle of the day?", brief.product),
    }
}

/// The assistant's answer to the `nth` question in a phase.
pub fn answer(brief: &Brief, phase: Phase, nth: usize) -> String {
    match phase {
        Phase::Discovery if nth == 0 => overview(brief),
        Phase::Discovery => closer_look(brief, nth),
        Phase::Consideration => comparison(brief, nth),
        Phase::Activation => first_steps(brief, nth),
    }
}

fn overview(brief: &Brief) -> String {
    let [one, other] = brief.options;
    let (product, first, second) = (&brief.product, brief.concern(0), brief.concern(1));
    let lead = *brief.pick(
        &["That depends less on the brand than on how you would use it.", "There is no single winner, but there is a short list.", "Let me sort it before I name anything."],
        2,
    );
    format!(
        "{lead} For a {product} I would look at three things:\n\n1. **{}**: ask each provider to show it, not to promise it.\n2. **{}**: this is where offers differ most.\n3. **The first month**: who helps you when it does not work at once.\n\nTwo names to start from, both invented for this rehearsal: **{one}** and **{other}**. What matters most to you?",
        heading(first),
        heading(second),
    )
}

fn closer_look(brief: &Brief, nth: usize) -> String {
    let [one, other] = brief.options;
    let concern = brief.concern(nth - 1);
    let what = &concern.what;
    let stance = match concern.matter {
        Matter::Dislike => format!("You can rule out **{what}** before you sign: have every condition put into one list."),
        Matter::Need => format!("You are not asking for anything special. **{}** is a fair thing to insist on.", capital(what)),
        Matter::Worry => format!("That is a good reason to be careful. With **{what}**, the details decide."),
    };
    let detail = *brief.pick(
        &["is the plain one: fewer functions, fewer surprises", "is built for people who do not want to think about it", "asks for more at the start and leaves you alone afterwards"],
        nth as u32 + 3,
    );
    format!("{stance}\n\n- **{one}** {detail}.\n- **{other}** can do more, and wants more of your time.\n\nIf I had to choose on this point alone, I would look at {one} first.")
}

fn comparison(brief: &Brief, nth: usize) -> String {
    let [one, other] = brief.options;
    let (here, next) = (&brief.concern(nth + 1).what, &brief.concern(nth + 2).what);
    match nth % 3 {
        0 => format!(
            "Side by side, for your case:\n\n- **{one}**: stronger on {here}; the terms fit on one page.\n- **{other}**: stronger on {next}; you pay for it with a longer start.\n\nI would weigh the first point double. It is the one you have to live with every day."
        ),
        1 => format!(
            "The catch with **{one}** is what it leaves out: there is little to adjust. As for {here}, ask for a written answer to one question: *what happens on the worst day of the year?* If they hesitate, that is your answer."
        ),
        _ => format!(
            "After half a year with **{other}** most people would miss two things:\n\n1. the quick start, because {here} takes attention\n2. the short bill\n\nWhat they would gain is room to grow. If that is not your plan, it is not worth it."
        ),
    }
}

fn first_steps(brief: &Brief, nth: usize) -> String {
    let [one, _] = brief.options;
    let (product, what) = (&brief.product, &brief.concern(nth).what);
    match nth % 3 {
        0 => format!(
            "A small beginning is the safest:\n\n1. Ask **{one}** for a trial and write down what you expect of it.\n2. Use the {product} beside what you have now, for one ordinary week.\n3. Check {what} on the worst of those days.\n4. Only then move over.\n\nPlan two evenings for the start. Shall I make a checklist of it?"
        ),
        1 => format!(
            "Agree on the way out before you go in: a monthly term, your data in a common format, and one sentence about {what}. Put the date on which you decide into your calendar now. If it is not working by then, leave."
        ),
        _ => format!("Ask for a number that a person answers during *your* hours, and call it once before you sign. A {product} is only as good as that call. Keep what you have now for the first two weeks."),
    }
}

/// What the customer takes along from a phase.
pub fn insights(brief: &Brief, phase: Phase) -> Vec<String> {
    let [one, other] = brief.options;
    let [first, second, third] = [0, 1, 2].map(|nth| brief.concern(nth));
    match phase {
        Phase::Discovery => vec![format!("{} decides, more than the price", capital(&first.what)), format!("Two names known: {one} and {other}"), said(second)],
        Phase::Consideration => vec![format!("{one} is the plain choice, {other} the one with room to grow"), said(third), "Trusts a written answer more than a rating".to_owned()],
        Phase::Activation => vec![format!("Would begin with a trial of {one}"), format!("Wants the way out settled first, because of {}", first.what)],
    }
}

pub fn summary(brief: &Brief, steps: usize) -> String {
    let [one, other] = brief.options;
    format!("In {steps} steps the customer asked about a {}; what matters is {} and {}. {one} and {other} were compared.", brief.product, brief.concern(0).what, brief.concern(1).what)
}

fn said(concern: &Concern) -> String {
    match concern.matter {
        Matter::Dislike => format!("Walks away from {}", concern.what),
        Matter::Need => format!("Insists on {}", concern.what),
        Matter::Worry => format!("Is still uneasy about {}", concern.what),
    }
}

fn heading(concern: &Concern) -> String {
    match concern.matter {
        Matter::Dislike => format!("No {}", concern.what),
        _ => capital(&concern.what),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
