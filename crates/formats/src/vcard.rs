//! vCards 2.1, 3.0 and 4.0: the contacts of an address book, as records of the columns of contacts. Of each card only what a
//! contact has is read: name, e-mail, phone, title, organisation and note. Cards come one by one, and none can be too long.

use std::io::{BufRead, BufReader, Read};

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::Result;
use crate::csv::{Field, Record, Value};
use crate::statement::Refused;

/// The longest property that is read; pictures are longer.
const MAX_LINE: usize = 64 * 1024;

pub fn read<R: Read>(source: R, fields: &[Field]) -> Cards<R> {
    Cards { lines: Lines { source: BufReader::new(source), number: 0, next: None }, fields: fields.to_vec() }
}

pub struct Cards<R> {
    lines: Lines<R>,
    fields: Vec<Field>,
}

impl<R: Read> Iterator for Cards<R> {
    type Item = Result<std::result::Result<Record, Refused>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut card: Option<Card> = None;
        loop {
            let line = match self.lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => {
                    return card.map(|card| Ok(Err(Refused::new(card.line, "the card has no end"))));
                }
                Err(error) => return Some(Err(error.into())),
            };
            let Some(property) = Property::read(&line.bytes) else { continue };
            match (property.name.as_str(), &mut card) {
                ("BEGIN", None) if property.value.eq_ignore_ascii_case("VCARD") => {
                    card = Some(Card { line: line.number, ..Card::default() });
                }
                ("END", Some(read)) if property.value.eq_ignore_ascii_case("VCARD") => {
                    return Some(Ok(read.record(&self.fields)));
                }
                (_, Some(read)) => read.take(property),
                _ => {}
            }
        }
    }
}

#[derive(Default)]
struct Card {
    line: u64,
    formatted: Option<String>,
    /// Family name, given name, middle names, prefix, suffix.
    name: Vec<String>,
    email: Preferred,
    phone: Preferred,
    title: Option<String>,
    organisation: Option<String>,
    note: Option<String>,
}

/// The value that the card prefers, else the first.
#[derive(Default)]
struct Preferred(Option<(bool, String)>);

impl Preferred {
    fn offer(&mut self, value: String, is_preferred: bool) {
        let is_better = self.0.as_ref().is_none_or(|(known, _)| is_preferred && !known);
        if is_better && !value.is_empty() {
            self.0 = Some((is_preferred, value));
        }
    }
}

impl Card {
    fn take(&mut self, property: Property) {
        let whole = || Some(unescaped(&property.value)).filter(|text| !text.is_empty());
        match property.name.as_str() {
            "FN" => self.formatted = self.formatted.take().or_else(whole),
            "N" => self.name = components(&property.value),
            "EMAIL" => {
                let value = unescaped(&property.value);
                let plain = value.strip_prefix("mailto:").unwrap_or(&value).to_owned();
                self.email.offer(plain, property.is_preferred);
            }
            "TEL" => {
                let value = unescaped(&property.value);
                let plain = value.strip_prefix("tel:").unwrap_or(&value).to_owned();
                self.phone.offer(plain, property.is_preferred);
            }
            "TITLE" => self.title = self.title.take().or_else(whole),
            "ORG" => {
                let first = components(&property.value).into_iter().next();
                self.organisation = self.organisation.take().or(first.filter(|name| !name.is_empty()));
            }
            "NOTE" => self.note = self.note.take().or_else(whole),
            _ => {}
        }
    }

    fn record(&mut self, fields: &[Field]) -> std::result::Result<Record, Refused> {
        let part = |at: usize| self.name.get(at).map(String::as_str).unwrap_or_default();
        let parts = [part(3), part(1), part(2), part(0), part(4)];
        let full = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let email = self.email.0.take().map(|(_, email)| email);
        let name = self.formatted.take().or(Some(full).filter(|name| !name.is_empty()));
        // A card of a company has only that.
        let name = name.or_else(|| self.organisation.clone()).or_else(|| email.clone());
        let Some(name) = name else { return Err(Refused::new(self.line, "the card has no name")) };
        let phone = self.phone.0.take().map(|(_, phone)| phone);
        let mut values: Vec<Option<Value>> = vec![None; fields.len()];
        for (field, value) in [
            ("name", Some(name)),
            ("email", email),
            ("phone", phone),
            ("job_title", self.title.take()),
            ("company_id", self.organisation.take()),
            ("notes", self.note.take()),
        ] {
            if let Some(at) = fields.iter().position(|known| known.name == field) {
                values[at] = value.map(Value::Text);
            }
        }
        Ok(Record { line: self.line, values })
    }
}

