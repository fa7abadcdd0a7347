use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "channel_messages")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub channel_id: Uuid,
    pub parent_id: Uuid,
    pub number: i64,
    pub text: String,
    pub profile_id: Option<Uuid>,
    pub agent_id: Option<Uuid>,
    pub conversation_id: Option<Uuid>,
    pub seq: Option<i64>,
    pub approved_by: Option<Uuid>,
    pub replies: i64,
    pub last_reply: i64,
    pub last_reply_at: Option<DateTimeUtc>,
    pub created_at: DateTimeUtc,
    pub edited_at: Option<DateTimeUtc>,
    pub deleted_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
