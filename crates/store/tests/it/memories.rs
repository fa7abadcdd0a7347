use baton_core::ids::{AgentId, MemoryId, ProfileId, WorkspaceId};
use baton_core::listing::Window;
use baton_core::memories::{Memory, MemoryChanges, MemoryQuery, NewMemory, Scope, search_words};
use baton_core::store::{Error, Memories, People, Sessions, Workspaces};
use serde_json::Value;

use crate::Told;
use crate::conversations::first_agent;

struct Notes<'a> {
    told: &'a Told,
    workspace_id: WorkspaceId,
    agent_id: AgentId,
}

impl Notes<'_> {
    async fn keep(&self, scope: Scope, path: &str, content: &str, by: ProfileId) -> Result<Memory, Error> {
        let Self { workspace_id, agent_id, .. } = *self;
        let new = NewMemory { workspace_id, agent_id, scope, path: path.into(), content: content.into() };
        self.told.store.create_memory(new.checked()?, by).await
    }

    fn query(&self, person: Option<ProfileId>) -> MemoryQuery {
        let window = Window { limit: 50, offset: 0 };
        MemoryQuery { agent_id: self.agent_id, person, scope: None, search: None, window }
    }

    async fn paths(&self, query: MemoryQuery) -> Vec<String> {
        let page = self.told.store.memories(query).await.unwrap();
        assert_eq!(page.total, page.rows.len() as u64);
        page.rows.iter().map(|memory| memory.path_within().to_owned()).collect()
    }

    async fn recalled(&self, query: &str, person: ProfileId) -> Vec<String> {
        let words = search_words(query);
        let found = self.told.store.recall(self.agent_id, Some(person), None, &words, 3).await.unwrap();
        found.iter().map(|memory| memory.path_within().to_owned()).collect()
    }
}

#[tokio::test]
async fn everyone_sees_the_agents_notes_and_their_own() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace_id) = told.person("ana@example.org").await;
    let (ben, _) = told.person("ben@example.org").await;
    let agent_id = first_agent(&told, workspace_id).await;
    let notes = Notes { told: &told, workspace_id, agent_id };
    let hers = notes.keep(Scope::Own, "diet", "No meat", ana.id).await.unwrap();
    let his = notes.keep(Scope::Own, "diet", "Much meat", ben.id).await.unwrap();
    let house = notes.keep(Scope::Agent, "house/style", "Be BRÏEF", ana.id).await.unwrap();
    notes.keep(Scope::Agent, "People/list", "only looks like a person's", ana.id).await.unwrap();
    assert_eq!((hers.scope(), hers.path_within()), (Scope::Own, "diet"));
    assert_eq!((house.scope(), house.path.as_str()), (Scope::Agent, "house/style"));
    for (who, scope, count) in [(&ana, Scope::Own, 1), (&ben, Scope::Own, 1), (&ana, Scope::Agent, 2)] {
        let query = MemoryQuery { scope: Some(scope), ..notes.query(Some(who.id)) };
        assert_eq!(store.memories(query).await.unwrap().total, count);
    }

    assert_eq!(notes.paths(notes.query(Some(ana.id))).await, ["People/list", "house/style", "diet"]);
    assert_eq!(notes.paths(notes.query(None)).await, ["People/list", "house/style"]);
    let own = |person| MemoryQuery { scope: Some(Scope::Own), ..notes.query(person) };
    assert_eq!(notes.paths(own(Some(ben.id))).await, ["diet"]);
    assert!(notes.paths(own(None)).await.is_empty());
    let agents = MemoryQuery { scope: Some(Scope::Agent), ..notes.query(Some(ben.id)) };
    assert_eq!(notes.paths(agents).await.len(), 2);
    for (search, found) in
        [("meat", 1), ("much", 0), ("bRÏEF", 1), ("STYLE", 1), ("m_at", 0), (&*ana.id.to_string(), 0)]
    {
        let query = MemoryQuery { search: Some(search.into()), ..notes.query(Some(ana.id)) };
        assert_eq!(notes.paths(query).await.len(), found, "{search}");
    }

    let not_there = |result: Result<(), Error>| matches!(result, Err(Error::NotFound("memory")));
    assert!(not_there(store.memory(agent_id, his.id, Some(ana.id)).await.map(drop)));
    assert!(not_there(store.memory(agent_id, his.id, None).await.map(drop)));
    assert!(not_there(store.memory(AgentId::new(), hers.id, Some(ana.id)).await.map(drop)));
    let nothing = MemoryChanges::default();
    assert!(not_there(store.change_memory(agent_id, his.id, nothing, ana.id).await.map(drop)));
    assert!(not_there(store.delete_memory(agent_id, his.id, ana.id).await));
    assert!(not_there(store.delete_memory(agent_id, MemoryId::new(), ana.id).await));
    assert!(store.memory_at(agent_id, &his.path, Some(ana.id)).await.unwrap().is_none());
    assert_eq!(store.memory_at(agent_id, &hers.path, Some(ana.id)).await.unwrap(), Some(hers));
    told.end().await;
}

