//! Files that people bring: what comes in, what doesn't, what is asked, what an undo leaves.

use std::path::{Path, PathBuf};
use std::time::Duration;

use baton_core::data::areas::Areas;
use baton_core::data::kinds::{self, KINDS};
use baton_core::data::rows::{Author, Change, DataScope, Once, RowChange};
use baton_core::ids::{ProfileId, WorkspaceId};
use reqwest::{Method, StatusCode};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::database::TestDatabase;
use crate::test_app::{Actor, Answer, TestApp, text};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/fixtures")
}

fn query(pairs: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

pub async fn send(
    actor: &Actor<'_>,
    kind: &str,
    filename: &str,
    bytes: &[u8],
    more: &[(&str, &str)],
) -> Answer {
    let mut pairs = vec![("workspaceId", actor.workspace.as_str()), ("filename", filename)];
    pairs.extend_from_slice(more);
    let request = actor.request(Method::POST, &format!("/api/data/{kind}/import?{}", query(&pairs)));
    Answer::read(request.body(bytes.to_vec())).await
}

/// Waits until it is done, or needs somebody.
pub async fn settled(actor: &Actor<'_>, id: &str) -> Value {
    for _ in 0..2_000 {
        let details = actor.get(&format!("/api/data/imports/{id}")).await.expect(StatusCode::OK);
        let status = text(&details["import"]["status"]);
        if !["reading", "importing", "undoing"].contains(&status.as_str()) {
            return details;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the import does not end");
}

pub async fn import(
    actor: &Actor<'_>,
    kind: &str,
    filename: &str,
    bytes: &[u8],
    more: &[(&str, &str)],
) -> Value {
    let begun = send(actor, kind, filename, bytes, more).await.expect(StatusCode::ACCEPTED);
    settled(actor, begun["import"]["id"].as_str().expect("an id")).await
}

/// All rows of a kind, as an export has them.
pub async fn rows(actor: &Actor<'_>, kind: &str) -> Vec<Value> {
    let path = format!("/api/data/{kind}/export?workspaceId={}&format=json", actor.workspace);
    let file = actor.get(&path).await.expect(StatusCode::OK);
    file["rows"].as_array().expect("rows").clone()
}

async fn csv_of(actor: &Actor<'_>, kind: &str) -> String {
    let path = format!("/api/data/{kind}/export?workspaceId={}", actor.workspace);
    actor.request(Method::GET, &path).send().await.expect("an answer").text().await.expect("text")
}

fn counts(details: &Value) -> [u64; 4] {
    ["new", "changed", "duplicates", "refused"]
        .map(|name| details["import"][name].as_u64().expect("a number"))
}

/// Rows that people enter, as they are when the test begins.
async fn make(app: &TestApp, actor: &Actor<'_>, kind: &str, fields: Value) -> String {
    let kind = kinds::find(kind).expect("a kind");
    let scope =
        DataScope { workspace_id: WorkspaceId(actor.workspace.parse().expect("an id")), areas: Areas::WRITE };
    let author = Author { profile_id: ProfileId(actor.id.parse().expect("an id")), agent: None };
    let id = Uuid::now_v7();
    let fields = fields.as_object().expect("fields").clone();
    let change = RowChange { kind, change: Change::Create { id, fields } };
    app.app.store.change_rows(&Once::Unkeyed, scope, author, vec![change]).await.expect("made");
    id.to_string()
}

async fn change(app: &TestApp, actor: &Actor<'_>, kind: &str, change: Change) {
    let kind = kinds::find(kind).expect("a kind");
    let scope =
        DataScope { workspace_id: WorkspaceId(actor.workspace.parse().expect("an id")), areas: Areas::WRITE };
    let author = Author { profile_id: ProfileId(actor.id.parse().expect("an id")), agent: None };
    let change = RowChange { kind, change };
    app.app.store.change_rows(&Once::Unkeyed, scope, author, vec![change]).await.expect("changed");
}

async fn new_workspace<'a>(actor: &Actor<'a>, name: &str) -> Actor<'a> {
    let made = actor.post("/api/workspaces", json!({"name": name})).await.expect(StatusCode::CREATED);
    actor.at(made["id"].as_str().expect("an id"))
}

#[tokio::test]
async fn files_of_independent_parsers_come_in_as_those_read_them() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let table = std::fs::read_to_string(fixtures().join("oracles.tsv")).expect("the table");
    let mut lines: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    lines.retain(|line| !line[3].is_empty());
    let mut files: Vec<&str> = lines.iter().map(|line| line[0]).collect();
    files.dedup();
    let mut compared = 0;
    for file in files {
        let at = new_workspace(&ana, file).await;
        let bytes = std::fs::read(fixtures().join(file)).expect("a fixture");
        let name = file.rsplit('/').next().expect("a name");
        let mut more = Vec::new();
        if file.ends_with(".qif") {
            make(&app, &at, "accounts", json!({"name": "-", "currency": "USD", "number": "-"})).await;
            more.push(("account", "-"));
        }
        let mut details = import(&at, "transactions", name, &bytes, &more).await;
        if details["import"]["status"] == "needs_mapping" {
            let asked: Vec<String> = details["report"]["questions"]
                .as_array()
                .expect("questions")
                .iter()
                .map(|q| text(&q["about"]))
                .collect();
            assert!(
                asked
                    .iter()
                    .all(|about| ["date_order", "currency", "decimal_sign"].contains(&about.as_str())),
                "{file}: {asked:?}"
            );
            let said = json!({"mapping": {"date_order": "month_day_year", "currency": "USD", "decimal_sign": "point"}});
            let id = text(&details["import"]["id"]);
            at.patch(&format!("/api/data/imports/{id}"), said).await.expect(StatusCode::OK);
            details = settled(&at, &id).await;
        }
        assert_eq!(details["import"]["status"], "completed", "{file}: {details}");
        let (accounts, stored) = (rows(&at, "accounts").await, rows(&at, "transactions").await);
        for line in lines.iter().filter(|line| line[0] == file) {
            if file.ends_with("investment_medium.ofx") {
                // Its transactions are in another currency than its account: each is refused, and says so.
                let reason = text(&details["remarks"][0]["text"]);
                assert!(
                    counts(&details)[3] == 3 && reason.starts_with("it is in USD, but the account"),
                    "{details}"
                );
                continue;
            }
            let Some(account) = accounts.iter().find(|account| account["number"] == line[2]) else {
                assert_eq!(line[3..5], ["0", "0"], "{file}: {} is not there: {accounts:?}", line[2]);
                continue;
            };
            let own: Vec<&Value> = stored.iter().filter(|row| row["account_id"] == account["id"]).collect();
            // The parser of CAMT counts the parts of collective bookings, which have no categories.
            let parts = |row: &&Value| match row["splits"].as_array() {
                Some(parts) if parts.iter().all(|part| part["category"].is_null()) => parts.len(),
                _ => 1,
            };
            let count: usize = own.iter().map(parts).sum();
            let code = baton_core::money::Currency::parse(account["currency"].as_str().expect("a code"))
                .expect("a currency");
            let minor = |text: &Value| {
                baton_core::money::parse(text.as_str().expect("an amount"), code).expect("an amount")
            };
            let sum: i64 = own.iter().map(|row| minor(&row["amount"])).sum();
            assert_eq!(
                (count.to_string().as_str(), sum.to_string().as_str()),
                (line[3], line[4]),
                "{file} {}",
                line[2]
            );
            if let Ok(balance) = line[5].parse::<i64>() {
                let told = details["report"]["accounts"].as_array().expect("accounts");
                let told = told.iter().find(|told| told["account_id"] == account["id"]).expect("the account");
                assert_eq!(told["stated_balance"], balance, "{file}");
                assert_eq!(
                    (&told["own_balance"], &told["difference"]),
                    (&json!(balance), &json!(0)),
                    "{file}: {told}"
                );
            }
            compared += 1;
        }
        // The same file again adds none.
        let mut again = import(&at, "transactions", name, &bytes, &more).await;
        if again["import"]["status"] == "needs_mapping" {
            let said = json!({"mapping": {"date_order": "month_day_year", "currency": "USD", "decimal_sign": "point"}});
            let id = text(&again["import"]["id"]);
            at.patch(&format!("/api/data/imports/{id}"), said).await.expect(StatusCode::OK);
            again = settled(&at, &id).await;
        }
        assert_eq!(again["import"]["new"], 0, "{file}: {again}");
    }
    assert!(compared >= 30, "only {compared} accounts were compared");
    app.end().await;
}

