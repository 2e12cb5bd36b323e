//! A debate in figures: who has how many of the words, who names whom, and which opening claims the summary still carries.
//! Written as HTML: nothing in it is ever pressed, and each further kind of element would cost the browser code of its own.

use super::{desk::Seat, portrait::portrait};
use crate::{
    rooms::debate::flow::figures::{Claim, Figures, Share},
    ui::{Glyph, escaped},
};

/// Steps in which a cell of the matrix grows stronger.
const HEATS: u32 = 4;

/// `summarised`: the summary has been given, and says which claims are alive.
pub fn charts(seats: &[Seat], figures: &Figures, summarised: bool) -> String {
    let bars: String = seats.iter().zip(&figures.shares).map(bar).collect();
    let heads: String = seats.iter().map(head).collect();
    let most = figures.named.iter().flatten().copied().max().unwrap_or_default();
    let rows: String = seats.iter().zip(&figures.named).enumerate().map(|(at, (seat, named))| row(at, seat, named, most)).collect();
    let note = note(&figures.claims, summarised);
    let claims: String = seats.iter().map(|seat| claims(seat, &figures.claims, summarised)).collect();
    format!(
        "<section><h2>Share of words</h2><ul class=\"shares\">{bars}</ul></section>\
         <section><h2>Who names whom</h2><table aria-label=\"Who names whom\"><tbody><tr><td></td>{heads}</tr>{rows}</tbody></table></section>\
         <section><h2>Opening claims</h2><p class=\"meta\">{note}</p><ul class=\"claims\">{claims}</ul></section>"
    )
}

fn bar((seat, share): (&Seat, &Share)) -> String {
    let (hue, name, words, percent) = (&seat.hue, escaped(&share.name), share.words, share.percent);
    format!(
        "<li data-hue=\"{hue}\"><span>{name}</span><svg aria-hidden=\"true\"><rect width=\"{percent}%\" height=\"100%\" rx=\"3\"></rect></svg>\
         <span class=\"meta\">{words} words · {percent} %</span></li>"
    )
}

fn head(seat: &Seat) -> String {
    let (hue, name, portrait) = (&seat.hue, escaped(&seat.name), portrait(seat.portrait));
    format!(
        "<th scope=\"col\" data-hue=\"{hue}\" title=\"{name}\"><span class=\"portrait\" aria-hidden=\"true\">{portrait}</span>\
         <span class=\"sr-only\">{name}</span></th>"
    )
}

fn row(at: usize, seat: &Seat, named: &[u32], most: u32) -> String {
    let cell = |(of, count): (usize, &u32)| match of == at {
        true => "<td data-heat=\"0\">–</td>".to_owned(),
        false => format!("<td data-heat=\"{}\">{count}</td>", heat(*count, most)),
    };
    let cells: String = named.iter().enumerate().map(cell).collect();
    format!("<tr data-hue=\"{}\"><th scope=\"row\">{}</th>{cells}</tr>", seat.hue, escaped(&seat.name))
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
fn claims(seat: &Seat, claims: &[Claim], summarised: bool) -> String {
    let claim = |claim: &Claim| {
        let (fate, word) = match (summarised, claim.alive) {
            (false, _) => ("open", ""),
            (true, Some(_)) => ("alive", "Still alive: "),
            (true, None) => ("gone", "Not in the summary: "),
        };
        let check = if fate == "alive" { Glyph::Check.svg(11) } else { String::new() };
        let text = escaped(&claim.text);
        format!(
            "<li data-fate=\"{fate}\"><span class=\"fate icon\" aria-hidden=\"true\">{check}</span><span class=\"sr-only\">{word}</span>{text}</li>"
        )
    };
    let own: String = claims.iter().filter(|claim| claim.persona == seat.id).map(claim).collect();
    if own.is_empty() {
        return own;
    }
    format!("<li data-hue=\"{}\"><b>{}</b><ul>{own}</ul></li>", seat.hue, escaped(&seat.name))
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
