//! `manageSales` in turns: a deal goes through its stages, sums are those of SQL, contacts become one and come apart, and a company is
//! one by its domain, however it comes in.

use baton_core::data::kinds::{ACTIVITIES, COMPANIES, CONTACTS, DEALS};
use baton_core::money::{Currency, format};
use chrono::{Datelike, NaiveDate};
use reqwest::StatusCode;
use sea_orm::Value as SqlValue;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::data_imports::{import, rows};
use crate::finance::{Books, ask, result};
use crate::stories::{Turn, approve};
use crate::talk::scripted;
use crate::test_app::{Actor, TestApp, text};

/// A server whose model answers each of these words with this call, and an agent with the tool.
async fn seller(calls: &[(&str, Value)]) -> (TestApp, tempfile::NamedTempFile) {
    let replies = calls.iter().flat_map(|(said, arguments)| {
        let call = json!([{"name": "manageSales", "arguments": arguments}]);
        [json!({"match": said, "calls": call}), json!({"match": said, "text": "Done."})]
    });
    scripted(replies.collect()).await
}

async fn hired<'a>(app: &'a TestApp, name: &str) -> Actor<'a> {
    let person = app.person(name).await;
    person.make_agent("Seller", json!({"tools": ["sales"]})).await;
    person
}

/// A write that waits for its person and is allowed: what they were shown, and the result.
async fn allowed(person: &Actor<'_>, message: &str) -> (Value, Value) {
    let turn = ask(person, "Seller", message).await;
    let asked = turn.events.iter().find(|got| got.name == "approval_required");
    let preview =
        asked.unwrap_or_else(|| panic!("nobody is asked: {}", turn.told(message))).data["preview"].clone();
    let rest = approve(person, &turn).await;
    let done = rest.events.iter().find(|got| got.name == "tool_result").expect("a result");
    assert_eq!(done.data["success"], true, "{}", rest.told(message));
    (preview, result(&Turn { events: rest.events }))
}

#[tokio::test]
async fn a_deal_goes_through_its_stages() {
    let deal = json!({
        "action": "create", "record": "deal", "name": "Engine", "contact": "Ada Byron", "amount": "1200.50", "currency": "EUR",
    });
    let (app, _script) = seller(&[
        ("begin", deal),
        ("offer", json!({"action": "change", "record": "deal", "which": "Engine", "stage": "proposal"})),
        ("win", json!({"action": "change", "record": "deal", "which": "engine", "stage": "won"})),
        ("how did", json!({"action": "history", "record": "deal", "which": "Engine"})),
        ("about Ada", json!({"action": "history", "which": "Ada Byron"})),
    ])
    .await;
    let ana = hired(&app, "ana").await;
    let books = Books::open(&app, &ana).await;
    books.add(&CONTACTS, json!({"name": "Ada Byron"})).await;

    let (preview, _) = allowed(&ana, "begin the deal").await;
    assert_eq!(preview["sentence"], "Make the deal Engine.");
    let (preview, _) = allowed(&ana, "offer it").await;
    let stage = json!({"what": "Engine", "field": "Stage", "old": "lead", "new": "proposal"});
    assert!(preview["changes"].as_array().expect("changes").contains(&stage), "{preview}");
    allowed(&ana, "win it").await;

    let told = result(&ask(&ana, "Seller", "how did it go?").await);
    let stages: Vec<String> =
        told["stages"].as_array().expect("stages").iter().map(|one| text(&one["stage"])).collect();
    assert_eq!(stages, ["lead", "proposal", "won"], "{told}");
    assert!(text(&told["answer"]).starts_with("Engine has been in won since"), "{told}");
    let there = "SELECT COUNT(*) AS number FROM deal_stages WHERE workspace_id = $1";
    assert_eq!(books.sql(there, &[]).await, 3);
    let now = "SELECT COUNT(*) AS number FROM deals WHERE workspace_id = $1 AND stage = 'won' AND closed_on = $2 AND amount = 120050";
    assert_eq!(books.sql(now, &[books.today.into()]).await, 1);
    let told = result(&ask(&ana, "Seller", "all about Ada").await);
    let came: Vec<&Value> =
        told["history"].as_array().expect("entries").iter().filter_map(|one| one.get("cameInto")).collect();
    assert_eq!(came, ["won", "proposal", "lead"], "the last comes first: {told}");
    drop(books);
    app.end().await;
}

