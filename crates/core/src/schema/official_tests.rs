//! The official tests of JSON Schema (2020-12), for the keywords that schemas of tools use. Their files are in
//! `tests/fixtures/json-schema/`, beside their licence. Tests that fail are in `exceptions.txt` there, each with its reason.

use std::path::PathBuf;

use serde_json::Value;

use super::check;

#[test]
fn the_official_tests_hold_but_for_those_with_a_reason() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/json-schema");
    let exceptions = std::fs::read_to_string(folder.join("exceptions.txt")).expect("exceptions");
    let explained = exceptions.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let mut explained: Vec<&str> = explained.collect();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    let (mut failed, mut run) = (Vec::new(), 0);
    for path in files {
        let keyword = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let text = std::fs::read_to_string(&path).expect("text");
        let groups: Vec<Value> = serde_json::from_str(&text).expect("JSON");
        for group in &groups {
            for test in group["tests"].as_array().expect("tests") {
                run += 1;
                if check(&group["schema"], &test["data"]).is_ok() != (test["valid"] == true) {
                    let words = |value: &Value| value["description"].as_str().expect("words").to_owned();
                    failed.push(format!("{keyword}: {}: {}", words(group), words(test)));
                }
            }
        }
    }
    assert!(run > 800, "only {run} tests were there");
    failed.sort();
    explained.sort_unstable();
    assert_eq!(failed, explained);
}
