//! Reads server-sent events as bytes arrive. Only `data` is kept: both wire formats put everything in it.
//!
//! This is the hot path of every stream: an event of one line, and nearly every event is one, is borrowed from the
//! buffer without a copy.

use std::borrow::Cow;
use std::ops::Range;

/// More than any vendor sends in one event. A server that never ends a line is not let fill the memory.
const MAX_BUFFERED: usize = 16 * 1024 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub struct TooLong;

#[derive(Default)]
pub struct SseReader {
    buffer: Vec<u8>,
    /// Where the first unread line begins.
    line: usize,
    /// Up to where no line end was found.
    searched: usize,
    /// The first data line of the open event.
    data: Option<Range<usize>>,
    /// All data lines of the open event, if there are several.
    joined: Option<Vec<u8>>,
}

impl SseReader {
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        let read = self.data.as_ref().map_or(self.line, |data| data.start);
        if read > 0 {
            self.buffer.drain(..read);
            self.line -= read;
            self.searched -= read;
            self.data = self.data.take().map(|data| data.start - read..data.end - read);
        }
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() > MAX_BUFFERED { Err(TooLong) } else { Ok(()) }
    }

    /// Ends an event that the server left open: some leave out the empty line after the last one.
    pub fn close(&mut self) {
        // Two bytes more cannot matter to the limit: what was buffered passed it.
        let _ = self.push(b"\n\n");
    }

    /// The data of the next event that is complete.
    pub fn next_event(&mut self) -> Option<Cow<'_, str>> {
        loop {
            let Some(offset) = memchr::memchr(b'\n', &self.buffer[self.searched..]) else {
                self.searched = self.buffer.len();
                return None;
            };
            let end = self.searched + offset;
            let mut line = self.line..end;
            if self.buffer[line.clone()].ends_with(b"\r") {
                line.end -= 1;
            }
            self.line = end + 1;
            self.searched = self.line;
            if !line.is_empty() {
                self.keep(line);
            } else if let Some(data) = self.data.take() {
                return Some(match self.joined.take() {
                    None => String::from_utf8_lossy(&self.buffer[data]),
                    Some(joined) => Cow::Owned(String::from_utf8_lossy(&joined).into_owned()),
                });
            }
        }
    }

    fn keep(&mut self, line: Range<usize>) {
        let value = match self.buffer[line.clone()].strip_prefix(b"data") {
            Some([b':', b' ', ..]) => line.start + 6..line.end,
            Some([b':', ..]) => line.start + 5..line.end,
            Some([]) => line.end..line.end,
            // A comment, a ping, or a field that says nothing new.
            _ => return,
        };
        let Some(first) = &self.data else {
            self.data = Some(value);
            return;
        };
        let joined = self.joined.get_or_insert_with(|| self.buffer[first.clone()].to_vec());
        joined.push(b'\n');
        joined.extend_from_slice(&self.buffer[value]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chunks: &[&[u8]]) -> Vec<String> {
        let mut reader = SseReader::default();
        let mut events = Vec::new();
        for chunk in chunks {
            reader.push(chunk).unwrap();
            while let Some(event) = reader.next_event() {
                events.push(event.into_owned());
            }
        }
        reader.close();
        events.extend(std::iter::from_fn(|| reader.next_event().map(Cow::into_owned)));
        events
    }

    #[test]
    fn events_however_they_are_written() {
        let table: [(&str, &[&str]); 9] = [
            ("data: one\n\ndata: two\n\n", &["one", "two"]),
            ("data: one\r\n\r\ndata: two\r\n\r\n", &["one", "two"]),
            (": a comment\n\n:\n\ndata: one\n\n", &["one"]),
            ("event: ping\nid: 7\nretry: 10\ndata: one\n\n", &["one"]),
            ("data:one\n\n", &["one"]),
            ("data:  one\n\n", &[" one"]),
            ("data: one\ndata: more\ndata\n\ndata: two\n\n", &["one\nmore\n", "two"]),
            ("data: left open", &["left open"]),
            ("database: no\n\nevent: only\n\n", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(read(&[text.as_bytes()]), expected, "{text:?}");
        }
    }

    #[test]
    fn a_cut_at_any_byte_changes_nothing() {
        let text = ": hi\r\nevent: x\r\ndata: grüße, 世界 🌍\r\ndata: more\r\n\r\ndata: two\n\n: ping\n\ndata: three\n\n";
        let whole = read(&[text.as_bytes()]);
        assert_eq!(whole, ["grüße, 世界 🌍\nmore", "two", "three"]);
        for cut in 0..=text.len() {
            let (before, after) = text.as_bytes().split_at(cut);
            assert_eq!(read(&[before, after]), whole, "cut at {cut}");
        }
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(read(&bytes), whole);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut reader = SseReader::default();
        reader.push(&vec![b'x'; MAX_BUFFERED]).unwrap();
        assert_eq!(reader.push(b"x"), Err(TooLong));
    }
}
