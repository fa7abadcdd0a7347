//! Pages of rows: filters, order, a cursor that holds what the page before ended with, and a count that stays cheap however many
//! rows there are.

use baton_core::data::check::{self, Fields};
use baton_core::data::kind::{Direction, Field, FieldType, Kind, Presence};
use baton_core::data::rows::{Filter, MAX_COUNTED, MAX_PAGE, RowPage, RowQuery, Test};
use baton_core::store::Result;
use baton_core::text::Invalid;
use sea_orm::sea_query::{Expr, Func, Order, SelectStatement};
use sea_orm::{ConnectionTrait, DbBackend, ExprTrait, QueryResult, Value as SqlValue};
use serde_json::{Value, json};
use uuid::Uuid;

use super::scoped::Scoped;
use super::{Record, search, sums, titles, values};
use crate::connection::Db;
use crate::db::OrStoreError;

pub async fn page(db: &Db, scoped: Scoped, kind: &'static Kind, query: RowQuery) -> Result<RowPage> {
    let order = Ordering::of(kind, &query)?;
    let limit = query.limit.clamp(1, MAX_PAGE);
    let hits = search::hits(db, scoped, kind, query.search.as_deref()).await?;
    let Some(fitting) = hits.select(scoped, kind) else {
        return Ok(RowPage { rows: Vec::new(), total: 0, is_counted: true, next_cursor: None });
    };
    let fitting = fit(fitting, kind, &query.filters)?;

    let mut select = fitting.clone();
    select_row(&mut select, kind);
    if let Some(cursor) = &query.cursor {
        select.and_where(order.after(db, cursor)?);
    }
    for bound in order.bounds(db, &query.filters)? {
        select.and_where(bound);
    }
    order.apply(db, &mut select);
    select.limit(limit + 1);
    let found = db.query_all(&select).await.db()?;
    let mut records = found.iter().map(|row| Record::read(row, kind)).collect::<Result<Vec<_>>>()?;
    let has_more = records.len() as u64 > limit;
    records.truncate(limit as usize);
    let next_cursor = records.last().filter(|_| has_more).map(|last| order.cursor(&last.fields, last.id));

    let is_everything = query.filters.is_empty() && query.search.is_none();
    let (total, is_counted) = match is_everything {
        true => (sums::total(db, scoped, kind.name).await?, true),
        // Everything that fits is on this page.
        false if query.cursor.is_none() && !has_more => (records.len() as u64, true),
        false => {
            let counted = hits.counted(scoped, kind, fitting, &query.filters)?;
            let row = db.query_one(&scoped.count_to(counted, MAX_COUNTED + 1)).await.db()?;
            let number = row.map(|row| row.try_get::<i64>("", "number").db()).transpose()?;
            let number = number.unwrap_or_default().unsigned_abs();
            (Ord::min(number, MAX_COUNTED), number <= MAX_COUNTED && !hits.is_cut())
        }
    };
    super::read_parts(db, scoped, kind, &mut records).await?;
    let rows = titles::with_titles(db, scoped, kind, records).await?;
    Ok(RowPage { rows, total, is_counted, next_cursor })
}

/// The columns of a row.
pub fn select_row(select: &mut SelectStatement, kind: &'static Kind) {
    select.columns(["id", "version", "created_at", "updated_at"]);
    select.columns(values::columns(kind).map(|field| field.name));
    if kind.keeps_deleted {
        select.expr_as(Expr::col("deleted_at").is_not_null(), "is_deleted");
    } else {
        select.expr_as(Expr::val(false), "is_deleted");
    }
}

pub fn is_deleted(row: &QueryResult) -> Result<bool> {
    row.try_get("", "is_deleted").db()
}

/// The rows that pass the filters.
pub fn fit(mut select: SelectStatement, kind: &'static Kind, filters: &[Filter]) -> Result<SelectStatement> {
    if kind.keeps_deleted {
        select.and_where(Expr::col("deleted_at").is_null());
    }
    for filter in filters {
        let field = kind.field(filter.field).filter(|field| field.is_filtered);
        let field = field.ok_or_else(|| Invalid::new(filter.field, "can't be filtered by"))?;
        select.and_where(passes(field, &filter.test)?);
    }
    Ok(select)
}

fn passes(field: &'static Field, test: &Test) -> Result<Expr> {
    let column = || Expr::col(field.name);
    let value = |value: &Value| Ok::<_, Invalid>(operand(field, &check::asked(field, value)?));
    Ok(match test {
        Test::Is(is) => column().eq(value(is)?),
        Test::OneOf(many) => {
            column().is_in(many.iter().map(value).collect::<std::result::Result<Vec<_>, _>>()?)
        }
        Test::IsNull => column().is_null(),
        Test::AtLeast(least) => column().gte(value(least)?),
        Test::AtMost(most) => column().lte(value(most)?),
    })
}

/// Words of a choice are written out, so that an index of only such rows is found to fit. They are our own.
fn operand(field: &Field, value: &Value) -> Expr {
    match (field.of, value.as_str()) {
        (FieldType::Choice(_), Some(word)) => Expr::cust(format!("'{word}'")),
        _ => Expr::val(values::to_sql(field, value)),
    }
}

