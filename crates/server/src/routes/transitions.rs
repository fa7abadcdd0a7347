//! Statistics of handoffs: between which agents, how often they succeeded, how long they took and how many tokens they
//! saved.

use std::collections::{HashMap, HashSet};

use axum::Json;
use axum::extract::State;
use baton_core::handoffs::{Transition, TransitionOutcome, Trigger};
use baton_core::ids::{AgentId, ConversationId, WorkspaceId};
use baton_core::store::{Error, PairTotal, TransitionQuery};
use baton_core::visitors::Person;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agent_names::{hidden, names};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Caller, Errors, Params, outcome_schema, trigger_schema, window};

const MAX_DAYS: u32 = 3_650;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TransitionsQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// Only those from or to this agent.
    #[serde(rename = "agentId")]
    agent_id: Option<Uuid>,
    /// Only those of the last so many days; all if left out.
    #[param(minimum = 1, maximum = 3_650)]
    days: Option<u32>,
    /// How many of the newest are listed.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct TransitionsView {
    totals: TotalView,
    /// The most frequent first.
    pairs: Vec<PairView>,
    /// The newest first.
    transitions: Vec<TransitionView>,
}

/// The outcomes of handoffs, added up.
#[derive(Serialize, ToSchema)]
pub struct TotalView {
    attempts: i64,
    completed: i64,
    /// From 0 to 1; null before the first attempt.
    #[schema(required)]
    success_rate: Option<f64>,
    /// From the call, the router's question or the person's choice to the record.
    #[schema(required)]
    average_latency_ms: Option<f64>,
    /// About how long the next agents' requests would have been with the whole history, how long they were, and the
    /// difference.
    tokens_full: i64,
    tokens_sent: i64,
    tokens_saved: i64,
}

#[derive(Serialize, ToSchema)]
pub struct PairView {
    from_agent_id: Uuid,
    /// Null if the agent is gone, or not theirs to see.
    #[schema(required)]
    from_name: Option<String>,
    /// Null if the name in the call is no agent's.
    #[schema(required)]
    to_agent_id: Option<Uuid>,
    #[schema(required)]
    to_name: Option<String>,
    #[serde(flatten)]
    total: TotalView,
}

/// One attempted handoff.
#[derive(Serialize, ToSchema)]
#[schema(as = Transition)]
pub struct TransitionView {
    id: Uuid,
    #[schema(schema_with = trigger_schema)]
    trigger: Trigger,
    from_agent_id: Uuid,
    #[schema(required)]
    from_name: Option<String>,
    #[schema(required)]
    to_agent_id: Option<Uuid>,
    #[schema(required)]
    to_name: Option<String>,
    #[schema(schema_with = outcome_schema)]
    outcome: TransitionOutcome,
    /// Why it was refused, as a word.
    #[schema(required)]
    code: Option<String>,
    latency_ms: i64,
    tokens_full: i64,
    tokens_sent: i64,
    created_at: DateTime<Utc>,
    /// The conversation and the reason given, only where it is the caller's own.
    #[schema(required)]
    conversation_id: Option<Uuid>,
    #[schema(required)]
    reason: Option<String>,
}

/// How the handoffs of a workspace went
#[utoipa::path(get, path = "/api/agents/transitions", tag = "agents", params(TransitionsQuery), responses((status = 200, body = TransitionsView), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<TransitionsQuery>,
) -> Result<Json<TransitionsView>, ApiError> {
    let workspace_id = WorkspaceId(query.workspace_id);
    let role = app.role(&caller, workspace_id).await?;
    let query = TransitionQuery {
        workspace_id,
        agent_id: query.agent_id.map(AgentId),
        since: query.days.map(since).transpose()?,
        limit: window(query.limit, None)?.limit,
    };
    let pairs = app.store.transition_totals(query.clone()).await?;
    let newest = app.store.transitions(query).await?;
    let ends: HashSet<AgentId> = pairs.iter().flat_map(|pair| [Some(pair.from), pair.to]).flatten().collect();
    let hidden = hidden(&app, &caller, (workspace_id, role), ends.clone()).await?;
    let names = names(&app, ends.difference(&hidden).copied().collect()).await?;
    let own = own(&app, &caller, &newest).await?;
    Ok(Json(TransitionsView {
        totals: TotalView::of(&pairs),
        pairs: pairs.iter().map(|pair| PairView::new(pair, &names)).collect(),
        transitions: newest
            .into_iter()
            .map(|one| {
                let is_own = own.get(&one.conversation_id).copied().unwrap_or_default();
                TransitionView::new(one, &names, if is_own { Shown::All } else { Shown::Numbers })
            })
            .collect(),
    }))
}

fn since(days: u32) -> Result<DateTime<Utc>, ApiError> {
    if !(1..=MAX_DAYS).contains(&days) {
        return Err(ApiError::invalid("days", &format!("must be from 1 to {MAX_DAYS}")));
    }
    Ok(Utc::now() - TimeDelta::days(days.into()))
}

/// Which of the conversations are the caller's.
async fn own(
    app: &App,
    caller: &Caller,
    all: &[Transition],
) -> Result<HashMap<ConversationId, bool>, ApiError> {
    let mut own = HashMap::new();
    for id in all.iter().map(|one| one.conversation_id) {
        if own.contains_key(&id) {
            continue;
        }
        match app.store.conversation(id, Person::Profile(caller.profile.id)).await {
            Ok(_) => drop(own.insert(id, true)),
            Err(Error::NotFound(_)) => drop(own.insert(id, false)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(own)
}

impl TotalView {
    fn of(pairs: &[PairTotal]) -> Self {
        let sum = |of: fn(&PairTotal) -> i64| pairs.iter().map(of).sum::<i64>();
        let (attempts, completed) = (sum(|pair| pair.attempts), sum(|pair| pair.completed));
        let (tokens_full, tokens_sent) = (sum(|pair| pair.tokens_full), sum(|pair| pair.tokens_sent));
        let share = |part: i64| (attempts > 0).then(|| part as f64 / attempts as f64);
        Self {
            attempts,
            completed,
            success_rate: share(completed),
            average_latency_ms: share(sum(|pair| pair.latency_ms)),
            tokens_full,
            tokens_sent,
            tokens_saved: tokens_full - tokens_sent,
        }
    }
}

impl PairView {
    fn new(pair: &PairTotal, names: &HashMap<AgentId, String>) -> Self {
        Self {
            from_agent_id: pair.from.0,
            from_name: names.get(&pair.from).cloned(),
            to_agent_id: pair.to.map(|id| id.0),
            to_name: pair.to.and_then(|id| names.get(&id).cloned()),
            total: TotalView::of(std::slice::from_ref(pair)),
        }
    }
}

/// How much of a transition its reader may see.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    All,
    /// What was talked about stays with whoever talked.
    Numbers,
}

impl TransitionView {
    fn new(one: Transition, names: &HashMap<AgentId, String>, shown: Shown) -> Self {
        let Transition { new, conversation_id, created_at, .. } = one;
        let is_own = shown == Shown::All;
        Self {
            id: new.id.0,
            trigger: new.trigger,
            from_agent_id: new.from.0,
            from_name: names.get(&new.from).cloned(),
            to_agent_id: new.to.map(|id| id.0),
            to_name: new.to.and_then(|id| names.get(&id).cloned()),
            outcome: new.outcome,
            code: new.code,
            latency_ms: new.latency_ms,
            tokens_full: new.tokens_full,
            tokens_sent: new.tokens_sent,
            created_at,
            conversation_id: is_own.then_some(conversation_id.0),
            reason: new.reason.filter(|_| is_own),
        }
    }
}
