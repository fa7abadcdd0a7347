//! Channels: who reads what, how messages are numbered and counted, mentions, search, and what is left when people go.

use std::time::{Duration, Instant};

use baton_core::channels::{
    Around, Channel, ChannelChange, ChannelChanges, ChannelKind, ListedChannels, MentionReason,
    MessagesQuery, NewChannel, ReadUpTo, Recipient, person_link,
};
use baton_core::data::areas::{Area, AreaAccess, AreaRule};
use baton_core::data::rows::{Author, ByAgent, Once};
use baton_core::effects::{CallPlace, Effect, EffectRefused, Shown};
use baton_core::ids::{ChannelId, ChannelMessageId, ProfileId, WorkspaceId};
use baton_core::listing::Window;
use baton_core::people::{FirstWorkspace, NewProfile};
use baton_core::search::Query;
use baton_core::store::{Channels, Conversations, Error, People, Turns, Workspaces};
use baton_core::workspaces::Role;
use chrono::Duration as Days;
use futures::future::join_all;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::Value;

use crate::cast::{Cast, now};
use crate::{new_profile, whole};

const ALL: Window = Window { limit: 100, offset: 0 };

/// Ana owns the workspace, where Ben and Cleo are members; Eve is elsewhere.
struct Talk {
    cast: Cast,
    ben: ProfileId,
    cleo: ProfileId,
    eve: ProfileId,
}

impl Talk {
    async fn begin() -> Self {
        let cast = Cast::gather().await;
        let [ben, cleo, eve] =
            [person(&cast, "Ben").await, person(&cast, "Cleo").await, person(&cast, "Eve").await];
        for member in [ben, cleo] {
            join(&cast, member).await;
        }
        Self { cast, ben, cleo, eve }
    }

    fn store(&self) -> &baton_store::SqlStore {
        &self.cast.told.store
    }

    async fn change(&self, by: ProfileId, change: ChannelChange) -> Result<Value, String> {
        let author = Author { profile_id: by, agent: None };
        let change = change.checked().unwrap();
        let done = self.store().change_channel(&Once::Unkeyed, self.cast.workspace, author, change).await;
        done.map_err(|refused| refused.to_string())
    }

    async fn channel(&self, by: ProfileId, kind: ChannelKind, name: &str, people: &[ProfileId]) -> ChannelId {
        let id = ChannelId::new();
        let new = NewChannel { kind, name: name.into(), topic: String::new(), people: people.to_vec() };
        self.change(by, ChannelChange::Create { id, new }).await.unwrap();
        id
    }

    async fn direct(&self, by: ProfileId, people: &[ProfileId]) -> ChannelId {
        let open = ChannelChange::OpenDirect { people: people.to_vec() };
        let opened = self.change(by, open).await.unwrap();
        ChannelId(opened["channel"]["id"].as_str().unwrap().parse().unwrap())
    }

    async fn send(&self, by: ProfileId, to: Recipient, text: &str) -> Result<ChannelMessageId, String> {
        let id = ChannelMessageId::new();
        self.change(by, ChannelChange::Send { id, to, text: text.into() }).await.map(|_| id)
    }

    async fn say(&self, by: ProfileId, channel: ChannelId, text: &str) -> ChannelMessageId {
        self.send(by, Recipient::Channel(channel), text).await.unwrap()
    }

    async fn reply(&self, by: ProfileId, to: ChannelMessageId, text: &str) -> ChannelMessageId {
        self.send(by, Recipient::Thread(to), text).await.unwrap()
    }

    async fn seen(&self, reader: ProfileId, id: ChannelId) -> Channel {
        self.store().channel(reader, id).await.unwrap()
    }

    async fn names(&self, reader: ProfileId, listed: ListedChannels) -> Vec<String> {
        let page = self.store().channels(self.cast.workspace, reader, listed, ALL).await.unwrap();
        assert_eq!(page.total, page.rows.len() as u64);
        let mut names: Vec<String> = page.rows.iter().map(Channel::title).collect();
        names.sort();
        names
    }

