//! Stands where MCP servers are connected: this build has no client for them yet, and says so.

use async_trait::async_trait;
use baton_core::server_tools::{CallFailure, Listing, Outcome, Server, ServerCall, ServerTools, Trouble};
use baton_core::visitors::Person;

pub struct NoServers;

const WHY: &str = "this version of Baton can't connect to MCP servers yet";

#[async_trait]
impl ServerTools for NoServers {
    async fn list(&self, _server: &Server, _person: Option<Person>) -> Listing {
        Listing { tools: Vec::new(), trouble: Some(Trouble::Down(WHY.to_owned())) }
    }

    async fn refresh(&self, server: &Server, person: Option<Person>) -> Listing {
        self.list(server, person).await
    }

    async fn call(&self, _call: ServerCall<'_>) -> Result<Outcome, CallFailure> {
        Err(CallFailure::NotDone(format!("It was not sent: {WHY}.")))
    }
}
