//! A run that is over, played once more from its log: the same conversation, with a clock. Asks the server for nothing.

use super::{Readout, Room, Words, player::Player};
use crate::{
    engine::{
        entry::Run,
        flow::{Flow, Status},
        follow::Snapshot,
        replay::{STEP_MS, Timeline},
        shown::Shown,
        voice,
    },
    error::AppError,
    ui::{AppBar, Badge, Glyph, Icon, Notice, Stage, When},
};
use leptos::prelude::*;
use leptos_meta::Title;

pub struct Replay {
    /// At the clock's time.
    pub readout: Memo<Readout>,
    player: Player,
    title: String,
    /// The run's own page.
    href: String,
    over: bool,
    badge: Option<(&'static str, String)>,
}

impl Replay {
    /// `words` as in [`Watch::open`](super::Watch::open). Fails where the log is not one of this room's.
    pub fn open<F: Flow>(room: Room, snapshot: Snapshot, words: fn(&Run<F>, bool) -> Words) -> Result<(Replay, Shown<F>), AppError> {
        let (title, href) = (snapshot.title, format!("{}/{}", room.href, snapshot.id));
        let played = Timeline::new::<F>(snapshot.log).and_then(|timeline| Some((timeline.end::<F>()?, Player::new::<F>(timeline)?)));
        let (end, (player, shown)) = played.ok_or_else(AppError::internal)?;
        let over = !matches!(end.status(), Status::Running | Status::Waiting);
        let badge = voice::badge(&end.progress.models());
        Ok((Replay { readout: Readout::of(shown, words), player, title, href, over, badge }, shown))
    }

    /// `instruments` stand on the desk, `conversation` on the phone, once the run is over.
    pub fn page(self, instruments: AnyView, conversation: AnyView) -> AnyView {
        let title = format!("Replay · {}", self.title);
        let desk = view! {
            <h1>"Replay"</h1>
            <p class="lede">{self.title.clone()}</p>
            <p class="meta">"Played from what was recorded, at the pace it had. Long waits are shortened, and a text that came all at once is given a moment."</p>
            <div class="row"><a class="btn" href=self.href.clone()>"To the conversation"</a></div>
            {self.over.then_some(instruments)}
        };
        let phone = if self.over { self.playing(conversation) } else { unfinished(self.href) };
        view! {
            <Title text=title />
            <Stage front="phone".to_owned() desk=desk.into_any() phone=phone />
        }
        .into_any()
    }

    fn playing(self, conversation: AnyView) -> AnyView {
        let Replay { readout, player, href, badge, .. } = self;
        let badge = badge.map(|(name, words)| view! { <Badge name=Signal::stored(name.to_owned()) words=Signal::stored(words) /> });
        let place = Signal::derive(move || readout.with(|readout| readout.words.place.clone()));
        let plain = format!(
            r#"<p class="notice" data-tone="wait"><span>A replay needs JavaScript. <a href="{href}">The conversation itself</a> does not.</span></p>"#
        );
        player.begin();
        view! {
            <AppBar title="Replay" back=href>{place}</AppBar>
            {badge}
            <noscript inner_html=plain></noscript>
            {conversation}
            <Transport player=player place=place />
        }
        .into_any()
    }
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
fn Transport(player: Player, place: Signal<String>) -> impl IntoView {
    let playing: Signal<bool> = player.playing.into();
    let label = Signal::derive(move || if playing.get() { "Pause" } else { "Play" }.to_owned());
    let words = Signal::derive(move || {
        let seconds = |ms: i64| ms / 1_000;
        format!("{} of {} seconds, {}", seconds(player.moment.get()), seconds(player.length), place.get())
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
