//! Model providers, search engines and their sealed keys.

use baton_core::ids::{ProviderId, WorkspaceId};
use baton_core::models::Price;
use baton_core::providers::{MAX_PROVIDERS, NewProvider, ProviderDefinition, ProviderModel, WireFormat};
use baton_core::search_engines::{NewSearchEngine, SearchEngineKind};
use baton_core::secrets::{Sealed, SecretChange, SecretPlace, SecretUse, StoredSecret};
use baton_core::store::{Error, Providers, Secrets, Store, Workspaces};
use uuid::Uuid;

use crate::{Told, whole};

fn definition(name: &str, position: i32) -> ProviderDefinition {
    let price = Some(Price { input: 1.5, output: 2.0, cache_read: None, cache_write: Some(0.1) });
    let model = ProviderModel {
        model: "llama".into(),
        aliases: vec!["sonnet".into()],
        price,
        context_window: Some(32_000),
    };
    let base_url = Some("http://127.0.0.1:1/v1".to_owned());
    ProviderDefinition {
        name: name.into(),
        wire: WireFormat::Openai,
        base_url,
        models: vec![model],
        position,
    }
}

fn sealed(owner_id: Uuid, workspace_id: Option<WorkspaceId>, key_id: &str) -> SecretChange {
    let sent_to = "http://127.0.0.1:1".to_owned();
    let place = SecretPlace { workspace_id, used_for: SecretUse::ModelProvider, owner_id, sent_to };
    SecretChange::Set(StoredSecret {
        place,
        sealed: Sealed { key_id: key_id.into(), bytes: b"sealed bytes".into() },
    })
}

fn new(name: &str, workspace_id: Option<WorkspaceId>, position: i32) -> NewProvider {
    let id = ProviderId::new();
    let secret = sealed(id.0, workspace_id, "k1");
    NewProvider { id, workspace_id, definition: definition(name, position), secret }
}

#[tokio::test]
async fn providers_of_the_server_and_of_workspaces() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, here) = told.person("ana@example.org").await;
    let (_, there) = told.person("ben@example.org").await;
    let before = Store::last_generation(store);
    let lab = store.add_model_provider(new("lab", None, 5), ana.id).await.expect("added");
    assert!(Store::last_generation(store) > before, "every node reads it anew");
    assert_eq!(
        (&lab.definition, lab.sealed.as_ref().map(|it| it.key_id.as_str())),
        (&definition("lab", 5), Some("k1"))
    );
    store.add_model_provider(new("first", None, 1), ana.id).await.expect("added");
    store.add_model_provider(new("lab", Some(here), 9), ana.id).await.expect("the same name elsewhere");
    let taken = store.add_model_provider(new("lab", Some(here), 9), ana.id).await;
    assert!(matches!(taken, Err(Error::NameTaken { field: "name", .. })));
    assert!(matches!(
        store.add_model_provider(new("lab", None, 9), ana.id).await,
        Err(Error::NameTaken { .. })
    ));

    let names = |all: Vec<baton_core::providers::ModelProvider>| -> Vec<(String, bool)> {
        all.into_iter().map(|one| (one.definition.name, one.workspace_id.is_some())).collect()
    };
    let named = |name: &str, own| (name.to_owned(), own);
    let usable = names(store.usable_providers(here).await.expect("providers"));
    assert_eq!(usable, [named("lab", true), named("first", false), named("lab", false)]);
    assert_eq!(names(store.usable_providers(there).await.expect("providers")).len(), 2);
    assert_eq!(names(store.model_providers(Some(here)).await.expect("providers")), [named("lab", true)]);

    // Changed without its key, with another, and without any.
    let renamed = ProviderDefinition { name: "labor".into(), ..definition("lab", 0) };
    let kept = store.change_model_provider(lab.id, renamed.clone(), SecretChange::Keep, ana.id).await;
    let kept = kept.expect("changed");
    assert!(kept.sealed.is_some() && kept.updated_at > lab.updated_at && kept.definition.name == "labor");
    let bare = store.change_model_provider(lab.id, renamed.clone(), SecretChange::Remove, ana.id).await;
    assert_eq!(bare.expect("changed").sealed, None);
    let taken = ProviderDefinition { name: "first".into(), ..renamed };
    let taken = store.change_model_provider(lab.id, taken, SecretChange::Keep, ana.id).await;
    assert!(matches!(taken, Err(Error::NameTaken { .. })));
    store.delete_model_provider(lab.id, ana.id).await.expect("deleted");
    assert!(matches!(store.model_provider(lab.id).await, Err(Error::NotFound("provider"))));
    for i in 1..MAX_PROVIDERS {
        store.add_model_provider(new(&format!("p{i}"), Some(here), 0), ana.id).await.expect("added");
    }
    assert!(matches!(
        store.add_model_provider(new("more", Some(here), 0), ana.id).await,
        Err(Error::TooMany { .. })
    ));
    told.end().await;
}

