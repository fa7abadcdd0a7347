//! Pages as a zip of Markdown that reads back to the same pages.

use std::io::{self, Seek, Write};

use zip::write::{SimpleFileOptions, ZipWriter};

pub struct Writer<W: Write + Seek> {
    zip: ZipWriter<W>,
}

impl<W: Write + Seek> Writer<W> {
    pub fn new(to: W) -> Self {
        Self { zip: ZipWriter::new(to) }
    }

    /// The path ends in `.md`; folders are the tree. Links of the body are relative to the path ([`relative`]).
    pub fn page(
        &mut self,
        path: &str,
        title: &str,
        properties: &[(String, String)],
        body: &str,
    ) -> io::Result<()> {
        let mut text = format!("---\ntitle: {}\n", quoted(title));
        for (name, value) in properties {
            text.push_str(&format!("{}: {}\n", quoted(name), quoted(value)));
        }
        text.push_str("---\n\n");
        text.push_str(body);
        self.attachment(path, text.as_bytes())
    }

    pub fn attachment(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.zip.start_file(path, SimpleFileOptions::default())?;
        self.zip.write_all(bytes)
    }

    pub fn finish(self) -> io::Result<W> {
        Ok(self.zip.finish()?)
    }
}

/// A text as YAML has it between double quotes. Everything that is not plain is escaped, so it stays on its line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            ' '..='~' => quoted.push(c),
            c if c.is_alphanumeric() => quoted.push(c),
            c => quoted.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    quoted.push('"');
    quoted
}

/// The link from one file of the import to another.
pub fn relative(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let folders = from.len().min(to.len()) - 1;
    let common = from.iter().zip(&to).take(folders).take_while(|(one, other)| one == other).count();
    let up = vec!["..".to_owned(); from.len() - 1 - common];
    let down = to[common..].iter().map(|part| escaped(part));
    up.into_iter().chain(down).collect::<Vec<_>>().join("/")
}

fn escaped(part: &str) -> String {
    let mut escaped = String::new();
    for c in part.chars() {
        match c {
            ' ' | '(' | ')' | '<' | '>' | '#' | '?' | '%' | '"' | '\'' | '\\' | ':' => {
                escaped.push_str(&format!("%{:02X}", u32::from(c)));
            }
            c => escaped.push(c),
        }
    }
    escaped
}
