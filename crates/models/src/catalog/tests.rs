//! The rules for model names, as tables: what is configured, which name is asked for, which model it stands for.

use async_trait::async_trait;
use baton_core::models::{ChatModel, ModelRequest, ModelStream};
use baton_core::providers::ProviderModel;
use baton_core::secrets::SecretText;

use super::*;
use crate::WireFormat::{self, Anthropic, Openai};
use crate::options::{HttpOptions, ProviderKey, ProviderOptions, Source};
use crate::scripted::Scripted;

struct Silent;

#[async_trait]
impl ChatModel for Silent {
    async fn call(&self, _: ModelRequest) -> Result<ModelStream, ModelError> {
        Err(ModelError::Unreachable)
    }
}

fn nothing() -> ModelOptions {
    ModelOptions::new(Arc::new(Silent))
}

fn made(options: ProviderOptions) -> Arc<Provider> {
    Arc::new(Provider::new(options, HttpOptions::default()).unwrap())
}

fn with(providers: Vec<ProviderOptions>) -> ModelOptions {
    ModelOptions { providers: providers.into_iter().map(made).collect(), ..nothing() }
}

fn key(wire: WireFormat) -> ProviderOptions {
    let key = ProviderKey::Known(SecretText::new("k"));
    ProviderOptions { key, ..ProviderOptions::of_settings(wire) }
}

fn address(url: &str) -> ProviderOptions {
    let base_url = Some(url.parse().unwrap());
    ProviderOptions { base_url, ..ProviderOptions::of_settings(Openai) }
}

fn anthropic() -> ModelOptions {
    with(vec![key(Anthropic)])
}

fn openai() -> ModelOptions {
    with(vec![key(Openai)])
}

fn both() -> ModelOptions {
    with(vec![key(Anthropic), key(Openai)])
}

fn local() -> ProviderOptions {
    address("http://localhost:11434/v1")
}

fn ollama() -> ModelOptions {
    with(vec![local()])
}

fn listed(model: &str, aliases: &[&str]) -> ProviderModel {
    let aliases = aliases.iter().map(ToString::to_string).collect();
    ProviderModel { model: model.to_owned(), aliases, price: None, context_window: None }
}

