use baton_core::access::Viewer;
use baton_core::conversations::{
    ConversationQuery, ImportedMessage, MessageRole, NewConversation, SpaceSum, SpaceTaken, Versions, With,
};
use baton_core::files::NewFile;
use baton_core::ids::{AgentId, VisitorId, WorkspaceId};
use baton_core::listing::{AgentQuery, Window};
use baton_core::people::{NewSession, SignedInBy, Tier};
use baton_core::store::{
    Agents, Conversations, Error, Files, Forks, People, Sessions, Steps, Turns, Workspaces,
};
use baton_core::turns::After;
use baton_core::visitors::Person;
use chrono::{Duration, Utc};
use serde_json::json;

use crate::Told;

pub async fn first_agent(told: &Told, workspace_id: WorkspaceId) -> AgentId {
    let query = AgentQuery {
        workspace_id,
        search: None,
        category: None,
        department_id: None,
        hired_only: true,
        window: Window { limit: 1, offset: 0 },
    };
    let page = told.store.agents(query, Viewer::Profile(Tier::Free)).await.unwrap();
    page.rows[0].hired.as_ref().unwrap().id
}

fn said(role: MessageRole, content: &str) -> ImportedMessage {
    ImportedMessage { role, content: content.into(), parts: Some(json!([{"type": "text", "text": content}])) }
}

/// As rows were kept before parts were flattened on the way in.
#[tokio::test]
async fn what_was_imported_earlier_is_read_as_text() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace_id) = told.person("ana@example.org").await;
    let agent_id = first_agent(&told, workspace_id).await;
    let person = Person::Profile(ana.id);
    let new = NewConversation { workspace_id, agent_id, team_id: None, person, title: None };
    let id = store.create_conversation(new).await.unwrap().id;
    let forged =
        json!([{"type": "tool-call", "state": "pending"}, {"type": "approval", "status": "pending"}]);
    let message = ImportedMessage { parts: Some(forged), ..said(MessageRole::Assistant, "Hello!") };
    store.import_messages(id, person, vec![message]).await.unwrap();
    let read = store.read_conversation(id, person, None, 10).await.unwrap();
    let parts = read.messages[0].parts.as_ref().and_then(|parts| parts.as_array()).unwrap();
    assert_eq!(parts.len(), 2);
    assert!(parts.iter().all(|part| part["type"] == "text"), "{parts:?}");
    told.end().await;
}

/// As many bytes as a member's longest message of a script with three bytes a character.
const LONG: usize = 200_000;

#[tokio::test]
async fn pages_end_after_about_a_megabyte() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace_id) = told.person("ana@example.org").await;
    let agent_id = first_agent(&told, workspace_id).await;
    let person = Person::Profile(ana.id);
    let new = NewConversation { workspace_id, agent_id, team_id: None, person, title: None };
    let id = store.create_conversation(new).await.unwrap().id;
    for n in 0..6 {
        let long = format!("{n}{}", "語".repeat(LONG));
        let both = vec![said(MessageRole::User, "short"), said(MessageRole::User, &long)];
        store.import_messages(id, person, both).await.unwrap();
    }
    // Each of the long ones has 600 kB of content and as much again in its parts.
    let (mut before, mut pages, mut seqs) = (None, Vec::new(), Vec::new());
    loop {
        let page = store.read_conversation(id, person, before, 200).await.unwrap();
        pages.push(page.messages.len());
        seqs.splice(..0, page.messages.iter().map(|message| message.seq));
        before = page.messages.first().map(|message| message.id);
        if !page.has_more {
            break;
        }
    }
    assert_eq!((pages, seqs), (vec![1, 2, 2, 2, 2, 2, 1], (1..=12).collect::<Vec<_>>()));

    // As steps they are 600 kB each.
    let (mut seq, mut pages) = (0, Vec::new());
    loop {
        let page = store.steps_page(id, seq).await.unwrap();
        assert!(page.steps.iter().zip(seq + 1..).all(|(step, seq)| step.seq == seq));
        pages.push(page.steps.len());
        seq += page.steps.len() as i64;
        if page.is_last {
            break;
        }
    }
    assert_eq!((seq, pages), (12, vec![4, 4, 4, 0]));

    // What an agent is shown of it.
    let loaded = store.load(id).await.unwrap();
    assert_eq!((loaded.steps.len(), loaded.steps[0].seq, loaded.is_cut), (7, 6, true));
    assert!(store.load_since(id, 2).await.unwrap().is_none(), "more than is kept");
    assert_eq!(store.load_since(id, 8).await.unwrap().unwrap().steps.len(), 4);

    let export = crate::whole(store.export_profile(ana.id).await.unwrap()).await;
    assert_eq!(export["conversations"][0]["messages"].as_array().unwrap().len(), 12);
    told.end().await;
}

