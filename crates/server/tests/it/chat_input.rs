//! Where `baton chat` gets its message: from its arguments, from a pipe, from a turn that has to be tried again.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Output, Stdio};

use baton_core::days;
use baton_core::money::{Currency, format};
use baton_core::reports::NamedPeriod;
use chrono::Utc;
use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::json;

use crate::chat_command::{House, conversation_in, err, house, out};
use crate::process::{command, start};

fn piped(house: &House, args: &[&str], text: &str) -> Output {
    let mut chat = house.command();
    chat.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = chat.spawn().expect("ran");
    child.stdin.take().expect("its input").write_all(text.as_bytes()).expect("sent");
    child.wait_with_output().expect("an end")
}

#[test]
fn what_is_piped_in_is_the_message_or_follows_it() {
    let house = house(json!([
        {"match": "Sum this up\n\ntwo\nlines", "text": "Two lines."},
        {"match": "two\nlines", "text": "Both read."},
        {"match": "alone", "text": "Just that."},
    ]));
    assert_eq!(out(&piped(&house, &[], "two\nlines\n")), "Both read.\n");
    assert_eq!(out(&piped(&house, &["Sum this up"], "two\nlines\n")), "Two lines.\n");
    assert_eq!(out(&piped(&house, &["alone"], "\n")), "Just that.\n");
    assert_eq!(out(&house.chat(&["alone"])), "Just that.\n", "from /dev/null");
    let nothing = piped(&house, &[], "");
    assert_eq!(nothing.status.code(), Some(1), "{nothing:?}");
    assert!(err(&nothing).contains("nothing to say"), "{nothing:?}");
    let long = piped(&house, &["alone"], &"x".repeat(800_001));
    assert!(err(&long).contains("too long") && long.status.code() == Some(1), "{long:?}");
}

#[test]
fn an_open_and_silent_pipe_is_said_and_waited_for() {
    let house = house(json!([{"match": "late", "text": "In time."}]));
    let mut chat = house.command();
    chat.arg("Read this").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = chat.spawn().expect("ran");
    let mut input = child.stdin.take().expect("its input");
    let mut told = BufReader::new(child.stderr.take().expect("what it tells")).lines();
    let told_of =
        told.find(|line| line.as_ref().expect("text").contains("waiting for the end of standard input"));
    assert!(told_of.is_some(), "it ended without waiting");
    input.write_all(b"a late word").expect("sent");
    drop(input);
    std::thread::spawn(move || told.for_each(drop));
    let ended = child.wait_with_output().expect("an end");
    assert_eq!(out(&ended), "In time.\n", "{ended:?}");
}

#[test]
fn a_turn_that_failed_is_tried_again() {
    let house = house(json!([{"match": "Tell", "text": "Half.", "truncate": true}, {"text": "The rest."}]));
    let failed = house.chat(&["Tell me"]);
    assert_eq!(failed.status.code(), Some(1), "{failed:?}");
    let id = conversation_in(&failed);
    let hint = format!("baton chat --retry --conversation {id}\n");
    assert!(err(&failed).contains(&hint), "{failed:?}");
    let again = house.chat(&["--retry", "--conversation", &id]);
    assert_eq!((out(&again).trim(), again.status.code()), ("The rest.", Some(0)), "{again:?}");
    assert!(!err(&again).contains("--retry"), "{again:?}");
    let once_more = house.chat(&["--retry", "--conversation", &id]);
    assert!(err(&once_more).contains("nothing_to_retry"), "{once_more:?}");
    assert_eq!(once_more.status.code(), Some(1));
}

#[test]
fn a_conversation_that_is_not_there_is_said_clearly() {
    let house = house(json!([{"text": "Hello."}]));
    let wrong = house.chat(&["--conversation", "the last one", "Hello"]);
    assert!(err(&wrong).contains("named by its id"), "{wrong:?}");
    let nobodys = "01890a5d-ac96-774b-bcce-b302099a8057";
    let gone = house.chat(&["--conversation", nobodys, "Hello"]);
    assert!(err(&gone).contains(&format!("there is no conversation {nobodys} here")), "{gone:?}");
    let nothing = house.chat(&["--retry"]);
    assert!(err(&nothing).contains("--conversation"), "{nothing:?}");
}

/// In the month before this one, by SQL.
fn spent_on_groceries(database: &Path) -> i64 {
    // What a divided payment is for, its parts say.
    let sql = "SELECT CAST(-SUM(part.amount) AS BIGINT) AS number FROM transactions t JOIN \
               (SELECT id, category_id, amount FROM transactions WHERE NOT is_split UNION ALL \
               SELECT transaction_id, category_id, amount FROM transaction_splits) AS part ON part.id = t.id \
               JOIN categories c ON c.id = part.category_id WHERE c.name = 'Groceries' AND t.transfer_id IS NULL AND t.deleted_at IS NULL AND t.currency = 'EUR' \
               AND t.status = 'booked' AND t.activity = 'payment' AND t.booked_on >= $1 AND t.booked_on <= $2";
    let url = format!("sqlite://{}?mode=ro", database.display());
    let ask = async {
        let raw = Database::connect(url).await.expect("connected");
        let zone = "SELECT time_zone AS zone FROM profiles WHERE email = 'owner@demo.localhost'";
        let zone = raw.query_one_raw(Statement::from_string(raw.get_database_backend(), zone)).await;
        let zone: String = zone.expect("an answer").expect("a row").try_get("", "zone").expect("a zone");
        let month = NamedPeriod::LastMonth.on(days::today(Utc::now(), &zone));
        let values = [month.from.into(), month.to.into()];
        let statement = Statement::from_sql_and_values(raw.get_database_backend(), sql, values);
        let row = raw.query_one_raw(statement).await.expect("an answer").expect("a row");
        row.try_get::<i64>("", "number").expect("a number")
    };
    tokio::runtime::Runtime::new().expect("a runtime").block_on(ask)
}

#[test]
fn the_demo_model_is_named() {
    baton_tools::outbound::install_tls();
    let dir = tempfile::tempdir().expect("a folder");
    let _server = start(dir.path(), &["--demo"]);
    let said = command(dir.path()).args(["chat", "Hello"]).output().expect("ran");
    assert_eq!(said.status.code(), Some(0), "{said:?}");
    assert!(err(&said).contains("the demo model answers"), "{said:?}");
    // Whoever answers there can look at the demo's year of money, and tells what the server's own database says.
    let asked = "How much did I spend on groceries last month?";
    let told = command(dir.path()).args(["chat", asked]).output().expect("ran");
    assert!(err(&told).contains("Budget Coach\n"), "{told:?}");
    assert!(out(&told).contains("Spending (Groceries) from "), "{told:?}");
    let spent =
        format!("EUR {}", format(spent_on_groceries(&dir.path().join("data/baton.db")), Currency::EUR));
    assert!(out(&told).contains(&spent), "{spent}: {told:?}");
    let scripted = house(json!([{"text": "Hello."}]));
    assert!(!err(&scripted.chat(&["Hello"])).contains("demo model"), "another one answers");
}
