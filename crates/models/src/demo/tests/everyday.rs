//! Everyday requests to a workspace full of tools: the right one is found among many that use similar words.

use baton_core::tools::ToolSpec;
use serde_json::{Value, json};

use super::Expect::{Calls, Says};
use super::{COACH, answered, ask, check, clock, memory, request, said, tool, user};

fn with_actions(name: &str, description: &str, actions: &[&str], mut properties: Value) -> ToolSpec {
    properties["action"] = json!({"type": "string", "enum": actions});
    tool(name, description, properties, &["action"])
}

fn workspace() -> Vec<ToolSpec> {
    let text = json!({"type": "string"});
    let date = json!({"type": "string", "format": "date"});
    vec![
        with_actions(
            "manageTransactions",
            "Query, categorize and annotate financial transactions.",
            &["search", "list", "categorize", "annotate"],
            json!({"query": text, "id": text, "category": text, "note": text, "from": date, "to": date}),
        ),
        with_actions(
            "manageBudgets",
            "View budget status, create budgets and track spending.",
            &["list", "status", "create", "update", "delete"],
            json!({"id": text, "name": text, "amount": {"type": "number"}, "period": {"enum": ["weekly", "monthly", "yearly"]}}),
        ),
        with_actions(
            "manageCRM",
            "CRM data: leads and opportunities.",
            &["list_leads", "create_lead", "update_lead", "list_opportunities"],
            json!({"name": text, "email": {"type": "string", "format": "email"}, "lead_id": text, "status": {"enum": ["open", "contacted", "qualified", "lost"]}}),
        ),
        with_actions(
            "manageProjects",
            "Projects, their tasks and team assignments.",
            &["list_projects", "create_project", "list_tasks", "create_task", "update_task"],
            json!({"project": text, "title": text, "assignee": text, "due_date": date, "status": {"enum": ["todo", "in_progress", "done"]}, "task_id": text}),
        ),
        with_actions(
            "manageKnowledge",
            "Find, read, create and update documentation pages.",
            &["search", "read", "create", "update"],
            json!({"query": text, "title": text, "content": text, "id": text}),
        ),
        with_actions(
            "manageMessaging",
            "Team messaging: channels, messages, direct messages.",
            &["send", "list_channels", "read"],
            json!({"channel": text, "message": text, "to": text}),
        ),
        tool("searchWeb", "Search the web for current information.", json!({"query": text}), &["query"]),
        tool(
            "exportData",
            "Export data as CSV or JSON.",
            json!({"format": {"enum": ["csv", "json"]}, "what": {"enum": ["transactions", "budgets", "goals"]}}),
            &["format", "what"],
        ),
        tool(
            "ask_budget_coach",
            "Ask the Budget Coach, who shows where the money goes.",
            json!({"message": text}),
            &["message"],
        ),
        memory(),
        clock(),
    ]
}

