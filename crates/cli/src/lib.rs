//! `baton chat`: talk to an agent from the terminal, over the public API. `baton import` (`import.rs`) brings a file in, and
//! pages (`import_pages.rs`).
//!
//! A message goes `turn.rs` → `feed.rs` (which keeps the stream alive) → `render/` (pure) → `terminal.rs`. Of Baton's
//! other crates this one knows only core, for the words of the API; so it can talk to a server of another version.

mod api;
mod approval;
mod choice;
mod client;
mod command;
mod feed;
mod holder;
mod import;
mod import_pages;
mod input;
mod options;
mod paint;
mod partner;
mod plain;
mod render;
mod session;
mod sse;
mod stored;
mod terminal;
mod turn;

use std::io;
use std::process::ExitCode;

use baton_core::ids::AgentId;

use crate::command::{Command, RETRY, SWITCH};
pub use crate::import::run as import;
use crate::input::Input;
pub use crate::options::{ImportOptions, Options, Server};
use crate::paint::Style;
use crate::partner::Partner;
use crate::render::Reasoning;
pub use crate::session::LocalSession;
use crate::session::Session;
use crate::terminal::{Terminal, Typed};
use crate::turn::{Consent, End, Talk};

const INTERRUPTED: u8 = 130;
const WAITING: u8 = 3;
/// As if the signal had ended us, like other programs whose reader has gone.
const NO_READER: u8 = 141;

/// What the command line asks for.
enum Wish {
    Say(String),
    Retry,
    /// Nothing new: allow what waits, and see how it goes on.
    Allow,
    /// A conversation, line by line.
    Talk,
}

/// `open_here` opens a session at the server of this machine; it is asked only without BATON_TOKEN.
pub async fn run(
    options: Options,
    open_here: impl AsyncFnOnce(&Server) -> anyhow::Result<LocalSession>,
) -> anyhow::Result<ExitCode> {
    let wish = match options.retry {
        true => Wish::Retry,
        false => match input::message(options.message.as_deref())? {
            Input::Terminal => Wish::Talk,
            Input::Message(message) => Wish::Say(message),
            Input::Nothing if options.yes && options.conversation.is_some() => Wish::Allow,
            Input::Nothing => anyhow::bail!("there is nothing to say: the message is empty"),
        },
    };
    let session = Session::begin(&options.server, open_here).await?;
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
    let partner = Partner::meant(session, options).await?;
    let reasoning = if options.no_reasoning { Reasoning::Hidden } else { Reasoning::Shown };
    let mut terminal = Terminal::open(reasoning);
    let consent = match (options.yes, terminal.can_ask()) {
        (true, _) => Consent::Given,
        (false, true) => Consent::Ask,
        (false, false) => Consent::Elsewhere,
    };
    if matches!(wish, Wish::Talk) {
        let (doing, name) = (&partner.hello, &session.me.profile.name);
        let hello = format!(
            "{doing} as {name}. Ctrl-C stops an answer, {RETRY} tries again, {SWITCH} NAME changes agents, Ctrl-D ends."
        );
        terminal.note(Style::Dim, &plain::line(&hello, 300))?;
    }
    if client.has_only_the_demo().await? {
        terminal.note(Style::Dim, "No model provider is set up: the demo model answers.")?;
    }
    let mut talk = Talk {
        client,
        terminal: &mut terminal,
        workspace: partner.workspace,
        with: partner.with,
        holder: partner.holder,
        suggested: None,
        conversation: options.conversation,
        consent,
        has_failed: false,
        names: partner
            .agents
            .iter()
            .filter_map(|it| Some((AgentId(it.local_id?), it.name.clone())))
            .collect(),
    };
    let code = carry_out(&mut talk, &wish).await;
    // Also where it went wrong: what the server has accepted goes on there.
    if let Some(id) = talk.conversation {
        if let Some(suggested) = talk.suggested.take() {
            let hint = format!(
                "{} was said to take over, but was handed nothing: go on, and {SWITCH}",
                suggested.name
            );
            talk.terminal.note(Style::Notice, &plain::line(&hint, 300))?;
        }
        if talk.has_failed && !matches!(wish, Wish::Talk) {
            talk.terminal
                .note(Style::Dim, &format!("try again with: baton chat --retry --conversation {id}"))?;
        }
        talk.terminal.note(Style::Dim, &format!("go on with: baton chat --conversation {id}"))?;
    }
    code
}

async fn carry_out(talk: &mut Talk<'_>, wish: &Wish) -> anyhow::Result<ExitCode> {
    // Where nobody can be asked, a message is what it says it is: writing on rejects what waits. What is allowed
    // beforehand is what comes of the message.
    let taken_up = match (talk.consent, wish) {
        (Consent::Elsewhere, _) | (Consent::Given, Wish::Say(_)) => None,
        (Consent::Ask | Consent::Given, _) => talk.take_up().await?,
    };
    match (wish, taken_up) {
        (Wish::Talk, _) => many_turns(talk).await,
        // An approval that waits is not rejected by a new message.
        (Wish::Say(_), Some(End::Waiting | End::Left)) => Ok(exit_code(End::Waiting)),
        (Wish::Say(message), _) => talk.say(message).await.map(exit_code),
        (Wish::Allow, Some(end)) => Ok(exit_code(end)),
        (Wish::Allow, None) => anyhow::bail!("nothing waits in this conversation"),
        // It was under way still.
        (Wish::Retry, Some(end)) => Ok(exit_code(end)),
        (Wish::Retry, None) => talk.retry().await.map(exit_code),
    }
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
        let turn = match command::parse(&line) {
            Command::Say(words) => talk.say(words).await,
            Command::Retry => talk.retry().await,
            Command::Agents => talk.list_agents().await.map(|()| End::Completed),
            Command::Switch(named) => talk.switch(named).await.map(|()| End::Completed),
        };
        let turn = match turn {
            Ok(End::Completed) => talk.offer().await.map(|()| End::Completed),
            other => other,
        };
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
