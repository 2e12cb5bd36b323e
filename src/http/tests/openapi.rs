//! The document against the router, in both directions.

use super::*;
use std::collections::BTreeSet;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];
/// Answers 404 to whatever no other route knows.
const NOWHERE: &str = "/api/{*rest}";

/// Every path the router matches; axum tells them to nobody but its debug output.
fn paths(router: &Router) -> BTreeSet<String> {
    let debug = format!("{router:?}");
    let paths: BTreeSet<String> = debug.split('"').skip(1).step_by(2).filter(|text| text.starts_with('/')).map(str::to_owned).collect();
    assert!(paths.contains("/health") && paths.contains("/api/fn/recent_runs"), "axum's debug output has changed: {debug}");
    paths.into_iter().filter(|path| !path.contains("__private__axum") && path != NOWHERE).collect()
}

/// The path with something at each place that has a name.
fn filled(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect::<Vec<_>>().join("/")
}

async fn document(server: &Server) -> Value {
    let response = server.get("/openapi.json", &[]).await;
    assert_eq!((response.status(), value(&response, "content-type").as_str()), (StatusCode::OK, "application/json"));
    serde_json::from_str(&text(response).await).expect("JSON")
}

#[tokio::test]
async fn every_route_is_described_and_every_description_is_a_route() {
    let server = server(&[]).await;
    let api = document(&server).await;
    assert_eq!(api["openapi"], "3.1.0");
    let described: BTreeSet<String> = api["paths"].as_object().expect("paths").keys().cloned().collect();
    assert_eq!(described, paths(&server.router));
    for path in &described {
        for method in METHODS {
            let upper = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
            let answers = server.send(upper, &filled(path), &[], "").await.status() != StatusCode::METHOD_NOT_ALLOWED;
            let documented = api["paths"][path].get(method).is_some();
            assert_eq!(answers, documented, "{method} {path}: answers {answers}, documented {documented}");
        }
    }
}

#[tokio::test]
async fn descriptions_are_complete() {
    let api = document(&server(&[]).await).await;
    let schemes: BTreeSet<&String> = api["components"]["securitySchemes"].as_object().expect("schemes").keys().collect();
    let mut ids = BTreeSet::new();
    for (path, item) in api["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let at = format!("{method} {path}");
            assert!(operation["operationId"].as_str().is_none_or(|id| ids.insert(id)), "{at}: its operationId is taken");
            let tag = operation["tags"][0].as_str().unwrap_or_default();
            assert!(api["tags"].as_array().expect("tags").iter().any(|known| known["name"] == tag), "{at}: tag {tag:?}");
            assert!(operation["responses"].as_object().is_some_and(|responses| !responses.is_empty()), "{at}: no response");
            for name in path.split(['{', '}']).skip(1).step_by(2) {
                let named = |parameter: &Value| parameter["name"] == name && parameter["in"] == "path" && parameter["required"] == true;
                assert!(operation["parameters"].as_array().is_some_and(|all| all.iter().any(named)), "{at}: {name} is missing");
            }
            for requirement in operation["security"].as_array().into_iter().flatten() {
                assert!(requirement.as_object().expect("names").keys().all(|name| schemes.contains(name)), "{at}: {requirement}");
            }
            if matches!(tag, "rooms" | "runs") {
                assert!(operation["summary"].as_str().is_some_and(|words| !words.is_empty()), "{at}: no summary");
                let problem = &operation["responses"]["default"]["content"]["application/problem+json"]["schema"]["$ref"];
                assert_eq!(problem, "#/components/schemas/Problem", "{at}");
            }
        }
    }
}
