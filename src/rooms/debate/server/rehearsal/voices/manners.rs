//! Manners for own personas. What each of them believes is the person’s own text: `Creed` as a sentence, `creed` behind a colon, `key` a
//! word of it in quotation marks.

use super::Voice;

pub const MANNERS: [Voice; 6] = [PLAIN, TELLS_STORIES, ASKS, WEIGHS, WARM, WRY];

const PLAIN: Voice = Voice {
    stands_for: "",
    openings: &[
        "On {{ motion }}, I can be plain. {{ Creed }}. Anything that cannot live with that is decoration.",
        "{{ Motion }}: I start from where I would start anyway. {{ Creed }}. If that sounds simple, so much the better.",
    ],
    ripostes: [
        "{{ other }} says {{ quote }}, and I ask what that means on an ordinary afternoon.",
        "I have nothing against {{ quote }}, {{ you }}, except that it helps nobody to begin.",
        "With {{ quote }} {{ other }} has described the wish and left out the work.",
        "You could be right about {{ quote }}, {{ you }}, and it would still not be enough.",
        "Take the music out of {{ quote }}, {{ you }}, and what remains is a guess.",
        "{{ other }}’s {{ quote }} is the sort of thing people nod at and then do not do{% if third %}; {{ third }}, to be fair, did not even nod{% endif %}.",
        "One remark to {{ other }} on {{ quote }}{% if third %}, and {{ third }} may listen{% endif %}: it answers a question that nobody asked.",
    ],
    arguments: [
        &[
            "My own line is short, and it holds: {{ creed }}. |I have heard no reason to drop it|, |only reasons to dress it up|.",
            "I have nothing cleverer to offer on {{ word }} than what I came with: {{ creed }}. It |does the work that clever things promise|.",
        ],
        &[
            "Begin with this instead: {{ creed }}. Then {{ word }} becomes |a job and not a mood|.",
            "Strip {{ word }} down, and only one part has to hold: {{ creed }}. |The rest is paint|.",
        ],
        &[
            "Think of |the person who opens up in the morning| and has to make {{ word }} work with |what is in the drawer|. That person is my whole argument.",
        ],
        &[
            "Go that way, and {{ word }} will look good for a while and then |land on whoever tidies up|. I prefer a thing that is |dull and still there next year|.",
        ],
        &["What would you stop doing to make room for {{ word }}? Until somebody answers that, |we are only adding to the pile|."],
        &[
            "I will give you this much: I have treated {{ key }} as if everybody wanted it already. |It has to be shown, not assumed|.",
            "Fair enough: on {{ word }} I have been short with people who had a point. |Being plain is no licence to be deaf|.",
        ],
        &[
            "So I would settle for a modest start on {{ word }}: |small, soon, and with one rule| over the door. You know which one: {{ creed }}.",
        ],
    ],
    reflections: &[
        "I keep my point and lose some of its corners. {{ other }} did that with {{ quote }}, which I had put down as talk. On {{ word }} I would now |begin smaller and listen longer|.",
        "Not much has changed, but something has: {{ quote }} has stayed with me, and that is {{ other }}’s doing. I still say what I said first, only I would |try it before I preach it|.",
    ],
};

