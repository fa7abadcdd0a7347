use super::*;

fn at(text: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(text).expect("a time").with_timezone(&Utc)
}

fn row(id: u128, cost_micros: i64, is_open: bool, when: &str) -> Counted {
    Counted {
        id: Uuid::from_u128(id),
        workspace_id: WorkspaceId(Uuid::from_u128(1)),
        profile_id: Some(ProfileId(Uuid::from_u128(2))),
        is_public: false,
        paid_by: PaidBy::Server,
        is_open,
        cost_micros,
        at: at(when),
    }
}

#[test]
fn a_row_counts_once_however_often_it_comes() {
    let here = Account::Workspace(WorkspaceId(Uuid::from_u128(1)));
    let now = at("2026-11-18T10:00:00Z");
    let mut ledger = Ledger::default();
    let spent = |ledger: &Ledger, since: &str| ledger.spent(here, at(since), None);
    ledger.count(row(7, 900, true, "2026-11-18T09:50:00Z"), now);
    assert_eq!(spent(&ledger, "2026-11-18T00:00:00Z"), 900, "reserved");
    assert_eq!(ledger.spent(here, at("2026-11-18T00:00:00Z"), Some(Uuid::from_u128(7))), 0, "but its own");
    // Settled later: it stays where it was opened.
    ledger.count(row(7, 300, false, "2026-11-18T10:20:00Z"), now);
    ledger.count(row(7, 300, false, "2026-11-18T10:20:00Z"), now);
    assert_eq!(spent(&ledger, "2026-11-18T00:00:00Z"), 300, "settled, and heard of twice");
    assert_eq!(spent(&ledger, "2026-11-18T10:15:00Z"), 0, "opened before");
    ledger.count(row(8, 50, false, "2026-11-18T10:31:00Z"), now);
    assert_eq!(spent(&ledger, "2026-11-18T10:15:00Z"), 50);
    for account in [Account::Server, Account::Person(ProfileId(Uuid::from_u128(2)))] {
        assert_eq!(ledger.spent(account, at("2026-11-18T00:00:00Z"), None), 350, "{account:?}");
    }
    assert_eq!(
        ledger.spent(Account::Public(WorkspaceId(Uuid::from_u128(1))), at("2026-11-18T00:00:00Z"), None),
        0
    );
}

#[test]
fn what_no_day_counts_is_forgotten_and_what_is_open_is_not() {
    let mut ledger = Ledger::default();
    let begun = at("2026-11-18T10:00:00Z");
    ledger.count(row(1, 10, false, "2026-11-18T10:00:00Z"), begun);
    ledger.count(row(2, 20, true, "2026-11-18T10:00:00Z"), begun);
    ledger.forget_old(at("2026-11-18T18:00:00Z"));
    assert_eq!(ledger.rows.keys().collect::<Vec<_>>(), [&Uuid::from_u128(2)]);
    ledger.count(row(2, 5, false, "2026-11-18T18:00:00Z"), at("2026-11-18T18:00:00Z"));
    assert_eq!(ledger.spent(Account::Server, at("2026-11-18T00:00:00Z"), None), 15);
    ledger.forget_old(at("2026-11-19T13:00:00Z"));
    assert!(ledger.sums.is_empty() && ledger.rows.is_empty());
}

#[test]
fn sums_that_were_stored_and_rows_that_are_open_begin_it() {
    let (workspace_id, now) = (WorkspaceId(Uuid::from_u128(1)), at("2026-11-18T10:00:00Z"));
    let quarter = quarter(at("2026-11-18T09:00:00Z"));
    let settled = SettledSum {
        workspace_id,
        profile_id: None,
        is_public: true,
        paid_by: PaidBy::Server,
        quarter,
        cost_micros: 40,
    };
    let rows = vec![row(3, 7, true, "2026-11-18T09:59:00Z")];
    let ledger = Ledger::new(SpentLately { settled: vec![settled], rows, read_at: now }, now);
    let since = at("2026-11-18T00:00:00Z");
    assert_eq!(ledger.spent(Account::Workspace(workspace_id), since, None), 47);
    assert_eq!(ledger.spent(Account::Public(workspace_id), since, None), 40);
}

