use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "approvals")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub conversation_id: Uuid,
    pub task_id: Uuid,
    pub agent_id: Uuid,
    pub message_id: Uuid,
    pub call_id: String,
    pub tool_name: String,
    pub args: Json,
    pub args_hash: String,
    pub status: String,
    pub remember: bool,
    pub reason: Option<String>,
    pub decided_by: Option<String>,
    pub decided_at: Option<DateTimeUtc>,
    pub expires_at: DateTimeUtc,
    pub created_at: DateTimeUtc,
    pub preview: Option<Json>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
