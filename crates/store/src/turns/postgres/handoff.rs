//! What a handoff adds to a commit's one statement. It writes only if the guard found its row.

use baton_core::access::{Gate, SUPPORT, Use, Viewer, pairings};
use baton_core::handoffs::NewHandoff;
use baton_core::refusals::{Target, check_target};
use baton_core::store::Result;
use baton_core::turns::Refused;
use sea_orm::Value;
use uuid::Uuid;

use super::{Outcome, json, one};
use crate::connection::Db;
use crate::db::{OrStoreError, stored};
use crate::turns::handoff_rows::{ActivationChange, HandoffRows};

/// Pieces of a statement whose guard updates `agent_conversations`: what it sets besides, what must hold besides, and
/// what is written after it. `$1` is when.
#[derive(Default)]
pub struct Clauses {
    pub set: String,
    pub and: String,
    pub writes: String,
}

pub fn clauses(values: &mut Vec<Value>, handoff: &HandoffRows) -> Result<Clauses> {
    let mut clauses = Clauses::default();
    if handoff.change.is_some() || handoff.notes.is_some() {
        clauses.hold(values, handoff)?;
    }
    if let Some(change) = &handoff.change {
        clauses.change_activation(values, change)?;
    }
    if let Some((activation, is_pinned)) = handoff.pin {
        let (activation, is_pinned) = (place(values, activation.into()), place(values, is_pinned.into()));
        let is_it = format!("activations.id = {activation} AND activations.status = 'active'");
        clauses.and += &format!(
            " AND EXISTS (SELECT 1 FROM activations WHERE {is_it} AND activations.conversation_id = agent_conversations.id)"
        );
        clauses.writes +=
            &format!(", pinned AS (UPDATE activations SET is_pinned = {is_pinned} FROM guard WHERE {is_it})");
    }
    if let Some(kept) = &handoff.snapshot {
        let kept = place(values, json(&[kept])?);
        clauses.writes += &format!(
            ", snapshot AS (INSERT INTO snapshots (id, conversation_id, stage, version, agent_id, task_id, data, created_at) \
             SELECT s.id, guard.id, s.stage, 1 + COALESCE((SELECT MAX(version) FROM snapshots \
             WHERE conversation_id = guard.id AND stage = s.stage), 0), s.agent_id, s.task_id, s.data, $1 \
             FROM guard, jsonb_to_recordset({kept}) AS s(id uuid, stage text, agent_id uuid, task_id uuid, data jsonb))"
        );
    }
    if !handoff.transitions.is_empty() {
        let new = place(values, json(&handoff.transitions)?);
        clauses.writes += &format!(
            ", attempts AS (INSERT INTO transitions (id, workspace_id, conversation_id, task_id, trigger, from_agent_id, \
             to_agent_id, reason, outcome, code, latency_ms, tokens_full, tokens_sent, created_at) \
             SELECT t.id, $7, guard.id, t.task_id, t.trigger, t.from_agent_id, t.to_agent_id, t.reason, \
             t.outcome, t.code, t.latency_ms, t.tokens_full, t.tokens_sent, $1 FROM guard, jsonb_to_recordset({new}) \
             AS t(id uuid, task_id uuid, trigger text, from_agent_id uuid, to_agent_id uuid, reason text, outcome text, \
             code text, latency_ms bigint, tokens_full bigint, tokens_sent bigint))"
        );
    }
    if let Some(transition) = handoff.rolled_back {
        let transition = place(values, transition.into());
        clauses.writes += &format!(
            ", rolled_back AS (UPDATE transitions SET outcome = 'rolled_back' FROM guard \
             WHERE transitions.id = {transition} AND transitions.conversation_id = guard.id)"
        );
    }
    Ok(clauses)
}

impl Clauses {
    /// The active activation ends, keeps what its agent wrote, or both: one row can be changed only once.
    fn hold(&mut self, values: &mut Vec<Value>, handoff: &HandoffRows) -> Result<()> {
        let ends_as = match &handoff.change {
            Some(change) => {
                let ends_as = place(values, change.ends_as.into());
                format!("status = {ends_as}, ended_at = $1, ")
            }
            None => String::new(),
        };
        let kept = place(values, json(handoff.notes.as_slice())?);
        self.writes += &format!(
            ", held AS (UPDATE activations SET {ends_as}context_data = COALESCE((SELECT k.data \
             FROM jsonb_to_recordset({kept}) AS k(agent_id uuid, data jsonb) WHERE k.agent_id = activations.agent_id), \
             context_data) FROM guard WHERE activations.conversation_id = guard.id AND activations.status = 'active' \
             RETURNING activations.id)"
        );
        if handoff.notes.is_some() {
            // The person may have given the conversation to another meanwhile: then to the newest time it was the agent's.
            self.writes += &format!(
                ", noted AS (UPDATE activations SET context_data = k.data FROM guard, \
                 jsonb_to_recordset({kept}) AS k(agent_id uuid, data jsonb) \
                 WHERE activations.status <> 'active' AND activations.id = (SELECT newest.id FROM activations AS newest \
                 WHERE newest.conversation_id = guard.id AND newest.agent_id = k.agent_id \
                 ORDER BY newest.began_seq DESC, newest.id DESC LIMIT 1))"
            );
        }
        Ok(())
    }

