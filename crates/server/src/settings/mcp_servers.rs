//! MCP servers of the configuration file. Workspaces that a server is for may use it; what it is made of stays here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{bail, ensure};
use baton_core::ids::WorkspaceId;
use baton_core::secrets::SecretText;
use baton_core::server_tools::Endpoint;
use baton_tools::servers::ConfiguredServer;
use serde::Deserialize;
use url::Url;
use uuid::Uuid;

/// An `[[mcp_server]]`: by a command or by a URL.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenServer {
    name: String,
    #[serde(default)]
    description: String,
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, SecretText>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, SecretText>,
    /// Left out: every workspace.
    workspaces: Option<Vec<Uuid>>,
}

/// Only the name: the rest may hold secrets.
impl fmt::Debug for GivenServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GivenServer").field(&self.name).finish()
    }
}

/// The servers as they can be connected to, if all of them are as they should be.
pub fn resolved(given: Vec<GivenServer>) -> anyhow::Result<Vec<ConfiguredServer>> {
    let mut names = BTreeSet::new();
    for server in &given {
        ensure!(names.insert(server.name.clone()), "there are two [[mcp_server]] named {}", server.name);
    }
    given.into_iter().map(GivenServer::resolved).collect()
}

impl GivenServer {
    fn resolved(self) -> anyhow::Result<ConfiguredServer> {
        let Self { name, description, command, args, env, url, headers, workspaces } = self;
        let is_safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if !(1..=64).contains(&name.len()) || !name.chars().all(is_safe) {
            bail!("the name of an [[mcp_server]] must be 1 to 64 of a-z, A-Z, 0-9, _ and -, not {name:?}");
        }
        let endpoint = match (command, url) {
            (Some(program), None) => {
                ensure!(headers.is_empty(), "mcp_server {name}: headers are for a url, a command has env");
                Endpoint::Command { program, arguments: args, environment: env.into_iter().collect() }
            }
            (None, Some(url)) => {
                ensure!(
                    args.is_empty() && env.is_empty(),
                    "mcp_server {name}: args and env are for a command"
                );
                let is_http = Url::parse(&url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
                ensure!(is_http, "mcp_server {name}: url must be like https://example.org/mcp, not {url}");
                Endpoint::Url { url, headers: headers.into_iter().collect() }
            }
            _ => bail!("mcp_server {name} needs a command or a url, and not both"),
        };
        let workspaces = workspaces.map(|ids| ids.into_iter().map(WorkspaceId).collect());
        Ok(ConfiguredServer { name, description, endpoint, workspaces })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<Vec<ConfiguredServer>> {
        #[derive(Deserialize)]
        struct File {
            mcp_server: Vec<GivenServer>,
        }
        resolved(toml::from_str::<File>(text)?.mcp_server)
    }

    #[test]
    fn a_server_is_a_command_or_an_address() {
        let servers = read(
            r#"
            [[mcp_server]]
            name = "files"
            command = "npx"
            args = ["-y", "server"]
            env = { KEY = "s3cret" }
            [[mcp_server]]
            name = "tickets"
            url = "https://tickets.example/mcp"
            workspaces = ["0191e0b4-3c9b-7b60-8f2e-0d7a4a1c2b3d"]
            "#,
        )
        .expect("servers");
        let [files, tickets] = &servers[..] else { panic!("{}", servers.len()) };
        assert!(
            matches!(&files.endpoint, Endpoint::Command { environment, .. } if environment[0].1.reveal() == "s3cret")
        );
        assert!(files.is_for(WorkspaceId::new()) && !tickets.is_for(WorkspaceId::new()));
        assert!(!format!("{files:?}").contains("s3cret"));
    }

    #[test]
    fn mistakes_are_refused() {
        for wrong in [
            r#"name = "a b", url = "https://h.example""#,
            r#"name = "a""#,
            r#"name = "a", command = "x", url = "https://h.example""#,
            r#"name = "a", url = "ftp://h.example""#,
            r#"name = "a", url = "https://h.example", env = { A = "b" }"#,
            r#"name = "a", command = "x", headers = { A = "b" }"#,
            r#"name = "a", command = "x", shell = true"#,
        ] {
            assert!(read(&format!("mcp_server = [{{ {wrong} }}]")).is_err(), "{wrong}");
        }
        let one = r#"{ name = "a", command = "x" }"#;
        assert!(read(&format!("mcp_server = [{one}, {one}]")).is_err(), "two of one name");
    }
}
