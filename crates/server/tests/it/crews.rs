//! Agents and teams for tests with handoffs.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::test_app::{Actor, Answer, text};

impl Actor<'_> {
    /// An agent of the workspace's own, whose prompt is `You are NAME.`, with more fields if wanted.
    pub async fn make_agent(&self, name: &str, more: Value) -> String {
        let mut body = json!({
            "workspaceId": self.workspace, "name": name, "system_prompt": format!("You are {name}."),
        });
        for (field, value) in more.as_object().expect("an object") {
            body[field] = value.clone();
        }
        text(&self.post("/api/agents", body).await.expect(StatusCode::CREATED)["id"])
    }

    /// A team of these agents; the first is the one to begin.
    pub async fn make_team(&self, kind: &str, agents: &[&str]) -> String {
        let member = |(at, agent): (usize, &&str)| json!({"agentId": agent, "isDefault": at == 0 && kind != "pipeline"});
        let members: Vec<Value> = agents.iter().enumerate().map(member).collect();
        self.make_team_of(kind, json!(members)).await
    }

    pub async fn make_team_of(&self, kind: &str, members: Value) -> String {
        let body =
            json!({"workspaceId": self.workspace, "name": "The Team", "kind": kind, "members": members});
        text(&self.post("/api/teams", body).await.expect(StatusCode::CREATED)["id"])
    }

    /// Opens a team to visitors and guests.
    pub async fn open_team(&self, team: &str) {
        let opened = self.patch(&format!("/api/teams/{team}"), json!({"is_public": true})).await;
        assert_eq!(opened.expect(StatusCode::OK)["is_public"], true);
    }

    /// Begins a conversation: `field` is `agentId` or `teamId`.
    pub async fn begin(&self, field: &str, id: &str) -> String {
        let body = json!({"workspaceId": self.workspace, field: id});
        text(&self.post("/api/agent-conversations", body).await.expect(StatusCode::CREATED)["id"])
    }

    pub async fn switch(&self, conversation: &str, body: Value) -> Answer {
        self.post(&format!("/api/agent-conversations/{conversation}/switch"), body).await
    }
}
