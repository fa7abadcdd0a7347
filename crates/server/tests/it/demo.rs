//! What the demo model promises: the sentences of docs/demo.md, and the starters of every pack.

use baton_core::packs::{Pack, PackAgent};
use baton_core::starters::Starter;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::stories::{Story, Turn};
use crate::talk::conversation_of;
use crate::test_app::{Actor, TestApp, text};

const DOCS: &str = include_str!("../../../../docs/demo.md");
const PACKS: [&str; 5] = [
    include_str!("../../../../packs/default.toml"),
    include_str!("../../../../packs/assessment.toml"),
    include_str!("../../../../packs/fleet.toml"),
    include_str!("../../../../packs/outreach.toml"),
    include_str!("../../../../packs/procurement.toml"),
];

/// The seed of a test's data: another each time, unless somebody wants to see one again.
pub fn chosen_seed() -> u64 {
    let seed = std::env::var("BATON_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("BATON_SEED={seed}");
    seed
}

/// Hires the teams of all packs. Whoever looks at starters looks at those of all these agents, so that none is forgotten.
pub async fn hire_everyone(person: &Actor<'_>) -> Vec<PackAgent> {
    let mut agents = Vec::new();
    for pack in PACKS.map(|pack| Pack::parse(pack).expect("a pack")) {
        for team in &pack.teams {
            let path = format!("/api/packs/{}/teams/{}/hire", pack.name, team.slug);
            person
                .post(&path, json!({"workspaceId": person.workspace}))
                .await
                .expect(reqwest::StatusCode::CREATED);
            for starter in &team.starters {
                // What those call is looked at where all starters are played; figures come from agents' own.
                let is_handoff = starter.tool.as_deref().is_none_or(|tool| tool.starts_with("handoff_to_"));
                assert!(is_handoff, "nobody checks {:?} of {}", starter.text, team.slug);
            }
        }
        agents.extend(pack.agents);
    }
    agents
}

/// With whom one talks.
enum With {
    Team(&'static str, &'static str),
    /// An agent of one's own, with these tools.
    Own(&'static [&'static str]),
    /// One that has a handoff tool of the workspace's own.
    TaxTool,
}

