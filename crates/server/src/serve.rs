//! `baton serve`: opens the store, brings the catalog up to date, listens, and ends in order.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use baton_core::catalog::Publish;
use baton_core::people::{LinkFor, Profile};
use baton_core::store::Error;
use baton_store::{DataDir, Database, Locked, SqlStore};
use chrono::Utc;
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::app::{App, SharedApp};
use crate::connections::Door;
use crate::ending::{Signals, drain};
use crate::loops::keep_going;
use crate::retention::forget_visitors;
use crate::routes::links::new_link;
use crate::settings::Settings;
use crate::waiting::until_there;
use crate::{connections, demo, operator, router};

/// The kernel's usual backlog of 1024 makes a burst of connections wait for a second.
const BACKLOG: i32 = 4096;
const ADDRESS_NOTE: &str = "address";

pub async fn run(settings: Settings) -> anyhow::Result<()> {
    raise_file_limit();
    // The port first: a server that can't be reached should leave nothing behind.
    let listener = listen(settings.listen)?;
    let at = listener.local_addr()?;
    let app = open(settings).await?;
    let demo_owner = match app.settings.demo {
        true => Some(until_there(async || demo::seed(&app).await).await?),
        false => None,
    };
    until_there(async || Ok(app.store.set_note(ADDRESS_NOTE, &address(&app.settings, at)).await?)).await?;
    let (clears, imports) = (app.clone(), app.clone());
    tokio::spawn(keep_going("what has expired", move || clear_expired(clears.clone())));
    tokio::spawn(keep_going("imports", move || imports.imports.clone().run(imports.ending())));
    let data_dir = app.settings.data_dir.clone();
    let on_disk = app.settings.database_url.is_none();
    // Requests are answered meanwhile: if the database has gone away again, this takes as long as that lasts, and whoever
    // asks is told so.
    let starting = async {
        app.engine.start().await;
        if on_disk {
            operator::open_door(&data_dir, at, address(&app.settings, at), &app.operator)?;
        }
        greet(&app, at, demo_owner).await
    };

    let signals = Signals::listen();
    let ended = async {
        signals.asked(1).await;
        drain(&app, signals.asked(2)).await;
    };
    let door = Door::new(app.settings.connections_per_address, app.settings.trusted_proxies.clone());
    let serving = connections::serve(listener, router::router(app.clone()), door, ended, signals.asked(2));
    // Without its writer it would take messages and never answer them: better a new process, which goes on with them.
    let is_dead = tokio::select! {
        () = serving => false,
        () = app.database.died() => true,
        Err(error) = starting => return Err(error),
    };
    if on_disk {
        operator::close_door(&data_dir);
    }
    if is_dead {
        bail!("the thread that writes to the database has ended; what it said before is in the log");
    }
    app.database.close().await?;
    tracing::info!("ended");
    Ok(())
}

/// Every stream is a connection, and every model call another.
fn raise_file_limit() {
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        tracing::warn!(%error, "could not raise the limit of open files");
    }
}

/// Everything but the listening. A database that is not there yet is waited for.
pub async fn open(settings: Settings) -> anyhow::Result<SharedApp> {
    let store = SqlStore::open(database(&settings)?).await.context(NOT_OPENED)?;
    opened(settings, store).await
}

/// The same for a command, which somebody waits for: a database that doesn't answer for so long is an error.
pub async fn open_within(settings: Settings, limit: Duration) -> anyhow::Result<SharedApp> {
    let gone = || {
        let seconds = limit.as_secs();
        format!(
            "the database did not answer within {seconds} seconds: is it running, and is DATABASE_URL right?"
        )
    };
    let store = match SqlStore::open_within(database(&settings)?, limit).await {
        Err(Error::Unavailable) => bail!(gone()),
        opened => opened.context(NOT_OPENED)?,
    };
    timeout(limit, opened(settings, store)).await.with_context(gone)?
}

const NOT_OPENED: &str = "could not open the database";

fn database(settings: &Settings) -> anyhow::Result<Database> {
    Ok(match &settings.database_url {
        Some(url) => Database::Postgres { url: url.clone(), connections: settings.database_connections },
        None => match lock(&settings.data_dir)? {
            Locked::Ours(dir) => Database::Sqlite { dir, durability: settings.durability },
            Locked::Theirs => bail!("another Baton is running on {}", settings.data_dir.display()),
        },
    })
}

async fn opened(settings: Settings, store: SqlStore) -> anyhow::Result<SharedApp> {
    let app = App::new(settings, store).await?;
    apply_packs(&app).await?;
    Ok(app)
}

pub fn lock(dir: &Path) -> anyhow::Result<Locked> {
    DataDir::lock(dir).with_context(|| format!("could not use {} as the data folder", dir.display()))
}

async fn apply_packs(app: &App) -> anyhow::Result<()> {
    for pack in &app.packs {
        let apply = async || Ok(app.store.apply_pack(pack, Publish::OverItsOwn).await?);
        let applied = until_there(apply).await?;
        tracing::info!(
            pack = pack.name,
            created = applied.created,
            updated = applied.updated,
            kept_edits = applied.kept_edits,
            "catalog is up to date"
        );
    }
    Ok(())
}

pub fn listen(at: SocketAddr) -> anyhow::Result<TcpListener> {
    let failed = || format!("could not listen on {at}");
    let socket =
        Socket::new(Domain::for_address(at), Type::STREAM, Some(Protocol::TCP)).with_context(failed)?;
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&at.into()).with_context(failed)?;
    socket.listen(BACKLOG).with_context(failed)?;
    Ok(TcpListener::from_std(socket.into())?)
}

/// Says where it is and how to get in. This goes to standard output; logs go to standard error.
async fn greet(app: &SharedApp, at: SocketAddr, demo_owner: Option<Profile>) -> anyhow::Result<()> {
    let address = address(&app.settings, at);
    say(&format!("Baton is at {address}"));
    if let Some(owner) = demo_owner {
        let path = link(app, LinkFor::Person(owner.id)).await?;
        say(&format!("Sign in as {} (works once): {address}{path}", owner.name));
    } else if !until_there(async || Ok(app.store.has_admin().await?)).await? {
        let path = link(app, LinkFor::FirstAdmin).await?;
        say(&format!("Set this server up (works once): {address}{path}"));
    }
    Ok(())
}

async fn link(app: &App, opens_for: LinkFor) -> anyhow::Result<String> {
    let (path, _) = until_there(async || Ok(new_link(app, opens_for, None).await?)).await?;
    Ok(path)
}

/// Standard output may be closed, or full: the server runs all the same.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// The address to give people, without a slash at the end.
pub fn address(settings: &Settings, at: SocketAddr) -> String {
    match &settings.public_url {
        Some(url) => url.as_str().trim_end_matches('/').to_owned(),
        None => format!("http://{at}"),
    }
}

/// The same, as the server last said it; for commands that run beside it.
pub async fn known_address(app: &App) -> anyhow::Result<String> {
    let noted = app.store.note(ADDRESS_NOTE).await?;
    Ok(noted.unwrap_or_else(|| address(&app.settings, app.settings.listen)))
}

async fn clear_expired(app: SharedApp) {
    let mut hourly = tokio::time::interval(Duration::from_secs(3600));
    loop {
        hourly.tick().await;
        if let Err(error) = app.store.delete_expired().await {
            tracing::warn!(%error, "could not delete what has expired");
        }
        if let Err(error) = forget_visitors(&app, Utc::now()).await {
            tracing::warn!(%error, "could not delete old conversations of visitors");
        }
    }
}
