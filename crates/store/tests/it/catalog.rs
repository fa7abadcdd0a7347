use baton_core::access::Viewer;
use baton_core::agents::{AgentChanges, AgentDefinition, Author, MAX_AGENTS, PermissionMode};
use baton_core::catalog::{AgentListing, Offer, Publish};
use baton_core::ids::WorkspaceId;
use baton_core::listing::{AgentQuery, Page, Window};
use baton_core::people::Tier;
use baton_core::rules::RuleChanges;
use baton_core::store::{Agents, Catalog, Error, Handoffs, Rules, Workspaces};
use baton_core::workspaces::Role;

use crate::{PACK, Told, pack};

const ALL: Window = Window { limit: 200, offset: 0 };

fn everything(workspace_id: WorkspaceId) -> AgentQuery {
    AgentQuery {
        workspace_id,
        search: None,
        category: None,
        department_id: None,
        hired_only: false,
        window: ALL,
    }
}

fn names(page: &Page<AgentListing>) -> Vec<&str> {
    page.rows.iter().filter_map(|row| row.definition()).map(|definition| definition.name.as_str()).collect()
}

fn change(set: impl FnOnce(&mut AgentChanges)) -> AgentChanges {
    let mut changes = AgentChanges::default();
    set(&mut changes);
    changes
}

#[tokio::test]
async fn a_pack_is_applied_once_and_an_admins_edit_stays() {
    let told = Told::begin().await;
    let store = &told.store;
    let same = store.apply_pack(&pack(PACK), Publish::OverItsOwn).await.unwrap();
    assert_eq!((same.created, same.updated, same.unchanged), (0, 0, 2));

    let (ana, _) = told.person("ana@example.org").await;
    let coach = store.catalog(Some("coach"), ALL).await.unwrap().rows.remove(0);
    let edited = change(|c| c.description = Some(Some("Edited here.".into())));
    let coach = store.change_catalog_agent(coach.id, edited, ana.id).await.unwrap();
    assert_eq!((coach.current_version, coach.published_version), (2, Some(1)));
    store.publish_catalog_agent(coach.id, 2, ana.id).await.unwrap();

    let newer = PACK.replace("Plans spending.", "Plans better.").replace("Reports.", "Reports more.");
    let applied = store.apply_pack(&pack(&newer), Publish::OverItsOwn).await.unwrap();
    assert_eq!((applied.updated, applied.kept_edits), (1, 1));
    let coach = store.catalog_agent(coach.id).await.unwrap();
    assert_eq!((coach.current_version, coach.published_version), (3, Some(2)), "the pack's version waits");
    let again = store.apply_pack(&pack(&newer), Publish::OverItsOwn).await.unwrap();
    assert_eq!(again.unchanged, 2);

    let newest = newer.replace("Plans better.", "Plans best.");
    store.apply_pack(&pack(&newest), Publish::Always).await.unwrap();
    let coach = store.catalog_agent(coach.id).await.unwrap();
    assert_eq!(coach.published_version, Some(coach.current_version), "told to publish, it does");
    assert_eq!(store.catalog_versions(coach.id).await.unwrap().len(), 4);

    store.publish_catalog_agent(coach.id, 1, ana.id).await.unwrap();
    let again = store.apply_pack(&pack(&newest), Publish::OverItsOwn).await.unwrap();
    assert_eq!(again.unchanged, 2, "at a start, an admin's choice stays");
    let again = store.apply_pack(&pack(&newest), Publish::Always).await.unwrap();
    assert_eq!((again.updated, again.unchanged), (1, 1), "by hand, the same file brings its version back");
    assert_eq!(store.catalog_agent(coach.id).await.unwrap().published_version, Some(4));
    assert_eq!(store.catalog_versions(coach.id).await.unwrap().len(), 4);
    told.end().await;
}

