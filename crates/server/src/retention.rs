//! Deletes conversations of visitors that nobody has written in for a while.

use baton_core::conversations::{Conversation, Versions};
use baton_core::store::Error;
use chrono::{DateTime, Duration, Utc};

use crate::app::App;
use crate::http::ApiError;
use crate::routes::conversations::changed;

/// Looked for at a time.
const PAGE: u64 = 100;

/// Deletes those that were idle for as many days as the settings say, as their visitors would.
pub async fn forget_visitors(app: &App, now: DateTime<Utc>) -> Result<(), ApiError> {
    let days = app.settings.visitor_days;
    let Some(before) =
        Duration::try_days(days.into()).filter(|_| days > 0).and_then(|age| now.checked_sub_signed(age))
    else {
        return Ok(());
    };
    loop {
        let idle = app.store.idle_of_visitors(before, PAGE).await?;
        if idle.is_empty() {
            return Ok(());
        }
        tracing::info!(
            count = idle.len(),
            days,
            "conversations of visitors are deleted: nobody wrote in them"
        );
        for conversation in &idle {
            match delete(app, conversation, Versions::All).await {
                // Another node was faster.
                Ok(()) | Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Deletes a conversation, and tells whoever looks at it.
pub async fn delete(app: &App, conversation: &Conversation, versions: Versions) -> Result<(), Error> {
    for deleted in app.store.delete_conversation(conversation.id, conversation.person, versions).await? {
        app.engine.close(deleted.id, deleted.turn).await;
        changed(app, deleted.id, conversation);
    }
    app.space.forget(conversation.workspace_id);
    Ok(())
}
