//! Usage of models, added up by day.

use async_trait::async_trait;
use baton_core::store::{DayUsed, Result, UsageByDay, UsageQuery};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};

use crate::connect::SqlStore;
use crate::db::OrStoreError;

#[derive(FromQueryResult)]
struct DayRow {
    day: i64,
    calls: i64,
    input_tokens: i64,
    output_tokens: i64,
    cost_micros: i64,
    unpriced: i64,
}

#[async_trait]
impl UsageByDay for SqlStore {
    async fn usage_by_day(&self, query: UsageQuery) -> Result<Vec<DayUsed>> {
        let mut used = vec![DayUsed::default(); query.days.len()];
        if used.is_empty() {
            return Ok(used);
        }
        let mut values: Vec<Value> =
            vec![query.workspace_id.0.into(), query.profile_id.map(|id| id.0).into()];
        let mut days = Vec::with_capacity(query.days.len());
        for (number, (begins, ends)) in query.days.into_iter().enumerate() {
            days.push(format!("({number}, ${}, ${})", values.len() + 1, values.len() + 2));
            values.extend([begins.into(), ends.into()]);
        }
        // Each day is one range of the index on workspace and time.
        let sql = format!(
            "WITH days(day, begins, ends) AS (VALUES {}) \
             SELECT CAST(days.day AS BIGINT) AS day, \
             CAST(SUM(CASE WHEN used.input_tokens > 0 THEN 1 ELSE 0 END) AS BIGINT) AS calls, \
             CAST(SUM(used.input_tokens) AS BIGINT) AS input_tokens, \
             CAST(SUM(used.output_tokens) AS BIGINT) AS output_tokens, \
             CAST(COALESCE(SUM(used.cost_micros), 0) AS BIGINT) AS cost_micros, \
             CAST(COUNT(*) - COUNT(used.cost_micros) AS BIGINT) AS unpriced \
             FROM days JOIN model_usage used ON used.workspace_id = $1 \
             AND used.created_at >= days.begins AND used.created_at < days.ends \
             WHERE ($2 IS NULL OR used.profile_id = $2) GROUP BY days.day",
            days.join(", ")
        );
        let statement = Statement::from_sql_and_values(self.db.get_database_backend(), sql, values);
        for row in DayRow::find_by_statement(statement).all(&self.db).await.db()? {
            if let Some(day) = usize::try_from(row.day).ok().and_then(|day| used.get_mut(day)) {
                *day = row.into();
            }
        }
        Ok(used)
    }
}

impl From<DayRow> for DayUsed {
    fn from(row: DayRow) -> Self {
        Self {
            calls: row.calls,
            input_tokens: row.input_tokens,
            output_tokens: row.output_tokens,
            cost_micros: row.cost_micros,
            unpriced_calls: row.unpriced,
        }
    }
}
