//! What a subtask adds to a commit's one statement. It writes only if the guard found its row.

use baton_core::access::Use;
use baton_core::store::Result;
use sea_orm::Value;

use super::handoff::{Clauses, place};
use super::json;
use crate::turns::rows::CommitRows;
use crate::turns::subtask_rows::SubtaskRow;

/// The guard returns the conversation's person too.
pub fn clauses(clauses: &mut Clauses, values: &mut Vec<Value>, rows: &CommitRows) -> Result<()> {
    if let Some(new) = &rows.subtask {
        clauses.open_to(values, new.agent_id, Use::ModelSwitch)?;
        clauses.begin(values, new)?;
    }
    if !rows.stops.is_empty() {
        let ids = place(values, json(&rows.stops)?);
        // The conversation that asked is locked first, whoever stops them.
        clauses.writes += &format!(
            ", stopped AS (UPDATE agent_conversations SET stop_requested_at = COALESCE(stop_requested_at, $1) FROM guard \
             WHERE agent_conversations.parent_id = guard.id AND turn_task_id IS NOT NULL AND agent_conversations.id IN \
             (SELECT CAST(ids.id AS uuid) FROM jsonb_array_elements_text({ids}) AS ids(id)))"
        );
    }
    Ok(())
}

impl Clauses {
    fn begin(&mut self, values: &mut Vec<Value>, new: &SubtaskRow) -> Result<()> {
        let (row, steps) = (place(values, json(&[new])?), place(values, json(&new.steps)?));
        let messages = place(values, json(&new.messages)?);
        let columns = "id uuid, activation_id uuid, task_id uuid, parent_task_id uuid, agent_id uuid, node uuid, depth int, \
                       mode text, title text, search_text text, last_seq bigint, input jsonb";
        let asked = format!("jsonb_to_recordset({row}) AS a({columns})");
        self.writes += &format!(
            ", asked_in AS (INSERT INTO agent_conversations (id, workspace_id, agent_id, user_id, visitor_id, title, \
             search_text, last_seq, created_at, updated_at, epoch, turn_task_id, turn_owner, turn_attempt, parent_id, \
             subtask_depth, subtask_mode) SELECT a.id, guard.workspace_id, a.agent_id, guard.user_id, guard.visitor_id, \
             a.title, a.search_text, a.last_seq, $1, $1, 1, a.task_id, a.node, 1, guard.id, a.depth, a.mode \
             FROM guard, {asked}), \
             asked_of AS (INSERT INTO activations (id, conversation_id, agent_id, status, trigger, context_data, began_at) \
             SELECT a.activation_id, a.id, a.agent_id, 'active', 'model', '{{}}', $1 FROM guard, {asked}), \
             asked_task AS (INSERT INTO tasks (id, workspace_id, conversation_id, agent_id, parent_id, master_task_id, \
             status, input, context, token_id, created_at) SELECT a.task_id, guard.workspace_id, a.id, a.agent_id, \
             above.id, above.master_task_id, 'running', a.input, '{{}}', above.token_id, $1 \
             FROM guard, {asked} JOIN tasks AS above ON above.id = a.parent_task_id), \
             asked_steps AS (INSERT INTO task_messages (conversation_id, seq, task_id, agent_id, message_id, type, body, \
             created_at) SELECT a.id, s.seq, s.task_id, s.agent_id, s.message_id, s.type, s.body, $1 FROM guard, {asked}, \
             jsonb_to_recordset({steps}) AS s(seq bigint, task_id uuid, agent_id uuid, message_id uuid, type text, \
             body jsonb)), \
             asked_messages AS (INSERT INTO agent_messages (id, conversation_id, seq, agent_id, role, content, search_text, \
             parts, metadata, created_at, status, attempt) SELECT m.id, a.id, m.seq, m.agent_id, m.role, m.content, \
             m.search_text, m.parts, m.metadata, $1, m.status, m.attempt FROM guard, {asked}, \
             jsonb_to_recordset({messages}) AS m(id uuid, seq bigint, agent_id uuid, role text, content text, \
             search_text text, parts jsonb, metadata jsonb, status text, attempt int))"
        );
        Ok(())
    }
}
