//! A debate in figures: who has how many of the words, who names whom, and which opening claims the summary still carries.

use super::{
    desk::{Desk, Seat},
    portrait::Portrait,
};
use crate::{
    rooms::debate::flow::figures::{Claim, Share},
    ui::{Glyph, Icon},
};
use leptos::prelude::*;

/// Steps in which a cell of the matrix grows stronger.
const HEATS: u32 = 4;

pub fn charts(desk: Desk) -> AnyView {
    let Desk { seats, figures, summarised, .. } = desk;
    let bars = seats.iter().zip(figures.shares).map(bar).collect_view();
    let heads = seats.iter().map(head).collect_view();
    let most = figures.named.iter().flatten().copied().max().unwrap_or_default();
    let rows = seats.iter().zip(&figures.named).enumerate().map(|(at, (seat, named))| row(at, seat, named, most)).collect_view();
    let note = note(&figures.claims, summarised);
    let claims = seats.iter().map(|seat| claims(seat, &figures.claims, summarised)).collect_view();
    view! {
        <section><h2>"Share of words"</h2><ul class="shares">{bars}</ul></section>
        <section>
            <h2>"Who names whom"</h2>
            <table aria-label="Who names whom"><tbody><tr><td></td>{heads}</tr>{rows}</tbody></table>
        </section>
        <section><h2>"Opening claims"</h2><p class="meta">{note}</p><ul class="claims">{claims}</ul></section>
    }
    .into_any()
}

fn bar((seat, share): (&Seat, Share)) -> AnyView {
    let percent = share.percent;
    view! {
        <li data-hue=seat.hue.clone()>
            <span>{share.name}</span>
            <svg aria-hidden="true"><rect width=format!("{percent}%") height="100%" rx="3"></rect></svg>
            <span class="meta">{format!("{percent} %")}</span>
        </li>
    }
    .into_any()
}

fn head(seat: &Seat) -> AnyView {
    view! { <th scope="col" data-hue=seat.hue.clone() title=seat.name.clone()><Portrait name=seat.portrait /><span class="sr-only">{seat.name.clone()}</span></th> }.into_any()
}

fn row(at: usize, seat: &Seat, named: &[u32], most: u32) -> AnyView {
    let cell = |(of, count): (usize, &u32)| match of == at {
        true => view! { <td data-heat="0">"–"</td> }.into_any(),
        false => view! { <td data-heat=heat(*count, most).to_string()>{*count}</td> }.into_any(),
    };
    view! { <tr data-hue=seat.hue.clone()><th scope="row">{seat.name.clone()}</th>{named.iter().enumerate().map(cell).collect_view()}</tr> }
        .into_any()
}

/// From 0 for nothing to [`HEATS`] for the most.
fn heat(count: u32, most: u32) -> u32 {
    (count * HEATS).div_ceil(most.max(1))
}

fn note(claims: &[Claim], summarised: bool) -> String {
    let alive = claims.iter().filter(|claim| claim.alive.is_some()).count();
    if summarised {
        format!("Still alive in the summary: {alive} of {}.", claims.len())
    } else {
        "Which of them stay alive is decided by the summary.".to_owned()
    }
}

/// What a debater has claimed, each claim with what became of it.
fn claims(seat: &Seat, claims: &[Claim], summarised: bool) -> AnyView {
    let claim = |claim: &Claim| {
        let (fate, word) = match (summarised, claim.alive) {
            (false, _) => ("open", ""),
            (true, Some(_)) => ("alive", "Still alive: "),
            (true, None) => ("gone", "Not in the summary: "),
        };
        let check = (fate == "alive").then(|| view! { <Icon glyph=Glyph::Check size=11 /> });
        view! { <li data-fate=fate><span class="fate">{check}</span><span class="sr-only">{word}</span>{claim.text.clone()}</li> }
            .into_any()
    };
    let own: Vec<_> = claims.iter().filter(|claim| claim.persona == seat.id).map(claim).collect();
    (!own.is_empty()).then(|| view! { <li data-hue=seat.hue.clone()><b>{seat.name.clone()}</b><ul>{own}</ul></li> }).into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_warm_once_somebody_is_named_and_hottest_where_it_is_most() {
        let heats = |most: u32| (0..=most).map(|count| heat(count, most)).collect::<Vec<_>>();
        assert_eq!(heats(0), [0]);
        assert_eq!(heats(1), [0, 4]);
        assert_eq!(heats(9), [0, 1, 1, 2, 2, 3, 3, 4, 4, 4]);
    }

    #[test]
    fn claims_are_counted_once_the_summary_has_decided() {
        let claim = |alive| Claim { persona: "ada".into(), text: "Tea calms.".into(), alive };
        let given = [claim(Some(0)), claim(None)];
        assert_eq!(note(&given, false), "Which of them stay alive is decided by the summary.");
        assert_eq!(note(&given, true), "Still alive in the summary: 1 of 2.");
    }
}