const TELLS_STORIES: Voice = Voice {
    stands_for: "",
    openings: &[
        "{{ Motion }}: my aunt would have settled that between two cups of tea. {{ Creed }}, she would have said, and gone on pouring. I have yet to hear it put better.",
        "Behind {{ motion }}, as behind most things, there is a small story. Somebody forgot what matters, and everybody else was too polite to say so. What matters is this: {{ first }}.",
    ],
    ripostes: [
        "When {{ other }} said {{ quote }}, I saw a shopkeeper I know put down her pencil and sigh.",
        "Tell {{ quote }} to the last customer of the day, {{ you }}, and watch the face.",
        "I knew a man who lived by {{ quote }}, {{ you }}, and his neighbours moved away one by one.",
        "{{ other }}’s {{ quote }} is a recipe without quantities: everyone nods, and nothing rises.",
        "There is a chapter missing between {{ quote }} and the happy ending, {{ other }}{% if third %}, and I suspect that {{ third }} has it{% endif %}.",
        "At our table {{ quote }} would have earned {{ other }} a long silence and a second helping.",
        "If {{ other }}{% if third %} and {{ third }} ever write this down together{% else %} ever writes this down{% endif %}, {{ quote }} will be the first line crossed out in pencil.",
    ],
    arguments: [
        &[
            "I tell it as I have always told it: {{ creed }}. |It is no grand story|, but |people come home in it|.",
            "Ask anybody who was there, and {{ word }} comes down to one thing: {{ creed }}. |The rest is scenery|, though I am fond of scenery.",
        ],
        &[
            "Put one real person into {{ word }}, |with wet shoes and no time|, and tell it again. Before long you will be saying what I say: {{ creed }}.",
            "Every tale about {{ word }} has somebody in it who is never asked; mine begins with them. |They would say it in fewer words|: {{ creed }}.",
        ],
        &[
            "There was a corner shop that asked every customer one question and |changed one thing a week|. Nobody made a speech about {{ word }}, and |by spring it was settled|.",
        ],
        &[
            "I can see the next chapter from here: everyone cheers for {{ word }}, and then |somebody has to carry the chairs|. How it ends is |up to whoever stays|.",
        ],
        &[
            "Who is {{ word }} about, once the door is shut and |nobody has to look clever|? Name one person, and |I will follow you to the last page|.",
        ],
        &[
            "I must admit that |I picked my heroes to suit me|. There are people whom {{ key }} has never helped, and |they deserve a chapter too|.",
            "I tell {{ word }} too smoothly, I admit it. |Life leaves in the boring parts|, and somebody has to live them.",
        ],
        &[
            "Let us end it like a decent tale: {{ word }} begins with |those who are in the room|, and |one promise is made aloud|. Mine is easy to remember: {{ creed }}.",
        ],
    ],
    reflections: &[
        "I would tell the same story with another narrator. {{ other }} took the part with {{ quote }}, and I noticed how few lines I had left for the other side. |The ending stays mine|.",
        "If I change anything, it is the middle: {{ quote }} was {{ other }}’s line, and it is better than the one I had there. As to {{ word }}, I would let it |begin later and end more quietly|.",
    ],
};

const ASKS: Voice = Voice {
    stands_for: "",
    openings: &[
        "Before we settle {{ motion }}, may I ask what would count as an answer? Mine would have to fit with this: {{ first }}. Does anybody here want the opposite?",
        "{{ Motion }}: is that one question or three? I can answer only the one I care about, and my answer is this: {{ first }}. What would have to be true for that to be wrong?",
    ],
    ripostes: [
        "How would {{ other }} notice that {{ quote }} was wrong, if it were?",
        "When {{ other }} says {{ quote }}, who is meant, and have they been asked?",
        "Is {{ quote }} the reason, {{ you }}, or only the part of it that sounds well?",
        "Would {{ other }} still say {{ quote }} with nobody keeping score?",
        "Suppose I grant {{ other }} {{ quote }}: what follows that was not there before{% if third %}, and does {{ third }} see it too{% endif %}?",
        "What came just before {{ quote }}, {{ you }}, that you decided not to tell us?",
        "{% if third %}Can {{ other }}’s {{ quote }} and what {{ third }} told us both be true in the same town?{% else %}Can {{ other }}’s {{ quote }} be true on both sides of the street?{% endif %}",
    ],
    arguments: [
        &[
            "I ask because I have an answer of my own to lose: {{ creed }}. |Show me the case| in which that does harm, and I will thank you for it.",
            "What would I be sorry to lose over {{ word }}, |if everyone else had their way|? Only this: {{ creed }}.",
        ],
        &[
            "|What if the weight lies elsewhere|, in {{ key }}, and {{ word }} is only where it shows? Then most of what we heard was |said to a shadow|.",
            "Why does nobody say who pays for {{ word }}, and who is thanked? |Whoever answers that has answered half of it|, and mine is the other half: {{ creed }}.",
        ],
        &["Ask |somebody who was not invited| today what they expect of {{ word }}. Would they |recognise a single one of our sentences|?"],
        &[
            "And then what, after the first success with {{ word }}? I see people |repeating what once worked|, because |nobody remembers the question|.",
        ],
        &[
            "What would each of us have to see in order to think differently about {{ word }}? |I will go first|: I would have to see {{ key }} fail |where it was honestly tried|.",
        ],
        &[
            "|I have asked more than I have answered|, and |that is a comfortable seat|. So I commit myself, with one doubt left in: {{ creed }}.",
            "Have I been asking about {{ word }} in order not to be asked? |I suspect that I have|, and so I owe you an answer on {{ key }}.",
        ],
        &[
            "May I propose that we |write down what would make us stop|, before we start with {{ word }}? It is the only kind of agreement that |gets better under disagreement|.",
        ],
    ],
    reflections: &[
        "Would I answer differently now? A little, since {{ other }} asked the better question without meaning to: {{ quote }}. I keep my ground on {{ word }} and |give up my certainty about its fences|.",
        "I came with questions and leave with one fewer. That is {{ other }}’s merit, since {{ quote }} answered something I had not dared to ask. I believe what I believed, but |now I know what would change it|.",
    ],
};

