//! Carries an import out, from what its row says: looks at the file, asks, counts in a dry run, stores. Each step is stored
//! before the next begins.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use baton_core::data::areas::{AreaAccess, Areas};
use baton_core::data::imports::{
    Counts, FileFormat, Import, ImportClaim, ImportProgress, ImportStatus, MappingKey,
};
use baton_core::data::kind::Kind;
use baton_core::data::kinds;
use baton_core::data::rows::{Author, DataScope};
use baton_core::store::{self, Error};
use baton_formats::csv::Mapping;
use futures::FutureExt;
use serde_json::json;

use super::books::{Books, Mode};
use super::file::PieceFile;
use super::judge::DryRun;
use super::look::{self, Look};
use super::reading::{Reading, blocking};
use super::report::{AccountReport, Question, Report};
use super::transactions::{Given, Reader};
use super::{Inner, rows, undo};

/// How often people hear how far it is.
const NEWS: Duration = Duration::from_millis(500);

/// Between two tries, when the database refuses.
const LATER: Duration = Duration::from_secs(2);

/// After so many, an error that is no outage ends the import.
const MOST_ATTEMPTS: i64 = 10;
const GAVE_UP: &str = "The database refused this file again and again. The server's log says why: please tell whoever runs it. \
     What was stored so far can be taken back.";

/// Why a step came to no end.
pub enum Halt {
    /// What is wrong with the file, in words: the import has failed.
    Failed(String),
    /// The file leaves these questions open.
    Asks(Vec<Question>),
    Store(store::Error),
    /// The claim is another's.
    Lost,
}

impl From<store::Error> for Halt {
    fn from(error: store::Error) -> Self {
        match error {
            Error::AreaRefused(refused) => Self::Failed(refused.to_string()),
            error => Self::Store(error),
        }
    }
}

/// All that the steps of one import need.
pub struct Job<'a> {
    pub inner: &'a Arc<Inner>,
    pub claim: ImportClaim,
    pub import: Import,
    pub kind: &'static Kind,
    pub scope: DataScope,
    pub author: Author,
}

pub async fn work(inner: &Arc<Inner>, claim: ImportClaim) {
    let worked = AssertUnwindSafe(begin(inner, claim)).catch_unwind().await;
    // Without this the claim would stay with this process, which doesn't work on it any more.
    let broke = |_| Err(Halt::Store(Error::Database("an import broke down: see the panic above".into())));
    match worked.unwrap_or_else(broke) {
        Ok(()) | Err(Halt::Lost) => {}
        Err(Halt::Failed(problem)) => fail(inner, claim, problem).await,
        Err(Halt::Asks(questions)) => {
            let questions: Vec<_> = questions.into_iter().map(|question| question.text).collect();
            fail(inner, claim, questions.join(" ")).await;
        }
        Err(Halt::Store(error)) if claim.attempt >= MOST_ATTEMPTS && !is_outage(&error) => {
            tracing::error!(%error, import = %claim.import_id, "an import is given up");
            fail(inner, claim, GAVE_UP.to_owned()).await;
        }
        // The next claim goes on from the last commit.
        Err(Halt::Store(error)) => {
            tracing::warn!(%error, import = %claim.import_id, "an import was interrupted, and goes on");
            tokio::time::sleep(LATER).await;
            until_stored(claim, || inner.store.release_claim(claim)).await;
        }
    }
    inner.tell_of(claim.import_id).await;
}

async fn fail(inner: &Arc<Inner>, claim: ImportClaim, problem: String) {
    let failed = ImportProgress {
        status: Some(ImportStatus::Failed),
        problem: Some(problem),
        ..ImportProgress::default()
    };
    if !until_stored(claim, || inner.store.note_progress(claim, failed.clone())).await {
        return;
    }
    // What is left of it is removed within the hour.
    let _ = inner.store.remove_file(claim.import_id.0).await;
}

