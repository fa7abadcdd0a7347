//! Calls to addresses that a workspace's people named, without letting those reach into the network that the server runs
//! in: a name is resolved here, and every address it leads to must be allowed. The connection is made to these addresses
//! and to no others. Redirects are followed for no provider.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::options::AddressGuard;

/// Whether a URL may be called, as far as it is no name but an address: those are not resolved.
pub fn may_name(guard: &dyn AddressGuard, url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => guard.allows(IpAddr::V4(ip)),
        Some(Host::Ipv6(ip)) => guard.allows(IpAddr::V6(ip)),
        Some(Host::Domain(_)) => true,
        None => false,
    }
}

pub struct GuardedNames(pub Arc<dyn AddressGuard>);

impl Resolve for GuardedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.0.clone();
        Box::pin(async move {
            // The client puts the port of the URL in its place.
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if found.iter().any(|address| !guard.allows(address.ip())) {
                return Err(io::Error::other("the name leads to an address that is not public").into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
