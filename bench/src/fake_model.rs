//! A model that costs next to nothing: OpenAI's chat completions over a bare socket, with every byte rendered before
//! the first call. It notes which calls were hung up on, and when; and how long after it told a model to hand off the
//! next call of the same turn came.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use memchr::memmem;
use serde_json::{Value, json};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep_until};

use crate::process::monotonic_micros;
use crate::shape::{NUMBERED, Shape, piece};

/// The model that hands every turn to `RECEIVER`.
pub const HANDS_OFF: &str = "fake-handoff";
pub const RECEIVER: &str = "bench-receiver";
/// A model that loads the skill it is told to read so many times, each in a call of its own, and then says one piece.
pub fn calls(count: usize) -> String {
    format!("{CALLS}{count}")
}

const CALLS: &str = "fake-calls-";
/// What the name of that skill follows in the person's message.
const READ: &[u8] = b"Read ";

/// What a turn's number follows in the person's message, so that both calls of a handoff are known.
pub const NUMBER: &str = "Handoff no. ";

const BACKLOG: i32 = 4096;
const STREAM_HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/// Says its address on standard output, then serves until it is killed.
pub async fn serve(at: SocketAddr) -> anyhow::Result<()> {
    let listener = listen(at).with_context(|| format!("could not listen on {at}"))?;
    println!("{}", listener.local_addr()?);
    let model = Arc::new(Model { rendered: Rendered::new(), stats: Mutex::default() });
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file descriptors: others must end first.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        model.note(|stats| stats.connections += 1);
        let model = model.clone();
        tokio::spawn(async move {
            // A client that went away is counted where it matters.
            let _ = Client { stream, buffer: Vec::new(), model }.serve().await;
        });
    }
}

fn listen(at: SocketAddr) -> anyhow::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(at), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&at.into())?;
    socket.listen(BACKLOG)?;
    Ok(TcpListener::from_std(socket.into())?)
}

struct Model {
    rendered: Rendered,
    stats: Mutex<Stats>,
}

#[derive(Default)]
struct Stats {
    connections: u64,
    calls: u64,
    /// When each cancelled call was hung up on, in microseconds of the monotonic clock.
    cancelled_at: Vec<u64>,
    /// When the turns that were handed off had their tool call, until their next call comes.
    handed_at: HashMap<u64, u64>,
    /// How long each took until then, in microseconds.
    handoff_took: Vec<u64>,
}

