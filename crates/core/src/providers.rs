//! Providers of models that people set in the app: the server's, which admins of the server set, and a workspace's own.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{ProviderId, WorkspaceId};
use crate::models::{DEMO, Price, SCRIPTED};
use crate::secrets::{Sealed, SecretChange};
use crate::text::{self, Invalid};

pub const MAX_PROVIDERS: u64 = 20;
pub const MAX_MODELS: usize = 100;
pub const MAX_ALIASES: usize = 20;
pub const MAX_MODEL_NAME: usize = 200;
const MAX_NAME: usize = 40;
pub const MAX_BASE_URL: usize = 500;
/// Dollars per million tokens.
const MAX_PRICE: f64 = 1_000_000.0;
/// In tokens. With less, no conversation fits.
pub const CONTEXT_WINDOWS: std::ops::RangeInclusive<u64> = 1_000..=100_000_000;

crate::words! {
    /// How a provider is spoken to.
    WireFormat {
        Anthropic => "anthropic",
        Openai => "openai",
    }
}

impl WireFormat {
    pub const ALL: [Self; 2] = [Self::Anthropic, Self::Openai];

    /// Where the vendor itself answers, as its own SDK reads a base URL: OpenAI's ends in `/v1`, Anthropic's does not.
    pub fn own_base_url(self) -> &'static str {
        match self {
            Self::Anthropic => "https://api.anthropic.com",
            Self::Openai => "https://api.openai.com/v1",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ModelProvider {
    pub id: ProviderId,
    /// `None`: the server's, for every workspace.
    pub workspace_id: Option<WorkspaceId>,
    pub definition: ProviderDefinition,
    /// Its key, if it has one.
    pub sealed: Option<Sealed>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ProviderDefinition {
    /// What stands before the slash in `provider/model`.
    pub name: String,
    pub wire: WireFormat,
    /// `None`: the vendor's own.
    pub base_url: Option<String>,
    /// The first one also answers to aliases that none of them lists, unless the address is the vendor's own.
    pub models: Vec<ProviderModel>,
    /// Aliases try the lowest first.
    pub position: i32,
}

/// A model of a provider, as far as people say something about it. Others can be named too, as `provider/model`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProviderModel {
    /// The provider's name of it.
    pub model: String,
    /// What else it answers to, such as `sonnet`.
    #[serde(default)]
    pub aliases: Vec<String>,
    #[serde(default)]
    pub price: Option<Price>,
    /// How many tokens it reads at once.
    #[serde(default)]
    pub context_window: Option<u64>,
}

#[derive(Debug, Clone)]
pub struct NewProvider {
    pub id: ProviderId,
    pub workspace_id: Option<WorkspaceId>,
    pub definition: ProviderDefinition,
    pub secret: SecretChange,
}

impl ProviderDefinition {
    pub fn checked(mut self) -> Result<Self, Invalid> {
        self.name = provider_name(&self.name)?;
        if !(0..=10_000).contains(&self.position) {
            return Err(Invalid::new("position", "must be from 0 to 10000"));
        }
        if self.models.len() > MAX_MODELS {
            return Err(Invalid::new("models", format!("must be at most {MAX_MODELS}")));
        }
        let mut seen = BTreeSet::new();
        for (i, model) in self.models.iter_mut().enumerate() {
            model.check(i)?;
            for name in std::iter::once(&model.model).chain(&model.aliases) {
                if !seen.insert(name.clone()) {
                    return Err(Invalid::new(format!("models.{i}"), format!("names {name:?} twice")));
                }
            }
        }
        Ok(self)
    }
}

impl ProviderModel {
    fn check(&mut self, i: usize) -> Result<(), Invalid> {
        let field = |name: &str| format!("models.{i}.{name}");
        self.model = word(&field("model"), &self.model)?;
        if self.aliases.len() > MAX_ALIASES {
            return Err(Invalid::new(field("aliases"), format!("must be at most {MAX_ALIASES}")));
        }
        for alias in &mut self.aliases {
            *alias = word(&field("aliases"), alias)?;
            if alias.contains('/') || alias == DEMO {
                return Err(Invalid::new(field("aliases"), format!("can't be {alias:?}")));
            }
        }
        // A model that is listed under its own name twice says nothing new.
        let own = self.model.clone();
        self.aliases.retain(|alias| *alias != own);
        let price = self
            .price
            .iter()
            .flat_map(|price| [Some(price.input), Some(price.output), price.cache_read, price.cache_write]);
        if price.flatten().any(|dollars| !(0.0..=MAX_PRICE).contains(&dollars)) {
            return Err(Invalid::new(field("price"), format!("must be from 0 to {MAX_PRICE}")));
        }
        if self.context_window.is_some_and(|window| !CONTEXT_WINDOWS.contains(&window)) {
            let (least, most) = CONTEXT_WINDOWS.into_inner();
            return Err(Invalid::new(field("context_window"), format!("must be from {least} to {most}")));
        }
        Ok(())
    }
}

/// One word, as providers name their models.
fn word(field: &str, given: &str) -> Result<String, Invalid> {
    let word = text::line(field, given, MAX_MODEL_NAME)?;
    if word.contains(char::is_whitespace) {
        return Err(Invalid::new(field, "must be one word without spaces"));
    }
    Ok(word)
}

/// It stands before a slash, and in logs and bills.
fn provider_name(given: &str) -> Result<String, Invalid> {
    let name = text::line("name", given, MAX_NAME)?;
    let is_fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.');
    if !name.chars().all(is_fine) {
        return Err(Invalid::new(
            "name",
            "must be of small letters, digits, dots and dashes, such as my-ollama",
        ));
    }
    if [DEMO, SCRIPTED].contains(&name.as_str()) {
        return Err(Invalid::new("name", format!("can't be {name:?}: Baton uses it itself")));
    }
    Ok(name)
}

#[cfg(test)]
mod tests;
