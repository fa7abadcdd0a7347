//! Writes one JSON value from beginning to end and gives it out in pieces, so that only a little of it is in memory,
//! however large it is. A slow reader makes the writer wait; a reader that stops ends it.

use baton_core::store::{Error, Pieces, Result};
use futures::stream;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc;

/// About how large a piece is.
const PIECE: usize = 64 * 1024;
/// Pieces that wait to be read.
const WAITING: usize = 4;

pub struct JsonPieces {
    out: mpsc::Sender<Result<String>>,
    piece: String,
    /// What is open here, from the outside in: how it ends, and whether it has anything in it yet.
    open: Vec<(char, bool)>,
}

/// What `write` writes. If it fails, that is the last thing the reader hears.
pub fn written<F>(write: impl FnOnce(JsonPieces) -> F + Send + 'static) -> Pieces
where
    F: Future<Output = Result<()>> + Send + 'static,
{
    let (out, read) = mpsc::channel(WAITING);
    let writer = JsonPieces { out: out.clone(), piece: String::new(), open: Vec::new() };
    tokio::spawn(async move {
        if let Err(error) = write(writer).await {
            // Nobody to tell: whoever read has gone.
            let _ = out.send(Err(error)).await;
        }
    });
    Box::pin(stream::unfold(read, |mut read| async { read.recv().await.map(|piece| (piece, read)) }))
}

impl JsonPieces {
    /// An object, as the whole or as the next item of a list.
    pub fn object(&mut self) {
        self.begin_item();
        self.begin('{', '}');
    }

    /// A field of the open object that is a list.
    pub fn list(&mut self, name: &str) {
        self.begin_item();
        self.name(name);
        self.begin('[', ']');
    }

    pub async fn field(&mut self, name: &str, value: &impl Serialize) -> Result<()> {
        self.begin_item();
        self.name(name);
        self.value(value).await
    }

    /// The fields of an object, as fields of the open one.
    pub async fn fields(&mut self, object: &Value) -> Result<()> {
        for (name, value) in object.as_object().into_iter().flatten() {
            self.field(name, value).await?;
        }
        Ok(())
    }

    /// The next item of the open list.
    pub async fn item(&mut self, value: &impl Serialize) -> Result<()> {
        self.begin_item();
        self.value(value).await
    }

    /// Closes what was opened last; the piece goes out when it was all.
    pub async fn end(&mut self) -> Result<()> {
        if let Some((end, _)) = self.open.pop() {
            self.piece.push(end);
        }
        if self.open.is_empty() { self.send_piece().await } else { Ok(()) }
    }

    fn begin(&mut self, begin: char, end: char) {
        self.piece.push(begin);
        self.open.push((end, false));
    }

    fn begin_item(&mut self) {
        if let Some((_, has_any)) = self.open.last_mut()
            && std::mem::replace(has_any, true)
        {
            self.piece.push(',');
        }
    }

    fn name(&mut self, name: &str) {
        self.piece.push_str(&Value::from(name).to_string());
        self.piece.push(':');
    }

    async fn value(&mut self, value: &impl Serialize) -> Result<()> {
        let text = serde_json::to_string(value).map_err(|error| Error::Database(Box::new(error)))?;
        self.piece.push_str(&text);
        if self.piece.len() >= PIECE { self.send_piece().await } else { Ok(()) }
    }

    async fn send_piece(&mut self) -> Result<()> {
        let piece = std::mem::take(&mut self.piece);
        self.out.send(Ok(piece)).await.map_err(|_| Error::Unavailable)
    }
}

#[cfg(test)]
mod tests;
