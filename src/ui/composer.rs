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

/// What somebody says, and its key: what comes twice under the same is one message.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub text: String,
    pub key: String,
}

/// What is under way to the server, and what became of the last.
#[derive(Clone, Copy)]
pub struct Sending {
    pub pending: Signal<bool>,
    /// How many have arrived.
    pub done: RwSignal<u32>,
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
    /// Those that were sent last and are not known to have arrived, else empty; and which of this page's they are.
    last: StoredValue<String>,
    count: StoredValue<u32>,
    /// What no other page's messages have in their keys.
    key: StoredValue<String>,
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
            self.count.update_value(|count| *count += 1);
        }
        let key = self.key.with_value(|key| format!("{key}-{}", self.count.get_value()));
        self.send.run(Message { text, key });
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
        Effect::new(move |before: Option<(u32, bool)>| {
            let (done, connected) = (self.sending.done.get(), self.sending.connected.get());
            if before.is_some_and(|(before, _)| before != done) {
                self.arrived();
            }
            if connected && self.waits() {
                self.send_again(before.is_some_and(|(_, connected)| !connected));
            }
            (done, connected)
        });
    }

    fn arrived(self) {
        let sent = self.last.get_value();
        self.last.set_value(String::new());
        self.draft.update(|draft| *draft = rest(draft, &sent));
    }

    /// At once when the connection has come back; where it was not seen to go, after a while.
    fn send_again(self, is_back: bool) {
        let send = move || untrack(|| self.send());
        let later = move || {
            if untrack(|| self.waits()) {
                send()
            }
        };
        if is_back { send() } else { set_timeout(later, AGAIN) }
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

/// `draft` is what is typed, `key` is new for every page. `shut` says why nothing can be said now, and is empty when something can. While `speaking`,
/// Stop has the place of Send; it goes to the address `halt` with the same fields.
#[component]
pub fn Composer(
    target: Target,
    halt: &'static str,
    draft: RwSignal<String>,
    key: String,
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
    let outgoing =
        Outgoing { draft, last: StoredValue::default(), count: StoredValue::default(), key: StoredValue::new(key.clone()), sending, send };
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
    let fields =
        target.fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> }.into_any()).collect_view();
    view! {
        <form class="composer" method="post" action=target.action on:submit=pressed>
            {fields}
            <input type="hidden" name="key" value=key />
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
            done: RwSignal::new(0),
            failure: Signal::stored(String::new()),
            unreached: unreached.into(),
            connected: Signal::stored(true),
        };
        let send = Callback::new(move |message| sent.update(|sent| sent.push(message)));
        let (last, count, key) = (StoredValue::default(), StoredValue::default(), StoredValue::new("page".to_owned()));
        (Outgoing { draft: RwSignal::new(draft.to_owned()), last, count, key, sending, send }, sent, [pending, unreached])
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
        let said = |text: &str, key: &str| Message { text: text.to_owned(), key: key.to_owned() };
        outgoing.send();
        assert_eq!(sent.get_untracked(), [], "nothing is not said");
        for draft in [" Bakeries\n", "Bakeries", "Bakeries, and cafés"] {
            outgoing.draft.set(draft.to_owned());
            outgoing.send();
        }
        let all = [said("Bakeries", "page-1"), said("Bakeries", "page-1"), said("Bakeries, and cafés", "page-2")];
        assert_eq!(sent.get_untracked(), all);
        outgoing.arrived();
        outgoing.draft.set("Bakeries, and cafés".to_owned());
        outgoing.send();
        assert_eq!(sent.get_untracked()[3], said("Bakeries, and cafés", "page-3"));
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
                    target=target halt="/command" draft=outgoing.draft key="page".to_owned() sending=outgoing.sending speaking=Signal::stored(true)
                    shut=words("") placeholder=words("Message") max=1_000 send=outgoing.send stop=Callback::new(|_| ())
                />
            }
            .to_html()
        });
        for what in [
            r#"method="post" action="/say""#,
            r#"name="verb" value="stop""#,
            r#"name="key" value="page""#,
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
