//! A zip of Markdown, file by file.

use std::io::{Read, Seek};

use zip::ZipArchive;

use super::tree::{RefusedFile, Tree};
use super::{File, Limits};
use crate::{Error, Result};

/// Below this a file may be packed as well as it can.
const SMALL: u64 = 1024 * 1024;

/// Reads what is in the zip, and unpacks nothing yet.
pub fn from_zip<R: Read + Seek>(file: R, limits: Limits) -> Result<ZipPages<R>> {
    let archive =
        ZipArchive::new(file).map_err(|error| Error::Refused(format!("this is no zip: {error}")))?;
    if archive.len() > limits.files {
        let reason = format!("the zip has {} files, more than {}", archive.len(), limits.files);
        return Err(Error::Refused(reason));
    }
    let mut refused = Vec::new();
    let mut names: Vec<(usize, String)> = Vec::new();
    for index in 0..archive.len() {
        let Some(Ok(name)) = archive.name_for_index(index) else {
            refused.push(RefusedFile::new("", "its name is not text"));
            continue;
        };
        match archive.by_index_data(index) {
            Ok(entry) if entry.is_dir() => {}
            Ok(entry) if entry.is_symlink() => {
                refused.push(RefusedFile::new(&name, "it is a link of the file system"));
            }
            Ok(entry) if entry.encrypted() => refused.push(RefusedFile::new(&name, "it is encrypted")),
            Ok(_) => names.push((index, name.into_owned())),
            Err(error) => refused.push(RefusedFile::new(&name, error.to_string())),
        }
    }
    let mut tree = Tree::new(names.iter().map(|(_, name)| name.as_str()));
    tree.add_refused(refused);
    Ok(ZipPages { archive, tree, names: names.into_iter(), limits, unpacked: 0, ended: false })
}

/// The files of a zip one by one, each as large as its limit at most.
pub struct ZipPages<R> {
    archive: ZipArchive<R>,
    tree: Tree,
    names: std::vec::IntoIter<(usize, String)>,
    limits: Limits,
    unpacked: u64,
    ended: bool,
}

impl<R> ZipPages<R> {
    pub fn tree(&self) -> &Tree {
        &self.tree
    }
}

impl<R: Read + Seek> Iterator for ZipPages<R> {
    type Item = Result<std::result::Result<File, RefusedFile>>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let (index, name) = self.names.next()?;
            if !self.tree.takes(&name) {
                continue;
            }
            match self.unpack(index) {
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
                Ok(Err(reason)) => return Some(Ok(Err(RefusedFile::new(&name, reason)))),
                Ok(Ok(bytes)) => {
                    if let Some(file) = self.tree.file(&name, bytes) {
                        return Some(Ok(Ok(file)));
                    }
                }
            }
        }
        None
    }
}

impl<R: Read + Seek> ZipPages<R> {
    /// Counts what comes out, whatever the zip says about it.
    fn unpack(&mut self, index: usize) -> Result<std::result::Result<Vec<u8>, String>> {
        let packed = match self.archive.by_index_data(index) {
            Ok(entry) => entry.compressed_size(),
            Err(error) => return Ok(Err(error.to_string())),
        };
        let file = match self.archive.by_index(index) {
            Ok(file) => file,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let bomb = packed.saturating_mul(self.limits.ratio).max(SMALL);
        let left = self.limits.total.saturating_sub(self.unpacked);
        let most = self.limits.file.min(bomb).min(left);
        let mut bytes = Vec::new();
        let read = file.take(most + 1).read_to_end(&mut bytes);
        let size = bytes.len() as u64;
        self.unpacked += size;
        match read {
            _ if size > bomb => Err(Error::Refused("the zip unpacks to far more than it is".to_owned())),
            _ if size > left => {
                Err(Error::Refused(format!("the zip unpacks to more than {} MiB", self.limits.total >> 20)))
            }
            _ if size > self.limits.file => {
                Ok(Err(format!("it is larger than {} MiB", self.limits.file >> 20)))
            }
            Err(error) => Ok(Err(format!("it can't be unpacked: {error}"))),
            Ok(_) => Ok(Ok(bytes)),
        }
    }
}
