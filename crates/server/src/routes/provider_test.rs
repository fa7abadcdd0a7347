//! Tries a model provider before or after it is saved, with a real small call, and says in words what came of it.

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use baton_core::ids::{ProviderId, WorkspaceId};
use baton_core::models::{
    ChatMessage, ChatModel, ModelError, ModelEvent, ModelRequest, ModelStream, SystemPrompt, UserPart,
};
use baton_core::providers::{ModelProvider, ProviderDefinition, ProviderModel, WireFormat};
use baton_core::secrets::SecretText;
use baton_models::{HttpOptions, Provider, ProviderKey};
use chrono::Utc;
use futures::StreamExt;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::providers::{find, keeps_address, may_set};
use crate::app::{App, SharedApp};
use crate::base_url;
use crate::http::{ApiError, Body, Caller, Errors, wire_format_schema};

/// A person waits for it.
const HTTP: HttpOptions = HttpOptions {
    connect: Duration::from_secs(10),
    answer: Duration::from_secs(60),
    idle: Duration::from_secs(30),
    backoff: Duration::from_millis(300),
};
const TOTAL: Duration = Duration::from_secs(90);
const TESTS_AN_HOUR: u32 = 60;
/// Enough for models that think first to be heard of.
const MAX_OUTPUT_TOKENS: u32 = 64;
const MAX_SHOWN: usize = 80;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProviderTestBody {
    /// The saved provider that is tried. Its key is used if none is given and the address is still the same.
    id: Option<Uuid>,
    /// Left out for a provider of the server (admins of the server).
    #[serde(rename = "workspaceId")]
    workspace_id: Option<Uuid>,
    #[schema(schema_with = wire_format_schema)]
    wire: WireFormat,
    #[schema(max_length = 500)]
    base_url: Option<String>,
    #[schema(value_type = Option<String>, max_length = 4_000, write_only)]
    key: Option<SecretText>,
    /// Left out for the cheapest one that the vendor is known to have.
    #[schema(max_length = 200)]
    model: Option<String>,
}

/// What came of a test.
#[derive(Serialize, ToSchema)]
pub struct TestOutcome {
    ok: bool,
    /// For people.
    pub message: String,
}

impl TestOutcome {
    pub fn good(message: String) -> Json<Self> {
        Json(Self { ok: true, message })
    }

    pub fn bad(message: String) -> Json<Self> {
        Json(Self { ok: false, message })
    }
}

/// Try a model provider with a small call (admins of the server; for a workspace its admins and owners)
#[utoipa::path(post, path = "/api/providers/test", tag = "models", request_body = ProviderTestBody, responses((status = 200, body = TestOutcome), Errors))]
pub async fn test(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<ProviderTestBody>,
) -> Result<Json<TestOutcome>, ApiError> {
    caller.session()?;
    let workspace_id = body.workspace_id.map(WorkspaceId);
    may_set(&app, &caller, workspace_id).await?;
    app.copies.take(&format!("tests by {}", caller.profile.id), TESTS_AN_HOUR).map_err(ApiError::too_many)?;
    let saved = match body.id {
        Some(id) => Some(find(&app, &caller, id).await?),
        None => None,
    };
    if saved.as_ref().is_some_and(|saved| saved.workspace_id != workspace_id) {
        return Err(ApiError::not_found("provider"));
    }
    let base_url = body.base_url.as_deref().map(base_url::checked).transpose()?;
    if let (Some(_), Some(base_url)) = (workspace_id, &base_url) {
        base_url::check_reach(&app.outbound, base_url).await?;
    }
    let model = ProviderModel {
        model: body.model.unwrap_or_default(),
        aliases: vec![],
        price: None,
        context_window: None,
    };
    let models = if model.model.trim().is_empty() { vec![] } else { vec![model] };
    let (name, wire) = ("tested".to_owned(), body.wire);
    let definition = ProviderDefinition { name, wire, base_url, models, position: 0 }.checked()?;
    let key = match (body.key, &saved) {
        (Some(key), _) => ProviderKey::Known(key.checked("key")?),
        (None, Some(saved)) if keeps_address(saved, &definition)? => stored_key(&app, saved)?,
        (None, _) => ProviderKey::None,
    };
    if matches!(key, ProviderKey::None) && definition.base_url.is_none() {
        return Err(ApiError::invalid("key", "must be given for the vendor's own address"));
    }
    let at = Utc::now();
    let id = saved.map_or_else(ProviderId::new, |saved| saved.id);
    let row = ModelProvider { id, workspace_id, definition, sealed: None, created_at: at, updated_at: at };
    let options = app.models.options(&row, key)?;
    let provider = match Provider::new(options, HTTP) {
        Ok(provider) => provider,
        Err(wrong) => return Ok(TestOutcome::bad(wrong.to_string())),
    };
    let (Some(client), Some(model)) = (provider.client(), provider.model_to_try()) else {
        let message = "Name a model first: nobody knows which ones this address has.";
        return Ok(TestOutcome::bad(message.to_owned()));
    };
    let begun = Instant::now();
    let heard = tokio::time::timeout(TOTAL, ask(client.as_ref(), model)).await;
    Ok(match heard.unwrap_or(Err(ModelError::Unreachable)) {
        Ok(said) => {
            let seconds = begun.elapsed().as_secs_f64();
            TestOutcome::good(format!("{model} answered in {seconds:.1} seconds{}", shown(&said)))
        }
        Err(error) => TestOutcome::bad(words(error, &base_url::provider_place(&row)?.sent_to, model)),
    })
}

fn stored_key(app: &App, saved: &ModelProvider) -> Result<ProviderKey, ApiError> {
    let Some(sealed) = &saved.sealed else { return Ok(ProviderKey::None) };
    let opened = app.vault.open(&base_url::provider_place(saved)?, sealed);
    Ok(opened.map_or(ProviderKey::Unreadable, ProviderKey::Known))
}

async fn ask(client: &dyn ChatModel, model: &str) -> Result<String, ModelError> {
    let asked = "Answer with the word OK and nothing else.".to_owned();
    let request = ModelRequest {
        model: model.to_owned(),
        system: SystemPrompt::default(),
        messages: vec![ChatMessage::User(vec![UserPart::Text(asked)])],
        tools: Vec::new(),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        demo: None,
    };
    let mut stream: ModelStream = client.call(request).await?;
    let mut said = String::new();
    while let Some(event) = stream.next().await {
        match event? {
            ModelEvent::Text(text) => said.push_str(&text),
            ModelEvent::End { .. } => return Ok(said),
            ModelEvent::Reasoning(_) | ModelEvent::Thinking(_) | ModelEvent::Call(_) => {}
        }
    }
    Err(ModelError::Truncated)
}

fn shown(said: &str) -> String {
    let said: String =
        said.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_SHOWN).collect();
    if said.is_empty() { ".".to_owned() } else { format!(": “{said}”") }
}

/// For the person who has the form open: more than is said in a chat.
fn words(error: ModelError, at: &str, model: &str) -> String {
    match error {
        ModelError::Unreachable | ModelError::NoConnection => {
            format!("Nothing that speaks this format answered at {at}. Check the address.")
        }
        ModelError::KeyRejected => format!("{at} rejected the key. Check that it is whole and still valid."),
        ModelError::Rejected(why) => format!("{at} refused {model}: {why}"),
        other => other.to_string(),
    }
}
