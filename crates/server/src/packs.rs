//! The packs that are built into this program.

use anyhow::Context;
use baton_core::packs::Pack;

const TEXTS: &[&str] = &[
    include_str!("../../../packs/default.toml"),
    include_str!("../../../packs/procurement.toml"),
    include_str!("../../../packs/assessment.toml"),
    include_str!("../../../packs/outreach.toml"),
    include_str!("../../../packs/fleet.toml"),
];

pub fn embedded() -> anyhow::Result<Vec<Pack>> {
    TEXTS.iter().map(|text| Pack::parse(text).context("an embedded pack is wrong")).collect()
}

#[cfg(test)]
mod tests {
    use baton_core::ids::AgentId;
    use baton_core::teams::TeamKind;
    use baton_tools::directory;

    use super::*;

    #[test]
    fn the_packs_fit_each_other_and_this_build() {
        let packs = embedded().expect("packs");
        let mut slugs: Vec<&str> =
            packs.iter().flat_map(|pack| &pack.agents).map(|agent| agent.slug.as_str()).collect();
        let there_are = slugs.len();
        slugs.sort_unstable();
        slugs.dedup();
        assert_eq!(slugs.len(), there_are, "the catalog knows agents by slug");
        for pack in &packs {
            let tools: Vec<&str> = pack.tools.iter().map(|tool| tool.name.as_str()).collect();
            assert!(!tools.iter().any(|name| directory::is_built_in(name)), "{}", pack.name);
            for agent in &pack.agents {
                let is_known =
                    |tool: &&String| directory::is_built_in(tool) || tools.contains(&tool.as_str());
                let unknown = agent.tools.iter().find(|tool| !is_known(tool));
                assert_eq!(unknown, None, "{} of {}", agent.slug, pack.name);
            }
            let defaults = pack.agents.iter().filter(|agent| agent.is_default).count();
            assert_eq!(
                defaults,
                usize::from(pack.auto_hire),
                "{}: teams have defaults of their own",
                pack.name
            );
        }
    }

    #[test]
    fn the_teams_are_the_four_stories() {
        let packs = embedded().expect("packs");
        let teams: Vec<(&str, TeamKind, usize, &str)> = packs
            .iter()
            .flat_map(|pack| &pack.teams)
            .map(|team| {
                let ids: Vec<AgentId> = team.members.iter().map(|_| AgentId::new()).collect();
                let place = |slug: &str| team.members.iter().position(|member| member.agent == slug);
                let definition = team.definition(|slug| place(slug).map(|at| ids[at])).expect("a team");
                let entry = definition.entry().expect("an entry").agent_id;
                let entry = ids.iter().position(|id| *id == entry).expect("a member");
                (team.slug.as_str(), team.kind, team.members.len(), team.members[entry].agent.as_str())
            })
            .collect();
        assert_eq!(
            teams,
            [
                ("procurement-desk", TeamKind::Swarm, 3, "procurement-solutions"),
                ("readiness-assessment", TeamKind::Pipeline, 3, "assessment-qualifier"),
                ("outreach", TeamKind::Swarm, 4, "outreach-lead"),
                ("fleet-office", TeamKind::Router, 5, "fleet-general"),
            ]
        );
    }
}
