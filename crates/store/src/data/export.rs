//! The data in the export of a workspace: what its person may see of it, kind by kind, and the record of changes.

use std::collections::BTreeMap;

use baton_core::data::areas::AreaAccess;
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{DEALS, KINDS};
use baton_core::data::rows::{DataScope, MAX_PAGE, RecordedChange, Row, RowQuery};
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::store::{ChangesOf, Figures, Result, Rows, Workspaces};
use serde_json::{Value, json};
use uuid::Uuid;

use super::ledger::as_json;
use super::scoped::Scoped;
use super::stages;
use crate::connect::SqlStore;
use crate::json_pieces::JsonPieces;

/// Changes read at a time.
const CHANGES: u64 = 200;

impl SqlStore {
    pub(crate) async fn export_data(
        &self,
        json: &mut JsonPieces,
        id: WorkspaceId,
        by: ProfileId,
    ) -> Result<()> {
        json.list("area_access");
        for rule in self.area_rules(id).await?.0 {
            let rule = json!({ "role": rule.role, "area": rule.area, "access": rule.access });
            json.item(&rule).await?;
        }
        json.end().await?;
        json.list("figure_pins");
        for pin in self.pins(id).await? {
            json.item(&json!({ "figure": pin.figure.name, "by": pin.by, "created_at": pin.created_at }))
                .await?;
        }
        json.end().await?;
        let scope = DataScope { workspace_id: id, areas: self.areas(id, by).await? };
        for kind in KINDS.iter().filter(|kind| scope.check(kind, AreaAccess::Read).is_ok()) {
            json.list(kind.name);
            let mut cursor = None;
            loop {
                let query = RowQuery { limit: MAX_PAGE, cursor, ..Default::default() };
                let page = self.rows(scope, kind, query).await?;
                let stages = self.exported_stages(scope, kind, &page.rows).await?;
                for row in &page.rows {
                    let mut shown = as_json(row);
                    if let Some(stages) = stages.get(&row.id) {
                        shown.insert("stages".to_owned(), stages.clone().into());
                    }
                    shown.insert("id".to_owned(), row.id.to_string().into());
                    shown.insert("version".to_owned(), row.version.into());
                    json.item(&shown).await?;
                }
                cursor = page.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            json.end().await?;
        }
        json.list("data_changes");
        let mut before = None;
        loop {
            let page = self.changes(scope, ChangesOf::Workspace { before }, CHANGES).await?;
            for change in &page {
                json.item(&exported(change)).await?;
            }
            match page.last() {
                Some(last) if page.len() as u64 == CHANGES => before = Some(last.id),
                _ => return json.end().await,
            }
        }
    }
}

impl SqlStore {
    /// Of deals: the stages that they were in.
    async fn exported_stages(
        &self,
        scope: DataScope,
        kind: &'static Kind,
        rows: &[Row],
    ) -> Result<BTreeMap<Uuid, Vec<Value>>> {
        let mut exported: BTreeMap<Uuid, Vec<Value>> = BTreeMap::new();
        if kind.name != DEALS.name {
            return Ok(exported);
        }
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        for stage in stages::of_deals(&self.db, Scoped::reading(scope, kind)?, &ids).await? {
            let agent = stage.author.and_then(|author| author.agent);
            exported.entry(stage.deal_id).or_default().push(json!({
                "stage": stage.stage, "entered_at": stage.entered_at, "left_at": stage.left_at,
                "profile_id": stage.author.map(|author| author.profile_id),
                "agent_id": agent.map(|agent| agent.agent_id),
                "conversation_id": agent.map(|agent| agent.conversation_id),
                "seq": agent.map(|agent| agent.seq), "approved_by": stage.approved_by,
            }));
        }
        Ok(exported)
    }
}

fn exported(change: &RecordedChange) -> Value {
    let agent = change.author.and_then(|author| author.agent);
    json!({
        "id": change.id, "kind": change.kind, "row_id": change.row_id, "action": change.action,
        "before": change.before, "after": change.after,
        "profile_id": change.author.map(|author| author.profile_id),
        "agent_id": agent.map(|agent| agent.agent_id), "conversation_id": agent.map(|agent| agent.conversation_id),
        "seq": agent.map(|agent| agent.seq), "approved_by": change.approved_by, "undoes": change.undoes,
        "part_of": change.part_of,
        "created_at": change.created_at,
    })
}
