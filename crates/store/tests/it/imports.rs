//! Batches of an import, on both engines: fences, claims, and sums that agree with the rows.

use baton_core::data::areas::Areas;
use baton_core::data::duplicates::{Activity, Identity, Status};
use baton_core::data::imports::{
    Counts, ExportFile, ImportAnswers, ImportBatch, ImportClaim, ImportProgress, ImportStatus,
    ImportedChange, ImportedTransaction, MappingKey, NewImport, Undone,
};
use baton_core::data::kind::Direction;
use baton_core::data::kinds::{ACCOUNTS, TRANSACTIONS};
use baton_core::data::rows::{Author, Change, DataScope, Once, Row, RowChange, RowQuery};
use baton_core::ids::{ExportId, ImportId, ProfileId};
use baton_core::listing::Window;
use baton_core::money::Currency;
use baton_core::store::{Exports, FilePieces, Imports, Rows, Workspaces};
use baton_store::SqlStore;
use serde_json::json;
use uuid::Uuid;

use crate::cast::{Cast, now};

struct Desk {
    cast: Cast,
    account: Uuid,
}

impl Desk {
    async fn new() -> Self {
        let cast = Cast::gather().await;
        let account = Uuid::now_v7();
        let fields = json!({"name": "Giro", "currency": "EUR", "opening_balance": 1_000});
        let change = Change::Create { id: account, fields: fields.as_object().unwrap().clone() };
        let scope = DataScope { workspace_id: cast.workspace, areas: Areas::WRITE };
        let author = Author { profile_id: cast.ana, agent: None };
        let change = RowChange { kind: &ACCOUNTS, change };
        cast.told.store.change_rows(&Once::Unkeyed, scope, author, vec![change]).await.unwrap();
        Self { cast, account }
    }

    fn rows(&self) -> &SqlStore {
        &self.cast.told.store
    }

    async fn begin(&self) -> ImportId {
        let new = NewImport {
            workspace_id: self.cast.workspace,
            profile_id: self.cast.ana,
            kind: "transactions",
            filename: "a.csv".to_owned(),
            is_dry_run: false,
            account_id: None,
        };
        let id = self.rows().begin_import(new).await.unwrap();
        self.rows().keep_piece(self.cast.workspace, id.0, 0, b"abc".to_vec()).await.unwrap();
        self.rows().end_upload(id, 3).await.unwrap();
        id
    }

    /// Claimed, and past its questions.
    async fn importing(&self, worker: Uuid) -> ImportClaim {
        self.begin().await;
        let claim = self.rows().claim_imports(worker).await.unwrap().remove(0);
        let status = Some(ImportStatus::Importing);
        assert!(
            self.rows().note_progress(claim, ImportProgress { status, ..Default::default() }).await.unwrap()
        );
        claim
    }

    fn row(&self, day: &str, amount: i64, id: Option<&str>, status: Status) -> ImportedTransaction {
        let source_id = id.map(str::to_owned);
        let key = format!("{day}|{amount}|{}", id.unwrap_or_default());
        ImportedTransaction {
            line: 1,
            row_id: None,
            identity: Identity { source_id, key },
            account_id: self.account,
            booked_on: day.parse().unwrap(),
            value_on: None,
            amount,
            currency: Currency::EUR,
            payee: Some("Shop".to_owned()),
            memo: None,
            reference: None,
            counterparty_iban: None,
            category_id: None,
            status,
            activity: Activity::Payment,
            transfer_id: None,
            foreign_amount: None,
            foreign_currency: None,
            foreign_rate: None,
            notes: None,
            splits: Vec::new(),
        }
    }

    async fn store(&self, claim: ImportClaim, rows: Vec<ImportedTransaction>) -> Option<Counts> {
        let batch = ImportBatch { items_done: rows.len() as u64, transactions: rows, ..Default::default() };
        self.rows().import_transactions(claim, batch).await.unwrap()
    }

    async fn balance(&self) -> i64 {
        self.rows().balance_on(self.cast.workspace, self.account, None).await.unwrap()
    }
}

