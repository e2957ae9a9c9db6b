//! Bytes taken apart.

use std::future::Future;

/// The bytes as text, up to the first that are none.
pub(crate) fn text(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).expect("it is valid up to there"),
    }
}

/// The first byte, and the rest; 0 if there is none.
pub(crate) fn choice(bytes: &[u8]) -> (u8, &[u8]) {
    bytes.split_first().map_or((0, bytes), |(first, rest)| (*first, rest))
}

/// The bytes in pieces of `size`, at least one byte each.
pub(crate) fn pieces(bytes: &[u8], size: u8) -> Vec<&[u8]> {
    bytes.chunks(usize::from(size).max(1)).collect()
}

/// Runs `work` to its end on this thread.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("a runtime of one thread needs nothing").block_on(work)
}
