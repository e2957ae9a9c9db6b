//! Models in GGUF files, named `file:/path/model.gguf`, served by llama.cpp's `llama-server`.
//!
//! The server starts with the first request, listens on the loopback interface only, and exits with the last run using
//! it.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::Read;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use qingyu_llm::{ChatModel, ChatRequest, Error as ModelError, EventStream, LlmClient, Provider};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::OnceCell;

use crate::error::Error;

/// The prefix of the names of file models.
pub(crate) const FILE: &str = "file:";
/// The server program, searched in `PATH`.
const PROGRAM: &str = "llama-server";
/// The first bytes of a GGUF file: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>.
const MAGIC: &[u8; 4] = b"GGUF";
/// The timeout for loading a file.
const LOADING: Duration = Duration::from_secs(600);
/// The interval between two polls for readiness.
const PULSE: Duration = Duration::from_millis(100);
/// The number of output lines buffered for an error message.
const LINES: usize = 5;

/// The running servers, by file; runs with the same file share a server.
static SERVERS: Mutex<BTreeMap<PathBuf, Weak<FileServer>>> = Mutex::new(BTreeMap::new());

/// Returns the file of a model name; `None` for other models.
pub(crate) fn path_of(model: &str) -> Option<&Path> {
    model.strip_prefix(FILE).map(|path| Path::new(path.strip_prefix("//").unwrap_or(path)))
}

/// Returns the server program for the file at `path`, after validating the file as far as possible without loading.
///
/// Returns [`Error::BadModelFile`] for a file in another format, and [`Error::NoModelServer`] if no program is found in
/// `search`, the value of `PATH`.
pub(crate) fn program_for(path: &Path, search: Option<&str>) -> Result<PathBuf, Error> {
    let bad = |message: String| Error::BadModelFile { path: path.to_path_buf(), message };
    let kind = std::fs::metadata(path).map_err(|error| bad(error.to_string()))?;
    if !kind.is_file() {
        return Err(bad("not a regular file".into()));
    }
    let mut magic = [0; MAGIC.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    if read.is_err() || magic != *MAGIC {
        return Err(bad(read.err().map_or_else(|| "not a GGUF file".into(), |error| error.to_string())));
    }
    let folders = search.map(std::env::split_paths).into_iter().flatten();
    let mut programs = folders.map(|folder| folder.join(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX)));
    programs.find(|program| program.is_file()).ok_or_else(|| Error::NoModelServer { program: PROGRAM.into() })
}

/// A model in a file.
#[derive(Debug)]
pub(crate) struct FileModel {
    name: String,
    client: LlmClient,
    /// The request format of llama.cpp; the server sets the address.
    provider: Provider,
    server: Arc<FileServer>,
}

impl FileModel {
    /// Returns the model of the file at `path`, served by `program` with requests as in `provider`. Does not start the
    /// server yet.
    pub(crate) fn new(path: &Path, program: PathBuf, client: &LlmClient, provider: &Provider) -> Self {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let mut servers = SERVERS.lock().unwrap_or_else(PoisonError::into_inner);
        servers.retain(|_, server| server.strong_count() > 0);
        let server = servers.get(&path).and_then(Weak::upgrade).unwrap_or_else(|| {
            let server = Arc::new(FileServer { path: path.clone(), program, running: OnceCell::new() });
            servers.insert(path.clone(), Arc::downgrade(&server));
            server
        });
        Self { name: format!("{FILE}{}", path.display()), client: client.clone(), provider: provider.clone(), server }
    }
}

impl ChatModel for FileModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, ModelError>> {
        Box::pin(async move {
            let running = self.server.running.get_or_try_init(|| start(&self.server.program, &self.server.path));
            let running =
                running.await.map_err(|message| ModelError::Transport { model: self.name.clone(), message })?;
            let base_url = format!("http://127.0.0.1:{}/v1", running.port);
            let mut provider = self.provider.clone();
            provider.base_url = base_url;
            let stem = self.server.path.file_stem().unwrap_or_default().to_string_lossy();
            self.client.chat(&provider, &stem, None)?.stream(request).await
        })
    }
}

