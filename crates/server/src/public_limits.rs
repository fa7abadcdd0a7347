//! How much may be asked at public addresses: per person, and per network address too, because anyone can become a new
//! visitor.

use std::net::IpAddr;
use std::time::Duration;

use uuid::Uuid;

use crate::crowd::{Crowd, Stay};
use crate::http::ApiError;
use crate::rate_limit::RateLimit;

const MESSAGES_A_MINUTE: Limit = Limit { person: 20, address: 60 };
const CONVERSATIONS_AN_HOUR: Limit = Limit { person: 30, address: 120 };
const CHANGES_A_MINUTE: Limit = Limit { person: 30, address: 120 };
const REQUESTS_A_MINUTE: Limit = Limit { person: 300, address: 1_500 };
const VISITORS_AN_HOUR: u32 = 30;
/// At once.
const STREAMS_PER_ADDRESS: usize = 100;

struct Limit {
    person: u32,
    address: u32,
}

pub struct PublicLimits {
    messages: RateLimit,
    conversations: RateLimit,
    changes: RateLimit,
    requests: RateLimit,
    visitors: RateLimit,
    streams: Crowd,
}

impl Default for PublicLimits {
    fn default() -> Self {
        let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(60 * 60));
        Self {
            messages: RateLimit::new(minute),
            conversations: RateLimit::new(hour),
            changes: RateLimit::new(minute),
            requests: RateLimit::new(minute),
            visitors: RateLimit::new(hour),
            streams: Crowd::new(STREAMS_PER_ADDRESS),
        }
    }
}

impl PublicLimits {
    /// Everything that may cause work of an agent: a message, another try, a switch.
    pub fn message(&self, person: Uuid, from: Option<IpAddr>) -> Result<(), ApiError> {
        take(&self.messages, &MESSAGES_A_MINUTE, person, from)
    }

    pub fn conversation(&self, person: Uuid, from: Option<IpAddr>) -> Result<(), ApiError> {
        take(&self.conversations, &CONVERSATIONS_AN_HOUR, person, from)
    }

    /// A new name for a conversation, or its deletion.
    pub fn change(&self, person: Uuid, from: Option<IpAddr>) -> Result<(), ApiError> {
        take(&self.changes, &CHANGES_A_MINUTE, person, from)
    }

    /// Everything, reading too.
    pub fn request(&self, person: Uuid, from: Option<IpAddr>) -> Result<(), ApiError> {
        take(&self.requests, &REQUESTS_A_MINUTE, person, from)
    }

    /// A place for a stream: who can be a new visitor again and again has no more of them.
    pub fn stream(&self, from: Option<IpAddr>) -> Result<Option<Stay>, ApiError> {
        let Some(from) = from else { return Ok(None) };
        self.streams.enter(from).map(Some).ok_or_else(ApiError::too_many_streams)
    }

    pub fn visitor(&self, from: Option<IpAddr>) -> Result<(), ApiError> {
        self.visitors.take(&address(from), VISITORS_AN_HOUR).map_err(ApiError::too_many)
    }
}

fn take(rate: &RateLimit, limit: &Limit, person: Uuid, from: Option<IpAddr>) -> Result<(), ApiError> {
    let taken = rate.take(&person.to_string(), limit.person);
    taken.and_then(|()| rate.take(&address(from), limit.address)).map_err(ApiError::too_many)
}

fn address(from: Option<IpAddr>) -> String {
    from.map_or_else(|| "somewhere".to_owned(), origin_of)
}

/// Where someone comes from, as far as they can't choose it: the half of an IPv6 address that a network is given.
pub fn origin_of(ip: IpAddr) -> String {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => {
            let [a, b, c, d, ..] = ip.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_visitors_at_one_address_share_its_limit() {
        let limits = PublicLimits::default();
        let here: Option<IpAddr> = Some([192, 0, 2, 1].into());
        let ana = Uuid::now_v7();
        let said = (0..30).filter(|_| limits.message(ana, here).is_ok()).count();
        assert_eq!(said, 20);
        let others = (0..100).filter(|_| limits.message(Uuid::now_v7(), here).is_ok()).count();
        assert_eq!(others, 40, "what is left of the address's own");
        assert!(limits.message(Uuid::now_v7(), Some([192, 0, 2, 2].into())).is_ok());
        assert!(limits.conversation(ana, here).is_ok(), "counted apart");
    }

    #[test]
    fn an_address_has_so_many_streams_whoever_reads_them() {
        let limits = PublicLimits::default();
        let here: Option<IpAddr> = Some([192, 0, 2, 1].into());
        let open: Vec<_> = (0..STREAMS_PER_ADDRESS + 5).filter_map(|_| limits.stream(here).ok()).collect();
        assert_eq!(open.len(), STREAMS_PER_ADDRESS);
        assert!(limits.stream(Some([192, 0, 2, 2].into())).is_ok());
        drop(open);
        assert!(limits.stream(here).is_ok());
    }

    #[test]
    fn a_network_is_one_address() {
        let limits = PublicLimits::default();
        let from = |host: u16| Some(IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, host]));
        let came = (0..50).filter(|host| limits.visitor(from(*host)).is_ok()).count();
        assert_eq!(came, 30);
    }

    #[test]
    fn who_comes_over_ipv4_is_not_everybody_who_does() {
        let limits = PublicLimits::default();
        let mapped = |host: u8| Some(IpAddr::from([0, 0, 0, 0, 0, 0xffff, 0xcb00, 0x7100 | u16::from(host)]));
        let came = (0..50).filter(|_| limits.visitor(mapped(1)).is_ok()).count();
        assert_eq!(came, 30);
        assert!(limits.visitor(Some([203, 0, 113, 1].into())).is_err(), "the same address");
        assert!(limits.visitor(mapped(2)).is_ok(), "another one");
    }
}