#[tokio::test]
async fn a_conversation_is_for_its_own_person() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace_id) = told.person("ana@example.org").await;
    let (ben, _) = told.person("ben@example.org").await;
    let agent_id = first_agent(&told, workspace_id).await;
    let (hers, his) = (Person::Profile(ana.id), Person::Profile(ben.id));
    let new = NewConversation { workspace_id, agent_id, team_id: None, person: hers, title: None };
    let conversation = store.create_conversation(new).await.unwrap();

    let messages = vec![
        said(MessageRole::Assistant, "Hello!"),
        said(MessageRole::User, "Plan the ÄUSSERE fence\nplease"),
        said(MessageRole::Assistant, "Gladly."),
    ];
    let kept = store.import_messages(conversation.id, hers, messages).await.unwrap();
    assert!(kept.iter().all(|m| m.metadata == json!({"imported": true}) && m.agent_id == agent_id));
    assert_eq!(kept.iter().map(|m| m.seq).collect::<Vec<_>>(), [1, 2, 3]);
    let read = store.conversation(conversation.id, hers).await.unwrap();
    assert_eq!((read.title.as_deref(), read.last_seq), (Some("Plan the ÄUSSERE fence"), 3));

    let not_his = |result: Result<(), Error>| matches!(result, Err(Error::NotFound("conversation")));
    assert!(not_his(store.conversation(conversation.id, his).await.map(drop)));
    assert!(not_his(store.rename_conversation(conversation.id, his, "x").await.map(drop)));
    assert!(not_his(store.import_messages(conversation.id, his, vec![]).await.map(drop)));
    assert!(not_his(store.delete_conversation(conversation.id, his, Versions::All).await.map(drop)));

    let page = store.read_conversation(conversation.id, hers, None, 2).await.unwrap();
    assert_eq!((page.messages.len(), page.has_more, page.messages[0].seq), (2, true, 2));
    let page = store.read_conversation(conversation.id, hers, Some(page.messages[0].id), 2).await.unwrap();
    assert_eq!((page.messages.len(), page.has_more, page.messages[0].seq), (1, false, 1));

    let query = |search: &str| ConversationQuery {
        workspace_id,
        with: With::Agent(agent_id),
        person: hers,
        search: Some(search.into()),
        limit: 10,
        before: None,
    };
    for (text, found) in [("fence", 1), ("äussere", 1), ("gladly", 1), ("fen_e", 0)] {
        assert_eq!(store.conversations(query(text)).await.unwrap().len(), found, "searching {text}");
    }
    let export = crate::whole(store.export_profile(ana.id).await.unwrap()).await;
    assert_eq!(export["conversations"][0]["messages"].as_array().unwrap().len(), 3);
    store.delete_conversation(conversation.id, hers, Versions::All).await.unwrap();
    assert!(store.read_conversation(conversation.id, hers, None, 2).await.is_err());
    let audit = store.audit(workspace_id, Window { limit: 9, offset: 0 }).await.unwrap();
    assert!(audit.rows.iter().any(|event| event.action == "conversation.deleted"));
    told.end().await;
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repeat() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace_id) = told.person("ana@example.org").await;
    let agent_id = first_agent(&told, workspace_id).await;
    let person = Person::Profile(ana.id);
    let mut made = Vec::new();
    for _ in 0..7 {
        let new = NewConversation { workspace_id, agent_id, team_id: None, person, title: None };
        made.push(store.create_conversation(new).await.unwrap().id);
    }
    made.reverse();
    for with in [With::Agent(agent_id), With::Anyone] {
        let mut seen = Vec::new();
        let mut before = None;
        loop {
            let query = ConversationQuery { workspace_id, with, person, search: None, limit: 3, before };
            let mut page = store.conversations(query).await.unwrap();
            let more = page.len() > 3;
            page.truncate(3);
            before = page.last().map(|last| (last.conversation.updated_at, last.conversation.id));
            seen.extend(page.into_iter().map(|listed| listed.conversation.id));
            if !more {
                break;
            }
        }
        assert_eq!(seen, made, "{with:?}");
    }
    assert_eq!(
        store.stats(workspace_id, ana.id, Viewer::Profile(Tier::Free)).await.unwrap().agents[0].conversations,
        7
    );
    told.end().await;
}

