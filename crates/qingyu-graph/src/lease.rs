//! A lease held and renewed while a run works.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::Error;
use crate::store::{Owner, Store, ThreadId, ThreadLease};

/// A lease that is renewed in the background until released or dropped.
#[derive(Debug)]
pub(crate) struct HeldLease {
    store: Arc<dyn Store>,
    lease: Arc<ThreadLease>,
    lost: CancellationToken,
    heartbeat: JoinHandle<()>,
}

impl HeldLease {
    pub(crate) async fn acquire(store: Arc<dyn Store>, thread: &ThreadId, duration: Duration) -> Result<Self, Error> {
        let lease = Arc::new(store.acquire(thread, &Owner::this_process(), duration).await?);
        let lost = CancellationToken::new();
        let heartbeat = tokio::spawn(renew(Arc::clone(&store), Arc::clone(&lease), duration, lost.clone()));
        Ok(Self { store, lease, lost, heartbeat })
    }

    pub(crate) fn lease(&self) -> Arc<ThreadLease> {
        Arc::clone(&self.lease)
    }

    /// Waits until the lease is lost; normally forever.
    pub(crate) async fn lost(&self) -> Error {
        self.lost.cancelled().await;
        Error::Fenced { thread: self.lease.thread.to_string() }
    }

    pub(crate) async fn release(self) {
        self.heartbeat.abort();
        if let Err(error) = self.store.release(&self.lease).await {
            tracing::warn!(%error, thread = %self.lease.thread, "failed to release a lease; it will expire");
        }
    }
}

impl Drop for HeldLease {
    fn drop(&mut self) {
        self.heartbeat.abort();
    }
}

/// Renews the lease three times per duration; a lease that is not renewed in time counts as lost.
async fn renew(store: Arc<dyn Store>, lease: Arc<ThreadLease>, duration: Duration, lost: CancellationToken) {
    let mut renewed = Instant::now();
    loop {
        tokio::time::sleep(duration / 3).await;
        let asked = Instant::now();
        match store.renew(&lease, duration).await {
            Ok(()) => renewed = asked,
            Err(error) => {
                tracing::warn!(%error, thread = %lease.thread, "failed to renew a lease");
                if matches!(error, Error::Fenced { .. }) || renewed.elapsed() >= duration {
                    lost.cancel();
                    return;
                }
            }
        }
    }
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use super::*;
    use crate::store::MemoryStore;
    use crate::testing::InterposedStore;

    const DURATION: Duration = Duration::from_secs(30);

    /// Returns a lease whose renewals fail with `failure`, and the store.
    async fn held(failure: fn() -> Error) -> HeldLease {
        let store = InterposedStore::new(Arc::new(MemoryStore::new()))
            .before_renew(move |_| std::future::ready(Err(failure())));
        HeldLease::acquire(Arc::new(store), &"t".into(), DURATION).await.expect("nobody has it")
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_that_cannot_be_renewed_is_lost_when_it_has_run_out() {
        let held = held(|| Error::Broken { reason: "no connection".to_owned() }).await;
        let began = Instant::now();
        let lost = held.lost().await;
        assert!(matches!(lost, Error::Fenced { .. }));
        assert_eq!(began.elapsed(), DURATION, "not before, and as soon as it is asked for");
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_that_somebody_else_has_is_lost_at_once() {
        let held = held(|| Error::Fenced { thread: "t".to_owned() }).await;
        let began = Instant::now();
        held.lost().await;
        assert_eq!(began.elapsed(), DURATION / 3);
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_renews_a_lease_that_was_let_fall() {
        let (told, mut renewals) = tokio::sync::mpsc::unbounded_channel();
        let store = InterposedStore::new(Arc::new(MemoryStore::new())).before_renew(move |_| {
            told.send(()).ok();
            std::future::ready(Ok(()))
        });
        let held = HeldLease::acquire(Arc::new(store), &"t".into(), DURATION).await.unwrap();
        renewals.recv().await.unwrap();
        drop(held);
        assert!(renewals.recv().await.is_none(), "what renews is gone");
    }
}
