//! Reports as models and people read them: a sentence that answers, then the figures. Amounts are decimal text beside
//! their currency; what can be worked out from them is there, so that nobody has to.

use baton_core::money::{Currency, Money};
use baton_core::reports::{
    Balances, Biggest, BudgetStatus, CashFlow, Compared, Converted, Finding, Flows, GoalProgress, NetWorth,
    OddCharges, Projection, RateUsed,
};
use serde_json::{Map, Value, json};

/// The first of what there is under its name, and how many more there are.
pub fn put_listed(answer: &mut Value, name: &str, mut all: Vec<Value>, limit: usize, narrow: &str) {
    let more = all.len().saturating_sub(limit);
    all.truncate(limit);
    answer[name] = all.into();
    if more > 0 {
        answer["more"] = format!("{more} more: narrow by {narrow}, or raise limit.").into();
    }
}

/// `EUR 12.50, USD 3.00`, or `nothing`.
pub fn amounts(of: impl IntoIterator<Item = Money>) -> String {
    let listed: Vec<String> = of.into_iter().map(|money| money.to_string()).collect();
    if listed.is_empty() { "nothing".to_owned() } else { listed.join(", ") }
}

fn decimal(amount: i64, currency: Currency) -> Value {
    Money::new(amount, currency).decimal().into()
}

/// `+32.20`: what changed.
fn signed(amount: i64, currency: Currency) -> String {
    let sign = if amount > 0 { "+" } else { "" };
    format!("{sign}{}", Money::new(amount, currency).decimal())
}

/// How much more or less than before, in tenths of a percent: `+8.5 %`.
fn percent(now: i64, before: i64) -> Option<String> {
    if before <= 0 {
        return None;
    }
    let tenths = (i128::from(now) - i128::from(before)) * 1_000 / i128::from(before);
    let sign = if tenths > 0 {
        "+"
    } else if tenths < 0 {
        "-"
    } else {
        ""
    };
    let tenths = tenths.unsigned_abs();
    Some(format!("{sign}{}.{} %", tenths / 10, tenths % 10))
}

pub fn count(number: i64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

fn compared(sum: &Compared, name: &str) -> Map<String, Value> {
    let mut told = Map::new();
    told.insert(name.to_owned(), decimal(sum.amount, sum.currency));
    told.insert("currency".to_owned(), sum.currency.code().into());
    if let Some(entries) = sum.entries {
        told.insert("transactions".to_owned(), entries.into());
    }
    if let Some(before) = sum.before {
        told.insert("before".to_owned(), decimal(before, sum.currency));
        told.insert("change".to_owned(), signed(sum.amount.saturating_sub(before), sum.currency).into());
        if let Some(percent) = percent(sum.amount, before) {
            told.insert("changePercent".to_owned(), percent.into());
        }
    }
    told
}

/// A total in one currency, with the rates it was made with.
pub fn converted(converted: &Converted) -> Value {
    let rate = |used: &RateUsed| {
        let rate = &used.rate;
        format!("1 {} = {} {} since {}", rate.currency, rate.rate, rate.in_currency, rate.valid_from)
    };
    let rates: Vec<String> = converted.used.iter().map(rate).collect();
    match converted.total {
        Some(total) => json!({
            "total": decimal(total, converted.currency), "currency": converted.currency,
            "rates": if rates.is_empty() { "none needed".to_owned() } else { rates.join("; ") },
            "about": "by the exchange rates that this workspace entered",
        }),
        None => {
            let missing: Vec<&str> = converted.missing.iter().map(Currency::code).collect();
            let about = format!(
                "no total in {}: there is no exchange rate for {}; someone can enter it under exchange rates",
                converted.currency,
                missing.join(", ")
            );
            json!({ "about": about })
        }
    }
}

/// `what` says what was asked for: `Spending on Groceries`.
pub fn flows(flows: &Flows, what: &str) -> Value {
    let side = flows.side.as_str();
    let total = |sum: &Compared| {
        let mut told = sum.money().to_string();
        if let Some(entries) = sum.entries {
            told.push_str(&format!(" in {}", count(entries, "transaction")));
        }
        if let Some(before) = sum.before {
            let change = signed(sum.amount.saturating_sub(before), sum.currency);
            let percent =
                percent(sum.amount, before).map(|percent| format!(", {percent}")).unwrap_or_default();
            told.push_str(&format!(
                " (before: {}, {change}{percent})",
                Money::new(before, sum.currency).decimal()
            ));
        }
        told
    };
    let totals: Vec<String> = flows.totals.iter().map(total).collect();
    let totals = if totals.is_empty() { "nothing".to_owned() } else { totals.join("; ") };
    let groups: Vec<Value> = flows
        .groups
        .iter()
        .map(|group| {
            let mut told = compared(&group.sum, side);
            told.insert(flows.by.as_str().to_owned(), group.name.clone().into());
            Value::Object(told)
        })
        .collect();
    let mut answer = json!({
        "answer": format!("{what} from {}: {totals}.", flows.period),
        "period": flows.period.to_string(),
        "comparedWith": flows.before.to_string(),
        "totals": flows.totals.iter().map(|sum| Value::Object(compared(sum, side))).collect::<Vec<_>>(),
        "counted": "Booked payments; refunds lower spending. Transfers between own accounts, trades and pending ones are left out.",
    });
    answer[format!("by{}", capital(flows.by.as_str()))] = groups.into();
    if flows.left_off > 0 {
        answer["more"] =
            format!("{} more: narrow by dates, category or account, or raise limit.", flows.left_off).into();
    }
    if let Some(total) = &flows.converted {
        answer["convertedTotal"] = converted(total);
    }
    answer
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1.min(word.len()));
    first.to_ascii_uppercase() + rest
}

