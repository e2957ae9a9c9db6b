//! Work that computes is kept off the threads that serve everybody.
//!
//! A request that counts the words of a long chapter would hold one of the runtime's few workers for seconds, and everybody
//! whose connection that worker serves would wait. [`off_workers`] gives the worker back for the time of each step of such a
//! future; how many compute at once has a limit of its own.

use std::cell::Cell;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, ready};

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Semaphore;
use tokio_util::sync::PollSemaphore;

/// The permits of all that compute in this process: one for each core, and two at least, so that one long computation does not
/// hold up all others.
static PERMITS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZeroUsize::get);
    Arc::new(Semaphore::new(cores.max(2)))
});

thread_local! {
    /// Whether this thread computes with a permit. What such a future holds inside needs none of its own: the two would wait for
    /// each other.
    static COMPUTES: Cell<bool> = const { Cell::new(false) };
}

/// A future whose steps compute; made by [`off_workers`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct OffWorkers<F> {
    future: Pin<Box<F>>,
    permits: PollSemaphore,
}

/// The same future, whose steps hold no worker of the runtime while they compute, each with one of the process's permits.
///
/// While it waits it holds no permit. In a runtime of one thread there is no other worker, and nothing is different.
pub fn off_workers<F: Future>(future: F) -> OffWorkers<F> {
    OffWorkers { future: Box::pin(future), permits: PollSemaphore::new(Arc::clone(&PERMITS)) }
}

/// Whether the step that asks is one of a future made by [`off_workers`], in a runtime of several threads.
pub(crate) fn is_off_workers() -> bool {
    COMPUTES.get()
}

impl<F: Future> Future for OffWorkers<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let has_others = Handle::try_current().is_ok_and(|here| here.runtime_flavor() == RuntimeFlavor::MultiThread);
        if !has_others || COMPUTES.get() {
            return self.future.as_mut().poll(context);
        }
        // It is never closed.
        let permit = ready!(self.permits.poll_acquire(context));
        let polled = tokio::task::block_in_place(|| {
            let _computing = Computing::begin();
            self.future.as_mut().poll(context)
        });
        drop(permit);
        polled
    }
}

/// Says that this thread computes, also if the future panics.
struct Computing;

impl Computing {
    fn begin() -> Self {
        COMPUTES.set(true);
        Self
    }
}

impl Drop for Computing {
    fn drop(&mut self) {
        COMPUTES.set(false);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// Computes, and never lets anybody else go on.
    fn compute(duration: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < duration {
            std::hint::spin_loop();
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn others_are_served_while_many_compute() {
        let begun = Instant::now();
        let computing: Vec<_> =
            (0..4).map(|_| tokio::spawn(off_workers(async { compute(Duration::from_millis(400)) }))).collect();
        tokio::time::sleep(Duration::from_millis(20)).await;
        tokio::spawn(async {}).await.unwrap();
        assert!(begun.elapsed() < Duration::from_millis(400), "somebody who only asks waits for no computation");
        futures::future::join_all(computing).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn one_inside_another_waits_for_no_permit() {
        let nested = || off_workers(async { off_workers(async { tokio::task::yield_now().await }).await });
        let all = futures::future::join_all((0..100).map(|_| tokio::spawn(nested())));
        tokio::time::timeout(Duration::from_secs(20), all).await.expect("they do not wait for each other");
    }

    #[tokio::test]
    async fn a_runtime_of_one_thread_runs_it_as_it_is() {
        assert_eq!(off_workers(async { 7 }).await, 7);
    }
}
