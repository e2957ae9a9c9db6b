//! Models in GGUF files, named `file:/path/model.gguf`: llama.cpp's `llama-server` serves them.
//!
//! The server is started for the first request, listens on this machine alone, and ends with the last run that uses it.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::Read;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use qingyu_llm::{ChatModel, Client, Error as ModelError, EventStream, Provider, Request};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::OnceCell;

use crate::Error;

/// What the name of such a model begins with.
pub(crate) const FILE: &str = "file:";
/// The program that serves it, looked for in `PATH`.
pub(crate) const PROGRAM: &str = "llama-server";
/// What every GGUF file begins with: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>.
const MAGIC: &[u8; 4] = b"GGUF";
/// How long a file may take until it is loaded.
const LOADING: Duration = Duration::from_secs(600);
/// How long between two looks whether it is.
const PULSE: Duration = Duration::from_millis(100);
/// How many lines of what the program writes are kept for the message of a failure.
const LINES: usize = 5;

/// The servers at work, by file; two runs that use the same file share one.
static SERVERS: Mutex<BTreeMap<PathBuf, Weak<FileServer>>> = Mutex::new(BTreeMap::new());

/// The file of the model of this name, if it is one.
pub(crate) fn path_of(model: &str) -> Option<&Path> {
    model.strip_prefix(FILE).map(|path| Path::new(path.strip_prefix("//").unwrap_or(path)))
}

/// The program that serves the file at `path`, if that can be served as far as can be told without loading it.
///
/// Fails with [`Error::BadModelFile`] if it is no GGUF file, and with [`Error::NoModelServer`] if no program is in `search`, the
/// value of `PATH`.
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
    client: Client,
    /// How llama.cpp is asked; the address is that of the server.
    provider: Provider,
    server: Arc<FileServer>,
}

impl FileModel {
    /// The model of the file at `path`, which `program` serves, asked as `provider` says. Nothing is started yet.
    pub(crate) fn new(path: &Path, program: PathBuf, client: &Client, provider: &Provider) -> Self {
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

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, ModelError>> {
        Box::pin(async move {
            let running = self.server.running.get_or_try_init(|| start(&self.server.program, &self.server.path));
            let running =
                running.await.map_err(|message| ModelError::Transport { model: self.name.clone(), message })?;
            let base_url = format!("http://127.0.0.1:{}/v1", running.port);
            let provider = Provider { base_url, ..self.provider.clone() };
            let stem = self.server.path.file_stem().unwrap_or_default().to_string_lossy();
            self.client.chat(&provider, &stem, None)?.stream(request).await
        })
    }
}

#[derive(Debug)]
struct FileServer {
    path: PathBuf,
    program: PathBuf,
    running: OnceCell<Running>,
}

/// A server that has loaded its file. It ends when this is dropped.
#[derive(Debug)]
struct Running {
    port: u16,
    _child: Child,
    /// The server ends when this is closed, by the drop or by the end of this process, whichever way that comes.
    _lifeline: Option<ChildStdin>,
}

/// Starts the program and returns when the file is loaded; the error is a message for the user.
async fn start(program: &Path, path: &Path) -> Result<Running, String> {
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
            return Ok(Running { port, _child: child, _lifeline: lifeline });
        }
        if began.elapsed() > LOADING {
            return Err(format!("{PROGRAM} has not loaded the file within {} s", LOADING.as_secs()));
        }
        tokio::time::sleep(PULSE).await;
    }
}

/// The program with its arguments: <https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md>.
fn command(program: &Path, path: &Path, port: u16) -> Command {
    let arguments = |command: &mut Command| {
        command.arg("--model").arg(path).args(["--host", "127.0.0.1", "--port", &port.to_string(), "--jinja"]);
        // Nothing of the page that it brings is needed.
        command.arg("--no-webui");
    };
    // A shell ends it when our end of the pipe is closed, so that a killed process leaves no server with gigabytes behind.
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

/// A port that nobody listens at now.
fn free_port() -> std::io::Result<u16> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr().map(|address| address.port())
}

/// Whether `/health` answers 200; while the file is loaded it answers 503.
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

/// Keeps the last lines of what the program writes.
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
