//! Where the servers of the tests are.

use std::io::Write;

/// The address in `variable`, or else `local`, if it is `demanded` or answers.
///
/// Under `CI=true`, and once the variable is set, a server that does not answer is a failure.
#[cfg(any(feature = "postgres", feature = "redis"))]
pub(crate) fn is_demanded(variable: &str, in_ci: bool) -> bool {
    std::env::var_os(variable).is_some() || in_ci && std::env::var("CI").is_ok_and(|value| value == "true")
}

/// Says aloud that a test did not run: not through `println`, which the harness keeps to itself when a test passes.
pub(crate) fn skip(reason: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {reason}");
}

/// A server on loopback that gives answers in their order, and hangs up when there are none left.
#[cfg(any(feature = "qdrant", feature = "milvus", feature = "neo4j"))]
pub(crate) struct CannedServer {
    address: String,
    asked: std::sync::Arc<std::sync::Mutex<Vec<String>>>,
}

#[cfg(any(feature = "qdrant", feature = "milvus", feature = "neo4j"))]
impl CannedServer {
    #[cfg(any(feature = "qdrant", feature = "milvus"))]
    pub(crate) async fn new<const N: usize>(answers: [(u16, &'static str); N]) -> Self {
        Self::with_header("x-test: 1", answers).await
    }

    /// Starts a server with one more header in every response.
    pub(crate) async fn with_header(
        header: &'static str,
        answers: impl IntoIterator<Item = (u16, &'static str)>,
    ) -> Self {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let heard = asked.clone();
        let answers: Vec<(u16, &str)> = answers.into_iter().collect();
        tokio::spawn(async move {
            for (status, body) in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
                while !is_whole(&request) {
                    let count = stream.read(&mut buffer).await.unwrap();
                    assert!(count > 0, "the client hung up");
                    request.extend_from_slice(&buffer[..count]);
                }
                heard.lock().unwrap().push(String::from_utf8(request).unwrap());
                let length = body.len();
                let head = format!(
                    "HTTP/1.1 {status} x\r\nconnection: close\r\n{header}\r\ncontent-length: {length}\r\n\r\n{body}"
                );
                stream.write_all(head.as_bytes()).await.unwrap();
            }
        });
        Self { address, asked }
    }

    pub(crate) fn address(&self) -> String {
        self.address.clone()
    }

    /// The requests, as they came.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

#[cfg(any(feature = "qdrant", feature = "milvus", feature = "neo4j"))]
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).into_owned();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ").map(str::to_owned));
    body.len() >= length.map_or(0, |length| length.trim().parse().unwrap())
}