#[tokio::test]
async fn a_pack_does_not_take_over_an_admins_own_agent() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, _) = told.person("ana@example.org").await;
    let own = AgentDefinition::new("Translator", "Ours.").unwrap();
    let own = store.add_catalog_agent(own, ana.id).await.unwrap();
    let theirs = PACK.replace("uebersicht", "translator");
    let applied = store.apply_pack(&pack(&theirs), Publish::OverItsOwn).await.unwrap();
    assert_eq!(applied.kept_edits, 1);
    let own = store.catalog_agent(own.id).await.unwrap();
    assert_eq!((own.published_version, own.auto_hire), (None, false));
    told.end().await;
}

#[tokio::test]
async fn a_packs_rules_come_and_go_with_it() {
    let told = Told::begin().await;
    let store = &told.store;
    let coach = store.catalog(Some("coach"), ALL).await.unwrap().rows.remove(0);
    let names = || async {
        let rules = store.rules_of(None, Some(coach.id)).await.unwrap();
        rules.into_iter().map(|rule| format!("{}: {}", rule.name, rule.content)).collect::<Vec<_>>()
    };
    assert_eq!(names().await, ["Money: Name the currency."]);
    let (ana, _) = told.person("ana@example.org").await;
    let ours = RuleChanges {
        name: Some("Money".into()),
        content: Some("Ours.".into()),
        position: Some(9),
        ai_agent_ids: Some(vec![coach.id]),
        ..RuleChanges::default()
    };
    store.create_rule(None, ours, ana.id).await.unwrap();
    let changed = PACK.replace("Name the currency.", "Say the currency.");
    store.apply_pack(&pack(&changed), Publish::OverItsOwn).await.unwrap();
    assert_eq!(names().await, ["Money: Say the currency.", "Money: Ours."]);
    let renamed = changed.replace("name = \"Money\"", "name = \"Tone\"");
    store.apply_pack(&pack(&renamed), Publish::OverItsOwn).await.unwrap();
    assert_eq!(names().await, ["Tone: Say the currency.", "Money: Ours."]);
    told.end().await;
}

#[tokio::test]
async fn hiring_copies_and_rehiring_brings_back() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let viewer = Viewer::Profile(Tier::Free);
    let page = store.agents(everything(workspace), viewer).await.unwrap();
    assert_eq!(names(&page), ["Budget Coach", "Übersicht"]);
    let coach = page.rows[0].hired.clone().unwrap();
    let entry = coach.ai_agent_id.unwrap();
    assert!(matches!(
        store.hire(entry, workspace, Author::in_person(ana.id, Role::Owner)).await,
        Err(Error::AlreadyHired)
    ));

    store
        .change_agent(
            coach.id,
            change(|c| c.name = Some("Our Coach".into())),
            Author::in_person(ana.id, Role::Owner),
        )
        .await
        .unwrap();
    store.unhire(coach.id, Author::in_person(ana.id, Role::Owner)).await.unwrap();
    assert!(matches!(
        store.unhire(coach.id, Author::in_person(ana.id, Role::Owner)).await,
        Err(Error::NotFound("agent"))
    ));
    let page = store.agents(everything(workspace), viewer).await.unwrap();
    assert_eq!(page.rows.iter().filter(|row| row.hired.is_some()).count(), 1);
    assert_eq!(page.total, 2, "what was let go can be hired again");

    let (one, two) = tokio::join!(
        store.hire(entry, workspace, Author::in_person(ana.id, Role::Owner)),
        store.hire(entry, workspace, Author::in_person(ana.id, Role::Owner))
    );
    assert!(one.is_ok() != two.is_ok(), "hired exactly once");
    let back = store.agent(coach.id).await.unwrap();
    assert_eq!((back.definition.name.as_str(), back.slug.as_str()), ("Our Coach", "budget-coach"));
    assert!(back.is_active && back.definition.is_default);

    store
        .apply_pack(&pack(&PACK.replace("You coach.", "You coach well.")), Publish::OverItsOwn)
        .await
        .unwrap();
    let updated = store.update_agent(coach.id, Author::in_person(ana.id, Role::Owner)).await.unwrap();
    assert_eq!((updated.definition.name.as_str(), updated.hired_version), ("Budget Coach", Some(2)));
    assert_eq!(updated.definition.system_prompt, "You coach well.");
    told.end().await;
}

