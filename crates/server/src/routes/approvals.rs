//! Approvals: the list of those that wait for a person, and the person's decision.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::approvals::{Approval, ApprovalStatus, Decision, MAX_REASON};
use baton_core::ids::{ApprovalId, ConversationId, WorkspaceId};
use baton_core::store::ApprovalQuery;
use baton_core::tools::{Preview, PreviewChange};
use baton_core::turns::Refused;
use baton_core::visitors::Person;
use baton_core::{schema, text};
use baton_engine::{Assignment, Deciding};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::app::{App, SharedApp};
use crate::http::{ApiError, Caller, Errors, Id, MaybeBody, Params, approval_status_schema, window};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    #[serde(rename = "conversationId")]
    conversation_id: Option<Uuid>,
    #[param(schema_with = approval_status_schema)]
    status: Option<ApprovalStatus>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct ApprovalView {
    id: Uuid,
    workspace_id: Uuid,
    conversation_id: Uuid,
    agent_id: Uuid,
    tool_call_id: String,
    tool_name: String,
    #[schema(value_type = Object)]
    args: Map<String, Value>,
    /// Names the arguments: a decision gives it back.
    args_hash: String,
    #[schema(schema_with = approval_status_schema)]
    status: ApprovalStatus,
    #[schema(required)]
    reason: Option<String>,
    /// A name.
    #[schema(required)]
    decided_by: Option<String>,
    #[schema(required)]
    decided_at: Option<DateTime<Utc>>,
    expires_at: DateTime<Utc>,
    /// What the call would change, where its tool can tell.
    #[schema(required)]
    preview: Option<PreviewView>,
    created_at: DateTime<Utc>,
}

/// What a call would change.
#[derive(Serialize, ToSchema)]
#[schema(as = Preview)]
pub struct PreviewView {
    sentence: String,
    changes: Vec<PreviewChangeView>,
    /// How many changes are not told.
    more: u64,
}

/// One value that changes.
#[derive(Serialize, ToSchema)]
#[schema(as = PreviewChange)]
pub struct PreviewChangeView {
    /// The thing that it belongs to, as people call it.
    what: String,
    field: String,
    /// Null: there is nothing yet.
    #[schema(required)]
    old: Option<String>,
    /// Null: there will be nothing any more.
    #[schema(required)]
    new: Option<String>,
}

impl From<Preview> for PreviewView {
    fn from(preview: Preview) -> Self {
        let change = |one: PreviewChange| PreviewChangeView {
            what: one.what,
            field: one.field,
            old: one.old,
            new: one.new,
        };
        Self {
            sentence: preview.sentence,
            changes: preview.changes.into_iter().map(change).collect(),
            more: preview.more,
        }
    }
}

