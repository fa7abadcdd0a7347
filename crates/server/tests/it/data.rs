//! The workspace's data over HTTP.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::test_app::{Actor, Answer, TestApp, text};

/// Someone who works with rows.
pub struct Rows<'a, 'b>(pub &'a Actor<'b>);

impl Rows<'_, '_> {
    pub fn path(&self, rest: &str) -> String {
        let sign = if rest.contains('?') { '&' } else { '?' };
        format!("/api/data/{rest}{sign}workspaceId={}", self.0.workspace)
    }

    pub async fn get(&self, rest: &str) -> Answer {
        self.0.get(&self.path(rest)).await
    }

    pub async fn post(&self, rest: &str, body: Value) -> Answer {
        self.0.post(&self.path(rest), body).await
    }

    pub async fn made(&self, kind: &str, body: Value) -> Value {
        self.post(kind, body).await.expect(StatusCode::CREATED)
    }

    pub async fn patch(&self, kind: &str, id: &Value, body: Value) -> Answer {
        self.0.patch(&self.path(&format!("{kind}/{}", text(id))), body).await
    }

    pub async fn delete(&self, kind: &str, id: &Value) -> Answer {
        self.0.delete(&self.path(&format!("{kind}/{}", text(id)))).await
    }

    async fn undo(&self, changes: Value) -> Answer {
        let body = json!({"workspaceId": self.0.workspace, "changes": changes});
        self.0.post("/api/data/changes/undo", body).await
    }
}

fn payees(list: &Value) -> Vec<&str> {
    list["rows"].as_array().expect("rows").iter().map(|row| row["payee"].as_str().unwrap_or("-")).collect()
}

