//! Snapshots: the results of a pipeline's stages.

use baton_core::ids::ConversationId;
use baton_core::store::{EngineStore, Error};
use baton_core::teams::TeamKind;
use serde_json::Value;

use crate::agent::ready::ReadyAgent;
use crate::node::engine::Engine;

impl Engine {
    /// The newest result of each stage, in the order they were completed.
    pub(crate) async fn snapshots(
        &self,
        ready: &ReadyAgent,
        id: ConversationId,
        known: Option<Vec<(String, Value)>>,
    ) -> Result<Vec<(String, Value)>, Error> {
        if ready.team_kind() != Some(TeamKind::Pipeline) {
            return Ok(Vec::new());
        }
        if let Some(known) = known {
            return Ok(known);
        }
        newest_snapshots(self.0.store.as_ref(), id).await
    }
}

pub async fn newest_snapshots(
    store: &dyn EngineStore,
    id: ConversationId,
) -> Result<Vec<(String, Value)>, Error> {
    let mut newest: Vec<(String, Value)> = Vec::new();
    for snapshot in store.snapshots(id).await? {
        newest.retain(|(stage, _)| *stage != snapshot.stage);
        newest.push((snapshot.stage, snapshot.data));
    }
    Ok(newest)
}
