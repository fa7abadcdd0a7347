//! The three engines as fake servers on this machine that behave like the real ones.

use std::sync::Mutex;

use baton_core::search_engines::SearchEngineKind::{self, Brave, Searxng, Tavily};
use baton_core::secrets::SecretText;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;
use crate::outbound::Outbound;
use crate::testing::{Shelf, context};

/// Answers every request with the same, and keeps what it was asked.
struct FakeEngine {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl FakeEngine {
    async fn start(status: &'static str, body: String) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = asked.clone();
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let mut request = vec![0; 8192];
                let mut read = 0;
                // The body of a POST may come after its head.
                while let Ok(more) = socket.read(&mut request[read..]).await {
                    read += more;
                    let text = String::from_utf8_lossy(&request[..read]);
                    if more == 0 || text.starts_with("GET") || text.ends_with('}') {
                        break;
                    }
                }
                seen.lock().expect("asked").push(String::from_utf8_lossy(&request[..read]).into_owned());
                let answer = format!(
                    "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
                    body.len()
                );
                let _ = socket.write_all(answer.as_bytes()).await;
            }
        });
        Self { address, asked }
    }

    fn asked(&self) -> String {
        self.asked.lock().expect("asked").last().cloned().unwrap_or_default()
    }

    fn engine(&self, kind: SearchEngineKind) -> Engine {
        let key = match kind {
            Searxng => EngineKey::None,
            Brave | Tavily => EngineKey::Known(SecretText::new("key-1234")),
        };
        Engine { kind, base_url: self.address.parse().expect("a URL"), key, way: Way::Open }
    }
}

fn answer_of(kind: SearchEngineKind) -> Value {
    match kind {
        Searxng => json!({
            "query": "q", "number_of_results": 0, "answers": [], "suggestions": [],
            "results": [
                {"title": "One &amp; only", "url": "https://one.example/", "content": "First", "engine": "x", "publishedDate": "2026-11-01"},
                {"title": "Again", "url": "https://one.example/", "content": "The same page"},
                {"title": "Script", "url": "javascript:alert(1)", "content": "No page"},
                {"title": "", "url": "https://two.example/a", "content": "Second"},
            ],
        }),
        Brave => json!({
            "type": "search", "query": {"original": "q"},
            "web": {"type": "search", "results": [
                {"title": "One &amp; only", "url": "https://one.example/", "description": "<strong>First</strong>", "page_age": "2026-11-01"},
                {"title": "", "url": "https://two.example/a", "description": "Second"},
            ]},
        }),
        Tavily => json!({
            "query": "q", "answer": null, "images": [], "response_time": 0.5,
            "results": [
                {"title": "One & only", "url": "https://one.example/", "content": "First", "score": 0.9, "published_date": "2026-11-01"},
                {"title": "", "url": "https://two.example/a", "content": "Second", "score": 0.5},
            ],
        }),
    }
}

fn query(limit: usize) -> Query {
    Query { text: "rust & cargo".to_owned(), limit, freshness: Some(Freshness::Week) }
}

#[tokio::test]
async fn each_engine_is_asked_as_it_wants_and_read_alike() {
    for (kind, first_line, key) in [
        (Searxng, "GET /search?q=rust+%26+cargo&format=json&time_range=week ", None),
        (
            Brave,
            "GET /res/v1/web/search?q=rust+%26+cargo&count=7&text_decorations=false&freshness=pw ",
            Some("x-subscription-token: key-1234"),
        ),
        (Tavily, "POST /search ", Some("authorization: Bearer key-1234")),
    ] {
        let server = FakeEngine::start("200 OK", answer_of(kind).to_string()).await;
        let found = server.engine(kind).search(&query(7)).await.expect("results");
        let shown: Vec<_> =
            found.iter().map(|one| (one.title.as_str(), one.url.as_str(), one.snippet.as_str())).collect();
        let expected = [
            ("One & only", "https://one.example/", "First"),
            ("https://two.example/a", "https://two.example/a", "Second"),
        ];
        assert_eq!(shown, expected, "{kind}");
        assert_eq!(found[0].published.as_deref(), Some("2026-11-01"), "{kind}");
        let asked = server.asked();
        assert!(asked.starts_with(first_line), "{kind}: {asked}");
        assert!(key.is_none_or(|key| asked.contains(key)), "{kind}: {asked}");
        if kind == Tavily {
            let body: Value =
                serde_json::from_str(asked.split("\r\n\r\n").nth(1).expect("a body")).expect("JSON");
            assert_eq!(
                body,
                json!({"query": "rust & cargo", "max_results": 7, "search_depth": "basic", "time_range": "week"})
            );
        }
        assert_eq!(server.engine(kind).search(&query(1)).await.expect("results").len(), 1, "{kind}");
    }
}

