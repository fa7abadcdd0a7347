//! Memories and skills in memory, for tests. They can be read; writes are recorded and change nothing.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use async_trait::async_trait;
use baton_core::effects::{CallPlace, Effect, EffectRefused};
use baton_core::ids::{AgentId, ConversationId, MemoryId, ProfileId, SkillId, TaskId, WorkspaceId};
use baton_core::listing::Page;
use baton_core::memories::{
    Memory, MemoryChanges, MemoryQuery, MemoryWrite, NewMemory, Scope, full_path, may_touch, search_text,
};
use baton_core::skills::{ImportedSkill, Skill, SkillChanges, SkillImport, SkillSummary};
use baton_core::store::{Effects, Error, Memories, Result, Skills, Written};
use baton_core::tools::{Cancelled, TOOL_TIME, ToolContext};
use baton_core::turns::Fence;
use baton_core::visitors::Person;
use chrono::DateTime;
use serde_json::Value;

/// A call by someone with an account, in Zurich.
pub fn context() -> (ToolContext, ProfileId) {
    let person = ProfileId::new();
    let conversation_id = ConversationId::new();
    let fence = Fence { task_id: TaskId::new(), attempt: 1 };
    let context = ToolContext {
        effect: Effect {
            call: CallPlace { conversation_id, seq: 7, fence },
            args_hash: "hash".to_owned(),
            deadline: Instant::now() + TOOL_TIME,
        },
        cancelled: Cancelled::new().1,
        workspace_id: WorkspaceId::new(),
        agent_id: AgentId::new(),
        conversation_id,
        may_change_agent: true,
        person: Person::Profile(person),
        time_zone: "Europe/Zurich".to_owned(),
        context_data: Default::default(),
        teammates: vec![],
    };
    (context, person)
}

/// The latest last.
#[derive(Default)]
pub struct Shelf {
    pub memories: Vec<Memory>,
    pub skills: Vec<Skill>,
    /// What was asked for, and the arguments of the calls that asked.
    pub written: Mutex<Vec<(String, MemoryWrite)>>,
    /// What the next writes meet, the last first.
    pub refusals: Mutex<Vec<EffectRefused>>,
}

impl Shelf {
    pub fn note(mut self, scope: Scope, path: &str, content: &str, person: ProfileId) -> Self {
        self.memories.push(Memory {
            id: MemoryId::new(),
            agent_id: AgentId::new(),
            path: full_path(scope, path, person),
            content: content.to_owned(),
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
        });
        self
    }

    pub fn skill(mut self, name: &str, description: &str) -> Self {
        self.skills.push(Skill {
            id: SkillId::new(),
            workspace_id: WorkspaceId::new(),
            name: name.to_owned(),
            display_name: name.to_owned(),
            description: description.to_owned(),
            icon: String::new(),
            content: format!("# {name}"),
            is_active: true,
            is_system: false,
            agent_ids: Vec::new(),
            created_by: None,
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
        });
        self
    }

    pub fn shared(self) -> Arc<Self> {
        Arc::new(self)
    }

    fn seen(&self, person: Option<ProfileId>, scope: Option<Scope>) -> impl Iterator<Item = &Memory> {
        let fits = move |memory: &&Memory| scope.is_none_or(|scope| memory.scope() == scope);
        self.memories.iter().rev().filter(move |memory| may_touch(&memory.path, person)).filter(fits)
    }
}

#[async_trait]
impl Memories for Shelf {
    async fn memories(&self, query: MemoryQuery) -> Result<Page<Memory>> {
        let rows: Vec<Memory> = self.seen(query.person, query.scope).cloned().collect();
        Ok(Page { total: rows.len() as u64, rows })
    }

    async fn recall(
        &self,
        _agent: AgentId,
        person: Option<ProfileId>,
        scope: Option<Scope>,
        words: &[String],
        limit: u64,
    ) -> Result<Vec<Memory>> {
        let score = |memory: &Memory| {
            let text = search_text(&memory.path, &memory.content);
            words.iter().filter(|word| text.contains(*word)).count()
        };
        let mut found: Vec<Memory> = self.seen(person, scope).filter(|m| score(m) > 0).cloned().collect();
        found.sort_by_key(|memory| std::cmp::Reverse(score(memory)));
        found.truncate(limit as usize);
        Ok(found)
    }

    async fn memory(&self, _agent: AgentId, id: MemoryId, person: Option<ProfileId>) -> Result<Memory> {
        let found = self.seen(person, None).find(|memory| memory.id == id).cloned();
        found.ok_or(Error::NotFound("memory"))
    }

    async fn memory_at(
        &self,
        _agent: AgentId,
        path: &str,
        person: Option<ProfileId>,
    ) -> Result<Option<Memory>> {
        Ok(self.seen(person, None).find(|memory| memory.path == path).cloned())
    }

    async fn create_memory(&self, _new: NewMemory, _by: ProfileId) -> Result<Memory> {
        Err(Error::RoleTooLow)
    }

    async fn change_memory(
        &self,
        _agent: AgentId,
        _id: MemoryId,
        _changes: MemoryChanges,
        _by: ProfileId,
    ) -> Result<Memory> {
        Err(Error::RoleTooLow)
    }

    async fn delete_memory(&self, _agent: AgentId, _id: MemoryId, _by: ProfileId) -> Result<()> {
        Err(Error::RoleTooLow)
    }
}

#[async_trait]
impl Effects for Shelf {
    async fn effects(&self, _conversation: ConversationId, _calls: &[i64]) -> Result<Vec<(i64, Value)>> {
        Ok(Vec::new())
    }

    async fn write_memory(&self, effect: &Effect, write: MemoryWrite) -> Written {
        if let Some(refused) = self.refusals.lock().expect("refusals").pop() {
            return Err(refused);
        }
        let outcome = write.outcome("here", false);
        self.written.lock().expect("what was written").push((effect.args_hash.clone(), write));
        Ok(outcome)
    }
}

#[async_trait]
impl Skills for Shelf {
    async fn skills(&self, _workspace: WorkspaceId) -> Result<Vec<Skill>> {
        Ok(self.skills.clone())
    }

    async fn skill(&self, id: SkillId) -> Result<Skill> {
        self.skills.iter().find(|skill| skill.id == id).cloned().ok_or(Error::NotFound("skill"))
    }

    async fn skills_of(&self, _agent: AgentId) -> Result<Vec<SkillSummary>> {
        let summary =
            |skill: &Skill| SkillSummary { name: skill.name.clone(), description: skill.description.clone() };
        Ok(self.skills.iter().map(summary).collect())
    }

    async fn skill_of(&self, _agent: AgentId, name: &str) -> Result<Option<Skill>> {
        Ok(self.skills.iter().find(|skill| skill.name == name).cloned())
    }

    async fn create_skill(&self, _in: WorkspaceId, _skill: SkillChanges, _by: ProfileId) -> Result<Skill> {
        Err(Error::RoleTooLow)
    }

    async fn change_skill(&self, _id: SkillId, _changes: SkillChanges, _by: ProfileId) -> Result<Skill> {
        Err(Error::RoleTooLow)
    }

    async fn delete_skill(&self, _id: SkillId, _by: ProfileId) -> Result<()> {
        Err(Error::RoleTooLow)
    }

    async fn import_skills(
        &self,
        _in: WorkspaceId,
        _skills: Vec<ImportedSkill>,
        _by: ProfileId,
    ) -> Result<SkillImport> {
        Err(Error::RoleTooLow)
    }
}