#[test]
fn every_limit_that_holds_is_named_with_its_own_day() {
    let (workspace_id, person) = (WorkspaceId::new(), ProfileId::new());
    let now = at("2026-11-15T01:00:00Z");
    let (here, today) = (at("2026-11-14T05:00:00Z"), at("2026-11-15T00:00:00Z"));
    let member = Spender {
        workspace_id,
        time_zone: "America/New_York",
        workspace_cap: None,
        public_cap: None,
        profile_id: Some(person),
        paid_by: PaidBy::Server,
    };
    let check = |caps: SpendCaps, spender: Spender<'_>, expected: &[(Cap, Account, i64, DateTime<Utc>)]| {
        let limits = caps.limits(&spender, now);
        let told: Vec<_> =
            limits.iter().map(|one| (one.cap, one.account, one.cap_micros, one.since)).collect();
        assert_eq!(told, expected);
    };
    let workspace = Account::Workspace(workspace_id);
    check(SpendCaps::default(), member, &[]);
    let own = (Cap::Workspace, workspace, 5, here);
    check(SpendCaps::default(), Spender { workspace_cap: Some(5), ..member }, &[own]);
    let all = SpendCaps { server: Some(9), workspace: Some(3), person: Some(2) };
    let each_person = (Cap::EachPerson, Account::Person(person), 2, today);
    let each_workspace = (Cap::EachWorkspace, Account::PaidFor(workspace_id), 3, today);
    let server = (Cap::Server, Account::Server, 9, today);
    let capped = Spender { workspace_cap: Some(5), ..member };
    check(all, capped, &[each_person, own, each_workspace, server]);
    let own_provider = Spender { paid_by: PaidBy::Workspace, ..capped };
    check(all, own_provider, &[own]);
    check(all, member, &[each_person, each_workspace, server]);
    let visitor = Spender { public_cap: Some(1), profile_id: None, ..capped };
    let public = (Cap::Public, Account::Public(workspace_id), 1, here);
    check(all, visitor, &[public, own, each_workspace, server]);
}

#[test]
fn each_call_has_a_row_of_its_own() {
    let (here, there) = (ConversationId::new(), ConversationId::new());
    let calls = [
        CallRef::Agent { seq: 1 },
        CallRef::Agent { seq: 2 },
        CallRef::Router { seq: 1, attempt: 1 },
        CallRef::Router { seq: 1, attempt: 2 },
    ];
    let ids: std::collections::HashSet<Uuid> =
        calls.iter().flat_map(|call| [call.row_id(here), call.row_id(there)]).collect();
    assert_eq!(ids.len(), 8);
    for call in calls {
        assert_eq!(call.row_id(here), call.row_id(here), "found again");
        assert_eq!(CallRef::of(call.seq(), call.router_attempt()), call);
    }
}

#[test]
fn what_a_workspace_pays_itself_counts_for_itself_alone() {
    let now = at("2026-11-18T10:00:00Z");
    let mut ledger = Ledger::default();
    let own = Counted { paid_by: PaidBy::Workspace, ..row(1, 1_000, false, "2026-11-18T09:00:00Z") };
    ledger.count(own, now);
    ledger.count(row(2, 5, false, "2026-11-18T09:00:00Z"), now);
    let settled = SettledSum {
        workspace_id: own.workspace_id,
        profile_id: own.profile_id,
        is_public: true,
        paid_by: PaidBy::Workspace,
        quarter: quarter(now),
        cost_micros: 40,
    };
    let lately = SpentLately { settled: vec![settled], rows: vec![own], read_at: now };
    let begun = Ledger::new(lately, now);
    let (here, person) = (own.workspace_id, own.profile_id.expect("a person"));
    let table = [
        (Account::Workspace(here), 1_005, 1_040),
        (Account::Public(here), 0, 40),
        (Account::PaidFor(here), 5, 0),
        (Account::Server, 5, 0),
        (Account::Person(person), 5, 0),
    ];
    for (account, counted, read) in table {
        let since = at("2026-11-18T00:00:00Z");
        assert_eq!(ledger.spent(account, since, None), counted, "{account:?}");
        assert_eq!(begun.spent(account, since, None), read, "{account:?}");
    }
}
