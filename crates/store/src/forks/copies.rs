//! What a fork copies: everything up to a step number, with new ids.

use std::collections::HashMap;

use baton_core::handoffs::ActivationStatus;
use baton_core::handoffs::{UPDATE_CONTEXT, note};
use baton_core::ids::{ActivationId, MessageId, SnapshotId};
use baton_core::log::Step;
use baton_core::store::{Error, Result};
use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::byte_pages::{self, Edge, Most, weight};
use crate::connect::SqlStore;
use crate::db::OrStoreError;
use crate::entities::{activations, agent_messages, snapshots, task_messages};
use crate::turns::logged;

/// Rows copied in one transaction.
const BATCH: u64 = 200;
/// Of messages and steps, which can be large.
pub const PAGE: Most = Most { rows: BATCH, bytes: 1024 * 1024 };

/// Copies from one conversation to another, up to but without this step number.
#[derive(Clone, Copy)]
pub struct Copy {
    pub from: Uuid,
    pub to: Uuid,
    pub before: i64,
}

impl SqlStore {
    /// The new id of each copied message.
    pub(super) async fn copy_messages(&self, copy: Copy) -> Result<HashMap<Uuid, Uuid>> {
        let (mut ids, mut last) = (HashMap::new(), 0);
        loop {
            let rows =
                byte_pages::messages(self.db.get_database_backend(), copy.from, Edge::After(last), PAGE)
                    .filter(agent_messages::Column::Seq.lt(copy.before))
                    .all(&self.db)
                    .await
                    .db()?;
            let Some(newest) = rows.last() else { return Ok(ids) };
            last = newest.seq;
            let copies = rows.into_iter().map(|row| {
                let id = MessageId::new().0;
                ids.insert(row.id, id);
                agent_messages::ActiveModel::from(agent_messages::Model {
                    id,
                    conversation_id: copy.to,
                    ..row
                })
                .reset_all()
            });
            let copies: Vec<_> = copies.collect();
            let write = self.write().await?;
            agent_messages::Entity::insert_many(copies).exec_without_returning(&*write).await.db()?;
            write.commit_unkept().await?;
        }
    }

    /// How many bytes they have.
    pub(super) async fn copy_steps(&self, copy: Copy, ids: &HashMap<Uuid, Uuid>) -> Result<i64> {
        let (mut last, mut bytes) = (0, 0);
        loop {
            let rows = byte_pages::steps(self.db.get_database_backend(), copy.from, Edge::After(last), PAGE)
                .filter(task_messages::Column::Seq.lt(copy.before))
                .all(&self.db)
                .await
                .db()?;
            let Some(newest) = rows.last() else { return Ok(bytes) };
            last = newest.seq;
            bytes += rows.iter().map(|row| weight(&row.body).cast_signed()).sum::<i64>();
            let copies = rows.into_iter().map(|row| {
                let message_id = row.message_id.map(|id| ids.get(&id).copied().unwrap_or(id));
                task_messages::ActiveModel::from(task_messages::Model {
                    conversation_id: copy.to,
                    message_id,
                    ..row
                })
                .reset_all()
            });
            let write = self.write().await?;
            task_messages::Entity::insert_many(copies).exec_without_returning(&*write).await.db()?;
            write.commit_unkept().await?;
        }
    }

    /// Copies the activations up to that number and returns how many there were. The holder at that point holds the
    /// copy. Handoffs made meanwhile come after that number.
    pub(super) async fn copy_activations(&self, copy: Copy, messages: &HashMap<Uuid, Uuid>) -> Result<i64> {
        let noted = Noted::before(&self.db, copy).await?;
        let held = activations::Entity::find()
            .filter(activations::Column::ConversationId.eq(copy.from))
            .filter(activations::Column::BeganSeq.lt(copy.before));
        let total = held.clone().count(&self.db).await.db()?;
        let held = held.order_by_asc(activations::Column::BeganSeq).order_by_asc(activations::Column::Id);
        let (mut ids, mut copied) = (HashMap::new(), 0);
        let mut notes: HashMap<Uuid, Map<String, Value>> = HashMap::new();
        while copied < total {
            let rows =
                held.clone().offset(copied).limit(BATCH.min(total - copied)).all(&self.db).await.db()?;
            if rows.is_empty() {
                break;
            }
            let mut copies = Vec::with_capacity(rows.len());
            for row in rows {
                copied += 1;
                let id = ActivationId::new().0;
                ids.insert(row.id, id);
                let earlier = row.resumes.and_then(|id| notes.get(&id).cloned()).unwrap_or_default();
                let data = noted.in_time_of(&row, earlier);
                notes.insert(row.id, data.clone());
                let mut made = activations::Model {
                    id,
                    conversation_id: copy.to,
                    context_data: Value::Object(data),
                    message_id: row.message_id.map(|id| messages.get(&id).copied().unwrap_or(id)),
                    resumes: row.resumes.and_then(|earlier| ids.get(&earlier).copied()),
                    ..row
                };
                if copied == total {
                    made.status = ActivationStatus::Active.to_string();
                    made.ended_at = None;
                }
                copies.push(activations::ActiveModel::from(made).reset_all());
            }
            let write = self.write().await?;
            activations::Entity::insert_many(copies).exec_without_returning(&*write).await.db()?;
            write.commit_unkept().await?;
        }
        i64::try_from(total).map_err(|error| Error::Database(Box::new(error)))
    }

