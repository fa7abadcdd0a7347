//! The tool over key figures: it reads and changes nothing. Which figures there are and what they count is said in
//! `core/figures`; `told.rs` puts answers into words and numbers that need no arithmetic.
//!
//! A person is never told more than they may see themselves, and of agents' work for other people only how much there was.

mod told;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::days;
use baton_core::figures::{
    FIGURES, Figure, FigureArea, FigureQuery, FigureScope, Grain, History, MAX_HORIZON, RowsQuery,
    SeasonalModel, forecast, history_period, usual_period,
};
use baton_core::money::Currency;
use baton_core::reports::{NamedPeriod, Period};
use baton_core::store::Figures;
use baton_core::text::fold;
use baton_core::tools::{Nature, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use chrono::Utc;
use serde_json::{Map, Value, json};

use crate::arguments::{store_failure, text};
use crate::finance::arguments::{Arguments, When, failure, limit, limit_property, period_properties, when};
use crate::outage::patiently;

pub const NAME: &str = "queryAnalytics";

pub struct Analytics {
    pub figures: Arc<dyn Figures>,
    pub model: Arc<dyn SeasonalModel>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Report,
    Figures,
    Forecast,
    Rows,
    List,
}

const ACTIONS: [(&str, Action); 5] = [
    ("report", Action::Report),
    ("figures", Action::Figures),
    ("forecast", Action::Forecast),
    ("rows", Action::Rows),
    ("list", Action::List),
];

/// What a call asks.
struct Question {
    action: Action,
    figure: Option<&'static Figure>,
    area: Option<FigureArea>,
    by: Option<Grain>,
    when: Option<When>,
    series: Option<String>,
    currency: Option<Currency>,
    limit: usize,
    ahead: Option<usize>,
}

#[async_trait]
impl Tool for Analytics {
    fn spec(&self) -> ToolSpec {
        ToolSpec { name: NAME.to_owned(), description: DESCRIPTION.to_owned(), parameters: parameters() }
    }

    fn display_name(&self) -> String {
        "Analytics".to_owned()
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        Nature::READS
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn check(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        Question::read(arguments).map(drop)
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let question = Question::read(&arguments)?;
        let Some(profile_id) = context.person.profile_id() else {
            return Err(failure("Figures are only for people who are signed in."));
        };
        let scope = FigureScope {
            workspace_id: context.workspace_id,
            areas: context.areas,
            profile_id,
            time_zone: context.time_zone.clone(),
            today: days::today(Utc::now(), &context.time_zone),
        };
        let answer = match question.action {
            Action::List => told::list(&open(&scope, question.area)),
            Action::Figures => self.all(&scope, &question).await?,
            Action::Report => self.report(&scope, &question).await?,
            Action::Rows => self.rows(&scope, &question).await?,
            Action::Forecast => self.forecast(&scope, &question).await?,
        };
        Ok(answer.into())
    }
}

const DESCRIPTION: &str = "\
Key figures of the workspace over time: money, sales, projects and the agents' own work, each compared with the period before. \
report tells one figure by day, week or month; figures tells all of them for a period; rows lists what is behind a figure in \
a period; forecast tells where a figure leads, with an interval; list says which figures there are and what they count. Rely \
on these numbers, totals and changes and never compute them yourself. Say a forecast's interval and method along with it, and \
if there is too little history say that there is no forecast.";

fn parameters() -> Value {
    let names: Vec<&str> = FIGURES.iter().map(|figure| figure.name).collect();
    let mut properties = json!({
        "action": {
            "type": "string", "enum": ACTIONS.map(|(name, _)| name),
            "description": "Left out: report if there is a figure, else figures.",
        },
        "figure": {"type": "string", "enum": names, "description": "For report, rows and forecast: which figure."},
        "area": {"type": "string", "enum": FigureArea::WORDS, "description": "For figures and list: only of this area."},
        "by": {"type": "string", "enum": Grain::WORDS, "description": "How long a bucket is; month if left out."},
        "series": {"type": "string", "description": "For rows and forecast: only this series, as a report names it."},
        "currency": {"type": "string", "description": "For rows and forecast: only in this currency, such as EUR."},
        "ahead": {
            "type": "integer", "minimum": 1, "maximum": MAX_HORIZON,
            "description": "For forecast: how many buckets ahead; half a season if left out.",
        },
    });
    for (name, schema) in period_properties().into_iter().chain([limit_property()]) {
        properties[name] = schema;
    }
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn word<T: std::str::FromStr<Err = String>>(
    arguments: &Arguments,
    name: &str,
) -> Result<Option<T>, ToolFailure> {
    let given = text(arguments, name)?;
    given.map(|text| text.parse().map_err(|words| failure(format!("{name} {words}.")))).transpose()
}

/// By its name, or as people see it.
fn find(wanted: &str) -> Result<&'static Figure, ToolFailure> {
    let folded = fold(wanted).replace(['_', ' '], "-");
    let is_it = |figure: &&Figure| figure.name == folded || fold(figure.label).replace(' ', "-") == folded;
    FIGURES.iter().find(is_it).ok_or_else(|| {
        let names: Vec<&str> = FIGURES.iter().map(|figure| figure.name).collect();
        failure(format!("There is no figure {wanted:?}: it must be one of {}.", names.join(", ")))
    })
}

fn open(scope: &FigureScope, area: Option<FigureArea>) -> Vec<&'static Figure> {
    let fits =
        |figure: &&Figure| figure.area.is_open(&scope.areas) && area.is_none_or(|area| figure.area == area);
    FIGURES.iter().filter(fits).collect()
}

impl Question {
    fn read(arguments: &Arguments) -> Result<Self, ToolFailure> {
        let figure = text(arguments, "figure")?.map(find).transpose()?;
        let action = match text(arguments, "action")? {
            None if figure.is_some() => Action::Report,
            None => Action::Figures,
            Some(name) => {
                let found = ACTIONS.iter().find(|(known, _)| *known == name);
                let names = ACTIONS.map(|(name, _)| name).join(", ");
                found
                    .ok_or_else(|| {
                        failure(format!("There is no action {name:?}: it must be one of {names}."))
                    })?
                    .1
            }
        };
        let needs_figure = matches!(action, Action::Report | Action::Rows | Action::Forecast);
        if needs_figure && figure.is_none() {
            return Err(failure("figure is required: list says which there are."));
        }
        let currency = match text(arguments, "currency")? {
            Some(code) => Some(crate::finance::fields::currency("currency", code)?),
            None => None,
        };
        let ahead = match arguments.get("ahead") {
            None | Some(Value::Null) => None,
            Some(number) => {
                let ahead = number.as_u64().and_then(|ahead| usize::try_from(ahead).ok());
                let ahead = ahead.filter(|ahead| (1..=MAX_HORIZON).contains(ahead));
                Some(ahead.ok_or_else(|| failure(format!("ahead must be from 1 to {MAX_HORIZON}.")))?)
            }
        };
        Ok(Self {
            action,
            figure,
            area: word(arguments, "area")?,
            by: word(arguments, "by")?,
            when: when(arguments)?,
            series: text(arguments, "series")?.map(str::to_owned),
            currency,
            limit: limit(arguments)?,
            ahead,
        })
    }

    fn figure(&self) -> Result<&'static Figure, ToolFailure> {
        self.figure.ok_or_else(|| failure("figure is required: list says which there are."))
    }

    fn period(&self, scope: &FigureScope, usual: Period) -> Result<Period, ToolFailure> {
        self.when.map_or(Ok(usual), |when| when.on(scope.today))
    }

    /// Of short periods each day is told, unless the call says otherwise.
    fn by(&self, period: Option<Period>) -> Grain {
        self.by.unwrap_or(match period {
            Some(period) if period.days() <= 31 => Grain::Day,
            _ => Grain::Month,
        })
    }
}