#[tokio::test]
async fn a_batch_is_stored_once_by_whoever_holds_the_claim() {
    let desk = Desk::new().await;
    let store = desk.rows();
    let worker = Uuid::now_v7();
    let claim = desk.importing(worker).await;
    assert_eq!(store.claim_imports(worker).await.unwrap(), [], "it is claimed");
    let rows = || {
        vec![
            desk.row("2026-01-05", -300, None, Status::Booked),
            desk.row("2026-01-31", 500, Some("A"), Status::Booked),
            desk.row("2026-02-01", -50, Some("B"), Status::Pending),
        ]
    };
    let counts = desk.store(claim, rows()).await.unwrap();
    assert_eq!((counts.read, counts.new, counts.duplicates), (3, 3, 0));
    assert_eq!(desk.balance().await, 1_200, "what is pending counts for nothing");
    let first = store.balance_on(desk.cast.workspace, desk.account, "2026-01-30".parse().ok()).await.unwrap();
    assert_eq!(first, 700, "at the end of a day within a month");
    let counts = desk.store(claim, rows()).await.unwrap();
    assert_eq!((counts.new, counts.duplicates), (0, 3), "again");
    // Booked: within one batch too, and a bank's id that is used again comes in.
    let booked = vec![
        desk.row("2026-02-03", -60, Some("B"), Status::Booked),
        desk.row("2026-02-03", -60, Some("B"), Status::Booked),
        desk.row("2026-02-04", -61, Some("B"), Status::Booked),
    ];
    let counts = desk.store(claim, booked).await.unwrap();
    assert_eq!((counts.changed, counts.duplicates, counts.new, counts.reused), (1, 1, 1, 1));
    assert_eq!(desk.balance().await, 1_079);
    let stale = ImportClaim { attempt: claim.attempt - 1, ..claim };
    assert_eq!(desk.store(stale, rows()).await, None, "another's claim");
    let import = store.import(claim.import_id).await.unwrap();
    assert_eq!((import.counts.read, import.counts.new, import.counts.changed), (9, 4, 1));
    assert_eq!(store.remarks(import.id).await.unwrap().len(), 1);

    // Taken back: the old claim stores nothing more.
    store.begin_undo(import.id, desk.cast.ana).await.unwrap().expect("undoing");
    assert_eq!(desk.store(claim, rows()).await, None);
    let claim = store.claim_imports(worker).await.unwrap().remove(0);
    let mut undone = Undone::default();
    loop {
        let some = store.undo_transactions(claim).await.unwrap().unwrap();
        if some == Undone::default() {
            break;
        }
        undone = Undone { removed: undone.removed + some.removed, kept: undone.kept + some.kept };
    }
    assert_eq!(undone, Undone { removed: 4, kept: 0 });
    assert_eq!(desk.balance().await, 1_000);
    desk.cast.told.end().await;
}

#[tokio::test]
async fn an_undo_goes_on_after_rows_that_somebody_deleted() {
    let desk = Desk::new().await;
    let store = desk.rows();
    let worker = Uuid::now_v7();
    let claim = desk.importing(worker).await;
    let rows = (1..=501).map(|n| desk.row("2026-01-05", -n, None, Status::Booked)).collect();
    assert_eq!(desk.store(claim, rows).await.unwrap().new, 501);
    let scope = DataScope { workspace_id: desk.cast.workspace, areas: Areas::WRITE };
    let query =
        RowQuery { order: Some(("amount".into(), Direction::Falling)), limit: 500, ..Default::default() };
    let first = store.rows(scope, &TRANSACTIONS, query).await.unwrap().rows;
    let delete = |row: Row| Change::Delete { id: row.id, seen: None }.of(&TRANSACTIONS);
    let author = Author { profile_id: desk.cast.ana, agent: None };
    let deleted = first.into_iter().map(delete).collect();
    store.change_rows(&Once::Unkeyed, scope, author, deleted).await.unwrap();
    assert_eq!(desk.balance().await, 1_000 - 501);
    store.begin_undo(claim.import_id, desk.cast.ana).await.unwrap().expect("undoing");
    let claim = store.claim_imports(worker).await.unwrap().remove(0);
    let undone = store.undo_transactions(claim).await.unwrap().unwrap();
    assert_eq!(undone, Undone { removed: 1, kept: 0 });
    assert_eq!(store.undo_transactions(claim).await.unwrap().unwrap(), Undone::default());
    assert_eq!(desk.balance().await, 1_000);
    desk.cast.told.end().await;
}

