//! Servers that are child processes. They are written for `sh`, which is everywhere.

use std::path::Path;

use super::*;

/// A server whose calls are answered by `on_call`, which finds the request in `$line` and its id in `$id`.
fn script(on_call: &str) -> String {
    format!(
        r#"
answer() {{ printf '{{"jsonrpc":"2.0","id":%s,"result":%s}}\n' "$id" "$1"; }}
say() {{ answer "{{\"content\":[{{\"type\":\"text\",\"text\":\"$1\"}}]}}"; }}
tools='{{"tools":[{{"name":"first","inputSchema":{{"type":"object"}}}}]}}'
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  case "$line" in
    *'"server/discover"'*) exit 1;;
    *'"initialize"'*) answer '{{"protocolVersion":"2025-11-25","capabilities":{{"tools":{{"listChanged":true}}}},"serverInfo":{{"name":"sh","version":"1"}}}}';;
    *'"tools/list"'*) answer "$tools";;
    *'"tools/call"'*) {on_call};;
    *'"notifications/cancelled"'*) called_off=yes;;
  esac
done
"#
    )
}

fn sh(on_call: &str) -> Server {
    command("sh", &["-c", &script(on_call)])
}

/// Waits until something has become so in the world outside, where nobody tells.
async fn until(what: impl Fn() -> bool) {
    while !what() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn runs(process: &str) -> bool {
    // A process that has ended and that nobody asked about yet is still listed.
    let status = std::fs::read_to_string(Path::new("/proc").join(process).join("stat"));
    status.is_ok_and(|status| !status.contains(") Z "))
}

#[tokio::test]
async fn a_child_is_greeted_listed_and_called() {
    let (with, server) = (connections(options()), sh("say hello"));
    assert_eq!(names(&with.list(&server, None).await), ["first"]);
    assert_eq!(text(call(&with, &server, "first").await), "hello");
    with.close().await;
}

#[tokio::test]
async fn a_child_gets_a_clean_environment_and_what_it_was_given() {
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some(), "the test runner sets it");
    let mut server = sh("say \"${CARGO_MANIFEST_DIR:-nothing} $GIVEN\"");
    if let Endpoint::Command { environment, .. } = &mut server.endpoint {
        environment.push(("GIVEN".into(), baton_core::secrets::SecretText::new("key")));
    }
    let with = connections(options());
    assert_eq!(text(call(&with, &server, "first").await), "nothing key");
    with.close().await;
}

#[tokio::test]
async fn what_a_child_started_ends_with_it_even_if_it_does_not_want_to() {
    let stubborn = sh("trap '' TERM; sh -c \"trap '' TERM; sleep 1000\" >/dev/null 2>&1 & say $!");
    let with = connections(options());
    let grandchild = text(call(&with, &stubborn, "first").await);
    assert!(runs(&grandchild));
    with.close().await;
    until(|| !runs(&grandchild)).await;
}

#[tokio::test]
async fn a_child_that_nobody_holds_any_more_ends() {
    let with = connections(options());
    let child = text(call(&with, &sh("say $$"), "first").await);
    assert!(runs(&child));
    drop(with);
    until(|| !runs(&child)).await;
}

#[tokio::test]
async fn a_child_that_dies_during_a_call_is_started_again_for_the_next() {
    let dies_once = sh(r#"case "$line" in *'"name":"dies"'*) exit 3;; *) say alive;; esac"#);
    let with = connections(options());
    let why = unknown(call(&with, &dies_once, "dies").await);
    assert!(why.contains("nobody knows"), "{why}");
    assert_eq!(text(call(&with, &dies_once, "lives").await), "alive");
    with.close().await;
}

#[tokio::test]
async fn a_line_that_is_too_long_ends_the_call_at_once() {
    let talks = sh("head -c 3000000 /dev/zero | tr '\\0' x; echo");
    let with = connections(Options { max_bytes: 1024 * 1024, ..options() });
    let why = unknown(call(&with, &talks, "first").await);
    assert!(why.contains("too large"), "{why}");
    with.close().await;
}

#[tokio::test]
async fn a_program_that_is_not_there_is_said_to_be_missing() {
    let with = connections(options());
    let listing = with.list(&command("/no/such/program", &[]), None).await;
    assert!(down(&listing).contains("did not start"), "{listing:?}");
}

#[tokio::test]
async fn a_program_that_is_no_server_is_down_and_not_started_over_and_over() {
    let (with, server) = (connections(options()), command("sh", &["-c", "exit 0"]));
    let first = down(&with.list(&server, None).await);
    assert!(first.contains("ended the connection"), "{first}");
    let why = not_done(call(&with, &server, "first").await);
    assert!(why.contains("ended the connection"), "{why}");
}

#[tokio::test]
async fn a_call_that_is_stopped_is_called_off_at_the_child() {
    // It says that it works, and never answers.
    let works = r#"token=$(printf '%s' "$line" | sed 's/.*"progressToken":\([0-9]*\).*/\1/')
      printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}\n' "$token""#;
    let server = sh(&format!(r#"case "$line" in *'"name":"ask"'*) say "$called_off";; *) {works};; esac"#));
    let with = connections(options());
    let (_waits, mut context) = context();
    let at_work = Arc::new(tokio::sync::Notify::new());
    let tells = at_work.clone();
    context.progress = TellProgress::new(move |_| tells.notify_one());
    let asked = ServerCall { server: &server, raw_name: "works", arguments: Map::new(), context: &context };
    tokio::select! {
        outcome = with.call(asked) => panic!("{outcome:?}"),
        () = at_work.notified() => {}
    }
    // It is called off by a task of its own.
    loop {
        if text(call(&with, &server, "ask").await) == "yes" {
            break;
        }
    }
    with.close().await;
}

#[tokio::test]
async fn a_child_that_says_its_tools_changed_is_asked_anew() {
    let changes = sh(
        "tools=$(printf '%s' \"$tools\" | sed 's/first/second/'); say ok; echo '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}'",
    );
    let with = connections(options());
    assert_eq!(names(&with.list(&changes, None).await), ["first"]);
    assert_eq!(text(call(&with, &changes, "first").await), "ok");
    loop {
        let listing = with.list(&changes, None).await;
        if names(&listing) == ["second"] {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    with.close().await;
}

#[tokio::test]
async fn a_server_that_is_described_otherwise_is_another_connection() {
    let with = connections(options());
    let mut server = sh("say $$");
    let before = text(call(&with, &server, "first").await);
    let Endpoint::Command { environment, .. } = &mut server.endpoint else { panic!("a command") };
    environment.push(("NEW".into(), baton_core::secrets::SecretText::new("1")));
    let after = text(call(&with, &server, "first").await);
    assert_ne!(before, after);
    until(|| !runs(&before)).await;
    with.close().await;
}
