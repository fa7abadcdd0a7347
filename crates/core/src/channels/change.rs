//! Changes of channels and what is written in them, what is told once one is done, and who hears of it.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{ChannelKind, MAX_ADDED, MAX_DIRECT, checked_name, checked_text, checked_topic};
use crate::ids::{ChannelId, ChannelMessageId, ProfileId, WorkspaceId};
use crate::notices::{Audience, Happened, MessageChange, Notice};
use crate::text::Invalid;
use crate::visitors::Person;

#[derive(Debug, Clone, PartialEq)]
pub struct NewChannel {
    pub kind: ChannelKind,
    pub name: String,
    pub topic: String,
    /// Who is in it from its beginning, beside who makes it.
    pub people: Vec<ProfileId>,
}

impl NewChannel {
    pub fn checked(mut self) -> Result<Self, Invalid> {
        if self.kind == ChannelKind::Direct {
            return Err(Invalid::new(
                "kind",
                "must be open or private; a direct channel has its own address",
            ));
        }
        self.name = checked_name(&self.name)?;
        self.topic = checked_topic(Some(&self.topic))?;
        check_added(&self.people)?;
        Ok(self)
    }
}

/// What is left out stays as it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChannelChanges {
    pub name: Option<String>,
    pub topic: Option<String>,
    pub is_archived: Option<bool>,
}

impl ChannelChanges {
    pub fn checked(mut self) -> Result<Self, Invalid> {
        self.name = self.name.map(|name| checked_name(&name)).transpose()?;
        self.topic = self.topic.map(|topic| checked_topic(Some(&topic))).transpose()?;
        Ok(self)
    }
}

/// Where a message goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipient {
    Channel(ChannelId),
    /// The direct channel between these people and who writes; it is made if there is none yet.
    People(Vec<ProfileId>),
    /// As a reply to this message.
    Thread(ChannelMessageId),
}

#[derive(Debug, Clone, PartialEq)]
pub enum ChannelChange {
    Create {
        id: ChannelId,
        new: NewChannel,
    },
    /// The direct channel with these people, which may be there already.
    OpenDirect {
        people: Vec<ProfileId>,
    },
    Set {
        channel: ChannelId,
        changes: ChannelChanges,
    },
    Join {
        channel: ChannelId,
    },
    Leave {
        channel: ChannelId,
    },
    Add {
        channel: ChannelId,
        people: Vec<ProfileId>,
    },
    Remove {
        channel: ChannelId,
        person: ProfileId,
    },
    Send {
        id: ChannelMessageId,
        to: Recipient,
        text: String,
    },
    Edit {
        message: ChannelMessageId,
        text: String,
    },
    Delete {
        message: ChannelMessageId,
    },
}

impl ChannelChange {
    pub fn checked(self) -> Result<Self, Invalid> {
        Ok(match self {
            Self::Create { id, new } => Self::Create { id, new: new.checked()? },
            Self::Set { channel, changes } => Self::Set { channel, changes: changes.checked()? },
            Self::Send { id, to, text } => {
                if let Recipient::People(people) = &to {
                    check_direct(people)?;
                }
                Self::Send { id, to, text: checked_text(&text)? }
            }
            Self::Edit { message, text } => Self::Edit { message, text: checked_text(&text)? },
            Self::OpenDirect { people } => {
                check_direct(&people)?;
                Self::OpenDirect { people }
            }
            Self::Add { channel, people } => {
                check_added(&people)?;
                Self::Add { channel, people }
            }
            other => other,
        })
    }
}

fn check_added(people: &[ProfileId]) -> Result<(), Invalid> {
    if people.len() > MAX_ADDED {
        return Err(Invalid::new("people", format!("must be at most {MAX_ADDED}")));
    }
    Ok(())
}

fn check_direct(people: &[ProfileId]) -> Result<(), Invalid> {
    if !(1..MAX_DIRECT).contains(&people.len()) {
        return Err(Invalid::new("people", format!("must be 1 to {}", MAX_DIRECT - 1)));
    }
    Ok(())
}

/// What a change did, as its outcome says it.
pub mod done {
    pub const CREATED: &str = "created";
    pub const OPENED: &str = "opened";
    pub const CHANGED: &str = "changed";
    pub const JOINED: &str = "joined";
    pub const LEFT: &str = "left";
    pub const ADDED: &str = "added";
    pub const REMOVED: &str = "removed";
    pub const SENT: &str = "sent";
    pub const EDITED: &str = "edited";
    pub const DELETED: &str = "deleted";
}

/// Who hears of a change, by its outcome: that of a request, or the result of an agent's call.
pub fn notices(workspace_id: WorkspaceId, outcome: &Value) -> Vec<Notice> {
    let id = |at: &str| outcome.pointer(at).and_then(Value::as_str).and_then(|id| Uuid::parse_str(id).ok());
    let (Some(what), Some(channel)) = (outcome["done"].as_str(), id("/channel/id")) else {
        return Vec::new();
    };
    let channel_id = ChannelId(channel);
    let message_id = id("/message_id").map(ChannelMessageId);
    let audience = Audience::Channel(channel_id);
    let change = match what {
        done::SENT => Some(MessageChange::Sent),
        done::EDITED => Some(MessageChange::Edited),
        done::DELETED => Some(MessageChange::Deleted),
        _ => None,
    };
    let happened = match (change, message_id) {
        (Some(change), Some(message_id)) => {
            let thread_id = id("/thread_id").map(ChannelMessageId);
            Happened::ChannelMessage { channel_id, message_id, thread_id, change }
        }
        _ => Happened::ChannelChanged { channel_id },
    };
    let mut notices = vec![Notice { workspace_id, audience, happened }];
    let told = |name: &str| -> Vec<ProfileId> {
        let people = outcome[name].as_array().into_iter().flatten();
        let ids = people.filter_map(|person| Uuid::parse_str(person["id"].as_str()?).ok());
        ids.map(ProfileId).collect()
    };
    let to = |profile, happened| Notice {
        workspace_id,
        audience: Audience::Person(Person::Profile(profile)),
        happened,
    };
    if let Some(message_id) = message_id {
        let mentioned = told(NOTIFIED).into_iter();
        notices.extend(mentioned.map(|one| to(one, Happened::Mentioned { channel_id, message_id })));
    }
    // They may see it no more.
    notices.extend(told(GONE).into_iter().map(|one| to(one, Happened::ChannelChanged { channel_id })));
    notices
}

/// In an outcome: people who hear of the message.
pub const NOTIFIED: &str = "notified";
/// In an outcome: people who are no longer in the channel.
pub const GONE: &str = "gone";

/// People as an outcome names them.
pub fn named<'a>(people: impl Iterator<Item = (ProfileId, &'a str)>) -> Value {
    people.map(|(id, name)| json!({"id": id, "name": name})).collect()
}
