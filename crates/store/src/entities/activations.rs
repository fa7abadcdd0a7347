use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "activations")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub conversation_id: Uuid,
    pub agent_id: Uuid,
    pub status: String,
    pub trigger: String,
    pub activation_summary: Option<String>,
    pub message_id: Option<Uuid>,
    pub context_data: Json,
    pub began_at: DateTimeUtc,
    pub ended_at: Option<DateTimeUtc>,
    pub reason: Option<String>,
    pub context: Option<Json>,
    pub resumes: Option<Uuid>,
    pub is_pinned: bool,
    pub began_seq: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
