//! The connection to a server: started on demand, and restarted when lost.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientConfig, Implementation, ProtocolVersion, Tool,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, RunningService, ServiceError, serve_client_with_lifecycle,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, Peer, RoleClient};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::Command;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::child::ChildTransport;
use super::material;
use super::settings::McpServer;
use crate::ToolError;

/// Timeout of the health check of a server that did not answer a call.
pub(crate) const LOOK: Duration = Duration::from_secs(2);
/// Maximum characters of a server's error message.
const SAID: usize = 500;
/// Maximum tools per server.
const TOOLS: usize = 500;

/// A server connection.
#[derive(Debug)]
pub(crate) struct McpConnection {
    server: String,
    settings: McpServer,
    environment: BTreeMap<String, String>,
    running: Mutex<Option<RunningClient>>,
}

type RunningClient = RunningService<RoleClient, McpClientHandler>;

/// The error of starting a server.
#[derive(Debug, thiserror::Error)]
enum StartError {
    /// The server cannot be reached.
    #[error("{0}")]
    Impossible(String),
    /// The server refuses the handshake.
    #[error("{0}")]
    Refused(Box<ClientInitializeError>),
}

/// The client side of the connection: a client without capabilities. Requests of the server are declined.
#[derive(Debug, Clone)]
pub(crate) struct McpClientHandler;

impl ClientHandler for McpClientHandler {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(Default::default(), Implementation::new("qingyu", env!("CARGO_PKG_VERSION")))
    }
}

impl McpConnection {
    pub(crate) fn new(server: &str, settings: McpServer, environment: BTreeMap<String, String>) -> Self {
        Self { server: server.to_owned(), settings, environment, running: Mutex::new(None) }
    }

    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    pub(crate) fn settings(&self) -> &McpServer {
        &self.settings
    }

    /// Fetches all tools of the server, page by page.
    pub(crate) async fn list(&self) -> Result<Vec<Tool>, ToolError> {
        let peer = self.peer().await?;
        let listing = async {
            let mut tools = Vec::new();
            let mut cursor = None;
            loop {
                let page = peer.list_tools(Some(page_at(cursor))).await?;
                tools.extend(page.tools);
                cursor = page.next_cursor;
                if cursor.is_none() || tools.len() >= TOOLS {
                    tools.truncate(TOOLS);
                    return Ok(tools);
                }
            }
        };
        match timeout(self.settings.patience(), listing).await {
            Ok(Ok(tools)) => Ok(tools),
            Ok(Err(error)) => Err(self.failure(error).await),
            Err(_elapsed) => Err(self.silence(&peer).await),
        }
    }

