//! Parses a stream of bytes into server-sent events.
//!
//! More lenient than the standard: a last event without a blank line is accepted. The bytes may be split anywhere, even
//! inside a character or between `\r` and `\n`.

/// A server-sent event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SseFrame {
    /// The event type; empty by default.
    pub(super) event: String,
    /// The data lines, joined by newlines.
    pub(super) data: String,
}

impl SseFrame {
    /// Returns the data, and whether the data ends with `[DONE]`.
    ///
    /// Servers without blank lines put several documents and the marker into a single event.
    pub(super) fn split_mark(&self) -> (&str, bool) {
        let data = self.data.trim();
        match data.strip_suffix("[DONE]") {
            Some(rest) if rest.is_empty() || rest.ends_with('\n') => (rest, true),
            _ => (data, false),
        }
    }
}

/// Parses bytes into events.
#[derive(Debug, Default)]
pub(super) struct SseDecoder {
    line: Vec<u8>,
    after_return: bool,
    past_first_line: bool,
    frame: SseFrame,
    has_data: bool,
}

impl SseDecoder {
    /// Pushes the next bytes and returns the completed events.
    pub(super) fn push(&mut self, mut bytes: &[u8]) -> Vec<SseFrame> {
        let mut frames = Vec::new();
        if self.after_return && !bytes.is_empty() {
            self.after_return = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.line.extend_from_slice(&bytes[..end]);
            let is_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            if is_return && bytes.is_empty() {
                self.after_return = true;
            } else if is_return {
                bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            }
            frames.extend(self.end_line());
        }
        self.line.extend_from_slice(bytes);
        frames
    }

    /// Returns the unfinished event at the end of the stream, if the event has data.
    pub(super) fn finish(&mut self) -> Option<SseFrame> {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.end_frame()
    }

    fn end_line(&mut self) -> Option<SseFrame> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = if self.past_first_line { &*line } else { line.strip_prefix('\u{feff}').unwrap_or(&line) };
        self.past_first_line = true;
        if line.is_empty() {
            return self.end_frame();
        }
        // A line starting with a colon is a comment: its field name is empty.
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.frame.event),
            "data" => {
                if self.has_data {
                    self.frame.data.push('\n');
                }
                self.frame.data.push_str(value);
                self.has_data = true;
            }
            _ => {}
        }
        None
    }

    fn end_frame(&mut self) -> Option<SseFrame> {
        let frame = std::mem::take(&mut self.frame);
        std::mem::take(&mut self.has_data).then_some(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<(String, String)> {
        let mut decoder = SseDecoder::default();
        let mut frames: Vec<SseFrame> = pieces.into_iter().flat_map(|piece| decoder.push(piece)).collect();
        frames.extend(decoder.finish());
        frames.into_iter().map(|frame| (frame.event, frame.data)).collect()
    }

    #[test]
    fn streams_are_cut_into_events() {
        let cases: [(&str, &[(&str, &str)]); 11] = [
            ("data: a\n\ndata: b\n\n", &[("", "a"), ("", "b")]),
            ("data: a\r\n\r\ndata: b\r\n\r\n", &[("", "a"), ("", "b")]),
            ("data: a\r\rdata: b\r\r", &[("", "a"), ("", "b")]),
            ("data:a\n\n", &[("", "a")]),
            ("data:  a\n\n", &[("", " a")]),
            (": keep-alive\n\ndata: a\n: x\ndata: b\n\n", &[("", "a\nb")]),
            ("event: ping\ndata: {}\nid: 1\nretry: 2\n\n", &[("ping", "{}")]),
            ("event: nothing\n\ndata: a\n\n", &[("", "a")]),
            ("data: a\n\ndata: last", &[("", "a"), ("", "last")]),
            ("\u{feff}data: 雪\n\n\n\n", &[("", "雪")]),
            ("data\n\n", &[("", "")]),
        ];
        for (stream, expected) in cases {
            let expected: Vec<_> = expected.iter().map(|(event, data)| ((*event).into(), (*data).into())).collect();
            assert_eq!(decode([stream.as_bytes()]), expected, "{stream:?} in one piece");
            assert_eq!(decode(stream.as_bytes().chunks(1)), expected, "{stream:?} byte by byte");
        }
    }
}
