use super::*;

#[test]
fn who_is_asked_before_what() {
    use PermissionMode::{AcceptEdits, BypassPermissions, Default};
    let sends = Nature { outside: true, ..Nature::WRITES };
    let looks_up = Nature { outside: true, ..Nature::READS };
    let table = [
        (Nature::READS, [false, false, false]),
        (looks_up, [false, false, false]),
        (Nature::WRITES, [true, false, false]),
        (sends, [true, true, false]),
        (Nature::UNKNOWN, [true, true, false]),
    ];
    for (nature, asked) in table {
        let modes = [Default, AcceptEdits, BypassPermissions];
        assert_eq!(modes.map(|mode| nature.needs_approval(mode)), asked, "{nature:?}");
    }
}
