//! A year of a household's money, made up from a seed: it ends on a given day, and is the same for the same seed and day. Pure.

use chrono::{Datelike, Days, NaiveDate, Weekday};

/// An entry of an account. Amounts are in minor units of the account's currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub account: &'static str,
    pub day: NaiveDate,
    pub amount: i64,
    pub payee: String,
    pub memo: &'static str,
    /// None: a rule gives it, or nobody has yet.
    pub category: Option<&'static str>,
    /// Shared by both sides of a transfer.
    pub transfer: Option<String>,
    /// Amount, currency and rate, where it was paid in another.
    pub foreign: Option<(i64, &'static str, &'static str)>,
    pub parts: Vec<(&'static str, i64)>,
    pub is_pending: bool,
    pub is_trade: bool,
}

pub const CHECKING: &str = "Checking";
pub const SAVINGS: &str = "Savings";
pub const CARD: &str = "Credit card";
pub const DEPOT: &str = "Investments";
pub const DOLLARS: &str = "US dollar account";

/// A small generator of numbers, so that a year never changes with a library.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `least` to `most`, both with.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        least + (self.next() % (most - least + 1).unsigned_abs()).cast_signed()
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub fn one_of<T: Copy>(&mut self, these: &[T]) -> T {
        these[(self.next() % these.len() as u64) as usize]
    }

    /// A price as shops have it: it often ends in 9.
    fn price(&mut self, least: i64, most: i64) -> i64 {
        let price = self.between(least, most);
        match self.next() % 3 {
            0 => price - price % 10 + 9,
            1 => price - price % 100 + 99,
            _ => price,
        }
    }
}

struct Year {
    dice: Dice,
    today: NaiveDate,
    entries: Vec<Entry>,
}

/// In the order of their days.
pub fn year(seed: u64, today: NaiveDate) -> Vec<Entry> {
    let first = today - Days::new(364);
    let mut year = Year { dice: Dice(seed), today, entries: Vec::new() };
    let mut day = first;
    while day <= today {
        year.fixed(day);
        year.daily(day);
        day = day + Days::new(1);
    }
    year.once(first);
    year.card_bills(first);
    year.entries.sort_by_key(|entry| entry.day);
    // What was paid by card in the last two days is on its way still.
    let recent = today - Days::new(1);
    for entry in year.entries.iter_mut().filter(|entry| entry.account == CARD && entry.day >= recent) {
        entry.is_pending = entry.amount < 0;
    }
    year.entries
}

const GROCERS: [&str; 5] = ["REWE Markt", "Lidl", "Edeka Huber", "Bio Company", "Aldi Nord"];
const RESTAURANTS: [&str; 6] =
    ["Osteria Da Nino", "Kantine am Park", "Sushi Mori", "Café Linde", "Burgerei", "Thai Garden"];
const LEISURE: [&str; 4] = ["Kino International", "Stadtbad", "Buchhandlung Krüger", "Museumsshop"];
const CLOTHES: [&str; 3] = ["Zalando", "Uniqlo", "Schuhhaus Weber"];
const HOUSEHOLD: [&str; 3] = ["IKEA", "dm Drogerie", "Baumarkt Hahn"];

impl Year {
    fn add(&mut self, account: &'static str, day: NaiveDate, amount: i64, payee: &str) -> &mut Entry {
        let entry = Entry {
            account,
            day,
            amount,
            payee: payee.to_owned(),
            memo: "",
            category: None,
            transfer: None,
            foreign: None,
            parts: Vec::new(),
            is_pending: false,
            is_trade: false,
        };
        let at = self.entries.len();
        self.entries.push(entry);
        &mut self.entries[at]
    }

    fn transfer(
        &mut self,
        day: NaiveDate,
        from: &'static str,
        to: &'static str,
        out: i64,
        back: i64,
        memo: &'static str,
    ) {
        if day > self.today {
            return;
        }
        let id = format!("{from}-{to}-{day}");
        for (account, amount, payee) in [(from, -out, to), (to, back, from)] {
            let entry = self.add(account, day, amount, payee);
            entry.memo = memo;
            entry.transfer = Some(id.clone());
        }
    }

