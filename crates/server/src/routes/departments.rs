//! Departments of the catalog.

use axum::Json;
use axum::extract::State;
use baton_core::agents::Department;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::SharedApp;
use crate::http::{ApiError, Caller, Errors};

#[derive(Serialize, ToSchema)]
pub struct DepartmentView {
    id: Uuid,
    name: String,
    slug: String,
    /// A lucide icon name.
    #[schema(required)]
    icon: Option<String>,
}

impl From<Department> for DepartmentView {
    fn from(department: Department) -> Self {
        Self { id: department.id.0, name: department.name, slug: department.slug, icon: department.icon }
    }
}

#[derive(Serialize, ToSchema)]
pub struct DepartmentList {
    departments: Vec<DepartmentView>,
}

/// Departments agents belong to
#[utoipa::path(get, path = "/api/departments", tag = "agents", responses((status = 200, body = DepartmentList), Errors))]
pub async fn list(State(app): State<SharedApp>, _caller: Caller) -> Result<Json<DepartmentList>, ApiError> {
    let departments = app.store.departments().await?;
    Ok(Json(DepartmentList { departments: departments.into_iter().map(Into::into).collect() }))
}