#[tokio::test]
async fn notes_are_changed_found_by_words_and_forgotten() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace_id) = told.person("ana@example.org").await;
    let (ben, elsewhere) = told.person("ben@example.org").await;
    let notes = Notes { told: &told, workspace_id, agent_id: first_agent(&told, workspace_id).await };
    let there = Notes { told: &told, workspace_id: elsewhere, agent_id: first_agent(&told, elsewhere).await };
    let one = notes.keep(Scope::Own, "trips", "Lisbon in MAY with the train", ana.id).await.unwrap();
    notes.keep(Scope::Own, "budget", "The train budget is 50", ana.id).await.unwrap();
    notes.keep(Scope::Agent, "rules/train", "Book second class", ana.id).await.unwrap();
    notes.keep(Scope::Own, "train", "his", ben.id).await.unwrap();
    there.keep(Scope::Own, "elsewhere", "hers", ana.id).await.unwrap();

    assert_eq!(
        notes.recalled("the train to Lisbon in May", ana.id).await,
        ["trips", "budget", "rules/train"]
    );
    assert_eq!(
        notes.recalled("second, budget", ana.id).await,
        ["budget", "rules/train"],
        "what the path names"
    );
    assert!(notes.recalled("?!", ana.id).await.is_empty());
    assert!(notes.recalled("his", ana.id).await.is_empty(), "nobody finds what another person said");

    let moved = MemoryChanges { path: Some("journeys/2027".into()), content: Some("Porto".into()) };
    let moved = store.change_memory(notes.agent_id, one.id, moved, ana.id).await.unwrap();
    assert_eq!((moved.scope(), moved.path_within()), (Scope::Own, "journeys/2027"));
    assert_eq!(notes.recalled("porto", ana.id).await, ["journeys/2027"]);
    assert!(notes.recalled("lisbon", ana.id).await.is_empty());
    let onto = MemoryChanges { path: Some("budget".into()), content: None };
    let taken = store.change_memory(notes.agent_id, one.id, onto, ana.id).await;
    assert!(matches!(taken, Err(Error::NameTaken { what: "memory", field: "path" })));
    assert!(matches!(notes.keep(Scope::Own, "budget", "x", ana.id).await, Err(Error::NameTaken { .. })));
    assert!(matches!(notes.keep(Scope::Agent, "people/x/y", "x", ana.id).await, Err(Error::Invalid(_))));

    let exported = |export: &Value| -> Vec<String> {
        let notes = export["memories"].as_array().unwrap();
        notes.iter().map(|note| note["path"].as_str().unwrap().to_owned()).collect()
    };
    let workspace = crate::whole(store.export_workspace(workspace_id, ana.id).await.unwrap()).await;
    assert_eq!(exported(&workspace), ["journeys/2027", "budget", "rules/train"]);
    let profile = crate::whole(store.export_profile(ana.id).await.unwrap()).await;
    assert_eq!(exported(&profile), ["journeys/2027", "budget", "elsewhere"]);

    store.delete_memory(notes.agent_id, one.id, ana.id).await.unwrap();
    let audit = store.audit(workspace_id, Window { limit: 50, offset: 0 }).await.unwrap();
    for action in ["memory.created", "memory.changed", "memory.deleted"] {
        let event = audit.rows.iter().find(|event| event.action == action).expect(action);
        assert_eq!(event.details, serde_json::json!({}), "what a note says is not in the audit");
    }

    // Ben's own notes go with him, wherever they are.
    store.delete_profile(ben.id).await.unwrap();
    store.delete_expired().await.unwrap();
    for notes in [&notes, &there] {
        let bens = MemoryQuery { scope: Some(Scope::Own), ..notes.query(Some(ben.id)) };
        assert_eq!(store.memories(bens).await.unwrap().total, 0, "here and elsewhere");
    }
    told.end().await;
}
