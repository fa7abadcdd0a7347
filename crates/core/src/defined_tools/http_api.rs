//! `http_api`: one request to somebody's API. Arguments fill the places of the URL; what is left is the body, or the query
//! of a method without one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::url_template::UrlTemplate;
use super::{MAX_SECRETS, TrustedAs, json_schema};
use crate::text::{self, Invalid};
use crate::words;

words! {
    HttpMethod {
        Get => "GET",
        Post => "POST",
        Put => "PUT",
        Patch => "PATCH",
        Delete => "DELETE",
    }
}

impl HttpMethod {
    fn has_body(self) -> bool {
        matches!(self, Self::Post | Self::Put | Self::Patch)
    }
}

const MAX_URL: usize = 2_000;
const MAX_FILLED_URL: usize = 8_000;
const MAX_BODY: usize = 1024 * 1024;
const MAX_HEADERS: usize = 30;
const MAX_POINTER: usize = 500;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpApiConfig {
    pub method: HttpMethod,
    /// With places for arguments in braces, in its path and its query.
    pub url: String,
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Headers whose values are secrets.
    #[serde(default)]
    pub secret_headers: Vec<String>,
    /// A JSON Schema of an object.
    #[serde(default = "json_schema::nothing")]
    pub parameters: Value,
    /// The parameter that is the whole body. `None`: the body is an object of all that have no place in the URL.
    #[serde(default)]
    pub body_from: Option<String>,
    /// What of the answer the model is given, as a JSON pointer. `None`: all of it.
    #[serde(default)]
    pub pick: Option<String>,
    pub trusted_as: TrustedAs,
}

/// A request that is ready to be sent, but for secrets.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRequest {
    pub method: HttpMethod,
    pub url: String,
    /// The only place it may be sent to.
    pub origin: String,
    pub headers: BTreeMap<String, String>,
    pub body: Option<Value>,
}

impl HttpApiConfig {
    pub(super) fn check(&mut self) -> Result<(), Invalid> {
        self.url = text::line("config.url", &self.url, MAX_URL)?;
        let template = UrlTemplate::parse(&self.url).map_err(|wrong| Invalid::new("config.url", wrong))?;
        self.parameters = json_schema::checked("config.parameters", &self.parameters)?;
        for name in template.arguments() {
            if !json_schema::has_property(&self.parameters, name) {
                let message = format!("names {{{name}}}, which is none of the parameters");
                return Err(Invalid::new("config.url", message));
            }
        }
        if let Some(name) = template.in_path().find(|name| !json_schema::requires(&self.parameters, name)) {
            return Err(Invalid::new(
                "config.parameters",
                format!("must require {name}: it is part of the path"),
            ));
        }
        if let Some(name) = &self.body_from {
            let message = match (self.method.has_body(), json_schema::has_property(&self.parameters, name)) {
                (false, _) => format!("must be left out: {} has no body", self.method),
                (true, false) => "must be one of the parameters".to_owned(),
                (true, true) => return self.check_rest(),
            };
            return Err(Invalid::new("config.body_from", message));
        }
        self.check_rest()
    }

    fn check_rest(&self) -> Result<(), Invalid> {
        check_headers(&self.headers, &self.secret_headers)?;
        check_pointer(self.pick.as_deref())
    }

    /// The request of a call; words for the model if there can be none.
    pub fn plan(&self, arguments: &Map<String, Value>) -> Result<PlannedRequest, String> {
        let template = UrlTemplate::parse(&self.url)?;
        let placed = template.arguments();
        let rest = || arguments.iter().filter(|(name, _)| !placed.contains(name.as_str()));
        let body_from = self.body_from.as_deref();
        let (query, body): (Vec<_>, _) = match (self.method.has_body(), body_from) {
            (false, _) => (rest().collect(), None),
            (true, Some(from)) => {
                (rest().filter(|(name, _)| *name != from).collect(), arguments.get(from).cloned())
            }
            (true, None) => {
                let body: Map<String, Value> =
                    rest().map(|(name, value)| (name.clone(), value.clone())).collect();
                (Vec::new(), Some(Value::Object(body)))
            }
        };
        let url = template.filled(arguments, query.into_iter())?;
        if url.len() > MAX_FILLED_URL {
            return Err(format!("the address would be longer than {MAX_FILLED_URL} characters"));
        }
        if body.as_ref().is_some_and(|body| body.to_string().len() > MAX_BODY) {
            return Err("the request would be larger than 1 MiB".to_owned());
        }
        let origin = super::origin_of(&self.url)?;
        Ok(PlannedRequest { method: self.method, url, origin, headers: self.headers.clone(), body })
    }
}

pub(super) fn check_pointer(pointer: Option<&str>) -> Result<(), Invalid> {
    let wrong = |message: &str| Err(Invalid::new("config.pick", message));
    match pointer {
        Some(pointer) if pointer.len() > MAX_POINTER => wrong("must be at most 500 characters"),
        Some(pointer) if !pointer.is_empty() && !pointer.starts_with('/') => {
            wrong("must be a JSON pointer such as /data/items/0")
        }
        Some(pointer) if pointer.chars().any(char::is_control) => wrong("must not hold control characters"),
        _ => Ok(()),
    }
}

pub(super) fn check_headers(plain: &BTreeMap<String, String>, secret: &[String]) -> Result<(), Invalid> {
    if plain.len() > MAX_HEADERS {
        return Err(Invalid::new("config.headers", format!("must be at most {MAX_HEADERS}")));
    }
    if secret.len() > MAX_SECRETS {
        return Err(Invalid::new("config.secret_headers", format!("must be at most {MAX_SECRETS}")));
    }
    for (name, value) in plain {
        check_header(&format!("config.headers.{name}"), name, value)?;
    }
    let names: Vec<String> = plain.keys().chain(secret).map(|name| name.to_ascii_lowercase()).collect();
    for (index, name) in secret.iter().enumerate() {
        check_header(&format!("config.secret_headers[{index}]"), name, "")?;
    }
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(Invalid::new("config.headers", format!("has {name} twice")));
        }
    }
    Ok(())
}

/// A header that may be sent with every call. Those that say where a request goes and how long it is are not a tool's.
pub fn check_header(field: &str, name: &str, value: &str) -> Result<(), Invalid> {
    const NOT_OURS: &[&str] = &[
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "upgrade",
        "te",
        "trailer",
        "expect",
        "keep-alive",
    ];
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if !(1..=100).contains(&name.len()) || !name.chars().all(is_token) {
        return Err(Invalid::new(field, "must be the name of a header: letters, digits and -"));
    }
    let lower = name.to_ascii_lowercase();
    if NOT_OURS.contains(&lower.as_str()) || lower.starts_with("proxy-") {
        return Err(Invalid::new(field, "can't be set: Baton sets it itself"));
    }
    if value.len() > 4_000 || !value.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
        return Err(Invalid::new(field, "must be at most 4000 letters, digits and signs of ASCII"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
