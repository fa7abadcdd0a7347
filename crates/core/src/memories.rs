//! Memories: notes an agent keeps between conversations, by path. A person's own lie under `people/{profileId}/` and
//! only that person's turns touch them; the rest are the agent's, shared by the workspace.

use chrono::{DateTime, Utc};

use crate::ids::{AgentId, MemoryId, ProfileId};
use crate::text::{self, Invalid};

pub const MAX_PATH: usize = 200;
pub const MAX_CONTENT: usize = 20_000;
/// Per agent.
pub const MAX_MEMORIES: u64 = 2_000;
const PEOPLE: &str = "people/";

#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    pub id: MemoryId,
    pub agent_id: AgentId,
    pub path: String,
    pub content: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// Where a person's own notes of an agent lie.
pub fn own_folder(person: ProfileId) -> String {
    format!("{PEOPLE}{person}/")
}

/// Whether a turn, or the pages, of this person may touch a path: the agent's own notes and theirs, nobody else's.
pub fn may_touch(path: &str, person: Option<ProfileId>) -> bool {
    match path.strip_prefix(PEOPLE) {
        None => true,
        Some(_) => person.is_some_and(|person| path.starts_with(&own_folder(person))),
    }
}

/// A path as it is kept: words between single slashes, none of them `.` or `..`.
pub fn checked_path(path: &str) -> Result<String, Invalid> {
    let path = text::line("path", path.trim_matches('/'), MAX_PATH)?;
    let fine = |part: &str| !part.is_empty() && part != "." && part != ".." && part.trim() == part;
    if path.split('/').all(fine) {
        Ok(path)
    } else {
        Err(Invalid::new("path", "must be names between single slashes, such as reviews/budget"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_reaches_another_persons_notes() {
        let (ana, ben) = (ProfileId::new(), ProfileId::new());
        let hers = format!("people/{ana}/reviews");
        assert!(may_touch(&hers, Some(ana)));
        assert!(!may_touch(&hers, Some(ben)));
        assert!(!may_touch(&hers, None));
        assert!(!may_touch(&format!("people/{ana}"), Some(ana)), "the folder itself is no note");
        assert!(may_touch("house/style", None));
    }

    #[test]
    fn paths_are_plain() {
        assert_eq!(checked_path("/reviews/budget").as_deref(), Ok("reviews/budget"));
        for wrong in ["", "a//b", "../x", "a/./b", "a/ b", "people/../x"] {
            assert!(checked_path(wrong).is_err(), "{wrong:?}");
        }
    }
}