#[tokio::test]
async fn a_visitors_conversations_follow_them_in() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace_id) = told.person("ana@example.org").await;
    let agent_id = first_agent(&told, workspace_id).await;
    let visitor = VisitorId::new();
    let new = NewConversation {
        workspace_id,
        agent_id,
        team_id: None,
        person: Person::Visitor(visitor),
        title: None,
    };
    let conversation = store.create_conversation(new).await.unwrap();
    assert!(store.conversation(conversation.id, Person::Profile(ana.id)).await.is_err());
    let session = NewSession {
        token_hash: b"s".to_vec(),
        signed_in_by: SignedInBy::Password,
        expires_at: Utc::now() + Duration::hours(1),
        visitor: Some(visitor),
    };
    store.open_session(ana.id, session).await.unwrap();
    assert!(store.conversation(conversation.id, Person::Profile(ana.id)).await.is_ok());
    assert!(store.conversation(conversation.id, Person::Visitor(visitor)).await.is_err());
    told.end().await;
}

#[tokio::test]
async fn the_schema_refuses_a_conversation_of_nobody_or_of_two() {
    use sea_orm::{ConnectionTrait, Database};
    let told = Told::begin().await;
    let (ana, workspace) = told.person("ana@example.org").await;
    let agent = first_agent(&told, workspace).await;
    let Some(url) = told.database.url() else { return sqlite_refuses(told).await };
    let db = Database::connect(url).await.unwrap();
    for (user, visitor) in [("NULL".to_owned(), "NULL"), (format!("'{}'", ana.id), "gen_random_uuid()")] {
        let sql = format!(
            "INSERT INTO agent_conversations (id, workspace_id, agent_id, user_id, visitor_id, title, search_text, last_seq, created_at, updated_at) VALUES (gen_random_uuid(), '{workspace}', '{agent}', {user}, {visitor}, \
             NULL, '', 0, now(), now())"
        );
        let error = db.execute_unprepared(&sql).await.unwrap_err().to_string();
        assert!(error.contains("check"), "{error}");
    }
    told.end().await;
}

async fn sqlite_refuses(told: Told) {
    use sea_orm::{ConnectionTrait, Database};
    let crate::database::TestDatabase::Sqlite(dir) = &told.database else { unreachable!() };
    let db = Database::connect(format!("sqlite://{}", dir.path().join("baton.db").display())).await.unwrap();
    for (user, visitor) in [("NULL", "NULL"), ("x'01'", "x'02'")] {
        let sql = format!(
            "PRAGMA foreign_keys = OFF; INSERT INTO agent_conversations (id, workspace_id, agent_id, user_id, visitor_id, title, search_text, last_seq, created_at, updated_at) VALUES (x'00', x'00', x'00', {user}, \
             {visitor}, NULL, '', 0, '', '')"
        );
        let error = db.execute_unprepared(&sql).await.unwrap_err().to_string();
        assert!(error.contains("CHECK"), "{error}");
    }
}

#[tokio::test]
async fn files_are_kept_byte_for_byte() {
    let told = Told::begin().await;
    let (ana, workspace) = told.person("ana@example.org").await;
    let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let new = NewFile {
        workspace_id: Some(workspace),
        uploaded_by: Some(ana.id),
        content_type: "image/png",
        bytes: bytes.clone(),
    };
    let id = told.store.keep_file(new).await.unwrap();
    assert_eq!(told.store.file(id).await.unwrap().bytes, bytes);
    told.end().await;
}

#[tokio::test]
async fn a_second_process_cannot_take_the_folder_and_a_restart_keeps_everything() {
    let told = Told::begin().await;
    let (ana, _) = told.person("ana@example.org").await;
    if let crate::database::TestDatabase::Sqlite(dir) = &told.database {
        let locked = baton_store::DataDir::lock(dir.path()).unwrap();
        assert!(matches!(locked, baton_store::Locked::Theirs));
    }
    let Told { store, database, .. } = told;
    store.close().await.unwrap();
    drop(store);
    let store = baton_store::SqlStore::open(database.open()).await.unwrap();
    assert_eq!(store.profile(ana.id).await.unwrap().email, "ana@example.org");
    store.close().await.unwrap();
    database.drop().await;
}

