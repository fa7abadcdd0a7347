//! The data directory and its lock: only one process at a time writes there.

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
        if !path.exists() {
            fs::create_dir_all(path)?;
            private(path, 0o700)?;
        }
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

    /// The path of a file that only its owner may read, made if it isn't there; what SQLite puts beside it is the same.
    pub fn private_file(&self, name: &str) -> io::Result<PathBuf> {
        let file = self.path.join(name);
        if !file.exists() {
            OpenOptions::new().create(true).append(true).open(&file)?;
            private(&file, 0o600)?;
        }
        Ok(file)
    }
}

/// For something we made ourselves: only its owner may look inside, as it holds people's conversations. A folder that
/// was there before keeps the mode its owner chose.
#[cfg(unix)]
fn private(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn private(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}
