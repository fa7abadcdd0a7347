//! Subtasks: a call asks another agent. Everything that the call creates is one commit, and so is everything that ends
//! with it.

use baton_core::access::AccessRefusal;
use baton_core::agents::{AgentChanges, Author, PermissionMode};
use baton_core::conversations::{ConversationQuery, ImportedMessage, MessageRole, Versions, With};
use baton_core::ids::{ActivationId, ConversationId, MessageId, TaskId};
use baton_core::log::{Step, TurnStatus};
use baton_core::people::{ProfileRights, Tier};
use baton_core::store::{Agents, Conversations, Error, Forks, Handoffs, People, Steps, Turns};
use baton_core::subtasks::{NewSubtask, Subtask};
use baton_core::turns::{After, Commit, Loaded, Refused};
use baton_core::visitors::Person;
use baton_core::workspaces::Role;

use super::desk::{Desk, RUNNING};
use super::faults::break_each_write;
use super::used;
use crate::cast::{Begun, attempt, called, done, now};

impl Desk {
    /// The first agent asks the second.
    fn ask(&self, begun: &Begun, loaded: &Loaded) -> (Commit, NewSubtask) {
        let new = NewSubtask {
            id: ConversationId::new(),
            activation_id: ActivationId::new(),
            task_id: TaskId::new(),
            parent_task_id: begun.task,
            agent_id: self.other,
            agent_name: "Ben".into(),
            node: self.cast.node,
            depth: 1,
            mode: PermissionMode::AcceptEdits,
            message_id: MessageId::new(),
            message: "How much is it?".into(),
            asked_by: "Vera".into(),
        };
        let steps = vec![called("c1"), Step::SubtaskCreated(new.created("c1"))];
        let commit = self.cast.commit(begun, loaded.conversation.last_seq, steps, RUNNING);
        (Commit { subtask: Some(new.clone()), ..commit }, new)
    }

    /// A turn in a subtask.
    fn begun(&self, new: &NewSubtask) -> Begun {
        Begun { id: new.id, task: new.task_id, message: new.message_id }
    }
}

#[tokio::test]
async fn one_agent_asks_another() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let ana = Person::Profile(cast.ana);
    let (begun, loaded) = desk.running().await;
    let (commit, new) = desk.ask(&begun, &loaded);
    assert_eq!(store.commit(&commit.clone()).await.unwrap().last_seq, loaded.conversation.last_seq + 2);
    assert!(matches!(store.commit(&commit).await, Err(Refused::Moved)), "once");

    let child = desk.load(new.id).await;
    let subtask = Subtask { parent_id: begun.id, depth: 1, mode: PermissionMode::AcceptEdits };
    assert_eq!(child.conversation.subtask, Some(subtask));
    assert_eq!((child.conversation.person, child.conversation.workspace_id), (ana, cast.workspace));
    let turn = child.turn.unwrap();
    assert_eq!((turn.task_id, turn.owner, turn.attempt), (new.task_id, Some(cast.node), 1));
    assert_eq!((child.holder(), child.steps.len()), (desk.other, 1));
    assert!(matches!(&child.steps[0].step, Step::User { content, .. } if content == "How much is it?"));
    assert_eq!(desk.load(begun.id).await.conversation.subtask, None);
    let kinds: Vec<_> =
        store.steps_after(begun.id, 0, 10).await.unwrap().iter().map(|step| step.step.kind()).collect();
    assert_eq!(kinds.last(), Some(&"subtask_created"));

    // It is there for its person, and in no list.
    let read = store.read_conversation(new.id, ana, None, 10).await.unwrap();
    assert_eq!(read.messages[0].metadata["askedBy"], "Vera");
    let query = |agent_id| ConversationQuery {
        workspace_id: cast.workspace,
        with: With::Agent(agent_id),
        person: ana,
        search: Some("much".into()),
        limit: 10,
        before: None,
    };
    assert!(store.conversations(query(desk.other)).await.unwrap().is_empty());
    let words = ImportedMessage { role: MessageRole::User, content: "And I?".into(), parts: None };
    let imported = store.import_messages(new.id, ana, vec![words]).await;
    assert!(matches!(imported, Err(Error::IsSubtask)));
    assert!(matches!(store.fork(new.id, ana, new.message_id).await, Err(Error::IsSubtask)));

    // Its turn runs like any other, and what it used is in the one tree.
    let mut answer = cast.commit(
        &desk.begun(&new),
        1,
        vec![done(TurnStatus::Completed)],
        After::Ended(TurnStatus::Completed),
    );
    answer.usage = vec![used(1, new.task_id, desk.other, Some(70))];
    store.commit(&answer).await.unwrap();
    for id in [begun.task, new.task_id] {
        let tree = store.task_tree(id, ana).await.unwrap();
        assert_eq!(tree.conversation_id, begun.id);
        let [root, under] = &tree.tasks[..] else { panic!("{:?}", tree.tasks) };
        assert_eq!((root.id, root.conversation_id, root.status.as_str()), (begun.task, begun.id, "running"));
        assert_eq!(
            (under.id, under.parent_id, under.conversation_id),
            (new.task_id, Some(begun.task), new.id)
        );
        assert_eq!((under.status.as_str(), under.spent.cost_micros), ("completed", Some(70)));
        assert_eq!(under.input["askedBy"], "Vera");
        assert_eq!(tree.steps.iter().filter(|step| step.task_id == Some(new.task_id)).count(), 2);
    }
    desk.close().await;
}

