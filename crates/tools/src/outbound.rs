//! Fetches a URL that a person named, without letting that URL reach into the network that the server runs in.
//!
//! What is hard: the check must hold for the very connection that is made. So each hop is resolved here, every address
//! it resolves to must be public (or allowed by the admin), and the client is pinned to a checked address. Redirects
//! are followed by hand, each hop checked again. Proxies from the environment are not used.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use futures::StreamExt;
use ipnet::IpNet;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use url::{Host, Url};

const MAX_HOPS: usize = 5;
const CONNECT: Duration = Duration::from_secs(5);
const TOTAL: Duration = Duration::from_secs(20);

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum OutboundError {
    #[error("is not a usable http(s) address")]
    BadUrl,
    #[error("points to an address that is not public")]
    Forbidden,
    #[error("could not be fetched: {0}")]
    Failed(String),
    #[error("is larger than {0} bytes")]
    TooLarge(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    pub content_type: Option<String>,
    pub bytes: Vec<u8>,
}

/// The guarded way out. `allow` opens networks that are closed by default.
#[derive(Debug, Clone, Default)]
pub struct Outbound {
    allow: Vec<IpNet>,
}

/// Chooses the TLS implementation of every HTTP client in the process; needed before the first one is built.
pub fn install_tls() {
    // Fails only when one is chosen already, which is what we want.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

impl Outbound {
    pub fn new(allow: Vec<IpNet>) -> Self {
        install_tls();
        Self { allow }
    }

    pub async fn get(&self, address: &str, max_bytes: usize) -> Result<Fetched, OutboundError> {
        match tokio::time::timeout(TOTAL, self.follow(address, max_bytes)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(OutboundError::Failed("it took too long".into())),
        }
    }

    async fn follow(&self, address: &str, max_bytes: usize) -> Result<Fetched, OutboundError> {
        let mut url = Url::parse(address).map_err(|_| OutboundError::BadUrl)?;
        for _ in 0..MAX_HOPS {
            let response = self.send(&url).await?;
            if response.status().is_redirection() {
                let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
                let to = to.ok_or_else(|| OutboundError::Failed("a redirect without a target".into()))?;
                url = url.join(to).map_err(|_| OutboundError::BadUrl)?;
                continue;
            }
            if !response.status().is_success() {
                return Err(OutboundError::Failed(format!("it answered {}", response.status().as_u16())));
            }
            return read(response, max_bytes).await;
        }
        Err(OutboundError::Failed("too many redirects".into()))
    }

    async fn send(&self, url: &Url) -> Result<reqwest::Response, OutboundError> {
        self.client(url).await?.get(url.clone()).send().await.map_err(failed)
    }

    /// A client for this URL alone, which follows no redirect.
    pub async fn client(&self, url: &Url) -> Result<reqwest::Client, OutboundError> {
        pinned(url, self.checked_address(url).await?)
    }

    /// Where the URL leads now, if that may be called.
    pub async fn checked_address(&self, url: &Url) -> Result<SocketAddr, OutboundError> {
        if !matches!(url.scheme(), "http" | "https") || !url.username().is_empty() || url.password().is_some()
        {
            return Err(OutboundError::BadUrl);
        }
        let port = url.port_or_known_default().ok_or(OutboundError::BadUrl)?;
        let addresses: Vec<SocketAddr> = match url.host().ok_or(OutboundError::BadUrl)? {
            Host::Ipv4(ip) => vec![SocketAddr::from((ip, port))],
            Host::Ipv6(ip) => vec![SocketAddr::from((ip, port))],
            Host::Domain(name) => tokio::net::lookup_host((name, port))
                .await
                .map_err(|_| OutboundError::Failed("the name could not be resolved".into()))?
                .collect(),
        };
        if !addresses.iter().all(|address| self.is_open(address.ip())) {
            return Err(OutboundError::Forbidden);
        }
        addresses.first().copied().ok_or_else(|| OutboundError::Failed("the name has no address".into()))
    }

    /// Whether an address is public, or was opened by an admin.
    pub fn is_open(&self, ip: IpAddr) -> bool {
        is_public(ip) || self.allow.iter().any(|net| net.contains(&ip))
    }
}

/// A client that reaches this address under the URL's name and no other, whatever the name resolves to by then.
pub(crate) fn pinned(url: &Url, at: SocketAddr) -> Result<reqwest::Client, OutboundError> {
    let mut builder = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT)
        .user_agent(concat!("baton/", env!("CARGO_PKG_VERSION")));
    if let Some(Host::Domain(name)) = url.host() {
        builder = builder.resolve(name, at);
    }
    builder.build().map_err(failed)
}

pub async fn read(response: reqwest::Response, max_bytes: usize) -> Result<Fetched, OutboundError> {
    let content_type =
        response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut bytes = Vec::new();
    let mut body = response.bytes_stream();
    while let Some(chunk) = body.next().await {
        let chunk = chunk.map_err(failed)?;
        if bytes.len() + chunk.len() > max_bytes {
            return Err(OutboundError::TooLarge(max_bytes));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Fetched { content_type, bytes })
}

/// The error as the person sees it: it says that the request failed, not what answered inside the server's network.
fn failed(error: reqwest::Error) -> OutboundError {
    tracing::debug!(%error, "outbound request failed");
    OutboundError::Failed(if error.is_timeout() { "it took too long".into() } else { "no answer".into() })
}

/// Whether an address belongs to the open internet, whatever form it is written in.
pub fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, d] = ip.octets();
    // The address from which Azure's machines get their own configuration.
    if (a, b, c, d) == (168, 63, 129, 16) {
        return false;
    }
    let special = matches!(
        (a, b, c),
        (0 | 10 | 127, _, _)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
            | (224..=255, _, _)
    );
    !special
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let s = ip.segments();
    let embedded = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match s {
        // ::, ::1 and the old v4-compatible form; v4-mapped; v4-translated (NAT64).
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => false,
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] => embedded(high, low),
        [0, 0, 0, 0, 0xffff, 0, high, low] => embedded(high, low),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => embedded(high, low),
        // 6to4 carries an IPv4 address; Teredo hides one.
        [0x2002, high, low, ..] => embedded(high, low),
        [0x2001, 0, ..] => false,
        [0x2001, 0xdb8, ..] => false,
        // Only 2000::/3 is given out; within it, nothing local.
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    fn public(text: &str) -> bool {
        is_public(text.parse().expect("an address"))
    }

    #[test]
    fn private_ranges_are_closed_in_every_form() {
        for inside in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "168.63.129.16",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "198.18.0.1",
            "::",
            "::1",
            "fe80::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:a9fe:a9fe",
            "::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "2002:7f00:1::",
            "2001:db8::1",
            "2001:0:1::1",
            "fec0::1",
            "::ffff:0:7f00:1",
        ] {
            assert!(!public(inside), "{inside} must be closed");
        }
        for outside in
            ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:1.1.1.1", "2002:101:101::"]
        {
            assert!(public(outside), "{outside} must be open");
        }
    }

    #[tokio::test]
    async fn odd_spellings_of_loopback_are_refused() {
        let out = Outbound::new(vec![]);
        for url in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://[::1]/",
            "http://[::ffff:7f00:1]/",
            "http://localhost/",
            "http://127.1/",
        ] {
            assert_eq!(out.get(url, 10).await, Err(OutboundError::Forbidden), "{url}");
        }
        for url in ["ftp://example.org/", "file:///etc/passwd", "http://user:pw@example.org/", "nonsense"] {
            assert_eq!(out.get(url, 10).await, Err(OutboundError::BadUrl), "{url}");
        }
    }

    /// Answers every connection with the same bytes.
    async fn server(answer: &'static str) -> SocketAddr {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let at = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let mut request = [0; 1024];
                let _ = socket.read(&mut request).await;
                let _ = socket.write_all(answer.as_bytes()).await;
            }
        });
        at
    }

    #[tokio::test]
    async fn an_opened_network_can_be_read_up_to_the_limit() {
        let at = server("HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 5\r\n\r\nhello").await;
        let out = Outbound::new(vec!["127.0.0.0/8".parse().expect("a network")]);
        let url = format!("http://{at}/");
        let fetched = out.get(&url, 5).await.expect("a body");
        assert_eq!(
            (fetched.bytes.as_slice(), fetched.content_type.as_deref()),
            (&b"hello"[..], Some("image/png"))
        );
        assert_eq!(out.get(&url, 4).await, Err(OutboundError::TooLarge(4)));
    }

    #[tokio::test]
    async fn the_connection_goes_to_the_address_that_was_checked() {
        let at = server("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi").await;
        Outbound::new(vec![]);
        // Nobody else could say where this name leads.
        let url = Url::parse(&format!("http://checked.invalid:{}/", at.port())).expect("a URL");
        let answer = pinned(&url, at).expect("a client").get(url.clone()).send().await.expect("an answer");
        assert_eq!(answer.text().await.expect("text"), "hi");
    }

    #[tokio::test]
    async fn a_redirect_into_a_closed_network_is_refused() {
        let at =
            server("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.2:1/\r\ncontent-length: 0\r\n\r\n").await;
        let out = Outbound::new(vec!["127.0.0.1/32".parse().expect("a network")]);
        assert_eq!(out.get(&format!("http://{at}/"), 10).await, Err(OutboundError::Forbidden));
    }
}
