//! One record of a QIF file: lines of one letter and a value.

use chrono::NaiveDate;

use crate::date::{self, DateOrder};
use crate::money::{self, Currency, DecimalSign};
use crate::statement::{Account, Activity, Balance, Item, Split, Transaction};

#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    pub currency: Currency,
    pub order: DateOrder,
    pub decimal: DecimalSign,
}

#[derive(Debug, Default)]
pub(super) struct Record {
    pub line: u64,
    pub lines: Vec<(char, String)>,
}

impl Record {
    /// The first line with this letter; the first split ends what belongs to the whole.
    fn get(&self, code: char) -> Option<&str> {
        let own = self.lines.iter().take_while(|(code, _)| *code != 'S');
        let found =
            own.filter(|(own, value)| *own == code && !value.is_empty()).map(|(_, value)| value.as_str());
        found.take(1).next().or_else(|| {
            // What comes after the splits, unless splits have such lines too.
            let rest = self.lines.iter().skip_while(|(code, _)| *code != 'S');
            let mut rest =
                rest.filter(|(own, value)| *own == code && !value.is_empty() && !"SED$%".contains(code));
            rest.next().map(|(_, value)| value.as_str())
        })
    }

    fn owned(&self, code: char) -> Option<String> {
        self.get(code).map(str::to_owned)
    }

    fn date(&self, rules: Rules) -> Result<NaiveDate, String> {
        let text = self.get('D').ok_or("the transaction has no date")?;
        date::parse(text, rules.order).ok_or_else(|| format!("“{text}” is not a date"))
    }

    fn amount(text: &str, rules: Rules) -> Result<i64, String> {
        money::parse(text, rules.currency, rules.decimal)
            .map_err(|wrong| format!("the amount “{text}” {wrong}"))
    }

    pub(super) fn transaction(&self, rules: Rules) -> Result<Transaction, String> {
        let booked = self.date(rules)?;
        let text = self.get('T').or(self.get('U')).ok_or("the transaction has no amount")?;
        let amount = Self::amount(text, rules)?;
        Ok(Transaction {
            payee: self.owned('P'),
            memo: self.owned('M'),
            reference: self.owned('N'),
            category: self.owned('L').filter(|category| category != "--Split--"),
            splits: self.splits(amount, rules)?,
            ..Transaction::new(self.line, booked, amount, rules.currency)
        })
    }

    fn splits(&self, amount: i64, rules: Rules) -> Result<Vec<Split>, String> {
        let mut splits: Vec<Split> = Vec::new();
        for (code, value) in self.lines.iter().skip_while(|(code, _)| *code != 'S') {
            let value_of = || Some(value.clone()).filter(|value| !value.is_empty());
            match (code, splits.last_mut()) {
                ('S', _) => splits.push(Split { category: value_of(), ..Split::default() }),
                ('E', Some(split)) => split.memo = value_of(),
                ('$', Some(split)) => split.amount = Self::amount(value, rules)?,
                _ => {}
            }
        }
        let sum = splits.iter().try_fold(0i64, |sum, split| sum.checked_add(split.amount));
        match splits.is_empty() || sum == Some(amount) {
            true => Ok(splits),
            false => Err("its parts do not add up to its amount".to_owned()),
        }
    }

    /// What moves the cash of an investment account; none for what moves only shares.
    pub(super) fn investment(&self, rules: Rules) -> Result<Option<Transaction>, String> {
        let action = self.get('N').unwrap_or_default().to_lowercase();
        let Some(text) = self.get('T').or(self.get('U')) else { return Ok(None) };
        let amount = Self::amount(text, rules)?;
        let (amount, activity) = match action.as_str() {
            "buy" | "cvrshrt" => (-amount.abs(), Activity::Trade),
            "sell" | "shtsell" => (amount.abs(), Activity::Trade),
            "miscexp" | "margint" | "xout" | "withdrwx" => (-amount.abs(), Activity::Payment),
            "cash" | "contribx" | "xin" | "div" | "intinc" | "cglong" | "cgshort" | "cgmid" | "miscinc"
            | "rtrncap" => (amount, Activity::Payment),
            // Reinvested, split, moved as shares, or paid to another account.
            _ => return Ok(None),
        };
        let security = self.owned('Y');
        Ok(Some(Transaction {
            payee: self.owned('P').or(security),
            memo: self.owned('M'),
            category: self.owned('L'),
            activity,
            ..Transaction::new(self.line, self.date(rules)?, amount, rules.currency)
        }))
    }

    pub(super) fn account(&self, currency: Currency) -> Account {
        Account { id: self.owned('N'), bank: None, kind: self.owned('T'), currency: Some(currency) }
    }

    /// The statement's balance that an account may carry, if it can be read.
    pub(super) fn balance(&self, rules: Rules) -> Option<Item> {
        let amount = Self::amount(self.get('$')?, rules).ok()?;
        let date = self.get('/').and_then(|text| date::parse(text, rules.order));
        Some(Item::Closing(Balance { amount, currency: rules.currency, date }))
    }
}
