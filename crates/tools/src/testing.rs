//! Memories, skills and a search engine for tests. They can be read; writes are recorded and change nothing.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use async_trait::async_trait;
use baton_core::channels::{
    Channel, ChannelChange, ChannelMember, ChannelMessage, ChannelReader, FoundMessage, ListedChannels,
    Mention, MessagesPage, MessagesQuery, ReadUpTo,
};
use baton_core::data::areas::Areas;
use baton_core::data::exports::{ExportRefused, ExportWish, Exporter};
use baton_core::data::imports::ExportFile;
use baton_core::data::rows::{Author, ByAgent, DataScope, Once, RowChange};
use baton_core::effects::{CallPlace, Effect, EffectRefused, Shown};
use baton_core::ids::{
    AgentId, ChannelId, ChannelMessageId, ConversationId, MemoryId, PageFileId, PageId, PageImportId,
    ProfileId, SkillId, TaskId, WorkspaceId,
};
use baton_core::listing::{Page, Window};
use baton_core::memories::{
    Memory, MemoryChanges, MemoryQuery, MemoryWrite, NewMemory, Scope, full_path, may_touch, search_text,
};
use baton_core::pages::{
    self, FoundPage, ImportCounts, ImportFile, ImportPage, Listed, NewPageFile, PageChange, PageFile,
    PageFileInfo, PageImport, PageLinks, PageNode, PageRef, PageSearch, PageSource, PageVersion, Reader,
    Sight, Undone, VersionInfo,
};
use baton_core::reports::{MoneyBook, ReportQuery};
use baton_core::search::Query;
use baton_core::skills::{ImportedSkill, Skill, SkillChanges, SkillImport, SkillSummary};
use baton_core::store::{Channels, Effects, Error, Memories, Pages, Result, Skills, Written};
use baton_core::tools::{Cancelled, TOOL_TIME, TellProgress, ToolContext};
use baton_core::turns::Fence;
use baton_core::visitors::Person;
use chrono::DateTime;
use serde_json::Value;

use crate::search::{Engine, SearchEngines};