pub fn cash_flow(flow: &CashFlow) -> Value {
    let sums = flow.totals.iter().map(|(now, before)| {
        format!(
            "{} came in, {} went out, {} is left (before: {})",
            Money::new(now.income, now.currency),
            Money::new(now.spending, now.currency).decimal(),
            signed(now.net, now.currency),
            signed(before.net, before.currency)
        )
    });
    let told = sums.collect::<Vec<_>>().join("; ");
    let told = if told.is_empty() { "nothing came in or went out".to_owned() } else { told };
    let months = flow.months.iter().map(|month| {
        let sum = month.sum;
        json!({
            "month": month.month.format("%Y-%m").to_string(), "income": decimal(sum.income, sum.currency),
            "spending": decimal(sum.spending, sum.currency), "net": signed(sum.net, sum.currency),
            "currency": sum.currency,
        })
    });
    json!({
        "answer": format!("From {}: {told}.", flow.period), "period": flow.period.to_string(),
        "comparedWith": flow.before.to_string(), "byMonth": months.collect::<Vec<_>>(),
    })
}

pub fn balances(balances: &Balances, limit: usize) -> Value {
    let accounts = balances.accounts.iter().map(|one| {
        let account = &one.account;
        let mut told = json!({
            "account": account.name, "type": account.account_type, "balance": decimal(one.balance, account.currency),
            "currency": account.currency, "id": account.id.to_string(),
        });
        if account.is_closed {
            told["isClosed"] = true.into();
        }
        told
    });
    let accounts: Vec<Value> = accounts.collect();
    let number = count(i64::try_from(accounts.len()).unwrap_or(i64::MAX), "account");
    let mut answer = json!({
        "answer": format!("{} in {number} on {}.", amounts(balances.totals.iter().copied()), balances.on),
        "on": balances.on.to_string(), "totals": monies(&balances.totals),
    });
    put_listed(&mut answer, "balances", accounts, limit, "account or type");
    if let Some(total) = &balances.converted {
        answer["convertedTotal"] = converted(total);
    }
    answer
}

fn monies(of: &[Money]) -> Vec<Value> {
    of.iter().map(|money| json!({"total": money.decimal(), "currency": money.currency})).collect()
}

/// The latest months, if there are more than may be listed.
pub fn net_worth(worth: &NetWorth, limit: usize) -> Value {
    let change = |currency: Currency| {
        let at = |point: Option<&baton_core::reports::NetWorthPoint>| {
            point?.totals.iter().find(|total| total.currency == currency).map(|total| total.amount)
        };
        let (first, last) = (at(worth.points.first())?, at(worth.points.last())?);
        Some(format!("{} ({})", Money::new(last, currency), signed(last.saturating_sub(first), currency)))
    };
    let currencies = worth.points.last().map(|point| point.totals.iter().map(|total| total.currency));
    let told: Vec<String> = currencies.into_iter().flatten().filter_map(change).collect();
    let told = if told.is_empty() { "nothing".to_owned() } else { told.join("; ") };
    let last = worth.points.last().map(|point| point.on).unwrap_or(worth.period.to);
    let first = worth.points.first().map(|point| point.on).unwrap_or(worth.period.from);
    let earlier = worth.points.len().saturating_sub(limit);
    let points = worth.points[earlier..].iter().map(|point| {
        let mut told = json!({"on": point.on.to_string(), "netWorth": amounts(point.totals.iter().copied())});
        if let Some(total) = &point.converted {
            told["converted"] = converted(total);
        }
        told
    });
    let mut answer = json!({
        "answer": format!("Net worth on {last}: {told} since {first}."),
        "period": worth.period.to_string(), "points": points.collect::<Vec<_>>(),
        "counted": "The balances of all accounts, at the end of each month.",
    });
    if earlier > 0 {
        answer["more"] = format!("{earlier} earlier months: narrow by dates, or raise limit.").into();
    }
    answer
}

