//! The default agents each do the job that their card names, over HTTP: what they look up is what the tables hold, and what they
//! write waits for a person and is in the tables then. The Sales Agent's story is in `customers.rs`, the Project Manager's in
//! `projects.rs`. And the SDR of the outreach pack, whose lead is a real one.

use baton_core::data::kinds::{ACCOUNTS, CATEGORIES, CONTACTS, TRANSACTIONS};
use reqwest::StatusCode;
use sea_orm::Value as SqlValue;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::approvals::decision;
use crate::finance::{Books, ask, result};
use crate::stories::{Story, Turn, approve};
use crate::talk::scripted;
use crate::test_app::{Actor, TestApp, text};

/// Replies to messages with these words: the calls of one tool, one after the other, and then a word.
fn story(said: &str, tool: &str, calls: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let call = |arguments| json!({"match": said, "calls": [{"name": tool, "arguments": arguments}]});
    let end = json!({"match": said, "text": "Done."});
    calls.into_iter().map(call).chain([end]).collect()
}

async fn played(stories: impl IntoIterator<Item = Vec<Value>>) -> (TestApp, tempfile::NamedTempFile) {
    scripted(stories.into_iter().flatten().collect()).await
}

fn results(turn: &Turn) -> Vec<&Value> {
    turn.events.iter().filter(|got| got.name == "tool_result").map(|got| &got.data["result"]).collect()
}

/// Asks for something that is written once the person agrees; tells what they were shown.
async fn written(person: &Actor<'_>, agent: &str, message: &str) -> String {
    let turn = ask(person, agent, message).await;
    let asked = turn.events.iter().find(|got| got.name == "approval_required");
    let asked = asked.unwrap_or_else(|| panic!("nobody is asked: {}", turn.told(message)));
    let rest = approve(person, &turn).await;
    assert_eq!(rest.status(), "completed", "{}", rest.told(message));
    assert_eq!(rest.said(), "Done.", "{}", rest.told(message));
    let failed = rest.events.iter().find(|got| got.name == "tool_result" && got.data["success"] != true);
    assert!(failed.is_none(), "{}", rest.told(message));
    asked.data["preview"]["sentence"].as_str().unwrap_or_default().to_owned()
}

impl Books<'_> {
    async fn count(&self, what: &str, more: &[SqlValue]) -> i64 {
        self.sql(&format!("SELECT COUNT(*) AS number FROM {what}"), more).await
    }

    /// Two accounts, a category, and these payments of today, each under its id.
    async fn household(&self, payments: &[(Uuid, i64, &str, Option<Uuid>)]) {
        let savings =
            json!({"name": "Rainy days", "type": "savings", "currency": "EUR", "opening_balance": 30_000});
        self.add(&ACCOUNTS, savings).await;
        let account = json!({"name": "Everyday", "currency": "EUR", "opening_balance": 90_000});
        let account = self.add(&ACCOUNTS, account).await;
        for (id, amount, payee, category) in payments {
            let row = json!({
                "account_id": account, "booked_on": self.today, "amount": amount, "payee": payee, "category_id": category,
            });
            self.add_as(*id, &TRANSACTIONS, row).await;
        }
    }
}

