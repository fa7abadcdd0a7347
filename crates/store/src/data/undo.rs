//! Takes changes back, the newest first, each only if its row is still as it left it.

use baton_core::data::check::Fields;
use baton_core::data::kind::Kind;
use baton_core::data::rows::{Author, ChangeAction, DataScope, Once, RecordedChange};
use baton_core::effects::EffectRefused;
use baton_core::store::Written;
use serde_json::Value;
use uuid::Uuid;

use super::ledger::Ledger;
use super::{Record, changes, projects, values};
use crate::write::Write;

pub async fn undo(write: &Write, once: Once, scope: DataScope, author: Author, ids: Vec<Uuid>) -> Written {
    let mut ledger = Ledger::open(write, &once, scope, author).await?;
    let changes = changes::by_ids(write, scope, &ids).await?;
    if changes.iter().any(|change| change.part_of.is_some()) {
        ledger.as_one();
    }
    for change in changes {
        let kind = values::kind(&change.kind)?;
        let row = ledger.find(kind, change.row_id).await?;
        take_back(&mut ledger, kind, change, row).await?;
    }
    ledger.close(&once).await
}

async fn take_back(
    ledger: &mut Ledger<'_>,
    kind: &'static Kind,
    change: RecordedChange,
    row: Option<Record>,
) -> Result<(), EffectRefused> {
    let refuse = |since: &str| {
        let name =
            change.after.as_ref().or(change.before.as_ref()).and_then(|row| row.get(kind.title)?.as_str());
        let name = name.map(|name| format!(" {name:?}")).unwrap_or_default();
        EffectRefused::NotNow(format!("This can't be undone: the {}{name} {since}", kind.one))
    };
    if change.is_undone {
        return Err(refuse("was changed back already."));
    }
    let undoes = Some(change.id);
    let live = row.as_ref().filter(|row| !row.is_deleted);
    match (change.action, change.before.clone(), change.after.clone()) {
        (ChangeAction::Created | ChangeAction::Restored, _, after) => {
            let Some(row) = live else { return Err(refuse("was deleted since.")) };
            if let Some(since) = after.and_then(|after| changed_since(kind, &row.fields, &after)) {
                return Err(refuse(&since));
            }
            if !projects::dependants(ledger, kind, row.id).await?.is_empty() {
                return Err(refuse("has tasks that hang on it by now. Delete it instead, with them."));
            }
            let row = row.clone();
            ledger.delete(kind, row, undoes).await
        }
        (ChangeAction::Changed, Some(before), Some(after)) => {
            let Some(row) = live else { return Err(refuse("was deleted since.")) };
            if let Some(since) = changed_since(kind, &row.fields, &after) {
                return Err(refuse(&since));
            }
            let mut fields = row.fields.clone();
            for (name, value) in before {
                match value.is_null() && kind.field(&name).is_none() {
                    true => fields.remove(&name),
                    false => fields.insert(name, value),
                };
            }
            let row = row.clone();
            ledger.set(kind, row, fields, undoes).await
        }
        (ChangeAction::Deleted, Some(mut before), _) => match row {
            Some(row) if row.is_deleted => {
                before.remove("version");
                ledger.restore(kind, row, before, undoes).await
            }
            Some(_) => Err(refuse("is there again.")),
            None => ledger.create(kind, change.row_id, before, undoes).await,
        },
        _ => Err(refuse("has no record of what it was.")),
    }
}

/// What of a row is no longer as a change left it, in words.
fn changed_since(kind: &Kind, row: &Fields, left: &Fields) -> Option<String> {
    let differs = |(name, value): &(&String, &Value)| row.get(*name).unwrap_or(&Value::Null) != *value;
    let (name, left) = left.iter().find(differs)?;
    let label = kind.field(name).map_or(name.as_str(), |field| field.label);
    let now = row.get(name).cloned().unwrap_or_default();
    Some(format!("was changed since: its {label} is {now} now, and was {left}."))
}
