//! One operation as a tool: its parameters and body as one schema, its address as a template.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::schemas::Schemas;
use super::{object, resolved};
use crate::defined_tools::{
    HttpApiConfig, HttpMethod, MAX_DESCRIPTION, ToolConfig, ToolDefinition, TrustedAs,
};

/// An operation that can be a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedOperation {
    pub method: HttpMethod,
    pub path: String,
    pub definition: ToolDefinition,
    /// What of it was left out.
    pub left_out: Vec<String>,
}

/// An operation that can't, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotImported {
    pub method: HttpMethod,
    pub path: String,
    pub why: String,
}

pub fn method(name: &str) -> Option<HttpMethod> {
    match name {
        "get" => Some(HttpMethod::Get),
        "post" => Some(HttpMethod::Post),
        "put" => Some(HttpMethod::Put),
        "patch" => Some(HttpMethod::Patch),
        "delete" => Some(HttpMethod::Delete),
        _ => None,
    }
}

pub struct Importer<'d> {
    document: &'d Value,
    fetched_from: Option<&'d str>,
    names: BTreeSet<String>,
}

/// What is put together for one operation.
struct Draft<'d> {
    schemas: Schemas<'d>,
    properties: Map<String, Value>,
    required: Vec<String>,
    query: Vec<String>,
    path: String,
    body_from: Option<String>,
    left_out: Vec<String>,
}

impl<'d> Importer<'d> {
    pub fn new(document: &'d Value, fetched_from: Option<&'d str>) -> Self {
        Self { document, fetched_from, names: BTreeSet::new() }
    }

    pub fn import(
        &mut self,
        path: &str,
        method: HttpMethod,
        item: &'d Value,
        operation: &'d Value,
    ) -> Result<ImportedOperation, NotImported> {
        self.tool(path, method, item, operation).map_err(|why| NotImported {
            method,
            path: path.to_owned(),
            why,
        })
    }

    fn tool(
        &mut self,
        path: &str,
        method: HttpMethod,
        item: &'d Value,
        operation: &'d Value,
    ) -> Result<ImportedOperation, String> {
        let mut draft = Draft {
            schemas: Schemas::new(self.document),
            properties: Map::new(),
            required: Vec::new(),
            query: Vec::new(),
            path: path.to_owned(),
            body_from: None,
            left_out: Vec::new(),
        };
        for parameter in self.parameters(item, operation) {
            draft.parameter(parameter)?;
        }
        if let Some(body) = operation.get("requestBody") {
            draft.body(method, self.document, resolved(self.document, body))?;
        }
        let url = format!("{}{}", self.server(item, operation)?, draft.address());
        let secret_headers = self.secret_headers(operation)?;
        let (body_from, left_out) = (draft.body_from.take(), std::mem::take(&mut draft.left_out));
        let config = HttpApiConfig {
            method,
            url,
            headers: BTreeMap::new(),
            secret_headers,
            parameters: draft.parameters(),
            body_from,
            pick: None,
            trusted_as: TrustedAs::Unknown,
        };
        let definition = ToolDefinition {
            name: self.name(method, path, operation),
            description: description(method, path, operation),
            config: ToolConfig::HttpApi(config),
        };
        // Which names are taken here is known to who stores it.
        let definition = definition.checked(|_| false).map_err(|wrong| wrong.to_string())?;
        Ok(ImportedOperation { method, path: path.to_owned(), definition, left_out })
    }