#[tokio::test]
async fn the_budget_coach_sets_a_limit_and_sorts_what_counts_against_it() {
    let (shop, market, groceries) = (Uuid::now_v7(), Uuid::now_v7(), Uuid::now_v7());
    let limit = json!({"action": "create", "name": "Food", "category": "groceries", "amount": "400"});
    let raise = json!({"action": "change", "budget": "food", "amount": "450.50"});
    let sort = json!({"action": "categorise", "ids": [market], "category": "Groceries"});
    let (app, _script) = played([
        story("limit", "manageBudgets", [limit]),
        story("raise", "manageBudgets", [raise]),
        story("sort", "manageTransactions", [sort]),
        story("left", "manageBudgets", [json!({"budget": "Food"})]),
    ])
    .await;
    let ana = app.person("ana").await;
    let books = Books::open(&app, &ana).await;
    books.add_as(groceries, &CATEGORIES, json!({"name": "Groceries"})).await;
    books
        .household(&[(shop, -4_200, "Corner shop", Some(groceries)), (market, -1_050, "Market", None)])
        .await;

    let shown = written(&ana, "Budget Coach", "a limit for food").await;
    assert_eq!(shown, "Make the budget Food.");
    let there = "budgets WHERE workspace_id = $1 AND name = 'Food' AND currency = 'EUR' AND category_id = $2 AND amount = $3";
    let of = |amount: i64| [SqlValue::from(groceries), amount.into()];
    assert_eq!(books.count(there, &of(40_000)).await, 1);
    let left = result(&ask(&ana, "Budget Coach", "what is left?").await);
    assert_eq!(
        (&left["budgets"][0]["spent"], &left["budgets"][0]["left"]),
        (&json!("42.00"), &json!("358.00"))
    );

    written(&ana, "Budget Coach", "raise it").await;
    written(&ana, "Budget Coach", "sort the market").await;
    assert_eq!(books.count(there, &of(45_050)).await, 1);
    let sorted = "transactions WHERE workspace_id = $1 AND category_id = $2";
    assert_eq!(books.count(sorted, &[groceries.into()]).await, 2);
    let left = result(&ask(&ana, "Budget Coach", "what is left?").await);
    assert_eq!(
        (&left["budgets"][0]["spent"], &left["budgets"][0]["left"]),
        (&json!("52.50"), &json!("398.00"))
    );
    let allowed =
        "data_changes WHERE workspace_id = $1 AND agent_id IS NOT NULL AND approved_by = profile_id";
    assert_eq!(books.count(allowed, &[]).await, 3, "each change says who allowed it");
    drop(books);
    app.end().await;
}

#[tokio::test]
async fn the_expense_auditor_finds_a_double_charge_and_marks_it() {
    let [one, other, mixed] = [(); 3].map(|()| Uuid::now_v7());
    let note = json!({"action": "annotate", "ids": [other], "note": "Charged twice?"});
    let parts = json!([{"amount": "-30.00", "category": "Office"}, {"amount": "-12.00", "memo": "Private"}]);
    let (app, _script) = played([
        story("double", "manageTransactions", [json!({"action": "check", "period": "last_90_days"})]),
        story("mark", "manageTransactions", [note]),
        story("divide", "manageTransactions", [json!({"action": "split", "ids": [mixed], "parts": parts})]),
    ])
    .await;
    let ana = app.person("ana").await;
    let books = Books::open(&app, &ana).await;
    books.add(&CATEGORIES, json!({"name": "Office"})).await;
    let radio = |id: Uuid| (id, -999, "Netradio", None);
    books.household(&[radio(one), radio(other), (mixed, -4_200, "Paper & Wine", None)]).await;

    let told = result(&ask(&ana, "Expense Auditor", "anything double?").await);
    let doubled =
        told["findings"].as_array().expect("findings").iter().filter(|one| one["finding"] == "doubled");
    assert_eq!(doubled.map(|one| text(&one["payee"])).collect::<Vec<_>>(), ["Netradio"], "{told}");

    written(&ana, "Expense Auditor", "mark it").await;
    let marked = "transactions WHERE workspace_id = $1 AND id = $2 AND notes = 'Charged twice?'";
    assert_eq!(books.count(marked, &[other.into()]).await, 1);
    assert_eq!(books.count(marked, &[one.into()]).await, 0);
    written(&ana, "Expense Auditor", "divide the other").await;
    let halves = "SELECT CAST(SUM(amount) AS BIGINT) AS number FROM transaction_splits WHERE workspace_id = $1 AND transaction_id = $2";
    assert_eq!(books.sql(halves, &[mixed.into()]).await, -4_200);
    let parts = "transaction_splits s JOIN categories c ON c.id = s.category_id WHERE s.workspace_id = $1 AND c.name = 'Office' AND s.amount = -3000";
    assert_eq!(books.count(parts, &[]).await, 1);
    drop(books);
    app.end().await;
}

