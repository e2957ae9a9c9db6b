//! A project on a server, over HTTP.
//!
//! The wire protocol, all below `/api/v1/projects/{project}`:
//!
//! | operation | request | response |
//! |---|---|---|
//! | read the project | `GET /` | `premise`, `language`, `last_ids` |
//! | read the whole story | `GET /pieces` | the story as JSON |
//! | read all pieces of a kind | `GET` of [`routes::list`], such as `/characters`, `/outline`, `/timeline` | `items` |
//! | insert a piece | `POST` to [`routes::create`] | |
//! | change a piece | `PUT` to [`routes::piece`], such as `/nodes/o-3` | |
//! | delete a piece | `DELETE` of the same | |
//! | store a version of a text | `POST /documents/{id}/versions` | |
//! | read and set waivers | `GET`, `PUT /waivers` | `items` |
//! | set up the production | `GET`, `PUT`, `DELETE /production/phases` | phases, criteria, channels |
//! | read the fields of the production | `GET /production/fields` | `items` |
//! | insert, change or delete a field | `PUT`, `DELETE /production/fields/{path}` | |
//! | several operations at once | `POST /batch` with `operations` of `method`, `path`, `position`, `body` | |
//! | read the versions of a text | `GET /documents/{id}/versions` | `items` |
//! | read the last change of a piece | `GET /provenance/{kind}/{id}` | the change |
//!
//! Responses are JSON: `{"data": …, "version": n}`, with the project's version. A write has `If-Match: "n"`, the
//! expected version, an `Idempotency-Key`, and the provenance as JSON in `X-Provenance`; `?position=` is the list
//! position of a new or moved piece at the time of the request. 409 and 412 are conflicts, with the current version in
//! `version`, or in `found` of a problem's `data`. Without `/pieces` (404, 405, 501) the lists are read separately;
//! without `/batch`, the requests are sent separately.
//!
//! Projects are listed by `GET /api/v1/projects`, and created by `POST` there with `title`, `language` and `premise`.

mod http;
pub mod operation;
pub mod routes;
mod wire;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::{BoxFuture, try_join_all};
use qingyu_story::PieceKind;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::error::{Error, unknown};
use super::project::{
    DocumentVersion, LoadedStory, Made, ProjectEntry, ProjectSeed, Workspace, WorkspaceSave, Workspaces,
};
pub use http::RemoteLimits;
use http::{RemoteConnection, RemotePath, WriteParams};
use operation::{Method, Operation, operations};

/// Maximum attempts at reading a story changed while its lists are read.
const READINGS: usize = 5;

/// A server with projects. Clones share the server.
#[derive(Debug, Clone)]
pub struct Server {
    connection: RemoteConnection,
    opened: Arc<Mutex<BTreeMap<String, Arc<RemoteWorkspace>>>>,
}

impl Server {
    /// Returns the server at `base`, such as `http://127.0.0.1:7400`. Sends nothing yet.
    ///
    /// Fails with [`Error::Refused`] if the address or the key is invalid.
    pub fn new(base: &str, key: Option<&str>, limits: RemoteLimits) -> Result<Self, Error> {
        Ok(Self { connection: RemoteConnection::new(base, key, limits)?, opened: Arc::default() })
    }

    /// Returns a project of the server. The story is cached, and read again after its version has changed.
    pub fn project(&self, project: &str) -> Arc<dyn Workspace> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || {
            let (connection, project) = (self.connection.clone(), project.to_owned());
            Arc::new(RemoteWorkspace {
                connection,
                project,
                known: Mutex::default(),
                lists_only: AtomicBool::new(false),
            })
        };
        Arc::<RemoteWorkspace>::clone(opened.entry(project.to_owned()).or_insert_with(made))
    }
}

impl Workspaces for Server {
    fn open<'a>(&'a self, project: Option<&'a str>) -> BoxFuture<'a, Result<Arc<dyn Workspace>, Error>> {
        Box::pin(async move {
            let workspace = match project.filter(|project| !project.is_empty()) {
                Some(project) => self.project(project),
                None => match self.list().await {
                    Ok(listed) if listed.len() == 1 => self.project(&listed[0].project),
                    Ok(_) | Err(Error::Refused { .. }) => return Err(Error::NoProject),
                    Err(error) => return Err(error),
                },
            };
            workspace.version().await?;
            Ok(workspace)
        })
    }

    fn list(&self) -> BoxFuture<'_, Result<Vec<ProjectEntry>, Error>> {
        Box::pin(async {
            let listed = self.connection.get(&RemotePath::PROJECTS).await?.ok_or_else(|| elsewhere("list"))?;
            read(wire::items(listed.data))
        })
    }

    fn create(&self, new: ProjectSeed) -> BoxFuture<'_, Result<ProjectEntry, Error>> {
        Box::pin(async move {
            let ProjectSeed { title, language, premise } = new;
            let body = json!({"title": title, "language": language, "premise": premise});
            let begun = self.connection.post(&RemotePath::PROJECTS, &body).await?.ok_or_else(|| elsewhere("begin"))?;
            read(begun.data)
        })
    }
}

