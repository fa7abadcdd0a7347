use baton_server::router;

/// `make openapi` brings the snapshot (and the web app's types) up to date.
#[test]
fn the_snapshot_is_what_the_code_says() {
    let snapshot = include_str!("../../../../openapi.json");
    let now = router::openapi().to_pretty_json().expect("json");
    assert!(snapshot.trim() == now.trim(), "openapi.json is not up to date: run `make openapi`");
}

#[test]
fn every_operation_has_an_id_of_its_own_and_a_summary() {
    let document: serde_json::Value =
        serde_json::from_str(&router::openapi().to_json().expect("json")).expect("json");
    assert_eq!(document["openapi"], "3.1.0");
    let mut ids = std::collections::HashSet::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            assert!(ids.insert(operation["operationId"].to_string()), "{method} {path}");
            assert!(operation["summary"].is_string(), "{method} {path} has no summary");
        }
    }
}
