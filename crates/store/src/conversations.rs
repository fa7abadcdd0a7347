//! Conversations and their messages, always for one person.

use async_trait::async_trait;
use baton_core::conversations::{
    Conversation, ConversationQuery, Deleted, ImportedMessage, LastTurn, ListedConversation, Message,
    MessageRole, NewConversation, ReadConversation, SpaceTaken, SwitchMark, Versions,
};
use baton_core::fold::Fault;
use baton_core::ids::{ActivationId, AgentId, ConversationId, MessageId, ProfileId, VisitorId, WorkspaceId};
use baton_core::log::{LoggedStep, MessageStatus, NewStep, Step};
use baton_core::store::{Conversations, Error, Result};
use baton_core::subtasks::Subtask;
use baton_core::text;
use baton_core::tolerant;
use baton_core::visitors::Person;
use chrono::{DateTime, Utc};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::SimpleExpr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder, QuerySelect, Select,
};
use serde_json::json;

use crate::activations;
use crate::audit::Happening;
use crate::byte_pages::{self, Edge, Most};
use crate::connect::SqlStore;
use crate::connection::For;
use crate::db::{OrStoreError, now};
use crate::entities::{self, agent_conversations, agent_messages, task_messages};
use crate::history::{alone_again, history, hold_versions};
use crate::messages;
use crate::removal::mark_deleted;
use crate::space;
use crate::turns::{logged, step_model, turn_row};
use crate::write::Write;

/// A page of messages ends with the one that makes it so large.
const MAX_PAGE_BYTES: u64 = 1024 * 1024;

#[async_trait]
impl Conversations for SqlStore {
    async fn create_conversation(&self, new: NewConversation) -> Result<Conversation> {
        let write = self.write().await?;
        let at = now();
        let row = agent_conversations::ActiveModel {
            id: Set(ConversationId::new().0),
            workspace_id: Set(new.workspace_id.0),
            agent_id: Set(new.agent_id.0),
            team_id: Set(new.team_id.map(|id| id.0)),
            user_id: Set(new.person.profile_id().map(|id| id.0)),
            visitor_id: Set(new.person.visitor_id().map(|id| id.0)),
            search_text: Set(text::fold(new.title.as_deref().unwrap_or_default())),
            title: Set(new.title),
            last_seq: Set(0),
            created_at: Set(at),
            updated_at: Set(at),
            ..unforked()
        };
        let row = agent_conversations::Entity::insert(row).exec_with_returning(&*write).await.db()?;
        activate(&write, &row).await?;
        write.commit_unkept().await?;
        conversation(row)
    }

    async fn conversations(&self, query: ConversationQuery) -> Result<Vec<ListedConversation>> {
        let mut select = history(&query);
        if let Some((at, id)) = query.before {
            let same_moment = Condition::all()
                .add(agent_conversations::Column::UpdatedAt.eq(at))
                .add(agent_conversations::Column::Id.lt(id.0));
            let earlier = agent_conversations::Column::UpdatedAt.lt(at);
            // The first condition follows from the second; by it, the index is entered where the page begins.
            let from_here = agent_conversations::Column::UpdatedAt.lte(at);
            select = select.filter(from_here).filter(Condition::any().add(earlier).add(same_moment));
        }
        let rows = select
            .order_by_desc(agent_conversations::Column::UpdatedAt)
            .order_by_desc(agent_conversations::Column::Id)
            .limit(query.limit + 1)
            .all(&self.db)
            .await
            .db()?;
        let mut holders = activations::holders(&self.db, rows.iter().map(|row| row.id).collect()).await?;
        let listed = |row: agent_conversations::Model| {
            let (holder, turn) = (holders.remove(&row.id), turn_row(&row));
            Ok(ListedConversation { conversation: conversation(row)?, holder, turn })
        };
        rows.into_iter().map(listed).collect()
    }

    async fn conversation(&self, id: ConversationId, person: Person) -> Result<Conversation> {
        conversation(find(&self.db, id, person).await?)
    }

