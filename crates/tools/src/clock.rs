//! `getCurrentTime`: models don't know what day it is.

use async_trait::async_trait;
use baton_core::tools::{Nature, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde_json::{Map, Value, json};

use crate::arguments::text;

pub const NAME: &str = "getCurrentTime";

pub struct Clock;

#[async_trait]
impl Tool for Clock {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Tells the current date, time and weekday. Call it whenever an answer depends on today's \
                          date or on the time, such as \"tomorrow\", \"this week\" or a deadline; never guess."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "timeZone": {
                        "type": "string",
                        "description": "An IANA time zone such as Europe/Zurich. Left out: the person's own.",
                    },
                },
                "additionalProperties": false,
            }),
        }
    }

    fn display_name(&self) -> String {
        "Current Time".to_owned()
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        Nature::READS
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let zone = match text(&arguments, "timeZone")? {
            Some(asked) => asked.parse::<Tz>().map_err(|_| {
                ToolFailure(format!("{asked:?} is not an IANA time zone; name one such as Europe/Zurich."))
            })?,
            // What is stored was checked when it was set; a zone that was since withdrawn must not stop a turn.
            None => context.time_zone.parse().unwrap_or(Tz::UTC),
        };
        Ok(at(Utc::now(), zone).into())
    }
}

fn at(now: DateTime<Utc>, zone: Tz) -> Value {
    let local = now.with_timezone(&zone);
    json!({
        "date": local.format("%Y-%m-%d").to_string(),
        "time": local.format("%H:%M:%S").to_string(),
        "weekday": local.format("%A").to_string(),
        "week": local.format("%G-W%V").to_string(),
        "timeZone": zone.name(),
        "utcOffset": local.format("%:z").to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::context;

    #[test]
    fn the_same_moment_in_two_places() {
        let now = "2026-12-31T23:30:00Z".parse().unwrap();
        let zurich = at(now, Tz::Europe__Zurich);
        assert_eq!(
            zurich,
            json!({"date": "2027-01-01", "time": "00:30:00", "weekday": "Friday", "week": "2026-W53",
                   "timeZone": "Europe/Zurich", "utcOffset": "+01:00"})
        );
        assert_eq!(at(now, Tz::UTC)["weekday"], "Thursday");
    }

    #[tokio::test]
    async fn the_persons_zone_unless_another_is_asked_for() {
        let (context, _) = context();
        let ask = async |arguments: Value| {
            let arguments = arguments.as_object().unwrap().clone();
            Clock.call(&context, arguments).await.map(|answer| answer.value["timeZone"].clone())
        };
        assert_eq!(ask(json!({})).await.unwrap(), "Europe/Zurich");
        assert_eq!(ask(json!({"timeZone": null})).await.unwrap(), "Europe/Zurich");
        assert_eq!(ask(json!({"timeZone": "Asia/Tokyo"})).await.unwrap(), "Asia/Tokyo");
        assert!(ask(json!({"timeZone": "Mars"})).await.unwrap_err().0.contains("Europe/Zurich"));
        assert!(ask(json!({"timeZone": 5})).await.is_err());
    }
}
