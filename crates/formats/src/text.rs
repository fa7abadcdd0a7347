//! Bytes of a file to text. What is hard: most files don't say how they are encoded, and some say it wrongly. A byte
//! order mark is believed; text that is valid UTF-8 from beginning to end is UTF-8; then a declaration is believed
//! (XML's `encoding`, OFX's `CHARSET`), and the rest is taken for Windows-1252, which banks write.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

const CHUNK: usize = 64 * 1024;

/// A file as UTF-8 text from its beginning, with no byte order mark. What the encoding does not know becomes
/// U+FFFD, a NUL a space.
pub fn open<R: Read + Seek>(mut file: R, label: Option<&str>) -> io::Result<Utf8<R>> {
    let (encoding, skip) = match label.and_then(|label| Encoding::for_label(label.as_bytes())) {
        Some(encoding) => (encoding, mark(&beginning(&mut file, 4)?).map_or(0, |(_, length)| length)),
        None => detect(&mut file)?,
    };
    file.seek(SeekFrom::Start(skip as u64))?;
    Ok(Utf8 {
        file,
        name: encoding.name(),
        decoder: encoding.new_decoder_without_bom_handling(),
        raw: vec![0; CHUNK],
        raw_at: 0,
        raw_end: 0,
        text: vec![0; CHUNK],
        at: 0,
        end: 0,
        done: false,
    })
}

fn beginning<R: Read + Seek>(file: &mut R, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.by_ref().take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The encoding that a byte order mark names, and the mark's length.
fn mark(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    Encoding::for_bom(bytes)
}

fn detect<R: Read + Seek>(file: &mut R) -> io::Result<(&'static Encoding, usize)> {
    let head = beginning(file, 1024)?;
    if let Some(found) = mark(&head) {
        return Ok(found);
    }
    // UTF-16 without a mark: in Western text every second byte is zero.
    let zeros = |from: usize| head.iter().skip(from).step_by(2).take(32).filter(|b| **b == 0).count();
    let half = (head.len() / 2).min(32);
    if half >= 4 {
        match (zeros(0) * 10 / half, zeros(1) * 10 / half) {
            (0..=1, 7..) => return Ok((UTF_16LE, 0)),
            (7.., 0..=1) => return Ok((UTF_16BE, 0)),
            _ => {}
        }
    }
    if is_utf8(file)? {
        return Ok((UTF_8, 0));
    }
    Ok((declared(&head).filter(|encoding| *encoding != UTF_8).unwrap_or(WINDOWS_1252), 0))
}

fn is_utf8<R: Read + Seek>(file: &mut R) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let mut chunk = vec![0; CHUNK];
    let mut kept = 0;
    loop {
        let read = file.read(&mut chunk[kept..])?;
        let filled = kept + read;
        match std::str::from_utf8(&chunk[..filled]) {
            Ok(_) => kept = 0,
            // A character that the chunk's end cut in two.
            Err(wrong) if wrong.error_len().is_none() && read > 0 => {
                kept = filled - wrong.valid_up_to();
                chunk.copy_within(wrong.valid_up_to()..filled, 0);
            }
            Err(_) => return Ok(false),
        }
        if read == 0 {
            return Ok(true);
        }
    }
}

/// What the file itself says at its beginning.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(head);
    let after =
        |key: &str| head.find(key).map(|at| head[at + key.len()..].trim_start_matches(['"', '\'', ' ']));
    let word =
        |rest: &str| rest.split(['"', '\'', '\r', '\n', ' ', '?', '<']).next().unwrap_or_default().to_owned();
    if let Some(label) = after("encoding=") {
        return Encoding::for_label(word(label).as_bytes());
    }
    let charset = word(after("CHARSET:")?);
    Encoding::for_label(charset.as_bytes())
        .or_else(|| Encoding::for_label(format!("windows-{charset}").as_bytes()))
}

/// See [`open`].
pub struct Utf8<R> {
    file: R,
    name: &'static str,
    decoder: Decoder,
    raw: Vec<u8>,
    raw_at: usize,
    raw_end: usize,
    text: Vec<u8>,
    at: usize,
    end: usize,
    done: bool,
}

impl<R> Utf8<R> {
    /// The encoding's name.
    pub fn encoding(&self) -> &'static str {
        self.name
    }

    pub fn into_inner(self) -> R {
        self.file
    }
}

