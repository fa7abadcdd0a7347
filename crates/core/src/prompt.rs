//! The part of an agent's system prompt that stays the same from call to call: who the agent is, then its rules in
//! order.

use crate::rules::Rule;

/// Byte-stable for the same agent and rules, so that providers can cache it.
pub fn fixed_part(system_prompt: &str, rules: &[Rule]) -> String {
    let mut active: Vec<&Rule> = rules.iter().filter(|rule| rule.active).collect();
    active.sort_by_key(|rule| (rule.position, rule.id));
    let mut prompt = system_prompt.trim_end().to_owned();
    if !active.is_empty() {
        prompt.push_str("\n\n# Rules\n");
    }
    for rule in active {
        prompt.push_str(&format!("\n## {}\n{}\n", rule.name, rule.content.trim()));
    }
    prompt
}

#[cfg(test)]
mod tests;
