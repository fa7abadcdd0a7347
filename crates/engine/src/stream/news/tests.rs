use baton_core::notices::{Audience, Happened};
use tokio::sync::broadcast::error::TryRecvError;

use super::*;

#[test]
fn what_happens_in_one_workspace_wakes_nobody_elsewhere() {
    let (room, ours, theirs) = (Newsroom::default(), WorkspaceId::new(), WorkspaceId::new());
    let happens = |workspace_id| {
        let happened = Happened::WorkspaceChanged {};
        room.report(Notice { workspace_id, audience: Audience::Members, happened });
    };
    happens(ours);
    let (mut here, mut there) = (room.listen(ours), room.listen(theirs));
    assert_eq!(here.try_recv().expect_err("it was before"), TryRecvError::Empty);
    happens(ours);
    assert!(matches!(here.try_recv(), Ok(News::Notice(notice)) if notice.workspace_id == ours));
    assert_eq!(there.try_recv().expect_err("not theirs"), TryRecvError::Empty);
    room.report_missed();
    assert!(matches!((here.try_recv(), there.try_recv()), (Ok(News::Missed), Ok(News::Missed))));
    drop((here, there));
    happens(ours);
    room.report_missed();
    assert!(lock(&room.0).is_empty(), "where nobody looks there is nothing");
}