struct Ordering {
    field: &'static Field,
    direction: Direction,
}

impl Ordering {
    fn of(kind: &'static Kind, query: &RowQuery) -> Result<Self> {
        let own = (kind.order.field.to_owned(), kind.order.direction);
        let (name, direction) = query.order.clone().unwrap_or(own);
        let field = kind.field(&name).filter(|field| field.is_sorted);
        let sorted = || kind.fields.iter().filter(|field| field.is_sorted).map(|field| field.name);
        let field = field.ok_or_else(|| {
            let message = format!("must be one of {}", sorted().collect::<Vec<_>>().join(", "));
            Invalid::new("sort", message)
        })?;
        Ok(Self { field, direction })
    }

    fn is_text(&self) -> bool {
        matches!(
            self.field.of,
            FieldType::Line { .. } | FieldType::Prose { .. } | FieldType::Currency | FieldType::Choice(_)
        )
    }

    /// What rows are sorted by; never null. Text without regard to the case of A to Z, alike on both engines.
    fn key(&self, db: &Db) -> Expr {
        let column = Expr::col(self.field.name);
        let may_be_null = matches!(self.field.presence, Presence::Optional | Presence::Derived);
        let none = match self.field.of {
            FieldType::Day => Expr::cust(if is_postgres(db) { "DATE '0001-01-01'" } else { "'0001-01-01'" }),
            FieldType::Money { .. } | FieldType::Number { .. } => Expr::cust("0"),
            _ => Expr::cust("''"),
        };
        if !self.is_text() {
            return if may_be_null { Func::coalesce([column, none]).into() } else { column };
        }
        let text: Expr = Func::coalesce([column, none]).into();
        match is_postgres(db) {
            true => Expr::cust_with_exprs("lower($1 COLLATE \"C\")", [text]),
            false => Expr::cust_with_exprs("lower(?)", [text]),
        }
    }

    /// What filters say of the field that rows are sorted by, said of what they are sorted by: then the index that sorts them
    /// also finds them.
    fn bounds(&self, db: &Db, filters: &[Filter]) -> Result<Vec<Expr>> {
        let mut bounds = Vec::new();
        if self.field.of != FieldType::Day {
            return Ok(bounds);
        }
        let value = |value: &Value| Ok::<_, Invalid>(operand(self.field, &check::asked(self.field, value)?));
        for filter in filters.iter().filter(|filter| filter.field == self.field.name) {
            match &filter.test {
                Test::AtLeast(least) => bounds.push(self.key(db).gte(value(least)?)),
                Test::AtMost(most) => bounds.push(self.key(db).lte(value(most)?)),
                _ => {}
            }
        }
        Ok(bounds)
    }

    fn apply(&self, db: &Db, select: &mut SelectStatement) {
        let order = match self.direction {
            Direction::Rising => Order::Asc,
            Direction::Falling => Order::Desc,
        };
        select.order_by_expr(self.key(db), order.clone()).order_by("id", order);
    }

    fn name(&self) -> String {
        let sign = if self.direction == Direction::Falling { "-" } else { "" };
        format!("{sign}{}", self.field.name)
    }

    fn cursor(&self, row: &Fields, id: Uuid) -> String {
        let value = row.get(self.field.name).cloned().unwrap_or_default();
        let cursor = json!([self.name(), value, id]).to_string();
        cursor.bytes().map(|byte| format!("{byte:02x}")).collect()
    }

    /// What comes after the page that ended with this.
    fn after(&self, db: &Db, cursor: &str) -> Result<Expr> {
        let wrong = || Invalid::new("cursor", "must be what the page before ended with, in the same order");
        let (order, value, id): (String, Value, Uuid) =
            from_hex(cursor).and_then(|json| serde_json::from_slice(&json).ok()).ok_or_else(wrong)?;
        if order != self.name() {
            return Err(wrong().into());
        }
        let value = match value {
            Value::Null => value,
            value => check::asked(self.field, &value).map_err(|_| wrong())?,
        };
        let last = match (self.field.of, value.as_str()) {
            _ if self.is_text() => SqlValue::from(value.as_str().unwrap_or_default().to_ascii_lowercase()),
            (FieldType::Day, None) => SqlValue::from(chrono::NaiveDate::from_ymd_opt(1, 1, 1)),
            (FieldType::Money { .. } | FieldType::Number { .. }, None) => {
                SqlValue::from(value.as_i64().unwrap_or_default())
            }
            _ => values::to_sql(self.field, &value),
        };
        let here = Expr::tuple([self.key(db), Expr::col("id")]);
        let there = Expr::tuple([Expr::val(last), Expr::val(id)]);
        Ok(if self.direction == Direction::Rising { here.gt(there) } else { here.lt(there) })
    }
}

fn is_postgres(db: &Db) -> bool {
    db.get_database_backend() == DbBackend::Postgres
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || text.len() % 2 == 1 || text.len() > 4_000 {
        return None;
    }
    let byte = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).ok();
    (0..text.len()).step_by(2).map(byte).collect()
}