const JANUARY: &str =
    "Date,Payee,Amount\n2026-01-03,Bakery,-3.20\n2026-01-03,Bakery,-3.20\n2026-01-31,Salary,2000.00\n";

#[tokio::test]
async fn what_is_there_stays_and_what_was_deleted_stays_deleted() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    make(&app, &ana, "accounts", json!({"name": "Giro", "currency": "EUR"})).await;
    let food = make(&app, &ana, "categories", json!({"name": "Food"})).await;
    make(&app, &ana, "category_rules", json!({"text": "baker", "category_id": food})).await;
    let giro = [("account", "giro")];
    let first = import(&ana, "transactions", "january.csv", JANUARY.as_bytes(), &giro).await;
    assert_eq!(counts(&first), [3, 0, 0, 0], "{first}");
    let stored = rows(&ana, "transactions").await;
    assert_eq!(
        stored.iter().filter(|row| row["category"] == "Food").count(),
        2,
        "rules give categories: {stored:?}"
    );
    let bakery = stored.iter().find(|row| row["payee"] == "Bakery").expect("a row");
    let id = bakery["id"].as_str().expect("an id").parse().expect("an id");
    change(&app, &ana, "transactions", Change::Delete { id, seen: None }).await;

    // Ranges that overlap are the usual case; a bad row stops nothing else.
    let next = format!("{JANUARY}2026-02-01,Rent,-900.00\nnonsense,Rent,-900.00\n");
    let dry =
        import(&ana, "transactions", "february.csv", next.as_bytes(), &[giro[0], ("dryRun", "true")]).await;
    assert_eq!((dry["import"]["status"].as_str(), counts(&dry)), (Some("ready"), [1, 0, 3, 1]), "{dry}");
    assert_eq!(dry["import"]["deleted"], 1);
    assert_eq!(rows(&ana, "transactions").await.len(), 2, "a dry run stores nothing");
    let path = format!("/api/data/imports/{}", text(&dry["import"]["id"]));
    ana.patch(&path, json!({"start": true})).await.expect(StatusCode::OK);
    let second = settled(&ana, &text(&dry["import"]["id"])).await;
    assert_eq!(
        (second["import"]["status"].as_str(), counts(&second)),
        (Some("completed"), [1, 0, 3, 1]),
        "{second}"
    );
    assert_eq!(second["remarks"][0]["line"], 6, "{second}");
    assert_eq!(rows(&ana, "transactions").await.len(), 3);
    assert_eq!(ana.patch(&path, json!({"start": true})).await.refusal(), (409, "not_waiting"));

    // An undo leaves what somebody has changed since.
    let salary =
        rows(&ana, "transactions").await.into_iter().find(|row| row["payee"] == "Salary").expect("a row");
    let fields = json!({"notes": "mine"}).as_object().expect("fields").clone();
    let id = salary["id"].as_str().expect("an id").parse().expect("an id");
    change(&app, &ana, "transactions", Change::Set { id, seen: None, fields }).await;
    for (import, removed, kept) in [(&first, 1, 1), (&second, 1, 0)] {
        let path = format!("/api/data/imports/{}", text(&import["import"]["id"]));
        ana.delete(&path).await.expect(StatusCode::ACCEPTED);
        let undone = settled(&ana, &text(&import["import"]["id"])).await;
        assert_eq!(undone["import"]["status"], "undone", "{undone}");
        assert_eq!(
            (&undone["import"]["undone"], &undone["import"]["kept"]),
            (&json!(removed), &json!(kept)),
            "{undone}"
        );
        assert_eq!(ana.delete(&path).await.refusal(), (409, "not_undoable"));
    }
    let left = rows(&ana, "transactions").await;
    assert_eq!(left.iter().map(|row| text(&row["payee"])).collect::<Vec<_>>(), ["Salary"]);
    // And brings back what nobody deleted.
    let again = import(&ana, "transactions", "january.csv", JANUARY.as_bytes(), &giro).await;
    assert_eq!(counts(&again), [1, 0, 2, 0], "{again}");
    app.end().await;
}

