//! A person allows a call by what it shows them. If a row of it changes while they think, the call is refused in words, and the
//! model reads again.

use baton_core::data::kind::Kind;
use baton_core::data::kinds::{
    ACCOUNTS, BUDGETS, CATEGORIES, CONTACTS, PROJECT_TASKS, PROJECTS, TRANSACTIONS,
};
use baton_core::data::rows::{Change, Once};
use reqwest::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::approvals::decision;
use crate::finance::{Books, ask};
use crate::talk::{conversation_of, scripted};
use crate::test_app::text;

const TOOLS: [&str; 4] = ["transactions", "budgets", "leads", "projects"];

/// A call, and the row that somebody changes before it is allowed.
struct Case {
    tool: &'static str,
    arguments: Value,
    kind: &'static Kind,
    id: Uuid,
    meanwhile: Value,
}

async fn made(books: &Books<'_>, ids: &[Uuid; 7]) {
    let [account, budget, one, two, contact, project, task] = *ids;
    books.add_as(account, &ACCOUNTS, json!({"name": "Giro", "currency": "EUR"})).await;
    books.add(&CATEGORIES, json!({"name": "Food"})).await;
    let row = json!({"name": "All", "amount": 40_000, "currency": "EUR", "starts_on": "2026-01-01"});
    books.add_as(budget, &BUDGETS, row).await;
    for (id, payee) in [(one, "Fish market"), (two, "Flea market")] {
        let row = json!({"account_id": account, "booked_on": "2026-03-17", "amount": -1250, "payee": payee});
        books.add_as(id, &TRANSACTIONS, row).await;
    }
    books.add_as(contact, &CONTACTS, json!({"name": "Zoe Adler", "status": "new"})).await;
    books.add_as(project, &PROJECTS, json!({"name": "Move"})).await;
    books.add_as(task, &PROJECT_TASKS, json!({"project_id": project, "title": "Pack"})).await;
}

fn cases(ids: &[Uuid; 7]) -> Vec<Case> {
    let [_, budget, one, two, contact, project, task] = *ids;
    let case = |tool, arguments, kind, id, meanwhile| Case { tool, arguments, kind, id, meanwhile };
    let payee = || json!({"payee": "Another market"});
    let transactions = |arguments, id| case("manageTransactions", arguments, &TRANSACTIONS, id, payee());
    vec![
        case(
            "manageBudgets",
            json!({"action": "change", "budget": budget, "amount": "500"}),
            &BUDGETS,
            budget,
            json!({"amount": 45_000}),
        ),
        case(
            "manageBudgets",
            json!({"action": "delete", "budget": budget}),
            &BUDGETS,
            budget,
            json!({"notes": "Mine"}),
        ),
        transactions(json!({"action": "annotate", "ids": [one, two], "note": "Checked"}), two),
        transactions(json!({"action": "categorise", "category": "Food", "ids": [one, two]}), one),
        transactions(
            json!({"action": "categorise", "category": "Food", "search": "market", "count": 2}),
            one,
        ),
        transactions(json!({"action": "transfer", "ids": [one]}), one),
        transactions(
            json!({"action": "split", "ids": [two], "parts": [{"amount": "-12"}, {"amount": "-0.50"}]}),
            two,
        ),
        case(
            "manageCRM",
            json!({"action": "change", "record": "lead", "which": contact, "status": "contacted"}),
            &CONTACTS,
            contact,
            json!({"phone": "1"}),
        ),
        case(
            "manageProjects",
            json!({"action": "change_tasks", "task": task, "status": "done"}),
            &PROJECT_TASKS,
            task,
            json!({"description": "All of it"}),
        ),
        case(
            "manageProjects",
            json!({"action": "delete_project", "project": project}),
            &PROJECTS,
            project,
            json!({"notes": "Wait"}),
        ),
    ]
}

async fn play(at: usize) {
    let ids: [Uuid; 7] = std::array::from_fn(|_| Uuid::now_v7());
    let case = cases(&ids).swap_remove(at);
    let (app, _script) = scripted(json!([
        {"match": "go", "calls": [{"name": case.tool, "arguments": case.arguments}]},
        {"match": "go", "text": "Then I read it again."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let books = Books::open(&app, &ana).await;
    made(&books, &ids).await;
    ana.make_agent("Nora", json!({"tools": TOOLS})).await;
    let turn = ask(&ana, "Nora", "go").await;
    let asked = turn.events.last().expect("an event").clone();
    assert_eq!(asked.name, "approval_required", "{}", turn.told("go"));
    assert!(asked.data["preview"]["sentence"].is_string(), "{}", asked.data);
    assert!(asked.data["preview"].get("seen").is_none(), "that is the server's: {}", asked.data);

    let set =
        Change::Set { id: case.id, seen: None, fields: case.meanwhile.as_object().expect("fields").clone() };
    let store = &app.app.store;
    let meanwhile = vec![set.of(case.kind)];
    store.change_rows(&Once::Unkeyed, books.scope(), books.author(), meanwhile).await.expect("changed");
    let before = store.row(books.scope(), case.kind, case.id).await.expect("a row");

    let mut rest = ana.follow(&conversation_of(&turn.events), asked.id.as_deref().expect("an id")).await;
    let path = format!("/api/approvals/{}/approve", text(&asked.data["approvalId"]));
    ana.post(&path, decision(&asked.data, json!({}))).await.expect(StatusCode::OK);
    let result = rest.until("tool_result").await.data;
    assert_eq!(result["success"], false, "{}: {result}", case.arguments);
    assert!(text(&result["result"]["error"]).contains("was changed since the person was asked"), "{result}");
    assert_eq!(rest.until("done").await.data["status"], "completed");
    assert_eq!(store.row(books.scope(), case.kind, case.id).await.expect("still there"), before);
    drop((rest, books));
    app.end().await;
}

#[tokio::test]
async fn what_changed_while_an_approval_waited_is_not_overwritten() {
    let ids = std::array::from_fn(|_| Uuid::now_v7());
    for at in 0..cases(&ids).len() {
        play(at).await;
    }
}
