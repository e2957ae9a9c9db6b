//! The parsed request to a workspace: its project, expected version and author.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, RawPathParams, Request};
use axum::http::{HeaderMap, Method, StatusCode, header};
use qingyu_story::{PieceKind, Provenance, Story};
use qingyu_studio::{OpenProject, Right, Studio};
use qingyu_tools::desk::Desk;
use qingyu_tools::workspace::LoadedStory;
use qingyu_tools::workspace::remote::operation::{self, Operation};
use qingyu_tools::{Engine, ToolCaller, Toolbox, workspace};
use serde_json::{Map, Value};

use super::to_wire;
use crate::http::operations::body;
use crate::http::{HttpCaller, HttpProblem, ServerState};

/// The default author of a change.
pub(super) const PERSON: &str = "person";

/// The tools, created once.
static TOOLS: LazyLock<Toolbox> = LazyLock::new(Toolbox::writing);

/// The query parameter for the position of a piece in its list.
const POSITION: &str = "position";

/// A request about a project, by a caller with read access.
#[derive(Debug)]
pub(super) struct WorkspaceRequest {
    studio: Studio,
    project: OpenProject,
    method: Method,
    /// The path below the project, as sent.
    path: String,
    /// The path parameters after the project, such as the id of a piece.
    named: Vec<String>,
    query: HashMap<String, String>,
    headers: HeaderMap,
    /// The request body; default empty.
    pub(super) body: Map<String, Value>,
}

/// The same, by a caller with write access.
#[derive(Debug)]
pub(super) struct WorkspaceChange(pub(super) WorkspaceRequest);

impl FromRequest<ServerState> for WorkspaceRequest {
    type Rejection = HttpProblem;

    async fn from_request(request: Request, state: &ServerState) -> Result<Self, HttpProblem> {
        let (mut parts, sent) = request.into_parts();
        let caller = HttpCaller::from_request_parts(&mut parts, state).await?;
        caller.demand(Right::Read)?;
        let segments = RawPathParams::from_request_parts(&mut parts, state).await;
        let segments = segments.map_err(|error| HttpProblem::new(error.status(), "bad_request", error.body_text()))?;
        let query = Query::<HashMap<String, String>>::from_request_parts(&mut parts, state).await;
        let Query(query) = query.map_err(|error: QueryRejection| HttpProblem::from(error))?;
        let mut named = segments.iter().map(|(_, value)| value.to_owned());
        let project = caller.0.open_project(&named.next().unwrap_or_default()).await?;
        let named = named.collect();
        let path = parts.uri.path().splitn(4, '/').nth(3).unwrap_or_default().to_owned();
        let (method, headers) = (parts.method.clone(), parts.headers.clone());
        let body = body(Request::from_parts(parts, sent), state).await?;
        Ok(Self { studio: caller.0, project, method, path, named, query, headers, body })
    }
}

impl FromRequest<ServerState> for WorkspaceChange {
    type Rejection = HttpProblem;

    async fn from_request(request: Request, state: &ServerState) -> Result<Self, HttpProblem> {
        let (mut parts, sent) = request.into_parts();
        HttpCaller::from_request_parts(&mut parts, state).await?.demand(Right::Write)?;
        let asked = WorkspaceRequest::from_request(Request::from_parts(parts, sent), state).await?;
        // Used only by exact changes, but validated for all.
        asked.number(POSITION)?;
        Ok(Self(asked))
    }
}

impl WorkspaceRequest {
    /// Returns the project.
    pub(super) fn project(&self) -> &OpenProject {
        &self.project
    }

    /// Returns a path parameter after the project.
    pub(super) fn named(&self, place: usize) -> &str {
        self.named.get(place).map(String::as_str).unwrap_or_default()
    }

