//! Where one writes: the words, Send, and Stop in its place while something is being said.

use super::{
    Glyph, Icon, When, escaped,
    field::{follow, thousands},
    keyboard::make_room_for_keyboard,
};
use leptos::{
    ev::{KeyboardEvent, MouseEvent, SubmitEvent},
    html::Textarea,
    prelude::*,
};
use std::time::Duration;

/// A thumb's reach of the limit: from here on what is left is counted.
const NEAR: usize = 200;
/// Milliseconds until words are sent again that did not get through although the connection seems to be there.
const AGAIN: Duration = Duration::from_secs(2);
/// Also what links and `focus_soon` know it by.
const ID: &str = "message";

/// What somebody says, and how many messages they had seen when they first said it: the same words from the same place are
/// the same message, also when they come twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub text: String,
    pub seen: u32,
}

/// What is under way to the server, and what became of the last.
#[derive(Clone, Copy)]
pub struct Sending {
    pub pending: Signal<bool>,
    /// How many have arrived.
    pub done: Signal<u32>,
    /// What the server had against the last one, in a sentence; empty when nothing.
    pub failure: Signal<String>,
    /// The last one did not reach the server.
    pub unreached: Signal<bool>,
    /// Is the server there, as far as one knows?
    pub connected: Signal<bool>,
}

/// Where a form goes without JavaScript: its address, the fields besides what is written, and the name of that.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    pub action: &'static str,
    pub fields: Vec<(&'static str, String)>,
    pub name: &'static str,
}

/// Words that stay in the box until they have arrived.
#[derive(Clone, Copy)]
struct Outgoing {
    draft: RwSignal<String>,
    /// Those that were sent last and are not known to have arrived, else empty; and what was seen then.
    last: StoredValue<String>,
    then: StoredValue<u32>,
    /// The messages that are seen now.
    seen: Signal<u32>,
    sending: Sending,
    send: Callback<Message>,
}

impl Outgoing {
    fn send(self) {
        let text = self.words();
        if text.is_empty() || self.sending.pending.get_untracked() {
            return;
        }
        // Said once more they are the same message, as long as it has not arrived.
        if self.last.get_value() != text {
            self.last.set_value(text.clone());
            self.then.set_value(self.seen.get());
        }
        self.send.run(Message { text, seen: self.then.get_value() });
    }

    fn words(self) -> String {
        self.draft.with(|draft| draft.trim().to_owned())
    }

    /// They did not get through, nobody has changed them since, and they go out again by themselves.
    fn waits(self) -> bool {
        let words = self.words();
        self.sending.unreached.get() && !self.sending.pending.get() && !words.is_empty() && self.last.get_value() == words
    }

    fn watch(self) {
        Effect::new(move |before: Option<u32>| {
            let done = self.sending.done.get();
            if before.is_some_and(|before| before != done) {
                let sent = self.last.get_value();
                self.last.set_value(String::new());
                self.draft.update(|draft| *draft = rest(draft, &sent));
            }
            done
        });
        // At once when the connection comes back; where it was not seen to go, after a while.
        Effect::new(move |before: Option<bool>| {
            let (connected, send) = (self.sending.connected.get(), move || untrack(|| self.send()));
            if connected && self.waits() {
                let later = move || {
                    if untrack(|| self.waits()) {
                        send()
                    }
                };
                if before == Some(false) { send() } else { set_timeout(later, AGAIN) }
            }
            connected
        });
    }
}

/// What was typed behind the words while these were on their way.
fn rest(draft: &str, sent: &str) -> String {
    draft.trim_start().strip_prefix(sent).unwrap_or(draft).trim_start().to_owned()
}

/// How much is left of so many characters, near the end of them.
fn left(count: usize, max: usize) -> String {
    match max.checked_sub(count) {
        Some(left) if left > NEAR => String::new(),
        Some(left) => format!("{left} left"),
        None => format!("{} too many", thousands(count - max)),
    }
}

/// Enter that is meant for the composer: not for a new line, and not for whatever turns keys into letters, which in
/// Safari names itself only by the key's old number.
fn sends(event: &KeyboardEvent) -> bool {
    event.key() == "Enter" && !event.shift_key() && !event.is_composing() && event.key_code() != 229
}