#[tokio::test]
async fn rows_are_made_listed_changed_and_deleted() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let rows = Rows(&ana);
    let kinds = rows.get("kinds").await.expect(StatusCode::OK);
    let transactions =
        kinds["kinds"].as_array().expect("kinds").iter().find(|kind| kind["name"] == "transactions");
    let transactions = transactions.expect("transactions");
    assert_eq!((&transactions["access"], &transactions["sort"]), (&json!("write"), &json!("-bookedOn")));
    let amount =
        transactions["fields"].as_array().expect("fields").iter().find(|field| field["name"] == "amount");
    let amount = amount.expect("an amount");
    assert_eq!(
        (&amount["type"], &amount["currency"], &amount["presence"]),
        (&json!("money"), &json!("currency"), &json!("required"))
    );

    let giro = rows.made("accounts", json!({"name": "Giro", "currency": "EUR"})).await;
    let food = rows.made("categories", json!({"name": "Food"})).await;
    for (on, amount, payee) in
        [("2026-03-01", -500, "Rewe"), ("2026-03-03", -700, "Kiosk"), ("2026-03-02", 900, "Work")]
    {
        let row = json!({"account_id": giro["id"], "booked_on": on, "amount": amount, "payee": payee});
        rows.made("transactions", row).await;
    }
    let list = rows.get("transactions?limit=2").await.expect(StatusCode::OK);
    assert_eq!(
        (payees(&list), &list["total"], &list["isCounted"]),
        (vec!["Kiosk", "Work"], &json!(3), &json!(true))
    );
    assert_eq!((&list["rows"][0]["account"], &list["rows"][0]["category"]), (&json!("Giro"), &Value::Null));
    let next = rows.get(&format!("transactions?limit=2&cursor={}", text(&list["nextCursor"]))).await;
    let next = next.expect(StatusCode::OK);
    assert_eq!((payees(&next), &next["nextCursor"]), (vec!["Rewe"], &Value::Null));
    let account = text(&giro["id"]);
    for (query, found) in [
        ("search=rew", vec!["Rewe"]),
        ("sort=amount", vec!["Kiosk", "Rewe", "Work"]),
        ("sort=-payee", vec!["Work", "Rewe", "Kiosk"]),
        ("bookedOnFrom=2026-03-02&bookedOnTo=2026-03-02", vec!["Work"]),
        ("amountTo=-600", vec!["Kiosk"]),
        ("categoryId=none", vec!["Kiosk", "Work", "Rewe"]),
        (&format!("accountId={account}&accountId={}", uuid::Uuid::now_v7()), vec!["Kiosk", "Work", "Rewe"]),
        ("status=pending", vec![]),
    ] {
        assert_eq!(
            payees(&rows.get(&format!("transactions?{query}")).await.expect(StatusCode::OK)),
            found,
            "{query}"
        );
    }
    for (query, field) in [
        ("sort=memo", "sort"),
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("cursor=xyz", "cursor"),
        ("colour=red", "colour"),
        ("amountFrom=x", "amountFrom"),
        ("status=done", "status"),
        ("bookedOnFrom=1.3.2026", "booked_on"),
        ("search=a&search=b", "search"),
    ] {
        let answer = rows.get(&format!("transactions?{query}")).await;
        assert_eq!((answer.status.as_u16(), &answer.body["field"]), (400, &json!(field)), "{}", answer.body);
    }
    assert_eq!(rows.get("planets").await.refusal(), (404, "not_found"));

    let one = list["rows"][0].clone();
    let changed =
        rows.patch("transactions", &one["id"], json!({"category_id": food["id"], "version": 1})).await;
    let changed = changed.expect(StatusCode::OK);
    assert_eq!((&changed["category"], &changed["version"]), (&json!("Food"), &json!(2)));
    let stale = rows.patch("transactions", &one["id"], json!({"payee": "X", "version": 1})).await;
    assert_eq!(stale.refusal(), (409, "not_possible"));
    assert!(text(&stale.body["error"]).contains("Read it again"), "{}", stale.body);
    let same = rows.patch("transactions", &one["id"], json!({"payee": "Kiosk"})).await.expect(StatusCode::OK);
    assert_eq!(same["version"], 2);
    for (body, field) in [
        (json!({"amount": "5"}), "amount"),
        (json!({"version": "2"}), "version"),
        (json!({"currency": "USD"}), "currency"),
        (json!({"account_id": uuid::Uuid::now_v7()}), "account_id"),
        (json!({"colour": "red"}), "colour"),
    ] {
        let answer = rows.patch("transactions", &one["id"], body).await;
        assert_eq!((answer.status.as_u16(), &answer.body["field"]), (400, &json!(field)), "{}", answer.body);
    }
    assert_eq!(rows.delete("categories", &food["id"]).await.refusal(), (409, "not_possible"));
    let again = rows.post("categories", json!({"name": "FOOD"})).await;
    assert_eq!((again.refusal(), &again.body["field"]), ((409, "name_taken"), &json!("name")));

    let deleted = rows.delete("transactions", &one["id"]).await.expect(StatusCode::OK);
    let path = format!("transactions/{}", text(&one["id"]));
    assert_eq!(rows.get(&path).await.refusal(), (404, "not_found"));
    rows.post(&format!("{path}/restore"), json!({})).await.expect(StatusCode::OK);
    assert_eq!(rows.get(&path).await.expect(StatusCode::OK)["category"], "Food");
    let changes = rows.get(&format!("{path}/changes")).await.expect(StatusCode::OK);
    let told: Vec<_> = changes["changes"]
        .as_array()
        .expect("changes")
        .iter()
        .map(|change| text(&change["action"]))
        .collect();
    assert_eq!(told, ["restored", "deleted", "changed", "created"]);
    assert_eq!(changes["changes"][2]["before"], json!({"category_id": null}));
    assert_eq!(changes["changes"][0]["profile_id"], json!(ana.id));
    assert!(changes["changes"][3]["after"].get("source_key").is_none());
    assert_eq!(rows.undo(json!([deleted["change_id"]])).await.refusal(), (409, "not_possible"));
    let undone = rows.undo(json!([changes["changes"][0]["id"]])).await.expect(StatusCode::OK);
    assert_eq!((&undone["changed"], &undone["rows"][0]["done"]), (&json!(1), &json!("deleted")));
    assert_eq!(rows.undo(json!([])).await.body["field"], "changes");
    app.end().await;
}

#[tokio::test]
async fn a_key_makes_a_write_one_that_is_done_once() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let rows = Rows(&ana);
    let send = async |key: &str, body: Value| {
        let request =
            ana.request(reqwest::Method::POST, &rows.path("accounts")).header("idempotency-key", key);
        Answer::read(request.json(&body)).await
    };
    let giro = json!({"name": "Giro", "currency": "EUR"});
    let first = send("k1", giro.clone()).await.expect(StatusCode::CREATED);
    assert_eq!(send("k1", giro.clone()).await.expect(StatusCode::CREATED), first);
    let other = send("k1", json!({"name": "Cash", "currency": "EUR"})).await;
    assert_eq!(other.refusal(), (422, "idempotency_key_reused"));
    send("k2", giro.clone()).await.expect(StatusCode::CREATED);
    assert_eq!(send("", giro).await.body["field"], "idempotency-key");
    assert_eq!(rows.get("accounts").await.expect(StatusCode::OK)["total"], 2);
    app.end().await;
}

