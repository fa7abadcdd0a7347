//! The parts of a store that no turn asks for. They answer that the database does not. What turns do ask for goes to the
//! store's own `…_now`.

use async_trait::async_trait;
use baton_core::access::Viewer;
use baton_core::agents::{Agent, AgentChanges, AgentDefinition, Author, Department};
use baton_core::allow_rules::{AllowRule, NewAllowRule};
use baton_core::attachments::{Attachment, AttachmentRef, NewAttachment};
use baton_core::catalog::{AgentListing, Applied, CatalogAgent, CatalogVersion, Offer, Publish};
use baton_core::conversations::{
    Conversation, ConversationQuery, Deleted, ImportedMessage, Message, NewConversation, ReadConversation,
    RoomTaken, Versions,
};
use baton_core::files::{File, NewFile};
use baton_core::ids::*;
use baton_core::listing::{AgentQuery, Page, ProfileQuery, Window};
use baton_core::memories::{Memory, MemoryChanges, MemoryQuery, NewMemory, Scope};
use baton_core::packs::Pack;
use baton_core::people::*;
use baton_core::rules::{Rule, RuleChanges};
use baton_core::skills::{ImportedSkill, Skill, SkillChanges, SkillImport, SkillSummary};
use baton_core::store::*;
use baton_core::teams::{Team, TeamDefinition};
use baton_core::visitors::Person;
use baton_core::workspaces::{
    AuditEvent, Invitation, Member, Membership, NewInvitation, Role, Workspace, WorkspaceChanges,
};
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::faulty_store::FaultyStore;
use super::memory_store::MemoryStore;

