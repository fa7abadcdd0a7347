//! Figures over tasks, against every task gone through one by one, and against their rows.

use baton_core::figures::{FIGURES, FigureArea, Grain};
use baton_core::reports::Period;
use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, Statement, Value};
use uuid::Uuid;

use super::{ask, compare_with_rows, scope_of};
use crate::cast::Cast;
use crate::reports::book::day;
use crate::reports::seed;

struct Task {
    created: NaiveDate,
    due: Option<NaiveDate>,
    done: Option<NaiveDate>,
    status: &'static str,
    is_deleted: bool,
    /// Its project is completed or cancelled.
    is_closed: bool,
}

/// A project of each status.
const PROJECTS: [&str; 5] = ["planned", "active", "paused", "completed", "cancelled"];

fn task(rng: &mut fastrand::Rng, is_closed: bool) -> (Task, DateTime<Utc>) {
    let begin: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().unwrap();
    let at = begin + TimeDelta::seconds(rng.i64(0..200 * 86_400));
    let created = (at + TimeDelta::minutes(330)).date_naive();
    // Some are done on the day they are due, some a day later, some before.
    let due = (rng.u8(0..4) > 0).then(|| created + Days::new(rng.u64(0..40)));
    let done = (rng.u8(0..3) > 0).then(|| created + Days::new(rng.u64(0..60)));
    let status = match done {
        Some(_) => "done",
        None => ["todo", "in_progress", "blocked"][rng.usize(0..3)],
    };
    (Task { created, due, done, status, is_deleted: rng.u8(0..8) == 0, is_closed }, at)
}

/// None where it can't be known.
fn naive(tasks: &[Task], name: &str, bucket: Period, today: NaiveDate) -> Option<i64> {
    let end = bucket.to.min(today);
    let counts = |task: &&Task| match name {
        "tasks-created" => bucket.contains(task.created),
        "tasks-completed" => task.done.is_some_and(|done| bucket.contains(done)),
        "tasks-overdue" => {
            task.due.is_some_and(|due| due < end)
                && task.done.is_none_or(|done| done > end)
                && !task.is_closed
        }
        _ => task.status == "blocked" && !task.is_closed,
    };
    let is_unknown =
        name == "tasks-overdue" && bucket.from > today || name == "tasks-blocked" && !bucket.contains(today);
    (!is_unknown).then(|| tasks.iter().filter(|task| !task.is_deleted).filter(counts).count() as i64)
}

#[tokio::test]
async fn figures_over_tasks_are_what_the_tasks_say() {
    let seed = seed();
    let mut rng = fastrand::Rng::with_seed(seed);
    let cast = Cast::gather().await;
    let raw = cast.told.raw().await;
    let mut projects = Vec::new();
    for status in PROJECTS {
        let id = Uuid::now_v7();
        let sql = "INSERT INTO projects (id, workspace_id, name, status, search_text, version, created_at, updated_at) \
                   VALUES ($1, $2, $3, $3, '', 1, $4, $4)";
        let values: Vec<Value> = vec![id.into(), cast.workspace.0.into(), status.into(), Utc::now().into()];
        raw.execute_raw(Statement::from_sql_and_values(raw.get_database_backend(), sql, values))
            .await
            .unwrap();
        projects.push((id, ["completed", "cancelled"].contains(&status)));
    }
    let mut tasks = Vec::new();
    for _ in 0..120 {
        let (project, is_closed) = projects[rng.usize(0..projects.len())];
        let (task, at) = task(&mut rng, is_closed);
        let values: Vec<Value> = vec![
            Uuid::now_v7().into(),
            cast.workspace.0.into(),
            task.status.into(),
            task.due.into(),
            task.done.into(),
            task.is_deleted.then_some(at).into(),
            at.into(),
            project.into(),
        ];
        let sql = "INSERT INTO project_tasks (id, workspace_id, title, project_id, status, due_on, completed_on, deleted_at, \
                   priority, search_text, version, created_at, updated_at) \
                   VALUES ($1, $2, 'Paint', $8, $3, $4, $5, $6, 'normal', '', 1, $7, $7)";
        raw.execute_raw(Statement::from_sql_and_values(raw.get_database_backend(), sql, values))
            .await
            .unwrap();
        tasks.push(task);
    }
    let (today, mut compared) = (day("2026-10-20"), 0);
    for round in 0..6 {
        let by = Grain::ALL[round % 3];
        let from = day("2026-01-03") + Days::new(if round > 2 { 270 } else { rng.u64(0..150) });
        let period = Period { from, to: from + Days::new(rng.u64(25..[40, 100, 200][by as usize])) };
        let scope = scope_of(&cast, today);
        for figure in FIGURES.iter().filter(|figure| figure.area == FigureArea::Projects) {
            let context = format!("BATON_SEED={seed}: {} by {by}, {period}", figure.name);
            let answer = ask(&cast.told.store, &scope, figure, period, by).await;
            for (place, bucket) in answer.buckets.iter().enumerate() {
                let told = answer.totals[0].values[place];
                assert_eq!(told, naive(&tasks, figure.name, *bucket, today), "{context}: {bucket}");
            }
            compared += compare_with_rows(&cast.told.store, &scope, &answer, &context).await;
        }
    }
    assert!(compared > 60, "{compared}");
    raw.close().await.unwrap();
    cast.told.end().await;
}
