use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "import_remarks")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub import_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i64,
    pub line: i64,
    pub r#type: String,
    pub text: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
