//! The answers of `manageTransactions`.

use baton_core::data::duplicates::Activity;
use baton_core::data::kinds::TRANSACTIONS;
use baton_core::data::rows::{Filter, MAX_COUNTED, Row, RowQuery, Test};
use baton_core::data::shown;
use baton_core::money::{Currency, Money};
use baton_core::reports::{
    By, InAndOut, Matching, MoneyBook, NamedPeriod, Period, Report, ReportAnswer, ReportQuery, Side,
};
use baton_core::text::fold;
use baton_core::tools::ToolFailure;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::asked::Asked;
use crate::arguments::store_failure;
use crate::finance::arguments::{When, failure};
use crate::finance::desk::Desk;
use crate::finance::{names, told};
use crate::outage::patiently;

/// How much of a memo or a note a list shows.
const SHOWN_TEXT: usize = 200;

/// Names found, so that rows can be asked for.
pub struct Fitting {
    pub filters: Vec<Filter>,
    pub search: Option<String>,
    period: Option<Period>,
    /// `in Groceries, account Everyday, "rewe"`: for people.
    what: String,
}

impl Fitting {
    pub fn find(desk: &Desk<'_>, book: &MoneyBook, asked: &Asked) -> Result<Self, ToolFailure> {
        let mut filters = Vec::new();
        let mut add = |field: &'static str, test: Test| filters.push(Filter { field, test });
        let mut what = Vec::new();
        let period = asked.when.map(|when| when.on(desk.today)).transpose()?;
        if let Some(period) = period {
            add("booked_on", Test::AtLeast(period.from.to_string().into()));
            add("booked_on", Test::AtMost(period.to.to_string().into()));
        }
        if let Some(wanted) = &asked.account {
            let id = names::account(book, wanted)?;
            add("account_id", Test::Is(id.to_string().into()));
            what.push(format!("account {}", book.account(id).map_or("", |account| &account.name)));
        }
        let mut is_of_payments = asked.side.is_some();
        if let Some(wanted) = &asked.category {
            match names::category_or_none(book, wanted)? {
                none if none.is_nil() => {
                    add("category_id", Test::IsNull);
                    add("is_split", Test::Is(false.into()));
                    // Transfers and trades need none.
                    is_of_payments = true;
                }
                id => add("category_id", Test::Is(id.to_string().into())),
            }
            what.push(format!("category {}", book.category_name(names::category_or_none(book, wanted)?)));
        }
        if is_of_payments {
            // As in every report: transfers and trades are on neither side.
            add("transfer_id", Test::IsNull);
            add("activity", Test::Is(Activity::Payment.as_str().into()));
        }
        if let Some(side) = asked.side {
            match side {
                Side::Spending => add("amount", Test::AtMost((-1).into())),
                Side::Income => add("amount", Test::AtLeast(1.into())),
            }
            what.push(if side == Side::Spending { "money out".into() } else { "money in".into() });
        }
        if let Some(status) = &asked.status {
            add("status", Test::Is(status.clone().into()));
            what.push(status.clone());
        }
        if let Some(search) = &asked.search {
            what.push(format!("{search:?}"));
        }
        let what = what.join(", ");
        Ok(Self { filters, search: asked.search.clone(), period, what })
    }

    pub fn query(&self, limit: usize) -> RowQuery {
        RowQuery {
            filters: self.filters.clone(),
            search: self.search.clone(),
            limit: limit as u64,
            ..RowQuery::default()
        }
    }

    async fn matching(&self, desk: &Desk<'_>) -> Result<Matching, ToolFailure> {
        let reports = &desk.store.reports;
        let ask = || reports.matching(desk.scope, self.filters.clone(), self.search.clone());
        patiently(ask).await.map_err(store_failure)
    }
}

/// Small models give a category as an account, or as both: where no account is called so and a category is, that is what they
/// mean. (Not for changes: there a name in the wrong place is told.)
fn in_its_place(mut asked: Asked, book: &MoneyBook) -> Asked {
    let Some(account) = asked.account.take() else { return asked };
    let is_category = book.categories.iter().any(|category| fold(&category.name) == fold(&account));
    let is_free = asked.category.as_ref().is_none_or(|category| fold(category) == fold(&account));
    match is_category && is_free && names::account(book, &account).is_err() {
        true => asked.category = Some(account),
        false => asked.account = Some(account),
    }
    asked
}

