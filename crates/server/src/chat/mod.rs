//! `baton chat`: talk to an agent from the terminal, over the public API.
//!
//! A message goes `turn.rs` → `feed.rs` (which keeps the stream alive) → `render.rs` (pure) → `terminal.rs`.

mod api;
mod approval;
mod choice;
mod client;
mod feed;
mod input;
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

use std::io;
use std::process::ExitCode;

use baton_core::ids::AgentId;
use uuid::Uuid;

use self::api::Conversation;
use self::client::Client;
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

/// What to type to try again.
const RETRY: &str = "/retry";

/// What the command line asks for.
enum Wish {
    Say(String),
    Retry,
    /// A conversation, line by line.
    Talk,
}

pub async fn run(options: Options) -> anyhow::Result<ExitCode> {
    let wish = match options.retry {
        true => Wish::Retry,
        false => input::message(options.message.as_deref())?.map_or(Wish::Talk, Wish::Say),
    };
    let session = Session::begin(&options).await?;
    let ended = talk(&session, &options, wish).await;
    session.end().await;
    match ended {
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::from(NO_READER)),
        ended => ended,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

async fn talk(session: &Session, options: &Options, wish: Wish) -> anyhow::Result<ExitCode> {
    let client = &session.client;
    let (workspace, conversation) = match options.conversation {
        Some(id) => (named(client, id).await?.workspace_id, Some(id)),
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
    if matches!(wish, Wish::Talk) {
        let doing = agent.map_or("Going on".to_owned(), |agent| format!("Talking to {}", agent.name));
        let name = &session.me.profile.name;
        let hello = format!("{doing} as {name}. Ctrl-C stops an answer, {RETRY} tries again, Ctrl-D ends.");
        terminal.note(Style::Dim, &plain::line(&hello, 300))?;
    }
    if client.has_only_the_demo().await? {
        terminal.note(Style::Dim, "No model provider is set up: the demo model answers.")?;
    }
    let mut talk = Talk {
        client,
        terminal: &mut terminal,
        workspace,
        agent: agent.and_then(|agent| agent.local_id),
        conversation,
        consent,
        has_failed: false,
        names: agents.iter().filter_map(|it| Some((AgentId(it.local_id?), it.name.clone()))).collect(),
    };
    let code = carry_out(&mut talk, &wish).await;
    // Also where it went wrong: what the server has accepted goes on there.
    if let Some(id) = talk.conversation {
        if talk.has_failed && !matches!(wish, Wish::Talk) {
            talk.terminal
                .note(Style::Dim, &format!("try again with: baton chat --retry --conversation {id}"))?;
        }
        talk.terminal.note(Style::Dim, &format!("go on with: baton chat --conversation {id}"))?;
    }
    code
}

async fn carry_out(talk: &mut Talk<'_>, wish: &Wish) -> anyhow::Result<ExitCode> {
    // Where nobody can be asked, a message is what it says it is: writing on rejects what waits.
    let taken_up = match talk.consent {
        Consent::Elsewhere => None,
        Consent::Ask | Consent::Given => talk.take_up().await?,
    };
    match (wish, taken_up) {
        (Wish::Talk, _) => many_turns(talk).await,
        // What was left to wait is not rejected by talking over it.
        (Wish::Say(_), Some(End::Waiting | End::Left)) => Ok(exit_code(End::Waiting)),
        (Wish::Say(message), _) => talk.say(message).await.map(exit_code),
        // It was under way still.
        (Wish::Retry, Some(end)) => Ok(exit_code(end)),
        (Wish::Retry, None) => talk.retry().await.map(exit_code),
    }
}

/// The conversation that the command line names.
async fn named(client: &Client, id: Uuid) -> anyhow::Result<Conversation> {
    let found = client.conversation(id).await;
    found.map_err(|failure| match failure.code() {
        "not_found" => {
            anyhow::anyhow!("--conversation: there is no conversation {id} here that you could go on with")
        }
        _ => failure.into(),
    })
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
        let turn = if line.trim() == RETRY { talk.retry().await } else { talk.say(&line).await };
        match turn {
            Ok(End::Left) => return Ok(exit_code(End::Left)),
            Ok(End::Failed) => talk.terminal.note(Style::Dim, &format!("{RETRY} tries again"))?,
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
