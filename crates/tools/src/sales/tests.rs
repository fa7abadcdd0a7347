//! What the tools over customers say of themselves and of bad arguments. (What they do is tested on real databases, by the
//! server's tests.)

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::data::areas::{Area, AreaAccess, Areas};
use baton_core::data::rows::{Author, DataScope, Filter, Once};
use baton_core::data::sales::{ContactMerge, DealStage, HistoryPage, PipelineSum};
use baton_core::ids::VisitorId;
use baton_core::schema;
use baton_core::store::{Result, Sales, Written};
use baton_core::tools::{Nature, Tool};
use baton_core::visitors::Person;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{CRM, SALES, SalesStore, tool};
use crate::testing::{Shelf, context};

#[async_trait]
impl Sales for Shelf {
    async fn contacts_of(&self, _: DataScope, _: Vec<String>) -> Result<Vec<(String, Uuid)>> {
        Ok(vec![])
    }
    async fn merge_contacts(&self, _: &Once, _: DataScope, _: Author, _: ContactMerge) -> Written {
        Ok(json!({"changed": 1}))
    }
    async fn contact_history(&self, _: DataScope, _: Uuid, _: u64, _: Option<String>) -> Result<HistoryPage> {
        Ok(HistoryPage::default())
    }
    async fn deal_stages(&self, _: DataScope, _: Uuid) -> Result<Vec<DealStage>> {
        Ok(vec![])
    }
    async fn pipeline(&self, _: DataScope, _: Vec<Filter>) -> Result<Vec<PipelineSum>> {
        Ok(vec![])
    }
}

fn of(name: &str) -> Arc<dyn Tool> {
    let shelf = Arc::new(Shelf::default());
    let store = SalesStore { rows: shelf.clone(), sales: shelf.clone(), effects: shelf };
    tool(name, &store).expect("a tool")
}

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

#[test]
fn what_models_see_of_the_tools_is_short_and_valid() {
    for name in [CRM, SALES] {
        let spec = of(name).spec();
        assert!(spec.description.chars().count() <= 1_024, "{name}: {}", spec.description.chars().count());
        for (parameter, property) in spec.parameters["properties"].as_object().expect("parameters") {
            let about = property["description"].as_str().unwrap_or_default();
            assert!(!about.is_empty() && about.chars().count() <= 1_024, "{name}.{parameter}: {about}");
        }
        assert_eq!(schema::check_schema(&spec.parameters), Ok(()), "{name}");
        assert_eq!(schema::check(&spec.parameters, &json!({})), Ok(()), "{name}");
        let example = json!({"limit": 50, "search": "acme", "status": "open", "startDate": "2026-01-01", "endDate": "2026-12-31"});
        assert_eq!(schema::check(&spec.parameters, &example), Ok(()), "{name}");
    }
    assert!(of(CRM).spec().description.contains("An opportunity is a deal"));
}

#[test]
fn a_call_says_whether_it_writes() {
    for (name, arguments, nature) in [
        (CRM, json!({}), Nature::READS),
        (CRM, json!({"record": "lead", "limit": 10}), Nature::READS),
        (
            CRM,
            json!({"action": "change", "record": "task", "which": "Call", "status": "done"}),
            Nature::WRITES,
        ),
        (CRM, json!({"action": "something"}), Nature::WRITES),
        (SALES, json!({"action": "pipeline"}), Nature::READS),
        (SALES, json!({"action": "history", "which": "Ada"}), Nature::READS),
        (SALES, json!({"action": "merge", "which": "Ada", "other": "A."}), Nature::WRITES),
    ] {
        assert_eq!(of(name).nature(&map(&arguments)), nature, "{name} {arguments}");
    }
}

#[test]
fn bad_arguments_are_told_so_that_a_model_can_act() {
    for (name, arguments, said) in [
        (CRM, json!({"action": "merge"}), "There is no action \"merge\": it must be one of list, create"),
        (CRM, json!({"record": "deal"}), "record must be one of lead, opportunity, task."),
        (CRM, json!({"action": "create"}), "record is required: one of lead, opportunity, task."),
        (CRM, json!({"action": "create", "record": "lead"}), "name is required."),
        (CRM, json!({"action": "create", "record": "task", "subject": "Call"}), "dueOn is required."),
        (CRM, json!({"action": "change", "record": "lead"}), "which is required."),
        (CRM, json!({"record": "leads", "status": "won"}), "status must be one of new, contacted"),
        (CRM, json!({"record": "lead", "startDate": "2026-01-01"}), "leads have no dates to choose by"),
        (CRM, json!({"record": "lead", "stage": "won"}), "leads have no stage to choose by"),
        (SALES, json!({"startDate": "2026-02-01", "endDate": "2026-01-01"}), "endDate must not be before"),
        (SALES, json!({"stage": "maybe"}), "stage must be one of lead, qualified"),
        (
            SALES,
            json!({"action": "history", "record": "company", "which": "x"}),
            "history is of a contact or a deal",
        ),
        (SALES, json!({"action": "merge", "which": "Ada"}), "other is required."),
        (SALES, json!({"record": "deal", "amount": "much"}), "amount must be an amount"),
    ] {
        let told = of(name).check(&map(&arguments)).expect_err(&arguments.to_string()).0;
        assert!(told.starts_with(said), "{arguments}: {told}");
    }
}

#[tokio::test]
async fn nobody_gets_more_than_they_may() {
    let (mut context, _) = context();
    let create = map(&json!({"action": "create", "record": "lead", "name": "Ada"}));
    for (least, arguments) in [(AreaAccess::None, Map::new()), (AreaAccess::Read, create)] {
        context.areas = Areas::WRITE.with(Area::Sales, least);
        let told = of(CRM).call(&context, arguments.clone()).await.expect_err("refused").0;
        assert!(told.contains("area sales") && told.starts_with("In this workspace"), "{told}");
        assert_eq!(of(CRM).preview(&context, &arguments).await, None);
    }
    context.areas = Areas::WRITE;
    context.person = Person::Visitor(VisitorId::new());
    let told = of(SALES).call(&context, Map::new()).await.expect_err("refused").0;
    assert_eq!(told, "Customers are only for people who are signed in.");
}
