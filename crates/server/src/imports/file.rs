//! A file that is kept in pieces, read as one. It runs on a thread that may wait, and holds one piece at a time.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use baton_core::data::imports::PIECE;
use baton_core::store::Store;
use tokio::runtime::Handle;
use uuid::Uuid;

pub struct PieceFile {
    store: Arc<dyn Store>,
    runtime: Handle,
    id: Uuid,
    size: u64,
    at: u64,
    /// The piece that was read last, and its number.
    piece: Option<(u64, Vec<u8>)>,
}

impl PieceFile {
    pub fn new(store: Arc<dyn Store>, id: Uuid, size: u64) -> Self {
        Self { store, runtime: Handle::current(), id, size, at: 0, piece: None }
    }
}

impl Read for PieceFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.size || into.is_empty() {
            return Ok(0);
        }
        let number = self.at / PIECE as u64;
        if self.piece.as_ref().is_none_or(|(known, _)| *known != number) {
            let bytes = self.runtime.block_on(self.store.piece(self.id, number));
            self.piece = Some((number, bytes.map_err(io::Error::other)?));
        }
        let Some((_, bytes)) = &self.piece else { return Ok(0) };
        let from = (self.at % PIECE as u64) as usize;
        let rest = bytes.get(from..).unwrap_or_default();
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        self.at += length as u64;
        Ok(length)
    }
}

impl Seek for PieceFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let to = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = to.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}