/// A sentence, who speaks in its turn, and what is called.
type Line = (&'static str, &'static [&'static str], &'static [&'static str]);

/// The conversations of docs/demo.md, in its order.
const TALKS: &[(With, &[Line])] = &[
    (With::Own(&["memory", "budgets"]), &[("Hello, who are you?", &["Nora"], &[])]),
    (With::Own(&[]), &[("What time is it?", &["Nora"], &["getCurrentTime"])]),
    (With::Own(&["memory"]), &[("Please remember that I like an aisle seat.", &["Nora"], &["manageMemory"])]),
    (With::Own(&["memory"]), &[("When is my budget review?", &["Nora"], &["manageMemory"])]),
    (
        With::Team("outreach", "outreach"),
        &[
            (
                "Please follow up lead L-42, win-back campaign",
                &["Outreach Lead", "SDR"],
                &["handoff_to_sdr", "manageCRM"],
            ),
            (
                "There is a problem with ticket T-9, it's urgent",
                &["SDR", "Customer Support"],
                &["handoff_to_support"],
            ),
        ],
    ),
    (
        With::Team("outreach", "outreach"),
        &[(
            "Follow up lead L-42 for the introduction campaign",
            &["Outreach Lead", "SDR"],
            &["handoff_to_sdr", "manageCRM"],
        )],
    ),
    (
        With::Team("assessment", "readiness-assessment"),
        &[(
            "Our company is Acme GmbH, our industry is logistics, we are 40 people and our goal is to answer customers within a day.",
            &["Qualifier", "Assessor", "Analyzer"],
            &["complete_stage", "complete_stage", "complete_stage"],
        )],
    ),
    (
        With::Team("fleet", "fleet-office"),
        &[
            ("I want a quote for a Toyota, budget 150-200k DKK", &["Vehicle Offers"], &["update_context"]),
            ("When does my insurance expire?", &["Fleet Compliance"], &["read_context"]),
            ("Back to the quote", &["Vehicle Offers"], &[]),
        ],
    ),
    (
        With::Team("procurement", "procurement-desk"),
        &[
            ("Hello, I need twenty desks.", &["Solutions"], &[]),
            (
                "I need to write a request for proposals for 40 laptops",
                &["Solutions", "RFP Design"],
                &["switch_agent"],
            ),
            ("Something is broken: I can't open my account", &["RFP Design", "Support"], &["switch_agent"]),
        ],
    ),
    (
        With::TaxTool,
        &[(
            "I have a question about the taxes on invoice INV-7",
            &["Nora", "Tax Desk"],
            &["handoff_to_tax_desk"],
        )],
    ),
];

async fn talk<'a>(person: &Actor<'a>, with: &With, lines: &[Line]) {
    let mut story = match with {
        With::Team(pack, team) => Some(Story::begin(person.clone(), pack, team).await),
        With::Own(_) | With::TaxTool => None,
    };
    for (sentence, speakers, calls) in lines {
        let turn = match (&mut story, with) {
            (Some(story), _) => story.say(sentence).await,
            (None, With::Own(tools)) => {
                let agent = person.make_agent("Nora", json!({"tools": tools})).await;
                say(person, &agent, sentence).await
            }
            (None, _) => say(person, &with_tax_tool(person).await, sentence).await,
        };
        assert_eq!(turn.speakers(), *speakers, "{}", turn.told(sentence));
        let called: Vec<String> = turn.called().into_iter().map(|(name, _)| name).collect();
        assert_eq!(called, *calls, "{}", turn.told(sentence));
        let waits = turn.events.iter().any(|got| got.name == "approval_required");
        assert!(waits || !turn.said().trim().is_empty(), "it says something: {}", turn.told(sentence));
    }
}

async fn with_tax_tool(person: &Actor<'_>) -> String {
    let desk = person.make_agent("Tax Desk", json!({})).await;
    let invoice = json!({"name": "invoice_id", "type": "string", "required": true, "description": "The id of the invoice"});
    let tool = json!({
        "workspaceId": person.workspace, "name": "handoff_to_tax_desk", "type": "handoff",
        "description": "Hands tax questions to the Tax Desk. Use it when somebody asks about taxes.",
        "config": {"target_agent_id": desk, "context_variables": [invoice]},
    });
    person.post("/api/tools", tool).await.expect(reqwest::StatusCode::CREATED);
    person.make_agent("Nora", json!({"tools": ["handoff_to_tax_desk"]})).await
}

async fn say(person: &Actor<'_>, agent: &str, message: &str) -> Turn {
    let body = json!({"message": message, "workspaceId": person.workspace, "agentId": agent});
    Turn { events: person.send(&body).await.rest().await }
}

#[tokio::test]
async fn the_sentences_of_the_docs_do_what_the_docs_say() {
    let promised: Vec<&str> =
        DOCS.lines().filter_map(|line| line.split('“').nth(1)?.split('”').next()).collect();
    let played: Vec<&str> = TALKS.iter().flat_map(|(_, lines)| lines.iter().map(|line| line.0)).collect();
    assert_eq!(played, promised, "docs/demo.md and this table have the same sentences");
    let app = TestApp::new().await;
    // The model takes its time for each word: people talk at once, each in one conversation.
    let all = TALKS.iter().enumerate().map(async |(at, (with, lines))| {
        talk(&app.person(&format!("ana{at}")).await, with, lines).await;
    });
    join_all(all).await;
    app.end().await;
}

/// Plays a starter where it stands; what it names is called with what it names.
fn check(turn: &Turn, starter: &Starter) {
    let told = turn.told(&starter.text);
    let waits = turn.events.iter().any(|got| got.name == "approval_required");
    assert!(waits || turn.status() == json!("completed"), "{told}");
    assert!(waits || !turn.said().trim().is_empty(), "{told}");
    assert!(!turn.events.iter().any(|got| got.name == "error"), "{told}");
    if let Some(tool) = &starter.tool {
        let args = Value::Object(starter.args.clone());
        assert!(turn.called().contains(&(tool.clone(), args)), "{told}");
    }
}

#[tokio::test]
async fn every_starter_works() {
    let app = TestApp::new().await;
    // The model takes its time for each word: the packs are played at once, each by a person of its own.
    let all = PACKS.iter().map(async |pack| {
        let pack = Pack::parse(pack).expect("a pack");
        let ana = app.person(&format!("ana.{}", pack.name)).await;
        for team in &pack.teams {
            assert!((2..=4).contains(&team.starters.len()), "{}", team.slug);
            let path = format!("/api/packs/{}/teams/{}/hire", pack.name, team.slug);
            let hired = ana.post(&path, json!({"workspaceId": ana.workspace})).await;
            let hired = hired.expect(reqwest::StatusCode::CREATED);
            let shown: Vec<Value> = hired["starters"].as_array().expect("starters").clone();
            assert_eq!(shown.len(), team.starters.len());
            for starter in &team.starters {
                let body =
                    json!({"message": starter.text, "workspaceId": ana.workspace, "teamId": hired["id"]});
                check(&Turn { events: ana.send(&body).await.rest().await }, starter);
            }
        }
        let agents = ana.get_owned(format!("/api/agents?workspaceId={}&limit=100", ana.workspace)).await;
        for agent in &pack.agents {
            assert!((2..=4).contains(&agent.starters.len()), "{}", agent.slug);
            let mut all = agents["agents"].as_array().expect("agents").iter();
            let listed = all.find(|one| one["name"] == agent.name.as_str()).expect("hired");
            assert_eq!(listed["starters"].as_array().map(Vec::len), Some(agent.starters.len()), "{listed}");
            for starter in &agent.starters {
                check(&say(&ana, &text(&listed["localAgentId"]), &starter.text).await, starter);
            }
        }
    });
    join_all(all).await;
    app.end().await;
}

#[tokio::test]
async fn an_agent_names_the_tools_that_are_not_there() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let agent = ana.make_agent("Coach", json!({"tools": ["webSearch", "memory"]})).await;
    let turn = say(&ana, &agent, "Which offers are close to their end?").await;
    // It looks into its memory first, and says what it found there.
    assert_eq!(turn.called()[0].0, "manageMemory");
    let turn = say(&ana, &agent, "Hello").await;
    assert!(turn.said().contains("Web Search"), "{}", turn.said());
    assert!(turn.said().contains("demo model") && !conversation_of(&turn.events).is_empty());
    app.end().await;
}