pub fn budget(status: &BudgetStatus, with_spending: bool) -> Value {
    let budget = &status.budget;
    let mut told = json!({
        "budget": budget.name, "category": status.category, "amount": decimal(budget.amount, budget.currency),
        "currency": budget.currency, "each": budget.period, "id": budget.id.to_string(),
    });
    if !with_spending {
        return told;
    }
    let put = |told: &mut Value, name: &str, amount: i64| told[name] = decimal(amount, budget.currency);
    told["period"] = status.period.to_string().into();
    told["status"] = status.pace.as_str().into();
    put(&mut told, "spent", status.spent);
    put(&mut told, "left", status.left);
    told["daysLeft"] = status.days_left.into();
    if let Some(percent) = status.percent {
        told["usedPercent"] = percent.into();
    }
    if let Some(per_day) = status.left_per_day {
        put(&mut told, "leftPerDay", per_day);
    }
    if status.days_left > 1 {
        put(&mut told, "projected", status.projected);
    }
    if budget.rolls_over {
        put(&mut told, "carriedOver", status.carried);
        put(&mut told, "available", status.available);
    }
    if !status.uncounted.is_empty() {
        told["notCounted"] =
            format!("{} in other currencies", amounts(status.uncounted.iter().copied())).into();
    }
    told
}

pub fn goal(progress: &GoalProgress) -> Value {
    let goal = &progress.goal;
    let put = |amount: i64| decimal(amount, goal.currency);
    let mut told = json!({
        "goal": goal.name, "target": put(goal.target_amount), "saved": put(progress.saved),
        "missing": put(progress.missing), "currency": goal.currency, "status": goal.status, "id": goal.id.to_string(),
    });
    if let Some(percent) = progress.percent {
        told["percent"] = percent.into();
    }
    if let Some(account) = &progress.account {
        told["account"] = account.as_str().into();
    }
    if let Some(by) = goal.target_on {
        told["targetOn"] = by.to_string().into();
    }
    if let Some(needed) = progress.needed_per_month {
        told["neededPerMonth"] = put(needed);
    }
    if let Some(is) = progress.is_on_schedule {
        told["onSchedule"] = is.into();
    }
    match &progress.projection {
        Projection::Reached => told["projection"] = "reached".into(),
        Projection::On { day, per_month, method } => {
            told["projectedOn"] = day.to_string().into();
            told["perMonth"] = put(*per_month);
            told["method"] = method.as_str().into();
        }
        Projection::Never { per_month, method } => {
            told["projection"] = "never at this pace".into();
            told["perMonth"] = put(*per_month);
            told["method"] = method.as_str().into();
        }
        Projection::Unknown { why } => told["projection"] = format!("not known. {why}").into(),
    }
    told
}

pub fn biggest(biggest: &Biggest) -> Value {
    let rows = biggest.rows.iter().map(|row| {
        let mut told = json!({
            "date": row.booked_on.to_string(), "payee": row.payee, "amount": decimal(row.amount, row.currency),
            "currency": row.currency, "category": row.category, "account": row.account, "id": row.id.to_string(),
        });
        if let Some(memo) = &row.memo {
            told["memo"] = memo.as_str().into();
        }
        told
    });
    let first = biggest.rows.first().map_or("there is none".to_owned(), |row| {
        let payee = row.payee.as_deref().unwrap_or("no payee");
        format!("{}, {payee}, on {}", Money::new(row.amount, row.currency), row.booked_on)
    });
    let side = biggest.side;
    json!({
        "answer": format!("The biggest {side} from {}: {first}.", biggest.period),
        "period": biggest.period.to_string(), "transactions": rows.collect::<Vec<_>>(),
    })
}

pub fn odd_charges(odd: &OddCharges) -> Value {
    let findings = odd.findings.iter().map(|finding: &Finding| {
        let charge = &finding.charge;
        let mut told = json!({
            "finding": finding.kind, "date": charge.booked_on.to_string(), "payee": charge.payee,
            "amount": decimal(charge.amount, charge.currency), "currency": charge.currency, "why": finding.why,
            "id": charge.id.to_string(),
        });
        if let Some(other) = &finding.other {
            told["otherId"] = other.id.to_string().into();
        }
        told
    });
    let findings: Vec<Value> = findings.collect();
    let all = i64::try_from(findings.len() + odd.left_off).unwrap_or(i64::MAX);
    let found = if all == 0 {
        "nothing that stands out".to_owned()
    } else {
        format!("{} that stand out", count(all, "charge"))
    };
    let mut answer = json!({
        "answer": format!("From {}: {found}. These are proposals: nothing was changed.", odd.period),
        "period": odd.period.to_string(), "findings": findings,
        "looked": "for the same payee and amount within 3 days, monthly charges that grew, and charges of 3 times the usual",
    });
    if odd.left_off > 0 {
        answer["more"] = format!("{} more: narrow by dates or account, or raise limit.", odd.left_off).into();
    }
    answer
}