/// Repeats the last thing that is stored of an import until it is. On SQLite a claim holds for as long as its process runs:
/// an import that kept it would never go on, and no other of its workspace would begin.
async fn until_stored<T, F>(claim: ImportClaim, store: impl Fn() -> F) -> T
where
    F: Future<Output = store::Result<T>>,
{
    loop {
        match store().await {
            Ok(stored) => return stored,
            Err(error) => {
                tracing::warn!(%error, import = %claim.import_id, "could not store that an import is left");
                tokio::time::sleep(LATER).await;
            }
        }
    }
}

/// It ends by itself.
fn is_outage(error: &store::Error) -> bool {
    matches!(error, Error::Unavailable | Error::Full)
}

async fn begin(inner: &Arc<Inner>, claim: ImportClaim) -> Result<(), Halt> {
    let import = inner.store.import(claim.import_id).await?;
    let kind = kinds::find(&import.kind)
        .ok_or_else(|| Halt::Failed(format!("There is no kind {}.", import.kind)))?;
    let gone = || Halt::Failed("Whoever began it has no account any more.".to_owned());
    let profile_id = import.profile_id.ok_or_else(gone)?;
    let areas = match import.status {
        // Who asked for it was looked at then. Whoever began the import need not be here any more.
        ImportStatus::Undoing => Areas::WRITE,
        _ => inner.store.areas(import.workspace_id, profile_id).await?,
    };
    let scope = DataScope { workspace_id: import.workspace_id, areas };
    scope.check(kind, AreaAccess::Write).map_err(|refused| Halt::Failed(refused.to_string()))?;
    let author = Author { profile_id, agent: None };
    let mut job = Job { inner, claim, import, kind, scope, author };
    loop {
        match job.import.status {
            ImportStatus::Reading => job.look().await?,
            ImportStatus::Importing => return job.store().await,
            ImportStatus::Undoing => return undo::undo(&job).await,
            _ => return Ok(()),
        }
        job.import = inner.store.import(claim.import_id).await?;
        inner.tell(&job.import);
    }
}

