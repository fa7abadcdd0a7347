//! `baton chat` when another agent gets the conversation.

use serde_json::{Value, json};

use crate::chat_command::{House, conversation_in, err, house, out};

/// Vera and Ben, and a team of both that Vera begins.
async fn with_team(replies: Value, kind: &str) -> House {
    let house = house(replies);
    let (cookie, workspace) = house.owner().await;
    let mut members = Vec::new();
    for name in ["Vera", "Ben"] {
        let body =
            json!({"workspaceId": workspace, "name": name, "system_prompt": format!("You are {name}.")});
        let agent = house.post(&cookie, "/api/agents", body).await["id"].clone();
        members.push(match kind {
            "pipeline" => {
                let stage = json!({"name": format!("{name}'s"), "outputSchema": {"type": "object"}});
                json!({"agentId": agent, "stage": stage})
            }
            _ => json!({"agentId": agent, "isDefault": name == "Vera"}),
        });
    }
    let team = json!({"workspaceId": workspace, "name": "Car Desk", "kind": kind, "members": members});
    house.post(&cookie, "/api/teams", team).await;
    house
}

#[tokio::test]
async fn a_team_is_begun_with_and_its_handoffs_are_seen() {
    let switch =
        json!({"name": "switch_agent", "arguments": {"agent": "ben", "reason": "It is about a car."}});
    let house = with_team(
        json!([
            {"match": "car", "system": "You are Vera.", "text": "One moment.", "calls": [switch]},
            {"system": "You are Ben.", "text": "Which car?"},
        ]),
        "swarm",
    )
    .await;
    let said = house.chat(&["--team", "car desk", "I want a car"]);
    assert_eq!(
        (out(&said).as_str(), said.status.code()),
        ("One moment.\n\nWhich car?\n", Some(0)),
        "{said:?}"
    );
    let aside = err(&said);
    let order = ["Vera\n", "→ handed to Ben (It is about a car.)\n", "Ben\n"].map(|part| aside.find(part));
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{aside}");
    let more = house.chat(&["--conversation", &conversation_in(&said), "A red one"]);
    assert!(err(&more).starts_with("Ben\n"), "{more:?}");

    let nobody = house.chat(&["--team", "fleet", "Hello"]);
    assert_eq!(nobody.status.code(), Some(1));
    assert!(
        err(&nobody).contains("there is no team \"fleet\" here. There are: Car Desk (car-desk)"),
        "{nobody:?}"
    );
    let both = house.chat(&["--team", "car-desk", "--agent", "ben", "Hello"]);
    assert!(err(&both).contains("cannot be used with"), "{both:?}");
}

#[tokio::test]
async fn stages_and_a_routers_choice_are_seen_once() {
    let house = with_team(
        json!([
            {"match": "Go", "system": "You are Vera.", "calls": [{"name": "complete_stage", "arguments": {}}]},
            {"system": "You are Ben.", "text": "Written."},
        ]),
        "pipeline",
    )
    .await;
    let said = house.chat(&["--team", "car-desk", "Go"]);
    assert_eq!(out(&said), "Written.\n", "{said:?}");
    assert_eq!(err(&said).matches("→ stage 2 of 2, Ben's: handed to Ben\n").count(), 1, "{said:?}");

    let route =
        json!({"name": "route", "arguments": {"decision": "switch", "agent": "ben", "summary": "A car."}});
    let house = with_team(
        json!([
            {"system": "You route the messages", "calls": [route]},
            {"system": "You are Ben.", "text": "Which car?"},
        ]),
        "router",
    )
    .await;
    let said = house.chat(&["--team", "Car Desk", "I want a car"]);
    assert_eq!(out(&said), "Which car?\n", "{said:?}");
    assert_eq!(err(&said).matches("→ handed to Ben\n").count(), 1, "{said:?}");
}

#[tokio::test]
async fn what_was_only_said_is_told() {
    let house =
        with_team(json!([{"system": "You are Vera.", "text": "I'll transfer you to Ben now."}]), "swarm")
            .await;
    let said = house.chat(&["--team", "car-desk", "I want a car"]);
    assert_eq!(said.status.code(), Some(0), "{said:?}");
    assert!(err(&said).contains("Ben was said to take over"), "{said:?}");
}