#[tokio::test]
async fn two_imports_of_one_file_at_once_store_it_once() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    make(&app, &ana, "accounts", json!({"name": "Giro", "currency": "EUR"})).await;
    let mut file = String::from("Date,Payee,Amount\n");
    for n in 0..3_000 {
        file.push_str(&format!("2026-{:02}-{:02},Shop {},-{}.50\n", n % 12 + 1, n % 28 + 1, n % 7, n % 90));
    }
    let giro = [("account", "Giro")];
    let one = import(&ana, "transactions", "a.csv", file.as_bytes(), &giro);
    let (one, two) = tokio::join!(one, import(&ana, "transactions", "b.csv", file.as_bytes(), &giro));
    assert_eq!(counts(&one)[0] + counts(&two)[0], 3_000, "{one} {two}");
    assert_eq!(counts(&one)[2] + counts(&two)[2], 3_000);
    assert_eq!(rows(&ana, "transactions").await.len(), 3_000);
    app.end().await;
}

#[tokio::test]
async fn what_cannot_be_known_is_asked_and_remembered() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    make(&app, &ana, "accounts", json!({"name": "Giro", "currency": "EUR"})).await;
    let file = b"When;Who;How much\n01/02/2026;Shop;-5,00\n03/04/2026;Shop;-6,00\n";
    let asked = import(&ana, "transactions", "x.csv", file, &[]).await;
    assert_eq!(asked["import"]["status"], "needs_mapping");
    let about: Vec<String> = asked["report"]["questions"]
        .as_array()
        .expect("questions")
        .iter()
        .map(|q| text(&q["about"]))
        .collect();
    assert!(["date_order", "account"].iter().all(|it| about.iter().any(|about| about == it)), "{about:?}");
    assert_eq!(asked["report"]["preview"][0][1], "Shop");
    let path = format!("/api/data/imports/{}", text(&asked["import"]["id"]));
    let wrong = json!({"mapping": {"columns": {"payee": {"column": "Nobody"}}}});
    assert_eq!(ana.patch(&path, wrong).await.refusal(), (400, "invalid_field"));
    assert_eq!(ana.patch(&path, json!({"account": "Nowhere"})).await.refusal(), (400, "invalid_field"));
    let answers = json!({
        "mapping": {"date_order": "day_month_year", "currency": "EUR", "decimal_sign": "comma", "columns": {
            "payee": {"column": "Who"}, "amount": {"column": "How much"}, "booked_on": {"column": "When"},
        }},
        "account": "Giro",
    });
    ana.patch(&path, answers).await.expect(StatusCode::OK);
    let done = settled(&ana, &text(&asked["import"]["id"])).await;
    assert_eq!(
        (done["import"]["status"].as_str(), counts(&done)),
        (Some("completed"), [2, 0, 0, 0]),
        "{done}"
    );
    let days: Vec<String> =
        rows(&ana, "transactions").await.iter().map(|row| text(&row["booked_on"])).collect();
    assert_eq!(days, ["2026-04-03", "2026-02-01"]);
    // The next file with these columns needs no answers.
    let next = b"When;Who;How much\n05/06/2026;Shop;-7,00\n";
    let done = import(&ana, "transactions", "y.csv", next, &[("account", "Giro")]).await;
    assert_eq!(
        (done["import"]["status"].as_str(), counts(&done)),
        (Some("completed"), [1, 0, 0, 0]),
        "{done}"
    );
    assert_eq!(done["report"]["is_kept_mapping"], true);
    app.end().await;
}

