//! A project on a server, over HTTP.
//!
//! The wire, all below `/api/v1/projects/{project}`:
//!
//! | what | request | answer |
//! |---|---|---|
//! | the project | `GET /` | `premise`, `language`, `last_ids`, `waivers` |
//! | all pieces of a kind | `GET` of [`routes::list`], such as `/characters`, `/outline`, `/timeline` | `items` |
//! | a piece is new | `POST` to [`routes::create`] | |
//! | a piece is changed | `PUT` to [`routes::piece`], such as `/nodes/o-3` | |
//! | a piece is gone | `DELETE` of it | |
//! | a version of a text is kept | `POST /documents/{id}/versions` | |
//! | several of these at once | `POST /batch` with `operations` of `method`, `path`, `position`, `body` | |
//! | the versions of a text | `GET /documents/{id}/versions` | `items` |
//! | who made a piece | `GET /provenance/{kind}/{id}` | the change |
//!
//! Answers are JSON: `{"data": …, "version": n}`, with the project's version. A write carries `If-Match: "n"`, the
//! version it is made for, an `Idempotency-Key`, and who makes it as JSON in `X-Provenance`; `?position=` says where
//! in its list a new or moved piece stands. 409 and 412 are conflicts, with the version found in `version`. A server
//! without `/batch` (404, 405, 501) gets the requests one by one.

mod http;
pub mod routes;
mod wire;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::{BoxFuture, try_join_all};
use qingyu_story::{PieceKind, Story};
use serde_json::{Value, json};

use super::{DocumentVersion, Error, Loaded, Made, NewProject, ProjectEntry, Save, Workspace, Workspaces, difference};
pub use http::Limits;
use http::{Answer, Connection, Write};
use wire::Operation;

/// How often a story is read anew when it changes while its lists are read.
const READINGS: usize = 5;

/// A server that has projects. Clones are the same one.
#[derive(Debug, Clone)]
pub struct Server {
    connection: Connection,
    opened: Arc<Mutex<BTreeMap<String, Arc<RemoteWorkspace>>>>,
}

impl Server {
    /// The server at `base`, such as `http://127.0.0.1:7400`. Nothing is sent yet.
    ///
    /// Fails with [`Error::Refused`] if the address or the key cannot be used.
    pub fn new(base: &str, key: Option<&str>, limits: Limits) -> Result<Self, Error> {
        Ok(Self { connection: Connection::new(base, key, limits)?, opened: Arc::default() })
    }

    /// A project of it. What was read of it is kept, and read again when its version has changed.
    pub fn project(&self, project: &str) -> Arc<RemoteWorkspace> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || {
            let (connection, project) = (self.connection.clone(), project.to_owned());
            Arc::new(RemoteWorkspace { connection, project, known: Mutex::default() })
        };
        Arc::clone(opened.entry(project.to_owned()).or_insert_with(made))
    }
}

impl Workspaces for Server {
    fn open<'a>(&'a self, project: Option<&'a str>) -> BoxFuture<'a, Result<Arc<dyn Workspace>, Error>> {
        Box::pin(async move {
            let workspace = self.project(project.filter(|project| !project.is_empty()).ok_or(Error::NoProject)?);
            workspace.version().await?;
            Ok(workspace as Arc<dyn Workspace>)
        })
    }

    fn list(&self) -> BoxFuture<'_, Result<Vec<ProjectEntry>, Error>> {
        Box::pin(async { Err(elsewhere("list")) })
    }

    fn create(&self, _: NewProject) -> BoxFuture<'_, Result<ProjectEntry, Error>> {
        Box::pin(async { Err(elsewhere("begin")) })
    }
}

/// A project on a server.
#[derive(Debug)]
pub struct RemoteWorkspace {
    connection: Connection,
    project: String,
    known: Mutex<Option<Loaded>>,
}

impl RemoteWorkspace {
    /// The project's own fields and version.
    async fn head(&self) -> Result<(Value, u64), Error> {
        let answer = self.get("").await?.ok_or_else(|| super::unknown(Some(&self.project)))?;
        let version = answer.version.ok_or_else(|| damaged("a project without a version"))?;
        Ok((answer.data, version))
    }

    /// Reads every list; `None` if the project changed meanwhile.
    async fn read(&self, (head, version): (Value, u64)) -> Result<Option<Loaded>, Error> {
        let lists = PieceKind::ALL.map(|kind| async move { Ok((kind, self.get(routes::list(kind)).await?)) });
        let lists: Vec<(PieceKind, Option<Answer>)> = try_join_all(lists).await?;
        if lists.iter().any(|(_, list)| list.as_ref().is_some_and(|list| list.version.is_some_and(|v| v != version))) {
            return Ok(None);
        }
        let lists = lists.into_iter().filter_map(|(kind, list)| Some((kind, list?.data)));
        let story: Story = wire::put_together(&head, lists).map_err(|message| damaged(&message))?;
        Ok(Some(Loaded { story: Arc::new(story), version }))
    }