    async fn found(&self, reader: ProfileId, words: &str, within: Option<ChannelId>) -> Vec<String> {
        let query = Query::new(words).unwrap();
        let workspace = self.cast.workspace;
        let found = self.store().search_channels(workspace, reader, &query, within, None, 50).await.unwrap();
        found.into_iter().map(|found| found.message.text).collect()
    }

    async fn texts(&self, reader: ProfileId, query: MessagesQuery) -> (Vec<String>, bool, bool) {
        let page = self.store().channel_messages(reader, query).await.unwrap();
        let texts = page.messages.into_iter().map(|message| message.text).collect();
        (texts, page.has_earlier, page.has_later)
    }

    async fn read(&self, reader: ProfileId, channel_id: ChannelId, number: i64) -> bool {
        let up_to = ReadUpTo { channel_id, thread_id: None, number };
        self.store().mark_channel_read(reader, up_to).await.unwrap()
    }

    async fn mentions(&self, reader: ProfileId) -> Vec<(String, MentionReason, bool)> {
        let mentions = self.store().channel_mentions(self.cast.workspace, reader, None, 50).await.unwrap();
        mentions.into_iter().map(|one| (one.message.text, one.reason, one.is_read)).collect()
    }

    async fn end(self) {
        self.cast.told.end().await;
    }
}

async fn person(cast: &Cast, name: &str) -> ProfileId {
    let email = format!("{}@example.org", name.to_lowercase());
    let new = NewProfile { name: name.into(), ..new_profile(&email) };
    let first = FirstWorkspace::Own { name: format!("{name}'s workspace") };
    cast.told.store.sign_up(new, first).await.unwrap().id
}

async fn join(cast: &Cast, member: ProfileId) {
    let raw = cast.told.raw().await;
    let sql = "INSERT INTO workspace_members (workspace_id, profile_id, role, joined_at) VALUES ($1, $2, 'member', $3)";
    let values = [cast.workspace.0.into(), member.0.into(), now().into()];
    raw.execute_raw(Statement::from_sql_and_values(raw.get_database_backend(), sql, values)).await.unwrap();
    raw.close().await.unwrap();
}

fn newest(channel_id: ChannelId) -> MessagesQuery {
    MessagesQuery { channel_id, thread_id: None, around: Around::Newest, limit: 50 }
}

