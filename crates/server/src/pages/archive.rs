//! What a zip of Markdown holds, as far as an import needs to know it before it writes anything. Texts of pages are kept,
//! other files are only looked at: they are read again one by one when they are written.

use std::collections::HashMap;
use std::io::Cursor;

use axum::body::Bytes;
use axum::http::StatusCode;
use baton_core::ids::PageId;
use baton_core::pages::{
    MAX_FILE_BYTES, MAX_TITLE, Properties, check_properties, checked_body, file_digest, reserved,
};
use baton_formats::pages::{File, Limits, Link, Node, Target, from_zip};
use uuid::Uuid;

use crate::http::ApiError;

/// Of a packed zip.
pub const MAX_UPLOAD: usize = 64 * 1024 * 1024;
const LIMITS: Limits = Limits { files: 20_000, file: 32 << 20, total: 256 << 20, ratio: 200 };
/// Refusals that are told one by one; the rest are only counted.
const MAX_TOLD: usize = 200;

/// A file that is not taken, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub path: String,
    pub reason: String,
}

/// A page of the zip.
#[derive(Debug, Clone)]
pub struct ReadPage {
    pub title: String,
    pub body: String,
    pub properties: Properties,
    pub links: Vec<Link>,
    pub id: Option<PageId>,
    pub is_public: Option<bool>,
    pub position: Option<i64>,
}

#[derive(Debug, Default)]
pub struct Archive {
    /// In an order in which pages come after the one above them.
    pub nodes: Vec<Node>,
    pub pages: HashMap<String, ReadPage>,
    /// Digests of the other files.
    pub files: HashMap<String, String>,
    pub refused: Vec<Refused>,
    /// All of them, told or not.
    pub refused_count: u64,
}

impl Archive {
    pub fn read(zip: &Bytes) -> Result<Self, ApiError> {
        let pages = from_zip(Cursor::new(zip.clone()), LIMITS).map_err(unreadable)?;
        let mut archive = Self::default();
        for file in pages.tree().refused() {
            archive.refuse(&file.path, &file.reason);
        }
        archive.nodes = pages.tree().nodes().to_vec();
        for file in pages {
            match file.map_err(unreadable)? {
                Err(refused) => archive.refuse(&refused.path, &refused.reason),
                Ok(File::Page(page)) => {
                    let path = page.path.clone();
                    match read(page) {
                        Ok(page) => drop(archive.pages.insert(path, page)),
                        Err(reason) => archive.refuse(&path, &reason),
                    }
                }
                Ok(File::Attachment { path, bytes }) if bytes.len() > MAX_FILE_BYTES => {
                    archive.refuse(&path, &format!("it is larger than {} MiB", MAX_FILE_BYTES >> 20));
                }
                Ok(File::Attachment { path, bytes }) => {
                    archive.files.insert(path, file_digest(&bytes));
                }
            }
        }
        Ok(archive)
    }

    pub fn refuse(&mut self, path: &str, reason: &str) {
        self.refused_count += 1;
        if self.refused.len() < MAX_TOLD {
            self.refused.push(Refused { path: path.to_owned(), reason: reason.to_owned() });
        }
    }
}

/// The other files of the zip with their bytes, one by one.
pub fn files(zip: Bytes) -> Result<impl Iterator<Item = (String, Vec<u8>)>, ApiError> {
    let pages = from_zip(Cursor::new(zip), LIMITS).map_err(unreadable)?;
    Ok(pages.filter_map(|file| match file {
        Ok(Ok(File::Attachment { path, bytes })) => Some((path, bytes)),
        _ => None,
    }))
}

fn unreadable(error: baton_formats::Error) -> ApiError {
    let text = error.to_string();
    let mut chars = text.chars();
    let first: String = chars.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    ApiError::new(StatusCode::BAD_REQUEST, "unreadable_file", format!("{first}{}.", chars.as_str()))
}

fn read(page: baton_formats::pages::Page) -> Result<ReadPage, String> {
    let mut read = ReadPage {
        title: one_line(&page.title),
        links: page.links,
        // Its links are known by where they stand in it.
        body: page.body,
        properties: Vec::new(),
        id: None,
        is_public: None,
        position: None,
    };
    for (name, value) in page.properties {
        match name.as_str() {
            reserved::ID => read.id = Uuid::parse_str(&value).ok().map(PageId),
            reserved::PUBLIC => read.is_public = Some(value == "true"),
            reserved::POSITION => {
                read.position = value.parse().ok().filter(|place| (0..1_000_000).contains(place))
            }
            // Front matter may have a name twice; the first counts.
            _ if read.properties.iter().any(|(known, _)| *known == name) => {}
            _ => read.properties.push((one_line(&name), value)),
        }
    }
    checked_body(&read.body).map_err(|invalid| format!("its text {}", invalid.message))?;
    check_properties(&read.properties).map_err(|invalid| format!("its front matter {}", invalid.message))?;
    Ok(read)
}

fn one_line(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_TITLE).collect();
    let line = line.trim().to_owned();
    if line.chars().all(char::is_whitespace) { "Untitled".to_owned() } else { line }
}

/// The files that a page links to.
pub fn attachments(page: &ReadPage) -> impl Iterator<Item = &str> {
    page.links.iter().filter_map(|link| match &link.target {
        Target::Attachment(path) => Some(path.as_str()),
        Target::Page(_) | Target::Missing(_) => None,
    })
}
