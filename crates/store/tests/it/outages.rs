//! A Postgres that goes silent, breaks or is away, seen through the proxy. (SQLite has no network to lose.)

use std::future::Future;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use baton_core::bus::{Heard, Hint};
use baton_core::ids::{NodeId, WorkspaceId};
use baton_core::store::{Conversations, Error, People, Result, Skills, Steps, Turns, Workspaces};
use baton_core::turns::{After, Claimed, Refused};
use baton_store::{Database, SqlStore};
use futures::StreamExt;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{sleep, timeout};

use crate::Told;
use crate::cast::{Cast, called};
use crate::proxy::{How, Proxy, When};

const RUNNING: After = After::Running { progressed: true };
const CONNECTIONS: u32 = 3;
/// Far beyond every limit: what takes longer waits for ever.
const FOREVER: Duration = Duration::from_secs(60);

/// A store whose database is behind a proxy. None on SQLite.
pub async fn behind_a_proxy(told: &Told) -> Option<(SqlStore, Proxy)> {
    let proxy = Proxy::before(&told.database.url()?);
    let database = Database::Postgres { url: proxy.url(), connections: CONNECTIONS };
    Some((SqlStore::open(database).await.expect("a store"), proxy))
}

pub async fn soon<T>(what: &str, work: impl Future<Output = T>) -> T {
    timeout(FOREVER, work).await.unwrap_or_else(|_| panic!("{what}: no answer"))
}

/// Asks until it is answered.
async fn comes_back<T, F: Future<Output = Result<T>>>(what: &str, mut ask: impl FnMut() -> F) -> T {
    let asking = async {
        loop {
            match ask().await {
                Ok(answer) => return answer,
                Err(Error::Unavailable) => sleep(Duration::from_millis(50)).await,
                Err(other) => panic!("{what}: {other:?}"),
            }
        }
    };
    soon(what, asking).await
}

fn assert_unavailable<T: std::fmt::Debug>(what: &str, answer: Result<T>) {
    assert!(matches!(answer, Err(Error::Unavailable)), "{what}: {answer:?}");
}

#[tokio::test]
async fn nothing_waits_for_a_silent_database_for_ever_and_all_of_it_comes_back() {
    let cast = Cast::gather().await;
    let Some((store, proxy)) = behind_a_proxy(&cast.told).await else { return cast.told.end().await };
    let (accept, begun) = cast.fresh("Go");
    let last = store.commit(&accept).await.unwrap().last_seq;
    store.renew_lease(cast.node).await.unwrap();
    store.claim_turns(cast.node).await.unwrap();
    proxy.silence();
    // More than there are connections: none of them keeps its place in the pool.
    let requests = futures::future::join_all((0..9).map(|_| store.workspace(cast.workspace)));
    let commit = cast.commit(&begun, last, vec![called("c")], RUNNING);
    let commit = store.commit(&commit);
    let silent = async {
        tokio::join!(
            requests,
            commit,
            store.create_workspace("Ana's second", cast.ana),
            store.renew_lease(cast.node),
            store.claim_turns(cast.node),
            store.stops_requested(cast.node),
            store.turns_of(cast.node),
            store.last_seqs(vec![begun.id]),
            store.space_taken(cast.workspace),
            store.ping(),
        )
    };
    let (requests, commit, created, renewed, claimed, stops, turns, seqs, space, pinged) =
        soon("while it is silent", silent).await;
    requests.into_iter().for_each(|answer| assert_unavailable("a request", answer));
    assert!(matches!(commit, Err(Refused::Store(Error::Unavailable))), "{commit:?}");
    assert_unavailable("a transaction", created);
    assert_unavailable("the lease", renewed);
    assert_unavailable("claims", claimed);
    assert_unavailable("stops", stops);
    assert_unavailable("turns", turns);
    assert_unavailable("logs", seqs);
    assert_unavailable("what a workspace takes", space);
    assert_unavailable("a ping", pinged);

    proxy.answer_again();
    comes_back("the lease", || store.renew_lease(cast.node)).await;
    comes_back("claims", || store.claim_turns(cast.node)).await;
    let all = || async {
        let answers = (0..9).map(|_| store.workspace(cast.workspace));
        futures::future::join_all(answers).await.into_iter().collect::<Result<Vec<_>>>()
    };
    assert_eq!(comes_back("every connection", all).await.len(), 9);
    store.commit(&cast.commit(&begun, last, vec![called("c")], RUNNING)).await.unwrap();
    store.close().await.unwrap();
    cast.told.end().await;
}