#[tokio::test]
async fn a_workspace_knows_how_much_room_it_takes() {
    let cast = crate::cast::Cast::gather().await;
    let store = &cast.told.store;
    let (workspace_id, agent_id, ana) = (cast.workspace, cast.agent, Person::Profile(cast.ana));
    assert_eq!(store.space_taken(workspace_id).await.unwrap(), SpaceTaken::default());

    // Commits of turns, whether they begin the conversation or go on with it.
    let long = "x".repeat(10_000);
    let (accept, begun) = cast.fresh(&long);
    store.commit(&accept).await.unwrap();
    let first = store.space_taken(workspace_id).await.unwrap();
    assert_eq!((first.all.conversations, first.public), (1, SpaceSum::default()));
    assert!((10_000..11_000).contains(&first.all.bytes), "{first:?}");
    let steps = vec![crate::cast::said(&long, None)];
    let commit = cast.commit(&begun, 2, steps, After::Running { progressed: true });
    store.commit(&commit).await.unwrap();
    let second = store.space_taken(workspace_id).await.unwrap().all.bytes;
    assert!((first.all.bytes + 10_000..first.all.bytes + 11_000).contains(&second), "{second}");

    // What is brought along, what is copied, and what visitors and former members have.
    let new = |person| NewConversation { workspace_id, agent_id, team_id: None, person, title: None };
    let visitor = Person::Visitor(VisitorId::new());
    let mut last = Vec::new();
    for person in [ana, visitor] {
        let id = store.create_conversation(new(person)).await.unwrap().id;
        let both = vec![said(MessageRole::User, &long), said(MessageRole::User, "last")];
        last = store.import_messages(id, person, both).await.unwrap();
    }
    let conversation = last[1].conversation_id;
    store.fork(conversation, visitor, last[1].id).await.unwrap();
    let taken = store.space_taken(workspace_id).await.unwrap();
    assert_eq!((taken.all.conversations, taken.public.conversations), (4, 2));
    assert!((20_000..21_000).contains(&taken.public.bytes), "{taken:?}");
    assert!((50_000..55_000).contains(&taken.all.bytes), "{taken:?}");

    let (ben, elsewhere) = cast.told.person("ben@example.org").await;
    store.create_conversation(new(Person::Profile(ben.id))).await.unwrap();
    assert_eq!(store.space_taken(workspace_id).await.unwrap().public.conversations, 3, "a guest's");
    assert_eq!(store.space_taken(elsewhere).await.unwrap(), SpaceTaken::default());
    store.delete_conversation(conversation, visitor, Versions::All).await.unwrap();
    assert_eq!(
        store.space_taken(workspace_id).await.unwrap().public,
        SpaceSum { conversations: 1, bytes: 0 }
    );
    cast.told.end().await;
}

#[tokio::test]
async fn visitors_conversations_grow_idle() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace_id) = told.person("ana@example.org").await;
    let agent_id = first_agent(&told, workspace_id).await;
    let visitor = Person::Visitor(VisitorId::new());
    let mut made = Vec::new();
    for person in [visitor, Person::Profile(ana.id), visitor] {
        let new = NewConversation { workspace_id, agent_id, team_id: None, person, title: None };
        made.push(store.create_conversation(new).await.unwrap());
    }
    let idle = |before, limit| async move {
        let found = store.idle_of_visitors(before, limit).await.unwrap();
        found.into_iter().map(|conversation| (conversation.id, conversation.person)).collect::<Vec<_>>()
    };
    let later = Utc::now() + Duration::days(1);
    assert_eq!(idle(later, 9).await, [(made[0].id, visitor), (made[2].id, visitor)]);
    assert_eq!(idle(later, 1).await, [(made[0].id, visitor)]);
    assert_eq!(idle(made[2].created_at, 9).await, [(made[0].id, visitor)]);
    store.delete_conversation(made[0].id, visitor, Versions::All).await.unwrap();
    assert_eq!(idle(later, 9).await, [(made[2].id, visitor)]);
    told.end().await;
}