    async fn get(&self, path: &str) -> Result<Option<Answer>, Error> {
        self.connection.get(&self.project, path).await
    }

    /// Sends the operations one by one.
    async fn send_singly(&self, operations: &[Operation], save: &Save) -> Result<u64, Error> {
        let mut version = save.expected;
        for (done, operation) in operations.iter().enumerate() {
            let key = if operations.len() == 1 { save.key.clone() } else { format!("{}-{done}", save.key) };
            let write = Write { expected: version, key: &key, provenance: &save.provenance };
            let sent = self.connection.send(&self.project, operation, &write).await;
            version = match sent {
                Ok(answer) => answer.version.unwrap_or(version + 1),
                Err(error) if done == 0 => return Err(error),
                Err(error) => {
                    let (total, message) = (operations.len(), error.to_string());
                    return Err(Error::PartlySaved { done, total, version, message });
                }
            };
        }
        Ok(version)
    }

    fn keep(&self, loaded: Option<Loaded>) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = loaded;
    }

    fn known(&self) -> Option<Loaded> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Workspace for RemoteWorkspace {
    fn project(&self) -> &str {
        &self.project
    }

    fn version(&self) -> BoxFuture<'_, Result<u64, Error>> {
        Box::pin(async move { Ok(self.head().await?.1) })
    }

    fn load(&self) -> BoxFuture<'_, Result<Loaded, Error>> {
        Box::pin(async move {
            for _ in 0..READINGS {
                let head = self.head().await?;
                if let Some(known) = self.known().filter(|known| known.version == head.1) {
                    return Ok(known);
                }
                if let Some(loaded) = self.read(head).await? {
                    self.keep(Some(loaded.clone()));
                    return Ok(loaded);
                }
            }
            let message = "the project changes faster than it can be read".to_owned();
            Err(Error::Unavailable { message, retry_after: None })
        })
    }

    fn save(&self, save: Save) -> BoxFuture<'_, Result<u64, Error>> {
        Box::pin(async move {
            if save.before.production != save.after.production || save.before.fields != save.after.fields {
                let message = "this server has no way to keep phases and fields; change them at the server itself";
                return Err(Error::Refused { message: message.to_owned() });
            }
            let changes = difference(&save.before, &save.after);
            let operations: Vec<Operation> = changes.iter().map(|change| Operation::of(change, &save.before)).collect();
            let saved = match operations.as_slice() {
                [] => return Ok(save.expected),
                [_] => self.send_singly(&operations, &save).await,
                several => {
                    let body = json!({"expected": save.expected, "operations": several});
                    let batch = Operation { method: "POST", path: "batch".into(), position: None, body };
                    let write = Write { expected: save.expected, key: &save.key, provenance: &save.provenance };
                    match self.connection.send_if_offered(&self.project, &batch, &write).await? {
                        Some(answer) => Ok(answer.version.unwrap_or(save.expected + 1)),
                        None => self.send_singly(&operations, &save).await,
                    }
                }
            };
            if matches!(saved, Err(Error::PartlySaved { .. })) {
                self.keep(None);
            }
            saved
        })
    }

    fn document_versions<'a>(&'a self, document: &'a str) -> BoxFuture<'a, Result<Vec<DocumentVersion>, Error>> {
        Box::pin(async move {
            let path = format!("documents/{}/versions", routes::escaped(document));
            let Some(answer) = self.get(&path).await? else { return Ok(Vec::new()) };
            serde_json::from_value(wire::items(answer.data)).map_err(|error| damaged(&error.to_string()))
        })
    }

    fn provenance<'a>(&'a self, kind: PieceKind, id: &'a str) -> BoxFuture<'a, Result<Option<Made>, Error>> {
        Box::pin(async move {
            let path = format!("provenance/{kind}/{}", routes::escaped(id));
            let Some(answer) = self.get(&path).await? else { return Ok(None) };
            serde_json::from_value(answer.data).map_err(|error| damaged(&error.to_string()))
        })
    }
}

/// The wire is about one project at a time.
fn elsewhere(what: &str) -> Error {
    Error::Refused { message: format!("{what} projects at the server itself, and name one by project_id") }
}

fn damaged(message: &str) -> Error {
    Error::Damaged { what: "the server's answer".into(), message: message.to_owned() }
}