#[test]
fn the_right_tool_among_many() {
    for (asked, name, arguments) in [
        (
            "Which of my budgets are close to their limit this month?",
            "manageBudgets",
            json!({"action": "list"}),
        ),
        ("I'd like to know my budget status", "manageBudgets", json!({"action": "status"})),
        (
            "Create a monthly budget for groceries of €400",
            "manageBudgets",
            json!({"action": "create", "amount": 400, "name": "Groceries", "period": "monthly"}),
        ),
        (
            "Add a task: call Ana about the contract, due tomorrow",
            "manageProjects",
            json!({"action": "create_task", "due_date": "2026-07-18", "title": "Call Ana about the contract"}),
        ),
        (
            "Create a task for Ben to review the slides by Friday",
            "manageProjects",
            json!({"action": "create_task", "assignee": "Ben", "due_date": "2026-07-24", "title": "Review the slides"}),
        ),
        ("What tasks are due this week?", "manageProjects", json!({"action": "list_tasks"})),
        (
            "Mark task T-12 as done",
            "manageProjects",
            json!({"action": "update_task", "status": "done", "task_id": "T-12"}),
        ),
        (
            "Add a new lead Jane Doe, jane@acme.com",
            "manageCRM",
            json!({"action": "create_lead", "name": "Jane Doe", "email": "jane@acme.com"}),
        ),
        (
            "update lead 7 to qualified",
            "manageCRM",
            json!({"action": "update_lead", "lead_id": "7", "status": "qualified"}),
        ),
        (
            "What do our pages say about onboarding?",
            "manageKnowledge",
            json!({"action": "search", "query": "onboarding"}),
        ),
        (
            "Create a page titled Travel policy: Book trains first.",
            "manageKnowledge",
            json!({"action": "create", "title": "Travel policy", "content": "Book trains first."}),
        ),
        ("What's the capital of France?", "searchWeb", json!({"query": "capital France"})),
        ("How can I save money?", "searchWeb", json!({"query": "save money"})),
        (
            "Post to #general: Deploy at 5pm",
            "manageMessaging",
            json!({"action": "send", "channel": "#general", "message": "Deploy at 5pm"}),
        ),
        (
            "Tell Ana that lunch is at noon",
            "manageMessaging",
            json!({"action": "send", "to": "Ana", "message": "lunch is at noon"}),
        ),
        ("Export my transactions as csv", "exportData", json!({"format": "csv", "what": "transactions"})),
        (
            "Please ask the budget coach how I can save more",
            "ask_budget_coach",
            json!({"message": "Please ask the budget coach how I can save more"}),
        ),
        (
            "What is my wife's birthday?",
            "manageMemory",
            json!({"action": "search", "query": "wife birthday"}),
        ),
        (
            "Remember my wife's birthday: May 3rd",
            "manageMemory",
            json!({"action": "save", "content": "my wife's birthday: May 3rd", "path": "my-wifes-birthday-may-3rd"}),
        ),
        (
            "Remember that Ana talked about the move",
            "manageMemory",
            json!({"action": "save", "content": "Ana talked about the move", "path": "ana-talked-about-the-move"}),
        ),
        (
            "What did I tell you about the parking code?",
            "manageMemory",
            json!({"action": "search", "query": "parking code"}),
        ),
        ("thanks, and what time is it?", "get_current_time", json!({})),
        ("wie spät ist es?", "get_current_time", json!({})),
    ] {
        let mut request = request(COACH, workspace(), asked);
        request.system.context = Some("Current date: 2026-07-17".into());
        check(&request, Calls(vec![(name, arguments)]));
    }
}

#[test]
fn a_change_finds_its_thing_first() {
    let asked = request(COACH, workspace(), "Set the groceries budget to €500");
    check(&asked, Calls(vec![("manageBudgets", json!({"action": "list"}))]));
    let rows = r#"[{"id": "b1", "name": "Travel", "amount": 900}, {"id": "b2", "name": "Groceries", "amount": 400}]"#;
    let found = answered(asked.clone(), &[(rows, false)]);
    check(&found, Calls(vec![("manageBudgets", json!({"action": "update", "amount": 500, "id": "b2"}))]));
    check(
        &answered(found, &[(r#"{"id": "b2", "amount": 500}"#, false)]),
        Says(&["Done, I updated the budget"]),
    );
    let other = r#"[{"id": "b1", "name": "Travel", "amount": 900}]"#;
    let reply = ask(&answered(asked, &[(other, false)]));
    assert!(reply.calls.is_empty(), "what nobody named is not changed: {:?}", reply.calls);
    assert!(!reply.text.contains("Done"), "{}", reply.text);
}

#[test]
fn two_that_fit_alike_are_a_question_and_its_answer_counts() {
    let archive = |name: &str, what: &str| tool(name, what, json!({"title": {"type": "string"}}), &["title"]);
    let tools = vec![
        archive("create_sales_report", "Creates a report."),
        archive("create_team_report", "Creates a report."),
    ];
    let mut asked = request("", tools, "Create a report about Q3");
    let reply = check(&asked, Says(&["create sales report", "create team report", "Which do you mean?"]));
    asked.messages.extend([said(&reply.text), user("the team one")]);
    check(&asked, Calls(vec![("create_team_report", json!({"title": "Q3"}))]));
}
