//! `--demo`: one workspace with people and conversations in it, so that every page has something to show.

use anyhow::bail;
use baton_core::access::Viewer;
use baton_core::conversations::{ImportedMessage, MessageRole, NewConversation};
use baton_core::ids::{AgentId, WorkspaceId};
use baton_core::listing::{AgentQuery, ProfileQuery, Window};
use baton_core::people::{FirstWorkspace, NewProfile, Profile, Tier};
use baton_core::rules::RuleChanges;
use baton_core::store::Error;
use baton_core::visitors::Person;
use baton_core::workspaces::{NewInvitation, Role};
use chrono::{Duration, Utc};

use crate::app::App;
use crate::secret::Secret;

const OWNER: &str = "owner@demo.localhost";
const WORKSPACE: &str = "Demo";

/// The owner of the demo workspace, who is the admin of the server. Seeds what is missing; keeps what is there.
pub async fn seed(app: &App) -> anyhow::Result<Profile> {
    match app.store.profile_by_email(OWNER).await {
        Ok(owner) => return Ok(owner),
        Err(Error::NotFound(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let anyone = ProfileQuery { search: None, window: Window { limit: 1, offset: 0 } };
    if app.store.profiles(anyone).await?.total > 0 {
        bail!("this server has people in it already: --demo is for a data folder of its own");
    }
    let new = NewProfile {
        email: OWNER.to_owned(),
        name: "Robin Demo".to_owned(),
        password_hash: None,
        tier: Tier::Premium,
        is_admin: true,
    };
    let owner = app.store.sign_up(new, FirstWorkspace::Own { name: WORKSPACE.to_owned() }).await?;
    let workspace = app.store.memberships(owner.id).await?.first().map(|membership| membership.workspace_id);
    if let Some(workspace) = workspace {
        seed_colleague(app, workspace, &owner).await?;
        seed_rule(app, workspace, &owner).await?;
        seed_conversations(app, workspace, &owner).await?;
    }
    Ok(owner)
}

/// A second member, who signs in by link only.
async fn seed_colleague(app: &App, workspace_id: WorkspaceId, owner: &Profile) -> anyhow::Result<()> {
    let token_hash = Secret::new("bin_")?.hash;
    let invitation = NewInvitation {
        workspace_id,
        token_hash: token_hash.clone(),
        email: None,
        role: Role::Member,
        invited_by: owner.id,
        expires_at: Utc::now() + Duration::hours(1),
    };
    app.store.invite(invitation).await?;
    let new = NewProfile {
        email: "sam@demo.localhost".to_owned(),
        name: "Sam Colleague".to_owned(),
        password_hash: None,
        tier: Tier::Free,
        is_admin: false,
    };
    app.store.sign_up(new, FirstWorkspace::Invited { token_hash }).await?;
    Ok(())
}

async fn seed_rule(app: &App, workspace: WorkspaceId, owner: &Profile) -> anyhow::Result<()> {
    let ids = agent_ids(app, workspace, owner).await?;
    let rule = RuleChanges {
        name: Some("House style".to_owned()),
        content: Some(
            "Answer in plain words, the most important thing first. Amounts are in euros.".to_owned(),
        ),
        position: Some(10),
        agent_ids: Some(ids.into_iter().map(|(_, id)| id).collect()),
        ..RuleChanges::default()
    };
    app.store.create_rule(Some(workspace), rule, owner.id).await?;
    Ok(())
}

async fn agent_ids(
    app: &App,
    workspace: WorkspaceId,
    owner: &Profile,
) -> anyhow::Result<Vec<(String, AgentId)>> {
    let query = AgentQuery {
        workspace_id: workspace,
        search: None,
        category: None,
        department_id: None,
        hired_only: true,
        window: Window { limit: 50, offset: 0 },
    };
    let viewer = Viewer::Profile(owner.tier);
    let page = app.store.agents(query, viewer).await?;
    Ok(page.rows.into_iter().filter_map(|row| row.hired).map(|agent| (agent.slug, agent.id)).collect())
}

async fn seed_conversations(app: &App, workspace: WorkspaceId, owner: &Profile) -> anyhow::Result<()> {
    let person = Person::Profile(owner.id);
    for (slug, agent_id) in agent_ids(app, workspace, owner).await? {
        for talk in TALKS.iter().filter(|talk| talk.agent == slug) {
            let new = NewConversation { workspace_id: workspace, agent_id, person, title: None };
            let conversation = app.store.create_conversation(new).await?;
            let said =
                |role, content: &str| ImportedMessage { role, content: content.to_owned(), parts: None };
            let messages =
                vec![said(MessageRole::User, talk.asked), said(MessageRole::Assistant, talk.answered)];
            app.store.import_messages(conversation.id, person, messages).await?;
        }
    }
    Ok(())
}

struct Talk {
    agent: &'static str,
    asked: &'static str,
    answered: &'static str,
}

const TALKS: &[Talk] = &[
    Talk {
        agent: "project-manager",
        asked: "What should we look at before the website relaunch?",
        answered: "Three things decide the date: the content freeze, the redirects from the old pages, and who signs \
                   off. Tell me who owns each and I will lay out the weeks until launch.",
    },
    Talk {
        agent: "budget-coach",
        asked: "Help me think through a budget for a team of five",
        answered: "Start with what is fixed: salaries, rent, software. Give me those three and what you can spend in \
                   a month, and I will propose limits for the rest, with a reserve.",
    },
    Talk {
        agent: "budget-coach",
        asked: "How do I explain a reserve to my partner?",
        answered: "As the money that lets you say no to bad decisions: enough for three months of fixed costs, kept \
                   apart, and touched only for what you named in advance.",
    },
    Talk {
        agent: "sales-agent",
        asked: "Draft a friendly follow-up for someone who went quiet",
        answered: "“Hello Kim, last time you were weighing two options. Has anything changed on your side? If it \
                   helps, I can send the comparison we spoke about. Either way is fine.” Shall I make it shorter?",
    },
];
