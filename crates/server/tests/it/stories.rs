//! The packs, each played end to end by a script (`scripts/`): what people say, which agent answers, and what is
//! stored.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::approvals::decision;
use crate::talk::{Got, conversation_of, scripted, text_of};
use crate::test_app::{Actor, TestApp, text};

/// A team hired from a pack, and the conversation with it.
pub struct Story<'a> {
    person: Actor<'a>,
    team: Value,
    conversation: Option<String>,
}

impl<'a> Story<'a> {
    pub async fn begin(person: Actor<'a>, pack: &str, team: &str) -> Self {
        let path = format!("/api/packs/{pack}/teams/{team}/hire");
        let hired = person.post(&path, json!({"workspaceId": person.workspace})).await;
        let team = hired.expect(StatusCode::CREATED)["id"].clone();
        Self { person, team, conversation: None }
    }

    /// Says something and reads the turn; who spoke, in order, with what they said.
    pub async fn say(&mut self, message: &str) -> Turn {
        let turn = self.ask(message).await;
        assert_eq!(turn.status(), json!("completed"));
        turn
    }

    /// The same, of a turn that may wait for its person.
    pub async fn ask(&mut self, message: &str) -> Turn {
        let mut body = json!({"message": message, "workspaceId": self.person.workspace});
        match &self.conversation {
            Some(id) => body["conversationId"] = json!(id),
            None => body["teamId"] = self.team.clone(),
        }
        let events = self.person.send(&body).await.rest().await;
        self.conversation = Some(conversation_of(&events));
        let turn = Turn { events };
        // Shown where an assertion fails.
        eprintln!("{}", turn.told(message));
        turn
    }

    async fn activations(&self) -> Vec<Value> {
        let all = self.read("/activations").await;
        all.as_array().expect("a list").clone()
    }

    /// What an agent has noted, by its last activation.
    async fn noted(&self, agent: &str) -> Value {
        let all = self.activations().await;
        let own = all.iter().rfind(|one| one["agent_name"] == agent);
        own.unwrap_or_else(|| panic!("{agent} had no part"))["context_data"].clone()
    }

    async fn read(&self, what: &str) -> Value {
        let id = self.conversation.as_deref().expect("a conversation");
        self.person.get_owned(format!("/api/agent-conversations/{id}{what}")).await
    }
}

pub struct Turn {
    pub events: Vec<Got>,
}

impl Turn {
    /// How it ended; null while it waits for a person.
    pub fn status(&self) -> Value {
        self.events.last().map(|got| got.data["status"].clone()).unwrap_or_default()
    }

