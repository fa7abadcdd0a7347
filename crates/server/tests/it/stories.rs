//! The packs, each played end to end by the demo model: what people say, who answers, and what is kept.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::attachments::attach;
use crate::talk::{Got, conversation_of, text_of};
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
        self.send(message, json!([])).await
    }

    async fn send(&mut self, message: &str, attachments: Value) -> Turn {
        let mut body = json!({
            "message": message, "workspaceId": self.person.workspace, "attachments": attachments,
        });
        match &self.conversation {
            Some(id) => body["conversationId"] = json!(id),
            None => body["teamId"] = self.team.clone(),
        }
        let events = self.person.send(&body).await.rest().await;
        self.conversation = Some(conversation_of(&events));
        let turn = Turn { events };
        // Shown where an assertion fails.
        eprintln!("{}", turn.told(message));
        assert_eq!(turn.events.last().map(|got| got.data["status"].clone()), Some(json!("completed")));
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

    fn said(&self) -> String {
        text_of(&self.events)
    }

    fn called(&self) -> Vec<(String, Value)> {
        let calls = self.events.iter().filter(|got| got.name == "tool_start");
        calls.map(|got| (text(&got.data["toolName"]), got.data["args"].clone())).collect()
    }

    fn handoffs(&self) -> Vec<(String, String)> {
        let handed = self.events.iter().filter(|got| got.name == "handoff");
        handed.map(|got| (text(&got.data["toName"]), text(&got.data["trigger"]))).collect()
    }
}

/// A handoff as the stream tells it.
fn to(name: &str, trigger: &str) -> Vec<(String, String)> {
    vec![(name.to_owned(), trigger.to_owned())]
}

#[tokio::test]
async fn a_procurement_desk() {
    let app = TestApp::new().await;
    let mut story = Story::begin(app.person("ana").await, "procurement", "procurement-desk").await;
    let turn = story.say("Hello, what can you do for me?").await;
    assert_eq!(turn.speakers(), ["Solutions"]);
    assert!(turn.said().contains("RFP Design or Support"), "the agents' own names");

    let turn = story.say("I need to write a request for proposal for 40 laptops").await;
    assert_eq!(turn.handoffs(), to("RFP Design", "model"));
    assert_eq!(turn.speakers(), ["Solutions", "RFP Design"]);
    for (answer, asked) in [
        ("At least 16 GB of memory", "**budget**"),
        ("60000 EUR", "**deadline**"),
        ("2027-01-15", "**criteria**"),
    ] {
        let turn = story.say(answer).await;
        assert_eq!((turn.speakers(), turn.handoffs()), (vec!["RFP Design".to_owned()], vec![]));
        assert!(turn.said().contains(asked), "one question at a time: {}", turn.said());
    }
    let turn = story.say("Price 60, warranty 40").await;
    assert!(turn.said().contains("**6. What an offer must contain**"), "a whole draft: {}", turn.said());
    for part in ["40 laptops", "16 GB", "60000 EUR", "2027-01-15", "warranty 40"] {
        assert!(turn.said().contains(part), "the draft has no {part}: {}", turn.said());
    }
    assert_eq!(story.noted("RFP Design").await["item"], "40 laptops");

    let turn = story.say("Something is broken: I can't open my account").await;
    assert_eq!(turn.handoffs(), to("Support", "model"));
    assert_eq!(turn.speakers(), ["RFP Design", "Support"]);
    assert_eq!(story.noted("Support").await["problem"], "Something is broken: I can't open my account");
    let held = story.read("").await["active"].clone();
    assert_eq!(held["agentName"], "Support");
    let ended: Vec<Value> = story.activations().await.iter().map(|one| one["status"].clone()).collect();
    assert_eq!(ended, ["completed", "completed", "active"], "a swarm's handoff ends what was");
    app.end().await;
}