pub async fn query(desk: &Desk<'_>, asked: Asked) -> Result<Value, ToolFailure> {
    let book = desk.book().await?;
    let asked = in_its_place(asked, &book);
    let fitting = Fitting::find(desk, &book, &asked)?;
    let page = desk.rows(&TRANSACTIONS, fitting.query(asked.limit)).await?;
    let matching = fitting.matching(desk).await?;
    let listed: Vec<Value> = page.rows.iter().map(listed).collect();
    let number = match matching.is_too_many {
        true => format!("More than {MAX_COUNTED} transactions"),
        false => told::count(matching.count, "transaction"),
    };
    let what = if fitting.what.is_empty() { String::new() } else { format!(" ({})", fitting.what) };
    let period = fitting.period.map(|period| format!(" from {period}")).unwrap_or_default();
    let mut answer = json!({
        "answer": format!("{number}{}{period}{what}{}", split(matching.split), in_words(&matching)),
        "transactions": listed, "totals": sums(&matching.sums),
    });
    if !matching.is_too_many {
        answer["matching"] = matching.count.into();
    }
    let more = matching.count.saturating_sub_unsigned(listed.len() as u64);
    if page.next_cursor.is_some() {
        let more = if matching.is_too_many { "Many".to_owned() } else { more.to_string() };
        answer["more"] =
            format!("{more} more: narrow by dates, category, account or search, or raise limit.").into();
    }
    Ok(answer)
}

/// Those that are in the sums and not in the list.
fn split(number: i64) -> String {
    match number {
        0 => String::new(),
        1 => " and the parts of 1 split transaction".to_owned(),
        more => format!(" and the parts of {more} split transactions"),
    }
}

fn in_words(matching: &Matching) -> String {
    if matching.is_too_many {
        return ": too many to add up here. Narrow them, or use sum.".to_owned();
    }
    if matching.sums.is_empty() {
        return ".".to_owned();
    }
    let sum = |sum: &InAndOut| {
        let currency = sum.money_in.currency;
        format!("{currency} {} in, {} out", sum.money_in.decimal(), sum.money_out.decimal())
    };
    let sums = matching.sums.iter().map(sum).collect::<Vec<_>>().join("; ");
    match matching.set_aside {
        0 => format!(": {sums}."),
        aside => format!(": {sums}. Transfers and trades, not counted: {aside}."),
    }
}

fn sums(of: &[InAndOut]) -> Vec<Value> {
    let sum = |sum: &InAndOut| {
        let currency = sum.money_in.currency;
        let net = Money::new(sum.money_in.amount.saturating_add(sum.money_out.amount), currency);
        json!({
            "in": sum.money_in.decimal(), "out": sum.money_out.decimal(), "net": net.decimal(), "currency": currency,
        })
    };
    of.iter().map(sum).collect()
}

/// A transaction in a list: what says something.
pub fn listed(row: &Row) -> Value {
    let all = shown::for_models(&TRANSACTIONS, &row.fields, &row.titles);
    let mut told = Map::new();
    let names = [
        ("bookedOn", "date"),
        ("payee", "payee"),
        ("amount", "amount"),
        ("currency", "currency"),
        ("category", "category"),
        ("account", "account"),
        ("memo", "memo"),
        ("notes", "notes"),
        ("parts", "parts"),
    ];
    for (field, name) in names {
        if let Some(value) = all.get(field) {
            told.insert(name.to_owned(), shortened(value));
        }
    }
    let is = |name: &str, value: &str| row.fields.get(name).and_then(Value::as_str) == Some(value);
    if is("status", "pending") {
        told.insert("pending".to_owned(), "not counted in any sum".into());
    }
    if is("activity", "trade") {
        told.insert("isTrade".to_owned(), true.into());
    }
    if row.fields.get("transfer_id").is_some_and(|id| !id.is_null()) {
        told.insert("isTransfer".to_owned(), true.into());
    }
    told.insert("id".to_owned(), row.id.to_string().into());
    Value::Object(told)
}

