//! Pages from a folder or a zip of Markdown, and back ([`Writer`]). Folders are the tree; relative links between files become references
//! to pages, images and other files become attachments, front matter becomes properties.
//!
//! What is hard: a zip comes from anywhere. Paths that lead out of it, links of the file system and files that are there
//! twice are refused one by one; one that unpacks to far more than it is (a bomb) is refused as a whole, by what it really
//! unpacks to and not by what it says.

mod archive;
mod front_matter;
mod links;
mod path;
mod tree;
mod write;

pub use archive::{ZipPages, from_zip};
pub use links::{Link, Target, rewrite};
pub use tree::{Node, RefusedFile, Tree};
pub use write::{Writer, relative};

/// How much is taken. The defaults are for what a person writes, not for what a machine makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub files: usize,
    /// Bytes of one file, unpacked.
    pub file: u64,
    /// Bytes of all files, unpacked.
    pub total: u64,
    /// How many times larger than packed a file may be.
    pub ratio: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { files: 20_000, file: 32 << 20, total: 512 << 20, ratio: 200 }
    }
}

/// One page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its file, by which links and the tree name it.
    pub path: String,
    pub title: String,
    /// From the front matter, in its order, without the title. Lists and nested values are one line of text.
    pub properties: Vec<(String, String)>,
    /// Markdown without the front matter.
    pub body: String,
    /// What the body links to within the import, in order.
    pub links: Vec<Link>,
}

/// One file of an import: a page, or what pages link to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum File {
    Page(Page),
    Attachment { path: String, bytes: Vec<u8> },
}

#[cfg(test)]
mod tests;
