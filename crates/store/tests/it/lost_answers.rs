//! A write that is done once, by its request's key or by its call, and whose answer is lost at the commit: asked again, it
//! tells what came of it the first time, and nothing is there twice. (SQLite has no network to lose answers on.)

use std::time::{Duration, Instant};

use baton_core::channels::{ChannelChange, ChannelKind, NewChannel};
use baton_core::data::areas::Areas;
use baton_core::data::kinds::ACCOUNTS;
use baton_core::data::rows::{Author, Change, DataScope, Once, RowChange};
use baton_core::effects::{CallPlace, Effect, EffectRefused, Shown};
use baton_core::ids::{ChannelId, PageId};
use baton_core::memories::{MemoryChange, MemoryWrite, Scope};
use baton_core::pages::PageChange;
use baton_core::store::{Channels, Effects, Error, Pages, Rows, Turns, Written};
use baton_store::SqlStore;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;
use uuid::Uuid;

use crate::cast::Cast;
use crate::data::fields;
use crate::outages::behind_a_proxy;
use crate::pages::new_page;
use crate::proxy::{How, When};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Row,
    Page,
    Channel,
    Memory,
}

impl What {
    /// The table, and the column that holds a row's name.
    fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::Row => ("accounts", "name"),
            Self::Page => ("pages", "title"),
            Self::Channel => ("channels", "name"),
            Self::Memory => ("agent_memories", "content"),
        }
    }

    /// A try, with ids of its own.
    async fn write(self, store: &SqlStore, cast: &Cast, once: &Once, name: &str) -> Written {
        let author = Author { profile_id: cast.ana, agent: None };
        match (self, once) {
            (Self::Row, _) => {
                let scope = DataScope { workspace_id: cast.workspace, areas: Areas::WRITE };
                let fields = fields(json!({"name": name, "currency": "EUR"}));
                let change = Change::Create { id: Uuid::now_v7(), fields };
                store.change_rows(once, scope, author, vec![RowChange { kind: &ACCOUNTS, change }]).await
            }
            (Self::Page, _) => {
                let change = PageChange::Create { id: PageId::new(), new: new_page(None, name, "") };
                store.change_page(once, cast.workspace, author, change).await
            }
            (Self::Channel, _) => {
                let new = NewChannel {
                    kind: ChannelKind::Open,
                    name: name.to_owned(),
                    topic: String::new(),
                    people: Vec::new(),
                };
                let change = ChannelChange::Create { id: ChannelId::new(), new };
                store.change_channel(once, cast.workspace, author, change.checked().unwrap()).await
            }
            (Self::Memory, Once::Call(effect)) => {
                let write = MemoryWrite {
                    workspace_id: cast.workspace,
                    agent_id: cast.agent,
                    person: cast.ana,
                    scope: Scope::Own,
                    change: MemoryChange::Save { path: None, content: name.to_owned() },
                };
                store.write_memory(effect, write).await
            }
            (Self::Memory, _) => panic!("only agents write notes"),
        }
    }
}

#[tokio::test]
async fn a_write_whose_answer_is_lost_is_done_once() {
    let cast = Cast::gather().await;
    let Some((store, proxy)) = behind_a_proxy(&cast.told).await else { return cast.told.end().await };
    let (accept, begun) = cast.fresh("Go");
    store.commit(&accept).await.unwrap();
    let raw = cast.told.raw().await;
    let number = async |what: What, name: &str| -> i64 {
        let (table, column) = what.place();
        let sql = format!("SELECT COUNT(*) AS number FROM {table} WHERE {column} = '{name}'");
        let row = raw.query_one_raw(Statement::from_string(raw.get_database_backend(), sql)).await;
        row.unwrap().unwrap().try_get("", "number").unwrap()
    };
    let request = |name: &str| Once::Request {
        profile_id: cast.ana,
        key: name.to_owned(),
        request_hash: "this".to_owned(),
    };
    let call = |seq: i64| {
        Once::Call(Effect {
            call: CallPlace { conversation_id: begun.id, seq, fence: begun.fence() },
            args_hash: "these".to_owned(),
            deadline: Instant::now() + Duration::from_secs(600),
            shown: Shown::default(),
        })
    };
    let mut seq = 2;
    for when in [When::Before, When::After] {
        for how in [How::Cut, How::Silent] {
            for what in [What::Row, What::Page, What::Channel, What::Memory] {
                for by_call in [false, true] {
                    // Silence takes as long as a statement may: only one of each kind.
                    let is_slow = how == How::Silent && (what, by_call) != (What::Row, false);
                    if is_slow && (what, by_call) != (What::Memory, true)
                        || (what, by_call) == (What::Memory, false)
                    {
                        continue;
                    }
                    seq += 1;
                    let name = format!("case {seq}");
                    let once = if by_call { call(seq) } else { request(&name) };
                    let about = format!("{what:?} {when:?} {how:?} by a call: {by_call}");
                    proxy.lose_next("COMMIT", when, how);
                    let lost = what.write(&store, &cast, &once, &name).await;
                    assert!(
                        matches!(lost, Err(EffectRefused::Store(Error::Unavailable))),
                        "{about}: {lost:?}"
                    );
                    assert_eq!(number(what, &name).await, i64::from(when == When::After), "{about}");
                    let told = what.write(&store, &cast, &once, &name).await;
                    let again = what.write(&store, &cast, &once, &name).await;
                    assert_eq!(told.expect(&about), again.expect(&about), "{about}");
                    assert_eq!(number(what, &name).await, 1, "{about}");
                }
            }
        }
    }
    raw.close().await.unwrap();
    store.close().await.unwrap();
    cast.told.end().await;
}
