//! The serve loop: HTTP/1.1 connections, most of which follow a run and say nothing for minutes. So nothing here
//! waits for more to send, and a connection holds as little as it can.

use axum::{Router, extract::ConnectInfo, http::Request};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{io, net::SocketAddr, pin::pin, time::Duration};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::Service;

/// Bytes of a request's head, and bytes that wait for a slow reader.
const BUFFER: usize = 64 * 1024;
/// A request's head that takes longer is given up.
const HEAD: Duration = Duration::from_secs(30);
/// Where no connection can be taken, the system lacks something: it is asked again after this.
const SHORTAGE: Duration = Duration::from_millis(500);

/// Serves until `stopping`; then what is being answered is answered, and every stream ends.
pub async fn serve(listener: TcpListener, router: Router, stopping: CancellationToken) {
    let connections = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = stopping.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => drop(connections.spawn(connection(stream, peer, router.clone(), stopping.clone()))),
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be taken");
                tokio::time::sleep(SHORTAGE).await;
            }
        }
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

fn is_the_clients(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset)
}

async fn connection(stream: TcpStream, peer: SocketAddr, router: Router, stopping: CancellationToken) {
    // A word that waits for the acknowledgement of the last one comes up to 40 ms late.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        // Boxed, since the connection keeps the room for it even while it answers nothing.
        Box::pin(router.clone().call(request))
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(BUFFER);
    let mut serving = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let served = tokio::select! {
        served = &mut serving => served,
        () = stopping.cancelled() => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended early");
    }
}