    async fn read_conversation(
        &self,
        id: ConversationId,
        person: Person,
        before: Option<MessageId>,
        limit: u64,
    ) -> Result<ReadConversation> {
        // One moment for all reads: a message must not be ahead of the number that is said to cover it.
        let moment = self.db.begin(For::Reading).await.db()?;
        let row = find(&moment, id, person).await?;
        let until = match before {
            Some(before) => seq_of(&moment, id, before).await?,
            None => i64::MAX,
        };
        let (edge, most) = (Edge::Before(until), Most { rows: limit, bytes: MAX_PAGE_BYTES });
        let newest = byte_pages::messages(self.db.get_database_backend(), id.0, edge, most);
        let rows = newest.into_partial_model::<agent_messages::Read>().all(&moment).await.db()?;
        let mut messages = messages::read(&moment, rows, edge, MAX_PAGE_BYTES).await?;
        let turn = turn_row(&row);
        let last_turn = match before {
            None if turn.is_none() => last_turn(&moment, id).await?,
            _ => None,
        };
        let has_more = match messages.last() {
            Some(oldest) => has_older(&moment, id, oldest.seq).await?,
            None => false,
        };
        messages.reverse();
        let from = messages.first().filter(|_| has_more).map_or(0, |first| first.seq);
        let switches = switches(&moment, id, from..until, &messages).await?;
        moment.commit().await.db()?;
        let conversation = conversation(row)?;
        Ok(ReadConversation { conversation, messages, has_more, turn, last_turn, switches })
    }

    async fn import_messages(
        &self,
        id: ConversationId,
        person: Person,
        messages: Vec<ImportedMessage>,
    ) -> Result<Vec<Message>> {
        let write = self.patient().write().await?;
        let row = there()
            .filter(agent_conversations::Column::Id.eq(id.0))
            .filter(belongs_to(person))
            .lock_exclusive()
            .one(&*write)
            .await
            .db()?
            .ok_or(Error::NotFound("conversation"))?;
        if row.parent_id.is_some() {
            return Err(Error::IsSubtask);
        }
        if row.turn_task_id.is_some() {
            return Err(Error::TurnInProgress);
        }
        let at = now();
        let title = row.title.clone().or_else(|| first_title(&messages));
        let mut rows = Vec::with_capacity(messages.len());
        let mut steps = Vec::with_capacity(messages.len());
        let mut bytes = row.bytes;
        for (seq, new) in (row.last_seq + 1..).zip(messages) {
            let message_id = MessageId::new();
            bytes += new.content.len() as i64;
            steps.push(imported(id, seq, message_id, AgentId(row.agent_id), &new, at)?);
            rows.push(agent_messages::Read {
                id: message_id.0,
                conversation_id: id.0,
                seq,
                agent_id: row.agent_id,
                role: new.role.to_string(),
                content: new.content,
                parts: new.parts,
                metadata: json!({"imported": true}),
                created_at: at,
                status: MessageStatus::Complete.to_string(),
                attempt: 1,
            });
        }
        let change = agent_conversations::ActiveModel {
            id: Unchanged(id.0),
            last_seq: Set(row.last_seq + rows.len() as i64),
            bytes: Set(bytes),
            search_text: Set(text::fold(title.as_deref().unwrap_or_default())),
            title: Set(title),
            updated_at: Set(at),
            ..Default::default()
        };
        change.update(&*write).await.db()?;
        let new = rows.iter().cloned().map(|row| agent_messages::ActiveModel {
            search_text: Set(text::fold(&row.content)),
            ..row.into_active_model()
        });
        agent_messages::Entity::insert_many(new).exec_without_returning(&*write).await.db()?;
        task_messages::Entity::insert_many(steps).exec_without_returning(&*write).await.db()?;
        write.commit_unkept().await?;
        rows.into_iter().map(messages::message).collect()
    }

    async fn space_taken(&self, workspace: WorkspaceId) -> Result<SpaceTaken> {
        space::taken(&self.db, workspace).await
    }

    async fn idle_of_visitors(&self, before: DateTime<Utc>, limit: u64) -> Result<Vec<Conversation>> {
        let idle = there()
            .filter(agent_conversations::Column::VisitorId.is_not_null())
            .filter(agent_conversations::Column::ParentId.is_null())
            .filter(agent_conversations::Column::UpdatedAt.lt(before))
            .order_by_asc(agent_conversations::Column::UpdatedAt)
            .limit(limit);
        idle.all(&self.db).await.db()?.into_iter().map(conversation).collect()
    }