    /// Calls a tool by the server's own name.
    ///
    /// Fails with [`ToolError::Unavailable`] if the server cannot be started, with [`ToolError::TimedOut`] if the
    /// server does not answer, and with [`ToolError::Failed`] if the server is lost meanwhile or refuses.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Result<CallToolResult, ToolError> {
        let peer = self.peer().await?;
        let mut request = CallToolRequestParams::new(tool.to_owned());
        request.arguments = match arguments {
            Value::Object(arguments) => Some(arguments),
            _ => None,
        };
        match timeout(self.settings.patience(), peer.call_tool_once(request)).await {
            Ok(Ok(CallToolResponse::Complete(answer))) => Ok(answer),
            Ok(Ok(_)) => Err(self.failed("it wants to ask somebody first, and nobody is here", "foreign_refusal")),
            Ok(Err(error)) => Err(self.failure(error).await),
            Err(_elapsed) => Err(self.silence(&peer).await),
        }
    }

    /// Returns the running server, starting the server if necessary.
    async fn peer(&self) -> Result<Peer<RoleClient>, ToolError> {
        let mut running = self.running.lock().await;
        if let Some(running) = running.as_ref()
            && !running.is_closed()
            && !running.peer().is_transport_closed()
        {
            return Ok(running.peer().clone());
        }
        *running = None;
        let started = timeout(self.settings.patience(), self.start()).await;
        let started = started.unwrap_or_else(|_elapsed| Err("it does not begin".to_owned()));
        let unavailable = |said: String| ToolError::Unavailable {
            message: format!("the server '{}' cannot be had: {}", self.server, material::line(&said, SAID)),
            retry_after: None,
        };
        let started = started.map_err(unavailable)?;
        let peer = started.peer().clone();
        *running = Some(started);
        Ok(peer)
    }

    /// Starts with a handshake, and without a handshake if the server refuses.
    async fn start(&self) -> Result<RunningClient, String> {
        let newest = vec![ProtocolVersion::V_2026_07_28];
        match self.begin(ClientLifecycleMode::Initialize).await {
            Err(StartError::Refused(refusal)) => {
                tracing::debug!(server = self.server, %refusal, "mcp server refused the handshake");
                self.begin(ClientLifecycleMode::Discover { preferred_versions: newest }).await
            }
            other => other,
        }
        .map_err(|error| error.to_string())
    }

    async fn begin(&self, lifecycle: ClientLifecycleMode) -> Result<RunningClient, StartError> {
        let begun = match &self.settings.url {
            Some(url) => serve_client_with_lifecycle(McpClientHandler, self.remote(url)?, lifecycle).await,
            None => serve_client_with_lifecycle(McpClientHandler, self.child()?, lifecycle).await,
        };
        begun.map_err(|error| StartError::Refused(Box::new(error)))
    }

    /// Starts the program with only the configured environment.
    fn child(&self) -> Result<ChildTransport, StartError> {
        let mut command = Command::new(self.settings.command.as_deref().unwrap_or_default());
        command.args(&self.settings.args).env_clear().envs(&self.environment).envs(&self.settings.env);
        let started = ChildTransport::spawn(command);
        let (child, errors) = started.map_err(|error| StartError::Impossible(error.to_string()))?;
        tokio::spawn(log(self.server.clone(), errors));
        Ok(child)
    }

    fn remote(&self, url: &str) -> Result<StreamableHttpClientTransport<reqwest::Client>, StartError> {
        let impossible = |error: &dyn std::fmt::Display| StartError::Impossible(error.to_string());
        let address = reqwest::Url::parse(url).map_err(|error| impossible(&error))?;
        // The first caller in the process wins; either way a provider is installed.
        let _already = rustls::crypto::ring::default_provider().install_default();
        // Headers may be secret, and must not follow a redirect to another host.
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("qingyu/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(self.settings.patience())
            .redirect(Policy::none());
        if matches!(address.host_str(), Some("127.0.0.1" | "localhost" | "[::1]")) {
            // Loopback needs neither a proxy nor the system's certificates, which a bare container lacks.
            builder = builder.no_proxy().tls_certs_only([]);
        }
        let client = builder.build().map_err(|error| impossible(&error))?;
        let mut headers = HashMap::new();
        for (name, value) in &self.settings.headers {
            let bad = || StartError::Impossible(format!("'{name}' is no header, or has no value of one"));
            let mut value = HeaderValue::try_from(value).map_err(|_| bad())?;
            value.set_sensitive(true);
            headers.insert(HeaderName::try_from(name).map_err(|_| bad())?, value);
        }
        let config = StreamableHttpClientTransportConfig::with_uri(url).custom_headers(headers);
        Ok(StreamableHttpClientTransport::with_client(client, config))
    }

    /// Converts a protocol error for the caller.
    async fn failure(&self, error: ServiceError) -> ToolError {
        match error {
            ServiceError::McpError(error) => {
                self.failed(&format!("it says: {}", material::line(&error.message, SAID)), "foreign_refusal")
            }
            error => {
                self.running.lock().await.take();
                self.failed(&format!("it was lost: {error}"), "foreign_lost")
            }
        }
    }

    /// Converts a timeout for the caller. An unresponsive server is dropped; a slow server is kept.
    async fn silence(&self, peer: &Peer<RoleClient>) -> ToolError {
        if !matches!(timeout(LOOK, peer.list_tools(None)).await, Ok(Ok(_))) {
            tracing::warn!(server = self.server, "mcp server unresponsive; connection dropped");
            self.running.lock().await.take();
        }
        ToolError::TimedOut { after: self.settings.patience(), reads: false }
    }

    fn failed(&self, what: &str, code: &str) -> ToolError {
        let message = format!("the server '{}' did not do it: {what}", self.server);
        ToolError::Failed { code: code.to_owned(), message, retryable: false }
    }
}

fn page_at(cursor: Option<String>) -> rmcp::model::PaginatedRequestParams {
    rmcp::model::PaginatedRequestParams::default().with_cursor(cursor)
}

/// Forwards the program's standard error to the log.
async fn log(server: String, errors: impl AsyncRead + Unpin) {
    let mut lines = BufReader::new(errors).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::debug!(server, "{}", material::line(&line, SAID));
    }
}