#[tokio::test]
async fn pending_becomes_booked_and_pending_again() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    make(&app, &ana, "accounts", json!({"name": "Giro", "currency": "EUR"})).await;
    let file = |rows: &str| format!("Date,Payee,Amount,Transaction ID,Status\n{rows}");
    let giro = [("account", "Giro")];
    let pending = file("2026-03-01,Hotel,-100.00,A1,pending\n2026-03-01,Shop,-5.00,A2,booked\n");
    import(&ana, "transactions", "a.csv", pending.as_bytes(), &giro).await;
    // The same id with another amount is another transaction, and is told.
    let booked = file("2026-03-04,Hotel,-98.50,A1,booked\n2026-03-01,Shop,-5.50,A2,booked\n");
    let done = import(&ana, "transactions", "b.csv", booked.as_bytes(), &giro).await;
    assert_eq!(counts(&done), [1, 1, 0, 0], "{done}");
    assert_eq!((&done["import"]["reused"], &done["remarks"][0]["type"]), (&json!(1), &json!("id_reused")));
    let hotel = async || {
        rows(&ana, "transactions").await.into_iter().find(|row| row["payee"] == "Hotel").expect("a row")
    };
    assert_eq!((&hotel().await["amount"], &hotel().await["status"]), (&json!("-98.50"), &json!("booked")));
    // Files overlap: the older one brings nothing back that is booked by now.
    let again = import(&ana, "transactions", "a.csv", pending.as_bytes(), &giro).await;
    assert_eq!(counts(&again), [0, 0, 2, 0], "{again}");
    let path = format!("/api/data/imports/{}", text(&done["import"]["id"]));
    ana.delete(&path).await.expect(StatusCode::ACCEPTED);
    let undone = settled(&ana, &text(&done["import"]["id"])).await;
    assert_eq!((&undone["import"]["undone"], &undone["import"]["kept"]), (&json!(2), &json!(0)), "{undone}");
    assert_eq!((&hotel().await["amount"], &hotel().await["status"]), (&json!("-100.00"), &json!("pending")));
    app.end().await;
}