#[tokio::test]
async fn each_reads_what_is_theirs_and_finds_nothing_of_the_rest() {
    let talk = Talk::begin().await;
    let (ana, ben, cleo, eve) = (talk.cast.ana, talk.ben, talk.cleo, talk.eve);
    let store = talk.store();
    let open = talk.channel(ana, ChannelKind::Open, "General", &[]).await;
    let private = talk.channel(ana, ChannelKind::Private, "Board", &[ben]).await;
    let direct = talk.direct(ana, &[ben]).await;
    assert_eq!(talk.direct(ben, &[ana, ana]).await, direct, "one for each set of people");
    for (channel, text) in [(open, "zebra open"), (private, "zebra private"), (direct, "zebra direct")] {
        talk.say(ana, channel, text).await;
    }
    let secret = talk.say(ana, private, "zebra secret").await;
    for (who, sees) in [
        (ana, [true, true, true]),
        (ben, [true, true, true]),
        (cleo, [true, false, false]),
        (eve, [false, false, false]),
    ] {
        for (channel, seen) in [open, private, direct].into_iter().zip(sees) {
            assert_eq!(store.reads_channel(who, channel).await.unwrap(), seen, "{channel}");
            assert_eq!(store.channel(who, channel).await.is_ok(), seen);
            assert_eq!(store.channel_members(who, channel).await.is_ok(), seen);
            assert_eq!(store.channel_messages(who, newest(channel)).await.is_ok(), seen);
            let up_to = ReadUpTo { channel_id: channel, thread_id: None, number: 1 };
            assert_eq!(store.mark_channel_read(who, up_to).await.is_ok(), seen);
            let query = Query::new("zebra").unwrap();
            let workspace = talk.cast.workspace;
            let within = store.search_channels(workspace, who, &query, Some(channel), None, 9).await;
            assert_eq!(within.is_ok(), seen);
        }
        let message = store.channel_message(who, secret).await;
        assert_eq!(message.is_ok(), sees[1]);
        assert!(sees[1] || matches!(message, Err(Error::NotFound("message"))));
    }
    assert_eq!(
        talk.found(ben, "zebra", None).await,
        ["zebra secret", "zebra direct", "zebra private", "zebra open"]
    );
    assert_eq!(talk.found(cleo, "zebra", None).await, ["zebra open"]);
    assert!(
        talk.found(eve, "zebra", None).await.is_empty()
            || talk.found(eve, "zebra", None).await == ["zebra open"]
    );
    assert_eq!(talk.names(ben, ListedChannels::Own).await, ["Ana", "Board"]);
    assert_eq!(talk.names(cleo, ListedChannels::Own).await, [""; 0]);
    assert_eq!(talk.names(cleo, ListedChannels::Open).await, ["General"]);
    for (who, name, found) in [(cleo, "#general", 1), (ben, "board", 1), (cleo, "board", 0), (ben, "ana", 1)]
    {
        let named = store.channels_named(talk.cast.workspace, who, name).await.unwrap();
        assert_eq!(named.len(), found, "{name}");
    }
    // Nor can it be written to, or replied to, by who doesn't see it.
    for change in [
        ChannelChange::Send {
            id: ChannelMessageId::new(),
            to: Recipient::Channel(private),
            text: "x".into(),
        },
        ChannelChange::Send { id: ChannelMessageId::new(), to: Recipient::Thread(secret), text: "x".into() },
        ChannelChange::Join { channel: private },
        ChannelChange::Add { channel: private, people: vec![cleo] },
        ChannelChange::Edit { message: secret, text: "x".into() },
    ] {
        let told = talk.change(cleo, change).await.unwrap_err();
        assert!(told.contains("there is no such"), "{told}");
    }
    // What the area says comes first.
    let rule = AreaRule { role: Role::Member, area: Area::Messages, access: AreaAccess::Read };
    store.set_area_rules(talk.cast.workspace, ana, vec![rule]).await.unwrap();
    let told = talk.send(ben, Recipient::Channel(open), "x").await.unwrap_err();
    assert!(told.contains("may not change data of the area messages"), "{told}");
    assert!(store.reads_channel(ben, private).await.unwrap());
    let rule = AreaRule { access: AreaAccess::None, ..rule };
    store.set_area_rules(talk.cast.workspace, ana, vec![rule]).await.unwrap();
    assert!(!store.reads_channel(ben, private).await.unwrap());
    let people = store.channel_people(talk.cast.workspace).await.unwrap();
    assert_eq!(people.len(), 1, "only Ana may read");
    let told = talk.change(ana, ChannelChange::OpenDirect { people: vec![cleo] }).await.unwrap_err();
    assert!(told.contains("may not read messages here"), "{told}");
    talk.end().await;
}

