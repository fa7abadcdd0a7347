use std::collections::BTreeMap;
use std::sync::Mutex;

use baton_core::defined_tools::{HttpApiConfig, ToolDefinition, ToolType};
use baton_core::ids::{ToolId, WorkspaceId};
use baton_core::secrets::SecretText;
use baton_core::shortened::MAX_RESULT;
use baton_core::tools::{Ended, Kept};
use chrono::Utc;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

struct Secrets(ToolSecrets);

#[async_trait]
impl OpenSecrets for Secrets {
    async fn secrets_of(&self, _tool: &DefinedTool) -> Result<ToolSecrets, ToolFailure> {
        Ok(self.0.clone())
    }
}

/// An API on this machine that answers each request with the next of these, and then closes; with nothing, it only closes.
struct Api {
    url: String,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Api {
    async fn answering(answers: Vec<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let told = heard.clone();
        tokio::spawn(async move {
            for answer in answers {
                let Ok((mut socket, _)) = listener.accept().await else { return };
                let request = request(&mut socket).await;
                told.lock().expect("unpoisoned").push(request);
                let _ = socket.write_all(&answer).await;
                let _ = socket.shutdown().await;
            }
        });
        Self { url, heard }
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("unpoisoned").clone()
    }
}

/// One request, as far as its head says that it goes.
async fn request(socket: &mut tokio::net::TcpStream) -> String {
    let (mut text, mut bytes) = (String::new(), [0; 4096]);
    loop {
        let read = socket.read(&mut bytes).await.unwrap_or(0);
        text.push_str(&String::from_utf8_lossy(&bytes[..read]));
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            if read == 0 {
                return text;
            } else {
                continue;
            };
        };
        let length = head
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if read == 0 || body.len() >= length.unwrap_or(0) {
            return text;
        }
    }
}

fn answer(status: &str, more: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{more}\r\n{body}").into_bytes()
}

fn tool(kind: ToolType, config: Value, secrets: ToolSecrets) -> RequestTool {
    let config = ToolConfig::read(kind, config).expect("a configuration");
    let definition = ToolDefinition { name: "notes".into(), description: "Notes.".into(), config };
    let tool = DefinedTool {
        id: ToolId::new(),
        workspace_id: WorkspaceId::new(),
        definition: definition.checked(|_| false).expect("a good one"),
        created_by: None,
        created_at: Utc::now(),
        updated_at: Utc::now(),
    };
    let outbound = Outbound::new(vec!["127.0.0.1/32".parse().expect("a network")]);
    RequestTool::new(&tool, &Sender { secrets: Arc::new(Secrets(secrets)), outbound }).expect("a request")
}

fn note(url: &str, method: &str, trusted_as: &str) -> RequestTool {
    let parameters =
        json!({"properties": {"id": {"type": "string"}, "text": {"type": "string"}}, "required": ["id"]});
    let config = json!({
        "method": method, "url": format!("{url}/notes/{{id}}"), "parameters": parameters, "trusted_as": trusted_as,
        "headers": {"X-Plain": "yes"}, "secret_headers": ["Authorization"], "pick": "/data",
    });
    let secrets = BTreeMap::from([("Authorization".to_owned(), SecretText::new("Bearer k3y"))]);
    tool(ToolType::HttpApi, config, secrets)
}

async fn run(tool: &RequestTool) -> (Ended, Value) {
    let arguments = json!({"id": "a b", "text": "hi"});
    let answer = tool.run(arguments.as_object().expect("an object")).await.expect("an answer");
    (answer.ended, answer.value)
}

