//! Who talks, and to which server: a token from the environment, or the key in the data folder of a server on this
//! machine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use baton_store::Locked;
use serde::Deserialize;
use serde_json::json;
use url::Url;

use super::api::Me;
use super::client::{Client, Key};
use super::options::Options;
use crate::operator::{self, Door};
use crate::serve;
use crate::settings::{Given, Mode, Settings};

const DEFAULT_URL: &str = "http://127.0.0.1:8787";
/// Leaving takes no longer than this, also where the server has gone silent.
const SIGN_OUT: Duration = Duration::from_millis(500);

pub struct Session {
    pub client: Client,
    pub me: Me,
}

impl Session {
    pub async fn begin(options: &Options) -> anyhow::Result<Self> {
        let token = std::env::var("BATON_TOKEN").ok().filter(|token| !token.trim().is_empty());
        match token {
            Some(token) => by_token(options, token.trim().to_owned()).await,
            None => by_data_folder(options).await,
        }
    }

    /// A session that was opened for this program is of no more use to anyone.
    pub async fn end(self) {
        if self.client.is_session() {
            let _ = tokio::time::timeout(SIGN_OUT, self.client.sign_out()).await;
        }
    }
}

async fn by_token(options: &Options, token: String) -> anyhow::Result<Session> {
    if options.as_email.is_some() {
        bail!("--as is for the data folder's own key, but BATON_TOKEN is set and says already who you are");
    }
    let url = options.url.as_deref().unwrap_or(DEFAULT_URL);
    let url = Url::parse(url).with_context(|| format!("{url:?} is not an address"))?;
    if !matches!(url.scheme(), "http" | "https") {
        bail!("{url} must begin with http:// or https://");
    }
    let client = Client::new(&url, Key::Token(token))?;
    let me = client.me().await.context("BATON_TOKEN")?;
    Ok(Session { client, me })
}

#[derive(Deserialize)]
struct Opened {
    session: String,
    #[serde(flatten)]
    me: Me,
}

async fn by_data_folder(options: &Options) -> anyhow::Result<Session> {
    if options.url.is_some() {
        bail!("a server by its address needs an API token: set BATON_TOKEN");
    }
    let data_dir = data_dir(options)?;
    let door = door(&data_dir)?;
    let opened: Opened = door.ask("/api/operator/session", &json!({"email": options.as_email})).await?;
    let url = Url::parse(&door.url).context("the running server's address")?;
    let client = Client::new(&url, Key::Session(opened.session))?;
    Ok(Session { client, me: opened.me })
}

fn data_dir(options: &Options) -> anyhow::Result<PathBuf> {
    let given = Given { data_dir: options.data_dir.clone(), ..Given::default() };
    Ok(Settings::load(given, options.config.as_deref(), Mode::Plain)?.data_dir)
}

/// The key is sent to the process that holds the folder only: a server that was killed leaves its door behind, and
/// someone else may listen there by now.
fn door(data_dir: &Path) -> anyhow::Result<Door> {
    if operator::has_door(data_dir) && matches!(serve::lock(data_dir)?, Locked::Theirs) {
        return operator::door(data_dir);
    }
    bail!(
        "no Baton runs on {}. Start one with `baton serve` (or `baton serve --demo`), name its folder with --data-dir, \
         or set BATON_TOKEN and BATON_URL to talk to a server elsewhere",
        data_dir.display()
    );
}
