//! Computation off the worker threads of the runtime.
//!
//! A request that counts the words of a long chapter would block a worker of the runtime for seconds, and every
//! connection served by the worker would wait. [`off_workers`] releases the worker during each poll of such a future; a
//! semaphore limits the number of concurrent computations.

use std::cell::Cell;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, ready};

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Semaphore;
use tokio_util::sync::PollSemaphore;

/// The permits for computation in the process: one per core, and at least two, so that one long computation does not
/// block all others.
static PERMITS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZeroUsize::get);
    Arc::new(Semaphore::new(cores.max(2)))
});

thread_local! {
    /// Whether the current thread computes with a permit. A nested future needs no own permit: the two would deadlock.
    static COMPUTES: Cell<bool> = const { Cell::new(false) };
}

/// A future whose polls compute.
#[derive(Debug)]
struct OffWorkers<F> {
    future: Pin<Box<F>>,
    permits: PollSemaphore,
}

/// Wraps a future so that polls block no worker of the runtime, each with one of the process's permits.
///
/// While waiting the future holds no permit. A runtime of one thread has no other worker, and the wrapper has no
/// effect.
pub fn off_workers<F: Future>(future: F) -> impl Future<Output = F::Output> {
    OffWorkers { future: Box::pin(future), permits: PollSemaphore::new(Arc::clone(&PERMITS)) }
}

/// Returns whether the caller runs inside a future made by [`off_workers`], in a runtime of several threads.
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
        // The semaphore is never closed.
        let permit = ready!(self.permits.poll_acquire(context));
        let polled = tokio::task::block_in_place(|| {
            let _computing = ComputeGuard::begin();
            self.future.as_mut().poll(context)
        });
        drop(permit);
        polled
    }
}

/// A guard that marks the thread as computing, also if the future panics.
struct ComputeGuard;

impl ComputeGuard {
    fn begin() -> Self {
        COMPUTES.set(true);
        Self
    }
}

impl Drop for ComputeGuard {
    fn drop(&mut self) {
        COMPUTES.set(false);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// Computes without yielding.
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
