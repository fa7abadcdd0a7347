//! The kinds of the area money.

use super::transaction_headers as headers;
use crate::data::areas::Area;
use crate::data::kind::Presence::{Default, Derived, Fixed};
use crate::data::kind::{Direction, Field, FieldType, Kind, Order};

const NAME: usize = 100;
const NOTES: usize = 2_000;

pub(super) const fn by(field: &'static str, direction: Direction) -> Order {
    Order { field, direction }
}

pub(super) const fn name() -> Field {
    Field::line("name", "Name", NAME).required().searched().sorted().filtered()
}

pub(super) const fn notes() -> Field {
    Field::new("notes", "Notes", FieldType::Prose { max: NOTES }).searched()
}

pub(super) const fn day(name: &'static str, label: &'static str) -> Field {
    Field::new(name, label, FieldType::Day).sorted().filtered()
}

const fn currency() -> Field {
    Field::new("currency", "Currency", FieldType::Currency).filtered()
}

pub static ACCOUNTS: Kind = Kind {
    name: "accounts",
    one: "account",
    label: "Accounts",
    area: Area::Money,
    title: "name",
    order: by("name", Direction::Rising),
    keeps_deleted: false,
    most: 1_000,
    fields: &[
        name(),
        Field::new(
            "type",
            "Type",
            FieldType::Choice(&["checking", "savings", "credit_card", "cash", "investment", "loan", "other"]),
        )
        .presence(Default("\"checking\""))
        .sorted()
        .filtered(),
        currency().presence(Fixed),
        Field::line("number", "Number", 64).about("An IBAN, or the number that the bank gives it").searched(),
        Field::line("institution", "Bank", NAME).searched().sorted(),
        Field::money("opening_balance", "Opening balance")
            .about("The balance before the first transaction")
            .presence(Default("0")),
        Field::money("stated_balance", "Balance by statement").presence(Derived),
        day("stated_on", "Statement of").presence(Derived),
        notes(),
        Field::new("is_closed", "Closed", FieldType::Flag).presence(Default("false")).filtered(),
    ],
};

pub static CATEGORIES: Kind = Kind {
    name: "categories",
    one: "category",
    label: "Categories",
    area: Area::Money,
    title: "name",
    order: by("name", Direction::Rising),
    keeps_deleted: false,
    most: 1_000,
    fields: &[
        name(),
        Field::new("type", "Type", FieldType::Choice(&["spending", "income"]))
            .about("What an amount in it means, whatever its sign: money back in a spending category is negative spending")
            .presence(Default("\"spending\""))
            .sorted()
            .filtered(),
    ],
};

pub static CATEGORY_RULES: Kind = Kind {
    name: "category_rules",
    one: "category rule",
    label: "Category rules",
    area: Area::Money,
    title: "text",
    order: by("position", Direction::Rising),
    keeps_deleted: false,
    most: 2_000,
    fields: &[
        Field::line("text", "Text", NAME)
            .about("A transaction whose payee or memo holds it gets the category, the first rule that fits")
            .required()
            .searched()
            .sorted(),
        Field::new("category_id", "Category", FieldType::Reference("categories")).required().filtered(),
        Field::new("position", "Position", FieldType::Number { least: 0, most: 1_000_000 })
            .presence(Default("0"))
            .sorted(),
    ],
};

