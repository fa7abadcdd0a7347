use std::time::Duration;

use baton_core::effects::Shown;
use baton_core::ids::TaskId;
use baton_core::turns::Fence;

use super::*;
use crate::connect::{Database, Durability};
use crate::lock::{DataDir, Locked};

/// A tool's write that opened another would wait for itself on SQLite, and could be half done on Postgres.
#[tokio::test]
async fn a_second_write_within_one_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let Locked::Ours(locked) = DataDir::lock(dir.path()).expect("a lock") else { panic!("it is locked") };
    let database = Database::Sqlite { dir: locked, durability: Durability::Normal };
    let store = SqlStore::open(database).await.expect("a store");
    let (id, task) = (ConversationId::new(), TaskId::new());
    // Nobody's, with nobody: only its turn matters here.
    let raw = rusqlite::Connection::open(dir.path().join("baton.db")).expect("a connection");
    raw.pragma_update(None, "foreign_keys", false).expect("no references");
    let insert = "INSERT INTO agent_conversations (id, workspace_id, agent_id, user_id, search_text, last_seq, created_at, \
                  updated_at, epoch, turn_task_id, turn_attempt) VALUES (?1, ?1, ?1, ?1, '', 1, '', '', 1, ?2, 1)";
    raw.execute(insert, [id.0.into_bytes(), task.0.into_bytes()]).expect("a conversation");
    let effect = Effect {
        call: CallPlace { conversation_id: id, seq: 3, fence: Fence { task_id: task, attempt: 1 } },
        args_hash: String::new(),
        deadline: Instant::now() + Duration::from_secs(60),
        shown: Shown::default(),
    };
    let second = store.clone();
    let once = Once::Call(effect);
    let refused = store
        .once(&once, move |_| {
            let second = second.clone();
            async move { Ok(second.write().await.map(|_| Value::Null)?) }.boxed()
        })
        .await;
    assert!(matches!(refused, Err(EffectRefused::Store(Error::Database(_)))), "{refused:?}");
    let done = store.once(&once, |_| async { Ok(Value::Null) }.boxed()).await;
    assert_eq!(done.expect("one on its own"), Value::Null);
}
