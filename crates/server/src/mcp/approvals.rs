//! The approval that a turn waits for, as its caller is told of it: what it is about, and where a person decides.

use baton_core::ids::{AgentId, ApprovalId, ConversationId, TaskId};
use baton_core::log::Step;
use baton_core::store::TaskTree;

pub struct Pending {
    conversation: ConversationId,
    agent: AgentId,
    tool_name: String,
    /// What the call would change, where its tool can tell.
    preview: Option<String>,
}

/// The oldest one that nobody has decided.
pub fn pending(tree: &TaskTree, task: TaskId) -> Option<Pending> {
    let own = || tree.steps.iter().filter(|logged| logged.task_id == Some(task));
    let is_decided = |id: ApprovalId| {
        own().any(
            |logged| matches!(&logged.step, Step::ApprovalResolved { approval_id, .. } if *approval_id == id),
        )
    };
    own().find_map(|logged| match &logged.step {
        Step::ApprovalAsked { approval_id, tool_name, preview, .. } if !is_decided(*approval_id) => {
            Some(Pending {
                conversation: tree.conversation_id,
                agent: logged.agent_id,
                tool_name: tool_name.clone(),
                preview: preview.as_ref().map(|preview| preview.sentence.clone()),
            })
        }
        _ => None,
    })
}

impl Pending {
    /// `base`: where people find this server.
    pub fn sentence(&self, base: &str) -> String {
        let Self { conversation, agent, tool_name, preview } = self;
        let what = preview.as_ref().map(|sentence| format!(" ({sentence})")).unwrap_or_default();
        format!(
            "A person has to allow or refuse a call of {tool_name}{what} first, here: \
             {base}/agents/{agent}?conversation={conversation}"
        )
    }
}
