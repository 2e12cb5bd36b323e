//! What a person does in a conversation, from wherever on its page. Whatever is written as HTML is a plain form, which works without
//! JavaScript; with it one listener sends them all.

use crate::{
    error::AppError,
    rooms::research::api::{Deed, Tell, tell},
    runs::watch::Watch,
    ui::{Message, Submission, escaped},
};
use leptos::{ev::SubmitEvent, prelude::*, server_fn::ServerFn};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlTextAreaElement};

/// Those that forms do which are written as HTML.
const FORMS: [Deed; 4] = [Deed::Correct, Deed::Retry, Deed::Refresh, Deed::Stop];

/// A handle; what is under way, and what was refused, is known apart for each place on the page.
#[derive(Clone, Copy)]
pub struct Deeds {
    id: StoredValue<String>,
    /// What is said.
    pub talk: Submission<AppError>,
    /// What is chosen, and what is done on cards.
    pub thread: Submission<AppError>,
    /// What is done on the desk.
    pub desk: Submission<AppError>,
}

impl Deeds {
    pub fn new(watch: Watch) -> Self {
        let (talk, thread, desk) = (watch.submission(), watch.submission(), watch.submission());
        Deeds { id: watch.id, talk, thread, desk }
    }

    pub fn say(self, message: Message) {
        self.send(self.talk, Deed::Say, String::new(), message.text, vec![], message.key);
    }

    /// Of the options of that turn's question; none: the question is skipped.
    pub fn choose(self, question: u32, options: Vec<u32>) {
        let what = if options.is_empty() { Deed::Skip } else { Deed::Choose };
        self.send(self.thread, what, question.to_string(), String::new(), options, String::new());
    }

    fn send(self, by: Submission<AppError>, what: Deed, of: String, text: String, options: Vec<u32>, key: String) {
        by.send(tell(self.id.get_value(), what, of, text, options, key));
    }

    /// Sends a form that [`Forms`] wrote.
    pub fn submit(self, by: Submission<AppError>, event: SubmitEvent) {
        event.prevent_default();
        if let Some(form) = event.target().and_then(|target| target.dyn_into().ok()) {
            self.submit_form(by, &form);
        }
    }

    pub fn submit_form(self, by: Submission<AppError>, form: &Element) {
        let named = |name: &str| form.get_attribute(name).unwrap_or_default();
        let deed = named("data-deed");
        let Some(what) = FORMS.into_iter().find(|what| what.slug() == deed) else { return };
        let text = area(form).map(|area| area.value()).unwrap_or_default();
        self.send(by, what, named("data-of"), text, vec![], String::new());
    }
}

/// The text field in a form, or in what holds it.
pub fn area(form: &Element) -> Option<HtmlTextAreaElement> {
    form.query_selector("textarea").ok().flatten()?.dyn_into().ok()
}

/// Writes a run's forms as HTML; without its id it writes none, for those who may only read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forms {
    id: Option<String>,
}

impl Forms {
    /// Of the run with that id, for whoever may command it.
    pub fn new(id: Option<String>) -> Self {
        Forms { id }
    }

    /// `inside` is what is typed and pressed.
    pub fn form(&self, what: Deed, of: &str, inside: &str) -> String {
        let Some(id) = &self.id else { return String::new() };
        let (action, what, id) = (Tell::url(), what.slug(), escaped(id));
        format!(
            "<form method=\"post\" action=\"{action}\" data-deed=\"{what}\" data-of=\"{of}\"><input type=\"hidden\" name=\"id\" value=\"{id}\">\
             <input type=\"hidden\" name=\"what\" value=\"{what}\"><input type=\"hidden\" name=\"of\" value=\"{of}\">{inside}</form>"
        )
    }
}