    /// Those of the path, and those of the operation in their place.
    fn parameters(&self, item: &'d Value, operation: &'d Value) -> Vec<&'d Value> {
        let mut found: Vec<&Value> = Vec::new();
        for list in [item, operation] {
            for parameter in list.get("parameters").and_then(Value::as_array).into_iter().flatten() {
                let parameter = resolved(self.document, parameter);
                found.retain(|other| other["name"] != parameter["name"] || other["in"] != parameter["in"]);
                found.push(parameter);
            }
        }
        found
    }

    fn server(&self, item: &Value, operation: &Value) -> Result<String, String> {
        let first = |of: &Value| of.pointer("/servers/0").cloned();
        let server = first(operation).or_else(|| first(item)).or_else(|| first(self.document));
        let server = server.unwrap_or_else(|| json!({"url": "/"}));
        let mut url = server["url"].as_str().unwrap_or("/").to_owned();
        for (name, variable) in object(server.get("variables")) {
            let value = variable["default"].as_str().unwrap_or_default();
            url = url.replace(&format!("{{{name}}}"), value);
        }
        if !url.starts_with("http://") && !url.starts_with("https://") {
            let from = self.fetched_from.ok_or("the document doesn't say on which server it is")?;
            let origin = crate::defined_tools::origin_of(from)?;
            url = format!("{origin}/{}", url.trim_start_matches('/'));
        }
        Ok(url.trim_end_matches('/').to_owned())
    }

    /// The headers that carry keys. Where one of several ways is enough, the first that can be had is taken.
    fn secret_headers(&self, operation: &Value) -> Result<Vec<String>, String> {
        let ways = operation.get("security").or_else(|| self.document.get("security"));
        let ways: Vec<&Value> = ways.and_then(Value::as_array).into_iter().flatten().collect();
        let mut why = None;
        for way in &ways {
            let schemes = way.as_object().into_iter().flatten().map(|(name, _)| self.header_of(name));
            match schemes.collect::<Result<BTreeSet<_>, _>>() {
                Ok(headers) => return Ok(headers.into_iter().collect()),
                Err(wrong) => why = Some(wrong),
            }
        }
        why.map_or(Ok(Vec::new()), Err)
    }

    fn header_of(&self, scheme: &str) -> Result<String, String> {
        let all = self.document.pointer("/components/securitySchemes");
        let found = all.and_then(|all| all.get(scheme)).map(|found| resolved(self.document, found));
        let part =
            |name: &str| found.and_then(|found| found.get(name)).and_then(Value::as_str).unwrap_or_default();
        match (part("type"), part("in")) {
            ("apiKey", "header") => Ok(part("name").to_owned()),
            ("http" | "oauth2" | "openIdConnect", _) => Ok("Authorization".to_owned()),
            ("apiKey", place) => {
                Err(format!("it wants its key in the {place}, where it would not stay secret"))
            }
            _ => Err(format!("it wants {scheme}, which the document doesn't describe")),
        }
    }

    fn name(&mut self, method: HttpMethod, path: &str, operation: &Value) -> String {
        let given = operation.get("operationId").and_then(Value::as_str).map(str::to_owned);
        let given = given.unwrap_or_else(|| format!("{}{path}", method.as_str().to_lowercase()));
        let words: Vec<&str> = given
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
            .filter(|word| !word.is_empty())
            .collect();
        let base: String = words.join("_").chars().take(56).collect();
        let base = base.trim_end_matches('_').to_owned();
        let base = if base.is_empty() || base.starts_with("ask_") { format!("call_{base}") } else { base };
        let mut name = base.clone();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }
}

