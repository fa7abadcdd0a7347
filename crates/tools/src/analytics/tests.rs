//! What the tool says of itself and of bad arguments. (What it tells is tested on real databases, by the server's tests.)

use async_trait::async_trait;
use baton_core::figures::{Counted, FigureAnswer, FigureRows, Interval, Pin, answer, buckets};
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::schema;
use baton_core::store::Result as Stored;

use super::*;
use crate::testing::{Shelf, context};

/// Counts nothing, anywhere.
#[async_trait]
impl Figures for Shelf {
    async fn figure(&self, _: &FigureScope, query: FigureQuery) -> Stored<FigureAnswer> {
        let (before, now) = (buckets(query.period.before(), query.by)?, buckets(query.period, query.by)?);
        let unknown = vec![false; before.len() + now.len()];
        Ok(answer(query, Counted { before, now, cells: vec![], unknown, is_own: true })?)
    }
    async fn figure_rows(&self, _: &FigureScope, _: RowsQuery) -> Stored<FigureRows> {
        Ok(FigureRows { rows: vec![], next_offset: None, others: vec![] })
    }
    async fn pins(&self, _: WorkspaceId) -> Stored<Vec<Pin>> {
        Ok(vec![])
    }
    async fn pin(&self, _: WorkspaceId, by: ProfileId, figure: &'static Figure, grain: Grain) -> Stored<Pin> {
        Ok(Pin { figure, by: grain, pinned_by: Some(by), created_at: Utc::now() })
    }
    async fn unpin(&self, _: WorkspaceId, _: &'static Figure) -> Stored<()> {
        Ok(())
    }
}

impl SeasonalModel for Shelf {
    fn method(&self) -> &'static str {
        "a guess"
    }
    fn predict(&self, _: &[f64], _: usize, horizon: usize) -> Result<Vec<Interval>, String> {
        Ok(vec![Interval { value: 1.0, lower: 0.0, upper: 2.0 }; horizon])
    }
}

fn tool() -> Analytics {
    let shelf = Arc::new(Shelf::default());
    Analytics { figures: shelf.clone(), model: shelf }
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

#[test]
fn what_models_see_of_it_is_short_and_valid() {
    let spec = tool().spec();
    assert!(spec.description.len() < 900, "{}", spec.description.len());
    assert!(spec.parameters.to_string().len() < 3_000, "{}", spec.parameters.to_string().len());
    for arguments in [
        json!({}),
        json!({"figure": "income", "period": "last_12_months"}),
        json!({"action": "forecast", "figure": "turns", "by": "day", "ahead": 7}),
    ] {
        assert!(schema::check(&spec.parameters, &arguments).is_ok(), "{arguments}");
        assert!(tool().check(&map(arguments.clone())).is_ok(), "{arguments}");
        assert_eq!(tool().nature(&map(arguments)), Nature::READS);
    }
}

#[test]
fn a_bad_argument_is_named() {
    for (arguments, words) in [
        (json!({"action": "guess"}), "There is no action \"guess\": it must be one of report, figures"),
        (json!({"action": "report"}), "figure is required"),
        (json!({"figure": "happiness"}), "There is no figure \"happiness\": it must be one of income"),
        (json!({"figure": "income", "by": "hour"}), "by must be one of day, week, month"),
        (json!({"action": "forecast", "figure": "income", "ahead": 900}), "ahead must be from 1 to 60"),
        (json!({"action": "figures", "area": "garden"}), "area must be one of money"),
    ] {
        let refused = tool().check(&map(arguments)).expect_err(words).0;
        assert!(refused.starts_with(words), "{refused}");
    }
}

#[tokio::test]
async fn what_is_left_out_is_sensible() {
    let tell =
        async |arguments: Value| tool().call(&context().0, map(arguments)).await.expect("an answer").value;
    let told = tell(json!({})).await;
    assert!(told["answer"].as_str().unwrap().starts_with("Key figures from "), "{told}");
    assert_eq!(told["figures"].as_array().unwrap().len(), FIGURES.len());
    let told = tell(json!({"figure": "Turns of agents"})).await;
    assert!(told["answer"].as_str().unwrap().ends_with("0 (before: 0)."), "{told}");
    assert_eq!(told["totals"][0]["byMonth"].as_object().unwrap().len(), 12);
    let told = tell(json!({"action": "forecast", "figure": "turns"})).await;
    assert!(told["answer"].as_str().unwrap().starts_with("There is no forecast: "), "{told}");
    let told = tell(json!({"action": "list", "area": "money"})).await;
    assert_eq!(told["figures"][0]["figure"], "income");
}
