use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::agents::member;
use crate::test_app::{Actor, TestApp, text};

async fn local(of: &Actor<'_>, name: &str) -> String {
    text(&of.agent(name).await["localAgentId"])
}

async fn desk(of: &Actor<'_>) -> Value {
    let (coach, auditor) = (local(of, "Budget Coach").await, local(of, "Expense Auditor").await);
    json!({
        "workspaceId": of.workspace, "name": "Money Desk", "kind": "swarm",
        "members": [{"agentId": coach}, {"agentId": auditor, "isDefault": true, "priority": 3}],
    })
}

#[tokio::test]
async fn a_team_from_making_to_a_conversation() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let body = desk(&ana).await;
    let made = ana.post("/api/teams", body.clone()).await.expect(StatusCode::CREATED);
    assert_eq!(
        (&made["slug"], &made["pack"], &made["router"]),
        (&json!("money-desk"), &json!(null), &json!(null))
    );
    let auditor = &made["members"][1];
    assert_eq!((&auditor["slug"], &auditor["is_default"]), (&json!("expense-auditor"), &json!(true)));
    assert_eq!(
        (&auditor["priority"], &auditor["is_active"], &auditor["stage"]),
        (&json!(3), &json!(true), &json!(null))
    );
    let taken = ana.post("/api/teams", body).await;
    assert_eq!((taken.refusal(), &taken.body["field"]), ((409, "name_taken"), &json!("name")));

    let path = format!("/api/teams/{}", text(&made["id"]));
    let router = json!({"kind": "router", "router": {"model": "sonnet", "instructions": "Stay."}});
    let changed = ana.patch(&path, router).await.expect(StatusCode::OK);
    assert_eq!(changed["router"], json!({"model": "sonnet", "instructions": "Stay."}));
    assert_eq!(changed["members"], made["members"], "what isn't named stays");
    let back =
        ana.patch(&path, json!({"kind": "swarm", "description": "Both."})).await.expect(StatusCode::OK);
    assert_eq!((&back["router"], &back["description"]), (&json!(null), &json!("Both.")));
    assert_eq!(ana.get(&path).await.expect(StatusCode::OK), back);
    let list = ana.get_owned(format!("/api/teams?workspaceId={}", ana.workspace)).await;
    assert_eq!(list, json!({"teams": [back]}));

    let begin = json!({"workspaceId": ana.workspace, "teamId": made["id"]});
    let conversation = ana.post("/api/agent-conversations", begin.clone()).await.expect(StatusCode::CREATED);
    assert_eq!((&conversation["team_id"], &conversation["agent_id"]), (&made["id"], &auditor["agent_id"]));
    let read = ana.get_owned(format!("/api/agent-conversations/{}", text(&conversation["id"]))).await;
    assert_eq!(read["team_id"], made["id"]);

    ana.delete(&format!("/api/agents/{}/unhire", text(&auditor["agent_id"]))).await.expect(StatusCode::OK);
    let seen = ana.get(&path).await.expect(StatusCode::OK);
    assert_eq!(
        (&seen["members"][1]["is_active"], &seen["members"][0]["is_active"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(ana.post("/api/agent-conversations", begin).await.refusal(), (409, "no_agent"));

    ana.delete(&path).await.expect(StatusCode::OK);
    assert_eq!(ana.get(&path).await.refusal(), (404, "not_found"));
    let left = ana.get_owned(format!("/api/agent-conversations/{}", text(&conversation["id"]))).await;
    assert_eq!((&left["team_id"], &left["agent_id"]), (&json!(null), &auditor["agent_id"]));
    app.end().await;
}

#[tokio::test]
async fn members_make_teams_and_change_their_own() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let cleo = app.person("cleo").await;
    let body = desk(&ana).await;
    let hers = ana.post("/api/teams", body.clone()).await.expect(StatusCode::CREATED);
    let hers = format!("/api/teams/{}", text(&hers["id"]));
    let list = format!("/api/teams?workspaceId={}", ana.workspace);

    let mut own = body.clone();
    own["name"] = json!("Ben's");
    let his = ben.post("/api/teams", own).await.expect(StatusCode::CREATED);
    let his = format!("/api/teams/{}", text(&his["id"]));
    ben.get(&hers).await.expect(StatusCode::OK);
    assert_eq!(ben.patch(&hers, json!({"name": "x"})).await.refusal(), (403, "role_too_low"));
    assert_eq!(ben.delete(&hers).await.refusal(), (403, "role_too_low"));
    ben.patch(&his, json!({"name": "Still Ben's"})).await.expect(StatusCode::OK);
    ana.patch(&his, json!({"name": "Ana was here"})).await.expect(StatusCode::OK);
    ben.delete(&his).await.expect(StatusCode::OK);

    assert_eq!(cleo.get(&list).await.refusal(), (403, "not_a_member"));
    assert_eq!(cleo.post("/api/teams", body).await.refusal(), (403, "not_a_member"));
    for refused in [cleo.get(&hers).await, cleo.patch(&hers, json!({})).await, cleo.delete(&hers).await] {
        assert_eq!(refused.refusal(), (404, "not_found"));
    }
    let begin = json!({"workspaceId": cleo.workspace, "teamId": hers.rsplit('/').next()});
    assert_eq!(cleo.post("/api/agent-conversations", begin).await.refusal(), (404, "not_found"));
    assert_eq!(app.anonymous().get(&list).await.status, 401);
    app.end().await;
}

#[tokio::test]
async fn wrong_fields_of_teams_are_named() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = app.person("ben").await;
    let theirs = local(&ben, "Budget Coach").await;
    let agent = local(&ana, "Budget Coach").await;
    let other = local(&ana, "Expense Auditor").await;
    let stage = |name: &str, schema: Value| json!({"name": name, "outputSchema": schema});
    let object = || json!({"type": "object"});
    let pipeline = |stages: Vec<Value>| {
        let agents = [&agent, &other];
        let member = |(at, stage): (usize, Value)| json!({"agentId": agents[at], "stage": stage});
        let members: Vec<Value> = stages.into_iter().enumerate().map(member).collect();
        json!({"kind": "pipeline", "members": members})
    };
    let members = |members: Value| json!({"members": members});
    let deep = (0..20)
        .fold(json!({"type": "object"}), |inner, _| json!({"type": "object", "properties": {"x": inner}}));
    let of = |property: Value| json!({"type": "object", "properties": {"x": property}});
    for (change, field) in [
        (json!({"name": "a\nb"}), "name"),
        (json!({"name": "x".repeat(101)}), "name"),
        (json!({"name": 5}), "name"),
        (json!({"nmae": "typo"}), "nmae"),
        (json!({"description": "x".repeat(2_001)}), "description"),
        (json!({"kind": "relay"}), "kind"),
        (json!({"router": {"instructions": "x"}}), "router"),
        (json!({"kind": "router", "router": {"model": "sonet"}}), "router.model"),
        (json!({"kind": "router", "router": {"model": "two words"}}), "router.model"),
        (json!({"kind": "router", "router": {"instructions": "x".repeat(8_001)}}), "router.instructions"),
        (members(json!([])), "members"),
        (members(json!([{"agentId": agent}])), "members"),
        (members(json!([{"agentId": agent}, {"agentId": agent}])), "members[1].agentId"),
        (members(json!([{"agentId": agent}, {"agentId": theirs}])), "members[1].agentId"),
        (members(json!([{"agentId": agent}, {"agentId": ana.id}])), "members[1].agentId"),
        (members(json!([{"agentId": agent}, {"agentId": "x"}])), "members[1].agentId"),
        (members(json!([{"agentId": agent}, {}])), "members[1].agentId"),
        (members(json!([{"agentId": agent}, {"agentId": other, "priority": 1e12}])), "members[1].priority"),
        (
            members(json!([{"agentId": agent, "isDefault": true}, {"agentId": other, "isDefault": true}])),
            "members",
        ),
        (
            members(json!([{"agentId": agent}, {"agentId": other, "stage": stage("x", object())}])),
            "members[1].stage",
        ),
        (pipeline(vec![]), "members"),
        (pipeline(vec![Value::Null]), "members[0].stage"),
        (pipeline(vec![json!({"name": "x"})]), "members[0].stage.outputSchema"),
        (pipeline(vec![stage("", object())]), "members[0].stage.name"),
        (pipeline(vec![stage("a", object()), stage("a", object())]), "members[1].stage.name"),
        (pipeline(vec![stage("a", json!("object"))]), "members[0].stage.outputSchema"),
        (pipeline(vec![stage("a", json!({"type": "string"}))]), "members[0].stage.outputSchema"),
        (
            pipeline(vec![stage("a", json!({"type": "object", "required": ["x"]}))]),
            "members[0].stage.outputSchema",
        ),
        (
            pipeline(vec![stage("a", json!({"type": "object", "properties": {"x": {"type": "text"}}}))]),
            "members[0].stage.outputSchema",
        ),
        (
            pipeline(vec![stage("a", json!({"type": "object", "title": "a\u{0}b"}))]),
            "members[0].stage.outputSchema",
        ),
        (
            pipeline(vec![stage("a", json!({"type": "object", "title": "x".repeat(20_000)}))]),
            "members[0].stage.outputSchema",
        ),
        (pipeline(vec![stage("a", deep)]), "members[0].stage.outputSchema"),
        (json!({"router": []}), "router"),
        (json!({"members": [["00000000-0000-7000-8000-000000000000"]]}), "members[0]"),
        (json!({"description": " ".repeat(2_001)}), "description"),
        (
            pipeline(vec![stage("a", json!({"type": "object", "oneOf": [{"required": ["a"]}]}))]),
            "members[0].stage.outputSchema",
        ),
        (pipeline(vec![stage("a", of(json!({"pattern": "("})))]), "members[0].stage.outputSchema"),
        (pipeline(vec![stage("a", of(json!({"$ref": "#/$defs/none"})))]), "members[0].stage.outputSchema"),
        (pipeline(vec![stage("a", of(json!({"minimum": "x"})))]), "members[0].stage.outputSchema"),
        (pipeline(vec![stage("a", of(json!({"minLength": "x"})))]), "members[0].stage.outputSchema"),
        (pipeline(vec![stage("a", of(json!({"unevaluatedItems": false})))]), "members[0].stage.outputSchema"),
    ] {
        let mut body = desk(&ana).await;
        for (name, value) in change.as_object().expect("an object") {
            body[name] = value.clone();
        }
        let answer = ana.post("/api/teams", body).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.body["field"]),
            (400, &json!(field)),
            "{change}: {}",
            answer.body
        );
    }
    let mut large = desk(&ana).await;
    large["description"] = json!("x".repeat(4 * 1024 * 1024));
    assert_eq!(ana.post("/api/teams", large).await.refusal(), (413, "too_large"));
    let list = ana.get_owned(format!("/api/teams?workspaceId={}", ana.workspace)).await;
    assert_eq!(list, json!({"teams": []}));

    let both = json!({"workspaceId": ana.workspace, "agentId": agent, "teamId": agent});
    assert_eq!(ana.post("/api/agent-conversations", both).await.body["field"], "teamId");
    let neither = json!({"workspaceId": ana.workspace});
    assert_eq!(ana.post("/api/agent-conversations", neither).await.body["field"], "agentId");
    let unknown = json!({"workspaceId": ana.workspace, "teamId": agent});
    assert_eq!(ana.post("/api/agent-conversations", unknown).await.refusal(), (404, "not_found"));
    app.end().await;
}

