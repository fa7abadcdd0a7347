//! Pages of a conversation's rows, limited in bytes as well as in rows: two hundred messages can be a few lines or a
//! gigabyte. The database adds up the sizes, so that no row is read that is not wanted.

use sea_orm::sea_query::{Expr, ExprTrait, Query, SimpleExpr};
use sea_orm::{DbBackend, EntityName, EntityTrait, Order, QueryFilter, QueryOrder, Select};
use serde_json::Value;
use uuid::Uuid;

use crate::entities::{agent_messages, task_messages};

/// Where a page begins, and the way it goes.
#[derive(Debug, Clone, Copy)]
pub enum Edge {
    /// Newest first, up to and without this number.
    Before(i64),
    /// Oldest first, from the number after this one.
    After(i64),
}

/// The limits of a page: its rows and its bytes. A page ends with the row that reaches the limit, so it always has
/// one row.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    pub rows: u64,
    pub bytes: u64,
}

pub fn steps(engine: DbBackend, conversation: Uuid, edge: Edge, most: Most) -> Select<task_messages::Entity> {
    page(size_of_step(engine), conversation, edge, most)
}

/// As many of these steps as fit the limit: the newest or the oldest, depending on the edge.
pub fn steps_among(
    engine: DbBackend,
    conversation: Uuid,
    seqs: &[i64],
    edge: Edge,
    bytes: u64,
) -> Select<task_messages::Entity> {
    let these = Expr::col((task_messages::Entity, "seq")).is_in(seqs.iter().copied());
    let most = Most { rows: seqs.len() as u64, bytes };
    page_within(size_of_step(engine), conversation, these, edge, most)
}

fn size_of_step(engine: DbBackend) -> &'static str {
    match engine {
        DbBackend::Postgres => "octet_length(body::text)",
        _ => "octet_length(body)",
    }
}

/// The results of a message's calls are counted when they are read: the message's parts only name the steps that hold
/// them.
pub fn messages(
    engine: DbBackend,
    conversation: Uuid,
    edge: Edge,
    most: Most,
) -> Select<agent_messages::Entity> {
    let size = match engine {
        DbBackend::Postgres => {
            "octet_length(content) + octet_length(metadata::text) + COALESCE(octet_length(parts::text), 0)"
        }
        _ => "octet_length(content) + octet_length(metadata) + COALESCE(octet_length(parts), 0)",
    };
    page(size, conversation, edge, most)
}

fn page<E: EntityTrait + EntityName>(
    size: &'static str,
    conversation: Uuid,
    edge: Edge,
    most: Most,
) -> Select<E> {
    let seq = Expr::col((E::default(), "seq"));
    let within = match edge {
        Edge::Before(edge) => seq.lt(edge),
        Edge::After(edge) => seq.gt(edge),
    };
    page_within(size, conversation, within, edge, most)
}

fn page_within<E: EntityTrait + EntityName>(
    size: &'static str,
    conversation: Uuid,
    within: SimpleExpr,
    edge: Edge,
    most: Most,
) -> Select<E> {
    let column = |name| Expr::col((E::default(), name));
    let (order, sum, last) = match edge {
        Edge::Before(_) => (Order::Desc, "SUM(size) OVER (ORDER BY seq DESC) - size", "MIN(seq)"),
        Edge::After(_) => (Order::Asc, "SUM(size) OVER (ORDER BY seq) - size", "MAX(seq)"),
    };
    let sized = Query::select()
        .column("seq")
        .expr_as(Expr::cust(size), "size")
        .from(E::default())
        .and_where(column("conversation_id").eq(conversation))
        .and_where(within.clone())
        .order_by("seq", order.clone())
        .limit(most.rows)
        .take();
    let summed =
        Query::select().column("seq").expr_as(Expr::cust(sum), "nearer").from_subquery(sized, "sized").take();
    let last = Query::select()
        .expr(Expr::cust(last))
        .from_subquery(summed, "summed")
        .and_where(Expr::col("nearer").lt(i64::try_from(most.bytes).unwrap_or(i64::MAX)))
        .take();
    let last = SimpleExpr::SubQuery(None, Box::new(last.into()));
    let reach = match edge {
        Edge::Before(_) => column("seq").gte(last),
        Edge::After(_) => column("seq").lte(last),
    };
    E::find()
        .filter(column("conversation_id").eq(conversation))
        .filter(within)
        .filter(reach)
        .order_by(column("seq"), order)
}

/// About how many bytes a body has. Writing it out to count them would take as long as reading it did.
pub fn weight(body: &Value) -> u64 {
    const PUNCTUATION: u64 = 4;
    match body {
        Value::String(text) => PUNCTUATION + text.len() as u64,
        Value::Array(items) => PUNCTUATION + items.iter().map(weight).sum::<u64>(),
        Value::Object(map) => {
            map.iter().map(|(key, value)| PUNCTUATION + key.len() as u64 + weight(value)).sum()
        }
        _ => PUNCTUATION,
    }
}
