//! Settings: a flag, else the environment, else `baton.toml`, else the default. One struct describes all of them.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use baton_core::models::Price;
use baton_core::people::{SignUp, WorkspaceMakers};
use baton_core::spending::SpendCaps;
use baton_engine::{Limits, SpendingRules, TurnLimits};
use baton_store::Durability;
use clap::Args;
use ipnet::IpNet;
use serde::Deserialize;
use url::Url;

use crate::space::SpaceLimits;

/// What can be set. `None` means: not said here.
#[derive(Debug, Clone, Default, Args, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Address to listen on [default: 127.0.0.1:8787]
    #[arg(long, env = "BATON_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,

    /// Folder for the database and everything else Baton keeps [default: ./data]
    #[arg(long, env = "BATON_DATA_DIR", value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,

    /// A Postgres database to use in place of SQLite in the data folder
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// The most connections to open to Postgres, besides six for its lease, turns, long work and other nodes [default: 20]
    #[arg(long, env = "BATON_DATABASE_CONNECTIONS", value_name = "N")]
    pub database_connections: Option<u32>,

    /// What a commit on SQLite survives: `normal` the end of the process, `full` a power cut too [default: normal]
    #[arg(long, env = "BATON_DURABILITY", value_name = "normal|full")]
    pub durability: Option<String>,

    /// The address people use, such as https://baton.example.org; decides secure cookies and the accepted Host
    #[arg(long, env = "BATON_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<Url>,

    /// Further host names to answer to, separated by commas
    #[arg(long, env = "BATON_ALLOWED_HOSTS", value_name = "NAMES", value_delimiter = ',')]
    pub allowed_hosts: Option<Vec<String>>,

    /// Proxies whose X-Forwarded-For is believed, as networks separated by commas
    #[arg(long, env = "BATON_TRUSTED_PROXIES", value_name = "NETWORKS", value_delimiter = ',')]
    pub trusted_proxies: Option<Vec<IpNet>>,

    /// Who may make an account: `invited`, `open` or `closed` [default: invited; open with --demo]
    #[arg(long, env = "BATON_SIGN_UP", value_name = "WHO")]
    pub sign_up: Option<SignUp>,

    /// Who may make workspaces: `everyone` with an account, or `admins` of this server [default: everyone]
    #[arg(long, env = "BATON_WORKSPACE_MAKERS", value_name = "WHO")]
    pub workspace_makers: Option<WorkspaceMakers>,

    /// Private networks that addresses given by people may point into, separated by commas
    #[arg(long, env = "BATON_OUTBOUND_ALLOW", value_name = "NETWORKS", value_delimiter = ',')]
    pub outbound_allow: Option<Vec<IpNet>>,

    /// A key of Anthropic's API
    #[arg(long, env = "ANTHROPIC_API_KEY", value_name = "KEY", hide_env_values = true)]
    pub anthropic_api_key: Option<String>,

    /// A server that speaks Anthropic's Messages API, in place of Anthropic's own; needs no key
    #[arg(long, env = "ANTHROPIC_BASE_URL", value_name = "URL")]
    pub anthropic_base_url: Option<String>,

    /// The model that every alias means at the Anthropic base URL, but for aliases of your own
    #[arg(long, env = "BATON_ANTHROPIC_MODEL", value_name = "MODEL")]
    pub anthropic_model: Option<String>,

    /// A key of OpenAI's API
    #[arg(long, env = "OPENAI_API_KEY", value_name = "KEY", hide_env_values = true)]
    pub openai_api_key: Option<String>,

    /// A server that speaks OpenAI's chat completions (vLLM, llama.cpp, Ollama, …), up to and with /v1; needs no key
    #[arg(long, env = "OPENAI_BASE_URL", value_name = "URL")]
    pub openai_base_url: Option<String>,

    /// The model that every alias means at the OpenAI base URL, but for aliases of your own
    #[arg(long, env = "BATON_OPENAI_MODEL", value_name = "MODEL")]
    pub openai_model: Option<String>,

    /// Which provider an alias such as sonnet tries first [default: anthropic,openai]
    #[arg(long, env = "BATON_MODEL_ORDER", value_name = "PROVIDERS", value_delimiter = ',')]
    pub model_order: Option<Vec<String>>,

    /// What aliases stand for, as provider/model, the first configured one winning
    #[arg(skip)]
    pub aliases: Option<BTreeMap<String, Vec<String>>>,

    /// Dollars per million tokens, by provider/model
    #[arg(skip)]
    pub prices: Option<BTreeMap<String, Price>>,

    /// The most that all model calls of a day may cost, in dollars; 0 for any sum [default: 0; 20 where everyone may sign up]
    #[arg(long, env = "BATON_SPEND_CAP_USD", value_name = "USD")]
    pub spend_cap_usd: Option<f64>,

    /// The same for one workspace, whatever its admins allow; 0 for any sum [default: 0]
    #[arg(long, env = "BATON_WORKSPACE_SPEND_CAP_USD", value_name = "USD")]
    pub workspace_spend_cap_usd: Option<f64>,

    /// The same for one person, wherever they are; 0 for any sum [default: 0; 2 where everyone may sign up]
    #[arg(long, env = "BATON_PERSON_SPEND_CAP_USD", value_name = "USD")]
    pub person_spend_cap_usd: Option<f64>,

    /// A file whose replies stand in for every model, for tests
    #[arg(long, env = "BATON_MODEL_SCRIPT", value_name = "FILE")]
    pub model_script: Option<PathBuf>,

    /// How many streams one person may have open [default: 100]
    #[arg(long, env = "BATON_STREAMS_PER_PERSON", value_name = "N")]
    pub streams_per_person: Option<usize>,

    /// How many connections one address may have open, but for this machine's own and trusted proxies; 0 for any number [default: 1000]
    #[arg(long, env = "BATON_CONNECTIONS_PER_ADDRESS", value_name = "N")]
    pub connections_per_address: Option<usize>,

    /// How many megabytes of conversations and attachments one workspace may hold; 0 for any number [default: 0; 2000 where
    /// everyone may sign up]
    #[arg(long, env = "BATON_WORKSPACE_MEGABYTES", value_name = "N")]
    pub workspace_megabytes: Option<u64>,

    /// How many conversations visitors and guests of one workspace may have together; 0 for any number [default: 10000]
    #[arg(long, env = "BATON_VISITOR_CONVERSATIONS", value_name = "N")]
    pub visitor_conversations: Option<u64>,

    /// How many megabytes visitors and guests of one workspace may write and be told together; 0 for any number [default: 500]
    #[arg(long, env = "BATON_VISITOR_MEGABYTES", value_name = "N")]
    pub visitor_megabytes: Option<u64>,

    /// After how many days without a message a visitor's conversation is deleted; 0 for never [default: 90]
    #[arg(long, env = "BATON_VISITOR_DAYS", value_name = "N")]
    pub visitor_days: Option<u32>,

    /// How many turns of one person may run at once on this server; 0 for any number [default: 20]
    #[arg(long, env = "BATON_TURNS_PER_PERSON", value_name = "N")]
    pub turns_per_person: Option<usize>,

    /// How many turns of one workspace may run at once on this server; 0 for any number [default: 100]
    #[arg(long, env = "BATON_TURNS_PER_WORKSPACE", value_name = "N")]
    pub turns_per_workspace: Option<usize>,

    /// How many turns of guests and visitors of one workspace may run at once on this server; 0 for any number [default: 10]
    #[arg(long, env = "BATON_PUBLIC_TURNS_PER_WORKSPACE", value_name = "N")]
    pub public_turns_per_workspace: Option<usize>,

    /// How many turns may run at once on this server; 0 for any number [default: 2000]
    #[arg(long, env = "BATON_TURNS_PER_NODE", value_name = "N")]
    pub turns_per_node: Option<usize>,

    /// How many seconds the turns that run get when the server is told to end [default: 25]
    #[arg(long, env = "BATON_DRAIN_SECONDS", value_name = "N")]
    pub drain_seconds: Option<u64>,

    /// What to log, such as `info` or `info,baton_store=debug` [default: info,sqlx=warn]
    #[arg(long, env = "BATON_LOG", value_name = "FILTER")]
    pub log: Option<String>,

    /// How to log: `text` or `json` [default: text]
    #[arg(long, env = "BATON_LOG_FORMAT", value_name = "text|json")]
    pub log_format: Option<String>,
}

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
    pub models: ModelSettings,
    pub streams_per_person: usize,
    pub connections_per_address: usize,
    pub space_limits: SpaceLimits,
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

