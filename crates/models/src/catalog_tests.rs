//! The rules for model names, as tables: what is configured, which name is asked for, which model it stands for.

use async_trait::async_trait;
use baton_core::models::{ModelRequest, ModelStream};

use super::*;
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

fn key() -> Option<ProviderOptions> {
    Some(ProviderOptions { key: Some("k".into()), base_url: None })
}

fn address(url: &str) -> Option<ProviderOptions> {
    Some(ProviderOptions { key: None, base_url: Some(url.parse().unwrap()) })
}

fn anthropic() -> ModelOptions {
    ModelOptions { anthropic: key(), ..nothing() }
}

fn openai() -> ModelOptions {
    ModelOptions { openai: key(), ..nothing() }
}

fn both() -> ModelOptions {
    ModelOptions { openai: key(), ..anthropic() }
}

fn ollama() -> ModelOptions {
    ModelOptions { openai: address("http://localhost:11434/v1"), ..nothing() }
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
    let openai_first = || ModelOptions { order: vec![Provider::Openai, Provider::Anthropic], ..both() };
    let one_model = || ModelOptions { openai_model: Some("qwen3".into()), ..ollama() };
    let both_with_ollama = || ModelOptions { anthropic: key(), ..one_model() };
    let empty_key = || {
        let blank = Some(ProviderOptions { key: Some(" ".into()), base_url: None });
        ModelOptions { anthropic: blank, ..nothing() }
    };
    let own_alias = |targets: &[&str], options: ModelOptions| {
        let targets = targets.iter().map(ToString::to_string).collect();
        ModelOptions { aliases: BTreeMap::from([("fast".to_owned(), targets)]), ..options }
    };
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
        (ModelOptions { order: vec![Provider::Openai], ..anthropic() }, "sonnet", "-"),
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
        (
            ModelOptions { anthropic_model: Some("claude-x".into()), ..anthropic() },
            "haiku",
            "anthropic/claude-x",
        ),
        // Aliases of one's own.
        (own_alias(&["openai/x"], openai()), "fast", "openai/x"),
        (own_alias(&["openai/x"], anthropic()), "fast", "-"),
        (own_alias(&["openai/x"], nothing()), "fast", "demo/demo"),
        (own_alias(&["anthropic/y"], one_model()), "fast", "openai/qwen3"),
        // What someone said about an alias counts for more than a provider's only model.
        (own_alias(&["openai/x"], one_model()), "fast", "openai/x"),
        (own_alias(&["openai/x"], one_model()), "sonnet", "openai/qwen3"),
        (
            own_alias(
                &["openai/x"],
                ModelOptions { anthropic_model: Some("only".into()), ..both_with_ollama() },
            ),
            "fast",
            "openai/x",
        ),
        // A script answers to everything.
        (ModelOptions { script: script(), ..both() }, "sonnet", "scripted/scripted"),
        (ModelOptions { script: script(), ..nothing() }, "openai/x", "scripted/scripted"),
    ];
    for (row, (options, name, expected)) in table.into_iter().enumerate() {
        assert_eq!(stands_for(options, name), expected, "row {row}: {name}");
    }
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
    let spelled_out = ModelOptions { openai: address("https://api.openai.com/v1/"), ..nothing() };
    assert_eq!(price(spelled_out, "openai/gpt-4o").map(|price| price.input), Some(2.5));
    assert_eq!(price(ModelOptions { prices: said("openai/qwen3"), ..ollama() }, "qwen3"), Some(mine));
    let over = ModelOptions { prices: said("openai/gpt-4o"), ..openai() };
    assert_eq!(price(over, "gpt-4o"), Some(mine));
    assert_eq!(price(nothing(), "demo"), Some(FREE));
}

#[test]
fn what_cannot_work_is_said_at_start() {
    let error = |options| ModelSet::new(options).err();
    let alias = |target: &str| ModelOptions {
        aliases: BTreeMap::from([("a".to_owned(), vec![target.to_owned()])]),
        ..nothing()
    };
    for target in ["sonnet", "other/x", "openai/"] {
        let bad = SetupError::BadAlias { alias: "a".into(), target: target.into() };
        assert_eq!(error(alias(target)), Some(bad));
    }
    let key = Some(ProviderOptions { key: Some("a\nb".into()), base_url: None });
    assert_eq!(error(ModelOptions { openai: key.clone(), ..nothing() }), Some(SetupError::BadKey("openai")));
    assert_eq!(error(ModelOptions { anthropic: key, ..nothing() }), Some(SetupError::BadKey("anthropic")));
    assert_eq!(
        error(ModelOptions { openai: address("file:///etc"), ..nothing() }),
        Some(SetupError::BadBaseUrl("openai"))
    );
}

#[test]
fn in_use_tells_all_but_the_key() {
    let options = ModelOptions {
        openai: Some(ProviderOptions {
            key: Some("secret".into()),
            base_url: Some("http://me:secret@localhost:1/v1?token=secret".parse().unwrap()),
        }),
        ..anthropic()
    };
    assert!(!format!("{:?}", options.openai).contains("secret"));
    let in_use = ModelSet::new(options).unwrap().in_use();
    let shown = serde_json::to_string(&in_use).unwrap();
    assert!(!shown.contains("secret"), "{shown}");
    let providers: Vec<_> =
        in_use.providers.iter().map(|p| (p.provider, p.base_url.as_str(), p.has_key)).collect();
    let expected =
        [("anthropic", "https://api.anthropic.com", true), ("openai", "http://localhost:1/v1", true)];
    assert_eq!(providers, expected);
    let sonnet = in_use.aliases.iter().find(|alias| alias.alias == "sonnet").unwrap();
    let target = sonnet.stands_for.as_ref().unwrap();
    assert_eq!((target.provider, target.model.as_str()), ("anthropic", "claude-sonnet-5-5"));
    assert!(target.price.is_some() && !in_use.demo_answers && !in_use.script_answers);

    let demo = ModelSet::new(nothing()).unwrap().in_use();
    assert!(demo.demo_answers && demo.providers.is_empty());
    assert!(demo.aliases.iter().all(|alias| alias.stands_for.as_ref().unwrap().provider == "demo"));
}
