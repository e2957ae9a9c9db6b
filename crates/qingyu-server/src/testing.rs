//! For tests: what reads the wire, without a wire.

/// The events in the stream of a run that comes in `pieces`, as the client reads them: the number, the kind and the data of each.
pub fn run_events(pieces: &[&[u8]]) -> Vec<(Option<u64>, String, String)> {
    crate::client::events(pieces)
}
