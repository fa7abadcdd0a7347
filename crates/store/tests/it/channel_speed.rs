//! How long each read of channels takes with very many messages. Only where someone asks for it, and nothing fails of it:
//! `scripts/bench channels`, or
//! `BATON_CHANNEL_MESSAGES=1000000 cargo test --release -p baton-store --test it very_many_messages -- --nocapture`.

use std::time::Instant;

use baton_core::channels::{
    Around, ChannelChange, ChannelKind, ListedChannels, MessagesQuery, NewChannel, ReadUpTo, Recipient,
};
use baton_core::data::rows::{Author, Once};
use baton_core::ids::{ChannelId, ChannelMessageId};
use baton_core::listing::Window;
use baton_core::search::Query;
use baton_core::store::Channels;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};

use crate::cast::Cast;
use crate::speed::{GOAL, time};

const CHANNELS: u64 = 10;
/// Answers in one thread.
const REPLIES: usize = 500;
/// Rows in one statement.
const AT_ONCE: u64 = 50_000;

#[tokio::test]
async fn very_many_messages() {
    let many = std::env::var("BATON_CHANNEL_MESSAGES").ok().and_then(|many| many.parse::<u64>().ok());
    let Some(many) = many else { return };
    let cast = Cast::gather().await;
    let (store, ana) = (&cast.told.store, cast.ana);
    let author = Author { profile_id: ana, agent: None };
    let change = async |change| {
        store.change_channel(&Once::Unkeyed, cast.workspace, author, change).await.unwrap();
    };
    let mut channels = Vec::new();
    for number in 0..CHANNELS {
        let kind = if number % 2 == 0 { ChannelKind::Open } else { ChannelKind::Private };
        let new = NewChannel { kind, name: format!("c{number}"), topic: String::new(), people: vec![] };
        let id = ChannelId::new();
        change(ChannelChange::Create { id, new }).await;
        channels.push(id);
    }
    let raw = cast.told.raw().await;
    let began = Instant::now();
    for from in (0..many).step_by(AT_ONCE as usize) {
        fill(&raw, &cast, &channels, from, (from + AT_ONCE).min(many)).await;
    }
    let last = many / CHANNELS;
    raw.execute_unprepared(&format!("UPDATE channels SET last_number = {last}")).await.unwrap();
    raw.execute_unprepared(if cast.told.is_postgres() { "ANALYZE" } else { "PRAGMA optimize" })
        .await
        .unwrap();
    println!(
        "{many} messages in {CHANNELS} channels, made in {:?}; each read in at most {GOAL} ms at p99",
        began.elapsed()
    );

    let window = Window { limit: 200, offset: 0 };
    time("channels with what is unread", async |_| {
        assert_eq!(
            store.channels(cast.workspace, ana, ListedChannels::Own, window).await.unwrap().total,
            CHANNELS
        );
    })
    .await;
    for (name, around) in [
        ("the newest messages", Around::Newest),
        ("messages before one in the middle", Around::Before(last as i64 / 2)),
        ("messages around one in the middle", Around::Number(last as i64 / 2)),
    ] {
        time(name, async |round| {
            let channel_id = channels[round % channels.len()];
            let query = MessagesQuery { channel_id, thread_id: None, around, limit: 50 };
            assert_eq!(store.channel_messages(ana, query).await.unwrap().messages.len(), 50);
        })
        .await;
    }
    // The first of all, in the first channel.
    let root = ChannelMessageId(uuid::Uuid::from_u128(1));
    for _ in 0..REPLIES {
        let text = "One more".into();
        change(ChannelChange::Send { id: ChannelMessageId::new(), to: Recipient::Thread(root), text }).await;
    }
    for (name, around) in
        [("a thread", Around::Newest), ("a thread from its middle", Around::Number(REPLIES as i64 / 2))]
    {
        time(name, async |_| {
            let query = MessagesQuery { channel_id: channels[0], thread_id: Some(root), around, limit: 50 };
            assert_eq!(store.channel_messages(ana, query).await.unwrap().messages.len(), 50);
        })
        .await;
    }
    for (name, words) in [
        ("that is everywhere", "everywhere"),
        ("of one in a thousand", "word7"),
        ("of one message", "rare77"),
    ] {
        for within in [None, Some(channels[7])] {
            let place = if within.is_some() { "in one channel" } else { "in all" };
            time(&format!("search for a word {name}, {place}"), async |_| {
                let query = Query::whole(words).unwrap();
                let found =
                    store.search_channels(cast.workspace, ana, &query, within, None, 20).await.unwrap();
                assert!(!found.is_empty());
            })
            .await;
        }
    }
    time("mentions", async |_| {
        store.channel_mentions(cast.workspace, ana, None, 50).await.unwrap();
    })
    .await;
    time("sending", async |round| {
        let to = Recipient::Channel(channels[round % channels.len()]);
        change(ChannelChange::Send { id: ChannelMessageId::new(), to, text: "One more".into() }).await;
    })
    .await;
    time("marking as read", async |round| {
        let channel_id = channels[round % channels.len()];
        let up_to = ReadUpTo { channel_id, thread_id: None, number: last as i64 / 2 + round as i64 };
        store.mark_channel_read(ana, up_to).await.unwrap();
    })
    .await;
    // With one large table and others that are empty, planners rightly read those whole.
    cast.told.plans.scans(&raw).await;
    cast.told.end().await;
}

