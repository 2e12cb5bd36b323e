//! The HTML around the app, made once for each page that is served.

use crate::app::App;
use axum::http::{header, request::Parts};
use leptos::{config::LeptosOptions, prelude::*};
use leptos_meta::MetaTags;

pub fn shell(options: LeptosOptions) -> impl IntoView {
    let pkg = format!("/{}/{}", options.site_pkg_dir, options.output_name);
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=theme()>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content" />
                <meta name="description" content="Hold the AI conversations you would otherwise have to wait for, on a screen that looks like a phone." />
                <meta name="color-scheme" content="light dark" />
                <link rel="icon" href="/icon.svg" type="image/svg+xml" />
                <link rel="preload" href="/fonts/inter-latin-wght-normal.woff2" r#as="font" r#type="font/woff2" crossorigin="anonymous" />
                <link rel="stylesheet" href=format!("{pkg}.css") />
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

/// What the theme switch has kept; the system decides otherwise.
fn theme() -> &'static str {
    let Some(parts) = use_context::<Parts>() else { return "system" };
    let lines = parts.headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let kept = lines.flat_map(|line| line.split(';')).find_map(|cookie| cookie.trim().strip_prefix("theme="));
    match kept {
        Some("light") => "light",
        Some("dark") => "dark",
        _ => "system",
    }
}