/// Implements a trait for both stores: what is in braces as it stands, what follows by refusing.
macro_rules! absent {
    ($trait:ident { $($here:tt)* } $($absent:tt)*) => {
        absent! { MemoryStore: $trait { $($here)* } $($absent)* }
        absent! { FaultyStore: $trait { $($here)* } $($absent)* }
    };
    ($store:ident: $trait:ident { $($here:tt)* } $(fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {
        #[async_trait]
        impl $trait for $store {
            $($here)*
            $(async fn $name(&self, $($arg: $type),*) -> Result<$out> {
                $(let _ = $arg;)*
                Err(Error::Unavailable)
            })*
        }
    };
}

absent! { People {
        async fn profile(&self, id: ProfileId) -> Result<Profile> {
            self.profile_now(id).await
        }
    }
    fn sign_up(new: NewProfile, first: FirstWorkspace) -> Profile;
    fn credentials(email: &str) -> Option<Credentials>;
    fn password_hash(id: ProfileId) -> Option<String>;
    fn profile_by_email(email: &str) -> Profile;
    fn memberships(id: ProfileId) -> Vec<Membership>;
    fn change_profile(id: ProfileId, changes: ProfileChanges, session: &[u8]) -> Profile;
    fn export_profile(id: ProfileId) -> Pieces;
    fn delete_profile(id: ProfileId) -> ();
    fn profiles(query: ProfileQuery) -> Page<Profile>;
    fn set_standing(id: ProfileId, standing: Standing, by: Option<ProfileId>) -> Profile;
    fn has_admin() -> bool;
    fn instance_secret(name: &str) -> Vec<u8>;
    fn note(name: &str) -> Option<String>;
    fn set_note(name: &str, value: &str) -> ();
}

absent! { Sessions {}
    fn open_session(id: ProfileId, new: NewSession) -> ();
    fn session(hash: &[u8]) -> Option<SessionOwner>;
    fn extend_session(hash: &[u8], expires_at: DateTime<Utc>) -> ();
    fn close_session(hash: &[u8]) -> ();
    fn delete_expired() -> ();
    fn create_token(new: NewToken) -> Token;
    fn tokens(id: ProfileId) -> Vec<Token>;
    fn delete_token(owner: ProfileId, id: TokenId) -> ();
    fn token(hash: &[u8]) -> Option<TokenOwner>;
    fn create_link(new: NewLink) -> ();
    fn link(hash: &[u8]) -> Link;
    fn spend_link(hash: &[u8], session: NewSession) -> Profile;
    fn spend_first_admin_link(hash: &[u8], new: NewProfile, name: &str, session: NewSession) -> Profile;
}

absent! { Workspaces {
        async fn workspace(&self, id: WorkspaceId) -> Result<Workspace> {
            self.workspace_now(id).await
        }

        async fn role(&self, id: WorkspaceId, profile: ProfileId) -> Result<Option<Role>> {
            self.role_now(id, profile).await
        }
    }
    fn create_workspace(name: &str, owner: ProfileId) -> Workspace;
    fn workspace_by_slug(slug: &str) -> Workspace;
    fn change_workspace(id: WorkspaceId, by: ProfileId, changes: WorkspaceChanges) -> Workspace;
    fn export_workspace(id: WorkspaceId, by: ProfileId) -> Pieces;
    fn delete_workspace(id: WorkspaceId, by: ProfileId) -> ();
    fn audit(id: WorkspaceId, window: Window) -> Page<AuditEvent>;
    fn members(id: WorkspaceId) -> Vec<Member>;
    fn set_role(id: WorkspaceId, by: ProfileId, member: ProfileId, role: Role) -> Member;
    fn remove_member(id: WorkspaceId, by: ProfileId, member: ProfileId) -> ();
    fn invite(new: NewInvitation) -> Invitation;
    fn invitations(id: WorkspaceId) -> Vec<Invitation>;
    fn revoke_invitation(id: WorkspaceId, by: ProfileId, invitation: InvitationId) -> ();
    fn invitation(hash: &[u8]) -> Invitation;
    fn accept_invitation(hash: &[u8], profile: ProfileId) -> WorkspaceId;
}

absent! { Catalog {}
    fn apply_pack(pack: &Pack, publish: Publish) -> Applied;
    fn departments() -> Vec<Department>;
    fn catalog(search: Option<&str>, window: Window) -> Page<CatalogAgent>;
    fn catalog_agent(id: CatalogAgentId) -> CatalogAgent;
    fn catalog_versions(id: CatalogAgentId) -> Vec<CatalogVersion>;
    fn add_catalog_agent(definition: AgentDefinition, by: ProfileId) -> CatalogAgent;
    fn change_catalog_agent(id: CatalogAgentId, changes: AgentChanges, by: ProfileId) -> CatalogAgent;
    fn publish_catalog_agent(id: CatalogAgentId, version: i32, by: ProfileId) -> CatalogAgent;
    fn offer_catalog_agent(id: CatalogAgentId, offer: Offer, by: ProfileId) -> (CatalogAgent, Vec<WorkspaceId>);
}

absent! { Agents {
        async fn agent(&self, id: AgentId) -> Result<Agent> {
            self.agent_now(id).await
        }
    }
    fn agents(query: AgentQuery, viewer: Viewer) -> Page<AgentListing>;
    fn agent_listing(id: Uuid, workspace: Option<WorkspaceId>) -> AgentListing;
    fn hire(id: CatalogAgentId, workspace: WorkspaceId, by: Author) -> Agent;
    fn hire_back(id: AgentId, by: Author) -> Agent;
    fn unhire(id: AgentId, by: Author) -> ();
    fn create_agent(workspace: WorkspaceId, definition: AgentDefinition, by: Author) -> Agent;
    fn change_agent(id: AgentId, changes: AgentChanges, by: Author) -> Agent;
    fn update_agent(id: AgentId, by: Author) -> Agent;
    fn stats(workspace: WorkspaceId, person: ProfileId, viewer: Viewer) -> WorkspaceStats;
}

absent! { Rules {
        async fn rules_of(&self, agent: Option<AgentId>, of: Option<CatalogAgentId>) -> Result<Vec<Rule>> {
            self.rules_now(agent, of).await
        }
    }
    fn rules(workspace: Option<WorkspaceId>) -> Vec<Rule>;
    fn rule(id: RuleId) -> Rule;
    fn create_rule(workspace: Option<WorkspaceId>, rule: RuleChanges, by: ProfileId) -> Rule;
    fn change_rule(id: RuleId, changes: RuleChanges, by: ProfileId) -> Rule;
    fn delete_rule(id: RuleId, by: ProfileId) -> ();
}

absent! { Conversations {}
    fn create_conversation(new: NewConversation) -> Conversation;
    fn conversations(query: ConversationQuery) -> Vec<Conversation>;
    fn conversation(id: ConversationId, person: Person) -> Conversation;
    fn read_conversation(id: ConversationId, person: Person, before: Option<MessageId>, limit: u64) -> ReadConversation;
    fn import_messages(id: ConversationId, person: Person, messages: Vec<ImportedMessage>) -> Vec<Message>;
    fn room_taken(workspace: WorkspaceId) -> RoomTaken;
    fn idle_of_visitors(before: DateTime<Utc>, limit: u64) -> Vec<Conversation>;
    fn rename_conversation(id: ConversationId, person: Person, title: &str) -> Vec<Conversation>;
    fn delete_conversation(id: ConversationId, person: Person, versions: Versions) -> Vec<Deleted>;
}

absent! { Files {}
    fn keep_file(new: NewFile) -> FileId;
    fn file(id: FileId) -> File;
    fn file_workspace(id: FileId) -> Option<WorkspaceId>;
}

absent! { Forks {}
    fn fork(id: ConversationId, person: Person, before: MessageId) -> Conversation;
    fn fork_points(conversation: &Conversation) -> Vec<ForkPoint>;
}

absent! { Skills {}
    fn skills(workspace: WorkspaceId) -> Vec<Skill>;
    fn skill(id: SkillId) -> Skill;
    fn skills_of(agent: AgentId) -> Vec<SkillSummary>;
    fn skill_of(agent: AgentId, name: &str) -> Option<Skill>;
    fn create_skill(workspace: WorkspaceId, skill: SkillChanges, by: ProfileId) -> Skill;
    fn change_skill(id: SkillId, changes: SkillChanges, by: ProfileId) -> Skill;
    fn delete_skill(id: SkillId, by: ProfileId) -> ();
    fn import_skills(workspace: WorkspaceId, skills: Vec<ImportedSkill>, by: ProfileId) -> SkillImport;
}

absent! { AllowRules {
        async fn allow_rules(&self, _agent: AgentId) -> Result<Vec<AllowRule>> {
            Ok(Vec::new())
        }
    }
    fn make_allow_rule(new: NewAllowRule, by: ProfileId) -> AllowRule;
    fn take_back_allow_rule(agent: AgentId, tool_name: &str, by: ProfileId) -> ();
}

absent! { Memories {}
    fn memories(query: MemoryQuery) -> Page<Memory>;
    fn recall(agent: AgentId, person: Option<ProfileId>, scope: Option<Scope>, words: &[String], limit: u64) -> Vec<Memory>;
    fn memory(agent: AgentId, id: MemoryId, person: Option<ProfileId>) -> Memory;
    fn memory_at(agent: AgentId, path: &str, person: Option<ProfileId>) -> Option<Memory>;
    fn count_memories(agent: AgentId, person: ProfileId, scope: Scope) -> u64;
    fn create_memory(new: NewMemory, by: ProfileId) -> Memory;
    fn change_memory(agent: AgentId, id: MemoryId, changes: MemoryChanges, by: ProfileId) -> Memory;
    fn delete_memory(agent: AgentId, id: MemoryId, by: ProfileId) -> ();
}

absent! { Attachments {
        async fn attachments(&self, ids: &[FileId], person: Person, most: usize) -> Result<Vec<Attachment>> {
            self.attachments_now(ids, person, most).await
        }
    }
    fn keep_attachment(new: NewAttachment) -> AttachmentRef;
    fn attachment(id: FileId, person: Person) -> Attachment;
    fn own_attachments(workspace: WorkspaceId, person: Person, window: Window) -> Page<AttachmentRef>;
    fn delete_attachment(id: FileId, person: Person) -> ();
    fn attachment_refs(ids: &[FileId], workspace: WorkspaceId, person: Person) -> Vec<AttachmentRef>;
}

absent! { Teams {
        async fn team(&self, id: TeamId) -> Result<Team> {
            self.team_now(id).await
        }
    }
    fn teams(workspace: WorkspaceId) -> Vec<Team>;
    fn create_team(workspace: WorkspaceId, definition: TeamDefinition, by: ProfileId) -> Team;
    fn change_team(id: TeamId, definition: TeamDefinition, by: ProfileId) -> Team;
    fn delete_team(id: TeamId, by: ProfileId) -> ();
    fn hire_team(pack: &Pack, team: &str, workspace: WorkspaceId, by: Author) -> Team;
}

absent! { UsageByDay {}
    fn usage_by_day(query: UsageQuery) -> Vec<DayUsed>;
}