/// The same every time: each value follows from the message's number.
async fn fill(raw: &DatabaseConnection, cast: &Cast, channels: &[ChannelId], from: u64, to: u64) {
    let is_postgres = raw.get_database_backend() == DbBackend::Postgres;
    let id = |id: uuid::Uuid| match is_postgres {
        true => format!("'{id}'::uuid"),
        false => format!("x'{}'", id.simple()),
    };
    let (workspace, ana) = (id(cast.workspace.0), id(cast.ana.0));
    let cases: Vec<String> =
        channels.iter().enumerate().map(|(at, one)| format!("WHEN {at} THEN {}", id(one.0))).collect();
    let channel = format!("CASE i % {CHANNELS} {} END", cases.join(" "));
    let own = match is_postgres {
        true => "CAST(lpad(to_hex(i + 1), 32, '0') AS uuid)",
        false => "unhex(printf('%032x', i + 1))",
    };
    let series =
        format!("WITH RECURSIVE n(i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {to})");
    let run = async |sql: String| {
        raw.execute_unprepared(&sql).await.unwrap_or_else(|error| panic!("{error}: {sql}"));
    };
    run(format!(
        "{series} INSERT INTO channel_messages (id, workspace_id, channel_id, parent_id, number, text, profile_id, replies, last_reply, \
         created_at) SELECT {own}, {workspace}, {channel}, {channel}, i / {CHANNELS} + 1, 'everywhere word' || (i % 1000) || ' rare' || i, \
         {ana}, 0, 0, '2026-01-01 00:00:00+00:00' FROM n"
    ))
    .await;
    let scopes: Vec<String> = channels
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let channel = format!("c{}", one.0.simple());
            let scope = match (at % 2, is_postgres) {
                (0, true) => format!("''@{channel}'' ''@w{}''", cast.workspace.0.simple()),
                (_, true) => format!("''@{channel}''"),
                (0, false) => format!("{channel} w{}", cast.workspace.0.simple()),
                (_, false) => channel,
            };
            format!("WHEN {at} THEN '{scope}'")
        })
        .collect();
    let scope = format!("CASE i % {CHANNELS} {} END", scopes.join(" "));
    let words = "'everywhere word' || (i % 1000) || ' rare' || i";
    if is_postgres {
        let vector = format!("{scope} || ' everywhere:1 word' || (i % 1000) || ':1 rare' || i || ':1'");
        run(format!(
            "{series} INSERT INTO channel_message_words SELECT {own}, CAST({vector} AS tsvector) FROM n"
        ))
        .await;
    } else {
        run(format!("{series} INSERT INTO channel_message_docs (doc, id) SELECT i + 1, {own} FROM n")).await;
        run(format!(
            "{series} INSERT INTO channel_message_words (rowid, scope, title, heading, body) SELECT i + 1, {scope}, '', '', {words} FROM n"
        ))
        .await;
    }
}
