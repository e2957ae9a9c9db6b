//! Masks keys echoed by a provider by value before any other code sees the response, so that no key gets into errors,
//! events, recordings or databases.

use serde_json::Value;

use crate::{ChatEvent, Error, Reply};

/// The replacement of a secret.
const MASK: &str = "***";
/// Minimum length of a secret; shorter values may be ordinary words.
const SHORTEST: usize = 8;

/// The secrets sent to a provider.
#[derive(Clone, Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    pub(super) fn new(values: impl IntoIterator<Item = String>) -> Self {
        Self(values.into_iter().filter(|value| value.len() >= SHORTEST).collect())
    }

    /// Masks each secret in the text.
    pub(super) fn mask(&self, text: &mut String) {
        for secret in &self.0 {
            if text.contains(secret.as_str()) {
                *text = text.replace(secret.as_str(), MASK);
            }
        }
    }

    fn mask_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.mask(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.mask_value(value)),
            Value::Object(fields) => fields.iter_mut().for_each(|(_, value)| self.mask_value(value)),
            _ => {}
        }
    }

    /// Masks the answer in the event: a secret split over several events is complete only there.
    pub(super) fn mask_event(&self, mut event: ChatEvent) -> ChatEvent {
        if let ChatEvent::Done(reply) = &mut event
            && !self.0.is_empty()
        {
            let Reply { text, reasoning, tool_calls, raw, .. } = &mut **reply;
            self.mask(text);
            self.mask(reasoning);
            self.mask_value(raw);
            for call in tool_calls {
                self.mask(&mut call.arguments);
            }
        }
        event
    }

    /// Masks the partial answer in the error.
    pub(super) fn mask_failure(&self, mut error: Error) -> Error {
        if let Error::Truncated { partial } = &mut error {
            self.mask(partial);
        }
        error
    }

    /// Returns a masking filter for streamed bytes.
    pub(super) fn bytes(&self) -> MaskedBytes {
        MaskedBytes { secrets: self.clone(), held: Vec::new() }
    }
}

/// Shows the number of secrets, not their values.
impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} values", self.0.len())
    }
}

/// Masks secrets in streamed bytes, even across chunk boundaries: a possible start of a secret is buffered until
/// decided.
#[derive(Debug)]
pub(super) struct MaskedBytes {
    secrets: Secrets,
    held: Vec<u8>,
}

impl MaskedBytes {
    /// Pushes the next chunk and returns the bytes to pass on.
    pub(super) fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        if self.secrets.0.is_empty() {
            return piece.to_vec();
        }
        self.held.extend_from_slice(piece);
        for secret in &self.secrets.0 {
            replace(&mut self.held, secret.as_bytes());
        }
        let begun = |secret: &String| {
            let longest = (secret.len() - 1).min(self.held.len());
            (1..=longest).rev().find(|length| self.held.ends_with(&secret.as_bytes()[..*length])).unwrap_or(0)
        };
        let back = self.secrets.0.iter().map(begun).max().unwrap_or(0);
        let rest = self.held.split_off(self.held.len() - back);
        std::mem::replace(&mut self.held, rest)
    }

    /// Returns the buffered bytes at the end.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }
}

fn replace(bytes: &mut Vec<u8>, secret: &[u8]) {
    let mut at = 0;
    while let Some(found) = bytes[at..].windows(secret.len()).position(|window| window == secret) {
        let start = at + found;
        bytes.splice(start..start + secret.len(), MASK.bytes());
        at = start + MASK.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_masked_however_its_bytes_are_cut() {
        let secrets = Secrets::new(["sk-0123456789".to_owned(), "short".to_owned()]);
        let text = "雪 sk-0123456789, sk-01 sk-sk-0123456789 short sk-0";
        for size in 1..=text.len() {
            let mut masked = secrets.bytes();
            let mut out: Vec<u8> = text.as_bytes().chunks(size).flat_map(|piece| masked.push(piece)).collect();
            out.extend(masked.finish());
            assert_eq!(String::from_utf8(out).unwrap(), "雪 ***, sk-01 sk-*** short sk-0");
        }
    }

    #[test]
    fn a_secret_that_came_in_pieces_is_masked_in_the_answer() {
        let secrets = Secrets::new(["sk-0123456789".to_owned()]);
        let reply = Reply {
            text: "key sk-0123456789".into(),
            raw: serde_json::json!([{"thinking": "sk-0123456789"}]),
            ..Reply::default()
        };
        let ChatEvent::Done(reply) = secrets.mask_event(ChatEvent::Done(Box::new(reply))) else { panic!() };
        assert_eq!((&*reply.text, reply.raw.to_string()), ("key ***", r#"[{"thinking":"***"}]"#.to_owned()));
    }
}
