//! The events of one turn, whatever happens to the connection. A stream that breaks is followed again from the last
//! event seen. The POST can be sent again too: its idempotency key makes it the same turn.

use std::time::Duration;

use baton_core::events::Event;
use reqwest::Response;
use serde_json::Value;
use uuid::Uuid;

use crate::client::{Client, Failure};
use crate::sse::{Frame, Parser};

/// With the waits between them, most of a minute: a server that is started again is back by then.
const MOST_TRIES: u32 = 15;
const LONGEST_WAIT: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub enum Heard {
    /// Boxed: an event is far larger than the others.
    Event(Box<Event>),
    /// The connection broke; it is tried again.
    Retrying,
    /// Something keeps the turn waiting, and may pass.
    Trouble(String),
    /// The cursor means nothing any more: read the conversation, and go on from there.
    Reset,
}

pub struct Feed<'a> {
    client: &'a Client,
    begins: Begins,
    key: String,
    conversation: Option<Uuid>,
    cursor: Option<String>,
    open: Option<Open>,
    /// Ends and failures since the last event.
    failures: u32,
    /// Whether anyone was told of them.
    told: bool,
}

/// How the turn comes about.
enum Begins {
    With(Value),
    Again(Uuid),
    /// It is under way in a conversation, and followed from a cursor.
    Already(Uuid, String),
}

struct Open {
    response: Response,
    parser: Parser,
}

impl<'a> Feed<'a> {
    /// A turn that is begun by this body.
    pub fn new(client: &'a Client, body: Value) -> Self {
        Self::of(client, Begins::With(body))
    }

    /// The last turn of a conversation, tried again.
    pub fn again(client: &'a Client, conversation: Uuid) -> Self {
        Self { conversation: Some(conversation), ..Self::of(client, Begins::Again(conversation)) }
    }

    /// A turn that is under way.
    pub fn following(client: &'a Client, conversation: Uuid, cursor: String) -> Self {
        Self { conversation: Some(conversation), ..Self::of(client, Begins::Already(conversation, cursor)) }
    }

    fn of(client: &'a Client, begins: Begins) -> Self {
        let key = Uuid::new_v4().to_string();
        Self { client, begins, key, conversation: None, cursor: None, open: None, failures: 0, told: false }
    }

    /// Known once the server has accepted the message.
    pub fn conversation(&self) -> Option<Uuid> {
        self.conversation
    }

    pub fn resume_at(&mut self, cursor: String) {
        self.cursor = Some(cursor);
        self.open = None;
    }

    /// What comes next. Safe to drop while it waits.
    pub async fn next(&mut self) -> Result<Heard, Failure> {
        loop {
            let Some(open) = &mut self.open else {
                tokio::time::sleep(wait(self.failures)).await;
                match self.connect().await {
                    Ok(open) => self.open = Some(open),
                    Err(failure) => {
                        self.failed(failure)?;
                        if !std::mem::replace(&mut self.told, true) {
                            return Ok(Heard::Retrying);
                        }
                    }
                }
                continue;
            };
            if let Some(frame) = open.parser.next() {
                self.failures = 0;
                self.told = false;
                match self.take(frame) {
                    Some(heard) => return Ok(heard),
                    None => continue,
                }
            }
            match open.response.chunk().await {
                Ok(Some(bytes)) => open.parser.push(&bytes),
                // The end is not always a failure: a turn that waits for a person ends its answer too.
                Err(_) | Ok(None) => {
                    self.open = None;
                    let base = "the stream".to_owned();
                    self.failed(Failure::Unreachable { base, cause: "it keeps breaking off".to_owned() })?;
                }
            }
        }
    }

    async fn connect(&self) -> Result<Open, Failure> {
        let request = match (self.conversation, &self.cursor, &self.begins) {
            (Some(conversation), Some(cursor), _) => self.client.follow(conversation, cursor),
            (_, _, Begins::With(body)) => self.client.say(body, &self.key),
            (_, _, Begins::Again(conversation)) => self.client.retry(*conversation, &self.key),
            (_, _, Begins::Already(conversation, cursor)) => self.client.follow(*conversation, cursor),
        };
        let response = self.client.send(request).await?;
        Ok(Open { response, parser: Parser::default() })
    }

    fn failed(&mut self, failure: Failure) -> Result<(), Failure> {
        self.failures += 1;
        if failure.is_passing() && self.failures < MOST_TRIES { Ok(()) } else { Err(failure) }
    }

    fn take(&mut self, frame: Frame) -> Option<Heard> {
        let is_stored = frame.id.is_some();
        if let Some(id) = frame.id {
            self.cursor = Some(id);
        }
        // What we can't read is an event of a newer server: nothing that this program could show.
        let event = serde_json::from_str(&frame.data).ok()?;
        match event {
            Event::Error { message_id: None, message, .. } if !is_stored => {
                return Some(Heard::Trouble(message));
            }
            Event::Session { conversation_id, .. } => self.conversation = Some(conversation_id.0),
            Event::Lagged { resume_from } => {
                self.resume_at(resume_from);
                return None;
            }
            Event::Reset {} => {
                self.open = None;
                return Some(Heard::Reset);
            }
            _ => {}
        }
        Some(Heard::Event(Box::new(event)))
    }
}

/// How long to wait before the next try: at first not at all.
fn wait(failures: u32) -> Duration {
    match failures {
        0 | 1 => Duration::ZERO,
        more => Duration::from_millis(250).saturating_mul(1 << (more - 2).min(10)).min(LONGEST_WAIT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Key;

    #[test]
    fn an_error_without_an_id_and_a_message_is_a_trouble_that_may_pass() {
        // Fails only where another test of this process has chosen already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let base = url::Url::parse("http://127.0.0.1:1").expect("a url");
        let client = Client::new(&base, Key::Token("t".to_owned())).expect("a client");
        let mut feed = Feed::following(&client, Uuid::nil(), "1.0".to_owned());
        let mut hear = |id: Option<&str>| {
            let data = r#"{"type":"error","message":"No answer.","code":"unavailable","recoverable":true}"#;
            let heard = feed.take(Frame { id: id.map(str::to_owned), data: data.to_owned() });
            (heard, feed.cursor.clone())
        };
        assert!(matches!(hear(None), (Some(Heard::Trouble(said)), None) if said == "No answer."));
        assert!(
            matches!(hear(Some("2.0")), (Some(Heard::Event(_)), Some(cursor)) if cursor == "2.0"),
            "stored, it is why the turn failed"
        );
    }

    #[test]
    fn the_first_try_is_at_once_and_all_of_them_take_most_of_a_minute() {
        assert_eq!(wait(1), Duration::ZERO);
        assert_eq!(wait(2), Duration::from_millis(250));
        let all: Duration = (0..MOST_TRIES).map(wait).sum();
        assert!((30..60).contains(&all.as_secs()), "{all:?}");
    }
}
