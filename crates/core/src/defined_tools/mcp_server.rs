//! `mcp_server`: somebody's MCP server, by its address or by the command that starts it. Its tools are pinned and allowed
//! one by one (see [`server_tools`](crate::server_tools)).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::http_api::check_headers;
use super::{MAX_SECRETS, ToolSecrets, origin_of};
use crate::secrets::SecretText;
use crate::server_tools::{Endpoint, Trust};
use crate::subtasks;
use crate::text::{self, Invalid};

/// The longest slug, so that most tools' names fit behind it.
const MAX_SLUG: usize = 32;
const MAX_ARGUMENTS: usize = 50;
const MAX_TEXT: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "transport", rename_all = "snake_case", deny_unknown_fields)]
pub enum McpServerConfig {
    /// Streamable HTTP.
    Http {
        url: String,
        #[serde(default)]
        headers: BTreeMap<String, String>,
        /// Headers whose values are secrets.
        #[serde(default)]
        secret_headers: Vec<String>,
        #[serde(default = "untrusted")]
        trust: Trust,
    },
    /// A program on this machine: only an admin of the server may name one.
    Stdio {
        program: String,
        #[serde(default)]
        arguments: Vec<String>,
        /// What it has in its environment, besides what every program needs.
        #[serde(default)]
        secret_environment: Vec<String>,
        #[serde(default = "untrusted")]
        trust: Trust,
    },
    /// A server of Baton's configuration file, by its name there.
    Configured {
        server: String,
        #[serde(default = "untrusted")]
        trust: Trust,
    },
}

fn untrusted() -> Trust {
    Trust::Untrusted
}

/// What models' names of a server's tools begin with: see [`model_name`](crate::server_tools::model_name).
pub(super) fn check_slug(name: &str) -> Result<(), Invalid> {
    if name == subtasks::ASK.trim_end_matches('_') {
        let message = "must not be ask: the tools that ask other agents begin so";
        return Err(Invalid::new("name", message));
    }
    if name.len() > MAX_SLUG || name.contains("__") || name.ends_with('_') {
        let message = format!("must be at most {MAX_SLUG} characters, without __ and without _ at its end");
        return Err(Invalid::new("name", message));
    }
    Ok(())
}

impl McpServerConfig {
    pub(super) fn check(&mut self) -> Result<(), Invalid> {
        match self {
            Self::Http { url, headers, secret_headers, .. } => {
                const URL: &str = "config.url";
                *url = text::line(URL, url, 2_000)?;
                origin_of(url).map_err(|wrong| Invalid::new(URL, wrong))?;
                if url.contains(['#', '{', '}']) {
                    return Err(Invalid::new(URL, "must be an address such as https://example.org/mcp"));
                }
                check_headers(headers, secret_headers)
            }
            Self::Stdio { program, arguments, secret_environment, .. } => {
                *program = text::line("config.program", program, MAX_TEXT)?;
                if arguments.len() > MAX_ARGUMENTS {
                    return Err(Invalid::new("config.arguments", format!("must be at most {MAX_ARGUMENTS}")));
                }
                let is_bad = |text: &String| text.contains('\0') || text.len() > MAX_TEXT;
                if arguments.iter().any(is_bad) {
                    let message = format!("must be at most {MAX_TEXT} bytes each, without NUL characters");
                    return Err(Invalid::new("config.arguments", message));
                }
                let is_name = |name: &String| {
                    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
                    begins && name.len() <= 100 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                };
                if secret_environment.len() > MAX_SECRETS || !secret_environment.iter().all(is_name) {
                    let message = format!("must be at most {MAX_SECRETS} names of letters, digits and _");
                    return Err(Invalid::new("config.secret_environment", message));
                }
                Ok(())
            }
            Self::Configured { server, .. } => {
                *server = text::line("config.server", server, MAX_TEXT)?;
                Ok(())
            }
        }
    }

    pub fn trust(&self) -> Trust {
        match self {
            Self::Http { trust, .. } | Self::Stdio { trust, .. } | Self::Configured { trust, .. } => *trust,
        }
    }

    pub fn runs_here(&self) -> bool {
        matches!(self, Self::Stdio { .. })
    }

    pub fn secret_names(&self) -> &[String] {
        match self {
            Self::Http { secret_headers, .. } => secret_headers,
            Self::Stdio { secret_environment, .. } => secret_environment,
            Self::Configured { .. } => &[],
        }
    }

    pub(super) fn goes_to(&self) -> Option<String> {
        match self {
            Self::Http { url, .. } => origin_of(url).ok(),
            Self::Stdio { program, .. } => Some(format!("program {program}")),
            Self::Configured { .. } => None,
        }
    }

    /// How it is reached, with its secrets. `None`: the configuration file says so.
    pub fn endpoint(&self, mut secrets: ToolSecrets) -> Option<Endpoint> {
        let mut named = |names: &[String]| -> Vec<(String, SecretText)> {
            names.iter().filter_map(|name| secrets.remove_entry(name)).collect()
        };
        Some(match self {
            Self::Http { url, headers, secret_headers, .. } => {
                let plain = headers.iter().map(|(name, value)| (name.clone(), SecretText::new(value)));
                let headers = plain.chain(named(secret_headers)).collect();
                Endpoint::Url { url: url.clone(), headers }
            }
            Self::Stdio { program, arguments, secret_environment, .. } => Endpoint::Command {
                program: program.clone(),
                arguments: arguments.clone(),
                environment: named(secret_environment),
            },
            Self::Configured { .. } => return None,
        })
    }
}
