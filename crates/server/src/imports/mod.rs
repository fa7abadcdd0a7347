//! Imports: files that people bring, from their first byte to their undo. A process claims an import, looks at its file, asks
//! what it can't know, and stores what is new in short commits. Killed anywhere, the next one goes on after the last commit.
//!
//! `look.rs` reads any format, `reading.rs` does it on a thread, `transactions.rs` and `rows.rs` turn what is read into what is
//! stored, `books.rs` finds and makes what rows refer to, `judge.rs` counts for dry runs, `run.rs` and `undo.rs` carry an import
//! out and take it back.

mod books;
mod file;
mod judge;
pub mod look;
mod reading;
pub mod report;
mod rows;
mod run;
mod tasks;
mod transactions;
mod undo;

pub use books::{all_rows, named_id};

use std::sync::Arc;
use std::time::Duration;

use baton_core::data::imports::{Import, ImportClaim};
use baton_core::data::kinds;
use baton_core::ids::ImportId;
use baton_core::notices::{Audience, Happened, Notice};
use baton_core::store::{self, Store};
use baton_engine::Engine;
use tokio::sync::{Notify, Semaphore, watch};
use uuid::Uuid;

/// How often a process looks for imports that nobody works on.
const PACE: Duration = Duration::from_secs(2);
/// How often a claim is renewed while a file is read.
const RENEWAL: Duration = Duration::from_secs(5);
/// Imports that one process works on at once.
const AT_ONCE: usize = 2;

#[derive(Clone)]
pub struct Importer(Arc<Inner>);

struct Inner {
    store: Arc<dyn Store>,
    engine: Engine,
    /// This process, in claims.
    worker: Uuid,
    wake: Notify,
    permits: Arc<Semaphore>,
}

impl Importer {
    pub fn new(store: Arc<dyn Store>, engine: Engine) -> Self {
        let permits = Arc::new(Semaphore::new(AT_ONCE));
        Self(Arc::new(Inner { store, engine, worker: Uuid::now_v7(), wake: Notify::new(), permits }))
    }

    /// There is something to do.
    pub fn wake(&self) {
        self.0.wake.notify_one();
    }

    /// Works on imports until the server ends. What is under way then is left where it is: the next process goes on.
    pub async fn run(self, mut ending: watch::Receiver<bool>) {
        while !*ending.borrow_and_update() {
            tokio::select! {
                () = self.0.wake.notified() => {}
                () = tokio::time::sleep(PACE) => {}
                _ = ending.changed() => continue,
            }
            if let Err(error) = self.claim(&ending).await {
                tracing::warn!(%error, "could not look for imports");
            }
        }
    }

    async fn claim(&self, ending: &watch::Receiver<bool>) -> store::Result<()> {
        while let Ok(permit) = self.0.permits.clone().try_acquire_owned() {
            let claims = self.0.store.claim_imports(self.0.worker).await?;
            let Some(claim) = claims.into_iter().next() else { return Ok(()) };
            let (importer, mut ending) = (self.clone(), ending.clone());
            tokio::spawn(async move {
                tokio::select! {
                    () = importer.carry_out(claim) => {}
                    _ = ending.wait_for(|is_ending| *is_ending) => {}
                }
                drop(permit);
                importer.wake();
            });
        }
        Ok(())
    }

    /// Works on imports until this one has ended.
    pub async fn finish(&self, id: ImportId) -> store::Result<Import> {
        loop {
            let import = self.0.store.import(id).await?;
            if !import.status.is_under_way() {
                return Ok(import);
            }
            match self.0.store.claim_imports(self.0.worker).await?.into_iter().next() {
                Some(claim) => self.carry_out(claim).await,
                None => tokio::time::sleep(PACE).await,
            }
        }
    }

    /// Renews the claim while it works.
    async fn carry_out(&self, claim: ImportClaim) {
        let renew = async {
            loop {
                tokio::time::sleep(RENEWAL).await;
                match self.0.store.keep_claim(claim).await {
                    Ok(true) => {}
                    Ok(false) => return,
                    Err(error) => tracing::warn!(%error, "could not renew the claim of an import"),
                }
            }
        };
        tokio::select! {
            () = run::work(&self.0, claim) => {}
            () = renew => tracing::info!(import = %claim.import_id, "an import is another's now"),
        }
    }
}

impl Inner {
    /// Tells those who may see what it brings how far it is.
    fn tell(&self, import: &Import) {
        let Some(kind) = kinds::find(&import.kind) else { return };
        let happened = Happened::ImportChanged {
            import_id: import.id,
            status: import.status,
            read: import.counts.read,
            stored: import.counts.new + import.counts.changed,
            duplicates: import.counts.duplicates,
            refused: import.counts.refused,
        };
        self.engine.notify(Notice {
            workspace_id: import.workspace_id,
            audience: Audience::Area(kind.area),
            happened,
        });
    }

    async fn tell_of(&self, id: ImportId) {
        if let Ok(import) = self.store.import(id).await {
            self.tell(&import);
        }
    }
}