#[tokio::test]
async fn who_ends_stops_whom_they_asked_and_who_goes_takes_them_along() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let ana = Person::Profile(cast.ana);
    let (begun, loaded) = desk.running().await;
    let (commit, new) = desk.ask(&begun, &loaded);
    let last_seq = store.commit(&commit).await.unwrap().last_seq;
    // Who was asked asks in turn.
    let (mut deeper, below) = desk.ask(&desk.begun(&new), &desk.load(new.id).await);
    deeper.subtask.as_mut().unwrap().agent_id = cast.agent;
    store.commit(&deeper).await.unwrap();
    let tree = store.task_tree(begun.task, ana).await.unwrap();
    assert_eq!(
        tree.tasks.iter().map(|task| task.id).collect::<Vec<_>>(),
        [begun.task, new.task_id, below.task_id]
    );
    assert_eq!(tree.tasks[2].parent_id, Some(new.task_id));

    let (other, there) = desk.running().await;
    let mut ends = cast.commit(
        &other,
        there.conversation.last_seq,
        vec![done(TurnStatus::Stopped)],
        After::Ended(TurnStatus::Stopped),
    );
    ends.stops = vec![new.id];
    store.commit(&ends).await.unwrap();
    assert!(!store.turn(new.id).await.unwrap().unwrap().stop_requested, "asked for by someone else");
    let mut ends =
        cast.commit(&begun, last_seq, vec![done(TurnStatus::Stopped)], After::Ended(TurnStatus::Stopped));
    ends.stops = vec![new.id];
    store.commit(&ends).await.unwrap();
    assert!(store.turn(new.id).await.unwrap().unwrap().stop_requested);
    assert_eq!(store.stops_requested(cast.node).await.unwrap(), [new.task_id]);

    store.delete_conversation(begun.id, ana, Versions::All).await.unwrap();
    for id in [begun.id, new.id, below.id] {
        assert!(matches!(store.load(id).await, Err(Error::NotFound(_))));
        assert!(matches!(store.conversation(id, ana).await, Err(Error::NotFound(_))));
    }
    assert!(matches!(store.task_tree(below.task_id, ana).await, Err(Error::NotFound("task"))));
    let late = cast.commit(&desk.begun(&below), 1, vec![], RUNNING);
    assert!(matches!(store.commit(&late).await, Err(Refused::Fenced)));
    store.purge(now() + chrono::Duration::hours(1)).await.unwrap();
    assert!(!desk.everything().await.contains("How much is it?"));
    desk.close().await;
}