fn shortened(value: &Value) -> Value {
    let Some(text) = value.as_str() else { return value.clone() };
    match text.char_indices().nth(SHOWN_TEXT) {
        Some((cut, _)) => format!("{}…", &text[..cut]).into(),
        None => value.clone(),
    }
}

/// What a report is asked for, with names found.
fn report(
    desk: &Desk<'_>,
    book: &MoneyBook,
    report: Report,
    asked: &Asked,
    usual: NamedPeriod,
) -> Result<ReportQuery, ToolFailure> {
    let mut query = desk.ask(report, asked.when, When::Named(usual))?;
    query.limit = asked.limit;
    query.side = asked.side.unwrap_or(Side::Spending);
    query.convert_to = asked.currency;
    if let Some(wanted) = &asked.account {
        query.accounts = vec![names::account(book, wanted)?];
    }
    if let Some(wanted) = &asked.category {
        query.categories = vec![names::category_or_none(book, wanted)?];
    }
    Ok(query)
}

/// What was asked for, in words: `Spending on Groceries from Everyday`.
fn in_short(book: &MoneyBook, query: &ReportQuery, side: Side) -> String {
    let mut words = if side == Side::Spending { "Spending".to_owned() } else { "Income".to_owned() };
    let name = |id: &Uuid| book.category_name(*id).to_owned();
    if let Some(category) = query.categories.first().map(name) {
        words.push_str(&format!(" ({category})"));
    }
    if let Some(account) = query.accounts.first().and_then(|id| book.account(*id)) {
        words.push_str(&format!(", account {},", account.name));
    }
    words
}

pub async fn sum(desk: &Desk<'_>, by: By, asked: Asked) -> Result<Value, ToolFailure> {
    let book = desk.book().await?;
    let mut asked = in_its_place(asked, &book);
    if asked.search.is_some() {
        return sum_of_found(desk, &book, asked).await;
    }
    // Someone who asks for the sum of an income category means income.
    if asked.side.is_none()
        && let Some(wanted) = &asked.category
        && let Some(category) = book.category(names::category_or_none(&book, wanted)?)
    {
        asked.side = Some(category.side);
    }
    let side = asked.side.unwrap_or(Side::Spending);
    let which = if side == Side::Spending { Report::Spending } else { Report::Income };
    let mut query = report(desk, &book, which, &asked, NamedPeriod::ThisMonth)?;
    query.by = by;
    let what = in_short(&book, &query, side);
    match desk.report(query).await? {
        ReportAnswer::Flows(flows) => Ok(told::flows(&flows, &what)),
        _ => Err(failure("This sum could not be made.")),
    }
}

/// Words are looked for in single transactions, so what they add up to is what came in and went out.
async fn sum_of_found(desk: &Desk<'_>, book: &MoneyBook, mut asked: Asked) -> Result<Value, ToolFailure> {
    asked.when = Some(asked.when.unwrap_or(When::Named(NamedPeriod::ThisMonth)));
    asked.status = Some("booked".to_owned());
    let fitting = Fitting::find(desk, book, &asked)?;
    let matching = fitting.matching(desk).await?;
    let period = fitting.period.map(|period| format!(" from {period}")).unwrap_or_default();
    let number = if matching.is_too_many {
        "Many transactions".to_owned()
    } else {
        told::count(matching.count, "transaction")
    };
    Ok(json!({
        "answer": format!("{number}{}{period} ({}){}", split(matching.split), fitting.what, in_words(&matching)),
        "matching": matching.count, "totals": sums(&matching.sums),
        "counted": "All booked transactions that have these words; transfers and trades too, unless type is given.",
    }))
}

pub async fn cash_flow(desk: &Desk<'_>, asked: Asked) -> Result<Value, ToolFailure> {
    let book = desk.book().await?;
    let query = report(desk, &book, Report::CashFlow, &asked, NamedPeriod::Last3Months)?;
    match desk.report(query).await? {
        ReportAnswer::CashFlow(flow) => Ok(told::cash_flow(&flow)),
        _ => Err(failure("This report could not be made.")),
    }
}

