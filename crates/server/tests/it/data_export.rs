//! `exportData`: a file for its person only, while they may see the data, for a day.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::agents::member;
use crate::data_imports::import;
use crate::talk::scripted;
use crate::test_app::text;

#[tokio::test]
async fn an_agents_file_is_for_its_person_as_long_as_they_may_see_the_data() {
    let arguments = json!({"kind": "categories", "type": "income", "format": "csv", "limit": 1});
    let (app, _script) = scripted(json!([
        {"match": "export", "calls": [{"name": "exportData", "arguments": arguments}]},
        {"text": "Here it is."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let sam = member(&app, &ana, "sam").await;
    let csv = b"Name,Type\nPay,income\n=Rent,spending\nTips,income\n";
    let done = import(&ana, "categories", "c.csv", csv, &[]).await;
    assert_eq!(done["import"]["new"], 3, "{done}");
    let agent = text(&ana.agent("Report Generator").await["localAgentId"]);
    ana.patch(&format!("/api/agents/{agent}"), json!({"tools": ["dataExport"]})).await.expect(StatusCode::OK);
    let events = sam.chat("Report Generator", "export this").await;
    let result = events.iter().find(|event| event.data["type"] == "tool_result").expect("a result");
    let made = &result.data["result"];
    assert_eq!((&made["rows"], &made["kind"]), (&json!(1), &json!("categories")), "{}", result.data);
    let url = text(&made["file"]["url"]);
    let file = sam.request(Method::GET, &url).send().await.expect("an answer");
    assert_eq!(file.status(), StatusCode::OK);
    let header = |name: &str| file.headers()[name].to_str().expect("text").to_owned();
    assert!(header("content-disposition").starts_with("attachment; filename=\"categories-"));
    assert_eq!(header("content-security-policy"), "default-src 'none'; sandbox");
    assert_eq!(header("x-content-type-options"), "nosniff");
    let body = file.text().await.expect("text");
    assert!(body.starts_with("Row ID,Name,Type\r\n") && body.ends_with(",Pay,income\r\n"), "{body}");
    assert_eq!(ana.get(&url).await.refusal(), (404, "not_found"), "it is Sam's");
    let rules = json!({"rules": [{"role": "member", "area": "money", "access": "none"}]});
    ana.patch(&format!("/api/workspaces/{}/areas", ana.workspace), rules).await.expect(StatusCode::OK);
    assert_eq!(sam.get(&url).await.refusal(), (403, "area_refused"), "as they may see it now");
    app.end().await;
}
