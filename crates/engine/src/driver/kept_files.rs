//! Files of results: kept for the person before the result that names them is stored. Where there is no room the result is told
//! all the same, and says so.

use baton_core::attachments::AttachmentRef;
use baton_core::result_files::{NewResultFiles, of_result};
use baton_core::store::Error;
use serde_json::{Value, json};

use super::{Gone, Work};
use crate::driver::outage::Outage;
use crate::driver::tool_calls::Answer;

const NO_ROOM: &str = "The workspace is full, so the person can't open the files of this result.";
const NOT_KEPT: &str = "The files of this result could not be kept, so the person can't open them.";
const NOT_ALL: &str = "The files of this result are too large or too many to keep all of them.";

impl Work {
    /// Keeps what an answer has for the person, and names it in the result.
    pub(super) async fn keep(&self, answer: &mut Answer) -> Result<(), Gone> {
        let driver = &self.driver;
        // People at a public address are shown nothing of what tools answer.
        if answer.kept.is_empty() || driver.assignment.is_public {
            return Ok(());
        }
        let (files, is_whole) = of_result(std::mem::take(&mut answer.kept));
        let (workspace_id, conversation_id) = (driver.seat.workspace_id, driver.seat.id);
        let new = NewResultFiles { workspace_id, conversation_id, seq: answer.seq, files };
        let (kept, note) = match self.keep_files(&new).await? {
            Ok(kept) => (kept, (!is_whole).then_some(NOT_ALL)),
            Err(why) => (Vec::new(), Some(why)),
        };
        answer.result.kept = kept;
        if let Some(note) = note {
            answer.result.result = noted(answer.result.result.take(), note);
        }
        Ok(())
    }

    /// Or why they are not kept. A database that doesn't answer is waited for.
    async fn keep_files(
        &self,
        new: &NewResultFiles,
    ) -> Result<Result<Vec<AttachmentRef>, &'static str>, Gone> {
        let (engine, mut outage) = (&self.driver.engine, Outage::new());
        let bytes = new.files.iter().map(|(_, bytes)| bytes.len()).sum();
        let mut has_room = false;
        loop {
            let kept = async {
                if !has_room && !engine.room.take(new.workspace_id, bytes).await? {
                    return Ok(Err(NO_ROOM));
                }
                has_room = true;
                engine.store.keep_result_files(new).await.map(Ok)
            };
            match self.told_while(&mut outage, kept).await? {
                Ok(outcome) => return Ok(outcome),
                Err(error @ Error::Unavailable) => self.wait_out(&mut outage, &error).await?,
                Err(error) => {
                    let conversation = self.driver.seat.id;
                    tracing::warn!(%error, %conversation, "the files of a result could not be kept");
                    return Ok(Err(NOT_KEPT));
                }
            }
        }
    }
}

/// A result with a word about it.
fn noted(result: Value, note: &str) -> Value {
    match result {
        Value::Object(mut told) if !told.contains_key("note") => {
            told.insert("note".to_owned(), json!(note));
            Value::Object(told)
        }
        other => json!({"result": other, "note": note}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_changes_nothing_that_is_there() {
        for (result, told) in [
            (json!("text"), json!({"result": "text", "note": "n"})),
            (json!({"a": 1}), json!({"a": 1, "note": "n"})),
            (json!({"note": "its own"}), json!({"result": {"note": "its own"}, "note": "n"})),
            (json!([1]), json!({"result": [1], "note": "n"})),
        ] {
            assert_eq!(noted(result, "n"), told);
        }
    }
}