#[tokio::test]
async fn money_is_split_moved_and_sorted_into_categories() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let rows = Rows(&ana);
    let giro = rows.made("accounts", json!({"name": "Giro", "currency": "EUR"})).await;
    let cash = rows.made("accounts", json!({"name": "Cash", "currency": "EUR"})).await;
    let food = rows.made("categories", json!({"name": "Food"})).await;
    let new = async |account: &Value, on: &str, amount: i64, payee: &str| {
        let row = json!({"account_id": account["id"], "booked_on": on, "amount": amount, "payee": payee});
        rows.made("transactions", row).await["id"].clone()
    };
    let from = new(&giro, "2026-03-01", -5000, "ATM").await;
    let to = new(&cash, "2026-03-02", 5000, "ATM").await;
    let shop = new(&giro, "2026-03-03", -1250, "Rewe").await;

    let proposed = rows.get("transactions/transfers").await.expect(StatusCode::OK);
    let pair = &proposed["proposals"][0];
    assert_eq!(
        (&pair["from"]["id"], &pair["to"]["account"], &pair["is_certain"]),
        (&from, &json!("Cash"), &json!(false))
    );
    let marked =
        rows.post("transactions/transfers", json!({"transactions": [from, to]})).await.expect(StatusCode::OK);
    assert_eq!(marked["changed"], 2);
    let again = rows.post("transactions/transfers", json!({"transactions": [from]})).await;
    assert_eq!(again.refusal(), (409, "not_possible"));
    let none = rows.post("transactions/transfers", json!({"transactions": []})).await;
    assert_eq!(none.body["field"], "transactions");
    let path = rows.path(&format!("transactions/{}/transfer", text(&to)));
    assert_eq!(ana.delete(&path).await.expect(StatusCode::OK)["changed"], 2);
    assert_eq!(ana.delete(&path).await.refusal(), (409, "not_possible"));

    let split = format!("transactions/{}/split", text(&shop));
    let parts = json!([{"category_id": food["id"], "amount": -1000}, {"amount": -250, "memo": "rest"}]);
    let done = rows.post(&split, json!({"parts": parts, "version": 1})).await.expect(StatusCode::OK);
    assert_eq!(done["rows"][0]["splits"][0]["category"], "Food");
    let wrong = rows.post(&split, json!({"parts": [{"amount": 1}, {"amount": 2}]})).await;
    assert_eq!((wrong.status.as_u16(), &wrong.body["field"]), (400, &json!("parts")));
    rows.undo(done["changes"].clone()).await.expect(StatusCode::OK);

    let many = json!({"category_id": food["id"], "filters": {"accountId": giro["id"]}});
    let done = rows.post("transactions/categorise", many).await.expect(StatusCode::OK);
    assert_eq!((&done["changed"], &done["more"]), (&json!(2), &json!(false)));
    let these = json!({"category_id": null, "ids": [shop]});
    assert_eq!(rows.post("transactions/categorise", these).await.expect(StatusCode::OK)["changed"], 1);
    for body in [json!({"category_id": null}), json!({"category_id": null, "ids": [shop], "search": "x"})] {
        assert_eq!(rows.post("transactions/categorise", body).await.body["field"], "ids");
    }
    rows.made("category_rules", json!({"text": "rewe", "category_id": food["id"]})).await;
    let ruled = rows.post("transactions/apply-rules", json!({})).await.expect(StatusCode::OK);
    assert_eq!((&ruled["changed"], &ruled["rows"][0]["id"]), (&json!(1), &shop));
    let all = rows.get("changes?limit=200").await.expect(StatusCode::OK);
    assert_eq!(all["changes"].as_array().expect("changes").len(), 3 + 3 + 2 + 2 + 1 + 1 + 2 + 1 + 1 + 1);
    assert_eq!(rows.get("changes?seq=3").await.body["field"], "conversationId");
    app.end().await;
}
