//! One turn: sends the message, shows its events, asks for approvals, and stops the turn on Ctrl-C.

use std::collections::HashSet;
use std::time::Duration;

use baton_core::events::Event;
use baton_core::ids::{AgentId, ApprovalId};
use baton_core::log::TurnStatus;
use serde_json::json;
use uuid::Uuid;

use crate::api::Verdict;
use crate::approval::{self, Asked, Wanted};
use crate::client::Client;
use crate::feed::{Feed, Heard};
use crate::holder::Suggested;
use crate::paint::Style;
use crate::plain;
use crate::stored;
use crate::terminal::Terminal;

/// How long what else is running may take to be shown, once the turn waits for someone who isn't here.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How much is shown of what keeps a turn waiting.
const TROUBLE: usize = 500;

/// Who decides on tool calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    Ask,
    /// Nobody is asked: all are allowed.
    Given,
    /// Nobody can be asked here.
    Elsewhere,
}

/// How the turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Completed,
    Failed,
    Stopped,
    /// For an approval.
    Waiting,
    /// The person left before the end.
    Left,
}

impl From<TurnStatus> for End {
    fn from(status: TurnStatus) -> Self {
        match status {
            TurnStatus::Completed => Self::Completed,
            TurnStatus::Stopped => Self::Stopped,
            TurnStatus::Failed => Self::Failed,
        }
    }
}

/// A conversation that goes on.
pub struct Talk<'a> {
    pub client: &'a Client,
    pub terminal: &'a mut Terminal,
    pub workspace: Uuid,
    /// Who a new conversation begins with.
    pub with: Option<With>,
    /// Who answers, as far as is known.
    pub holder: Option<AgentId>,
    pub suggested: Option<Suggested>,
    pub conversation: Option<Uuid>,
    pub consent: Consent,
    /// Whether the last turn ended in an error.
    pub has_failed: bool,
    pub names: stored::Names,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum With {
    Agent(Uuid),
    Team(Uuid),
}

/// Where a turn is.
struct Progress {
    origin: Origin,
    stop: Stop,
    seen: HashSet<ApprovalId>,
    waiting: bool,
}

/// Who began a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Here,
    Elsewhere,
}

impl Progress {
    fn of(origin: Origin) -> Self {
        Self { origin, stop: Stop::No, seen: HashSet::new(), waiting: false }
    }
}

/// Why a call is left to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    /// The person was asked, and didn't say.
    Undecided,
    NobodyHere,
    /// A token asked for it, and can't allow it.
    OwnRequest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    No,
    Wanted,
    Sent,
}