#[tokio::test]
async fn one_key_seals_and_what_another_sealed_is_sealed_again() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, here) = told.person("ana@example.org").await;
    assert_eq!(
        (store.sealing_key().await.expect("none"), store.has_secrets().await.expect("none")),
        (None, false)
    );
    for name in ["one", "two"] {
        store.add_model_provider(new(name, Some(here), 0), ana.id).await.expect("added");
    }
    assert_eq!(store.sealing_key().await.expect("a key").as_deref(), Some("k1"));
    // A node with another key can't add to them, and nothing of it stays.
    let other =
        NewProvider { secret: sealed(Uuid::now_v7(), Some(here), "k2"), ..new("three", Some(here), 0) };
    let refused = store.add_model_provider(other, ana.id).await;
    assert!(matches!(refused, Err(Error::SealedElsewhere(key)) if key == "k1"));
    assert_eq!(store.model_providers(Some(here)).await.expect("providers").len(), 2);

    store.choose_sealing_key("k2").await.expect("chosen");
    let old = store.secrets_not_under("k2", None).await.expect("secrets");
    assert_eq!(old.len(), 2);
    assert_eq!(old[0].place.workspace_id, Some(here));
    let again = Sealed { key_id: "k2".into(), bytes: b"sealed again".into() };
    assert!(store.reseal(&old[0], again.clone()).await.expect("sealed"));
    assert!(!store.reseal(&old[0], again.clone()).await.expect("asked"), "it is another by now");
    assert_eq!(store.secrets_not_under("k2", None).await.expect("secrets"), old[1..]);
    assert_eq!(store.secrets_not_under("k2", Some(&old[1])).await.expect("secrets"), []);
    store.forget_secret(&old[1]).await.expect("forgotten");
    let readable = store.model_providers(Some(here)).await.expect("providers");
    let readable: Vec<_> = readable.into_iter().map(|one| one.sealed).collect();
    assert!(readable.contains(&Some(again)) && readable.contains(&None));
    told.end().await;
}

#[tokio::test]
async fn a_workspace_takes_its_secrets_along_and_its_export_leaves_them_out() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, here) = told.person("ana@example.org").await;
    let engine = |workspace_id, kind, key: &str| {
        let id = Uuid::now_v7();
        let secret = sealed(id, workspace_id, key);
        NewSearchEngine { id, workspace_id, kind, base_url: None, secret }
    };
    store.add_model_provider(new("lab", Some(here), 0), ana.id).await.expect("added");
    store.set_search_engine(engine(None, SearchEngineKind::Tavily, "k1"), ana.id).await.expect("set");
    store.set_search_engine(engine(Some(here), SearchEngineKind::Brave, "k1"), ana.id).await.expect("set");
    let own = store.set_search_engine(engine(Some(here), SearchEngineKind::Tavily, "k1"), ana.id).await;
    assert_eq!(own.expect("in place of the other").kind, SearchEngineKind::Tavily);
    let found = store.search_engine(Some(here)).await.expect("an engine").expect("one");
    assert_eq!((found.kind, found.sealed.map(|it| it.key_id)), (SearchEngineKind::Tavily, Some("k1".into())));

    let export = whole(store.export_workspace(here, ana.id).await.expect("an export")).await;
    assert_eq!(export["model_providers"][0]["name"], "lab");
    assert_eq!(export["search_engine"]["kind"], "tavily");
    assert!(!export.to_string().contains("seal"), "{export}");

    store.delete_workspace(here, ana.id).await.expect("deleted");
    // The rest is removed in the background.
    let is_left = async || {
        let own = store.secrets_not_under("", None).await.expect("secrets");
        own.iter().any(|secret| secret.place.workspace_id.is_some())
            || !store.model_providers(Some(here)).await.expect("providers").is_empty()
            || store.search_engine(Some(here)).await.expect("an engine").is_some()
    };
    while is_left().await {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(store.search_engine(None).await.expect("an engine").is_some(), "the server's stays");
    store.delete_search_engine(None, ana.id).await.expect("deleted");
    assert!(!store.has_secrets().await.expect("asked"));
    told.end().await;
}
