//! `--demo`: one workspace with people and conversations in it, so that every page has something to show.

mod channels;
mod customers;
mod money;
mod projects;
mod year;

use anyhow::{Context, bail};
use baton_core::access::Viewer;
use baton_core::conversations::{ImportedMessage, MessageRole, NewConversation};
use baton_core::ids::{AgentId, ProfileId, WorkspaceId};
use baton_core::listing::{AgentQuery, ProfileQuery, Window};
use baton_core::people::{FirstWorkspace, NewProfile, Profile, Tier};
use baton_core::rules::RuleChanges;
use baton_core::store::Error;
use baton_core::visitors::Person;
use baton_core::workspaces::{NewInvitation, Role, WorkspaceChanges};
use chrono::{Duration, Utc};

use crate::app::App;
use crate::demo_pages;
use crate::secret::Secret;

const OWNER: &str = "owner@demo.localhost";
const COLLEAGUE: &str = "sam@demo.localhost";
const WORKSPACE: &str = "Demo";
const DEFAULT_AGENT: &str = "budget-coach";

/// Values that the server remembers: the profile that owns the demo, and that the samples were made.
pub const OWNER_NOTE: &str = "demo owner";
const SAMPLES_NOTE: &str = "demo samples";
const SAMPLES: &str = "2";
const MONEY_NOTE: &str = "demo money";
const CUSTOMERS_NOTE: &str = "demo customers";
const PROJECTS_NOTE: &str = "demo projects";
const CHANNELS_NOTE: &str = "demo channels";

/// The owner of the demo workspace, who is the admin of the server. What was seeded once is not seeded again, so what
/// people deleted stays deleted; a start that was cut short is made up for at the next.
pub async fn seed(app: &App) -> anyhow::Result<Profile> {
    let owner = owner(app).await?;
    let memberships = app.store.memberships(owner.id).await?;
    let Some(workspace) = memberships.first().map(|membership| membership.workspace_id) else {
        return Ok(owner);
    };
    let is_missing = async |note| Ok::<_, Error>(app.store.note(note).await?.as_deref() != Some(SAMPLES));
    if is_missing(MONEY_NOTE).await? {
        money::seed(app, workspace, &owner).await?;
        app.store.set_note(MONEY_NOTE, SAMPLES).await?;
    }
    if is_missing(SAMPLES_NOTE).await? {
        seed_samples(app, workspace, &owner).await?;
        app.store.set_note(SAMPLES_NOTE, SAMPLES).await?;
    }
    // After the colleague, who looks after some of them.
    if is_missing(CUSTOMERS_NOTE).await? {
        customers::seed(app, workspace, &owner).await?;
        app.store.set_note(CUSTOMERS_NOTE, SAMPLES).await?;
    }
    if is_missing(PROJECTS_NOTE).await? {
        projects::seed(app, workspace, &owner, colleague(app, workspace).await?).await?;
        app.store.set_note(PROJECTS_NOTE, SAMPLES).await?;
    }
    if is_missing(CHANNELS_NOTE).await? {
        channels::seed(app, workspace, &owner).await?;
        app.store.set_note(CHANNELS_NOTE, SAMPLES).await?;
    }
    Ok(owner)
}

async fn seed_samples(app: &App, workspace: WorkspaceId, owner: &Profile) -> anyhow::Result<()> {
    seed_colleague(app, workspace, owner).await?;
    seed_default_agent(app, workspace, owner).await?;
    seed_rule(app, workspace, owner).await?;
    seed_conversations(app, workspace, owner).await?;
    demo_pages::seed(app, workspace, owner).await
}

/// The second member, if they are still there.
async fn colleague(app: &App, workspace: WorkspaceId) -> anyhow::Result<Option<ProfileId>> {
    let members = app.store.members(workspace).await?;
    Ok(members.into_iter().find(|member| member.email == COLLEAGUE).map(|member| member.profile_id))
}

async fn owner(app: &App) -> anyhow::Result<Profile> {
    if let Some(id) = app.store.note(OWNER_NOTE).await? {
        let id = ProfileId(id.parse().context("the note of the demo's owner is not an id")?);
        return app.store.profile(id).await.context("the demo's owner has deleted their account");
    }
    let owner = match find(app, OWNER).await? {
        Some(owner) => owner,
        None => make_owner(app).await?,
    };
    app.store.set_note(OWNER_NOTE, &owner.id.to_string()).await?;
    Ok(owner)
}

async fn find(app: &App, email: &str) -> anyhow::Result<Option<Profile>> {
    match app.store.profile_by_email(email).await {
        Ok(profile) => Ok(Some(profile)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn make_owner(app: &App) -> anyhow::Result<Profile> {
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
    Ok(app.store.sign_up(new, FirstWorkspace::Own { name: WORKSPACE.to_owned() }).await?)
}

/// A second member, who signs in by link only.
async fn seed_colleague(app: &App, workspace_id: WorkspaceId, owner: &Profile) -> anyhow::Result<()> {
    if find(app, COLLEAGUE).await?.is_some() {
        return Ok(());
    }
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
        email: COLLEAGUE.to_owned(),
        name: "Sam Colleague".to_owned(),
        password_hash: None,
        tier: Tier::Free,
        is_admin: false,
    };
    app.store.sign_up(new, FirstWorkspace::Invited { token_hash }).await?;
    Ok(())
}

/// Who answers `baton chat`: someone who can look at what there is.
async fn seed_default_agent(app: &App, workspace: WorkspaceId, owner: &Profile) -> anyhow::Result<()> {
    let ids = agent_ids(app, workspace, owner).await?;
    let agent = ids.into_iter().find_map(|(slug, id)| (slug == DEFAULT_AGENT).then_some(id));
    let changes = WorkspaceChanges { default_agent_id: Some(agent), ..WorkspaceChanges::default() };
    app.store.change_workspace(workspace, owner.id, changes).await?;
    Ok(())
}

async fn seed_rule(app: &App, workspace: WorkspaceId, owner: &Profile) -> anyhow::Result<()> {
    if !app.store.rules(Some(workspace)).await?.is_empty() {
        return Ok(());
    }
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
    let stats = app.store.stats(workspace, owner.id, Viewer::Profile(owner.tier)).await?;
    if stats.agents.iter().any(|agent| agent.conversations > 0) {
        return Ok(());
    }
    for (slug, agent_id) in agent_ids(app, workspace, owner).await? {
        for talk in TALKS.iter().filter(|talk| talk.agent == slug) {
            let new =
                NewConversation { workspace_id: workspace, agent_id, team_id: None, person, title: None };
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
