//! Files of tools' results. They are stored before the result that names them, so a crash in between leaves some that
//! nothing names: the purge looks for these.

use async_trait::async_trait;
use baton_core::attachments::AttachmentRef;
use baton_core::ids::{FileId, WorkspaceId};
use baton_core::result_files::{NewResultFiles, ResultFile};
use baton_core::store::{Error, Result, ResultFiles};
use baton_core::visitors::Person;
use chrono::{DateTime, Utc};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Statement,
};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::conversations;
use crate::db::{OrStoreError, now};
use crate::entities::{agent_conversations, result_files};

/// Files that are looked at in one go.
const BATCH: u64 = 50;
/// Whether a later step of the conversation names a file. Each file is looked for once.
const NAMED: &str = "SELECT 1 AS one FROM task_messages WHERE conversation_id = $1 AND seq > $2 \
    AND CAST(body AS TEXT) LIKE $3 LIMIT 1";

#[async_trait]
impl ResultFiles for SqlStore {
    async fn keep_result_files(&self, new: &NewResultFiles) -> Result<Vec<AttachmentRef>> {
        for (about, bytes) in &new.files {
            let write = self.write().await?;
            let row = result_files::ActiveModel {
                id: Set(about.id.0),
                workspace_id: Set(new.workspace_id.0),
                conversation_id: Set(new.conversation_id.0),
                seq: Set(new.seq),
                name: Set(about.name.clone()),
                media_type: Set(about.media_type.clone()),
                size: Set(about.size.cast_signed()),
                is_named: Set(false),
                created_at: Set(now()),
                bytes: Set(bytes.to_vec()),
            };
            // It is there already if only the answer was lost.
            let is_there = OnConflict::column(result_files::Column::Id).do_nothing().to_owned();
            let insert = result_files::Entity::insert(row).on_conflict(is_there);
            insert.exec_without_returning(&*write).await.db()?;
            write.commit_unkept().await?;
        }
        Ok(new.files.iter().map(|(about, _)| about.clone()).collect())
    }

    async fn result_file(&self, id: FileId, person: Person) -> Result<ResultFile> {
        let Person::Profile(profile) = person else { return Err(Error::NotFound("file")) };
        let theirs = conversations::there()
            .filter(agent_conversations::Column::UserId.eq(profile.0))
            .select_only()
            .column(agent_conversations::Column::Id);
        let row = result_files::Entity::find_by_id(id.0)
            .filter(result_files::Column::ConversationId.in_subquery(theirs.into_query()))
            .one(&self.db)
            .await
            .db()?
            .ok_or(Error::NotFound("file"))?;
        Ok(ResultFile {
            about: AttachmentRef {
                id,
                name: row.name,
                media_type: row.media_type,
                size: row.size.unsigned_abs(),
            },
            workspace_id: WorkspaceId(row.workspace_id),
            bytes: row.bytes,
        })
    }
}

impl SqlStore {
    /// Removes files that were kept before this time and that no result names.
    pub(crate) async fn remove_unnamed_result_files(&self, before: DateTime<Utc>) -> Result<()> {
        use result_files::Column::{ConversationId, CreatedAt, Id, IsNamed, Seq};
        loop {
            let old = result_files::Entity::find()
                .select_only()
                .columns([Id, ConversationId, Seq])
                // As the index says it.
                .filter(Expr::cust("NOT is_named"))
                .filter(CreatedAt.lt(before))
                .order_by_asc(CreatedAt)
                .limit(BATCH);
            let old: Vec<(Uuid, Uuid, i64)> = old.into_tuple().all(&self.db).await.db()?;
            if old.is_empty() {
                return Ok(());
            }
            for (id, conversation, seq) in old {
                let is_named = self.is_named(id, conversation, seq).await?;
                let write = self.write().await?;
                let it = Id.eq(id);
                if is_named {
                    let named = result_files::Entity::update_many().col_expr(IsNamed, Expr::value(true));
                    named.filter(it).exec(&*write).await.db()?;
                } else {
                    result_files::Entity::delete_many().filter(it).exec(&*write).await.db()?;
                }
                write.commit_unkept().await?;
            }
        }
    }

    async fn is_named(&self, id: Uuid, conversation: Uuid, seq: i64) -> Result<bool> {
        let values = [conversation.into(), seq.into(), format!("%{id}%").into()];
        let asked = Statement::from_sql_and_values(self.db.get_database_backend(), NAMED, values);
        Ok(self.db.query_one_raw(asked).await.db()?.is_some())
    }
}
