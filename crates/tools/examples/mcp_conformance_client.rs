//! What `scripts/mcp-conformance` has the official suite test: Baton's connections, used as the server uses them. It knows
//! no scenario: it lists the tools, signs in when it is asked to, and calls each tool once.
//!
//! The suite passes the server's address as the last argument.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, anyhow, bail};
use async_trait::async_trait;
use baton_core::data::areas::Areas;
use baton_core::data::rows::Once;
use baton_core::ids::{ProfileId, ToolId, WorkspaceId};
use baton_core::secrets::SecretText;
use baton_core::server_tools::{
    CallFailure, Definition, Endpoint, Server, ServerCall, ServerTools, Trouble, Trust,
};
use baton_core::store;
use baton_core::tools::{Cancelled, TellProgress, ToolContext};
use baton_core::visitors::Person;
use baton_tools::mcp::sign_in::{SignInClient, SignInPlace, SignIns};
use baton_tools::mcp::{AskPerson, Asked, Connections, Options, Reply};
use baton_tools::outbound::Outbound;
use serde_json::{Map, Value, json};
use tokio::sync::OwnedMutexGuard;

/// How often a person would sign in for one thing before giving up.
const MAX_SIGN_INS: usize = 3;

#[derive(Default)]
struct Memory {
    kept: Mutex<HashMap<String, SecretText>>,
    lock: Arc<tokio::sync::Mutex<()>>,
}

impl Memory {
    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<String, SecretText>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl SignIns for Memory {
    async fn load(&self, place: &SignInPlace) -> store::Result<Option<SecretText>> {
        Ok(self.kept().get(&place.url).cloned())
    }
    async fn save(&self, place: &SignInPlace, kept: SecretText) -> store::Result<()> {
        self.kept().insert(place.url.clone(), kept);
        Ok(())
    }
    async fn forget(&self, place: &SignInPlace) -> store::Result<()> {
        self.kept().remove(&place.url);
        Ok(())
    }
    async fn lock(&self, _: &SignInPlace) -> store::Result<Box<dyn Send>> {
        let guard: OwnedMutexGuard<()> = self.lock.clone().lock_owned().await;
        Ok(Box::new(guard))
    }
}

/// Takes every form as it is proposed.
struct Agreeable;

#[async_trait]
impl AskPerson for Agreeable {
    async fn ask(&self, _: Asked) -> Reply {
        Reply::Accepted(Map::new())
    }
}

struct Client {
    connections: Connections,
    server: Server,
    person: Person,
    sign_in: SignInClient,
    signed_in: usize,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let url = std::env::args().next_back().context("the address of a server")?;
    let told: Value = match std::env::var("MCP_CONFORMANCE_CONTEXT") {
        Ok(told) => serde_json::from_str(&told)?,
        Err(_) => Value::Null,
    };
    let options = Options {
        people: Some(Arc::new(Agreeable)),
        sign_ins: Some(Arc::new(Memory::default())),
        ..Options::default()
    };
    let out = Outbound::new(vec!["127.0.0.0/8".parse()?, "::1/128".parse()?]);
    let connections = Connections::start(Arc::new(out), options);
    let text = |name: &str| told.get(name).and_then(Value::as_str).map(str::to_owned);
    let given = text("client_id").map(|id| (id, text("client_secret").map(SecretText::new)));
    let mut client = Client {
        connections: connections.clone(),
        server: Server {
            id: ToolId::new(),
            workspace_id: WorkspaceId::new(),
            slug: "suite".into(),
            endpoint: Endpoint::Url { url, headers: vec![] },
            trust: Trust::Untrusted,
        },
        person: Person::Profile(ProfileId::new()),
        sign_in: SignInClient {
            redirect_uri: "http://localhost:3000/callback".into(),
            given,
            description_url: Some("https://conformance-test.local/client-metadata.json".into()),
        },
        signed_in: 0,
    };
    let done = client.use_all(&told).await;
    connections.close().await;
    done
}

impl Client {
    async fn use_all(&mut self, told: &Value) -> anyhow::Result<()> {
        let tools = self.tools().await?;
        let asked = told.get("toolCalls").or_else(|| told.get("tool_calls")).and_then(Value::as_array);
        let calls: Vec<(String, Map<String, Value>)> = match asked {
            Some(calls) => calls.iter().filter_map(told_call).collect(),
            None => tools.iter().map(|tool| (tool.name.clone(), arguments(tool, &tools))).collect(),
        };
        for (name, arguments) in calls {
            self.call(&name, arguments).await?;
        }
        Ok(())
    }

    async fn tools(&mut self) -> anyhow::Result<Vec<Definition>> {
        loop {
            let listing = self.connections.refresh(&self.server, Some(self.person)).await;
            match listing.trouble {
                None => return Ok(listing.tools.to_vec()),
                Some(Trouble::NeedsSignIn) => self.sign_in().await?,
                Some(Trouble::Down(why)) => bail!(why),
            }
        }
    }

    async fn call(&mut self, name: &str, arguments: Map<String, Value>) -> anyhow::Result<()> {
        loop {
            let (_waits, context) = context(self.person);
            let call = ServerCall {
                server: &self.server,
                raw_name: name,
                arguments: arguments.clone(),
                context: &context,
            };
            match self.connections.call(call).await {
                Ok(outcome) => {
                    println!("{name}: {:?}", outcome.said);
                    return Ok(());
                }
                Err(CallFailure::NeedsSignIn) => self.sign_in().await?,
                Err(failure) => bail!("{name}: {failure}"),
            }
        }
    }

    /// As a person would: follows the address, where the suite's server agrees at once.
    async fn sign_in(&mut self) -> anyhow::Result<()> {
        self.signed_in += 1;
        if self.signed_in > MAX_SIGN_INS {
            bail!("signed in {MAX_SIGN_INS} times, and asked to again");
        }
        let begun = self.connections.begin_sign_in(&self.server, self.person, &self.sign_in).await?;
        let browser = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
        let answer = browser.get(&begun.url).send().await?;
        let came_back = answer.headers().get("location").ok_or_else(|| anyhow!("no way back"))?.to_str()?;
        let finished =
            self.connections.finish_sign_in(&self.server, self.person, &begun.under_way, came_back).await;
        Ok(finished?)
    }
}

fn told_call(call: &Value) -> Option<(String, Map<String, Value>)> {
    let arguments = call.get("arguments").and_then(Value::as_object).cloned().unwrap_or_default();
    Some((call.get("name")?.as_str()?.to_owned(), arguments))
}

/// Something for each parameter that a tool requires.
fn arguments(tool: &Definition, all: &[Definition]) -> Map<String, Value> {
    let required = tool.input_schema.get("required").and_then(Value::as_array);
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    let value = |name: &str| match tool.input_schema["properties"][name]["type"].as_str() {
        // Whether a schema is still as the server told it.
        Some("object") if name == "schema" => all[0].input_schema.clone(),
        Some("number" | "integer") => json!(5),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => json!("test"),
    };
    names.map(|name| (name.to_owned(), value(name))).collect()
}

fn context(person: Person) -> (baton_core::tools::CancelOnDrop, ToolContext) {
    let (waits, cancelled) = Cancelled::new();
    let context = ToolContext {
        once: Once::Unkeyed,
        cancelled,
        workspace_id: WorkspaceId::new(),
        agent: None,
        person,
        may_change_agent: false,
        areas: Areas::WRITE,
        time_zone: "UTC".into(),
        context_data: Map::new(),
        teammates: vec![],
        progress: TellProgress::default(),
    };
    (waits, context)
}
