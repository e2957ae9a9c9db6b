//! Stop signals: Ctrl-C, and on Unix SIGTERM.

use tokio::sync::mpsc;

/// A queue of received signals, so that no signal between two polls is lost.
pub(crate) struct Signals(mpsc::UnboundedReceiver<()>);

impl Signals {
    /// Registers handlers replacing the default termination of the process. Must be called inside the runtime.
    pub(crate) fn listen() -> std::io::Result<Self> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut streams = SignalStreams::open()?;
        tokio::spawn(async move { while streams.next().await.is_some() && sender.send(()).is_ok() {} });
        Ok(Self(receiver))
    }

    /// Resolves with the next signal.
    pub(crate) async fn next(&mut self) {
        if self.0.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(unix)]
struct SignalStreams {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl SignalStreams {
    fn open() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) -> Option<()> {
        tokio::select! {
            signal = self.interrupt.recv() => signal,
            signal = self.terminate.recv() => signal,
        }
    }
}

#[cfg(windows)]
struct Streams(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl SignalStreams {
    fn open() -> std::io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    async fn next(&mut self) -> Option<()> {
        self.0.recv().await
    }
}
