//! A person is asked about a call by what it would change, and may take a day to answer. What they allowed is done only to rows
//! that are still as they were shown.

use baton_core::data::kind::Kind;
use baton_core::data::kinds::KINDS;
use baton_core::data::rows::{DataScope, Once, RecordedChange};
use baton_core::effects::{CallPlace, Effect, EffectRefused, SeenRow};
use baton_core::store::{ChangesOf, Result};
use serde_json::Value;
use uuid::Uuid;

use super::scoped::Scoped;
use super::{changes, records};
use crate::write::Write;

/// Refuses if a row that a person was shown is another now. What calls of the same reply did to it is no reason: the person was
/// asked about those too.
pub async fn check(write: &Write, once: &Once, scope: DataScope) -> std::result::Result<(), EffectRefused> {
    let Once::Call(Effect { call, shown, .. }) = once else { return Ok(()) };
    for kind in KINDS.iter().copied() {
        let rows: Vec<&SeenRow> = shown.rows.iter().filter(|row| row.kind == kind.name).collect();
        if rows.is_empty() {
            continue;
        }
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let found = records(&**write, Scoped::writing(scope, kind)?, kind, &ids).await?;
        for seen in rows {
            let Some(row) = found.iter().find(|row| row.id == seen.id && !row.is_deleted) else {
                return Err(EffectRefused::NotNow(format!(
                    "Nothing was done: a {} that the person was shown has been deleted since they were asked. Read again, then \
                     ask anew.",
                    kind.one
                )));
            };
            let newer = row.version.saturating_sub(seen.version).unsigned_abs();
            if newer > 0 && !by_siblings(write, scope, kind, row.id, (newer, call, shown.first_call)).await? {
                let title = row.fields.get(kind.title).and_then(Value::as_str).unwrap_or("without a name");
                return Err(EffectRefused::NotNow(format!(
                    "Nothing was done: the {} {title} was changed since the person was asked. Read it again, then ask anew.",
                    kind.one
                )));
            }
        }
    }
    Ok(())
}

/// Whether the latest changes of a row, this many, were all made by calls of the same reply.
async fn by_siblings(
    write: &Write,
    scope: DataScope,
    kind: &'static Kind,
    id: Uuid,
    (newer, call, first_call): (u64, &CallPlace, i64),
) -> Result<bool> {
    let latest = changes::read(&**write, scope, ChangesOf::Row { kind, id }, newer).await?;
    let is_siblings = |change: &RecordedChange| {
        let by = change.author.and_then(|author| author.agent);
        by.is_some_and(|by| by.conversation_id == call.conversation_id && by.seq >= first_call)
    };
    Ok(latest.len() as u64 == newer && latest.iter().all(is_siblings))
}
