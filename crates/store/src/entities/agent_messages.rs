use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "agent_messages")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub conversation_id: Uuid,
    pub seq: i64,
    pub agent_id: Uuid,
    pub role: String,
    pub content: String,
    pub search_text: String,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub parts: Option<Json>,
    #[sea_orm(column_type = "JsonBinary")]
    pub metadata: Json,
    pub created_at: DateTimeUtc,
    pub status: String,
    pub attempt: i32,
}

/// A message as it is read: without the text it is searched by, which can be longer than it.
#[derive(Clone, Debug, PartialEq, DerivePartialModel, DeriveIntoActiveModel)]
#[sea_orm(entity = "Entity", active_model = "ActiveModel")]
pub struct Read {
    pub id: Uuid,
    pub conversation_id: Uuid,
    pub seq: i64,
    pub agent_id: Uuid,
    pub role: String,
    pub content: String,
    pub parts: Option<Json>,
    pub metadata: Json,
    pub created_at: DateTimeUtc,
    pub status: String,
    pub attempt: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
