//! `baton import pages`: a zip of Markdown, or a folder of it, which is packed here. Folders become the tree.

use std::fs;
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use url::form_urlencoded;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::client::Client;
use crate::options::ImportOptions;
use crate::session::Session;
use crate::{choice, plain};

/// What people call them.
const KINDS: [&str; 2] = ["pages", "knowledge"];
/// Bytes of a folder's files. Far more than the server takes, and not a whole disk.
const MOST: usize = 512 << 20;
/// Refused files that are printed.
const SHOWN: usize = 20;

#[derive(Deserialize)]
struct Imported {
    counts: Counts,
    refused: Vec<RefusedFile>,
}

#[derive(Deserialize)]
struct Counts {
    read: u64,
    created: u64,
    changed: u64,
    same: u64,
    deleted: u64,
    files: u64,
    refused: u64,
}

#[derive(Deserialize)]
struct RefusedFile {
    path: String,
    reason: String,
}

pub fn is_meant(options: &ImportOptions) -> bool {
    KINDS.contains(&options.kind.as_str())
}

/// What is said about rows, pages don't have.
pub fn check(options: &ImportOptions) -> anyhow::Result<()> {
    let of_rows = [
        ("--account", options.account.is_some()),
        ("--date-order", options.date_order.is_some()),
        ("--decimal-sign", options.decimal_sign.is_some()),
        ("--currency", options.currency.is_some()),
        ("--column", !options.columns.is_empty()),
    ];
    match of_rows.into_iter().find(|(_, is_said)| *is_said) {
        Some((option, _)) => bail!("{option} is about rows: pages have none"),
        None => Ok(()),
    }
}

pub async fn import(session: &Session, options: &ImportOptions) -> anyhow::Result<ExitCode> {
    let client = &session.client;
    let workspace = choice::workspace(&session.me.workspaces, options.workspace.as_deref())?.id;
    let path = options.file.clone();
    let zip = tokio::task::spawn_blocking(move || packed(&path)).await??;
    let name = fs::canonicalize(&options.file)?;
    let name = name.file_name().map_or("pages".into(), |name| name.to_string_lossy());
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("workspaceId", &workspace.to_string()).append_pair("filename", &name);
    query.append_pair("dryRun", if options.dry_run { "true" } else { "false" });
    tell(&sent(client, &query.finish(), zip).await?, options.dry_run)?;
    Ok(ExitCode::SUCCESS)
}

async fn sent(client: &Client, query: &str, zip: Vec<u8>) -> anyhow::Result<Imported> {
    let request = client.upload(&format!("/api/knowledge/import?{query}"));
    let request = request.header("content-type", "application/zip").body(zip);
    Ok(client.send(request).await?.json().await.map_err(|error| client.failure(error))?)
}

/// The bytes of a zip, or of a folder as one.
fn packed(path: &Path) -> anyhow::Result<Vec<u8>> {
    let there = fs::metadata(path).with_context(|| format!("could not read {}", path.display()))?;
    if !there.is_dir() {
        return fs::read(path).with_context(|| format!("could not read {}", path.display()));
    }
    let (mut zip, mut size) = (ZipWriter::new(Cursor::new(Vec::new())), 0);
    pack(&mut zip, path, "", &mut size)?;
    ensure!(size > 0, "there are no files in {}", path.display());
    Ok(zip.finish()?.into_inner())
}

/// In the order of their names, so that the same folder is the same zip. What is hidden stays at home, and so does what links
/// of the file system lead to.
fn pack(
    zip: &mut ZipWriter<Cursor<Vec<u8>>>,
    folder: &Path,
    within: &str,
    size: &mut usize,
) -> anyhow::Result<()> {
    let read = || format!("could not read {}", folder.display());
    let mut entries: Vec<fs::DirEntry> =
        fs::read_dir(folder).with_context(read)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, of) = (entry.path(), entry.file_type()?);
        let Ok(name) = entry.file_name().into_string() else {
            writeln!(io::stderr(), "left out: {}: its name is not text", path.display())?;
            continue;
        };
        let inside = if within.is_empty() { name.clone() } else { format!("{within}/{name}") };
        if name.starts_with('.') || !(of.is_dir() || of.is_file()) {
            continue;
        }
        if of.is_dir() {
            pack(zip, &path, &inside, size)?;
            continue;
        }
        let bytes = fs::read(&path).with_context(|| format!("could not read {}", path.display()))?;
        *size += bytes.len();
        ensure!(*size <= MOST, "the folder has more than {} MB: import a part of it", MOST >> 20);
        zip.start_file(inside, SimpleFileOptions::default())?;
        zip.write_all(&bytes)?;
    }
    Ok(())
}

fn tell(imported: &Imported, is_dry_run: bool) -> io::Result<()> {
    let Counts { read, created, changed, same, deleted, files, refused } = &imported.counts;
    let would = if is_dry_run { "would be " } else { "" };
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{read} pages read: {would}{created} new, {changed} changed, {same} the same, {refused} files refused"
    )?;
    if *files > 0 {
        writeln!(out, "with {files} images and other files")?;
    }
    if *deleted > 0 {
        writeln!(out, "{deleted} were deleted here by somebody, and stay so")?;
    }
    for file in imported.refused.iter().take(SHOWN) {
        writeln!(out, "{}: refused: {}", plain::line(&file.path, 200), plain::line(&file.reason, 200))?;
    }
    match imported.refused.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => writeln!(out, "and {more} more"),
    }
}
