//! A type per kind of id, so that an agent's id can't be passed where a workspace's is meant.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new id; ids made later sort later (UUIDv7).
            #[allow(clippy::new_without_default)]
            pub fn new() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

ids! {
    ProfileId,
    /// A person without an account, named by a signed cookie.
    VisitorId,
    WorkspaceId,
    InvitationId,
    TokenId,
    DepartmentId,
    /// An entry of the catalog (`ai_agents`).
    CatalogAgentId,
    /// A workspace's hired or own agent (`agents`).
    AgentId,
    RuleId,
    ConversationId,
    MessageId,
    FileId,
    /// A unit of agent work; a turn is known by its root task.
    TaskId,
    ActivationId,
    ApprovalId,
    MemoryId,
    SkillId,
    TeamId,
    /// A tool that people defined.
    ToolId,
    /// One attempted handoff.
    TransitionId,
    SnapshotId,
    /// A model provider that was set in the app.
    ProviderId,
    /// A file that someone brought into a workspace.
    ImportId,
    /// A file that was made for someone.
    ExportId,
    /// A page of a workspace's knowledge.
    PageId,
    /// An image or another file of a page.
    PageFileId,
    PageImportId,
    ChannelId,
    ChannelMessageId,
    /// One run of one server process.
    NodeId,
}