const WEIGHS: Voice = Voice {
    stands_for: "",
    openings: &[
        "Let us weigh {{ motion }}: on one side lies what we hope, on the other what we know. My counterweight is always the same. {{ Creed }}.",
        "As to {{ motion }}, I keep a ledger and not a banner. The first entry reads: {{ first }}. Everything that comes after has to balance with it.",
    ],
    ripostes: [
        "I enter {{ other }}’s {{ quote }} under hopes, not under holdings.",
        "There is value in {{ quote }}, {{ you }}, but you have counted it twice.",
        "On one side I have {{ quote }} from {{ other }}, on the other a silence about what it costs.",
        "{{ other }} sells us {{ quote }} at the full price and keeps the small print.",
        "If {{ quote }} were a loan, {{ you }}, I should like to know who stands surety{% if third %}; {{ third }}, perhaps{% endif %}.",
        "Between {{ other }} and {% if third %}{{ third }}{% else %}me{% endif %} the difference is smaller than {{ quote }} makes it sound.",
        "I have checked {{ quote }} against the rest of what {{ other }} told us, and there is a remainder.",
    ],
    arguments: [
        &[
            "My own account is open to anybody: {{ creed }}. |It has never looked splendid|, and |it has always added up|.",
            "Put {{ word }} in one pan and this in the other: {{ creed }}. |I have never seen the pan stay up|.",
        ],
        &[
            "Weigh {{ word }} |with the wrapping off|. |What is left in the pan| is what I put there: {{ creed }}.",
            "Before we spend anything on {{ word }}, |I would like to see the deposit|. Mine has been on the table since the start: {{ creed }}.",
        ],
        &[
            "|Take two neighbours with the same cloth|, one who measures {{ word }} before cutting and one who cuts. In the end both have used it up, and |one of them owns a coat|.",
        ],
        &[
            "The bill for {{ word }} |arrives later and at another address|, which is why it looks cheap today. |I would rather have it sent to us|.",
        ],
        &["|What are we ready to write off| for the sake of {{ word }}? A plan without a loss in it has not been read to the end."],
        &[
            "I correct an entry of my own: I had put {{ key }} down as certain, and it is only likely. |The balance still leans my way|, by less than I said.",
            "There is a cost on my side of {{ word }} that I had folded away. |I unfold it now|, and the sum still holds, only with a crease.",
        ],
        &[
            "I propose a trial with {{ word }}, |an honest reckoning| after it, and the right to |close the book without blame|. On those terms I can sign even what I doubt.",
        ],
    ],
    reflections: &[
        "My total has moved, though not over the line. {{ other }}’s {{ quote }} belonged in my books and was missing there. On {{ word }} I now |allow a wider margin|.",
        "I subtract some confidence and keep the principle. It was {{ other }} who found the mistake, with {{ quote }}. What remains is smaller, and I trust it more.",
    ],
};

const WARM: Voice = Voice {
    stands_for: "",
    openings: &[
        "{{ Motion }}: what a thing to wake up to! {{ Creed }}. Give me that, and I will carry the benches myself.",
        "On {{ motion }}, I am hopelessly partial and not ashamed of it. {{ Creed }}! Once you have seen that work, you cannot go back to shrugging.",
    ],
    ripostes: [
        "Oh, I like {{ quote }}, {{ you }}, I only wish it liked people a little more!",
        "{{ you }}, you had me until {{ quote }}, and then I heard a door close.",
        "Please, {{ you }}, say {{ quote }} once more, and with hope in it!",
        "I nearly applauded {{ other }} for {{ quote }}, and then I remembered whom it leaves outside.",
        "There is a spark in {{ quote }}, {{ you }}, so why pour water on it{% if third %} while {{ third }} is still looking for the matches{% endif %}?",
        "Come, {{ you }}, nobody ever got out of bed for {{ quote }}!",
        "I want to put {{ quote }} on a tray and carry it back to {{ other }}{% if third %}, with {{ third }} holding the door{% endif %}.",
    ],
    arguments: [
        &[
            "|What I bring is warm, and it works|: {{ creed }}. I have seen tired people sit up |when somebody finally meant it|.",
            "You may smile, but {{ word }} has a heart, and I know where it beats: {{ creed }}. |Nobody was ever argued into caring|, they were invited!",
        ],
        &[
            "Look at {{ word }} from the side of those who would love it, and |suddenly there is so much to do|! Everything I want follows from that: {{ creed }}.",
            "Oh, but {{ word }} could be so much kinder than that! |Start from the people who stayed away|, and you end up where I am: {{ creed }}.",
        ],
        &[
            "Picture the first morning on which {{ word }} goes right: a stranger holds the ladder, |somebody has brought cake|, and |nobody asks whose idea it was|. I would frame that morning, and keep the receipts.",
        ],
        &["Go on like this, and {{ word }} will be |correct, complete and loved by nobody|. People do not keep what they do not love."],
        &["When did {{ word }} last |make anyone at this table glad|? Start there, and |help will come without being asked|!"],
        &[
            "All right, I get carried away, and |somebody has to sweep up after the parade|. So I add a broom to my plans for {{ word }}, and I mean it.",
            "I see it now: |not everyone wants hugging by a plan|, and {{ word }} must leave room for them. I can love {{ key }} and lower my voice.",
        ],
        &[
            "Here is my hand on {{ word }}: |you bring the doubts, I bring the neighbours|, and we stop the moment it turns into a chore. And over the gate, in large letters: {{ creed }}.",
        ],
    ],
    reflections: &[
        "I am |as keen as I was, only better aimed|. That is thanks to {{ other }}, whose {{ quote }} I took for cold water and now take for a compass. I would still open {{ word }} with a song, but with a shorter one.",
        "Yes, I have moved, and I enjoyed it! {{ other }} said {{ quote }}, and I saw the people whom my enthusiasm had tripped over. My aim is the same, and |I would ask before I hug|.",
    ],
};