#[tokio::test]
async fn the_lease_gives_up_first_and_is_renewed_as_soon_as_the_database_is_back() {
    let told = Told::begin().await;
    let Some((store, proxy)) = behind_a_proxy(&told).await else { return told.end().await };
    let node = NodeId::new();
    store.renew_lease(node).await.unwrap();
    for _ in 0..3 {
        proxy.silence();
        // Its limit is far below a request's, so that it is asked again while the lease still holds.
        tokio::select! {
            renewed = store.renew_lease(node) => assert_unavailable("the lease", renewed),
            _ = store.ping() => panic!("the lease waited as long as a request"),
        }
        proxy.answer_again();
        // The connection that was silent is not the one that is asked now.
        comes_back("the lease", || store.renew_lease(node)).await;
    }
    store.close().await.unwrap();
    told.end().await;
}

#[tokio::test]
async fn the_lease_s_connection_is_used_by_nothing_else() {
    let cast = Cast::gather().await;
    let Some((store, proxy)) = behind_a_proxy(&cast.told).await else { return cast.told.end().await };
    store.renew_lease(cast.node).await.unwrap();
    // Whatever else the watch asks hangs; the lease does not wait for it.
    for _ in 0..2 {
        proxy.lose_next("UPDATE agent_conversations SET turn_owner", When::Before, How::Silent);
    }
    let (claims, ends, node) = (store.clone(), store.clone(), cast.node);
    let others = [
        tokio::spawn(async move { claims.claim_turns(node).await.map(drop) }),
        tokio::spawn(async move { ends.end_lease(NodeId::new()).await }),
    ];
    while proxy.lost() < 2 {
        sleep(Duration::from_millis(10)).await;
    }
    store.renew_lease(cast.node).await.expect("renewed");
    for other in others {
        assert_unavailable("another", soon("another", other).await.unwrap());
    }
    comes_back("claims", || store.claim_turns(cast.node)).await;
    store.close().await.unwrap();
    cast.told.end().await;
}

#[tokio::test]
async fn a_turn_that_nobody_drives_is_taken_up_whatever_requests_wait_for() {
    let cast = Cast::gather().await;
    let Some((store, proxy)) = behind_a_proxy(&cast.told).await else { return cast.told.end().await };
    let (accept, begun) = cast.fresh("Go");
    store.commit(&accept).await.unwrap();
    // Every connection of requests hangs.
    for _ in 0..CONNECTIONS {
        proxy.lose_next("SELECT 1", When::Before, How::Silent);
    }
    let pings = (0..CONNECTIONS).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.ping().await })
    });
    let mut pings = futures::future::join_all(pings);
    let all_hang = async {
        while proxy.lost() < CONNECTIONS as usize {
            sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        () = all_hang => {}
        _ = &mut pings => panic!("a request was answered"),
    }
    let claimed = Claimed { conversation_id: begun.id, task_id: begun.task };
    tokio::select! {
        again = store.claim_again(cast.node, claimed) => assert!(again.expect("an answer"), "it is there"),
        _ = &mut pings => panic!("it waited for requests"),
    }
    store.close().await.unwrap();
    cast.told.end().await;
}

