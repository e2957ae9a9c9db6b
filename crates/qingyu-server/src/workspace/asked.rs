//! What a request to a workspace says: of which project, for which version, and who makes it.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, RawPathParams, Request};
use axum::http::{HeaderMap, Method, StatusCode, header};
use qingyu_story::{PieceKind, Story};
use qingyu_studio::{OpenProject, Right, Studio};
use qingyu_tools::desk::Desk;
use qingyu_tools::workspace::remote::operation::{self, Operation};
use qingyu_tools::workspace::{Loaded, Provenance};
use qingyu_tools::{Caller as ToolCaller, Engine, Toolbox, workspace};
use serde_json::{Map, Value};

use super::to_wire;
use crate::http::operations::body;
use crate::http::{Caller, Problem, State};

/// Who makes a change that does not say so.
pub(super) const PERSON: &str = "person";

/// The tools, made once.
static TOOLS: LazyLock<Toolbox> = LazyLock::new(Toolbox::writing);

/// Where in its list a piece is to stand.
const POSITION: &str = "position";

/// What is asked of a project, by somebody who may look at it.
#[derive(Debug)]
pub(super) struct Asked {
    studio: Studio,
    project: OpenProject,
    method: Method,
    /// Below the project, as it was sent.
    path: String,
    /// What stands in the path behind the project, such as the id of a piece.
    named: Vec<String>,
    query: HashMap<String, String>,
    headers: HeaderMap,
    /// What was sent; empty if nothing was.
    pub(super) body: Map<String, Value>,
}

/// The same, by somebody who may change it.
#[derive(Debug)]
pub(super) struct Change(pub(super) Asked);

impl FromRequest<State> for Asked {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &State) -> Result<Self, Problem> {
        let (mut parts, sent) = request.into_parts();
        let caller = Caller::from_request_parts(&mut parts, state).await?;
        caller.demand(Right::Read)?;
        let segments = RawPathParams::from_request_parts(&mut parts, state).await;
        let segments = segments.map_err(|error| Problem::new(error.status(), "bad_request", error.body_text()))?;
        let query = Query::<HashMap<String, String>>::from_request_parts(&mut parts, state).await;
        let Query(query) = query.map_err(|error: QueryRejection| Problem::from(error))?;
        let mut named = segments.iter().map(|(_, value)| value.to_owned());
        let project = caller.0.open_project(&named.next().unwrap_or_default()).await?;
        let named = named.collect();
        let path = parts.uri.path().splitn(4, '/').nth(3).unwrap_or_default().to_owned();
        let (method, headers) = (parts.method.clone(), parts.headers.clone());
        let body = body(Request::from_parts(parts, sent), state).await?;
        Ok(Self { studio: caller.0, project, method, path, named, query, headers, body })
    }
}

impl FromRequest<State> for Change {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &State) -> Result<Self, Problem> {
        let (mut parts, sent) = request.into_parts();
        Caller::from_request_parts(&mut parts, state).await?.demand(Right::Write)?;
        let asked = Asked::from_request(Request::from_parts(parts, sent), state).await?;
        // It counts only for changes that are made exactly as they are given, but is no rubbish elsewhere.
        asked.number(POSITION)?;
        Ok(Self(asked))
    }
}

impl Asked {
    /// The project.
    pub(super) fn project(&self) -> &OpenProject {
        &self.project
    }

    /// What is named in the path behind the project.
    pub(super) fn named(&self, place: usize) -> &str {
        self.named.get(place).map(String::as_str).unwrap_or_default()
    }

    /// A word of the query; none if it is empty.
    pub(super) fn word(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str).filter(|word| !word.is_empty())
    }

    /// A number of the query.
    pub(super) fn number(&self, name: &str) -> Result<Option<usize>, Problem> {
        let not_a_number = |_| bad_request(name, "a whole number is expected");
        self.word(name).map(str::parse).transpose().map_err(not_a_number)
    }

    /// The version that a change is made for, as `If-Match` says; none if any will do.
    pub(super) fn expected(&self) -> Result<Option<u64>, Problem> {
        let Some(tag) = self.header(header::IF_MATCH.as_str())?.filter(|tag| *tag != "*") else { return Ok(None) };
        let version = tag.trim_start_matches("W/").trim_matches('"').parse();
        version.map(Some).map_err(|_| bad_request("If-Match", "the version of the project is expected, such as \"7\""))
    }

    /// Who makes a change, if it comes from a tool that has worked out what follows from it.
    pub(super) fn provenance(&self) -> Result<Option<Provenance>, Problem> {
        let Some(given) = self.header("x-provenance")? else { return Ok(None) };
        let mut provenance: Provenance =
            serde_json::from_str(given).map_err(|error| bad_request("X-Provenance", &error.to_string()))?;
        if provenance.agent.is_empty() {
            PERSON.clone_into(&mut provenance.agent);
        }
        Ok(Some(provenance))
    }

    /// What a change is named by, so that it is made once.
    pub(super) fn key(&self) -> Result<Option<String>, Problem> {
        Ok(self.header("idempotency-key")?.filter(|key| !key.is_empty()).map(str::to_owned))
    }

    fn header(&self, name: &str) -> Result<Option<&str>, Problem> {
        let value = self.headers.get(name).map(|value| value.to_str().map(str::trim));
        value.transpose().map_err(|_| bad_request(name, "it has characters that no header has"))
    }

    /// Whether something is to be taken out.
    pub(super) fn is_delete(&self) -> bool {
        self.method == Method::DELETE
    }

    /// The change that is asked for, as it is on the wire.
    pub(super) fn operation(&mut self) -> Result<Operation, Problem> {
        let method = match self.method {
            Method::PUT => operation::Method::Put,
            Method::DELETE => operation::Method::Delete,
            _ => operation::Method::Post,
        };
        let position = self.number(POSITION)?;
        let body = Value::Object(std::mem::take(&mut self.body));
        Ok(Operation { method, path: self.path.clone(), position, body })
    }

    /// The story as it stands.
    pub(super) async fn load(&self) -> Result<Loaded, Problem> {
        self.project.workspace.load().await.map_err(to_wire::workspace)
    }

    /// Calls a tool on the project, in the language of the project.
    ///
    /// Gives its result, and the version of the project that it is of.
    pub(super) async fn call(&self, tool: &str, mut arguments: Value) -> Result<(Value, u64), Problem> {
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

/// The place of the piece that `name` means in a story: an id, name, title or alias.
pub(super) fn find(loaded: &Loaded, kind: PieceKind, name: &str) -> Result<usize, Problem> {
    let desk = Desk::new(loaded.clone(), Story::default().language);
    desk.find(kind, name, "").map_err(|error| to_wire::tool(&error))
}

/// The places of the pieces that the names mean; what means none is left out.
pub(super) fn find_each(loaded: &Loaded, kind: PieceKind, names: &BTreeSet<&str>) -> BTreeSet<usize> {
    Desk::new(loaded.clone(), Story::default().language).find_each(kind, names)
}

pub(super) fn bad_request(path: &str, message: &str) -> Problem {
    let title = format!("the request does not fit at {path}: {message}");
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_request", title).with("path", path).with("message", message)
}