#[tokio::test]
async fn a_workspace_has_only_so_many_agents() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let owner = Author::in_person(ana.id, Role::Owner);
    let there = store.hired(workspace).await.unwrap();
    let make = |n: u64| {
        // A name each: a free slug is soon found.
        let definition = AgentDefinition::new(&format!("Agent {n}"), "You help.").unwrap();
        store.create_agent(workspace, definition, owner)
    };
    for n in there.len() as u64..MAX_AGENTS {
        make(n).await.unwrap();
    }
    let is_full = |error: Error| matches!(error, Error::TooMany { what: "agents", limit: MAX_AGENTS });
    assert!(is_full(make(MAX_AGENTS).await.unwrap_err()));
    // Whoever comes back counts as well.
    let coach = there[0].id;
    store.unhire(coach, owner).await.unwrap();
    make(MAX_AGENTS).await.unwrap();
    assert!(is_full(store.hire_back(coach, owner).await.unwrap_err()));
    let (_, elsewhere) = told.person("ben@example.org").await;
    assert_eq!(store.hired(elsewhere).await.unwrap().len(), there.len());
    told.end().await;
}

#[tokio::test]
async fn the_list_searches_filters_pages_and_hides() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let free = Viewer::Profile(Tier::Free);
    let mut own = AgentDefinition::new("Straßenplaner 50%_\\", "You plan.").unwrap();
    change(|c| c.is_restricted = Some(true)).apply(&mut own).unwrap();
    store.create_agent(workspace, own, Author::in_person(ana.id, Role::Owner)).await.unwrap();

    let count = |viewer, query: AgentQuery| async move { store.agents(query, viewer).await.unwrap().total };
    assert_eq!(count(free, everything(workspace)).await, 2, "restricted agents are not for free profiles");
    let premium = Viewer::Profile(Tier::Premium);
    assert_eq!(count(premium, everything(workspace)).await, 3);
    let search = |text: &str| AgentQuery { search: Some(text.into()), ..everything(workspace) };
    for (text, found) in [
        ("ÜBERSICHT", 1),
        ("übersicht", 1),
        ("STRASSEN", 1),
        ("50%_\\", 1),
        ("%", 1),
        ("_", 1),
        ("spending", 1),
        ("nothing like it", 0),
    ] {
        assert_eq!(count(premium, search(text)).await, found, "searching {text}");
    }
    let department = store.departments().await.unwrap()[0].id;
    let in_department = AgentQuery { department_id: Some(department), ..everything(workspace) };
    assert_eq!(count(premium, in_department).await, 1);
    let window = Window { limit: 1, offset: 1 };
    let page = store.agents(AgentQuery { window, ..everything(workspace) }, premium).await.unwrap();
    assert_eq!((page.rows.len(), page.total), (1, 3));

    let coach = store.catalog(Some("coach"), ALL).await.unwrap().rows.remove(0);
    store.offer_catalog_agent(coach.id, Offer::Disabled, ana.id).await.unwrap();
    assert_eq!(count(free, everything(workspace)).await, 1, "who hired it has it no more");
    let (ben, elsewhere) = told.person("ben@example.org").await;
    assert_eq!(count(free, everything(elsewhere)).await, 1, "a disabled agent is neither listed nor hired");
    assert!(matches!(
        store.hire(coach.id, elsewhere, Author::in_person(ben.id, Role::Owner)).await,
        Err(Error::NotFound("agent"))
    ));
    told.end().await;
}

