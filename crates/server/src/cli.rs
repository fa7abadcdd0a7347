//! The command line.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use baton_cli::LocalSession;
use baton_store::Locked;
use baton_tools::outbound::install_tls;
use clap::{Args, Parser, Subcommand};
use serde_json::json;
use tracing_subscriber::EnvFilter;
use url::Url;

use crate::http::SESSION_COOKIE;
use crate::routes::operator::{LinkMade, PackApplied, apply, make_link};
use crate::routes::operator_session::OpenedSession;
use crate::secrets::{Rotated, Unreadable};
use crate::settings::{Given, Mode, Settings};
use crate::{operator, router, serve, version};

/// Hire AI agents, talk to them, and let them hand work to each other.
#[derive(Parser)]
#[command(name = "baton", version = version::IN_WORDS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the server
    Serve {
        /// Seed a demo workspace, and let everyone sign up
        #[arg(long)]
        demo: bool,
        #[command(flatten)]
        options: Options,
    },
    /// Talk to an agent from the terminal
    Chat(baton_cli::Options),
    /// Bring a file into a workspace: CSV of any kind; OFX, QFX, CAMT.053 or QIF of transactions
    Import(baton_cli::ImportOptions),
    /// Look after people and keys
    #[command(subcommand)]
    Admin(Admin),
    /// Look after the catalog of agents
    #[command(subcommand)]
    Catalog(CatalogCommand),
    /// Print the OpenAPI document
    Openapi,
}

#[derive(Subcommand)]
enum Admin {
    /// Print a one-time link that signs someone in, for who forgot a password
    SignInLink {
        email: String,
        #[command(flatten)]
        options: Options,
    },
    /// Encrypt all secrets in the database with a new key
    RotateKey {
        /// Remove the secrets that no key opens any more: whoever entered them has to enter them again
        #[arg(long)]
        forget_unreadable: bool,
        #[command(flatten)]
        options: Options,
    },
}

#[derive(Subcommand)]
enum CatalogCommand {
    /// Bring the catalog up to what a pack (a TOML file) says, and publish it
    Apply {
        file: PathBuf,
        #[command(flatten)]
        options: Options,
    },
}

#[derive(Args)]
struct Options {
    /// A file with settings [default: baton.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    given: Given,
}

impl Options {
    fn load(self, mode: Mode) -> anyhow::Result<Settings> {
        let settings = Settings::load(self.given, self.config.as_deref(), mode)?;
        start_logging(&settings)?;
        Ok(settings)
    }
}

pub fn run() -> anyhow::Result<ExitCode> {
    let cli = Cli::parse();
    install_tls();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match cli.command {
            Command::Chat(options) => return baton_cli::run(options, session_here).await,
            Command::Import(options) => return baton_cli::import(options, session_here).await,
            Command::Serve { demo, options } => {
                serve::run(options.load(if demo { Mode::Demo } else { Mode::Plain })?).await?
            }
            Command::Admin(Admin::SignInLink { email, options }) => {
                sign_in_link(options.load(Mode::Plain)?, &email).await?
            }
            Command::Admin(Admin::RotateKey { forget_unreadable, options }) => {
                rotate_key(options.load(Mode::Plain)?, forget_unreadable).await?
            }
            Command::Catalog(CatalogCommand::Apply { file, options }) => {
                apply_pack(options.load(Mode::Plain)?, &file).await?
            }
            Command::Openapi => println!("{}", router::openapi().to_pretty_json()?),
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// Logs go to standard error, so that what is printed for people stays clean.
fn start_logging(settings: &Settings) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&settings.log).context("the log filter is not right")?;
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        // A log that can't be written (a full disk, a reader that went away) is lost, and nothing else: saying so would panic.
        .log_internal_errors(false)
        .with_writer(std::io::stderr);
    if settings.json_logs {
        logs.json().init()
    } else {
        logs.init()
    }
    Ok(())
}