/// `draft` is what is typed, `seen` how many messages stand above it. `shut` says why nothing can be said now, and is empty when something can. While `speaking`,
/// Stop has the place of Send; it goes to the address `halt` with the same fields.
#[component]
pub fn Composer(
    target: Target,
    halt: &'static str,
    draft: RwSignal<String>,
    seen: Signal<u32>,
    sending: Sending,
    speaking: Signal<bool>,
    shut: Signal<String>,
    placeholder: Signal<String>,
    max: usize,
    send: Callback<Message>,
    stop: Callback<()>,
) -> impl IntoView {
    let node = NodeRef::<Textarea>::new();
    let initial = draft.get_untracked();
    let outgoing = Outgoing { draft, last: StoredValue::default(), then: StoredValue::default(), seen, sending, send };
    follow(node, draft);
    outgoing.watch();
    make_room_for_keyboard();
    let closed = Signal::derive(move || !shut.with(String::is_empty));
    let count = move || draft.with(|text| text.trim().chars().count());
    let submit = move || {
        if !speaking.get_untracked() && !closed.get_untracked() && untrack(count) <= max {
            drop(node.get_untracked().map(|area| area.focus()));
            outgoing.send();
        }
    };
    let pressed = move |event: SubmitEvent| {
        event.prevent_default();
        if event.submitter().is_some_and(|button| button.has_attribute("formaction")) { stop.run(()) } else { submit() }
    };
    let typed = move |event: KeyboardEvent| {
        if sends(&event) {
            event.prevent_default();
            submit();
        }
    };
    let fields = target.fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> }).collect_view();
    view! {
        <form class="composer" method="post" action=target.action on:submit=pressed>
            {fields}
            <Notes outgoing=outgoing shut=shut counter=Signal::derive(move || left(count(), max)) />
            // Behind the words stands their copy, which is as high as they are.
            <div class="composer-box" data-text=draft>
                <textarea
                    id=ID name=target.name rows="1" class="input" aria-label="Message" placeholder=placeholder enterkeyhint="send"
                    required=true disabled=closed aria-describedby="message-note" node_ref=node inner_html=escaped(&initial)
                    on:input=move |event| draft.set(event_target_value(&event))
                    on:keydown=typed
                ></textarea>
            </div>
            <Press speaking=speaking blocked=Signal::derive(move || closed.get() || sending.pending.get()) halt=halt />
        </form>
    }
}

/// What is to be said of the words: that they wait, what was wrong with them, why there can be none, how many are left.
#[component]
fn Notes(outgoing: Outgoing, shut: Signal<String>, counter: Signal<String>) -> impl IntoView {
    let waits = Memo::new(move |_| outgoing.waits());
    let words = Signal::derive(move || match waits.get() {
        true => "Will be sent when the connection is back.".to_owned(),
        false => shut.get(),
    });
    let failure = Signal::derive(move || if waits.get() { String::new() } else { outgoing.sending.failure.get() });
    view! {
        <p id="message-note" class="composer-note" role="status">{words}</p>
        <p class="composer-note bad" role="alert">{failure}</p>
        <p class="composer-note count">{counter}</p>
    }
}

