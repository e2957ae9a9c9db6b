//! A server with projects, just enough of one: the routes of the studio over a workspace in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use qingyu_story::{PieceKind, Provenance, Story};
use qingyu_tools::workspace::remote::operation::{Operation, carry_out};
use qingyu_tools::workspace::remote::routes;
use qingyu_tools::workspace::{Error, LoadedStory, WorkspaceSave};
use qingyu_tools::{MemoryWorkspace, Workspace};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A running server. Ends with the test's runtime.
#[derive(Debug, Clone)]
pub(crate) struct StubServer {
    pub(crate) address: String,
    state: Arc<StubState>,
}

#[derive(Debug)]
struct StubState {
    workspace: MemoryWorkspace,
    /// Whether it takes several changes at once, and gives a story as a whole.
    batches: bool,
    /// Answers to give before anything else: a status, headers, a body.
    planned: Mutex<Vec<(u16, &'static str, String)>>,
    requests: Mutex<Vec<StubRequest>>,
    kept: Mutex<BTreeMap<String, (u16, Value)>>,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct StubRequest {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Value,
}

impl StubServer {
    /// A server with one project `p-1`.
    pub(crate) async fn new(story: Story, batches: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(StubState {
            workspace: MemoryWorkspace::new("p-1", story),
            batches,
            planned: Mutex::default(),
            requests: Mutex::default(),
            kept: Mutex::default(),
        });
        let serving = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&serving)));
            }
        });
        Self { address, state }
    }

    /// Answers the next request so.
    pub(crate) fn plan(&self, status: u16, headers: &'static str, body: &str) {
        self.state.planned.lock().unwrap().push((status, headers, body.to_owned()));
    }

    /// The requests since the last time this was asked.
    pub(crate) fn requests(&self) -> Vec<StubRequest> {
        std::mem::take(&mut *self.state.requests.lock().unwrap())
    }

    /// The story as the server has it.
    pub(crate) fn workspace(&self) -> &MemoryWorkspace {
        &self.state.workspace
    }
}

async fn serve(mut stream: TcpStream, state: Arc<StubState>) -> Option<()> {
    let mut buffer = Vec::new();
    loop {
        let request = read(&mut stream, &mut buffer).await?;
        state.requests.lock().unwrap().push(request.clone());
        let planned = {
            let mut planned = state.planned.lock().unwrap();
            if planned.is_empty() { None } else { Some(planned.remove(0)) }
        };
        let (status, headers, body) = match planned {
            Some(planned) => planned,
            None => {
                let (status, body) = answer(&state, &request).await;
                (status, "", body.to_string())
            }
        };
        let head = format!("HTTP/1.1 {status} stub\r\n{headers}content-length: {}\r\n\r\n", body.len());
        stream.write_all(format!("{head}{body}").as_bytes()).await.ok()?;
    }
}

async fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<StubRequest> {
    let end = loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&buffer[..end]).into_owned();
    buffer.drain(..end + 4);
    let mut lines = head.split("\r\n");
    let mut start = lines.next()?.split(' ');
    let (method, target) = (start.next()?.to_owned(), start.next()?);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers: BTreeMap<_, _> =
        headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    while buffer.len() < length {
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
    let body: Vec<u8> = buffer.drain(..length).collect();
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Some(StubRequest { method, path: path.to_owned(), query: query.to_owned(), headers, body })
}

async fn answer(state: &StubState, request: &StubRequest) -> (u16, Value) {
    let Some(path) = request.path.strip_prefix("/api/v1/projects/p-1") else {
        return (404, problem("no such project"));
    };
    let path = path.trim_start_matches('/');
    if request.method == "GET" {
        let LoadedStory { story, version } = state.workspace.load().await.unwrap();
        if path == routes::PIECES && state.batches {
            return (200, json!({"data": *story, "version": version}));
        }
        return match look(&state.workspace, &story, path).await {
            Some(data) => (200, json!({"data": data, "version": version})),
            None => (404, problem("nothing there")),
        };
    }
    if path == routes::BATCH && !state.batches {
        return (404, problem("no such route"));
    }
    let key = request.headers["idempotency-key"].clone();
    if let Some(kept) = state.kept.lock().unwrap().get(&key) {
        return kept.clone();
    }
    let answer = change(state, request, path, &key).await;
    if answer.0 == 200 {
        state.kept.lock().unwrap().insert(key, answer.clone());
    }
    answer
}

async fn look(workspace: &MemoryWorkspace, story: &Story, path: &str) -> Option<Value> {
    if path.is_empty() {
        return Some(
            json!({"id": "p-1", "premise": story.premise, "language": story.language, "last_ids": story.last_ids}),
        );
    }
    if let Some(kind) = PieceKind::ALL.into_iter().find(|kind| routes::list(*kind) == path) {
        let pieces: Vec<Value> = story.pieces_of(kind).map(|piece| Value::Object(piece.fields())).collect();
        return if kind.is_single() { pieces.into_iter().next() } else { Some(json!({"items": pieces})) };
    }
    match path {
        routes::WAIVERS => return Some(json!({"items": story.waivers})),
        routes::PHASES => return Some(json!(story.production)),
        routes::FIELDS => return Some(json!({"items": story.fields})),
        _ => {}
    }
    if let Some(id) = path.strip_prefix("documents/").and_then(|rest| rest.strip_suffix("/versions")) {
        return Some(json!({"items": workspace.document_versions(id).await.unwrap()}));
    }
    let (kind, id) = path.strip_prefix("provenance/")?.split_once('/')?;
    Some(json!(workspace.provenance(PieceKind::parse(kind)?, id).await.unwrap()?))
}

async fn change(state: &StubState, request: &StubRequest, path: &str, key: &str) -> (u16, Value) {
    let LoadedStory { story: before, version } = state.workspace.load().await.unwrap();
    let expected = request.headers["if-match"].trim_matches('"').parse().unwrap();
    let provenance: Provenance = serde_json::from_str(&request.headers["x-provenance"]).unwrap();
    let mut after = Story::clone(&before);
    let operations: Vec<Operation> = if path == routes::BATCH {
        serde_json::from_value(request.body["operations"].clone()).unwrap()
    } else {
        let method = serde_json::from_value(json!(request.method)).unwrap();
        let position = request.query.strip_prefix("position=").and_then(|position| position.parse().ok());
        vec![Operation { method, path: path.to_owned(), position, body: request.body.clone() }]
    };
    let done = operations.iter().all(|operation| carry_out(&mut after, operation).is_ok());
    if expected == version && !done {
        return (422, problem("this does not fit"));
    }
    let save = WorkspaceSave { before, after, expected, key: key.to_owned(), provenance };
    match state.workspace.save(save).await {
        Ok(version) => (200, json!({"version": version})),
        Err(Error::Conflict { found, .. }) => (412, json!({"detail": "changed", "version": found})),
        Err(other) => (500, problem(&other.to_string())),
    }
}

fn problem(detail: &str) -> Value {
    json!({"detail": detail})
}
