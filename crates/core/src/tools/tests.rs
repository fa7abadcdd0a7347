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

#[test]
fn a_preview_is_told_as_far_as_it_fits() {
    let change = |n: usize| PreviewChange {
        what: format!("row {n}"),
        field: "note\0".into(),
        old: None,
        new: Some("ä".repeat(500)),
    };
    let preview = Preview {
        sentence: "s".repeat(300),
        changes: (0..50).map(change).collect(),
        more: 2,
        seen: Vec::new(),
    };
    let told = preview.capped();
    assert_eq!((told.changes.len(), told.more, told.sentence.chars().count()), (20, 32, 201));
    assert_eq!(told.changes[0].new.as_ref().map(|new| new.chars().count()), Some(201));
    assert_eq!(told.changes[0].field, "note");
    assert_eq!(told.clone().capped(), told);
}
