//! `baton import`: sends a file, follows it to its end, and asks at a terminal what the file can't tell.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::form_urlencoded;
use uuid::Uuid;

use crate::choice;
use crate::client::Client;
use crate::options::{ImportOptions, Server};
use crate::session::{LocalSession, Session};
use crate::{INTERRUPTED, WAITING, import_pages, plain};

/// How often the server is asked how far it is.
const PACE: Duration = Duration::from_millis(300);
/// Refused lines that are printed.
const SHOWN: usize = 20;

#[derive(Deserialize)]
struct Answer {
    import: Import,
}

#[derive(Deserialize)]
struct Details {
    import: Import,
    report: Report,
    remarks: Vec<Remark>,
}

#[derive(Deserialize)]
struct Import {
    id: Uuid,
    status: String,
    read: u64,
    new: u64,
    changed: u64,
    duplicates: u64,
    deleted: u64,
    refused: u64,
    problem: Option<String>,
}

#[derive(Deserialize)]
struct Report {
    questions: Vec<Question>,
    columns: Vec<String>,
    accounts: Vec<Account>,
    new_categories: Vec<String>,
}

#[derive(Deserialize)]
struct Question {
    about: String,
    text: String,
    field: Option<String>,
}

#[derive(Deserialize)]
struct Account {
    name: String,
    is_new: bool,
    difference: Option<i64>,
}

#[derive(Deserialize)]
struct Remark {
    line: u64,
    #[serde(rename = "type")]
    of: String,
    text: String,
}

pub async fn run(
    options: ImportOptions,
    open_here: impl AsyncFnOnce(&Server) -> anyhow::Result<LocalSession>,
) -> anyhow::Result<ExitCode> {
    let said = said(&options)?;
    let is_pages = import_pages::is_meant(&options);
    if is_pages {
        import_pages::check(&options)?;
    } else if options.file.is_dir() {
        bail!("{} is a folder: only pages come from one (baton import pages)", options.file.display());
    }
    let session = Session::begin(&options.server, open_here).await?;
    let import = async {
        match is_pages {
            true => import_pages::import(&session, &options).await,
            false => import(&session, &options, said).await,
        }
    };
    let ended = tokio::select! {
        ended = import => ended,
        _ = tokio::signal::ctrl_c() => Ok(ExitCode::from(INTERRUPTED)),
    };
    session.end().await;
    ended
}

/// The mapping that the command line says.
fn said(options: &ImportOptions) -> anyhow::Result<Map<String, Value>> {
    let mut mapping = Map::new();
    if let Some(first) = &options.date_order {
        mapping.insert("date_order".to_owned(), json!(date_order(first)));
    }
    if let Some(sign) = &options.decimal_sign {
        mapping.insert("decimal_sign".to_owned(), json!(sign));
    }
    if let Some(code) = &options.currency {
        mapping.insert("currency".to_owned(), json!(code.to_uppercase()));
    }
    let mut columns = Map::new();
    for given in &options.columns {
        let Some((field, column)) = given.split_once('=') else {
            bail!("--column {given}: say which column is a field, such as --column amount=Betrag");
        };
        columns.insert(field.trim().to_owned(), json!({ "column": column.trim() }));
    }
    if !columns.is_empty() {
        mapping.insert("columns".to_owned(), Value::Object(columns));
    }
    Ok(mapping)
}

fn date_order(first: &str) -> &'static str {
    match first {
        "day" | "d" => "day_month_year",
        "month" | "m" => "month_day_year",
        _ => "year_month_day",
    }
}

