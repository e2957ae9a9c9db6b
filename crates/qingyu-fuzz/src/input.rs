//! Splitting of fuzzer input.

use std::future::Future;

/// Returns the bytes as text, up to the first invalid byte.
pub(crate) fn text(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).expect("it is valid up to there"),
    }
}

/// Returns the first byte, by default 0, and the rest.
pub(crate) fn choice(bytes: &[u8]) -> (u8, &[u8]) {
    bytes.split_first().map_or((0, bytes), |(first, rest)| (*first, rest))
}

/// Returns the bytes in pieces of `size`, at least a byte each.
pub(crate) fn pieces(bytes: &[u8], size: u8) -> Vec<&[u8]> {
    bytes.chunks(usize::from(size).max(1)).collect()
}

/// Runs the future to completion on the current thread.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("a runtime of one thread needs nothing").block_on(work)
}