/// A workspace with something of everything that a file can tell.
async fn full<'a>(app: &TestApp, at: &Actor<'a>) {
    make(
        app,
        at,
        "accounts",
        json!({"name": "Giro", "currency": "EUR", "number": "DE89370400440532013000", "notes": "=1+1"}),
    )
    .await;
    make(
        app,
        at,
        "accounts",
        json!({"name": "Yen", "type": "savings", "currency": "JPY", "opening_balance": -1250}),
    )
    .await;
    let food = make(app, at, "categories", json!({"name": "Food, drinks"})).await;
    make(app, at, "categories", json!({"name": "Pay", "type": "income"})).await;
    make(app, at, "category_rules", json!({"text": "rewe", "category_id": food, "position": 3})).await;
    let fields = json!({"name": "Food", "category_id": food, "amount": 45_000, "currency": "EUR", "starts_on": "2026-01-01", "rolls_over": true});
    make(app, at, "budgets", fields).await;
    let fields = json!({"name": "-Boat", "target_amount": 1_000_000, "currency": "EUR", "starts_on": "2026-01-01", "notes": "two\nlines"});
    make(app, at, "goals", fields).await;
    make(
        app,
        at,
        "exchange_rates",
        json!({"currency": "JPY", "in_currency": "EUR", "rate": "0.0061", "valid_from": "2026-01-01"}),
    )
    .await;
    let firm = json!({"name": "Acme", "domain": "acme.example", "owner_id": at.id, "notes": "two\nlines"});
    let firm = make(app, at, "companies", firm).await;
    let ada = json!({"name": "Ada", "email": "ada@acme.example", "company_id": firm, "status": "new"});
    let ada = make(app, at, "contacts", ada).await;
    let deal = json!({
        "name": "=1+1", "company_id": firm, "contact_id": ada, "stage": "lost", "amount": 125_000, "currency": "EUR",
        "probability": 5, "closed_on": "2026-02-28", "owner_id": at.id, "lost_reason": "Price",
    });
    let deal = make(app, at, "deals", deal).await;
    let call = json!({"subject": "Call", "type": "call", "done_on": "2026-02-27", "deal_id": deal, "assignee_id": at.id});
    make(app, at, "activities", call).await;
    let project =
        make(app, at, "projects", json!({"name": "Office move", "lead_id": at.id, "due_on": "2026-03-01"}))
            .await;
    let other = make(app, at, "projects", json!({"name": "=Website", "status": "paused"})).await;
    // The one below was made first, and two have one title.
    let below = make(
        app,
        at,
        "project_tasks",
        json!({"title": "Buy boxes", "project_id": project, "assignee_id": at.id}),
    )
    .await;
    let above = make(
        app,
        at,
        "project_tasks",
        json!({"title": "Pack", "project_id": project, "status": "blocked", "blocked_reason": "-no room"}),
    )
    .await;
    for (project, status) in [(&project, "done"), (&other, "todo"), (&project, "in_progress")] {
        let fields = json!({"title": "Call", "project_id": project, "status": status, "due_on": "2026-02-01", "priority": "high"});
        make(app, at, "project_tasks", fields).await;
    }
    let fields = json!({"parent_id": above}).as_object().expect("fields").clone();
    let id = below.parse().expect("an id");
    change(app, at, "project_tasks", Change::Set { id, seen: None, fields }).await;
    let qif = "!Account\nNGiro\nTBank\n^\n!Type:Bank\nD2026-01-05\nT-30.00\nPREWE \"City\"\nSFood, drinks\n$-20.00\nSHouse\nEsoap\n$-10.00\n^\n\
               D2026-01-06\nT-100.00\nPTo savings\nL[Cash]\n^\n!Account\nNCash\nTCash\n^\n!Type:Cash\nD2026-01-06\nT100.00\nPFrom giro\nL[Giro]\n^\n";
    let done = import(at, "transactions", "x.qif", qif.as_bytes(), &[]).await;
    let done = match done["import"]["status"].as_str() {
        Some("needs_mapping") => {
            let id = text(&done["import"]["id"]);
            let said = json!({"mapping": {"currency": "EUR", "date_order": "year_month_day"}});
            at.patch(&format!("/api/data/imports/{id}"), said).await.expect(StatusCode::OK);
            settled(at, &id).await
        }
        _ => done,
    };
    assert_eq!(counts(&done), [3, 0, 0, 0], "{done}");
    let ofx = std::fs::read(fixtures().join("ofxparse/suncorp.ofx")).expect("a fixture");
    import(at, "transactions", "s.ofx", &ofx, &[]).await;
    let card = std::fs::read(fixtures().join("camt/card-04.xml")).expect("a fixture");
    import(at, "transactions", "c.xml", &card, &[]).await;
}

/// Without what can't be the same elsewhere.
fn comparable(mut rows: Vec<Value>) -> Vec<Value> {
    let mut transfers: Vec<Value> = Vec::new();
    rows.sort_by_key(|row| {
        let by = ["booked_on", "payee", "name", "text", "title", "status"].map(|name| row[name].to_string());
        by.join(" ")
    });
    for row in &mut rows {
        let row = row.as_object_mut().expect("a row");
        let transfer = row.get("transfer_id").cloned().unwrap_or_default();
        if !transfer.is_null() {
            let at = transfers.iter().position(|known| *known == transfer).unwrap_or_else(|| {
                transfers.push(transfer.clone());
                transfers.len() - 1
            });
            row.insert("transfer_id".to_owned(), json!(at));
        }
        row.retain(|name, _| {
            !name.ends_with("_at")
                && name != "id"
                && ![
                    "account_id",
                    "category_id",
                    "company_id",
                    "contact_id",
                    "deal_id",
                    "import_id",
                    "project_id",
                    "parent_id",
                    "stated_balance",
                    "stated_on",
                ]
                .contains(&name.as_str())
        });
    }
    rows
}

