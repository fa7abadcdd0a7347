//! One write of data: rows change, and with them the sums of months, the numbers of rows and the record of what changed. All
//! of it goes through here, also undoing, splitting and the rest: so nothing changes without its record.

use std::collections::{BTreeMap, BTreeSet};

use baton_core::data::check::{self, Fields};
use baton_core::data::kind::Kind;
use baton_core::data::kinds::PROJECT_TASKS;
use baton_core::data::money::{Part, SumChanges, parts};
use baton_core::data::rows::{Author, ChangeAction, DataScope, KINDS_CHANGED, Once};
use baton_core::data::shown;
use baton_core::days;
use baton_core::effects::EffectRefused;
use baton_core::store::{Error, Result, Written};
use chrono::{DateTime, NaiveDate, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ConnectionTrait, EntityTrait, ExprTrait, QuerySelect, Value as SqlValue};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::scoped::Scoped;
use super::sums::{self, Totals};
use super::{Record, as_shown, changes, hooks, projects, records, stages, titles, values};
use crate::db::{OrStoreError, at_most, now};
use crate::entities::profiles;
use crate::write::Write;

/// Rows in one statement.
const AT_ONCE: usize = 200;
/// How many of the changed rows a model is shown.
const SHOWN: usize = 20;

pub struct Ledger<'a> {
    pub write: &'a Write,
    pub scope: DataScope,
    pub author: Author,
    pub approved_by: Option<Uuid>,
    pub at: DateTime<Utc>,
    is_one: bool,
    sums: SumChanges,
    totals: Totals,
    made: Vec<Made>,
}

/// A change that was made.
pub struct Made {
    pub id: Uuid,
    pub kind: &'static Kind,
    pub action: ChangeAction,
    pub row: Record,
    pub before: Option<Fields>,
    pub after: Option<Fields>,
    pub undoes: Option<Uuid>,
}

type Done = std::result::Result<(), EffectRefused>;

impl<'a> Ledger<'a> {
    /// Refuses a call of which a person was shown rows that are no longer so.
    pub async fn open(
        write: &'a Write,
        once: &Once,
        scope: DataScope,
        author: Author,
    ) -> std::result::Result<Self, EffectRefused> {
        super::lock(write, scope.workspace_id).await?;
        as_shown::check(write, once, scope).await?;
        let approved_by = match author.agent {
            Some(agent) => changes::approver(&**write, agent).await?,
            None => None,
        };
        Ok(Self {
            write,
            scope,
            author,
            approved_by,
            at: now(),
            is_one: false,
            sums: SumChanges::default(),
            totals: Totals::default(),
            made: Vec::new(),
        })
    }

    /// Whatever this write changes is taken back together.
    pub fn as_one(&mut self) {
        self.is_one = true;
    }

    /// The day it is where the author is.
    pub async fn today(&self) -> Result<NaiveDate> {
        let author = profiles::Entity::find_by_id(self.author.profile_id.0);
        let zone = author.select_only().column(profiles::Column::TimeZone).into_tuple::<String>();
        let zone = zone.one(&**self.write).await.db()?.unwrap_or_default();
        Ok(days::today(self.at, &zone))
    }

    /// A row, deleted or not.
    pub async fn find(&self, kind: &'static Kind, id: Uuid) -> Result<Option<Record>> {
        let scoped = Scoped::writing(self.scope, kind)?;
        Ok(records(&**self.write, scoped, kind, &[id]).await?.pop())
    }

    /// A row that is not deleted, if it is still as it was seen.
    pub async fn there(
        &self,
        kind: &'static Kind,
        id: Uuid,
        seen: Option<i64>,
    ) -> std::result::Result<Record, EffectRefused> {
        let found = self.find(kind, id).await?.filter(|found| !found.is_deleted);
        let found = found.ok_or(Error::NotFound(kind.one))?;
        match seen {
            Some(seen) if seen != found.version => Err(EffectRefused::NotNow(format!(
                "The {} has changed since it was read: it is at version {} now, not {seen}. Read it again, then decide anew.",
                kind.one, found.version
            ))),
            _ => Ok(found),
        }
    }

