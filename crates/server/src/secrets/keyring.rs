//! The keys that this server has: from the setting `secret_key`, or from a file in the data folder that it makes itself.
//! The first one is for new secrets; the others open older ones while the key is being changed.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use anyhow::{Context, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::seal::SealingKey;

/// In the data folder.
pub const KEY_FILE: &str = "secret.key";
/// Whoever has less random text than this has too little.
const LEAST: usize = 32;
const HEADER: &str = "# Opens the secrets in Baton's database, such as API keys. Without it they are lost, so keep a copy, but not\n\
                      # beside copies of the database. `baton admin rotate-key` makes a new one.\n";

type Keys = Vec<Arc<SealingKey>>;

pub struct Keyring {
    source: Source,
    keys: RwLock<Keys>,
}

enum Source {
    Settings,
    File(PathBuf),
}

impl Keyring {
    /// The keys of the setting, separated by commas.
    pub fn of_setting(setting: &str) -> anyhow::Result<Self> {
        let mut keys = Keys::new();
        for text in setting.split(',').map(str::trim) {
            if text.len() < LEAST {
                bail!(
                    "secret_key must be at least {LEAST} random characters, as of `openssl rand -base64 32`; a comma \
                     stands between two keys"
                );
            }
            keys.push(Arc::new(SealingKey::new(text)?));
        }
        Ok(Self { source: Source::Settings, keys: RwLock::new(keys) })
    }

    /// The keys of the file in this folder. The file need not be there yet.
    pub fn of_folder(data_dir: &Path) -> anyhow::Result<Self> {
        let file = data_dir.join(KEY_FILE);
        let keys = read(&file)?.unwrap_or_default();
        Ok(Self { source: Source::File(file), keys: RwLock::new(keys) })
    }

    pub fn is_of_setting(&self) -> bool {
        matches!(self.source, Source::Settings)
    }

    /// The key with this id. The file may have another by now: `baton admin rotate-key` may have run beside this server.
    pub fn find(&self, id: &str) -> Option<Arc<SealingKey>> {
        let find = || self.keys().into_iter().find(|key| key.id == id);
        find().or_else(|| {
            self.read_again().inspect_err(|error| tracing::error!("{error:#}")).ok()?;
            find()
        })
    }

    /// The first key; a file that isn't there is made.
    pub fn first(&self) -> anyhow::Result<Arc<SealingKey>> {
        if let Some(first) = self.keys().first() {
            return Ok(first.clone());
        }
        let Source::File(file) = &self.source else { bail!("secret_key is empty") };
        make(file)?;
        self.read_again()?;
        self.keys().first().cloned().with_context(|| format!("{} holds no key", file.display()))
    }

    /// Puts a new key before the others. Afterwards the file holds all of them, or it is as it was.
    pub fn add(&self) -> anyhow::Result<Arc<SealingKey>> {
        let Source::File(file) = &self.source else { bail!("the keys are those of the setting secret_key") };
        let mut texts = texts(file)?.unwrap_or_default();
        texts.insert(0, random()?);
        replace(file, &texts)?;
        self.read_again()?;
        self.first()
    }

    /// Removes the keys that nothing is sealed with any more. Those of the setting are the operator's to remove.
    pub fn keep(&self, ids: &[String]) -> anyhow::Result<()> {
        let Source::File(file) = &self.source else { return Ok(()) };
        let mut kept = Vec::new();
        for text in texts(file)?.unwrap_or_default() {
            if ids.contains(&SealingKey::new(&text)?.id) {
                kept.push(text);
            }
        }
        replace(file, &kept)?;
        self.read_again()
    }

    /// As the file is now; a setting stays as it was at the start.
    pub fn read_again(&self) -> anyhow::Result<()> {
        let Source::File(file) = &self.source else { return Ok(()) };
        let keys = read(file)?.unwrap_or_default();
        *self.keys.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = keys;
        Ok(())
    }

    pub fn keys(&self) -> Keys {
        self.keys.read().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

fn read(file: &Path) -> anyhow::Result<Option<Keys>> {
    let Some(texts) = texts(file)? else { return Ok(None) };
    texts.iter().map(|text| Ok(Arc::new(SealingKey::new(text)?))).collect::<anyhow::Result<_>>().map(Some)
}

/// `None`: there is no such file.
fn texts(file: &Path) -> anyhow::Result<Option<Vec<String>>> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("could not read {}", file.display())),
    };
    warn_if_open(file);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let texts: Vec<String> = lines.map(str::to_owned).collect();
    if texts.is_empty() || texts.iter().any(|text| text.len() < LEAST) {
        bail!("{} is no key file: put your copy of it back", file.display());
    }
    Ok(Some(texts))
}

fn random() -> anyhow::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("no randomness: {error}"))?;
    Ok(STANDARD.encode(bytes))
}

/// Makes the file with a new key, unless somebody else makes it at the same time: theirs is as good.
fn make(file: &Path) -> anyhow::Result<()> {
    let written = write_beside(file, &[random()?])?;
    let linked = fs::hard_link(&written, file);
    let _ = fs::remove_file(&written);
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(error).with_context(|| format!("could not make {}", file.display()))
        }
        _ => sync_folder(file),
    }
}

fn replace(file: &Path, texts: &[String]) -> anyhow::Result<()> {
    let written = write_beside(file, texts)?;
    fs::rename(&written, file).with_context(|| format!("could not write {}", file.display()))?;
    sync_folder(file)
}

/// A whole new file beside the other, on the disk.
fn write_beside(file: &Path, texts: &[String]) -> anyhow::Result<PathBuf> {
    let failed = || format!("could not write beside {}", file.display());
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(failed)?;
    }
    let mut name = [0; 8];
    getrandom::fill(&mut name).map_err(|error| anyhow::anyhow!("no randomness: {error}"))?;
    let beside = file.with_extension(format!("key.{:016x}", u64::from_be_bytes(name)));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut open = options.open(&beside).with_context(failed)?;
    let written =
        open.write_all(format!("{HEADER}{}\n", texts.join("\n")).as_bytes()).and_then(|()| open.sync_all());
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written.with_context(failed)?;
    Ok(beside)
}

fn sync_folder(file: &Path) -> anyhow::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::File::open(folder).and_then(|folder| folder.sync_all()).context("could not store the key file")
}

fn warn_if_open(file: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if fs::metadata(file).is_ok_and(|about| about.permissions().mode() & 0o077 != 0) {
            tracing::warn!("{} can be read by others: chmod 600 it", file.display());
        }
    }
    #[cfg(not(unix))]
    let _ = file;
}
