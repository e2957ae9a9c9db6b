//! A server on one end of a pipe, and what can be at the other.

use std::sync::Arc;

use qingyu_server::mcp::prompts::{Prompt, PromptParameter};
use qingyu_server::mcp::{McpService, serve};
use qingyu_story::{Character, Document, Language, OutlineNode, Story};
use qingyu_tools::texts::Text;
use qingyu_tools::{Engine, MemoryWorkspace, Permission, Tool, ToolCaller, Toolbox, workspace};
use rmcp::model::{ClientCapabilities, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, RunningService, serve_client_with_lifecycle};
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio_util::sync::CancellationToken;

/// A short book.
pub(crate) fn story() -> Story {
    let character = |name: &str| Character { name: name.into(), ..Character::default() };
    Story {
        premise: "雨夜的来客".into(),
        characters: vec![character("林青"), character("李四")],
        outline_nodes: vec![OutlineNode { name: "第一章".into(), order: 1, ..OutlineNode::default() }],
        documents: vec![Document {
            title: "第一章 雨夜".into(),
            order: 1,
            text: "林青推开了门。".into(),
            ..Document::default()
        }],
        ..Story::default()
    }
}

/// What the server under test offers: the writing tools on `story()`, and more if wanted.
pub(crate) fn server(allowance: Permission, more: Vec<Arc<dyn Tool>>) -> McpService {
    let mut toolbox = Toolbox::writing();
    for tool in more {
        toolbox.register(tool).unwrap();
    }
    let engine = Engine::new(toolbox, workspace::only(MemoryWorkspace::new("p-1", story())));
    let caller = ToolCaller { language: Language::En, ..ToolCaller::new("mcp", allowance) };
    McpService::new(Arc::new(engine), caller).with_prompts(prompts())
}

fn prompts() -> Vec<(Prompt, Text)> {
    let argument = PromptParameter { name: "name".into(), description: Text::same("whose"), is_needed: true };
    let prompt = Prompt {
        name: "arc".into(),
        title: Text::same("Arc"),
        description: Text::same("designs an arc"),
        arguments: vec![argument],
    };
    vec![(prompt, Text { zh: "为{name}设计弧线".into(), en: "Design an arc for {name}.".into() })]
}

/// Serves on one end of a pipe; the other end is given.
pub(crate) fn pipe(server: McpService) -> DuplexStream {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(ours);
    tokio::spawn(async move { serve(server, read, write, CancellationToken::new()).await.unwrap() });
    theirs
}

/// The generation of the protocol that a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Generation {
    Handshake,
    Stateless,
}

pub(crate) const BOTH: [Generation; 2] = [Generation::Handshake, Generation::Stateless];

/// A client of that generation at the server.
pub(crate) async fn connect<C: ClientHandler>(
    client: C,
    server: McpService,
    generation: Generation,
) -> RunningService<RoleClient, C> {
    let lifecycle = match generation {
        Generation::Handshake => ClientLifecycleMode::Initialize,
        Generation::Stateless => {
            ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
        }
    };
    serve_client_with_lifecycle(client, pipe(server), lifecycle).await.unwrap()
}

/// What a client can that can ask a person.
pub(crate) fn can_ask() -> ClientCapabilities {
    serde_json::from_value(json!({"elicitation": {"form": {}}})).unwrap()
}

/// A client that writes what it likes.
pub(crate) struct RawClient {
    read: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
}

impl RawClient {
    /// A client that has not begun yet.
    pub(crate) fn new(server: McpService) -> Self {
        let (read, write) = tokio::io::split(pipe(server));
        Self { read: BufReader::new(read).lines(), write }
    }

    /// A client that has begun with a handshake.
    pub(crate) async fn begun(server: McpService) -> Self {
        let mut raw = Self::new(server);
        raw.begin().await;
        raw
    }

    pub(crate) async fn begin(&mut self) {
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}});
        let answer = self.ask(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})).await;
        assert_eq!(answer["result"]["serverInfo"]["name"], "qingyu", "{answer}");
        self.put(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    }

    pub(crate) async fn put(&mut self, line: &str) {
        self.write.write_all(line.as_bytes()).await.unwrap();
        self.write.write_all(b"\n").await.unwrap();
    }

    /// The next message.
    pub(crate) async fn next(&mut self) -> Value {
        let line = self.read.next_line().await.unwrap().expect("the server goes on");
        serde_json::from_str(&line).unwrap()
    }

    pub(crate) async fn ask(&mut self, message: Value) -> Value {
        self.put(&message.to_string()).await;
        self.next().await
    }

    pub(crate) async fn call(&mut self, id: u64, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.ask(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).await
    }

    /// Whether the server still does its work.
    pub(crate) async fn is_alive(&mut self) -> bool {
        let answer = self.call(99, "character_tool", json!({"action": "list"})).await;
        answer["id"] == 99 && answer["result"]["structuredContent"]["total"] == 2
    }
}
