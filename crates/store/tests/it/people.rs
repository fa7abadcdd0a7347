use baton_core::ids::ProfileId;
use baton_core::listing::{ProfileQuery, Window};
use baton_core::people::{
    FirstWorkspace, LinkFor, NewLink, NewSession, NewToken, ProfileChanges, ProfileRights, SignedInBy, Tier,
};
use baton_core::store::{Error, People, Sessions, Workspaces};
use baton_core::workspaces::{NewInvitation, Role, WorkspaceChanges};
use chrono::{Duration, Utc};

use crate::{Told, new_profile};

fn soon() -> chrono::DateTime<Utc> {
    Utc::now() + Duration::hours(1)
}

fn session(token: &[u8]) -> NewSession {
    NewSession {
        token_hash: token.to_vec(),
        signed_in_by: SignedInBy::Password,
        expires_at: soon(),
        visitor: None,
    }
}

#[tokio::test]
async fn signing_up_is_all_or_nothing() {
    let told = Told::begin().await;
    let (ana, workspace) = told.person("Ana@example.org").await;
    assert_eq!(told.store.role(workspace, ana.id).await.unwrap(), Some(Role::Owner));
    assert_eq!(told.store.members(workspace).await.unwrap().len(), 1);

    let again =
        told.store.sign_up(new_profile("ana@EXAMPLE.org"), FirstWorkspace::Own { name: "x".into() }).await;
    assert!(matches!(again, Err(Error::EmailTaken)));
    let by_spent = FirstWorkspace::Invited { token_hash: b"nothing".to_vec() };
    let refused = told.store.sign_up(new_profile("ben@example.org"), by_spent).await;
    assert!(matches!(refused, Err(Error::LinkSpent)));
    let everyone = ProfileQuery { search: None, window: Window { limit: 10, offset: 0 } };
    assert_eq!(
        told.store.profiles(everyone).await.unwrap().total,
        1,
        "a refused sign-up leaves nobody behind"
    );
    told.end().await;
}

#[tokio::test]
async fn sessions_tokens_and_links_open_and_close() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;

    store.open_session(ana.id, session(b"one")).await.unwrap();
    store.open_session(ana.id, session(b"two")).await.unwrap();
    assert_eq!(store.session(b"one").await.unwrap().unwrap().profile.id, ana.id);
    let old = NewLink {
        token_hash: b"old".to_vec(),
        opens_for: LinkFor::Person(ana.id),
        by: None,
        expires_at: soon(),
    };
    store.create_link(old).await.unwrap();
    let changes = ProfileChanges { password_hash: Some("new".into()), ..ProfileChanges::default() };
    store.change_profile(ana.id, changes, b"two").await.unwrap();
    assert!(store.session(b"one").await.unwrap().is_none(), "a new password ends other sessions");
    assert!(store.link(b"old").await.is_err(), "and open links");
    assert!(store.session(b"two").await.unwrap().is_some());
    store.extend_session(b"two", Utc::now() - Duration::seconds(1)).await.unwrap();
    assert!(store.session(b"two").await.unwrap().is_none(), "an expired session is none");
    store.delete_expired().await.unwrap();

    let new = NewToken {
        profile_id: ana.id,
        workspace_id: workspace,
        name: "ci".into(),
        token_hash: b"token".to_vec(),
        hint: "abcd".into(),
    };
    let token = store.create_token(new).await.unwrap();
    assert_eq!(store.token(b"token").await.unwrap().unwrap().workspace_id, workspace);
    assert!(store.tokens(ana.id).await.unwrap()[0].last_used_at.is_some());
    assert!(matches!(store.delete_token(ProfileId::new(), token.id).await, Err(Error::NotFound("token"))));
    store.delete_token(ana.id, token.id).await.unwrap();
    assert!(store.token(b"token").await.unwrap().is_none());

    let opens_for = LinkFor::Person(ana.id);
    let link = NewLink { token_hash: b"link".to_vec(), opens_for, by: None, expires_at: soon() };
    store.create_link(link).await.unwrap();
    assert_eq!(store.link(b"link").await.unwrap().profile.unwrap().id, ana.id);
    let spend = |token: &'static [u8]| store.spend_link(b"link", session(token));
    let (first, second) = tokio::join!(spend(b"three"), spend(b"four"));
    assert!(first.is_ok() != second.is_ok(), "a link is spent by exactly one");
    let three = store.session(b"three").await.unwrap().is_some();
    let four = store.session(b"four").await.unwrap().is_some();
    assert_eq!((three, four), (first.is_ok(), second.is_ok()), "who spent it is in, nobody else");
    assert!(matches!(store.link(b"link").await, Err(Error::LinkSpent)));
    told.end().await;
}

#[tokio::test]
async fn the_first_admin_comes_once() {
    let told = Told::begin().await;
    let store = &told.store;
    for token in [b"a", b"b"] {
        let opens_for = LinkFor::FirstAdmin;
        let link = NewLink { token_hash: token.to_vec(), opens_for, by: None, expires_at: soon() };
        store.create_link(link).await.unwrap();
    }
    let admin = |email| baton_core::people::NewProfile { is_admin: true, ..new_profile(email) };
    let first =
        store.spend_first_admin_link(b"a", admin("a@example.org"), "Home", session(b"s")).await.unwrap();
    assert!(first.is_admin && store.has_admin().await.unwrap());
    let second = store.spend_first_admin_link(b"b", admin("b@example.org"), "Home", session(b"t")).await;
    assert!(matches!(second, Err(Error::LinkSpent)));

    let demoted = store.set_rights(first.id, ProfileRights { is_admin: Some(false), tier: None }, None).await;
    assert!(matches!(demoted, Err(Error::LastAdmin)));
    assert!(matches!(store.delete_profile(first.id).await, Err(Error::LastAdmin)));
    let (ben, _) = told.person("ben@example.org").await;
    let rights = ProfileRights { is_admin: Some(true), tier: Some(Tier::Premium) };
    assert_eq!(store.set_rights(ben.id, rights, Some(first.id)).await.unwrap().tier, Tier::Premium);
    store.delete_profile(first.id).await.unwrap();
    told.end().await;
}

