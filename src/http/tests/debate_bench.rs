//! Setting a debate up, and keeping personas for it, by forms alone.

use super::*;
use crate::{
    rooms::debate::flow::{Debate, Persona, Setup, persona::panel},
    runs::server::escape,
};

/// A form's body.
fn body(fields: &[(&str, &str)]) -> String {
    fields.iter().map(|(name, value)| format!("{}={}", escape(name), escape(value))).collect::<Vec<_>>().join("&")
}

fn start(topic: &str, rounds: &str, seats: &[(usize, &Persona, &str)]) -> String {
    let seat = |(place, persona, model): &(usize, &Persona, &str)| {
        let json = serde_json::to_string(persona).expect("JSON");
        body(&[(&format!("seats[{place}][persona]"), &json), (&format!("seats[{place}][model]"), model)])
    };
    let seats: Vec<String> = seats.iter().map(seat).collect();
    format!("{}&{}", body(&[("topic", topic), ("rounds", rounds), ("key", "one")]), seats.join("&"))
}

fn named(name: &str) -> Persona {
    Persona { name: name.into(), philosophy: format!("{name} insists: on one thing."), ..Persona::default() }
}

fn persona_form(was: &str, persona: &Persona) -> String {
    let hue = persona.hue.clone().unwrap_or_default();
    let (name, philosophy) = (&persona.name, &persona.philosophy);
    body(&[("was", was), ("name", name), ("philosophy", philosophy), ("icon_hint", &persona.icon_hint), ("hue", &hue)])
}

impl Server {
    async fn setup(&self, debate: &str) -> Setup {
        let id = debate.rsplit('/').next().expect("an id").parse().expect("a UUID");
        let row = self.engine.store().run(id).await.expect("read").expect("there");
        assert_eq!(row.kind, Debate::KIND);
        serde_json::from_value(row.setup).expect("a setup")
    }

    async fn kept(&self, cookie: &str) -> String {
        self.page("/debate", cookie).await
    }
}

/// The candidates that a page shows, in order, and whether they are chosen.
fn candidates(page: &str) -> Vec<(String, bool)> {
    let inputs = page.split("<input").filter(|part| part.contains("type=\"checkbox\""));
    let name = |input: &str| {
        let input = input.split('>').next().unwrap_or_default();
        let name = input.split("aria-label=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a name");
        (name.to_owned(), input.contains(" checked"))
    };
    inputs.map(name).collect()
}

fn are(found: &[(String, bool)], expect: &[(&str, bool)]) {
    let found: Vec<(&str, bool)> = found.iter().map(|(name, chosen)| (name.as_str(), *chosen)).collect();
    assert_eq!(found, expect);
}

#[tokio::test]
async fn the_bench_is_whole_without_a_script() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let page = server.page("/debate", &cookie).await;
    are(&candidates(&page), &[("Napoleon", true), ("Gandhi", true), ("Alexander", true)]);
    for part in [">Motion<", ">Exchange rounds</label>", "Start debate", "19 scripted turns", "href=\"/debate?example=", "#emperor"] {
        assert!(page.contains(part), "{part} is missing");
    }
    assert!(!page.contains("Continue where you were") && !page.contains("seats[0][model]"), "there is one model alone");
}

#[tokio::test]
async fn a_posted_form_starts_one_debate_and_leads_to_it() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let default = panel();
    let hued = |at: usize, hue: &str| Persona { hue: Some(hue.into()), ..default[at].clone() };
    let (napoleon, gandhi, alexander) = (hued(0, "indigo"), hued(1, "amber"), hued(2, "plum"));
    let form = start("Peace?", "2", &[(0, &napoleon, ""), (1, &gandhi, ""), (2, &alexander, "")]);
    let debate = server.form("start_debate", &form, &cookie).await;
    assert!(debate.starts_with("/debate/"), "{debate}");
    assert_eq!(server.setup(&debate).await, Setup { topic: "Peace?".into(), max_exchange_rounds: 2, personas: default.clone() });
    // The same once more is the same debate; something else from the same page is another.
    assert_eq!(server.form("start_debate", &form, &cookie).await, debate);
    let other = start("Peace?", "2", &[(0, &napoleon, ""), (2, &alexander, ""), (7, &named("Ada"), "rehearsal")]);
    let other = server.form("start_debate", &other, &cookie).await;
    assert_ne!(other, debate);
    let ada = Persona { model: Some("rehearsal".into()), ..named("Ada") };
    assert_eq!(server.setup(&other).await.personas, [napoleon, alexander, ada], "in the order shown");
}

