use super::*;

#[test]
fn who_may_assign_which_role() {
    use Role::{Admin, Member, Owner};
    let table = [
        (Owner, Owner, true),
        (Owner, Admin, true),
        (Owner, Member, true),
        (Admin, Owner, false),
        (Admin, Admin, true),
        (Admin, Member, true),
        (Member, Member, false),
        (Member, Owner, false),
    ];
    for (actor, role, allowed) in table {
        assert_eq!(actor.may_assign(role), allowed, "{actor} assigning {role}");
    }
}