#[tokio::test]
async fn an_outreach_swarm() {
    let app = TestApp::new().await;
    let mut story = Story::begin(app.person("ana").await, "outreach", "outreach").await;
    let turn = story.say("Please follow up this qualified lead").await;
    assert_eq!((turn.speakers(), turn.handoffs()), (vec!["Outreach Lead".to_owned()], vec![]));
    assert!(turn.said().contains("**lead ID**"), "what is required is asked for: {}", turn.said());
    let turn = story.say("It's L-42").await;
    assert_eq!(turn.called(), [("handoff_to_sdr".to_owned(), json!({"lead_id": "L-42"}))]);
    assert_eq!(turn.handoffs(), to("SDR", "model"));
    assert_eq!(turn.speakers(), ["Outreach Lead", "SDR"]);
    assert!(turn.said().contains("lead ID: L-42"), "the facts came along: {}", turn.said());
    assert!(turn.said().contains("**First message, a draft**"), "and became work: {}", turn.said());

    let turn = story.say("Translate into Danish: The budget is spent.").await;
    let text = json!({"target_language": "Danish", "text": "The budget is spent."});
    assert_eq!(turn.called(), [("handoff_to_translator".to_owned(), text)]);
    assert_eq!(turn.handoffs(), to("Translator", "model"));
    assert!(turn.said().contains("target language: Danish"), "{}", turn.said());
    assert!(turn.said().contains("can't translate"), "it says what it can't: {}", turn.said());

    let turn = story.say("There is a problem with ticket T-9, it's urgent").await;
    let ticket = json!({"ticket_id": "T-9", "priority": "urgent"});
    assert_eq!(turn.called(), [("handoff_to_support".to_owned(), ticket)]);
    assert_eq!(turn.handoffs(), to("Customer Support", "model"));
    assert_eq!(turn.speakers(), ["Translator", "Customer Support"]);
    assert!(turn.said().contains("ticket ID: T-9"), "{}", turn.said());
    let turn = story.say("The invoice shows the wrong name").await;
    assert_eq!((turn.speakers(), turn.handoffs()), (vec!["Customer Support".to_owned()], vec![]));
    assert!(turn.said().contains("problem: The invoice shows the wrong name"), "{}", turn.said());
    app.end().await;
}

const ABOUT_NORDWIND: &str = "We are Nordwind, a logistics company with 35 people, and we want to automate invoicing. \
    Our processes are documented and measured. The data is only on paper. Our people have no time for it.";

