use super::*;
use crate::rooms::research::flow::Brief;
use crate::rooms::research::flow::Told;

fn point(text: &str, sources: &[i64]) -> Point {
    Point { text: text.into(), sources: sources.into() }
}

fn finding(data: Data) -> Finding {
    Finding { attempt: 1, told: Told::new(&data), sources: vec![], dropped: 0, ms: Some(18_000), at: 0, brief: Brief::default() }
}

fn has(html: &str, all: &[&str]) {
    for what in all {
        assert!(html.contains(what), "{what}: {html}");
    }
}

fn market() -> IndustryMarket {
    IndustryMarket {
        overview: point("Small tills, many bakeries.", &[1]),
        size: Figure { value: "£4.2 bn in 2025".into(), basis: "UK card payments".into(), sources: vec![1, 2] },
        growth: Figure { basis: "Nobody counts it.".into(), ..Figure::default() },
        trends: vec![point("Readers < £30", &[2])],
        buying_triggers: vec![point("A till breaks.", &[])],
        barriers: vec![],
    }
}

fn rivals() -> Competitors {
    let rival = |name: &str, price: &str, month| Competitor {
        name: name.into(),
        positioning: "For cafés".into(),
        price: price.into(),
        price_per_month: month,
        strengths: vec!["Cheap".into()],
        gaps: vec![],
        sources: vec![3],
    };
    let competitors = vec![rival("Tilly", "£40 a month", Some(40)), rival("Quadra", "", Some(10)), rival("Zenpay", "on request", None)];
    Competitors { landscape: point("Crowded.", &[]), competitors, openings: vec![point("Works offline", &[3])] }
}

fn all() -> [Data; 5] {
    let icp = IcpValidation {
        verdict: Verdict::Promising,
        score: Some(72),
        reasoning: point("They pay.", &[4]),
        evidence: vec![point("They queue.", &[])],
        concerns: vec![],
        sharper: point("Bakeries with two tills", &[]),
    };
    let mark = |score| Mark { criterion: "Price".into(), score, reason: "Too low.".into(), sources: vec![5] };
    let offer = OfferAnalysis {
        overall: point("Sound.", &[]),
        scorecard: vec![mark(Some(7)), mark(None)],
        red_flags: vec![point("No trial", &[])],
        improvements: vec![],
    };
    let channel = |name: &str, share| Channel { name: name.into(), why: "They are there.".into(), share, sources: vec![6] };
    let cross = CrossAnalysis {
        positioning: point("The till that never stops.", &[]),
        channels: vec![channel("Trade fairs", Some(60)), channel("Search", Some(40))],
        first_moves: vec![point("Call ten.", &[])],
        risks: vec![point("Banks copy it.", &[])],
    };
    [
        Data::IndustryMarket(market()),
        Data::Competitors(rivals()),
        Data::IcpValidation(icp),
        Data::OfferAnalysis(offer),
        Data::CrossAnalysis(cross),
    ]
}

#[test]
fn each_section_is_laid_out_whole() {
    let pages: String = all().into_iter().map(|data| format!("{}\n", section(&finding(data)).replace("><", ">\n<"))).collect();
    insta::assert_snapshot!(pages);
}

#[test]
fn what_was_not_found_is_said_and_no_figure_is_made_up() {
    let check = |data: Data, nothing: usize| {
        let html = section(&finding(data));
        assert_eq!(html.matches("Nothing was found.").count(), nothing, "{html}");
        assert!(!html.contains("<svg") && !html.contains(" %"), "{html}");
    };
    check(Data::IndustryMarket(IndustryMarket::default()), 3);
    check(Data::Competitors(Competitors::default()), 2);
    check(Data::IcpValidation(IcpValidation::default()), 3);
    check(Data::OfferAnalysis(OfferAnalysis::default()), 3);
    check(Data::CrossAnalysis(CrossAnalysis::default()), 3);
    let empty = section(&finding(Data::IndustryMarket(IndustryMarket::default())));
    assert_eq!(empty.matches("No figure was found").count(), 2);
    has(&section(&finding(Data::IcpValidation(IcpValidation::default()))), &["Not clear yet", "no score"]);
}