    pub async fn create(
        &mut self,
        kind: &'static Kind,
        id: Uuid,
        mut fields: Fields,
        undoes: Option<Uuid>,
    ) -> Done {
        let scoped = Scoped::writing(self.scope, kind)?;
        let there_are = sums::total(&**self.write, scoped, kind.name).await?;
        at_most(kind.label, kind.most, there_are + self.created(kind))?;
        hooks::complete(self, kind, id, None, &mut fields).await?;
        // What was deleted and comes back goes on counting its versions.
        let seen = fields.remove("version").and_then(|version| version.as_i64()).unwrap_or_default();
        let row = Record {
            id,
            version: seen + 1,
            fields,
            is_deleted: false,
            created_at: self.at,
            updated_at: self.at,
        };
        let columns = ["id", "version", "created_at", "updated_at", "search_text"];
        let mut insert = scoped
            .insert(kind.name, columns.into_iter().chain(values::columns(kind).map(|field| field.name)));
        let own: [SqlValue; 5] = [
            id.into(),
            row.version.into(),
            self.at.into(),
            self.at.into(),
            check::search_text(kind, &row.fields).into(),
        ];
        let fields = values::columns(kind).map(|field| values::to_sql(field, &row.fields[field.name]));
        insert.values_panic(scoped.row(own.into_iter().chain(fields)));
        self.write.execute(&insert).await.db()?;
        self.write_parts(scoped, kind, id, None, Some(&row.fields)).await?;
        stages::note(self, kind, id, None, &row.fields).await?;
        let action = if undoes.is_some() { ChangeAction::Restored } else { ChangeAction::Created };
        self.note(kind, action, row, None, undoes);
        Ok(())
    }

    pub async fn set(
        &mut self,
        kind: &'static Kind,
        before: Record,
        after: Fields,
        undoes: Option<Uuid>,
    ) -> Done {
        let (id, is_task) = (before.id, kind.name == PROJECT_TASKS.name);
        let old = before.fields.get("project_id").cloned().filter(|_| is_task);
        let new = after.get("project_id").cloned().filter(|_| is_task);
        self.put(kind, before, after, ChangeAction::Changed, undoes).await?;
        match (old, new) {
            (Some(old), Some(new)) if old != new => self.take_subtasks_along(id, new).await,
            _ => Ok(()),
        }
    }

    /// Subtasks are in the project of their task.
    async fn take_subtasks_along(&mut self, task: Uuid, project: Value) -> Done {
        for child in projects::left_behind(self, task, &project).await? {
            self.as_one();
            let mut fields = child.fields.clone();
            fields.insert("project_id".to_owned(), project.clone());
            Box::pin(self.set(&PROJECT_TASKS, child, fields, None)).await?;
        }
        Ok(())
    }

    /// Brings a row back that was kept.
    pub async fn restore(
        &mut self,
        kind: &'static Kind,
        before: Record,
        fields: Fields,
        undoes: Option<Uuid>,
    ) -> Done {
        self.put(kind, before, fields, ChangeAction::Restored, undoes).await
    }

    async fn put(
        &mut self,
        kind: &'static Kind,
        before: Record,
        mut after: Fields,
        action: ChangeAction,
        undoes: Option<Uuid>,
    ) -> Done {
        let scoped = Scoped::writing(self.scope, kind)?;
        hooks::complete(self, kind, before.id, Some(&before), &mut after).await?;
        if action == ChangeAction::Changed && after == before.fields {
            return Ok(());
        }
        let mut update = scoped.update(kind.name);
        update
            .and_where(Expr::col((kind.name, "id")).eq(before.id))
            .value("version", before.version + 1)
            .value("updated_at", self.at)
            .value("search_text", check::search_text(kind, &after));
        if action == ChangeAction::Restored {
            update.value("deleted_at", Option::<DateTime<Utc>>::None);
        }
        for field in
            values::columns(kind).filter(|field| after.get(field.name) != before.fields.get(field.name))
        {
            update.value(field.name, values::to_sql(field, &after[field.name]));
        }
        self.write.execute(&update).await.db()?;
        self.write_parts(scoped, kind, before.id, Some(&before.fields), Some(&after)).await?;
        stages::note(self, kind, before.id, Some(&before.fields), &after).await?;
        let row = Record {
            version: before.version + 1,
            fields: after,
            is_deleted: false,
            updated_at: self.at,
            ..before
        };
        let was = (action == ChangeAction::Changed).then_some(before.fields);
        self.note(kind, action, row, was, undoes);
        Ok(())
    }

    /// Deletes a row with all that hangs on it. The row itself leads what is told of it; it goes last, so that it is the first
    /// to come back when all of it is taken back.
    pub async fn delete_whole(&mut self, kind: &'static Kind, before: Record) -> Done {
        let first = self.made.len();
        for row in projects::dependants(self, kind, before.id).await? {
            self.as_one();
            self.delete(&PROJECT_TASKS, row, None).await?;
        }
        self.delete(kind, before, None).await?;
        self.made[first..].rotate_right(1);
        Ok(())
    }