    async fn rename_conversation(
        &self,
        id: ConversationId,
        person: Person,
        title: &str,
    ) -> Result<Vec<Conversation>> {
        let write = self.write().await?;
        let mut renamed = Vec::new();
        for version in hold_versions(&write, id, person).await? {
            let change = agent_conversations::ActiveModel {
                id: Unchanged(version.id),
                title: Set(Some(title.to_owned())),
                search_text: Set(text::fold(title)),
                ..Default::default()
            };
            renamed.push(conversation(change.update(&*write).await.db()?)?);
        }
        write.commit_unkept().await?;
        Ok(renamed)
    }

    async fn delete_conversation(
        &self,
        id: ConversationId,
        person: Person,
        versions: Versions,
    ) -> Result<Vec<Deleted>> {
        let write = self.write().await?;
        let held = hold_versions(&write, id, person).await?;
        let (going, left): (Vec<_>, Vec<_>) =
            held.iter().partition(|version| matches!(versions, Versions::All) || version.id == id.0);
        mark_deleted(&write, going.iter().map(|version| version.id).collect()).await?;
        alone_again(&write, &left).await?;
        let happening = Happening::new("conversation.deleted", id).within(held[0].workspace_id.into());
        match person {
            Person::Profile(by) => happening.by(by).record(&write).await?,
            Person::Visitor(_) => happening.record(&write).await?,
        }
        write.commit_unkept().await?;
        let deleted =
            |row: &agent_conversations::Model| Deleted { id: ConversationId(row.id), turn: turn_row(row) };
        Ok(going.into_iter().map(deleted).collect())
    }
}

/// Where a message of this conversation stands.
async fn seq_of(db: &impl ConnectionTrait, id: ConversationId, message: MessageId) -> Result<i64> {
    let seq = agent_messages::Entity::find_by_id(message.0)
        .select_only()
        .column(agent_messages::Column::Seq)
        .filter(agent_messages::Column::ConversationId.eq(id.0))
        .into_tuple::<i64>();
    seq.one(db).await.db()?.ok_or(Error::NotFound("message"))
}

/// Whether there are messages before this number: the first step of a log has the number 1.
async fn has_older(db: &impl ConnectionTrait, id: ConversationId, seq: i64) -> Result<bool> {
    if seq <= 1 {
        return Ok(false);
    }
    let older = agent_messages::Entity::find()
        .select_only()
        .column(agent_messages::Column::Seq)
        .filter(agent_messages::Column::ConversationId.eq(id.0))
        .filter(agent_messages::Column::Seq.lt(seq))
        .limit(1)
        .into_tuple::<i64>();
    Ok(older.one(db).await.db()?.is_some())
}

pub(crate) fn belongs_to(person: Person) -> SimpleExpr {
    match person {
        Person::Profile(id) => agent_conversations::Column::UserId.eq(id.0),
        Person::Visitor(id) => agent_conversations::Column::VisitorId.eq(id.0),
    }
}

pub(crate) async fn find(
    db: &impl ConnectionTrait,
    id: ConversationId,
    person: Person,
) -> Result<agent_conversations::Model> {
    let theirs = there().filter(agent_conversations::Column::Id.eq(id.0)).filter(belongs_to(person));
    let row = theirs.one(db).await.db()?;
    row.ok_or(Error::NotFound("conversation"))
}

/// Conversations that were not deleted.
pub(crate) fn there() -> Select<agent_conversations::Entity> {
    agent_conversations::Entity::find().filter(agent_conversations::Column::DeletedAt.is_null())
}

/// The row of a new conversation: no turn runs in it, and it is no version of another.
pub(crate) fn unforked() -> agent_conversations::ActiveModel {
    agent_conversations::ActiveModel {
        epoch: Set(1),
        turn_attempt: Set(0),
        turn_tries: Set(0),
        left_writes_behind: Set(false),
        ..Default::default()
    }
}

/// Its first agent holds it.
pub(crate) async fn activate(write: &Write, row: &agent_conversations::Model) -> Result<()> {
    let activation = entities::activations::ActiveModel {
        id: Set(ActivationId::new().0),
        conversation_id: Set(row.id),
        agent_id: Set(row.agent_id),
        status: Set("active".to_owned()),
        trigger: Set("user".to_owned()),
        activation_summary: Set(None),
        message_id: Set(None),
        context_data: Set(json!({})),
        began_at: Set(row.created_at),
        ended_at: Set(None),
        is_pinned: Set(false),
        began_seq: Set(0),
        ..Default::default()
    };
    entities::activations::Entity::insert(activation).exec_without_returning(&**write).await.db().map(drop)
}

