//! What a server asks a person in the middle of a call (elicitation): a form with a few plain fields, or a page to open.
//!
//! Whoever can show that implements [`AskPerson`]. A call without anybody to ask declines.

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::server_tools::Server;
use baton_core::tools::ToolContext;
use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Map, Value, json};
use url::Url;

/// The most fields of a form. A longer one is declined: nobody fills it in during a chat.
const MAX_FIELDS: usize = 50;

#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    Form {
        message: String,
        /// An object of plain fields: text, numbers, yes or no, and choices.
        schema: Value,
    },
    /// A page where the person tells the server something that Baton must not see.
    Url { message: String, url: String, host: String },
}

#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// With what was filled in; nothing for a page.
    Accepted(Map<String, Value>),
    Declined,
    /// The person did not say either.
    Dismissed,
}

/// Who is asked, and for which call.
pub struct Asked {
    pub server: Server,
    pub context: ToolContext,
    pub question: Question,
}

#[async_trait]
pub trait AskPerson: Send + Sync {
    async fn ask(&self, asked: Asked) -> Reply;
}

/// Where a call is made, for what its server asks meanwhile.
pub(super) struct Place {
    pub(super) server: Server,
    pub(super) context: ToolContext,
    pub(super) people: Option<Arc<dyn AskPerson>>,
}

impl Place {
    pub(super) async fn ask(&self, asked: ElicitRequestParams) -> ElicitResult {
        let (Some(people), Some(question)) = (&self.people, question(asked)) else { return declined() };
        let schema = match &question {
            Question::Form { schema, .. } => schema.clone(),
            Question::Url { .. } => Value::Null,
        };
        let asked = Asked { server: self.server.clone(), context: self.context.clone(), question };
        match people.ask(asked).await {
            Reply::Accepted(_) if schema.is_null() => ElicitResult::new(ElicitationAction::Accept),
            Reply::Accepted(filled) => {
                ElicitResult::new(ElicitationAction::Accept).with_content(with_defaults(&schema, filled))
            }
            Reply::Declined => declined(),
            Reply::Dismissed => ElicitResult::new(ElicitationAction::Cancel),
        }
    }
}

pub(super) fn declined() -> ElicitResult {
    ElicitResult::new(ElicitationAction::Decline)
}

fn question(asked: ElicitRequestParams) -> Option<Question> {
    match asked {
        ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
            let schema = serde_json::to_value(requested_schema).ok()?;
            let fields = schema.get("properties").and_then(Value::as_object).map_or(0, Map::len);
            (fields <= MAX_FIELDS).then_some(Question::Form { message, schema })
        }
        ElicitRequestParams::UrlElicitationParams { message, url, .. } => {
            let parsed = Url::parse(&url).ok()?;
            let is_page = matches!(parsed.scheme(), "http" | "https") && parsed.username().is_empty();
            let host = parsed.host_str().filter(|_| is_page)?.to_owned();
            Some(Question::Url { message, url: parsed.to_string(), host })
        }
        _ => None,
    }
}

/// What a person left open is what the form says it is then. A field that the form doesn't have is not sent.
fn with_defaults(schema: &Value, mut filled: Map<String, Value>) -> Value {
    let fields = schema.get("properties").and_then(Value::as_object);
    let mut content = Map::new();
    for (name, field) in fields.into_iter().flatten() {
        if let Some(value) = filled.remove(name).or_else(|| field.get("default").cloned()) {
            content.insert(name.clone(), value);
        }
    }
    json!(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(schema: Value) -> ElicitRequestParams {
        let form = json!({"mode": "form", "message": "Who?", "requestedSchema": schema});
        serde_json::from_value(form).expect("a form")
    }

    fn page(url: &str) -> Option<Question> {
        let page = json!({"mode": "url", "message": "Pay", "url": url, "elicitationId": "1"});
        question(serde_json::from_value(page).expect("a page"))
    }

    #[test]
    fn a_form_is_asked_with_its_schema() {
        let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
        let Some(Question::Form { message, schema: asked }) = question(form(schema.clone())) else {
            panic!("a form")
        };
        assert_eq!(
            (message.as_str(), asked["properties"]["name"]["type"].as_str()),
            ("Who?", Some("string"))
        );
    }

    #[test]
    fn a_page_is_told_with_the_host_that_it_is_really_at() {
        let Some(Question::Url { host, .. }) = page("https://bank.example.evil.example/pay") else {
            panic!("a page")
        };
        assert_eq!(host, "bank.example.evil.example");
        for not_a_page in ["javascript:alert(1)", "file:///etc/passwd", "https://bank.example@evil.example/"]
        {
            assert_eq!(page(not_a_page), None, "{not_a_page}");
        }
    }

    #[test]
    fn what_is_left_open_is_the_default_and_other_fields_are_not_sent() {
        let schema = json!({"properties": {"name": {"default": "Ada"}, "age": {"default": 3}, "city": {}}});
        let filled = json!({"age": 40, "other": true});
        let content = with_defaults(&schema, filled.as_object().expect("an object").clone());
        assert_eq!(content, json!({"name": "Ada", "age": 40}));
    }
}