    /// What comes every month on its day.
    fn fixed(&mut self, day: NaiveDate) {
        let months = months_between(day, self.today);
        match day.day() {
            1 => {
                self.add(CHECKING, day, -118_000, "Hausverwaltung Ost").memo = "Rent and service charges";
                let amount = self.dice.between(4_800, 7_900);
                self.add(CARD, day, -amount, "REWE Markt");
                let amount = self.dice.between(2_600, 4_400);
                self.add(CARD, day, -amount, "Osteria Da Nino");
            }
            3 => self.add(CHECKING, day, -5_800, "BVG Abo").memo = "Monthly pass",
            5 => self.add(CHECKING, day, -1_499, "Winsim Mobilfunk").memo = "Mobile",
            6 => self.add(CARD, day, -1_299, "Netflix").memo = "Standard plan",
            8 => {
                self.add(CARD, day, -1_099, "Spotify").memo = "Premium";
                // Charged twice in one month.
                if months == 3 {
                    self.add(CARD, day, -1_099, "Spotify").memo = "Premium";
                }
            }
            10 => {
                // Its price doubled five months ago.
                let price = if months <= 5 { 1_998 } else { 999 };
                self.add(CARD, day, -price, "Tagesblatt Digital").memo = "Subscription";
            }
            11 => self.add(CARD, day, -299, "iCloud Storage").memo = "200 GB",
            12 => self.add(CHECKING, day, -3_995, "Vodafone Kabel").memo = "Internet",
            14 => {
                let usd = 85_000 + self.dice.between(-5, 6) * 2_500;
                self.add(DOLLARS, day, usd, "Brightline Studio LLC").memo = "Invoice, monthly retainer";
                self.add(DOLLARS, day, -2_400, "DigitalOcean").memo = "Hosting";
            }
            15 => {
                let winter = [11, 12, 1, 2, 3].contains(&day.month());
                let amount = if winter { 9_800 } else { 7_200 } + self.dice.between(-350, 350);
                self.add(CHECKING, day, -amount, "Vattenfall").memo = "Electricity";
            }
            16 => self.add(CHECKING, day, -2_990, "FitX Studio").memo = "Membership",
            20 => {
                self.transfer(day, CHECKING, DEPOT, 30_000, 30_000, "Savings plan");
                let entry = self.add(DEPOT, day, -29_850, "MSCI World ETF");
                entry.memo = "Purchase of shares";
                entry.is_trade = true;
            }
            28 => {
                let salary = if day.month() == 11 { 498_210 } else { 341_280 };
                let payday = workday_before(day);
                self.add(CHECKING, payday, salary, "Nordlicht Software GmbH").memo = "Salary";
                self.transfer(day, CHECKING, SAVINGS, 40_000, 40_000, "Standing order");
            }
            _ => {}
        }
    }

    /// What people buy.
    fn daily(&mut self, day: NaiveDate) {
        let weekend = matches!(day.weekday(), Weekday::Sat | Weekday::Sun);
        if self.dice.chance(if weekend { 55 } else { 34 }) && day.weekday() != Weekday::Sun {
            let payee = self.dice.one_of(&GROCERS);
            let amount =
                self.dice.price(if weekend { 3_200 } else { 900 }, if weekend { 9_800 } else { 4_600 });
            let account = self.dice.one_of(&[CARD, CHECKING]);
            self.add(account, day, -amount, payee);
        }
        if self.dice.chance(if weekend { 34 } else { 15 }) {
            let payee = self.dice.one_of(&RESTAURANTS);
            let amount = self.dice.between(980, 5_600);
            self.add(CARD, day, -amount, payee);
        }
        if self.dice.chance(5) {
            let payee = self.dice.one_of(&LEISURE);
            let amount = self.dice.price(700, 3_900);
            self.add(CARD, day, -amount, payee).category = Some("Leisure");
        }
        if self.dice.chance(3) {
            let payee = self.dice.one_of(&CLOTHES);
            let amount = self.dice.price(1_900, 11_900);
            self.add(CARD, day, -amount, payee).category = Some("Clothing");
            // Some of it goes back.
            let back = day + Days::new(9);
            if self.dice.chance(35) && back <= self.today {
                self.add(CARD, back, amount, payee).category = Some("Clothing");
            }
        }
        if self.dice.chance(4) {
            let payee = self.dice.one_of(&HOUSEHOLD);
            let amount = self.dice.price(800, 8_900);
            self.add(CHECKING, day, -amount, payee).category = Some("Household");
        }
        if self.dice.chance(3) {
            let amount = self.dice.price(600, 2_900);
            self.add(CHECKING, day, -amount, "Apotheke am Markt").category = Some("Health");
        }
        if self.dice.chance(3) {
            let amount = self.dice.between(2, 10) * 1_000;
            self.add(CHECKING, day, -amount, "Geldautomat").memo = "Cash";
        }
        if self.dice.chance(2) {
            let amount = self.dice.between(900, 4_200);
            self.add(CARD, day, -amount, "Deutsche Bahn").category = Some("Transport");
        }
    }