#[tokio::test]
async fn a_workspace_keeps_an_owner() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let (ben, _) = told.person("ben@example.org").await;

    let invitation = |hash: &[u8], email: Option<&str>| NewInvitation {
        workspace_id: workspace,
        token_hash: hash.to_vec(),
        email: email.map(Into::into),
        role: Role::Member,
        invited_by: ana.id,
        expires_at: soon(),
    };
    store.invite(invitation(b"ben", Some("BEN@example.org"))).await.unwrap();
    assert_eq!(store.invitations(workspace).await.unwrap().len(), 1);
    assert!(matches!(store.accept_invitation(b"ben", ana.id).await, Err(Error::InvitedSomeoneElse)));
    assert_eq!(store.accept_invitation(b"ben", ben.id).await.unwrap(), workspace);
    assert!(store.invitations(workspace).await.unwrap().is_empty());
    let cleo = store
        .sign_up(new_profile("cleo@example.org"), FirstWorkspace::Invited { token_hash: b"ben".to_vec() });
    assert!(cleo.await.is_err(), "an invitation works once");

    store.set_role(workspace, ana.id, ben.id, Role::Admin).await.unwrap();
    let by_ben = NewInvitation { invited_by: ben.id, ..invitation(b"later", None) };
    store.invite(by_ben).await.unwrap();
    store.set_role(workspace, ana.id, ben.id, Role::Member).await.unwrap();
    let dora = FirstWorkspace::Invited { token_hash: b"later".to_vec() };
    let refused = store.sign_up(new_profile("dora@example.org"), dora).await;
    assert!(matches!(refused, Err(Error::LinkSpent)), "an invitation is worth what its inviter still is");
    assert!(
        store.invitation(b"later").await.is_err() && store.invitations(workspace).await.unwrap().is_empty()
    );

    assert!(matches!(store.set_role(workspace, ben.id, ana.id, Role::Member).await, Err(Error::RoleTooLow)));
    assert!(matches!(store.set_role(workspace, ana.id, ana.id, Role::Admin).await, Err(Error::LastOwner)));
    assert!(matches!(store.remove_member(workspace, ana.id, ana.id).await, Err(Error::LastOwner)));
    assert!(matches!(store.delete_profile(ana.id).await, Err(Error::LastOwner)));
    store.set_role(workspace, ana.id, ben.id, Role::Owner).await.unwrap();
    store.remove_member(workspace, ana.id, ana.id).await.unwrap();
    assert_eq!(store.role(workspace, ana.id).await.unwrap(), None);

    let own = store.create_workspace("Ana alone", ana.id).await.unwrap().id;
    assert_eq!(told.first_workspace(ana.id).await, own);
    store.delete_profile(ana.id).await.unwrap();
    assert!(matches!(store.profile(ana.id).await, Err(Error::NotFound("profile"))));
    assert!(matches!(store.workspace(own).await, Err(Error::NotFound("workspace"))), "nobody else was in it");
    store.delete_workspace(workspace, ben.id).await.unwrap();
    let kept = store.audit(workspace, Window { limit: 50, offset: 0 }).await.unwrap();
    assert!(kept.rows.iter().any(|event| event.action == "workspace.deleted"), "what happened stays");
    told.end().await;
}

#[tokio::test]
async fn names_may_repeat_and_slugs_do_not() {
    let told = Told::begin().await;
    let (ana, _) = told.person("ana@example.org").await;
    let make = || told.store.create_workspace("Team", ana.id);
    let (a, b, c, d) = tokio::join!(make(), make(), make(), make());
    let mut slugs: Vec<String> = [a, b, c, d].into_iter().map(|made| made.unwrap().slug).collect();
    slugs.sort();
    assert_eq!(slugs, ["team", "team-2", "team-3", "team-4"]);

    let changes = ProfileChanges { name: Some("Ana 🦊 مرحبا".into()), ..ProfileChanges::default() };
    assert_eq!(told.store.change_profile(ana.id, changes, b"").await.unwrap().name, "Ana 🦊 مرحبا");
    let found = ProfileQuery { search: Some("مرحبا".into()), window: Window { limit: 5, offset: 0 } };
    assert_eq!(told.store.profiles(found).await.unwrap().total, 1);
    told.end().await;
}

#[tokio::test]
async fn the_default_agent_is_one() {
    let told = Told::begin().await;
    let (ana, workspace) = told.person("ana@example.org").await;
    let before = told.store.workspace(workspace).await.unwrap().default_agent_id;
    assert!(before.is_some(), "the pack's default is the workspace's");
    let changes = WorkspaceChanges { default_agent_id: Some(None), ..WorkspaceChanges::default() };
    let changed = told.store.change_workspace(workspace, ana.id, changes).await.unwrap();
    assert_eq!(changed.default_agent_id, None);
    let changes = WorkspaceChanges { default_agent_id: Some(before), ..WorkspaceChanges::default() };
    assert_eq!(
        told.store.change_workspace(workspace, ana.id, changes).await.unwrap().default_agent_id,
        before
    );
    told.end().await;
}
