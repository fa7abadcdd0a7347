//! The list of one's conversations, page by page.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use baton_core::conversations::{Conversation, ConversationQuery, ListedConversation, With};
use baton_core::ids::{AgentId, ConversationId, TeamId, WorkspaceId};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agent_names::{SpeakerView, speakers};
use super::conversations::{ConversationView, count_read};
use super::turns::TurnView;
use crate::app::SharedApp;
use crate::http::{ApiError, Errors, Params, Someone, search, window};

/// A conversation in a list.
#[derive(Serialize, ToSchema)]
#[schema(as = ListedConversation)]
pub struct ListedView {
    #[serde(flatten)]
    conversation: ConversationView,
    /// The agent that holds it; null if that agent is gone.
    #[schema(required)]
    holder: Option<SpeakerView>,
    /// The turn that is under way.
    #[schema(required)]
    turn: Option<TurnView>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Only those the agent took part in.
    #[serde(rename = "agentId")]
    agent_id: Option<Uuid>,
    /// Only those with the team. Not beside `agentId`.
    #[serde(rename = "teamId")]
    team_id: Option<Uuid>,
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// Part of a title or of what was said, in any case.
    #[param(max_length = 200)]
    search: Option<String>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    /// Where the previous page ended; its `Link` header has it.
    before: Option<String>,
}

/// One's conversations in a workspace, all or those with an agent or a team, the latest first; of the versions of one, the latest
#[utoipa::path(get, path = "/api/agent-conversations", tag = "conversations", params(ListQuery),
    responses((status = 200, body = Vec<ListedView>, headers(("link" = String, description = "The next page, as rel=\"next\"; absent on the last"))), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    someone: Someone,
    Params(query): Params<ListQuery>,
) -> Result<(HeaderMap, Json<Vec<ListedView>>), ApiError> {
    let workspace_id = WorkspaceId(query.workspace_id);
    count_read(&app, &app.present(&someone, workspace_id).await?)?;
    let with = with(query.agent_id, query.team_id)?;
    let (workspace_of_it, what) = match with {
        With::Anyone => (workspace_id, "workspace"),
        With::Agent(id) => (app.store.agent(id).await?.workspace_id, "agent"),
        With::Team(id) => (app.store.team(id).await?.workspace_id, "team"),
    };
    if workspace_of_it != workspace_id {
        return Err(ApiError::not_found(what));
    }
    let limit = window(query.limit, None)?.limit;
    let mut rows = app
        .store
        .conversations(ConversationQuery {
            workspace_id,
            with,
            person: someone.person(),
            search: search(query.search.as_deref())?,
            limit,
            before: query.before.as_deref().map(parse_cursor).transpose()?,
        })
        .await?;
    let mut headers = HeaderMap::new();
    if rows.len() as u64 > limit {
        rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        if let Some(last) = rows.last() {
            headers.extend(next_link(&query, &last.conversation).map(|link| (header::LINK, link)));
        }
    }
    let holders = speakers(&app, rows.iter().filter_map(|row| row.holder).collect()).await?;
    let view = |row: ListedConversation| ListedView {
        holder: row.holder.and_then(|id| holders.iter().find(|agent| agent.is(id)).cloned()),
        turn: row.turn.map(Into::into),
        conversation: row.conversation.into(),
    };
    Ok((headers, Json(rows.into_iter().map(view).collect())))
}

/// An agent or a team: both can't be named.
pub fn with(agent: Option<Uuid>, team: Option<Uuid>) -> Result<With, ApiError> {
    match (agent, team) {
        (Some(id), None) => Ok(With::Agent(AgentId(id))),
        (None, Some(id)) => Ok(With::Team(TeamId(id))),
        (None, None) => Ok(With::Anyone),
        (Some(_), Some(_)) => Err(ApiError::invalid("teamId", "can't stand beside agentId")),
    }
}

/// Where a page ends: the last row's time and id.
fn cursor(conversation: &Conversation) -> String {
    format!("{}-{}", conversation.updated_at.timestamp_micros(), conversation.id.0.simple())
}

fn parse_cursor(text: &str) -> Result<(DateTime<Utc>, ConversationId), ApiError> {
    let parsed = text.split_once('-').and_then(|(micros, id)| {
        let at = DateTime::from_timestamp_micros(micros.parse().ok()?)?;
        Some((at, ConversationId(Uuid::parse_str(id).ok()?)))
    });
    parsed.ok_or_else(|| ApiError::invalid("before", "must come from the Link header of a page"))
}

fn next_link(query: &ListQuery, last: &Conversation) -> Option<HeaderValue> {
    let mut params = url::form_urlencoded::Serializer::new(String::new());
    for (name, id) in [("agentId", query.agent_id), ("teamId", query.team_id)] {
        if let Some(id) = id {
            params.append_pair(name, &id.to_string());
        }
    }
    params.append_pair("workspaceId", &query.workspace_id.to_string());
    if let Some(search) = &query.search {
        params.append_pair("search", search);
    }
    if let Some(limit) = query.limit {
        params.append_pair("limit", &limit.to_string());
    }
    params.append_pair("before", &cursor(last));
    HeaderValue::from_str(&format!("</api/agent-conversations?{}>; rel=\"next\"", params.finish())).ok()
}
