//! Skills of a workspace.

use async_trait::async_trait;

use super::Result;
use crate::ids::{AgentId, ProfileId, SkillId, WorkspaceId};
use crate::skills::{ImportedSkill, Skill, SkillChanges, SkillImport, SkillSummary};

#[async_trait]
pub trait Skills: Send + Sync {
    /// A workspace's skills, by name.
    async fn skills(&self, workspace: WorkspaceId) -> Result<Vec<Skill>>;
    async fn skill(&self, id: SkillId) -> Result<Skill>;
    /// What an agent can load: active and assigned to it, by name.
    async fn skills_of(&self, agent: AgentId) -> Result<Vec<SkillSummary>>;
    /// One of those, whole.
    async fn skill_of(&self, agent: AgentId, name: &str) -> Result<Option<Skill>>;
    async fn create_skill(&self, workspace: WorkspaceId, skill: SkillChanges, by: ProfileId)
    -> Result<Skill>;
    async fn change_skill(&self, id: SkillId, changes: SkillChanges, by: ProfileId) -> Result<Skill>;
    async fn delete_skill(&self, id: SkillId, by: ProfileId) -> Result<()>;
    /// Makes the skills whose names are new, and gives those that are there the new description and content.
    async fn import_skills(
        &self,
        workspace: WorkspaceId,
        skills: Vec<ImportedSkill>,
        by: ProfileId,
    ) -> Result<SkillImport>;
}
