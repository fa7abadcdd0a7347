//! The turn's commits on SQLite: a guard and cached statements, on the writer's connection, inside its transaction.

use baton_core::store::Error;
use baton_core::turns::{Accept, After, Checkpoint, Commit, Committed, Guard, Place, Refused};
use chrono::{DateTime, Duration, SecondsFormat, Utc};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Params, Row, ToSql, params};
use uuid::Uuid;

use super::rows::{self, CommitRows, MessageRow, ResolvedRow, StepRow, to_json};
use super::{KEY_DAYS, not_there, refusal};

type Outcome<T> = Result<T, Refused>;

pub fn accept(db: &Connection, accept: &Accept) -> Outcome<Committed> {
    repeated(db, accept)?;
    let base = accept.place.last_seq();
    let last_seq = base + accept.steps.len() as i64;
    let at = time(accept.at);
    let conversation = accept.place.id();
    match &accept.place {
        Place::New { activation_id, title, .. } => {
            run(
                db,
                "INSERT INTO agent_conversations (id, workspace_id, agent_id, user_id, visitor_id, title, search_text, \
                 last_seq, created_at, updated_at, epoch, turn_task_id, turn_owner, turn_attempt) \
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, 1)",
                params![
                    id(conversation.0),
                    id(accept.workspace_id.0),
                    id(accept.agent_id.0),
                    accept.person.profile_id().map(|person| id(person.0)),
                    accept.person.visitor_id().map(|person| id(person.0)),
                    title,
                    baton_core::text::fold(title.as_deref().unwrap_or_default()),
                    last_seq,
                    at,
                    at,
                    id(accept.task_id.0),
                    id(accept.node.0),
                ],
            )?;
            run(
                db,
                "INSERT INTO activations (id, conversation_id, agent_id, status, trigger, context_data, began_at) \
                 VALUES (?, ?, ?, 'active', 'user', '{}', ?)",
                params![id(activation_id.0), id(conversation.0), id(accept.agent_id.0), at],
            )?;
        }
        Place::Existing { ends, title, .. } => {
            let changed = run(
                db,
                "UPDATE agent_conversations SET last_seq = ?, turn_task_id = ?, turn_owner = ?, turn_attempt = 1, \
                 turn_tries = 0, stop_requested_at = NULL, updated_at = ?, \
                 search_text = CASE WHEN title IS NULL THEN ? ELSE search_text END, title = COALESCE(title, ?) \
                 WHERE id = ? AND deleted_at IS NULL AND last_seq = ? \
                 AND (turn_task_id IS NULL OR (turn_task_id = ? AND turn_owner IS NULL))",
                params![
                    last_seq,
                    id(accept.task_id.0),
                    id(accept.node.0),
                    at,
                    baton_core::text::fold(title.as_deref().unwrap_or_default()),
                    title,
                    id(conversation.0),
                    base,
                    ends.map(|turn| id(turn.task_id.0)),
                ],
            )?;
            if changed == 0 {
                return Err(why_not(db, accept)?);
            }
            if let Some(turn) = ends {
                end_task(db, turn.task_id.0, "cancelled", &at)?;
            }
        }
    }
    insert_steps(db, conversation.0, &rows::step_rows(base, accept.steps.iter())?, &at)?;
    let (new, changed) = rows::message_rows(base, &accept.messages)?;
    write_messages(db, conversation.0, &new, &changed, &at)?;
    resolve(db, &rows::resolved_rows(&accept.resolved), &at)?;
    run(
        db,
        "INSERT INTO tasks (id, workspace_id, conversation_id, agent_id, master_task_id, status, input, context, \
         token_id, created_at) VALUES (?, ?, ?, ?, ?, 'running', ?, '{}', ?, ?)",
        params![
            id(accept.task_id.0),
            id(accept.workspace_id.0),
            id(conversation.0),
            id(accept.agent_id.0),
            id(accept.task_id.0),
            accept.input.to_string(),
            accept.token_id.map(|token| id(token.0)),
            at,
        ],
    )?;
    if let Some(key) = &accept.key {
        let before = accept.steps.iter().take_while(|step| step.task_id != Some(accept.task_id)).count();
        run(
            db,
            "INSERT INTO request_keys (person_id, request_key, body_hash, conversation_id, task_id, first_seq, created_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?)",
            params![
                id(accept.person.id()),
                key.key,
                key.body_hash,
                id(conversation.0),
                id(accept.task_id.0),
                base + 1 + before as i64,
                at,
            ],
        )?;
    }
    Ok(Committed { last_seq, stop_requested: false })
}