impl<R: Read> BufRead for Utf8<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at == self.end && !self.done {
            if self.raw_at == self.raw_end {
                self.raw_at = 0;
                self.raw_end = self.file.read(&mut self.raw)?;
            }
            let last = self.raw_end == 0;
            let raw = &self.raw[self.raw_at..self.raw_end];
            let (result, read, written, _) = self.decoder.decode_to_utf8(raw, &mut self.text, last);
            self.raw_at += read;
            // A NUL becomes a space: no database keeps one in a text.
            self.text[..written].iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
            (self.at, self.end) = (0, written);
            self.done = last && result == CoderResult::InputEmpty;
        }
        Ok(&self.text[self.at..self.end])
    }

    fn consume(&mut self, amount: usize) {
        self.at = (self.at + amount).min(self.end);
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let from = self.fill_buf()?;
        let length = from.len().min(into.len());
        into[..length].copy_from_slice(&from[..length]);
        self.consume(length);
        Ok(length)
    }
}

/// Lines of a text, in bounded memory: a line that is longer than 64 KiB is cut. They end in `\n`, `\r\n` or `\r`.
pub struct Lines<R> {
    text: R,
    line: u64,
    after_return: bool,
}

impl<R: BufRead> Lines<R> {
    pub fn new(text: R) -> Self {
        Self { text, line: 0, after_return: false }
    }

    /// The next line with its number, from 1.
    pub fn next_line(&mut self) -> io::Result<Option<(u64, String)>> {
        let mut bytes = Vec::new();
        let mut begun = false;
        loop {
            let buffer = self.text.fill_buf()?;
            let Some(&first) = buffer.first() else { break };
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                self.text.consume(1);
                continue;
            }
            begun = true;
            let end = memchr::memchr2(b'\n', b'\r', buffer);
            let length = end.unwrap_or(buffer.len());
            bytes.extend_from_slice(&buffer[..length.min(CHUNK.saturating_sub(bytes.len()))]);
            self.after_return = end.is_some_and(|end| buffer[end] == b'\r');
            self.text.consume(length + usize::from(end.is_some()));
            if end.is_some() {
                break;
            }
        }
        self.line += u64::from(begun);
        Ok(begun.then(|| (self.line, String::from_utf8_lossy(&bytes).into_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> (String, &'static str) {
        let mut file = open(io::Cursor::new(bytes), None).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        (text, file.encoding())
    }

    #[test]
    fn every_encoding_becomes_the_same_text() {
        let text = "Café;1 €\r\nŁódź\n";
        let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        for (bytes, name) in [
            (text.as_bytes().to_vec(), "UTF-8"),
            ([b"\xef\xbb\xbf", text.as_bytes()].concat(), "UTF-8"),
            ([&b"\xff\xfe"[..], &utf16(u16::to_le_bytes)].concat(), "UTF-16LE"),
            ([&b"\xfe\xff"[..], &utf16(u16::to_be_bytes)].concat(), "UTF-16BE"),
            (utf16(u16::to_le_bytes), "UTF-16LE"),
        ] {
            assert_eq!(read(&bytes), (text.to_owned(), name));
        }
        assert_eq!(read(b"Caf\xe9 1 \x80"), ("Café 1 €".to_owned(), "windows-1252"));
        assert_eq!(
            read(b"<?xml version='1.0' encoding='ISO-8859-15'?>\xa4").0,
            "<?xml version='1.0' encoding='ISO-8859-15'?>€"
        );
        assert_eq!(read(b"OFXHEADER:100\r\nCHARSET:1251\r\n\xc0").0, "OFXHEADER:100\r\nCHARSET:1251\r\nА");
        // The declaration says something that the bytes are not.
        assert_eq!(read("CHARSET:1252\né".as_bytes()).0, "CHARSET:1252\né");
        assert_eq!(read(b"").0, "");
        assert_eq!(read(b"a\0b;\0").0, "a b; ");
    }

    #[test]
    fn characters_across_chunks_stay_whole() {
        for shift in 0..4 {
            let text = format!("{}{}", "x".repeat(shift), "€ü".repeat(CHUNK));
            assert_eq!(read(text.as_bytes()), (text, "UTF-8"));
        }
    }

    #[test]
    fn lines_end_in_three_ways() {
        let mut lines = Lines::new(&b"a\nb\r\n\r\nc\rd"[..]);
        let mut seen = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            seen.push(line);
        }
        let expected = [(1, "a"), (2, "b"), (3, ""), (4, "c"), (5, "d")];
        assert_eq!(seen, expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn a_person_can_say_what_it_is() {
        let mut text = String::new();
        open(io::Cursor::new(b"\x82\xa0"), Some("shift_jis")).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "あ");
    }
}
