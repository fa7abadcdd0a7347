//! Reads logs: for the engine a conversation with its newest steps, for readers the steps after a number.

use baton_core::handoffs::Activation;
use baton_core::ids::{AgentId, ConversationId, MessageId, NodeId, TaskId};
use baton_core::log::{LoggedStep, Step};
use baton_core::store::{Error, Result, StepsPage};
use baton_core::tape::Tape;
use baton_core::turns::{Loaded, Since, TurnRow};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement};
use serde_json::Value;
use uuid::Uuid;

use crate::activations;
use crate::byte_pages::{self, Edge, Most, weight};
use crate::connect::SqlStore;
use crate::connection::Db;
use crate::conversations::conversation;
use crate::db::OrStoreError;
use crate::entities::{agent_conversations, task_messages};

/// The limits on steps and bytes of finished turns: more than a model is ever shown.
const MAX_STEPS: usize = 4_000;
const MAX_BYTES: u64 = 2 * 1024 * 1024;
/// How often a read that met a commit is made again.
const TRIES: usize = 20;
/// Read at a time.
const PAGE: u64 = 500;
/// What readers of streams are sent at a time.
const READERS_PAGE: Most = Most { rows: 200, bytes: 1024 * 1024 };
/// How many times longer a character can be in JSON.
const LONGEST_ESCAPE: u64 = 6;

pub async fn load(store: &SqlStore, id: ConversationId) -> Result<Loaded> {
    for _ in 0..TRIES {
        let loaded = load_once(&store.db, id).await?;
        // Steps never change, so what is read side by side belongs together as long as none is newer than the row. Who
        // holds the conversation does change, with a step that is newer.
        let newest = loaded.activations.last().map_or(0, |activation| activation.began_seq);
        if newest <= loaded.conversation.last_seq {
            return Ok(loaded);
        }
    }
    Err(Error::Unavailable)
}

async fn load_once(db: &Db, id: ConversationId) -> Result<Loaded> {
    let row = find(db, id).await?;
    let turn = turn_row(&row);
    let (activations, (steps, is_cut), checkpoint) = tokio::try_join!(
        activations::newest(db, id),
        newest_steps(db, id, row.last_seq, turn),
        checkpoint(db, id, turn),
    )?;
    let conversation = conversation(row)?;
    Ok(Loaded { activations, conversation, turn, steps, is_cut, checkpoint })
}

pub async fn load_since(store: &SqlStore, id: ConversationId, seq: i64) -> Result<Option<Since>> {
    let db = &store.db;
    for _ in 0..TRIES {
        let row = find(db, id).await?;
        let (turn, last_seq) = (turn_row(&row), row.last_seq);
        if last_seq < seq || last_seq > seq + PAGE as i64 {
            return Ok(None);
        }
        let is_same = last_seq == seq;
        let (new, checkpoint) = tokio::try_join!(since(db, id, seq, last_seq), checkpoint(db, id, turn))?;
        let (rows, activations) = new;
        // More than is kept.
        if rows.last().is_some_and(|row| row.seq < last_seq) {
            return Ok(None);
        }
        let newest = activations.iter().last().map_or(0, |activation| activation.began_seq);
        // As in `load`.
        if newest <= last_seq {
            return Ok(Some(Since {
                conversation: conversation(row)?,
                turn,
                activations: (!is_same).then_some(activations),
                steps: rows.into_iter().map(logged).collect(),
                checkpoint,
            }));
        }
    }
    Err(Error::Unavailable)
}

/// The steps between, and who held the conversation when; nothing is asked where there are none.
async fn since(
    db: &Db,
    id: ConversationId,
    seq: i64,
    last_seq: i64,
) -> Result<(Vec<task_messages::Model>, Vec<Activation>)> {
    if seq == last_seq {
        return Ok((Vec::new(), Vec::new()));
    }
    let most = Most { rows: PAGE, bytes: MAX_BYTES };
    let steps = byte_pages::steps(db.get_database_backend(), id.0, Edge::After(seq), most)
        .filter(task_messages::Column::Seq.lte(last_seq));
    tokio::try_join!(async { steps.all(db).await.db() }, activations::newest(db, id))
}

/// Oldest first, and whether older ones were left out. The turn under way is always whole: without its beginning
/// nobody could go on with it, nor end it.
async fn newest_steps(
    db: &impl ConnectionTrait,
    id: ConversationId,
    last_seq: i64,
    turn: Option<TurnRow>,
) -> Result<(Vec<LoggedStep>, bool)> {
    let (mut steps, mut bytes, mut oldest) = (Vec::new(), 0, last_seq + 1);
    while oldest > 1 && steps.len() < MAX_STEPS && bytes < MAX_BYTES {
        let rows = PAGE.min((MAX_STEPS - steps.len()) as u64);
        let most = Most { rows, bytes: MAX_BYTES - bytes };
        let page = byte_pages::steps(db.get_database_backend(), id.0, Edge::Before(oldest), most);
        let page = page.all(db).await.db()?;
        if page.is_empty() {
            break;
        }
        for row in page {
            bytes += weight(&row.body);
            oldest = row.seq;
            steps.push(logged(row));
        }
    }
    if oldest > 1
        && let Some(turn) = turn
    {
        let mut rest = rest_of_turn(db, id, turn.task_id, oldest).await?;
        rest.reverse();
        steps.append(&mut rest);
    }
    steps.reverse();
    let is_cut = steps.first().is_some_and(|first| first.seq > 1);
    Ok((steps, is_cut))
}