impl Draft<'_> {
    fn parameter(&mut self, parameter: &Value) -> Result<(), String> {
        let text = |name: &str| parameter.get(name).and_then(Value::as_str).unwrap_or_default();
        let (name, place) = (text("name"), text("in"));
        let is_required = parameter.get("required") == Some(&Value::Bool(true));
        if !matches!(place, "path" | "query") {
            if is_required && !name.eq_ignore_ascii_case("authorization") {
                return Err(format!("it asks for {name} in a {place}, which calls can't set"));
            }
            self.left_out.push(format!("{name} ({place})"));
            return Ok(());
        }
        let own = self.free_name(name);
        if place == "path" {
            self.path = self.path.replace(&format!("{{{name}}}"), &format!("{{{own}}}"));
        } else {
            self.query.push(format!("{}={{{own}}}", encoded(name)));
        }
        let json = parameter.pointer("/content/application~1json/schema");
        let schema = parameter.get("schema").or(json).cloned().unwrap_or(json!({"type": "string"}));
        let mut schema = self.schemas.own(&schema);
        let about = text("description");
        if let Some(map) = schema.as_object_mut().filter(|_| !about.is_empty()) {
            map.entry("description").or_insert_with(|| shortened(about, 500).into());
        }
        self.add(own, schema, is_required || place == "path");
        Ok(())
    }

    fn body(&mut self, method: HttpMethod, document: &Value, body: &Value) -> Result<(), String> {
        if matches!(method, HttpMethod::Get | HttpMethod::Delete) {
            self.left_out.push("the body".to_owned());
            return Ok(());
        }
        let is_required = body.get("required") == Some(&Value::Bool(true));
        let is_json = |kind: &str| kind.starts_with("application/json") || kind.contains("+json");
        let content = object(body.get("content"));
        let Some((_, json)) = content.iter().find(|(kind, _)| is_json(kind)) else {
            let kinds: Vec<&str> = content.keys().map(String::as_str).collect();
            if is_required {
                return Err(format!("its body is {}, and only JSON can be sent", kinds.join(" or ")));
            }
            self.left_out.push("the body".to_owned());
            return Ok(());
        };
        let schema = json.get("schema").cloned().unwrap_or(json!({}));
        let plain = resolved(document, &schema);
        if let Some(fields) =
            plain_fields(plain).filter(|fields| !fields.keys().any(|key| self.is_taken(key)))
        {
            let needed = plain.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            for (name, field) in fields {
                let field = self.schemas.own(field);
                self.add(name.clone(), field, is_required && needed.iter().any(|one| one == name));
            }
            // What stands in the body alone is asked of arguments as a whole.
            return Ok(());
        }
        let own = self.free_name("body");
        let schema = self.schemas.own(&schema);
        self.add(own.clone(), schema, is_required);
        self.body_from = Some(own);
        Ok(())
    }

    fn is_taken(&self, name: &str) -> bool {
        self.properties.contains_key(name)
    }

    fn add(&mut self, name: String, schema: Value, is_required: bool) {
        if is_required {
            self.required.push(name.clone());
        }
        self.properties.insert(name, schema);
    }

    /// A name that every vendor takes for a parameter.
    fn free_name(&self, name: &str) -> String {
        let safe: String = name.chars().map(|c| if is_safe(c) { c } else { '_' }).take(60).collect();
        let safe = if safe.is_empty() { "value".to_owned() } else { safe };
        let mut free = safe.clone();
        let mut number = 2;
        while self.is_taken(&free) {
            free = format!("{safe}_{number}");
            number += 1;
        }
        free
    }

    fn address(&self) -> String {
        match self.query.as_slice() {
            [] => self.path.clone(),
            pairs => format!("{}?{}", self.path, pairs.join("&")),
        }
    }

    fn parameters(self) -> Value {
        let mut schema = json!({"type": "object", "properties": self.properties, "required": self.required});
        let definitions = self.schemas.definitions();
        if !definitions.is_empty() {
            schema["$defs"] = Value::Object(definitions);
        }
        schema
    }
}

/// The fields of an object that is nothing but these, under names that every vendor takes.
fn plain_fields(schema: &Value) -> Option<&Map<String, Value>> {
    const MORE: &[&str] = &["allOf", "anyOf", "oneOf", "not", "if", "patternProperties"];
    let fields = schema.get("properties")?.as_object()?;
    let is_plain = !MORE.iter().any(|keyword| schema.get(*keyword).is_some())
        && !schema.get("additionalProperties").is_some_and(Value::is_object)
        && fields.keys().all(|name| (1..=64).contains(&name.len()) && name.chars().all(is_safe));
    is_plain.then_some(fields)
}

fn is_safe(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

fn encoded(name: &str) -> String {
    let is_kept = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    name.bytes()
        .map(|byte| if is_kept(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn description(method: HttpMethod, path: &str, operation: &Value) -> String {
    let text = |name: &str| {
        operation.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    };
    let told: Vec<&str> = [text("summary"), text("description")].into_iter().flatten().collect();
    let told = if told.is_empty() { format!("{method} {path}") } else { told.join("\n\n") };
    shortened(&told.replace('\0', ""), MAX_DESCRIPTION)
}

fn shortened(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
