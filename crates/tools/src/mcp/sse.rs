//! Server-sent events of an MCP server, read up to a limit for each event.

use std::io;

use futures::stream::BoxStream;
use futures::{Stream, StreamExt, future};
use rmcp::model::{ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::SseError;
use serde_json::json;
use sse_stream::{Sse, SseStream};

/// What a message of our own says in the place of one that was too large: the call it answers ends with that.
const TOO_LARGE: &str = "baton: too large";

/// The events of a body. One that is larger than `max_bytes` ends the stream; if it was to answer a request, an error
/// takes its place, so that the request ends too.
pub(super) fn bounded<B, E>(
    body: impl Stream<Item = Result<B, E>> + Send + 'static,
    max_bytes: usize,
    answers: Option<RequestId>,
) -> BoxStream<'static, Result<Sse, SseError>>
where
    B: AsRef<[u8]> + bytes::Buf + Send + 'static,
    E: std::error::Error + Send + Sync + 'static,
{
    let mut size = EventSize::default();
    let body = body.map(move |chunk| {
        let chunk = chunk.map_err(io::Error::other)?;
        if size.add(chunk.as_ref()) > max_bytes {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        Ok(chunk)
    });
    // Nothing is read after the first failure.
    let body = body.scan(Go::On, |go, chunk| {
        if *go == Go::Stop {
            return future::ready(None);
        }
        *go = if chunk.is_err() { Go::Stop } else { Go::On };
        future::ready(Some(chunk))
    });
    let events = SseStream::from_bytes_stream(body).map(move |event| match (event, &answers) {
        (Err(SseError::Body(error)), Some(id)) if is_too_large(error.as_ref()) => {
            let message = serde_json::to_string(&too_large(id.clone(), max_bytes)).map_err(body_error)?;
            Ok(Sse::default().data(message))
        }
        (event, _) => event,
    });
    events.boxed()
}

#[derive(PartialEq)]
enum Go {
    On,
    Stop,
}

fn body_error(error: serde_json::Error) -> SseError {
    SseError::Body(Box::new(error))
}

fn is_too_large(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::FileTooLarge)
}

/// Bytes since the last event ended.
#[derive(Default)]
struct EventSize {
    event: usize,
    line: usize,
}

impl EventSize {
    /// The size of the largest event that these bytes are part of.
    fn add(&mut self, bytes: &[u8]) -> usize {
        let mut largest = 0;
        for byte in bytes {
            match byte {
                b'\n' if self.line == 0 => self.event = 0,
                b'\n' => self.line = 0,
                b'\r' => {}
                _ => {
                    self.line += 1;
                    self.event += 1;
                    largest = largest.max(self.event);
                }
            }
        }
        largest
    }
}

/// The error that stands for an answer of more bytes than are read.
pub(super) fn too_large(id: RequestId, limit: usize) -> ServerJsonRpcMessage {
    let data = json!({ TOO_LARGE: limit });
    ServerJsonRpcMessage::error(ErrorData::new(ErrorCode::INTERNAL_ERROR, TOO_LARGE, Some(data)), Some(id))
}

/// The limit that an answer was over, if this error stands for one.
pub(super) fn limit_of(error: &ErrorData) -> Option<u64> {
    error.data.as_ref()?.get(TOO_LARGE)?.as_u64()
}
