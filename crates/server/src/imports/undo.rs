//! Takes an import back: its transactions first, then what it made or changed besides. What somebody changed since stays, and is
//! counted.

use baton_core::data::imports::{ImportProgress, ImportStatus, ImportedChange, Undone};
use baton_core::data::kinds;
use baton_core::data::rows::{Change, Once, RowChange};
use baton_core::store::{self, ChangesOf};

use super::books::{NotMade, refused};
use super::run::{Halt, Job};

/// How many changes of a row are looked through for the import's.
const CHANGES: u64 = 50;

pub async fn undo(job: &Job<'_>) -> Result<(), Halt> {
    loop {
        let undone = job.inner.store.undo_transactions(job.claim).await?.ok_or(Halt::Lost)?;
        if undone == Undone::default() {
            break;
        }
        job.inner.tell_of(job.import.id).await;
    }
    // What others of them refer to goes after those: what can't go yet is tried again as long as anything goes.
    let mut left = job.inner.store.noted_changes(job.import.id).await?;
    loop {
        let (mut waiting, before) = (Vec::new(), left.len());
        for change in left {
            let undone = take_back(job, &change).await?;
            if undone.kept > 0 {
                waiting.push(change);
            } else if !job.inner.store.note_undone(job.claim, &change, undone).await? {
                return Err(Halt::Lost);
            }
        }
        left = waiting;
        if left.is_empty() || left.len() == before {
            break;
        }
    }
    for change in left {
        let kept = Undone { removed: 0, kept: 1 };
        if !job.inner.store.note_undone(job.claim, &change, kept).await? {
            return Err(Halt::Lost);
        }
    }
    let undone = ImportProgress { status: Some(ImportStatus::Undone), ..ImportProgress::default() };
    job.note(undone).await?;
    job.inner.store.remove_file(job.import.id.0).await?;
    Ok(())
}

async fn take_back(job: &Job<'_>, noted: &ImportedChange) -> Result<Undone, Halt> {
    let kept = Undone { removed: 0, kept: 1 };
    let Some(kind) = kinds::find(&noted.kind) else { return Ok(kept) };
    let row = match job.inner.store.row(job.scope, kind, noted.row_id).await {
        Ok(row) => row,
        // Gone already, or never made.
        Err(store::Error::NotFound(_)) => return Ok(Undone::default()),
        Err(error) => return Err(error.into()),
    };
    if row.version < noted.version {
        // The change was meant, and not made.
        return Ok(Undone::default());
    }
    if row.version > noted.version {
        return Ok(kept);
    }
    let changes =
        job.inner.store.changes(job.scope, ChangesOf::Row { kind, id: noted.row_id }, CHANGES).await?;
    let done = match changes.first() {
        // Also what it made: a deletion would take along what others hung on it since.
        Some(last) => job.inner.store.undo(&Once::Unkeyed, job.scope, job.author, vec![last.id]).await,
        None => {
            let change = Change::Delete { id: noted.row_id, seen: Some(noted.version) };
            job.inner
                .store
                .change_rows(&Once::Unkeyed, job.scope, job.author, vec![RowChange { kind, change }])
                .await
        }
    };
    match done.map_err(refused) {
        Ok(_) => Ok(Undone { removed: 1, kept: 0 }),
        // Other rows refer to it by now.
        Err(NotMade::Refused(_)) => Ok(kept),
        Err(NotMade::Store(error)) => Err(error.into()),
    }
}
