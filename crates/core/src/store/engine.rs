//! The part of the store that the engine asks for: all of `Turns`, `Steps`, `Spending` and `Effects`, and the other
//! queries that a turn makes. Every `Store` is an `EngineStore`.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{
    Agents, AllowRules, Approvals, Attachments, DefinedTools, Effects, Handoffs, People, Result, ResultFiles,
    Rules, Spending, Steps, Store, Teams, Turns, Workspaces,
};
use crate::agents::Agent;
use crate::allow_rules::AllowRule;
use crate::attachments::{Attachment, AttachmentRef};
use crate::data::areas::Areas;
use crate::defined_tools::DefinedTool;
use crate::handoffs::{Activation, NewTransition, Snapshot};
use crate::ids::{
    AgentId, ApprovalId, CatalogAgentId, ConversationId, FileId, ProfileId, TeamId, WorkspaceId,
};
use crate::people::Profile;
use crate::result_files::NewResultFiles;
use crate::rules::Rule;
use crate::teams::Team;
use crate::turns::{Decide, Decided, Refused};
use crate::visitors::Person;
use crate::workspaces::{Role, Workspace};

type Decision = std::result::Result<Decided, Refused>;

/// The trait, and how a whole store answers each call: by the trait that has it.
macro_rules! engine_store {
    ($($(#[$doc:meta])* $trait:ident fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {
        #[async_trait]
        pub trait EngineStore: Turns + Steps + Spending + Effects + Send + Sync {
            /// See [`Store::generation`].
            fn generation(&self) -> Option<u64>;
            /// See [`Store::last_generation`].
            fn last_generation(&self) -> Option<u64>;
            $($(#[$doc])* async fn $name(&self, $($arg: $type),*) -> $out;)*
        }

        #[async_trait]
        impl<T: Store> EngineStore for T {
            fn generation(&self) -> Option<u64> {
                Store::generation(self)
            }

            fn last_generation(&self) -> Option<u64> {
                Store::last_generation(self)
            }

            $(async fn $name(&self, $($arg: $type),*) -> $out {
                $trait::$name(self, $($arg),*).await
            })*
        }
    };
}

engine_store! {
    People fn profile(id: ProfileId) -> Result<Profile>;
    Workspaces fn workspace(id: WorkspaceId) -> Result<Workspace>;
    Workspaces fn role(id: WorkspaceId, profile: ProfileId) -> Result<Option<Role>>;
    Workspaces fn areas(id: WorkspaceId, profile: ProfileId) -> Result<Areas>;
    Agents fn agent(id: AgentId) -> Result<Agent>;
    Teams fn team(id: TeamId) -> Result<Team>;
    Rules fn rules_of(agent: Option<AgentId>, catalog_agent: Option<CatalogAgentId>) -> Result<Vec<Rule>>;
    AllowRules fn allow_rules(agent: AgentId) -> Result<Vec<AllowRule>>;
    DefinedTools fn tools(workspace: WorkspaceId) -> Result<Vec<DefinedTool>>;
    Attachments fn attachments(ids: &[FileId], person: Person, most: usize) -> Result<Vec<Attachment>>;
    ResultFiles fn keep_result_files(new: &NewResultFiles) -> Result<Vec<AttachmentRef>>;
    Handoffs fn hired(workspace: WorkspaceId) -> Result<Vec<Agent>>;
    Handoffs fn active(id: ConversationId) -> Result<Option<(Activation, i64)>>;
    Handoffs fn record_attempt(id: ConversationId, attempt: NewTransition) -> Result<()>;
    Handoffs fn snapshots(id: ConversationId) -> Result<Vec<Snapshot>>;
    Approvals fn decide(decide: Decide) -> Decision;
    Approvals fn remembered(conversation: ConversationId, agent: AgentId) -> Result<Vec<String>>;
    Approvals fn overdue_approvals(now: DateTime<Utc>) -> Result<Vec<ApprovalId>>;
}