    /// The results of stages that were there when the first message left out was made.
    pub(super) async fn copy_snapshots(&self, copy: Copy, made: DateTime<Utc>) -> Result<()> {
        let rows = snapshots::Entity::find()
            .filter(snapshots::Column::ConversationId.eq(copy.from))
            .filter(snapshots::Column::CreatedAt.lte(made))
            .all(&self.db)
            .await
            .db()?;
        if rows.is_empty() {
            return Ok(());
        }
        let copies = rows.into_iter().map(|row| {
            let id = SnapshotId::new().0;
            let made = snapshots::Model { id, conversation_id: copy.to, ..row };
            snapshots::ActiveModel::from(made).reset_all()
        });
        let write = self.write().await?;
        snapshots::Entity::insert_many(copies).exec_without_returning(&*write).await.db()?;
        write.commit_unkept().await
    }
}

/// What agents noted before a fork parts, in the order of the log: the rows hold only what it came to in the end.
struct Noted {
    /// The agent's activations begin with these step numbers.
    began: HashMap<Uuid, Vec<i64>>,
    notes: Vec<(i64, Uuid, Map<String, Value>)>,
}

impl Noted {
    async fn before(db: &impl ConnectionTrait, copy: Copy) -> Result<Self> {
        let (mut asked, mut notes, mut last) = (HashMap::new(), Vec::new(), 0);
        loop {
            let page = byte_pages::steps(db.get_database_backend(), copy.from, Edge::After(last), PAGE)
                .filter(task_messages::Column::Seq.lt(copy.before));
            let page = page.all(db).await.db()?;
            let Some(newest) = page.last() else { break };
            last = newest.seq;
            for row in page {
                let (seq, step) = (row.seq, logged(row));
                match step.step {
                    Step::ToolCall(call) if call.tool_name == UPDATE_CONTEXT => {
                        asked.insert(call.call_id, call.args);
                    }
                    Step::ToolResult(result) if result.success => {
                        if let Some(Value::Object(data)) =
                            asked.remove(&result.call_id).and_then(|mut args| args.remove("data"))
                        {
                            notes.push((seq, step.agent_id.0, data));
                        }
                    }
                    _ => {}
                }
            }
        }
        let mut began: HashMap<Uuid, Vec<i64>> = HashMap::new();
        let held: Vec<(Uuid, i64)> = activations::Entity::find()
            .select_only()
            .columns([activations::Column::AgentId, activations::Column::BeganSeq])
            .filter(activations::Column::ConversationId.eq(copy.from))
            .filter(activations::Column::BeganSeq.lt(copy.before))
            .order_by_asc(activations::Column::BeganSeq)
            .into_tuple()
            .all(db)
            .await
            .db()?;
        for (agent, seq) in held {
            began.entry(agent).or_default().push(seq);
        }
        Ok(Self { began, notes })
    }

    /// The agent's notes at the end of this activation, or at the point where the fork begins.
    fn in_time_of(&self, held: &activations::Model, mut noted: Map<String, Value>) -> Map<String, Value> {
        let own = self.began.get(&held.agent_id).into_iter().flatten();
        let next = own.copied().find(|seq| *seq > held.began_seq).unwrap_or(i64::MAX);
        let within = |seq: i64| (held.began_seq..next).contains(&seq);
        for (_, _, data) in
            self.notes.iter().filter(|(seq, agent, _)| *agent == held.agent_id && within(*seq))
        {
            note(&mut noted, data);
        }
        noted
    }
}