impl Analytics {
    async fn answer(
        &self,
        scope: &FigureScope,
        query: FigureQuery,
    ) -> Result<baton_core::figures::FigureAnswer, ToolFailure> {
        patiently(|| self.figures.figure(scope, query.clone())).await.map_err(store_failure)
    }

    async fn report(&self, scope: &FigureScope, question: &Question) -> Result<Value, ToolFailure> {
        let asked = question.when.map(|when| when.on(scope.today)).transpose()?;
        let by = question.by(asked);
        let period = asked.unwrap_or_else(|| usual_period(by, scope.today));
        let query = FigureQuery { figure: question.figure()?, period, by, is_compared: true };
        Ok(told::report(&self.answer(scope, query).await?, question.limit))
    }

    async fn all(&self, scope: &FigureScope, question: &Question) -> Result<Value, ToolFailure> {
        let period = question.period(scope, NamedPeriod::ThisMonth.on(scope.today))?;
        let mut answers = Vec::new();
        for figure in open(scope, question.area) {
            let query = FigureQuery { figure, period, by: Grain::Month, is_compared: true };
            answers.push(self.answer(scope, query).await?);
        }
        Ok(told::figures(&answers, period))
    }

    async fn rows(&self, scope: &FigureScope, question: &Question) -> Result<Value, ToolFailure> {
        let figure = question.figure()?;
        let bucket = question.period(scope, NamedPeriod::ThisMonth.on(scope.today))?;
        let key = match &question.series {
            Some(series) => Some(self.key(scope, figure, bucket, series).await?),
            None => None,
        };
        let query = RowsQuery {
            figure,
            bucket,
            key,
            currency: question.currency,
            limit: question.limit as u64,
            offset: 0,
        };
        let rows =
            patiently(|| self.figures.figure_rows(scope, query.clone())).await.map_err(store_failure)?;
        Ok(told::rows(figure, bucket, &rows))
    }

