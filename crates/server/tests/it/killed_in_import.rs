//! `kill -9` at any moment of an import: the next start goes on after the last commit, and everything is stored once. And
//! `baton import`, as a person uses it.

use std::path::Path;
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::process::{Server, command, get, post, start};

const ROWS: usize = 30_000;
const KILLS: usize = 4;

/// Rows of which many are equal: they count as often as they are there.
fn file() -> String {
    let mut file = String::from("Date,Payee,Amount\n");
    for n in 0..ROWS {
        file.push_str(&format!(
            "2026-{:02}-{:02},Shop {},-{}.25\n",
            n * 12 / ROWS + 1,
            n % 28 + 1,
            n % 11,
            n % 50
        ));
    }
    file
}

async fn signed_in(server: &Server) -> (String, String) {
    let redeem = format!("{}/api/auth/links/redeem", server.url);
    let (status, me, cookie) = post(&redeem, json!({"token": server.link})).await;
    assert_eq!(status, StatusCode::OK, "{me}");
    (cookie, me["workspaces"][0]["id"].as_str().expect("a workspace").to_owned())
}

async fn total(server: &Server, cookie: &str, workspace: &str) -> u64 {
    let list =
        get(&format!("{}/api/data/transactions?workspaceId={workspace}&limit=1", server.url), cookie).await;
    list["total"].as_u64().expect("a number")
}

async fn import_of(server: &Server, cookie: &str, id: &str) -> Value {
    get(&format!("{}/api/data/imports/{id}", server.url), cookie).await["import"].clone()
}

#[tokio::test]
async fn an_import_that_is_killed_goes_on_and_stores_everything_once() {
    baton_tools::outbound::install_tls();
    let dir = tempfile::tempdir().expect("a folder");
    let mut server = start(dir.path(), &["--demo"]);
    let (cookie, workspace) = signed_in(&server).await;
    let before = total(&server, &cookie, &workspace).await;
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let path = format!(
        "{}/api/data/transactions/import?workspaceId={workspace}&filename=a.csv&account=Savings",
        server.url
    );
    let begun = client.post(path).header("cookie", &cookie).body(file()).send().await.expect("an answer");
    assert_eq!(begun.status(), StatusCode::ACCEPTED);
    let begun: Value = begun.json().await.expect("json");
    let id = begun["import"]["id"].as_str().expect("an id").to_owned();
    let mut seen = Vec::new();
    for kill in 0..KILLS {
        // After some of it is stored, a different share each time.
        let least = (ROWS * (kill + 1) / (KILLS + 3)) as u64;
        for _ in 0..3_000 {
            let import = import_of(&server, &cookie, &id).await;
            if import["read"].as_u64() >= Some(least) || import["status"] == "completed" {
                seen.push(import["read"].as_u64().expect("a number"));
                break;
            }
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        drop(server); // SIGKILL
        server = start(dir.path(), &["--demo"]);
    }
    for _ in 0..3_000 {
        if import_of(&server, &cookie, &id).await["status"] == "completed" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let import = import_of(&server, &cookie, &id).await;
    assert_eq!(import["status"], "completed", "{import}");
    assert!(
        seen.iter().any(|&read| read > 0 && read < ROWS as u64),
        "it was never killed in its middle: {seen:?}"
    );
    let counted =
        ["read", "new", "duplicates", "refused"].map(|name| import[name].as_u64().expect("a number"));
    assert_eq!(counted, [ROWS as u64, ROWS as u64, 0, 0], "{import}");
    assert_eq!(total(&server, &cookie, &workspace).await, before + ROWS as u64);

    // The same file by the terminal adds none.
    std::fs::write(dir.path().join("again.csv"), file()).expect("a file");
    let said = imported(dir.path(), &["transactions", "again.csv", "--account", "savings"]);
    assert_eq!(
        said,
        (Some(0), format!("{ROWS} rows read: 0 new, 0 changed, {ROWS} duplicates, 0 refused\n"))
    );
    std::fs::write(dir.path().join("one.csv"), "When;What\n01/02/2026;-5,00\n").expect("a file");
    let said = imported(dir.path(), &["transactions", "one.csv", "--account", "Savings"]);
    assert_eq!(said.0, Some(3), "nobody can be asked: {said:?}");
    let options = [
        "--account",
        "Savings",
        "--date-order",
        "day",
        "--column",
        "booked_on=When",
        "--column",
        "amount=What",
    ];
    let said = imported(dir.path(), &[&["transactions", "one.csv"][..], &options[..]].concat());
    assert_eq!(said, (Some(0), "1 rows read: 1 new, 0 changed, 0 duplicates, 0 refused\n".to_owned()));
    let said = imported(dir.path(), &[&["transactions", "one.csv", "--dry-run"][..], &options[..]].concat());
    assert_eq!(
        said,
        (Some(0), "1 rows read: would be 0 new, 0 changed, 1 duplicates, 0 refused\n".to_owned())
    );
    assert_eq!(imported(dir.path(), &["transactions", "nothing.csv"]).0, Some(1));
}

/// Its exit code, and what it printed.
fn imported(dir: &Path, args: &[&str]) -> (Option<i32>, String) {
    let ran = command(dir).arg("import").args(args).output().expect("ran");
    (ran.status.code(), String::from_utf8_lossy(&ran.stdout).into_owned())
}
