//! One HTTP/1.1 connection, written by hand: client and server share two cores, so what the client spends is missing
//! for the server.

use std::net::SocketAddr;
use std::ops::Range;

use anyhow::{Context, bail, ensure};
use memchr::memmem;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const READ: usize = 4 * 1024;
const MAX_HEAD: usize = 64 * 1024;

pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// Where the first unread byte is.
    read: usize,
    body: Body,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    Length(usize),
    /// Before a chunk's size.
    Size,
    Chunk(usize),
    /// After a chunk's last byte.
    ChunkEnd,
    Ended,
}

pub struct Head {
    pub status: u16,
    /// Name and value of the session's cookie, if one was set.
    pub cookie: Option<String>,
}

/// A request with all that every request needs.
pub fn request(method: &str, path: &str, cookie: &str, body: Option<&Value>) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
    if !cookie.is_empty() {
        text.push_str(&format!("cookie: {cookie}\r\n"));
    }
    match body.map(Value::to_string) {
        Some(body) => text.push_str(&format!(
            "content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )),
        None => text.push_str("\r\n"),
    }
    text.into_bytes()
}

impl Connection {
    pub async fn open(at: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(at).await.context("could not connect")?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::new(), read: 0, body: Body::Ended })
    }

    /// Sends a request and reads the head of its answer.
    pub async fn ask(&mut self, request: &[u8]) -> anyhow::Result<Head> {
        self.stream.write_all(request).await.context("could not send")?;
        loop {
            if let Some(end) = memmem::find(&self.buffer[self.read..], b"\r\n\r\n") {
                let text = std::str::from_utf8(&self.buffer[self.read..self.read + end])?;
                let (head, body) = parse_head(text)?;
                self.read += end + 4;
                self.body = body;
                return Ok(head);
            }
            ensure!(self.buffer.len() - self.read < MAX_HEAD, "the head has no end");
            self.fill().await?;
        }
    }

    /// The next bytes of the body; none at its end.
    pub async fn piece(&mut self) -> anyhow::Result<Option<&[u8]>> {
        let range = loop {
            match self.body {
                Body::Ended => return Ok(None),
                Body::Length(0) => self.body = Body::Ended,
                Body::Length(left) | Body::Chunk(left) => {
                    if let Some(range) = self.take(left) {
                        self.body = match self.body {
                            Body::Length(_) => Body::Length(left - range.len()),
                            _ if range.len() == left => Body::ChunkEnd,
                            _ => Body::Chunk(left - range.len()),
                        };
                        break range;
                    }
                    self.fill().await?;
                }
                Body::ChunkEnd => match self.line()? {
                    Some(line) => {
                        ensure!(line.is_empty(), "a chunk is longer than it said");
                        self.body = Body::Size;
                    }
                    None => self.fill().await?,
                },
                Body::Size => match self.line()? {
                    Some(line) => {
                        let size = usize::from_str_radix(std::str::from_utf8(&self.buffer[line])?, 16)?;
                        if size > 0 {
                            self.body = Body::Chunk(size);
                        } else {
                            self.end_of_chunks().await?;
                        }
                    }
                    None => self.fill().await?,
                },
            }
        };
        Ok(Some(&self.buffer[range]))
    }

    /// The whole answer as JSON; what is no success is an error.
    pub async fn json(&mut self, request: &[u8]) -> anyhow::Result<Value> {
        let (head, body) = self.whole(request).await?;
        ensure!((200..300).contains(&head.status), "{}: {}", head.status, String::from_utf8_lossy(&body));
        Ok(serde_json::from_slice(&body)?)
    }

    pub async fn whole(&mut self, request: &[u8]) -> anyhow::Result<(Head, Vec<u8>)> {
        let head = self.ask(request).await?;
        let mut body = Vec::new();
        while let Some(piece) = self.piece().await? {
            body.extend_from_slice(piece);
        }
        Ok((head, body))
    }

    /// Sends a request and reads its answer without keeping it.
    pub async fn skip(&mut self, request: &[u8]) -> anyhow::Result<u16> {
        let head = self.ask(request).await?;
        while self.piece().await?.is_some() {}
        Ok(head.status)
    }

    fn take(&mut self, most: usize) -> Option<Range<usize>> {
        let end = self.buffer.len().min(self.read.saturating_add(most));
        let range = self.read..end;
        self.read = end;
        (!range.is_empty()).then_some(range)
    }

    fn line(&mut self) -> anyhow::Result<Option<Range<usize>>> {
        let Some(end) = memmem::find(&self.buffer[self.read..], b"\r\n") else {
            ensure!(self.buffer.len() - self.read < READ, "a chunk's size has no end");
            return Ok(None);
        };
        let line = self.read..self.read + end;
        self.read = line.end + 2;
        Ok(Some(line))
    }

    async fn end_of_chunks(&mut self) -> anyhow::Result<()> {
        loop {
            if let Some(line) = self.line()? {
                ensure!(line.is_empty(), "trailers were not expected");
                self.body = Body::Ended;
                return Ok(());
            }
            self.fill().await?;
        }
    }

    async fn fill(&mut self) -> anyhow::Result<()> {
        if self.read == self.buffer.len() {
            self.buffer.clear();
        } else {
            self.buffer.drain(..self.read);
        }
        self.read = 0;
        self.buffer.reserve(READ);
        let count = self.stream.read_buf(&mut self.buffer).await.context("could not read")?;
        ensure!(count > 0, "the connection was closed early");
        Ok(())
    }
}

fn parse_head(text: &str) -> anyhow::Result<(Head, Body)> {
    let mut lines = text.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).context("no status")?.parse()?;
    let (mut cookie, mut body) = (None, None);
    for line in lines {
        let (name, value) = line.split_once(':').context("a header without a colon")?;
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-length") {
            body = Some(Body::Length(value.parse()?));
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            ensure!(value.eq_ignore_ascii_case("chunked"), "an encoding other than chunks");
            body = Some(Body::Size);
        } else if name.eq_ignore_ascii_case("set-cookie") && value.starts_with("baton_session=") {
            cookie = value.split(';').next().map(str::to_owned);
        }
    }
    let Some(body) = body else { bail!("an answer of unknown length") };
    Ok((Head { status, cookie }, body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    /// What is read of an answer that arrives in pieces of this many bytes.
    async fn read(answer: &'static str, size: usize) -> anyhow::Result<(u16, String)> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let at = listener.local_addr()?;
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            for piece in answer.as_bytes().chunks(size) {
                let _ = stream.write_all(piece).await;
                tokio::task::yield_now().await;
            }
            // Until the client has read it all.
            let _ = stream.read_u8().await;
            let _ = stream.read(&mut [0; 256]).await;
        });
        let (head, body) = Connection::open(at).await?.whole(b"GET / HTTP/1.1\r\n\r\n").await?;
        Ok((head.status, String::from_utf8(body)?))
    }

    #[tokio::test]
    async fn bodies_however_they_arrive() {
        let table = [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
            ("HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n", 404, ""),
            (
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
                200,
                "hello",
            ),
        ];
        for (answer, status, body) in table {
            for size in 1..answer.len() {
                assert_eq!(
                    read(answer, size).await.unwrap(),
                    (status, body.to_owned()),
                    "{answer} by {size}"
                );
            }
        }
    }
}
