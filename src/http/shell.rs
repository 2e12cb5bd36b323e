//! The HTML around the app, made once for each page that is served.

use crate::app::App;
use axum::http::{HeaderMap, header, request::Parts};
use leptos::{config::LeptosOptions, prelude::*};
use leptos_meta::MetaTags;

pub fn shell(options: LeptosOptions) -> impl IntoView {
    let kept = use_context::<Parts>().map_or("system", |parts| theme(&parts.headers));
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=kept>
            <head>
                {head(&options)}
                <AutoReload options=options.clone() />
                <HydrationScripts options=options />
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}

/// What every page's head begins with.
pub fn head(options: &LeptosOptions) -> impl IntoView + use<> {
    view! {
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content" />
        <meta name="description" content="Hold the AI conversations you would otherwise have to wait for, on a screen that looks like a phone." />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="preload" href="/fonts/inter-latin-wght-normal.woff2" r#as="font" r#type="font/woff2" crossorigin="anonymous" />
        <link rel="stylesheet" href=format!("/{}/{}.css", options.site_pkg_dir, options.output_name) />
    }
}

/// What the theme switch has kept; the system decides otherwise.
pub fn theme(headers: &HeaderMap) -> &'static str {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let kept = lines.flat_map(|line| line.split(';')).find_map(|cookie| cookie.trim().strip_prefix("theme="));
    match kept {
        Some("light") => "light",
        Some("dark") => "dark",
        _ => "system",
    }
}