    /// Returns a string of the query; `None` if empty.
    pub(super) fn word(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str).filter(|word| !word.is_empty())
    }

    /// Parses a number of the query.
    pub(super) fn number(&self, name: &str) -> Result<Option<usize>, HttpProblem> {
        let not_a_number = |_| bad_request(name, "a whole number is expected");
        self.word(name).map(str::parse).transpose().map_err(not_a_number)
    }

    /// Returns the expected version from `If-Match`; `None` accepts any version.
    pub(super) fn expected(&self) -> Result<Option<u64>, HttpProblem> {
        let Some(tag) = self.header(header::IF_MATCH.as_str())?.filter(|tag| *tag != "*") else { return Ok(None) };
        let version = tag.trim_start_matches("W/").trim_matches('"').parse();
        version.map(Some).map_err(|_| bad_request("If-Match", "the version of the project is expected, such as \"7\""))
    }

    /// Returns the provenance of a change, sent by tools that compute the consequences themselves.
    pub(super) fn provenance(&self) -> Result<Option<Provenance>, HttpProblem> {
        let Some(given) = self.header("x-provenance")? else { return Ok(None) };
        let mut provenance: Provenance =
            serde_json::from_str(given).map_err(|error| bad_request("X-Provenance", &error.to_string()))?;
        if provenance.agent.is_empty() {
            PERSON.clone_into(&mut provenance.agent);
        }
        Ok(Some(provenance))
    }

    /// Returns the idempotency key of a change.
    pub(super) fn key(&self) -> Result<Option<String>, HttpProblem> {
        Ok(self.header("idempotency-key")?.filter(|key| !key.is_empty()).map(str::to_owned))
    }

    fn header(&self, name: &str) -> Result<Option<&str>, HttpProblem> {
        let value = self.headers.get(name).map(|value| value.to_str().map(str::trim));
        value.transpose().map_err(|_| bad_request(name, "it has characters that no header has"))
    }

    /// Returns whether the request deletes something.
    pub(super) fn is_delete(&self) -> bool {
        self.method == Method::DELETE
    }

    /// Parses the requested change.
    pub(super) fn operation(&mut self) -> Result<Operation, HttpProblem> {
        let method = match self.method {
            Method::PUT => operation::Method::Put,
            Method::DELETE => operation::Method::Delete,
            _ => operation::Method::Post,
        };
        let position = self.number(POSITION)?;
        let body = Value::Object(std::mem::take(&mut self.body));
        Ok(Operation { method, path: self.path.clone(), position, body })
    }

    /// Loads the current story.
    pub(super) async fn load(&self) -> Result<LoadedStory, HttpProblem> {
        self.project.workspace.load().await.map_err(to_wire::workspace)
    }

    /// Calls a tool on the project, in the language of the project.
    ///
    /// Returns the result and the project version of the result.
    pub(super) async fn call(&self, tool: &str, mut arguments: Value) -> Result<(Value, u64), HttpProblem> {
        let expected = self.expected()?;
        if let Some(expected) = expected {
            arguments["expected_version"] = expected.into();
        }
        let engine = Engine::new(TOOLS.clone(), workspace::only(self.project.workspace.clone()));
        let language = self.project.row.language;
        let caller = ToolCaller { language, ..ToolCaller::new(PERSON, self.studio.allowance()) };
        let mut result = engine.call(tool, arguments, &caller).await.result.map_err(|error| to_wire::tool(&error))?;
        let version = result["version"].take().as_u64().unwrap_or_default();
        if let Value::Object(fields) = &mut result {
            fields.remove("version");
        }
        Ok((result, version))
    }
}

/// Returns the index of the piece `name` in a story, by id, name, title or alias.
pub(super) fn find(loaded: &LoadedStory, kind: PieceKind, name: &str) -> Result<usize, HttpProblem> {
    let desk = Desk::new(loaded.clone(), Story::default().language);
    desk.find(kind, name, "").map_err(|error| to_wire::tool(&error))
}

/// Returns the indices of the named pieces; unknown names are ignored.
pub(super) fn find_each(loaded: &LoadedStory, kind: PieceKind, names: &BTreeSet<&str>) -> BTreeSet<usize> {
    Desk::new(loaded.clone(), Story::default().language).find_each(kind, names)
}

pub(super) fn bad_request(path: &str, message: &str) -> HttpProblem {
    let title = format!("the request does not fit at {path}: {message}");
    HttpProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_request", title).with("path", path).with("message", message)
}