    /// Brings a row back with all that was deleted with it.
    pub async fn restore_whole(&mut self, kind: &'static Kind, before: Record) -> Done {
        let along = projects::went_along(self, kind, before.id, before.updated_at).await?;
        if !along.is_empty() {
            self.as_one();
        }
        for (kind, row) in
            std::iter::once((kind, before)).chain(along.into_iter().map(|row| (&PROJECT_TASKS, row)))
        {
            let fields = row.fields.clone();
            self.restore(kind, row, fields, None).await?;
        }
        Ok(())
    }

    pub async fn delete(&mut self, kind: &'static Kind, before: Record, undoes: Option<Uuid>) -> Done {
        let scoped = Scoped::writing(self.scope, kind)?;
        hooks::may_go(self, kind, &before).await?;
        if kind.keeps_deleted {
            let mut update = scoped.update(kind.name);
            update
                .and_where(Expr::col((kind.name, "id")).eq(before.id))
                .value("version", before.version + 1)
                .value("updated_at", self.at)
                .value("deleted_at", self.at);
            self.write.execute(&update).await.db()?;
        } else {
            let mut delete = scoped.delete(kind.name);
            delete.and_where(Expr::col((kind.name, "id")).eq(before.id));
            self.write.execute(&delete).await.db()?;
        }
        let was = before.fields.clone();
        let row = Record { version: before.version + 1, is_deleted: true, updated_at: self.at, ..before };
        self.note(kind, ChangeAction::Deleted, row, Some(was), undoes);
        Ok(())
    }

    /// Sets one field of many rows that are there and have another value in it: one statement for all of them.
    pub async fn set_alike(
        &mut self,
        kind: &'static Kind,
        rows: Vec<Record>,
        name: &'static str,
        value: Value,
    ) -> Done {
        let scoped = Scoped::writing(self.scope, kind)?;
        let field = kind.field(name).ok_or(Error::NotFound("field"))?;
        for some in rows.chunks(AT_ONCE) {
            let mut update = scoped.update(kind.name);
            update
                .and_where(Expr::col((kind.name, "id")).is_in(some.iter().map(|row| row.id)))
                .value("version", Expr::col((kind.name, "version")).add(1))
                .value("updated_at", self.at)
                .value(name, values::to_sql(field, &value));
            self.write.execute(&update).await.db()?;
        }
        for before in rows {
            let mut fields = before.fields.clone();
            fields.insert(name.to_owned(), value.clone());
            let was = before.fields.clone();
            let row = Record { version: before.version + 1, fields, updated_at: self.at, ..before };
            self.note(kind, ChangeAction::Changed, row, Some(was), None);
        }
        Ok(())
    }

    async fn write_parts(
        &self,
        scoped: Scoped,
        kind: &Kind,
        id: Uuid,
        before: Option<&Fields>,
        after: Option<&Fields>,
    ) -> Result<()> {
        let (before, after) = (before.map(parts).unwrap_or_default(), after.map(parts).unwrap_or_default());
        if kind.name != "transactions" || before == after {
            return Ok(());
        }
        let mut delete = scoped.delete("transaction_splits");
        delete.and_where(Expr::col("transaction_id").eq(id));
        self.write.execute(&delete).await.db()?;
        if after.is_empty() {
            return Ok(());
        }
        let columns = ["transaction_id", "position", "category_id", "amount", "memo"];
        let mut insert = scoped.insert("transaction_splits", columns);
        for (position, Part { category_id, amount, memo }) in (0i64..).zip(after) {
            let values: [SqlValue; 5] =
                [id.into(), position.into(), category_id.into(), amount.into(), memo.into()];
            insert.values_panic(scoped.row(values));
        }
        self.write.execute(&insert).await.db().map(drop)
    }

    /// How many rows of a kind this write has added so far.
    fn created(&self, kind: &Kind) -> u64 {
        let added = self.made.iter().filter(|made| made.kind == kind && made.action == ChangeAction::Created);
        added.count() as u64
    }

