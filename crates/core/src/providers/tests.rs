use super::*;

fn model(name: &str, aliases: &[&str]) -> ProviderModel {
    let aliases = aliases.iter().map(ToString::to_string).collect();
    ProviderModel { model: name.to_owned(), aliases, price: None, context_window: None }
}

fn provider(name: &str, models: Vec<ProviderModel>) -> ProviderDefinition {
    let name = name.to_owned();
    ProviderDefinition { name, wire: WireFormat::Openai, base_url: None, models, position: 0 }
}

#[test]
fn what_a_provider_can_be() {
    for name in ["openai", "my-ollama", "v2.local"] {
        assert!(provider(name, vec![]).checked().is_ok(), "{name}");
    }
    for name in ["", "My", "a/b", "a b", "demo", "scripted", "ä", &"x".repeat(41)] {
        assert_eq!(provider(name, vec![]).checked().unwrap_err().field, "name", "{name}");
    }
    let good = provider("o", vec![model(" org/llama:8b ", &["sonnet", " fast", "org/llama:8b"])]);
    // An alias can't hold a slash.
    assert_eq!(good.checked().unwrap_err().field, "models.0.aliases");
    let good = provider("o", vec![model(" llama ", &["sonnet", " fast", "llama"])]).checked().unwrap();
    assert_eq!(good.models, vec![model("llama", &["sonnet", "fast"])]);
    let table = [
        (vec![model("", &[])], "models.0.model"),
        (vec![model("a b", &[])], "models.0.model"),
        (vec![model("a", &["demo"])], "models.0.aliases"),
        (vec![model("a", &[]), model("a", &[])], "models.1"),
        (vec![model("a", &["x"]), model("b", &["x"])], "models.1"),
        (vec![model("a", &[]); MAX_MODELS + 1], "models"),
    ];
    for (models, field) in table {
        assert_eq!(provider("o", models).checked().unwrap_err().field, field);
    }
}

#[test]
fn prices_are_sums_of_money() {
    let priced = |input: f64, cache_read: Option<f64>| {
        let price = Some(Price { input, output: 1.0, cache_read, cache_write: None });
        provider("o", vec![ProviderModel { price, ..model("a", &[]) }]).checked()
    };
    assert!(priced(0.0, None).is_ok() && priced(1_000_000.0, Some(0.5)).is_ok());
    for (input, cache_read) in
        [(-0.1, None), (f64::NAN, None), (f64::INFINITY, None), (1.0, Some(-1.0)), (1_000_001.0, None)]
    {
        assert_eq!(priced(input, cache_read).unwrap_err().field, "models.0.price");
    }
}
