//! A queue of events that were read and not yet given out.

use std::collections::VecDeque;

use baton_core::models::ModelEvent;

/// A queue in which words that arrived together become one event: under load there are fewer, larger ones.
#[derive(Debug, Default)]
pub struct Events(VecDeque<ModelEvent>);

impl Events {
    pub fn text(&mut self, more: String) {
        if more.is_empty() {
            return;
        }
        match self.0.back_mut() {
            Some(ModelEvent::Text(text)) => text.push_str(&more),
            _ => self.0.push_back(ModelEvent::Text(more)),
        }
    }

    pub fn reasoning(&mut self, more: String) {
        if more.is_empty() {
            return;
        }
        match self.0.back_mut() {
            Some(ModelEvent::Reasoning(text)) => text.push_str(&more),
            _ => self.0.push_back(ModelEvent::Reasoning(more)),
        }
    }

    pub fn push(&mut self, event: ModelEvent) {
        self.0.push_back(event);
    }

    pub fn pop(&mut self) -> Option<ModelEvent> {
        self.0.pop_front()
    }

    /// Whether the answer has ended.
    pub fn has_ended(&self) -> bool {
        matches!(self.0.back(), Some(ModelEvent::End { .. }))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl IntoIterator for Events {
    type Item = ModelEvent;
    type IntoIter = std::collections::vec_deque::IntoIter<ModelEvent>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