#[tokio::test]
async fn a_file_that_nobody_needs_is_removed() {
    let desk = Desk::new().await;
    let store = desk.rows();
    let claim = desk.importing(Uuid::now_v7()).await;
    assert_eq!(store.piece(claim.import_id.0, 0).await.unwrap(), b"abc");
    let failed = ImportProgress { status: Some(ImportStatus::Failed), ..Default::default() };
    assert!(store.note_progress(claim, failed.clone()).await.unwrap());
    assert!(!store.note_progress(claim, failed).await.unwrap(), "it has ended");
    store.purge(chrono::Utc::now()).await.unwrap();
    assert!(store.piece(claim.import_id.0, 0).await.is_err());
    assert_eq!(store.import(claim.import_id).await.unwrap().size, 0);
    // Nobody answers for a week.
    let id = desk.begin().await;
    let claim = store.claim_imports(Uuid::now_v7()).await.unwrap().remove(0);
    let waits = ImportProgress { status: Some(ImportStatus::NeedsMapping), ..Default::default() };
    assert!(store.note_progress(claim, waits).await.unwrap());
    store.purge(chrono::Utc::now() + chrono::Duration::days(8)).await.unwrap();
    assert_eq!(store.import(id).await.unwrap().status, ImportStatus::Failed);
    desk.cast.told.end().await;
}

/// Who makes a file for a person may be stopped in the middle of it, and the person may go.
#[tokio::test]
async fn pieces_of_no_file_are_removed_after_a_day() {
    let desk = Desk::new().await;
    let store = desk.rows();
    let (import, export) = (desk.begin().await, ExportId::new());
    store.keep_piece(desk.cast.workspace, export.0, 0, b"abc".to_vec()).await.unwrap();
    let purged = async |hours| {
        store.purge(chrono::Utc::now() + chrono::Duration::hours(hours)).await.unwrap();
        store.piece(export.0, 0).await.is_err()
    };
    assert!(!purged(23).await, "it may still be written");
    assert!(purged(25).await);
    assert_eq!(store.piece(import.0, 0).await.unwrap(), b"abc", "this one has its import");
    desk.cast.told.end().await;
}

#[tokio::test]
async fn imports_of_one_workspace_are_worked_on_one_after_another() {
    let desk = Desk::new().await;
    let store = desk.rows();
    let worker = Uuid::now_v7();
    let (first, second) = (desk.begin().await, desk.begin().await);
    let claimed = async || {
        let claims = store.claim_imports(worker).await.unwrap();
        claims.into_iter().map(|claim| claim.import_id).collect::<Vec<_>>()
    };
    let claim = store.claim_imports(worker).await.unwrap().remove(0);
    assert_eq!(claim.import_id, first);
    assert_eq!(claimed().await, [], "both could make the same account");
    let elsewhere = store.create_workspace("Elsewhere", desk.cast.ana).await.unwrap().id;
    let other = NewImport {
        workspace_id: elsewhere,
        profile_id: desk.cast.ana,
        kind: "transactions",
        filename: "b.csv".to_owned(),
        is_dry_run: false,
        account_id: None,
    };
    let other = store.begin_import(other).await.unwrap();
    store.keep_piece(elsewhere, other.0, 0, b"abc".to_vec()).await.unwrap();
    store.end_upload(other, 3).await.unwrap();
    assert_eq!(claimed().await, [other]);
    let waits = ImportProgress { status: Some(ImportStatus::NeedsMapping), ..Default::default() };
    assert!(store.note_progress(claim, waits).await.unwrap());
    assert_eq!(claimed().await, [second], "the first one waits for a person");
    desk.cast.told.end().await;
}

