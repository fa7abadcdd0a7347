//! Sealed secrets, and which key seals. All writes of secrets wait for one lock, so that none is sealed under a key that
//! another node has just given up.

use async_trait::async_trait;
use baton_core::ids::WorkspaceId;
use baton_core::secrets::{Sealed, SecretChange, SecretPlace, StoredSecret};
use baton_core::store::{Error, Result, Secrets};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::{instance_notes, secrets};
use crate::write::Write;

const SEALING_KEY: &str = "sealing key";
/// Secrets read at a time.
const PAGE: u64 = 100;

#[async_trait]
impl Secrets for SqlStore {
    async fn sealing_key(&self) -> Result<Option<String>> {
        sealing_key(&self.db).await
    }

    async fn choose_sealing_key(&self, key_id: &str) -> Result<()> {
        let write = self.write().await?;
        write.lock_name("secrets").await?;
        set_sealing_key(&write, key_id).await?;
        write.commit().await
    }

    async fn has_secrets(&self) -> Result<bool> {
        has_any(&self.db).await
    }

    async fn secrets_not_under(
        &self,
        key_id: &str,
        after: Option<&StoredSecret>,
    ) -> Result<Vec<StoredSecret>> {
        let last = after.map_or(Uuid::nil(), |secret| secret.place.owner_id);
        let rows = secrets::Entity::find()
            .filter(secrets::Column::OwnerId.gt(last))
            .filter(secrets::Column::KeyId.ne(key_id))
            .order_by_asc(secrets::Column::OwnerId)
            .limit(PAGE)
            .all(&self.db)
            .await
            .db()?;
        rows.into_iter().map(stored).collect()
    }

    async fn reseal(&self, before: &StoredSecret, sealed: Sealed) -> Result<bool> {
        let write = self.write().await?;
        write.lock_name("secrets").await?;
        let changed = secrets::Entity::update_many()
            .col_expr(secrets::Column::KeyId, Expr::value(sealed.key_id))
            .col_expr(secrets::Column::Sealed, Expr::value(sealed.bytes))
            .filter(secrets::Column::OwnerId.eq(before.place.owner_id))
            .filter(secrets::Column::KeyId.eq(&before.sealed.key_id))
            .filter(secrets::Column::Sealed.eq(before.sealed.bytes.clone()))
            .exec(&*write)
            .await
            .db()?;
        write.commit().await?;
        Ok(changed.rows_affected > 0)
    }

    async fn forget_secret(&self, secret: &StoredSecret) -> Result<()> {
        let write = self.write().await?;
        secrets::Entity::delete_many()
            .filter(secrets::Column::OwnerId.eq(secret.place.owner_id))
            .filter(secrets::Column::KeyId.eq(&secret.sealed.key_id))
            .exec(&*write)
            .await
            .db()?;
        write.commit().await
    }
}

/// Makes the change to the secret of an owner. It must be sealed under the key that seals now: another node may have chosen
/// one meanwhile, and then this one has to seal again, or can't.
pub async fn change(write: &Write, owner: Uuid, change: SecretChange) -> Result<()> {
    let StoredSecret { place, sealed } = match change {
        SecretChange::Keep => return Ok(()),
        SecretChange::Remove => return remove(write, owner).await,
        SecretChange::Set(secret) => secret,
    };
    write.lock_name("secrets").await?;
    match sealing_key(&**write).await? {
        Some(key_id) if key_id == sealed.key_id => {}
        // No secret is left under a key that is lost: a new one may begin.
        Some(key_id) if has_any(&**write).await? => {
            return Err(Error::SealedElsewhere(key_id));
        }
        _ => set_sealing_key(write, &sealed.key_id).await?,
    }
    remove(write, owner).await?;
    let row = secrets::ActiveModel {
        owner_id: Set(owner),
        workspace_id: Set(place.workspace_id.map(|id| id.0)),
        used_for: Set(place.used_for.to_string()),
        sent_to: Set(place.sent_to),
        key_id: Set(sealed.key_id),
        sealed: Set(sealed.bytes),
        updated_at: Set(now()),
    };
    secrets::Entity::insert(row).exec_without_returning(&**write).await.db().map(drop)
}

pub async fn remove(write: &Write, owner: Uuid) -> Result<()> {
    secrets::Entity::delete_by_id(owner).exec(&**write).await.db().map(drop)
}

/// The secrets of these owners, as far as they have one.
pub async fn of(db: &impl ConnectionTrait, owners: Vec<Uuid>) -> Result<Vec<(Uuid, Sealed)>> {
    if owners.is_empty() {
        return Ok(Vec::new());
    }
    let rows = secrets::Entity::find().filter(secrets::Column::OwnerId.is_in(owners)).all(db).await.db()?;
    Ok(rows.into_iter().map(|row| (row.owner_id, Sealed { key_id: row.key_id, bytes: row.sealed })).collect())
}

/// By the index, from the id before all others.
async fn has_any(db: &impl ConnectionTrait) -> Result<bool> {
    let first = secrets::Entity::find()
        .filter(secrets::Column::OwnerId.gt(Uuid::nil()))
        .order_by_asc(secrets::Column::OwnerId)
        .limit(1);
    Ok(first.one(db).await.db()?.is_some())
}

async fn sealing_key(db: &impl ConnectionTrait) -> Result<Option<String>> {
    let row = instance_notes::Entity::find_by_id(SEALING_KEY.to_owned()).one(db).await.db()?;
    Ok(row.map(|row| row.value))
}

async fn set_sealing_key(write: &Write, key_id: &str) -> Result<()> {
    let row =
        instance_notes::ActiveModel { name: Set(SEALING_KEY.to_owned()), value: Set(key_id.to_owned()) };
    let over = OnConflict::column(instance_notes::Column::Name)
        .update_column(instance_notes::Column::Value)
        .to_owned();
    instance_notes::Entity::insert(row)
        .on_conflict(over)
        .exec_without_returning(&**write)
        .await
        .db()
        .map(drop)
}

fn stored(row: secrets::Model) -> Result<StoredSecret> {
    let used_for = row.used_for.parse().map_err(|wrong: String| Error::Database(wrong.into()))?;
    let workspace_id = row.workspace_id.map(WorkspaceId);
    let place = SecretPlace { workspace_id, used_for, owner_id: row.owner_id, sent_to: row.sent_to };
    Ok(StoredSecret { place, sealed: Sealed { key_id: row.key_id, bytes: row.sealed } })
}