impl Model {
    fn note<T>(&self, change: impl FnOnce(&mut Stats) -> T) -> T {
        change(&mut self.stats.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The next call of a turn that was handed off.
    fn arrived(&self, number: u64) {
        let now = monotonic_micros();
        self.note(|stats| {
            let told = stats.handed_at.remove(&number);
            stats.handoff_took.extend(told.map(|told| now.saturating_sub(told)));
        });
    }
}

/// Everything that is ever sent in a stream, as chunks of HTTP.
struct Rendered {
    begin: Vec<u8>,
    pieces: Vec<Vec<u8>>,
    end: Vec<u8>,
    /// The end of an answer that calls tools.
    calls_end: Vec<u8>,
    /// A whole answer: a call of `switch_agent`.
    handoff: Vec<u8>,
}

impl Rendered {
    fn new() -> Self {
        let usage = json!({ "id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 0, "model": "fake",
            "choices": [], "usage": { "prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150 } });
        let role = delta(json!({ "role": "assistant", "content": "" }), None);
        let ended = |why: &str| {
            let mut end = chunk(&delta(json!({}), Some(why)).to_string());
            end.extend(chunk(&usage.to_string()));
            end.extend(chunk("[DONE]"));
            end.extend_from_slice(b"0\r\n\r\n");
            end
        };
        let begin = [STREAM_HEAD.as_bytes(), &chunk(&role.to_string())].concat();
        let call = call("call_1", "switch_agent", &json!({ "agent": RECEIVER, "reason": "It is theirs." }));
        Self {
            handoff: [begin.as_slice(), &call, &ended("tool_calls")].concat(),
            calls_end: ended("tool_calls"),
            begin,
            pieces: (0..NUMBERED)
                .map(|index| chunk(&delta(json!({ "content": piece(index) }), None).to_string()))
                .collect(),
            end: ended("stop"),
        }
    }
}

fn delta(delta: Value, finish: Option<&str>) -> Value {
    let choice = json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish });
    json!({ "id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 0, "model": "fake",
        "choices": [choice], "usage": null })
}

fn call(id: &str, name: &str, arguments: &Value) -> Vec<u8> {
    let function = json!({ "name": name, "arguments": arguments.to_string() });
    let call = json!({ "index": 0, "id": id, "type": "function", "function": function });
    chunk(&delta(json!({ "tool_calls": [call] }), None).to_string())
}

fn chunk(data: &str) -> Vec<u8> {
    let event = format!("data: {data}\n\n");
    format!("{:x}\r\n{event}\r\n", event.len()).into_bytes()
}

enum Asked {
    Call(Shape),
    Handoff,
    /// A call of `load_skill`, the one after so many.
    Skill(usize, String),
    Stats,
    Other,
}

struct Client {
    stream: TcpStream,
    /// What arrived and was not yet understood.
    buffer: Vec<u8>,
    model: Arc<Model>,
}

impl Client {
    async fn serve(mut self) -> anyhow::Result<()> {
        self.stream.set_nodelay(true)?;
        while let Some((asked, number)) = self.next_request().await? {
            match asked {
                Asked::Handoff => {
                    self.model.note(|stats| stats.calls += 1);
                    let model = self.model.clone();
                    self.stream.write_all(&model.rendered.handoff).await?;
                    let now = monotonic_micros();
                    self.model.note(|stats| number.map(|number| stats.handed_at.insert(number, now)));
                }
                Asked::Skill(made, skill) => {
                    self.model.note(|stats| stats.calls += 1);
                    let Rendered { begin, calls_end, .. } = &self.model.rendered;
                    let call = call(&format!("call_{made}"), "load_skill", &json!({ "name": skill }));
                    let answer = [begin.as_slice(), &call, calls_end].concat();
                    self.stream.write_all(&answer).await?;
                }
                Asked::Call(shape) => {
                    if self.speak(shape).await.is_err() {
                        let now = monotonic_micros();
                        self.model.note(|stats| stats.cancelled_at.push(now));
                        return Ok(());
                    }
                }
                Asked::Stats => {
                    let stats = self.model.note(|stats| {
                        json!({ "connections": stats.connections, "calls": stats.calls,
                            "cancelled": stats.cancelled_at.len(), "cancelledAtMicros": stats.cancelled_at,
                            "handoffMicros": stats.handoff_took })
                    });
                    self.answer("200 OK", &stats.to_string()).await?;
                }
                Asked::Other => self.answer("404 Not Found", "{}").await?,
            }
        }
        Ok(())
    }

    async fn answer(&mut self, status: &str, body: &str) -> anyhow::Result<()> {
        let text = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        Ok(self.stream.write_all(text.as_bytes()).await?)
    }

    /// What is asked, and the number of the turn it belongs to, if it has one.
    async fn next_request(&mut self) -> anyhow::Result<Option<(Asked, Option<u64>)>> {
        loop {
            if let Some(end) = memmem::find(&self.buffer, b"\r\n\r\n") {
                let head = std::str::from_utf8(&self.buffer[..end])?.to_ascii_lowercase();
                let length = head.split("\r\n").find_map(|line| line.strip_prefix("content-length:"));
                let length: usize = length.map_or(Ok(0), |length| length.trim().parse())?;
                let whole = end + 4 + length;
                if self.buffer.len() >= whole {
                    let body = &self.buffer[end + 4..whole];
                    let (asked, number) = (asked(&head, body), number(body));
                    if let (Asked::Call(_), Some(number)) = (&asked, number) {
                        self.model.arrived(number);
                    }
                    self.buffer.drain(..whole);
                    return Ok(Some((asked, number)));
                }
            }
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Ok(None);
            }
        }
    }

    /// Says its pieces, each at its time. Fails when the client hangs up before the end.
    async fn speak(&mut self, shape: Shape) -> anyhow::Result<()> {
        self.model.note(|stats| stats.calls += 1);
        let model = self.model.clone();
        let Rendered { begin, pieces, end, .. } = &model.rendered;
        let began = Instant::now();
        if shape.every.is_zero() {
            let mut all = begin.clone();
            (0..shape.pieces).for_each(|index| all.extend_from_slice(&pieces[index % NUMBERED]));
            all.extend_from_slice(end);
            return Ok(self.stream.write_all(&all).await?);
        }
        self.stream.write_all(&[begin.as_slice(), &pieces[0]].concat()).await?;
        let mut due = began;
        let mut wake = std::pin::pin!(sleep_until(due));
        for index in 1..=shape.pieces {
            due += shape.every;
            wake.as_mut().reset(due);
            loop {
                tokio::select! {
                    () = &mut wake => break,
                    count = self.stream.read_buf(&mut self.buffer) => {
                        anyhow::ensure!(count? > 0, "the client hung up");
                    }
                }
            }
            let bytes = if index < shape.pieces { &pieces[index % NUMBERED] } else { end };
            self.stream.write_all(bytes).await?;
        }
        Ok(())
    }
}

fn asked(head: &str, body: &[u8]) -> Asked {
    if head.starts_with("get /stats ") {
        return Asked::Stats;
    }
    if !head.starts_with("post /v1/chat/completions ") {
        return Asked::Other;
    }
    const MODEL: &[u8] = b"\"model\":\"";
    // Inside a message's text the quotes would be escaped.
    let name = memmem::find(body, MODEL).map(|at| &body[at + MODEL.len()..]);
    let name = name.and_then(|name| name.split(|byte| *byte == b'"').next());
    match name.and_then(|name| std::str::from_utf8(name).ok()) {
        Some(HANDS_OFF) => Asked::Handoff,
        Some(name) if name.starts_with(CALLS) => skill(name, body).unwrap_or(Asked::Other),
        Some(name) => Shape::parse(name).map_or(Asked::Other, Asked::Call),
        None => Asked::Other,
    }
}

/// What a model that calls tools does next, by how many results it was sent.
fn skill(name: &str, body: &[u8]) -> Option<Asked> {
    let wanted: usize = name.strip_prefix(CALLS)?.parse().ok()?;
    let made = memmem::find_iter(body, br#""role":"tool""#).count();
    if made >= wanted {
        return Some(Asked::Call(Shape::new(1, 0)));
    }
    let rest = &body[memmem::find(body, READ)? + READ.len()..];
    let name = rest.split(|byte| *byte == b'"').next()?;
    Some(Asked::Skill(made, String::from_utf8_lossy(name).into_owned()))
}

fn number(body: &[u8]) -> Option<u64> {
    let rest = &body[memmem::find(body, NUMBER.as_bytes())? + NUMBER.len()..];
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::{Connection, request};
    use crate::process::free_port;
    use crate::talk::{Listening, direct, turn};

    #[tokio::test]
    async fn it_speaks_and_notes_who_hangs_up() {
        let at = SocketAddr::from(([127, 0, 0, 1], free_port().unwrap()));
        tokio::spawn(serve(at));
        tokio::task::yield_now().await;
        let mut connection = Connection::open(at).await.unwrap();
        for shape in [Shape::new(3, 0), Shape::new(3, 2), Shape::new(1_001, 0)] {
            let said = turn(&mut connection, &direct(shape), &shape.text()).await.unwrap();
            assert!(said.end >= shape.every * 3 && said.first <= said.end);
        }
        let (long, before) = (Shape::new(1_000, 20), monotonic_micros());
        let mut leaving = Connection::open(at).await.unwrap();
        let text = long.text();
        assert!(Listening::open(&mut leaving, &direct(long), &text).await.unwrap().read().await.unwrap());
        drop(leaving);
        tokio::time::sleep(Duration::from_millis(10)).await;
        let stats = connection.json(&request("GET", "/stats", "", None)).await.unwrap();
        assert_eq!(stats["calls"], 4);
        assert_eq!(stats["cancelled"], 1);
        assert!(stats["cancelledAtMicros"][0].as_u64().unwrap() > before);
    }

    #[tokio::test]
    async fn it_notes_how_long_a_handoff_took() {
        let at = SocketAddr::from(([127, 0, 0, 1], free_port().unwrap()));
        tokio::spawn(serve(at));
        tokio::task::yield_now().await;
        let mut connection = Connection::open(at).await.unwrap();
        let ask = |model: &str, number: u64| {
            let content = format!("{NUMBER}{number}: go on.");
            let body = json!({ "model": model, "messages": [{ "role": "user", "content": content }] });
            request("POST", "/v1/chat/completions", "", Some(&body))
        };
        let (head, body) = connection.whole(&ask(HANDS_OFF, 7)).await.unwrap();
        let said = String::from_utf8(body).unwrap();
        assert!(head.status == 200 && said.contains("switch_agent") && said.contains(RECEIVER), "{said}");
        connection.skip(&ask("fake-1x0", 8)).await.unwrap();
        connection.skip(&ask("fake-1x0", 7)).await.unwrap();
        connection.skip(&ask("fake-1x0", 7)).await.unwrap();
        let stats = connection.json(&request("GET", "/stats", "", None)).await.unwrap();
        assert_eq!(stats["handoffMicros"].as_array().map(Vec::len), Some(1), "the first call after it, once");
    }
}