/// `item1.EMAIL;TYPE=work,pref:ada@example.com`
struct Property {
    name: String,
    is_preferred: bool,
    /// Decoded, with its escapes.
    value: String,
}

impl Property {
    fn read(line: &[u8]) -> Option<Self> {
        let (head, value) = split_value(line)?;
        let head = String::from_utf8_lossy(head);
        let mut parts = head.split(';');
        let name = parts.next()?.trim();
        let name = name.rsplit_once('.').map_or(name, |(_, name)| name).to_uppercase();
        let (mut is_preferred, mut is_quoted, mut charset) = (false, false, None);
        for parameter in parts {
            let parameter = parameter.to_uppercase();
            let (key, value) = parameter.split_once('=').unwrap_or(("TYPE", &parameter));
            match key.trim() {
                "TYPE" => is_preferred |= value.split(',').any(|one| one.trim_matches('"') == "PREF"),
                // Of 4.0: 1 is the most preferred.
                "PREF" => is_preferred |= value.trim() == "1",
                "ENCODING" => is_quoted |= value == "QUOTED-PRINTABLE",
                "CHARSET" => charset = Encoding::for_label(value.as_bytes()),
                _ => {}
            }
            is_quoted |= key == "TYPE" && value == "QUOTED-PRINTABLE";
        }
        let bytes = if is_quoted { from_quoted_printable(value) } else { value.to_vec() };
        let value = match charset {
            Some(charset) => charset.decode(&bytes).0,
            None if std::str::from_utf8(&bytes).is_ok() => UTF_8.decode(&bytes).0,
            None => WINDOWS_1252.decode(&bytes).0,
        };
        // Quoted-printable has both signs of a line's end.
        Some(Self { name, is_preferred, value: value.trim().replace("\r\n", "\n") })
    }
}

/// At the first colon that stands in no quotes.
fn split_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut is_quoted = false;
    let at = line.iter().position(|byte| {
        is_quoted ^= *byte == b'"';
        *byte == b':' && !is_quoted
    })?;
    Some((&line[..at], &line[at + 1..]))
}

fn from_quoted_printable(value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [first, behind @ ..] = rest {
        rest = behind;
        let hex = |byte: u8| char::from(byte).to_digit(16);
        match (*first, behind) {
            (b'=', [high, low, after @ ..]) if hex(*high).is_some() && hex(*low).is_some() => {
                let code = hex(*high).zip(hex(*low)).map_or(0, |(high, low)| high * 16 + low);
                bytes.push(u8::try_from(code).unwrap_or_default());
                rest = after;
            }
            (byte, _) => bytes.push(byte),
        }
    }
    bytes
}

/// The parts between semicolons.
fn components(value: &str) -> Vec<String> {
    let (mut parts, mut part, mut is_escaped) = (Vec::new(), String::new(), false);
    for letter in value.chars() {
        match letter {
            ';' if !is_escaped => parts.push(std::mem::take(&mut part)),
            letter => part.push(letter),
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    parts.push(part);
    parts.iter().map(|part| unescaped(part)).collect()
}

fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (_, true) => match letters.next() {
                Some('n' | 'N') => text.push('\n'),
                Some(other) => text.push(other),
                None => {}
            },
            (letter, false) => text.push(letter),
        }
    }
    text.trim().to_owned()
}

/// Lines of a file with what continues them.
struct Lines<R> {
    source: BufReader<R>,
    number: u64,
    /// Read already, to see whether it continues the line before.
    next: Option<Line>,
}

struct Line {
    number: u64,
    bytes: Vec<u8>,
}

impl<R: Read> Lines<R> {
    fn next(&mut self) -> std::io::Result<Option<Line>> {
        let Some(mut line) = self.take()? else { return Ok(None) };
        loop {
            let Some(next) = self.take()? else { return Ok(Some(line)) };
            let is_folded = matches!(next.bytes.first(), Some(b' ' | b'\t'));
            let is_soft = line.bytes.ends_with(b"=") && is_quoted_printable(&line.bytes);
            if !is_folded && !is_soft {
                self.next = Some(next);
                return Ok(Some(line));
            }
            if is_soft {
                line.bytes.pop();
            }
            let more = if is_folded && !is_soft { &next.bytes[1..] } else { &next.bytes[..] };
            let room = MAX_LINE.saturating_sub(line.bytes.len());
            line.bytes.extend_from_slice(&more[..more.len().min(room)]);
        }
    }