/// Whether the same person sent this key before.
fn repeated(db: &Connection, accept: &Accept) -> Outcome<()> {
    let Some(key) = &accept.key else { return Ok(()) };
    run(
        db,
        "DELETE FROM request_keys WHERE person_id = ? AND request_key = ? AND created_at < ?",
        params![id(accept.person.id()), key.key, time(accept.at - Duration::days(KEY_DAYS))],
    )?;
    let found = one(
        db,
        "SELECT body_hash, conversation_id, task_id, first_seq FROM request_keys WHERE person_id = ? AND request_key = ?",
        params![id(accept.person.id()), key.key],
        |row| Ok((row.get::<_, Vec<u8>>(0)?, uuid(row, 1)?, uuid(row, 2)?, row.get::<_, i64>(3)?)),
    )?;
    match found {
        None => Ok(()),
        Some((hash, ..)) if hash != key.body_hash => Err(Refused::KeyReused),
        Some((_, conversation, task, first_seq)) => {
            Err(Refused::Repeated { conversation_id: conversation.into(), task_id: task.into(), first_seq })
        }
    }
}

fn why_not(db: &Connection, accept: &Accept) -> Outcome<Refused> {
    let row = one(
        db,
        "SELECT turn_task_id, turn_owner FROM agent_conversations WHERE id = ? AND deleted_at IS NULL",
        params![id(accept.place.id().0)],
        |row| Ok((row.get::<_, Option<Vec<u8>>>(0)?.is_some(), row.get::<_, Option<Vec<u8>>>(1)?.is_some())),
    )?;
    Ok(match row {
        None => not_there(),
        Some((true, true)) => Refused::TurnInProgress,
        Some(_) => Refused::Moved,
    })
}

pub fn commit(db: &Connection, commit: &Commit) -> Outcome<Committed> {
    let rows = CommitRows::new(commit)?;
    let at = time(commit.at);
    let (running, progressed) = match commit.after {
        After::Running { progressed } => (true, progressed),
        After::Waiting => (false, true),
        After::Ended(_) => (false, true),
    };
    let guard = &commit.guard;
    let committed = one(
        db,
        "UPDATE agent_conversations SET \
         last_seq = last_seq + ? + (CASE WHEN ? AND stop_requested_at IS NULL THEN 1 ELSE 0 END), \
         turn_task_id = CASE WHEN ? THEN NULL ELSE turn_task_id END, \
         turn_owner = CASE WHEN ? THEN turn_owner ELSE NULL END, \
         turn_tries = CASE WHEN ? THEN 0 ELSE turn_tries END, updated_at = ? \
         WHERE id = ? AND turn_task_id = ? AND turn_attempt = ? AND last_seq = ? AND deleted_at IS NULL \
         RETURNING last_seq, stop_requested_at IS NOT NULL",
        params![
            commit.steps.len() as i64,
            commit.next_call.is_some(),
            rows.is_over,
            running,
            progressed,
            at,
            id(guard.conversation_id.0),
            id(guard.task_id.0),
            guard.attempt,
            guard.last_seq,
        ],
        |row| Ok(Committed { last_seq: row.get(0)?, stop_requested: row.get(1)? }),
    )?;
    let Some(committed) = committed else { return Err(fenced(db, guard)?) };
    let conversation = rows.conversation_id.0;
    let stored: Vec<&StepRow> = rows.steps.iter().filter(|step| step.seq <= committed.last_seq).collect();
    insert_steps(db, conversation, stored, &at)?;
    write_messages(db, conversation, &rows.new_messages, &rows.changed_messages, &at)?;
    write_rest(db, commit, &rows, &at)?;
    Ok(committed)
}

