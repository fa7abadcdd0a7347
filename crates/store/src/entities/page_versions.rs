use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "page_versions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub page_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i64,
    pub what: String,
    pub parent_id: Option<Uuid>,
    pub title: String,
    pub body: Option<String>,
    pub properties: Json,
    pub is_public: bool,
    pub profile_id: Option<Uuid>,
    pub agent_id: Option<Uuid>,
    pub conversation_id: Option<Uuid>,
    pub seq: Option<i64>,
    pub approved_by: Option<String>,
    pub import_id: Option<Uuid>,
    pub created_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
