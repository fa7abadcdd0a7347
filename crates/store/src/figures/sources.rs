//! Where the rows of each figure are. `r` is the table whose index finds them; every condition on time and workspace is on it.

use baton_core::figures::Figure;

/// The rows that a figure counts.
pub struct Source {
    pub table: &'static str,
    /// What else is read with a row: none of it may make two of one.
    pub joins: &'static str,
    /// Which rows count.
    pub filter: &'static str,
    /// When a row counts, or begins to.
    pub begins: At,
    /// When it ceases to, of what is told at a bucket's end.
    pub ends: Option<At>,
    pub series: By,
    pub currency: Option<&'static str>,
    pub amount: Amount,
    /// What the listed row is.
    pub id: &'static str,
    pub title: &'static str,
    /// Of agents' work.
    pub work: Option<Work>,
}

/// A column that says when.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum At {
    Day(&'static str),
    /// The day after.
    DayAfter(&'static str),
    Moment(&'static str),
}

/// What series are told apart by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    Nothing,
    Word(&'static str),
    Agent,
}

/// What a row adds to the sum.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    Nothing,
    Of(&'static str),
    SecondsBetween(&'static str, &'static str),
}

/// An agent's work, in somebody's conversation.
pub struct Work {
    pub agent: &'static str,
    /// Whose it is.
    pub profile: &'static str,
}

/// What most sources share.
pub const BASE: Source = Source {
    table: "",
    joins: "",
    filter: "1 = 1",
    begins: At::Moment("r.created_at"),
    ends: None,
    series: By::Nothing,
    currency: None,
    amount: Amount::Nothing,
    id: "r.id",
    title: "''",
    work: None,
};

const DEALS: Source = Source { table: "deals", filter: "r.deleted_at IS NULL", title: "r.name", ..BASE };
const DEALS_WON: Source =
    Source { filter: "r.deleted_at IS NULL AND r.stage = 'won'", begins: At::Day("r.closed_on"), ..DEALS };
const DEALS_LOST: Source = Source { filter: "r.deleted_at IS NULL AND r.stage = 'lost'", ..DEALS_WON };
const VALUE_WON: Source =
    Source { currency: Some("r.currency"), amount: Amount::Of("r.amount"), ..DEALS_WON };
const WIN_RATE: Source = Source {
    filter: "r.deleted_at IS NULL AND r.stage IN ('won', 'lost')",
    amount: Amount::Of("CASE WHEN r.stage = 'won' THEN 1 ELSE 0 END"),
    ..DEALS_WON
};
const PIPELINE_VALUE: Source = Source {
    filter: "r.deleted_at IS NULL AND r.stage IN ('lead', 'qualified', 'proposal', 'negotiation')",
    series: By::Word("r.stage"),
    currency: Some("r.currency"),
    amount: Amount::Of("r.amount"),
    ..DEALS
};

macro_rules! not_deleted {
    ($and:literal) => {
        // Few are deleted: they are looked up once, and no deal is looked up for its stages. $1 is the workspace in every
        // statement of a source.
        concat!(
            $and,
            " AND r.deal_id NOT IN (SELECT gone.id FROM deals gone WHERE gone.workspace_id = $1 \
             AND gone.deleted_at IS NOT NULL)"
        )
    };
}

const PIPELINE: Source = Source {
    table: "deal_stages",
    filter: not_deleted!("r.stage IN ('lead', 'qualified', 'proposal', 'negotiation')"),
    begins: At::Moment("r.entered_at"),
    ends: Some(At::Moment("r.left_at")),
    series: By::Word("r.stage"),
    id: "r.deal_id",
    title: "(SELECT named.name FROM deals named WHERE named.id = r.deal_id AND named.workspace_id = r.workspace_id)",
    ..BASE
};
const TIME_IN_STAGE: Source = Source {
    filter: not_deleted!("r.left_at IS NOT NULL"),
    begins: At::Moment("r.left_at"),
    ends: None,
    amount: Amount::SecondsBetween("r.entered_at", "r.left_at"),
    ..PIPELINE
};

macro_rules! of_open_project {
    ($and:literal) => {
        // As lists of open tasks have it (`data/open_tasks.rs`). $1 is the workspace here too.
        concat!(
            $and,
            " AND r.project_id NOT IN (SELECT closed.id FROM projects closed WHERE closed.workspace_id = $1 \
             AND closed.status IN ('completed', 'cancelled'))"
        )
    };
}

const TASKS: Source =
    Source { table: "project_tasks", filter: "r.deleted_at IS NULL", title: "r.title", ..BASE };
const TASKS_COMPLETED: Source = Source { begins: At::Day("r.completed_on"), ..TASKS };
const TASKS_OVERDUE: Source = Source {
    filter: of_open_project!("r.deleted_at IS NULL"),
    begins: At::DayAfter("r.due_on"),
    ends: Some(At::Day("r.completed_on")),
    ..TASKS
};
const TASKS_BLOCKED: Source =
    Source { filter: of_open_project!("r.deleted_at IS NULL AND r.status = 'blocked'"), ..TASKS };

const CONVERSATION: &str = "LEFT JOIN agent_conversations c ON c.id = r.conversation_id";

const CALLS: Source = Source {
    table: "model_usage",
    joins: CONVERSATION,
    series: By::Agent,
    work: Some(Work { agent: "r.agent_id", profile: "r.profile_id" }),
    ..BASE
};

const TURNS: Source = Source {
    table: "tasks",
    joins: CONVERSATION,
    filter: "r.parent_id IS NULL",
    series: By::Agent,
    work: Some(Work { agent: "r.agent_id", profile: "c.user_id" }),
    ..BASE
};
const TOKENS: Source = Source { amount: Amount::Of("r.input_tokens + r.output_tokens"), ..CALLS };
const COST: Source = Source { amount: Amount::Of("COALESCE(r.cost_micros, 0)"), ..CALLS };
const HANDOFFS: Source = Source {
    table: "transitions",
    joins: CONVERSATION,
    series: By::Word("r.outcome"),
    work: Some(Work { agent: "r.from_agent_id", profile: "c.user_id" }),
    ..BASE
};
const APPROVALS: Source = Source {
    table: "approvals",
    joins: CONVERSATION,
    series: By::Word("r.status"),
    work: Some(Work { agent: "r.agent_id", profile: "c.user_id" }),
    ..BASE
};

/// None: it is counted from kept sums.
pub fn of(figure: &Figure) -> Option<&'static Source> {
    Some(match figure.name {
        "tasks-created" => &TASKS,
        "tasks-completed" => &TASKS_COMPLETED,
        "tasks-overdue" => &TASKS_OVERDUE,
        "tasks-blocked" => &TASKS_BLOCKED,
        "new-deals" => &DEALS,
        "deals-won" => &DEALS_WON,
        "deals-lost" => &DEALS_LOST,
        "value-won" => &VALUE_WON,
        "win-rate" => &WIN_RATE,
        "pipeline" => &PIPELINE,
        "pipeline-value" => &PIPELINE_VALUE,
        "time-in-stage" => &TIME_IN_STAGE,
        "turns" => &TURNS,
        "tokens" => &TOKENS,
        "agent-cost" => &COST,
        "handoffs" => &HANDOFFS,
        "approvals" => &APPROVALS,
        _ => return None,
    })
}