impl Given {
    fn over(self, file: Self) -> Self {
        Self {
            listen: self.listen.or(file.listen),
            data_dir: self.data_dir.or(file.data_dir),
            database_url: self.database_url.or(file.database_url),
            database_connections: self.database_connections.or(file.database_connections),
            durability: self.durability.or(file.durability),
            public_url: self.public_url.or(file.public_url),
            allowed_hosts: self.allowed_hosts.or(file.allowed_hosts),
            trusted_proxies: self.trusted_proxies.or(file.trusted_proxies),
            sign_up: self.sign_up.or(file.sign_up),
            workspace_makers: self.workspace_makers.or(file.workspace_makers),
            outbound_allow: self.outbound_allow.or(file.outbound_allow),
            anthropic_api_key: self.anthropic_api_key.or(file.anthropic_api_key),
            anthropic_base_url: self.anthropic_base_url.or(file.anthropic_base_url),
            anthropic_model: self.anthropic_model.or(file.anthropic_model),
            openai_api_key: self.openai_api_key.or(file.openai_api_key),
            openai_base_url: self.openai_base_url.or(file.openai_base_url),
            openai_model: self.openai_model.or(file.openai_model),
            model_order: self.model_order.or(file.model_order),
            aliases: self.aliases.or(file.aliases),
            prices: self.prices.or(file.prices),
            spend_cap_usd: self.spend_cap_usd.or(file.spend_cap_usd),
            workspace_spend_cap_usd: self.workspace_spend_cap_usd.or(file.workspace_spend_cap_usd),
            person_spend_cap_usd: self.person_spend_cap_usd.or(file.person_spend_cap_usd),
            model_script: self.model_script.or(file.model_script),
            streams_per_person: self.streams_per_person.or(file.streams_per_person),
            connections_per_address: self.connections_per_address.or(file.connections_per_address),
            workspace_megabytes: self.workspace_megabytes.or(file.workspace_megabytes),
            visitor_conversations: self.visitor_conversations.or(file.visitor_conversations),
            visitor_megabytes: self.visitor_megabytes.or(file.visitor_megabytes),
            visitor_days: self.visitor_days.or(file.visitor_days),
            turns_per_person: self.turns_per_person.or(file.turns_per_person),
            turns_per_workspace: self.turns_per_workspace.or(file.turns_per_workspace),
            public_turns_per_workspace: self.public_turns_per_workspace.or(file.public_turns_per_workspace),
            turns_per_node: self.turns_per_node.or(file.turns_per_node),
            drain_seconds: self.drain_seconds.or(file.drain_seconds),
            log: self.log.or(file.log),
            log_format: self.log_format.or(file.log_format),
        }
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
                script: given.model_script,
            },
            streams_per_person: given.streams_per_person.unwrap_or(100).max(1),
            connections_per_address: given.connections_per_address.unwrap_or(1_000),
            space_limits: SpaceLimits {
                workspace_megabytes: given.workspace_megabytes.unwrap_or(usual_megabytes),
                visitor_conversations: given.visitor_conversations.unwrap_or(10_000),
                visitor_megabytes: given.visitor_megabytes.unwrap_or(500),
            },
            visitor_days: given.visitor_days.unwrap_or(90),
            limits,
            drain_seconds: given.drain_seconds.unwrap_or(25),
            log: given.log.unwrap_or_else(|| "info,sqlx=warn".to_owned()),
            json_logs,
            demo,
        })
    }

    pub fn secure_cookies(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.scheme() == "https")
    }
}

