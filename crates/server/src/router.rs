//! The whole URL table. Each path stands above its handler, in the file named here; the OpenAPI document is made
//! from the same lines.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use baton_core::attachments::MAX_BYTES;
use baton_core::files::MAX_IMAGE_BYTES;
use baton_core::pages::MAX_FILE_BYTES;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::SharedApp;
use crate::http::{ApiError, check_host, check_origin, log_requests, security_headers};
use crate::routes::*;
use crate::{pages, skill_archive, web};

/// The longest message fits, also where each character comes as the twelve of its escapes.
const MAX_BODY: usize = 4 * 1024 * 1024;
/// Of people whom nobody knows yet.
const MAX_STRANGERS_BODY: usize = 16 * 1024;
const MAX_IMPORT_BODY: usize = 8 * 1024 * 1024;

/// The documented API.
fn api() -> OpenApiRouter<SharedApp> {
    OpenApiRouter::with_openapi(docs::document())
        // People
        .routes(routes!(auth::options))
        .routes(routes!(auth::sign_up).layer(DefaultBodyLimit::max(MAX_STRANGERS_BODY)))
        .routes(routes!(auth::sign_in).layer(DefaultBodyLimit::max(MAX_STRANGERS_BODY)))
        .routes(routes!(auth::sign_out))
        .routes(routes!(auth::me, own_account::change, own_account::delete))
        .routes(routes!(auth::session))
        .routes(routes!(own_account::export))
        .routes(routes!(links::preview).layer(DefaultBodyLimit::max(MAX_STRANGERS_BODY)))
        .routes(routes!(links::redeem).layer(DefaultBodyLimit::max(MAX_STRANGERS_BODY)))
        .routes(routes!(tokens::list, tokens::create))
        .routes(routes!(tokens::delete))
        // Workspaces
        .routes(routes!(workspaces::create))
        .routes(routes!(workspaces::read, workspaces::change, workspaces::delete))
        .routes(routes!(workspaces::export))
        .routes(routes!(workspaces::audit))
        .routes(routes!(areas::list, areas::change))
        .routes(routes!(members::list))
        .routes(routes!(members::set_role, members::remove))
        .routes(routes!(invitations::list, invitations::create))
        .routes(routes!(invitations::revoke))
        .routes(routes!(invitations::preview))
        .routes(routes!(invitations::accept))
        .routes(routes!(public::read))
        // Agents
        .routes(routes!(agents::list, agents::create))
        .routes(routes!(stats::stats))
        .routes(routes!(usage::usage))
        .routes(routes!(transitions::list))
        .routes(routes!(agents::read, agents::change))
        .routes(routes!(agents::update))
        .routes(routes!(hiring::hire))
        .routes(routes!(hiring::unhire))
        .routes(routes!(allow_rules::list, allow_rules::make, allow_rules::take_back))
        .routes(routes!(models::list))
        .routes(routes!(providers::list, providers::create))
        .routes(routes!(provider_test::test))
        .routes(routes!(providers::change, providers::delete))
        .routes(routes!(search_engine::read, search_engine::set, search_engine::delete))
        .routes(routes!(search_engine::test))
        .routes(routes!(departments::list))
        .routes(routes!(rules::list, rules::create))
        .routes(routes!(rules::change, rules::delete))
        .routes(routes!(skills::list, skills::create))
        .routes(routes!(skills::import).layer(DefaultBodyLimit::max(skill_archive::MAX_UPLOAD)))
        .routes(routes!(skills::read, skills::change, skills::delete))
        .routes(routes!(memories::list, memories::create))
        .routes(routes!(memories::read, memories::change, memories::delete))
        // Money
        .routes(routes!(reports::read))
        // Analytics
        .routes(routes!(analytics::list))
        .routes(routes!(analytics::pins))
        .routes(routes!(analytics::pin, analytics::unpin))
        .routes(routes!(analytics::read))
        .routes(routes!(analytics::rows))
        .routes(routes!(analytics::forecast))
        // Teams
        .routes(routes!(teams::list, teams::create))
        .routes(routes!(teams::read, teams::change, teams::delete))
        .routes(routes!(tools::list, tools::create))
        .routes(routes!(tools::read, tools::change, tools::delete))
        .routes(routes!(tool_permissions::list, tool_permissions::set, tool_permissions::take_back))
        .routes(routes!(server_tools::list))
        .routes(routes!(server_tools::allow))
        .routes(routes!(server_tools::hold_back))
        .routes(routes!(tool_test::test))
        .routes(routes!(openapi_tools::read).layer(DefaultBodyLimit::max(openapi_tools::MAX_BODY)))
        .routes(routes!(tool_previews::of_new))
        .routes(routes!(tool_previews::of_built_in))
        .routes(routes!(tool_previews::of_saved, tool_previews::of_changes))
        .routes(routes!(packs::list))
        .routes(routes!(packs::hire))
        // Conversations
        .routes(routes!(conversation_list::list, conversations::create))
        .routes(routes!(conversations::read, conversations::rename, conversations::delete))
        .routes(routes!(messages::import).layer(DefaultBodyLimit::max(MAX_IMPORT_BODY)))
        .routes(routes!(conversations::fork))
        .routes(routes!(switch::switch))
        .routes(routes!(switch::activations))
        .routes(routes!(switch::snapshots))
        .routes(routes!(tasks::read))
        // Chat
        .routes(routes!(chat::send))
        .routes(routes!(chat_stream::stream))
        .routes(routes!(chat::stop))
        .routes(routes!(chat::retry))
        .routes(routes!(events::events))
        .routes(routes!(approvals::list))
        .routes(routes!(approvals::approve))
        .routes(routes!(approvals::reject))
        // Data
        .routes(routes!(data::kinds))
        .routes(routes!(data_changes::list))
        .routes(routes!(data_changes::undo))
        .routes(routes!(money::propose_transfers, money::mark_transfer))
        .routes(routes!(money::unmark_transfer))
        .routes(routes!(money::split))
        .routes(routes!(money::categorise))
        .routes(routes!(money::apply_rules))
        .routes(routes!(sales::merge))
        .routes(routes!(sales::history))
        .routes(routes!(sales::pipeline))
        .routes(routes!(sales::stages))
        .routes(routes!(projects::progress))
        .routes(routes!(data::list, data::create))
        .routes(routes!(data::read, data::change, data::delete))
        .routes(routes!(data::restore))
        .routes(routes!(data_changes::of_row))
        .routes(routes!(calendar::read, calendar::make, calendar::delete))
        .routes(routes!(calendar::feed))
        // Files
        .routes(routes!(files::upload).layer(DefaultBodyLimit::max(MAX_IMAGE_BYTES)))
        .routes(routes!(files::read))
        .routes(routes!(attachments::upload).layer(DefaultBodyLimit::max(MAX_BYTES)))
        .routes(routes!(attachments::list))
        .routes(routes!(attachments::read, attachments::delete))
        .routes(routes!(attachments::result_file))
        // Data in and out
        .routes(routes!(imports::begin))
        .routes(routes!(exports::export))
        .routes(routes!(exports::download))
        .routes(routes!(imports::list))
        .routes(routes!(imports::read, imports::change, imports::undo))
        // Knowledge
        .routes(routes!(knowledge::list, knowledge::create))
        .routes(routes!(knowledge::find))
        .routes(routes!(knowledge_files::export))
        .routes(routes!(knowledge_files::import).layer(DefaultBodyLimit::max(pages::MAX_UPLOAD)))
        .routes(routes!(knowledge_files::imports))
        .routes(routes!(knowledge_files::undo))
        .routes(routes!(knowledge_files::read))
        .routes(routes!(knowledge::read, knowledge::change, knowledge::delete))
        .routes(routes!(knowledge::put))
        .routes(routes!(knowledge::restore))
        .routes(routes!(knowledge_versions::list))
        .routes(routes!(knowledge_versions::read))
        .routes(routes!(knowledge_versions::restore))
        .routes(routes!(knowledge::links))
        .routes(routes!(knowledge_files::list))
        .routes(routes!(knowledge_files::upload).layer(DefaultBodyLimit::max(MAX_FILE_BYTES)))
        // Channels
        .routes(routes!(channels::list, channels::create))
        .routes(routes!(channels::direct))
        .routes(routes!(channels::readers))
        .routes(routes!(channel_messages::find))
        .routes(routes!(channel_messages::mentions))
        .routes(routes!(channels::read, channels::change))
        .routes(routes!(channels::join))
        .routes(routes!(channels::leave))
        .routes(routes!(channels::members, channels::add))
        .routes(routes!(channels::remove))
        .routes(routes!(channels::mark_read))
        .routes(routes!(channel_messages::list, channel_messages::send))
        .routes(routes!(channel_messages::read, channel_messages::edit, channel_messages::delete))
        // Other people's programs
        .routes(routes!(mcp::post))
        // Administration
        .routes(routes!(admin_profiles::list))
        .routes(routes!(admin_profiles::change))
        .routes(routes!(admin_profiles::sign_in_link))
        .routes(routes!(admin_agents::list, admin_agents::create))
        .routes(routes!(admin_agents::read, admin_agents::change))
        .routes(routes!(admin_agents::versions))
        .routes(routes!(admin_agents::publish))
        .routes(routes!(admin_agents::disable))
        .routes(routes!(admin_agents::enable))
}

/// The OpenAPI document of this build.
pub fn openapi() -> OpenApi {
    docs::completed(api().into_openapi())
}

pub fn router(app: SharedApp) -> Router {
    let (api, document) = api().split_for_parts();
    let docs = docs::Pages::new(&docs::completed(document));
    api.route("/api/openapi.json", get(docs.json()))
        .route("/api/docs", get(docs.html()))
        .route("/api/operator/sign-in-link", post(operator::sign_in_link))
        .route("/api/operator/packs", post(operator::apply_pack))
        .route("/api/operator/rotate-key", post(operator::rotate_key))
        .route("/api/operator/session", post(operator_session::open))
        .route("/w/{workspaceSlug}", get(public::page))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .fallback(web::serve)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(CatchPanicLayer::custom(|_| ApiError::internal("a handler panicked").into_response()))
        .layer(from_fn_with_state(app.clone(), check_origin))
        .layer(from_fn_with_state(app.clone(), check_host))
        .layer(from_fn_with_state(app.clone(), security_headers))
        .layer(from_fn(log_requests))
        .with_state(app)
}

async fn method_not_allowed() -> Response {
    ApiError::method_not_allowed().into_response()
}
