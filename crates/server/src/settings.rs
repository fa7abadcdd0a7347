//! Settings: a flag, else the environment, else `baton.toml`, else the default. `given.rs` has what can be set, this file
//! what then holds.

mod given;
mod limits;
mod mcp_servers;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use baton_core::models::Price;
use baton_core::people::{SignUp, WorkspaceMakers};
use baton_core::secrets::SecretText;
use baton_engine::Limits;
use baton_store::Durability;
use baton_tools::servers::ConfiguredServer;
use ipnet::IpNet;
use url::Url;

use crate::space::SpaceLimits;
pub use given::Given;
use limits::{spending_rules, turn_limits};

/// Whether a server begins with sample data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Plain,
    Demo,
}

/// What holds.
#[derive(Debug, Clone)]
pub struct Settings {
    pub listen: SocketAddr,
    pub data_dir: PathBuf,
    pub database_url: Option<String>,
    pub database_connections: u32,
    pub durability: Durability,
    pub public_url: Option<Url>,
    pub allowed_hosts: Vec<String>,
    pub trusted_proxies: Vec<IpNet>,
    pub sign_up: SignUp,
    pub workspace_makers: WorkspaceMakers,
    pub outbound_allow: Vec<IpNet>,
    pub secret_key: Option<SecretText>,
    pub models: ModelSettings,
    pub mcp_idle_seconds: u64,
    pub mcp_servers: Vec<ConfiguredServer>,
    pub streams_per_person: usize,
    pub connections_per_address: usize,
    pub space_limits: SpaceLimits,
    pub import_megabytes: u64,
    pub visitor_days: u32,
    pub limits: Limits,
    pub drain_seconds: u64,
    pub log: String,
    pub json_logs: bool,
    pub demo: bool,
}

/// Which models can be called, and what they cost.
#[derive(Debug, Clone, Default)]
pub struct ModelSettings {
    pub anthropic: ProviderSettings,
    pub openai: ProviderSettings,
    pub order: Option<Vec<String>>,
    pub aliases: BTreeMap<String, Vec<String>>,
    pub prices: BTreeMap<String, Price>,
    pub context_windows: BTreeMap<String, u64>,
    pub script: Option<PathBuf>,
}

#[derive(Clone, Default)]
pub struct ProviderSettings {
    pub key: Option<String>,
    pub base_url: Option<Url>,
    /// What every alias means there.
    pub model: Option<String>,
}

impl std::fmt::Debug for ProviderSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let key = self.key.as_ref().map(|_| "(set)");
        f.debug_struct("ProviderSettings").field("key", &key).field("base_url", &self.base_url).finish()
    }
}

impl ProviderSettings {
    /// An empty text is as good as none: that is how environments unset things.
    fn new(
        name: &str,
        key: Option<String>,
        base_url: Option<String>,
        model: Option<String>,
    ) -> anyhow::Result<Self> {
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let base_url = given(base_url)
            .map(|url| Url::parse(&url).with_context(|| format!("{name}_base_url is not an address: {url}")))
            .transpose()?;
        Ok(Self { key: given(key), base_url, model: given(model) })
    }
}

