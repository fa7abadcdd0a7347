//! Full-text search that finds the same on both engines. Words are made once, in `core::search`; SQLite's FTS5 and Postgres'
//! `tsvector` are given these and split nothing themselves.
//!
//! A kind of row that is to be found has, in its migration, what `page_words` has in 0019: on SQLite a contentless FTS5 table
//! with the columns scope, title, heading and body, a table of the numbers that FTS5 knows its rows by, and a trigger that
//! removes both with the row; on Postgres a table of `id` and `words` that goes with the row. Then [`put`] enters a row,
//! [`remove`] takes one out that stays elsewhere, and [`find`] gives the ids of the best rows within one scope.

use baton_core::ids::{ChannelId, ProfileId, WorkspaceId};
use baton_core::search::{Part, Query, Searchable};
use baton_core::store::Result;
use sea_orm::{ConnectionTrait, DbBackend, Statement, Value};
use uuid::Uuid;

use crate::db::OrStoreError;

/// The tables of one kind of row.
#[derive(Debug, Clone, Copy)]
pub struct Index {
    /// Whose words they are.
    pub rows: &'static str,
    pub words: &'static str,
    /// SQLite's numbers.
    pub docs: &'static str,
}

pub const PAGES: Index = Index { rows: "pages", words: "page_words", docs: "page_docs" };
pub const CHANNEL_MESSAGES: Index =
    Index { rows: "channel_messages", words: "channel_message_words", docs: "channel_message_docs" };

/// Within what is searched. A row is in several scopes; a search looks in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Workspace(WorkspaceId),
    /// What everyone may read.
    PublicIn(WorkspaceId),
    Channel(ChannelId),
    /// What one person may read of a workspace, and not everyone there.
    PersonIn(ProfileId, WorkspaceId),
}

impl Scope {
    /// A word that no text has: texts are searched in other columns, or have no such sign in their words.
    fn word(self) -> String {
        match self {
            Self::Workspace(id) => format!("w{}", id.0.simple()),
            Self::PublicIn(id) => format!("p{}", id.0.simple()),
            Self::Channel(id) => format!("c{}", id.0.simple()),
            Self::PersonIn(person, id) => format!("m{}{}", person.0.simple(), id.0.simple()),
        }
    }
}

/// How many hits are ranked. With more, hits in titles come first and some others are not looked at: a word that is
/// everywhere says little.
const RANKED: u64 = 500;
/// Hits in titles that are ranked whatever else there is.
const RANKED_TITLES: u64 = 200;

/// What was found, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub ids: Vec<Uuid>,
    /// How many there are in all, as far as they were counted.
    pub total: u64,
    /// Whether that is all of them.
    pub is_counted: bool,
}

/// Enters a row, or what it has now.
pub async fn put(
    db: &impl ConnectionTrait,
    index: Index,
    id: Uuid,
    scopes: &[Scope],
    text: &Searchable,
) -> Result<()> {
    let Index { words, docs, .. } = index;
    if db.get_database_backend() == DbBackend::Postgres {
        let sql = format!(
            "INSERT INTO {words} (id, words) VALUES ($1, CAST(CAST($2 AS text) AS tsvector)) \
             ON CONFLICT (id) DO UPDATE SET words = excluded.words"
        );
        return run(db, &sql, [id.into(), vector(scopes, text).into()]).await;
    }
    run(db, &format!("INSERT INTO {docs} (id) VALUES ($1) ON CONFLICT DO NOTHING"), [id.into()]).await?;
    let scopes: Vec<String> = scopes.iter().map(|scope| scope.word()).collect();
    let sql = format!(
        "INSERT OR REPLACE INTO {words} (rowid, scope, title, heading, body) \
         VALUES ((SELECT doc FROM {docs} WHERE id = $1), $2, $3, $4, $5)"
    );
    let [title, heading, body] = [Part::Title, Part::Heading, Part::Body].map(|part| text.text_of(part));
    let values: [Value; 5] = [id.into(), scopes.join(" ").into(), title.into(), heading.into(), body.into()];
    run(db, &sql, values).await
}

