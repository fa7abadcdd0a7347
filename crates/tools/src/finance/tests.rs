//! What the money tools say of themselves and of bad arguments. (What they do is tested on real databases, by the server's
//! tests.)

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::data::areas::{Area, AreaAccess, Areas};
use baton_core::data::kind::Kind;
use baton_core::data::money::{Transfer, TransferProposal, Which};
use baton_core::data::rows::{
    Author, DataScope, Filter, Once, RecordedChange, Row, RowChange, RowPage, RowQuery,
};
use baton_core::effects::EffectRefused;
use baton_core::ids::VisitorId;
use baton_core::money::Currency;
use baton_core::reports::{Account, Category, Matching, MoneyBook, ReportAnswer, ReportQuery, Side};
use baton_core::schema;
use baton_core::store::{ChangesOf, Error, MoneyRows, Reports, Result, Rows, Split, Written};
use baton_core::tools::{Nature, Tool, ToolContext};
use baton_core::visitors::Person;
use baton_core::workspaces::Member;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{ACCOUNTS, BUDGETS, GOALS, MoneyStore, TRANSACTIONS, told, tool};
use crate::testing::{Shelf, context};

/// A book to find names in, and no rows.
fn ledger() -> Arc<Shelf> {
    let account = |name: &str, code: &str| Account {
        id: Uuid::now_v7(),
        name: name.into(),
        account_type: "savings".into(),
        currency: Currency::parse(code).unwrap(),
        opening_balance: 0,
        is_closed: false,
    };
    let category = |name: &str, side| Category { id: Uuid::now_v7(), name: name.into(), side };
    let book = MoneyBook {
        accounts: vec![account("Everyday", "EUR"), account("Yen", "JPY")],
        categories: vec![category("Groceries", Side::Spending), category("Salary", Side::Income)],
    };
    Arc::new(Shelf { book, ..Shelf::default() })
}

#[async_trait]
impl Reports for Shelf {
    async fn report(&self, _scope: DataScope, query: ReportQuery) -> Result<ReportAnswer> {
        self.asked.lock().expect("asked").push(query);
        Ok(ReportAnswer::Budgets(vec![]))
    }
    async fn money_book(&self, _scope: DataScope) -> Result<MoneyBook> {
        Ok(self.book.clone())
    }
    async fn matching(&self, _: DataScope, _: Vec<Filter>, _: Option<String>) -> Result<Matching> {
        Ok(Matching { count: 0, split: 0, is_too_many: false, set_aside: 0, sums: vec![] })
    }
}

#[async_trait]
impl Rows for Shelf {
    async fn rows(&self, _scope: DataScope, _kind: &'static Kind, _query: RowQuery) -> Result<RowPage> {
        Ok(RowPage { rows: vec![], total: 0, is_counted: true, next_cursor: None })
    }
    async fn row(&self, _scope: DataScope, kind: &'static Kind, _id: Uuid) -> Result<Row> {
        Err(Error::NotFound(kind.one))
    }
    async fn people(&self, _: DataScope) -> Result<Vec<Member>> {
        Ok(vec![])
    }
    async fn change_rows(&self, _: &Once, _: DataScope, author: Author, changes: Vec<RowChange>) -> Written {
        self.changed.lock().expect("changed").push((author, changes));
        Ok(json!({"changed": 1, "rows": []}))
    }
    async fn changes(&self, _: DataScope, _: ChangesOf, _: u64) -> Result<Vec<RecordedChange>> {
        Ok(vec![])
    }
    async fn undo(&self, _: &Once, _: DataScope, _: Author, _: Vec<Uuid>) -> Written {
        Ok(json!({}))
    }
}

#[async_trait]
impl MoneyRows for Shelf {
    async fn split_transaction(&self, _: &Once, _: DataScope, _: Author, _: Split) -> Written {
        Ok(json!({"changed": 1}))
    }
    async fn mark_transfer(&self, _: &Once, _: DataScope, _: Author, _: Transfer) -> Written {
        Ok(json!({"changed": 2}))
    }
    async fn unmark_transfer(&self, _: &Once, _: DataScope, _: Author, _: Uuid) -> Written {
        Ok(json!({"changed": 2}))
    }
    async fn propose_transfers(&self, _: DataScope, _: u64) -> Result<Vec<TransferProposal>> {
        Ok(vec![])
    }
    async fn categorise(&self, _: &Once, _: DataScope, _: Author, which: Which, _: Option<Uuid>) -> Written {
        match which {
            Which::Fitting { count: Some(count), .. } => {
                Err(EffectRefused::NotNow(format!("0 fit, not {count}.")))
            }
            _ => Ok(json!({"changed": 1})),
        }
    }
    async fn apply_category_rules(&self, _: &Once, _: DataScope, _: Author) -> Written {
        Ok(json!({"changed": 0}))
    }
}