    pub fn told(&self, message: &str) -> String {
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
    pub fn speakers(&self) -> Vec<String> {
        let starts = self.events.iter().filter(|got| got.name == "message_start");
        starts.map(|got| text(&got.data["agentName"])).collect()
    }

    pub fn said(&self) -> String {
        text_of(&self.events)
    }

    pub fn called(&self) -> Vec<(String, Value)> {
        let calls = self.events.iter().filter(|got| got.name == "tool_start");
        calls.map(|got| (text(&got.data["toolName"]), got.data["args"].clone())).collect()
    }

    pub fn handoffs(&self) -> Vec<(String, String)> {
        let handed = self.events.iter().filter(|got| got.name == "handoff");
        handed.map(|got| (text(&got.data["toName"]), text(&got.data["trigger"]))).collect()
    }
}

/// Approves what a turn waits for, and reads on until it is done or waits again.
pub async fn approve(person: &Actor<'_>, turn: &Turn) -> Turn {
    let asked = turn.events.iter().rfind(|got| got.name == "approval_required").expect("a person is asked");
    let session = turn.events.iter().find(|got| got.name == "session").expect("a session");
    let mut rest = person.follow(&conversation_of(&turn.events), asked.id.as_deref().expect("an id")).await;
    let path = format!("/api/approvals/{}/approve", text(&asked.data["approvalId"]));
    person.post(&path, decision(&asked.data, json!({}))).await.expect(StatusCode::OK);
    let mut events = vec![session.clone()];
    while let Some(got) = rest.next().await {
        let is_last = got.name == "done" || got.name == "approval_required";
        events.push(got);
        if is_last {
            break;
        }
    }
    Turn { events }
}

/// A handoff as the stream tells it.
fn to(name: &str, trigger: &str) -> Vec<(String, String)> {
    vec![(name.to_owned(), trigger.to_owned())]
}

async fn played(script: &str) -> (TestApp, tempfile::NamedTempFile) {
    scripted(serde_json::from_str(script).expect("a script")).await
}

#[tokio::test]
async fn a_procurement_desk() {
    let (app, _script) = played(include_str!("scripts/procurement.json")).await;
    let mut story = Story::begin(app.person("ana").await, "procurement", "procurement-desk").await;
    assert_eq!(story.say("Hello, what can you do for me?").await.speakers(), ["Solutions"]);

    let turn = story.say("I need to write a request for proposal for 40 laptops").await;
    assert_eq!(turn.handoffs(), to("RFP Design", "model"));
    assert_eq!(turn.speakers(), ["Solutions", "RFP Design"]);
    assert_eq!(story.noted("RFP Design").await["item"], "40 laptops");

    let turn = story.say("Something is broken: I can't open my account").await;
    assert_eq!(turn.handoffs(), to("Support", "model"));
    assert_eq!(turn.speakers(), ["RFP Design", "Support"]);
    assert_eq!(story.noted("Support").await["problem"], "The account doesn't open");
    let held = story.read("").await["active"].clone();
    assert_eq!(held["agentName"], "Support");
    let ended: Vec<Value> = story.activations().await.iter().map(|one| one["status"].clone()).collect();
    assert_eq!(ended, ["completed", "completed", "active"], "a swarm's handoff ends what was");
    app.end().await;
}

#[tokio::test]
async fn an_outreach_swarm() {
    let (app, _script) = played(include_str!("scripts/outreach.json")).await;
    let mut story = Story::begin(app.person("ana").await, "outreach", "outreach").await;
    let turn = story.say("Please follow up this qualified lead").await;
    assert_eq!((turn.speakers(), turn.handoffs()), (vec!["Outreach Lead".to_owned()], vec![]));
    let turn = story.say("It's L-42").await;
    assert_eq!(turn.called(), [("handoff_to_sdr".to_owned(), json!({"lead_id": "L-42"}))]);
    assert_eq!(turn.handoffs(), to("SDR", "model"));
    assert_eq!(turn.speakers(), ["Outreach Lead", "SDR"]);

    let turn = story.say("Translate into Danish: The budget is spent.").await;
    let text = json!({"target_language": "Danish", "text": "The budget is spent."});
    assert_eq!(turn.called(), [("handoff_to_translator".to_owned(), text)]);
    assert_eq!(turn.handoffs(), to("Translator", "model"));

    let turn = story.say("There is a problem with ticket T-9, it's urgent").await;
    let priorities: Vec<Value> =
        turn.called().into_iter().map(|(_, args)| args["priority"].clone()).collect();
    assert_eq!(priorities, ["soonish", "urgent"], "what is none of the choices is refused, and mended");
    assert_eq!(turn.handoffs(), to("Customer Support", "model"));
    assert_eq!(turn.speakers(), ["Translator", "Customer Support"]);
    let turn = story.say("The invoice shows the wrong name").await;
    assert_eq!((turn.speakers(), turn.handoffs()), (vec!["Customer Support".to_owned()], vec![]));
    app.end().await;
}

#[tokio::test]
async fn an_assessment_pipeline() {
    let (app, _script) = played(include_str!("scripts/assessment.json")).await;
    let mut story = Story::begin(app.person("ana").await, "assessment", "readiness-assessment").await;
    let turn = story.say("Hi, I'd like an assessment").await;
    assert_eq!((turn.speakers(), turn.handoffs()), (vec!["Qualifier".to_owned()], vec![]));
    let turn = story.say("We are Nordwind, a logistics company with 35 people").await;
    assert_eq!(turn.called()[0].1, json!({"company": "Nordwind"}), "too little, and refused");
    assert_eq!(turn.speakers(), ["Qualifier", "Assessor", "Analyzer"], "without a word from the person");
    assert_eq!(turn.handoffs(), [to("Assessor", "completion"), to("Analyzer", "completion")].concat());

    let snapshots = story.read("/snapshots").await;
    let of = |stage: &str| {
        let mut all = snapshots.as_array().expect("a list").iter();
        all.find(|one| one["stage"] == stage).map(|one| one["data"].clone()).unwrap_or_default()
    };
    assert_eq!(of("qualification")["team_size"], 35);
    assert_eq!(of("assessment")["data_answer"], "only on paper");
    assert_eq!(of("report")["recommendation"], "Begin with data.");

    let turn = story.say("What is the recommendation?").await;
    assert_eq!((turn.speakers(), turn.called()), (vec!["Analyzer".to_owned()], vec![]), "nothing is redone");
    let turn = story.say("Please write the report again").await;
    assert_eq!(turn.called()[0].0, "complete_stage");
    let newest = story.read("/snapshots").await;
    let versions = newest.as_array().expect("a list").iter().filter(|one| one["stage"] == "report");
    assert_eq!(versions.count(), 2);
    let log = story.read("").await;
    let messages = log["messages"].as_array().expect("messages").iter();
    let asked = messages.filter(|one| one["role"] == "user" && one["metadata"]["synthetic"] != true);
    assert_eq!(asked.count(), 4, "the person said no more than that");
    app.end().await;
}

#[tokio::test]
async fn a_fleet_office_makes_an_offer_and_comes_back_to_it() {
    let (app, _script) = played(include_str!("scripts/fleet.json")).await;
    let mut story = Story::begin(app.person("ana").await, "fleet", "fleet-office").await;
    assert_eq!(story.say("Hello").await.speakers(), ["Fleet Assistant"]);
    let turn = story.say("I want a quote for a new car").await;
    assert_eq!(turn.handoffs(), to("Vehicle Offers", "router"));
    let turn = story.say("A Toyota").await;
    assert_eq!((turn.speakers(), turn.handoffs()), (vec!["Vehicle Offers".to_owned()], vec![]));

    let turn = story.say("I want to upload my driver's license, it expires on 2027-05-01").await;
    assert_eq!(turn.handoffs(), to("Fleet Documents", "router"), "another subject in between");

    let turn = story.say("Back to the car quote: my budget is 200000 DKK").await;
    assert_eq!(turn.handoffs(), to("Vehicle Offers", "router"));
    let all = story.activations().await;
    let own: Vec<&Value> = all.iter().filter(|one| one["agent_name"] == "Vehicle Offers").collect();
    assert_eq!(own[1]["resumes"], own[0]["id"]);
    assert_eq!(own[1]["context_data"], json!({"brand": "Toyota", "budget": "200000 DKK"}));

    let turn = story.say("leasing").await;
    assert_eq!(turn.handoffs(), to("Fleet Assistant", "completion"));
    assert_eq!(turn.speakers(), ["Vehicle Offers", "Fleet Assistant"]);
    let last = story.activations().await.last().cloned().expect("one");
    let summary = json!("A Toyota for 200000 DKK, leased.");
    assert_eq!((&last["agent_name"], &last["summary"]), (&json!("Fleet Assistant"), &summary));
    app.end().await;
}

#[tokio::test]
async fn a_fleet_office_files_documents_and_knows_when_they_expire() {
    let (app, _script) = played(include_str!("scripts/fleet.json")).await;
    let mut story = Story::begin(app.person("ana").await, "fleet", "fleet-office").await;
    story.say("I want to upload my driver's license, it expires on 2027-05-01").await;
    let license = json!({"type": "driver's license", "expires_on": "2027-05-01"});
    assert_eq!(story.noted("Fleet Documents").await, json!({"documents": [license]}));

    let turn = story.say("Which of my documents expire soon?").await;
    let there_and_back = [to("Fleet Compliance", "router"), to("Fleet Assistant", "completion")].concat();
    assert_eq!(turn.handoffs(), there_and_back);
    let read = turn.events.iter().find(|got| got.name == "tool_result").expect("a result");
    assert!(read.data["result"].to_string().contains("2027-05-01"), "its teammate's notes: {}", read.data);
    app.end().await;
}