#[tokio::test]
async fn an_assessment_pipeline() {
    let app = TestApp::new().await;
    let mut story = Story::begin(app.person("ana").await, "assessment", "readiness-assessment").await;
    let turn = story.say(ABOUT_NORDWIND).await;
    assert_eq!(turn.speakers(), ["Qualifier", "Assessor", "Analyzer"], "without a word from the person");
    assert_eq!(turn.handoffs(), [to("Assessor", "completion"), to("Analyzer", "completion")].concat());

    let snapshots = story.read("/snapshots").await;
    let of = |stage: &str| {
        let mut all = snapshots.as_array().expect("a list").iter();
        all.find(|one| one["stage"] == stage).map(|one| one["data"].clone()).unwrap_or_default()
    };
    let facts = of("qualification");
    assert_eq!(
        (&facts["company"], &facts["industry"], &facts["team_size"], &facts["goal"]),
        (&json!("Nordwind"), &json!("logistics"), &json!(35), &json!("automate invoicing"))
    );
    let scores = of("assessment");
    assert_eq!(
        (&scores["processes_score"], &scores["data_score"], &scores["people_score"]),
        (&json!(4), &json!(2), &json!(2))
    );
    assert!(text(&scores["data_answer"]).contains("only on paper"), "{scores}");
    let report = of("report");
    assert!(text(&report["strengths"][0]).starts_with("Processes (4 of 5)"), "{report}");
    assert!(report["gaps"].to_string().contains("Data (2 of 5)"), "{report}");
    assert!(text(&report["recommendation"]).contains("Begin with data"), "{report}");
    assert!(text(&report["summary"]).contains("Nordwind"), "{report}");
    assert!(turn.said().contains("**Recommendation**"), "the person is told the report: {}", turn.said());

    let turn = story.say("What is the recommendation?").await;
    assert_eq!((turn.speakers(), turn.called()), (vec!["Analyzer".to_owned()], vec![]), "nothing is redone");
    assert!(turn.said().contains("Begin with data"), "{}", turn.said());
    let turn = story.say("Please write the report again").await;
    assert_eq!(turn.called()[0].0, "complete_stage");
    let newest = story.read("/snapshots").await;
    let versions = newest.as_array().expect("a list").iter().filter(|one| one["stage"] == "report");
    assert_eq!(versions.count(), 2);
    let log = story.read("").await;
    let asked = log["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .filter(|one| one["role"] == "user" && one["metadata"]["synthetic"] != true);
    assert_eq!(asked.count(), 3, "the person said no more than that");
    app.end().await;
}

#[tokio::test]
async fn an_assessment_asks_for_what_is_missing() {
    let app = TestApp::new().await;
    let mut story = Story::begin(app.person("ana").await, "assessment", "readiness-assessment").await;
    for (message, asked) in [
        ("Hi, I'd like an assessment", "**company**"),
        ("The company is Nordwind", "**industry**"),
        ("We are in logistics", "**team size**"),
        ("We are 35 people", "**goal**"),
    ] {
        let turn = story.say(message).await;
        assert_eq!((turn.speakers(), turn.handoffs()), (vec!["Qualifier".to_owned()], vec![]));
        assert!(turn.said().contains(asked), "{}", turn.said());
    }
    assert_eq!(story.noted("Qualifier").await["industry"], "logistics");
    let turn = story.say("We want to automate invoicing").await;
    assert_eq!(turn.speakers(), ["Qualifier", "Assessor", "Analyzer"]);
    assert!(turn.said().contains("assumption"), "what nobody said is marked: {}", turn.said());
    app.end().await;
}

#[tokio::test]
async fn a_fleet_office_makes_an_offer_and_comes_back_to_it() {
    let app = TestApp::new().await;
    let mut story = Story::begin(app.person("ana").await, "fleet", "fleet-office").await;
    assert_eq!(story.say("Hello").await.speakers(), ["Fleet Assistant"]);
    let turn = story.say("I want a quote for a new car").await;
    assert_eq!(turn.handoffs(), to("Vehicle Offers", "router"));
    assert!(turn.said().contains("**brand**"), "{}", turn.said());
    let turn = story.say("A Toyota").await;
    assert_eq!((turn.speakers(), turn.handoffs()), (vec!["Vehicle Offers".to_owned()], vec![]));
    assert!(turn.said().contains("**budget**"), "{}", turn.said());

    let turn = story.say("I want to upload my driver's license, it expires on 2027-05-01").await;
    assert_eq!(turn.handoffs(), to("Fleet Documents", "router"), "another subject in between");

    let turn = story.say("Back to the car quote: my budget is 200000 DKK").await;
    assert_eq!(turn.handoffs(), to("Vehicle Offers", "router"));
    assert!(turn.said().contains("**timeframe**"), "it knows what it knew: {}", turn.said());
    let all = story.activations().await;
    let own: Vec<&Value> = all.iter().filter(|one| one["agent_name"] == "Vehicle Offers").collect();
    assert_eq!(own[1]["resumes"], own[0]["id"]);
    assert_eq!(own[1]["context_data"], json!({"brand": "Toyota", "budget": "200000 DKK"}));

    assert!(story.say("within two months").await.said().contains("**financing**"));
    let turn = story.say("leasing").await;
    assert_eq!(turn.handoffs(), to("Fleet Assistant", "completion"));
    assert_eq!(turn.speakers(), ["Vehicle Offers", "Fleet Assistant"]);
    let request = "Brand: Toyota; budget: 200000 DKK; timeframe: two months; financing: leasing.";
    assert!(turn.said().contains(request), "the request is summed up: {}", turn.said());
    let last = story.activations().await.last().cloned().expect("one");
    assert_eq!((&last["agent_name"], &last["summary"]), (&json!("Fleet Assistant"), &json!(request)));
    app.end().await;
}

#[tokio::test]
async fn a_fleet_office_files_documents_and_knows_when_they_expire() {
    let app = TestApp::new().await;
    let mut story = Story::begin(app.person("ana").await, "fleet", "fleet-office").await;
    story.say("I want to upload my driver's license, it expires on 2027-05-01").await;
    let license = json!({"type": "driver's license", "expires_on": "2027-05-01"});
    assert_eq!(story.noted("Fleet Documents").await, json!({"documents": [license]}));

    let turn = story.say("Which of my documents expire soon?").await;
    let there_and_back = [to("Fleet Compliance", "router"), to("Fleet Assistant", "completion")].concat();
    assert_eq!(turn.handoffs(), there_and_back);
    let noted = story.noted("Fleet Compliance").await;
    assert_eq!(noted["upcoming"][0]["expires_on"], "2027-05-01", "{noted}");
    assert!(turn.called().iter().any(|(name, _)| name == "read_context"), "{:?}", turn.called());
    assert!(turn.said().contains("2027-05-01"), "from its teammate's notes: {}", turn.said());

    let file = "Type: insurance\nHolder: Nordwind\nValid until 2028-12-20\n";
    let sent = attach(&story.person, "policy.txt", file).await.expect(StatusCode::CREATED);
    let turn = story.send("Please file the attached document", json!([sent["id"]])).await;
    assert_eq!(turn.handoffs(), to("Fleet Documents", "router"));
    let policy = json!({"type": "insurance", "expires_on": "2028-12-20", "file": "policy.txt"});
    assert_eq!(
        story.noted("Fleet Documents").await,
        json!({"documents": [license, policy]}),
        "both are kept"
    );
    let turn = story.say("When does my insurance expire?").await;
    assert_eq!(turn.speakers(), ["Fleet Compliance", "Fleet Assistant"]);
    assert!(turn.said().contains("2028-12-20") && !turn.said().contains("2027-05-01"), "{}", turn.said());
    app.end().await;
}

#[tokio::test]
async fn a_fleet_office_books_an_appointment() {
    let app = TestApp::new().await;
    let mut story = Story::begin(app.person("ana").await, "fleet", "fleet-office").await;
    let turn = story.say("Please book an inspection appointment next Tuesday at 10").await;
    assert_eq!(turn.handoffs(), to("Fleet Booking", "router"));
    assert!(turn.said().contains("**vehicle**"), "{}", turn.said());
    assert!(story.say("the Toyota").await.said().contains("**place**"));
    let turn = story.say("any").await;
    assert_eq!(turn.handoffs(), to("Fleet Assistant", "completion"));
    let booked = story.noted("Fleet Booking").await["appointment"].clone();
    let day = text(&booked["date"]);
    assert!(day.len() == 10 && day.starts_with("20"), "a date, not “next Tuesday”: {booked}");
    assert_eq!((&booked["time"], &booked["place"]), (&json!("10:00"), &json!("any")));
    assert!(text(&booked["purpose"]).contains("inspection") && text(&booked["vehicle"]).contains("Toyota"));
    app.end().await;
}

#[tokio::test]
async fn a_fleet_office_reads_an_appointment_and_a_document_as_they_are_given() {
    let app = TestApp::new().await;
    let mut story = Story::begin(app.person("ana").await, "fleet", "fleet-office").await;
    let turn = story.say("Book a tyre change for AB12345 on 2026-11-20 at 10:00 in Aarhus").await;
    assert_eq!(
        turn.handoffs(),
        [to("Fleet Booking", "router"), to("Fleet Assistant", "completion")].concat()
    );
    assert_eq!(
        story.noted("Fleet Booking").await["appointment"],
        json!({"purpose": "tyre change", "vehicle": "AB12345", "date": "2026-11-20", "time": "10:00",
               "place": "Aarhus"})
    );
    let file = "Vehicle registration certificate\nPlate: AB12345\nValid until 2026-12-24\n";
    let sent = attach(&story.person, "papers.txt", file).await.expect(StatusCode::CREATED);
    let turn = story.send("Please file this document", json!([sent["id"]])).await;
    assert_eq!(turn.handoffs(), to("Fleet Documents", "router"));
    let paper = json!({
        "type": "vehicle registration certificate", "expires_on": "2026-12-24", "file": "papers.txt",
    });
    assert_eq!(story.noted("Fleet Documents").await, json!({"documents": [paper]}));
    app.end().await;
}
