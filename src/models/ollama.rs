//! Ollama needs no key, so nobody names it: it is asked for at its usual address, once, at the start.

use crate::settings::{ModelSettings, Provider};
use serde::Deserialize;
use std::time::Duration;

/// A server on this machine answers at once, or is not there.
const PATIENCE: Duration = Duration::from_millis(500);

#[derive(Deserialize)]
struct Tags {
    models: Vec<Tag>,
}

#[derive(Deserialize)]
struct Tag {
    name: String,
}

/// Makes Ollama one of the configured providers if it runs here, and nobody has said where it is.
pub async fn look_for_ollama(settings: &mut ModelSettings) {
    let Some(ollama) = Provider::named("ollama") else { return };
    if settings.access(ollama).configured || settings.all_rehearsed() || settings.is_replay() {
        return;
    }
    let models = installed(ollama.base_url).await.unwrap_or_default();
    if !models.is_empty() {
        tracing::info!("Ollama runs on this machine, and counts as configured");
        settings.found(ollama, &models);
    }
}

/// The models a running Ollama can chat with; `None` when there is none.
async fn installed(base_url: &str) -> Option<Vec<String>> {
    let url = format!("{}/api/tags", base_url.trim_end_matches("/v1"));
    let client = reqwest::Client::builder().timeout(PATIENCE).build().ok()?;
    let response = client.get(url).send().await.ok()?.error_for_status().ok()?;
    let tags: Tags = response.json().await.ok()?;
    Some(tags.models.into_iter().map(|tag| tag.name).filter(|name| !name.contains("embed")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::loopback::Loopback;

    async fn check(answer: &str, expect: Option<&[&str]>) {
        let loopback = Loopback::open().await;
        let url = format!("{}/v1", loopback.url);
        let pieces = [answer.as_bytes()];
        let (asked, installed) = tokio::join!(loopback.answer(&pieces), installed(&url));
        assert!(asked.head.starts_with("get /api/tags "), "{}", asked.head);
        assert_eq!(installed, expect.map(|names| names.iter().map(|name| (*name).to_owned()).collect()), "{answer}");
    }

    #[tokio::test]
    async fn says_what_is_installed() {
        const OK: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
        let body = r#"{"models":[{"name":"nomic-embed-text:latest"},{"name":"qwen3:4b","size":1}]}"#;
        check(&format!("{OK}{body}"), Some(&["qwen3:4b"])).await;
        check(&format!("{OK}{{\"models\":[]}}"), Some(&[])).await;
        check(&format!("{OK}something else"), None).await;
        check("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n", None).await;
    }

    #[tokio::test]
    async fn nobody_there_and_nobody_answering_cost_little() {
        let before = std::time::Instant::now();
        assert_eq!(installed("http://127.0.0.1:9/v1").await, None);
        let silent = Loopback::open().await;
        assert_eq!(installed(&format!("{}/v1", silent.url)).await, None);
        assert!(before.elapsed() < Duration::from_secs(2));
    }
}
