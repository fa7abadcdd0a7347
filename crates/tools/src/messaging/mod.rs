//! `manageMessaging`: the workspace's channels and messages, as the person may read them. What a call asks for is read in
//! `action.rs`; here it is done, and shown in a form that fits a model.

mod action;

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::channels::{
    Around, Channel, ChannelChange, ChannelKind, ChannelMessage, ListedChannels, MessagesQuery, Recipient,
    plain,
};
use baton_core::data::areas::{Area, AreaAccess};
use baton_core::ids::{ChannelId, ChannelMessageId, ProfileId, WorkspaceId};
use baton_core::listing::Window;
use baton_core::search::Query;
use baton_core::store::{Channels, Effects, Error};
use baton_core::tools::{
    Nature, Preview, PreviewChange, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec,
};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::arguments::store_failure;
use crate::finance::names::resolve;
use crate::outage::{once, patiently};
use action::{Action, Of, To, failure};

pub const NAME: &str = "manageMessaging";

pub struct MessagingTool {
    channels: Arc<dyn Channels>,
    effects: Arc<dyn Effects>,
}

impl MessagingTool {
    pub fn new(channels: Arc<dyn Channels>, effects: Arc<dyn Effects>) -> Self {
        Self { channels, effects }
    }

    /// Refuses people who may not do what the call needs.
    fn desk<'a>(&'a self, context: &'a ToolContext, least: AreaAccess) -> Result<Desk<'a>, ToolFailure> {
        let Some(reader) = context.person.profile_id() else {
            return Err(failure("Messages are only for people who are signed in."));
        };
        let may = context.areas.check(Area::Messages, least);
        may.map_err(|refused| failure(format!("{refused}.")))?;
        Ok(Desk { channels: &*self.channels, context, workspace: context.workspace_id, reader })
    }
}

#[async_trait]
impl Tool for MessagingTool {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: action::DESCRIPTION.to_owned(),
            parameters: action::parameters(),
        }
    }

    fn display_name(&self) -> String {
        "Messaging".to_owned()
    }

    fn nature(&self, arguments: &Map<String, Value>) -> Nature {
        if Action::writes(arguments) { Nature::WRITES } else { Nature::READS }
    }

    fn check(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        Action::read(arguments).map(drop)
    }

    fn has_preview(&self) -> bool {
        true
    }

    async fn preview(&self, context: &ToolContext, arguments: &Map<String, Value>) -> Option<Preview> {
        let Action::Write { to, text } = Action::read(arguments).ok()? else { return None };
        let desk = self.desk(context, AreaAccess::Write).ok()?;
        let (_, place, sentence) = desk.place(&to).await.ok()?;
        let change = PreviewChange { what: place, field: "Message".to_owned(), old: None, new: Some(text) };
        Some(Preview { sentence, changes: vec![change], more: 0, seen: Vec::new() })
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let action = Action::read(&arguments)?;
        let is_write = matches!(action, Action::Write { .. });
        let desk = self.desk(context, if is_write { AreaAccess::Write } else { AreaAccess::Read })?;
        let done = match action {
            Action::List { limit } => desk.list(limit).await,
            Action::Read { of, before, limit } => desk.read(of, before, limit).await,
            Action::Search { query, channel, limit } => desk.search(&query, channel.as_deref(), limit).await,
            Action::Mentions { limit } => desk.mentions(limit).await,
            Action::Write { to, text } => desk.write(&to, text).await,
        };
        match done {
            Ok(value) => Ok(value.into()),
            Err(failed) if is_write => self.recorded(context).await.ok_or(failed),
            Err(failed) => Err(failed),
        }
    }
}

impl MessagingTool {
    /// What an earlier try of this call did. What it found then, such as a channel by its name, may not be there any more.
    async fn recorded(&self, context: &ToolContext) -> Option<ToolAnswer> {
        self.effects.done_before(&context.once).await.ok()?.map(ToolAnswer::from)
    }
}

/// What a call works with: channels as its person may read them.
struct Desk<'a> {
    channels: &'a dyn Channels,
    context: &'a ToolContext,
    workspace: WorkspaceId,
    reader: ProfileId,
}