    /// One line as it stands in the file, as far as it is read.
    fn take(&mut self) -> std::io::Result<Option<Line>> {
        if let Some(line) = self.next.take() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        if (&mut self.source).take(MAX_LINE as u64).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        if !bytes.ends_with(b"\n") {
            self.skip_line()?;
        }
        while matches!(bytes.last(), Some(b'\n' | b'\r')) {
            bytes.pop();
        }
        self.number += 1;
        if self.number == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        Ok(Some(Line { number: self.number, bytes }))
    }

    /// The rest of a line that is too long.
    fn skip_line(&mut self) -> std::io::Result<()> {
        loop {
            let seen = self.source.fill_buf()?;
            let (used, is_end) = match seen.iter().position(|byte| *byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (seen.len(), seen.is_empty()),
            };
            self.source.consume(used);
            if is_end {
                return Ok(());
            }
        }
    }
}

fn is_quoted_printable(line: &[u8]) -> bool {
    let head = split_value(line).map_or(line, |(head, _)| head);
    head.windows(16).any(|word| word.eq_ignore_ascii_case(b"QUOTED-PRINTABLE"))
}

#[cfg(test)]
mod tests {
    use baton_core::data::kinds::CONTACTS;

    use super::*;
    use crate::csv::fields_of;

    fn cards(file: &[u8]) -> Vec<std::result::Result<Vec<String>, String>> {
        let fields = fields_of(&CONTACTS);
        let shown = |record: Record| {
            ["name", "email", "phone", "job_title", "company_id", "notes"]
                .map(|name| match record.get(&fields, name) {
                    Some(Value::Text(text)) => text.clone(),
                    _ => String::new(),
                })
                .to_vec()
        };
        let read = read(file, &fields);
        read.map(|card| {
            card.unwrap().map(shown).map_err(|refused| format!("{}: {}", refused.line, refused.reason))
        })
        .collect()
    }

    #[test]
    fn each_version_gives_the_same_contact() {
        let old = b"BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg\r\n\
            EMAIL;INTERNET:private@x.example\r\nEMAIL;INTERNET;PREF:joerg@x.example\r\nTEL;WORK:+49 30 1\r\n\
            TITLE:Buyer\r\nORG:M=FCller;Sales\r\nNOTE;ENCODING=QUOTED-PRINTABLE:one=0Atwo =\r\nthree\r\nEND:VCARD\r\n";
        let three = "BEGIN:VCARD\nVERSION:3.0\nFN:J\u{f6}rg M\u{fc}ller\nN:M\u{fc}ller;J\u{f6}rg;;;\n\
            item1.EMAIL;TYPE=INTERNET;TYPE=pref:joerg@x.example\nTEL;TYPE=WORK:+49 30 1\nTITLE:Buyer\n\
            ORG:M=FCller;Sales\nNOTE:one\\ntwo t\n hree\nPHOTO;ENCODING=b:AAAA\n AAAA\nEND:VCARD\n";
        let four = "\u{feff}begin:vcard\nversion:4.0\nfn:J\u{f6}rg M\u{fc}ller\nemail:private@x.example\n\
            email;pref=1:joerg@x.example\ntel;value=uri;type=\"voice,work\":tel:+49 30 1\ntitle:Buyer\norg:M=FCller\n\
            note:one\\ntwo three\nend:vcard\n";
        let expected =
            ["J\u{f6}rg M\u{fc}ller", "joerg@x.example", "+49 30 1", "Buyer", "M=FCller", "one\ntwo three"];
        for file in [&old[..], three.as_bytes(), four.as_bytes()] {
            let read = cards(file);
            assert_eq!(read.len(), 1, "{read:?}");
            assert_eq!(read[0].as_ref().unwrap(), &expected, "{}", String::from_utf8_lossy(file));
        }
    }

    #[test]
    fn a_bad_card_stops_no_other() {
        let long = format!("PHOTO:{}\n", "A".repeat(3 * MAX_LINE));
        let file = format!(
            "noise\nBEGIN:VCARD\nTEL:1\nEND:VCARD\nBEGIN:VCARD\n{long}ORG:Acme\\; Sons;Berlin\nEND:VCARD\n\
             BEGIN:VCARD\nEMAIL:mailto:ada@x.example\nEND:VCARD\nBEGIN:VCARD\nFN:Cut off"
        );
        let read = cards(file.as_bytes());
        assert_eq!(read[0], Err("2: the card has no name".to_owned()));
        assert_eq!(read[1].as_ref().unwrap()[..2], ["Acme; Sons".to_owned(), String::new()]);
        assert_eq!(read[2].as_ref().unwrap()[0], "ada@x.example");
        assert!(read[3].as_ref().unwrap_err().ends_with("the card has no end"));
        assert_eq!(read.len(), 4);
    }
}