/// A call by someone with an account, in Zurich.
pub fn context() -> (ToolContext, ProfileId) {
    let person = ProfileId::new();
    let conversation_id = ConversationId::new();
    let fence = Fence { task_id: TaskId::new(), attempt: 1 };
    let context = ToolContext {
        once: Once::Call(Effect {
            call: CallPlace { conversation_id, seq: 7, fence },
            args_hash: "hash".to_owned(),
            deadline: Instant::now() + TOOL_TIME,
            shown: Shown::default(),
        }),
        cancelled: Cancelled::new().1,
        workspace_id: WorkspaceId::new(),
        agent: Some(ByAgent { agent_id: AgentId::new(), conversation_id, seq: 7 }),
        may_change_agent: true,
        areas: Areas::WRITE,
        person: Person::Profile(person),
        time_zone: "Europe/Zurich".to_owned(),
        context_data: Default::default(),
        teammates: vec![],
        progress: TellProgress::default(),
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
    /// What everyone searches with.
    pub engine: Option<Engine>,
    /// What the next writes meet, the last first.
    pub refusals: Mutex<Vec<EffectRefused>>,
    /// What the money tools find, ask and write; their traits are implemented beside their tests.
    pub book: MoneyBook,
    pub asked: Mutex<Vec<ReportQuery>>,
    pub changed: Mutex<Vec<(Author, Vec<RowChange>)>>,
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
        let mut rows: Vec<Memory> = self.seen(query.person, query.scope).cloned().collect();
        let total = rows.len() as u64;
        rows.truncate(query.window.limit as usize);
        Ok(Page { total, rows })
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
impl SearchEngines for Shelf {
    async fn engine_of(&self, _workspace: WorkspaceId) -> Result<Option<Engine>> {
        Ok(self.engine.clone())
    }
}

#[async_trait]
impl Effects for Shelf {
    async fn effects(&self, _conversation: ConversationId, _calls: &[i64]) -> Result<Vec<(i64, Value)>> {
        Ok(Vec::new())
    }

    async fn done_before(&self, _once: &Once) -> Result<Option<Value>> {
        Ok(None)
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

/// Nobody wrote a page: what the tool does with pages is told with a real store, in the server's tests.
#[async_trait]
impl Pages for Shelf {
    async fn page_workspace(&self, _: PageId) -> Result<WorkspaceId> {
        Err(Error::NotFound("page"))
    }
    async fn page(&self, _: WorkspaceId, _: &PageRef, _: Sight, _: Reader) -> Result<pages::Page> {
        Err(Error::NotFound("page"))
    }
    async fn pages(&self, _: WorkspaceId, _: Listed, _: Sight, _: Window) -> Result<Page<PageNode>> {
        Ok(Page { rows: Vec::new(), total: 0 })
    }
    async fn search_pages(&self, _: WorkspaceId, _: &Query, _: Sight, _: u64) -> Result<PageSearch> {
        Ok(PageSearch { found: Vec::new(), total: 0, is_counted: true })
    }
    async fn page_links(&self, _: WorkspaceId, _: PageId, _: Sight) -> Result<PageLinks> {
        Ok(PageLinks::default())
    }
    async fn page_versions(&self, _: PageId, _: Option<i64>, _: u64, _: Reader) -> Result<Vec<VersionInfo>> {
        Ok(Vec::new())
    }
    async fn page_version(&self, _: PageId, _: i64, _: Reader) -> Result<PageVersion> {
        Err(Error::NotFound("version"))
    }
    async fn change_page(&self, _: &Once, _: WorkspaceId, _: Author, _: PageChange) -> Written {
        Err(EffectRefused::Fenced)
    }
    async fn keep_page_file(&self, _: WorkspaceId, _: ProfileId, _: NewPageFile) -> Result<PageFileInfo> {
        Err(Error::NotFound("page"))
    }
    async fn page_file(&self, _: PageFileId) -> Result<PageFile> {
        Err(Error::NotFound("file"))
    }
    async fn page_files(&self, _: PageId) -> Result<Vec<PageFileInfo>> {
        Ok(Vec::new())
    }
    async fn find_imported(
        &self,
        _: WorkspaceId,
        _: Option<PageId>,
        _: &[PageSource],
    ) -> Result<Vec<Option<FoundPage>>> {
        Ok(Vec::new())
    }
    async fn begin_page_import(&self, _: WorkspaceId, _: ProfileId, _: &str) -> Result<PageImportId> {
        Err(Error::RoleTooLow)
    }
    async fn import_pages(
        &self,
        _: WorkspaceId,
        _: PageImportId,
        _: ProfileId,
        _: Option<PageId>,
        _: Vec<ImportPage>,
        _: Vec<ImportFile>,
    ) -> Result<()> {
        Err(Error::RoleTooLow)
    }
    async fn end_page_import(&self, _: PageImportId, _: ImportCounts) -> Result<()> {
        Err(Error::RoleTooLow)
    }
    async fn page_imports(&self, _: WorkspaceId, _: u64) -> Result<Vec<PageImport>> {
        Ok(Vec::new())
    }
    async fn page_import(&self, _: PageImportId) -> Result<(WorkspaceId, PageImport)> {
        Err(Error::NotFound("import"))
    }
    async fn undo_page_import(&self, _: WorkspaceId, _: PageImportId, _: ProfileId) -> Result<Undone> {
        Err(Error::RoleTooLow)
    }
    async fn all_pages(&self, _: WorkspaceId, _: Option<PageId>, _: u64) -> Result<Vec<pages::Page>> {
        Ok(Vec::new())
    }
}

/// There are no channels: what the tool does with them is told with a real store, in the server's tests.
#[async_trait]
impl Channels for Shelf {
    async fn channel_people(&self, _: WorkspaceId) -> Result<Vec<ChannelReader>> {
        Ok(Vec::new())
    }
    async fn channels(
        &self,
        _: WorkspaceId,
        _: ProfileId,
        _: ListedChannels,
        _: Window,
    ) -> Result<Page<Channel>> {
        Ok(Page { rows: Vec::new(), total: 0 })
    }
    async fn channels_named(&self, _: WorkspaceId, _: ProfileId, _: &str) -> Result<Vec<Channel>> {
        Ok(Vec::new())
    }
    async fn channel(&self, _: ProfileId, _: ChannelId) -> Result<Channel> {
        Err(Error::NotFound("channel"))
    }
    async fn channel_members(&self, _: ProfileId, _: ChannelId) -> Result<Vec<ChannelMember>> {
        Ok(Vec::new())
    }
    async fn reads_channel(&self, _: ProfileId, _: ChannelId) -> Result<bool> {
        Ok(false)
    }
    async fn channel_messages(&self, _: ProfileId, _: MessagesQuery) -> Result<MessagesPage> {
        Ok(MessagesPage::default())
    }
    async fn channel_message(&self, _: ProfileId, _: ChannelMessageId) -> Result<ChannelMessage> {
        Err(Error::NotFound("message"))
    }
    async fn search_channels(
        &self,
        _: WorkspaceId,
        _: ProfileId,
        _: &Query,
        _: Option<ChannelId>,
        _: Option<ChannelMessageId>,
        _: u64,
    ) -> Result<Vec<FoundMessage>> {
        Ok(Vec::new())
    }
    async fn channel_mentions(
        &self,
        _: WorkspaceId,
        _: ProfileId,
        _: Option<ChannelMessageId>,
        _: u64,
    ) -> Result<Vec<Mention>> {
        Ok(Vec::new())
    }
    async fn unread_mentions(&self, _: WorkspaceId, _: ProfileId) -> Result<u64> {
        Ok(0)
    }
    async fn mark_channel_read(&self, _: ProfileId, _: ReadUpTo) -> Result<bool> {
        Ok(false)
    }
    async fn change_channel(&self, _: &Once, _: WorkspaceId, _: Author, _: ChannelChange) -> Written {
        Err(EffectRefused::Fenced)
    }
}

#[async_trait]
impl Exporter for Shelf {
    async fn export(
        &self,
        _: DataScope,
        _: ProfileId,
        _: ExportWish,
    ) -> std::result::Result<ExportFile, ExportRefused> {
        match self.refusals.lock().expect("refusals").pop() {
            Some(EffectRefused::Store(error)) => Err(ExportRefused::Store(error)),
            _ => Err(ExportRefused::TooLarge),
        }
    }
}
