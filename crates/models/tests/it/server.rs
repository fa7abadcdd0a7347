//! A vendor made of a TCP listener: it answers the requests it gets with the answers it was given, in order, and
//! remembers what it saw.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// Lets the client take what was sent, and give its connection back. Server and client share one thread, so what counts
/// is how often the runtime looks at its sockets, and not how long that takes on a busy machine.
pub async fn until_read() {
    for _ in 0..50 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[derive(Clone)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    /// Each is a chunk of its own.
    pieces: Vec<Vec<u8>>,
    ending: Ending,
}

#[derive(Clone, Copy, PartialEq)]
enum Ending {
    Complete,
    /// The connection breaks.
    Cut,
    /// Nothing more comes until the client hangs up.
    Silent,
    /// Not even a status line.
    Mute,
}

impl Answer {
    pub fn stream(text: &str) -> Self {
        Self::pieces([text.as_bytes()])
    }

    pub fn pieces<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let pieces = pieces.into_iter().filter(|piece| !piece.is_empty()).map(<[u8]>::to_vec).collect();
        let headers = vec![("content-type".into(), "text/event-stream; charset=utf-8".into())];
        Self { status: 200, headers, pieces, ending: Ending::Complete }
    }

    pub fn refusal(status: u16, body: &str) -> Self {
        let headers = vec![("content-type".into(), "application/json".into())];
        Self { status, headers, pieces: vec![body.as_bytes().to_vec()], ending: Ending::Complete }
    }

    pub fn mute() -> Self {
        Self { ending: Ending::Mute, ..Self::stream("") }
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.into(), value.into()));
        self
    }

    pub fn then_cut(self) -> Self {
        Self { ending: Ending::Cut, ..self }
    }

    pub fn then_silence(self) -> Self {
        Self { ending: Ending::Silent, ..self }
    }
}

#[derive(Clone)]
pub struct Seen {
    pub connection: usize,
    pub at: Instant,
    /// The request line and the headers, in lower case.
    pub head: String,
    pub body: serde_json::Value,
}

#[derive(Default)]
struct State {
    answers: Mutex<Vec<Answer>>,
    seen: Mutex<Vec<Seen>>,
    fell_silent: Notify,
    hung_up: Notify,
}

pub struct FakeServer {
    pub address: String,
    state: Arc<State>,
}

impl FakeServer {
    pub async fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let mut answers: Vec<Answer> = answers.into_iter().collect();
        answers.reverse();
        let state = Arc::new(State { answers: Mutex::new(answers), ..State::default() });
        let shared = state.clone();
        tokio::spawn(async move {
            for connection in 0.. {
                let (socket, _) = listener.accept().await.unwrap();
                socket.set_nodelay(true).unwrap();
                tokio::spawn(serve(socket, connection, shared.clone()));
            }
        });
        Self { address, state }
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.state.seen.lock().unwrap().clone()
    }

    /// Does the work and lets all time of it pass in no time, but only once the answer is sent and silence follows. So
    /// the work's limits can be long, and however slow the machine is, only silence reaches them.
    pub async fn hurrying_its_silence<T>(&self, work: impl Future<Output = T>) -> T {
        let hurry = async {
            self.falls_silent().await;
            tokio::time::pause();
        };
        let (done, ()) = tokio::join!(work, hurry);
        tokio::time::resume();
        done
    }

    /// The answer is sent and read, and nothing more comes.
    pub async fn falls_silent(&self) {
        self.state.fell_silent.notified().await;
        until_read().await;
    }

    /// Whether a client that was left in silence hangs up soon.
    pub async fn client_hangs_up(&self) -> bool {
        tokio::time::timeout(Duration::from_secs(60), self.state.hung_up.notified()).await.is_ok()
    }
}

async fn serve(mut socket: TcpStream, connection: usize, state: Arc<State>) {
    while let Some((head, body)) = read_request(&mut socket).await {
        let body = serde_json::from_slice(&body).unwrap();
        state.seen.lock().unwrap().push(Seen { connection, at: Instant::now(), head, body });
        let answer = state.answers.lock().unwrap().pop().expect("a request more than there are answers");
        if answer.ending != Ending::Mute {
            write_answer(&mut socket, &answer).await;
        }
        match answer.ending {
            Ending::Complete => {}
            Ending::Cut => return,
            Ending::Silent | Ending::Mute => {
                state.fell_silent.notify_one();
                let mut byte = [0];
                // 0 or an error: the client closed the connection.
                let _ = socket.read(&mut byte).await;
                state.hung_up.notify_one();
                return;
            }
        }
    }
}

async fn read_request(socket: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap().to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = bytes.split_off(end + 4);
    let missing = length.parse::<usize>().unwrap() - body.len();
    let mut rest = vec![0; missing];
    socket.read_exact(&mut rest).await.ok()?;
    body.extend(rest);
    Some((head, body))
}

async fn write_answer(socket: &mut TcpStream, answer: &Answer) {
    let mut head = format!("HTTP/1.1 {} x\r\ntransfer-encoding: chunked\r\n", answer.status);
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    // The client may be gone already: that is for the test to see.
    let _ = socket.write_all(head.as_bytes()).await;
    for piece in &answer.pieces {
        let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
        chunk.extend_from_slice(piece);
        chunk.extend_from_slice(b"\r\n");
        let _ = socket.write_all(&chunk).await;
    }
    if answer.ending == Ending::Complete {
        let _ = socket.write_all(b"0\r\n\r\n").await;
    }
}
