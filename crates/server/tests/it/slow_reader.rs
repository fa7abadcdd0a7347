//! A client with a small window that opens a stream and then does not read it for a while.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::talk::{Got, parse};

pub struct SlowReader {
    stream: TcpStream,
}

impl SlowReader {
    pub async fn open(url: &str, path: &str, cookie: &str) -> Self {
        let at = url.trim_start_matches("http://");
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small window");
        let mut stream = socket.connect(at.parse().expect("an address")).await.expect("connected");
        let request = format!("GET {path} HTTP/1.1\r\nhost: {at}\r\ncookie: {cookie}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        Self { stream }
    }

    /// All events until the server closes the stream.
    pub async fn rest(mut self) -> Vec<Got> {
        let mut bytes = Vec::new();
        let mut part = vec![0; 65_536];
        loop {
            let read = self.stream.read(&mut part).await.expect("read");
            bytes.extend_from_slice(&part[..read]);
            // A stream that kept up stays open after its turn.
            let is_done = bytes.windows(12).rev().take(1_000).any(|tail| tail == b"event: done\n");
            if read == 0 || is_done || bytes.ends_with(b"\r\n0\r\n\r\n") {
                break;
            }
        }
        let text = String::from_utf8(dechunked(&bytes)).expect("text");
        text.split_inclusive("\n\n").filter_map(parse).collect()
    }
}

/// The body of an answer sent in chunks.
fn dechunked(bytes: &[u8]) -> Vec<u8> {
    let head = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let mut rest = &bytes[head + 4..];
    let mut body = Vec::new();
    while let Some(line) = rest.windows(2).position(|two| two == b"\r\n") {
        let size =
            std::str::from_utf8(&rest[..line]).ok().and_then(|hex| usize::from_str_radix(hex, 16).ok());
        let size = size.expect("a size");
        if size == 0 {
            break;
        }
        body.extend_from_slice(&rest[line + 2..line + 2 + size]);
        rest = &rest[line + 2 + size + 2..];
    }
    body
}
