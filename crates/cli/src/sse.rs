//! Server-sent events, taken apart as their bytes come in: a frame may arrive in pieces, or several at once.

use std::collections::VecDeque;

/// What stands between two blank lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub id: Option<String>,
    pub data: String,
}

#[derive(Default)]
pub struct Parser {
    line: Vec<u8>,
    /// A carriage return ended the last line; a line feed after it ends no other.
    after_return: bool,
    id: Option<String>,
    data: Option<String>,
    frames: VecDeque<Frame>,
}

impl Parser {
    pub fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let after_return = std::mem::take(&mut self.after_return);
            match byte {
                b'\n' if after_return => {}
                b'\n' => self.end_line(),
                b'\r' => {
                    self.after_return = true;
                    self.end_line();
                }
                _ => self.line.push(byte),
            }
        }
    }

    pub fn next(&mut self) -> Option<Frame> {
        self.frames.pop_front()
    }

    fn end_line(&mut self) {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        if line.is_empty() {
            let id = self.id.take();
            self.frames.extend(self.data.take().map(|data| Frame { id, data }));
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => self.id = Some(value.to_owned()),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            // Comments, which are heartbeats; `event`, which the data says again; what we don't know.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Case = (&'static str, &'static [(Option<&'static str>, &'static str)]);

    fn all(pieces: &[&[u8]]) -> Vec<(Option<String>, String)> {
        let mut parser = Parser::default();
        pieces.iter().for_each(|piece| parser.push(piece));
        std::iter::from_fn(|| parser.next()).map(|frame| (frame.id, frame.data)).collect()
    }

    fn frame(id: Option<&str>, data: &str) -> (Option<String>, String) {
        (id.map(str::to_owned), data.to_owned())
    }

    #[test]
    fn frames_are_found_however_they_arrive() {
        let cases: &[Case] = &[
            ("id: 1.0\nevent: text\ndata: {}\n\n", &[(Some("1.0"), "{}")]),
            ("data: a\n\ndata: b\n\n", &[(None, "a"), (None, "b")]),
            (": \n\ndata: a\n\n: \n\n", &[(None, "a")]),
            ("id: 1.0\r\ndata: a\r\n\r\ndata: b\r\r", &[(Some("1.0"), "a"), (None, "b")]),
            ("data: one\ndata: two\ndata\n\n", &[(None, "one\ntwo\n")]),
            ("data:no space\n\ndata:  two\n\n", &[(None, "no space"), (None, " two")]),
            ("data: Grüße 🎵\n\n", &[(None, "Grüße 🎵")]),
            ("id: 3.1\n\ndata: kept back", &[]),
            ("retry: 10\nunknown: x\ndata: a:b\n\n", &[(None, "a:b")]),
        ];
        for (text, expected) in cases {
            let expected: Vec<_> = expected.iter().map(|(id, data)| frame(*id, data)).collect();
            assert_eq!(all(&[text.as_bytes()]), expected, "{text:?}");
            let single: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(all(&single), expected, "{text:?} byte by byte");
        }
    }
}
