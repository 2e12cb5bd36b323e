//! Small charts, written as HTML: bars beside the figures that they show, which are read as text. In whole numbers only, since
//! writing fractions would cost the browser kilobytes.

use super::{escaped, field::thousands};

/// Parts behind these begin with the first colour again.
const HUES: usize = 6;

/// Somebody's price.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    pub name: String,
    /// A month, in whole units of the ladder's currency.
    pub price: u32,
}

/// A part of a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Portion {
    pub name: String,
    pub percent: u32,
}

/// Who asks how much a month, the cheapest first. `currency` stands before the figures.
pub fn price_ladder(label: &str, currency: &str, rungs: &[Rung]) -> String {
    let mut rungs: Vec<&Rung> = rungs.iter().collect();
    rungs.sort_by_key(|rung| rung.price);
    let (most, currency) = (rungs.last().map_or(0, |rung| rung.price), escaped(currency));
    let row = |rung: &Rung| {
        let (name, price, width) = (escaped(&rung.name), thousands(rung.price as usize), percent(rung.price.into(), most.into()));
        format!(
            "<li><span class=\"name\">{name}</span><b>{currency}{price}</b>\
             <svg class=\"bar\" aria-hidden=\"true\"><rect width=\"{width}%\" height=\"100%\" rx=\"3\"></rect></svg></li>"
        )
    };
    format!("<ol class=\"ladder\" aria-label=\"{}\">{}</ol>", escaped(label), rungs.into_iter().map(row).collect::<String>())
}

/// How a whole is split, in the order given, with the sum of the parts.
pub fn split(label: &str, parts: &[Portion]) -> String {
    let sum: u64 = parts.iter().map(|part| u64::from(part.percent)).sum();
    let row = |(at, part): (usize, &Portion)| {
        let (name, percent) = (escaped(&part.name), part.percent);
        format!("<li data-part=\"{}\"><span class=\"name\">{name}</span><b>{percent} %</b></li>", at % HUES)
    };
    let rows: String = parts.iter().enumerate().map(row).collect();
    format!(
        "<div class=\"split\">{}<ul aria-label=\"{}\">{rows}</ul><p class=\"sum\"><span class=\"name\">Together</span><b>{sum} %</b></p></div>",
        stack(parts, sum),
        escaped(label)
    )
}

/// All parts in one bar, end to end.
fn stack(parts: &[Portion], sum: u64) -> String {
    let mut begin = 0;
    let piece = |(at, part): (usize, &Portion)| {
        let end = begin + u64::from(part.percent);
        let (from, to) = (percent(begin, sum), percent(end, sum));
        begin = end;
        format!("<rect data-part=\"{}\" x=\"{from}%\" width=\"{}%\" height=\"100%\"></rect>", at % HUES, to - from)
    };
    let pieces: String = parts.iter().enumerate().map(piece).collect();
    format!("<svg class=\"bar\" aria-hidden=\"true\">{pieces}</svg>")
}

/// Whole percents of the most there is, rounded up: what is something is seen.
fn percent(value: u64, most: u64) -> u64 {
    (value * 100).div_ceil(most.max(1)).min(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rung(name: &str, price: u32) -> Rung {
        Rung { name: name.into(), price }
    }

    fn portion(name: &str, percent: u32) -> Portion {
        Portion { name: name.into(), percent }
    }

    #[test]
    fn a_ladder_goes_up() {
        let html = price_ladder("Price", "£", &[rung("Tilly <b>", 1_200), rung("Sum", 3), rung("Free", 0)]);
        let rows: Vec<&str> = html.split("<li").skip(1).collect();
        let expect = [("Free", "£0", "\"0%\""), ("Sum", "£3", "\"1%\""), ("Tilly &lt;b&gt;", "£1,200", "\"100%\"")];
        for (row, (name, price, width)) in rows.iter().zip(expect) {
            assert!(row.contains(name) && row.contains(price) && row.contains(width), "{row}");
        }
        assert_eq!(price_ladder("Price", "£", &[]), "<ol class=\"ladder\" aria-label=\"Price\"></ol>");
    }

    #[test]
    fn a_split_shows_its_parts_and_what_they_come_to() {
        let html = split("Budget", &[portion("Search", 45), portion("Fairs", 35), portion("Mail & post", 15)]);
        for what in ["45 %", "Mail &amp; post", "95 %"] {
            assert!(html.contains(what), "{what}: {html}");
        }
    }

    #[test]
    fn the_parts_of_a_split_fill_its_bar_whatever_they_come_to() {
        for parts in [&[45, 35, 20][..], &[50, 70], &[1, 1, 1], &[0, 100], &[7], &[4_000_000_000, 4_000_000_000]] {
            let parts: Vec<Portion> = parts.iter().map(|percent| portion("x", *percent)).collect();
            let html = stack(&parts, parts.iter().map(|part| u64::from(part.percent)).sum());
            let widths =
                html.split(" width=\"").skip(1).map(|rest| rest.split('%').next().and_then(|width| width.parse().ok()).unwrap_or(0));
            assert_eq!(widths.sum::<u32>(), 100, "{html}");
            assert!(split("Budget", &parts).contains(&html));
        }
        assert_eq!(
            stack(&[portion("x", 0)], 0),
            "<svg class=\"bar\" aria-hidden=\"true\"><rect data-part=\"0\" x=\"0%\" width=\"0%\" height=\"100%\"></rect></svg>"
        );
    }

    #[test]
    fn what_is_something_is_seen() {
        for (value, most, expect) in [(0, 9, 0), (1, 10_000, 1), (u32::MAX.into(), u32::MAX.into(), 100), (9, 3, 100)] {
            assert_eq!(percent(value, most), expect);
        }
    }
}
