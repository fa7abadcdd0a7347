//! `supabase_rpc`: a function of a Postgres database that Supabase (or PostgREST behind the same paths) offers over HTTP.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::http_api::{HttpMethod, PlannedRequest, check_pointer};
use super::{TrustedAs, json_schema, origin_of};
use crate::text::{self, Invalid};

/// The name of its secret: the project's key.
pub const API_KEY: &str = "apikey";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SupabaseRpcConfig {
    /// The project's address, such as `https://abc.supabase.co`.
    pub base_url: String,
    pub function: String,
    /// The schema of the database that the function is in. `None`: the one that the project offers first.
    #[serde(default)]
    pub database_schema: Option<String>,
    /// A JSON Schema of an object.
    #[serde(default = "json_schema::nothing")]
    pub parameters: Value,
    #[serde(default)]
    pub pick: Option<String>,
    pub trusted_as: TrustedAs,
}

impl SupabaseRpcConfig {
    pub(super) fn check(&mut self) -> Result<(), Invalid> {
        const URL: &str = "config.base_url";
        self.base_url = text::line(URL, &self.base_url, 500)?.trim_end_matches('/').to_owned();
        origin_of(&self.base_url).map_err(|wrong| Invalid::new(URL, wrong))?;
        if self.base_url.contains(['?', '#', '{', '}']) {
            return Err(Invalid::new(URL, "must be an address such as https://abc.supabase.co"));
        }
        let names = [
            ("config.function", Some(&self.function)),
            ("config.database_schema", self.database_schema.as_ref()),
        ];
        for (field, name) in names {
            if name.is_some_and(|name| !is_identifier(name)) {
                return Err(Invalid::new(field, "must be a name of letters, digits and _, at most 63"));
            }
        }
        self.parameters = json_schema::checked("config.parameters", &self.parameters)?;
        check_pointer(self.pick.as_deref())
    }

    pub fn plan(&self, arguments: &Map<String, Value>) -> Result<PlannedRequest, String> {
        let mut headers = BTreeMap::new();
        if let Some(schema) = &self.database_schema {
            headers.insert("Content-Profile".to_owned(), schema.clone());
        }
        Ok(PlannedRequest {
            method: HttpMethod::Post,
            url: format!("{}/rest/v1/rpc/{}", self.base_url, self.function),
            origin: origin_of(&self.base_url)?,
            headers,
            body: Some(Value::Object(arguments.clone())),
        })
    }
}

fn is_identifier(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && name.len() <= 63 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