    /// The key of a series that is named as people see it.
    async fn key(
        &self,
        scope: &FigureScope,
        figure: &'static Figure,
        period: Period,
        wanted: &str,
    ) -> Result<String, ToolFailure> {
        let query = FigureQuery { figure, period, by: Grain::Month, is_compared: false };
        let answer = self.answer(scope, query).await?;
        let folded = fold(wanted);
        let is_it = |key: &str, label: &str| key == wanted || fold(key) == folded || fold(label) == folded;
        let found = answer.series.iter().find(|one| is_it(&one.key, &one.label));
        let names: Vec<&str> = answer.series.iter().map(|one| one.label.as_str()).collect();
        found.map(|one| one.key.clone()).ok_or_else(|| match names.is_empty() {
            true => failure(format!("{} has no series in this period.", figure.label)),
            false => failure(format!("series must be one of {}.", names.join(", "))),
        })
    }

    async fn forecast(&self, scope: &FigureScope, question: &Question) -> Result<Value, ToolFailure> {
        let (figure, by) = (question.figure()?, question.by(None));
        let period = history_period(by, scope.today);
        let key = match &question.series {
            Some(series) => Some(self.key(scope, figure, period, series).await?),
            None => None,
        };
        let answer = self.answer(scope, FigureQuery { figure, period, by, is_compared: false }).await?;
        let history = History::of(&answer, key.as_deref(), question.currency)
            .map_err(|invalid| failure(format!("{invalid}.")))?;
        let ahead = question.ahead.unwrap_or(by.season().div_ceil(2));
        let (model, values) = (self.model.clone(), history.values.clone());
        let made = tokio::task::spawn_blocking(move || forecast(model.as_ref(), figure, by, &values, ahead));
        let made = made.await.map_err(|_| failure("The forecast could not be made."))?;
        match made {
            Ok(forecast) => Ok(told::forecast(figure, &history, &forecast)),
            Err(reason) => Ok(json!({ "answer": format!("There is no forecast: {reason}.") })),
        }
    }
}