fn turn_limits(given: &Given) -> TurnLimits {
    TurnLimits {
        per_person: given.turns_per_person.unwrap_or(20),
        per_workspace: given.turns_per_workspace.unwrap_or(100),
        public_per_workspace: given.public_turns_per_workspace.unwrap_or(10),
        per_node: given.turns_per_node.unwrap_or(2_000),
    }
}

/// Where everyone may sign up, everyone may spend: then there are limits unless others are set, and a model that no limit
/// counts is refused, unless it runs on this machine.
fn spending_rules(given: &Given, sign_up: SignUp) -> anyhow::Result<SpendingRules> {
    let is_open = sign_up == SignUp::Open;
    let cap = |name: &str, usd: Option<f64>, usual: f64| match usd.unwrap_or(usual) {
        0.0 => Ok(None),
        usd if (0.0..=1_000_000.0).contains(&usd) => Ok(Some((usd * 1e6).round() as i64)),
        usd => bail!("{name} must be from 0 to 1000000, not {usd}"),
    };
    let usual = |usd: f64| if is_open { usd } else { 0.0 };
    Ok(SpendingRules {
        caps: SpendCaps {
            server: cap("spend_cap_usd", given.spend_cap_usd, usual(20.0))?,
            workspace: cap("workspace_spend_cap_usd", given.workspace_spend_cap_usd, 0.0)?,
            person: cap("person_spend_cap_usd", given.person_spend_cap_usd, usual(2.0))?,
        },
        refuses_unpriced: is_open,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_file_names_every_setting_and_parses() {
        let example = include_str!("../../../baton.example.toml");
        let uncommented: String = example
            .lines()
            .map(|line| line.strip_prefix("# ").filter(|rest| rest.contains(" = ")).unwrap_or(line))
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
