//! Avatars: an image that a person names by URL is fetched and kept by Baton; the page never links elsewhere.

use baton_core::agents::{AgentChanges, AgentDefinition, FILES_PATH};
use baton_core::files::{MAX_IMAGE_BYTES, NewFile, image_type};
use baton_core::ids::{FileId, ProfileId, WorkspaceId};
use baton_core::store;
use uuid::Uuid;

use crate::app::App;
use crate::http::ApiError;

/// By one person.
const FETCHES_AN_HOUR: u32 = 60;

/// Fetches a remote avatar and keeps it; checks that a named file may be used here. The rest of the change is checked
/// first, so that nothing is kept for a change that is refused.
pub async fn keep(
    app: &App,
    changes: &mut AgentChanges,
    definition: &AgentDefinition,
    workspace: Option<WorkspaceId>,
    by: ProfileId,
) -> Result<(), ApiError> {
    let Some(Some(avatar)) = &changes.avatar_url else { return Ok(()) };
    let avatar = avatar.trim();
    if avatar.starts_with("http://") || avatar.starts_with("https://") {
        check_the_rest(app, changes, definition).await?;
        let kept = fetch(app, avatar, workspace, by).await?;
        changes.avatar_url = Some(Some(kept));
    } else if let Some(id) = avatar.strip_prefix(FILES_PATH) {
        check_file(app, id, workspace).await?;
    }
    Ok(())
}

async fn check_the_rest(
    app: &App,
    changes: &AgentChanges,
    definition: &AgentDefinition,
) -> Result<(), ApiError> {
    let rest = AgentChanges { avatar_url: None, ..changes.clone() };
    rest.apply(&mut definition.clone())?;
    if let Some(Some(id)) = rest.department_id {
        let known = app.store.departments().await?.iter().any(|department| department.id == id);
        if !known {
            return Err(ApiError::invalid("department_id", "is not the id of a department"));
        }
    }
    Ok(())
}

async fn fetch(
    app: &App,
    url: &str,
    workspace: Option<WorkspaceId>,
    by: ProfileId,
) -> Result<String, ApiError> {
    app.copies.take(&format!("avatars of {by}"), FETCHES_AN_HOUR).map_err(ApiError::too_many)?;
    let fetched = app.outbound.get(url, MAX_IMAGE_BYTES).await;
    let fetched = fetched.map_err(|error| ApiError::invalid("avatar_url", &error.to_string()))?;
    let content_type = image_type(&fetched.bytes)
        .ok_or_else(|| ApiError::invalid("avatar_url", "must be a PNG, JPEG, GIF or WebP image"))?;
    let file = NewFile { workspace_id: workspace, uploaded_by: Some(by), content_type, bytes: fetched.bytes };
    Ok(format!("{FILES_PATH}{}", app.store.keep_file(file).await?))
}

async fn check_file(app: &App, id: &str, workspace: Option<WorkspaceId>) -> Result<(), ApiError> {
    let unknown = || ApiError::invalid("avatar_url", "is not a file of this workspace");
    let id = Uuid::parse_str(id).map_err(|_| unknown())?;
    match app.store.file_workspace(FileId(id)).await {
        Ok(owner) if owner.is_none() || owner == workspace => Ok(()),
        Ok(_) | Err(store::Error::NotFound(_)) => Err(unknown()),
        Err(error) => Err(error.into()),
    }
}
