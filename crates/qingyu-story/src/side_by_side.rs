//! Parallel processing of lists on all processors.

/// Returns the results of `work` on the items, in order: on the calling thread if fewer than `many`, else with a thread
/// per processor.
pub(crate) fn side_by_side<T: Sync, R: Send>(items: &[T], many: usize, work: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    let threads = if items.len() < many.max(2) { 1 } else { processors() };
    if threads == 1 {
        return work(items);
    }
    let work = &work;
    std::thread::scope(|scope| {
        let parts = items.chunks(items.len().div_ceil(threads));
        let workers: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("the work does not panic")).collect()
    })
}

/// Returns the number of available processors. The call takes as long as processing a small list, so use only for long
/// lists.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn the_order_is_kept() {
        let items: Vec<u32> = (0..1000).collect();
        for many in [0, 10, 5000] {
            let made = side_by_side(&items, many, |part| part.iter().map(|item| item * 2).collect());
            assert!(made.iter().zip(&items).all(|(made, item)| *made == item * 2) && made.len() == 1000);
        }
        assert!(side_by_side(&items[..0], 0, <[u32]>::to_vec).is_empty());
    }
}
