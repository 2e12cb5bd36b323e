//! A provider of the tests' own on loopback: it hears real requests and answers raw bytes.

use serde_json::Value;
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// The head of a stream that ends with its connection.
pub const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

pub struct Loopback {
    listener: TcpListener,
    /// Without a path.
    pub url: String,
}

/// What was asked: the request's head in small letters, and its body, if it is JSON.
#[derive(Debug)]
pub struct Asked {
    pub head: String,
    pub body: Value,
}

impl Loopback {
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        Loopback { listener, url }
    }

    /// The next request, and the connection to answer it on.
    pub async fn call(&self) -> (Asked, TcpStream) {
        let (mut connection, _) = self.listener.accept().await.expect("a call");
        connection.set_nodelay(true).expect("set");
        let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
        loop {
            let text = String::from_utf8_lossy(&read);
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                let head = head.to_lowercase();
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
                if body.len() >= length {
                    let body = serde_json::from_str(body).unwrap_or_default();
                    return (Asked { head, body }, connection);
                }
            }
            let count = connection.read(&mut buffer).await.expect("a request");
            assert!(count > 0, "the request ends early: {text}");
            read.extend_from_slice(&buffer[..count]);
        }
    }

    /// Answers the next request with these bytes, and hangs up.
    pub async fn answer(&self, pieces: &[&[u8]]) -> Asked {
        let (asked, mut connection) = self.call().await;
        for piece in pieces {
            // Whoever asked may have heard enough.
            if connection.write_all(piece).await.is_err() {
                break;
            }
            tokio::task::yield_now().await;
        }
        let _ = connection.shutdown().await;
        asked
    }
}

/// A refusal with that status line, headers and body.
pub fn refusal(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}").into_bytes()
}

/// Does whoever opened this connection hang up within 200 ms?
pub async fn hangs_up(connection: &mut TcpStream) -> bool {
    let closed = tokio::time::timeout(Duration::from_millis(200), connection.read(&mut [0; 16])).await;
    matches!(closed, Ok(Ok(0) | Err(_)))
}