fn of(name: &str, ledger: &Arc<Shelf>) -> Arc<dyn Tool> {
    let store = MoneyStore {
        rows: ledger.clone(),
        money: ledger.clone(),
        reports: ledger.clone(),
        effects: ledger.clone(),
    };
    tool(name, &store).expect("a tool")
}

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

const ALL: [&str; 4] = [TRANSACTIONS, BUDGETS, ACCOUNTS, GOALS];

#[test]
fn what_models_see_of_the_tools_is_short_and_valid() {
    let ledger = ledger();
    for name in ALL {
        let spec = of(name, &ledger).spec();
        assert!(spec.description.chars().count() <= 1_024, "{name}: {}", spec.description.chars().count());
        for (parameter, property) in spec.parameters["properties"].as_object().expect("parameters") {
            let about = property["description"].as_str().unwrap_or_default();
            assert!(!about.is_empty() && about.chars().count() <= 1_024, "{name}.{parameter}: {about}");
        }
        assert_eq!(schema::check_schema(&spec.parameters), Ok(()), "{name}");
        assert_eq!(schema::check(&spec.parameters, &json!({})), Ok(()), "{name}");
    }
}

/// The examples of the documents, and what each does.
#[test]
fn a_call_says_whether_it_writes() {
    let ledger = ledger();
    for (name, arguments, nature) in [
        (TRANSACTIONS, json!({"limit": 10}), Nature::READS),
        (TRANSACTIONS, json!({"action": "sum", "by": "payee"}), Nature::READS),
        (TRANSACTIONS, json!({"action": "check"}), Nature::READS),
        (
            TRANSACTIONS,
            json!({"action": "categorise", "category": "x", "ids": [Uuid::nil()]}),
            Nature::WRITES,
        ),
        (TRANSACTIONS, json!({"action": "annotate", "ids": [Uuid::nil()], "note": "x"}), Nature::WRITES),
        (BUDGETS, json!({"includeSpending": true}), Nature::READS),
        (BUDGETS, json!({"action": "create", "amount": "5"}), Nature::WRITES),
        (ACCOUNTS, json!({"type": "savings"}), Nature::READS),
        (ACCOUNTS, json!({"action": "net_worth"}), Nature::READS),
        (ACCOUNTS, json!({"action": "change", "account": "Everyday", "name": "Daily"}), Nature::WRITES),
        (GOALS, json!({"status": "active"}), Nature::READS),
        (GOALS, json!({"status": "all"}), Nature::READS),
        (GOALS, json!({"action": "complete", "goal": "Bicycle"}), Nature::WRITES),
    ] {
        let tool = of(name, &ledger);
        assert_eq!(tool.nature(&map(&arguments)), nature, "{name} {arguments}");
        assert_eq!(tool.check(&map(&arguments)), Ok(()), "{name} {arguments}");
        assert_eq!(schema::check(&tool.spec().parameters, &arguments), Ok(()), "{name} {arguments}");
    }
}