#[derive(Debug)]
struct FileServer {
    path: PathBuf,
    program: PathBuf,
    running: OnceCell<ModelServerProcess>,
}

/// A server with a loaded file. Dropping the value stops the server.
#[derive(Debug)]
struct ModelServerProcess {
    port: u16,
    _child: Child,
    /// Closing the pipe stops the server, on drop as well as on any exit of the process.
    _lifeline: Option<ChildStdin>,
}

/// Starts the program and returns after the file is loaded; the error is a message for the user.
async fn start(program: &Path, path: &Path) -> Result<ModelServerProcess, String> {
    let port = free_port().map_err(|error| error.to_string())?;
    tracing::info!(path = %path.display(), port, "model file is being loaded");
    let mut command = command(program, path, port);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("{PROGRAM}: {error}"))?;
    let said: Arc<Mutex<VecDeque<String>>> = Arc::default();
    if let Some(stderr) = child.stderr.take() {
        tokio::spawn(keep_lines(stderr, Arc::clone(&said)));
    }
    let lifeline = child.stdin.take();
    let began = Instant::now();
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            tokio::time::sleep(PULSE).await;
            let said = said.lock().unwrap_or_else(PoisonError::into_inner);
            return Err(format!("{PROGRAM} ended ({status}): {}", said.iter().cloned().collect::<Vec<_>>().join("; ")));
        }
        if is_loaded(port).await {
            tracing::info!(path = %path.display(), port, seconds = began.elapsed().as_secs_f32(), "model file is loaded");
            return Ok(ModelServerProcess { port, _child: child, _lifeline: lifeline });
        }
        if began.elapsed() > LOADING {
            return Err(format!("{PROGRAM} has not loaded the file within {} s", LOADING.as_secs()));
        }
        tokio::time::sleep(PULSE).await;
    }
}

/// Returns the command line: <https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md>.
fn command(program: &Path, path: &Path, port: u16) -> Command {
    let arguments = |command: &mut Command| {
        command.arg("--model").arg(path).args(["--host", "127.0.0.1", "--port", &port.to_string(), "--jinja"]);
        // The server's web page is not needed.
        command.arg("--no-webui");
    };
    // A shell stops the server when our end of the pipe closes, so a killed process leaves no server with gigabytes of
    // memory behind.
    #[cfg(unix)]
    let mut command = {
        const WATCH: &str =
            r#"exec 3<&0; "$@" 3<&- & child=$!; { read -r line <&3; kill $child; } 2>/dev/null & wait $child"#;
        let mut command = Command::new("/bin/sh");
        command.args(["-c", WATCH, "sh"]).arg(program);
        command
    };
    #[cfg(not(unix))]
    let mut command = {
        let mut command = Command::new(program);
        command.kill_on_drop(true);
        command
    };
    arguments(&mut command);
    command
}

/// Returns a port without a listener.
fn free_port() -> std::io::Result<u16> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr().map(|address| address.port())
}

/// Returns whether `/health` responds 200; during loading the status is 503.
async fn is_loaded(port: u16) -> bool {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let asked = async {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
        stream.write_all(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").await?;
        let mut status = [0; 12];
        stream.read_exact(&mut status).await?;
        Ok::<_, std::io::Error>(status.ends_with(b" 200"))
    };
    matches!(tokio::time::timeout(Duration::from_secs(2), asked).await, Ok(Ok(true)))
}

/// Buffers the last lines of the program's output.
async fn keep_lines(stderr: impl AsyncRead + Unpin, said: Arc<Mutex<VecDeque<String>>>) {
    let mut lines = BufReader::new(stderr).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.len() == LINES {
            said.pop_front();
        }
        said.push_back(line);
    }
}
