//! A run that is shown to others by a link, and not any more.

use super::*;
use std::time::Duration;

/// A run, its owner's cookie, and the path of its link.
async fn shared(server: &Server) -> (String, String, String) {
    let cookie = owner(server).await;
    let run = value(&server.simulate(marta(), &[("cookie", &cookie)]).await, "location");
    let link = link(server, &run, &cookie).await;
    (run, cookie, link)
}

async fn link(server: &Server, run: &str, cookie: &str) -> String {
    let answer = super::json(server.send(Method::PUT, &format!("{run}/share"), &[("cookie", cookie)], "").await).await;
    let url = answer["url"].as_str().expect("an address").to_owned();
    url.strip_prefix("http://127.0.0.1:3000").expect("ours").to_owned()
}

/// Opens a link with these cookies; where it leads, and the cookie of all links opened so far.
async fn open(server: &Server, link: &str, cookies: &str) -> (String, String) {
    let response = server.get(link, &[("cookie", cookies)]).await;
    assert_eq!((response.status(), value(&response, "x-robots-tag").as_str()), (StatusCode::SEE_OTHER, "noindex"));
    let cookie = value(&response, "set-cookie");
    assert!(cookie.starts_with("colloquy_shares=") && cookie.contains("HttpOnly"));
    (value(&response, "location"), cookie.split(';').next().expect("a cookie").to_owned())
}

#[tokio::test]
async fn a_link_shows_one_run_and_lets_nobody_touch_it() {
    let server = server(&[]).await;
    let (run, cookie, path) = shared(&server).await;
    assert_eq!(link(&server, &run, &cookie).await, path, "it stays the same");
    assert!(path.len() >= "/s/".len() + 22, "128 bits at least");
    let id = run.rsplit('/').next().expect("an id");
    let (leads, guest) = open(&server, &path, "").await;
    assert_eq!(leads, format!("/demo/{id}"));

    let page = server.get(&leads, &[("cookie", &guest)]).await;
    assert_eq!((page.status(), value(&page, "x-robots-tag").as_str()), (StatusCode::OK, "noindex"));
    let html = text(page).await;
    assert!(html.contains("Which card reader?") && !html.contains(">Reset<") && !html.contains(">Continue<"));
    let about = text(server.get(&format!("/runs/{id}/about"), &[("cookie", &guest)]).await).await;
    assert!(about.contains("Export Markdown") && about.contains("Model calls"));
    for control in ["Rename", "Unpin", ">Pin<", "Revoke", ">Delete<", "Run again"] {
        assert!(!about.contains(control), "{control} is there");
    }
    for path in [run.clone(), format!("{run}/export.md"), format!("{run}/export.json")] {
        assert_eq!(server.get(&path, &[("cookie", &guest)]).await.status(), StatusCode::OK, "{path}");
    }
    for (method, path) in [
        (Method::POST, format!("{run}/stop")),
        (Method::POST, format!("{run}/continue")),
        (Method::DELETE, run.clone()),
        (Method::PUT, format!("{run}/share")),
        (Method::DELETE, format!("{run}/share")),
    ] {
        problem(server.send(method, &path, &[("cookie", &guest)], "").await, 404, "not_found").await;
    }
    // It opens this run only, and only with our signature.
    let (other, _, _) = shared(&server).await;
    problem(server.get(&other, &[("cookie", &guest)]).await, 404, "not_found").await;
    let forged = format!("colloquy_shares={}.AAAA", path.trim_start_matches("/s/"));
    problem(server.get(&run, &[("cookie", &forged)]).await, 404, "not_found").await;
    let own = text(server.get(&leads, &[("cookie", &cookie)]).await).await;
    assert!(own.contains(">Reset<"));
}

#[tokio::test]
async fn a_revoked_link_opens_nothing_from_that_moment() {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "200")]).await;
    let (run, cookie, path) = shared(&server).await;
    let (leads, guest) = open(&server, &path, "").await;
    let events = format!("{run}/events");
    let (watching, mine) = (server.get(&events, &[("cookie", &guest)]).await, server.get(&events, &[("cookie", &cookie)]).await);
    assert_eq!(server.send(Method::DELETE, &format!("{run}/share"), &[("cookie", &cookie)], "").await.status(), StatusCode::NO_CONTENT);
    tokio::time::timeout(Duration::from_secs(5), text(watching)).await.expect("the guest's stream ends");
    for path in [&run, &events] {
        problem(server.get(path, &[("cookie", &guest)]).await, 404, "not_found").await;
    }
    assert_eq!(server.get(&leads, &[("cookie", &guest)]).await.status(), StatusCode::NOT_FOUND);
    let dead = server.get(&path, &[]).await;
    assert_eq!(dead.status(), StatusCode::NOT_FOUND);
    assert!(text(dead).await.contains("This link opens nothing any more."));
    // The owner reads on.
    let mut mine = mine.into_body().into_data_stream();
    let more = async {
        while let Some(Ok(bytes)) = futures::StreamExt::next(&mut mine).await {
            if String::from_utf8_lossy(&bytes).contains("delta") {
                return;
            }
        }
        panic!("the owner's stream ended");
    };
    tokio::time::timeout(Duration::from_secs(10), more).await.expect("it goes on");
    assert_ne!(link(&server, &run, &cookie).await, path, "a new link is another one");
}

#[tokio::test]
async fn a_deleted_run_takes_its_link_along_and_brings_it_back() {
    let server = server(&[]).await;
    let (run, cookie, path) = shared(&server).await;
    let (_, guest) = open(&server, &path, "").await;
    server.send(Method::DELETE, &run, &[("cookie", &cookie)], "").await;
    assert_eq!(server.get(&path, &[]).await.status(), StatusCode::NOT_FOUND);
    problem(server.get(&run, &[("cookie", &guest)]).await, 404, "not_found").await;
    server.send(Method::POST, &format!("{run}/undelete"), &[("cookie", &cookie)], "").await;
    assert_eq!(server.get(&run, &[("cookie", &guest)]).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_browser_keeps_the_newest_twenty_links() {
    let server = server(&[]).await;
    let (mut cookies, mut runs) = (String::new(), Vec::new());
    for _ in 0..21 {
        let (run, _, path) = shared(&server).await;
        (_, cookies) = open(&server, &path, &cookies).await;
        runs.push(run);
    }
    let status = async |run: &str| server.get(run, &[("cookie", &cookies)]).await.status();
    assert_eq!(
        (status(&runs[0]).await, status(&runs[1]).await, status(&runs[20]).await),
        (StatusCode::NOT_FOUND, StatusCode::OK, StatusCode::OK)
    );
}
