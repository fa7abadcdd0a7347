//! Key figures over HTTP and as agents tell them: the same numbers, for who may see them.

use baton_core::figures::FIGURES;
use chrono::{Days, Months, NaiveDate, Utc};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::agents::member;
use crate::data::Rows;
use crate::talk::scripted;
use crate::test_app::{Actor, Answer, TestApp, text};

async fn get(who: &Actor<'_>, workspace: &str, what: &str) -> Answer {
    let more = if what.contains('?') { '&' } else { '?' };
    who.get(&format!("/api/analytics/{what}{more}workspaceId={workspace}")).await
}

async fn put(who: &Actor<'_>, figure: &str, body: Value) -> Answer {
    Answer::read(who.request(Method::PUT, &format!("/api/analytics/pins/{figure}")).json(&body)).await
}

fn today() -> NaiveDate {
    Utc::now().date_naive()
}

/// Two and a half years of spending with a season of months, and an income.
async fn spend(ana: &Actor<'_>) {
    let rows = Rows(ana);
    let account = rows.made("accounts", json!({"name": "Giro", "currency": "EUR"})).await;
    let first = today().checked_sub_months(Months::new(30)).expect("a day");
    for back in 0..30u32 {
        let on = first.checked_add_months(Months::new(back)).expect("a day");
        // A dear winter, and something that is never twice the same.
        let swing = [9, 8, 5, 4, 3, 2, 2, 3, 4, 5, 7, 9][(back % 12) as usize];
        let amount = -(i64::from(swing) * 10_000 + i64::from(back * 37 % 11) * 100);
        rows.made("transactions", json!({"account_id": account["id"], "booked_on": on, "amount": amount}))
            .await;
    }
    let yesterday = today() - Days::new(1);
    rows.made("transactions", json!({"account_id": account["id"], "booked_on": yesterday, "amount": 5_000}))
        .await;
}

#[tokio::test]
async fn figures_open_to_their_rows_and_lead_somewhere() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    spend(&ana).await;
    let workspace = ana.workspace.clone();
    let listed = get(&ana, &workspace, "figures").await.expect(StatusCode::OK);
    let names: Vec<&str> = listed["figures"]
        .as_array()
        .expect("figures")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names, FIGURES.iter().map(|figure| figure.name).collect::<Vec<_>>());
    for name in names {
        get(&ana, &workspace, name).await.expect(StatusCode::OK);
    }

    let told = get(&ana, &workspace, "spending?by=month").await.expect(StatusCode::OK);
    let (buckets, total) = (told["buckets"].as_array().expect("buckets"), &told["totals"][0]);
    assert_eq!((buckets.len(), &total["currency"]), (12, &json!("EUR")), "{told}");
    for (place, bucket) in buckets.iter().enumerate() {
        let path = format!("spending/rows?from={}&to={}", text(&bucket["from"]), text(&bucket["to"]));
        let rows = get(&ana, &workspace, &path).await.expect(StatusCode::OK);
        let sum: i64 =
            rows["rows"].as_array().expect("rows").iter().map(|row| row["amount"].as_i64().unwrap()).sum();
        assert_eq!(json!(sum), total["values"][place], "{bucket}");
    }

    let told = get(&ana, &workspace, "spending/forecast?by=month&ahead=3").await.expect(StatusCode::OK);
    let forecast = &told["forecast"];
    let points = forecast["points"].as_array().expect("points");
    assert_eq!(
        (points.len(), &forecast["season"], &told["why_not"]),
        (3, &json!(12), &Value::Null),
        "{told}"
    );
    for point in points {
        let value = |name: &str| point[name].as_i64().expect("a number");
        assert!(0 <= value("lower") && value("lower") <= value("value") && value("value") <= value("upper"));
    }
    assert!(forecast["accuracy"]["naive"].as_i64() > Some(0), "{forecast}");
    let again = get(&ana, &workspace, "spending/forecast?by=month&ahead=3").await.expect(StatusCode::OK);
    assert_eq!(again, told, "nothing in it depends on chance");
    let none = get(&ana, &workspace, "income/forecast?by=day").await.expect(StatusCode::OK);
    assert!(text(&none["why_not"]).contains("14 whole days, and there is 1"), "{none}");
    let none = get(&ana, &workspace, "win-rate/forecast").await.expect(StatusCode::OK);
    assert!(text(&none["why_not"]).contains("can't be forecast"), "{none}");

    for (what, refusal) in [
        ("nonsense", (404, "not_found")),
        ("spending?by=hour", (400, "invalid_field")),
        ("spending?from=2020-01-01&by=day", (400, "invalid_field")),
        ("spending?from=2026-03-02&to=2026-03-01", (400, "invalid_field")),
        ("spending/rows", (400, "invalid_field")),
        ("spending/rows?from=2026-03-01&to=2026-03-31&limit=0", (400, "invalid_field")),
        ("turns/rows?from=2026-03-01&to=2026-03-31&key=me", (400, "invalid_field")),
        ("spending/forecast?ahead=99", (400, "invalid_field")),
        ("spending/forecast?currency=XXQ", (400, "invalid_field")),
    ] {
        assert_eq!(get(&ana, &workspace, what).await.refusal(), refusal, "{what}");
    }
    app.end().await;
}