/// A project on a server.
#[derive(Debug)]
struct RemoteWorkspace {
    connection: RemoteConnection,
    project: String,
    known: Mutex<Option<LoadedStory>>,
    /// Whether the server is known not to return a whole story.
    lists_only: AtomicBool,
}

impl RemoteWorkspace {
    /// Fetches the project's own fields and version.
    async fn head(&self) -> Result<(Value, u64), Error> {
        let answer = self.get("").await?.ok_or_else(|| unknown(Some(&self.project)))?;
        let version = answer.version.ok_or_else(|| damaged("a project without a version"))?;
        Ok((answer.data, version))
    }

    /// Reads the whole story; `None` if the server does not support it.
    async fn read_whole(&self) -> Result<Option<LoadedStory>, Error> {
        if self.lists_only.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let Some(answer) = self.connection.get(&self.place(routes::PIECES)).await? else {
            self.lists_only.store(true, Ordering::Relaxed);
            return Ok(None);
        };
        let version = answer.version.ok_or_else(|| damaged("a story without a version"))?;
        Ok(Some(LoadedStory { story: Arc::new(read(answer.data)?), version }))
    }

    /// Reads every list; `None` if the project changed meanwhile.
    async fn read_lists(&self, (head, version): (Value, u64)) -> Result<Option<LoadedStory>, Error> {
        let others = [routes::WAIVERS, routes::PHASES, routes::FIELDS];
        let paths = PieceKind::ALL.into_iter().map(routes::list).chain(others);
        let mut answers = try_join_all(paths.map(|path| self.get(path))).await?;
        if answers.iter().flatten().any(|answer| answer.version.is_some_and(|of_list| of_list != version)) {
            return Ok(None);
        }
        let others = answers.split_off(PieceKind::ALL.len()).into_iter().map(|answer| answer.map(|answer| answer.data));
        let lists = PieceKind::ALL.into_iter().zip(answers).filter_map(|(kind, list)| Some((kind, list?.data)));
        let story = wire::put_together(&head, lists, others).map_err(|message| damaged(&message))?;
        Ok(Some(LoadedStory { story: Arc::new(story), version }))
    }

    fn place<'a>(&'a self, path: &'a str) -> RemotePath<'a> {
        RemotePath { project: Some(&self.project), path }
    }

    async fn get(&self, path: &str) -> Result<Option<http::RemoteAnswer>, Error> {
        self.connection.get(&self.place(path)).await
    }

    /// Sends the operations separately.
    async fn send_singly(&self, operations: &[Operation], save: &WorkspaceSave) -> Result<u64, Error> {
        let mut version = save.expected;
        for (done, operation) in operations.iter().enumerate() {
            let key = if operations.len() == 1 { save.key.clone() } else { format!("{}-{done}", save.key) };
            let write = WriteParams { expected: version, key: &key, provenance: &save.provenance };
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

    fn keep(&self, loaded: Option<LoadedStory>) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = loaded;
    }

    fn known(&self) -> Option<LoadedStory> {
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

    fn load(&self) -> BoxFuture<'_, Result<LoadedStory, Error>> {
        Box::pin(async move {
            for _ in 0..READINGS {
                let head = self.head().await?;
                if let Some(known) = self.known().filter(|known| known.version == head.1) {
                    return Ok(known);
                }
                let read = match self.read_whole().await? {
                    Some(whole) => Some(whole),
                    None => self.read_lists(head).await?,
                };
                if let Some(loaded) = read {
                    self.keep(Some(loaded.clone()));
                    return Ok(loaded);
                }
            }
            let message = "the project changes faster than it can be read".to_owned();
            Err(Error::Unavailable { message, retry_after: None })
        })
    }

    fn save(&self, save: WorkspaceSave) -> BoxFuture<'_, Result<u64, Error>> {
        Box::pin(async move {
            let operations = operations(&save.before, &save.after);
            let saved = match operations.as_slice() {
                [] => return Ok(save.expected),
                [_] => self.send_singly(&operations, &save).await,
                several => {
                    let body = json!({"expected": save.expected, "operations": several});
                    let batch = Operation { method: Method::Post, path: routes::BATCH.into(), position: None, body };
                    let write = WriteParams { expected: save.expected, key: &save.key, provenance: &save.provenance };
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
            read(wire::items(answer.data))
        })
    }

    fn provenance<'a>(&'a self, kind: PieceKind, id: &'a str) -> BoxFuture<'a, Result<Option<Made>, Error>> {
        Box::pin(async move {
            let path = format!("provenance/{kind}/{}", routes::escaped(id));
            let Some(answer) = self.get(&path).await? else { return Ok(None) };
            read(answer.data).map(Some)
        })
    }
}

fn read<T: DeserializeOwned>(data: Value) -> Result<T, Error> {
    serde_path_to_error::deserialize(data).map_err(|error| damaged(&error.to_string()))
}

/// Not every server has several projects.
fn elsewhere(what: &str) -> Error {
    Error::Refused { message: format!("{what} projects at the server itself, and name one by project_id") }
}

fn damaged(message: &str) -> Error {
    Error::Damaged { what: "the server's answer".into(), message: message.to_owned() }
}