async fn import(
    session: &Session,
    options: &ImportOptions,
    said: Map<String, Value>,
) -> anyhow::Result<ExitCode> {
    let client = &session.client;
    let workspace = choice::workspace(&session.me.workspaces, options.workspace.as_deref())?.id;
    let id = send(client, options, workspace, !said.is_empty()).await?;
    let path = format!("/api/data/imports/{id}");
    let mut unsaid = Some(said).filter(|said| !said.is_empty());
    let mut details = follow(client, &path).await?;
    loop {
        match details.import.status.as_str() {
            "needs_mapping" | "ready" if unsaid.is_some() => {
                let start = !options.dry_run;
                client.patch::<Value>(&path, &json!({ "mapping": unsaid.take(), "start": start })).await?;
            }
            "needs_mapping" => match answers(client, workspace, &details).await? {
                Some(answers) => drop(client.patch::<Value>(&path, &answers).await?),
                None => {
                    leave(client, &path).await?;
                    return Ok(ExitCode::from(WAITING));
                }
            },
            "ready" => {
                tell(&details, options.dry_run)?;
                if !(can_ask() && is_yes(&ask("Import it now? [y/N] ").await?)) {
                    leave(client, &path).await?;
                    return Ok(ExitCode::SUCCESS);
                }
                client.patch::<Value>(&path, &json!({ "start": true })).await?;
            }
            "completed" => {
                tell(&details, false)?;
                return Ok(ExitCode::SUCCESS);
            }
            "undone" | "undoing" => bail!("somebody has taken this import back"),
            _ => {
                let problem = details.import.problem.as_deref().unwrap_or("it could not be imported");
                writeln!(io::stderr(), "error: {}", plain::line(problem, 500))?;
                return Ok(ExitCode::FAILURE);
            }
        }
        details = follow(client, &path).await?;
    }
}

/// A file whose mapping is said on the command line is looked at first, so that nothing is stored by a wrong guess.
async fn send(
    client: &Client,
    options: &ImportOptions,
    workspace: Uuid,
    is_looked_at_first: bool,
) -> anyhow::Result<Uuid> {
    let file = tokio::fs::File::open(&options.file);
    let file = file.await.with_context(|| format!("could not read {}", options.file.display()))?;
    let size = file.metadata().await?.len();
    let filename = options.file.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("workspaceId", &workspace.to_string());
    query.append_pair("filename", filename.as_deref().unwrap_or("file"));
    if let Some(account) = &options.account {
        query.append_pair("account", account);
    }
    if options.dry_run || is_looked_at_first {
        query.append_pair("dryRun", "true");
    }
    let path = format!("/api/data/{}/import?{}", options.kind, query.finish());
    let request = client.upload(&path).header("content-type", "application/octet-stream");
    let request = request.header("content-length", size).body(reqwest::Body::from(file));
    let response = client.send(request).await?;
    let answer: Answer = response.json().await.map_err(|error| client.failure(error))?;
    Ok(answer.import.id)
}

/// Waits until it is done, or needs somebody. At a terminal the counts go on meanwhile.
async fn follow(client: &Client, path: &str) -> anyhow::Result<Details> {
    let is_shown = io::stderr().is_terminal();
    loop {
        let details: Details = client.get(path).await?;
        let import = &details.import;
        let is_under_way =
            matches!(import.status.as_str(), "uploading" | "reading" | "importing" | "undoing");
        if is_shown {
            let end = if is_under_way { "" } else { "\r\x1b[K" };
            write!(io::stderr(), "\r\x1b[K{}: {} rows read{end}", import.status, import.read)?;
            io::stderr().flush()?;
        }
        if !is_under_way {
            return Ok(details);
        }
        tokio::time::sleep(PACE).await;
    }
}

