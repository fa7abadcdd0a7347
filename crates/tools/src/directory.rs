//! What is known about tools by their ids: the name that a model calls them by, and how people see them.
//!
//! Agents list tools by short ids; several ids can mean one tool. An id may be listed before its tool exists.

use baton_core::data::areas::{Area, AreaAccess, Areas};

/// How a tool is shown and called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolInfo {
    /// The name models call it by.
    pub tool_name: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    /// A lucide icon name.
    pub icon: &'static str,
    pub server: &'static str,
}

/// The tool that an agent's tool id stands for, if it is a built-in one.
pub fn lookup(id: &str) -> Option<&'static ToolInfo> {
    let tool_name = match id {
        "transactions" => "manageTransactions",
        "budgets" => "manageBudgets",
        "accounts" => "manageAccounts",
        "goals" => "manageGoals",
        "dataExport" => "exportData",
        "leads" | "opportunities" | "tasks" => "manageCRM",
        "projects" | "projectTasks" | "teamMembers" => "manageProjects",
        "knowledge" => "manageKnowledge",
        "memory" => "manageMemory",
        "webSearch" => "searchWeb",
        "messaging" => "manageMessaging",
        "sales" => "manageSales",
        "analytics" => "queryAnalytics",
        own_name => own_name,
    };
    TOOLS.iter().find(|tool| tool.tool_name == tool_name)
}

/// The names of the built-in tools, any of which an agent can list.
pub fn ids() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|tool| tool.tool_name)
}

/// Whether this build can run the tool: the others can be listed, and come later. A test compares it with the toolbox. What
/// more a tool needs in a workspace, [`WorkspaceTools`](crate::WorkspaceTools) knows.
pub fn is_available(tool: &ToolInfo) -> bool {
    tool.server == FINANCE
        || matches!(
            tool.tool_name,
            crate::memory::NAME | crate::search::NAME | crate::knowledge::NAME | crate::projects::NAME
        )
        || matches!(tool.tool_name, crate::sales::CRM | crate::sales::SALES)
        || matches!(tool.tool_name, crate::analytics::NAME | crate::messaging::NAME)
}

/// Whether visitors and guests may be given a tool of this name, or why not. They never reach agents' memories, the
/// workspace's money, customers, projects, files of its data or its messages, and of its pages they only read those marked
/// as public.
pub fn check_public(name: &str) -> Result<(), String> {
    let Some(tool) = lookup(name) else {
        return match name {
            crate::clock::NAME | crate::notes::UPDATE | SWITCH_AGENT => Ok(()),
            _ => Err(format!("can't have {name}: there is no such tool")),
        };
    };
    match tool.tool_name {
        _ if tool.server == FINANCE => {
            Err(format!("can't have {name}: the workspace's money is never open to guests and visitors"))
        }
        crate::projects::NAME => {
            Err(format!("can't have {name}: the workspace's projects are never open to guests and visitors"))
        }
        crate::sales::CRM | crate::sales::SALES => {
            Err(format!("can't have {name}: the workspace's customers are never open to guests and visitors"))
        }
        "manageMemory" | "manageMessaging" | crate::analytics::NAME => {
            Err(format!("can't have {name}: {} is never open to guests and visitors", tool.name))
        }
        _ if !is_available(tool) => Err(format!("can't have {name}: this server doesn't have it yet")),
        _ => Ok(()),
    }
}

/// Whether someone who may do this in each area has any use for the tool without an agent. An agent's memories need the
/// agent.
pub fn serves(tool: &ToolInfo, areas: Areas) -> bool {
    let sees = |area: Area| areas.access(area) >= AreaAccess::Read;
    match tool.tool_name {
        crate::memory::NAME => false,
        crate::search::NAME => true,
        // Over several areas; each call checks its own.
        crate::export::NAME | crate::analytics::NAME => Area::ALL.into_iter().any(sees),
        crate::projects::NAME => sees(Area::Projects),
        crate::knowledge::NAME => sees(Area::Knowledge),
        crate::messaging::NAME => sees(Area::Messages),
        crate::sales::CRM | crate::sales::SALES => sees(Area::Sales),
        _ => tool.server == FINANCE && sees(Area::Money),
    }
}

