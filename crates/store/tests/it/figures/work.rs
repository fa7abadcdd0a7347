//! Figures of agents' work: counted for the person who asks, with nothing of other people's conversations but numbers.

use std::collections::BTreeMap;

use baton_core::figures::{FIGURES, FigureArea, Grain, RowsQuery};
use baton_core::ids::{AgentId, ProfileId};
use baton_core::reports::Period;
use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement, Value};
use uuid::Uuid;

use super::{ask, compare_with_rows, figure, open, scope_of};
use crate::cast::Cast;
use crate::reports::book::day;
use crate::reports::seed;

/// Something that was recorded, as a plain query finds it again.
struct Happened {
    figure: &'static str,
    key: String,
    at: DateTime<Utc>,
    person: ProfileId,
    count: i64,
}

struct Office {
    cast: Cast,
    raw: DatabaseConnection,
    ben: ProfileId,
    /// A conversation of each.
    conversations: Vec<(ProfileId, Uuid)>,
    happened: Vec<Happened>,
}

impl Office {
    /// Two members, the first of them the owner, who talk to the same agent.
    async fn open() -> Self {
        let cast = Cast::gather().await;
        let (ben, _) = cast.told.person("ben@example.org").await;
        let raw = cast.told.raw().await;
        let mut office = Self { cast, raw, ben: ben.id, conversations: vec![], happened: vec![] };
        let workspace = office.cast.workspace.0;
        let joined: DateTime<Utc> = "2025-01-01T00:00:00Z".parse().unwrap();
        office
            .run(
                "INSERT INTO workspace_members (workspace_id, profile_id, role, joined_at) VALUES ($1, $2, 'member', $3)",
                vec![workspace.into(), ben.id.0.into(), joined.into()],
            )
            .await;
        for (person, title) in [(office.cast.ana, "Of Ana"), (ben.id, "Of Ben, a secret")] {
            let id = Uuid::now_v7();
            office
                .run(
                    "INSERT INTO agent_conversations (id, workspace_id, agent_id, user_id, title, search_text, last_seq, \
                     created_at, updated_at) VALUES ($1, $2, $3, $4, $5, '', 0, $6, $6)",
                    vec![
                        id.into(),
                        workspace.into(),
                        office.cast.agent.0.into(),
                        person.0.into(),
                        title.into(),
                        joined.into(),
                    ],
                )
                .await;
            office.conversations.push((person, id));
        }
        office
    }

    async fn run(&self, sql: &str, values: Vec<Value>) {
        let statement = Statement::from_sql_and_values(self.raw.get_database_backend(), sql, values);
        self.raw.execute_raw(statement).await.unwrap();
    }

    fn note(&mut self, figure: &'static str, key: &str, at: DateTime<Utc>, person: ProfileId, count: i64) {
        self.happened.push(Happened { figure, key: key.to_owned(), at, person, count });
    }

    async fn work(&mut self, rng: &mut fastrand::Rng, number: usize) {
        let (workspace, agent) = (self.cast.workspace.0, self.cast.agent);
        let begin: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().unwrap();
        for _ in 0..number {
            let at = begin + TimeDelta::seconds(rng.i64(0..300 * 86_400));
            let (person, conversation) = *rng.choice(&self.conversations).unwrap();
            let (id, task) = (Uuid::now_v7(), Uuid::now_v7());
            let AgentId(agent_id) = agent;
            let key = agent_id.to_string();
            match rng.u8(0..4) {
                0 => {
                    let parent = rng.bool().then(Uuid::now_v7);
                    self.run(
                        "INSERT INTO tasks (id, workspace_id, conversation_id, agent_id, parent_id, master_task_id, status, \
                         input, context, created_at) VALUES ($1, $2, $3, $4, $5, $1, 'completed', $6, $6, $7)",
                        vec![
                            task.into(),
                            workspace.into(),
                            conversation.into(),
                            agent_id.into(),
                            parent.into(),
                            serde_json::json!({}).into(),
                            at.into(),
                        ],
                    )
                    .await;
                    if parent.is_none() {
                        self.note("turns", &key, at, person, 1);
                    }
                }
                1 => {
                    let (input, output) = (rng.i64(0..5_000), rng.i64(0..900));
                    let cost = rng.bool().then(|| rng.i64(1..90_000));
                    self.run(
                        "INSERT INTO model_usage (id, workspace_id, conversation_id, task_id, agent_id, profile_id, model, \
                         input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost_micros, \
                         is_estimate, created_at) VALUES ($1, $2, $3, $4, $5, $6, 'm', $7, 0, 0, $8, 0, $9, false, $10)",
                        vec![
                            id.into(),
                            workspace.into(),
                            conversation.into(),
                            task.into(),
                            agent_id.into(),
                            person.0.into(),
                            input.into(),
                            output.into(),
                            cost.into(),
                            at.into(),
                        ],
                    )
                    .await;
                    self.note("tokens", &key, at, person, input + output);
                    self.note("agent-cost", &key, at, person, cost.unwrap_or(0));
                }
                2 => {
                    let outcome = *rng.choice(&["completed", "refused", "ignored", "rolled_back"]).unwrap();
                    self.run(
                        "INSERT INTO transitions (id, workspace_id, conversation_id, trigger, from_agent_id, outcome, \
                         latency_ms, tokens_full, tokens_sent, created_at) VALUES ($1, $2, $3, 'model', $4, $5, 1, 1, 1, $6)",
                        vec![
                            id.into(),
                            workspace.into(),
                            conversation.into(),
                            agent_id.into(),
                            outcome.into(),
                            at.into(),
                        ],
                    )
                    .await;
                    self.note("handoffs", outcome, at, person, 1);
                }
                _ => {
                    let status = *rng.choice(&["pending", "approved", "rejected"]).unwrap();
                    self.run(
                        "INSERT INTO approvals (id, workspace_id, conversation_id, task_id, agent_id, message_id, call_id, \
                         tool_name, args, args_hash, status, remember, expires_at, created_at) \
                         VALUES ($1, $2, $3, $4, $5, $1, 'c', 't', $6, 'h', $7, false, $8, $8)",
                        vec![
                            id.into(),
                            workspace.into(),
                            conversation.into(),
                            task.into(),
                            agent_id.into(),
                            serde_json::json!({}).into(),
                            status.into(),
                            at.into(),
                        ],
                    )
                    .await;
                    self.note("approvals", status, at, person, 1);
                }
            }
        }
    }

