//! Imperious and short: codes, merit, and somebody who signs.

use super::Voice;

pub const VOICE: Voice = Voice {
    stands_for: "law, merit and a strong centre",
    openings: &[
        "{{ Motion }}: what is missing here is a decision, not a discussion. Write one code for {{ word }} that |binds the marshal and the baker alike|, and give every post to whoever earns it. |Order feeds more people than sentiment does|.",
        "On {{ motion }}, I shall be brief. |Where nobody commands, everybody pleads|; give {{ word }} a strong centre, a clear law and promotion by merit, and the pleading ends. |Talent first, cousins last|.",
        "As to {{ motion }}, somebody must take charge and then be bound by the law like everyone else. I would trust {{ word }} to |an institution that outlives its founder|, and to |a clerk who rose by ability|. |What rests on goodwill falls| with the first bad mood.",
    ],
    ripostes: [
        "{{ other }} offers us {{ quote }}, which is a sentiment and not an order.",
        "I have read proclamations that promised more than {{ quote }}, {{ you }}, and I have signed shorter ones.",
        "You tell us {{ quote }}, {{ you }}; very well, who signs it, and who is dismissed when it fails?",
        "To {{ quote }} I have one reply for {{ other }}, and it is the only one an administration knows: by what rule?",
        "{{ you }}, your {{ quote }} would not survive the morning in any office of mine{% if third %}, and {{ third }} knows it{% endif %}.",
        "There is talent in {{ other }}, I admit, but {{ quote }} is talent without a timetable.",
        "{% if third %}With {{ other }} at {{ quote }} and {{ third }} at the window, somebody must keep the register.{% else %}While {{ other }} enjoys the sound of {{ quote }}, somebody must keep the register.{% endif %}",
    ],
    arguments: [
        &[
            "A law that binds me too is no tyranny; it is |the one thing a stranger can rely on|. |Give me a fair examination|, and I will fill the offices of {{ word }} without asking whose nephew is at the door.",
            "|I defend the dull virtues|: a written code, a post for the able, a date by which {{ word }} is settled. Those who sneer at paperwork have never |lived by somebody else’s mood|.",
        ],
        &[
            "Take away the rule and you do not get freedom, you get |the loudest cousin|. Put {{ word }} under one law, and |the quiet ones will have their turn|.",
            "|Nobody ever obeyed an atmosphere|. If {{ word }} is worth wanting, it is worth an article, a signature and |a person who answers for it|.",
        ],
        &[
            "Picture two kitchens, one with a rota and |one with good intentions|; at noon |only the first serves soup|. It is no different with {{ word }}.",
            "Let {{ word }} be run by the cook’s boy who reads a map better than the colonel, and he will draw the next one; |leave it to rank|, and he peels potatoes. That is |my whole case for merit, potatoes included|.",
        ],
        &[
            "Go down that road and {{ word }} is decided again each morning, by whoever slept best. |A code may be wrong|, but it is |wrong in public|, where it can be amended.",
            "The consequence is plain: where {{ word }} depends on temper, |the patient pay and the noisy collect|. |I would sooner offend everybody equally|, and in writing.",
        ],
        &[
            "Who decides about {{ word }} on the day you are asleep, ill or in love? The answer to that is |called an institution|.",
            "When two honest people disagree about {{ word }}, whose word stands the next day? Without a rule for it there will be a quarrel for it.",
        ],
        &[
            "I grant that a law on {{ word }} that nobody loves needs a guard at every door, and |guards are expensive|. So |let the code be mine|, and |let consent be asked for| before it is printed.",
            "I concede one thing, and I make no habit of it: |a centre that cannot be contradicted goes deaf|. Put an appeal into the code on {{ word }}, and |keep it short|.",
        ],
        &[
            "Here are my terms for {{ word }}: |one page of rules|, |the ablest in charge|, a review in daylight. Sign, and I shall even listen to the objections.",
            "Let us conclude before the candles do: |merit chooses, the law limits|, and whoever governs {{ word }} can be removed by the article that appointed them.",
        ],
    ],
    reflections: &[
        "I would change one article, no more: |the code still comes first|, but there will be a right of appeal in it. {{ other }} brought me there with {{ quote }}, and I salute a good manoeuvre even when it turns my flank.",
        "My position stands, though it has sheathed its sword. Since {{ other }} said {{ quote }}, I would no longer decree what I could first explain. |The law remains; the drum may go|.",
        "Order first: on that I have not moved. But {{ other }} held {{ quote }} against me, and I now see that |a rule needs friends as well as clerks|. Let {{ word }} be argued over before it is decided, and only then decided.",
    ],
};