/// Takes a row out of the index. (A row that is deleted goes by itself.)
pub async fn remove(db: &impl ConnectionTrait, index: Index, id: Uuid) -> Result<()> {
    let Index { words, docs, .. } = index;
    if db.get_database_backend() == DbBackend::Postgres {
        return run(db, &format!("DELETE FROM {words} WHERE id = $1"), [id.into()]).await;
    }
    let sql = format!("DELETE FROM {words} WHERE rowid = (SELECT doc FROM {docs} WHERE id = $1)");
    run(db, &sql, [id.into()]).await?;
    run(db, &format!("DELETE FROM {docs} WHERE id = $1"), [id.into()]).await
}

/// The rows of a scope that have all words of the query.
pub async fn find(db: &impl ConnectionTrait, index: Index, scope: Scope, query: &Query) -> Result<Found> {
    let rows = match db.get_database_backend() {
        DbBackend::Postgres => find_on_postgres(db, index, scope, query).await,
        _ => find_on_sqlite(db, index, scope, query).await,
    };
    let rows = rows?;
    let total = rows.len() as u64;
    Ok(Found { ids: rows, total: total.min(RANKED), is_counted: total < RANKED })
}

/// Hits that Postgres sorts; with more, it goes through a workspace's rows, of which many fit then.
const SORTED: u64 = 5_000;

/// The newest rows of these scopes that have all words of the query, those before `before`. For messages, whose ids grow with time
/// and whose table has the columns id and workspace_id.
pub async fn newest(
    db: &impl ConnectionTrait,
    index: Index,
    workspace: WorkspaceId,
    scopes: &[Scope],
    query: &Query,
    before: Option<Uuid>,
    limit: u64,
) -> Result<Vec<Uuid>> {
    let Index { rows, words, docs } = index;
    if db.get_database_backend() != DbBackend::Postgres {
        let scopes: Vec<String> = scopes.iter().map(|scope| format!("\"{}\"", scope.word())).collect();
        let asked = format!("{{scope}} : ({}) AND {{body}} : ({})", scopes.join(" OR "), for_sqlite(query));
        let earlier = match before {
            Some(_) => format!("AND {words}.rowid < (SELECT doc FROM {docs} WHERE id = $2)"),
            None => String::new(),
        };
        // Rows come in the order of their numbers, so it ends with the last one that is wanted.
        let sql = format!(
            "SELECT {docs}.id AS id FROM {words} JOIN {docs} ON {docs}.doc = {words}.rowid \
             WHERE {words} MATCH $1 {earlier} ORDER BY {words}.rowid DESC LIMIT {limit}"
        );
        let values = [Some(asked.into()), before.map(Value::from)];
        return ids(db, &sql, values.into_iter().flatten()).await;
    }
    let scopes: Vec<String> = scopes.iter().map(|scope| format!("'{IN}{}'", scope.word())).collect();
    let asked = format!("({}) & {}", scopes.join(" | "), for_postgres(query, "", " & "));
    let matches = "@@ CAST(CAST($1 AS text) AS tsquery)";
    let earlier = if before.is_some() { "AND id < $2" } else { "" };
    let hits = format!(
        "SELECT id FROM (SELECT id FROM {words} WHERE words {matches} {earlier} LIMIT {}) AS hits ORDER BY id DESC",
        SORTED + 1
    );
    let values = || [Some(asked.clone().into()), before.map(Value::from)].into_iter().flatten();
    let mut found = ids(db, &hits, values()).await?;
    if found.len() as u64 > SORTED {
        let earlier = if before.is_some() { format!("AND {rows}.id < $2") } else { String::new() };
        let place = if before.is_some() { 3 } else { 2 };
        // Not by the index of words, which knows no order.
        let sql = format!(
            "SELECT {rows}.id AS id FROM {rows} JOIN {words} ON {words}.id = {rows}.id WHERE {rows}.workspace_id = ${place} \
             AND ({words}.words || CAST('' AS tsvector)) {matches} {earlier} ORDER BY {rows}.id DESC LIMIT {limit}"
        );
        found = ids(db, &sql, values().chain([workspace.0.into()])).await?;
    }
    found.truncate(limit as usize);
    Ok(found)
}

fn for_sqlite(query: &Query) -> String {
    let asked = query.words().iter();
    let asked = asked.map(|asked| format!("\"{}\"{}", asked.folded, if asked.is_prefix { " *" } else { "" }));
    asked.collect::<Vec<_>>().join(" AND ")
}

