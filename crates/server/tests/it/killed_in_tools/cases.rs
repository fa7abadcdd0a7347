//! The writes that are cut: one of each tool, and those that write several rows at once, with the rows that SQL must find.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::held::Held;
use crate::test_app::{Actor, text};

/// What `$1` stands for in the rows of a check: the conversation of the call, or the label by which its rows are known.
pub enum Of {
    Call,
    Label,
}

/// Which rows, how many there are of them without the write, and how many with it.
type Made = (Of, &'static str, i64, i64);

pub struct Case {
    pub name: &'static str,
    pub tool: &'static str,
    pub arguments: fn(&str, &Ground, Held) -> Value,
    pub made: &'static [Made],
}

/// What is there before.
pub struct Ground {
    account: String,
    /// What is annotated, by the label.
    transactions: Vec<(String, String)>,
}

pub fn label(case: &Case, held: Held) -> String {
    format!("{} {}", case.name, held.as_str())
}

/// Somebody to whom nobody has written yet.
pub fn friend(held: Held) -> String {
    format!("{}@example.org", held.as_str())
}

const OF_CALL: &str = "data_changes WHERE conversation_id = $1";

pub const CASES: [Case; 13] = [
    Case {
        name: "note",
        tool: "manageTransactions",
        arguments: |label, ground, _| {
            let found = ground.transactions.iter().find(|(of, _)| of == label);
            json!({"action": "annotate", "ids": [found.expect("a transaction").1], "note": label})
        },
        made: &[(Of::Call, OF_CALL, 0, 1), (Of::Label, "transactions WHERE notes = $1", 0, 1)],
    },
    Case {
        name: "budget",
        tool: "manageBudgets",
        arguments: |label, _, _| json!({"action": "create", "name": label, "amount": "10", "currency": "EUR"}),
        made: &[(Of::Call, OF_CALL, 0, 1), (Of::Label, "budgets WHERE name = $1", 0, 1)],
    },
    Case {
        name: "goal",
        tool: "manageGoals",
        arguments: |label, _, _| json!({"action": "create", "name": label, "targetAmount": "10", "currency": "EUR"}),
        made: &[(Of::Call, OF_CALL, 0, 1), (Of::Label, "goals WHERE name = $1", 0, 1)],
    },
    Case {
        name: "lead",
        tool: "manageCRM",
        arguments: |label, _, _| json!({"action": "create", "record": "lead", "name": label}),
        made: &[(Of::Call, OF_CALL, 0, 1), (Of::Label, "contacts WHERE name = $1", 0, 1)],
    },
    Case {
        name: "deal",
        tool: "manageSales",
        arguments: |label, _, _| json!({"action": "create", "record": "deal", "name": label, "currency": "EUR"}),
        made: &[
            (Of::Call, OF_CALL, 0, 1),
            (Of::Label, "deals WHERE name = $1", 0, 1),
            (Of::Label, "deal_stages WHERE deal_id IN (SELECT id FROM deals WHERE name = $1)", 0, 1),
        ],
    },
    Case {
        name: "merged",
        tool: "manageSales",
        arguments: |label, _, _| json!({"action": "merge", "which": label, "other": format!("{label} too")}),
        made: &[
            // The one that stays, the one that goes, its deal and its activity.
            (Of::Call, OF_CALL, 0, 4),
            (Of::Label, "contacts WHERE name = $1 AND phone = '2' AND deleted_at IS NULL", 0, 1),
            (Of::Label, "contacts WHERE name = CAST($1 AS TEXT) || ' too' AND deleted_at IS NULL", 1, 0),
            (Of::Label, "deals WHERE contact_id IN (SELECT id FROM contacts WHERE name = $1)", 0, 1),
            (Of::Label, "activities WHERE contact_id IN (SELECT id FROM contacts WHERE name = $1)", 0, 1),
        ],
    },
    Case {
        name: "task",
        tool: "manageProjects",
        arguments: |label, _, _| json!({"action": "create_tasks", "project": "Depot", "title": label}),
        made: &[(Of::Call, OF_CALL, 0, 1), (Of::Label, "project_tasks WHERE title = $1", 0, 1)],
    },
    Case {
        name: "project",
        tool: "manageProjects",
        arguments: |label, _, _| {
            let tasks =
                json!([{"title": "Dig"}, {"title": "Rent a digger", "parent": "Dig"}, {"title": "Plant"}]);
            json!({"action": "create_project", "name": label, "tasks": tasks})
        },
        made: &[
            (Of::Call, OF_CALL, 0, 4),
            (Of::Label, "projects WHERE name = $1", 0, 1),
            (Of::Label, "project_tasks WHERE project_id IN (SELECT id FROM projects WHERE name = $1)", 0, 3),
        ],
    },
    Case {
        name: "given up",
        tool: "manageProjects",
        arguments: |label, _, _| json!({"action": "delete_project", "project": label}),
        made: &[
            (Of::Call, OF_CALL, 0, 3),
            (Of::Label, "projects WHERE name = $1 AND deleted_at IS NULL", 1, 0),
            (
                Of::Label,
                "project_tasks WHERE project_id IN (SELECT id FROM projects WHERE name = $1) AND deleted_at IS NULL",
                2,
                0,
            ),
        ],
    },
    Case {
        name: "page",
        tool: "manageKnowledge",
        arguments: |label, _, _| json!({"action": "create", "title": label, "body": "Written once."}),
        made: &[
            (Of::Call, "page_versions WHERE conversation_id = $1", 0, 1),
            (Of::Label, "pages WHERE title = $1", 0, 1),
        ],
    },
    Case {
        name: "memory",
        tool: "manageMemory",
        arguments: |label, _, _| json!({"action": "save", "path": label, "content": label}),
        made: &[(Of::Label, "agent_memories WHERE content = $1", 0, 1)],
    },
    Case {
        name: "message",
        tool: "manageMessaging",
        arguments: |label, _, _| json!({"action": "send", "channel": "depot", "text": label}),
        made: &[
            (Of::Call, "channel_messages WHERE conversation_id = $1", 0, 1),
            (Of::Label, "channel_messages WHERE text = $1", 0, 1),
        ],
    },
    Case {
        name: "direct",
        tool: "manageMessaging",
        arguments: |label, _, held| json!({"action": "direct", "to": [friend(held)], "text": label}),
        made: &[
            (Of::Call, "channel_messages WHERE conversation_id = $1", 0, 1),
            (
                Of::Label,
                "channels WHERE kind = 'direct' AND id IN (SELECT channel_id FROM channel_messages WHERE text = $1)",
                0,
                1,
            ),
            (
                Of::Label,
                "channel_members WHERE channel_id IN (SELECT channel_id FROM channel_messages WHERE text = $1)",
                0,
                2,
            ),
        ],
    },
];

impl Ground {
    pub async fn new(owner: &Actor<'_>) -> Self {
        let account = made(owner, "accounts", json!({"name": "Till of the depot", "currency": "EUR"})).await;
        made(owner, "projects", json!({"name": "Depot"})).await;
        let channel = json!({"workspaceId": owner.workspace, "kind": "open", "name": "depot"});
        owner.post("/api/channels", channel).await.expect(StatusCode::CREATED);
        Self { account, transactions: Vec::new() }
    }

    /// What a case changes.
    pub async fn prepare(&mut self, owner: &Actor<'_>, case: &Case, held: Held) {
        let label = label(case, held);
        match case.name {
            "note" => {
                let row = json!({"account_id": self.account, "booked_on": "2026-01-02", "amount": -100});
                self.transactions.push((label, made(owner, "transactions", row).await));
            }
            "merged" => {
                made(owner, "contacts", json!({"name": label})).await;
                let too = json!({"name": format!("{label} too"), "phone": "2"});
                let too = made(owner, "contacts", too).await;
                made(owner, "deals", json!({"name": "Old", "currency": "EUR", "contact_id": too})).await;
                made(owner, "activities", json!({"subject": "Call", "contact_id": too})).await;
            }
            "given up" => {
                let project = made(owner, "projects", json!({"name": label})).await;
                for title in ["One", "Two"] {
                    made(owner, "project_tasks", json!({"title": title, "project_id": project})).await;
                }
            }
            _ => {}
        }
    }
}

async fn made(owner: &Actor<'_>, kind: &str, row: Value) -> String {
    let path = format!("/api/data/{kind}?workspaceId={}", owner.workspace);
    text(&owner.post(&path, row).await.expect(StatusCode::CREATED)["id"])
}
