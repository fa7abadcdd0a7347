//! The packs, each played end to end by the demo model: what people say, who answers, and what is kept.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::talk::{Got, conversation_of};
use crate::test_app::{Actor, TestApp, text};

/// A team hired from a pack, and the conversation with it.
struct Story<'a> {
    person: Actor<'a>,
    team: Value,
    conversation: Option<String>,
}

impl<'a> Story<'a> {
    async fn begin(person: Actor<'a>, pack: &str, team: &str) -> Self {
        let path = format!("/api/packs/{pack}/teams/{team}/hire");
        let hired = person.post(&path, json!({"workspaceId": person.workspace})).await;
        let team = hired.expect(StatusCode::CREATED)["id"].clone();
        Self { person, team, conversation: None }
    }

    /// Says something and reads the turn; who spoke, in order, with what they said.
    async fn say(&mut self, message: &str) -> Turn {
        let mut body = json!({"message": message, "workspaceId": self.person.workspace});
        match &self.conversation {
            Some(id) => body["conversationId"] = json!(id),
            None => body["teamId"] = self.team.clone(),
        }
        let events = self.person.send(&body).await.rest().await;
        self.conversation = Some(conversation_of(&events));
        let turn = Turn { events };
        eprintln!("{}", turn.told(message));
        turn
    }

    async fn read(&self, what: &str) -> Value {
        let id = self.conversation.as_deref().expect("a conversation");
        self.person.get_owned(format!("/api/agent-conversations/{id}{what}")).await
    }
}

struct Turn {
    events: Vec<Got>,
}

impl Turn {
    fn told(&self, message: &str) -> String {
        let mut told = format!("> {message}");
        for got in &self.events {
            let line = match got.name.as_str() {
                "message_start" => format!("\n[{}] ", got.data["agentName"].as_str().unwrap_or_default()),
                "text" => got.data["content"].as_str().unwrap_or_default().to_owned(),
                "tool_start" => format!("\n  ({} {})", got.data["toolName"], got.data["args"]),
                "tool_result" => format!("\n  (= {})", got.data["result"]),
                "handoff" => format!("\n  -> {} {}", got.data["toName"], got.data["trigger"]),
                "error" => format!("\n  !! {}", got.data["message"]),
                "done" => format!("\n  {}", got.data["status"]),
                _ => String::new(),
            };
            told.push_str(&line);
        }
        told
    }

    /// Who spoke, in order.
    fn speakers(&self) -> Vec<String> {
        let starts = self.events.iter().filter(|got| got.name == "message_start");
        starts.map(|got| text(&got.data["agentName"])).collect()
    }

    fn handoffs(&self) -> Vec<(String, String)> {
        let handed = self.events.iter().filter(|got| got.name == "handoff");
        handed.map(|got| (text(&got.data["toName"]), text(&got.data["trigger"]))).collect()
    }
}

#[tokio::test]
async fn a_procurement_desk() {
    let app = TestApp::new().await;
    let mut story = Story::begin(app.person("ana").await, "procurement", "procurement-desk").await;
    story.say("Hello, what can you do for me?").await;
    let turn = story.say("I need to write a request for proposal for 40 laptops").await;
    assert_eq!(turn.handoffs(), [("RFP Design".to_owned(), "model".to_owned())]);
    assert_eq!(turn.speakers().last().map(String::as_str), Some("RFP Design"));
    let turn = story.say("Something is broken: I can't open my account").await;
    assert_eq!(turn.speakers().last().map(String::as_str), Some("Support"));
    app.end().await;
}

#[tokio::test]
async fn an_outreach_swarm() {
    let app = TestApp::new().await;
    let mut story = Story::begin(app.person("ana").await, "outreach", "outreach").await;
    let turn = story.say("Lead 42 needs a follow-up in the outreach campaign").await;
    assert_eq!(turn.speakers().last().map(String::as_str), Some("SDR"));
    let turn = story.say("Translate into Danish: The budget is spent.").await;
    assert!(!turn.speakers().is_empty());
    app.end().await;
}

#[tokio::test]
async fn an_assessment_pipeline() {
    let app = TestApp::new().await;
    let mut story = Story::begin(app.person("ana").await, "assessment", "readiness-assessment").await;
    for message in [
        "Hi, I'd like an assessment",
        "The company is Nordwind",
        "We are in logistics",
        "We are 35 people",
        "We want to automate invoicing",
        "4",
        "3",
        "5",
        "2",
        "4",
    ] {
        story.say(message).await;
    }
    eprintln!("{:#}", story.read("/snapshots").await);
    app.end().await;
}

#[tokio::test]
async fn a_fleet_office() {
    let app = TestApp::new().await;
    let mut story = Story::begin(app.person("ana").await, "fleet", "fleet-office").await;
    for message in [
        "Hello",
        "I want a quote for a new car",
        "A Toyota",
        "The budget is 200000 DKK",
        "within two months",
        "leasing",
        "I want to upload my driver's license, it expires on 2027-05-01",
        "Which of my documents expire soon?",
        "Please book an inspection appointment next Tuesday at 10",
    ] {
        story.say(message).await;
    }
    eprintln!("{:#}", story.read("/activations").await);
    app.end().await;
}