pub static TRANSACTIONS: Kind = Kind {
    name: "transactions",
    one: "transaction",
    label: "Transactions",
    area: Area::Money,
    title: "payee",
    order: by("booked_on", Direction::Falling),
    keeps_deleted: true,
    most: 20_000_000,
    fields: &[
        Field::new("account_id", "Account", FieldType::Reference("accounts"))
            .presence(Fixed)
            .filtered()
            .synonyms(headers::ACCOUNT_ID),
        day("booked_on", "Date").required().synonyms(headers::BOOKED_ON),
        Field::new("value_on", "Value date", FieldType::Day).synonyms(headers::VALUE_ON),
        Field::money("amount", "Amount")
            .about("Money that leaves the account is negative")
            .required()
            .sorted()
            .filtered()
            .movement()
            .synonyms(headers::AMOUNT),
        currency().about("The account's").presence(Derived).told_by_files().synonyms(headers::CURRENCY),
        Field::line("payee", "Payee", 200).searched().sorted().synonyms(headers::PAYEE),
        Field::line("memo", "Memo", 1_000).searched().synonyms(headers::MEMO),
        Field::line("reference", "Reference", 200).searched().synonyms(headers::REFERENCE),
        Field::line("counterparty_iban", "IBAN of the other side", 34)
            .searched()
            .synonyms(headers::COUNTERPARTY_IBAN),
        Field::new("category_id", "Category", FieldType::Reference("categories"))
            .filtered()
            .synonyms(headers::CATEGORY_ID),
        Field::new("is_split", "Split", FieldType::Flag).presence(Derived).filtered(),
        Field::new("status", "Status", FieldType::Choice(&["booked", "pending"]))
            .presence(Default("\"booked\""))
            .filtered(),
        Field::new("activity", "Activity", FieldType::Choice(&["payment", "trade"]))
            .about("trade: money against shares within the account, neither income nor spending")
            .presence(Derived)
            .told_by_files()
            .filtered(),
        Field::new("transfer_id", "Transfer", FieldType::Id)
            .about("Shared by both sides of a transfer between own accounts: neither income nor spending")
            .presence(Derived)
            .told_by_files()
            .filtered(),
        Field::new("foreign_amount", "Foreign amount", FieldType::Money { currency: "foreign_currency" })
            .presence(Derived)
            .told_by_files()
            .synonyms(headers::FOREIGN_AMOUNT),
        Field::new("foreign_currency", "Foreign currency", FieldType::Currency)
            .presence(Derived)
            .told_by_files()
            .synonyms(headers::FOREIGN_CURRENCY),
        Field::new("foreign_rate", "Exchange rate", FieldType::Decimal)
            .presence(Derived)
            .told_by_files()
            .synonyms(headers::FOREIGN_RATE),
        notes(),
        Field::line("source_id", "Id at the bank", 200)
            .presence(Derived)
            .told_by_files()
            .synonyms(headers::SOURCE_ID),
        Field::new("import_id", "Import", FieldType::Id).presence(Derived).filtered(),
    ],
};

pub static BUDGETS: Kind = Kind {
    name: "budgets",
    one: "budget",
    label: "Budgets",
    area: Area::Money,
    title: "name",
    order: by("name", Direction::Rising),
    keeps_deleted: false,
    most: 500,
    fields: &[
        name(),
        Field::new("category_id", "Category", FieldType::Reference("categories"))
            .about("Left out: all spending")
            .filtered(),
        Field::new("period", "Period", FieldType::Choice(&["week", "month", "year"]))
            .presence(Default("\"month\""))
            .filtered(),
        Field::money("amount", "Amount").about("How much may be spent in a period").required().sorted(),
        currency().required(),
        Field::new("rolls_over", "Rolls over", FieldType::Flag)
            .about("Whether what is left of a period is added to the next")
            .presence(Default("false")),
        day("starts_on", "From").required(),
        day("ends_on", "Until"),
        notes(),
    ],
};

pub static GOALS: Kind = Kind {
    name: "goals",
    one: "goal",
    label: "Goals",
    area: Area::Money,
    title: "name",
    order: by("name", Direction::Rising),
    keeps_deleted: false,
    most: 500,
    fields: &[
        name(),
        Field::money("target_amount", "Target").required().sorted(),
        currency().required(),
        day("target_on", "By"),
        Field::new("account_id", "Account", FieldType::Reference("accounts"))
            .about("Its balance is what is saved; without one, saved_amount is")
            .filtered(),
        Field::money("saved_amount", "Saved").presence(Default("0")),
        day("starts_on", "From").required(),
        Field::new("status", "Status", FieldType::Choice(&["active", "completed", "given_up"]))
            .presence(Default("\"active\""))
            .sorted()
            .filtered(),
        notes(),
    ],
};

pub static EXCHANGE_RATES: Kind = Kind {
    name: "exchange_rates",
    one: "exchange rate",
    label: "Exchange rates",
    area: Area::Money,
    title: "currency",
    order: by("valid_from", Direction::Falling),
    keeps_deleted: false,
    most: 100_000,
    fields: &[
        currency().required().searched().sorted(),
        Field::new("in_currency", "In", FieldType::Currency).required().filtered(),
        Field::new("rate", "Rate", FieldType::Decimal)
            .about("What one unit of the currency is worth in the other")
            .required(),
        day("valid_from", "From").required(),
    ],
};
