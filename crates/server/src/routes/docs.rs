//! The OpenAPI document, and the same document as a page for people.

use axum::body::Bytes;
use axum::handler::Handler;
use axum::http::header;
use serde_json::Value;
use utoipa::PartialSchema;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder, RefOr, SecurityRequirement};

use crate::app::SharedApp;
use crate::http::{ErrorBody, error_responses};

/// Everything of the document but the paths, which the router adds.
pub fn document() -> OpenApi {
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("baton_session")));
    let bearer = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
    let none: [&str; 0] = [];
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("Baton")
                // Of the API, not of the server: everyone may read this, but what runs here is told only to who is signed in.
                .version("1")
                .description(Some(
                    "Hire AI agents, talk to them, and let them hand work to each other. \
                     Errors are `{error, message?, code, field?}`: `error` for people, `code` stable.",
                ))
                .build(),
        )
        .components(Some(
            ComponentsBuilder::new()
                .security_scheme("session", cookie)
                .security_scheme("token", bearer)
                .schema("ErrorBody", ErrorBody::schema())
                .responses_from_iter(error_responses())
                .build(),
        ))
        .security(Some([SecurityRequirement::new("session", none), SecurityRequirement::new("token", none)]))
        .build()
}

/// What the macros leave open: an id of its own for each operation, and words for each success.
pub fn completed(mut document: OpenApi) -> OpenApi {
    for (path, item) in &mut document.paths.paths {
        let methods = [
            ("get", &mut item.get),
            ("post", &mut item.post),
            ("put", &mut item.put),
            ("patch", &mut item.patch),
            ("delete", &mut item.delete),
        ];
        for (method, operation) in methods {
            let Some(operation) = operation else { continue };
            operation.operation_id = Some(operation_id(method, path));
            for (status, response) in &mut operation.responses.responses {
                if let RefOr::T(response) = response
                    && response.description.is_empty()
                {
                    response.description = if status == "201" { "Made." } else { "Done." }.to_owned();
                }
            }
        }
    }
    document
}

/// `get /api/agents/{id}` is `getAgentsById`.
fn operation_id(method: &str, path: &str) -> String {
    let mut id = method.to_owned();
    for word in path.trim_start_matches("/api").split(['/', '-', '_']).filter(|word| !word.is_empty()) {
        let (by, word) = word.strip_prefix('{').map_or(("", word), |word| ("By", word));
        let word = word.trim_end_matches('}');
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        id.push_str(&format!("{by}{}{rest}", first.to_uppercase()));
    }
    id
}

/// Both forms, made once.
pub struct Pages {
    json: Bytes,
    html: Bytes,
}

impl Pages {
    pub fn new(document: &OpenApi) -> Self {
        let json = document.to_pretty_json().unwrap_or_default();
        let value: Value = serde_json::from_str(&json).unwrap_or_default();
        Self { html: page(&value).into(), json: json.into() }
    }

    pub fn json(&self) -> impl Handler<((),), SharedApp> + use<> {
        let body = self.json.clone();
        move || async move { ([(header::CONTENT_TYPE, "application/json")], body) }
    }

    pub fn html(&self) -> impl Handler<((),), SharedApp> + use<> {
        let body = self.html.clone();
        move || async move { ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], body) }
    }
}

fn page(document: &Value) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <title>Baton API</title><link rel=icon href=/favicon.svg><link rel=stylesheet href=/api-docs.css>\
         <main><h1>Baton API</h1><p>The same as a machine reads it: <a href=/api/openapi.json>openapi.json</a>. \
         Programs send <code>Authorization: Bearer TOKEN</code>; browsers their session cookie.</p>",
    );
    let operations = operations(document);
    let mut tags: Vec<&str> = operations.iter().map(|operation| operation.tag).collect();
    tags.sort_unstable();
    tags.dedup();
    for tag in tags {
        html.push_str(&format!("<h2>{}</h2>", escape(tag)));
        for operation in operations.iter().filter(|operation| operation.tag == tag) {
            html.push_str(&operation.html());
        }
    }
    html.push_str("<h2>Schemas</h2>");
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let text = serde_json::to_string_pretty(schema).unwrap_or_default();
        let id = escape(name);
        html.push_str(&format!(
            "<details id='{id}'><summary>{id}</summary><pre>{}</pre></details>",
            escape(&text)
        ));
    }
    html.push_str("</main></html>");
    html
}

struct Operation<'a> {
    path: &'a str,
    method: &'a str,
    tag: &'a str,
    spec: &'a Value,
}

fn operations(document: &Value) -> Vec<Operation<'_>> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths
        .flat_map(|(path, methods)| {
            methods.as_object().into_iter().flatten().map(move |(method, spec)| Operation {
                path,
                method,
                tag: spec["tags"][0].as_str().unwrap_or("other"),
                spec,
            })
        })
        .collect()
}

impl Operation<'_> {
    fn html(&self) -> String {
        let mut html = format!(
            "<details><summary><b>{}</b> <code>{}</code> {}</summary>",
            escape(&self.method.to_uppercase()),
            escape(self.path),
            escape(self.spec["summary"].as_str().unwrap_or_default()),
        );
        let params = self.spec["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !params.is_empty() {
            html.push_str("<table><tr><th>parameter</th><th>in</th><th></th><th>meaning</th></tr>");
        }
        for param in params {
            html.push_str(&format!(
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escape(param["name"].as_str().unwrap_or_default()),
                escape(param["in"].as_str().unwrap_or_default()),
                if param["required"] == true { "required" } else { "" },
                escape(param["description"].as_str().unwrap_or_default()),
            ));
        }
        if !params.is_empty() {
            html.push_str("</table>");
        }
        if let Some(schema) = self.spec.pointer("/requestBody/content/application~1json/schema") {
            html.push_str(&format!("<p>Body: {}</p>", reference(schema)));
        }
        for (status, response) in self.spec["responses"].as_object().into_iter().flatten() {
            if !status.starts_with('2') {
                continue;
            }
            if let Some(schema) = response.pointer("/content/application~1json/schema") {
                html.push_str(&format!("<p>{}: {}</p>", escape(status), reference(schema)));
            }
        }
        html.push_str("</details>");
        html
    }
}

fn reference(schema: &Value) -> String {
    match schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        Some(name) => format!("<a href='#{0}'>{0}</a>", escape(name)),
        None => format!("<code>{}</code>", escape(&schema.to_string())),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
