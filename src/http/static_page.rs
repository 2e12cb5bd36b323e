//! Pages without a script: forms and what comes of them, in the frame of all others.

use super::{
    AppState,
    pages::ROBOTS,
    shell::{head, theme},
};
use crate::{
    error::AppError,
    ui::{Stage, escaped},
};
use axum::{
    http::{HeaderMap, StatusCode},
    response::{Html, IntoResponse, Response},
};
use leptos::prelude::*;

/// A whole page, rendered here and now: nothing in it may wait. A real phone shows its desk.
pub fn static_page(
    app: &AppState,
    headers: &HeaderMap,
    status: StatusCode,
    title: &'static str,
    sides: impl FnOnce() -> (AnyView, AnyView),
) -> Response {
    let theme = theme(headers);
    // What the views' signals belong to; gone with the page.
    let owner = Owner::new_root(None);
    let html = owner.with(|| {
        let (desk, phone) = sides();
        let page = view! {
            <!DOCTYPE html>
            <html lang="en" data-theme=theme data-document="">
                <head>
                    {head(&app.settings.leptos, theme)}
                    <title>{format!("{title} · Colloquy")}</title>
                </head>
                <body>
                    <Stage front="desk".to_owned() desk=desk phone=phone />
                </body>
            </html>
        };
        // The marks are for a hydration that does not come, and a title would show them.
        page.to_html().replace("<!>", "")
    });
    (status, Html(html)).into_response()
}

/// A whole page that is one document, to be read and printed; `body` is HTML. No search engine may list it.
pub fn printed_page(app: &AppState, headers: &HeaderMap, title: &str, body: &str) -> Response {
    let theme = theme(headers);
    let html = Owner::new_root(None).with(|| {
        let page = view! {
            <!DOCTYPE html>
            <html lang="en" data-theme=theme data-document="">
                <head>
                    {head(&app.settings.leptos, theme)}
                    <link rel="stylesheet" href="/print.css" />
                    <script src="/print.js" defer=true></script>
                    <title inner_html=escaped(&format!("{title} · Colloquy"))></title>
                </head>
                <body inner_html=body.to_owned()></body>
            </html>
        };
        page.to_html().replace("<!>", "")
    });
    ([(ROBOTS, "noindex")], Html(html)).into_response()
}

/// A code or token to type, and what was wrong with the last one.
pub fn secret_field(name: &'static str, label: &'static str, error: Option<&AppError>) -> AnyView {
    let hint = format!("{name}-hint");
    view! {
        <div class="field" class:wrong=error.is_some()>
            <div class="field-head"><label for=name>{label}</label></div>
            <input
                id=name name=name type="password" class="input" required=true autocomplete="current-password"
                aria-describedby=hint.clone()
                aria-invalid=error.is_some().to_string()
            />
            <p class="field-error" id=hint role="alert">{error.map(AppError::sentence)}</p>
        </div>
    }
    .into_any()
}

/// The status a page with this error is served under.
pub fn status(error: Option<&AppError>) -> StatusCode {
    error.and_then(|error| StatusCode::from_u16(error.code.status()).ok()).unwrap_or_default()
}