/// Whether a running server holds the data folder. On Postgres nobody does.
fn is_running(settings: &Settings) -> anyhow::Result<bool> {
    Ok(settings.database_url.is_none() && matches!(serve::lock(&settings.data_dir)?, Locked::Theirs))
}

/// A session for `baton chat` and `baton import`, by the key in the data folder. The key is sent to the process that holds the folder only: a
/// server that was killed leaves its door behind, and someone else may listen there by now.
async fn session_here(options: &baton_cli::Server) -> anyhow::Result<LocalSession> {
    let given = Given { data_dir: options.data_dir.clone(), ..Given::default() };
    let data_dir = Settings::load(given, options.config.as_deref(), Mode::Plain)?.data_dir;
    if !operator::has_door(&data_dir) || !matches!(serve::lock(&data_dir)?, Locked::Theirs) {
        bail!(
            "no Baton runs on {}. Start one with `baton serve` (or `baton serve --demo`), name its folder with \
             --data-dir, or set BATON_TOKEN and BATON_URL to talk to a server elsewhere",
            data_dir.display()
        );
    }
    let door = operator::door(&data_dir)?;
    let opened: OpenedSession =
        door.ask("/api/operator/session", &json!({"email": options.as_email})).await?;
    let url = Url::parse(&door.url).context("the running server's address")?;
    Ok(LocalSession { url, cookie: format!("{SESSION_COOKIE}={}", opened.session) })
}

/// How long an operator's command waits for a database that doesn't answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// An operator's command must not make a new database where somebody mistyped a folder.
fn must_be_there(settings: &Settings) -> anyhow::Result<()> {
    if settings.database_url.is_none() && !settings.data_dir.join("baton.db").exists() {
        bail!("there is no Baton in {}", settings.data_dir.display());
    }
    Ok(())
}

/// The running server does it itself where there is one; on Postgres the nodes go on, and read the key file again if this is
/// their data folder.
async fn rotate_key(settings: Settings, forget_unreadable: bool) -> anyhow::Result<()> {
    must_be_there(&settings)?;
    let rotated: Rotated = if is_running(&settings)? {
        let body = json!({"forget_unreadable": forget_unreadable});
        operator::ask(&settings.data_dir, "/api/operator/rotate-key", &body).await?.1
    } else {
        let unreadable = if forget_unreadable { Unreadable::Forget } else { Unreadable::Keep };
        serve::open_within(settings, PATIENCE).await?.vault.rotate(unreadable).await?
    };
    println!("{} secrets are encrypted with the new key", rotated.sealed_again);
    if rotated.forgotten > 0 {
        println!("{} could not be decrypted and were removed", rotated.forgotten);
    }
    if rotated.unreadable > 0 {
        bail!("{} secrets can't be decrypted; --forget-unreadable removes them", rotated.unreadable);
    }
    Ok(())
}

async fn sign_in_link(settings: Settings, email: &str) -> anyhow::Result<()> {
    must_be_there(&settings)?;
    let (address, made): (String, LinkMade) = if is_running(&settings)? {
        operator::ask(&settings.data_dir, "/api/operator/sign-in-link", &json!({"email": email})).await?
    } else {
        let app = serve::open_within(settings, PATIENCE).await?;
        (serve::known_address(&app).await?, make_link(&app, email).await?)
    };
    println!("{address}{}", made.path);
    Ok(())
}

async fn apply_pack(settings: Settings, file: &Path) -> anyhow::Result<()> {
    let toml = std::fs::read_to_string(file).with_context(|| format!("could not read {}", file.display()))?;
    let applied: PackApplied = if is_running(&settings)? {
        operator::ask(&settings.data_dir, "/api/operator/packs", &json!({"toml": toml})).await?.1
    } else {
        let app = serve::open_within(settings, PATIENCE).await?;
        apply(&app, &toml).await?
    };
    println!("{} created, {} updated, {} unchanged", applied.created, applied.updated, applied.unchanged);
    Ok(())
}
