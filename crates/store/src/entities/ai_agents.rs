use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "ai_agents")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub slug: String,
    pub name: String,
    pub description: Option<String>,
    pub department_id: Option<Uuid>,
    pub avatar_url: Option<String>,
    pub model: String,
    pub system_prompt: String,
    pub permission_mode: String,
    pub max_turns: i32,
    pub role: Option<String>,
    pub is_default: bool,
    pub is_free: bool,
    pub is_restricted: bool,
    pub is_head: bool,
    pub initial_prompt: Option<String>,
    pub category: String,
    #[sea_orm(column_type = "JsonBinary")]
    pub tools: Json,
    #[sea_orm(column_type = "JsonBinary")]
    pub config: Json,
    #[sea_orm(column_type = "JsonBinary")]
    pub starters: Json,
    pub search_text: String,
    pub is_enabled: bool,
    pub auto_hire: bool,
    pub current_version: i32,
    pub published_version: Option<i32>,
    pub pack_digest: Option<String>,
    pub pack_version: Option<i32>,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