/// `provider/model`, or `-` where nothing answers to the name.
fn stands_for(options: ModelOptions, name: &str) -> String {
    match ModelSet::new(options).unwrap().resolve(name) {
        Ok(found) => format!("{}/{}", found.provider, found.model),
        Err(ModelError::NotConfigured(asked)) if asked == name => "-".to_owned(),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn names() {
    let openai_first = || with(vec![key(Openai), key(Anthropic)]);
    let qwen = || ProviderOptions { only_model: Some("qwen3".into()), ..local() };
    let one_model = || with(vec![qwen()]);
    let both_with_ollama = || with(vec![key(Anthropic), qwen()]);
    let empty_key = || {
        let blank = ProviderKey::Known(SecretText::new(" "));
        with(vec![ProviderOptions { key: blank, ..key(Anthropic) }])
    };
    let own_alias = |targets: &[&str], options: ModelOptions| {
        let targets = targets.iter().map(ToString::to_string).collect();
        ModelOptions { aliases: BTreeMap::from([("fast".to_owned(), targets)]), ..options }
    };
    let only = |wire, model: &str| ProviderOptions { only_model: Some(model.into()), ..key(wire) };
    let not_for_aliases = || with(vec![ProviderOptions { has_aliases: false, ..key(Anthropic) }]);
    let script = || Some(Scripted::from_json(r#"{"replies":[]}"#).unwrap());
    let table = [
        // With no provider, aliases are the demo; nothing else is.
        (nothing(), "sonnet", "demo/demo"),
        (nothing(), "gpt-4o", "demo/demo"),
        (nothing(), "demo", "demo/demo"),
        (nothing(), "anthropic/claude-opus-5-5", "-"),
        (nothing(), "llama3.2", "-"),
        (empty_key(), "sonnet", "demo/demo"),
        // An alias works with either provider.
        (anthropic(), "opus", "anthropic/claude-opus-5-5"),
        (anthropic(), "gpt-4o-mini", "anthropic/claude-haiku-5-5"),
        (openai(), "sonnet", "openai/gpt-6-sol"),
        (openai(), "haiku", "openai/gpt-6-luna"),
        // With both, the order decides, except for a vendor's own name of a model.
        (both(), "sonnet", "anthropic/claude-sonnet-5-5"),
        (openai_first(), "sonnet", "openai/gpt-6-sol"),
        (both(), "gpt-4o", "openai/gpt-4o"),
        (not_for_aliases(), "sonnet", "-"),
        (not_for_aliases(), "anthropic/x", "anthropic/x"),
        // What is explicit is never another model.
        (both(), "openai/gpt-x", "openai/gpt-x"),
        (openai(), "openai/org/model:8b", "openai/org/model:8b"),
        (anthropic(), "openai/gpt-4o", "-"),
        (openai(), "anthropic/claude-x", "-"),
        (both(), "other/model", "-"),
        (both(), "openai/", "-"),
        // The demo stays available.
        (both(), "demo", "demo/demo"),
        // A server of one's own.
        (ollama(), "llama3.2", "openai/llama3.2"),
        (ollama(), "sonnet", "openai/gpt-6-sol"),
        (one_model(), "sonnet", "openai/qwen3"),
        (one_model(), "gpt-4o", "openai/qwen3"),
        (one_model(), "llama3.2", "openai/llama3.2"),
        (one_model(), "openai/llama3.2", "openai/llama3.2"),
        (both_with_ollama(), "sonnet", "anthropic/claude-sonnet-5-5"),
        (both_with_ollama(), "gpt-4o", "anthropic/claude-sonnet-5-5"),
        (openai(), "llama3.2", "-"),
        (with(vec![only(Anthropic, "claude-x")]), "haiku", "anthropic/claude-x"),
        // Aliases of one's own.
        (own_alias(&["openai/x"], openai()), "fast", "openai/x"),
        (own_alias(&["openai/x"], anthropic()), "fast", "-"),
        (own_alias(&["openai/x"], nothing()), "fast", "demo/demo"),
        (own_alias(&["anthropic/y"], one_model()), "fast", "openai/qwen3"),
        // What someone said about an alias counts for more than a provider's only model.
        (own_alias(&["openai/x"], one_model()), "fast", "openai/x"),
        (own_alias(&["openai/x"], one_model()), "sonnet", "openai/qwen3"),
        (own_alias(&["openai/x"], with(vec![only(Anthropic, "only"), qwen()])), "fast", "openai/x"),
        // A script answers to everything.
        (ModelOptions { script: script(), ..both() }, "sonnet", "scripted/scripted"),
        (ModelOptions { script: script(), ..nothing() }, "openai/x", "scripted/scripted"),
    ];
    for (row, (options, name, expected)) in table.into_iter().enumerate() {
        assert_eq!(stands_for(options, name), expected, "row {row}: {name}");
    }
}

/// Providers as they are set in the app: with names and models of their own.
#[test]
fn names_of_providers_set_in_the_app() {
    let named = |name: &str, options: ProviderOptions, models: &[ProviderModel]| ProviderOptions {
        name: name.into(),
        models: models.to_vec(),
        source: Source::Server,
        ..options
    };
    let owned = |options: ProviderOptions| ProviderOptions { source: Source::Workspace, ..options };
    let llama = listed("llama3.2", &["haiku", "tiny"]);
    let lab = || named("lab", local(), &[llama.clone(), listed("qwen3", &["opus"])]);
    let claude = || named("claude", key(Anthropic), &[listed("claude-next", &["best"])]);
    let router = || named("router", local(), &[listed("anthropic/claude-x", &["mixed"])]);
    let unreadable = || ProviderOptions { key: ProviderKey::Unreadable, ..claude() };
    let table = [
        // A server of one's own: aliases that no model lists go to the first.
        (with(vec![lab()]), "haiku", "lab/llama3.2"),
        (with(vec![lab()]), "tiny", "lab/llama3.2"),
        (with(vec![lab()]), "opus", "lab/qwen3"),
        (with(vec![lab()]), "sonnet", "lab/llama3.2"),
        (with(vec![lab()]), "qwen3", "lab/qwen3"),
        (with(vec![lab()]), "lab/anything", "lab/anything"),
        (with(vec![lab()]), "openai/llama3.2", "-"),
        // The vendor itself has the vendor's models, whatever it is called, and those that are listed.
        (with(vec![claude()]), "sonnet", "claude/claude-sonnet-5-5"),
        (with(vec![claude()]), "best", "claude/claude-next"),
        (with(vec![claude()]), "anthropic/claude-next", "-"),
        // What people say about an alias counts before the order; the order decides the rest.
        (with(vec![claude(), lab()]), "haiku", "lab/llama3.2"),
        (with(vec![claude(), lab()]), "sonnet", "claude/claude-sonnet-5-5"),
        (with(vec![key(Openai), claude()]), "sonnet", "openai/gpt-6-sol"),
        // A workspace's own come before the server's, and hide them by name.
        (with(vec![owned(claude()), lab()]), "haiku", "claude/claude-haiku-5-5"),
        (with(vec![owned(claude()), lab()]), "tiny", "lab/llama3.2"),
        (with(vec![owned(named("openai", local(), &[])), key(Openai)]), "openai/x", "openai/x"),
        // A model's name may look like a provider and its model. It is not taken for them.
        (with(vec![router()]), "anthropic/claude-x", "-"),
        (with(vec![router()]), "router/anthropic/claude-x", "router/anthropic/claude-x"),
        (with(vec![router()]), "mixed", "router/anthropic/claude-x"),
        // A provider whose key can't be read stays in its place.
        (with(vec![unreadable(), key(Openai)]), "sonnet", "claude/claude-sonnet-5-5"),
    ];
    for (row, (options, name, expected)) in table.into_iter().enumerate() {
        assert_eq!(stands_for(options, name), expected, "row {row}: {name}");
    }
    let paid = |options, name: &str| ModelSet::new(options).unwrap().resolve(name).unwrap().paid_by;
    assert_eq!(paid(with(vec![owned(claude()), lab()]), "sonnet"), PaidBy::Workspace);
    assert_eq!(paid(with(vec![owned(claude()), lab()]), "tiny"), PaidBy::Server);
    let hidden = vec![owned(named("openai", local(), &[])), key(Openai)];
    assert_eq!(paid(with(hidden), "openai/x"), PaidBy::Workspace);
}

#[test]
fn names_that_an_agent_can_have() {
    let set = |options: ModelOptions| ModelSet::new(options).unwrap();
    let own = ModelOptions { aliases: BTreeMap::from([("fast".to_owned(), vec![])]), ..nothing() };
    for good in ["sonnet", "gpt-4o", "demo", "fast", "openai/whatever", "anthropic/not-configured"] {
        assert_eq!(set(own.clone()).check_name(good), Ok(()), "{good}");
    }
    let wrong = set(own).check_name("sonet").unwrap_err();
    assert_eq!(wrong.field, "model");
    assert!(wrong.message.contains("\"sonet\"") && wrong.message.contains("fast, gpt-4o,"), "{wrong}");
    assert!(set(both()).check_name("llama3.2").is_err());
    assert!(set(both()).check_name("lab/llama3.2").is_err_and(|wrong| wrong.message.contains("lab")));
    let lab = ProviderOptions { name: "lab".into(), ..local() };
    assert_eq!(set(with(vec![lab])).check_name("lab/llama3.2"), Ok(()));
    assert_eq!(set(ollama()).check_name("llama3.2"), Ok(()), "a server of one's own has names of its own");
}

#[test]
fn prices() {
    let price = |options, name: &str| ModelSet::new(options).unwrap().resolve(name).unwrap().price;
    let mine = Price { input: 1.0, output: 2.0, cache_read: None, cache_write: None };
    let said = |name: &str| BTreeMap::from([(name.to_owned(), mine)]);
    assert_eq!(price(anthropic(), "sonnet").map(|price| price.input), Some(2.0));
    assert_eq!(price(anthropic(), "anthropic/claude-old"), None);
    assert_eq!(price(ollama(), "gpt-4o"), None, "a lookalike has no vendor's prices");
    let spelled_out = with(vec![address("https://api.openai.com/v1/")]);
    assert_eq!(price(spelled_out, "openai/gpt-4o").map(|price| price.input), Some(2.5));
    assert_eq!(price(ModelOptions { prices: said("openai/qwen3"), ..ollama() }, "qwen3"), Some(mine));
    let over = ModelOptions { prices: said("openai/gpt-4o"), ..openai() };
    assert_eq!(price(over, "gpt-4o"), Some(mine));
    assert_eq!(price(nothing(), "demo"), Some(FREE));
    // Set in the app: the listed price first. What the settings say is no price of a workspace's own provider.
    let listed = ProviderModel { price: Some(mine), ..listed("gpt-4o", &[]) };
    let app = |source| ProviderOptions { source, models: vec![listed.clone()], ..key(Openai) };
    assert_eq!(price(with(vec![app(Source::Workspace)]), "gpt-4o"), Some(mine));
    let other = Price { input: 9.0, ..mine };
    let set = |source, model: &str| ModelOptions {
        prices: BTreeMap::from([(format!("openai/{model}"), other)]),
        ..with(vec![app(source)])
    };
    assert_eq!(price(set(Source::Server, "gpt-4o"), "openai/gpt-4o"), Some(mine));
    assert_eq!(price(set(Source::Server, "x"), "openai/x"), Some(other));
    assert_eq!(price(set(Source::Workspace, "x"), "openai/x"), None);
}

#[test]
fn what_cannot_work_is_said_at_start() {
    let alias = |target: &str| ModelOptions {
        aliases: BTreeMap::from([("a".to_owned(), vec![target.to_owned()])]),
        ..nothing()
    };
    for target in ["sonnet", "/x", "openai/"] {
        let bad = SetupError::BadAlias { alias: "a".into(), target: target.into() };
        assert_eq!(ModelSet::new(alias(target)).err(), Some(bad));
    }
    let error = |options| Provider::new(options, HttpOptions::default()).err();
    for wire in WireFormat::ALL {
        let key = ProviderKey::Known(SecretText::new("a\nb"));
        let options = ProviderOptions { key, ..ProviderOptions::of_settings(wire) };
        assert_eq!(error(options), Some(SetupError::BadKey(wire.to_string())));
    }
    assert_eq!(error(address("file:///etc")), Some(SetupError::BadBaseUrl("openai".into())));
}

#[test]
fn in_use_tells_all_but_the_key() {
    let secret = ProviderOptions {
        key: ProviderKey::Known(SecretText::new("secret")),
        ..address("http://me:secret@localhost:1/v1?token=secret")
    };
    assert!(!format!("{secret:?}").contains("secret\""));
    let in_use = ModelSet::new(with(vec![key(Anthropic), secret])).unwrap().in_use();
    let shown = serde_json::to_string(&in_use).unwrap();
    assert!(!shown.contains("secret"), "{shown}");
    let providers: Vec<_> =
        in_use.providers.iter().map(|p| (p.provider.as_str(), p.base_url.as_str(), p.has_key)).collect();
    let expected =
        [("anthropic", "https://api.anthropic.com", true), ("openai", "http://localhost:1/v1", true)];
    assert_eq!(providers, expected);
    let sonnet = in_use.aliases.iter().find(|alias| alias.alias == "sonnet").unwrap();
    let target = sonnet.stands_for.as_ref().unwrap();
    assert_eq!((target.provider.as_str(), target.model.as_str()), ("anthropic", "claude-sonnet-5-5"));
    assert!(target.price.is_some() && !in_use.demo_answers && !in_use.script_answers);

    let demo = ModelSet::new(nothing()).unwrap().in_use();
    assert!(demo.demo_answers && demo.providers.is_empty());
    assert!(demo.aliases.iter().all(|alias| alias.stands_for.as_ref().unwrap().provider == "demo"));
}
