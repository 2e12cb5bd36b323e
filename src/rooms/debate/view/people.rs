//! Who could debate: a tile each to choose them by, their face, and which model speaks for them.

use super::{
    desk::first_words,
    form::{Form, Person},
    portrait::Portrait,
};
use crate::{
    engine::entry::REHEARSAL,
    rooms::debate::flow::persona::MOST,
    ui::{Glyph, Icon},
};
use leptos::{
    html::{Input, Select},
    prelude::*,
};

#[component]
pub fn Panel(form: Form, new_persona: String) -> impl IntoView {
    let error = form.at("personas");
    let people = form.people.get_value();
    let count = Signal::derive(move || {
        let chosen = form.people.with_value(|people| people.iter().filter(|person| form.is_chosen(person)).count());
        format!("{chosen} of at most {MOST}")
    });
    view! {
        <fieldset class="field" class:wrong=Signal::derive(move || error.with(|said| !said.is_empty()))>
            <legend class="field-head"><b>"Panel"</b><span class="meta">{count}</span></legend>
            <ul class="panel candidates">
                {people.into_iter().enumerate().map(|(place, person)| tile(form, place, person)).collect_view()}
                <li><a href=new_persona><span class="portrait">"+"</span><b>"New persona"</b><span class="meta">"Kept for next time"</span></a></li>
            </ul>
            <p class="field-error" role="alert">{error}</p>
        </fieldset>
    }
}

fn tile(form: Form, place: usize, person: Person) -> AnyView {
    let (persona, first) = (person.candidate.persona.clone(), person.candidate.chosen);
    let (hue, portrait) = (persona.hue_at(place).to_owned(), persona.portrait_at(place));
    let (json, href) = (person.json.clone(), person.candidate.href.clone());
    let on = Signal::derive(move || form.is_chosen(&person));
    let wrong = form.at("personas");
    let (node, name) = (NodeRef::<Input>::new(), StoredValue::new(persona.name.clone()));
    let choose = move |on: bool| name.with_value(|name| form.choose(name, on));
    // What was chosen before this page answered is kept; else the draft is shown.
    Effect::new(move |before: Option<()>| {
        let (Some(input), on) = (node.get(), on.get()) else { return };
        if before.is_none() && input.checked() != first {
            choose(input.checked());
        } else if input.checked() != on {
            input.set_checked(on);
        }
    });
    let belief = format!("belief-{place}");
    view! {
        <li data-hue=hue>
            <label>
                <input
                    type="checkbox" name=format!("seats[{place}][persona]") value=json checked=first node_ref=node
                    aria-label=persona.name.clone() aria-describedby=belief.clone()
                    aria-invalid=Signal::derive(move || wrong.with(|said| !said.is_empty()).to_string())
                    on:change=move |event| choose(event_target_checked(&event))
                />
                <Portrait name=portrait />
                <b>{persona.name.clone()}</b>
                <span class="meta" id=belief>{first_words(&persona.philosophy)}</span>
            </label>
            <a class="icon-button small" href=href aria-label=format!("Edit {}", persona.name)><Icon glyph=Glyph::Pencil size=15 /></a>
        </li>
    }
    .into_any()
}

/// On the phone: whoever is chosen.
pub fn face(form: Form, person: Person) -> AnyView {
    let place = form.people.with_value(|people| people.iter().position(|other| other.json == person.json)).unwrap_or_default();
    let (hue, portrait) = (person.candidate.persona.hue_at(place).to_owned(), person.candidate.persona.portrait_at(place));
    let away = Signal::derive(move || !form.is_chosen(&person));
    view! { <span data-hue=hue hidden=away><Portrait name=portrait /></span> }.into_any()
}

/// Which model speaks for whom, where there is a choice.
#[component]
pub fn Speakers(form: Form, debaters: Vec<String>) -> impl IntoView {
    let people = form.people.get_value();
    let given = people.iter().any(|person| !person.candidate.model.is_empty());
    let line = |(place, person): (usize, Person)| {
        let (model, label) = (person.model, format!("Model of {}", person.candidate.persona.name));
        let field = choice(format!("seats[{place}][model]"), label, &debaters, &person.candidate.model, model);
        let away = Signal::derive(move || !form.is_chosen(&person));
        view! { <div class="field" hidden=away>{field}</div> }.into_any()
    };
    let lines = (given || debaters.len() > 1).then(|| people.into_iter().enumerate().map(line).collect_view());
    lines.map(|lines| view! { <details class="under-test" open=given><summary>"Models"</summary>{lines}</details> })
}

/// One of the models, the one that speaks anyway first; one that is not there any more is shown, and refused.
pub fn choice(name: String, label: String, models: &[String], chosen: &str, model: RwSignal<String>) -> AnyView {
    let gone = (!chosen.is_empty() && models.iter().all(|name| name != chosen)).then(|| chosen.to_owned());
    let option = |(place, name): (usize, &String)| {
        let words = match (name == REHEARSAL, place) {
            (true, _) => "Rehearsal: scripted answers, no AI model".to_owned(),
            (false, 0) => format!("{name} (as configured)"),
            (false, _) => name.clone(),
        };
        view! { <option value=if place == 0 { String::new() } else { name.clone() } selected=name == chosen>{words}</option> }.into_any()
    };
    let options = models.iter().enumerate().map(option).collect_view();
    let gone = gone.map(|name| view! { <option value=name.clone() selected=true>{format!("{name} (not here)")}</option> });
    let id = format!("field-{name}");
    // What was chosen before the page answered, or restored by the browser, counts.
    let node = NodeRef::<Select>::new();
    Effect::new(move || {
        if let Some(select) = node.get() {
            model.set(select.value());
        }
    });
    view! {
        <div class="field-head"><label for=id.clone()>{label}</label></div>
        <span class="select"><select id=id name=name class="input" node_ref=node on:change=move |event| model.set(event_target_value(&event))>{options}{gone}</select></span>
    }
    .into_any()
}
