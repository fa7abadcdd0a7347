//! What requests about the workspace's data have in common: whose data, which kind, what is filtered by, and the key under
//! which a write is done once.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use baton_core::data::exports::ExportFormat;
use baton_core::data::kind::{Direction, Field, FieldType, Kind};
use baton_core::data::kinds;
use baton_core::data::rows::{Author, DataScope, Filter, MAX_PAGE, Once, RowQuery, Test};
use baton_core::effects::EffectRefused;
use baton_core::ids::WorkspaceId;
use baton_core::store::{Error, Written};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::app::App;
use crate::http::{ApiError, Caller, search};
use crate::secret;

/// Whose data is meant.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Within {
    #[serde(rename = "workspaceId")]
    pub workspace_id: Uuid,
}

/// What the caller may do with the data of a workspace they are in.
pub async fn scope(app: &App, caller: &Caller, workspace: Uuid) -> Result<DataScope, ApiError> {
    let workspace_id = WorkspaceId(workspace);
    app.role(caller, workspace_id).await?;
    let areas = app.store.areas(workspace_id, caller.profile.id).await?;
    Ok(DataScope { workspace_id, areas })
}

pub fn author(caller: &Caller) -> Author {
    Author { profile_id: caller.profile.id, agent: None }
}

pub fn kind(name: &str) -> Result<&'static Kind, ApiError> {
    kinds::find(name).ok_or_else(|| ApiError::not_found("kind of data"))
}

/// A kind and an id in a path.
pub struct RowPath(pub &'static Kind, pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for RowPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = axum::extract::Path::<(String, String)>::from_request_parts(parts, state).await;
        let axum::extract::Path((name, id)) = path.map_err(|_| ApiError::not_found("address"))?;
        let id = Uuid::parse_str(&id).map_err(|_| ApiError::invalid("id", "must be a UUID"))?;
        Ok(Self(kind(&name)?, id))
    }
}

/// By which key a write is done once: the same key with another request is refused.
pub fn once(
    headers: &HeaderMap,
    caller: &Caller,
    what: &str,
    body: &impl Serialize,
) -> Result<Once, ApiError> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(Once::Unkeyed) };
    let key = key.to_str().ok().filter(|key| (1..=200).contains(&key.len()));
    let key = key.ok_or_else(|| ApiError::invalid("idempotency-key", "must be 1 to 200 plain characters"))?;
    let body = serde_json::to_string(&(what, body)).map_err(ApiError::internal)?;
    let request_hash = secret::hash(&body).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Once::Request { profile_id: caller.profile.id, key: key.to_owned(), request_hash })
}

/// What came of a write, or why it did not take place.
pub fn outcome(written: Written) -> Result<Value, ApiError> {
    written.map_err(|refused| match refused {
        EffectRefused::NotNow(words) => ApiError::new(StatusCode::CONFLICT, "not_possible", words),
        EffectRefused::OtherArguments => ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "idempotency_key_reused",
            "This Idempotency-Key was used for another request.",
        ),
        EffectRefused::Fenced => Error::Unavailable.into(),
        EffectRefused::Store(error) => error.into(),
    })
}

/// A list's query: filters have the names of the kind's fields.
pub struct ListParams {
    pairs: Vec<(String, String)>,
}

impl<S: Send + Sync> FromRequestParts<S> for ListParams {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let query = parts.uri.query().unwrap_or_default();
        Ok(Self { pairs: url::form_urlencoded::parse(query.as_bytes()).into_owned().collect() })
    }
}

impl ListParams {
    pub fn workspace(&self) -> Result<Uuid, ApiError> {
        let given =
            self.one("workspaceId")?.ok_or_else(|| ApiError::invalid("workspaceId", "is required"))?;
        Uuid::parse_str(given).map_err(|_| ApiError::invalid("workspaceId", "must be a UUID"))
    }

    fn one(&self, name: &str) -> Result<Option<&str>, ApiError> {
        let mut given = self.pairs.iter().filter(|(own, _)| own == name).map(|(_, value)| value.as_str());
        match (given.next(), given.next()) {
            (_, Some(_)) => Err(ApiError::invalid(name, "is given twice")),
            (given, None) => Ok(given),
        }
    }