#[tokio::test]
async fn what_is_refused_comes_back_as_it_was_typed() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let [napoleon, gandhi, alexander, _] = &panel()[..] else { panic!("a panel of three") };
    let long = "x".repeat(301);
    for (topic, rounds, seats, said) in [
        (long.as_str(), "3", vec![(0, napoleon, ""), (1, gandhi, "")], "Write a motion of 1 to 300 characters."),
        ("A & B <i>?", "7", vec![(0, napoleon, ""), (1, gandhi, "")], "Choose 1 to 6 exchange rounds."),
        ("Why?", "", vec![(0, napoleon, ""), (1, gandhi, "")], "Choose 1 to 6 exchange rounds."),
        ("Why?", "2", vec![(2, alexander, "")], "A debate needs 2 to 6 debaters; there are 1."),
        ("Why?", "2", vec![], "A debate needs 2 to 6 debaters; there are 0."),
        ("Why?", "2", vec![(0, napoleon, "openai:none"), (2, alexander, "")], "There is no model “openai:none” here."),
    ] {
        let response = server
            .send(
                Method::POST,
                "/api/fn/start_debate",
                &[("content-type", "application/x-www-form-urlencoded"), ("accept", "text/html"), ("cookie", &cookie)],
                start(topic, rounds, &seats),
            )
            .await;
        let (back, refused) = (value(&response, "location"), value(&response, "set-cookie"));
        assert!(response.status() == StatusCode::FOUND && back.starts_with("/debate?"), "{back}");
        let cookies = format!("{cookie}; {}", refused.split(';').next().expect("a cookie"));
        let page = server.page(&back, &cookies).await;
        assert!(page.contains(said), "{said} is not said");
        let typed = topic.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        assert!(page.contains(&format!(">{typed}</textarea>")), "{topic} is lost");
        assert!(rounds.is_empty() || page.contains(&format!("value=\"{rounds}\"")), "{rounds} rounds are lost");
        let chosen: Vec<(String, bool)> = candidates(&page).into_iter().filter(|(_, chosen)| *chosen).collect();
        let expect: Vec<(&str, bool)> = seats.iter().map(|(_, persona, _)| (persona.name.as_str(), true)).collect();
        are(&chosen, &expect);
        // Nobody else is told what this one did wrong.
        assert!(!text(server.get(&back, &[]).await).await.contains("class=\"notice\""));
    }
    let hostile = format!("{}&seats[0][persona]=%7B", body(&[("topic", "Why?"), ("rounds", "3")]));
    assert!(server.form("start_debate", &hostile, &cookie).await.contains("&panel=%5B%5D"));
    assert_eq!(server.engine.store().spent(None, 0).await.expect("read").runs, 0);
}

#[tokio::test]
async fn a_debate_is_run_again_with_those_who_are_kept_no_more() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let closing = Persona { id: "summariser".into(), ..named("The Chair") };
    let (ada, gandhi) = (Persona { hue: Some("teal".into()), ..named("Ada") }, Persona { hue: Some("amber".into()), ..panel()[1].clone() });
    let form = start("Machines?", "1", &[(0, &ada, "rehearsal"), (1, &gandhi, ""), (9, &closing, "")]);
    let debate = server.form("start_debate", &form, &cookie).await;
    let from = format!("/debate?from={}", debate.trim_start_matches("/debate/"));
    let page = server.page(&from, &cookie).await;
    are(&candidates(&page), &[("Ada", true), ("Gandhi", true), ("Napoleon", false), ("Alexander", false)]);
    for part in [">Machines?</textarea>", "value=\"1\"", "The Chair", "<option value=\"\" selected>Rehearsal", "value=\"from="] {
        assert!(page.contains(part), "{part} is missing");
    }
    // She is offered to be kept, as she was.
    let as_she_was = serde_json::to_string(&Persona { model: Some("rehearsal".into()), ..ada.clone() }).expect("JSON");
    let source = escape(&from["/debate?".len()..]);
    let offered = format!("href=\"/debate/personas?draft={}&amp;source={source}\"", escape(&as_she_was));
    assert!(page.contains(&offered), "{offered}");
    let kept = server.form("save_debate_persona", &format!("{}&source={source}", persona_form("", &ada)), &cookie).await;
    assert_eq!(kept, format!("{from}&draft=yes&with=Ada"));
    let page = server.page(&kept, &cookie).await;
    assert_eq!(candidates(&page)[0], ("Ada".to_owned(), true));
    assert!(
        page.contains(&format!("href=\"/debate/personas?source={source}\"")) && !page.contains("Machines?</textarea>"),
        "the draft stays"
    );
    // Refused once more, she is still there.
    let again = format!("{}&{}", start("", "9", &[(0, &ada, ""), (1, &gandhi, "")]), body(&[("source", &from["/debate?".len()..])]));
    let back = server.form("start_debate", &again, &cookie).await;
    are(&candidates(&server.page(&back, &cookie).await)[..2], &[("Ada", true), ("Gandhi", true)]);
    assert_eq!(server.get(&from, &[]).await.status(), StatusCode::NOT_FOUND, "somebody else's debate fills nothing");
}