#[tokio::test]
async fn an_export_of_every_kind_reads_back_to_the_same_rows() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let (one, other) = (new_workspace(&ana, "One").await, new_workspace(&ana, "Other").await);
    full(&app, &one).await;
    for kind in KINDS {
        let (csv, there) = (csv_of(&one, kind.name).await, rows(&one, kind.name).await);
        assert!(there.len() < csv.lines().count(), "{csv}");
        let again = import(&one, kind.name, "again.csv", csv.as_bytes(), &[]).await;
        assert_eq!(counts(&again), [0, 0, there.len() as u64, 0], "{}: {again}\n{csv}", kind.name);
        assert_eq!(rows(&one, kind.name).await, there, "{}", kind.name);
        let elsewhere = import(&other, kind.name, "elsewhere.csv", csv.as_bytes(), &[]).await;
        assert_eq!(counts(&elsewhere), [there.len() as u64, 0, 0, 0], "{}: {elsewhere}\n{csv}", kind.name);
        assert_eq!(
            comparable(rows(&other, kind.name).await),
            comparable(there.clone()),
            "{}\n{csv}",
            kind.name
        );
        let twice = import(&other, kind.name, "elsewhere.csv", csv.as_bytes(), &[]).await;
        assert_eq!(counts(&twice), [0, 0, there.len() as u64, 0], "{}: {twice}", kind.name);
        if kind.name == "accounts" {
            assert!(csv.contains("\"'=1+1\"") && csv.contains("-1250"), "{csv}");
        }
    }
    // What an import changed is changed back.
    let changed = csv_of(&one, "budgets").await.replace("450.00", "475.50");
    let done = import(&one, "budgets", "budgets.csv", changed.as_bytes(), &[]).await;
    assert_eq!(counts(&done), [0, 1, 0, 0], "{done}");
    assert_eq!(rows(&one, "budgets").await[0]["amount"], "475.50");
    one.delete(&format!("/api/data/imports/{}", text(&done["import"]["id"])))
        .await
        .expect(StatusCode::ACCEPTED);
    let undone = settled(&one, &text(&done["import"]["id"])).await;
    assert_eq!(undone["import"]["undone"], 1, "{undone}");
    assert_eq!(rows(&one, "budgets").await[0]["amount"], "450.00");
    app.end().await;
}

#[tokio::test]
async fn hostile_files_harm_nobody() {
    let app = TestApp::with(baton_server::settings::Given {
        sign_up: Some(baton_core::people::SignUp::Open),
        import_megabytes: Some(3),
        ..Default::default()
    })
    .await;
    let ana = app.person("ana").await;
    make(&app, &ana, "accounts", json!({"name": "Giro", "currency": "EUR"})).await;
    let giro = [("account", "Giro")];
    for (name, bytes, status) in [
        ("a.csv", b"\0\x01\x02\xff\xfe".to_vec(), "failed"),
        ("a.zip", b"PK\x03\x04bomb".to_vec(), "failed"),
        ("a.pdf", b"%PDF-1.7".to_vec(), "failed"),
        ("a.xml", b"<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"b\">]><x>&a;</x>".to_vec(), "failed"),
        ("a.ofx", b"<OFX>".repeat(10_000), "completed"),
        ("a.bin", vec![7; 100_000], "failed"),
    ] {
        let done = import(&ana, "transactions", name, &bytes, &giro).await;
        let ended = done["import"]["status"].as_str();
        assert!(ended == Some(status) || ended == Some("needs_mapping"), "{name}: {done}");
        assert!(ended != Some("failed") || done["import"]["problem"].is_string(), "{name}");
    }
    let long = format!(
        "Date,Payee,Amount\n2026-01-01,{},-1.00\n2026-01-02,a\0b\u{7}c,-2.00\n",
        "x".repeat(2_000_000)
    );
    let done = import(&ana, "transactions", "long.csv", long.as_bytes(), &giro).await;
    assert_eq!(counts(&done), [1, 0, 0, 1], "{}", done["import"]);
    assert_eq!(rows(&ana, "transactions").await[0]["payee"], "a b c");
    assert_eq!(
        send(&ana, "transactions", "big.csv", &vec![b'x'; 3_000_001], &giro).await.refusal(),
        (413, "too_large")
    );
    assert_eq!(send(&ana, "transactions", "none.csv", b"", &giro).await.refusal(), (400, "empty_file"));
    assert_eq!(send(&ana, "nothing", "a.csv", b"x", &[]).await.refusal(), (404, "not_found"));
    assert_eq!(
        send(&ana, "transactions", "a.csv", b"x", &[("account", "Nobody's")]).await.refusal(),
        (400, "invalid_field")
    );
    let listed =
        ana.get(&format!("/api/data/imports?workspaceId={}", ana.workspace)).await.expect(StatusCode::OK);
    assert!(
        listed["imports"].as_array().expect("imports").iter().all(|it| it["status"] != "uploading"),
        "{listed}"
    );
    app.end().await;
}

