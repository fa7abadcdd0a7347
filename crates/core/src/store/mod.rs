//! What the server asks of the store: traits that read as lists of use cases, one file per subject.

mod agents;
mod allow_rules;
mod attachments;
mod catalog;
mod channels;
mod conversations;
mod data;
mod effects;
mod engine;
mod figures;
mod files;
mod handoffs;
mod imports;
mod memories;
mod money;
mod pages;
mod people;
mod projects;
mod reports;
mod result_files;
mod rules;
mod sales;
mod secrets;
mod skills;
mod spending;
mod teams;
mod tool_permissions;
mod turns;
mod usage;
mod workspaces;

pub use agents::{AgentStats, Agents, WorkspaceStats};
pub use allow_rules::AllowRules;
pub use attachments::Attachments;
pub use catalog::Catalog;
pub use channels::Channels;
pub use conversations::Conversations;
pub use data::{ChangesOf, Rows};
pub use effects::{Effects, Written};
pub use engine::EngineStore;
pub use figures::Figures;
pub use files::Files;
pub use handoffs::{DefinedTools, Handoffs, NewTool, PairTotal, Task, TaskTree, TransitionQuery};
pub use imports::{Exports, FilePieces, Imports, KnownTransaction};
pub use memories::Memories;
pub use money::{MoneyRows, Split};
pub use pages::Pages;
pub use people::{People, Sessions};
pub use projects::{CalendarFeeds, Projects};
pub use reports::Reports;
pub use result_files::ResultFiles;
pub use rules::Rules;
pub use sales::Sales;
pub use secrets::{Providers, Secrets};
pub use skills::Skills;
pub use spending::Spending;
pub use teams::Teams;
pub use tool_permissions::ToolPermissions;
pub use turns::{ApprovalQuery, Approvals, ForkPoint, Forks, Steps, StepsPage, Turns, Version};
pub use usage::{DayUsed, UsageByDay, UsageQuery};
pub use workspaces::Workspaces;

use futures::stream::BoxStream;

use crate::data::areas::AreaRefused;
use crate::text::Invalid;

/// The whole store, behind one pointer.
pub trait Store:
    People
    + Sessions
    + Workspaces
    + Catalog
    + Agents
    + AllowRules
    + Rules
    + Conversations
    + Files
    + Turns
    + Steps
    + Approvals
    + Forks
    + Skills
    + Memories
    + Pages
    + Channels
    + Effects
    + Rows
    + MoneyRows
    + Sales
    + Projects
    + CalendarFeeds
    + Attachments
    + ResultFiles
    + Imports
    + Exports
    + FilePieces
    + Teams
    + DefinedTools
    + ToolPermissions
    + Handoffs
    + UsageByDay
    + Reports
    + Figures
    + Spending
    + Secrets
    + Providers
    + Send
    + Sync
{
    /// Grows with every write but the turns' own. `None` where other processes write too, and nothing read may be kept.
    fn generation(&self) -> Option<u64>;

    /// The last such number that this process heard of, whoever wrote. What was kept under it may be out of date: it is
    /// only for what a commit confirms ([`Commit::known`](crate::turns::Commit)).
    fn last_generation(&self) -> Option<u64>;
}

/// Why the store did not do what was asked: the cases that callers treat differently.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("there is no such {0}")]
    NotFound(&'static str),
    #[error("your role in this workspace is too low")]
    RoleTooLow,
    #[error("a token can't let an agent act without being asked: please sign in to do this")]
    LoosenedByToken,
    #[error("this email address has an account already")]
    EmailTaken,
    #[error("there is a {what} with this {field} already")]
    NameTaken { what: &'static str, field: &'static str },
    #[error("there can be at most {limit} {what}: delete some first")]
    TooMany { what: &'static str, limit: u64 },
    #[error("this agent is hired already")]
    AlreadyHired,
    #[error("this team is hired already")]
    TeamHired,
    #[error("a workspace needs an owner: make someone else an owner first")]
    LastOwner,
    #[error("the server needs an admin: make someone else an admin first")]
    LastAdmin,
    #[error("an answer is under way in this conversation: wait for it or stop it")]
    TurnInProgress,
    #[error("this conversation is a subtask: only the agents write in it")]
    IsSubtask,
    #[error("this link was used already, was taken back, or has expired")]
    LinkSpent,
    #[error("this invitation is for another email address")]
    InvitedSomeoneElse,
    #[error(
        "secrets are encrypted with the key {0}, which this server does not have: give it the secret_key of the servers \
         that have it, or the file secret.key from their data folder"
    )]
    SealedElsewhere(String),
    #[error(transparent)]
    AreaRefused(#[from] AreaRefused),
    #[error(transparent)]
    Invalid(#[from] Invalid),
    #[error("the disk is full")]
    Full,
    #[error("the database does not answer")]
    Unavailable,
    #[error("the database failed")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
}

pub type Result<T> = std::result::Result<T, Error>;

/// A JSON value in pieces. An error is the last of them.
pub type Pieces = BoxStream<'static, Result<String>>;