impl Job<'_> {
    pub fn file(&self) -> PieceFile {
        PieceFile::new(self.inner.store.clone(), self.import.id.0, self.import.size)
    }

    pub async fn note(&self, progress: ImportProgress) -> Result<(), Halt> {
        match self.inner.store.note_progress(self.claim, progress).await? {
            true => Ok(()),
            false => Err(Halt::Lost),
        }
    }

    async fn books(&self, mode: Mode) -> Result<Books, Halt> {
        Ok(Books::open(self.inner.store.clone(), self.scope, self.author, self.claim, mode).await?)
    }

    async fn currency(&self) -> Result<Option<baton_core::money::Currency>, Halt> {
        if self.import.account_id.is_none() {
            return Ok(None);
        }
        let books = self.books(Mode::DryRun).await?;
        Ok(self.import.account_id.and_then(|id| books.account(id)).map(|account| account.currency))
    }

    fn mapping_key(&self, columns: &[String]) -> MappingKey {
        MappingKey {
            workspace_id: self.import.workspace_id,
            kind: self.kind.name.to_owned(),
            account_id: self.import.account_id,
            headers_hash: look::headers_hash(columns),
        }
    }

    /// Looks at the file with this mapping, on a thread that may wait.
    async fn look_with(&self, known: Option<Mapping>) -> Result<Look, Halt> {
        let (kind, filename) = (self.kind, self.import.filename.clone());
        let (mut file, currency) = (self.file(), self.currency().await?);
        blocking(move || {
            let format = look::format_of(&filename, kind, &mut file)?;
            look::look(format, kind, &mut file, known.as_ref(), currency)
        })
        .await
    }

    async fn look(&self) -> Result<(), Halt> {
        let said = self.import.mapping.clone().map(serde_json::from_value::<Mapping>).transpose();
        let said = said.map_err(|wrong| Halt::Failed(format!("The mapping can't be read: {wrong}.")))?;
        let mut seen = self.look_with(said.clone()).await?;
        let mut is_kept = false;
        if said.is_none() && seen.format == FileFormat::Csv {
            let kept = self.inner.store.kept_mapping(&self.mapping_key(&seen.columns)).await?;
            if let Some(kept) = kept.and_then(|kept| serde_json::from_value(kept).ok()) {
                seen = self.look_with(Some(kept)).await?;
                is_kept = true;
            }
        }
        let asks_account = seen.format == FileFormat::Csv
            && self.kind.name == "transactions"
            && !seen.has_account_column
            && self.import.account_id.is_none();
        if asks_account {
            seen.questions.push(Question::account());
        }
        let mut report = Report {
            columns: seen.columns.clone(),
            mapping: serde_json::to_value(&seen.mapping).ok(),
            is_kept_mapping: is_kept,
            ..Report::default()
        };
        report.preview = seen.preview.clone();
        if self.kind.name == "transactions" && seen.format != FileFormat::Csv && seen.questions.is_empty() {
            self.look_through(&mut seen, &mut report).await?;
        }
        report.questions = seen.questions.clone();
        let mut progress = ImportProgress {
            format: Some(seen.format),
            mapping: Some(json!(seen.mapping)),
            items_done: Some(0),
            counts: Some(Counts::default()),
            remarks: Some(Vec::new()),
            ..ImportProgress::default()
        };
        if !report.questions.is_empty() {
            // What was guessed is offered; it counts only once somebody has said so.
            progress.status = Some(ImportStatus::NeedsMapping);
            progress.mapping = said.map(|said| json!(said));
        } else if self.import.is_dry_run {
            self.count(&seen, &mut progress, &mut report).await?;
            progress.status = Some(ImportStatus::Ready);
        } else {
            progress.status = Some(ImportStatus::Importing);
            if seen.format == FileFormat::Csv {
                self.inner.store.keep_mapping(&self.mapping_key(&seen.columns), json!(seen.mapping)).await?;
            }
        }
        progress.report = Some(json!(report));
        self.note(progress).await
    }

    /// A bank's file says only in its middle which accounts it has, and whether a currency is missing.
    async fn look_through(&self, seen: &mut Look, report: &mut Report) -> Result<(), Halt> {
        let (look, first, all) = (seen.clone(), self.file(), self.file());
        let is_given = self.import.account_id.is_some();
        let found = blocking(move || {
            let preview = Look::statement_preview(look.items(first)?);
            let mut has_nameless = false;
            let mut nameless = true;
            for item in look.items(all)? {
                match item? {
                    baton_formats::statement::Item::Account(account) => {
                        nameless = account.id.as_deref().is_none_or(|id| id.trim().is_empty());
                    }
                    baton_formats::statement::Item::Transaction(_) => has_nameless |= nameless,
                    _ => {}
                }
            }
            Ok((preview, has_nameless))
        });
        match found.await {
            Ok((preview, has_nameless)) => {
                report.preview = preview;
                if has_nameless && !is_given {
                    seen.questions.push(Question::account());
                }
                Ok(())
            }
            // It needs a mapping after all.
            Err(Halt::Asks(questions)) => {
                seen.questions.extend(questions);
                Ok(())
            }
            Err(other) => Err(other),
        }
    }

    fn given(&self, look: &Look) -> Given {
        Given {
            workspace: self.import.workspace_id,
            account: self.import.account_id,
            is_named: look.format == FileFormat::Qif,
            currency: look.currency,
        }
    }

    /// What would come of it, without storing anything.
    async fn count(
        &self,
        seen: &Look,
        progress: &mut ImportProgress,
        report: &mut Report,
    ) -> Result<(), Halt> {
        let mut dry_run = DryRun::new(self.inner.store.clone(), self.import.workspace_id);
        if self.kind.name != "transactions" {
            let counted = rows::count(self, seen).await?;
            progress.counts = Some(counted.counts);
            progress.remarks = Some(counted.remarks);
            return Ok(());
        }
        let mut reading = self.read(seen, Mode::DryRun, 0).await?;
        while let Some(batch) = reading.batches.recv().await {
            dry_run.judge(batch).await?;
        }
        let reader = reading.end().await?;
        report.accounts = self.accounts(&reader);
        report.new_categories = reader.books.new_categories.clone();
        progress.counts = Some(dry_run.counts);
        progress.remarks = Some(dry_run.remarks);
        Ok(())
    }

    async fn store(&self) -> Result<(), Halt> {
        let said =
            self.import.mapping.clone().and_then(|mapping| serde_json::from_value::<Mapping>(mapping).ok());
        let seen = self.look_with(said).await?;
        if self.kind.name != "transactions" {
            rows::store(self, &seen).await?;
            return self.complete(None).await;
        }
        let began = Instant::now();
        let (mut last_news, mut longest) = (Instant::now(), Duration::ZERO);
        let mut reading = self.read(&seen, Mode::Import, self.import.items_done).await?;
        while let Some(batch) = reading.batches.recv().await {
            let committing = Instant::now();
            let stored = self.inner.store.import_transactions(self.claim, batch).await?;
            longest = longest.max(committing.elapsed());
            if stored.is_none() {
                return Err(Halt::Lost);
            }
            if last_news.elapsed() >= NEWS {
                last_news = Instant::now();
                self.inner.tell_of(self.import.id).await;
            }
        }
        let reader = reading.end().await?;
        let mut report: Report = serde_json::from_value(self.import.report.clone()).unwrap_or_default();
        report.new_categories = reader.books.new_categories.clone();
        report.accounts = self.accounts(&reader);
        self.compare(&reader, &mut report).await?;
        tracing::info!(import = %self.import.id, took = ?began.elapsed(), longest_commit = ?longest, "an import is complete");
        self.complete(Some(report)).await
    }

    pub async fn complete(&self, report: Option<Report>) -> Result<(), Halt> {
        let progress = ImportProgress {
            status: Some(ImportStatus::Completed),
            report: report.map(|report| json!(report)),
            ..ImportProgress::default()
        };
        self.note(progress).await?;
        // What is left of it when this process ends is removed within the hour.
        self.inner.store.remove_file(self.import.id.0).await?;
        Ok(())
    }

    /// Begins to read on a thread that may wait.
    async fn read(&self, seen: &Look, mode: Mode, done: u64) -> Result<Reading, Halt> {
        let reader = Reader::new(self.books(mode).await?, self.given(seen));
        Ok(Reading::begin(reader, seen.clone(), self.file(), done))
    }

    fn accounts(&self, reader: &Reader) -> Vec<AccountReport> {
        let told = |account: &&super::books::BookAccount| {
            account.is_new || reader.balances.contains_key(&account.id)
        };
        let report = |account: &super::books::BookAccount| {
            let closing = reader.balances.get(&account.id).and_then(|balances| balances.closing);
            AccountReport {
                account_id: Some(account.id).filter(|_| !(account.is_new && self.import.is_dry_run)),
                name: account.name.clone(),
                is_new: account.is_new,
                currency: account.currency.code().to_owned(),
                stated_balance: closing.map(|closing| closing.amount),
                stated_on: closing.and_then(|closing| closing.date).map(|day| day.to_string()),
                own_balance: None,
                difference: None,
                fitting_opening_balance: None,
            }
        };
        reader.books.accounts.iter().filter(told).map(report).collect()
    }

    /// Balances of statements beside ours. An account that the import made begins with what makes them agree.
    async fn compare(&self, reader: &Reader, report: &mut Report) -> Result<(), Halt> {
        for (id, balances) in &reader.balances {
            let Some(account) = reader.books.account(*id) else { continue };
            let Some(closing) = balances.closing else { continue };
            let ours = self.inner.store.balance_on(self.import.workspace_id, *id, closing.date).await?;
            let moved = ours - account.opening_balance;
            let opening = match balances.opening {
                _ if !account.is_new => None,
                Some(opening) => Some(opening.amount),
                None => Some(closing.amount - moved),
            };
            let ours = opening.unwrap_or(account.opening_balance) + moved;
            let stated = closing.date.map(|day| (closing.amount, day));
            if !self.inner.store.note_statement(self.claim, *id, stated, opening).await? {
                return Err(Halt::Lost);
            }
            let Some(told) = report.accounts.iter_mut().find(|told| told.account_id == Some(*id)) else {
                continue;
            };
            told.own_balance = Some(ours);
            told.difference = Some(closing.amount - ours);
            told.fitting_opening_balance = (closing.amount != ours).then(|| closing.amount - moved);
        }
        Ok(())
    }
}
