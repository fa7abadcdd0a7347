//! How much may run and be spent at once, from what is set.

use anyhow::bail;
use baton_core::people::SignUp;
use baton_core::spending::SpendCaps;
use baton_engine::{SpendingRules, TurnLimits};

use super::Given;

pub fn turn_limits(given: &Given) -> TurnLimits {
    TurnLimits {
        per_person: given.turns_per_person.unwrap_or(20),
        per_workspace: given.turns_per_workspace.unwrap_or(100),
        public_per_workspace: given.public_turns_per_workspace.unwrap_or(10),
        per_node: given.turns_per_node.unwrap_or(2_000),
    }
}

/// Where everyone may sign up, everyone may spend: then there are limits unless others are set, and a model that no limit
/// counts is refused, unless it runs on this machine.
pub fn spending_rules(given: &Given, sign_up: SignUp) -> anyhow::Result<SpendingRules> {
    let is_open = sign_up == SignUp::Open;
    let cap = |name: &str, usd: Option<f64>, usual: f64| match usd.unwrap_or(usual) {
        0.0 => Ok(None),
        usd if (0.0..=1_000_000.0).contains(&usd) => Ok(Some((usd * 1e6).round() as i64)),
        usd => bail!("{name} must be from 0 to 1000000, not {usd}"),
    };
    let usual = |usd: f64| if is_open { usd } else { 0.0 };
    Ok(SpendingRules {
        caps: SpendCaps {
            server: cap("spend_cap_usd", given.spend_cap_usd, usual(20.0))?,
            workspace: cap("workspace_spend_cap_usd", given.workspace_spend_cap_usd, 0.0)?,
            person: cap("person_spend_cap_usd", given.person_spend_cap_usd, usual(2.0))?,
        },
        refuses_unpriced: is_open,
    })
}