#[tokio::test]
async fn messages_are_numbered_and_what_is_unread_is_known() {
    let talk = Talk::begin().await;
    let (ana, ben, cleo) = (talk.cast.ana, talk.ben, talk.cleo);
    let general = talk.channel(ana, ChannelKind::Open, "General", &[ben]).await;
    let first = talk.say(ana, general, "one").await;
    let gone = talk.say(ana, general, "two").await;
    talk.say(ana, general, "three").await;
    let unread = async |who| talk.seen(who, general).await.unread;
    assert_eq!((unread(ana).await, unread(ben).await, unread(cleo).await), (0, 3, 0));
    talk.change(ana, ChannelChange::Delete { message: gone }).await.unwrap();
    assert_eq!(unread(ben).await, 2, "what was deleted is not to be read");
    let told = talk.change(ana, ChannelChange::Delete { message: gone }).await.unwrap_err();
    assert!(told.contains("was deleted"), "{told}");
    assert!(talk.read(ben, general, 1).await);
    assert_eq!(unread(ben).await, 1);
    assert!(talk.read(ben, general, 99).await && !talk.read(ben, general, 2).await);
    let seen = talk.seen(ben, general).await;
    assert_eq!((seen.unread, seen.read_number, seen.last_number), (0, Some(3), 3));
    assert_eq!(seen.last.unwrap().text, "three");
    // Whoever writes in an open channel is in it, and has read what is there.
    assert!(!talk.seen(cleo, general).await.is_member);
    talk.say(cleo, general, "four").await;
    let seen = talk.seen(cleo, general).await;
    assert!(seen.is_member && seen.unread == 0 && seen.members == 3);
    assert_eq!(unread(ben).await, 1);

    // A thread counts by itself.
    let reply = talk.reply(ben, first, "a reply").await;
    talk.reply(ana, reply, "another").await;
    assert_eq!(talk.seen(cleo, general).await.unread, 0);
    let root = talk.store().channel_message(ana, first).await.unwrap();
    assert_eq!((root.replies, root.thread_id, root.last_reply_at.is_some()), (2, None, true));
    let thread = MessagesQuery { thread_id: Some(first), ..newest(general) };
    assert_eq!(talk.texts(ben, thread).await, (vec!["a reply".into(), "another".into()], false, false));
    talk.change(ben, ChannelChange::Delete { message: reply }).await.unwrap();
    assert_eq!(talk.store().channel_message(ana, first).await.unwrap().replies, 1);
    let elsewhere = talk.channel(ana, ChannelKind::Open, "Other", &[]).await;
    let stray = MessagesQuery { channel_id: elsewhere, ..thread };
    assert!(matches!(talk.store().channel_messages(ana, stray).await, Err(Error::NotFound("message"))));

    // Pages, in the order in which they were written.
    let texts =
        async |around, limit| talk.texts(ana, MessagesQuery { around, limit, ..newest(general) }).await;
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    assert_eq!(texts(Around::Newest, 2).await, (words(&["three", "four"]), true, false));
    assert_eq!(texts(Around::Before(3), 5).await, (words(&["one", ""]), false, true));
    assert_eq!(texts(Around::After(1), 2).await, (words(&["", "three"]), true, true));
    assert_eq!(texts(Around::Number(3), 4).await, (words(&["one", "", "three", "four"]), false, false));

    // Only who wrote it changes it.
    for change in [
        ChannelChange::Edit { message: first, text: "mine".into() },
        ChannelChange::Delete { message: first },
    ] {
        let told = talk.change(ben, change).await.unwrap_err();
        assert!(told.contains("Only who wrote"), "{told}");
    }
    talk.change(ana, ChannelChange::Edit { message: first, text: "ONE".into() }).await.unwrap();
    let edited = talk.store().channel_message(ben, first).await.unwrap();
    assert_eq!((edited.text.as_str(), edited.edited_at.is_some()), ("ONE", true));

    // All at once: no number is left out or given twice.
    let sends = (0..12).map(|number| {
        let talk = &talk;
        async move { talk.say([ana, ben, cleo][number % 3], general, &format!("at once {number}")).await }
    });
    join_all(sends).await;
    let page = talk.store().channel_messages(ana, newest(general)).await.unwrap();
    let numbers: Vec<i64> = page.messages.iter().map(|message| message.number).collect();
    assert_eq!(numbers, (1..=16).collect::<Vec<_>>());
    talk.end().await;
}