impl Settings {
    /// `file` must be there when it is named; `baton.toml` in the current folder is read when it is there.
    pub fn load(given: Given, file: Option<&Path>, mode: Mode) -> anyhow::Result<Self> {
        let path = file.unwrap_or(Path::new("baton.toml"));
        let from_file = if file.is_some() || path.exists() {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("could not read {}", path.display()))?;
            toml::from_str(&text).with_context(|| format!("{} is not right", path.display()))?
        } else {
            Given::default()
        };
        Self::resolve(given.over(from_file), mode)
    }

    pub fn resolve(given: Given, mode: Mode) -> anyhow::Result<Self> {
        let demo = mode == Mode::Demo;
        let durability = match given.durability.as_deref() {
            None | Some("normal") => Durability::Normal,
            Some("full") => Durability::Full,
            Some(other) => bail!("durability must be normal or full, not {other:?}"),
        };
        let json_logs = match given.log_format.as_deref() {
            None | Some("text") => false,
            Some("json") => true,
            Some(other) => bail!("log_format must be text or json, not {other:?}"),
        };
        if let Some(url) = &given.public_url
            && (!matches!(url.scheme(), "http" | "https") || url.host().is_none() || url.path() != "/")
        {
            bail!("public_url must be like https://baton.example.org, without a path, not {url}");
        }
        let sign_up = given.sign_up.unwrap_or(if demo { SignUp::Open } else { SignUp::Invited });
        let limits = Limits { turns: turn_limits(&given), spending: spending_rules(&given, sign_up)? };
        let database_url = given.database_url.filter(|url| !url.is_empty());
        if let Some(url) = &database_url
            && !url.starts_with("postgres://")
            && !url.starts_with("postgresql://")
        {
            bail!("DATABASE_URL must begin with postgres://; leave it out to use SQLite in the data folder");
        }
        let usual_megabytes = if sign_up == SignUp::Open { 2_000 } else { 0 };
        Ok(Self {
            listen: given.listen.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8787))),
            data_dir: given.data_dir.unwrap_or_else(|| PathBuf::from("data")),
            database_url,
            database_connections: given.database_connections.unwrap_or(20).max(2),
            durability,
            public_url: given.public_url,
            allowed_hosts: given.allowed_hosts.unwrap_or_default(),
            trusted_proxies: given.trusted_proxies.unwrap_or_default(),
            sign_up,
            workspace_makers: given.workspace_makers.unwrap_or(WorkspaceMakers::Everyone),
            outbound_allow: given.outbound_allow.unwrap_or_default(),
            secret_key: given.secret_key.filter(|key| !key.trim().is_empty()).map(SecretText::new),
            models: ModelSettings {
                anthropic: ProviderSettings::new(
                    "anthropic",
                    given.anthropic_api_key,
                    given.anthropic_base_url,
                    given.anthropic_model,
                )?,
                openai: ProviderSettings::new(
                    "openai",
                    given.openai_api_key,
                    given.openai_base_url,
                    given.openai_model,
                )?,
                order: given.model_order,
                aliases: given.aliases.unwrap_or_default(),
                prices: given.prices.unwrap_or_default(),
                context_windows: given.context_windows.unwrap_or_default(),
                script: given.model_script,
            },
            mcp_idle_seconds: given.mcp_idle_seconds.unwrap_or(60).max(1),
            mcp_servers: mcp_servers::resolved(given.mcp_servers.unwrap_or_default())?,
            streams_per_person: given.streams_per_person.unwrap_or(100).max(1),
            connections_per_address: given.connections_per_address.unwrap_or(1_000),
            space_limits: SpaceLimits {
                workspace_megabytes: given.workspace_megabytes.unwrap_or(usual_megabytes),
                visitor_conversations: given.visitor_conversations.unwrap_or(10_000),
                visitor_megabytes: given.visitor_megabytes.unwrap_or(500),
            },
            import_megabytes: given.import_megabytes.unwrap_or(200).max(1),
            visitor_days: given.visitor_days.unwrap_or(90),
            limits,
            drain_seconds: given.drain_seconds.unwrap_or(25),
            log: given.log.unwrap_or_else(|| "info,sqlx=warn,rmcp=off".to_owned()),
            json_logs,
            demo,
        })
    }

    pub fn import_bytes(&self) -> u64 {
        self.import_megabytes.saturating_mul(1_000_000)
    }

    pub fn secure_cookies(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.scheme() == "https")
    }
}

#[cfg(test)]
mod tests {
    use baton_engine::SpendingRules;

    use super::*;

    #[test]
    fn the_example_file_names_every_setting_and_parses() {
        let example = include_str!("../../../baton.example.toml");
        let uncommented: String = example
            .lines()
            .map(|line| {
                line.strip_prefix("# ")
                    .filter(|rest| rest.contains(" = ") || rest.starts_with("[["))
                    .unwrap_or(line)
            })
            .collect::<Vec<_>>()
            .join("\n");
        let given: Given = toml::from_str(&uncommented).expect("every commented setting is valid");
        assert!(given.public_url.is_some());
        let debug = format!("{:?}", Given { public_url: None, ..given.clone() });
        assert!(debug.matches(": None").count() == 1, "a setting is missing in baton.example.toml: {debug}");
        assert!(Settings::resolve(given, Mode::Plain).is_ok());
    }

    #[test]
    fn where_everyone_may_sign_up_spending_is_bounded_unless_said_otherwise() {
        let rules = |given: Given, mode| Settings::resolve(given, mode).expect("settings").limits.spending;
        let caps = |rules: SpendingRules| (rules.caps.server, rules.caps.workspace, rules.caps.person);
        let invited = rules(Given::default(), Mode::Plain);
        assert_eq!((caps(invited), invited.refuses_unpriced), ((None, None, None), false));
        let open = rules(Given { sign_up: Some(SignUp::Open), ..Given::default() }, Mode::Plain);
        assert_eq!((caps(open), open.refuses_unpriced), ((Some(20_000_000), None, Some(2_000_000)), true));
        assert_eq!(caps(rules(Given::default(), Mode::Demo)), caps(open), "a demo is open too");
        let said = Given { spend_cap_usd: Some(0.0), person_spend_cap_usd: Some(0.5), ..Given::default() };
        assert_eq!(caps(rules(said, Mode::Demo)), (None, None, Some(500_000)));
        let wrong = Given { workspace_spend_cap_usd: Some(-1.0), ..Given::default() };
        assert!(Settings::resolve(wrong, Mode::Plain).is_err());
    }

    #[test]
    fn flags_win_over_the_file() {
        let flag = Given { log: Some("debug".into()), ..Given::default() };
        let file = Given { log: Some("warn".into()), log_format: Some("json".into()), ..Given::default() };
        let settings = Settings::resolve(flag.over(file), Mode::Demo).expect("settings");
        assert_eq!((settings.log.as_str(), settings.json_logs), ("debug", true));
        assert_eq!(settings.sign_up, SignUp::Open);
    }

    #[test]
    fn mistakes_are_refused() {
        let wrong = |given: Given| Settings::resolve(given, Mode::Plain).is_err();
        assert!(wrong(Given { durability: Some("none".into()), ..Given::default() }));
        assert!(wrong(Given { database_url: Some("mysql://x".into()), ..Given::default() }));
        let with_path = Url::parse("https://x.example/app").expect("a url");
        assert!(wrong(Given { public_url: Some(with_path), ..Given::default() }));
    }
}
