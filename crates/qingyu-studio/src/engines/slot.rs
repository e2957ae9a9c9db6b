//! A server that is opened on first use, and is left alone for a while after a failure.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::time::{Instant, timeout};

use crate::engines::report::{EnginePart, EngineState, EngineUse};

/// The pause before a server that is down is tried again.
pub(crate) const RETRY: Duration = Duration::from_secs(5);

/// Connects to a server; the error is the reason, without a password.
pub(crate) type Opener<T> = Arc<dyn Fn() -> BoxFuture<'static, Result<Arc<T>, String>> + Send + Sync>;

/// An error of a call to a server.
pub(crate) trait EngineError: fmt::Display {
    /// Returns whether the server is the cause, rather than the request.
    fn is_of_server(&self) -> bool;
}

impl EngineError for qingyu_knowledge::engine::Error {
    fn is_of_server(&self) -> bool {
        match self {
            Self::Unreachable { .. }
            | Self::Busy { .. }
            | Self::Refused { .. }
            | Self::BadAnswer { .. }
            | Self::BadAddress { .. } => true,
            Self::Dimensions { .. } | Self::NotFinite { .. } | Self::Unsupported { .. } | Self::Pattern(_) => false,
        }
    }
}

impl EngineError for qingyu_memory::Error {
    fn is_of_server(&self) -> bool {
        match self {
            Self::Database(_) | Self::Unreachable { .. } | Self::Refused { .. } | Self::BadRow { .. } => true,
            Self::Unknown { .. }
            | Self::AlreadyThere { .. }
            | Self::Changed { .. }
            | Self::Unfit { .. }
            | Self::OverBudget { .. } => false,
        }
    }
}

/// The failure of a call.
#[derive(Debug)]
pub(crate) enum CallFailure<E> {
    /// The server is down, for this reason.
    Down(String),
    /// The server is fine, but the request is not.
    Request(E),
}

/// A server for one part of the studio.
pub(crate) struct EngineSlot<T: ?Sized> {
    pub(crate) part: EnginePart,
    /// The server with its address, for display and as the name of copies.
    pub(crate) server: String,
    /// The timeout of a call.
    pub(crate) timeout: Duration,
    open: Opener<T>,
    state: Mutex<SlotState<T>>,
    /// Held while connecting.
    opening: tokio::sync::Mutex<()>,
}

enum SlotState<T: ?Sized> {
    Unopened,
    Open(Arc<T>),
    Down { until: Instant, reason: String },
}

impl<T: ?Sized> fmt::Debug for EngineSlot<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("EngineSlot").field("part", &self.part).field("server", &self.server).finish()
    }
}

impl<T: ?Sized + Send + Sync> EngineSlot<T> {
    /// Returns a slot; nothing is sent yet.
    pub(crate) fn new(part: EnginePart, server: String, timeout: Duration, open: Opener<T>) -> Self {
        let state = Mutex::new(SlotState::Unopened);
        Self { part, server, timeout, open, state, opening: tokio::sync::Mutex::default() }
    }

    /// Calls the server within the timeout. A failing server is down for [`RETRY`]; calls fail at once until then.
    pub(crate) async fn call<R, E, F>(&self, work: impl FnOnce(Arc<T>) -> F) -> Result<R, CallFailure<E>>
    where
        E: EngineError,
        F: Future<Output = Result<R, E>>,
    {
        let engine = self.engine().await.map_err(CallFailure::Down)?;
        match timeout(self.timeout, work(engine)).await {
            Ok(answer) => self.sorted(answer),
            Err(_) => Err(CallFailure::Down(self.note_down(self.late()))),
        }
    }

    /// Calls the server as [`call`](Self::call) does; returns `None` if it is down.
    pub(crate) async fn call_if_up<R, E, F>(&self, work: impl FnOnce(Arc<T>) -> F) -> Result<Option<R>, E>
    where
        E: EngineError,
        F: Future<Output = Result<R, E>>,
    {
        match self.call(work).await {
            Ok(answer) => Ok(Some(answer)),
            Err(CallFailure::Down(_)) => Ok(None),
            Err(CallFailure::Request(error)) => Err(error),
        }
    }

    /// Calls the server without a timeout of our own, to fill a copy.
    pub(crate) async fn fill<R, E, F>(&self, work: impl FnOnce(Arc<T>) -> F) -> Result<R, CallFailure<E>>
    where
        E: EngineError,
        F: Future<Output = Result<R, E>>,
    {
        let engine = self.engine().await.map_err(CallFailure::Down)?;
        let answer = work(engine).await;
        self.sorted(answer)
    }

    /// Returns the beginning of the names of copies on the server.
    pub(crate) fn places(&self) -> String {
        format!("{} {} ", self.part.name(), self.server)
    }

    /// Returns the name of the copy with vectors of `model`; empty for a copy without vectors.
    pub(crate) fn place(&self, model: &str) -> String {
        format!("{}{model}", self.places())
    }

