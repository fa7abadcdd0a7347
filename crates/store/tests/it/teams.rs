use baton_core::agents::{AgentChanges, AgentDefinition, Author, PermissionMode};
use baton_core::catalog::Publish;
use baton_core::conversations::NewConversation;
use baton_core::ids::{AgentId, ProfileId, TeamId, WorkspaceId};
use baton_core::listing::Window;
use baton_core::packs::Pack;
use baton_core::store::{
    Agents, Catalog, Conversations, DefinedTools, Error, Result, Store, Teams, Workspaces,
};
use baton_core::teams::{Member, Origin, Stage, TeamDefinition, TeamKind};
use baton_core::visitors::Person;
use baton_core::workspaces::Role;
use serde_json::json;

use crate::{Told, pack};

pub async fn agent(told: &Told, workspace: WorkspaceId, name: &str, by: ProfileId) -> AgentId {
    let definition = AgentDefinition::new(name, "You work.").unwrap();
    told.store.create_agent(workspace, definition, Author::in_person(by, Role::Owner)).await.unwrap().id
}

fn member(agent_id: AgentId) -> Member {
    Member { agent_id, is_entry: false, priority: 0, stage: None }
}

fn team(name: &str, kind: TeamKind, members: Vec<Member>) -> TeamDefinition {
    let definition = TeamDefinition {
        name: name.into(),
        description: None,
        kind,
        members,
        router_model: None,
        router_instructions: None,
        is_public: false,
        starters: vec![],
    };
    definition.checked().unwrap()
}

#[track_caller]
fn refused_at<T: std::fmt::Debug>(result: Result<T>, field: &str) {
    match result {
        Err(Error::Invalid(invalid)) => assert_eq!(invalid.field, field),
        other => panic!("{other:?} should be refused at {field}"),
    }
}

#[tokio::test]
async fn a_team_is_made_changed_and_deleted() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let (ben, elsewhere) = told.person("ben@example.org").await;
    let [one, two] =
        [agent(&told, workspace, "One", ana.id).await, agent(&told, workspace, "Two", ana.id).await];
    let theirs = agent(&told, elsewhere, "Theirs", ben.id).await;
    let both = || vec![member(one), Member { is_entry: true, priority: 7, ..member(two) }];

    let made =
        store.create_team(workspace, team("The Desk", TeamKind::Router, both()), ana.id).await.unwrap();
    assert_eq!((made.slug.as_str(), made.pack.clone(), made.created_by), ("the-desk", None, Some(ana.id)));
    assert_eq!(made.definition.members[1].priority, 7);
    assert_eq!(made.definition.entry().unwrap().agent_id, two);
    assert_eq!(store.team(made.id).await.unwrap(), made);

    let again = store.create_team(workspace, team("The Desk", TeamKind::Swarm, both()), ana.id).await;
    assert!(matches!(again, Err(Error::NameTaken { what: "team", field: "name" })));
    let close =
        store.create_team(workspace, team("the desk", TeamKind::Swarm, both()), ana.id).await.unwrap();
    assert_eq!(close.slug, "the-desk-2");
    for stranger in [theirs, AgentId::new()] {
        let mixed = team("Mixed", TeamKind::Swarm, vec![member(one), member(stranger)]);
        refused_at(store.create_team(workspace, mixed, ana.id).await, "members[1].agentId");
    }

    let stage = Stage {
        name: "first".into(),
        output_schema: json!({"type": "object", "properties": {"goal": {"type": "string"}}}),
        instructions: Some("Ask.".into()),
    };
    let line = team("Line", TeamKind::Pipeline, vec![Member { stage: Some(stage), ..member(one) }]);
    let changed = store.change_team(close.id, line.clone(), ana.id).await.unwrap();
    assert_eq!((&changed.definition, changed.slug.as_str()), (&line, "the-desk-2"));
    assert!(changed.definition.members[0].is_entry, "the first stage");
    let taken = store.change_team(close.id, TeamDefinition { name: "The Desk".into(), ..line }, ana.id).await;
    assert!(matches!(taken, Err(Error::NameTaken { .. })));
    let names: Vec<String> =
        store.teams(workspace).await.unwrap().into_iter().map(|team| team.definition.name).collect();
    assert_eq!(names, ["Line", "The Desk"]);
    assert!(store.teams(elsewhere).await.unwrap().is_empty());

    let export = crate::whole(store.export_workspace(workspace, ana.id).await.unwrap()).await;
    assert_eq!(export["teams"][0]["members"][0]["stage"]["name"], "first");
    store.delete_team(close.id, ana.id).await.unwrap();
    for gone in [close.id, TeamId::new()] {
        assert!(matches!(store.team(gone).await, Err(Error::NotFound("team"))));
        assert!(matches!(store.delete_team(gone, ana.id).await, Err(Error::NotFound("team"))));
    }
    let audit = store.audit(workspace, Window { limit: 50, offset: 0 }).await.unwrap();
    for action in ["team.created", "team.changed", "team.deleted"] {
        assert!(audit.rows.iter().any(|event| event.action == action), "{action}");
    }
    told.end().await;
}

