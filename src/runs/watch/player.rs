//! The clock of a replay, which can be held, hurried and turned back, and what is seen at its time.

use crate::engine::{flow::Flow, follow::Texts, replay::Timeline, shown::Shown};
use leptos::prelude::*;

/// A frame that comes later than this counts as one: a hidden page does not run on.
const FRAME_MS: f64 = 250.0;

/// `moment` and `length` are in milliseconds.
#[derive(Clone, Copy)]
pub struct Player {
    timeline: StoredValue<Timeline>,
    pub length: i64,
    pub moment: RwSignal<i64>,
    pub playing: RwSignal<bool>,
    pub speed: RwSignal<i64>,
    /// Tells the frames of this playing from those of one that was paused.
    take: StoredValue<usize>,
    /// Whole facts only, for those who do not want things to move.
    still: StoredValue<bool>,
    /// How many facts are shown, and what shows as many.
    facts: StoredValue<usize>,
    show: Callback<usize>,
    texts: RwSignal<Texts>,
}

impl Player {
    /// Stands at its start. `None` where the log is not one of this room's.
    pub fn new<F: Flow>(timeline: Timeline) -> Option<(Self, Shown<F>)> {
        let (facts, texts) = timeline.at(0);
        let shown = Shown::<F>::new(timeline.run(facts)?, texts);
        let length = timeline.length();
        let timeline = StoredValue::new(timeline);
        let show = Callback::new(move |facts| {
            if let Some(run) = timeline.with_value(|timeline| timeline.run(facts)) {
                shown.run.set(run);
            }
        });
        let player = Player {
            timeline,
            length,
            moment: RwSignal::new(0),
            playing: RwSignal::new(false),
            speed: RwSignal::new(1),
            take: StoredValue::new(0),
            still: StoredValue::new(false),
            facts: StoredValue::new(facts),
            show,
            texts: shown.texts,
        };
        Some((player, shown))
    }

    /// Begins by itself for those who do not mind that things move.
    pub fn begin(self) {
        Effect::new(move || {
            let still = window().match_media("(prefers-reduced-motion: reduce)").ok().flatten().is_some_and(|query| query.matches());
            self.still.set_value(still);
            if !still {
                self.play();
            }
        });
    }

    pub fn seek(self, moment: i64) {
        let moment = moment.clamp(0, self.length);
        let (facts, texts) = self.timeline.with_value(|timeline| timeline.at(moment));
        let texts = if self.still.get_value() { Texts::new() } else { texts };
        if self.facts.get_value() != facts {
            self.facts.set_value(facts);
            self.show.run(facts);
        }
        if self.texts.with_untracked(|now| *now != texts) {
            self.texts.set(texts);
        }
        self.moment.set(moment);
    }

    /// Plays from where it is, and from the start where it has come to its end.
    pub fn play(self) {
        if self.moment.get_untracked() >= self.length {
            self.seek(0);
        }
        self.playing.set(true);
        self.take.update_value(|take| *take += 1);
        self.next_frame(self.take.get_value(), js_sys::Date::now());
    }

    fn next_frame(self, take: usize, last: f64) {
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

    pub fn to_end(self) {
        self.playing.set(false);
        self.seek(self.length);
    }
}
