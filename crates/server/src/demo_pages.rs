//! The pages of the demo workspace: a small handbook, with links between its pages.

use baton_core::data::rows::{Author, Once};
use baton_core::ids::{PageId, WorkspaceId};
use baton_core::listing::Window;
use baton_core::pages::{Listed, NewPage, PageChange, PageRef, Sight};
use baton_core::people::Profile;

use crate::app::App;

struct Sample {
    title: &'static str,
    /// The path of the page above it.
    below: Option<&'static str>,
    body: &'static str,
    is_public: bool,
}

/// Those above first; a link leads to a page that comes before it.
const SAMPLES: &[Sample] = &[
    Sample {
        title: "Handbook",
        below: None,
        body: "How we work at Demo. Ask the Knowledge Curator, or look around.\n\nWhatever you decide twice belongs here.",
        is_public: false,
    },
    Sample {
        title: "Expense policy",
        below: Some("handbook"),
        body: "# What is paid\n\n- Travel by train, second class, up to EUR 250 a trip without asking.\n- Meals with customers, up to EUR 60 a \
               person.\n- Software up to EUR 30 a month; more needs a word from Robin.\n\n# How\n\nKeep the receipt, and hand it in by \
               the 5th of the next month.",
        is_public: false,
    },
    Sample {
        title: "Onboarding",
        below: Some("handbook"),
        body: "# First day\n\n- [ ] Laptop, key and accounts are ready the evening before.\n- [ ] Lunch with the team at 12:30.\n- [ ] Read the \
               [[Handbook]] and the [[Expense policy]].\n\n# First week\n\n- [ ] Sit in on two customer calls.\n- [ ] Ship one small \
               change, however small.\n\n# First month\n\nA talk with Robin about what was odd. Write down what a newcomer had to ask twice.",
        is_public: false,
    },
    Sample {
        title: "Meetings",
        below: Some("handbook"),
        body: "| what | when | who |\n| --- | --- | --- |\n| Week planning | Monday, 9:30 | all |\n| Budget review | Friday, 11:00 | Robin, Sam |\n\n\
               No agenda, no meeting. Decisions go to a page the same day.",
        is_public: false,
    },
    Sample {
        title: "Website relaunch",
        below: None,
        body: "Launch is planned for the end of the quarter.\n\n# Open\n\n1. Content freeze, two weeks before.\n2. Redirects from the old \
               pages.\n3. Who signs off: see [[Meetings]].",
        is_public: false,
    },
    Sample {
        title: "Opening hours and contact",
        below: None,
        body: "We answer on workdays from 9:00 to 17:00. Write to hello@demo.localhost, and expect an answer the next day.",
        is_public: true,
    },
];

/// Nothing if there are pages already.
pub async fn seed(app: &App, workspace: WorkspaceId, owner: &Profile) -> anyhow::Result<()> {
    let window = Window { limit: 1, offset: 0 };
    if app.store.pages(workspace, Listed::Latest, Sight::All, window).await?.total > 0 {
        return Ok(());
    }
    let author = Author { profile_id: owner.id, agent: None };
    for sample in SAMPLES {
        let new = NewPage {
            parent: sample.below.map(|path| PageRef::Named(path.to_owned())),
            title: sample.title.to_owned(),
            body: sample.body.to_owned(),
            properties: Vec::new(),
            is_public: sample.is_public,
        };
        let create = PageChange::Create { id: PageId::new(), new: new.checked()? };
        app.store.change_page(&Once::Unkeyed, workspace, author, create).await?;
    }
    Ok(())
}
