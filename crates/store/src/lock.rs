//! The data directory and its lock: one process at a time writes there.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A data directory this process holds. The lock ends with the process, however it ends.
#[derive(Debug)]
pub struct DataDir {
    path: PathBuf,
    _lock: File,
}

#[derive(Debug)]
pub enum Locked {
    Ours(DataDir),
    /// Another process holds it.
    Theirs,
}

impl DataDir {
    pub fn lock(path: &Path) -> io::Result<Locked> {
        fs::create_dir_all(path)?;
        private(path)?;
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path.join("lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(Locked::Ours(Self { path: path.to_owned(), _lock: file })),
            Err(TryLockError::WouldBlock) => Ok(Locked::Theirs),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Only the owner may look inside: the database holds people's conversations.
#[cfg(unix)]
fn private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn private(_path: &Path) -> io::Result<()> {
    Ok(())
}