#[tokio::test]
async fn a_call_is_one_request_and_what_was_picked_of_its_answer() {
    let api = Api::answering(vec![answer("201 Created", "", r#"{"data": {"id": 7}, "more": 1}"#)]).await;
    let told = run(&note(&api.url, "POST", "unknown")).await;
    assert_eq!(told, (Ended::Well, json!({"status": 201, "answer": {"id": 7}})));
    let heard = api.heard().pop().expect("a request");
    assert!(heard.starts_with("POST /notes/a%20b HTTP/1.1\r\n"), "{heard}");
    assert!(heard.contains("authorization: Bearer k3y\r\n") && heard.contains("x-plain: yes\r\n"), "{heard}");
    assert!(heard.ends_with("\r\n\r\n{\"text\":\"hi\"}"), "{heard}");
}

#[tokio::test]
async fn refusals_are_told_with_what_was_answered() {
    for (status, ended) in [
        ("401 Unauthorized", Ended::Badly),
        ("404 Not Found", Ended::Badly),
        ("422 Unprocessable", Ended::Badly),
        ("500 Internal", Ended::Badly),
        ("504 Gateway Timeout", Ended::Unknown),
    ] {
        let api = Api::answering(vec![answer(status, "", "no such note")]).await;
        let (came, told) = run(&note(&api.url, "POST", "unknown")).await;
        assert_eq!((came, &told["answer"]), (ended, &json!("no such note")), "{status}");
        assert_eq!(api.heard().len(), 1, "{status}");
    }
    let api = Api::answering(vec![answer("504 Gateway Timeout", "", "")]).await;
    assert_eq!(run(&note(&api.url, "GET", "reads")).await.0, Ended::Badly, "it changed nothing");
}

/// It was sent, and nothing came back: it is not sent again, and nobody says that it failed.
#[tokio::test]
async fn an_answer_that_never_comes_leaves_the_outcome_unknown() {
    let api = Api::answering(vec![Vec::new(), answer("200 OK", "", "{}")]).await;
    let (ended, told) = run(&note(&api.url, "POST", "unknown")).await;
    assert_eq!(ended, Ended::Unknown, "{told}");
    assert!(told["error"].as_str().is_some_and(|why| why.contains("nobody knows")), "{told}");
    assert_eq!(api.heard().len(), 1, "sent once");

    let api = Api::answering(vec![Vec::new(), answer("200 OK", "", "{}")]).await;
    assert_eq!(run(&note(&api.url, "GET", "reads")).await.0, Ended::Badly, "reading changed nothing");
    assert_eq!(api.heard().len(), 1, "sent once");
}

#[tokio::test]
async fn what_was_never_sent_is_told_as_such() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let closed = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    for url in
        [closed.as_str(), "http://127.0.0.2:1", "http://169.254.169.254", "http://[::1]:1", "http://0x7f.2"]
    {
        let (ended, told) = run(&note(url, "POST", "unknown")).await;
        let why = told["error"].as_str().unwrap_or_default();
        assert!(ended == Ended::Badly && why.starts_with("Nothing was sent"), "{url}: {why}");
    }
}

#[tokio::test]
async fn a_redirect_takes_no_secret_along_and_leads_into_no_closed_network() {
    let other = Api::answering(vec![answer("200 OK", "", r#"{"data": "there"}"#)]).await;
    let to_other = format!("location: {}/x\r\n", other.url);
    let api = Api::answering(vec![answer("302 Found", &to_other, "")]).await;
    assert_eq!(
        run(&note(&api.url, "GET", "reads")).await,
        (Ended::Well, json!({"status": 200, "answer": "there"}))
    );
    let heard = other.heard().pop().expect("a request").to_ascii_lowercase();
    assert!(!heard.contains("k3y") && !heard.contains("x-plain"), "{heard}");

    let metadata = "location: http://169.254.169.254/latest/meta-data\r\n";
    let api = Api::answering(vec![answer("302 Found", metadata, "")]).await;
    let (ended, told) = run(&note(&api.url, "GET", "reads")).await;
    assert!(ended == Ended::Badly && told.to_string().contains("not public"), "{told}");

    let api = Api::answering(vec![answer("307 Temporary", &to_other, ""), answer("200 OK", "", "{}")]).await;
    let (ended, told) = run(&note(&api.url, "POST", "unknown")).await;
    assert!(ended == Ended::Badly && told["status"] == 307, "what writes follows none: {told}");
}

#[tokio::test]
async fn what_the_model_is_not_given_is_kept_for_the_person() {
    let kept = async |status: &str, more: &str, body: &str| {
        let api = Api::answering(vec![answer(status, more, body)]).await;
        let arguments = json!({"id": "a"});
        let arguments = arguments.as_object().expect("an object");
        note(&api.url, "GET", "reads").run(arguments).await.expect("an answer").kept
    };
    assert_eq!(
        kept("200 OK", "", r#"{"data": "short", "more": 1}"#).await,
        [],
        "all that was asked for is told"
    );
    let long = json!({"data": vec!["word"; 20_000], "more": 1}).to_string();
    let whole = Kept {
        name: "answer.json".into(),
        media_type: "application/json".into(),
        bytes: long.clone().into(),
    };
    assert_eq!(kept("200 OK", "", &long).await, std::slice::from_ref(&whole), "also what was not picked");
    assert_eq!(kept("500 Internal", "", &long).await, [whole]);
    let text = "line\n".repeat(20_000);
    let [file] = &kept("200 OK", "content-type: text/csv\r\n", &text).await[..] else { panic!("one file") };
    assert_eq!(
        (file.name.as_str(), file.media_type.as_str(), file.bytes.len()),
        ("answer.txt", "text/csv", text.len())
    );
}

#[tokio::test]
async fn odd_answers_become_results() {
    let told = async |bytes: Vec<u8>| {
        let api = Api::answering(vec![bytes]).await;
        run(&note(&api.url, "GET", "reads")).await
    };
    let (ended, html) = told(answer("200 OK", "content-type: text/html\r\n", "<html>Sign in</html>")).await;
    assert_eq!((ended, &html["answer"]), (Ended::Well, &json!("<html>Sign in</html>")));
    let (_, elsewhere) = told(answer("200 OK", "", r#"{"items": []}"#)).await;
    assert_eq!(elsewhere["answer"], json!({"items": []}), "nothing is at the pointer: {elsewhere}");
    assert!(elsewhere["note"].is_string());
    let binary = [
        &b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 4\r\n\r\n"[..],
        &[0x89, 0xff, 0, 1],
    ];
    assert_eq!(
        told(binary.concat()).await.1["answer"],
        "(4 bytes of image/png, which is no text and is kept for the person)"
    );
    let broken = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf".to_vec();
    let (ended, half) = told(broken).await;
    assert_eq!((ended, &half["answer"]), (Ended::Well, &json!("half")));
    assert!(half["note"].as_str().is_some_and(|note| note.contains("broke off")), "{half}");
    let large = answer("200 OK", "", &"x".repeat(16 << 20));
    let (ended, large) = told(large).await;
    let shown = large["answer"].as_str().expect("text");
    assert_eq!(ended, Ended::Well);
    assert!(shown.len() <= MAX_RESULT && shown.contains("Ask for less"), "{} bytes", shown.len());
    assert!(
        large["note"].as_str().is_some_and(|note| note.contains("4 MiB")),
        "and it was not read to its end"
    );
}

#[tokio::test]
async fn a_function_is_called_with_the_projects_key() {
    let api = Api::answering(vec![answer("200 OK", "", "42")]).await;
    let config =
        json!({"base_url": api.url, "function": "total", "database_schema": "shop", "trusted_as": "reads"});
    let secrets = BTreeMap::from([(API_KEY.to_owned(), SecretText::new("k3y"))]);
    let total = tool(ToolType::SupabaseRpc, config.clone(), secrets);
    let answer = total.run(&Map::new()).await.expect("an answer");
    assert_eq!((answer.ended, answer.value), (Ended::Well, json!({"status": 200, "answer": 42})));
    let heard = api.heard().pop().expect("a request");
    for part in [
        "POST /rest/v1/rpc/total ",
        "apikey: k3y\r\n",
        "authorization: Bearer k3y\r\n",
        "content-profile: shop\r\n",
    ] {
        assert!(heard.contains(part), "{part}: {heard}");
    }
    let keyless = tool(ToolType::SupabaseRpc, config, ToolSecrets::new());
    let refused = keyless.run(&Map::new()).await.expect_err("nothing is sent without the key");
    assert!(refused.0.contains("apikey"), "{refused}");
    assert_eq!(api.heard().len(), 1);
}

#[tokio::test]
async fn what_a_call_does_is_what_an_admin_says() {
    let nature = |trusted_as| note("http://127.0.0.1:1", "GET", trusted_as).nature(&Map::new());
    assert_eq!(nature("unknown"), Nature::UNKNOWN);
    assert!(nature("reads").outside && !nature("reads").writes);
    let again = nature("repeatable");
    assert!(again.writes && again.outside && again.repeatable);
    let config: HttpApiConfig =
        serde_json::from_value(json!({"method": "GET", "url": "http://h/{id}", "trusted_as": "reads"}))
            .expect("one");
    assert!(config.plan(&Map::new()).is_err(), "an argument is missing");
}