#[tokio::test]
async fn failures_are_words() {
    let table = [
        (Searxng, "403 Forbidden", "", SearchError::NoJson),
        (Searxng, "429 Too Many Requests", "", SearchError::TooMany),
        (Searxng, "200 OK", "<html>hello</html>", SearchError::NotAnEngine("SearXNG")),
        (Searxng, "200 OK", r#"{"hello": 1}"#, SearchError::NotAnEngine("SearXNG")),
        (Brave, "401 Unauthorized", "", SearchError::KeyRejected),
        (Brave, "422 Unprocessable Entity", "", SearchError::KeyRejected),
        (Brave, "500 Oops", "", SearchError::Refused(500)),
        (Tavily, "401 Unauthorized", "", SearchError::KeyRejected),
        (Tavily, "432 Limit", "", SearchError::TooMany),
        // A redirect is not followed: the key would go along.
        (Tavily, "302 Found\r\nlocation: http://127.0.0.1:1/", "", SearchError::Refused(302)),
    ];
    for (kind, status, body, expected) in table {
        let server = FakeEngine::start(status, body.to_owned()).await;
        assert_eq!(server.engine(kind).search(&query(5)).await, Err(expected), "{kind} {status}");
    }
    let nothing = FakeEngine::start("200 OK", json!({"type": "search", "query": {}}).to_string()).await;
    assert_eq!(nothing.engine(Brave).search(&query(5)).await, Ok(vec![]));
    let gone = Engine { base_url: "http://127.0.0.1:1/".parse().expect("a URL"), ..nothing.engine(Searxng) };
    assert_eq!(gone.search(&query(5)).await, Err(SearchError::Unreachable));
    let unreadable = Engine { key: EngineKey::Unreadable, ..nothing.engine(Brave) };
    assert_eq!(unreadable.search(&query(5)).await, Err(SearchError::KeyUnreadable));
}

#[tokio::test]
async fn a_workspaces_engine_does_not_reach_into_the_network() {
    let server = FakeEngine::start("200 OK", answer_of(Searxng).to_string()).await;
    let guarded =
        |allow: Vec<_>| Engine { way: Way::Guarded(Outbound::new(allow)), ..server.engine(Searxng) };
    assert_eq!(guarded(vec![]).search(&query(5)).await, Err(SearchError::NotPublic));
    assert_eq!(server.asked(), "");
    let opened = guarded(vec!["127.0.0.0/8".parse().expect("a network")]);
    assert_eq!(opened.search(&query(5)).await.expect("results").len(), 2);
}

#[tokio::test]
async fn the_tool_gives_bounded_results_that_are_marked_as_data() {
    let long = json!({"results": (0..50).map(|i| json!({
        "title": "t".repeat(5_000), "url": format!("https://x.example/{i}"), "content": "c".repeat(20_000),
    })).collect::<Vec<_>>()});
    let server = FakeEngine::start("200 OK", long.to_string()).await;
    let tool = SearchWeb::new(Arc::new(Shelf { engine: Some(server.engine(Searxng)), ..Shelf::default() }));
    let (context, _) = context();
    let call = async |arguments: Value| {
        let arguments = arguments.as_object().expect("an object").clone();
        tool.check(&arguments)?;
        tool.call(&context, arguments).await.map(|answer| answer.value)
    };
    let answer = call(json!({"query": " rust "})).await.expect("an answer");
    assert_eq!((&answer["query"], &answer["note"]), (&json!("rust"), &json!(NOTE)));
    assert_eq!(answer["results"].as_array().expect("results").len(), USUAL_RESULTS);
    let all = call(json!({"query": "rust", "limit": 20, "freshness": "day"})).await.expect("an answer");
    assert!(all["results"].as_array().expect("results").len() == 20 && all.to_string().len() < 20_000);
    for (wrong, words) in [
        (json!({}), "query is required."),
        (json!({"query": "x".repeat(401)}), "query must be at most 400 characters: use a few words."),
        (json!({"query": "x", "limit": 0}), "limit must be a whole number from 1 to 20."),
        (json!({"query": "x", "limit": 2.5}), "limit must be a whole number from 1 to 20."),
        (json!({"query": "x", "freshness": "hour"}), "freshness must be one of day, week, month, year."),
    ] {
        assert_eq!(call(wrong).await, Err(ToolFailure(words.to_owned())));
    }
    let nature = tool.nature(&Map::new());
    assert!(!nature.writes && nature.outside && nature.repeatable);
    let none = SearchWeb::new(Shelf::default().shared());
    let refused = none.call(&context, json!({"query": "x"}).as_object().expect("an object").clone()).await;
    assert!(refused.is_err_and(|failure| failure.0.contains("no web search here any more")));
}
