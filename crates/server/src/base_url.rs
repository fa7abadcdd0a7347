//! Addresses that people give for a provider or a search engine: what such an address may be, and what the key that is
//! sent there is bound to.
//!
//! What a workspace's people name must not lead into the server's network: it is checked when it is given, so that they
//! are told, and again for every connection. An admin of the server may name any address, also one on this machine.

use std::net::IpAddr;

use anyhow::Context;
use baton_core::Invalid;
use baton_core::ids::WorkspaceId;
use baton_core::providers::{MAX_BASE_URL, ModelProvider, WireFormat};
use baton_core::search_engines::{SearchEngine, SearchEngineKind};
use baton_core::secrets::{SecretPlace, SecretUse};
use baton_core::text;
use baton_models::AddressGuard;
use baton_tools::outbound::{Outbound, OutboundError};
use url::Url;
use uuid::Uuid;

const FIELD: &str = "base_url";

/// Lets model clients reach what the guarded way out may reach.
pub struct Guard(pub Outbound);

impl AddressGuard for Guard {
    fn allows(&self, address: IpAddr) -> bool {
        self.0.is_open(address)
    }
}

/// An address as it is stored.
pub fn checked(given: &str) -> Result<String, Invalid> {
    let given = text::line(FIELD, given, MAX_BASE_URL)?;
    let wrong = |message: &str| Err(Invalid::new(FIELD, message));
    let Ok(url) = Url::parse(&given) else {
        return wrong("must be an address such as https://models.example.org/v1");
    };
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return wrong("must begin with http:// or https:// and name a host");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return wrong("must not hold a user name or a password: everyone who may see it could read them");
    }
    if url.fragment().is_some() {
        return wrong("must not hold a #");
    }
    Ok(url.to_string())
}

/// Whether a workspace may have this address called.
pub async fn check_reach(outbound: &Outbound, address: &str) -> Result<(), Invalid> {
    let url = Url::parse(address).map_err(|_| Invalid::new(FIELD, "is not an address"))?;
    match outbound.checked_address(&url).await {
        Ok(_) => Ok(()),
        Err(OutboundError::Forbidden) => Err(Invalid::new(
            FIELD,
            "points to an address that is not public. An admin of this server can set such a provider for everyone, or open \
             the network with outbound_allow",
        )),
        Err(OutboundError::Failed(why)) => Err(Invalid::new(FIELD, format!("can't be used: {why}"))),
        Err(other) => Err(Invalid::new(FIELD, other.to_string())),
    }
}

pub fn parse(stored: &str) -> anyhow::Result<Url> {
    Url::parse(stored).with_context(|| format!("{FIELD} is not an address"))
}

/// Scheme, host and port: whoever answers there gets the key.
fn origin(address: &str) -> anyhow::Result<String> {
    Ok(parse(address)?.origin().ascii_serialization())
}

/// Where the key of a provider belongs.
pub fn provider_place(row: &ModelProvider) -> anyhow::Result<SecretPlace> {
    let definition = &row.definition;
    key_place(row.workspace_id, row.id.0, definition.wire, definition.base_url.as_deref())
}

pub fn key_place(
    workspace_id: Option<WorkspaceId>,
    owner_id: Uuid,
    wire: WireFormat,
    base_url: Option<&str>,
) -> anyhow::Result<SecretPlace> {
    let sent_to = origin(base_url.unwrap_or(wire.own_base_url()))?;
    Ok(SecretPlace { workspace_id, used_for: SecretUse::ModelProvider, owner_id, sent_to })
}

/// Where the key of an engine belongs.
pub fn engine_place(engine: &SearchEngine) -> anyhow::Result<SecretPlace> {
    engine_key_place(engine.workspace_id, engine.id, engine.kind, engine.base_url.as_deref())
}

pub fn engine_key_place(
    workspace_id: Option<WorkspaceId>,
    owner_id: Uuid,
    kind: SearchEngineKind,
    base_url: Option<&str>,
) -> anyhow::Result<SecretPlace> {
    let sent_to = origin(engine_url(kind, base_url)?.as_str())?;
    Ok(SecretPlace { workspace_id, used_for: SecretUse::SearchEngine, owner_id, sent_to })
}

pub fn engine_url(kind: SearchEngineKind, base_url: Option<&str>) -> anyhow::Result<Url> {
    parse(base_url.or(kind.own_base_url()).context("this engine has no address")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_can_be_given() {
        for good in
            ["https://models.example.org/v1", "http://127.0.0.1:11434/v1/", "http://h/v1?api-version=2"]
        {
            assert!(checked(good).is_ok(), "{good}");
        }
        for wrong in [
            "",
            "models.example.org",
            "ftp://x/",
            "https://me:pw@x/",
            "https://me@x/",
            "https://x/#a",
            "file:///x",
        ] {
            assert_eq!(checked(wrong).expect_err(wrong).field, FIELD, "{wrong}");
        }
    }

    #[test]
    fn a_key_belongs_to_who_answers_at_the_address() {
        let place = |wire, base_url: Option<&str>| {
            key_place(None, Uuid::nil(), wire, base_url).expect("a place").sent_to
        };
        assert_eq!(place(WireFormat::Openai, None), "https://api.openai.com");
        assert_eq!(
            place(WireFormat::Openai, Some("https://API.openai.com:443/other")),
            "https://api.openai.com"
        );
        assert_ne!(
            place(WireFormat::Openai, Some("https://api.openai.com:8443/v1")),
            "https://api.openai.com"
        );
        assert_ne!(place(WireFormat::Openai, Some("http://api.openai.com/v1")), "https://api.openai.com");
        assert_eq!(place(WireFormat::Anthropic, None), "https://api.anthropic.com");
    }
}
