//! The program itself: started, asked by a second process, killed, started again.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use reqwest::StatusCode;
use serde_json::{Value, json};

pub const BATON: &str = env!("CARGO_BIN_EXE_baton");

pub struct Server {
    pub child: Child,
    pub url: String,
    /// The token of the printed link.
    pub link: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn command(dir: &Path) -> Command {
    let mut command = Command::new(BATON);
    // Whatever the tests were started with: `baton chat` would wait for its end.
    command.stdin(Stdio::null());
    command.env_clear().current_dir(dir).env("BATON_DATA_DIR", dir.join("data")).env("BATON_LOG", "error");
    command
}

pub fn start(dir: &Path, args: &[&str]) -> Server {
    start_with(dir, args, &[])
}

/// The same with more of an environment.
pub fn start_with(dir: &Path, args: &[&str], env: &[(&str, &Path)]) -> Server {
    let mut command = command(dir);
    command.envs(env.iter().copied()).args(SERVE).args(args);
    launch(command)
}

pub const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

/// Starts it and waits until it says where it is.
pub fn launch(mut command: Command) -> Server {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    let url = line().rsplit(' ').next().expect("an address").to_owned();
    let link = line().rsplit('#').next().expect("a token").to_owned();
    let server = Server { child, url, link };
    std::thread::spawn(move || lines.for_each(drop));
    server
}

pub async fn post(url: &str, body: Value) -> (StatusCode, Value, String) {
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let answer = client.post(url).json(&body).send().await.expect("an answer");
    let mut cookies = answer.headers().get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
    let session = cookies.find(|value| value.starts_with("baton_session=")).unwrap_or_default();
    let cookie = session.split(';').next().unwrap_or_default().to_owned();
    (answer.status(), answer.json().await.unwrap_or_default(), cookie)
}

pub async fn get(url: &str, cookie: &str) -> Value {
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    client.get(url).header("cookie", cookie).send().await.expect("an answer").json().await.expect("json")
}

#[test]
fn it_says_which_version_it_is() {
    let dir = tempfile::tempdir().expect("a folder");
    let said = command(dir.path()).arg("--version").output().expect("ran");
    let words = baton_server::version::IN_WORDS;
    assert!(words.starts_with(env!("CARGO_PKG_VERSION")), "{words}");
    assert_eq!(String::from_utf8_lossy(&said.stdout), format!("baton {words}\n"));
}

#[tokio::test]
async fn the_demo_is_signed_in_by_its_link_and_survives_being_killed() {
    baton_tools::outbound::install_tls();
    let dir = tempfile::tempdir().expect("a folder");
    let first = start(dir.path(), &["--demo"]);
    let redeem = format!("{}/api/auth/links/redeem", first.url);
    let (status, me, cookie) = post(&redeem, json!({"token": first.link})).await;
    assert_eq!(status, StatusCode::OK, "{me}");
    assert_eq!(me["profile"]["is_admin"], true);
    let workspace = me["workspaces"][0]["id"].as_str().expect("a workspace").to_owned();
    let agents =
        get(&format!("{}/api/agents?workspaceId={workspace}&hired_only=true", first.url), &cookie).await;
    assert_eq!(agents["total"], 7);

    let second = command(dir.path()).args(["serve", "--listen", "127.0.0.1:0"]).output().expect("ran");
    assert!(!second.status.success(), "the folder is taken");
    assert!(String::from_utf8_lossy(&second.stderr).contains("another Baton"), "{second:?}");

    let link =
        command(dir.path()).args(["admin", "sign-in-link", "owner@demo.localhost"]).output().expect("ran");
    let printed = String::from_utf8_lossy(&link.stdout).trim().to_owned();
    assert!(printed.starts_with(&first.url), "{printed} is where the server listens");
    let token = printed.rsplit('#').next().expect("a token").to_owned();
    let (status, ..) = post(&redeem, json!({"token": token})).await;
    assert_eq!(status, StatusCode::OK, "{printed}");
    let unknown = command(dir.path()).args(["admin", "sign-in-link", "x@y.z"]).output().expect("ran");
    assert!(!unknown.status.success());

    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let rename = client.patch(format!("{}/api/auth/me", first.url)).header("cookie", &cookie);
    let renamed = rename.json(&json!({"email": "me@example.org"})).send().await.expect("an answer");
    assert_eq!(renamed.status(), StatusCode::OK);

    drop(first); // SIGKILL
    let again = start(dir.path(), &["--demo"]);
    let agents =
        get(&format!("{}/api/agents?workspaceId={workspace}&hired_only=true", again.url), &cookie).await;
    assert_eq!(agents["total"], 7, "the session and the data are still there");
    let (status, ..) = post(&format!("{}/api/auth/links/redeem", again.url), json!({"token": token})).await;
    assert_eq!(status, StatusCode::GONE, "a spent link stays spent");
}

#[tokio::test]
async fn without_the_demo_nothing_is_seeded() {
    baton_tools::outbound::install_tls();
    let dir = tempfile::tempdir().expect("a folder");
    let server = start(dir.path(), &[]);
    let (url, token) = (&server.url, &server.link);
    let body = json!({"email": "a@b.c", "password": "long enough", "name": "A"});
    let (status, refused, _) = post(&format!("{url}/api/auth/sign-up"), body.clone()).await;
    assert_eq!((status, &refused["code"]), (StatusCode::FORBIDDEN, &json!("invitation_required")));
    let preview = post(&format!("{url}/api/auth/links/preview"), json!({"token": token})).await;
    assert_eq!(preview.1["kind"], "first_admin");
    let mut body = body;
    body["token"] = json!(token);
    let (status, me, _) = post(&format!("{url}/api/auth/links/redeem"), body).await;
    assert_eq!((status, &me["profile"]["is_admin"]), (StatusCode::OK, &json!(true)));

    let demo =
        command(dir.path()).args(["serve", "--demo", "--listen", "127.0.0.1:0"]).output().expect("ran");
    assert!(!demo.status.success());
}

#[tokio::test]
async fn a_pack_is_applied_by_hand_with_the_server_running_or_not() {
    baton_tools::outbound::install_tls();
    let dir = tempfile::tempdir().expect("a folder");
    let pack = dir.path().join("pack.toml");
    let text = r#"
        name = "extra"
        title = "Extra"
        description = "One more."
        [[agents]]
        slug = "translator"
        name = "Translator"
        description = "Translates."
        category = "communications"
        system_prompt = "You translate."
    "#;
    std::fs::write(&pack, text).expect("written");
    let apply = || {
        let done = command(dir.path()).args(["catalog", "apply", "pack.toml"]).output().expect("ran");
        (done.status.success(), String::from_utf8_lossy(&done.stdout).trim().to_owned())
    };
    assert_eq!(apply(), (true, "1 created, 0 updated, 0 unchanged".to_owned()));
    let _server = start(dir.path(), &["--demo"]);
    assert_eq!(apply(), (true, "0 created, 0 updated, 1 unchanged".to_owned()));
    std::fs::write(&pack, text.replace("Translates.", "Translates well.")).expect("written");
    assert_eq!(apply(), (true, "0 created, 1 updated, 0 unchanged".to_owned()));
    std::fs::write(&pack, text.replace("slug", "slgu")).expect("written");
    assert!(!apply().0);
}

#[test]
fn help_lists_every_setting() {
    let help = Command::new(BATON).args(["serve", "--help"]).output().expect("ran");
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    for name in [
        "BATON_LISTEN",
        "BATON_DATA_DIR",
        "DATABASE_URL",
        "BATON_DATABASE_CONNECTIONS",
        "BATON_DURABILITY",
        "BATON_PUBLIC_URL",
        "BATON_ALLOWED_HOSTS",
        "BATON_TRUSTED_PROXIES",
        "BATON_SIGN_UP",
        "BATON_OUTBOUND_ALLOW",
        "BATON_TURNS_PER_PERSON",
        "BATON_TURNS_PER_WORKSPACE",
        "BATON_TURNS_PER_NODE",
        "BATON_DRAIN_SECONDS",
        "BATON_LOG",
        "BATON_LOG_FORMAT",
    ] {
        assert!(help.contains(name), "{name} is missing");
    }
}

#[cfg(unix)]
#[test]
fn a_half_sent_request_does_not_keep_the_server_from_ending() {
    use std::io::Write;
    let dir = tempfile::tempdir().expect("a folder");
    let mut server = start(dir.path(), &["--demo"]);
    let at = server.url.trim_start_matches("http://").to_owned();
    let mut slow = std::net::TcpStream::connect(&at).expect("a connection");
    let head = format!("POST /api/workspaces HTTP/1.1\r\nhost: {at}\r\ncontent-length: 1000\r\n\r\n{{");
    slow.write_all(head.as_bytes()).expect("sent");
    let told = Command::new("kill").arg(server.child.id().to_string()).status().expect("told");
    assert!(told.success());
    let ended = (0..150).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        server.child.try_wait().expect("a state").is_some()
    });
    assert!(ended, "it is still there after fifteen seconds");
}

#[cfg(unix)]
#[test]
fn what_it_makes_is_private_and_what_was_there_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    let dir = tempfile::tempdir().expect("a folder");
    let _server = start(dir.path(), &["--demo"]);
    assert_eq!(mode(&dir.path().join("data")), 0o700);
    assert_eq!(mode(&dir.path().join("data/baton.db")), 0o600);
    assert_eq!(mode(&dir.path().join("data/operator.json")), 0o600);

    let dir = tempfile::tempdir().expect("a folder");
    let shared = dir.path().join("data");
    std::fs::create_dir(&shared).expect("made");
    std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o755)).expect("set");
    let _server = start(dir.path(), &["--demo"]);
    assert_eq!(mode(&shared), 0o755);
    assert_eq!(mode(&shared.join("baton.db")), 0o600);
}

#[test]
fn asking_for_a_link_makes_no_database() {
    let dir = tempfile::tempdir().expect("a folder");
    let asked = command(dir.path()).args(["admin", "sign-in-link", "x@y.z"]).output().expect("ran");
    assert!(!asked.status.success());
    assert!(String::from_utf8_lossy(&asked.stderr).contains("no Baton"), "{asked:?}");
    assert!(!dir.path().join("data").exists());
}
