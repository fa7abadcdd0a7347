//! Against servers that nobody here wrote. `scripts/mcp-servers` installs them and runs these tests.

use serde_json::json;

use super::*;

/// Where the script put a server's program.
fn installed(name: &str) -> String {
    let at = std::env::var("BATON_MCP_SERVERS").expect("BATON_MCP_SERVERS: run scripts/mcp-servers");
    format!("{at}/{name}")
}

#[tokio::test]
#[ignore = "scripts/mcp-servers runs it"]
async fn everything() {
    let with = connections(options());
    let server = command("node", &[&installed("everything"), "stdio"]);
    uses_everything(&with, &server).await;
    with.close().await;
}

#[tokio::test]
#[ignore = "scripts/mcp-servers runs it"]
async fn everything_over_http() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    drop(listener);
    let mut process = tokio::process::Command::new("node")
        .args([&installed("everything"), "streamableHttp"])
        .env("PORT", &port)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("node");
    while tokio::net::TcpStream::connect(format!("127.0.0.1:{port}")).await.is_err() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let with = connections(options());
    uses_everything(&with, &at(format!("http://127.0.0.1:{port}/mcp"))).await;
    with.close().await;
    process.kill().await.expect("it ends");
}

async fn uses_everything(with: &Connections, server: &Server) {
    let listing = with.list(server, None).await;
    let names = names(&listing);
    for tool in
        ["echo", "get-sum", "get-tiny-image", "trigger-long-running-operation", "get-structured-content"]
    {
        assert!(names.contains(&tool), "{names:?}");
    }
    let (echo, _) = call_with(with, server, "echo", json!({"message": "hi"})).await;
    assert!(text(echo).contains("hi"));
    let (image, _) = call_with(with, server, "get-tiny-image", json!({})).await;
    let image = image.expect("an outcome");
    assert_eq!(image.files[0].media_type, "image/png");
    assert!(image.files[0].bytes.starts_with(b"\x89PNG"));
    let (slow, told) =
        call_with(with, server, "trigger-long-running-operation", json!({"duration": 1, "steps": 4})).await;
    assert!(text(slow).contains("completed"));
    assert!(!told.is_empty(), "progress is told");
    let (structured, _) =
        call_with(with, server, "get-structured-content", json!({"location": "New York"})).await;
    let structured = structured.expect("an outcome");
    assert!(structured.whole["structuredContent"].is_object() && matches!(structured.said, Said::Text(_)));
    let (refused, _) = call_with(with, server, "no-such-tool", json!({})).await;
    let words = match refused {
        Ok(outcome) if outcome.is_error => format!("{:?}", outcome.said),
        Err(CallFailure::NotDone(why)) => why,
        other => panic!("{other:?}"),
    };
    assert!(words.contains("no-such-tool"), "{words}");
}

#[tokio::test]
#[ignore = "scripts/mcp-servers runs it"]
async fn filesystem() {
    let folder = std::env::temp_dir().join(format!("baton-mcp-{}", uuid::Uuid::new_v4()));
    std::fs::create_dir(&folder).expect("a folder");
    let path = folder.join("note.txt");
    let with = connections(options());
    let server = command("node", &[&installed("filesystem"), &folder.display().to_string()]);
    let note = json!({"path": path, "content": "remember the milk"});
    assert!(!call_with(&with, &server, "write_file", note).await.0.expect("an outcome").is_error);
    assert_eq!(std::fs::read_to_string(&path).expect("the file"), "remember the milk");
    let (read, _) = call_with(&with, &server, "read_text_file", json!({"path": path})).await;
    assert!(text(read).contains("remember the milk"));
    let (outside, _) = call_with(&with, &server, "read_text_file", json!({"path": "/etc/passwd"})).await;
    assert!(outside.expect("an outcome").is_error, "its own limits are its own errors");
    with.close().await;
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[tokio::test]
#[ignore = "scripts/mcp-servers runs it"]
async fn memory() {
    let file = std::env::temp_dir().join(format!("baton-mcp-{}.json", uuid::Uuid::new_v4()));
    let mut server = command("node", &[&installed("memory")]);
    if let Endpoint::Command { environment, .. } = &mut server.endpoint {
        let path = baton_core::secrets::SecretText::new(file.display().to_string());
        environment.push(("MEMORY_FILE_PATH".into(), path));
    }
    let with = connections(options());
    let ada = json!({"entities": [{"name": "Ada", "entityType": "person", "observations": ["likes tea"]}]});
    assert!(!call_with(&with, &server, "create_entities", ada).await.0.expect("an outcome").is_error);
    let (graph, _) = call_with(&with, &server, "read_graph", json!({})).await;
    assert!(graph.expect("an outcome").whole.to_string().contains("likes tea"));
    with.close().await;
    std::fs::remove_file(&file).expect("the file goes");
}

#[tokio::test]
#[ignore = "scripts/mcp-servers runs it"]
async fn time() {
    let with = connections(options());
    let server = command(&installed("time"), &["--local-timezone", "UTC"]);
    let (now, _) = call_with(&with, &server, "get_current_time", json!({"timezone": "Asia/Tokyo"})).await;
    assert!(text(now).contains("Asia/Tokyo"));
    with.close().await;
}
