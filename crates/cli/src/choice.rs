//! Finds the workspace, agent or team that a name, a slug or an id stands for.

use anyhow::bail;
use uuid::Uuid;

use crate::api::{Agent, Team, Workspace};

pub fn workspace<'a>(all: &'a [Workspace], named: Option<&str>) -> anyhow::Result<&'a Workspace> {
    let Some(named) = named else {
        return all.first().ok_or_else(|| anyhow::anyhow!("you are in no workspace"));
    };
    let is_meant = |it: &&Workspace| fits(named, &[it.id], &[&it.slug, &it.name]);
    let list = || all.iter().map(|it| format!("{} ({})", it.name, it.slug)).collect();
    one("workspace", named, all.iter().filter(is_meant).collect(), list)
}

/// The agent to begin with; without a name the workspace's default, else the first.
pub fn agent<'a>(all: &'a [Agent], named: Option<&str>, default: Option<Uuid>) -> anyhow::Result<&'a Agent> {
    let Some(named) = named else {
        let chosen = all.iter().find(|agent| default.is_some() && agent.local_id == default);
        let Some(agent) = chosen.or(all.first()) else {
            bail!("this workspace has hired no agents yet: hire one in the web app");
        };
        return Ok(agent);
    };
    let is_meant = |it: &&Agent| {
        let ids: Vec<Uuid> = it.local_id.into_iter().chain([it.id]).collect();
        fits(named, &ids, &[&it.slug, &it.name])
    };
    let list = || all.iter().map(|it| format!("{} ({})", it.name, it.slug)).collect();
    one("agent", named, all.iter().filter(is_meant).collect(), list)
}

pub fn team<'a>(all: &'a [Team], named: &str) -> anyhow::Result<&'a Team> {
    if all.is_empty() {
        bail!("this workspace has no teams yet: hire or make one in the web app");
    }
    let is_meant = |it: &&Team| fits(named, &[it.id], &[&it.slug, &it.name]);
    let list = || all.iter().map(|it| format!("{} ({})", it.name, it.slug)).collect();
    one("team", named, all.iter().filter(is_meant).collect(), list)
}

fn fits(named: &str, ids: &[Uuid], names: &[&str]) -> bool {
    let folded = named.trim().to_lowercase();
    names.iter().any(|name| name.to_lowercase() == folded)
        || Uuid::parse_str(&folded).is_ok_and(|id| ids.contains(&id))
}

fn one<'a, T>(
    what: &str,
    named: &str,
    found: Vec<&'a T>,
    list: impl Fn() -> Vec<String>,
) -> anyhow::Result<&'a T> {
    match found[..] {
        [one] => Ok(one),
        [] => bail!("there is no {what} {named:?} here. There are: {}", list().join(", ")),
        _ => bail!(
            "several are called {named:?}: name the {what} by its slug. There are: {}",
            list().join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agents() -> Vec<Agent> {
        let named = |name: &str, slug: &str| Agent {
            id: Uuid::now_v7(),
            local_id: Some(Uuid::now_v7()),
            name: name.to_owned(),
            slug: slug.to_owned(),
        };
        vec![named("Budget Coach", "budget-coach"), named("Ünal", "unal"), named("Ünal", "unal-2")]
    }

    #[test]
    fn agents_are_found_by_name_slug_or_id() {
        let all = agents();
        let local = all[1].local_id.expect("an id").to_string();
        let catalog = all[2].id.to_string().to_uppercase();
        for (named, slug) in [
            ("budget coach", "budget-coach"),
            ("BUDGET-COACH", "budget-coach"),
            ("unal", "unal"),
            (local.as_str(), "unal"),
            (catalog.as_str(), "unal-2"),
        ] {
            assert_eq!(agent(&all, Some(named), None).expect(named).slug, slug);
        }
        let unknown = agent(&all, Some("coach"), None).expect_err("nobody").to_string();
        assert!(unknown.contains("Budget Coach (budget-coach)"), "{unknown}");
        let several = agent(&all, Some("ünal"), None).expect_err("two").to_string();
        assert!(several.contains("unal-2"), "{several}");
    }

    #[test]
    fn without_a_name_the_default_speaks() {
        let all = agents();
        assert_eq!(agent(&all, None, all[1].local_id).expect("one").slug, "unal");
        assert_eq!(agent(&all, None, Some(Uuid::now_v7())).expect("one").slug, "budget-coach");
        assert_eq!(agent(&all, None, None).expect("one").slug, "budget-coach");
        assert!(agent(&[], None, None).is_err());
    }

    #[test]
    fn workspaces_are_found_the_same_way() {
        let it = |slug: &str| Workspace { id: Uuid::now_v7(), name: "Our Team".into(), slug: slug.into() };
        let all = [it("team"), it("team-2")];
        assert_eq!(workspace(&all, None).expect("one").slug, "team");
        assert_eq!(workspace(&all, Some("Team-2")).expect("one").slug, "team-2");
        assert!(workspace(&all, Some("our team")).is_err(), "two are called so");
        assert!(workspace(&[], None).is_err());
    }

    #[test]
    fn so_are_teams_and_who_begins_is_known() {
        use crate::api::Member;
        let member = |name: &str, is_default| Member { name: name.to_owned(), is_default };
        let it = |name: &str, members| Team {
            id: Uuid::now_v7(),
            name: name.into(),
            slug: name.to_lowercase(),
            members,
        };
        let all = [
            it("Desk", vec![member("Ann", false), member("Bo", true)]),
            it("Line", vec![member("Cy", false), member("Di", false)]),
        ];
        assert_eq!(team(&all, "desk").expect("one").entry().expect("Bo").name, "Bo");
        assert_eq!(team(&all, &all[1].id.to_string()).expect("one").entry().expect("Cy").name, "Cy");
        let unknown = team(&all, "fleet").expect_err("none").to_string();
        assert!(unknown.contains("Desk (desk), Line (line)"), "{unknown}");
        assert!(team(&[], "desk").is_err());
    }
}
