//! `ask_<slug>`: a message to an agent, and the turn that answers it. It is a turn like any other: in a conversation of the
//! token's person, which they find in the app.

use baton_core::agents::Agent;
use baton_core::conversations::MAX_CONTENT;
use baton_core::ids::ConversationId;
use baton_core::store::Error;
use baton_core::subtasks::ASK;
use baton_core::{schema, text};
use baton_engine::{OnWaiting, Send, SendBody, SendError, Started, To};
use baton_tools::mcp::serve::{Failure, Object, Reply, Request};
use serde_json::{Value, json};
use uuid::Uuid;

use super::follow::Following;
use super::outcome;
use super::workspace::{Workspace, failed};
use super::workspace_tools::refused;
use crate::http::ApiError;
use crate::routes::chat;
use crate::routes::chat_stream::place;

/// An agent as `tools/list` has it.
pub fn shown(agent: &Agent) -> Value {
    let definition = &agent.definition;
    let about = definition.description.as_deref().unwrap_or_default().split_whitespace();
    let about = about.collect::<Vec<_>>().join(" ");
    let description = format!(
        "Asks {}, an agent of this workspace, and gives you its answer, which may take minutes. {about}",
        definition.name
    );
    json!({
        "name": format!("{ASK}{}", agent.slug),
        "title": definition.name,
        "description": description.trim_end(),
        "inputSchema": parameters(),
        "annotations": {"title": format!("Ask {}", definition.name), "readOnlyHint": false, "openWorldHint": true},
    })
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "message": {
                "type": "string", "minLength": 1,
                "description": "What you ask. In a new conversation the agent knows nothing else: say all it needs.",
            },
            "conversationId": {
                "type": "string",
                "description": "To go on with a conversation: the id that an earlier answer gave. Left out, a new one begins.",
            },
        },
        "required": ["message"],
        "additionalProperties": false,
    })
}

pub async fn ask(
    workspace: &Workspace,
    agent: Agent,
    request: &Request,
    arguments: &Object,
) -> Result<Reply, Failure> {
    let (message, to) = match read(workspace, &agent, arguments).await? {
        Ok(asked) => asked,
        Err(why) => return Ok(Reply::Now(refused(why))),
    };
    let key = request.params.get("name").and_then(Value::as_str).unwrap_or_default();
    let key = workspace.request_key(request, key, arguments)?;
    let send = Send {
        workspace_id: workspace.workspace_id,
        person: workspace.someone.person(),
        person_name: workspace.someone.name().to_owned(),
        viewer: workspace.someone.viewer(),
        is_public: false,
        token_id: Some(workspace.token_id),
        known: None,
        to,
        body: SendBody::Message { content: message, attachments: Vec::new(), web_search: false },
        key,
        on_waiting: OnWaiting::Waits,
    };
    let app = &workspace.app;
    let begun = async {
        let place = place(app, workspace.someone.person())?;
        app.space.check(workspace.workspace_id).await?;
        Ok::<_, ApiError>((place, app.engine.send(send).await))
    };
    let (place, started) = match begun.await {
        Ok(begun) => begun,
        Err(refusal) => return Ok(Reply::Now(refused(refusal.to_string()))),
    };
    match (started, to) {
        (Ok(Started { conversation_id, task_id, reader, notice, .. }), _) => {
            let following = Following::new(workspace, request, place, reader, (conversation_id, task_id));
            Ok(following.noting(notice).told())
        }
        // Told once more what it waits for: whoever asked can't decide it, not by another message either.
        (Err(SendError::WaitsForPerson), To::Conversation(id)) => {
            outcome::waiting(workspace, request, id).await.map(Reply::Now)
        }
        (Err(refusal), _) => Ok(Reply::Now(refused(chat::refused(refusal).to_string()))),
    }
}

/// What is asked, and where; or what is wrong with it, in words that the client's model can act on.
async fn read(
    workspace: &Workspace,
    agent: &Agent,
    arguments: &Object,
) -> Result<Result<(String, To), String>, Failure> {
    if let Err(wrong) = schema::check(&parameters(), &Value::Object(arguments.clone())) {
        return Ok(Err(format!("The arguments don't fit: {}.", wrong.trim_end_matches('.'))));
    }
    let message = arguments.get("message").and_then(Value::as_str).unwrap_or_default();
    let message = match text::prose("message", message, MAX_CONTENT) {
        Ok(message) => message,
        Err(wrong) => return Ok(Err(format!("The arguments don't fit: {wrong}."))),
    };
    let Some(id) = arguments.get("conversationId").and_then(Value::as_str) else {
        return Ok(Ok((message, To::Agent(agent.id))));
    };
    let none =
        || Ok(Err(format!("There is no conversation {id}. Leave conversationId out to begin a new one.")));
    let Ok(id) = Uuid::parse_str(id) else { return none() };
    match workspace.app.store.conversation(ConversationId(id), workspace.someone.person()).await {
        Ok(found) if found.workspace_id == workspace.workspace_id && found.subtask.is_none() => {
            Ok(Ok((message, To::Conversation(found.id))))
        }
        Ok(_) | Err(Error::NotFound(_)) => none(),
        Err(error) => Err(failed(error)),
    }
}
