//! Servers in processes of their own.

use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use qingyu_graph::testing::TestSchema;
use qingyu_llm::testing::server::Server as Models;
use qingyu_server::Server;
use qingyu_studio::{Environment, Settings, Studio};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::wire::{KEY, write_settings};

const HOME: &str = "QINGYU_TEST_SERVER_HOME";
const URL: &str = "QINGYU_TEST_SERVER_STORAGE";
const SCHEMA: &str = "QINGYU_TEST_SERVER_SCHEMA";

/// The child: serves until it is told to go.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it is the child of other tests"]
async fn child_serves() {
    let Ok(home) = std::env::var(HOME) else { return };
    let variable = |name: &str| std::env::var(name).unwrap();
    let variables = [("QINGYU_HOME", home), ("QINGYU_STORAGE_URL", variable(URL)), ("MINE_API_KEY", KEY.to_owned())];
    let variables = variables.map(|(name, value)| (name.to_owned(), value));
    let flags = format!(
        "[server]\nport = 0\nheartbeat_seconds = 1\ngrace_seconds = 5\n[storage]\nschema = \"{}\"",
        variable(SCHEMA)
    );
    let settings = Settings::load(Environment::new(variables), flags.parse().unwrap()).unwrap();
    if let Ok(filter) = std::env::var("QINGYU_LOG") {
        let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
        log.init();
    }
    let server = Server::bind(Studio::open(settings).await.unwrap()).await.unwrap();
    let mut goes = signal(SignalKind::terminate()).unwrap();
    println!("@at {}", server.address().port());
    let stop = CancellationToken::new();
    let serving = tokio::spawn(server.run(stop.clone()));
    goes.recv().await;
    stop.cancel();
    serving.await.unwrap().unwrap();
}

/// The servers, of which each may be away.
pub(super) struct Fleet {
    home: TempDir,
    url: String,
    schema: String,
    ports: Vec<Mutex<Option<u16>>>,
    children: Vec<tokio::sync::Mutex<Option<Child>>>,
}

impl Fleet {
    pub(super) async fn start(servers: usize, schema: &TestSchema, models: &Models) -> Self {
        let home = tempfile::tempdir().unwrap();
        write_settings(home.path(), models, "openai");
        let settings = schema.settings();
        let fleet = Self {
            home,
            url: format!("{}?application_name={}", settings.url, settings.schema),
            schema: settings.schema,
            ports: (0..servers).map(|_| Mutex::default()).collect(),
            children: (0..servers).map(|_| tokio::sync::Mutex::default()).collect(),
        };
        for server in 0..servers {
            fleet.begin(server).await;
        }
        fleet
    }

    /// Starts a server that is not there.
    pub(super) async fn begin(&self, server: usize) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["fleet::server::child_serves", "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
        command.env(HOME, self.home.path()).env(URL, &self.url).env(SCHEMA, &self.schema);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = loop {
            let line = lines.next_line().await.unwrap().expect("it says where it is");
            // What the harness prints may stand before it.
            if let Some((_, port)) = line.split_once("@at ") {
                break port.parse().unwrap();
            }
        };
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        *self.children[server].lock().await = Some(child);
        *self.ports[server].lock().unwrap_or_else(PoisonError::into_inner) = Some(port);
    }

    /// The id of the server's process.
    pub(super) async fn process(&self, server: usize) -> u32 {
        self.children[server].lock().await.as_ref().and_then(Child::id).expect("it is there")
    }

    /// Sends a signal to a server.
    pub(super) async fn signal(&self, server: usize, signal: rustix::process::Signal) {
        let process = i32::try_from(self.process(server).await).unwrap();
        rustix::process::kill_process(rustix::process::Pid::from_raw(process).unwrap(), signal).unwrap();
    }

    /// Waits until a server has ended; nobody comes to it any more.
    pub(super) async fn ended(&self, server: usize) {
        *self.ports[server].lock().unwrap_or_else(PoisonError::into_inner) = None;
        let mut child = self.children[server].lock().await.take().expect("it is there");
        let ended = tokio::time::timeout(Duration::from_secs(30), child.wait()).await;
        ended.expect("it ends within its grace").unwrap();
    }

    /// Where a server is reached, if it is there.
    pub(super) fn address(&self, server: usize) -> Option<String> {
        let port = *self.ports[server].lock().unwrap_or_else(PoisonError::into_inner);
        port.map(|port| format!("http://127.0.0.1:{port}/api/v1"))
    }

    pub(super) fn size(&self) -> usize {
        self.ports.len()
    }
}
