//! Projects and their tasks: what agrees, what belongs together, and what is still to be done.

use baton_core::data::areas::Area;
use baton_core::data::kinds::{PROJECT_TASKS, PROJECTS};
use baton_core::data::projects::{Assignee, Due, OpenTasks, STEP, TasksBy};
use baton_core::data::rows::{Change, Once, RowChange, RowQuery};
use baton_core::ids::ProfileId;
use baton_core::store::{CalendarFeeds, ChangesOf, Error, Projects, Rows, Workspaces};
use baton_core::workspaces::{NewInvitation, Role};
use chrono::{Duration, NaiveDate};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, changes_of, fields, words};
use crate::cast::now;

impl Desk {
    pub async fn project(&self, name: &str) -> Uuid {
        self.made(&PROJECTS, json!({"name": name})).await
    }

    pub async fn task(&self, project: Uuid, title: &str, more: Value) -> Uuid {
        let mut row = json!({"title": title, "project_id": project});
        row.as_object_mut().unwrap().extend(fields(more));
        self.made(&PROJECT_TASKS, row).await
    }

    /// The titles of all tasks that are not deleted.
    async fn titles(&self) -> Vec<String> {
        let query = RowQuery {
            limit: 100,
            order: Some(("title".to_owned(), baton_core::data::kind::Direction::Rising)),
            ..RowQuery::default()
        };
        let page = self.page(&PROJECT_TASKS, query).await;
        assert_eq!(page.total, page.rows.len() as u64);
        page.rows.iter().map(|row| row.fields["title"].as_str().unwrap().to_owned()).collect()
    }

    /// Somebody becomes a member of the workspace.
    async fn join(&self, person: ProfileId) {
        let store = &self.cast.told.store;
        let token_hash = Uuid::now_v7().into_bytes().to_vec();
        let invitation = NewInvitation {
            workspace_id: self.cast.workspace,
            token_hash: token_hash.clone(),
            email: None,
            role: Role::Member,
            invited_by: self.cast.ana,
            expires_at: now() + Duration::hours(1),
        };
        store.invite(invitation).await.unwrap();
        store.accept_invitation(&token_hash, person).await.unwrap();
    }

