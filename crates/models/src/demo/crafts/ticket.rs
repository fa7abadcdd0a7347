//! A customer's ticket: a note with its priority, then what happened and who has to act by when.

use super::super::scene::Scene;
use super::super::words::{shorten, words};
use super::{fact, has_said, is_about, once};

const WHAT: &str = "What happened, in the customer's own words?";

pub fn noted(scene: &Scene<'_>) -> Option<String> {
    let ticket = fact(scene, &["ticket", "id"]).filter(|_| is_about(scene, "ticket"))?;
    let (priority, assumed) = match fact(scene, &["priority"]) {
        Some(priority) => (priority, ""),
        None => ("normal".to_owned(), ", as none was named"),
    };
    let due = match priority.to_lowercase().as_str() {
        "urgent" => "today",
        "high" => "tomorrow",
        "low" => "when there is time",
        _ => "this week",
    };
    if scene.said.is_some_and(|said| said.contains(WHAT)) {
        let told = shorten(&scene.asked.split_whitespace().collect::<Vec<_>>().join(" "), 400);
        let told = told.trim_end_matches(['.', '!']);
        return (words(told).len() >= 2).then(|| {
            format!(
                "**Ticket {ticket}**\n\n- priority: {priority}\n- problem: {told}\n- to act: whoever owns the product, {due}\n\n\
                 **Answer to the customer, a draft**\n\nThank you for telling us. We understood this: {told}. Somebody \
                 looks into it {due}, and we write to you as soon as we know more. If anything changes meanwhile, \
                 answer to this message.\n\nNothing was sent, and the ticket stays open."
            )
        });
    }
    (!has_said(scene, &format!("**Ticket {ticket}**"))).then(|| {
        format!(
            "**Ticket {ticket}** is open with me.{}\n\n- ticket ID: {ticket}\n- priority: {priority}{assumed}\n\
             - to act: {due}\n- problem: [open]\n\n{WHAT}",
            once(scene)
        )
    })
}