#[tokio::test]
async fn what_is_disabled_is_gone_where_it_was_hired_and_back_without_taking_the_defaults_place() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let (ben, elsewhere) = told.person("ben@example.org").await;
    let coach = store.catalog(Some("coach"), ALL).await.unwrap().rows.remove(0);
    let copy = |workspace| async move {
        store.agent_listing(coach.id.0, Some(workspace)).await.unwrap().hired.expect("hired")
    };
    let (of_ana, of_ben) = (copy(workspace).await, copy(elsewhere).await);
    for (agent, by) in [(&of_ana, ana.id), (&of_ben, ben.id)] {
        store
            .change_agent(agent.id, change(|c| c.is_default = Some(true)), Author::in_person(by, Role::Owner))
            .await
            .unwrap();
    }
    let there = |workspace, agent| async move {
        Handoffs::hired(store, workspace).await.unwrap().iter().any(|hired| hired.id == agent)
    };
    store.offer_catalog_agent(coach.id, Offer::Disabled, ana.id).await.unwrap();
    assert!(!there(workspace, of_ana.id).await && !there(elsewhere, of_ben.id).await);
    assert!(!store.agent(of_ana.id).await.unwrap().is_active);
    assert_eq!(store.workspace(workspace).await.unwrap().default_agent_id, None);
    assert!(matches!(
        store.hire_back(of_ana.id, Author::in_person(ana.id, Role::Owner)).await,
        Err(Error::NotFound("agent"))
    ));

    // Ben chooses another meanwhile.
    let own = AgentDefinition { is_default: true, ..AgentDefinition::new("Own", "You help.").unwrap() };
    let own = store.create_agent(elsewhere, own, Author::in_person(ben.id, Role::Owner)).await.unwrap();
    store.offer_catalog_agent(coach.id, Offer::Enabled, ana.id).await.unwrap();
    store.offer_catalog_agent(coach.id, Offer::Enabled, ana.id).await.unwrap();
    assert!(there(workspace, of_ana.id).await && there(elsewhere, of_ben.id).await);
    assert_eq!(store.workspace(workspace).await.unwrap().default_agent_id, Some(of_ana.id));
    assert_eq!(store.workspace(elsewhere).await.unwrap().default_agent_id, Some(own.id));
    told.end().await;
}

#[tokio::test]
async fn unpublished_agents_are_nowhere() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let draft = AgentDefinition::new("Draft", "You wait.").unwrap();
    let draft = store.add_catalog_agent(draft, ana.id).await.unwrap();
    let free = Viewer::Profile(Tier::Free);
    assert_eq!(store.agents(everything(workspace), free).await.unwrap().total, 2);
    assert!(store.agent_listing(draft.id.0, Some(workspace)).await.is_err());
    assert!(store.hire(draft.id, workspace, Author::in_person(ana.id, Role::Owner)).await.is_err());
    assert!(matches!(
        store.publish_catalog_agent(draft.id, 9, ana.id).await,
        Err(Error::NotFound("version"))
    ));
    store.publish_catalog_agent(draft.id, 1, ana.id).await.unwrap();
    assert_eq!(store.agents(everything(workspace), free).await.unwrap().total, 3);
    let hired = store.hire(draft.id, workspace, Author::in_person(ana.id, Role::Owner)).await.unwrap();
    assert_eq!(hired.hired_version, Some(1));
    told.end().await;
}

