//! Accepts connections, with a limit on how long a request's head may take, and ends them within a limited time.

use std::net::{IpAddr, SocketAddr};
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
use ipnet::IpNet;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use crate::crowd::{Crowd, Stay};

/// How long the head of a request may take to arrive, and how long a connection may lie idle.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// What is under way when the server is told to end may take this long.
const END_TIME: Duration = Duration::from_secs(5);

/// Limits how many connections each address may have at once, except for addresses behind which many people are.
pub struct Door {
    crowd: Crowd,
    free: Vec<IpNet>,
}

impl Door {
    /// `most` connections at once, but for these networks. 0 is any number.
    pub fn new(most: usize, free: Vec<IpNet>) -> Self {
        Self { crowd: Crowd::new(most), free }
    }

    /// Whether the address may have one more, with its place if it needs one.
    fn enter(&self, ip: IpAddr) -> Option<Option<Stay>> {
        let ip = ip.to_canonical();
        let is_free = ip.is_loopback() || self.free.iter().any(|network| network.contains(&ip));
        if is_free { Some(None) } else { self.crowd.enter(ip).map(Some) }
    }
}

/// Serves until `ended` is done, then lets what is under way finish, but for what `at_once` cuts short.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    door: Door,
    ended: impl Future<Output = ()>,
    at_once: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let mut ended = std::pin::pin!(ended);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => match door.enter(peer.ip()) {
                    Some(stay) => take(stream, peer, stay, &router, &graceful),
                    None => tracing::debug!(%peer, "this address has too many connections"),
                },
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

fn take(
    stream: TcpStream,
    peer: SocketAddr,
    stay: Option<Stay>,
    router: &Router,
    graceful: &GracefulShutdown,
) {
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
        drop(stay);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_connects_only_so_often_but_for_those_that_many_come_through() {
        let door = Door::new(2, vec!["10.0.0.0/8".parse().expect("a network")]);
        let ip = |text: &str| text.parse::<IpAddr>().expect("an address");
        let first = door.enter(ip("203.0.113.1"));
        let second = door.enter(ip("::ffff:203.0.113.1"));
        assert!(first.is_some() && second.is_some());
        assert!(door.enter(ip("203.0.113.1")).is_none());
        assert!(door.enter(ip("203.0.113.2")).is_some());
        drop(first);
        assert!(door.enter(ip("203.0.113.1")).is_some(), "one that ended makes room");
        for free in ["10.1.2.3", "::ffff:10.1.2.3", "127.0.0.1", "::1"] {
            let many: Vec<_> = (0..10).map(|_| door.enter(ip(free))).collect();
            assert!(many.iter().all(Option::is_some), "{free}");
        }
    }
}