impl From<Approval> for ApprovalView {
    fn from(approval: Approval) -> Self {
        Self {
            id: approval.id.0,
            workspace_id: approval.workspace_id.0,
            conversation_id: approval.conversation_id.0,
            agent_id: approval.agent_id.0,
            tool_call_id: approval.call_id,
            tool_name: approval.tool_name,
            args: approval.args,
            args_hash: approval.args_hash,
            status: approval.status,
            reason: approval.reason,
            decided_by: approval.decided_by,
            decided_at: approval.decided_at,
            expires_at: approval.expires_at,
            preview: approval.preview.map(Into::into),
            created_at: approval.created_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct ApprovalList {
    approvals: Vec<ApprovalView>,
}

/// The approvals of one's own conversations, the newest first
#[utoipa::path(get, path = "/api/approvals", tag = "approvals", params(ListQuery), responses((status = 200, body = ApprovalList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<ListQuery>,
) -> Result<Json<ApprovalList>, ApiError> {
    let workspace_id = WorkspaceId(query.workspace_id);
    app.role(&caller, workspace_id).await?;
    let query = ApprovalQuery {
        workspace_id,
        person: Person::Profile(caller.profile.id),
        conversation_id: query.conversation_id.map(ConversationId),
        status: query.status,
        limit: window(query.limit, None)?.limit,
    };
    let approvals = app.store.approvals(query).await?.into_iter().map(Into::into).collect();
    Ok(Json(ApprovalList { approvals }))
}

#[derive(Deserialize, ToSchema, Default)]
#[serde(deny_unknown_fields)]
pub struct ApproveBody {
    /// The approval's `args_hash`, as it came with the arguments that the person was shown.
    #[schema(required, nullable = false)]
    args_hash: Option<String>,
    /// Other arguments to run the tool with.
    #[schema(value_type = Option<Object>)]
    arguments: Option<Map<String, Value>>,
    /// Allow the same tool with the same arguments for the rest of the conversation.
    remember: Option<bool>,
}

/// Allow a tool call
#[utoipa::path(post, path = "/api/approvals/{id}/approve", tag = "approvals", params(("id" = Uuid, Path)), request_body = ApproveBody, responses((status = 200, body = ApprovalView), Errors))]
pub async fn approve(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    MaybeBody(body): MaybeBody<ApproveBody>,
) -> Result<Json<ApprovalView>, ApiError> {
    let approval = own(&app, &caller, id).await?;
    refuse_own_request(&app, &caller, &approval).await?;
    let body = body.unwrap_or_default();
    let args_hash = named(body.args_hash)?;
    if body.remember == Some(true) {
        // A program would allow itself what it asks for next.
        caller.session().map_err(|error| error.at("remember"))?;
    }
    let is_pending = approval.status == ApprovalStatus::Pending;
    let edited = body.arguments.filter(|arguments| !is_pending || *arguments != approval.args);
    if let (Some(arguments), true) = (&edited, is_pending) {
        check_arguments(&app, &caller, &approval, arguments).await?;
    }
    let deciding = Deciding {
        approval_id: approval.id,
        decision: Decision::Approved,
        by: caller.profile.name.clone(),
        reason: None,
        args: edited,
        args_hash: Some(args_hash),
        remember: body.remember.unwrap_or(false),
    };
    let remember = deciding.remember;
    let decided = decide(&app, &caller, deciding).await?;
    if remember {
        approve_alike(&app, &caller, &approval, &decided.args_hash).await?;
    }
    Ok(decided)
}

/// A decision is about the arguments that the person saw.
fn named(args_hash: Option<String>) -> Result<String, ApiError> {
    args_hash.ok_or_else(|| {
        let error = "Please say which arguments were shown: args_hash, as it came with the approval.";
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "args_hash_required", error).at("args_hash")
    })
}

/// What waits for the same call of the same agent is allowed with it.
async fn approve_alike(
    app: &App,
    caller: &Caller,
    approval: &Approval,
    args_hash: &str,
) -> Result<(), ApiError> {
    let query = ApprovalQuery {
        workspace_id: approval.workspace_id,
        person: Person::Profile(caller.profile.id),
        conversation_id: Some(approval.conversation_id),
        status: Some(ApprovalStatus::Pending),
        limit: 200,
    };
    for other in app.store.approvals(query).await? {
        if other.agent_id == approval.agent_id && other.args_hash == args_hash {
            let deciding = Deciding {
                approval_id: other.id,
                decision: Decision::Approved,
                by: caller.profile.name.clone(),
                reason: None,
                args: None,
                args_hash: Some(other.args_hash),
                remember: true,
            };
            // It may have been decided in the meantime.
            let _ = decide(app, caller, deciding).await;
        }
    }
    Ok(())
}

#[derive(Deserialize, ToSchema, Default)]
#[serde(deny_unknown_fields)]
pub struct RejectBody {
    /// The approval's `args_hash`, as it came with the arguments that the person was shown.
    #[schema(required, nullable = false)]
    args_hash: Option<String>,
    /// What the agent is told.
    #[schema(max_length = 2_000)]
    reason: Option<String>,
}

/// Refuse a tool call
#[utoipa::path(post, path = "/api/approvals/{id}/reject", tag = "approvals", params(("id" = Uuid, Path)), request_body = RejectBody, responses((status = 200, body = ApprovalView), Errors))]
pub async fn reject(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    MaybeBody(body): MaybeBody<RejectBody>,
) -> Result<Json<ApprovalView>, ApiError> {
    let approval = own(&app, &caller, id).await?;
    let RejectBody { args_hash, reason } = body.unwrap_or_default();
    let args_hash = Some(named(args_hash)?);
    let reason = text::optional("reason", reason.as_deref(), MAX_REASON, text::prose)?;
    let deciding = Deciding {
        approval_id: approval.id,
        decision: Decision::Rejected,
        by: caller.profile.name.clone(),
        reason,
        args: None,
        args_hash,
        remember: false,
    };
    decide(&app, &caller, deciding).await
}

/// The caller's approval.
async fn own(app: &App, caller: &Caller, id: Uuid) -> Result<Approval, ApiError> {
    let approval = app.store.approval(ApprovalId(id), Person::Profile(caller.profile.id)).await?;
    app.role_inside(caller, approval.workspace_id, "approval").await?;
    Ok(approval)
}

/// A token can't approve what a turn of its own asked for: a program would be the only one to look at it.
async fn refuse_own_request(app: &App, caller: &Caller, approval: &Approval) -> Result<(), ApiError> {
    let Some(token) = caller.token_id() else { return Ok(()) };
    if app.store.token_of_task(approval.task_id).await? != Some(token) {
        return Ok(());
    }
    let error = "A token can't approve what it asked for itself. Please sign in to approve it; the token can reject it.";
    Err(ApiError::forbidden("own_request", error))
}

async fn check_arguments(
    app: &App,
    caller: &Caller,
    approval: &Approval,
    arguments: &Map<String, Value>,
) -> Result<(), ApiError> {
    let value = Value::Object(arguments.clone());
    text::json("arguments", &value)?;
    let assignment = Assignment { viewer: caller.viewer(), ..Assignment::of_member(approval.agent_id) };
    let ready = app.engine.ready_agent(assignment).await?;
    let spec = ready.spec(&approval.tool_name).ok_or_else(|| {
        ApiError::invalid("arguments", "can't be checked: the agent no longer has the tool")
    })?;
    let misfit = |wrong: &str| {
        ApiError::invalid("arguments", &format!("don't fit the tool: {}", wrong.trim_end_matches('.')))
    };
    schema::check(&spec.parameters, &value).map_err(|wrong| misfit(&wrong))?;
    match ready.tools.get(&approval.tool_name) {
        Some(tool) => tool.check(arguments).map_err(|failure| misfit(&failure.0)),
        None => Ok(()),
    }
}

async fn decide(app: &App, caller: &Caller, deciding: Deciding) -> Result<Json<ApprovalView>, ApiError> {
    let Deciding { approval_id: id, decision, .. } = deciding;
    let (edited, shown) = (deciding.args.clone(), deciding.args_hash.clone());
    match app.engine.decide(deciding).await {
        Ok(_) => {
            let now = app.store.approval(id, Person::Profile(caller.profile.id)).await?;
            Ok(Json(now.into()))
        }
        Err(Refused::AlreadyDecided(now)) => {
            let with_others = match edited {
                Some(arguments) => arguments != now.args,
                None => shown.as_ref() != Some(&now.args_hash),
            };
            let error = match now.status == decision.into() {
                true if with_others => format!("It was {} already, with other arguments.", now.status),
                true => return Ok(Json((*now).into())),
                false => format!("It was {} already.", now.status),
            };
            Err(ApiError::new(StatusCode::CONFLICT, "already_decided", error))
        }
        Err(Refused::OtherArguments) => {
            let error = "The call has other arguments than those that were shown. Please look again.";
            Err(ApiError::new(StatusCode::CONFLICT, "other_arguments", error).at("args_hash"))
        }
        Err(Refused::Store(error)) => Err(error.into()),
        Err(_) => {
            let error = "It is too late to decide: the time ran out, or the turn has ended.";
            Err(ApiError::new(StatusCode::GONE, "too_late", error))
        }
    }
}
