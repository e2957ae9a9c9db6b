//! Inputs of a studio and its server: settings, messages of an MCP client, the events of a run.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use qingyu_client::run_events as read_events;
use qingyu_server::mcp::{McpService, serve};
use qingyu_studio::settings::{Environment, Settings, assign};
use qingyu_tools::testing::suite;
use qingyu_tools::{Engine, MemoryWorkspace, Permission, ToolCaller, Toolbox, workspace};
use serde_json::Value as Json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;
use toml::Table;

use crate::input;

/// Parses any text as a settings file, and its lines as flags `key=value`. Accepted settings can be shown, and the
/// output contains no provider header and no password of an address.
pub fn settings(bytes: &[u8]) {
    let text = input::text(bytes);
    let mut flags = Table::new();
    for (key, value) in text.lines().filter_map(|line| line.split_once('=')) {
        // A part of a name which is no table is rejected; the previous value is kept.
        let before = flags.clone();
        if assign(&mut flags, key.trim(), value.trim()).is_err() {
            assert_eq!(before.keys().count(), before.keys().filter(|name| flags.contains_key(*name)).count());
        }
    }
    let tables = [text.parse::<Table>().ok(), Some(flags)];
    for table in tables.into_iter().flatten() {
        let environment = Environment::new([("QINGYU_HOME".to_owned(), "/nonexistent/qingyu".to_owned())]);
        let Ok(settings) = Settings::load(environment, table) else { continue };
        let rows = settings.rows(None).expect("what was loaded can be shown");
        for row in &rows {
            let is_header = row.key.starts_with("providers.") && row.key.contains(".headers.");
            assert!(!is_header || row.value == "***", "{} is not shown", row.key);
        }
    }
}

static TOOLBOX: LazyLock<Toolbox> = LazyLock::new(Toolbox::writing);

/// Sends any bytes as messages of an MCP client, one per line. The server returns only valid messages, answers no request
/// twice and terminates.
pub fn mcp_message(bytes: &[u8]) {
    let told = input::block_on(conversation(bytes));
    let mut answered = BTreeSet::new();
    let mut asked: Vec<String> = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        asked.extend(serde_json::from_slice::<Json>(line).ok().and_then(|it| Some(in_one_form(it.get("id")?))));
    }
    // The interpretation of a line with a duplicate id, or with invalid text, is unspecified.
    let is_plain = std::str::from_utf8(bytes).is_ok_and(|text| text.matches("\"id\"").count() == asked.len());
    for line in told.lines() {
        let message: Json =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("a line is a message: {error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        let is_answer = message.get("result").is_some() || message.get("error").is_some();
        if let Some(id) = message.get("id").filter(|id| is_answer && !id.is_null()).map(in_one_form) {
            let times = asked.iter().filter(|other| **other == id).count();
            assert!(answered.insert(id.clone()) || times > 1 || !is_plain, "request {id} is answered once");
            assert!(times > 0 || !is_plain, "{id} was asked: {line}");
        }
    }
}

/// Returns an id in a normal form: `-0`, `0.0` and `0` are the same number. Beyond 2^53 they may differ.
fn in_one_form(id: &Json) -> String {
    let whole = id.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 2_f64.powi(53));
    // -0 + 0 is 0.
    whole.map_or_else(|| id.to_string(), |number| (number + 0.0).to_string())
}

/// Returns the whole output of a server to a client which sends `bytes` and disconnects.
async fn conversation(bytes: &[u8]) -> String {
    let projects = workspace::only(MemoryWorkspace::new("p-1", suite::beginning()));
    let engine = Engine::new(TOOLBOX.clone(), projects);
    let server = McpService::new(Arc::new(engine), ToolCaller::new("anybody", Permission::Write));
    let (ours, theirs) = tokio::io::duplex(64 << 10);
    let (read, write) = tokio::io::split(theirs);
    let (mut hear, mut say) = tokio::io::split(ours);
    let talk = async {
        let mut told = String::new();
        let speak = async {
            // A terminated server reads no more.
            let _ = say.write_all(bytes).await;
            let _ = say.shutdown().await;
        };
        let listen = hear.read_to_string(&mut told);
        let (ended, (), heard) = tokio::join!(serve(server, read, write, CancellationToken::new()), speak, listen);
        heard.expect("what a server says is text");
        // A client may violate the initial handshake.
        drop(ended);
        told
    };
    tokio::time::timeout(Duration::from_secs(10), talk).await.expect("a conversation comes to an end")
}

/// Parses any bytes as the event stream of a run: the first byte is the size of the pieces. The boundaries of pieces
/// make no difference, and no event is without data.
pub fn run_events(bytes: &[u8]) {
    let (size, stream) = input::choice(bytes);
    let whole = read_events(&[stream]);
    assert_eq!(whole, read_events(&input::pieces(stream, size)), "in pieces of {size}");
    for (_, kind, data) in &whole {
        assert!(!data.is_empty() && !kind.contains('\n'), "{kind:?}: {data:?}");
    }
}