    /// What comes once or a few times a year.
    fn once(&mut self, first: NaiveDate) {
        let on = |after: u64| first + Days::new(after);
        self.add(CHECKING, on(41), -6_840, "HUK Coburg").memo = "Liability insurance, yearly";
        self.add(CHECKING, on(70), 52_318, "Finanzamt Mitte").memo = "Tax refund";
        self.add(CHECKING, on(120), -21_600, "Dr. Weiss Zahnarzt").category = Some("Health");
        self.add(CARD, on(33), -8_990, "Zalando").category = Some("Clothing");
        self.add(CARD, on(45), 8_990, "Zalando").category = Some("Clothing");
        self.add(CARD, on(150), -46_990, "Lufthansa").category = Some("Travel");
        for (after, pounds, cents, rate, payee) in [
            (181, 4_650, 5_441, "1.1701", "The Barbary"),
            (182, 12_400, 14_509, "1.1701", "Premier Inn London"),
            (183, 2_180, 2_551, "1.1702", "Tate Modern Shop"),
            (184, 890, 1_041, "1.1697", "TfL Travel"),
        ] {
            let entry = self.add(CARD, on(after), -cents, payee);
            entry.category = Some("Travel");
            entry.foreign = Some((-pounds, "GBP", rate));
        }
        for (after, whole, food) in [(97, 8_437, 6_148), (233, 11_285, 7_790), (319, 9_512, 6_833)] {
            let entry = self.add(CARD, on(after), -whole, "Kaufland");
            entry.parts = vec![("Groceries", -food), ("Household", food - whole)];
        }
        for (after, amount) in [(88, 1_912), (179, 2_044), (271, 2_187), (362, 2_305)] {
            self.add(SAVINGS, on(after), amount, "Sparkasse").memo = "Interest";
        }
        for (after, amount) in [(110, 1_866), (292, 2_121)] {
            self.add(DEPOT, on(after), amount, "MSCI World ETF").memo = "Dividend";
        }
        self.transfer(on(205), DOLLARS, CHECKING, 200_000, 184_360, "Exchange to euros");
        self.transfer(on(330), DOLLARS, CHECKING, 150_000, 138_915, "Exchange to euros");
        self.add(CHECKING, on(255), -12_000, "Anna Krüger").memo = "Birthday present, shared";
    }

    /// Each month the card is paid from the checking account.
    fn card_bills(&mut self, first: NaiveDate) {
        let mut month = first.with_day(1).unwrap_or(first);
        while month <= self.today {
            let next = month + chrono::Months::new(1);
            let of_month = |entry: &&Entry| {
                entry.account == CARD && entry.transfer.is_none() && (month..next).contains(&entry.day)
            };
            let spent: i64 = self.entries.iter().filter(of_month).map(|entry| entry.amount).sum();
            let paid_on = next + Days::new(3);
            if spent < 0 && paid_on <= self.today {
                self.transfer(paid_on, CHECKING, CARD, -spent, -spent, "Card statement");
            }
            month = next;
        }
    }
}

/// Whole months from one day's month to another's.
fn months_between(day: NaiveDate, later: NaiveDate) -> i32 {
    (later.year() - day.year()) * 12 + later.month().cast_signed() - day.month().cast_signed()
}

fn workday_before(day: NaiveDate) -> NaiveDate {
    match day.weekday() {
        Weekday::Sat => day - Days::new(1),
        Weekday::Sun => day - Days::new(2),
        _ => day,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: u64 = 20;

    fn ends_on(day: &str) -> Vec<Entry> {
        year(SEED, day.parse().unwrap())
    }

    #[test]
    fn a_year_is_the_same_for_the_same_day() {
        let entries = ends_on("2026-11-18");
        assert_eq!(entries, ends_on("2026-11-18"));
        assert_ne!(entries, year(SEED + 1, "2026-11-18".parse().unwrap()));
        assert!((400..1_200).contains(&entries.len()), "{}", entries.len());
    }

    #[test]
    fn every_day_of_a_year_ends_a_believable_one() {
        for after in 0..366 {
            let today = NaiveDate::from_ymd_opt(2027, 1, 1).unwrap() + Days::new(after);
            let entries = year(SEED, today);
            let sum = |account: &str| -> i64 {
                entries.iter().filter(|entry| entry.account == account).map(|entry| entry.amount).sum()
            };
            let has = |fits: fn(&Entry) -> bool| entries.iter().any(fits);
            assert!(entries.iter().all(|entry| entry.day <= today && entry.amount != 0), "{today}");
            assert!(entries.iter().any(|entry| entry.day > today - Days::new(7)), "{today}");
            assert!(has(|entry| !entry.parts.is_empty()) && has(|entry| entry.foreign.is_some()), "{today}");
            assert!(
                has(|entry| entry.is_trade)
                    && has(|entry| entry.amount > 0 && entry.category == Some("Clothing"))
            );
            // Nobody goes bankrupt, and nobody gets rich.
            let checking = sum(CHECKING);
            assert!((-400_000..2_000_000).contains(&checking), "{today}: {checking}");
            let card = sum(CARD);
            assert!((-400_000..=0).contains(&card), "{today}: {card}");
            // Both sides of every transfer.
            let sides = entries.iter().filter(|entry| entry.transfer.is_some()).count();
            assert!(sides % 2 == 0 && sides > 40, "{today}: {sides}");
            for entry in entries.iter().filter(|entry| !entry.parts.is_empty()) {
                assert_eq!(entry.parts.iter().map(|part| part.1).sum::<i64>(), entry.amount);
            }
            let price = |amount: i64| {
                entries.iter().filter(|e| e.payee == "Tagesblatt Digital" && e.amount == amount).count()
            };
            assert!(price(-999) >= 5 && price(-1_998) >= 5, "{today}");
        }
    }
}
