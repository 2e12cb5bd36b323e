//! Only what the provider returned is a source.

use super::*;
use crate::rooms::research::held;
use data::{Competitor, Competitors, Point};

fn sources() -> Vec<Source> {
    vec![source(3, "https://a.example/x"), source(7, "https://b.example/wiki/Tills_(UK)"), source(9, "http://c.example/")]
}

/// What is left of a text, which sources it rests on, and how many references were taken out.
fn kept(text: &str) -> (String, Vec<i64>, u32) {
    let overview = Point { text: text.into(), sources: vec![] };
    let mut data = Data::IndustryMarket(data::IndustryMarket { overview, ..Default::default() });
    let dropped = data.keep_to(&sources());
    let Data::IndustryMarket(market) = data else { unreachable!() };
    (market.overview.text, market.overview.sources, dropped)
}

#[test]
fn references_move_out_of_the_text_and_leave_nothing_behind() {
    for (text, expect, cited, dropped) in [
        ("Plain words.", "Plain words.", &[][..], 0),
        ("It grows [7].", "It grows.", &[7], 0),
        ("It grows[7], fast [3][9].", "It grows, fast.", &[7, 3, 9], 0),
        ("It grows [3, 9] and falls [3-7].", "It grows and falls.", &[3, 9, 7], 0),
        ("It grows [3], [9].", "It grows.", &[3, 9], 0),
        ("It grows ([3]; [9]).", "It grows.", &[3, 9], 0),
        ("It grows [^7].", "It grows.", &[7], 0),
        ("[7] It grows.", "It grows.", &[7], 0),
        ("It grows [8].", "It grows.", &[], 1),
        ("It grows [7, 8, 8].", "It grows.", &[7], 2),
        ("It grows [99999999999999999999].", "It grows.", &[], 1),
        ("It [sic] grows [1st].", "It [sic] grows [1st].", &[], 0),
        ("See https://a.example/x/ for more.", "See for more.", &[3], 0),
        ("It grows (see https://a.example/x).", "It grows.", &[3], 0),
        ("It grows (Source: https://d.example/y).", "It grows.", &[], 1),
        ("It grows, https://b.example/wiki/Tills_(UK).", "It grows.", &[7], 0),
        ("It grows <HTTP://C.example>!", "It grows!", &[9], 0),
        ("It grows [says A](https://a.example/x), and how.", "It grows says A, and how.", &[3], 0),
        ("It grows ([A](https://a.example/x \"Title\")).", "It grows (A).", &[3], 0),
        ("It grows [7](https://a.example/x).", "It grows.", &[3], 0),
        ("It grows [made up](https://d.example).", "It grows made up.", &[], 1),
        ("It grows [Tills](https://b.example/wiki/Tills_(UK)).", "It grows Tills.", &[7], 0),
        ("[7]", "", &[7], 0),
        ("([8]).", "", &[], 1),
        ("https://d.example/nothing", "", &[], 1),
        ("Half [open", "Half [open", &[], 0),
        ("A [link](half", "A [link](half", &[], 0),
        ("Ünïcode [3] 李 [9]😀", "Ünïcode 李😀", &[3, 9], 0),
        ("https:// is a scheme, and so is http", "is a scheme, and so is http", &[], 1),
    ] {
        assert_eq!(kept(text), (expect.to_owned(), cited.to_vec(), dropped), "{text}");
    }
}

#[test]
fn lists_are_kept_to_what_was_returned_and_empty_lines_go() {
    let rival = Competitor {
        name: "Tilly [7]".into(),
        strengths: vec!["Cheap".into(), "[3]".into(), "https://d.example".into()],
        gaps: vec!["[8]".into()],
        sources: vec![9, 9, 4, -1],
        ..Default::default()
    };
    let openings = vec![Point { text: "[3]".into(), sources: vec![] }, Point { text: "Offline".into(), sources: vec![5, 3] }];
    let mut data = Data::Competitors(Competitors { landscape: Point::default(), competitors: vec![rival], openings });
    assert_eq!(data.keep_to(&sources()), 5);
    let Data::Competitors(found) = data else { unreachable!() };
    let rival = &found.competitors[0];
    assert_eq!((rival.name.as_str(), &rival.strengths[..], rival.gaps.len()), ("Tilly", &["Cheap".to_owned()][..], 0));
    assert_eq!(rival.sources, [9, 7, 3]);
    assert_eq!(found.openings, [Point { text: "Offline".into(), sources: vec![3] }]);
}

#[test]
fn every_text_of_every_section_is_kept_to_the_sources() {
    for section in Section::ALL {
        let held = held::held(section);
        // Each word of its texts gets a mark, and none is left.
        let json = serde_json::to_string(&held.data).expect("JSON").replace(". ", " [99]. ").replace(".\"", " [99].\"");
        let marks = json.matches("[99]").count();
        let mut data: Data = serde_json::from_str(&json).expect("a section");
        let dropped = data.clone().keep_to(&held.sources) - held.data.clone().keep_to(&held.sources);
        let none = data.keep_to(&[]);
        assert!(marks >= 3 && dropped as usize == marks && none > dropped, "{section:?}: {marks} marks, {dropped} dropped");
        let text = serde_json::to_string(&data).expect("JSON");
        assert!(!text.contains("[99]"), "{text}");
    }
}

#[test]
fn a_finding_says_how_many_references_were_taken_out() {
    let state = gather(turn(know(begun(""), &[Field::BusinessModel, Field::Industry]), "Hm.", vec![]), Section::IndustryMarket);
    let overview = Point { text: "It grows [7], they say [8].".into(), sources: vec![] };
    let data = Data::IndustryMarket(data::IndustryMarket { overview, ..Default::default() });
    let found = drafted(state, Section::IndustryMarket, Ok(data)).study(Section::IndustryMarket).result.clone().expect("found");
    let Some(Data::IndustryMarket(market)) = found.told.data() else { unreachable!() };
    assert_eq!((market.overview.text.as_str(), &market.overview.sources[..], found.dropped), ("It grows, they say.", &[7][..], 1));
}

#[test]
fn a_source_has_a_host_or_is_none() {
    for (url, host) in [
        ("https://www.a.example/x?y#z", Some("a.example")),
        ("http://a.example:80", Some("a.example:80")),
        ("https://a.example@b.example/", Some("b.example")),
        ("https://[::1]/", Some("[::1]")),
        ("https://", None),
        ("https:///x", None),
        ("https://?a.example", None),
        ("https://:80", None),
        ("https:// a.example", None),
        ("javascript://a.example", None),
        ("ftp://a.example", None),
        ("", None),
    ] {
        assert_eq!(source(1, url).host(), host, "{url}");
    }
    let kept =
        pages([source(0, "https://a.example"), source(2, "https://"), source(2, "https://b.example"), source(2, "https://c.example")]);
    assert_eq!(kept, [source(2, "https://b.example")]);
}
