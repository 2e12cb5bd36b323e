//! The page: a table of roles on the desk, cards where that is narrow, and a login before it.

use super::{
    report::{RoleReport, roles},
    test::Tested,
};
use crate::{
    engine::{entry::REHEARSAL, voice},
    error::AppError,
    http::{
        AppState,
        static_page::{secret_field, static_page, status},
    },
    ui::{AppBar, Glyph, Icon, Notice},
};
use axum::{
    http::{HeaderMap, StatusCode},
    response::Response,
};
use leptos::prelude::*;

/// `said`: a token was said, and it was the wrong one.
pub fn login(app: &AppState, headers: &HeaderMap, error: &AppError, said: bool) -> Response {
    static_page(app, headers, status(Some(error)), "Administration", || {
        let desk = view! {
            <h1>"Administration"</h1>
            <p class="lede">"Which model plays which role, and whether it answers. It needs the admin token: COLLOQUY_ADMIN_TOKEN, or, where that is not set, the one that the server printed when it started."</p>
            <form class="bench" method="post" action="/settings/login">
                {secret_field("token", "Admin token", said.then_some(error))}
                <div class="row"><button type="submit" class="btn primary">"Log in"</button></div>
            </form>
        };
        (desk.into_any(), phone("Locked", "For whoever runs this server.", "Keys are never shown here, only whether there is one."))
    })
}

pub fn models(app: &AppState, headers: &HeaderMap, tested: Option<Tested>) -> Response {
    static_page(app, headers, StatusCode::OK, "Models", || {
        let row = |report: RoleReport| {
            let result = tested.as_ref().filter(|tested| tested.role == report.role);
            row(report, result)
        };
        let desk = view! {
            <h1>"Models"</h1>
            <p class="lede">"Who plays which role. A test makes one tiny real call."</p>
            <div class="roles">
                <table aria-label="Roles">
                    <thead><tr><th scope="col">"Role and model"</th><th scope="col">"Key"</th><th scope="col">"Falls back to"</th><th scope="col">"Test"</th></tr></thead>
                    <tbody>{roles(app).into_iter().map(row).collect_view()}</tbody>
                </table>
            </div>
            <p class="meta lede">"If the model of a role is missing when the server starts, the role uses the one under “Falls back to”. While the server runs nothing is swapped: a wrong key fails the run and says so; a provider that cannot be reached is tried again, and then the run waits for a person."</p>
        };
        let words = voices(app);
        (desk.into_any(), phone("Administration", words.0, words.1))
    })
}

fn row(report: RoleReport, tested: Option<&Tested>) -> AnyView {
    let RoleReport { role, model, key, fallback } = report;
    let key = ["Present", "None set", "Needs none"][key as usize];
    let test = model.is_some().then(|| {
        view! {
            <form method="post" action=format!("/settings/models/{role}/test")>
                <button type="submit" class="btn small" aria-label=format!("Test {role}")>"Test"</button>
            </form>
        }
    });
    let result = tested.map(|tested| {
        let (tone, words) = result(tested);
        view! { <tr class="tested"><td colspan="4"><Notice tone=tone>{words}</Notice></td></tr> }
    });
    view! {
        <tr>
            <th scope="row"><b>{role}</b><span class="meta">{model.unwrap_or_else(|| "no model: nothing starts".to_owned())}</span></th>
            <td data-label="Key">{key}</td>
            <td data-label="Falls back to">{fallback.unwrap_or_else(|| "nothing".to_owned())}</td>
            <td>{test}</td>
        </tr>
        {result}
    }
    .into_any()
}

/// The tone and the words of a test's result.
fn result(tested: &Tested) -> (&'static str, String) {
    let seconds = |ms: u64| format!("{}.{:02} s", ms / 1000, ms % 1000 / 10);
    let error = tested.error.iter().chain(&tested.remedy).map(String::as_str).collect::<Vec<_>>().join(" ");
    match (tested.ok, tested.first_ms) {
        (false, _) => ("bad", format!("{}: {error}", tested.role)),
        (true, Some(first)) => {
            ("good", format!("{} answered in {}, the first word after {}.", tested.role, seconds(tested.ms), seconds(first)))
        }
        (true, None) => ("good", format!("{} answered in {}, without a word.", tested.role, seconds(tested.ms))),
    }
}

/// What the phone says of them all.
fn voices(app: &AppState) -> (&'static str, &'static str) {
    let names = roles(app).into_iter().filter_map(|report| report.model).collect::<Vec<_>>();
    match () {
        () if names.iter().all(|name| name == REHEARSAL) => {
            ("Everybody rehearses.", "Scripted answers, no AI model. Set a provider’s key to hold real conversations.")
        }
        () if !names.iter().any(|name| voice::is_real(name)) => ("A cassette plays.", "Recorded answers. No model is called."),
        () => ("Real models speak.", "What is tested here is charged as any other call."),
    }
}

fn phone(word: &'static str, title: &'static str, words: &'static str) -> AnyView {
    view! {
        <AppBar title="Settings" back="/">{word}</AppBar>
        <div class="empty">
            <span class="empty-face" data-room="research"><Icon glyph=Glyph::Dots size=40 /></span>
            <p><b>{title}</b></p>
            <p class="meta">{words}</p>
        </div>
    }
    .into_any()
}
