//! How a simulation ends: nothing fails any more, every turn ends, every reader catches up, and then everything is
//! checked.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use baton_core::log::Step;
use baton_core::subtasks::{MAX_DEPTH, came};
use baton_core::tools::Nature;

use super::backend::Tick;
use super::client::Patience;
use super::cluster::{Cluster, Slot};
use super::memory_rows::Row;
use super::requests::short;
use super::well_formed;
use crate::lock::lock;
use crate::node::engine::Engine;

/// By real time, and generously: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(90);

/// Prints a log when a check of it fails.
struct ToldIfWrong<'a>(&'a Row);

impl Drop for ToldIfWrong<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{:#?}", short(&self.0.steps));
        }
    }
}

impl Cluster {
    /// Nothing fails any more, and everything comes to its end.
    pub(super) fn settle(&mut self) {
        self.database.calm();
        // Leases are renewed again, too.
        self.nodes.iter().for_each(|node| self.database.revive(node.engine.0.node()));
        let mut quiet = 0;
        let begun = Instant::now();
        for round in 0.. {
            for node in 0..self.nodes.len() {
                self.looks(node);
                self.decide(node);
                self.run(node, 60);
            }
            let rows: Vec<_> =
                self.database.conversations().iter().map(|id| self.database.row(*id)).collect();
            if rows.iter().all(|row| row.turn.is_none())
                && self.nodes.iter().all(|node| node.engine.running() == 0)
            {
                quiet += 1;
            } else {
                quiet = 0;
            }
            // Someone may still be sending.
            if quiet > 10 {
                break;
            }
            let turns: Vec<_> = rows.iter().filter_map(|row| row.turn).collect();
            assert!(self.has_time(round, begun), "turns that never end: {turns:?}");
        }
        for round in 0.. {
            let behind: Vec<Arc<Slot>> = lock(&self.slots)
                .iter()
                .filter(|slot| {
                    let client = lock(&slot.client);
                    client.cursor.seq < self.database.last_seq(client.conversation)
                })
                .cloned()
                .collect();
            if behind.is_empty() {
                break;
            }
            assert!(self.has_time(round, begun), "readers that never hear the end");
            for slot in behind.into_iter().filter(|slot| !slot.is_busy.load(Ordering::Relaxed)) {
                let node = self.some_node();
                self.connect(node, slot, Patience::Endless);
            }
            for node in 0..self.nodes.len() {
                self.looks(node);
                self.run(node, 60);
            }
        }
    }

    /// Where time goes by itself, nodes look by themselves.
    fn looks(&mut self, node: usize) {
        if self.database.tick() == Tick::Turns {
            self.claim(node);
            self.look(node);
        }
    }

    /// Whether what has not come to its end still may.
    fn has_time(&self, round: usize, begun: Instant) -> bool {
        // An agent that asked another looks every other second by the clock, however fast the dice are thrown.
        if self.database.tick() == Tick::Turns && round >= 300 {
            std::thread::sleep(Duration::from_millis(5));
        }
        begun.elapsed() < PATIENCE
    }

    /// Each subtask is there once, under who asked for it; its answer is what the call was given.
    fn check_subtasks(&self, row: &Row) {
        for logged in &row.steps {
            let Step::SubtaskCreated(created) = &logged.step else { continue };
            let child = self.database.row(created.conversation_id);
            let subtask = child.conversation.subtask.expect("a subtask");
            let depth = row.conversation.subtask.map_or(0, |own| own.depth) + 1;
            assert_eq!(
                (subtask.parent_id, subtask.depth, created.depth),
                (row.conversation.id, depth, depth)
            );
            assert!(depth <= MAX_DEPTH && child.approvals.is_empty() && child.activations.len() == 1);
            let asked = child.steps.iter().filter(|step| matches!(step.step, Step::User { .. })).count();
            assert_eq!(asked, 1, "asked once");
            let answered = row.steps.iter().find_map(|step| match &step.step {
                Step::ToolResult(result) if result.call_id == created.call_id => Some(result),
                _ => None,
            });
            let answered = answered.expect("an answer");
            let came = came(&created.agent_name, created.task_id, &child.steps).expect("an end");
            if answered.success {
                assert_eq!(Ok(answered.result.as_str().unwrap_or_default().to_owned()), came.answer);
            }
        }
    }

    /// What a node keeps of a log is what is stored.
    fn check_kept(&self, engine: &Engine) {
        for (id, kept) in engine.0.kept.all() {
            let row = self.database.row(id);
            let _log = ToldIfWrong(&row);
            let first = kept.steps.first().map_or(1, |first| first.seq);
            assert!(first == 1 || kept.is_cut, "it says what it left out");
            let stored = row.steps.iter().filter(|step| (first..=kept.last_seq).contains(&step.seq));
            assert_eq!(kept.steps.iter().collect::<Vec<_>>(), stored.collect::<Vec<_>>());
            if kept.last_seq == row.conversation.last_seq {
                let held = kept.activations.as_ref().is_none_or(|held| *held == row.activations);
                assert!(held, "{:?} is kept, {:?} is stored", kept.activations, row.activations);
                for (stage, data) in kept.snapshots.iter().flatten() {
                    let newest = row.snapshots.iter().rfind(|(of, _)| of == stage);
                    assert_eq!(newest.map(|(_, data)| data), Some(data), "the newest result of {stage}");
                }
            }
        }
    }

    pub(super) fn check(&self) {
        let wrong = lock(&self.world.wrong).first().cloned();
        assert_eq!(wrong, None, "a request no vendor takes");
        for id in self.database.conversations() {
            let row = self.database.row(id);
            let _log = ToldIfWrong(&row);
            well_formed::check(&row);
            self.check_subtasks(&row);
            for logged in &row.steps {
                if let Step::ToolCall(call) = &logged.step
                    && call.nature == Some(Nature::UNKNOWN)
                {
                    let key = call.args["key"].as_str().unwrap_or_default();
                    let times = lock(&self.world.ledger).get(key).copied().unwrap_or(0);
                    assert!(times <= 1, "{}: other people's tool was called {times} times", logged.seq);
                }
            }
        }
        let rows: Vec<Row> = self.database.conversations().iter().map(|id| self.database.row(*id)).collect();
        self.database.check_rest(&rows);
        for logged in rows.iter().flat_map(|row| &row.steps) {
            let Step::User { content, .. } = &logged.step else { continue };
            assert!(
                !lock(&self.refused).contains(content),
                "taken, although the person was told otherwise: {content}"
            );
        }
        self.nodes.iter().for_each(|node| self.check_kept(&node.engine));
        for (id, task) in lock(&self.begun).iter() {
            let row = self.database.row(*id);
            assert!(row.steps.iter().any(|step| step.task_id == Some(*task)), "a turn that was lost");
        }
        for slot in lock(&self.slots).iter() {
            let row = self.database.row(lock(&slot.client).conversation);
            let _log = ToldIfWrong(&row);
            lock(&slot.client).agrees_with(self.database.as_ref());
        }
    }
}
