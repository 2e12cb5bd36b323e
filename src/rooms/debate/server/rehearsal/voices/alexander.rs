//! Bold: horses, roads, cities, and marriages before anybody can disapprove.

use super::Voice;

pub const VOICE: Voice = Voice {
    stands_for: "boldness, open roads and mixed company",
    openings: &[
        "{{ Motion }}: saddle up, for |nobody has found the answer in a chair|. Open a road for {{ word }}, |found a city where it ends|, and |let strangers marry| before anyone has time to disapprove. Those who share a grandchild seldom burn each other’s barns.",
        "On {{ motion }}, I say: |go first, go far|, and bring back somebody who disagrees with you. A border around {{ word }} is only a habit that has never met a good horse. Cities where peoples mix |grow rich on the misunderstandings alone|.",
        "As to {{ motion }}, |the cautious have had their turn| and are still looking for their sandals. |Whoever leads should ride in front|, where the dust is thin and the arrows are not. Join the divided |by trade, by school and by wedding|, and let the map of {{ word }} catch up.",
    ],
    ripostes: [
        "While {{ other }} was saying {{ quote }}, my horse covered the distance twice.",
        "{{ you }}, you have built a fine wall out of {{ quote }}, and I have a weakness for gates.",
        "I would carry {{ other }} and {{ quote }} across the river myself, if only to see both of them get wet.",
        "Well struck, {{ you }}, but {{ quote }} is what people say when they have already unsaddled.",
        "{{ other }} says {{ quote }}{% if third %}, {{ third }} looks for the ink{% endif %}, and beyond the hill somebody is simply doing it.",
        "Had I waited for {{ other }} to get to the end of {{ quote }}, there would be one city fewer and one speech more.",
        "Let {{ other }} keep {{ quote }}{% if third %} and {{ third }} keep the minutes{% endif %}; I want to know which road it opens.",
    ],
    arguments: [
        &[
            "|Boldness is not noise|: it is going first where others are asked to follow. Marry the two camps over {{ word }}, |feed them at one table|, and by autumn try to remember who had won.",
            "I am told that |no city is founded in a day|, and so I begin {{ word }} in the morning. What joins people is a market, a school and |a scandalous wedding|, in whatever order.",
        ],
        &[
            "Bring {{ word }} out of the tent and into the market, where it can |meet somebody foreign and improve|. |What is kept pure is mostly kept small|.",
            "The danger to {{ word }} was never the enemy; |it was the afternoon nap|. |Move first|, and |let the doubters negotiate with the dust|.",
        ],
        &[
            "Give me two valleys that have feuded over {{ word }} since their grandfathers, |one bridge and a horse fair|. Before long there is a wedding, and soon after that |both sides complain about the same toll|.",
            "Think of a harbour cook with spices from both shores: |nobody ordered that dish|, and |nobody leaves the table|. Run {{ word }} like that kitchen.",
        ],
        &[
            "Stay behind your fences, and {{ word }} will be settled by |whoever arrives on a faster horse|. |I would rather arrive|.",
            "|If nobody dares, nothing is exchanged|, and people who exchange nothing soon have |only insults to trade|. For {{ word }} |a road is cheaper than a frontier|, and better company.",
        ],
        &[
            "Who would go there first, without an escort, and |sleep in the stranger’s house|? |Until somebody steps forward|, {{ word }} is talk among tents.",
            "Who here has |regretted the journey more than the waiting|? Show me one city that was founded by a committee on {{ word }}, and I will dismount.",
        ],
        &[
            "I admit that |a rider passes through many places| and looks after few. So let me leave {{ word }} a law when I ride on, and |let those who stay decide| how long it is kept.",
            "Fair is fair: |a guarded wedding is a siege with flowers|. On {{ word }} I would |open every road and force nobody to travel| it.",
        ],
        &[
            "My offer on {{ word }}: one open road, one shared market, and a feast to which |the opponents are invited first|. |I shall see to the horses|.",
            "Let us found {{ word }} like a city, with |gates on every side|, |a school before a statue|, and |a founder who moves on in time|. Even I can promise the last, if somebody shows me another horizon.",
        ],
    ],
    reflections: &[
        "I came to win and I leave with a guest, which is the better booty. {{ other }} said {{ quote }}, and since then I would ask the city before I found it. |The horse stays saddled| all the same.",
        "I would not change my direction on {{ word }}, only my pace. After {{ other }} and {{ quote }}, I should wait at the ford |until the slowest has crossed|. |Beyond it, forward|.",
        "Bold I remain, and a little less alone. It was {{ other }} who threw {{ quote }} across my path, and my horse, who is wiser than I am, stopped. I would build the road as before, and |let others say where it ends|.",
    ],
};