#[tokio::test]
async fn a_workspace_keeps_figures_in_sight_of_who_may_see_them() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let cleo = app.person("cleo").await;
    let workspace = ana.workspace.clone();
    let body = |by: &str| json!({"workspaceId": workspace, "by": by});
    for name in ["net-worth", "turns"] {
        put(&ana, name, body("week")).await.expect(StatusCode::OK);
    }
    assert_eq!(put(&ana, "happiness", body("week")).await.refusal(), (404, "not_found"));
    assert_eq!(put(&cleo, "turns", body("week")).await.refusal(), (403, "not_a_member"));
    let rule = json!({"rules": [{"role": "member", "area": "money", "access": "none"}]});
    ana.patch(&format!("/api/workspaces/{workspace}/areas"), rule).await.expect(StatusCode::OK);
    let pinned = async |who: &Actor<'_>| -> Vec<String> {
        let told = get(who, &workspace, "pins").await.expect(StatusCode::OK);
        told["pins"].as_array().expect("pins").iter().map(|pin| text(&pin["figure"]["name"])).collect()
    };
    assert_eq!(pinned(&ana).await, ["net-worth", "turns"]);
    assert_eq!(pinned(&ben).await, ["turns"]);
    let figures = get(&ben, &workspace, "figures").await.expect(StatusCode::OK);
    assert!(figures["figures"].as_array().expect("figures").iter().all(|one| one["area"] != "money"));
    for what in ["net-worth", "net-worth/rows?from=2026-01-01&to=2026-01-31", "net-worth/forecast"] {
        assert_eq!(get(&ben, &workspace, what).await.refusal(), (403, "area_refused"), "{what}");
    }
    assert_eq!(put(&ben, "income", body("day")).await.refusal(), (403, "area_refused"));
    let path = format!("/api/analytics/pins/turns?workspaceId={workspace}");
    ben.delete(&path).await.expect(StatusCode::OK);
    assert_eq!(pinned(&ana).await, ["net-worth"]);
    app.end().await;
}

/// What an agent tells is what the page shows, and no more than its person may see.
#[tokio::test]
async fn an_agent_tells_the_same_figures_as_the_page() {
    let call = |arguments: Value| json!([{"name": "queryAnalytics", "arguments": arguments}]);
    let (app, _script) = scripted(json!([
        {"match": "report", "calls": call(json!({"figure": "spending", "by": "month"}))},
        {"match": "report", "text": "That is it."},
        {"match": "ahead", "calls": call(json!({"action": "forecast", "figure": "spending", "ahead": 2}))},
        {"match": "ahead", "text": "That is it."},
        {"match": "behind", "calls": call(json!({"action": "rows", "figure": "spending", "period": "last_90_days"}))},
        {"match": "behind", "text": "That is it."},
        {"match": "refused", "calls": call(json!({"figure": "spending"}))},
        {"match": "refused", "text": "You may not see it."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    spend(&ana).await;
    let workspace = ana.workspace.clone();
    let ask = async |who: &Actor<'_>, words: &str| -> Value {
        let events = who.chat("Report Generator", words).await;
        let mut results = events.iter().filter(|got| got.name == "tool_result");
        results.next().expect("a result").data.clone()
    };
    let page = get(&ana, &workspace, "spending?by=month").await.expect(StatusCode::OK);
    let told = &ask(&ana, "report").await["result"];
    let cents = page["totals"][0]["total"].as_i64().expect("a number");
    assert_eq!(told["totals"][0]["total"], format!("{}.{:02}", cents / 100, cents % 100), "{told}");
    assert_eq!(told["totals"][0]["byMonth"].as_object().map(serde_json::Map::len), Some(12));

    let page = get(&ana, &workspace, "spending/forecast?ahead=2").await.expect(StatusCode::OK);
    let told = &ask(&ana, "ahead").await["result"];
    let cents = page["forecast"]["points"][1]["upper"].as_i64().expect("a number");
    assert_eq!(told["forecast"][1]["upper"], format!("{}.{:02}", cents / 100, cents % 100), "{told}");
    assert!(told["method"].is_string() && told["accuracy"].is_object(), "{told}");

    let told = &ask(&ana, "behind").await["result"];
    assert!((2..=4).contains(&told["rows"].as_array().expect("rows").len()), "{told}");

    let rule = json!({"rules": [{"role": "member", "area": "money", "access": "none"}]});
    ana.patch(&format!("/api/workspaces/{workspace}/areas"), rule).await.expect(StatusCode::OK);
    let refused = ask(&ben, "refused").await;
    assert_eq!(refused["success"], false, "{refused}");
    assert!(refused.to_string().contains("may not see data of the area money"), "{refused}");
    app.end().await;
}