impl Desk<'_> {
    async fn list(&self, limit: u64) -> Result<Value, ToolFailure> {
        let window = Window { limit, offset: 0 };
        let listed = async |listed| {
            let page =
                patiently(|| self.channels.channels(self.workspace, self.reader, listed, window)).await;
            page.map_err(store_failure)
        };
        let own = listed(ListedChannels::Own).await?;
        let open = listed(ListedChannels::Open).await?;
        let shown = |channel: &Channel| {
            let mut shown = json!({"id": channel.id, "name": channel.title(), "kind": channel.kind, "unread": channel.unread});
            let told = [("topic", channel.topic.clone()), ("last", last(channel))];
            for (name, value) in told.into_iter().filter(|(_, value)| !value.is_empty()) {
                shown[name] = value.into();
            }
            shown
        };
        let others = open.rows.iter().filter(|channel| !channel.is_member);
        let mut answer = json!({
            "channels": own.rows.iter().map(shown).collect::<Vec<_>>(),
            "openToJoin": others.map(|channel| json!({"id": channel.id, "name": channel.name, "topic": channel.topic})).collect::<Vec<_>>(),
        });
        if own.total > own.rows.len() as u64 {
            answer["more"] =
                format!("{} more channels: raise limit.", own.total - own.rows.len() as u64).into();
        }
        Ok(answer)
    }

    async fn read(&self, of: Of, before: Option<i64>, limit: u64) -> Result<Value, ToolFailure> {
        let (channel, root) = match of {
            Of::Channel(name) => (self.named(&name).await?, None),
            Of::Thread(id) => {
                let message = self.message(id).await?;
                let root = match message.thread_id {
                    Some(thread) => self.message(thread.0).await?,
                    None => message,
                };
                let channel = patiently(|| self.channels.channel(self.reader, root.channel_id)).await;
                (channel.map_err(store_failure)?, Some(root))
            }
        };
        let around = before.map_or(Around::Newest, Around::Before);
        let thread_id = root.as_ref().map(|root| root.id);
        let query = MessagesQuery { channel_id: channel.id, thread_id, around, limit };
        let page = patiently(|| self.channels.channel_messages(self.reader, query)).await;
        let page = page.map_err(store_failure)?;
        let messages: Vec<Value> = page.messages.iter().map(shown).collect();
        let mut answer = json!({"channel": {"id": channel.id, "name": channel.title(), "kind": channel.kind}, "messages": messages});
        if let Some(root) = &root {
            answer["repliesTo"] = shown(root);
        }
        if page.has_earlier
            && let Some(first) = page.messages.first()
        {
            answer["more"] = format!("There are earlier ones: read with before {}.", first.number).into();
        }
        Ok(answer)
    }

    async fn search(&self, query: &Query, channel: Option<&str>, limit: u64) -> Result<Value, ToolFailure> {
        let within = match channel {
            Some(name) => Some(self.named(name).await?.id),
            None => None,
        };
        let (workspace, reader) = (self.workspace, self.reader);
        let found =
            patiently(|| self.channels.search_channels(workspace, reader, query, within, None, limit)).await;
        let found = found.map_err(store_failure)?;
        let messages: Vec<Value> = found
            .iter()
            .map(|found| {
                let mut shown = shown(&found.message);
                shown["channel"] = found.channel.title().into();
                shown["text"] = found.snippet.marked("**", "**").into();
                shown
            })
            .collect();
        let mut answer = json!({ "messages": messages });
        if found.is_empty() {
            answer["note"] = "No message has all of these words. Try fewer or other words.".into();
        } else if found.len() as u64 == limit {
            answer["more"] = "There may be earlier ones: narrow by more words, or raise limit.".into();
        }
        Ok(answer)
    }

    async fn mentions(&self, limit: u64) -> Result<Value, ToolFailure> {
        let (workspace, reader) = (self.workspace, self.reader);
        let mentions = patiently(|| self.channels.channel_mentions(workspace, reader, None, limit)).await;
        let messages: Vec<Value> = mentions
            .map_err(store_failure)?
            .iter()
            .map(|mention| {
                let mut shown = shown(&mention.message);
                shown["channel"] = mention.channel.title().into();
                shown["isRead"] = mention.is_read.into();
                shown
            })
            .collect();
        Ok(json!({ "messages": messages }))
    }

    async fn write(&self, to: &To, text: String) -> Result<Value, ToolFailure> {
        let (to, ..) = self.place(to).await?;
        let context = self.context;
        let author = context.author(self.reader);
        let change = ChannelChange::Send { id: ChannelMessageId::new(), to, text };
        let change = change.checked().map_err(|invalid| failure(format!("{invalid}.")))?;
        once(|| self.channels.change_channel(&context.once, self.workspace, author, change.clone())).await
    }

    /// Where it is written, what that is called, and the sentence that tells it to who is asked.
    async fn place(&self, to: &To) -> Result<(Recipient, String, String), ToolFailure> {
        match to {
            To::Channel(name) => {
                let channel = self.named(name).await?;
                let called = called(channel.kind, &channel.title());
                Ok((Recipient::Channel(channel.id), called.clone(), format!("Write in {called}.")))
            }
            To::Thread(id) => {
                let message = self.message(*id).await?;
                let channel = patiently(|| self.channels.channel(self.reader, message.channel_id)).await;
                let channel = channel.map_err(store_failure)?;
                let called = called(channel.kind, &channel.title());
                let sentence = format!("Reply in {called} to {}: {}", wrote(&message), plain(&message.text));
                Ok((Recipient::Thread(message.id), called, sentence))
            }
            To::People(names) => {
                let readers = patiently(|| self.channels.channel_people(self.workspace)).await;
                let readers = readers.map_err(store_failure)?;
                let (mut people, mut called) = (Vec::new(), Vec::new());
                for name in names {
                    let email = readers.iter().find(|one| one.email.eq_ignore_ascii_case(name.trim()));
                    let id = match email {
                        Some(reader) => reader.person.profile_id.0,
                        None => {
                            let rows =
                                readers.iter().map(|one| (one.person.profile_id.0, one.person.name.as_str()));
                            resolve("member", name, rows)?
                        }
                    };
                    let reader = readers.iter().find(|one| one.person.profile_id.0 == id);
                    people.push(ProfileId(id));
                    called.extend(reader.map(|one| one.person.name.clone()));
                }
                let called = called.join(", ");
                let sentence = format!("Write a direct message to {called}.");
                Ok((Recipient::People(people), called, sentence))
            }
        }
    }

    /// The one channel that a name or an id means.
    async fn named(&self, wanted: &str) -> Result<Channel, ToolFailure> {
        if let Ok(id) = Uuid::parse_str(wanted) {
            let found = patiently(|| self.channels.channel(self.reader, ChannelId(id))).await;
            return match found {
                Ok(channel) if channel.workspace_id == self.workspace => Ok(channel),
                Ok(_) | Err(Error::NotFound(_)) => Err(no_channel(wanted)),
                Err(error) => Err(store_failure(error)),
            };
        }
        let found = patiently(|| self.channels.channels_named(self.workspace, self.reader, wanted)).await;
        let mut found = found.map_err(store_failure)?;
        match (found.pop(), found.is_empty()) {
            (Some(channel), true) => Ok(channel),
            (None, _) => Err(no_channel(wanted)),
            (Some(last), false) => {
                found.push(last);
                let ids: Vec<String> = found.iter().map(|channel| channel.id.to_string()).collect();
                Err(failure(format!(
                    "Several channels are called {wanted:?}: give the id of one ({}).",
                    ids.join(", ")
                )))
            }
        }
    }

    async fn message(&self, id: Uuid) -> Result<ChannelMessage, ToolFailure> {
        let no_message =
            || failure(format!("There is no message {id}. Read or search, and use an id from there."));
        match patiently(|| self.channels.channel_message(self.reader, ChannelMessageId(id))).await {
            Ok(message) if message.workspace_id == self.workspace => Ok(message),
            Ok(_) | Err(Error::NotFound(_)) => Err(no_message()),
            Err(error) => Err(store_failure(error)),
        }
    }
}

