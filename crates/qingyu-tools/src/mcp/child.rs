//! A server as a child process, connected over standard input and output.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

/// Exit timeout of a child after its input was closed, and again after SIGTERM.
const EXIT_TIMEOUT: Duration = Duration::from_secs(3);

/// A transport to a child process. Dropping the transport kills the child.
pub(crate) struct ChildTransport {
    child: Child,
    pipes: AsyncRwTransport<RoleClient, ChildStdout, ChildStdin>,
}

impl ChildTransport {
    /// Starts `command` with pipes for its standard streams; returns the transport and the child's standard error.
    ///
    /// Fails if the program cannot be started. Must be called within a Tokio runtime.
    pub(crate) fn spawn(mut command: Command) -> io::Result<(Self, ChildStderr)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("the program has no pipes"));
        };
        Ok((Self { child, pipes: AsyncRwTransport::new(stdout, stdin) }, stderr))
    }

    /// Ends the child as the protocol specifies for standard streams: closes its input and waits up to `exit`; on Unix
    /// sends SIGTERM and waits up to `terminate`; then kills the child. Returns the exit status.
    ///
    /// Cancel safe: a later call continues, and dropping the transport kills the child.
    async fn shut_down(&mut self, exit: Duration, terminate: Duration) -> io::Result<ExitStatus> {
        // A child that does not read blocks the current write, and closing waits for the write.
        if timeout(exit, self.pipes.close()).await.is_ok()
            && let Ok(exited) = timeout(exit, self.child.wait()).await
        {
            return exited;
        }
        if self.send_terminate()
            && let Ok(exited) = timeout(terminate, self.child.wait()).await
        {
            return exited;
        }
        self.child.kill().await?;
        self.child.wait().await
    }

    /// Sends SIGTERM; returns whether the signal was sent, always false on platforms without signals.
    fn send_terminate(&self) -> bool {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process};
            // The id stays valid until the child has been waited for, so cannot belong to another process.
            let id = self.child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
            id.is_some_and(|id| kill_process(id, Signal::TERM).is_ok())
        }
        #[cfg(not(unix))]
        false
    }
}

impl Transport<RoleClient> for ChildTransport {
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleClient>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.pipes.send(message)
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleClient>>> + Send {
        self.pipes.receive()
    }

    async fn close(&mut self) -> io::Result<()> {
        let status = self.shut_down(EXIT_TIMEOUT, EXIT_TIMEOUT).await?;
        tracing::debug!(%status, "mcp server exited");
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};

    use super::*;

    /// Long enough to make a test waiting for the end fail by the test runner's own timeout.
    const NEVER: Duration = Duration::from_secs(3_600);
    /// Reports readiness on standard error, exits with 7 on SIGTERM and ignores the end of its input.
    const HONOURS_TERM: &str = "sleep 600 & trap \"kill $!; exit 7\" TERM; echo ready >&2; wait";
    /// The same, but ignores SIGTERM.
    const IGNORES_TERM: &str = "trap '' TERM; echo ready >&2; exec sleep 600";

    fn spawn(script: &str) -> (ChildTransport, BufReader<ChildStderr>) {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let (transport, stderr) = ChildTransport::spawn(command).expect("sh is there");
        (transport, BufReader::new(stderr))
    }

    async fn spawn_ready(script: &str) -> (ChildTransport, BufReader<ChildStderr>) {
        let (transport, mut stderr) = spawn(script);
        let mut line = String::new();
        stderr.read_line(&mut line).await.expect("it is a pipe");
        assert_eq!(line, "ready\n");
        (transport, stderr)
    }

    #[tokio::test]
    async fn a_child_that_reads_to_the_end_exits_by_itself() {
        let (mut transport, mut stderr) = spawn("cat >/dev/null; echo bye >&2; exit 3");
        let status = transport.shut_down(NEVER, Duration::ZERO).await.unwrap();
        assert_eq!((status.code(), status.signal()), (Some(3), None));
        let mut said = String::new();
        stderr.read_to_string(&mut said).await.unwrap();
        assert_eq!(said, "bye\n");
        assert_eq!(transport.shut_down(NEVER, NEVER).await.unwrap(), status, "closing twice changes nothing");
    }

    #[tokio::test]
    async fn a_child_that_ignores_the_end_of_its_input_is_terminated() {
        let (mut transport, _stderr) = spawn_ready(HONOURS_TERM).await;
        let status = transport.shut_down(Duration::ZERO, NEVER).await.unwrap();
        assert_eq!(status.code(), Some(7));
    }

    #[tokio::test]
    async fn a_child_that_ignores_signals_is_killed() {
        let (mut transport, _stderr) = spawn_ready(IGNORES_TERM).await;
        let status = transport.shut_down(Duration::ZERO, Duration::ZERO).await.unwrap();
        assert_eq!(status.signal(), Some(9));
    }

    #[tokio::test]
    async fn a_cancelled_close_can_be_repeated() {
        let (mut transport, _stderr) = spawn_ready(IGNORES_TERM).await;
        let cancelled = timeout(Duration::ZERO, transport.shut_down(NEVER, NEVER)).await;
        assert!(cancelled.is_err(), "{cancelled:?}");
        assert_eq!(transport.shut_down(Duration::ZERO, Duration::ZERO).await.unwrap().signal(), Some(9));
    }

    #[tokio::test]
    async fn dropping_the_transport_kills_the_child() {
        let (transport, mut stderr) = spawn_ready(IGNORES_TERM).await;
        drop(transport);
        // The pipe ends with the process at its other end.
        assert_eq!(stderr.read_to_end(&mut Vec::new()).await.unwrap(), 0);
    }
}