    /// By series, in days of a time zone that is five and a half hours ahead.
    fn naive(&self, name: &str, bucket: Period, only: Option<ProfileId>) -> BTreeMap<String, i64> {
        let mut told = BTreeMap::new();
        for one in self.happened.iter().filter(|one| one.figure == name) {
            let on: NaiveDate = (one.at + TimeDelta::minutes(330)).date_naive();
            if bucket.contains(on) && only.is_none_or(|person| person == one.person) {
                *told.entry(one.key.clone()).or_insert(0) += one.count;
            }
        }
        told.retain(|_, count| *count != 0);
        told
    }
}

#[tokio::test]
async fn figures_of_agents_work_are_what_was_recorded_and_open_to_own_rows_only() {
    let seed = seed();
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut office = Office::open().await;
    office.work(&mut rng, 240).await;
    let mut compared = 0;
    let (ana, ben) = (office.cast.ana, office.ben);
    for round in 0..9 {
        let by = Grain::ALL[round % 3];
        let from = day("2026-01-03") + Days::new(rng.u64(0..150));
        let period = Period { from, to: from + Days::new(rng.u64(5..[30, 100, 150][by as usize])) };
        let mut scope = scope_of(&office.cast, period.to);
        // An owner counts everyone's; a member their own.
        let only = rng.bool().then_some(ben);
        scope.profile_id = only.unwrap_or(ana);
        for figure in FIGURES.iter().filter(|figure| figure.area == FigureArea::Agents) {
            let context = format!("BATON_SEED={seed}: {} by {by}, {period}, {only:?}", figure.name);
            let answer = ask(&office.cast.told.store, &scope, figure, period, by).await;
            assert_eq!(answer.is_own, only.is_some());
            for (place, bucket) in answer.buckets.iter().enumerate() {
                let values =
                    answer.series.iter().map(|one| (one.key.clone(), one.values[place].unwrap_or(0)));
                let told: BTreeMap<String, i64> = values.filter(|(_, value)| *value != 0).collect();
                assert_eq!(told, office.naive(figure.name, *bucket, only), "{context}: {bucket}");
            }
            compared += compare_with_rows(&office.cast.told.store, &scope, &answer, &context).await;
        }
    }
    assert!(compared > 100, "{compared}");
    office.cast.told.end().await;
}

#[tokio::test]
async fn other_peoples_conversations_show_nothing_but_numbers() {
    let mut office = Office::open().await;
    office.work(&mut fastrand::Rng::with_seed(5), 120).await;
    let bucket = Period { from: day("2026-01-01"), to: day("2026-12-31") };
    let mut scope = scope_of(&office.cast, bucket.to);
    let store = &office.cast.told.store;
    let (of_ana, of_ben) = (office.conversations[0].1, office.conversations[1].1);
    for figure in FIGURES.iter().filter(|figure| figure.area == FigureArea::Agents) {
        let query = RowsQuery { figure, bucket, key: None, currency: None, limit: 100, offset: 0 };
        scope.profile_id = office.cast.ana;
        let (rows, others) = open(store, &scope, query.clone()).await;
        assert!(!rows.is_empty() && !others.is_empty(), "{}", figure.name);
        assert!(rows.iter().all(|row| row.conversation_id.is_some_and(|id| id.0 == of_ana)));
        assert!(rows.iter().all(|row| row.title == "Of Ana"));
        assert!(
            others.iter().all(|one| one.agent_id == office.cast.agent && one.agent != "Of Ben, a secret")
        );
        // Members hear nothing of others at all.
        scope.profile_id = office.ben;
        let (rows, others) = open(store, &scope, query.clone()).await;
        assert!(
            others.is_empty() && rows.iter().all(|row| row.conversation_id.is_some_and(|id| id.0 == of_ben))
        );
    }
    // Of a conversation that was deleted only the work is left.
    let gone = office.conversations[0].1;
    office
        .run("UPDATE agent_conversations SET deleted_at = updated_at WHERE id = $1", vec![gone.into()])
        .await;
    scope.profile_id = office.cast.ana;
    let query =
        RowsQuery { figure: figure("tokens"), bucket, key: None, currency: None, limit: 100, offset: 0 };
    let (rows, _) = open(store, &scope, query).await;
    assert!(!rows.is_empty());
    assert!(rows.iter().all(|row| row.title.is_empty() && row.conversation_id.is_none()));
    office.cast.told.end().await;
}
