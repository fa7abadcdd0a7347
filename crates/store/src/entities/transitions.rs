use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "transitions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub conversation_id: Uuid,
    pub task_id: Option<Uuid>,
    pub trigger: String,
    pub from_agent_id: Uuid,
    pub to_agent_id: Option<Uuid>,
    pub reason: Option<String>,
    pub outcome: String,
    pub code: Option<String>,
    pub latency_ms: i64,
    pub tokens_full: i64,
    pub tokens_sent: i64,
    pub created_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