    pub fn query(&self, kind: &'static Kind) -> Result<RowQuery, ApiError> {
        let limit = self.one("limit")?.map_or(Ok(50), str::parse::<u64>);
        let limit = limit.ok().filter(|limit| (1..=MAX_PAGE).contains(limit));
        let limit =
            limit.ok_or_else(|| ApiError::invalid("limit", &format!("must be from 1 to {MAX_PAGE}")))?;
        Ok(RowQuery {
            filters: self.filters(kind, &["workspaceId", "search", "sort", "limit", "cursor"])?,
            search: search(self.one("search")?)?,
            order: self.one("sort")?.map(|sort| order(kind, sort)).transpose()?,
            limit,
            cursor: self.one("cursor")?.map(str::to_owned),
        })
    }

    /// Of an export: its format, and which rows.
    pub fn export(&self, kind: &'static Kind) -> Result<(ExportFormat, RowQuery), ApiError> {
        let format = self.one("format")?.map_or(Ok(ExportFormat::Csv), str::parse);
        let query = RowQuery {
            filters: self.filters(kind, &["workspaceId", "search", "sort", "format"])?,
            search: search(self.one("search")?)?,
            order: self.one("sort")?.map(|sort| order(kind, sort)).transpose()?,
            ..RowQuery::default()
        };
        Ok((format.map_err(|wrong| ApiError::invalid("format", &wrong))?, query))
    }

    pub fn filters(&self, kind: &'static Kind, others: &[&str]) -> Result<Vec<Filter>, ApiError> {
        let mut filters: Vec<Filter> = Vec::new();
        for (name, given) in self.pairs.iter().filter(|(name, _)| !others.contains(&name.as_str())) {
            let filter = filter(kind, name, given)?;
            match (filters.iter_mut().find(|other| other.field == filter.field), filter.test) {
                // Given again: any of them.
                (Some(Filter { test: Test::OneOf(many), .. }), Test::OneOf(more)) => many.extend(more),
                (_, test) => filters.push(Filter { field: filter.field, test }),
            }
        }
        Ok(filters)
    }
}

/// `bookedOn`, or `-bookedOn` for the last first.
fn order(kind: &'static Kind, sort: &str) -> Result<(String, Direction), ApiError> {
    let (name, direction) = match sort.strip_prefix('-') {
        Some(name) => (name, Direction::Falling),
        None => (sort, Direction::Rising),
    };
    let sorted = || kind.fields.iter().filter(|field| field.is_sorted);
    let field = sorted().find(|field| field.camel_name() == name).ok_or_else(|| {
        let names: Vec<String> = sorted().map(|field| field.camel_name()).collect();
        ApiError::invalid("sort", &format!("must be one of {}, or one of them after a -", names.join(", ")))
    })?;
    Ok((field.name.to_owned(), direction))
}

/// `accountId=…`, `categoryId=none`, `bookedOnFrom=…`, `bookedOnTo=…`.
fn filter(kind: &'static Kind, name: &str, given: &str) -> Result<Filter, ApiError> {
    let filtered = || kind.fields.iter().filter(|field| field.is_filtered);
    let find = |name: &str| filtered().find(|field| field.camel_name() == name);
    let value = |field: &'static Field| value(field, name, given);
    if let Some(field) = find(name) {
        let test = if given == "none" { Test::IsNull } else { Test::OneOf(vec![value(field)?]) };
        return Ok(Filter { field: field.name, test });
    }
    if let Some(field) = name.strip_suffix("From").and_then(find) {
        return Ok(Filter { field: field.name, test: Test::AtLeast(value(field)?) });
    }
    if let Some(field) = name.strip_suffix("To").and_then(find) {
        return Ok(Filter { field: field.name, test: Test::AtMost(value(field)?) });
    }
    let names: Vec<String> = filtered().map(|field| field.camel_name()).collect();
    Err(ApiError::invalid(name, &format!("is no filter here; there are {}", names.join(", "))))
}

fn value(field: &Field, name: &str, given: &str) -> Result<Value, ApiError> {
    match field.of {
        FieldType::Money { .. } | FieldType::Number { .. } => {
            let number: Result<i64, _> = given.parse();
            number.map(Value::from).map_err(|_| ApiError::invalid(name, "must be an integer"))
        }
        FieldType::Flag => {
            let flag: Result<bool, _> = given.parse();
            flag.map(Value::from).map_err(|_| ApiError::invalid(name, "must be true or false"))
        }
        _ => Ok(given.into()),
    }
}

/// Filters that stand in a body: as in the address of a list, each a text.
pub fn body_filters(kind: &'static Kind, given: &[(String, String)]) -> Result<Vec<Filter>, ApiError> {
    ListParams { pairs: given.to_vec() }.filters(kind, &[])
}