#[tokio::test]
async fn people_come_and_go_and_a_channel_can_be_archived() {
    let talk = Talk::begin().await;
    let (ana, ben, cleo) = (talk.cast.ana, talk.ben, talk.cleo);
    let board = talk.channel(ben, ChannelKind::Private, "Board", &[ana]).await;
    let refused = async |by, change| talk.change(by, change).await.unwrap_err();
    talk.change(ana, ChannelChange::Add { channel: board, people: vec![cleo] }).await.unwrap();
    talk.say(cleo, board, "hello").await;
    let remove = |person| ChannelChange::Remove { channel: board, person };
    assert!(refused(cleo, remove(ana)).await.contains("Only who made"));
    talk.change(ben, remove(cleo)).await.unwrap();
    assert!(matches!(talk.store().channel(cleo, board).await, Err(Error::NotFound("channel"))));
    assert!(talk.found(cleo, "hello", None).await.is_empty());
    talk.change(ana, ChannelChange::Leave { channel: board }).await.unwrap();
    assert!(refused(ben, ChannelChange::Leave { channel: board }).await.contains("the last one"));
    let set = |changes| ChannelChange::Set { channel: board, changes };
    let archived = |is_archived| ChannelChanges { is_archived: Some(is_archived), ..Default::default() };
    talk.change(ben, set(archived(true))).await.unwrap();
    assert!(talk.send(ben, Recipient::Channel(board), "x").await.unwrap_err().contains("archived"));
    assert_eq!(talk.names(ben, ListedChannels::Archived).await, ["Board"]);
    assert!(talk.names(ana, ListedChannels::Archived).await.is_empty());
    talk.change(ben, set(archived(false))).await.unwrap();

    let open = talk.channel(ana, ChannelKind::Open, "General", &[]).await;
    let again =
        NewChannel { kind: ChannelKind::Open, name: "#GENERAL".into(), topic: String::new(), people: vec![] };
    let taken = refused(ben, ChannelChange::Create { id: ChannelId::new(), new: again }).await;
    assert!(taken.contains("channel with this name"), "{taken}");
    // A private one tells nobody that it is there.
    talk.channel(ben, ChannelKind::Private, "General", &[]).await;
    assert!(
        refused(ben, ChannelChange::Set { channel: open, changes: archived(true) }).await.contains("Join")
    );
    talk.change(ben, ChannelChange::Join { channel: open }).await.unwrap();
    let renamed =
        ChannelChanges { name: Some("Hall".into()), topic: Some("All".into()), ..Default::default() };
    talk.change(ben, ChannelChange::Set { channel: open, changes: renamed }).await.unwrap();
    assert!(
        refused(ben, ChannelChange::Set { channel: open, changes: archived(true) }).await.contains("admins")
    );
    let seen = talk.seen(cleo, open).await;
    assert_eq!((seen.title().as_str(), seen.topic.as_str(), seen.members), ("Hall", "All", 2));
    let direct = talk.direct(ana, &[ben, cleo]).await;
    assert!(refused(ana, ChannelChange::Leave { channel: direct }).await.contains("Nobody leaves"));
    assert_eq!(talk.seen(ana, direct).await.title(), "Ben, Cleo");
    assert!(
        talk.names(ben, ListedChannels::Own).await.iter().all(|name| !name.contains("Cleo")),
        "nothing was said"
    );
    talk.end().await;
}

