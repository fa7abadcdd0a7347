use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "channels")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub kind: String,
    pub name: String,
    pub name_key: String,
    pub topic: String,
    pub people_key: Option<String>,
    pub created_by: Option<Uuid>,
    pub last_number: i64,
    pub last_message_id: Option<Uuid>,
    pub last_at: DateTimeUtc,
    pub bytes: i64,
    pub created_at: DateTimeUtc,
    pub archived_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