pub async fn biggest(desk: &Desk<'_>, asked: Asked) -> Result<Value, ToolFailure> {
    let book = desk.book().await?;
    let mut query = report(desk, &book, Report::Biggest, &asked, NamedPeriod::ThisMonth)?;
    query.limit = query.limit.min(50);
    match desk.report(query).await? {
        ReportAnswer::Biggest(biggest) => Ok(told::biggest(&biggest)),
        _ => Err(failure("This report could not be made.")),
    }
}

pub async fn check(desk: &Desk<'_>, asked: Asked) -> Result<Value, ToolFailure> {
    let book = desk.book().await?;
    let query = report(desk, &book, Report::OddCharges, &asked, NamedPeriod::Last90Days)?;
    match desk.report(query).await? {
        ReportAnswer::OddCharges(odd) => Ok(told::odd_charges(&odd)),
        _ => Err(failure("This report could not be made.")),
    }
}

/// The currency of a transaction.
pub fn currency(row: &Row) -> Option<Currency> {
    row.fields.get("currency").and_then(Value::as_str).and_then(Currency::parse)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use baton_core::data::areas::AreaAccess;
    use baton_core::reports::{Account, Category};

    use super::*;
    use crate::finance::MoneyStore;
    use crate::testing::{Shelf, context};

    #[test]
    fn who_asks_for_a_side_is_given_no_transfers_and_no_trades() {
        let shelf = Arc::new(Shelf::default());
        let store = MoneyStore {
            rows: shelf.clone(),
            money: shelf.clone(),
            reports: shelf.clone(),
            effects: shelf.clone(),
        };
        let (context, _) = context();
        let desk = Desk::open(&store, &context, AreaAccess::Read).expect("a desk");
        for side in [Side::Spending, Side::Income] {
            let asked = Asked { side: Some(side), ..Asked::default() };
            let found = Fitting::find(&desk, &shelf.book, &asked).expect("filters");
            let has = |field, test| found.filters.contains(&Filter { field, test });
            assert!(has("transfer_id", Test::IsNull), "{:?}", found.filters);
            assert!(has("activity", Test::Is("payment".into())), "{:?}", found.filters);
        }
    }

    #[test]
    fn a_category_that_is_given_as_an_account_is_taken_for_what_it_is() {
        let account = Account {
            id: Uuid::now_v7(),
            name: "Travel".into(),
            account_type: "checking".into(),
            currency: Currency::EUR,
            opening_balance: 0,
            is_closed: false,
        };
        let category = |name: &str| Category { id: Uuid::now_v7(), name: name.into(), side: Side::Spending };
        let categories = vec![category("Groceries"), category("Travel")];
        let book = MoneyBook { accounts: vec![account], categories };
        for (account, category, [wanted_account, wanted_category]) in [
            ("groceries", None, [None, Some("groceries")]),
            ("groceries", Some("Groceries"), [None, Some("groceries")]),
            // There is such an account; no such category; another one is asked for.
            ("travel", Some("travel"), [Some("travel"), Some("travel")]),
            ("Rent", None, [Some("Rent"), None]),
            ("Groceries", Some("Travel"), [Some("Groceries"), Some("Travel")]),
        ] {
            let category = category.map(str::to_owned);
            let asked = Asked { account: Some(account.into()), category, ..Asked::default() };
            let asked = in_its_place(asked, &book);
            let told = [asked.account.as_deref(), asked.category.as_deref()];
            assert_eq!(told, [wanted_account, wanted_category], "{account}");
        }
    }

    #[test]
    fn a_list_says_what_its_sums_leave_out() {
        let euros = |amount| Money::new(amount, Currency::EUR);
        let sums = vec![InAndOut { money_in: euros(341_280), money_out: euros(-9_500) }];
        let mut matching = Matching { count: 4, split: 0, is_too_many: false, set_aside: 0, sums };
        assert_eq!(in_words(&matching), ": EUR 3412.80 in, -95.00 out.");
        matching.set_aside = 2;
        assert_eq!(
            in_words(&matching),
            ": EUR 3412.80 in, -95.00 out. Transfers and trades, not counted: 2."
        );
        assert_eq!(split(0) + &split(1), " and the parts of 1 split transaction");
    }
}