#[tokio::test]
async fn whom_a_message_names_hears_of_it_if_they_may_read_it() {
    let talk = Talk::begin().await;
    let (ana, ben, cleo, eve) = (talk.cast.ana, talk.ben, talk.cleo, talk.eve);
    let (store, workspace) = (talk.store(), talk.cast.workspace);
    let general = talk.channel(ana, ChannelKind::Open, "General", &[]).await;
    let board = talk.channel(ana, ChannelKind::Private, "Board", &[ben]).await;
    let text = format!("@ben and @Cleo, {}, @ana, @Eve", person_link("Eve", eve));
    let first = talk.say(ana, general, &text).await;
    talk.say(ana, board, "@Ben @Cleo only here").await;
    let written = store.channel_message(ana, first).await.unwrap().text;
    assert!(
        written.starts_with(&format!("{} and {}", person_link("Ben", ben), person_link("Cleo", cleo))),
        "{written}"
    );
    assert!(written.ends_with("@Eve"), "no member is called so: {written}");
    assert_eq!(talk.mentions(ben).await.len(), 2);
    assert_eq!(talk.mentions(cleo).await.len(), 1, "not of what she may not read");
    assert!(talk.mentions(ana).await.is_empty(), "she wrote it");
    assert!(talk.mentions(eve).await.is_empty());
    assert_eq!(store.unread_mentions(workspace, ben).await.unwrap(), 2);
    talk.change(ben, ChannelChange::Join { channel: general }).await.unwrap();
    assert_eq!(talk.seen(ben, general).await.unread_mentions, 1);
    talk.read(ben, general, 1).await;
    assert_eq!(store.unread_mentions(workspace, ben).await.unwrap(), 1);

    // Those of a thread hear of what is added to it.
    talk.reply(ben, first, "yes").await;
    assert_eq!(talk.mentions(ana).await, [("yes".to_owned(), MentionReason::Replied, false)]);
    let reply = talk.reply(cleo, first, "no").await;
    assert_eq!(talk.mentions(ben).await[0], ("no".to_owned(), MentionReason::Replied, false));
    let up_to = ReadUpTo { channel_id: general, thread_id: Some(first), number: 2 };
    assert!(store.mark_channel_read(ana, up_to).await.unwrap());
    assert_eq!(store.unread_mentions(workspace, ana).await.unwrap(), 0);

    // Who is named no more hears no more; who is named anew does.
    let edit = |message, text: &str| ChannelChange::Edit { message, text: text.into() };
    let edited = talk.change(cleo, edit(reply, "@Ana no")).await.unwrap();
    assert_eq!(edited["notified"][0]["name"], "Ana");
    talk.change(ana, edit(first, "nobody")).await.unwrap();
    assert!(talk.mentions(cleo).await.iter().all(|(text, ..)| text != "nobody"));
    talk.change(cleo, ChannelChange::Delete { message: reply }).await.unwrap();
    assert!(talk.mentions(ben).await.iter().all(|(_, reason, _)| *reason == MentionReason::Named));
    let last = store.channel_mentions(workspace, ben, None, 1).await.unwrap().remove(0).message.id;
    assert!(store.channel_mentions(workspace, ben, Some(last), 50).await.unwrap().is_empty());
    talk.change(ana, ChannelChange::Remove { channel: board, person: ben }).await.unwrap();
    assert!(talk.mentions(ben).await.is_empty());
    talk.end().await;
}

#[tokio::test]
async fn an_agent_writes_as_itself_and_each_call_and_request_once() {
    let talk = Talk::begin().await;
    let (cast, ana) = (&talk.cast, talk.cast.ana);
    let general = talk.channel(ana, ChannelKind::Open, "General", &[talk.ben]).await;
    let (accept, begun) = cast.fresh("Tell them");
    talk.store().commit(&accept).await.unwrap();
    let call = CallPlace { conversation_id: begun.id, seq: 3, fence: begun.fence() };
    let effect = Effect {
        call,
        args_hash: "these".into(),
        deadline: Instant::now() + Duration::from_secs(60),
        shown: Shown::default(),
    };
    let agent = ByAgent { agent_id: cast.agent, conversation_id: begun.id, seq: 3 };
    let author = Author { profile_id: ana, agent: Some(agent) };
    let send = |text: &str| ChannelChange::Send {
        id: ChannelMessageId::new(),
        to: Recipient::Channel(general),
        text: text.into(),
    };
    let once = Once::Call(effect);
    let store = talk.store();
    let first = store.change_channel(&once, cast.workspace, author, send("Hello @Ana")).await.unwrap();
    let again = store.change_channel(&once, cast.workspace, author, send("Hello @Ana")).await.unwrap();
    assert_eq!(first, again);
    let request = |hash: &str| Once::Request { profile_id: ana, key: "k".into(), request_hash: hash.into() };
    let by_hand = Author { profile_id: ana, agent: None };
    let one = store.change_channel(&request("a"), cast.workspace, by_hand, send("By hand")).await.unwrap();
    let two = store.change_channel(&request("a"), cast.workspace, by_hand, send("By hand")).await.unwrap();
    assert_eq!(one["message_id"], two["message_id"]);
    let other = store.change_channel(&request("b"), cast.workspace, by_hand, send("Other")).await;
    assert!(matches!(other, Err(EffectRefused::OtherArguments)));

    let page = store.channel_messages(ana, newest(general)).await.unwrap();
    assert_eq!(page.messages.len(), 2);
    let by_agent = &page.messages[0];
    assert_eq!(by_agent.author, Some(author));
    assert_eq!(by_agent.agent_name.as_deref(), Some("Budget Coach"));
    assert_eq!((by_agent.conversation_id, by_agent.approved_by.as_ref()), (Some(begun.id), None));
    let others = store.channel_message(talk.ben, by_agent.id).await.unwrap();
    assert_eq!(others.conversation_id, None, "it is nobody else's conversation");
    assert_eq!(talk.mentions(ana).await.len(), 1, "an agent's message may name its own person");
    let edit = ChannelChange::Edit { message: by_agent.id, text: "x".into() };
    assert!(talk.change(ana, edit).await.unwrap_err().contains("An agent wrote"));
    talk.change(ana, ChannelChange::Delete { message: by_agent.id }).await.unwrap();
    talk.end().await;
}