fn no_channel(wanted: &str) -> ToolFailure {
    failure(format!("There is no channel {wanted:?} that this person may read. Use list to find one."))
}

fn called(kind: ChannelKind, title: &str) -> String {
    match kind {
        ChannelKind::Open | ChannelKind::Private => format!("#{title}"),
        ChannelKind::Direct => title.to_owned(),
    }
}

fn wrote(message: &ChannelMessage) -> String {
    let person = message.author_name.as_deref().unwrap_or("someone who left");
    match &message.agent_name {
        Some(agent) => format!("{agent}, an agent, for {person}"),
        None => person.to_owned(),
    }
}

fn last(channel: &Channel) -> String {
    let text = channel.last.as_ref().map(|last| plain(&last.text)).unwrap_or_default();
    text.chars().take(200).collect()
}

fn shown(message: &ChannelMessage) -> Value {
    let mut shown = json!({
        "id": message.id, "number": message.number, "from": wrote(message),
        "at": message.created_at.to_rfc3339(),
    });
    match message.deleted_at {
        Some(_) => shown["deleted"] = true.into(),
        None => shown["text"] = plain(&message.text).into(),
    }
    if message.replies > 0 {
        shown["replies"] = message.replies.into();
    }
    if let Some(thread) = message.thread_id {
        shown["repliesTo"] = thread.0.to_string().into();
    }
    shown
}
