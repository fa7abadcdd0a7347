//! How a second `baton` process asks the running one for something: it shows a key from a file that only the operator
//! can read.
//!
//! The data folder is locked while a server runs, so `baton admin …` and `baton catalog …` talk to the server over
//! HTTP.

use std::fs;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::secret::{self, Secret};

/// What the running server accepts from its operator.
pub struct OperatorKey(Secret);

impl OperatorKey {
    pub fn new() -> anyhow::Result<Self> {
        Secret::new("bop_").map(Self)
    }

    pub fn fits(&self, token: &str) -> bool {
        secret::hash(token) == self.0.hash
    }
}

#[derive(Serialize, Deserialize)]
pub struct Door {
    /// The address of the running server on this machine.
    pub url: String,
    /// The address the server gives people.
    pub address: String,
    key: String,
}

fn door_file(data_dir: &Path) -> PathBuf {
    data_dir.join("operator.json")
}

/// Leaves the key where the operator's next command looks for it. The file is for its owner alone.
pub fn open_door(
    data_dir: &Path,
    listening: SocketAddr,
    address: String,
    key: &OperatorKey,
) -> anyhow::Result<()> {
    let ip = match listening.ip() {
        ip if ip.is_unspecified() && ip.is_ipv4() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        ip if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    let url = format!("http://{}", SocketAddr::new(ip, listening.port()));
    let door = Door { url, address, key: key.0.text.clone() };
    let path = door_file(data_dir);
    let _ = fs::remove_file(&path);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(&path).with_context(|| format!("could not write {}", path.display()))?;
    file.write_all(serde_json::to_string(&door)?.as_bytes())?;
    Ok(())
}

pub fn close_door(data_dir: &Path) {
    let _ = fs::remove_file(door_file(data_dir));
}

/// The door of the server that holds the data folder.
pub fn door(data_dir: &Path) -> anyhow::Result<Door> {
    let file = door_file(data_dir);
    let text = fs::read_to_string(&file).with_context(|| {
        format!("another process holds {}, and {} can't be read", data_dir.display(), file.display())
    })?;
    serde_json::from_str(&text).with_context(|| format!("{} is not right", file.display()))
}

/// Whether a server may have left its door open here. One that was killed leaves it too.
pub fn has_door(data_dir: &Path) -> bool {
    door_file(data_dir).exists()
}

impl Door {
    pub async fn ask<T: DeserializeOwned>(&self, path: &str, body: &serde_json::Value) -> anyhow::Result<T> {
        let client = reqwest::Client::builder().no_proxy().build()?;
        let request = client.post(format!("{}{path}", self.url)).bearer_auth(&self.key);
        let answer = request.json(body).send().await?;
        if !answer.status().is_success() {
            let said: serde_json::Value = answer.json().await.unwrap_or_default();
            bail!("{}", said["error"].as_str().unwrap_or("the running server refused"));
        }
        Ok(answer.json().await?)
    }
}

/// Asks the server that holds the data folder; with its answer comes the address it gives people.
pub async fn ask<T: DeserializeOwned>(
    data_dir: &Path,
    path: &str,
    body: &serde_json::Value,
) -> anyhow::Result<(String, T)> {
    let door = door(data_dir)?;
    let answer = door.ask(path, body).await?;
    Ok((door.address, answer))
}
