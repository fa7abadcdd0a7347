//! OpenAPI schemas of the closed sets of words that core defines.

use baton_core::agents::{Category, PermissionMode};
use baton_core::approvals::{ApprovalStatus, Decision};
use baton_core::conversations::MessageRole;
use baton_core::handoff_tools::{ToolType, VariableType};
use baton_core::handoffs::{TransitionOutcome, Trigger};
use baton_core::log::{MessageStatus, TurnStatus};
use baton_core::memories::Scope;
use baton_core::people::{LinkKind, SignUp, Tier};
use baton_core::teams::TeamKind;
use baton_core::workspaces::Role;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};

macro_rules! schemas {
    ($($function:ident: $words:ty),+ $(,)?) => {$(
        pub fn $function() -> Schema {
            ObjectBuilder::new()
                .schema_type(SchemaType::Type(Type::String))
                .enum_values(Some(<$words>::WORDS.iter().copied()))
                .into()
        }
    )+};
}

schemas! {
    category_schema: Category,
    permission_mode_schema: PermissionMode,
    message_role_schema: MessageRole,
    message_status_schema: MessageStatus,
    turn_status_schema: TurnStatus,
    approval_status_schema: ApprovalStatus,
    decision_schema: Decision,
    trigger_schema: Trigger,
    outcome_schema: TransitionOutcome,
    memory_scope_schema: Scope,
    link_kind_schema: LinkKind,
    sign_up_schema: SignUp,
    tier_schema: Tier,
    role_schema: Role,
    team_kind_schema: TeamKind,
    tool_type_schema: ToolType,
    variable_type_schema: VariableType,
}