#[tokio::test]
async fn a_members_hire_gets_nothing_that_is_for_admins() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let mut bold = AgentDefinition::new("Bold", "You act.").unwrap();
    bold.permission_mode = PermissionMode::BypassPermissions;
    let bold = store.add_catalog_agent(bold, ana.id).await.unwrap();
    store.publish_catalog_agent(bold.id, 1, ana.id).await.unwrap();
    let hired = store.hire(bold.id, workspace, Author::in_person(ana.id, Role::Member)).await.unwrap();
    assert_eq!(hired.definition.permission_mode, PermissionMode::Default);
    let bypass = change(|c| c.permission_mode = Some(PermissionMode::BypassPermissions));
    store.change_agent(hired.id, bypass, Author::in_person(ana.id, Role::Owner)).await.unwrap();
    store.unhire(hired.id, Author::in_person(ana.id, Role::Member)).await.unwrap();
    let back = store.hire(bold.id, workspace, Author::in_person(ana.id, Role::Member)).await.unwrap();
    assert_eq!(back.definition.permission_mode, PermissionMode::Default, "nor does hiring again");
    store.unhire(hired.id, Author::in_person(ana.id, Role::Owner)).await.unwrap();
    let refused = store.hire(bold.id, workspace, Author::in_person(ana.id, Role::Member)).await;
    assert!(matches!(refused, Err(Error::RoleTooLow)), "what an admin let go is for admins");
    told.end().await;
}

#[tokio::test]
async fn a_workspaces_own_agent_can_be_let_go_and_brought_back() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let own = AgentDefinition::new("Ours", "You are ours.").unwrap();
    let own = store.create_agent(workspace, own, Author::in_person(ana.id, Role::Owner)).await.unwrap();
    store.unhire(own.id, Author::in_person(ana.id, Role::Owner)).await.unwrap();
    let free = Viewer::Profile(Tier::Free);
    let page = store.agents(everything(workspace), free).await.unwrap();
    let row =
        page.rows.iter().find(|row| row.definition().is_some_and(|d| d.name == "Ours")).expect("offered");
    assert!(row.hired.as_ref().is_some_and(|agent| !agent.is_active));
    let hired_only = AgentQuery { hired_only: true, ..everything(workspace) };
    assert_eq!(store.agents(hired_only, free).await.unwrap().total, 2);
    assert!(store.hire_back(own.id, Author::in_person(ana.id, Role::Owner)).await.unwrap().is_active);
    assert!(matches!(
        store.hire_back(own.id, Author::in_person(ana.id, Role::Owner)).await,
        Err(Error::AlreadyHired)
    ));
    told.end().await;
}

#[tokio::test]
async fn rules_reach_the_agents_they_name() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let (_, elsewhere) = told.person("ben@example.org").await;
    let hired = |page: Page<AgentListing>| page.rows[0].hired.clone().unwrap();
    let free = Viewer::Profile(Tier::Free);
    let coach = hired(store.agents(everything(workspace), free).await.unwrap());
    let theirs = hired(store.agents(everything(elsewhere), free).await.unwrap());

    let rule = |agents| RuleChanges {
        name: Some("Tone".into()),
        content: Some("Be kind.".into()),
        position: Some(1),
        agent_ids: Some(agents),
        ..RuleChanges::default()
    };
    let foreign = store.create_rule(Some(workspace), rule(vec![theirs.id]), ana.id).await;
    assert!(matches!(foreign, Err(Error::Invalid(_))));
    assert!(store.rules(Some(workspace)).await.unwrap().is_empty(), "a refused rule leaves nothing");
    let made = store.create_rule(Some(workspace), rule(vec![coach.id, coach.id]), ana.id).await.unwrap();
    assert_eq!(made.agent_ids, [coach.id]);
    let follows = store.rules_of(Some(coach.id), coach.ai_agent_id).await.unwrap();
    let names: Vec<&str> = follows.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["Money", "Tone"], "the catalog's rule and the workspace's, in order");
    let nobody = RuleChanges { agent_ids: Some(vec![]), active: Some(false), ..RuleChanges::default() };
    assert!(store.change_rule(made.id, nobody, ana.id).await.unwrap().agent_ids.is_empty());
    store.delete_rule(made.id, ana.id).await.unwrap();
    assert!(matches!(store.rule(made.id).await, Err(Error::NotFound("rule"))));
    told.end().await;
}
