//! How much may be asked at public addresses: per person, and per address, as anyone can be a new visitor.

use std::net::IpAddr;
use std::time::Duration;

use uuid::Uuid;

use crate::http::ApiError;
use crate::rate_limit::RateLimit;

const MESSAGES_A_MINUTE: Limit = Limit { person: 20, address: 60 };
const CONVERSATIONS_AN_HOUR: Limit = Limit { person: 30, address: 120 };
const VISITORS_AN_HOUR: u32 = 30;

struct Limit {
    person: u32,
    address: u32,
}

pub struct PublicLimits {
    messages: RateLimit,
    conversations: RateLimit,
    visitors: RateLimit,
}

impl Default for PublicLimits {
    fn default() -> Self {
        let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(60 * 60));
        Self {
            messages: RateLimit::new(minute),
            conversations: RateLimit::new(hour),
            visitors: RateLimit::new(hour),
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
    match ip {
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
    fn a_network_is_one_address() {
        let limits = PublicLimits::default();
        let from = |host: u16| Some(IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, host]));
        let came = (0..50).filter(|host| limits.visitor(from(*host)).is_ok()).count();
        assert_eq!(came, 30);
    }
}