/// What a person says to the questions; none if nobody can be asked.
async fn answers(client: &Client, workspace: Uuid, details: &Details) -> anyhow::Result<Option<Value>> {
    if !can_ask() {
        for question in &details.report.questions {
            let option = match question.about.as_str() {
                "account" => "--account NAME",
                "date_order" => "--date-order day|month|year",
                "decimal_sign" => "--decimal-sign point|comma",
                "currency" => "--currency CODE",
                _ => "--column FIELD=COLUMN",
            };
            writeln!(io::stderr(), "{} Say it with {option}.", plain::line(&question.text, 300))?;
        }
        return Ok(None);
    }
    let (mut mapping, mut columns, mut account) = (Map::new(), Map::new(), None);
    for question in &details.report.questions {
        let text = plain::line(&question.text, 300);
        match question.about.as_str() {
            "account" => {
                let names = accounts(client, workspace).await?;
                account = Some(ask(&format!("{text} {}\n› ", names.join(", "))).await?);
            }
            "date_order" => {
                let first = ask(&format!("{text} [day/month/year] ")).await?;
                mapping.insert("date_order".to_owned(), json!(date_order(&first.to_lowercase())));
            }
            "decimal_sign" => {
                let sign = ask(&format!("{text} [point/comma] ")).await?;
                let sign = if sign.starts_with(['c', 'C', ',']) { "comma" } else { "point" };
                mapping.insert("decimal_sign".to_owned(), json!(sign));
            }
            "currency" => {
                let code = ask(&format!("{text} ")).await?;
                mapping.insert("currency".to_owned(), json!(code.to_uppercase()));
            }
            _ => {
                let named = ask(&format!("{text} {}\n› ", details.report.columns.join(", "))).await?;
                if let Some(field) = &question.field {
                    columns.insert(field.clone(), json!({ "column": named }));
                }
            }
        }
    }
    if !columns.is_empty() {
        mapping.insert("columns".to_owned(), Value::Object(columns));
    }
    let mut answers = json!({ "mapping": mapping });
    if let Some(account) = account {
        answers["account"] = json!(account);
    }
    Ok(Some(answers))
}

async fn accounts(client: &Client, workspace: Uuid) -> anyhow::Result<Vec<String>> {
    #[derive(Deserialize)]
    struct Page {
        rows: Vec<Row>,
    }
    #[derive(Deserialize)]
    struct Row {
        name: String,
    }
    let page: Page = client.get(&format!("/api/data/accounts?workspaceId={workspace}")).await?;
    Ok(page.rows.into_iter().map(|row| plain::line(&row.name, 100)).collect())
}

/// Nothing of it is left on the server.
async fn leave(client: &Client, path: &str) -> anyhow::Result<()> {
    client.delete::<Value>(path).await?;
    Ok(())
}

fn tell(details: &Details, is_dry_run: bool) -> io::Result<()> {
    let Import { read, new, changed, duplicates, deleted, refused, .. } = &details.import;
    let would = if is_dry_run { "would be " } else { "" };
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{read} rows read: {would}{new} new, {changed} changed, {duplicates} duplicates, {refused} refused"
    )?;
    if *deleted > 0 {
        let (were, stay) = if *deleted == 1 { ("was", "stays") } else { ("were", "stay") };
        writeln!(out, "{deleted} of the duplicates {were} deleted by somebody, and {stay} so")?;
    }
    for account in &details.report.accounts {
        let name = plain::line(&account.name, 100);
        if account.is_new {
            writeln!(out, "new account: {name}")?;
        }
        if account.difference.is_some_and(|difference| difference != 0) {
            writeln!(out, "the balance of {name} differs from its statement's")?;
        }
    }
    if !details.report.new_categories.is_empty() {
        writeln!(out, "new categories: {}", plain::line(&details.report.new_categories.join(", "), 500))?;
    }
    for remark in details.remarks.iter().take(SHOWN) {
        let what = if remark.of == "refused" { "refused: " } else { "" };
        writeln!(out, "line {}: {what}{}", remark.line, plain::line(&remark.text, 300))?;
    }
    match details.remarks.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => writeln!(out, "and {more} more"),
    }
}

fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

fn is_yes(answer: &str) -> bool {
    answer.to_lowercase().starts_with('y')
}

async fn ask(prompt: &str) -> anyhow::Result<String> {
    write!(io::stderr(), "{prompt}")?;
    io::stderr().flush()?;
    let line = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|read| (read, line))
    });
    let (read, line) = line.await??;
    if read == 0 {
        bail!("nobody answers");
    }
    Ok(line.trim().to_owned())
}
