//! A journey that is over, played once more from its log: the same conversation, with a clock that can be held, hurried
//! and turned back. Asks the server for nothing.

use super::{
    conversation::Conversation,
    phases::{Phases, place},
};
use crate::{
    engine::{
        entry::Run,
        flow::Status,
        follow::Texts,
        replay::{STEP_MS, Timeline},
        shown::Shown,
        voice,
    },
    error::AppError,
    rooms::simulate::{api::Journey, flow::Simulate},
    ui::{AppBar, Badge, Glyph, Icon, Notice, Stage, When},
};
use leptos::prelude::*;
use leptos_meta::Title;

/// A frame that comes later than this counts as one: a hidden page does not run on.
const FRAME_MS: f64 = 250.0;

/// The clock and what is seen at its time. `moment` is in milliseconds.
#[derive(Clone, Copy)]
struct Player {
    timeline: StoredValue<Timeline>,
    length: i64,
    moment: RwSignal<i64>,
    playing: RwSignal<bool>,
    speed: RwSignal<i64>,
    /// Tells the frames of this playing from those of one that was paused.
    take: StoredValue<u32>,
    /// Whole facts only, for those who do not want things to move.
    still: StoredValue<bool>,
    shown: Shown<Simulate>,
}

impl Player {
    fn new(timeline: Timeline) -> Option<Self> {
        let (length, (facts, texts)) = (timeline.length(), timeline.at(0));
        let shown = Shown::new(timeline.run(facts)?, texts);
        let timeline = StoredValue::new(timeline);
        let (moment, playing) = (RwSignal::new(0), RwSignal::new(false));
        Some(Player {
            timeline,
            length,
            moment,
            playing,
            speed: RwSignal::new(1),
            take: StoredValue::new(0),
            still: StoredValue::new(false),
            shown,
        })
    }

    fn seek(self, moment: i64) {
        let moment = moment.clamp(0, self.length);
        let (facts, texts) = self.timeline.with_value(|timeline| timeline.at(moment));
        let texts = if self.still.get_value() { Texts::new() } else { texts };
        if self.shown.run.with_untracked(|run| run.seq) != facts as i64
            && let Some(run) = self.timeline.with_value(|timeline| timeline.run(facts))
        {
            self.shown.run.set(run);
        }
        if self.shown.texts.with_untracked(|now| *now != texts) {
            self.shown.texts.set(texts);
        }
        self.moment.set(moment);
    }

    /// Plays from where it is, and from the start where it has come to its end.
    fn play(self) {
        if self.moment.get_untracked() >= self.length {
            self.seek(0);
        }
        self.playing.set(true);
        self.take.update_value(|take| *take += 1);
        self.next_frame(self.take.get_value(), js_sys::Date::now());
    }

    fn next_frame(self, take: u32, last: f64) {
        request_animation_frame(move || {
            // The page may be gone by now, or the clock held.
            if self.take.try_get_value() != Some(take) || !self.playing.get_untracked() {
                return;
            }
            let now = js_sys::Date::now();
            let passed = (now - last).clamp(0.0, FRAME_MS) as i64 * self.speed.get_untracked();
            self.seek(self.moment.get_untracked() + passed);
            if self.moment.get_untracked() < self.length { self.next_frame(take, now) } else { self.playing.set(false) }
        });
    }

    fn to_end(self) {
        self.playing.set(false);
        self.seek(self.length);
    }
}

