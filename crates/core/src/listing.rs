//! Queries that are answered with a page of rows.

use crate::agents::Category;
use crate::ids::{DepartmentId, WorkspaceId};

pub const MAX_LIMIT: u64 = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub limit: u64,
    pub offset: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    pub rows: Vec<T>,
    /// How many there are without the window.
    pub total: u64,
}

#[derive(Debug, Clone)]
pub struct AgentQuery {
    pub workspace_id: WorkspaceId,
    pub search: Option<String>,
    pub category: Option<Category>,
    pub department_id: Option<DepartmentId>,
    pub hired_only: bool,
    pub window: Window,
}

#[derive(Debug, Clone)]
pub struct ProfileQuery {
    pub search: Option<String>,
    pub window: Window,
}