fn for_postgres(query: &Query, sign: &str, joined_by: &str) -> String {
    let asked = query.words().iter();
    let asked =
        asked.map(|asked| format!("'{sign}{}'{}", asked.folded, if asked.is_prefix { ":*" } else { "" }));
    asked.collect::<Vec<_>>().join(joined_by)
}

async fn find_on_sqlite(
    db: &impl ConnectionTrait,
    index: Index,
    scope: Scope,
    query: &Query,
) -> Result<Vec<Uuid>> {
    let Index { words, docs, .. } = index;
    let (asked, scope) = (for_sqlite(query), scope.word());
    let within = |columns: &str| format!("{{scope}} : \"{scope}\" AND {{{columns}}} : ({asked})");
    let score = format!("bm25({words}, 0.0, 10.0, 4.0, 1.0)");
    let hits = |at: u32, most: u64| {
        format!(
            "SELECT * FROM (SELECT rowid AS doc, {score} AS score FROM {words} WHERE {words} MATCH ${at} LIMIT {most})"
        )
    };
    // The same row may be hit by both: its better score counts.
    let sql = format!(
        "SELECT {docs}.id AS id FROM (SELECT doc, MIN(score) AS score FROM ({} UNION ALL {}) AS hits GROUP BY doc) AS best \
         JOIN {docs} ON {docs}.doc = best.doc ORDER BY best.score, {docs}.id DESC",
        hits(1, RANKED_TITLES),
        hits(2, RANKED),
    );
    ids(db, &sql, [within("title").into(), within("title heading body").into()]).await
}

async fn find_on_postgres(
    db: &impl ConnectionTrait,
    index: Index,
    scope: Scope,
    query: &Query,
) -> Result<Vec<Uuid>> {
    let words = index.words;
    let asked = |sign: &str, joined_by: &str| for_postgres(query, sign, joined_by);
    let within = |sign: &str| format!("'{IN}{}' & {}", scope.word(), asked(sign, " & "));
    let hits = |at: u32, most: u64| {
        format!("(SELECT id FROM {words} WHERE words @@ CAST(CAST(${at} AS text) AS tsquery) LIMIT {most})")
    };
    // Ranked by any of the words: ranking by all of them would look at how near to each other they stand.
    let sql = format!(
        "SELECT {words}.id AS id FROM ({} UNION {}) AS hits JOIN {words} ON {words}.id = hits.id \
         ORDER BY ts_rank('{{0.1, 0.1, 0.4, 1.0}}', {words}.words, CAST(CAST($3 AS text) AS tsquery)) DESC, {words}.id DESC",
        hits(1, RANKED_TITLES),
        hits(2, RANKED),
    );
    ids(db, &sql, [within(TITLE).into(), within("").into(), asked("", " | ").into()]).await
}

/// Before a word of a title: Postgres' index doesn't know where in a text a word stands. No word has such a sign.
const TITLE: &str = "=";
/// Before a scope.
const IN: &str = "@";

/// A `tsvector` as text. Places in the text are made up: only how many there are of each weight counts.
fn vector(scopes: &[Scope], text: &Searchable) -> String {
    const MOST: [(u16, &str); 3] = [(3, "A"), (4, "B"), (8, "")];
    let mut vector = String::new();
    for scope in scopes {
        vector.push_str(&format!("'{IN}{}' ", scope.word()));
    }
    for (word, counts) in text.counts() {
        vector.push_str(&format!("'{word}':"));
        let mut place = 0;
        for (count, (most, weight)) in counts.into_iter().zip(MOST) {
            for _ in 0..count.min(most) {
                place += 1;
                let comma = if place > 1 { "," } else { "" };
                vector.push_str(&format!("{comma}{place}{weight}"));
            }
        }
        vector.push(' ');
        if counts[Part::Title as usize] > 0 {
            vector.push_str(&format!("'{TITLE}{word}' "));
        }
    }
    vector
}

async fn run(db: &impl ConnectionTrait, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<()> {
    db.execute_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).await.db()?;
    Ok(())
}

async fn ids(
    db: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<Uuid>> {
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    db.query_all_raw(statement).await.db()?.iter().map(|row| row.try_get("", "id").db()).collect()
}