#[tokio::test]
async fn a_connection_that_breaks_in_the_middle_is_an_outage_and_not_a_fault() {
    let cast = Cast::gather().await;
    let Some((store, proxy)) = behind_a_proxy(&cast.told).await else { return cast.told.end().await };
    for when in [When::Before, When::After] {
        for how in [How::Cut, How::Silent] {
            let name = format!("{when:?} {how:?}");
            for text in ["instance_notes", "COMMIT", "INSERT INTO task_messages"] {
                proxy.lose_next(text, when, how);
            }
            let (accept, begun) = cast.fresh("Go");
            let (read, written, accepted) = soon(&name, async {
                tokio::join!(store.note("n"), store.create_workspace(&name, cast.ana), store.commit(&accept))
            })
            .await;
            assert_unavailable("a read", read);
            assert_unavailable("a write", written);
            assert!(matches!(accepted, Err(Refused::Store(Error::Unavailable))), "{accepted:?}");
            let stored = store.memberships(cast.ana).await.unwrap().iter().any(|one| one.name == name);
            assert_eq!(stored, when == When::After, "{name}");
            let steps = store.steps_after(begun.id, 0, 10).await.unwrap();
            assert_eq!(!steps.is_empty(), when == When::After, "{name}");
        }
    }
    assert_eq!(proxy.lost(), 12);
    // A server that ends its connections says so, or just hangs up.
    proxy.cut();
    let ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE datname = current_database() AND pid <> pg_backend_pid()";
    for _ in 0..3 {
        let raw = cast.told.raw().await;
        sea_orm::ConnectionTrait::execute_unprepared(&raw, ends).await.unwrap();
        comes_back("a read", || store.workspace(cast.workspace)).await;
    }
    store.close().await.unwrap();
    cast.told.end().await;
}

#[tokio::test]
async fn who_hangs_up_in_the_middle_takes_no_place_in_the_pool() {
    let cast = Cast::gather().await;
    let Some((store, proxy)) = behind_a_proxy(&cast.told).await else { return cast.told.end().await };
    for _ in 0..4 * CONNECTIONS as usize {
        let lost = proxy.lost();
        proxy.lose_next("\"workspaces\"", When::Before, How::Silent);
        let (asking, workspace) = (store.clone(), cast.workspace);
        let asks = tokio::spawn(async move { asking.workspace(workspace).await });
        while proxy.lost() == lost {
            sleep(Duration::from_millis(5)).await;
        }
        asks.abort();
    }
    soon("a read", store.workspace(cast.workspace)).await.expect("a place");
    store.close().await.unwrap();
    cast.told.end().await;
}

