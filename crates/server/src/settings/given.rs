//! What can be set, by flag, environment or file. Each setting says its names and its default here, and nowhere else.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use baton_core::models::Price;
use baton_core::people::{SignUp, WorkspaceMakers};
use clap::Args;
use ipnet::IpNet;
use serde::Deserialize;
use url::Url;

use super::mcp_servers::GivenServer;

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

    /// Encrypts API keys and other secrets in the database; several, separated by commas, while it is changed [default: the
    /// file secret.key in the data folder, which is made at the first start]
    #[arg(long, env = "BATON_SECRET_KEY", value_name = "KEY", hide_env_values = true)]
    pub secret_key: Option<String>,

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

    /// How many tokens models read at once, by provider/model
    #[arg(skip)]
    pub context_windows: Option<BTreeMap<String, u64>>,

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

    /// How many seconds a call of an MCP server may go on without a sign of progress [default: 60]
    #[arg(long, env = "BATON_MCP_IDLE_SECONDS", value_name = "N")]
    pub mcp_idle_seconds: Option<u64>,

    /// MCP servers that workspaces may use
    #[arg(skip)]
    #[serde(rename = "mcp_server")]
    pub mcp_servers: Option<Vec<GivenServer>>,

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

    /// How many megabytes a file may have that someone imports [default: 200]
    #[arg(long, env = "BATON_IMPORT_MEGABYTES", value_name = "N")]
    pub import_megabytes: Option<u64>,

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

    /// What to log, such as `info` or `info,baton_store=debug` [default: info,sqlx=warn,rmcp=off]
    #[arg(long, env = "BATON_LOG", value_name = "FILTER")]
    pub log: Option<String>,

    /// How to log: `text` or `json` [default: text]
    #[arg(long, env = "BATON_LOG_FORMAT", value_name = "text|json")]
    pub log_format: Option<String>,
}

impl Given {
    /// What is said here, and else what the file says.
    pub(super) fn over(self, file: Self) -> Self {
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
            secret_key: self.secret_key.or(file.secret_key),
            anthropic_api_key: self.anthropic_api_key.or(file.anthropic_api_key),
            anthropic_base_url: self.anthropic_base_url.or(file.anthropic_base_url),
            anthropic_model: self.anthropic_model.or(file.anthropic_model),
            openai_api_key: self.openai_api_key.or(file.openai_api_key),
            openai_base_url: self.openai_base_url.or(file.openai_base_url),
            openai_model: self.openai_model.or(file.openai_model),
            model_order: self.model_order.or(file.model_order),
            aliases: self.aliases.or(file.aliases),
            prices: self.prices.or(file.prices),
            context_windows: self.context_windows.or(file.context_windows),
            spend_cap_usd: self.spend_cap_usd.or(file.spend_cap_usd),
            workspace_spend_cap_usd: self.workspace_spend_cap_usd.or(file.workspace_spend_cap_usd),
            person_spend_cap_usd: self.person_spend_cap_usd.or(file.person_spend_cap_usd),
            model_script: self.model_script.or(file.model_script),
            mcp_idle_seconds: self.mcp_idle_seconds.or(file.mcp_idle_seconds),
            mcp_servers: self.mcp_servers.or(file.mcp_servers),
            streams_per_person: self.streams_per_person.or(file.streams_per_person),
            connections_per_address: self.connections_per_address.or(file.connections_per_address),
            workspace_megabytes: self.workspace_megabytes.or(file.workspace_megabytes),
            import_megabytes: self.import_megabytes.or(file.import_megabytes),
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