/// Nobody is asked about any of these.
#[test]
fn bad_arguments_are_refused_before_anyone_is_asked() {
    let ledger = ledger();
    for (name, arguments, says) in [
        (
            GOALS,
            json!({"action": "create", "name": "x", "targetAmount": "5", "status": "all"}),
            "status must be one of",
        ),
        (BUDGETS, json!({"limit": 0}), "limit must be"),
        (TRANSACTIONS, json!({"action": "burn"}), "must be one of query"),
        (TRANSACTIONS, json!({"startDate": "2026-02-30"}), "startDate must be a day"),
        (TRANSACTIONS, json!({"startDate": "2026-03-01", "endDate": "2026-02-01"}), "must not end"),
        (TRANSACTIONS, json!({"period": "last_month", "startDate": "2026-03-01"}), "either period"),
        (TRANSACTIONS, json!({"period": "recently"}), "period must be one of"),
        (TRANSACTIONS, json!({"limit": 0}), "limit must be"),
        (TRANSACTIONS, json!({"type": "theft"}), "type must be one of"),
        (TRANSACTIONS, json!({"action": "sum", "by": "weather"}), "by must be one of"),
        (TRANSACTIONS, json!({"action": "sum", "currency": "Euro"}), "currency must be"),
        (TRANSACTIONS, json!({"action": "categorise", "ids": [Uuid::nil()]}), "category is required"),
        (TRANSACTIONS, json!({"action": "categorise", "category": "x"}), "Say which"),
        (
            TRANSACTIONS,
            json!({"action": "categorise", "category": "x", "search": "rewe"}),
            "count is required",
        ),
        (
            TRANSACTIONS,
            json!({"action": "categorise", "category": "x", "rule": "a", "ids": [Uuid::nil()]}),
            "one way only",
        ),
        (TRANSACTIONS, json!({"action": "annotate", "note": "x"}), "ids is required"),
        (TRANSACTIONS, json!({"action": "annotate", "ids": ["7"], "note": "x"}), "ids must be"),
        (
            TRANSACTIONS,
            json!({"action": "split", "ids": [Uuid::nil()], "parts": [{"amount": "1"}]}),
            "parts must be 2",
        ),
        (
            TRANSACTIONS,
            json!({"action": "split", "ids": [Uuid::nil()], "parts": [{"amount": "x"}, {}]}),
            "needs an amount",
        ),
        (BUDGETS, json!({"action": "create"}), "amount is required"),
        (BUDGETS, json!({"action": "create", "amount": "€5"}), "amount must be"),
        (BUDGETS, json!({"action": "create", "amount": "5", "period": "decade"}), "period must be one of"),
        (BUDGETS, json!({"action": "delete"}), "budget is required"),
        (BUDGETS, json!({"action": "complete"}), "must be one of status"),
        (ACCOUNTS, json!({"action": "delete"}), "must be one of balances"),
        (ACCOUNTS, json!({"action": "create", "name": "x"}), "currency is required"),
        (GOALS, json!({"action": "create", "name": "x"}), "targetAmount is required"),
        (GOALS, json!({"status": "lost"}), "status must be one of"),
    ] {
        let said = of(name, &ledger).check(&map(&arguments)).expect_err(&arguments.to_string()).0;
        assert!(said.contains(says), "{name} {arguments}: {said}");
    }
}

async fn refused(name: &str, context: &ToolContext, arguments: Value) -> String {
    of(name, &ledger()).call(context, map(&arguments)).await.expect_err("a refusal").0
}

#[test]
fn a_result_lists_so_much_and_says_how_to_ask_for_less() {
    let mut answer = json!({});
    told::put_listed(&mut answer, "goals", vec![json!(1), json!(2), json!(3)], 2, "goal or status");
    assert_eq!(answer, json!({"goals": [1, 2], "more": "1 more: narrow by goal or status, or raise limit."}));
    let mut answer = json!({});
    told::put_listed(&mut answer, "goals", vec![json!(1)], 1, "goal");
    assert_eq!(answer, json!({"goals": [1]}));
}

#[tokio::test]
async fn nobody_gets_more_than_their_person_may() {
    let (mut context, _) = context();
    for name in ALL {
        context.areas = Areas::WRITE.with(Area::Money, AreaAccess::None);
        assert!(refused(name, &context, json!({})).await.contains("may not see"), "{name}");
    }
    context.areas = Areas::WRITE.with(Area::Money, AreaAccess::Read);
    let budget = json!({"action": "create", "amount": "5", "currency": "EUR"});
    let said = refused(BUDGETS, &context, budget.clone()).await;
    assert!(said.contains("may not change data of the area money"), "{said}");
    assert_eq!(of(BUDGETS, &ledger()).preview(&context, &map(&budget)).await, None);
    context.person = Person::Visitor(VisitorId::new());
    context.areas = Areas::WRITE;
    assert!(refused(ACCOUNTS, &context, json!({})).await.contains("signed in"));
}