/// One place for both: whoever wants to stop finds Stop where Send was.
#[component]
fn Press(speaking: Signal<bool>, blocked: Signal<bool>, halt: &'static str) -> impl IntoView {
    // The keyboard of a phone stays where it is.
    let stay = |event: MouseEvent| event.prevent_default();
    view! {
        <When when=Signal::derive(move || !speaking.get())>
            <button type="submit" class="send" aria-label="Send" disabled=blocked on:mousedown=stay><Icon glyph=Glyph::Up /></button>
        </When>
        <When when=speaking>
            <button type="submit" class="send stop" aria-label="Stop" formaction=halt formnovalidate=true on:mousedown=stay>
                <Icon glyph=Glyph::Stop size=30 />
            </button>
        </When>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is sent of a draft, and a handle to what becomes of it.
    fn outgoing(draft: &str) -> (Outgoing, RwSignal<Vec<Message>>, [RwSignal<bool>; 2]) {
        let (sent, [pending, unreached]) = (RwSignal::new(vec![]), [RwSignal::new(false), RwSignal::new(false)]);
        let sending = Sending {
            pending: pending.into(),
            done: Signal::stored(0),
            failure: Signal::stored(String::new()),
            unreached: unreached.into(),
            connected: Signal::stored(true),
        };
        let send = Callback::new(move |message| sent.update(|sent| sent.push(message)));
        let (last, then, seen) = (StoredValue::default(), StoredValue::default(), Signal::stored(5));
        (Outgoing { draft: RwSignal::new(draft.to_owned()), last, then, seen, sending, send }, sent, [pending, unreached])
    }

    #[test]
    fn what_was_typed_meanwhile_stays() {
        for (draft, expect) in [("  Yes. \n", ""), ("Yes. And no", "And no"), ("Something else", "Something else"), ("", "")] {
            assert_eq!(rest(draft, "Yes."), expect, "{draft:?}");
        }
    }

    #[test]
    fn what_is_left_is_counted_near_the_limit() {
        for (count, expect) in [(0, ""), (799, ""), (800, "200 left"), (1_000, "0 left"), (1_001, "1 too many"), (3_500, "2,500 too many")]
        {
            assert_eq!(left(count, 1_000), expect);
        }
    }

    #[test]
    fn the_same_words_are_the_same_message_until_it_has_arrived() {
        let owner = Owner::new();
        owner.set();
        let (outgoing, sent, _) = outgoing("");
        let said = |text: &str, seen| Message { text: text.to_owned(), seen };
        outgoing.then.set_value(4);
        outgoing.last.set_value("Bakeries".to_owned());
        outgoing.send();
        assert_eq!(sent.get_untracked(), [], "nothing is not said");
        outgoing.draft.set(" Bakeries\n".to_owned());
        outgoing.send();
        outgoing.draft.set("Bakeries, and cafés".to_owned());
        outgoing.send();
        assert_eq!(sent.get_untracked(), [said("Bakeries", 4), said("Bakeries, and cafés", 5)]);
    }

    #[test]
    fn a_double_click_is_one_send() {
        let owner = Owner::new();
        owner.set();
        let (outgoing, sent, [pending, _]) = outgoing("Bakeries");
        outgoing.last.set_value("Bakeries".to_owned());
        pending.set(true);
        outgoing.send();
        assert_eq!(sent.get_untracked(), []);
    }

    #[test]
    fn words_that_did_not_get_through_wait_until_somebody_changes_them() {
        let owner = Owner::new();
        owner.set();
        let (outgoing, _, [pending, unreached]) = outgoing("Bakeries");
        let waits = |expect| assert_eq!(untrack(|| outgoing.waits()), expect);
        unreached.set(true);
        waits(false);
        outgoing.last.set_value("Bakeries".to_owned());
        waits(true);
        pending.set(true);
        waits(false);
        pending.set(false);
        outgoing.draft.set("Bakeries, and cafés".to_owned());
        waits(false);
    }

    #[test]
    fn it_is_a_form_that_needs_no_script() {
        let owner = Owner::new();
        let html = owner.with(|| {
            let (outgoing, ..) = outgoing("Half a </textarea>");
            let target = Target { action: "/say", fields: vec![("id", "7".into()), ("verb", "stop".into())], name: "text" };
            let words = |words: &str| Signal::stored(words.to_owned());
            view! {
                <Composer
                    target=target halt="/command" draft=outgoing.draft seen=outgoing.seen sending=outgoing.sending speaking=Signal::stored(true)
                    shut=words("") placeholder=words("Message") max=1_000 send=outgoing.send stop=Callback::new(|_| ())
                />
            }
            .to_html()
        });
        for what in [
            r#"method="post" action="/say""#,
            r#"name="verb" value="stop""#,
            r#"name="text""#,
            r#"aria-label="Message""#,
            "Half a &lt;/textarea&gt;",
            r#"aria-label="Stop" formaction="/command" formnovalidate"#,
        ] {
            assert!(html.contains(what), "{what}: {html}");
        }
        assert!(!html.contains(r#"aria-label="Send""#), "{html}");
    }
}
