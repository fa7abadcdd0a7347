//! A server that speaks chat completions like a vendor: it streams what it is told to, and notes which clients
//! disconnected.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone)]
pub struct FakeModel {
    pub url: String,
    pub calls: Arc<AtomicUsize>,
    pub hung_up: Arc<AtomicUsize>,
    /// The heads of the requests, in small letters.
    pub heads: Arc<Mutex<Vec<String>>>,
}

/// What it says: a piece of text, this often, at this pace.
#[derive(Clone)]
pub struct Speech {
    pub piece: String,
    pub times: usize,
    pub pace: Duration,
}

impl FakeModel {
    pub async fn start(speech: Speech) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let fake = Self { url, calls: Arc::default(), hung_up: Arc::default(), heads: Arc::default() };
        let told = fake.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (told, speech) = (told.clone(), speech.clone());
                tokio::spawn(async move {
                    told.calls.fetch_add(1, Ordering::SeqCst);
                    if answer(stream, speech, &told).await.is_none() {
                        told.hung_up.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        fake
    }

    pub async fn wait_for_hang_up(&self) {
        for _ in 0..100 {
            if self.hung_up.load(Ordering::SeqCst) > 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("nobody hung up");
    }
}

/// None when the caller hung up before the end.
async fn answer(mut stream: TcpStream, speech: Speech, told: &FakeModel) -> Option<()> {
    let head = read_request(&mut stream).await?;
    told.heads.lock().expect("heads").push(head.to_lowercase());
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await.ok()?;
    for _ in 0..speech.times {
        let chunk = serde_json::json!({"choices": [{"index": 0, "delta": {"content": speech.piece}}]});
        send(&mut stream, &chunk.to_string()).await?;
        if !speech.pace.is_zero() {
            let mut byte = [0];
            // A caller that is gone is noticed while waiting.
            if let Ok(read) = tokio::time::timeout(speech.pace, stream.read(&mut byte)).await
                && !matches!(read, Ok(1..))
            {
                return None;
            }
        }
    }
    let usage = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,"completion_tokens":100}}"#;
    send(&mut stream, usage).await?;
    send(&mut stream, "[DONE]").await
}

async fn send(stream: &mut TcpStream, data: &str) -> Option<()> {
    stream.write_all(format!("data: {data}\n\n").as_bytes()).await.ok()
}

async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let read = stream.read(&mut chunk).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(head.to_owned());
            }
        }
    }
}