#[tokio::test]
async fn a_rollback_without_an_answer_keeps_no_place_for_long() {
    let cast = Cast::gather().await;
    let Some((store, proxy)) = behind_a_proxy(&cast.told).await else { return cast.told.end().await };
    // As many as there are connections for long work.
    for lost in 1..3 {
        proxy.lose_next("ROLLBACK", When::Before, How::Silent);
        let imported = store.import_skills(WorkspaceId::new(), vec![], cast.ana).await;
        assert!(imported.is_err(), "there is no such workspace");
        soon("a rollback", async {
            while proxy.lost() < lost {
                sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    }
    soon("an import", store.import_skills(cast.workspace, vec![], cast.ana)).await.expect("a place");
    store.close().await.unwrap();
    cast.told.end().await;
}

#[tokio::test]
async fn a_node_that_starts_without_its_database_waits_for_it() {
    let told = Told::begin().await;
    let Some(url) = told.database.url() else { return told.end().await };
    for refuses in [true, false] {
        let proxy = Proxy::before(&url);
        if refuses {
            proxy.refuse()
        } else {
            proxy.silence()
        }
        let database = Database::Postgres { url: proxy.url(), connections: CONNECTIONS };
        let within = Database::Postgres { url: proxy.url(), connections: CONNECTIONS };
        let opened = soon("given up", SqlStore::open_within(within, Duration::from_millis(1))).await;
        assert_unavailable("an end is set", opened.map(drop));
        let mut opening = tokio::spawn(SqlStore::open(database));
        assert!(timeout(Duration::from_secs(3), &mut opening).await.is_err(), "it gave up");
        proxy.answer_again();
        let store = soon("opening", opening).await.unwrap().expect("a store");
        store.ping().await.unwrap();
        store.close().await.unwrap();
    }
    // A mistake is not an outage.
    let (user, rest) = url.rsplit_once('@').unwrap();
    let (address, _) = rest.split_once('/').unwrap();
    for wrong in [format!("{user}x@{rest}"), format!("{user}@{address}/there_is_none")] {
        let database = Database::Postgres { url: wrong, connections: CONNECTIONS };
        let opened = soon("a mistake", SqlStore::open(database)).await;
        assert!(matches!(opened.map(drop), Err(Error::Database(_))), "no waiting");
    }
    told.end().await;
}

#[tokio::test]
async fn the_line_between_nodes_comes_back_from_silence() {
    let told = Told::begin().await;
    let Some((store, proxy)) = behind_a_proxy(&told).await else { return told.end().await };
    let (here, there) = (store.bus(), told.store.bus());
    let (mut hears, mut others_hear) = (here.listen(), there.listen());
    proxy.silence();
    here.tell(Hint::LookAgain(None));
    // Who could not send finds out by itself.
    sleep(Duration::from_secs(1)).await;
    proxy.answer_again();
    assert_eq!(soon("this side", hears.next()).await, Some(Heard::Missed));
    assert_eq!(soon("the other side", others_hear.next()).await, Some(Heard::Missed));
    there.tell(Hint::LookAgain(None));
    assert_eq!(soon("a hint", hears.next()).await, Some(Heard::Hint(Hint::LookAgain(None))));
    store.close().await.unwrap();
    told.end().await;
}

#[tokio::test]
async fn a_slow_database_is_slow_and_nothing_else() {
    let cast = Cast::gather().await;
    let Some((store, proxy)) = behind_a_proxy(&cast.told).await else { return cast.told.end().await };
    proxy.delay(Duration::from_millis(200));
    store.workspace(cast.workspace).await.expect("read");
    store.create_workspace("Slow", cast.ana).await.expect("written");
    let (accept, _) = cast.fresh("Go");
    store.commit(&accept).await.expect("accepted");
    store.close().await.unwrap();
    cast.told.end().await;
}

/// A pooler that is about to end, or a server that starts, hangs up in the middle of the greeting. Needs no Postgres.
#[tokio::test]
async fn a_node_that_starts_while_its_database_hangs_up_waits_for_it() {
    for (mode, answers) in
        [("disable", &b""[..]), ("require", b""), ("require", b"S"), ("require", b"S\x16\x03")]
    {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("postgres://baton:x@{}/baton?sslmode={mode}", listener.local_addr().unwrap());
        let greeting = tokio::spawn(async move {
            for greeted in 0.. {
                let (mut client, _) = listener.accept().await.unwrap();
                if greeted == 1 {
                    return;
                }
                let _some = client.read(&mut [0; 64]).await.unwrap();
                client.write_all(answers).await.unwrap();
            }
        });
        let opening = tokio::spawn(SqlStore::open(Database::Postgres { url, connections: CONNECTIONS }));
        // It comes back: it took the first time for an outage.
        soon("a second try", greeting).await.unwrap();
        assert!(!opening.is_finished(), "{mode} {answers:?}");
        opening.abort();
    }
}

/// Speaks TLS with a certificate that nobody trusts, until this process ends.
fn untrusted_server() -> SocketAddr {
    let certificate = CertificateDer::from_pem_slice(include_bytes!("untrusted/certificate.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("untrusted/key.pem")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key);
    let config = Arc::new(config.unwrap());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            // It is asked whether it speaks TLS, and does. What follows fails, on both sides.
            let _ = client.read_exact(&mut [0; 8]).and_then(|()| client.write_all(b"S"));
            let _ = ServerConnection::new(config.clone()).unwrap().complete_io(&mut client);
        }
    });
    address
}

/// Needs no Postgres.
#[tokio::test]
async fn a_certificate_that_is_not_trusted_is_a_mistake_and_not_waited_for() {
    let address = untrusted_server();
    for mode in ["verify-full", "verify-ca"] {
        let url = format!("postgres://baton:x@{address}/baton?sslmode={mode}");
        let database = Database::Postgres { url, connections: CONNECTIONS };
        let opened = soon("a mistake", SqlStore::open(database)).await.map(drop);
        let Err(Error::Database(cause)) = opened else { panic!("{opened:?}") };
        assert!(cause.to_string().contains("invalid peer certificate"), "{cause}");
    }
}