impl Talk<'_> {
    /// Says something, and sees the turn that answers it to its end.
    pub async fn say(&mut self, message: &str) -> anyhow::Result<End> {
        let mut body = json!({"message": message, "workspaceId": self.workspace});
        match (self.conversation, self.with) {
            (Some(id), _) => body["conversationId"] = json!(id),
            (None, Some(With::Agent(id))) => body["agentId"] = json!(id),
            (None, Some(With::Team(id))) => body["teamId"] = json!(id),
            (None, None) => {}
        }
        self.see_through(Feed::new(self.client, body), Progress::of(Origin::Here)).await
    }

    /// Tries the last turn again.
    pub async fn retry(&mut self) -> anyhow::Result<End> {
        let Some(id) = self.conversation else { anyhow::bail!("there is nothing to try again yet") };
        self.see_through(Feed::again(self.client, id), Progress::of(Origin::Here)).await
    }

    /// Takes up the turn that is under way in the conversation, with what it waits for; `None` if there is none.
    pub async fn take_up(&mut self) -> anyhow::Result<Option<End>> {
        let Some(id) = self.conversation else { return Ok(None) };
        let stored = self.client.conversation(id).await?;
        if stored.turn.is_none() {
            return Ok(None);
        }
        let feed = Feed::following(self.client, id, stored.cursor.clone());
        let mut progress = Progress::of(Origin::Elsewhere);
        for event in stored::events(&stored, &self.names) {
            self.take(&event, &mut progress).await?;
        }
        self.see_through(feed, progress).await.map(Some)
    }

    async fn see_through(&mut self, feed: Feed<'_>, progress: Progress) -> anyhow::Result<End> {
        self.has_failed = false;
        self.suggested = None;
        let end = self.follow(feed, progress).await?;
        self.has_failed = end == End::Failed;
        Ok(end)
    }

    async fn follow(&mut self, mut feed: Feed<'_>, mut progress: Progress) -> anyhow::Result<End> {
        let client = self.client;
        loop {
            if let (Stop::Wanted, Some(id)) = (progress.stop, feed.conversation()) {
                progress.stop = Stop::Sent;
                let stopped = tokio::select! {
                    stopped = client.stop(id) => stopped,
                    () = self.terminal.interrupted() => return Ok(End::Left),
                };
                if let Err(failure) = stopped {
                    self.terminal.note(Style::Error, &format!("could not stop it: {failure}"))?;
                }
            }
            let heard = tokio::select! {
                heard = feed.next() => heard?,
                () = self.terminal.interrupted() => {
                    if progress.stop != Stop::No {
                        return Ok(End::Left);
                    }
                    progress.stop = Stop::Wanted;
                    self.terminal.note(Style::Dim, "stopping … (Ctrl-C again to leave)")?;
                    continue;
                }
                () = tokio::time::sleep(LAST_WORDS), if progress.waiting => return Ok(End::Waiting),
            };
            self.conversation = feed.conversation().or(self.conversation);
            let end = match heard {
                Heard::Retrying => {
                    self.terminal.note(Style::Dim, "(no connection, trying again)")?;
                    None
                }
                Heard::Trouble(message) => {
                    self.terminal.note(Style::Notice, &format!("({})", plain::line(&message, TROUBLE)))?;
                    None
                }
                Heard::Event(event) => self.take(&event, &mut progress).await?,
                Heard::Reset => self.reread(&mut feed, &mut progress).await?,
            };
            if let Some(end) = end {
                return Ok(end);
            }
        }
    }

    async fn take(&mut self, event: &Event, progress: &mut Progress) -> anyhow::Result<Option<End>> {
        self.terminal.show(event)?;
        self.note_holder(event);
        if let Event::Done { status, .. } = event {
            return Ok(Some(End::from(*status)));
        }
        for wanted in approval::wanted_in(event) {
            if progress.seen.insert(wanted.id) && progress.stop == Stop::No {
                self.decide(&wanted, progress).await?;
            }
        }
        Ok(None)
    }

    async fn decide(&mut self, wanted: &Wanted, progress: &mut Progress) -> anyhow::Result<()> {
        if progress.origin == Origin::Here && !self.client.is_session() {
            return self.leave(wanted, progress, Left::OwnRequest);
        }
        loop {
            let verdict = match self.consent {
                Consent::Given => Verdict::Approve { arguments: None, remember: false },
                Consent::Elsewhere => return self.leave(wanted, progress, Left::NobodyHere),
                Consent::Ask => match approval::ask(self.terminal, wanted).await? {
                    Asked::Decided(verdict) => verdict,
                    Asked::Left => return self.leave(wanted, progress, Left::Undecided),
                    Asked::Interrupted => {
                        progress.stop = Stop::Wanted;
                        return Ok(());
                    }
                },
            };
            let Err(failure) = self.client.decide(wanted, &verdict).await else { return Ok(()) };
            self.terminal.note(Style::Error, &failure.to_string())?;
            match (failure.code(), self.consent) {
                // Decided elsewhere, or too late: the stream says what became of it.
                ("already_decided" | "too_late", _) => return Ok(()),
                // Other arguments may do.
                ("invalid_field", Consent::Ask) => {}
                _ => return self.leave(wanted, progress, Left::Undecided),
            }
        }
    }

    /// Says what waits, and how it can go on.
    fn leave(&mut self, wanted: &Wanted, progress: &mut Progress, why: Left) -> anyhow::Result<()> {
        progress.waiting = true;
        if why != Left::Undecided {
            let lines = wanted.lines(self.terminal.display_name(&wanted.call_id));
            for line in lines {
                self.terminal.note(Style::Notice, &line)?;
            }
        }
        let how = match why {
            Left::Undecided => "",
            Left::NobodyHere => ": go on with the conversation on a terminal, or with --yes",
            Left::OwnRequest => {
                ". A token can't approve what it asked for itself: sign in to approve it, in the web app, \
                 or with baton chat on the server's own machine"
            }
        };
        self.terminal.note(Style::Notice, &format!("it waits for your approval{how}"))?;
        Ok(())
    }

    /// Shows the turn as it is stored, and goes on from there.
    async fn reread(&mut self, feed: &mut Feed<'_>, progress: &mut Progress) -> anyhow::Result<Option<End>> {
        let Some(id) = self.conversation else { anyhow::bail!("the server lost the conversation") };
        let stored = self.client.conversation(id).await?;
        for event in stored::events(&stored, &self.names) {
            self.take(&event, progress).await?;
        }
        if stored.turn.is_none() {
            return Ok(Some(stored::end(&stored)));
        }
        feed.resume_at(stored.cursor);
        Ok(None)
    }
}
