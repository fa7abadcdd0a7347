//! Names of tools, changed where needed so that every vendor accepts them.

use std::collections::HashSet;

const MAX_NAME: usize = 64;

/// Names of tools that every vendor takes, each given once.
#[derive(Default)]
pub struct Names(HashSet<String>);

impl Names {
    pub fn free(&mut self, name: &str) -> String {
        let safe: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' })
            .take(MAX_NAME)
            .collect();
        let safe = if safe.is_empty() { "tool".to_owned() } else { safe };
        let mut free = safe.clone();
        let mut number = 2;
        while self.0.contains(&free) {
            let ending = format!("_{number}");
            free = safe.chars().take(MAX_NAME - ending.len()).collect::<String>() + &ending;
            number += 1;
        }
        self.0.insert(free.clone());
        free
    }
}

#[cfg(test)]
mod tests;
