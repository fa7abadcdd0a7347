//! Who talks, and to which server: a token from the environment, or a session that the server on this machine opened.

use std::time::Duration;

use anyhow::{Context, bail};
use url::Url;

use crate::api::Me;
use crate::client::{Client, Key};
use crate::options::Server;

const DEFAULT_URL: &str = "http://127.0.0.1:8787";
/// Leaving takes no longer than this, also where the server has gone silent.
const SIGN_OUT: Duration = Duration::from_millis(500);

/// A session at the server of this machine, for whoever may read its data folder. How it is opened is not part of the
/// public API, so the program that links this client brings it.
pub struct LocalSession {
    pub url: Url,
    /// With its name, as it is sent.
    pub cookie: String,
}

pub struct Session {
    pub client: Client,
    pub me: Me,
}

impl Session {
    pub async fn begin(
        server: &Server,
        open_here: impl AsyncFnOnce(&Server) -> anyhow::Result<LocalSession>,
    ) -> anyhow::Result<Self> {
        let token = std::env::var("BATON_TOKEN").ok().filter(|token| !token.trim().is_empty());
        if let Some(token) = token {
            return by_token(server, token.trim().to_owned()).await;
        }
        if server.url.is_some() {
            bail!("a server by its address needs an API token: set BATON_TOKEN");
        }
        let LocalSession { url, cookie } = open_here(server).await?;
        let client = Client::new(&url, Key::Session(cookie))?;
        let me = client.me().await?;
        Ok(Self { client, me })
    }

    /// A session that was opened for this program is of no more use to anyone.
    pub async fn end(self) {
        if self.client.is_session() {
            let _ = tokio::time::timeout(SIGN_OUT, self.client.sign_out()).await;
        }
    }
}

async fn by_token(server: &Server, token: String) -> anyhow::Result<Session> {
    if server.as_email.is_some() {
        bail!("--as is for the data folder's own key, but BATON_TOKEN is set and says already who you are");
    }
    let url = server.url.as_deref().unwrap_or(DEFAULT_URL);
    let url = Url::parse(url).with_context(|| format!("{url:?} is not an address"))?;
    if !matches!(url.scheme(), "http" | "https") {
        bail!("{url} must begin with http:// or https://");
    }
    let client = Client::new(&url, Key::Token(token))?;
    let me = client.me().await.context("BATON_TOKEN")?;
    Ok(Session { client, me })
}