/// The engine's own: handing off to another agent.
const SWITCH_AGENT: &str = "switch_agent";

/// Whether a name means one of the tools that this build brings along, and so can't be given to another.
pub fn is_built_in(name: &str) -> bool {
    lookup(name).is_some() || name == crate::clock::NAME
}

/// All tools that come with Baton, always in this order.
pub fn all() -> &'static [ToolInfo] {
    TOOLS
}

const FINANCE: &str = "finance-tools";
const BUSINESS: &str = "business-tools";
const KNOWLEDGE: &str = "knowledge-tools";
const WORKSPACE: &str = "workspace-tools";

const TOOLS: &[ToolInfo] = &[
    tool(
        "manageTransactions",
        "Transactions",
        "Receipt",
        FINANCE,
        "Find, categorise and annotate transactions",
    ),
    tool(
        "manageBudgets",
        "Budgets",
        "PieChart",
        FINANCE,
        "See budgets and what is left of them, and set them",
    ),
    tool("manageAccounts", "Accounts", "Wallet", FINANCE, "Balances of accounts, and net worth"),
    tool("manageGoals", "Goals", "Target", FINANCE, "Follow goals and adjust their targets"),
    tool("exportData", "Data Export", "Download", FINANCE, "Give data out as CSV or JSON"),
    tool("manageCRM", "CRM", "Users", BUSINESS, "Leads, opportunities and follow-up tasks"),
    tool("manageProjects", "Projects", "FolderKanban", BUSINESS, "Projects, their tasks and who does them"),
    tool("manageKnowledge", "Knowledge", "BookOpen", KNOWLEDGE, "Read, write and arrange pages"),
    tool("manageMemory", "Memory", "Brain", KNOWLEDGE, "Remember things between conversations"),
    tool("searchWeb", "Web Search", "Search", KNOWLEDGE, "Look something up on the web"),
    tool("manageMessaging", "Messaging", "MessageSquare", WORKSPACE, "Channels and messages of the team"),
    tool("manageSales", "Sales", "TrendingUp", WORKSPACE, "Deals, activities and contacts"),
    tool("queryAnalytics", "Analytics", "BarChart3", WORKSPACE, "Reports, key figures and forecasts"),
];

const fn tool(
    tool_name: &'static str,
    name: &'static str,
    icon: &'static str,
    server: &'static str,
    description: &'static str,
) -> ToolInfo {
    ToolInfo { tool_name, name, description, icon, server }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_serves_who_may_see_its_area() {
        let served = |areas: Areas| -> Vec<&str> {
            all().iter().filter(|tool| serves(tool, areas)).map(|tool| tool.tool_name).collect()
        };
        let everything: Vec<&str> = ids().filter(|name| *name != "manageMemory").collect();
        assert_eq!(served(Areas::WRITE), everything);
        assert_eq!(served(Areas::NONE), ["searchWeb"]);
        let projects = Areas::NONE.with(Area::Projects, AreaAccess::Read);
        assert_eq!(served(projects), ["exportData", "manageProjects", "searchWeb", "queryAnalytics"]);
    }

    #[test]
    fn ids_of_one_area_share_a_tool() {
        for id in ["leads", "opportunities", "tasks", "manageCRM"] {
            assert_eq!(lookup(id).map(|tool| tool.name), Some("CRM"), "{id}");
        }
        assert_eq!(lookup("webSearch").map(|tool| tool.tool_name), Some("searchWeb"));
        assert_eq!(lookup("handoff_to_sdr"), None);
        assert!(is_built_in("leads") && is_built_in("manageCRM") && is_built_in("getCurrentTime"));
        assert!(!is_built_in("handoff_to_sdr"));
    }
}