#[tokio::test]
async fn the_pipeline_is_what_sql_adds_up() {
    let seed = std::env::var("BATON_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("BATON_SEED={seed}");
    let (app, _script) = seller(&[("stand", json!({"action": "pipeline"}))]).await;
    let ana = hired(&app, "ana").await;
    let books = Books::open(&app, &ana).await;
    books.fill_customers(&mut fastrand::Rng::with_seed(seed)).await;
    let year = NaiveDate::from_ymd_opt(books.today.year(), 1, 1).expect("a day");
    let days: [SqlValue; 2] = [year.into(), books.today.into()];
    // Closed ones count where they were closed this year; $2 and $3 are asked for either way.
    let of = async |what: &str, stage: &str| {
        let sql = format!(
            "SELECT CAST({what} AS BIGINT) AS number FROM deals WHERE workspace_id = $1 AND deleted_at IS NULL AND stage = '{stage}' \
             AND (stage NOT IN ('won', 'lost') OR (closed_on >= $2 AND closed_on <= $3))"
        );
        books.sql(&sql, &days).await
    };
    let told = result(&ask(&ana, "Seller", "how do we stand?").await);
    let all: Vec<&Value> =
        ["open", "closed"].iter().flat_map(|name| told[*name].as_array().expect("sums")).collect();
    let (mut deals, mut worth) = (0, 0);
    for stage in ["lead", "qualified", "proposal", "negotiation", "won", "lost"] {
        let (number, amount) = (of("COUNT(*)", stage).await, of("SUM(amount)", stage).await);
        let found = all.iter().find(|one| one["stage"] == stage);
        let euros = format!("EUR {}", format(amount, Currency::EUR));
        let expected = (number > 0).then(|| (json!(number), json!(euros)));
        assert_eq!(
            found.map(|one| (one["deals"].clone(), one["amount"].clone())),
            expected,
            "{stage}: {told}"
        );
        if !["won", "lost"].contains(&stage) {
            (deals, worth) = (deals + number, worth + amount);
        }
    }
    let sentence = format!("{deals} deals open, together EUR {};", format(worth, Currency::EUR));
    assert!(text(&told["answer"]).starts_with(&sentence), "{sentence}: {told}");
    drop(books);
    app.end().await;
}

#[tokio::test]
async fn two_contacts_become_one_once_a_person_agrees_and_come_apart() {
    let merge = json!({"action": "merge", "which": "Ada Byron", "other": "A. Byron"});
    let (app, _script) = seller(&[("same", merge)]).await;
    let ana = hired(&app, "ana").await;
    let books = Books::open(&app, &ana).await;
    let kept = books.add(&CONTACTS, json!({"name": "Ada Byron", "email": "ada@x.example"})).await;
    let goes = books.add(&CONTACTS, json!({"name": "A. Byron", "phone": "2"})).await;
    books.add(&ACTIVITIES, json!({"subject": "Call", "contact_id": goes})).await;
    books.add(&DEALS, json!({"name": "Engine", "currency": "EUR", "contact_id": goes})).await;
    let of = async |contact: Uuid| {
        let sql = "SELECT (SELECT COUNT(*) FROM activities WHERE workspace_id = $1 AND contact_id = $2) \
                   + (SELECT COUNT(*) FROM deals WHERE workspace_id = $1 AND contact_id = $2) AS number";
        books.sql(sql, &[contact.into()]).await
    };
    let turn = ask(&ana, "Seller", "they are the same").await;
    let asked = turn.events.iter().find(|got| got.name == "approval_required").expect("a person is asked");
    assert_eq!(
        asked.data["preview"]["sentence"],
        "Merge the contact A. Byron into Ada Byron: its deals and activities move over, and A. Byron goes."
    );
    let phone = json!([{"what": "Ada Byron", "field": "Phone", "old": null, "new": "2"}]);
    assert_eq!(asked.data["preview"]["changes"], phone);
    assert_eq!((of(kept).await, of(goes).await), (0, 2), "nothing is written before it is allowed");
    let done = result(&approve(&ana, &turn).await);
    assert_eq!(done["answer"], "The contact A. Byron is part of Ada Byron now.");
    assert_eq!((of(kept).await, of(goes).await), (2, 0));
    let there = rows(&ana, "contacts").await;
    assert_eq!(
        (there.len(), &there[0]["phone"], &there[0]["email"]),
        (1, &json!("2"), &json!("ada@x.example"))
    );

    let by = &done["changedBy"];
    let path = format!(
        "/api/data/changes?workspaceId={}&conversationId={}&seq={}",
        ana.workspace,
        text(&by["conversationId"]),
        by["seq"]
    );
    let changes = ana.get(&path).await.expect(StatusCode::OK)["changes"].as_array().expect("changes").clone();
    let changes: Vec<&Value> = changes.iter().map(|change| &change["id"]).collect();
    let undo = json!({"workspaceId": ana.workspace, "changes": changes});
    ana.post("/api/data/changes/undo", undo).await.expect(StatusCode::OK);
    assert_eq!((of(kept).await, of(goes).await), (0, 2), "both have their histories again");
    let there = rows(&ana, "contacts").await;
    let phone = |name: &str| there.iter().find(|row| row["name"] == name).map(|row| row["phone"].clone());
    assert_eq!((phone("Ada Byron"), phone("A. Byron")), (Some(Value::Null), Some(json!("2"))));
    drop(books);
    app.end().await;
}

/// By its domain, in whatever form it is written; what is left blank stays.
#[tokio::test]
async fn a_company_is_one_by_its_domain() {
    let again = json!({
        "action": "create", "record": "company", "name": "Acme", "domain": "https://www.ACME.example/x", "phone": "", "notes": "",
        "industry": "Engines",
    });
    let (app, _script) = seller(&[("note", again)]).await;
    let ana = hired(&app, "ana").await;
    let books = Books::open(&app, &ana).await;
    let acme = json!({"name": "Acme", "domain": "acme.example", "phone": "1", "notes": "Since 1900"});
    books.add(&COMPANIES, acme).await;
    let (preview, _) = allowed(&ana, "note Acme").await;
    let industry = json!([{"what": "Acme", "field": "Industry", "old": null, "new": "Engines"}]);
    assert_eq!((&preview["sentence"], &preview["changes"]), (&json!("Change the company Acme."), &industry));
    let as_told = async |address: &str| {
        let there = rows(&ana, "companies").await;
        let told = ["name", "domain", "phone", "notes", "industry"].map(|name| text(&there[0][name]));
        assert_eq!(there.len(), 1, "{there:?}");
        assert_eq!(told, ["Acme", "acme.example", "1", "Since 1900", "Engines"]);
        assert_eq!(there[0]["address"], if address.is_empty() { Value::Null } else { json!(address) });
    };
    as_told("").await;
    let csv = "Name,Domain,Phone,Notes,Address\nAcme,https://www.ACME.example/x,,,1 High Street\n";
    let done = import(&ana, "companies", "companies.csv", csv.as_bytes(), &[]).await;
    let counts = ["new", "changed", "refused"].map(|name| done["import"][name].as_u64().expect("a number"));
    assert_eq!(counts, [0, 1, 0], "{done}");
    as_told("1 High Street").await;
    drop(books);
    app.end().await;
}
