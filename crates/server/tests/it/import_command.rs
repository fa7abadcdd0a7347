//! `baton import`, as people run it: the real program beside a real server.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::chat_command::{err, house, out};
use crate::process::get;

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

#[tokio::test]
async fn a_folder_of_markdown_becomes_a_tree_of_pages_once() {
    let house = house(serde_json::json!([{"text": "Hello."}]));
    let notes = house.folder().join("notes");
    write(&notes.join("Trips.md"), "# Trips\n\nSee [the list](Trips/Packing.md).\n");
    write(&notes.join("Trips/Packing.md"), "- wigwam\n");
    write(&notes.join(".hidden/secret.md"), "not this");
    std::os::unix::fs::symlink(house.folder().join("script.json"), notes.join("Out.md")).expect("linked");
    let import = |args: &[&str]| house.import(args);

    let tried = import(&["pages", "notes", "--dry-run"]);
    assert_eq!(
        out(&tried),
        "2 pages read: would be 2 new, 0 changed, 0 the same, 0 files refused\n",
        "{tried:?}"
    );
    let done = import(&["pages", "notes"]);
    assert_eq!(
        (out(&done), code(&done)),
        ("2 pages read: 2 new, 0 changed, 0 the same, 0 files refused\n".into(), Some(0))
    );
    let again = import(&["knowledge", "notes/"]);
    assert_eq!(out(&again), "2 pages read: 0 new, 0 changed, 2 the same, 0 files refused\n");

    let (cookie, workspace) = house.owner().await;
    let found =
        get(&house.url(&format!("/api/knowledge/search?workspaceId={workspace}&search=wigwam")), &cookie)
            .await;
    let page = &found["pages"][0];
    assert_eq!(page["path"], "trips/packing", "{found}");

    for (args, says) in [
        (["pages", "none"], "could not read none"),
        (["pages", "script.json"], "This is no zip"),
        (["transactions", "notes"], "only pages come from one"),
    ] {
        let refused = import(&args);
        assert!(code(&refused) == Some(1) && err(&refused).contains(says), "{refused:?}");
    }
    let refused = import(&["pages", "notes", "--account", "Giro"]);
    assert!(err(&refused).contains("--account is about rows"), "{refused:?}");
}

#[tokio::test]
async fn rows_come_in_and_what_a_file_cannot_tell_is_said_with_options() {
    let house = house(serde_json::json!([{"text": "Hello."}]));
    write(
        &house.folder().join("may.csv"),
        "Date,Payee,Amount\n01/02/2026,Corner,-12.34\n03/04/2026,Kiosk,-5.00\nsoon,?,1\n",
    );
    let args = ["transactions", "may.csv", "--account", "Checking"];
    let asked = house.import(&args);
    assert_eq!(code(&asked), Some(3), "{asked:?}");
    assert!(err(&asked).contains("Say it with --date-order day|month|year."), "{asked:?}");
    let with_order = |more: &[&str]| house.import(&[&args[..], &["--date-order", "day"], more].concat());
    let tried = with_order(&["--dry-run"]);
    let counted = "3 rows read: would be 2 new, 0 changed, 0 duplicates, 1 refused\nline 4: refused: ";
    assert!(out(&tried).starts_with(counted), "{tried:?}");
    let done = with_order(&[]);
    assert_eq!(code(&done), Some(0), "{done:?}");
    let again = with_order(&[]);
    assert!(out(&again).starts_with("3 rows read: 0 new, 0 changed, 2 duplicates, 1 refused\n"), "{again:?}");

    let (cookie, workspace) = house.owner().await;
    let rows =
        get(&house.url(&format!("/api/data/transactions?workspaceId={workspace}&search=kiosk")), &cookie)
            .await;
    let of = |field: &str| -> Value { rows["rows"][0][field].clone() };
    assert_eq!((of("booked_on"), of("amount")), ("2026-04-03".into(), (-500).into()), "{rows}");
}