#[tokio::test]
async fn search_finds_the_newest_first_also_where_a_word_is_everywhere() {
    let talk = Talk::begin().await;
    let (ana, ben) = (talk.cast.ana, talk.ben);
    let (store, workspace) = (talk.store(), talk.cast.workspace);
    let general = talk.channel(ana, ChannelKind::Open, "General", &[]).await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(talk.say(ana, general, &format!("Größe {number} of the café")).await);
    }
    assert_eq!(talk.found(ben, "grosse", None).await.len(), 5);
    assert_eq!(talk.found(ben, "cafe 3", None).await, ["Größe 3 of the café"]);
    assert_eq!(talk.found(ben, "caf", Some(general)).await[0], "Größe 4 of the café");
    let query = Query::new("cafe").unwrap();
    let earlier = store.search_channels(workspace, ben, &query, None, Some(ids[2]), 1).await.unwrap();
    assert_eq!(earlier.iter().map(|found| found.message.id).collect::<Vec<_>>(), [ids[1]]);
    assert_eq!(earlier[0].snippet.marked("<", ">"), "Größe 1 of the <café>");
    talk.change(ana, ChannelChange::Edit { message: ids[3], text: "tea".into() }).await.unwrap();
    talk.change(ana, ChannelChange::Delete { message: ids[4] }).await.unwrap();
    assert_eq!(talk.found(ben, "cafe", None).await.len(), 3);
    assert_eq!(talk.found(ben, "tea", None).await, ["tea"]);

    if talk.cast.told.is_postgres() {
        // More hits than are sorted: rows are gone through instead, and found in the same order.
        let raw = talk.cast.told.raw().await;
        let scope = format!("'@w{}'", workspace.0.simple());
        let fill = format!(
            "WITH made AS (INSERT INTO channel_messages (id, workspace_id, channel_id, parent_id, number, text, replies, last_reply, created_at) \
             SELECT CAST(lpad(to_hex(n), 32, '0') AS uuid), '{workspace}', '{general}', '{general}', n + 100, 'everywhere', 0, 0, now() \
             FROM generate_series(1, 5100) AS n RETURNING id) \
             INSERT INTO channel_message_words SELECT id, CAST($${scope} 'everywhere':1$$ AS tsvector) FROM made"
        );
        raw.execute_unprepared(&fill).await.unwrap();
        raw.close().await.unwrap();
        let newest = talk.say(ana, general, "everywhere, and new").await;
        let query = Query::new("everywhere").unwrap();
        let found = store.search_channels(workspace, ben, &query, None, None, 3).await.unwrap();
        assert_eq!((found.len(), found[0].message.id), (3, newest));
        let before = store.search_channels(workspace, ben, &query, None, Some(newest), 3).await.unwrap();
        assert_eq!(before[0].message.number, 5_200);
    }
    talk.end().await;
}

