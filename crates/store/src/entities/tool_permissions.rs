use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "tool_permissions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub agent_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub tool_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub raw_name: String,
    pub level: String,
    pub definition_hash: Option<String>,
    pub decided_by: Option<Uuid>,
    pub decided_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
