//! The models that aliases stand for, their prices and how much they read at once, unless configured otherwise. Looked up in
//! November 2026 on the vendors' pages; where a vendor charges more for very long prompts, this is the price of shorter ones.

use std::collections::BTreeMap;

use baton_core::models::Price;
use baton_core::providers::WireFormat;

const OPUS: &str = "anthropic/claude-opus-5-5";
const SONNET: &str = "anthropic/claude-sonnet-5-5";
const HAIKU: &str = "anthropic/claude-haiku-5-5";
const SOL: &str = "openai/gpt-6-sol";
const LUNA: &str = "openai/gpt-6-luna";
const GPT_4O: &str = "openai/gpt-4o";
const GPT_4O_MINI: &str = "openai/gpt-4o-mini";

/// Each names a model of both vendors, so that it works with either.
const ALIASES: [(&str, [&str; 2]); 7] = [
    ("opus", [OPUS, SOL]),
    ("sonnet", [SONNET, SOL]),
    ("haiku", [HAIKU, LUNA]),
    ("gpt-4o", [GPT_4O, SONNET]),
    ("gpt-4o-mini", [GPT_4O_MINI, HAIKU]),
    ("gpt-6-sol", [SOL, SONNET]),
    ("gpt-6-luna", [LUNA, HAIKU]),
];

/// Input, output, cache read, cache write.
const PRICES: [(&str, [f64; 4]); 7] = [
    (OPUS, [4.0, 20.0, 0.2, 5.0]),
    (SONNET, [2.0, 10.0, 0.1, 2.5]),
    (HAIKU, [0.1, 0.5, 0.01, 0.125]),
    (SOL, [2.0, 10.0, 0.2, 2.5]),
    (LUNA, [0.1, 0.5, 0.01, 0.125]),
    (GPT_4O, [2.5, 10.0, 1.25, 2.5]),
    (GPT_4O_MINI, [0.15, 0.6, 0.075, 0.15]),
];

/// How many tokens each reads at once.
const CONTEXT_WINDOWS: [(&str, u64); 7] = [
    (OPUS, 1_000_000),
    (SONNET, 1_000_000),
    (HAIKU, 1_000_000),
    (SOL, 1_050_000),
    (LUNA, 1_050_000),
    (GPT_4O, 128_000),
    (GPT_4O_MINI, 128_000),
];

pub fn aliases() -> BTreeMap<String, Vec<String>> {
    ALIASES
        .iter()
        .map(|(alias, targets)| (alias.to_string(), targets.iter().map(ToString::to_string).collect()))
        .collect()
}

/// The model that costs least at a vendor, without the vendor's name.
pub fn cheapest(wire: WireFormat) -> &'static str {
    let model = match wire {
        WireFormat::Anthropic => HAIKU,
        WireFormat::Openai => LUNA,
    };
    model.split_once('/').map_or(model, |(_, model)| model)
}

pub fn price(name: &str) -> Option<Price> {
    let (_, [input, output, read, write]) = PRICES.iter().find(|(target, _)| *target == name)?;
    Some(Price { input: *input, output: *output, cache_read: Some(*read), cache_write: Some(*write) })
}

pub fn context_window(name: &str) -> Option<u64> {
    CONTEXT_WINDOWS.iter().find(|(target, _)| *target == name).map(|(_, window)| *window)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_alias_works_with_either_vendor_at_a_known_price() {
        for (alias, targets) in aliases() {
            for vendor in ["anthropic/", "openai/"] {
                assert!(targets.iter().any(|target| target.starts_with(vendor)), "{alias} {vendor}");
            }
            for target in targets {
                assert!(price(&target).is_some(), "{target}");
                assert!(context_window(&target).is_some(), "{target}");
            }
        }
    }
    #[test]
    fn the_cheapest_model_of_a_vendor_has_a_price() {
        for wire in WireFormat::ALL {
            assert!(price(&format!("{wire}/{}", cheapest(wire))).is_some(), "{wire}");
        }
    }
}