#[tokio::test]
async fn an_import_is_taken_back_also_when_whoever_brought_it_has_left() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let sam = crate::agents::member(&app, &ana, "sam").await;
    let file = "!Account\nNGiro\nTBank\n^\n!Type:Bank\nD2026-01-31\nT-10.00\nPShop\nLFood\n^\n";
    let begun = send(&sam, "transactions", "a.qif", file.as_bytes(), &[]).await.expect(StatusCode::ACCEPTED);
    let path = format!("/api/data/imports/{}", text(&begun["import"]["id"]));
    let asks = settled(&sam, &text(&begun["import"]["id"])).await;
    assert_eq!(asks["report"]["questions"][0]["about"], "currency", "{asks}");
    let answer = json!({"mapping": {"currency": "EUR"}, "start": true});
    sam.patch(&path, answer).await.expect(StatusCode::OK);
    let done = settled(&sam, &text(&begun["import"]["id"])).await;
    assert_eq!(counts(&done), [1, 0, 0, 0], "{done}");
    assert_eq!((rows(&ana, "accounts").await.len(), rows(&ana, "categories").await.len()), (1, 1));
    let member = format!("/api/workspaces/{}/members/{}", ana.workspace, sam.id);
    ana.delete(&member).await.expect(StatusCode::OK);
    ana.delete(&path).await.expect(StatusCode::ACCEPTED);
    let undone = settled(&ana, &text(&begun["import"]["id"])).await;
    assert_eq!(
        (&undone["import"]["status"], &undone["import"]["undone"]),
        (&json!("undone"), &json!(3)),
        "{undone}"
    );
    assert_eq!((rows(&ana, "accounts").await.len(), rows(&ana, "categories").await.len()), (0, 0));
    app.end().await;
}

/// What a bank's file says goes to people's spreadsheets by an export: a rate is a number or it is none.
#[tokio::test]
async fn a_rate_that_is_no_number_does_not_come_in() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let paid = |id: &str, rate: &str| {
        format!(
            "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260105<TRNAMT>-10.00<FITID>{id}<NAME>{id}\n\
             <ORIGCURRENCY><CURRATE>{rate}<CURSYM>USD</ORIGCURRENCY></STMTTRN>\n"
        )
    };
    let file = format!(
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR\n\
         <BANKACCTFROM><BANKID>1<ACCTID>77<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>\n{}{}</BANKTRANLIST>\n\
         <LEDGERBAL><BALAMT>-92233720368547758.07<DTASOF>20260131</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n",
        paid("A", "=HYPERLINK(1)"),
        paid("B", "1.0850")
    );
    let done = import(&ana, "transactions", "a.ofx", file.as_bytes(), &[]).await;
    assert_eq!(counts(&done), [2, 0, 0, 0], "{done}");
    assert_eq!(done["report"]["accounts"][0]["stated_balance"], Value::Null, "nobody has so much");
    let of = async |payee: &str| {
        let rows = rows(&ana, "transactions").await;
        rows.into_iter().find(|row| row["payee"] == payee).expect("a row")["foreign_rate"].clone()
    };
    assert_eq!((of("A").await, of("B").await), (Value::Null, json!("1.085")));
    assert!(!csv_of(&ana, "transactions").await.contains("HYPERLINK"));
    app.end().await;
}

#[tokio::test]
async fn only_who_may_change_money_imports_it_and_only_who_may_see_it_exports_it() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let sam = crate::agents::member(&app, &ana, "sam").await;
    make(&app, &ana, "accounts", json!({"name": "Giro", "currency": "EUR"})).await;
    let done = import(&sam, "transactions", "a.csv", JANUARY.as_bytes(), &[("account", "Giro")]).await;
    assert_eq!(counts(&done), [3, 0, 0, 0]);
    let (areas, export) = (
        format!("/api/workspaces/{}/areas", ana.workspace),
        format!("/api/data/transactions/export?workspaceId={}", ana.workspace),
    );
    let set = async |access: &str| {
        let rules = json!({"rules": [{"role": "member", "area": "money", "access": access}]});
        ana.patch(&areas, rules).await.expect(StatusCode::OK);
    };
    set("read").await;
    let path = format!("/api/data/imports/{}", text(&done["import"]["id"]));
    assert_eq!(send(&sam, "transactions", "a.csv", b"x", &[]).await.refusal(), (403, "area_refused"));
    assert_eq!(sam.delete(&path).await.refusal(), (403, "area_refused"));
    assert_eq!(sam.get(&path).await.status, StatusCode::OK);
    assert_eq!(sam.get(&export).await.status, StatusCode::OK);
    set("none").await;
    assert_eq!(sam.get(&path).await.refusal(), (403, "area_refused"));
    assert_eq!(sam.get(&export).await.refusal(), (403, "area_refused"));
    let listed =
        sam.get(&format!("/api/data/imports?workspaceId={}", ana.workspace)).await.expect(StatusCode::OK);
    assert_eq!(listed["imports"], json!([]));
    let eve = app.person("eve").await;
    assert_eq!(eve.get(&path).await.refusal(), (404, "not_found"));
    assert_eq!(eve.get(&export).await.refusal(), (403, "not_a_member"));
    app.end().await;
}

