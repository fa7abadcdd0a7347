//! The members of a workspace, as people and models name them: by e-mail address, by name, or "me".

use baton_core::ids::ProfileId;
use baton_core::text::fold;
use baton_core::tools::ToolFailure;
use baton_core::workspaces::Member;
use uuid::Uuid;

use crate::finance::names;

/// What means nobody.
pub const NOBODY: [&str; 3] = ["nobody", "none", "unassigned"];

/// The member who is meant. `me` is who asks.
pub fn member(members: &[Member], me: ProfileId, wanted: &str) -> Result<Uuid, ToolFailure> {
    let folded = fold(wanted.trim());
    if folded == "me" {
        return Ok(me.0);
    }
    if let Some(found) = members.iter().find(|member| fold(&member.email) == folded) {
        return Ok(found.profile_id.0);
    }
    names::resolve("member", wanted, members.iter().map(|member| (member.profile_id.0, member.name.as_str())))
}

#[cfg(test)]
mod tests {
    use baton_core::workspaces::Role;
    use chrono::DateTime;

    use super::*;

    #[test]
    fn people_are_found_as_they_are_called() {
        let person = |name: &str, email: &str| Member {
            profile_id: ProfileId::new(),
            name: name.to_owned(),
            email: email.to_owned(),
            role: Role::Member,
            joined_at: DateTime::UNIX_EPOCH,
        };
        let all = [
            person("Sam Colleague", "sam@x.org"),
            person("Samuel", "Other@x.org"),
            person("Ana", "ana@x.org"),
        ];
        let found = |wanted: &str| member(&all, all[2].profile_id, wanted);
        assert_eq!(found("ME"), Ok(all[2].profile_id.0));
        assert_eq!(found("other@X.org "), Ok(all[1].profile_id.0));
        assert_eq!(found("sam colleague"), Ok(all[0].profile_id.0));
        assert!(found("sam").unwrap_err().0.contains("more than one member"));
        assert!(found("Kim").unwrap_err().0.contains("There are Sam Colleague, Samuel, Ana"));
    }
}
