//! Who may see and change which part of a workspace's data.

use axum::Json;
use axum::extract::State;
use baton_core::data::areas::{Area, AreaAccess, AreaRule, AreaRules};
use baton_core::ids::WorkspaceId;
use baton_core::workspaces::Role;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, Id, area_access_schema, area_schema, role_schema};

/// What a role may do in an area.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AreaRuleView {
    /// Owners always read and write.
    #[schema(schema_with = role_schema)]
    role: Role,
    #[schema(schema_with = area_schema)]
    area: Area,
    #[schema(schema_with = area_access_schema)]
    access: AreaAccess,
}

#[derive(Serialize, ToSchema)]
pub struct OwnAccess {
    #[schema(schema_with = area_schema)]
    area: Area,
    #[schema(schema_with = area_access_schema)]
    access: AreaAccess,
}

#[derive(Serialize, ToSchema)]
pub struct AreaList {
    /// What the caller may do.
    own: Vec<OwnAccess>,
    /// What each role may do, owners left out.
    rules: Vec<AreaRuleView>,
}

/// The roles whose access can be set.
const SET: [Role; 2] = [Role::Member, Role::Admin];

fn view(rules: &AreaRules, own: Role) -> AreaList {
    let own = rules.areas_of(own);
    let rule = |role: Role| {
        let areas = rules.areas_of(role);
        Area::ALL.map(|area| AreaRuleView { role, area, access: areas.access(area) })
    };
    AreaList {
        own: Area::ALL.map(|area| OwnAccess { area, access: own.access(area) }).into(),
        rules: SET.into_iter().flat_map(rule).collect(),
    }
}

/// Who may see and change which part of the workspace's data
#[utoipa::path(get, path = "/api/workspaces/{id}/areas", tag = "workspaces", params(("id" = Uuid, Path)), responses((status = 200, body = AreaList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<AreaList>, ApiError> {
    let role = app.role(&caller, WorkspaceId(id)).await?;
    Ok(Json(view(&app.store.area_rules(WorkspaceId(id)).await?, role)))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AreaChanges {
    /// What is not named stays as it is.
    #[schema(max_items = 10)]
    rules: Vec<AreaRuleView>,
}

/// Change who may see and change which part of the workspace's data (owners)
#[utoipa::path(patch, path = "/api/workspaces/{id}/areas", tag = "workspaces", params(("id" = Uuid, Path)), request_body = AreaChanges, responses((status = 200, body = AreaList), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<AreaChanges>,
) -> Result<Json<AreaList>, ApiError> {
    let id = WorkspaceId(id);
    caller.session()?;
    let role = app.require(&caller, id, Role::Owner).await?;
    if body.rules.len() > SET.len() * Area::ALL.len() {
        return Err(ApiError::invalid("rules", "must be at most one per role and area"));
    }
    let checked = |rule: AreaRuleView| match SET.contains(&rule.role) {
        true => Ok(AreaRule { role: rule.role, area: rule.area, access: rule.access }),
        false => Err(ApiError::invalid("role", "must be member or admin: owners always read and write")),
    };
    let rules = body.rules.into_iter().map(checked).collect::<Result<Vec<_>, _>>()?;
    let rules = app.store.set_area_rules(id, caller.profile.id, rules).await?;
    app.workspace_changed(id);
    Ok(Json(view(&rules, role)))
}