    /// Returns the report for an answer.
    pub(crate) fn report(&self, state: EngineState, reason: Option<String>) -> EngineUse {
        EngineUse { part: self.part, server: self.server.clone(), state, reason, pieces: None, copied: None }
    }

    fn sorted<R, E: EngineError>(&self, answer: Result<R, E>) -> Result<R, CallFailure<E>> {
        match answer {
            Ok(answer) => Ok(answer),
            Err(error) if error.is_of_server() => Err(CallFailure::Down(self.note_down(error.to_string()))),
            Err(error) => Err(CallFailure::Request(error)),
        }
    }

    async fn engine(&self) -> Result<Arc<T>, String> {
        if let Some(known) = self.known() {
            return known;
        }
        let _opening = self.opening.lock().await;
        // Another caller may have connected, or failed to.
        if let Some(known) = self.known() {
            return known;
        }
        let opened = timeout(self.timeout, (self.open)()).await.unwrap_or_else(|_| Err(self.late()));
        match opened {
            Ok(engine) => {
                let before = self.put(SlotState::Open(Arc::clone(&engine)));
                if matches!(before, SlotState::Down { .. }) {
                    tracing::info!(part = self.part.name(), server = self.server, "engine in use again");
                }
                Ok(engine)
            }
            Err(reason) => Err(self.note_down(reason)),
        }
    }

    /// Returns the open engine, or the reason of a recent failure; `None` if a connection should be tried.
    fn known(&self) -> Option<Result<Arc<T>, String>> {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            SlotState::Unopened => None,
            SlotState::Open(engine) => Some(Ok(Arc::clone(engine))),
            SlotState::Down { until, reason } => (Instant::now() < *until).then(|| Err(reason.clone())),
        }
    }

    fn put(&self, state: SlotState<T>) -> SlotState<T> {
        std::mem::replace(&mut *self.state.lock().unwrap_or_else(PoisonError::into_inner), state)
    }

    /// Marks the server as down and returns the reason. Logs the first of consecutive failures.
    fn note_down(&self, reason: String) -> String {
        let before = self.put(SlotState::Down { until: Instant::now() + RETRY, reason: reason.clone() });
        if !matches!(before, SlotState::Down { .. }) {
            let (part, server) = (self.part.name(), self.server.as_str());
            tracing::warn!(part, server, reason, "engine is down: the embedded engine is used");
        }
        reason
    }

    fn late(&self) -> String {
        format!("no answer in {} s", self.timeout.as_secs())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use qingyu_knowledge::engine::Error;

    use super::*;

    /// A server that can be switched off.
    #[derive(Default)]
    struct Switch {
        is_off: AtomicBool,
        opened: AtomicUsize,
    }

    fn slot(switch: &Arc<Switch>) -> EngineSlot<Switch> {
        let server = Arc::clone(switch);
        let open: Opener<Switch> = Arc::new(move || {
            let server = Arc::clone(&server);
            Box::pin(async move {
                server.opened.fetch_add(1, Ordering::SeqCst);
                if server.is_off.load(Ordering::SeqCst) { Err("connection refused".into()) } else { Ok(server) }
            })
        });
        EngineSlot::new(EnginePart::Vectors, "Test".into(), Duration::from_secs(2), open)
    }

    async fn ask(slot: &EngineSlot<Switch>) -> Result<u8, CallFailure<Error>> {
        slot.call(|server| async move {
            let away = || Error::Unreachable { engine: "Test", address: "x".into(), reason: "gone".into() };
            if server.is_off.load(Ordering::SeqCst) { Err(away()) } else { Ok(1) }
        })
        .await
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_is_down_is_left_alone_and_comes_back() {
        let switch = Arc::new(Switch::default());
        let slot = slot(&switch);
        assert!(matches!(ask(&slot).await, Ok(1)));
        switch.is_off.store(true, Ordering::SeqCst);
        assert!(matches!(ask(&slot).await, Err(CallFailure::Down(reason)) if reason.contains("gone")));
        switch.is_off.store(false, Ordering::SeqCst);
        assert!(matches!(ask(&slot).await, Err(CallFailure::Down(_))), "it is not tried at once");
        assert_eq!(switch.opened.load(Ordering::SeqCst), 1);
        tokio::time::advance(RETRY).await;
        assert!(matches!(ask(&slot).await, Ok(1)));
        assert_eq!(switch.opened.load(Ordering::SeqCst), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_hangs_is_down() {
        let slot = slot(&Arc::default());
        let hung = slot.call(|_| std::future::pending::<Result<(), Error>>()).await;
        assert!(matches!(hung, Err(CallFailure::Down(reason)) if reason == "no answer in 2 s"));
    }

    #[tokio::test]
    async fn a_bad_request_is_no_failure_of_the_server() {
        let slot = slot(&Arc::default());
        let refused = slot.call(|_| async { Err::<(), _>(Error::Unsupported { engine: "Test", what: "x".into() }) });
        assert!(matches!(refused.await, Err(CallFailure::Request(Error::Unsupported { .. }))));
        assert!(matches!(ask(&slot).await, Ok(1)));
    }
}
