//! What makes the site an app on a phone: its manifest, its icons, and the page for when there is no connection.

use super::*;
use std::fs;

/// Width and height of a PNG, from its header.
fn size(icon: &str) -> String {
    let bytes = fs::read(format!("public{icon}")).expect("the icon is there");
    assert_eq!(&bytes[1..4], b"PNG", "{icon}");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    format!("{}x{}", number(16), number(20))
}

#[test]
fn the_manifest_names_icons_that_are_there_in_the_sizes_it_says() {
    let manifest: Value = serde_json::from_str(&fs::read_to_string("public/manifest.webmanifest").expect("it is there")).expect("JSON");
    assert_eq!((&manifest["start_url"], &manifest["scope"], &manifest["display"]), (&json!("/"), &json!("/"), &json!("standalone")));
    let icons = manifest["icons"].as_array().expect("icons");
    for icon in icons.iter().filter(|icon| icon["type"] == "image/png") {
        assert_eq!(icon["sizes"], size(icon["src"].as_str().expect("an address")));
    }
    for (sizes, purpose) in [("192x192", Value::Null), ("512x512", Value::Null), ("512x512", json!("maskable"))] {
        assert!(icons.iter().any(|icon| icon["sizes"] == sizes && icon["purpose"] == purpose), "{sizes} {purpose}");
    }
    assert_eq!(size("/apple-touch-icon.png"), "180x180");
}

#[test]
fn the_offline_page_is_drawn_with_nothing_but_what_is_kept_for_it() {
    let worker = fs::read_to_string("public/sw.js").expect("it is there");
    let list = worker.split("FILES = [").nth(1).and_then(|rest| rest.split(']').next()).expect("a list");
    let kept: Vec<&str> = list.split(',').map(|file| file.trim().trim_matches('"')).collect();
    for file in kept.iter().filter(|file| !file.starts_with("/pkg/")) {
        assert!(fs::exists(format!("public{file}")).expect("it can be looked for"), "{file}");
    }
    let page = fs::read_to_string("public/offline.html").expect("it is there");
    for mark in ["src=\"", "href=\""] {
        for named in page.split(mark).skip(1).filter_map(|rest| rest.split('"').next()).filter(|named| !named.is_empty()) {
            assert!(kept.contains(&named), "{named}");
        }
    }
    assert!(!page.contains("<style") && !page.contains("style=") && !page.contains("<script>"));
}

#[tokio::test]
async fn pages_name_the_manifest_and_have_the_offline_page_kept_under_their_build() {
    let server = server(&[]).await;
    let page = server.get("/", &[]).await;
    let policy = value(&page, "content-security-policy");
    let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).expect("a nonce").to_owned();
    let html = text(page).await;
    for part in [
        r#"<link rel="manifest" href="/manifest.webmanifest""#,
        r#"<link rel="apple-touch-icon" href="/apple-touch-icon.png""#,
        r##"content="#111318" media="(prefers-color-scheme: dark)""##,
        &format!(r#"<script nonce="{nonce}">addEventListener("load", () => navigator.serviceWorker?.register("/sw.js?v=build")"#),
    ] {
        assert!(html.contains(part), "{part} is missing");
    }
    let light = text(server.get("/", &[("cookie", "theme=light")]).await).await;
    assert!(light.contains(r##"content="#f7f3ec" media="(prefers-color-scheme: dark)""##));
    assert_eq!(text(server.get("/robots.txt", &[]).await).await, "User-agent: *\nDisallow: /api/\n");
}
