use serde_json::json;

use super::*;
use crate::defined_tools::{HttpApiConfig, HttpMethod, ToolConfig};

fn desk() -> Value {
    json!({
        "openapi": "3.0.3", "info": {"title": "Help desk"},
        "servers": [{"url": "https://{region}.desk.example/v2/", "variables": {"region": {"default": "eu"}}}],
        "security": [{"query_key": []}, {"key": []}],
        "paths": {
            "/tickets": {
                "get": {
                    "operationId": "tickets.list", "summary": "Lists tickets.",
                    "parameters": [
                        {"name": "filter[state]", "in": "query", "description": "Which.", "schema": {"type": "string", "nullable": true}},
                        {"$ref": "#/components/parameters/Page"},
                        {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                    ],
                },
                "post": {
                    "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ticket"}}}},
                    "security": [],
                },
            },
            "/tickets/{ticket id}": {
                "parameters": [{"name": "ticket id", "in": "path", "required": true, "schema": {"type": "integer"}}],
                "put": {
                    "operationId": "replace", "security": [{"bearer": []}],
                    "requestBody": {"content": {"application/json": {"schema": {"type": "array", "items": {"type": "string"}}}}},
                },
                "patch": {"operationId": "upload", "requestBody": {"required": true, "content": {"multipart/form-data": {}}}},
                "delete": {"operationId": "replace", "parameters": [{"name": "X-Why", "in": "header", "required": true}]},
                "get": {"operationId": "by_cookie", "security": [{"cookie": []}]},
            },
        },
        "components": {
            "parameters": {"Page": {"name": "page", "in": "query", "required": true, "schema": {"type": "integer", "example": 3}}},
            "schemas": {
                "Ticket": {
                    "type": "object", "required": ["title"],
                    "properties": {"title": {"type": "string"}, "after": {"$ref": "#/components/schemas/Ticket"}},
                },
            },
            "securitySchemes": {
                "query_key": {"type": "apiKey", "in": "query", "name": "key"},
                "key": {"type": "apiKey", "in": "header", "name": "X-Desk-Key"},
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
            },
        },
    })
}

fn imported(document: &Value) -> ImportedApi {
    read(&document.to_string(), None).expect("an API")
}

fn tool(api: &ImportedApi, name: &str) -> HttpApiConfig {
    let mut all = api.operations.iter().filter_map(|one| one.as_ref().ok());
    let found = all.find(|one| one.definition.name == name).unwrap_or_else(|| panic!("{name} in {api:?}"));
    let ToolConfig::HttpApi(config) = &found.definition.config else { panic!("a request") };
    config.clone()
}

#[test]
fn an_operation_becomes_a_request() {
    let api = imported(&desk());
    assert_eq!(api.title, "Help desk");
    let list = tool(&api, "tickets_list");
    assert_eq!(list.url, "https://eu.desk.example/v2/tickets?filter%5Bstate%5D={filter_state_}&page={page}");
    assert_eq!(list.secret_headers, ["X-Desk-Key"], "the first way that keeps the key secret");
    assert_eq!(
        list.parameters,
        json!({
            "type": "object", "required": ["page"],
            "properties": {
                "filter_state_": {"type": ["string", "null"], "description": "Which."},
                "page": {"type": "integer"},
            },
        })
    );
    let sent = list.plan(json!({"filter_state_": "a&b", "page": 2}).as_object().expect("arguments"));
    assert_eq!(
        sent.expect("a request").url,
        "https://eu.desk.example/v2/tickets?filter%5Bstate%5D=a%26b&page=2"
    );
}

#[test]
fn schemas_that_lead_back_to_themselves_go_along() {
    let create = tool(&imported(&desk()), "post_tickets");
    assert_eq!(create.secret_headers, Vec::<String>::new(), "it says that it needs none");
    assert_eq!(create.parameters["properties"]["after"], json!({"$ref": "#/$defs/Ticket"}));
    assert_eq!(create.parameters["required"], json!(["title"]));
    let fits = |arguments: Value| crate::schema::check(&create.parameters, &arguments).is_ok();
    assert!(fits(json!({"title": "a", "after": {"title": "b", "after": {"title": "c"}}})));
    assert!(!fits(json!({"title": "a", "after": {"title": "b", "after": {}}})));
}

#[test]
fn a_body_that_is_no_object_is_one_parameter() {
    let replace = tool(&imported(&desk()), "replace");
    assert_eq!((replace.method, replace.body_from.as_deref()), (HttpMethod::Put, Some("body")));
    assert_eq!(replace.url, "https://eu.desk.example/v2/tickets/{ticket_id}");
    let sent = replace.plan(json!({"ticket_id": 7, "body": ["a"]}).as_object().expect("arguments"));
    let sent = sent.expect("a request");
    assert_eq!((sent.url.as_str(), sent.body), ("https://eu.desk.example/v2/tickets/7", Some(json!(["a"]))));
}

#[test]
fn what_can_be_no_tool_says_why() {
    let api = imported(&desk());
    let why = |method| {
        let mut all = api.operations.iter().filter_map(|one| one.as_ref().err());
        all.find(|one| one.method == method).map(|one| one.why.clone()).unwrap_or_default()
    };
    assert!(why(HttpMethod::Patch).contains("multipart/form-data"), "{}", why(HttpMethod::Patch));
    assert!(why(HttpMethod::Delete).contains("X-Why"));
    assert!(why(HttpMethod::Get).contains("cookie"));
    let left: Vec<_> = api
        .operations
        .iter()
        .filter_map(|one| one.as_ref().ok())
        .flat_map(|one| one.left_out.clone())
        .collect();
    assert_eq!(left, ["X-Trace (header)"]);
}

#[test]
fn where_it_is_may_be_known_from_where_it_was_found() {
    let text = "openapi: 3.1.0\ninfo: {title: T}\nservers: [{url: /api}]\npaths:\n  /x:\n    get: {operationId: x}\n";
    let api = read(text, Some("https://h.example:8443/openapi.yaml")).expect("an API");
    assert_eq!(tool(&api, "x").url, "https://h.example:8443/api/x");
    let api = read(text, None).expect("an API");
    assert!(api.operations[0].as_ref().is_err_and(|one| one.why.contains("server")), "{api:?}");
}

#[test]
fn what_is_no_such_document_is_refused() {
    for wrong in
        ["", "{", "[]", "{}", r#"{"swagger": "2.0", "paths": {}}"#, r#"{"openapi": "3.0.0"}"#, "a: *b"]
    {
        assert_eq!(read(wrong, None).expect_err(wrong).field, "document");
    }
}
