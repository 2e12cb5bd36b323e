//! The HTML around the app, made once for each page that is served.

use super::AppState;
use crate::app::App;
use axum::http::{HeaderMap, header, request::Parts};
use leptos::{config::LeptosOptions, html, nonce::use_nonce, prelude::*};
use leptos_meta::MetaTags;

/// The canvas of each theme, which the browser's own bars take on; the style sheet's `--bg-canvas`.
const LIGHT: &str = "#f7f3ec";
const DARK: &str = "#111318";

pub fn shell(options: LeptosOptions) -> impl IntoView {
    let kept = use_context::<Parts>().map_or("system", |parts| theme(&parts.headers));
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=kept>
            <head>
                {head(&options, kept)}
                <AutoReload options=options.clone() />
                <HydrationScripts options=options />
                <script nonce=use_nonce() inner_html=PATIENCE></script>
                <script nonce=use_nonce() inner_html=offline_page()></script>
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}

/// What every page's head begins with.
pub fn head(options: &LeptosOptions, theme: &str) -> impl IntoView + use<> {
    view! {
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content" />
        <meta name="description" content="Hold the AI conversations you would otherwise have to wait for, on a screen that looks like a phone." />
        <meta name="color-scheme" content="light dark" />
        {theme_color("light", if theme == "dark" { DARK } else { LIGHT })}
        {theme_color("dark", if theme == "light" { LIGHT } else { DARK })}
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="preload" href="/fonts/inter-latin-wght-normal.woff2" r#as="font" r#type="font/woff2" crossorigin="anonymous" />
        <link rel="stylesheet" href=format!("/{}/{}.css", options.site_pkg_dir, options.output_name) />
    }
}

/// Without its code a page is dead: a file of it is asked for again while the server is away, also where it came by half.
const PATIENCE: &str = r#"const once = fetch;
window.fetch = async (what, how) => {
  if (!String(what.url ?? what).endsWith(".wasm")) return once(what, how);
  for (const wait of [300, 700, 1000, 2000, 3000, 5000]) {
    try {
      const answer = await once(what, how);
      return new Response(await answer.arrayBuffer(), answer);
    } catch { await new Promise((over) => setTimeout(over, wait)); }
  }
  return once(what, how);
};"#;

/// What the browser's bars are drawn in while the system prefers that scheme; `view!` knows no `media` on a meta.
fn theme_color(scheme: &str, color: &'static str) -> impl IntoView + use<> {
    html::meta().name("theme-color").content(color).attr("media", format!("(prefers-color-scheme: {scheme})"))
}

/// Has the browser keep the offline page, once everything else is there.
fn offline_page() -> String {
    let build = use_context::<AppState>().map(|app| app.engine.build().to_owned()).unwrap_or_default();
    format!(r#"addEventListener("load", () => navigator.serviceWorker?.register("/sw.js?v={build}").catch(() => {{}}))"#)
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