#[tokio::test]
async fn the_investment_advisor_keeps_goals() {
    let goal = json!({"action": "create", "name": "Bicycle", "targetAmount": "900", "account": "Rainy days", "targetOn": "2190-01-01"});
    let (app, _script) = played([
        story("new goal", "manageGoals", [goal]),
        story(
            "more",
            "manageGoals",
            [json!({"action": "change", "goal": "bicycle", "targetAmount": "1200"})],
        ),
        story("schedule", "manageGoals", [json!({"goal": "Bicycle"})]),
        story("own", "manageAccounts", [json!({})]),
        story("bought", "manageGoals", [json!({"action": "complete", "goal": "Bicycle"})]),
    ])
    .await;
    let ana = app.person("ana").await;
    let books = Books::open(&app, &ana).await;
    books.household(&[(Uuid::now_v7(), -4_200, "Corner shop", None)]).await;
    written(&ana, "Investment Advisor", "a new goal").await;
    written(&ana, "Investment Advisor", "it takes more").await;
    let goals = "goals g JOIN accounts a ON a.id = g.account_id WHERE g.workspace_id = $1 AND g.name = 'Bicycle' \
                 AND a.name = 'Rainy days' AND g.target_amount = 120000 AND g.status = $2";
    assert_eq!(books.count(goals, &["active".into()]).await, 1);
    let told = result(&ask(&ana, "Investment Advisor", "on schedule?").await);
    assert_eq!(
        (&told["goals"][0]["saved"], &told["goals"][0]["target"]),
        (&json!("300.00"), &json!("1200.00")),
        "{told}"
    );
    let told = result(&ask(&ana, "Investment Advisor", "what do I own?").await);
    let worth = "SELECT CAST((SELECT SUM(opening_balance) FROM accounts WHERE workspace_id = $1) + \
                 (SELECT SUM(amount) FROM transactions WHERE workspace_id = $1) AS BIGINT) AS number";
    assert_eq!(books.sql(worth, &[]).await, 115_800);
    assert!(text(&told["answer"]).contains("1158.00"), "{told}");
    written(&ana, "Investment Advisor", "I bought it").await;
    assert_eq!(books.count(goals, &["completed".into()]).await, 1);
    drop(books);
    app.end().await;
}

