//! Allow rules: tools that an agent may use without asking.

use async_trait::async_trait;

use super::Result;
use crate::allow_rules::{AllowRule, NewAllowRule};
use crate::ids::{AgentId, ProfileId};

#[async_trait]
pub trait AllowRules: Send + Sync {
    /// The tools that an agent may use without asking, by name. Turns ask anew for every reply: a rule that is taken back
    /// is gone.
    async fn allow_rules(&self, agent: AgentId) -> Result<Vec<AllowRule>>;
    /// Makes the rule, or widens the one that is there.
    async fn make_allow_rule(&self, new: NewAllowRule, by: ProfileId) -> Result<AllowRule>;
    async fn take_back_allow_rule(&self, agent: AgentId, tool_name: &str, by: ProfileId) -> Result<()>;
}