#[tokio::test]
async fn what_refuses_to_be_asked_leaves_nothing() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let (begun, loaded) = desk.running().await;
    let ask = || desk.ask(&begun, &loaded).0;
    let refused = async |what: &str, commit: Commit, is_so: fn(&Refused) -> bool| {
        let before = desk.everything().await;
        let refused = store.commit(&commit).await.expect_err(what);
        assert!(is_so(&refused), "{what}: {refused:?}");
        assert_eq!(desk.everything().await, before, "{what}");
    };
    let mut moved = ask();
    moved.last_seq = 1;
    refused("moved", moved, |refused| matches!(refused, Refused::Moved)).await;
    let mut fenced = ask();
    *attempt(&mut fenced) = 2;
    refused("fenced", fenced, |refused| matches!(refused, Refused::Fenced)).await;
    let tier = |tier| ProfileRights { tier: Some(tier), is_admin: None };
    store.set_rights(cast.ana, tier(Tier::Premium), None).await.unwrap();
    let restricted = AgentChanges { is_restricted: Some(true), ..Default::default() };
    store.change_agent(desk.other, restricted, Author::in_person(cast.ana, Role::Owner)).await.unwrap();
    store.set_rights(cast.ana, tier(Tier::Free), None).await.unwrap();
    refused("lapsed", ask(), |refused| matches!(refused, Refused::NotAllowed(AccessRefusal::Premium))).await;
    store.unhire(desk.other, Author::in_person(cast.ana, Role::Owner)).await.unwrap();
    refused("unhired", ask(), |refused| matches!(refused, Refused::TargetGone)).await;
    store.request_stop(begun.id, None, now()).await.unwrap();
    refused("stopped", ask(), |refused| matches!(refused, Refused::Stopped)).await;
    desk.close().await;
}

#[tokio::test]
async fn the_database_fails_at_each_write_of_it() {
    let desk = Desk::open().await;
    let prepare = async || {
        let (begun, loaded) = desk.running().await;
        let (commit, new) = desk.ask(&begun, &loaded);
        (new.id, commit)
    };
    let write = async |commit| desk.cast.told.store.commit(&commit).await.map(drop);
    let broke = break_each_write(&desk, prepare, write).await;
    for written in
        ["UPDATE agent_conversations", "INSERT agent_conversations", "INSERT activations", "INSERT tasks"]
    {
        assert!(broke.contains(written), "{written}: {broke:?}");
    }
    desk.close().await;
}

#[tokio::test]
async fn whom_an_agent_can_be_told_to_ask() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let slug = store.agent(desk.other).await.unwrap().slug;
    let lists = |tools: Vec<String>| AgentChanges { tools: Some(tools), ..Default::default() };
    let own = store.agent(cast.agent).await.unwrap().slug;
    for (tool, words) in
        [("ask_nobody".to_owned(), "there is no agent nobody"), (format!("ask_{own}"), "ask itself")]
    {
        let refused =
            store.change_agent(cast.agent, lists(vec![tool]), Author::in_person(cast.ana, Role::Owner)).await;
        assert!(
            matches!(&refused, Err(Error::Invalid(wrong)) if wrong.to_string().contains(words)),
            "{refused:?}"
        );
    }
    let tool = format!("ask_{slug}");
    let agent = store
        .change_agent(cast.agent, lists(vec![tool.clone()]), Author::in_person(cast.ana, Role::Owner))
        .await
        .unwrap();
    assert_eq!(agent.definition.tools, std::slice::from_ref(&tool));
    // Who leaves is no reason that nothing else can be changed.
    store.unhire(desk.other, Author::in_person(cast.ana, Role::Owner)).await.unwrap();
    store
        .change_agent(
            cast.agent,
            lists(vec![tool, "memory".into()]),
            Author::in_person(cast.ana, Role::Owner),
        )
        .await
        .unwrap();
    desk.close().await;
}
