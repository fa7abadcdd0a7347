//! Channels of the demo workspace: what its two people write to each other, and what an agent wrote for one of them.

use baton_core::channels::{ChannelChange, ChannelKind, NewChannel, Recipient};
use baton_core::conversations::{ConversationQuery, With};
use baton_core::data::rows::{Author, ByAgent, Once};
use baton_core::ids::{ChannelId, ChannelMessageId, ConversationId, ProfileId, WorkspaceId};
use baton_core::people::Profile;
use baton_core::visitors::Person;

use super::{COLLEAGUE, agent_ids, find};
use crate::app::App;

/// Who writes.
#[derive(Clone, Copy, PartialEq)]
enum Writer {
    Owner,
    Colleague,
    /// The Project Manager, for the owner.
    Agent,
}
use Writer::{Agent, Colleague, Owner};

struct Sample {
    /// None: the direct channel between the two.
    channel: Option<(&'static str, ChannelKind, &'static str)>,
    messages: &'static [Message],
}

/// Who writes what, and the replies to it.
type Message = (Writer, &'static str, &'static [(Writer, &'static str)]);

const SAMPLES: &[Sample] = &[
    Sample {
        channel: Some(("general", ChannelKind::Open, "What concerns all of us")),
        messages: &[
            (Owner, "Welcome! Questions about how we do things: ask here, or the Knowledge Curator.", &[]),
            (Colleague, "The coffee machine is back from repair. ☕", &[]),
            (
                Colleague,
                "@Robin Demo, does the expense policy cover the new camera?",
                &[
                    (Owner, "It is more than EUR 30 a month, so yes, with a word from me. Consider it said."),
                    (Colleague, "Thank you. I will put the receipt where the policy says."),
                ],
            ),
        ],
    },
    Sample {
        channel: Some(("website-relaunch", ChannelKind::Open, "Content freeze, redirects, sign-off")),
        messages: &[
            (Owner, "Three things decide the date. Who takes what?", &[]),
            (Colleague, "I take the redirects. The old pages are listed in a sheet already.", &[]),
            (
                Agent,
                "What is open for the relaunch:\n\n1. Content freeze, two weeks before the launch\n2. Redirects from the old pages: Sam\n\
                 3. Who signs off is not decided yet.",
                &[(Colleague, "Then I propose that Robin signs off.")],
            ),
        ],
    },
    Sample {
        channel: Some(("budget", ChannelKind::Private, "The review on Friday at 11:00")),
        messages: &[(Owner, "I have looked through the subscriptions: two of them nobody uses.", &[])],
    },
    Sample { channel: None, messages: &[(Colleague, "Can we move our talk to Thursday?", &[])] },
];

pub async fn seed(app: &App, workspace: WorkspaceId, owner: &Profile) -> anyhow::Result<()> {
    // Whoever removed the colleague is left with what there is.
    let Some(colleague) = find(app, COLLEAGUE).await? else { return Ok(()) };
    let desk = Desk {
        app,
        workspace,
        owner: owner.id,
        colleague: colleague.id,
        agent: agent(app, workspace, owner).await?,
    };
    for sample in SAMPLES {
        let to = match sample.channel {
            Some((name, kind, topic)) => {
                let id = ChannelId::new();
                let new =
                    NewChannel { kind, name: name.into(), topic: topic.into(), people: vec![colleague.id] };
                desk.change(Owner, ChannelChange::Create { id, new }).await?;
                Recipient::Channel(id)
            }
            None => Recipient::People(vec![owner.id]),
        };
        for (writer, text, replies) in sample.messages {
            let id = desk.send(*writer, to.clone(), text).await?;
            for (writer, text) in *replies {
                desk.send(*writer, Recipient::Thread(id), text).await?;
            }
        }
    }
    Ok(())
}

/// The Project Manager and the conversation in which the owner talks to it.
async fn agent(app: &App, workspace: WorkspaceId, owner: &Profile) -> anyhow::Result<Option<ByAgent>> {
    let agents = agent_ids(app, workspace, owner).await?;
    let Some((_, agent_id)) = agents.into_iter().find(|(slug, _)| slug == "project-manager") else {
        return Ok(None);
    };
    let query = ConversationQuery {
        workspace_id: workspace,
        with: With::Agent(agent_id),
        person: Person::Profile(owner.id),
        search: None,
        limit: 1,
        before: None,
    };
    let talks = app.store.conversations(query).await?;
    let conversation: Option<ConversationId> = talks.first().map(|one| one.conversation.id);
    Ok(conversation.map(|conversation_id| ByAgent { agent_id, conversation_id, seq: 1 }))
}

struct Desk<'a> {
    app: &'a App,
    workspace: WorkspaceId,
    owner: ProfileId,
    colleague: ProfileId,
    agent: Option<ByAgent>,
}

impl Desk<'_> {
    async fn change(&self, writer: Writer, change: ChannelChange) -> anyhow::Result<()> {
        let author = Author {
            profile_id: if writer == Colleague { self.colleague } else { self.owner },
            agent: self.agent.filter(|_| writer == Agent),
        };
        self.app.store.change_channel(&Once::Unkeyed, self.workspace, author, change.checked()?).await?;
        Ok(())
    }

    async fn send(&self, writer: Writer, to: Recipient, text: &str) -> anyhow::Result<ChannelMessageId> {
        let id = ChannelMessageId::new();
        self.change(writer, ChannelChange::Send { id, to, text: text.to_owned() }).await?;
        Ok(id)
    }
}