/// As other programs write them: words of their own, parents by id or by title, people by address.
#[tokio::test]
async fn tasks_of_other_programs_come_in_with_their_projects_people_and_parents() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let asana = "Task ID,Created At,Completed At,Name,Section/Column,Assignee,Assignee Email,Due Date,Notes,Projects,Parent task\n\
                 12,2026-01-02,,Ask for prices,Now,Ana A.,ana@example.org,2026-02-01,,Fair,Book the stand\n\
                 11,2026-01-02,2026-01-20,Book the stand,Now,Kim,kim@example.org,2026-01-15,\"Two\nlines\",Fair,\n";
    let done = import(&ana, "project_tasks", "asana.csv", asana.as_bytes(), &[]).await;
    assert_eq!(counts(&done), [2, 0, 0, 0], "{done}");
    let remarks = done["remarks"].to_string();
    assert!(
        remarks.contains("the project “Fair” is new")
            && remarks.contains("there is no member “kim@example.org”"),
        "{done}"
    );
    let tasks = rows(&ana, "project_tasks").await;
    let task = |title: &str| tasks.iter().find(|task| task["title"] == title).expect(title).clone();
    let (stand, prices) = (task("Book the stand"), task("Ask for prices"));
    assert_eq!(
        (&stand["status"], &stand["completed_on"], &stand["assignee_id"]),
        (&json!("done"), &json!("2026-01-20"), &Value::Null)
    );
    assert_eq!(
        (&prices["parent_id"], &prices["assignee_id"], &prices["due_on"]),
        (&stand["id"], &json!(ana.id), &json!("2026-02-01"))
    );
    assert_eq!(prices["project"], "Fair");
    let again = import(&ana, "project_tasks", "asana.csv", asana.as_bytes(), &[]).await;
    assert_eq!(counts(&again), [0, 0, 2, 0], "{again}");

    let jira = "Summary,Issue key,Status,Priority,Assignee,Due date,Parent\n\
                Write the redirects,WEB-2,In Progress,Highest,Ana,2026-03-01,WEB-1\n\
                New site,WEB-1,To Do,Medium,,,\n\
                Ideas,WEB-3,Someday,Low,,,\n";
    let done = import(&ana, "project_tasks", "Web_site.csv", jira.as_bytes(), &[]).await;
    assert_eq!(counts(&done), [2, 0, 0, 1], "{done}");
    assert!(done["remarks"].to_string().contains("“Someday” is no status"), "{done}");
    let tasks = rows(&ana, "project_tasks").await;
    let task = |title: &str| tasks.iter().find(|task| task["title"] == title).expect(title).clone();
    let redirects = task("Write the redirects");
    assert_eq!((&redirects["status"], &redirects["priority"]), (&json!("in_progress"), &json!("urgent")));
    assert_eq!((&redirects["parent"], &redirects["project"]), (&json!("New site"), &json!("Web site")));

    // All of an import goes again, but for what somebody hung on it.
    let fair = text(&prices["project_id"]);
    make(&app, &ana, "project_tasks", json!({"title": "Mine", "project_id": fair})).await;
    for (id, undone, kept) in [(&done["import"]["id"], 3, 0), (&again["import"]["id"], 0, 0)] {
        ana.delete(&format!("/api/data/imports/{}", text(id))).await.expect(StatusCode::ACCEPTED);
        let import = settled(&ana, &text(id)).await["import"].clone();
        assert_eq!((&import["undone"], &import["kept"]), (&json!(undone), &json!(kept)), "{import}");
    }
    assert_eq!(rows(&ana, "projects").await.len(), 1);
    app.end().await;
}

/// SQLite only: there a claim holds for as long as its process runs.
#[tokio::test]
async fn an_import_that_meets_a_full_disk_goes_on_when_there_is_room() {
    let app = TestApp::new().await;
    let TestDatabase::Sqlite(dir) = &app.database else { return app.end().await };
    let ana = app.person("ana").await;
    make(&app, &ana, "accounts", json!({"name": "Savings", "currency": "EUR"})).await;
    let url = format!("sqlite://{}", dir.path().join("baton.db").display());
    let raw = sea_orm::Database::connect(url).await.expect("connected");
    // Longer than it takes until the claim is to be given back: that fails too. An import can be begun and claimed.
    let full = "CREATE TRIGGER full BEFORE UPDATE ON imports WHEN NEW.attempt = OLD.attempt \
                AND unixepoch('subsec') < (SELECT CAST(value AS REAL) FROM instance_notes WHERE name = 'room at') \
                BEGIN SELECT RAISE(ABORT, 'No space left on device'); END";
    raw.execute_unprepared(full).await.expect("a trigger");
    let good = b"Date,Payee,Amount\n2026-01-02,Shop,-3.25\n";
    for (name, file, ended) in [("a.csv", &good[..], "completed"), ("a.pdf", b"%PDF-1.7", "failed")] {
        let room_at = chrono::Utc::now() + Duration::from_secs(6);
        app.app.store.set_note("room at", &room_at.timestamp().to_string()).await.expect("noted");
        let done = import(&ana, "transactions", name, file, &[("account", "Savings")]).await;
        assert_eq!(done["import"]["status"], ended, "{done}");
    }
    raw.close().await.expect("closed");
    app.end().await;
}