#[tokio::test]
async fn who_is_let_go_stays_in_the_team_and_its_conversations_outlive_it() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let [one, two] =
        [agent(&told, workspace, "One", ana.id).await, agent(&told, workspace, "Two", ana.id).await];
    let desk = team("Desk", TeamKind::Swarm, vec![member(one), member(two)]);
    let made = store.create_team(workspace, desk.clone(), ana.id).await.unwrap();
    store.unhire(two, Author::in_person(ana.id, Role::Owner)).await.unwrap();
    assert_eq!(store.team(made.id).await.unwrap(), made);
    let renamed = TeamDefinition { name: "Our Desk".into(), ..desk.clone() };
    let renamed = store.change_team(made.id, renamed, ana.id).await.unwrap();
    assert_eq!(renamed.definition.members, desk.members, "who was in it may stay");
    let other = TeamDefinition { name: "Other".into(), ..desk };
    refused_at(store.create_team(workspace, other, ana.id).await, "members[1].agentId");

    let new = NewConversation {
        workspace_id: workspace,
        agent_id: one,
        team_id: Some(made.id),
        person: Person::Profile(ana.id),
        title: None,
    };
    let conversation = store.create_conversation(new).await.unwrap();
    assert_eq!(conversation.team_id, Some(made.id));
    store.delete_team(made.id, ana.id).await.unwrap();
    let left = store.conversation(conversation.id, conversation.person).await.unwrap();
    assert_eq!((left.team_id, left.agent_id), (None, one));
    told.end().await;
}

const SWARM: &str = r#"
    name = "swarm"
    title = "Swarm"
    description = "A lead and a specialist."
    [[agents]]
    slug = "lead"
    name = "Lead"
    description = "Leads."
    category = "crm"
    tools = ["handoff_to_specialist"]
    permission_mode = "bypassPermissions"
    is_default = true
    system_prompt = "You lead."
    [[agents]]
    slug = "specialist"
    name = "Specialist"
    description = "Knows."
    category = "crm"
    system_prompt = "You know."
    [[agents]]
    slug = "idle"
    name = "Idle"
    description = "Is in no team."
    category = "crm"
    system_prompt = "You wait."
    [[teams]]
    slug = "pair"
    name = "Pair"
    description = "Two."
    kind = "swarm"
    members = [{ agent = "lead", default = true }, { agent = "specialist", priority = 2 }]
    [[tools]]
    name = "handoff_to_specialist"
    type = "handoff"
    description = "For hard questions."
    target = "specialist"
    context_variables = [{ name = "question", type = "string", required = true }]
    handoff_instructions = "Answer it."
    [[tools]]
    name = "handoff_to_idle"
    type = "handoff"
    description = "For nothing."
    target = "idle"
"#;

async fn swarm(told: &Told) -> Pack {
    let swarm = pack(SWARM);
    told.store.apply_pack(&swarm, Publish::OverItsOwn).await.unwrap();
    swarm
}

