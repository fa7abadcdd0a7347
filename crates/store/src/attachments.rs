//! Attachments, kept in the database like other files, each for its own person.

use async_trait::async_trait;
use baton_core::attachments::{Attachment, AttachmentRef, MAX_KEPT, NewAttachment};
use baton_core::ids::{FileId, ProfileId, VisitorId, WorkspaceId};
use baton_core::listing::{Page, Window};
use baton_core::store::{Attachments, Error, Result};
use baton_core::visitors::Person;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, SimpleExpr};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, now};
use crate::entities::attachments;
use crate::write::Write;

#[async_trait]
impl Attachments for SqlStore {
    async fn keep_attachment(&self, new: NewAttachment) -> Result<AttachmentRef> {
        let write = self.write().await?;
        let theirs = of(new.person).filter(attachments::Column::WorkspaceId.eq(new.workspace_id.0));
        at_most("attachments", MAX_KEPT, theirs.count(&*write).await.db()?)?;
        let id = FileId::new();
        let size = new.bytes.len();
        let row = attachments::ActiveModel {
            id: Set(id.0),
            workspace_id: Set(new.workspace_id.0),
            user_id: Set(new.person.profile_id().map(|id| id.0)),
            visitor_id: Set(new.person.visitor_id().map(|id| id.0)),
            name: Set(new.name.clone()),
            media_type: Set(new.media_type.to_owned()),
            size: Set(size as i64),
            bytes: Set(new.bytes),
            created_at: Set(now()),
        };
        attachments::Entity::insert(row).exec_without_returning(&*write).await.db()?;
        write.commit_unkept().await?;
        let media_type = new.media_type.to_owned();
        Ok(AttachmentRef { id, name: new.name, media_type, size: size as u64 })
    }

    async fn attachment(&self, id: FileId, person: Person) -> Result<Attachment> {
        let row = of(person).filter(attachments::Column::Id.eq(id.0)).one(&self.db).await.db()?;
        row.map(attachment).ok_or(Error::NotFound("attachment"))
    }

    async fn own_attachments(
        &self,
        workspace: WorkspaceId,
        person: Person,
        window: Window,
    ) -> Result<Page<AttachmentRef>> {
        let theirs = of(person).filter(attachments::Column::WorkspaceId.eq(workspace.0));
        let total = theirs.clone().count(&self.db).await.db()?;
        let page = theirs.order_by_desc(attachments::Column::Id).limit(window.limit).offset(window.offset);
        Ok(Page { rows: refs(page, &self.db).await?, total })
    }

    async fn delete_attachment(&self, id: FileId, person: Person) -> Result<()> {
        let write = self.write().await?;
        let delete = attachments::Entity::delete_many().filter(attachments::Column::Id.eq(id.0));
        let deleted = delete.filter(belongs_to(person)).exec(&*write).await.db()?;
        if deleted.rows_affected == 0 {
            return Err(Error::NotFound("attachment"));
        }
        write.commit_unkept().await
    }

    async fn attachments(&self, ids: &[FileId], person: Person, max_text: usize) -> Result<Vec<Attachment>> {
        use attachments::Column::{CreatedAt, Id, MediaType, Name, Size, UserId, VisitorId, WorkspaceId};
        let shown =
            format!("CASE WHEN media_type LIKE 'image/%' THEN bytes ELSE substr(bytes, 1, {max_text}) END");
        let rows = of(person)
            .filter(Id.is_in(ids.iter().map(|id| id.0)))
            .select_only()
            .columns([Id, WorkspaceId, UserId, VisitorId, Name, MediaType, Size, CreatedAt])
            .expr_as(Expr::cust(shown), "bytes")
            .into_model::<attachments::Model>()
            .all(&self.db)
            .await
            .db()?;
        Ok(rows.into_iter().map(attachment).collect())
    }

    async fn attachment_refs(
        &self,
        ids: &[FileId],
        workspace: WorkspaceId,
        person: Person,
    ) -> Result<Vec<AttachmentRef>> {
        let among = of(person)
            .filter(attachments::Column::WorkspaceId.eq(workspace.0))
            .filter(attachments::Column::Id.is_in(ids.iter().map(|id| id.0)));
        in_order(ids, &refs(among, &self.db).await?)
    }
}

/// What is chosen, without the bytes.
async fn refs(select: Select<attachments::Entity>, db: &impl ConnectionTrait) -> Result<Vec<AttachmentRef>> {
    let rows: Vec<(Uuid, String, String, i64)> = select
        .select_only()
        .columns([
            attachments::Column::Id,
            attachments::Column::Name,
            attachments::Column::MediaType,
            attachments::Column::Size,
        ])
        .into_tuple()
        .all(db)
        .await
        .db()?;
    let about = |(id, name, media_type, size): (Uuid, String, String, i64)| AttachmentRef {
        id: FileId(id),
        name,
        media_type,
        size: size.unsigned_abs(),
    };
    Ok(rows.into_iter().map(about).collect())
}

/// A visitor's attachments become the profile's, like the conversations they were sent in.
pub async fn claim(write: &Write, visitor: VisitorId, profile: ProfileId) -> Result<()> {
    attachments::Entity::update_many()
        .col_expr(attachments::Column::UserId, Expr::value(profile.0))
        .col_expr(attachments::Column::VisitorId, Expr::value(None::<Uuid>))
        .filter(attachments::Column::VisitorId.eq(visitor.0))
        .exec(&**write)
        .await
        .db()
        .map(drop)
}

fn of(person: Person) -> Select<attachments::Entity> {
    attachments::Entity::find().filter(belongs_to(person))
}

fn belongs_to(person: Person) -> SimpleExpr {
    match person {
        Person::Profile(id) => attachments::Column::UserId.eq(id.0),
        Person::Visitor(id) => attachments::Column::VisitorId.eq(id.0),
    }
}

/// As asked for, or not at all. An id asked for twice is there twice.
fn in_order(ids: &[FileId], found: &[AttachmentRef]) -> Result<Vec<AttachmentRef>> {
    let find = |id: &FileId| found.iter().find(|one| one.id == *id).cloned();
    ids.iter().map(|id| find(id).ok_or(Error::NotFound("attachment"))).collect()
}

fn attachment(row: attachments::Model) -> Attachment {
    Attachment {
        about: AttachmentRef {
            id: FileId(row.id),
            name: row.name,
            media_type: row.media_type,
            size: row.size.unsigned_abs(),
        },
        workspace_id: WorkspaceId(row.workspace_id),
        bytes: row.bytes,
        created_at: row.created_at,
    }
}