#[test]
fn prices_are_charted_where_at_least_two_are_known_in_one_currency() {
    let page = Page { section: Section::Competitors };
    let ladder = |rivals: &[Competitor]| page.ladder(rivals);
    let found = rivals().competitors;
    has(&ladder(&found), &["£40", "£10"]);
    assert!(!ladder(&found).contains("Zenpay"));
    assert_eq!(ladder(&found[1..]), "");
    let priced = |price: &str, month| Competitor { price: price.into(), price_per_month: Some(month), ..Competitor::default() };
    assert_eq!(ladder(&[priced("£40", 40), priced("$40", 40)]), "");
    assert_eq!(ladder(&[priced("£40", 40), priced("", -1)]), "");
    has(&ladder(&[priced("free", 0), priced("12 a month", 12)]), &["<b>12</b>"]);
}

#[test]
fn a_measure_that_is_none_draws_nothing_beyond_its_bar() {
    for (value, expect) in [(i64::MIN, "\"0%\""), (-1, "\"0%\""), (5, "\"50%\""), (i64::MAX, "\"100%\"")] {
        has(&bar(value, 10), &[expect]);
    }
}

#[test]
fn texts_are_no_html() {
    let evil = "<img src=x onerror=\"alert(1)\">";
    let data = Data::Competitors(Competitors {
        landscape: point(evil, &[]),
        competitors: vec![
            Competitor {
                name: evil.into(),
                positioning: evil.into(),
                price: evil.into(),
                price_per_month: Some(1),
                strengths: vec![evil.into()],
                gaps: vec![evil.into()],
                sources: vec![],
            };
            2
        ],
        openings: vec![point(evil, &[])],
    });
    let html = section(&finding(data))
        + &sources(Section::Competitors, &[Source { id: 1, title: evil.into(), url: evil.into(), date: Some(evil.into()) }]);
    assert!(!html.contains("<img"), "{html}");
}

#[test]
fn a_source_is_a_link_only_where_it_is_a_page() {
    let source = |title: &str, url: &str| Source { id: 7, title: title.into(), url: url.into(), date: Some("2025-04-01".into()) };
    let html = |title: &str, url: &str| sources(Section::OfferAnalysis, &[source(title, url)]);
    has(
        &html("Readers & tills", "https://www.example.org/a?b=1&c=\"2\""),
        &[
            r#"<li id="source-offerAnalysis-7""#,
            r#"href="https://www.example.org/a?b=1&amp;c=&quot;2&quot;" rel="noopener nofollow" target="_blank">Readers &amp; tills</a>"#,
            "<span class=\"host\">example.org</span><span class=\"date\">2025-04-01</span>",
        ],
    );
    has(&html("", "http://example.org"), &[">example.org</a>"]);
    for url in ["javascript:alert(1)", "https://", "ftp://example.org", ""] {
        assert!(!html("A title", url).contains("<a"), "{url}");
    }
    assert_eq!(sources(Section::Competitors, &[]), "<p class=\"meta\">No sources were returned.</p>");
}

#[test]
fn marks_lead_to_the_sources_of_their_section() {
    assert_eq!(marks("", Section::Competitors, &[]), "");
    has(&marks("/report", Section::Competitors, &[3, 9]), &[r##"href="/report#source-competitors-3""##, r#"aria-label="Source 9""#]);
}

#[test]
fn it_says_what_was_brought_along_or_taken_out() {
    let html = |attempt, dropped| section(&Finding { attempt, dropped, ..finding(Data::IndustryMarket(market())) });
    assert!(!html(1, 0).contains("meta\">Brought") && !html(1, 0).contains("taken out"));
    has(&html(0, 1), &["not researched here", "1 reference was taken out"]);
    has(&html(2, 3), &["3 references were taken out"]);
}
