//! Pages as a zip of Markdown: brought in (`import.rs`, from what `archive.rs` reads) and taken along (`export.rs`).

mod archive;
mod export;
mod import;

pub use archive::MAX_UPLOAD;
pub use export::export;
pub use import::Import;
