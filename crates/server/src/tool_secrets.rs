//! The secrets of tools that people defined: opened for each call, and changed one by one though they are sealed as one
//! text.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use baton_core::Invalid;
use baton_core::defined_tools::{DefinedTool, ToolDefinition, ToolSecrets, join_secrets, split_secrets};
use baton_core::ids::{ToolId, WorkspaceId};
use baton_core::secrets::{MAX_SECRET, SecretChange, SecretText};
use baton_core::store::{self, Store};
use baton_core::tools::ToolFailure;
use baton_tools::requests::OpenSecrets;

use crate::http::ApiError;
use crate::secrets::Vault;

pub struct LiveToolSecrets {
    store: Arc<dyn Store>,
    vault: Arc<Vault>,
}

/// New values by name. `None` takes one away.
pub type SecretChanges = BTreeMap<String, Option<SecretText>>;

impl LiveToolSecrets {
    pub fn new(store: Arc<dyn Store>, vault: Arc<Vault>) -> Self {
        Self { store, vault }
    }

    /// Those that can be read here.
    pub async fn of(&self, tool: &DefinedTool) -> store::Result<ToolSecrets> {
        if tool.definition.config.secret_names().is_empty() {
            return Ok(ToolSecrets::new());
        }
        let Some(place) = tool.definition.secret_place(tool.workspace_id, tool.id) else {
            return Ok(ToolSecrets::new());
        };
        let sealed = self.store.tool_secrets(tool.id).await?;
        let opened = sealed.and_then(|sealed| self.vault.open(&place, &sealed));
        Ok(opened.and_then(|joined| split_secrets(&joined)).unwrap_or_default())
    }

    /// The names of those that have no value, or none that can be read here.
    pub async fn missing(&self, tool: &DefinedTool) -> store::Result<Vec<String>> {
        let there = self.of(tool).await?;
        let names = tool.definition.config.secret_names().into_iter();
        Ok(names.filter(|name| !there.contains_key(name)).collect())
    }

    pub async fn of_new(
        &self,
        workspace: WorkspaceId,
        id: ToolId,
        definition: &ToolDefinition,
        given: BTreeMap<String, SecretText>,
    ) -> Result<SecretChange, ApiError> {
        let given: SecretChanges = given.into_iter().map(|(name, value)| (name, Some(value))).collect();
        check(definition, &given)?;
        self.sealed(workspace, id, definition, ToolSecrets::new(), given).await
    }

    /// What isn't given again stays, as long as it is sent to the same place.
    pub async fn of_changed(
        &self,
        tool: &DefinedTool,
        definition: &ToolDefinition,
        given: SecretChanges,
    ) -> Result<SecretChange, ApiError> {
        check(definition, &given)?;
        let before = &tool.definition.config;
        let is_same_place = before.secrets_go_to() == definition.config.secrets_go_to();
        let is_same_names = before.secret_names() == definition.config.secret_names();
        if is_same_place && is_same_names && given.is_empty() {
            return Ok(SecretChange::Keep);
        }
        let kept = if is_same_place { self.of(tool).await? } else { ToolSecrets::new() };
        self.sealed(tool.workspace_id, tool.id, definition, kept, given).await
    }

    async fn sealed(
        &self,
        workspace: WorkspaceId,
        id: ToolId,
        definition: &ToolDefinition,
        mut secrets: ToolSecrets,
        given: SecretChanges,
    ) -> Result<SecretChange, ApiError> {
        for (name, value) in given {
            match value {
                Some(value) => drop(secrets.insert(name, value)),
                None => drop(secrets.remove(&name)),
            }
        }
        let names = definition.config.secret_names();
        secrets.retain(|name, _| names.contains(name));
        let Some(place) = definition.secret_place(workspace, id).filter(|_| !secrets.is_empty()) else {
            return Ok(SecretChange::Remove);
        };
        Ok(SecretChange::Set(self.vault.seal(place, &join_secrets(&secrets)).await?))
    }
}

/// Each must be one that the tool has, and can be sent in a header. No error repeats it.
fn check(definition: &ToolDefinition, given: &SecretChanges) -> Result<(), Invalid> {
    let names = definition.config.secret_names();
    for (name, value) in given {
        let wrong = |message: &str| Err(Invalid::new(format!("secrets.{name}"), message));
        if !names.contains(name) {
            return wrong("is none of the secrets that the configuration names");
        }
        let Some(value) = value.as_ref().map(SecretText::reveal) else { continue };
        if value.trim().is_empty() {
            return wrong("must not be empty");
        }
        if value.len() > MAX_SECRET || value.trim() != value {
            return wrong("must be at most 4000 characters, without spaces around it");
        }
        if !value.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
            return wrong("holds characters that can't be sent: copy it again from where you got it");
        }
    }
    Ok(())
}

#[async_trait]
impl OpenSecrets for LiveToolSecrets {
    async fn secrets_of(&self, tool: &DefinedTool) -> Result<ToolSecrets, ToolFailure> {
        self.of(tool).await.map_err(|error| {
            tracing::warn!(%error, "the secrets of a tool could not be read");
            ToolFailure("This did not work because of a problem on the server. Try again later.".to_owned())
        })
    }
}