#[tokio::test]
async fn a_pipeline_keeps_its_stages() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let (first, last) = (local(&ana, "Budget Coach").await, local(&ana, "Report Generator").await);
    let schema = json!({"type": "object", "properties": {"goal": {"type": "string"}}, "required": ["goal"]});
    let body = json!({
        "workspaceId": ana.workspace, "name": "Report", "kind": "pipeline",
        "members": [
            {"agentId": first, "stage": {"name": "ask", "outputSchema": schema, "instructions": "Ask."}},
            {"agentId": last, "isDefault": true, "stage": {"name": "write", "outputSchema": {"type": "object"}}},
        ],
    });
    let made = ana.post("/api/teams", body).await.expect(StatusCode::CREATED);
    assert_eq!(
        made["members"][0]["stage"],
        json!({"name": "ask", "output_schema": schema, "instructions": "Ask."})
    );
    let begin = json!({"workspaceId": ana.workspace, "teamId": made["id"]});
    let begun = ana.post("/api/agent-conversations", begin).await.expect(StatusCode::CREATED);
    assert_eq!(begun["agent_id"], json!(first), "a pipeline begins with its first stage");

    ana.patch(&format!("/api/agents/{first}"), json!({"is_restricted": true})).await.expect(StatusCode::OK);
    let begin = json!({"workspaceId": ana.workspace, "teamId": made["id"]});
    assert_eq!(ana.post("/api/agent-conversations", begin).await.refusal(), (403, "premium_required"));
    app.end().await;
}
