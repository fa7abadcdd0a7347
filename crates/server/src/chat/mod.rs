//! `baton chat`: talk to an agent from the terminal, over the public API.
//!
//! A message goes `turn.rs` → `feed.rs` (which keeps the stream alive) → `render.rs` (pure) → `terminal.rs`.

mod api;
mod approval;
mod choice;
mod client;
mod feed;
mod options;
mod paint;
mod plain;
mod render;
#[cfg(test)]
mod render_tests;
mod reread;
mod session;
mod sse;
mod terminal;
mod turn;

use std::io::{self, IsTerminal, Read};
use std::process::ExitCode;

use anyhow::{Context, bail};
use baton_core::ids::AgentId;

pub use self::options::Options;
use self::paint::Style;
use self::render::Reasoning;
use self::session::Session;
use self::terminal::{Terminal, Typed};
use self::turn::{Consent, End, Talk};

const INTERRUPTED: u8 = 130;
const WAITING: u8 = 3;
/// As if the signal had ended us, like other programs whose reader has gone.
const NO_READER: u8 = 141;

pub async fn run(options: Options) -> anyhow::Result<ExitCode> {
    let message = match &options.message {
        Some(message) => Some(message.clone()),
        None if io::stdin().is_terminal() => None,
        None => Some(piped()?),
    };
    if message.as_ref().is_some_and(|message| message.trim().is_empty()) {
        bail!("there is nothing to say: the message is empty");
    }
    let session = Session::begin(&options).await?;
    let ended = talk(&session, &options, message.as_deref()).await;
    session.end().await;
    match ended {
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::from(NO_READER)),
        ended => ended,
    }
}

fn piped() -> anyhow::Result<String> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).context("standard input is no text")?;
    Ok(text)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

async fn talk(session: &Session, options: &Options, message: Option<&str>) -> anyhow::Result<ExitCode> {
    let client = &session.client;
    let (workspace, conversation) = match options.conversation {
        Some(id) => (client.conversation(id).await?.workspace_id, Some(id)),
        None => (choice::workspace(&session.me.workspaces, options.workspace.as_deref())?.id, None),
    };
    let agents = client.agents(workspace).await?;
    let agent = match conversation {
        Some(_) => None,
        None => {
            let default = client.default_agent(workspace).await?;
            Some(choice::agent(&agents, options.agent.as_deref(), default)?)
        }
    };
    let reasoning = if options.no_reasoning { Reasoning::Hidden } else { Reasoning::Shown };
    let mut terminal = Terminal::open(reasoning);
    let consent = match (options.yes, terminal.can_ask()) {
        (true, _) => Consent::Given,
        (false, true) => Consent::Ask,
        (false, false) => Consent::Elsewhere,
    };
    if message.is_none() {
        let doing = agent.map_or("Going on".to_owned(), |agent| format!("Talking to {}", agent.name));
        let hello = format!("{doing} as {}. Ctrl-C stops an answer, Ctrl-D ends.", session.me.profile.name);
        terminal.note(Style::Dim, &plain::line(&hello, 300))?;
    }
    let mut talk = Talk {
        client,
        terminal: &mut terminal,
        workspace,
        agent: agent.and_then(|agent| agent.local_id),
        conversation,
        consent,
        names: agents.iter().filter_map(|it| Some((AgentId(it.local_id?), it.name.clone()))).collect(),
    };
    // Where nobody can be asked, a message is what it says it is: writing on rejects what waits.
    let taken_up = match consent {
        Consent::Elsewhere => None,
        Consent::Ask | Consent::Given => talk.take_up().await?,
    };
    let code = match message {
        // What was left to wait is not rejected by talking over it.
        Some(_) if matches!(taken_up, Some(End::Waiting | End::Left)) => Ok(exit_code(End::Waiting)),
        Some(message) => talk.say(message).await.map(exit_code),
        None => many_turns(&mut talk).await,
    };
    // Also where it went wrong: what the server has accepted goes on there.
    if let Some(id) = talk.conversation {
        talk.terminal.note(Style::Dim, &format!("go on with: baton chat --conversation {id}"))?;
    }
    code
}

/// Line by line, until Ctrl-D, or Ctrl-C while nothing runs.
async fn many_turns(talk: &mut Talk<'_>) -> anyhow::Result<ExitCode> {
    loop {
        talk.terminal.forget_interrupts();
        let line = match talk.terminal.ask(Style::Bold, "you › ").await? {
            Typed::Line(line) if line.trim().is_empty() => continue,
            Typed::Line(line) => line,
            Typed::End => return Ok(ExitCode::SUCCESS),
            Typed::Interrupt => return Ok(ExitCode::from(INTERRUPTED)),
        };
        match talk.say(&line).await {
            Ok(End::Left) => return Ok(exit_code(End::Left)),
            Ok(_) => {}
            Err(error) if is_broken_pipe(&error) => return Err(error),
            // A message that could not be sent is no reason to leave.
            Err(error) => talk.terminal.note(Style::Error, &format!("error: {error:#}"))?,
        }
    }
}

fn exit_code(end: End) -> ExitCode {
    match end {
        End::Completed => ExitCode::SUCCESS,
        End::Failed => ExitCode::FAILURE,
        End::Waiting => ExitCode::from(WAITING),
        End::Stopped | End::Left => ExitCode::from(INTERRUPTED),
    }
}