    async fn open(&self, asked: OpenTasks) -> Vec<String> {
        let asked = OpenTasks { limit: 10, ..asked };
        let page = self.cast.told.store.open_tasks(self.scope, asked).await.unwrap();
        assert_eq!((page.total, page.is_counted), (page.rows.len() as u64, true));
        page.rows.iter().map(|row| row.fields["title"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn a_task_is_in_the_project_of_its_parent() {
    let desk = Desk::set_up().await;
    let (move_, site) = (desk.project("Office move").await, desk.project("Website").await);
    let top = desk.task(move_, "Pack", json!({})).await;
    let below = desk.task(move_, "Buy boxes", json!({"parent_id": top})).await;
    let last = desk.task(move_, "Ask for prices", json!({"parent_id": below})).await;
    let elsewhere = desk.task(site, "Imprint", json!({})).await;
    for (id, change, said) in [
        (top, json!({"parent_id": top}), "must not be the task itself"),
        (top, json!({"parent_id": last}), "must not be the task itself or one of its subtasks"),
        (elsewhere, json!({"parent_id": top}), "must be a task of the same project, and \"Imprint\""),
        (below, json!({"project_id": site}), "must be a task of the same project, and \"Buy boxes\""),
    ] {
        let told = words(desk.set(&PROJECT_TASKS, id, change.clone()).await);
        assert!(told.contains(said), "{change}: {told}");
    }
    let other =
        desk.create(&PROJECT_TASKS, json!({"title": "X", "project_id": site, "parent_id": top})).await;
    assert!(words(other).contains("same project"));

    // A task takes its subtasks along, also back.
    let outcome = desk.set(&PROJECT_TASKS, top, json!({"project_id": site})).await.unwrap();
    assert_eq!((&outcome["changed"], &outcome["rows"][0]["id"]), (&json!(3), &json!(top)));
    for id in [top, below, last] {
        assert_eq!(desk.row(&PROJECT_TASKS, id).await.fields["project_id"], json!(site));
    }
    desk.undo(changes_of(&outcome)).await.unwrap();
    for id in [top, below, last] {
        assert_eq!(desk.row(&PROJECT_TASKS, id).await.fields["project_id"], json!(move_));
    }
    let outcome = desk.set(&PROJECT_TASKS, top, json!({"project_id": site})).await.unwrap();
    desk.undo(changes_of(&outcome)[..1].to_vec()).await.unwrap();
    assert_eq!(desk.row(&PROJECT_TASKS, last).await.fields["project_id"], json!(move_));
    // One goes alone if it leaves its task.
    desk.set(&PROJECT_TASKS, below, json!({"project_id": site, "parent_id": null})).await.unwrap();
    assert_eq!(desk.row(&PROJECT_TASKS, last).await.fields["project_id"], json!(site));
    desk.end().await;
}

#[tokio::test]
async fn what_is_deleted_together_comes_back_together() {
    let desk = Desk::set_up().await;
    let store = &desk.cast.told.store;
    let project = desk.project("Office move").await;
    let top = desk.task(project, "Pack", json!({})).await;
    let below = desk.task(project, "Buy boxes", json!({"parent_id": top})).await;
    desk.task(project, "Ask for prices", json!({"parent_id": below})).await;
    desk.task(project, "Sign the lease", json!({})).await;
    let all = ["Ask for prices", "Buy boxes", "Pack", "Sign the lease"];

    // A task, and one that was deleted before it and stays so.
    let gone = desk.task(project, "Old idea", json!({"parent_id": top})).await;
    desk.delete(&PROJECT_TASKS, gone).await.unwrap();
    let outcome = desk.delete(&PROJECT_TASKS, top).await.unwrap();
    assert_eq!((&outcome["changed"], &outcome["rows"][0]["id"]), (&json!(3), &json!(top)));
    assert_eq!(desk.titles().await, ["Sign the lease"]);
    desk.change(&PROJECT_TASKS, Change::Restore { id: top }).await.unwrap();
    assert_eq!(desk.titles().await, all);

    // A project, by all of its changes, or by its own alone.
    for first_only in [false, true] {
        let outcome = desk.delete(&PROJECTS, project).await.unwrap();
        assert_eq!((&outcome["changed"], &outcome["rows"][0]["id"]), (&json!(5), &json!(project)));
        assert!(desk.titles().await.is_empty());
        let alone = words(desk.change(&PROJECT_TASKS, Change::Restore { id: below }).await);
        assert_eq!(alone, "project_id names no project of this workspace");
        let mut changes = changes_of(&outcome);
        changes.truncate(if first_only { 1 } else { 5 });
        desk.undo(changes.clone()).await.unwrap();
        assert_eq!(desk.titles().await, all);
        assert_eq!(desk.row(&PROJECT_TASKS, below).await.titles["parent"], "Pack");
        assert!(words(desk.undo(changes).await).contains("was changed back already"));
    }

    // Making a project is not undone over the heads of its tasks.
    let of = ChangesOf::Row { kind: &PROJECTS, id: project };
    let made = store.changes(desk.scope, of, 50).await.unwrap().last().unwrap().id;
    assert!(words(desk.undo(vec![made]).await).contains("has tasks that hang on it by now"));
    desk.end().await;
}

#[tokio::test]
async fn tasks_know_when_they_were_done_and_where_they_stand() {
    let desk = Desk::set_up().await;
    let project = desk.project("Office move").await;
    let one = desk.task(project, "One", json!({})).await;
    let two = desk.task(project, "Two", json!({"status": "blocked", "blocked_reason": "the key"})).await;
    let three = desk.task(project, "Three", json!({})).await;
    let place = async |id: Uuid| desk.row(&PROJECT_TASKS, id).await.fields["position"].as_i64().unwrap();
    assert_eq!((place(one).await, place(two).await, place(three).await), (0, 0, STEP));
    desk.set(&PROJECT_TASKS, two, json!({"status": "todo", "position": STEP / 2})).await.unwrap();
    let query = RowQuery { limit: 10, ..RowQuery::default() };
    let shown: Vec<Uuid> = desk.page(&PROJECT_TASKS, query).await.rows.iter().map(|row| row.id).collect();
    assert_eq!(shown, [one, two, three]);
    assert_eq!(desk.row(&PROJECT_TASKS, two).await.fields["blocked_reason"], Value::Null);
    let done = desk.set(&PROJECT_TASKS, one, json!({"status": "done"})).await.unwrap();
    let row = desk.row(&PROJECT_TASKS, one).await;
    assert_eq!(row.fields["completed_on"], json!(now().date_naive().to_string()));
    desk.undo(changes_of(&done)).await.unwrap();
    let row = desk.row(&PROJECT_TASKS, one).await;
    assert_eq!((&row.fields["completed_on"], &row.fields["position"]), (&Value::Null, &json!(0)));
    let told = words(
        desk.create(&PROJECTS, json!({"name": "X", "starts_on": "2026-02-01", "due_on": "2026-01-01"})).await,
    );
    assert_eq!(told, "due_on must not be before starts_on");
    desk.end().await;
}

#[tokio::test]
async fn open_tasks_come_by_their_days_and_are_counted() {
    let desk = Desk::set_up().await;
    let store = &desk.cast.told.store;
    let (bob, _) = desk.cast.told.person("bob@example.org").await;
    let (move_, old) = (desk.project("Office move").await, desk.project("Last year").await);
    let ana = desk.cast.ana.0;
    desk.task(move_, "Someday", json!({"assignee_id": ana})).await;
    desk.task(move_, "Late", json!({"assignee_id": ana, "due_on": "2026-03-01", "status": "blocked"})).await;
    desk.task(move_, "Soon", json!({"due_on": "2026-03-20", "status": "in_progress"})).await;
    desk.task(move_, "Past", json!({"due_on": "2026-01-01", "status": "done"})).await;
    let gone = desk.task(move_, "Gone", json!({"due_on": "2026-01-01"})).await;
    desk.task(old, "Given up", json!({"due_on": "2026-01-01", "assignee_id": ana})).await;
    desk.delete(&PROJECT_TASKS, gone).await.unwrap();
    desk.set(&PROJECTS, old, json!({"status": "cancelled"})).await.unwrap();
    let stranger =
        desk.create(&PROJECT_TASKS, json!({"title": "X", "project_id": move_, "assignee_id": bob.id})).await;
    assert_eq!(words(stranger), "assignee_id names no member of this workspace");

    let day = |text: &str| text.parse::<NaiveDate>().unwrap();
    let any = OpenTasks::default;
    assert_eq!(desk.open(any()).await, ["Late", "Soon", "Someday"]);
    let until = OpenTasks { due: Due::Within(None, Some(day("2026-03-09"))), ..any() };
    assert_eq!(desk.open(until).await, ["Late"]);
    assert_eq!(desk.open(OpenTasks { due: Due::Within(None, None), ..any() }).await, ["Late", "Soon"]);
    assert_eq!(desk.open(OpenTasks { due: Due::Never, ..any() }).await, ["Someday"]);
    let mine = OpenTasks { assignee: Some(Assignee::Person(ana)), ..any() };
    assert_eq!(desk.open(mine).await, ["Late", "Someday"]);
    assert_eq!(desk.open(OpenTasks { assignee: Some(Assignee::Nobody), ..any() }).await, ["Soon"]);
    assert_eq!(desk.open(OpenTasks { project: Some(old), ..any() }).await, ["Given up"]);
    assert_eq!(desk.open(OpenTasks { statuses: vec!["blocked".to_owned()], ..any() }).await, ["Late"]);
    assert_eq!(desk.open(OpenTasks { search: Some("some".to_owned()), ..any() }).await, ["Someday"]);

    let progress = store.task_progress(desk.scope, TasksBy::Project, day("2026-03-10")).await.unwrap();
    let of = |id: Uuid| progress.iter().find(|(of, _)| *of == id).unwrap().1;
    let it = of(move_);
    assert_eq!((it.todo, it.in_progress, it.blocked, it.done, it.overdue), (1, 1, 1, 1, 1));
    assert_eq!((it.next_due_on, it.percent()), (Some(day("2026-03-01")), Some(25)));
    assert_eq!(of(old).overdue, 1);
    let people = store.task_progress(desk.scope, TasksBy::Assignee, day("2026-03-10")).await.unwrap();
    assert_eq!((people.len(), people[0].0, people[0].1.open()), (1, ana, 2));

    // What changed, of this area alone.
    desk.account("Giro").await;
    let since = |since| ChangesOf::Area { area: Area::Projects, since };
    let changes = store.changes(desk.scope, since(now() - Duration::hours(1)), 100).await.unwrap();
    assert_eq!(changes.len(), 10);
    assert!(changes.iter().all(|change| change.kind.starts_with("project")));
    assert!(store.changes(desk.scope, since(now() + Duration::hours(1)), 100).await.unwrap().is_empty());
    desk.end().await;
}

#[tokio::test]
async fn a_project_with_very_many_tasks_is_not_deleted_by_the_way() {
    let desk = Desk::set_up().await;
    let project = desk.project("Everything").await;
    for _ in 0..2 {
        let new = |at: u32| RowChange {
            kind: &PROJECT_TASKS,
            change: Change::Create {
                id: Uuid::now_v7(),
                fields: fields(json!({"title": format!("{at}"), "project_id": project})),
            },
        };
        let many = (0..500).map(new).collect();
        desk.cast.told.store.change_rows(&Once::Unkeyed, desk.scope, desk.author, many).await.unwrap();
    }
    assert!(words(desk.delete(&PROJECTS, project).await).contains("more than 999 tasks"));
    desk.end().await;
}

#[tokio::test]
async fn the_address_of_a_calendar_is_its_members() {
    let desk = Desk::set_up().await;
    let (store, workspace) = (&desk.cast.told.store, desk.cast.workspace);
    let (bob, _) = desk.cast.told.person("bob@example.org").await;
    desk.join(bob.id).await;
    assert_eq!(store.calendar_feed(workspace, bob.id).await.unwrap(), None);
    store.make_calendar_feed(workspace, bob.id, vec![1; 32]).await.unwrap();
    let made = store.make_calendar_feed(workspace, bob.id, vec![2; 32]).await.unwrap();
    assert_eq!(store.calendar_feed(workspace, bob.id).await.unwrap(), Some(made));
    assert_eq!(store.calendar_feed_owner(&[1; 32]).await.unwrap(), None, "the earlier one is gone");
    assert_eq!(store.calendar_feed_owner(&[2; 32]).await.unwrap(), Some((workspace, bob.id)));
    store.delete_calendar_feed(workspace, bob.id).await.unwrap();
    assert_eq!(store.calendar_feed_owner(&[2; 32]).await.unwrap(), None);
    assert!(matches!(store.delete_calendar_feed(workspace, bob.id).await, Err(Error::NotFound(_))));
    store.make_calendar_feed(workspace, bob.id, vec![2; 32]).await.unwrap();
    store.remove_member(workspace, desk.cast.ana, bob.id).await.unwrap();
    assert_eq!(store.calendar_feed_owner(&[2; 32]).await.unwrap(), None);
    desk.join(bob.id).await;
    assert_eq!(store.calendar_feed_owner(&[2; 32]).await.unwrap(), None, "nor does it come back with them");
    desk.end().await;
}
