use baton_core::attachments::AttachmentRef;
use baton_core::ids::{AgentId, WorkspaceId};
use chrono::DateTime;

use super::*;

fn about(media_type: &str, size: u64) -> AttachmentRef {
    AttachmentRef { id: FileId::new(), name: "x".into(), media_type: media_type.into(), size }
}

fn sent(attachments: Vec<AttachmentRef>) -> LoggedStep {
    let step = Step::User { content: "Look".into(), attachments, web_search: false, synthetic: false };
    let at = DateTime::UNIX_EPOCH;
    LoggedStep { seq: 1, task_id: None, agent_id: AgentId::new(), message_id: None, step, at }
}

#[test]
fn the_newest_files_are_read_each_once_as_far_as_there_is_room() {
    let texts: Vec<_> = (0..30).map(|_| about("text/plain", 5_000_000)).collect();
    let (old, new) = (about("image/png", 9_000_000), about("image/png", 9_000_000));
    let log = [
        sent(vec![old.clone()]),
        sent(texts.clone()),
        sent(vec![new.clone(), texts[0].clone()]),
        sent(vec![new.clone()]),
    ];
    let Wanted { ids, left_out } = wanted(&log);
    assert_eq!(ids[..3], [new.id, texts[0].id, texts[29].id], "the newest first");
    assert_eq!(ids.len(), 1 + MAX_TEXT_BYTES as usize / MAX_INLINED);
    assert!(matches!(left_out.get(&old.id), Some(FileContent::LeftOut)));
    assert!(matches!(left_out.get(&texts[1].id), Some(FileContent::Text(text)) if text == TOO_FAR_BACK));
    assert_eq!(ids.len() + left_out.len(), 32);
}

#[test]
fn a_cut_text_says_so_and_ends_with_a_whole_character() {
    let shown = |bytes: &[u8], size| {
        let about = about("text/plain", size);
        let (workspace_id, created_at) = (WorkspaceId::new(), DateTime::UNIX_EPOCH);
        match content(Attachment { about, workspace_id, bytes: bytes.to_vec(), created_at }) {
            FileContent::Text(text) => text,
            _ => panic!("a text"),
        }
    };
    assert_eq!(shown("Grüße".as_bytes(), 7), "Grüße");
    let cut = shown(&"Grüße".as_bytes()[..5], 7);
    assert_eq!(cut, "Grü\n[The file has 7 bytes; these were the first 4.]");
}