/// The steps from the turn's first to the one before `before`, oldest first.
async fn rest_of_turn(
    db: &impl ConnectionTrait,
    id: ConversationId,
    task: TaskId,
    before: i64,
) -> Result<Vec<LoggedStep>> {
    let first = task_messages::Entity::find()
        .select_only()
        .column(task_messages::Column::Seq)
        .filter(task_messages::Column::ConversationId.eq(id.0))
        .filter(task_messages::Column::TaskId.eq(task.0))
        .filter(task_messages::Column::Seq.lt(before))
        .order_by_asc(task_messages::Column::Seq)
        .into_tuple::<i64>()
        .one(db)
        .await
        .db()?;
    match first {
        Some(first) => steps_after(db, id, first - 1, (before - first).unsigned_abs()).await,
        None => Ok(Vec::new()),
    }
}

async fn find(db: &impl ConnectionTrait, id: ConversationId) -> Result<agent_conversations::Model> {
    let row = agent_conversations::Entity::find_by_id(id.0)
        .filter(agent_conversations::Column::DeletedAt.is_null())
        .one(db)
        .await
        .db()?;
    row.ok_or(Error::NotFound("conversation"))
}

pub async fn find_turn(db: &impl ConnectionTrait, id: ConversationId) -> Result<Option<TurnRow>> {
    Ok(turn_row(&find(db, id).await?))
}

pub fn turn_row(row: &agent_conversations::Model) -> Option<TurnRow> {
    Some(TurnRow {
        task_id: TaskId(row.turn_task_id?),
        owner: row.turn_owner.map(NodeId),
        attempt: row.turn_attempt,
        tries: row.turn_tries,
        stop_requested: row.stop_requested_at.is_some(),
    })
}

/// Only a turn that is under way has a tape worth reading.
async fn checkpoint(
    db: &impl ConnectionTrait,
    id: ConversationId,
    turn: Option<TurnRow>,
) -> Result<Option<(i64, Tape)>> {
    if turn.is_none() {
        return Ok(None);
    }
    let sql = "SELECT call_seq, tape FROM tapes WHERE conversation_id = $1";
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [id.0.into()]);
    let Some(row) = db.query_one_raw(statement).await.db()? else { return Ok(None) };
    let tape: Value = row.try_get("", "tape").db()?;
    // One that a newer Baton kept otherwise is as good as none: the call is made again in any case.
    let Ok(tape) = serde_json::from_value(tape) else { return Ok(None) };
    Ok(Some((row.try_get("", "call_seq").db()?, tape)))
}

pub async fn steps_after(
    db: &impl ConnectionTrait,
    id: ConversationId,
    seq: i64,
    limit: u64,
) -> Result<Vec<LoggedStep>> {
    let rows = task_messages::Entity::find()
        .filter(task_messages::Column::ConversationId.eq(id.0))
        .filter(task_messages::Column::Seq.gt(seq))
        .order_by_asc(task_messages::Column::Seq)
        .limit(limit)
        .all(db)
        .await
        .db()?;
    Ok(rows.into_iter().map(logged).collect())
}

pub async fn steps_page(db: &impl ConnectionTrait, id: ConversationId, seq: i64) -> Result<StepsPage> {
    let page = byte_pages::steps(db.get_database_backend(), id.0, Edge::After(seq), READERS_PAGE);
    let rows = page.all(db).await.db()?;
    let bytes: u64 = rows.iter().map(|row| weight(&row.body)).sum();
    let is_last = (rows.len() as u64) < READERS_PAGE.rows && bytes * LONGEST_ESCAPE < READERS_PAGE.bytes;
    Ok(StepsPage { steps: rows.into_iter().map(logged).collect(), is_last: is_last || bytes == 0 })
}

pub async fn open_call(
    db: &impl ConnectionTrait,
    id: ConversationId,
    seq: i64,
) -> Result<Option<LoggedStep>> {
    // What opens a call, and what closes one.
    let either = task_messages::Entity::find()
        .filter(task_messages::Column::ConversationId.eq(id.0))
        .filter(task_messages::Column::Seq.lte(seq))
        .filter(task_messages::Column::Kind.is_in(["call", "assistant_message"]))
        .order_by_desc(task_messages::Column::Seq)
        .one(db)
        .await
        .db()?;
    let last = either.map(logged);
    Ok(last.filter(|logged| matches!(logged.step, Step::Call { .. })))
}

pub async fn step(db: &impl ConnectionTrait, id: ConversationId, seq: i64) -> Result<Option<LoggedStep>> {
    let row = task_messages::Entity::find_by_id((id.0, seq)).one(db).await.db()?;
    Ok(row.map(logged))
}

pub async fn last_seqs(
    db: &impl ConnectionTrait,
    ids: Vec<ConversationId>,
) -> Result<Vec<(ConversationId, i64)>> {
    let rows = agent_conversations::Entity::find()
        .select_only()
        .column(agent_conversations::Column::Id)
        .column(agent_conversations::Column::LastSeq)
        .filter(agent_conversations::Column::Id.is_in(ids.into_iter().map(|id| id.0)))
        .into_tuple::<(Uuid, i64)>()
        .all(db)
        .await
        .db()?;
    Ok(rows.into_iter().map(|(id, seq)| (ConversationId(id), seq)).collect())
}

pub fn logged(row: task_messages::Model) -> LoggedStep {
    LoggedStep {
        seq: row.seq,
        task_id: row.task_id.map(TaskId),
        agent_id: AgentId(row.agent_id),
        message_id: row.message_id.map(MessageId),
        step: Step::read(row.body),
        at: row.created_at,
    }
}
