//! Reads server-sent events as bytes arrive: the name and the data of each. The data is always one line here.

use memchr::memchr;

#[derive(Default)]
pub struct Events {
    /// A line whose end has not arrived.
    line: Vec<u8>,
    name: Vec<u8>,
}

impl Events {
    /// Takes bytes and gives out the events that they complete.
    pub fn push(&mut self, mut bytes: &[u8], mut event: impl FnMut(&[u8], &[u8])) {
        while let Some(end) = memchr(b'\n', bytes) {
            if self.line.is_empty() {
                take(&mut self.name, &bytes[..end], &mut event);
            } else {
                self.line.extend_from_slice(&bytes[..end]);
                let line = std::mem::take(&mut self.line);
                take(&mut self.name, &line, &mut event);
            }
            bytes = &bytes[end + 1..];
        }
        self.line.extend_from_slice(bytes);
    }
}

fn take(name: &mut Vec<u8>, line: &[u8], event: &mut impl FnMut(&[u8], &[u8])) {
    if line.is_empty() {
        name.clear();
    } else if let Some(data) = line.strip_prefix(b"data: ") {
        event(name, data);
    } else if let Some(said) = line.strip_prefix(b"event: ") {
        name.clear();
        name.extend_from_slice(said);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_cut_anywhere() {
        let text = b": \n\nid: 1.0\nevent: text\ndata: {\"a\":1}\n\ndata: [DONE]\n\n";
        for size in 1..text.len() {
            let (mut events, mut seen) = (Events::default(), Vec::new());
            for piece in text.chunks(size) {
                events.push(piece, |name, data| {
                    seen.push(format!("{}={}", String::from_utf8_lossy(name), String::from_utf8_lossy(data)));
                });
            }
            assert_eq!(seen, ["text={\"a\":1}", "=[DONE]"], "by {size}");
        }
    }
}
