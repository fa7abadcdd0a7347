//! Which conversations a person's history lists: all versions of one conversation are one entry.

use baton_core::conversations::{ConversationQuery, With};
use baton_core::ids::ConversationId;
use baton_core::store::Result;
use baton_core::visitors::Person;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::{Expr, ExprTrait, Query, SelectStatement, SimpleExpr};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};
use uuid::Uuid;

use crate::conversations::{find, there};
use crate::db::{OrStoreError, contains};
use crate::entities::agent_conversations::{ActiveModel, Column, Entity, Model};
use crate::entities::{activations, agent_messages};
use crate::write::Write;

const ITSELF: &str = "agent_conversations";
const VERSION: &str = "version";

/// Of the versions that match, the one that was active last.
pub fn history(query: &ConversationQuery) -> Select<Entity> {
    let later = Query::select()
        .expr(Expr::val(1))
        .from_as(Entity, VERSION)
        .and_where(at(VERSION, Column::FamilyId).equals((ITSELF, Column::FamilyId)))
        .cond_where(matches(VERSION, query))
        .cond_where(is_later())
        .take();
    Entity::find().filter(matches(ITSELF, query)).filter(Expr::exists(later).not())
}

/// All versions of someone's conversation, itself among them, held as they are until the write ends: whoever deletes or
/// renames one does so with all, and a fork that is being made ends with a lock on what it is made from.
pub async fn hold_versions(write: &Write, id: ConversationId, person: Person) -> Result<Vec<Model>> {
    let mut held = 0;
    loop {
        let row = find(&**write, id, person).await?;
        let family = match row.family_id {
            Some(family) => Column::FamilyId.eq(family),
            None => Column::Id.eq(row.id),
        };
        // In the order in which all lock several.
        let versions = there().filter(family).order_by_asc(Column::Id).lock_exclusive();
        let versions = versions.all(&**write).await.db()?;
        // One that came while this waited for the locks is not among them: they are read until none does.
        if versions.len() == held && held > 0 {
            return Ok(versions);
        }
        held = versions.len();
    }
}

/// The last conversation that is left of a family is no version any more.
pub async fn alone_again(write: &Write, left: &[&Model]) -> Result<()> {
    if let [last] = left
        && last.family_id.is_some()
    {
        let change = ActiveModel { id: Unchanged(last.id), family_id: Set(None), ..Default::default() };
        change.update(&**write).await.db()?;
    }
    Ok(())
}

fn is_later() -> Condition {
    let (active, id) = (at(VERSION, Column::UpdatedAt), at(VERSION, Column::Id));
    let same_moment = Condition::all()
        .add(active.clone().equals((ITSELF, Column::UpdatedAt)))
        .add(id.gt(at(ITSELF, Column::Id)));
    Condition::any().add(active.gt(at(ITSELF, Column::UpdatedAt))).add(same_moment)
}

/// Whether a row of `table`, a name of the conversations, is what is asked for.
fn matches(table: &'static str, query: &ConversationQuery) -> Condition {
    let is_theirs = match query.person {
        Person::Profile(id) => at(table, Column::UserId).eq(id.0),
        Person::Visitor(id) => at(table, Column::VisitorId).eq(id.0),
    };
    let mut all = Condition::all()
        .add(at(table, Column::DeletedAt).is_null())
        .add(at(table, Column::ParentId).is_null())
        .add(at(table, Column::WorkspaceId).eq(query.workspace_id.0))
        .add(is_theirs);
    all = match query.with {
        With::Anyone => all,
        With::Team(team) => all.add(at(table, Column::TeamId).eq(team.0)),
        With::Agent(agent) => all.add(Expr::exists(held(table, agent.0))),
    };
    if let Some(search) = &query.search {
        let titled = at(table, Column::SearchText).like(contains(search));
        all = all.add(Condition::any().add(titled).add(Expr::exists(said(table, search))));
    }
    all
}

/// Whether the agent ever held it. Asked of each of a person's conversations: an agent may be in far more than those.
fn held(table: &'static str, agent: Uuid) -> SelectStatement {
    Query::select()
        .expr(Expr::val(1))
        .from(activations::Entity)
        .and_where(
            Expr::col((activations::Entity, activations::Column::ConversationId)).equals((table, Column::Id)),
        )
        .and_where(activations::Column::AgentId.eq(agent))
        .take()
}

fn said(table: &'static str, search: &str) -> SelectStatement {
    let conversation = (agent_messages::Entity, agent_messages::Column::ConversationId);
    Query::select()
        .expr(Expr::val(1))
        .from(agent_messages::Entity)
        .and_where(Expr::col(conversation).equals((table, Column::Id)))
        .and_where(agent_messages::Column::SearchText.like(contains(search)))
        .take()
}

fn at(table: &'static str, column: Column) -> SimpleExpr {
    Expr::col((table, column))
}
