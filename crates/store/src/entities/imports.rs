use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "imports")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub profile_id: Option<Uuid>,
    pub kind: String,
    pub filename: String,
    pub format: Option<String>,
    pub size: i64,
    pub status: String,
    pub is_dry_run: bool,
    pub account_id: Option<Uuid>,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub mapping: Option<Json>,
    #[sea_orm(column_type = "JsonBinary")]
    pub report: Json,
    pub problem: Option<String>,
    pub rows_read: i64,
    pub rows_new: i64,
    pub rows_changed: i64,
    pub rows_duplicate: i64,
    pub rows_deleted: i64,
    pub rows_reused: i64,
    pub rows_refused: i64,
    pub rows_undone: i64,
    pub rows_kept: i64,
    pub items_done: i64,
    pub claimed_by: Option<Uuid>,
    pub claimed_until: Option<DateTimeUtc>,
    pub attempt: i64,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
    pub ended_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
