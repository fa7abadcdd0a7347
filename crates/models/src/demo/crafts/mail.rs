//! The first mail to a lead, fitted to its campaign, and a plan of when to write again.

use super::super::collect::mark;
use super::super::scene::Scene;
use super::facts::{fact, is_new, text_field};
use super::{Words, has_said, is_about, is_anothers, once};

struct Campaign {
    subject: &'static str,
    body: &'static str,
    question: &'static str,
}

const INTRODUCTION: Campaign = Campaign {
    subject: "A short introduction",
    body: "I'm writing because your work and ours may fit together. In one line: [open: why them, and why now]. \
           A first talk takes fifteen minutes, and you will know whether it is worth a second.",
    question: "Would a short call next week suit you?",
};

/// Of a campaign that has a name of its own, only that name is known.
fn campaign(kind: Option<&str>) -> (Campaign, String) {
    let Some(kind) = kind else {
        return (INTRODUCTION, "no campaign was named, so I take an introduction".to_owned());
    };
    let fitted = match kind.to_lowercase().replace(['-', '_', ' '], "").as_str() {
        "introduction" | "intro" => INTRODUCTION,
        "winback" => Campaign {
            subject: "What has changed since we last spoke",
            body: "It has been a while, and you had your reasons to stop. Since then this has changed: [open: what has \
                   changed]. I would rather show it to you than promise it.",
            question: "May I show you in fifteen minutes what is different now?",
        },
        "event" | "webinar" => Campaign {
            subject: "An invitation for you",
            body: "We are holding an event that I think is for you: [open: what, when and where]. You take home \
                   [open: what they take home], whether we work together afterwards or not.",
            question: "Shall I keep a place for you?",
        },
        _ => Campaign {
            subject: "Something you may want to see",
            body: "I'm writing to you about [open: what the campaign offers]. It is meant for people in your place: \
                   [open: why them]. It takes a minute to see whether it is for you.",
            question: "Shall I send you the details?",
        },
    };
    (fitted, format!("campaign type: {kind}"))
}

pub fn drafted(scene: &Scene<'_>, said: Words) -> Option<String> {
    let (id, kind) = (text_field("lead_id")?, text_field("campaign_type")?);
    if !is_about(scene, "lead") || (said == Words::New && is_anothers(scene, &id)) {
        return None;
    }
    let (lead, kind) = (fact(scene, &id, |_| None), fact(scene, &kind, |_| None));
    if said == Words::New && ![&lead, &kind].into_iter().any(is_new) {
        return None;
    }
    let Some(lead) = lead.map(|lead| lead.text) else {
        return (said == Words::New).then(|| format!("Which lead is it? I need its {}.", mark(&id)));
    };
    let (Campaign { subject, body, question }, about) =
        campaign(kind.as_ref().map(|kind| kind.text.as_str()));
    let told = format!("**Lead {lead}**: I work from what I was told (lead ID: {lead}; {about}).");
    (!has_said(scene, &told)).then(|| {
        format!(
            "{told}{}\n\n\
         **Plan**\n\n1. Day 1, mail: the message below.\n2. Day 4, call: ask what came of it.\n\
         3. Day 9, mail: one new fact, and a friendly end if nothing comes back.\n\n\
         **First message, a draft**\n\nSubject: {subject}\n\nHello [open: name],\n\n{body}\n\n{question}\n\n\
         What is open I was not told. Nothing was sent.",
            once(scene)
        )
    })
}
