//! Which rows a search finds. Kinds with few rows are searched by reading them. Of others there can be a million: an index
//! of words (of transactions `transaction_words`) finds those that have all words of the search, and if these are too many to look at, rows are read in their order
//! until a page is full, which such frequent words do soon.

use baton_core::data::kind::Kind;
use baton_core::data::rows::Filter;
use baton_core::search::Query;
use baton_core::store::Result;
use sea_orm::sea_query::{Expr, LikeExpr, SelectStatement};
use sea_orm::{ConnectionTrait, DbBackend, ExprTrait};

use super::list;
use super::scoped::Scoped;
use crate::db::{OrStoreError, contains};

/// How many hits of the index are looked at.
const MOST: u64 = 5_000;
/// Postgres' index is on this.
const WORDS: &str = "array_to_tsvector(string_to_array(btrim(search_text), ' '))";

/// What a search is about.
pub enum Hits {
    /// Nothing is searched.
    All,
    /// Of a kind with few rows: those with this text.
    Containing(String),
    /// Those that the index names, which are few.
    Few { asked: String, is_postgres: bool },
    /// Those that have these words, which are many.
    Many { asked: String, is_postgres: bool, query: Query },
    /// The search has no words.
    None,
}

pub async fn hits(
    db: &impl ConnectionTrait,
    scoped: Scoped,
    kind: &'static Kind,
    search: Option<&str>,
) -> Result<Hits> {
    let Some(search) = search else { return Ok(Hits::All) };
    if !kind.is_searched_by_words() {
        return Ok(Hits::Containing(search.to_owned()));
    }
    let Some(query) = Query::new(search) else { return Ok(Hits::None) };
    let is_postgres = db.get_database_backend() == DbBackend::Postgres;
    let asked = match is_postgres {
        true => for_postgres(&query),
        false => for_sqlite(scoped, &query),
    };
    let mut found = found(scoped, kind, &asked, is_postgres);
    found.column("id");
    let row = db.query_one(&scoped.count_to(found, MOST + 1)).await.db()?;
    let number = row.map(|row| row.try_get::<i64>("", "number").db()).transpose()?.unwrap_or_default();
    Ok(match number.unsigned_abs() <= MOST {
        true => Hits::Few { asked, is_postgres },
        false => Hits::Many { asked, is_postgres, query },
    })
}

impl Hits {
    /// The rows that are found, to be filtered and sorted. None: there can't be any.
    pub fn select(&self, scoped: Scoped, kind: &'static Kind) -> Option<SelectStatement> {
        let all = || scoped.select(kind.name);
        Some(match self {
            Self::All => all(),
            Self::Containing(text) => {
                let mut select = all();
                select.and_where(Expr::col("search_text").like(contains(text)));
                select
            }
            Self::Few { asked, is_postgres } => among(scoped, kind, asked, *is_postgres),
            Self::Many { query, .. } => {
                let mut select = all();
                for word in query.words() {
                    let end = if word.is_prefix { "%" } else { " %" };
                    // Words have none of a pattern's own signs.
                    let like = LikeExpr::new(format!("% {}{end}", word.folded));
                    select.and_where(Expr::col("search_text").like(like));
                }
                select
            }
            Self::None => return None,
        })
    }

    /// What is counted: of very many hits only some.
    pub fn counted(
        &self,
        scoped: Scoped,
        kind: &'static Kind,
        fitting: SelectStatement,
        filters: &[Filter],
    ) -> Result<SelectStatement> {
        match self {
            Self::Many { asked, is_postgres, .. } => {
                list::fit(among(scoped, kind, asked, *is_postgres), kind, filters)
            }
            _ => Ok(fitting),
        }
    }

    pub fn is_cut(&self) -> bool {
        matches!(self, Self::Many { .. })
    }
}

/// Rows that the index names. The limit also keeps the planners from going another way.
fn among(scoped: Scoped, kind: &'static Kind, asked: &str, is_postgres: bool) -> SelectStatement {
    let mut found = found(scoped, kind, asked, is_postgres);
    found.expr(Expr::cust(format!("{}.*", kind.name))).limit(MOST + 1);
    scoped.select_among(found)
}

fn found(scoped: Scoped, kind: &'static Kind, asked: &str, is_postgres: bool) -> SelectStatement {
    let mut found = scoped.select(kind.name);
    if kind.keeps_deleted {
        found.and_where(Expr::col((kind.name, "deleted_at")).is_null());
    }
    if is_postgres {
        let matches = format!("{WORDS} @@ CAST(CAST($1 AS text) AS tsquery)");
        found.and_where(Expr::cust_with_values(matches, [asked.to_owned()]));
    } else {
        // SQLite makes the whole list before it looks at the first row of it.
        let (table, words) = (kind.name, format!("{}_words", kind.one.replace(' ', "_")));
        let docs =
            format!("{table}.doc IN (SELECT rowid FROM {words} WHERE {words} MATCH ? LIMIT {})", MOST + 1);
        found.and_where(Expr::cust_with_values(docs, [asked.to_owned()]));
    }
    found
}

fn for_sqlite(scoped: Scoped, query: &Query) -> String {
    let word = |word: &baton_core::search::Asked| {
        format!("\"{}\"{}", word.folded, if word.is_prefix { " *" } else { "" })
    };
    let words: Vec<String> = query.words().iter().map(word).collect();
    let scope = scoped.workspace().0.simple();
    format!("{{scope}} : \"{scope}\" AND {{words}} : ({})", words.join(" AND "))
}

fn for_postgres(query: &Query) -> String {
    let word = |word: &baton_core::search::Asked| {
        format!("'{}'{}", word.folded, if word.is_prefix { ":*" } else { "" })
    };
    query.words().iter().map(word).collect::<Vec<_>>().join(" & ")
}
