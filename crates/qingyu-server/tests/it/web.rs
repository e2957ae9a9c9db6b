//! A studio behind HTTP, and what can be at the other end.

use std::net::SocketAddr;
use std::path::Path;

use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::Response;
use qingyu_llm::Reply;
use qingyu_llm::testing::ScriptedModel;
use qingyu_server::mcp::http::{Settings as Serving, routes};
use qingyu_studio::{Environment, KeyRequest, KeyUsageLimits, Right, Settings, Studio, UserRequest, UserRole};
use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, RunningService, serve_client_with_lifecycle};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::foreign::environment;
use crate::rig::Generation;

/// A studio in an empty folder, served on a port of this machine until the test ends.
pub(crate) struct Site {
    pub(crate) studio: Studio,
    pub(crate) address: SocketAddr,
    _home: TempDir,
}

/// The newer protocol, as it names itself.
const NEW: &str = "2026-07-28";

impl Site {
    /// With the offline model, and no web to search.
    pub(crate) async fn open(serving: Serving) -> Self {
        Self::begin(serving, settings, Studio::open).await
    }

    /// The same, with these settings on top.
    pub(crate) async fn with(flags: &str) -> Self {
        let mut flags: toml::Table = flags.parse().unwrap();
        flags.extend(table());
        Self::begin(Serving::default(), |home| load(home, flags), Studio::open).await
    }

    /// With models that do not answer before the test has ended.
    pub(crate) async fn stuck() -> Self {
        let silent = ScriptedModel::responding("silent", |_| Reply::default().into());
        let silent = silent.with_latency(std::time::Duration::from_secs(3_600));
        let models = qingyu_llm::ModelRoutes::new(std::sync::Arc::new(silent));
        Self::begin(Serving::default(), settings, |settings| Studio::open_with_models(settings, models)).await
    }

    async fn begin<F>(
        serving: Serving,
        settings: impl FnOnce(&Path) -> Settings,
        open: impl FnOnce(Settings) -> F,
    ) -> Self
    where
        F: Future<Output = Result<Studio, qingyu_studio::Error>>,
    {
        let home = tempfile::tempdir().unwrap();
        let studio = open(settings(home.path())).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = routes(serving).layer(middleware::from_fn_with_state(studio.clone(), admit));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { studio, address, _home: home }
    }

    /// A key of a user, who is made if nobody is called so yet.
    pub(crate) async fn key(&self, user: &str, right: Right, projects: &[&str]) -> String {
        key(&self.studio, user, right, projects).await
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A client of that generation.
    pub(crate) async fn connect<C: ClientHandler>(
        &self,
        client: C,
        path: &str,
        generation: Generation,
    ) -> RunningService<RoleClient, C> {
        let lifecycle = match generation {
            Generation::Handshake => ClientLifecycleMode::Initialize,
            Generation::Stateless => {
                ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
            }
        };
        let config = StreamableHttpClientTransportConfig::with_uri(self.url(path));
        let transport = StreamableHttpClientTransport::with_client(web(), config);
        serve_client_with_lifecycle(client, transport, lifecycle).await.unwrap()
    }

    /// One request of the newer protocol, as it is on the wire; gives its answer, whatever news came before it.
    pub(crate) async fn ask(&self, method: &str, params: Value, can: Value) -> Value {
        self.ask_as(None, method, params, can).await
    }

    /// The same, from the owner of a key.
    pub(crate) async fn ask_as(&self, key: Option<&str>, method: &str, params: Value, can: Value) -> Value {
        ask_mcp(&self.url("/mcp"), key, method, params, can).await
    }
}

/// One request of the newer protocol to the address, as it is on the wire, from the owner of a key; gives its answer.
pub(crate) async fn ask_mcp(url: &str, key: Option<&str>, method: &str, mut params: Value, can: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": NEW,
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": can,
    });
    let name = ["name", "taskId", "uri"].into_iter().find_map(|field| params[field].as_str()).map(str::to_owned);
    let mut request = post(url).header("mcp-protocol-version", NEW).header("mcp-method", method);
    if let Some(name) = name {
        request = request.header("mcp-name", name);
    }
    if let Some(key) = key {
        request = request.bearer_auth(key);
    }
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    answer(request.body(message.to_string()).send().await.unwrap()).await
}

/// A key of a user of that studio, who is made if nobody is called so yet.
pub(crate) async fn key(studio: &Studio, user: &str, right: Right, projects: &[&str]) -> String {
    let access = studio.access();
    let role = if right == Right::Admin { UserRole::Admin } else { UserRole::Member };
    let _known = access.add_user(UserRequest { user: user.into(), name: None, role }).await;
    let projects = projects.iter().map(|project| (*project).to_owned()).collect();
    let (name, limits) = ("test".to_owned(), KeyUsageLimits::default());
    let request = KeyRequest { user: Some(user.into()), name, right, projects, expires: None, limits };
    access.make_key(request).await.unwrap().secret.reveal().to_owned()
}

/// Lets in whoever shows a key, and who shows none as whoever works at this machine.
async fn admit(State(studio): State<Studio>, mut request: Request, next: Next) -> Response {
    let shown = request.headers().get("authorization").and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let studio = match shown {
        Some(key) => studio.of(&studio.access().authenticate(key).await.unwrap()),
        None => studio,
    };
    request.extensions_mut().insert(studio);
    next.run(request).await
}

pub(crate) fn settings(home: &Path) -> Settings {
    load(home, table())
}

fn table() -> toml::Table {
    "web = { search = 'none' }".parse().unwrap()
}

fn load(home: &Path, flags: toml::Table) -> Settings {
    let ours = [("QINGYU_HOME", home.to_str().unwrap()), ("QINGYU_MODEL", "offline-rules-1")];
    let ours = ours.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Settings::load(Environment::new(ours.into_iter().chain(environment())), flags).unwrap()
}

/// A client of HTTP. What it asks stays on this machine, so that it needs nobody's certificates.
pub(crate) fn web() -> reqwest::Client {
    let _already = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap()
}

pub(crate) fn post(url: &str) -> reqwest::RequestBuilder {
    web().post(url).header("content-type", "application/json").header("accept", "application/json, text/event-stream")
}

/// The last message of an answer, which may be one or a stream of them.
pub(crate) async fn answer(response: reqwest::Response) -> Value {
    let text = response.text().await.unwrap();
    let last = text.lines().filter_map(|line| line.strip_prefix("data:")).rfind(|line| !line.trim().is_empty());
    serde_json::from_str(last.unwrap_or(&text)).unwrap_or_else(|_| panic!("no message: {text}"))
}

/// Calls a tool; gives the whole result.
pub(crate) async fn call<C: ClientHandler>(
    client: &RunningService<RoleClient, C>,
    tool: &str,
    arguments: Value,
) -> Value {
    let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments.as_object().cloned().unwrap());
    serde_json::to_value(client.call_tool(request).await.unwrap()).unwrap()
}
