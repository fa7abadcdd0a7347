//! Replays a recorded stream without a connection: the same bytes, in the same pieces, to the same events. For
//! benchmarks.

use baton_core::models::{ModelError, ModelEvent};

use crate::events::Events;
use crate::sse::SseReader;
use crate::wire::Wire;
use crate::{anthropic, openai};
use baton_core::providers::WireFormat;

/// What a model said, given the pieces in which its answer arrived.
pub fn replay(wire: WireFormat, pieces: &[impl AsRef<[u8]>]) -> Result<Vec<ModelEvent>, ModelError> {
    match wire {
        WireFormat::Anthropic => read(anthropic::stream::Machine::default(), pieces),
        WireFormat::Openai => read(openai::stream::Machine::default(), pieces),
    }
}

fn read(mut wire: impl Wire, pieces: &[impl AsRef<[u8]>]) -> Result<Vec<ModelEvent>, ModelError> {
    let (mut sse, mut events, mut all) = (SseReader::default(), Events::default(), Vec::new());
    for piece in pieces {
        sse.push(piece.as_ref()).map_err(|_| ModelError::Truncated)?;
        while let Some(data) = sse.next_event() {
            wire.data(&crate::surrogates::mended(&data), &mut events).map_err(|failure| failure.error)?;
        }
        all.extend(std::iter::from_fn(|| events.pop()));
        if matches!(all.last(), Some(ModelEvent::End { .. })) {
            return Ok(all);
        }
    }
    wire.end(&mut events)?;
    all.extend(events);
    Ok(all)
}