#[tokio::test]
async fn exports_hold_what_their_person_reads_and_what_is_left_alone_goes() {
    let talk = Talk::begin().await;
    let (ana, ben, cleo) = (talk.cast.ana, talk.ben, talk.cleo);
    let (store, workspace) = (talk.store(), talk.cast.workspace);
    let before = store.space_taken(workspace).await.unwrap().all.bytes;
    let general = talk.channel(ana, ChannelKind::Open, "General", &[ben]).await;
    let first = talk.say(ben, general, "by ben in the open").await;
    talk.reply(ana, first, "by ana in the thread").await;
    let direct = talk.direct(ben, &[cleo]).await;
    talk.say(ben, direct, "by ben to cleo").await;
    talk.say(cleo, direct, "by cleo to ben").await;
    let taken = store.space_taken(workspace).await.unwrap().all.bytes - before;
    assert!((4 * 300..4 * 400).contains(&taken), "{taken}");

    let anas = whole(store.export_workspace(workspace, ana).await.unwrap()).await.to_string();
    assert!(anas.contains("by ben in the open") && anas.contains("by ana in the thread"));
    assert!(!anas.contains("to cleo") && !anas.contains("to ben"), "nobody else's direct messages");
    let bens = whole(store.export_profile(ben).await.unwrap()).await;
    let texts: Vec<&str> = bens["channel_messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["by ben in the open", "by ben to cleo"], "what he wrote, and nothing of others");

    // Who leaves the workspace sees nothing any more; what they wrote stays.
    store.remove_member(workspace, ana, ben).await.unwrap();
    assert!(!store.reads_channel(ben, general).await.unwrap());
    assert!(!store.reads_channel(ben, direct).await.unwrap());
    assert_eq!(talk.seen(cleo, direct).await.title(), "Ben");
    store.delete_profile(ben).await.unwrap();
    store.purge(now() + Days::minutes(20)).await.unwrap();
    let left = store.channel_message(ana, first).await.unwrap();
    assert_eq!((left.text.as_str(), left.author, left.author_name), ("by ben in the open", None, None));
    assert_eq!(talk.seen(cleo, direct).await.last_number, 2);
    // A channel that nobody can come to is removed in time.
    store.remove_member(workspace, ana, cleo).await.unwrap();
    store.purge(now() + Days::days(29)).await.unwrap();
    let taken = async || store.space_taken(workspace).await.unwrap().all.bytes - before;
    assert!(taken().await > 1_200);
    store.purge(now() + Days::days(31)).await.unwrap();
    assert!(taken().await < 800, "{}", taken().await);
    assert!(store.channel(ana, general).await.is_ok());
    talk.end().await;
}

/// The workspace of a channel is the one that is asked for.
#[tokio::test]
async fn a_channel_of_another_workspace_is_not_there() {
    let talk = Talk::begin().await;
    let general = talk.channel(talk.cast.ana, ChannelKind::Open, "General", &[]).await;
    let elsewhere: WorkspaceId = talk.cast.told.first_workspace(talk.ben).await;
    let author = Author { profile_id: talk.ben, agent: None };
    let send = ChannelChange::Send {
        id: ChannelMessageId::new(),
        to: Recipient::Channel(general),
        text: "x".into(),
    };
    let told = talk.store().change_channel(&Once::Unkeyed, elsewhere, author, send).await;
    assert!(matches!(told, Err(EffectRefused::Store(Error::NotFound("channel")))), "{told:?}");
    let query = Query::new("x").unwrap();
    let found = talk.store().search_channels(elsewhere, talk.ben, &query, Some(general), None, 5).await;
    assert!(matches!(found, Err(Error::NotFound("channel"))));
    talk.end().await;
}