/// Fails where the log is not one of this room's.
pub fn replay(journey: Journey) -> Result<AnyView, AppError> {
    let snapshot = journey.snapshot;
    let (href, title) = (format!("/demo/{}", snapshot.id), snapshot.title);
    let played = Timeline::new::<Simulate>(snapshot.log).and_then(|timeline| Some((timeline.end::<Simulate>()?, Player::new(timeline)?)));
    let (end, player) = played.ok_or_else(AppError::internal)?;
    let over = !matches!(end.status(), Status::Running | Status::Waiting);
    let desk = view! {
        <h1>"Replay"</h1>
        <p class="lede">{title.clone()}</p>
        <p class="meta">"Played from what was recorded, at the pace it had. Long waits are shortened, and a text that came all at once is given a moment."</p>
        <div class="row"><a class="btn" href=href.clone()>"To the conversation"</a></div>
        {over.then(|| view! { <Phases shown=player.shown /> })}
    };
    let phone = if over { playing(player, &end, href) } else { unfinished(href) };
    let page = view! {
        <Title text=format!("Replay · {title}") />
        <Stage front="phone".to_owned() desk=desk.into_any() phone=phone />
    };
    Ok(page.into_any())
}

fn playing(player: Player, end: &Run<Simulate>, href: String) -> AnyView {
    let badge = voice::badge(&end.progress.models())
        .map(|(name, words)| view! { <Badge name=Signal::stored(name.to_owned()) words=Signal::stored(words) /> });
    let at = Signal::derive(move || player.shown.run.with(|run| place(&run.state)));
    let plain = format!(
        r#"<p class="notice" data-tone="wait"><span>A replay needs JavaScript. <a href="{href}">The conversation itself</a> does not.</span></p>"#
    );
    // It begins by itself for those who do not mind that things move.
    Effect::new(move || {
        let still = window().match_media("(prefers-reduced-motion: reduce)").ok().flatten().is_some_and(|query| query.matches());
        player.still.set_value(still);
        if !still {
            player.play();
        }
    });
    view! {
        <AppBar title="Replay" back=href>{at}</AppBar>
        {badge}
        <noscript inner_html=plain></noscript>
        <Conversation shown=player.shown edit=None />
        <Transport player=player />
    }
    .into_any()
}

fn unfinished(href: String) -> AnyView {
    view! {
        <AppBar title="Replay" back=href.clone()>"Not over yet"</AppBar>
        <div class="empty">
            <Notice tone="quiet">"This conversation is not over yet. It can be replayed once it is."</Notice>
            <a class="btn primary" href=href>"Watch it live"</a>
        </div>
    }
    .into_any()
}

/// Where other rooms have their composer: play, the slider, and how fast.
#[component]
fn Transport(player: Player) -> impl IntoView {
    let playing: Signal<bool> = player.playing.into();
    let label = Signal::derive(move || if playing.get() { "Pause" } else { "Play" }.to_owned());
    let words = Memo::new(move |_| {
        let seconds = |ms: i64| ms / 1_000;
        let place = player.shown.run.with(|run| place(&run.state));
        format!("{} of {} seconds, {place}", seconds(player.moment.get()), seconds(player.length))
    });
    let toggle = move |_| if playing.get_untracked() { player.playing.set(false) } else { player.play() };
    let speed = move |times: i64| {
        let on = Signal::derive(move || (player.speed.get() == times).to_string());
        view! { <button type="button" class="chip" aria-pressed=on on:click=move |_| player.speed.set(times)>{format!("{times}×")}</button> }
    };
    view! {
        <footer class="transport">
            <div class="transport-row">
                <button type="button" class="icon-button" aria-label=label on:click=toggle>
                    <When when=playing><Icon glyph=Glyph::Pause /></When>
                    <When when=Signal::derive(move || !playing.get())><Icon glyph=Glyph::Play /></When>
                </button>
                <input
                    type="range" min="0" max=player.length step=STEP_MS aria-label="Position" aria-valuetext=words
                    value="0" prop:value=Signal::derive(move || player.moment.get() as f64)
                    on:input=move |event| player.seek(event_target_value(&event).parse().unwrap_or_default())
                />
            </div>
            <div class="transport-row chips" role="group" aria-label="Speed">
                {speed(1)}{speed(4)}
                <button type="button" class="chip" on:click=move |_| player.to_end()>"Instant"</button>
            </div>
        </footer>
    }
}
