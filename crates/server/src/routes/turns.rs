//! The turns of a conversation, as the conversation's page shows them.

use baton_core::conversations::LastTurn;
use baton_core::fold::Fault;
use baton_core::log::TurnStatus;
use baton_core::turns::TurnRow;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::turn_status_schema;

#[derive(Serialize, ToSchema)]
#[schema(as = LastTurn)]
pub struct LastTurnView {
    #[schema(schema_with = turn_status_schema)]
    status: TurnStatus,
    /// Why the turn failed, also if no message shows it.
    #[schema(required)]
    error: Option<FaultView>,
    /// The agent that the reply named as taking over without handing off: offer the switch.
    #[schema(required)]
    suggested: Option<SuggestedView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = SuggestedAgent)]
struct SuggestedView {
    agent_id: Uuid,
    agent_name: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = TurnError)]
struct FaultView {
    code: String,
    message: String,
    /// Whether trying again can help.
    recoverable: bool,
}

impl From<LastTurn> for LastTurnView {
    fn from(turn: LastTurn) -> Self {
        let view = |Fault { code, message, recoverable }| FaultView { code, message, recoverable };
        let suggested = turn.suggested.map(|(id, agent_name)| SuggestedView { agent_id: id.0, agent_name });
        Self { status: turn.status, error: turn.error.map(view), suggested }
    }
}

#[derive(Serialize, ToSchema)]
pub struct TurnView {
    session_id: Uuid,
    /// `running`, or `waiting` for a person's decision.
    #[schema(schema_with = turn_state_schema)]
    status: &'static str,
}

fn turn_state_schema() -> utoipa::openapi::schema::Schema {
    use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
    let words = ObjectBuilder::new().schema_type(SchemaType::Type(Type::String));
    words.enum_values(Some(["running", "waiting"])).into()
}

impl From<TurnRow> for TurnView {
    fn from(turn: TurnRow) -> Self {
        let status = if turn.owner.is_some() { "running" } else { "waiting" };
        Self { session_id: turn.task_id.0, status }
    }
}
