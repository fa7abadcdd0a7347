//! Taking connections: with a limit on how long a request's head may take, and an end that does not wait for ever.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

/// How long the head of a request may take to arrive, and how long a connection may lie idle.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// What is under way when the server is told to end may take this long.
const END_TIME: Duration = Duration::from_secs(5);

/// Serves until `ended` is done, then lets what is under way finish, but for what `at_once` cuts short.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    ended: impl Future<Output = ()>,
    at_once: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let mut ended = std::pin::pin!(ended);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => take(stream, peer, &router, &graceful),
                Err(error) => {
                    // Out of file descriptors, most likely: others must finish before the next can be taken.
                    tracing::warn!(%error, "could not take a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            () = &mut ended => break,
        }
    }
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(END_TIME) => tracing::warn!("some requests were still under way"),
        () = at_once => {}
    }
}

fn take(stream: TcpStream, peer: SocketAddr, router: &Router, graceful: &GracefulShutdown) {
    let _ = stream.set_nodelay(true);
    let router = router.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request.map(Body::new))
    });
    // HTTP/1.1 alone: telling the versions apart waits for a client's first bytes without a limit, and what speaks
    // HTTP/2 to people is the proxy in front.
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended early");
        }
    });
}