    /// The target is there, and open to the person as they are now. Its row is locked: the guard may wait for the
    /// conversation, and who disables the agent meanwhile waits for this commit.
    pub fn open_to(&mut self, values: &mut Vec<Value>, target: Uuid, how: Use) -> Result<()> {
        let (target, open) = (place(values, target.into()), place(values, json(&pairings(how))?));
        self.and += &format!(
            " AND EXISTS (SELECT 1 FROM agents LEFT JOIN profiles ON profiles.id = agent_conversations.user_id \
             JOIN jsonb_to_recordset({open}) AS open(viewer text, is_default boolean, is_support boolean, \
             is_restricted boolean) ON open.viewer = COALESCE(profiles.tier, 'visitor') \
             AND open.is_default = agents.is_default AND open.is_restricted = agents.is_restricted \
             AND open.is_support = (agents.role IS NOT DISTINCT FROM '{SUPPORT}') \
             WHERE agents.id = {target} AND agents.workspace_id = agent_conversations.workspace_id AND agents.is_active \
             FOR SHARE OF agents)"
        );
        Ok(())
    }

    fn change_activation(&mut self, values: &mut Vec<Value>, change: &ActivationChange) -> Result<()> {
        let ends = place(values, change.ends.into());
        self.set += ", epoch = epoch + 1";
        self.and += &format!(
            " AND EXISTS (SELECT 1 FROM activations WHERE activations.id = {ends} \
             AND activations.conversation_id = agent_conversations.id AND activations.status = 'active')"
        );
        if let Some(how) = change.access {
            self.open_to(values, change.begins.agent_id, how)?;
        }
        let begins = place(values, json(&[&change.begins])?);
        // From what was held: only one may be active, so the other must have ended before.
        self.writes += &format!(
            ", begun AS (INSERT INTO activations (id, conversation_id, agent_id, status, trigger, reason, \
             activation_summary, message_id, context, context_data, resumes, is_pinned, began_seq, began_at) \
             SELECT b.id, guard.id, b.agent_id, 'active', b.trigger, b.reason, b.activation_summary, b.message_id, \
             b.context, b.context_data, b.resumes, b.is_pinned, b.began_seq, $1 FROM guard, held, \
             jsonb_to_recordset({begins}) AS b(id uuid, agent_id uuid, trigger text, reason text, activation_summary text, \
             message_id uuid, context jsonb, context_data jsonb, resumes uuid, is_pinned boolean, began_seq bigint))"
        );
        if let Some(task) = &change.task {
            let parent = place(values, task.parent_id.into());
            let task = place(values, json(&[task])?);
            self.writes += &format!(
                ", completed AS (UPDATE tasks SET status = 'completed', ended_at = $1 FROM guard \
                 WHERE tasks.id = {parent} AND tasks.ended_at IS NULL), \
                 goes_on AS (INSERT INTO tasks (id, workspace_id, conversation_id, agent_id, parent_id, master_task_id, status, \
                 input, context, created_at, ended_at) SELECT t.id, $7, guard.id, t.agent_id, t.parent_id, \
                 t.master_task_id, t.status, t.input, t.context, $1, CASE WHEN t.is_over THEN $1 END \
                 FROM guard, jsonb_to_recordset({task}) AS t(id uuid, agent_id uuid, parent_id uuid, master_task_id uuid, \
                 status text, is_over boolean, input jsonb, context jsonb))"
            );
        }
        Ok(())
    }
}

pub fn place(values: &mut Vec<Value>, value: Value) -> String {
    values.push(value);
    format!("${}", values.len())
}

/// Neither epoch nor log nor turn refused it, so it was the target, or something that has changed back since.
pub async fn why_not(db: &Db, conversation: Uuid, handoff: &NewHandoff) -> Outcome<Refused> {
    let sql =
        "SELECT 1 AS held FROM activations WHERE id = $1 AND conversation_id = $2 AND status = 'active'";
    if one(db, sql, vec![handoff.ends.0.into(), conversation.into()]).await.db()?.is_none() {
        return Ok(Refused::StaleEpoch);
    }
    let Some(how) = handoff.access else { return Ok(Refused::Moved) };
    why_not_open(db, conversation, handoff.begins.agent_id.0, how).await
}

/// The target as it is; `Moved` if it is open by now.
pub async fn why_not_open(db: &Db, conversation: Uuid, target: Uuid, how: Use) -> Outcome<Refused> {
    let sql = "SELECT profiles.tier, agents.is_default, agents.role, agents.is_restricted FROM agent_conversations AS held \
               JOIN agents ON agents.id = $2 AND agents.workspace_id = held.workspace_id AND agents.is_active \
               LEFT JOIN profiles ON profiles.id = held.user_id WHERE held.id = $1";
    let values = vec![conversation.into(), target.into()];
    let target = match one(db, sql, values).await.db()? {
        None => None,
        Some(row) => {
            let (tier, role): (Option<String>, Option<String>) =
                (row.try_get("", "tier").db()?, row.try_get("", "role").db()?);
            let viewer = match tier {
                Some(tier) => Viewer::Profile(stored("tier", &tier)?),
                None => Viewer::Visitor,
            };
            let gate = Gate {
                is_default: row.try_get("", "is_default").db()?,
                is_support: role.as_deref() == Some(SUPPORT),
                is_restricted: row.try_get("", "is_restricted").db()?,
            };
            Some(Target { viewer, gate })
        }
    };
    Ok(check_target(target, how).err().unwrap_or(Refused::Moved))
}
