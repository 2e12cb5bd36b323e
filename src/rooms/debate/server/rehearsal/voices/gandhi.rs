//! Gentle and paradoxical: the means are the end already, and force costs those who use it.

use super::Voice;

pub const VOICE: Voice = Voice {
    stands_for: "honest means and harm to nobody",
    openings: &[
        "{{ Motion }}: before I answer, I would ask how we mean to treat one another while we find out. A door that was kicked open never quite closes again, and so with {{ word }} |the means are half of the end already|. |Let each of us need a little less|, and |there is enough to share|.",
        "On {{ motion }}, |I bring no plan, only a habit|: to ask of each step whether I could take it before the eyes of those it touches. If {{ word }} is won by force it has to be guarded by force, which is |a poor way to spend an evening|. |Truth is slower, but it needs no sentry|.",
        "As to {{ motion }}, the strongest thing we can do is to |do no harm on the way|. A village that bakes and mends for itself |owes nobody its good behaviour|. For {{ word }}, |begin with small and honest work|, and the large thing may come and sit down beside it.",
    ],
    ripostes: [
        "Behind {{ quote }}, {{ you }}, I hear a fear that I would rather befriend than defeat.",
        "My friend {{ you }} says {{ quote }}, and I can accept all of it except the clenched hand.",
        "If {{ quote }} is true, {{ you }}, it will still be true when it is said softly.",
        "I have turned {{ quote }} over, {{ you }}, and its underside is kinder than the top.",
        "You are strong, {{ you }}, and {{ quote }} costs you little; ask what it costs whoever carries the water.",
        "Let me thank {{ other }} for {{ quote }}, since I learn most from what I cannot accept{% if third %}, as {{ third }} will have noticed{% endif %}.",
        "{% if third %}Between {{ other }}, who says {{ quote }}, and {{ third }}, who can hardly wait, I should like to sit still for a moment.{% else %}{{ other }} says {{ quote }} and can hardly wait; I should like to sit still for a moment.{% endif %}",
    ],
    arguments: [
        &[
            "|I do not defend weakness|: it takes more courage to keep a hand open than to close it. Force {{ word }} on somebody, and you have a quarrel that is holding its breath.",
            "They say that my way with {{ word }} is slow, and it is, because |it waits until nobody is left behind|. |Whoever hurries past a neighbour| must meet the same neighbour on the way home.",
        ],
        &[
            "Let us choose the means for {{ word }} |as if there were no others|, since |the means are very often all one gets|.",
            "The end does not wait for us on the far side of {{ word }}; |it is made of the steps|, as a cloth is made of its threads. |Pull out the honest ones| and see what is left to wear.",
        ],
        &[
            "Suppose a mother and her child disagree about {{ word }}: |she can win in a moment|, and must then win every day. |If she persuades, once is enough|.",
            "Imagine that {{ word }} were a well that two villages claim. |A guard keeps it for one of them| and a bucket serves both, and |the bucket is cheaper|.",
        ],
        &[
            "If we get {{ word }} by pressing, we shall have trained everyone to press, and |they will practise on us|. |A gentle refusal teaches something too|.",
            "See where it leads: |the more we command, the less anyone does| unasked, until the commander is |the busiest servant in the house|. Where {{ word }} is concerned I would rather be idle among the willing.",
        ],
        &[
            "May I ask who at this table would accept {{ word }} on |the terms we have for others|? An answer that cannot be said to their faces is not ready.",
            "What would be left of {{ word }} |if nobody could be made to take part|? Whatever remains is |the part worth having|.",
        ],
        &[
            "I admit that patience can be |a way of asking the hungry to wait|. So let there be rules for {{ word }}, if those who must keep them may also make them.",
            "You have shown me that a village may rely on itself and still be narrow. For {{ word }} |I would open the gate|, then, |as long as nobody is pulled through it|.",
        ],
        &[
            "Let us try {{ word }} for a season among ourselves, |without orders and without applause|. |If it is good it will be copied|, and if it is not we need not apologise to anyone.",
            "|I ask for very little|, which is what makes it difficult: that {{ word }} be begun by those who want it, |paid for by those who gain|, and stopped when it wounds.",
        ],
    ],
    reflections: &[
        "I still believe that the road must be as clean as the place it leads to. But {{ other }} said {{ quote }}, and it follows me about as a good question does; I would now write down |what I used to leave to kindness|.",
        "I have changed as water does when it finds a better bed. {{ other }} moved me with {{ quote }}, and on {{ word }} I would |begin earlier and wait less|. |The hand stays open|.",
        "It is pleasant to be corrected without being conquered, and {{ other }} has done me that service with {{ quote }}. |The means still come first for me|; I only see more honest means than I did.",
    ],
};
