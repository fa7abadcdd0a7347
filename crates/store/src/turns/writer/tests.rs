//! The writer on a full database (by SQLite's own limit on pages), and a writer that panics.

use super::*;

/// A writer of a file with one table, that may grow by so many pages.
struct Disk {
    _dir: tempfile::TempDir,
    writer: Writer,
    life: Life,
    permit: Arc<Semaphore>,
    reader: Connection,
}

const PAGES: i64 = 20;
const PAGE: i64 = 4096;

impl Disk {
    async fn new() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("baton.db");
        let reader = Connection::open(&file).expect("a file");
        let made = "PRAGMA journal_mode = WAL; CREATE TABLE kept (name TEXT UNIQUE, body BLOB)";
        reader.execute_batch(made).expect("a table");
        let permit = Arc::new(Semaphore::new(1));
        let (writer, life) =
            Writer::open(&file, Durability::Normal, permit.clone(), Arc::default()).expect("a writer");
        let disk = Self { _dir: dir, writer, life, permit, reader };
        disk.limit(PAGES).await;
        disk
    }

    /// A database larger than this has no room left.
    async fn limit(&self, pages: i64) {
        let limit = move |db: &Connection| {
            db.pragma_update_and_check(None, "max_page_count", pages, |row| row.get::<_, i64>(0)).map(drop)
        };
        self.writer
            .ask(|answer| Job::Work(Box::new(move |db| limit(db).map_err(sqlite::refused)), answer))
            .await
            .expect("limited");
    }

    /// Sends these to the writer so that they are one group, and says what each was told.
    async fn group(&self, jobs: Vec<Insert>) -> Vec<std::result::Result<(), Refused>> {
        let held = self.permit.acquire().await.expect("the permit");
        let sent: Vec<_> = jobs
            .into_iter()
            .map(|insert| {
                let (answer, answered) = oneshot::channel();
                let job = Job::Work(Box::new(move |db| insert.run(db).map_err(sqlite::refused)), answer);
                self.writer.jobs.send(Queued { job, is_taken: Arc::default() }).expect("sent");
                answered
            })
            .collect();
        drop(held);
        let mut answers = Vec::new();
        for answered in sent {
            answers.push(answered.await.expect("an answer"));
        }
        answers
    }

    fn stored(&self) -> Vec<String> {
        let mut rows = self.reader.prepare("SELECT name FROM kept ORDER BY name").expect("a query");
        let names = rows.query_map([], |row| row.get(0)).expect("rows");
        names.map(|name| name.expect("a name")).collect()
    }
}

/// When this one finds no room, SQLite takes back the whole transaction.
const TAKES_ALL_BACK: &str = "INSERT INTO kept VALUES (?, zeroblob(?))";
/// When this one finds no room, SQLite takes back its own rows: it could be many, so it keeps what it needs for that.
const TAKES_ITSELF_BACK: &str = "INSERT INTO kept SELECT ?, zeroblob(?) WHERE true";

/// A row of so many pages.
#[derive(Clone, Copy)]
struct Insert {
    sql: &'static str,
    name: &'static str,
    pages: i64,
}

impl Insert {
    fn small(name: &'static str) -> Self {
        Self { sql: TAKES_ALL_BACK, name, pages: 0 }
    }

    fn run(self, db: &Connection) -> rusqlite::Result<()> {
        db.execute(self.sql, (self.name, self.pages * PAGE)).map(drop)
    }
}

fn told(answers: &[std::result::Result<(), Refused>]) -> Vec<&'static str> {
    let word = |answer: &std::result::Result<(), Refused>| match answer {
        Ok(()) => "stored",
        Err(Refused::Store(Error::Full)) => "full",
        Err(_) => "another error",
    };
    answers.iter().map(word).collect()
}

#[tokio::test]
async fn a_full_database_takes_back_a_group_and_everyone_in_it_is_told() {
    let disk = Disk::new().await;
    let large = Insert { sql: TAKES_ALL_BACK, name: "large", pages: 4 * PAGES };
    let answers = disk.group(vec![Insert::small("before"), large, Insert::small("after")]).await;
    assert_eq!(told(&answers), ["full", "full", "stored"], "{answers:?}");
    assert_eq!(disk.stored(), ["after"], "exactly what was said to be stored");

    disk.limit(100 * PAGES).await;
    let answers = disk.group(vec![Insert::small("then"), large]).await;
    assert_eq!(told(&answers), ["stored", "stored"], "there is room again: {answers:?}");
    assert_eq!(disk.stored(), ["after", "large", "then"]);
}

#[tokio::test]
async fn a_full_database_that_takes_back_one_commit_leaves_the_others_of_its_group() {
    let disk = Disk::new().await;
    let large = Insert { sql: TAKES_ITSELF_BACK, name: "large", pages: 4 * PAGES };
    let answers = disk.group(vec![Insert::small("before"), large, Insert::small("behind")]).await;
    assert_eq!(told(&answers), ["stored", "full", "stored"], "{answers:?}");
    assert_eq!(disk.stored(), ["before", "behind"]);
}

#[tokio::test]
async fn a_writer_that_panics_is_seen_to_have_ended() {
    let Disk { writer, life, .. } = Disk::new().await;
    assert!(life.is_alive());
    let (answer, _) = oneshot::channel();
    let job = Job::Work(Box::new(|_| panic!("as the test asked")), answer);
    writer.jobs.send(Queued { job, is_taken: Arc::default() }).expect("sent");
    life.ended().await;
    assert!(!life.is_alive());
}
