use baton_core::ids::{AgentId, SkillId};
use baton_core::listing::Window;
use baton_core::skills::{ImportedSkill, SkillChanges};
use baton_core::store::{Error, Skills, Workspaces};

use crate::Told;
use crate::conversations::first_agent;

fn named(name: &str) -> SkillChanges {
    SkillChanges {
        name: Some(name.into()),
        description: Some(format!("Does {name}.")),
        content: Some(format!("# {name}")),
        ..SkillChanges::default()
    }
}

fn imported(name: &str, content: &str) -> ImportedSkill {
    ImportedSkill { name: name.into(), description: "From a file.".into(), content: content.into() }
}

#[tokio::test]
async fn a_skill_is_made_changed_and_deleted() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let (ben, elsewhere) = told.person("ben@example.org").await;
    let made = store.create_skill(workspace, named("weekly-report"), ana.id).await.unwrap();
    assert_eq!((made.display_name.as_str(), made.icon.as_str()), ("Weekly report", "📋"));
    assert!(made.is_active && !made.is_system && made.created_by == Some(ana.id));

    let again = store.create_skill(workspace, named("weekly-report"), ana.id).await;
    assert!(matches!(again, Err(Error::NameTaken { what: "skill", field: "name" })));
    store.create_skill(elsewhere, named("weekly-report"), ben.id).await.expect("another workspace's name");
    let other = store.create_skill(workspace, named("audit"), ana.id).await.unwrap();
    let renamed = store.change_skill(other.id, named("weekly-report"), ana.id).await;
    assert!(matches!(renamed, Err(Error::NameTaken { .. })));

    let changes =
        SkillChanges { is_active: Some(false), icon: Some("🧾".into()), ..SkillChanges::default() };
    let changed = store.change_skill(made.id, changes, ana.id).await.unwrap();
    assert_eq!((changed.is_active, changed.icon.as_str()), (false, "🧾"));
    assert_eq!((changed.name, changed.content), (made.name, made.content), "what isn't named stays");
    let names = |skills: Vec<baton_core::skills::Skill>| -> Vec<String> {
        skills.into_iter().map(|skill| skill.name).collect()
    };
    assert_eq!(names(store.skills(workspace).await.unwrap()), ["audit", "weekly-report"]);

    store.delete_skill(other.id, ana.id).await.unwrap();
    assert!(matches!(store.skill(other.id).await, Err(Error::NotFound("skill"))));
    assert!(matches!(store.delete_skill(SkillId::new(), ana.id).await, Err(Error::NotFound("skill"))));
    let audit = store.audit(workspace, Window { limit: 50, offset: 0 }).await.unwrap();
    for action in ["skill.created", "skill.changed", "skill.deleted"] {
        assert!(audit.rows.iter().any(|event| event.action == action), "{action}");
    }
    let export = crate::whole(store.export_workspace(workspace, ana.id).await.unwrap()).await;
    assert_eq!(export["skills"][0]["content"], "# weekly-report");
    told.end().await;
}

#[tokio::test]
async fn an_agent_loads_what_is_active_and_its_own() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let (_, elsewhere) = told.person("ben@example.org").await;
    let (agent, theirs) = (first_agent(&told, workspace).await, first_agent(&told, elsewhere).await);
    let assigned =
        |name: &str, ids: &[AgentId]| SkillChanges { agent_ids: Some(ids.to_vec()), ..named(name) };
    for wrong in [theirs, AgentId::new()] {
        let refused = store.create_skill(workspace, assigned("x", &[agent, wrong]), ana.id).await;
        assert!(matches!(refused, Err(Error::NotFound("agent"))));
    }
    assert!(store.skills(workspace).await.unwrap().is_empty(), "a refused skill leaves nothing behind");

    // Collations disagree about hyphens; the order must not.
    for name in ["b", "a-z", "ab", "a-b"] {
        store.create_skill(workspace, assigned(name, &[agent, agent]), ana.id).await.unwrap();
    }
    let off = SkillChanges { is_active: Some(false), ..assigned("off", &[agent]) };
    let off = store.create_skill(workspace, off, ana.id).await.unwrap();
    let free = store.create_skill(workspace, named("free"), ana.id).await.unwrap();
    assert_eq!((off.agent_ids, free.agent_ids.len()), (vec![agent], 0));

    let seen = store.skills_of(agent).await.unwrap();
    assert_eq!(seen.iter().map(|skill| skill.name.as_str()).collect::<Vec<_>>(), ["a-b", "a-z", "ab", "b"]);
    assert_eq!(seen[0].description, "Does a-b.");
    assert_eq!(store.skill_of(agent, "ab").await.unwrap().unwrap().content, "# ab");
    for hidden in ["off", "free", "nothing"] {
        assert!(store.skill_of(agent, hidden).await.unwrap().is_none(), "{hidden}");
    }
    let nobody = SkillChanges { agent_ids: Some(vec![]), ..SkillChanges::default() };
    let ab = store.skills(workspace).await.unwrap().into_iter().find(|skill| skill.name == "ab").unwrap();
    store.change_skill(ab.id, nobody, ana.id).await.unwrap();
    assert_eq!(store.skills_of(agent).await.unwrap().len(), 3);
    told.end().await;
}

#[tokio::test]
async fn an_import_makes_what_is_new_and_renews_what_is_there() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let agent = first_agent(&told, workspace).await;
    let mine = SkillChanges { agent_ids: Some(vec![agent]), is_active: Some(false), ..named("pdf") };
    let mine = SkillChanges { display_name: Some("Our PDF".into()), ..mine };
    store.create_skill(workspace, mine, ana.id).await.unwrap();

    let files = vec![imported("pdf", "new"), imported("docx", "words")];
    let done = store.import_skills(workspace, files, ana.id).await.unwrap();
    assert_eq!((done.created.len(), done.updated.len()), (1, 1));
    assert_eq!((done.created[0].name.as_str(), done.created[0].is_active), ("docx", true));
    let pdf = &done.updated[0];
    assert_eq!((pdf.content.as_str(), pdf.description.as_str()), ("new", "From a file."));
    assert_eq!((pdf.display_name.as_str(), pdf.is_active), ("Our PDF", false), "what was decided here stays");
    assert_eq!(pdf.agent_ids, [agent]);
    told.end().await;
}
