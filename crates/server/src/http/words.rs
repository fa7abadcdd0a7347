//! OpenAPI schemas of the closed sets of words that core defines.

use baton_core::agents::{Category, PermissionMode};
use baton_core::approvals::{ApprovalStatus, Decision};
use baton_core::channels::{ChannelKind, MentionReason};
use baton_core::conversations::MessageRole;
use baton_core::data::areas::{Area, AreaAccess};
use baton_core::data::imports::{FileFormat, ImportStatus, RemarkType};
use baton_core::defined_tools::{HttpMethod, ToolType, TrustedAs};
use baton_core::figures::{Better, FigureArea, Grain, Told, Unit};
use baton_core::handoff_tools::VariableType;
use baton_core::handoffs::{TransitionOutcome, Trigger};
use baton_core::log::{MessageStatus, TurnStatus};
use baton_core::memories::Scope;
use baton_core::notices::MessageChange;
use baton_core::people::{LinkKind, SignUp, Tier};
use baton_core::providers::WireFormat;
use baton_core::reports::{BudgetPace, By, FindingKind, NamedPeriod, Side};
use baton_core::search_engines::SearchEngineKind;
use baton_core::server_tools::{Level, PinState, Trust};
use baton_core::teams::TeamKind;
use baton_core::workspaces::Role;
use serde_json::Value;
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
    channel_kind_schema: ChannelKind,
    mention_reason_schema: MentionReason,
    message_change_schema: MessageChange,
    message_role_schema: MessageRole,
    message_status_schema: MessageStatus,
    turn_status_schema: TurnStatus,
    approval_status_schema: ApprovalStatus,
    decision_schema: Decision,
    trigger_schema: Trigger,
    import_status_schema: ImportStatus,
    remark_type_schema: RemarkType,
    outcome_schema: TransitionOutcome,
    memory_scope_schema: Scope,
    link_kind_schema: LinkKind,
    sign_up_schema: SignUp,
    tier_schema: Tier,
    role_schema: Role,
    area_schema: Area,
    area_access_schema: AreaAccess,
    named_period_schema: NamedPeriod,
    by_schema: By,
    grain_schema: Grain,
    figure_area_schema: FigureArea,
    unit_schema: Unit,
    told_schema: Told,
    better_schema: Better,
    side_schema: Side,
    budget_pace_schema: BudgetPace,
    finding_schema: FindingKind,
    team_kind_schema: TeamKind,
    tool_type_schema: ToolType,
    http_method_schema: HttpMethod,
    trusted_as_schema: TrustedAs,
    trust_schema: Trust,
    level_schema: Level,
    pin_state_schema: PinState,
    variable_type_schema: VariableType,
    wire_format_schema: WireFormat,
    search_engine_kind_schema: SearchEngineKind,
}

/// One of these words, or null.
pub fn file_format_or_null_schema() -> Schema {
    let words = FileFormat::WORDS.iter().map(|word| Value::from(*word));
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .enum_values(Some(words.chain([Value::Null])))
        .into()
}