    /// Keeps what goes with a change. `was`: the row before it, unless there was none.
    fn note(
        &mut self,
        kind: &'static Kind,
        action: ChangeAction,
        row: Record,
        was: Option<Fields>,
        undoes: Option<Uuid>,
    ) {
        let is = (action != ChangeAction::Deleted).then_some(&row.fields);
        if kind.name == "transactions" {
            if let Some(was) = &was {
                self.sums.count_transaction(was, -1);
            }
            if let Some(is) = is {
                self.sums.count_transaction(is, 1);
            }
        }
        let entries = i64::from(is.is_some()) - i64::from(was.is_some());
        let size = |fields: &Fields| check::bytes(fields);
        let bytes = match action {
            // The row stays where it was.
            ChangeAction::Deleted | ChangeAction::Restored if kind.keeps_deleted => 0,
            _ => is.map_or(0, size) - was.as_ref().map_or(0, size),
        };
        self.totals.count(kind.name, entries, bytes);
        let (before, after) = match (was, is) {
            (Some(was), Some(is)) => {
                let (before, after) = difference(&was, is);
                (Some(before), Some(after))
            }
            (Some(mut was), None) => {
                was.insert("version".to_owned(), row.version.into());
                (Some(was), None)
            }
            (None, is) => (None, is.cloned()),
        };
        let size = |fields: &Option<Fields>| fields.as_ref().map_or(0, check::bytes);
        self.totals.count("data_changes", 1, size(&before) + size(&after));
        self.made.push(Made { id: Uuid::now_v7(), kind, action, row, before, after, undoes });
    }

    /// Writes what goes with the changes. The outcome names them: for a model as it reads rows, for others as they are.
    pub async fn close(self, once: &Once) -> Written {
        self.close_with(once, Map::new()).await
    }

    pub async fn close_with(self, once: &Once, said: Map<String, Value>) -> Written {
        if self.made.is_empty() {
            return self.outcome(once, said).await;
        }
        let tasks = self.made.iter().filter(|made| made.kind == &PROJECT_TASKS).map(|made| made.row.id);
        projects::hold_together(&self, &tasks.collect::<Vec<_>>()).await?;
        let scoped = Scoped::writing(self.scope, self.made[0].kind)?;
        sums::apply(self.write, scoped, &self.sums).await?;
        self.totals.apply(self.write, scoped).await?;
        changes::record(&self, scoped, &self.made, self.is_one).await?;
        self.outcome(once, said).await
    }

    async fn outcome(self, once: &Once, said: Map<String, Value>) -> Written {
        let call = match once {
            Once::Call(effect) => Some(effect.call),
            Once::Request { .. } | Once::Unkeyed => None,
        };
        let is_call = call.is_some();
        let mut outcome = said;
        outcome.insert("changed".to_owned(), self.made.len().into());
        let kinds: BTreeSet<&str> = self.made.iter().map(|made| made.kind.name).collect();
        outcome.insert(KINDS_CHANGED.to_owned(), kinds.into_iter().collect());
        let more = self.made.len().saturating_sub(SHOWN);
        if !is_call {
            outcome.insert("changes".to_owned(), self.made.iter().map(|made| made.id.to_string()).collect());
        } else if more > 0 {
            outcome.insert("notShown".to_owned(), more.into());
        }
        // By which the call's card finds all that it changed, also in a fork. The ids of all would be a long answer to a model.
        if let Some(call) = call.filter(|_| !self.made.is_empty()) {
            let place = json!({"conversationId": call.conversation_id, "seq": call.seq});
            outcome.insert("changedBy".to_owned(), place);
        }
        let mut shown = Vec::new();
        for made in self.made.into_iter().take(SHOWN) {
            let scoped = Scoped::writing(self.scope, made.kind)?;
            let rows = titles::with_titles(&**self.write, scoped, made.kind, vec![made.row]).await?;
            for row in rows {
                let mut one = match is_call {
                    true => shown::for_models(made.kind, &row.fields, &row.titles),
                    false => as_json(&row),
                };
                one.insert("id".to_owned(), row.id.to_string().into());
                one.insert("version".to_owned(), row.version.into());
                one.insert("kind".to_owned(), made.kind.name.into());
                one.insert("done".to_owned(), made.action.as_str().into());
                shown.push(Value::Object(one));
            }
        }
        outcome.insert("rows".to_owned(), shown.into());
        Ok(Value::Object(outcome))
    }
}

/// A row as the API shows it.
pub fn as_json(row: &baton_core::data::rows::Row) -> Map<String, Value> {
    let mut shown = row.fields.clone();
    shown.extend(row.titles.clone());
    shown.insert("created_at".to_owned(), json!(row.created_at));
    shown.insert("updated_at".to_owned(), json!(row.updated_at));
    shown
}

/// The fields that differ, as they were and as they are.
fn difference(was: &Fields, is: &Fields) -> (Fields, Fields) {
    let names: BTreeMap<&String, ()> = was.keys().chain(is.keys()).map(|name| (name, ())).collect();
    let (mut before, mut after) = (Fields::new(), Fields::new());
    for name in names.into_keys().filter(|name| was.get(*name) != is.get(*name)) {
        before.insert(name.clone(), was.get(name).cloned().unwrap_or_default());
        after.insert(name.clone(), is.get(name).cloned().unwrap_or_default());
    }
    (before, after)
}