const WRY: Voice = Voice {
    stands_for: "",
    openings: &[
        "{{ Motion }}: an excellent subject, on which nobody has ever been wrong in public. My own prejudice is at least short. {{ Creed }}.",
        "On {{ motion }}, I had expected more candour and better biscuits. Somebody should say it, so I will: {{ first }}. You may now pretend that you knew.",
    ],
    ripostes: [
        "I shall have {{ quote }} embroidered for {{ other }}, on something that can be washed.",
        "{{ other }} pronounces {{ quote }} with the calm of somebody who will not be there.",
        "How restful it must be, {{ you }}, to believe {{ quote }} and never to open the post.",
        "I looked for the catch in {{ quote }} and found {{ other }} sitting on it.",
        "Nobody can quarrel with {{ quote }}, {{ you }}, which is what worries me about it.",
        "{% if third %}{{ third }} was vague, and now {{ other }} is precise about the wrong thing: {{ quote }}.{% else %}{{ other }} has become precise, though about the wrong thing: {{ quote }}.{% endif %}",
        "Were {{ quote }} half as true as {{ other }} makes it sound{% if third %}, and {{ third }} half as patient{% endif %}, we could all go home.",
    ],
    arguments: [
        &[
            "I repeat my unfashionable remark, since |it has survived the evening so far|: {{ creed }}. |It has no slogan|, which may be why it still works.",
            "On {{ word }} I have the rare advantage of having said nothing new: {{ creed }}. |Novelty is what one tries when memory fails|.",
        ],
        &[
            "Most schemes for {{ word }} fail politely, |on a day when everyone is busy|. Mine has |the advantage of expecting it|: {{ creed }}.",
            "I notice that {{ word }} grows nobler with every speaker, and further away. |Allow me to bring it back down|: {{ creed }}.",
        ],
        &[
            "Consider the umbrella stand: |nobody drew up a plan for it|, |everyone understands it|, and it fails only those who bring no umbrella. I ask no more of {{ word }}.",
        ],
        &[
            "The likely end is a committee, a logo for {{ word }} and |a quiet return by the back door|. I only suggest that |we spare ourselves the logo|.",
        ],
        &[
            "Who will still be in favour of {{ word }} when it is |dull, late and somebody else’s turn|? |I ask without malice|, and with a pencil.",
        ],
        &[
            "I find to my annoyance that |I agree with part of this|, and I have checked twice. |Doubt is a good servant|, but it has never built {{ word }} or anything else.",
            "I have been unfair to {{ word }}, which is a pleasure I shall miss. |There is more in it than I said|, and less than was claimed.",
        ],
        &[
            "Very well, let us try {{ word }}, |badly at first and on purpose|, so that |we can see what breaks|. My single condition you have heard: {{ creed }}.",
        ],
    ],
    reflections: &[
        "I regret to report some movement. {{ other }} said {{ quote }}, and try as I might |I could not make it ridiculous|. The rest of my doubts about {{ word }} are in good health.",
        "My view has not changed so much as put on a better coat. The tailor was {{ other }}, the cloth was {{ quote }}, and it suits {{ word }} |better than I care to admit|.",
    ],
};
