//! The SQL of a figure's source, for either engine.

use baton_core::days;
use baton_core::figures::FigureScope;
use baton_core::store::{Error, Result};
use chrono::{Days, NaiveDate};
use sea_orm::{DbBackend, Value};

use super::sources::{Amount, At, By, Source};
use crate::reports::sums::Values;

impl At {
    pub fn column(self) -> &'static str {
        match self {
            Self::Day(column) | Self::DayAfter(column) | Self::Moment(column) => column,
        }
    }

    /// What its column is compared with: before the first moment of a day.
    pub fn begin_of(self, day: NaiveDate, scope: &FigureScope) -> Result<Value> {
        Ok(match self {
            Self::Day(_) => day.into(),
            Self::DayAfter(_) => day.checked_sub_days(Days::new(1)).unwrap_or(day).into(),
            Self::Moment(_) => moment(day, scope)?.into(),
        })
    }

    /// The first that lies after a day.
    pub fn end_of(self, day: NaiveDate, scope: &FigureScope) -> Result<Value> {
        self.begin_of(day.succ_opt().unwrap_or(day), scope)
    }
}

fn moment(day: NaiveDate, scope: &FigureScope) -> Result<chrono::DateTime<chrono::Utc>> {
    let moments = days::moments(day, day, &scope.time_zone);
    moments.map(|(begins, _)| begins).ok_or_else(|| Error::Database(format!("no day begins on {day}").into()))
}

impl Source {
    pub fn amount(&self, engine: DbBackend) -> String {
        match self.amount {
            Amount::Nothing => "CAST(0 AS BIGINT)".to_owned(),
            Amount::Of(amount) => format!("CAST({amount} AS BIGINT)"),
            Amount::SecondsBetween(from, to) => match engine {
                DbBackend::Postgres => format!("CAST(EXTRACT(EPOCH FROM {to} - {from}) AS BIGINT)"),
                _ => format!("CAST(strftime('%s', {to}) AS BIGINT) - CAST(strftime('%s', {from}) AS BIGINT)"),
            },
        }
    }

    /// A condition that leaves out rows whose end is not after their beginning.
    pub fn lasts(&self, engine: DbBackend) -> String {
        let Some(ends) = self.ends.map(At::column) else { return "1 = 1".to_owned() };
        let begins = match (self.begins, engine) {
            (At::DayAfter(column), DbBackend::Postgres) => format!("{column} + 1"),
            (At::DayAfter(column), _) => format!("date({column}, '+1 day')"),
            (at, _) => at.column().to_owned(),
        };
        format!("({ends} IS NULL OR {ends} > {begins})")
    }

    /// Columns that tell series apart, and what rows are grouped by to get them.
    pub fn series_columns(&self) -> (String, Vec<&'static str>) {
        let mut by: Vec<&'static str> = Vec::new();
        let key = match self.series {
            By::Nothing => "'' AS key".to_owned(),
            By::Word(word) => {
                by.push(word);
                format!("{word} AS key")
            }
            By::Agent => {
                let agent = self.work.as_ref().map_or("r.agent_id", |work| work.agent);
                by.push(agent);
                format!("'' AS key, {agent} AS agent_id")
            }
        };
        let currency = match self.currency {
            Some(currency) => {
                by.push(currency);
                format!("{currency} AS currency")
            }
            None => "NULL AS currency".to_owned(),
        };
        (format!("{key}, {currency}"), by)
    }

    /// The condition on whose work it is, if it is an agent's.
    pub fn is_mine(&self, person: uuid::Uuid, values: &mut Values) -> Option<String> {
        let profile = self.work.as_ref()?.profile;
        Some(format!("COALESCE({profile} = {}, false)", values.add(person)))
    }
}