fn write_rest(db: &Connection, commit: &Commit, rows: &CommitRows, at: &str) -> Outcome<()> {
    let (workspace, conversation) = (id(commit.workspace_id.0), id(rows.conversation_id.0));
    let task = id(commit.guard.task_id.0);
    for gone in &rows.forgotten {
        run(
            db,
            "DELETE FROM agent_memories WHERE agent_id = ? AND path = ?",
            params![id(gone.agent_id), gone.path],
        )?;
    }
    for memory in &rows.memories {
        run(
            db,
            "INSERT INTO agent_memories (id, agent_id, workspace_id, path, content, search_text, created_at, updated_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (agent_id, path) DO UPDATE SET \
             content = excluded.content, search_text = excluded.search_text, updated_at = excluded.updated_at",
            params![
                id(memory.id),
                id(memory.agent_id),
                workspace,
                memory.path,
                memory.content,
                memory.search_text,
                at,
                at
            ],
        )?;
    }
    for asked in &rows.approvals {
        run(
            db,
            "INSERT INTO approvals (id, workspace_id, conversation_id, task_id, agent_id, message_id, call_id, \
             tool_name, args, args_hash, status, remember, expires_at, created_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', false, ?, ?)",
            params![
                id(asked.id),
                workspace,
                conversation,
                task,
                id(asked.agent_id),
                id(asked.message_id),
                asked.call_id,
                asked.tool_name,
                asked.args.to_string(),
                asked.args_hash,
                time(asked.expires_at),
                at,
            ],
        )?;
    }
    resolve(db, &rows.resolved, at)?;
    for used in &rows.usage {
        run(
            db,
            "INSERT INTO model_usage (id, workspace_id, conversation_id, task_id, agent_id, profile_id, model, \
             input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost_micros, \
             is_estimate, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                id(used.id),
                workspace,
                conversation,
                task,
                id(used.agent_id),
                commit.profile_id.map(|profile| id(profile.0)),
                used.model,
                used.input_tokens,
                used.cache_read_tokens,
                used.cache_write_tokens,
                used.output_tokens,
                used.reasoning_tokens,
                used.cost_micros,
                used.is_estimate,
                at,
            ],
        )?;
    }
    match commit.after {
        After::Running { .. } => Ok(()),
        After::Waiting => {
            run(db, "UPDATE tasks SET status = 'waiting' WHERE id = ?", params![task]).map(drop)
        }
        After::Ended(_) => end_task(db, commit.guard.task_id.0, rows.task_status, at),
    }
}

pub fn checkpoint(db: &Connection, checkpoint: &Checkpoint) -> Outcome<()> {
    let guard = &checkpoint.guard;
    let tape = to_json(&checkpoint.tape)?.to_string();
    let changed = run(
        db,
        "INSERT INTO tapes (conversation_id, call_seq, tape) \
         SELECT id, last_seq, ? FROM agent_conversations \
         WHERE id = ? AND turn_task_id = ? AND turn_attempt = ? AND deleted_at IS NULL \
         ON CONFLICT (conversation_id) DO UPDATE SET call_seq = excluded.call_seq, tape = excluded.tape",
        params![tape, id(guard.conversation_id.0), id(guard.task_id.0), guard.attempt],
    )?;
    if changed == 0 { Err(Refused::Fenced) } else { Ok(()) }
}