#[tokio::test]
async fn an_import_waits_and_is_answered() {
    let desk = Desk::new().await;
    let store = desk.rows();
    let new = NewImport {
        workspace_id: desk.cast.workspace,
        profile_id: desk.cast.ana,
        kind: "transactions",
        filename: "half.csv".to_owned(),
        is_dry_run: false,
        account_id: None,
    };
    let dropped = store.begin_import(new).await.unwrap();
    store.drop_upload(dropped).await.unwrap();
    let id = desk.begin().await;
    let claim = store.claim_imports(Uuid::now_v7()).await.unwrap().remove(0);
    assert_eq!(claim.import_id, id, "what did not arrive is nobody's");
    assert!(store.keep_claim(claim).await.unwrap());
    let waits = ImportProgress { status: Some(ImportStatus::NeedsMapping), ..Default::default() };
    assert!(store.note_progress(claim, waits).await.unwrap());
    let window = Window { limit: 10, offset: 0 };
    let there = store.imports(desk.cast.workspace, window).await.unwrap();
    assert!(there.rows.iter().any(|import| import.id == id && import.status == ImportStatus::NeedsMapping));
    let answers =
        ImportAnswers { mapping: Some(json!({"day_first": true})), starts: true, ..Default::default() };
    assert!(store.answer_import(id, answers).await.unwrap().is_some());
    desk.cast.told.end().await;
}

#[tokio::test]
async fn an_import_remembers_what_it_made() {
    let desk = Desk::new().await;
    let store = desk.rows();
    let claim = desk.importing(Uuid::now_v7()).await;
    let made = ImportedChange { row_id: desk.account, kind: "accounts".into(), change_id: None, version: 1 };
    assert!(store.note_changes(claim, vec![made.clone()]).await.unwrap());
    assert_eq!(store.noted_changes(claim.import_id).await.unwrap().len(), 1);
    let row = desk.row("2026-01-05", -300, Some("A"), Status::Booked);
    desk.store(claim, vec![row.clone()]).await.unwrap();
    let known = store.known_transactions(desk.cast.workspace, &[row]).await.unwrap();
    assert!(!known[0].is_empty() && known[0].iter().all(|one| one.row_id == known[0][0].row_id));
    let stated = Some((700, "2026-01-31".parse().unwrap()));
    assert!(store.note_statement(claim, desk.account, stated, None).await.unwrap());
    store.release_claim(claim).await.unwrap();
    store.begin_undo(claim.import_id, desk.cast.ana).await.unwrap().expect("undoing");
    let claims = store.claim_imports(Uuid::now_v7()).await.unwrap();
    let claim = *claims.iter().find(|one| one.import_id == claim.import_id).expect("to be undone");
    let kept = Undone { removed: 0, kept: 1 };
    assert!(store.note_undone(claim, &made, kept).await.unwrap());

    let key = MappingKey {
        workspace_id: desk.cast.workspace,
        kind: "transactions".into(),
        account_id: Some(desk.account),
        headers_hash: "hash".into(),
    };
    assert_eq!(store.kept_mapping(&key).await.unwrap(), None);
    store.keep_mapping(&key, json!({"a": 1})).await.unwrap();
    assert_eq!(store.kept_mapping(&key).await.unwrap(), Some(json!({"a": 1})));
    desk.cast.told.end().await;
}

#[tokio::test]
async fn an_exported_file_is_its_persons_until_it_expires() {
    let desk = Desk::new().await;
    let (store, id) = (desk.rows(), ExportId::new());
    let expires_at = now() + chrono::Duration::hours(1);
    store.keep_piece(desk.cast.workspace, id.0, 0, b"a,b".to_vec()).await.unwrap();
    let file = ExportFile {
        id,
        workspace_id: desk.cast.workspace,
        profile_id: desk.cast.ana,
        kind: "accounts".into(),
        format: "csv".into(),
        filename: "accounts.csv".into(),
        rows: 1,
        size: 3,
        expires_at,
    };
    store.keep_export(file).await.unwrap();
    assert_eq!(store.export_file(id, desk.cast.ana, now()).await.unwrap().size, 3);
    assert!(store.export_file(id, ProfileId::new(), now()).await.is_err(), "another's");
    let late = expires_at + chrono::Duration::seconds(1);
    assert!(store.export_file(id, desk.cast.ana, late).await.is_err(), "expired");
    store.remove_file(id.0).await.unwrap();
    assert!(store.piece(id.0, 0).await.is_err());
    desk.cast.told.end().await;
}