fn imported(
    id: ConversationId,
    seq: i64,
    message_id: MessageId,
    agent_id: AgentId,
    new: &ImportedMessage,
    at: DateTime<Utc>,
) -> Result<task_messages::ActiveModel> {
    let step = Step::Imported { role: new.role, content: new.content.clone() };
    step_model(id.0, seq, &NewStep { task_id: None, agent_id, message_id: Some(message_id), step }, at)
}

fn first_title(messages: &[ImportedMessage]) -> Option<String> {
    let first = messages.iter().find(|message| message.role == MessageRole::User)?;
    text::title_from(&first.content)
}

/// More than follow the end of a turn before something else begins: a switch, and what the agent said to it.
const AFTER_A_TURN: Most = Most { rows: 40, bytes: 64 * 1024 };

/// As the end of the log tells it; nothing once something was brought along from elsewhere.
async fn last_turn(db: &impl ConnectionTrait, id: ConversationId) -> Result<Option<LastTurn>> {
    let newest = byte_pages::steps(db.get_database_backend(), id.0, Edge::Before(i64::MAX), AFTER_A_TURN);
    let mut ended = None;
    let mut has_switched = false;
    for row in newest.all(db).await.db()? {
        match (logged(row).step, &mut ended) {
            (Step::Done { status, .. }, None) => {
                ended = Some(LastTurn { status, error: None, suggested: None });
            }
            (Step::Error { code, message, recoverable }, Some(turn)) => {
                turn.error = Some(Fault { code, message, recoverable });
                break;
            }
            (Step::Suggested { to, to_name }, Some(turn)) => {
                turn.suggested = Some((to, to_name)).filter(|_| !has_switched);
                break;
            }
            (Step::Switched(switched), _) => has_switched |= !switched.is_pin(),
            (Step::Greeting { .. } | Step::MessageEnd { .. }, _) => {}
            _ => break,
        }
    }
    Ok(ended)
}

/// What the log calls handoffs and switches.
const HANDOFF_KIND: &str = "handoff";

/// The handoffs and switches in a part of the log that no message shows.
async fn switches(
    db: &impl ConnectionTrait,
    id: ConversationId,
    within: std::ops::Range<i64>,
    messages: &[Message],
) -> Result<Vec<SwitchMark>> {
    let rows = task_messages::Entity::find()
        .filter(task_messages::Column::ConversationId.eq(id.0))
        .filter(task_messages::Column::Seq.gte(within.start))
        .filter(task_messages::Column::Seq.lt(within.end))
        .filter(task_messages::Column::Kind.eq(HANDOFF_KIND))
        .order_by_asc(task_messages::Column::Seq);
    let mut marks = Vec::new();
    for row in rows.all(db).await.db()? {
        let LoggedStep { seq, step: Step::Switched(switched), .. } = logged(row) else { continue };
        let after = messages.iter().rfind(|message| message.seq < seq && !message.is_synthetic());
        marks.push(SwitchMark { after: after.map(|message| message.id), switched });
    }
    Ok(marks)
}

pub fn conversation(row: agent_conversations::Model) -> Result<Conversation> {
    let person = match (row.user_id, row.visitor_id) {
        (Some(id), None) => Person::Profile(ProfileId(id)),
        (None, Some(id)) => Person::Visitor(VisitorId(id)),
        _ => return Err(Error::Database(format!("conversation {} is not one person's", row.id).into())),
    };
    let subtask = match (row.parent_id, row.subtask_depth, &row.subtask_mode) {
        (Some(parent), Some(depth), Some(mode)) => {
            let mode = tolerant::read(mode);
            Some(Subtask { parent_id: ConversationId(parent), depth, mode })
        }
        _ => None,
    };
    Ok(Conversation {
        id: ConversationId(row.id),
        workspace_id: row.workspace_id.into(),
        agent_id: AgentId(row.agent_id),
        team_id: row.team_id.map(baton_core::ids::TeamId),
        person,
        title: row.title,
        last_seq: row.last_seq,
        epoch: row.epoch,
        forked_from: row.forked_from.map(ConversationId),
        forked_seq: row.forked_seq,
        family_id: row.family_id.map(ConversationId),
        left_writes_behind: row.left_writes_behind,
        subtask,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}
