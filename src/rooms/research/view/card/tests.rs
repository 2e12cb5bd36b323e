use super::*;
use crate::{
    engine::entry::Partial,
    rooms::research::{
        flow::{Ask, Claim, Command, Imported, Setup, Told},
        held::{self, Story},
        view::shown::{begin, correct, fail, halt, has, html},
    },
};

fn card(story: &Story, section: Section, mine: bool) -> String {
    html(story, mine, |page| view! { <Card page=page section=section /> }.into_any())
}

#[test]
fn a_card_shows_what_is_being_done_and_can_be_stopped() {
    let mut story = held::half();
    let working = card(&story, Section::OfferAnalysis, true);
    has(
        &working,
        &[r#"id="card-offerAnalysis""#, r#"aria-label="Research: Offer""#, "pulse", "<li>Putting it in order</li>", "shim"],
        &["Read the section"],
    );
    has(&working, &[r#"aria-label="Stop research: Offer""#, r#"name="what" value="stop""#, r#"name="of" value="offerAnalysis""#], &[]);
    has(&card(&story, Section::OfferAnalysis, false), &["Putting it in order"], &["<form", "<button"]);
    has(&card(&story, Section::IcpValidation, true), &["Beginning"], &[]);
    let step = begin(&mut story, Ask::Gather { section: Section::IcpValidation, attempt: 1 });
    let texts = vec![Partial { message: step, text: "One\nTwo\nThree <b>\nFour".into() }];
    let body = body(&story.run, &texts, Section::IcpValidation, "");
    has(&body, &["<li>Two</li><li>Three &lt;b&gt;</li><li>Four</li>"], &["One"]);
    halt(&mut story);
    has(&card(&story, Section::OfferAnalysis, true), &["stopped", "when the conversation is continued"], &["pulse", "<button"]);
}

#[test]
fn a_card_shows_what_was_found_and_leads_to_all_of_it() {
    let html = card(&held::finished(), Section::Competitors, true);
    has(
        &html,
        &[
            "<h2>Competitors</h2>",
            "class=\"findings\"",
            r##"href="/journey/7/report#competitors""##,
            r##"href="/journey/7/report#sources-competitors""##,
            r##"href="/journey/7/report#source-competitors-"##,
            "Read the section",
            " sources",
        ],
        &["<button", "Stale", "Imported"],
    );
}

#[test]
fn a_card_says_what_went_wrong_and_offers_to_try_again() {
    let mut story = held::half();
    fail(&mut story, Section::OfferAnalysis);
    let html = card(&story, Section::OfferAnalysis, true);
    has(&html, &["The provider was &lt;busy&gt;.", "<button>Retry</button>", r#"name="what" value="retry""#], &["Read the section"]);
    has(&card(&story, Section::OfferAnalysis, false), &["The provider was"], &["Retry"]);
    // What one has stopped oneself has not gone wrong.
    let mut story = held::half();
    story.command(Command::StopSection { section: Section::OfferAnalysis });
    has(
        &card(&story, Section::OfferAnalysis, true),
        &["Stopped by you.", "class=\"halted icon\"", "<button>Retry</button>"],
        &["bad icon"],
    );
}

#[test]
fn of_several_that_failed_the_first_has_retry() {
    let mut story = held::half();
    for section in [Section::OfferAnalysis, Section::IcpValidation] {
        fail(&mut story, section);
    }
    has(&card(&story, Section::IcpValidation, true), &["<button>Retry</button>"], &["Try again"]);
    has(&card(&story, Section::OfferAnalysis, true), &["aria-label=\"Try again: Offer\""], &["Retry"]);
}

#[test]
fn an_old_result_stays_to_be_read() {
    let mut story = held::finished();
    correct(&mut story);
    let stale = card(&story, Section::Competitors, true);
    has(&stale, &["card stale", "Stale", "this was changed: Industry", "Run again: Competitors", "class=\"findings\""], &[]);
    story.command(Command::Refresh);
    has(&card(&story, Section::Competitors, true), &["pulse", "class=\"findings\"", "Read the section", "Stop research"], &["card stale"]);
    has(&card(&story, Section::CrossAnalysis, true), &["waiting", "class=\"findings\""], &["pulse"]);
}

#[test]
fn what_a_caller_brought_along_is_marked() {
    let found = held::held(Section::IndustryMarket);
    let claim = Claim { told: Told::new(&found.data), sources: vec![], dropped: 0 };
    let imported = Imported { results: vec![claim], ..Imported::default() };
    let story = Story::begin(&Setup { imported, ..Setup::default() }, "x");
    has(&card(&story, Section::IndustryMarket, true), &["Imported", "No sources"], &["<button"]);
}