#[tokio::test]
async fn a_packs_team_is_hired_in_one_step() {
    let told = Told::begin().await;
    let store = &told.store;
    let swarm = swarm(&told).await;
    let (ana, workspace) = told.person("ana@example.org").await;
    let default = store.workspace(workspace).await.unwrap().default_agent_id;

    let hired =
        store.hire_team(&swarm, "pair", workspace, Author::in_person(ana.id, Role::Member)).await.unwrap();
    assert_eq!(hired.pack, Some(Origin { pack: "swarm".into(), team: "pair".into() }));
    assert_eq!((hired.slug.as_str(), hired.definition.members[1].priority), ("pair", 2));
    let [lead, specialist] = [0, 1].map(|at| hired.definition.members[at].agent_id);
    assert_eq!(hired.definition.entry().unwrap().agent_id, lead);
    let lead = store.agent(lead).await.unwrap();
    assert_eq!(lead.definition.tools, ["handoff_to_specialist"]);
    assert_eq!(lead.definition.permission_mode, PermissionMode::Default, "a member loosens nothing");
    assert!(!lead.definition.is_default);
    assert_eq!(store.workspace(workspace).await.unwrap().default_agent_id, default);
    let tools = store.tools(workspace).await.unwrap();
    assert_eq!(tools.len(), 1, "nothing leads to who isn't in the team");
    assert_eq!(tools[0].definition.config.handoff().map(|to| to.target_agent_id), Some(specialist));
    assert_eq!(
        tools[0].definition.config.handoff().and_then(|to| to.handoff_instructions.as_deref()),
        Some("Answer it.")
    );

    let again = store.hire_team(&swarm, "pair", workspace, Author::in_person(ana.id, Role::Owner)).await;
    assert!(matches!(again, Err(Error::TeamHired)));
    let unknown = store.hire_team(&swarm, "trio", workspace, Author::in_person(ana.id, Role::Owner)).await;
    assert!(matches!(unknown, Err(Error::NotFound("team"))));
    let audit = store.audit(workspace, Window { limit: 50, offset: 0 }).await.unwrap();
    let event = audit.rows.iter().find(|event| event.action == "team.hired").unwrap();
    assert_eq!(event.details, json!({"pack": "swarm", "team": "pair"}));

    // Hired once more, it takes who is there, and brings back who was let go.
    store.delete_team(hired.id, ana.id).await.unwrap();
    store.unhire(specialist, Author::in_person(ana.id, Role::Owner)).await.unwrap();
    let rename = AgentChanges { name: Some("Our Lead".into()), ..AgentChanges::default() };
    store.change_agent(lead.id, rename, Author::in_person(ana.id, Role::Owner)).await.unwrap();
    let back =
        store.hire_team(&swarm, "pair", workspace, Author::in_person(ana.id, Role::Owner)).await.unwrap();
    assert_eq!(back.definition.members, hired.definition.members);
    assert!(store.agent(specialist).await.unwrap().is_active);
    assert_eq!(store.agent(lead.id).await.unwrap().definition.name, "Our Lead");
    assert_eq!(store.tools(workspace).await.unwrap(), tools);
    told.end().await;
}

#[tokio::test]
async fn hiring_a_team_happens_wholly_or_not_at_all() {
    let told = Told::begin().await;
    let store = &told.store;
    let swarm = swarm(&told).await;
    let (ana, workspace) = told.person("ana@example.org").await;
    let other = agent(&told, workspace, "Other", ana.id).await;
    let mine = crate::tools::handoff("handoff_to_specialist", other);
    let mine = store.create_tool(crate::tools::new(workspace, mine), ana.id).await.unwrap();
    let before = crate::whole(store.export_workspace(workspace, ana.id).await.unwrap()).await;

    let refused = store.hire_team(&swarm, "pair", workspace, Author::in_person(ana.id, Role::Owner)).await;
    assert!(matches!(refused, Err(Error::NameTaken { what: "tool", field: "name" })));
    let after = crate::whole(store.export_workspace(workspace, ana.id).await.unwrap()).await;
    assert_eq!((&after["agents"], &after["tools"]), (&before["agents"], &before["tools"]));
    store.delete_tool(mine.id, ana.id).await.unwrap();

    let people = vec![member(other), member(agent(&told, workspace, "More", ana.id).await)];
    let namesake = store.create_team(workspace, team("Pair", TeamKind::Swarm, people), ana.id).await.unwrap();
    let refused = store.hire_team(&swarm, "pair", workspace, Author::in_person(ana.id, Role::Owner)).await;
    assert!(matches!(refused, Err(Error::NameTaken { what: "team", .. })));
    assert!(store.tools(workspace).await.unwrap().is_empty(), "nothing was left behind");
    store.delete_team(namesake.id, ana.id).await.unwrap();

    // Two at once: one of them has hired it.
    let generation = store.generation();
    let (one, two) = tokio::join!(
        store.hire_team(&swarm, "pair", workspace, Author::in_person(ana.id, Role::Owner)),
        store.hire_team(&swarm, "pair", workspace, Author::in_person(ana.id, Role::Owner)),
    );
    assert_eq!([one.is_ok(), two.is_ok()].iter().filter(|won| **won).count(), 1);
    assert!(matches!(one.and(two), Err(Error::TeamHired)));
    assert!(generation.is_none() || store.generation() > generation, "what was kept is read again");
    told.end().await;
}
