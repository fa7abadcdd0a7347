//! What each engine is asked and how its answer is read; pure. Titles and excerpts come out as plain text of a limited
//! length, addresses only if a person could open them.

use baton_core::search_engines::{Freshness, SearchEngineKind};
use serde_json::{Value, json};
use url::Url;

use super::plain_text::plain_text;

const MAX_TITLE: usize = 200;
const MAX_SNIPPET: usize = 500;
const MAX_URL: usize = 2_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    pub text: String,
    pub limit: usize,
    pub freshness: Option<Freshness>,
}

/// One result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub title: String,
    pub url: String,
    pub snippet: String,
    /// When the page is from, as the engine says it.
    pub published: Option<String>,
}

/// A request without its key.
#[derive(Debug, PartialEq)]
pub struct Ask {
    pub url: Url,
    /// Sent as JSON; without one it is a GET.
    pub body: Option<Value>,
}

pub fn ask(kind: SearchEngineKind, base_url: &Url, query: &Query) -> Ask {
    let at = |path: &str| {
        let mut url = base_url.clone();
        url.set_path(&format!("{}{path}", base_url.path().trim_end_matches('/')));
        url
    };
    match kind {
        SearchEngineKind::Searxng => {
            let mut url = at("/search");
            url.query_pairs_mut().append_pair("q", &query.text).append_pair("format", "json");
            if let Some(freshness) = query.freshness {
                url.query_pairs_mut().append_pair("time_range", freshness.as_str());
            }
            Ask { url, body: None }
        }
        SearchEngineKind::Brave => {
            let mut url = at("/res/v1/web/search");
            let count = query.limit.to_string();
            url.query_pairs_mut()
                .append_pair("q", &query.text)
                .append_pair("count", &count)
                .append_pair("text_decorations", "false");
            if let Some(freshness) = query.freshness {
                let freshness = match freshness {
                    Freshness::Day => "pd",
                    Freshness::Week => "pw",
                    Freshness::Month => "pm",
                    Freshness::Year => "py",
                };
                url.query_pairs_mut().append_pair("freshness", freshness);
            }
            Ask { url, body: None }
        }
        SearchEngineKind::Tavily => {
            let mut body = json!({"query": query.text, "max_results": query.limit, "search_depth": "basic"});
            if let Some(freshness) = query.freshness {
                body["time_range"] = json!(freshness);
            }
            Ask { url: at("/search"), body: Some(body) }
        }
    }
}

/// The results of an answer; `None` if it is no answer of this engine.
pub fn read(kind: SearchEngineKind, answer: &Value, limit: usize) -> Option<Vec<Found>> {
    let (results, snippet, published) = match kind {
        SearchEngineKind::Searxng => (answer.get("results"), "content", "publishedDate"),
        SearchEngineKind::Tavily => (answer.get("results"), "content", "published_date"),
        // Without any result, Brave leaves `web` out.
        SearchEngineKind::Brave if answer["type"] == "search" && answer.get("web").is_none() => {
            return Some(Vec::new());
        }
        SearchEngineKind::Brave => (answer.pointer("/web/results"), "description", "page_age"),
    };
    let mut found: Vec<Found> = Vec::new();
    for result in results?.as_array()? {
        let Some(url) = openable(&result["url"]) else { continue };
        if found.iter().any(|earlier| earlier.url == url) {
            continue;
        }
        let words = |field: &str, max| plain_text(result[field].as_str().unwrap_or_default(), max);
        let title = words("title", MAX_TITLE);
        found.push(Found {
            title: if title.is_empty() { url.clone() } else { title },
            snippet: words(snippet, MAX_SNIPPET),
            published: Some(words(published, 40)).filter(|published| !published.is_empty()),
            url,
        });
        if found.len() == limit {
            break;
        }
    }
    Some(found)
}

fn openable(url: &Value) -> Option<String> {
    let url = Url::parse(url.as_str()?).ok()?;
    let is_fine = matches!(url.scheme(), "http" | "https") && url.as_str().len() <= MAX_URL;
    is_fine.then(|| url.to_string())
}
