//! Statements on the tables of data. All of them begin here, and none can be made without a scope: each names the workspace, and
//! the area was checked. (A test reads every statement that the store's tests cause, and looks for the workspace in it.)

use baton_core::data::areas::AreaAccess;
use baton_core::data::kind::Kind;
use baton_core::data::rows::DataScope;
use baton_core::ids::WorkspaceId;
use baton_core::store::Result;
use sea_orm::ExprTrait;
use sea_orm::sea_query::{DeleteStatement, Expr, InsertStatement, Query, SelectStatement, UpdateStatement};

/// One workspace's part of the tables, for someone who may see it, or change it.
#[derive(Debug, Clone, Copy)]
pub struct Scoped {
    workspace: WorkspaceId,
}

impl Scoped {
    pub fn reading(scope: DataScope, kind: &Kind) -> Result<Self> {
        Self::with(scope, kind, AreaAccess::Read)
    }

    pub fn writing(scope: DataScope, kind: &Kind) -> Result<Self> {
        Self::with(scope, kind, AreaAccess::Write)
    }

    fn with(scope: DataScope, kind: &Kind, least: AreaAccess) -> Result<Self> {
        scope.check(kind, least)?;
        Ok(Self { workspace: scope.workspace_id })
    }

    pub fn workspace(self) -> WorkspaceId {
        self.workspace
    }

    pub fn select(self, table: &'static str) -> SelectStatement {
        let mut select = Query::select();
        select.from(table).and_where(self.own(table));
        select
    }

    /// From rows that a select of a table gave.
    pub fn select_among(self, rows: SelectStatement) -> SelectStatement {
        let mut select = Query::select();
        select.from_subquery(rows, "found").and_where(self.own("found"));
        select
    }

    /// Whether there is a row that fits, within a select of the same table: under another name.
    pub fn select_as(self, table: &'static str, name: &'static str, fits: Expr) -> SelectStatement {
        let mut select = Query::select();
        select.expr(Expr::val(1)).from_as(table, name).and_where(self.own(name)).and_where(fits);
        select
    }

    pub fn update(self, table: &'static str) -> UpdateStatement {
        let mut update = Query::update();
        update.table(table).and_where(self.own(table));
        update
    }

    pub fn delete(self, table: &'static str) -> DeleteStatement {
        let mut delete = Query::delete();
        delete.from_table(table).and_where(self.own(table));
        delete
    }

    /// Values follow as [`row`](Self::row) makes them.
    pub fn insert(
        self,
        table: &'static str,
        columns: impl IntoIterator<Item = &'static str>,
    ) -> InsertStatement {
        let mut insert = Query::insert();
        insert.into_table(table).columns(std::iter::once("workspace_id").chain(columns));
        insert
    }

    /// A row for [`insert`](Self::insert), whose first value is the workspace.
    pub fn row(self, values: impl IntoIterator<Item = sea_orm::Value>) -> Vec<Expr> {
        std::iter::once(self.workspace.0.into()).chain(values).map(Expr::val).collect()
    }

    /// How many rows fit, counted no further than this.
    pub fn count_to(self, mut fitting: SelectStatement, most: u64) -> SelectStatement {
        fitting.clear_selects().expr(Expr::val(1)).clear_order_by().limit(most);
        let mut count = Query::select();
        count.expr_as(Expr::cust("COUNT(*)"), "number").from_subquery(fitting, "fitting");
        count
    }

    fn own(self, table: &'static str) -> Expr {
        Expr::col((table, "workspace_id")).eq(self.workspace.0)
    }
}
