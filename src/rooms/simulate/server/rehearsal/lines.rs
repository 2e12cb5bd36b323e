//! The script's lines. A voice gives each customer a manner of its own; what they speak of is the brief's.

use super::brief::{Brief, Concern, Matter, lower_first};
use crate::rooms::simulate::flow::Phase;
use minijinja::{Environment, context};

/// How somebody types: what stands before a question and behind it, in turn over a journey.
struct Voice {
    before: [&'static str; 5],
    behind: [&'static str; 5],
}

const VOICES: [Voice; 5] = [
    Voice { before: ["Right.", "Fine.", "Hm.", "OK.", "Good."], behind: ["", "Short answer, please.", "", "No brochure talk.", ""] },
    Voice {
        before: ["Oh nice, thank you!", "Ok so,", "Ha, I knew it.", "That helps a lot!", "Sorry, me again:"],
        behind: [
            "I’m on my phone between two things, so keep it simple.",
            "",
            "My sister says it’s always like that.",
            "",
            "Then I’m done, promise.",
        ],
    },
    Voice {
        before: [
            "Understood.",
            "Let me narrow it down.",
            "I would like to compare on facts.",
            "One point is still open.",
            "Before I decide:",
        ],
        behind: ["Please name the assumption behind it.", "", "A number would help, if there is one.", "", "I need it for the file."],
    },
    Voice {
        before: [
            "Sorry if this is basic.",
            "I think I follow.",
            "I’m not sure I should ask this, but",
            "Okay, that calms me a bit.",
            "And just to be safe:",
        ],
        behind: ["", "I’d rather know now than later.", "", "I have been let down before.", ""],
    },
    Voice {
        before: [
            "Well, everybody claims that.",
            "I’ll believe it when I see it.",
            "Let’s talk about the catch.",
            "Suppose it is true.",
            "Last thing.",
        ],
        behind: ["Be honest.", "", "And don’t tell me it depends.", "", ""],
    },
];

/// Variants of a line; which one is spoken follows from the persona and the query.
type Variants = [&'static str; 3];

const DISLIKES: Variants = [
    "{{ case }}, what I cannot stand is {{ what }}. Which kind of {{ product }} gets by without?",
    "{{ case }}, I have had enough of {{ what }}. Is there a {{ product }} that spares me that?",
    "{{ case }}, one thing rules an offer out: {{ what }}. How do I spot it in a {{ product }} before I sign?",
];
const NEEDS: Variants = [
    "{{ case }}, I need {{ what }}. Is that normal for a {{ product }}, or am I asking for something special?",
    "{{ case }}, it comes down to {{ what }}. Which {{ product }} is made for that?",
    "{{ case }}, nothing works without {{ what }}. What should a {{ product }} have for it?",
];
const WORRIES: Variants = [
    "{{ case }}, my worry is {{ what }}. What should I look at in a {{ product }} because of that?",
    "{{ case }}, I keep coming back to {{ what }}. Do people regret their {{ product }} over that?",
    "{{ case }}, {{ what }} keeps me from deciding. Does the choice of {{ product }} change anything about it?",
];
const COMPARING: [Variants; 3] = [
    [
        "You named {{ one }} and {{ other }}. Which is ahead when it comes to {{ what }}?",
        "So it is {{ one }} or {{ other }}. Where does {{ what }} show with each?",
        "Put {{ one }} next to {{ other }} for me, with {{ what }} in mind.",
    ],
    [
        "What is the catch with {{ one }}? I keep thinking about {{ what }}.",
        "Who is unhappy with {{ one }}, and was it {{ what }}?",
        "What would {{ one }} never say about {{ what }} on its own page?",
    ],
    [
        "And if I took {{ other }} instead, what would I miss after half a year?",
        "Then why does anybody choose {{ other }}?",
        "Talk me out of {{ other }}, if you can.",
    ],
];
const DECIDING: [Variants; 3] = [
    [
        "Say I go with {{ one }}. What do I do first, and how long until it really works for me?",
        "I lean towards {{ one }}. What does the first week look like?",
        "Let’s do {{ one }}. Walk me through the beginning.",
    ],
    [
        "How do I get out again if {{ what }} turns out badly after all?",
        "What do I write into the agreement about {{ what }}?",
        "When would you tell me to stop, if {{ what }} goes wrong?",
    ],
    [
        "Who do I call when my {{ product }} gives up in the middle of the day?",
        "What do I keep as a fallback while the {{ product }} is new?",
        "What would you check one more time before I say yes to a {{ product }}?",
    ],
];

const OVERVIEW: Variants = [
    "With a {{ product }}, the brand matters less than how you would use it. I would look at three things:\n\n1. **{{ first }}**: ask each provider to show it, not to promise it.\n2. **{{ second }}**: this is where offers differ most.\n3. **The first month** of a {{ product }}: who helps you when it does not work at once.\n\nTwo names to start from, both invented for this rehearsal: **{{ one }}** and **{{ other }}**. What matters most to you in a {{ product }}?",
    "There is no single winner, but there is a short list. In this rehearsal it has two invented names on it, **{{ one }}** and **{{ other }}**.\n\nWhat decides between them:\n\n- **{{ first }}**, because you feel it every day\n- **{{ second }}**, because it is easy to overlook\n\nTell me which of the two weighs more, and I can be more definite about the {{ product }}.",
    "Before I name anything, let me sort it. A good {{ product }} does three jobs:\n\n1. it works on an ordinary day\n2. it holds on a bad one: **{{ first }}**\n3. it does not surprise you later: **{{ second }}**\n\nFor the rehearsal I invent two makers: **{{ one }}**, small and plain, and **{{ other }}**, larger and more flexible. How would you use the {{ product }}?",
];
const CLOSER: [Variants; 3] = [
    [
        "You can rule out **{{ what }}** before you sign: have every condition put into one list.",
        "Nobody has to put up with **{{ what }}**. Ask for the terms on one page, and walk away if there is a second.",
        "**{{ What }}**: that is a habit of the trade, not a law of nature.",
    ],
    [
        "You are not asking for anything special. **{{ What }}** is a fair thing to insist on.",
        "**{{ What }}** is the right thing to start from. Make it the first line of your list.",
        "Most people find out too late that **{{ what }}** was the point. You have it on the table already.",
    ],
    [
        "That is a good reason to be careful. With **{{ what }}**, the details decide.",
        "I understand the worry. **{{ What }}** is better settled at the start than repaired later.",
        "Take **{{ what }}** seriously, but not as a reason to wait: it can be tested.",
    ],
];
const LEANING: Variants = [
    "\n\n- **{{ one }}** is the plain one: fewer functions, fewer surprises.\n- **{{ other }}** can do more, and wants more of your time.\n\nIf I had to choose on this point alone, I would look at {{ one }} first.",
    "\n\n**{{ one }}** asks for more at the start and leaves you alone afterwards. **{{ other }}** is the other way round. Which of the two would annoy you less?",
    "\n\n- With **{{ one }}** you see the answer within a day.\n- With **{{ other }}** it takes a talk with somebody, and then it is made to measure.\n\nFor a first {{ product }}, I would begin with {{ one }}.",
];
const COMPARED: [Variants; 3] = [
    [
        "{{ one }} and {{ other }} side by side, for your case:\n\n- **{{ one }}**: stronger on {{ what }}; the terms fit on one page.\n- **{{ other }}**: stronger on {{ next }}; you pay for it with a longer start.\n\nI would weigh {{ what }} double. With a {{ product }}, it is the point you have to live with every day.",
        "On {{ what }}, **{{ one }}** is ahead, though not by much. On {{ next }} it is **{{ other }}**, clearly.\n\nSo the question is which of the two would wake you at night. Choose for that one.",
        "| Point | {{ one }} | {{ other }} |\n|---|---|---|\n| Start | a day | two weeks |\n| {{ What }} | good | fair |\n| Room to grow | little | much |\n\nInvented values, as everything about these two. The shape of the comparison is what you can take along.",
    ],
    [
        "The catch with **{{ one }}** is what it leaves out: there is little to adjust. As for {{ what }}, ask for a written answer to one question: *what happens on the worst day of the year?* If {{ one }} hesitates, that is your answer.",
        "Those who leave **{{ one }}** mostly outgrew it. {{ What }} is rarely the reason, but it is the reason you would hear from the few who are angry.\n\nI would ask for one reference of your own size.",
        "What **{{ one }}** will not say by itself: the plain offer is plain everywhere, also where you would like more. Test {{ what }} on a day when everything goes wrong.",
    ],
    [
        "After half a year with **{{ other }}** most people would miss two things:\n\n1. the quick start, because {{ what }} takes attention\n2. the short bill\n\nWhat they would gain is room to grow. If that is not your plan, it is not worth it.",
        "People choose **{{ other }}** because they expect to change. If your next two years look like the last two, you would pay for doors you never open.",
        "Against **{{ other }}**: it is more than you asked for. For it: you will not have to choose again so soon. I would let the calendar decide, not the list of functions.",
    ],
];
const FIRST_STEPS: [Variants; 3] = [
    [
        "With a {{ product }}, a small beginning is the safest:\n\n1. Ask **{{ one }}** for a trial and write down what you expect of it.\n2. Use the {{ product }} beside what you have now, for one ordinary week.\n3. Check {{ what }} on the worst of those days.\n4. Only then move over to {{ one }}.\n\nPlan two evenings for it. Shall I make a checklist for your {{ product }}?",
        "The first week with **{{ one }}**, roughly:\n\n- *Day one*: set up the {{ product }} with one person who will use it.\n- *Day three*: try what you feared, {{ what }}.\n- *Day seven*: decide, with what you wrote down and not from memory.",
        "Three steps, in this order:\n\n1. Write one sentence about {{ what }}, and have **{{ one }}** confirm it.\n2. Start with the smallest part that is of use by itself.\n3. Put the second step into the calendar, two weeks later.\n\nThat is all. More plan would be more to break.",
    ],
    [
        "Agree on the way out before you go in: a monthly term, your data in a common format, and one sentence about {{ what }}. Put the date on which you decide into your calendar now. If it is not working by then, leave.",
        "One paragraph is enough: what you expect about {{ what }}, by when, and that you may leave without a fee if it is not so. A provider who means it will sign that.",
        "I would tell you to stop at the second time {{ what }} goes wrong in the same way. Once is a mistake, twice is a property.",
    ],
    [
        "Ask for a number that a person answers during *your* hours, and call it once before you sign. A {{ product }} is only as good as that call.",
        "Keep what you have now for the first two weeks, switched on and paid for. It is the cheapest insurance for a new {{ product }}.",
        "One last check: let the person who will use the {{ product }} most try it without you in the room. Then say yes.",
    ],
];

/// The customer's `nth` question in a phase, after having `asked` so many in all.
pub fn question(brief: &Brief, phase: Phase, nth: usize, asked: usize) -> String {
    let voice = brief.pick(&VOICES, 1);
    // A manner is used once: a line that comes again is a tic.
    let line = |lines: &[&'static str; 5], at: usize| lines.get(at).copied().unwrap_or_default();
    let (before, behind) = (line(&voice.before, asked.saturating_sub(1)), line(&voice.behind, asked.saturating_sub(1)));
    let (variants, concern) = match phase {
        Phase::Discovery => {
            let concern = brief.concern(nth.saturating_sub(1));
            (by_matter(concern, [&DISLIKES, &NEEDS, &WORRIES]), concern)
        }
        Phase::Consideration => (&COMPARING[nth % 3], brief.concern(nth + 1)),
        Phase::Activation => (&DECIDING[nth % 3], brief.concern(nth)),
    };
    let core = spoken(brief, variants, phase as u32 * 2 + nth as u32, concern, concern);
    // Behind an opener that is no sentence of its own, the sentence goes on.
    let goes_on = !before.is_empty() && !before.ends_with(['.', '!', '?']) && !core.starts_with("I ");
    let core = if goes_on { lower_first(&core) } else { core };
    [before, &core, behind].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The assistant's answer to the `nth` question in a phase.
pub fn answer(brief: &Brief, phase: Phase, nth: usize) -> String {
    let salt = 20 + phase as u32 * 3 + nth as u32;
    match phase {
        Phase::Discovery if nth == 0 => spoken(brief, &OVERVIEW, salt, brief.concern(0), brief.concern(1)),
        Phase::Discovery => {
            let concern = brief.concern(nth - 1);
            let [dislike, need, worry] = &CLOSER;
            spoken(brief, by_matter(concern, [dislike, need, worry]), salt, concern, concern)
                + &spoken(brief, &LEANING, salt + 1, concern, concern)
        }
        Phase::Consideration => spoken(brief, &COMPARED[nth % 3], salt, brief.concern(nth + 1), brief.concern(nth + 2)),
        Phase::Activation => spoken(brief, &FIRST_STEPS[nth % 3], salt, brief.concern(nth), brief.concern(nth + 1)),
    }
}

/// What the customer takes along from a phase.
pub fn insights(brief: &Brief, phase: Phase) -> Vec<String> {
    let [one, other] = brief.options;
    let [first, second, third] = [0, 1, 2].map(|nth| brief.concern(nth));
    match phase {
        Phase::Discovery => vec![
            format!("What decides, more than the price: {}", first.what),
            format!("Two names known: {one} and {other}"),
            taken_along(second),
        ],
        Phase::Consideration => vec![
            format!("{one} is the plain choice, {other} the one with room to grow"),
            taken_along(third),
            "Trusts a written answer more than a rating".to_owned(),
        ],
        Phase::Activation => {
            vec![format!("Would begin with a trial of {one}"), format!("Wants the way out settled first, because of {}", first.what)]
        }
    }
}

pub fn summary(brief: &Brief, steps: usize) -> String {
    let [one, other] = brief.options;
    format!(
        "In {steps} steps the customer asked about a {}; what matters is {} and {}. {one} and {other} were compared.",
        brief.product,
        brief.concern(0).what,
        brief.concern(1).what
    )
}

fn by_matter<'a>(concern: &Concern, [dislike, need, worry]: [&'a Variants; 3]) -> &'a Variants {
    match concern.matter {
        Matter::Dislike => dislike,
        Matter::Need => need,
        Matter::Worry => worry,
    }
}

/// Fills in a variant; what people entered is never taken for a template.
fn spoken(brief: &Brief, variants: &Variants, salt: u32, concern: &Concern, next: &Concern) -> String {
    let [one, other] = brief.options;
    let case = if brief.trade.is_empty() { "In my situation".to_owned() } else { format!("With {}", brief.trade) };
    let values = context! {
        one, other, case, product => brief.product, what => concern.what, What => capital(&concern.what), next => next.what,
        first => heading(concern), second => heading(next),
    };
    let template: &&str = brief.pick(variants.as_slice(), salt);
    Environment::new().render_str(template, values).unwrap_or_default()
}

fn taken_along(concern: &Concern) -> String {
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