#[tokio::test]
async fn names_that_mean_nothing_are_answered_with_what_there_is() {
    let (context, _) = context();
    for (name, arguments, says) in [
        (TRANSACTIONS, json!({"category": "Travel"}), "There are Groceries, Salary"),
        (TRANSACTIONS, json!({"action": "sum", "account": "e"}), "could be more than one account"),
        (
            TRANSACTIONS,
            json!({"action": "categorise", "category": "Salary", "account": "groceries", "count": 1}),
            "is the name of a category",
        ),
        (TRANSACTIONS, json!({"category": "Everyday"}), "is the name of an account"),
        (
            BUDGETS,
            json!({"action": "create", "amount": "5", "currency": "EUR", "category": "Travel"}),
            "There is no category",
        ),
        (
            BUDGETS,
            json!({"action": "create", "amount": "5"}),
            "currency is required: there are accounts in EUR, JPY",
        ),
        (BUDGETS, json!({"action": "create", "amount": "5.5", "currency": "JPY"}), "at most 0 decimals"),
        (BUDGETS, json!({"action": "change", "budget": "Food", "amount": "5"}), "none at all"),
        (GOALS, json!({"goal": "Bicycle", "action": "complete"}), "none at all"),
        (ACCOUNTS, json!({"type": "loan"}), "no account of the type loan"),
    ] {
        let said = refused(name, &context, arguments.clone()).await;
        assert!(said.contains(says), "{name} {arguments}: {said}");
    }
}

#[tokio::test]
async fn a_write_names_its_call_and_its_preview_says_the_same() {
    let (context, ana) = context();
    let ledger = ledger();
    let tool = of(BUDGETS, &ledger);
    let arguments = json!({"action": "create", "category": "groceries", "amount": "250", "currency": "EUR"});
    let preview = tool.preview(&context, &map(&arguments)).await.expect("a preview");
    assert_eq!(preview.sentence, "Make the budget Groceries.");
    let shown: Vec<(&str, Option<&str>)> =
        preview.changes.iter().map(|change| (change.field.as_str(), change.new.as_deref())).collect();
    assert!(
        shown.contains(&("Amount", Some("EUR 250.00"))) && shown.contains(&("Category", Some("Groceries"))),
        "{shown:?}"
    );
    assert!(ledger.changed.lock().expect("changed").is_empty(), "a preview changes nothing");

    let answer = tool.call(&context, map(&arguments)).await.expect("an answer");
    assert_eq!(answer.value["answer"], "The budget is made.");
    let written = ledger.changed.lock().expect("changed").pop().expect("a write");
    let (author, changes) = written;
    let agent = author.agent.expect("an agent");
    assert_eq!(
        (author.profile_id, agent.agent_id, agent.seq),
        (ana, context.calling_agent().expect("an agent").agent_id, 7)
    );
    let baton_core::data::rows::Change::Create { fields, .. } = &changes[0].change else {
        panic!("{changes:?}")
    };
    assert_eq!((&fields["amount"], &fields["name"]), (&json!(25_000), &json!("Groceries")));

    let named = json!({"action": "create", "budget": "Treats", "amount": "5", "currency": "EUR"});
    let preview = tool.preview(&context, &map(&named)).await.expect("a preview");
    assert_eq!(preview.sentence, "Make the budget Treats.", "budget is read as the name of a new one");
}

/// A filter that finds something else than was stated changes nothing.
#[tokio::test]
async fn what_a_filter_finds_must_be_stated() {
    let (context, _) = context();
    let arguments = json!({"action": "categorise", "category": "Groceries", "search": "rewe", "count": 3});
    let said = refused(TRANSACTIONS, &context, arguments).await;
    assert!(said.contains("0 fit, not 3."), "the store compares, in the same write: {said}");
}

/// "Today" is the person's: a month is that of their time zone.
#[tokio::test]
async fn periods_are_those_of_the_person() {
    let (mut context, _) = context();
    for zone in ["Pacific/Kiritimati", "Pacific/Niue"] {
        context.time_zone = zone.to_owned();
        let ledger = ledger();
        let arguments = map(&json!({"action": "sum", "period": "this_month", "category": "salary"}));
        let _ = of(TRANSACTIONS, &ledger).call(&context, arguments).await;
        let asked = ledger.asked.lock().expect("asked").pop().expect("a question");
        assert_eq!(asked.today, baton_core::days::today(chrono::Utc::now(), zone));
        assert_eq!((asked.period.to, asked.report), (asked.today, baton_core::reports::Report::Income));
    }
}
