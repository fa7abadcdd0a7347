use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "agent_conversations")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub agent_id: Uuid,
    pub user_id: Option<Uuid>,
    pub visitor_id: Option<Uuid>,
    pub title: Option<String>,
    pub search_text: String,
    pub last_seq: i64,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
    pub epoch: i64,
    pub turn_task_id: Option<Uuid>,
    pub turn_owner: Option<Uuid>,
    pub turn_attempt: i32,
    pub turn_tries: i32,
    pub stop_requested_at: Option<DateTimeUtc>,
    pub deleted_at: Option<DateTimeUtc>,
    pub forked_from: Option<Uuid>,
    pub forked_seq: Option<i64>,
    pub left_writes_behind: bool,
    pub team_id: Option<Uuid>,
    pub parent_id: Option<Uuid>,
    pub subtask_depth: Option<i32>,
    pub subtask_mode: Option<String>,
    pub family_id: Option<Uuid>,
    pub bytes: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