#[tokio::test]
async fn models_are_chosen_where_there_are_several() {
    let server = server(&[("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"), ("COLLOQUY_MODEL", "openai:gpt-4o")]).await;
    let cookie = server.cookie().await;
    let page = server.page("/debate", &cookie).await;
    for part in [
        "19 turns, a model call each. Debaters: openai:gpt-4o. Summariser: openai:gpt-4o.",
        "seats[2][model]",
        ">Rehearsal: scripted answers, no AI model<",
    ] {
        assert!(page.contains(part), "{part} is missing");
    }
    assert!(server.page("/debate/personas", &cookie).await.contains("name=\"model\""));
    // One that cannot be reached is tried again: the debate is not over, and the bench leads back to it.
    let debate = server.form("start_debate", &start("Why?", "1", &[(0, &panel()[0], ""), (1, &panel()[1], "rehearsal")]), &cookie).await;
    let page = server.page("/debate", &cookie).await;
    assert!(page.contains("Continue where you were") && page.contains(&format!("href=\"{debate}\"")));
    let again = server.page(&format!("/debate?from={}", debate.trim_start_matches("/debate/")), &cookie).await;
    for part in ["Debaters: openai:gpt-4o, rehearsal.", "<details open class=\"under-test\">"] {
        assert!(again.contains(part), "{part} is missing");
    }
}

#[tokio::test]
async fn a_worked_example_is_one_tap() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let bench = server.page("/debate", &cookie).await;
    let examples: Vec<&str> = bench.split("href=\"/debate?example=").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        let page = server.page(&format!("/debate?example={example}"), &cookie).await;
        assert!(page.contains("aria-current=\"true\"") && !page.contains("></textarea>"), "{example}");
        assert!((2..=6).contains(&candidates(&page).iter().filter(|(_, chosen)| *chosen).count()), "{example}");
    }
}

#[tokio::test]
async fn personas_are_kept_changed_and_deleted() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    let ada = Persona { icon_hint: "engineer".into(), hue: Some("teal".into()), ..named("Ada & <Co>") };
    let saved = server.form("save_debate_persona", &persona_form("", &ada), &cookie).await;
    let bench = server.page(&saved, &cookie).await;
    let named_so = "Ada &amp; &lt;Co&gt;";
    assert!(candidates(&bench).iter().any(|(name, chosen)| name == named_so && *chosen), "{saved}");
    assert!(bench.contains("#engineer") && !text(server.get("/debate", &[]).await).await.contains("Ada"));

    let sheet = server.page(&format!("/debate/personas?name={}", escape(&ada.name)), &cookie).await;
    assert!(sheet.contains("Delete this persona") && sheet.contains(&format!("value=\"{named_so}\"")));
    // Renamed, she is one still.
    server.form("save_debate_persona", &persona_form(&ada.name, &named("Countess")), &cookie).await;
    are(&candidates(&server.kept(&cookie).await)[3..], &[("Countess", false)]);
    // One of the default panel's name takes its place.
    server.form("save_debate_persona", &persona_form("", &Persona { philosophy: "No: never.".into(), ..named("napoleon") }), &cookie).await;
    are(&candidates(&server.kept(&cookie).await)[..2], &[("napoleon", true), ("Gandhi", true)]);
    for name in ["napoleon", "Countess"] {
        assert_eq!(server.form("delete_debate_persona", &body(&[("name", name)]), &cookie).await, "/debate");
    }
    are(&candidates(&server.kept(&cookie).await), &[("Napoleon", true), ("Gandhi", true), ("Alexander", true)]);
    assert_eq!(server.get("/debate/personas?name=Countess", &[("cookie", &cookie)]).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_persona_is_refused_at_its_field_with_what_was_typed() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    server.form("save_debate_persona", &persona_form("", &named("Ada")), &cookie).await;
    let long = "x".repeat(601);
    for (persona, said) in [
        (Persona { name: " ".into(), ..named("x") }, "give a name of 1 to 40 characters."),
        (Persona { philosophy: long.clone(), ..named("Ben") }, "say what they believe, in 1 to 600 characters."),
        (Persona { hue: Some("pink".into()), ..named("Ben") }, "there is no hue “pink”."),
        (named("ADA"), "you keep a persona of this name already."),
        (named("Summariser"), "the summariser closes every debate."),
    ] {
        let back = server.form("save_debate_persona", &persona_form("", &persona), &cookie).await;
        let page = server.page(&back, &cookie).await;
        assert!(page.contains(said) && page.contains(&format!(">{}</textarea>", persona.philosophy)), "{said}");
    }
    assert_eq!(candidates(&server.kept(&cookie).await).len(), 4);
}

#[tokio::test]
async fn fifty_personas_are_the_most() {
    let server = server(&[]).await;
    let cookie = server.cookie().await;
    for i in 0..50 {
        server.form("save_debate_persona", &persona_form("", &named(&format!("Number {i}"))), &cookie).await;
    }
    let full = server.form("save_debate_persona", &persona_form("", &named("One more")), &cookie).await;
    assert!(server.page(&full, &cookie).await.contains("You keep 50 personas, which is the most."));
    let changed = Persona { philosophy: "Changed: yes.".into(), ..named("Number 7") };
    assert_eq!(server.form("save_debate_persona", &persona_form("Number 7", &changed), &cookie).await, "/debate?with=Number%207");
    assert_eq!(candidates(&server.kept(&cookie).await).len(), 53);
}
