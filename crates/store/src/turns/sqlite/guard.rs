//! The guard that every commit begins with: one statement that locks, fences, numbers and reports.

use baton_core::ids::{NodeId, TaskId};
use baton_core::refusals::{GuardedRow, check_checkpoint, check_commit};
use baton_core::store::Result;
use baton_core::turns::{Checkpoint, Committed, Fence, Refused, Whose};
use baton_core::visitors::Person;
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};
use uuid::Uuid;

use super::{Outcome, id, one, run, time, uuid};
use crate::turns::json::Json;
use crate::turns::rows::{CommitRows, GuardRows, turn_after};

/// Passes if the conversation's row is as the commit's terms say.
pub fn pass(db: &Connection, rows: &CommitRows) -> Outcome<Committed> {
    let terms = &rows.terms;
    let (mut set, mut and) = (String::new(), String::new());
    let mut values = Values(vec![
        rows.certain.into(),
        time(rows.at).into(),
        blob(rows.conversation_id),
        terms.last_seq.into(),
    ]);
    if rows.may_call() {
        set += " + (CASE WHEN stop_requested_at IS NULL THEN 1 ELSE 0 END)";
    }
    set += &format!(", updated_at = ?2, bytes = bytes + {}", values.place(rows.bytes.into()));
    if rows.handoff.change.is_some() {
        set += ", epoch = epoch + 1";
    }
    match &rows.guard {
        GuardRows::Accept(accept) => {
            let (task, node) = (values.place(blob(accept.task_id)), values.place(blob(accept.node)));
            let search_text = values.place(accept.search_text.clone().into());
            let title = values.place(accept.title.clone().into());
            set += &format!(
                ", turn_task_id = {task}, turn_owner = {node}, turn_attempt = 1, turn_tries = 0, \
                 stop_requested_at = NULL, title = COALESCE(title, {title}), \
                 search_text = CASE WHEN title IS NULL THEN {search_text} ELSE search_text END"
            );
        }
        GuardRows::Turn { after, .. } => set += turn_after(*after),
        GuardRows::Switch if rows.ends.is_some() => set += ", turn_task_id = NULL",
        GuardRows::Switch => {}
    }
    if let Some(epoch) = terms.epoch {
        and += &format!(" AND epoch = {}", values.place(epoch.into()));
    }
    if terms.begins {
        and += " AND stop_requested_at IS NULL";
    }
    let waits = |values: &mut Values, turn: Option<Uuid>| {
        let turn = values.place(turn.map(|turn| turn.into_bytes().to_vec()).into());
        format!("(turn_task_id = {turn} AND turn_owner IS NULL)")
    };
    match terms.whose {
        Whose::Turn(fence) => {
            let task = values.place(blob(fence.task_id.0));
            let attempt = values.place(i64::from(fence.attempt).into());
            and += &format!(" AND turn_task_id = {task} AND turn_attempt = {attempt}");
        }
        Whose::Accept { person, .. } => {
            let bytes = |id: Option<Uuid>| id.map(|id| id.into_bytes().to_vec()).into();
            let profile = values.place(bytes(person.profile_id().map(|id| id.0)));
            let visitor = values.place(bytes(person.visitor_id().map(|id| id.0)));
            let waits = waits(&mut values, rows.ends);
            and += &format!(
                " AND user_id IS {profile} AND visitor_id IS {visitor} AND (turn_task_id IS NULL OR {waits})"
            );
        }
        Whose::Switch { ends: None } => {}
        Whose::Switch { .. } => and += &format!(" AND {}", waits(&mut values, rows.ends)),
    }
    let sql = format!(
        "UPDATE agent_conversations SET last_seq = last_seq + ?1{set} \
         WHERE id = ?3 AND deleted_at IS NULL AND last_seq = ?4{and} \
         RETURNING last_seq, turn_task_id IS NOT NULL AND stop_requested_at IS NOT NULL"
    );
    let passed = one(db, &sql, params_from_iter(values.0), |row| {
        Ok(Committed { last_seq: row.get(0)?, stop_requested: row.get(1)? })
    })?;
    match passed {
        Some(committed) => Ok(committed),
        None => {
            check_commit(guarded_row(db, rows.conversation_id)?, terms)?;
            // Nothing is wrong any more: it is worth another try.
            Err(Refused::Moved)
        }
    }
}

/// A statement's values, and where each stands among them.
struct Values(Vec<Value>);

impl Values {
    fn place(&mut self, value: Value) -> String {
        self.0.push(value);
        format!("?{}", self.0.len())
    }
}

fn blob(id: Uuid) -> Value {
    id.into_bytes().to_vec().into()
}

/// A tape as it is kept.
pub struct TapeRow {
    conversation_id: Uuid,
    fence: Fence,
    last_seq: i64,
    tape: Json,
}

impl TapeRow {
    pub fn new(checkpoint: &Checkpoint) -> Result<Self> {
        let Checkpoint { conversation_id, fence, last_seq, tape } = checkpoint;
        let (conversation_id, tape) = (conversation_id.0, Json::of(tape)?);
        Ok(Self { conversation_id, fence: *fence, last_seq: *last_seq, tape })
    }
}

/// Written only while the log ends with the call that speaks: a tape never gets the number of another step. Where the
/// log has moved on, the turn is still its owner's, and what was said is stored when the call closes.
pub fn checkpoint(db: &Connection, checkpoint: &TapeRow) -> Outcome<()> {
    let TapeRow { conversation_id, fence, last_seq, tape } = checkpoint;
    let changed = run(
        db,
        "INSERT INTO tapes (conversation_id, call_seq, tape) \
         SELECT id, last_seq, ? FROM agent_conversations \
         WHERE id = ? AND turn_task_id = ? AND turn_attempt = ? AND last_seq = ? AND deleted_at IS NULL \
         ON CONFLICT (conversation_id) DO UPDATE SET call_seq = excluded.call_seq, tape = excluded.tape",
        params![tape, id(*conversation_id), id(fence.task_id.0), fence.attempt, last_seq],
    )?;
    if changed > 0 {
        return Ok(());
    }
    check_checkpoint(guarded_row(db, *conversation_id)?, *fence)
}

/// The conversation's row as it is; none if it was deleted.
fn guarded_row(db: &Connection, conversation: Uuid) -> Outcome<Option<GuardedRow>> {
    one(
        db,
        "SELECT turn_task_id, turn_owner, turn_attempt, last_seq, epoch, stop_requested_at IS NOT NULL, user_id, visitor_id \
         FROM agent_conversations WHERE id = ? AND deleted_at IS NULL",
        [id(conversation)],
        |row| {
            let bytes = |column| {
                Ok::<_, rusqlite::Error>(row.get::<_, Option<[u8; 16]>>(column)?.map(Uuid::from_bytes))
            };
            Ok(GuardedRow {
                person: match bytes(6)? {
                    Some(profile) => Person::Profile(profile.into()),
                    None => Person::Visitor(uuid(row, 7)?.into()),
                },
                turn_task_id: bytes(0)?.map(TaskId),
                turn_owner: bytes(1)?.map(NodeId),
                attempt: row.get(2)?,
                last_seq: row.get(3)?,
                epoch: row.get(4)?,
                stop_requested: row.get(5)?,
            })
        },
    )
}