/// It only reads; a model that writes all the same meets a person who says no.
#[tokio::test]
async fn the_report_generator_tells_figures_and_changes_nothing() {
    let call = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    let (app, _script) = scripted(json!([
        {"match": "report", "calls": [
            call("queryAnalytics", json!({"figure": "spending", "by": "month", "period": "this_month"})),
            call("manageAccounts", json!({})),
            call("manageTransactions", json!({"action": "sum", "period": "this_month"})),
        ]},
        {"match": "report", "calls": [call("manageBudgets", json!({"action": "create", "name": "Made up", "amount": "1", "currency": "EUR"}))]},
        {"match": "report", "text": "Done."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let books = Books::open(&app, &ana).await;
    let payments =
        [(Uuid::now_v7(), -4_200, "Corner shop", None), (Uuid::now_v7(), 1_000, "Refund desk", None)];
    books.household(&payments).await;
    let turn = ask(&ana, "Report Generator", "a report please").await;
    let told = results(&turn);
    assert_eq!(told[0]["totals"][0]["total"], "42.00", "{}", told[0]);
    assert!(text(&told[1]["answer"]).contains("1168.00"), "{}", told[1]);
    assert_eq!(told[2]["totals"][0]["spending"], "42.00", "{}", told[2]);
    let asked = turn.events.iter().find(|got| got.name == "approval_required").expect("a person is asked");
    let path = format!("/api/approvals/{}/reject", text(&asked.data["approvalId"]));
    ana.post(&path, decision(&asked.data, json!({}))).await.expect(StatusCode::OK);
    assert_eq!(books.count("budgets WHERE workspace_id = $1", &[]).await, 0);
    drop(books);
    app.end().await;
}

#[tokio::test]
async fn the_knowledge_curator_writes_pages_and_remembers() {
    let page = json!({"action": "create", "title": "Refunds", "body": "Within 30 days."});
    let more = json!({"action": "update", "page": "Refunds", "append": "With the receipt.", "version": 1});
    let note = json!({"action": "save", "content": "The review is on Fridays"});
    let (app, _script) = played([
        story("write", "manageKnowledge", [page]),
        story("add", "manageKnowledge", [more]),
        story("find", "manageKnowledge", [json!({"search": "receipt"})]),
        story("remember", "manageMemory", [note]),
        story("when", "manageMemory", [json!({"action": "search", "query": "review"})]),
    ])
    .await;
    let ana = app.person("ana").await;
    let books = Books::open(&app, &ana).await;
    written(&ana, "Knowledge Curator", "write it down").await;
    written(&ana, "Knowledge Curator", "add the receipt").await;
    let pages = "pages WHERE workspace_id = $1 AND title = 'Refunds' AND version = 2 AND body LIKE 'Within 30 days.%With the receipt.%'";
    assert_eq!(books.count(pages, &[]).await, 1);
    let versions = "page_versions v JOIN pages p ON p.id = v.page_id WHERE p.workspace_id = $1 AND v.agent_id IS NOT NULL AND v.approved_by = 'ana'";
    assert_eq!(books.count(versions, &[]).await, 2, "each version says who allowed it");
    let found = result(&ask(&ana, "Knowledge Curator", "find the receipt").await);
    assert_eq!((&found["total"], &found["pages"][0]["path"]), (&json!(1), &json!("refunds")), "{found}");
    written(&ana, "Knowledge Curator", "remember the review").await;
    let notes = "agent_memories WHERE workspace_id = $1 AND content = 'The review is on Fridays'";
    assert_eq!(books.count(notes, &[]).await, 1);
    let told = result(&ask(&ana, "Knowledge Curator", "when is it?").await);
    assert_eq!(told["memories"].as_array().map(Vec::len), Some(1), "{told}");
    drop(books);
    app.end().await;
}

/// A lead of the outreach pack is a row that the Sales page shows: the SDR finds it, plans its touches as tasks and marks it.
#[tokio::test]
async fn a_lead_of_the_outreach_pack_is_a_real_lead() {
    let call = |name: &str, arguments: Value| json!([{"name": name, "arguments": arguments}]);
    let (lead, sdr) = ("You are the Outreach Lead", "You are the SDR");
    let touch = json!({"action": "create", "record": "task", "subject": "Call Ada", "dueOn": "2030-01-02", "contact": "Ada Byron"});
    let mark = json!({"action": "change", "record": "lead", "which": "Ada Byron", "status": "contacted"});
    let (app, _script) = scripted(json!([
        {"system": lead, "match": "follow up", "calls": call("handoff_to_sdr", json!({"lead_id": "Ada Byron"}))},
        {"system": sdr, "match": "follow up", "calls": call("manageCRM", json!({"record": "lead", "search": "Ada Byron"}))},
        {"system": sdr, "match": "follow up", "text": "Here is the plan."},
        {"system": sdr, "match": "agree", "calls": call("manageCRM", touch)},
        {"system": sdr, "match": "agree", "calls": call("manageCRM", mark)},
        {"system": sdr, "match": "agree", "text": "Done."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let books = Books::open(&app, &ana).await;
    let ada = json!({"name": "Ada Byron", "email": "ada@acme.example", "status": "new"});
    let ada = books.add(&CONTACTS, ada).await;
    let mut story = Story::begin(ana.clone(), "outreach", "outreach").await;
    let turn = story.say("Please follow up Ada Byron").await;
    assert_eq!(turn.speakers(), ["Outreach Lead", "SDR"]);
    let found = results(&turn).into_iter().find(|one| one["leads"].is_array()).expect("the SDR's look");
    assert_eq!(found["leads"][0]["email"], "ada@acme.example", "{found}");

    let mut turn = story.ask("I agree").await;
    for _ in 0..2 {
        turn = approve(&ana, &turn).await;
    }
    assert_eq!(turn.said(), "Done.", "{}", turn.told("I agree"));
    let touches = "activities WHERE workspace_id = $1 AND type = 'task' AND subject = 'Call Ada' AND contact_id = $2 AND done_on IS NULL";
    assert_eq!(books.count(touches, &[ada.into()]).await, 1);
    let marked = "contacts WHERE workspace_id = $1 AND id = $2 AND status = 'contacted'";
    assert_eq!(books.count(marked, &[ada.into()]).await, 1);
    drop(books);
    app.end().await;
}
