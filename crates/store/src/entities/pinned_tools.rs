use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "pinned_tools")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tool_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub raw_name: String,
    #[sea_orm(column_type = "JsonBinary")]
    pub definition: Json,
    pub allowed_by: Option<Uuid>,
    pub allowed_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
