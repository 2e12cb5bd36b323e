//! Times that move. The server renders none of them, so that both sides agree; the browser fills them in.

use leptos::prelude::*;
use std::time::Duration;

/// Ticks with the browser's clock: Unix milliseconds, `None` before hydration.
fn every(period: Duration) -> ReadSignal<Option<f64>> {
    let (now, set_now) = signal(None);
    Effect::new(move || {
        set_now.set(Some(js_sys::Date::now()));
        if let Ok(handle) = set_interval_with_handle(move || set_now.set(Some(js_sys::Date::now())), period) {
            on_cleanup(move || handle.clear());
        }
    });
    now
}

/// The time of day, as a phone shows it.
#[component]
pub fn TimeOfDay() -> impl IntoView {
    let now = every(Duration::from_secs(5));
    let text = Signal::derive(move || {
        let Some(now) = now.get() else { return String::new() };
        let date = js_sys::Date::new(&now.into());
        format!("{}:{:02}", date.get_hours(), date.get_minutes())
    });
    view! { <time class="clock">{text}</time> }
}

/// Minutes and seconds since `from`; stands still at `until` (both Unix milliseconds).
#[component]
pub fn Elapsed(#[prop(into)] from: Signal<i64>, #[prop(into)] until: Signal<Option<i64>>) -> impl IntoView {
    let now = every(Duration::from_secs(1));
    let text = Signal::derive(move || {
        let Some(end) = until.get().or_else(|| now.get().map(|now| now as i64)) else { return String::new() };
        let seconds = (end - from.get()).max(0) / 1000;
        format!("{}:{:02}", seconds / 60, seconds % 60)
    });
    view! { <span>{text}</span> }
}

/// Whole seconds until then; `None` once it has passed, and before hydration.
pub fn countdown(until: i64) -> impl Fn() -> Option<i64> + Copy + Send + Sync + 'static {
    let now = every(Duration::from_millis(500));
    move || now.get().map(|now| until - now as i64).filter(|left| *left > 0).map(|left| (left + 999) / 1000)
}