fn fenced(db: &Connection, guard: &Guard) -> Outcome<Refused> {
    let row = one(
        db,
        "SELECT turn_task_id, turn_attempt, last_seq FROM agent_conversations WHERE id = ? AND deleted_at IS NULL",
        params![id(guard.conversation_id.0)],
        |row| {
            let task = row.get::<_, Option<Vec<u8>>>(0)?.and_then(|bytes| Uuid::from_slice(&bytes).ok());
            Ok((task, row.get(1)?, row.get(2)?))
        },
    )?;
    Ok(refusal(row, guard))
}

fn insert_steps<'a>(
    db: &Connection,
    conversation: Uuid,
    steps: impl IntoIterator<Item = &'a StepRow>,
    at: &str,
) -> Outcome<()> {
    for step in steps {
        run(
            db,
            "INSERT INTO task_messages (conversation_id, seq, task_id, agent_id, message_id, type, body, created_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                id(conversation),
                step.seq,
                step.task_id.map(id),
                id(step.agent_id),
                step.message_id.map(id),
                step.kind,
                step.body.to_string(),
                at,
            ],
        )?;
    }
    Ok(())
}

fn write_messages(
    db: &Connection,
    conversation: Uuid,
    new: &[MessageRow],
    changed: &[MessageRow],
    at: &str,
) -> Outcome<()> {
    for row in new {
        run(
            db,
            "INSERT INTO agent_messages (id, conversation_id, seq, agent_id, role, content, search_text, parts, \
             metadata, created_at, status, attempt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                id(row.id),
                id(conversation),
                row.seq,
                id(row.agent_id),
                row.role,
                row.content,
                row.search_text,
                row.parts.as_ref().map(ToString::to_string),
                row.metadata.to_string(),
                at,
                row.status,
                row.attempt,
            ],
        )?;
    }
    for row in changed {
        run(
            db,
            "UPDATE agent_messages SET content = ?, search_text = ?, parts = ?, metadata = ?, status = ?, attempt = ? \
             WHERE id = ?",
            params![
                row.content,
                row.search_text,
                row.parts.as_ref().map(ToString::to_string),
                row.metadata.to_string(),
                row.status,
                row.attempt,
                id(row.id),
            ],
        )?;
    }
    Ok(())
}

fn resolve(db: &Connection, resolved: &[ResolvedRow], at: &str) -> Outcome<()> {
    for row in resolved {
        run(
            db,
            "UPDATE approvals SET status = ?, decided_by = ?, reason = ?, decided_at = ? WHERE id = ? AND status = 'pending'",
            params![row.status, row.decided_by, row.reason, at, id(row.id)],
        )?;
    }
    Ok(())
}

fn end_task(db: &Connection, task: Uuid, status: &str, at: &str) -> Outcome<()> {
    run(db, "UPDATE tasks SET status = ?, ended_at = ? WHERE id = ?", params![status, at, id(task)]).map(drop)
}

fn run(db: &Connection, sql: &str, values: impl Params) -> Outcome<usize> {
    db.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map_err(refused)
}

fn one<T>(
    db: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Outcome<Option<T>> {
    let mut statement = db.prepare_cached(sql).map_err(refused)?;
    statement.query_row(values, read).optional().map_err(refused)
}

/// As the rest of the store keeps ids: their bytes.
fn id(uuid: Uuid) -> impl ToSql {
    uuid.into_bytes()
}

fn uuid(row: &Row<'_>, column: usize) -> rusqlite::Result<Uuid> {
    row.get::<_, [u8; 16]>(column).map(Uuid::from_bytes)
}

/// As the rest of the store keeps times.
fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, false)
}

pub fn is_full(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DiskFull)
}

pub fn store_error(error: rusqlite::Error) -> Error {
    if is_full(&error) {
        return Error::Full;
    }
    // Something was deleted between looking and writing.
    let gone = matches!(&error, rusqlite::Error::SqliteFailure(failure, _)
        if failure.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_FOREIGNKEY);
    if gone { Error::NotFound("record any more") } else { Error::Database(Box::new(error)) }
}

pub fn refused(error: rusqlite::Error) -> Refused {
    Refused::Store(store_error(error))
}
