//! Checks before any route: the Host header (against DNS rebinding), the Origin of unsafe requests (against other
//! sites that use a person's cookie), and the address that a request really comes from.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use url::{Host, Url};

use super::ApiError;
use super::caller::bearer;
use crate::app::SharedApp;
use crate::settings::Settings;

pub async fn check_host(State(app): State<SharedApp>, request: Request, next: Next) -> Response {
    match own_authority(&app.settings, &request) {
        Some(_) => next.run(request).await,
        None => {
            let error =
                "This server does not answer to that host name. Set BATON_PUBLIC_URL or BATON_ALLOWED_HOSTS.";
            ApiError::new(StatusCode::MISDIRECTED_REQUEST, "host_not_allowed", error).into_response()
        }
    }
}

/// A request that changes something and carries no bearer token must come from our own pages. Programs that are not
/// browsers send no Origin; browsers always do on such requests.
pub async fn check_origin(State(app): State<SharedApp>, request: Request, next: Next) -> Response {
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let has_bearer = bearer(request.headers()).is_some();
    if safe || has_bearer || is_same_origin(&app.settings, &request) {
        return next.run(request).await;
    }
    ApiError::forbidden("wrong_origin", "This request came from another site.").into_response()
}

/// Whether a request comes from another site's page, by the `Origin` that browsers send. Programs send none.
pub fn is_foreign(settings: &Settings, request: &Request) -> bool {
    request.headers().contains_key(header::ORIGIN) && !is_same_origin(settings, request)
}

/// What the client calls this server, as far as it is one of its names.
pub fn own_authority(settings: &Settings, request: &Request) -> Option<String> {
    authority(request).filter(|host| is_ours(settings, host))
}

fn is_same_origin(settings: &Settings, request: &Request) -> bool {
    let Some(origin) = request.headers().get(header::ORIGIN) else {
        let site = request.headers().get("sec-fetch-site").and_then(|site| site.to_str().ok());
        return matches!(site, None | Some("same-origin" | "none"));
    };
    let Some(origin) = origin.to_str().ok().and_then(|origin| Url::parse(origin).ok()) else { return false };
    if let Some(public) = &settings.public_url
        && public.origin() == origin.origin()
    {
        return true;
    }
    let Some(host) = authority(request) else { return false };
    let here = Url::parse(&format!("{}://{host}", origin.scheme()));
    here.is_ok_and(|here| here.origin() == origin.origin() && matches!(origin.scheme(), "http" | "https"))
}

/// Host and port as the client named them.
fn authority(request: &Request) -> Option<String> {
    if let Some(authority) = request.uri().authority() {
        return Some(authority.as_str().to_owned());
    }
    request.headers().get(header::HOST)?.to_str().ok().map(str::to_owned)
}

/// Addresses and localhost are ours: a rebound name can be neither.
fn is_ours(settings: &Settings, authority: &str) -> bool {
    let Ok(url) = Url::parse(&format!("http://{authority}")) else { return false };
    if !url.username().is_empty() {
        return false;
    }
    match url.host() {
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
        Some(Host::Domain(name)) => {
            let public = settings.public_url.as_ref().and_then(Url::host_str);
            name == "localhost"
                || public.is_some_and(|public| public.eq_ignore_ascii_case(name))
                || settings.allowed_hosts.iter().any(|host| host.eq_ignore_ascii_case(name))
        }
        None => false,
    }
}

/// The person's address: the connection's, or the last hop that a trusted proxy did not add itself. Who comes over IPv4 to
/// a socket that takes both has an IPv4 address.
pub fn client_ip(
    settings: &Settings,
    connection: Option<&ConnectInfo<SocketAddr>>,
    headers: &HeaderMap,
) -> Option<IpAddr> {
    let mut ip = connection?.0.ip().to_canonical();
    let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
    let mut hops: Vec<&str> = forwarded.flat_map(|value| value.split(',')).map(str::trim).collect();
    while settings.trusted_proxies.iter().any(|proxy| proxy.contains(&ip)) {
        // A hop that can't be read ends the chain: the entries before it can't be trusted.
        match hops.pop().and_then(hop_address) {
            Some(hop) => ip = hop,
            None => break,
        }
    }
    Some(ip)
}

/// A hop as proxies write them, with or without a port.
fn hop_address(hop: &str) -> Option<IpAddr> {
    let address: Option<IpAddr> = hop.parse().ok();
    let address = address.or_else(|| hop.parse::<SocketAddr>().ok().map(|address| address.ip()));
    address.map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Given, Mode};

    fn settings() -> Settings {
        let given = Given {
            public_url: Url::parse("https://baton.example.org").ok(),
            allowed_hosts: Some(vec!["baton.internal".into()]),
            trusted_proxies: Some(vec!["10.0.0.0/8".parse().expect("a network")]),
            ..Given::default()
        };
        Settings::resolve(given, Mode::Plain).expect("settings")
    }

    #[test]
    fn hosts_that_are_ours() {
        for ours in [
            "localhost:8787",
            "127.0.0.1:8787",
            "[::1]:80",
            "192.168.1.5",
            "Baton.Example.org",
            "baton.internal:1",
        ] {
            assert!(is_ours(&settings(), ours), "{ours}");
        }
        for other in
            ["evil.example", "localhost.evil.example", "baton.example.org.evil", "user@localhost", ""]
        {
            assert!(!is_ours(&settings(), other), "{other}");
        }
    }

    fn post(host: &str, origin: Option<&str>) -> Request {
        let mut request = Request::builder().method("POST").uri("/api/x").header("host", host);
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        request.body(axum::body::Body::empty()).expect("a request")
    }

    #[test]
    fn origins_that_are_ours() {
        let ok = |host, origin| is_same_origin(&settings(), &post(host, origin));
        assert!(ok("127.0.0.1:8787", Some("http://127.0.0.1:8787")));
        assert!(ok("localhost:8787", None));
        assert!(ok("10.0.0.9", Some("https://baton.example.org")));
        assert!(!ok("127.0.0.1:8787", Some("http://127.0.0.1:9999")));
        assert!(!ok("127.0.0.1:8787", Some("https://evil.example")));
        assert!(!ok("127.0.0.1:8787", Some("null")));
    }

    #[test]
    fn forwarded_addresses_count_only_from_trusted_proxies() {
        let ip = |from: &str, forwarded: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", forwarded.parse().expect("a header"));
            let from = ConnectInfo(SocketAddr::new(from.parse().expect("an address"), 1));
            client_ip(&settings(), Some(&from), &headers).expect("an address").to_string()
        };
        assert_eq!(ip("203.0.113.5", "1.2.3.4"), "203.0.113.5");
        assert_eq!(ip("10.0.0.1", "6.6.6.6, 1.2.3.4"), "1.2.3.4");
        assert_eq!(ip("10.0.0.1", "1.2.3.4, 10.0.0.2"), "1.2.3.4");
        assert_eq!(ip("10.0.0.1", "1.2.3.4:5678"), "1.2.3.4");
        assert_eq!(ip("10.0.0.1", "6.6.6.6, nonsense"), "10.0.0.1");
        // As a socket on [::] sees them, and as proxies on one write them.
        assert_eq!(ip("::ffff:203.0.113.5", "1.2.3.4"), "203.0.113.5");
        assert_eq!(ip("::ffff:10.0.0.1", "6.6.6.6, ::ffff:1.2.3.4"), "1.2.3.4");
        assert_eq!(ip("::ffff:10.0.0.1", "[::ffff:1.2.3.4]:5678, ::ffff:10.0.0.2"), "1.2.3.4");
    }
}
