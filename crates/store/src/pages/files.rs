//! Images and other files of pages. They stay with the page: it alone says who may read them.

use baton_core::ids::{PageFileId, PageId, ProfileId, WorkspaceId};
use baton_core::pages::{MAX_FILES, NewPageFile, PageFile, PageFileInfo, file_digest};
use baton_core::store::{Error, Result};
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, now};
use crate::entities::{page_files, pages};

pub async fn keep(
    store: &SqlStore,
    workspace: WorkspaceId,
    by: ProfileId,
    file: NewPageFile,
) -> Result<PageFileInfo> {
    let write = store.write().await?;
    let page = pages::Entity::find_by_id(file.page_id.0)
        .filter(pages::Column::WorkspaceId.eq(workspace.0))
        .filter(pages::Column::DeletedAt.is_null());
    if page.count(&*write).await.db()? == 0 {
        return Err(Error::NotFound("page"));
    }
    let there = page_files::Entity::find().filter(page_files::Column::PageId.eq(file.page_id.0));
    at_most("files of one page", MAX_FILES, there.count(&*write).await.db()?)?;
    let row = page_files::ActiveModel {
        id: Set(PageFileId::new().0),
        workspace_id: Set(workspace.0),
        page_id: Set(file.page_id.0),
        name: Set(file.name),
        media_type: Set(file.media_type),
        size: Set(file.bytes.len() as i64),
        digest: Set(file_digest(&file.bytes)),
        bytes: Set(file.bytes),
        import_id: Set(None),
        created_at: Set(now()),
    };
    let row = page_files::Entity::insert(row).exec_with_returning(&*write).await.db()?;
    Happening::new("page.file_added", file.page_id.0).within(workspace).by(by).record(&write).await?;
    write.commit_unkept().await?;
    Ok(info(&row))
}

fn info(row: &page_files::Model) -> PageFileInfo {
    PageFileInfo {
        id: PageFileId(row.id),
        page_id: PageId(row.page_id),
        name: row.name.clone(),
        media_type: row.media_type.clone(),
        size: row.size.unsigned_abs(),
        digest: row.digest.clone(),
    }
}

pub async fn read(db: &impl ConnectionTrait, id: PageFileId) -> Result<PageFile> {
    let row = page_files::Entity::find_by_id(id.0).one(db).await.db()?.ok_or(Error::NotFound("file"))?;
    let page = pages::Entity::find_by_id(row.page_id)
        .select_only()
        .columns([pages::Column::IsPublic])
        .filter(pages::Column::DeletedAt.is_null())
        .into_tuple::<bool>();
    let is_public = page.one(db).await.db()?.unwrap_or(false);
    Ok(PageFile {
        info: info(&row),
        workspace_id: WorkspaceId(row.workspace_id),
        is_public,
        bytes: row.bytes,
    })
}

/// Without the bytes.
pub async fn of(db: &impl ConnectionTrait, page: PageId) -> Result<Vec<PageFileInfo>> {
    use page_files::Column::{Digest, Id, MediaType, Name, PageId as Page, Size};
    let rows: Vec<(Uuid, Uuid, String, String, i64, String)> = page_files::Entity::find()
        .filter(Page.eq(page.0))
        .select_only()
        .columns([Id, Page, Name, MediaType, Size, Digest])
        .order_by_asc(Id)
        .into_tuple()
        .all(db)
        .await
        .db()?;
    let info = |(id, page, name, media_type, size, digest)| PageFileInfo {
        id: PageFileId(id),
        page_id: PageId(page),
        name,
        media_type,
        size: i64::unsigned_abs(size),
        digest,
    };
    Ok(rows.into_iter().map(info).collect())
}
