//! The backend of the commands: the local studio or a server.

use std::path::{Path, PathBuf};

use qingyu_client::Client;
use qingyu_studio::operations::{StartRequest, StudioOperation};
use qingyu_studio::{RunHandle, Studio};
use serde::Serialize;
use serde_json::Value;

use crate::error::Error;

/// The backend of the commands.
pub(crate) struct Desk {
    place: BackendLocation,
    home: PathBuf,
}

enum BackendLocation {
    Here(Studio),
    There(Client),
}

impl Desk {
    /// Creates a backend for the local studio.
    pub(crate) fn here(studio: Studio) -> Self {
        Self { home: studio.home().to_path_buf(), place: BackendLocation::Here(studio) }
    }

    /// Creates a backend for a server. Drafts and the input history stay in the local folder `home`.
    pub(crate) fn there(client: Client, home: PathBuf) -> Self {
        Self { place: BackendLocation::There(client), home }
    }

    /// Returns the backend in a session; unchanged without a session.
    pub(crate) fn in_session(&self, session: Option<&str>) -> Result<Self, qingyu_studio::Error> {
        let place = match (&self.place, session) {
            (BackendLocation::Here(studio), Some(session)) => BackendLocation::Here(studio.in_session(session)?),
            (BackendLocation::There(client), Some(session)) => BackendLocation::There(client.in_session(session)?),
            (BackendLocation::Here(studio), None) => BackendLocation::Here(studio.clone()),
            (BackendLocation::There(client), None) => BackendLocation::There(client.clone()),
        };
        Ok(Self { place, home: self.home.clone() })
    }

    /// Runs an operation and returns its output.
    pub(crate) async fn call<O: StudioOperation>(&self, operation: O) -> Result<O::Output, qingyu_studio::Error> {
        // Operations importing whole books have no project in their path, and serializing their request would be
        // expensive.
        let is_about_one = ["{project}", "{run}"].iter().any(|name| O::PATH.contains(name));
        let asked = if is_about_one { about(&operation) } else { Vec::new() };
        let answer = match &self.place {
            BackendLocation::Here(studio) => studio.call(operation).await,
            BackendLocation::There(client) => client.call(operation).await,
        };
        answer.map_err(|error| naming(&error, asked))
    }

    /// Starts a run.
    pub(crate) async fn start(&self, start: StartRequest) -> Result<RunHandle, qingyu_studio::Error> {
        let asked = about(&start);
        let answer = match &self.place {
            BackendLocation::Here(studio) => studio.start(start).await,
            BackendLocation::There(client) => client.start(start).await,
        };
        answer.map_err(|error| naming(&error, asked))
    }

    /// Returns the local folder for drafts.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// Returns the local studio; `None` for a server.
    pub(crate) fn of_here(&self) -> Option<&Studio> {
        match &self.place {
            BackendLocation::Here(studio) => Some(studio),
            BackendLocation::There(_) => None,
        }
    }

    /// Returns the local studio for commands that need the machine holding the data. Fails with the command's name
    /// `what` if the backend is a server.
    pub(crate) fn studio(&self, what: &str) -> Result<&Studio, Error> {
        match &self.place {
            BackendLocation::Here(studio) => Ok(studio),
            BackendLocation::There(_) => Err(Error::OnlyHere { what: what.to_owned() }),
        }
    }
}

/// Returns the project and run named by a request.
fn about(asked: &impl Serialize) -> Vec<(&'static str, Value)> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(asked) else { return Vec::new() };
    let named = |name| Some((name, fields.remove(name).filter(Value::is_string)?));
    ["project", "run"].into_iter().filter_map(named).collect()
}

/// Returns the error with the request's project and run added, for hints. Fields set by the error itself are kept.
fn naming(error: &qingyu_studio::Error, asked: Vec<(&'static str, Value)>) -> qingyu_studio::Error {
    let mut failure = error.failure();
    for (name, named) in asked {
        failure.data.entry(name.to_owned()).or_insert(named);
    }
    qingyu_studio::Error::Remote(failure)
}
