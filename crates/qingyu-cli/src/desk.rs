//! Where the commands do their work: in the studio of this machine, or on a server.

use std::path::{Path, PathBuf};

use qingyu_client::Client;
use qingyu_studio::operations::{Operation, Start};
use qingyu_studio::{RunHandle, Studio};
use serde::Serialize;
use serde_json::Value;

use crate::error::Error;

/// Where the commands do their work.
pub(crate) struct Desk {
    place: Place,
    home: PathBuf,
}

enum Place {
    Here(Studio),
    There(Client),
}

impl Desk {
    /// The studio of this machine.
    pub(crate) fn here(studio: Studio) -> Self {
        Self { home: studio.home().to_path_buf(), place: Place::Here(studio) }
    }

    /// A server. Drafts and the history of what was typed stay in `home`, which is of this machine.
    pub(crate) fn there(client: Client, home: PathBuf) -> Self {
        Self { place: Place::There(client), home }
    }

    /// Asks for what is asked.
    pub(crate) async fn call<O: Operation>(&self, operation: O) -> Result<O::Output, qingyu_studio::Error> {
        // What brings whole books has no project in its path, and would be dear to look through.
        let is_about_one = ["{project}", "{run}"].iter().any(|name| O::PATH.contains(name));
        let asked = if is_about_one { about(&operation) } else { Vec::new() };
        let answer = match &self.place {
            Place::Here(studio) => studio.call(operation).await,
            Place::There(client) => client.call(operation).await,
        };
        answer.map_err(|error| naming(&error, asked))
    }

    /// Sets a run to work.
    pub(crate) async fn start(&self, start: Start) -> Result<RunHandle, qingyu_studio::Error> {
        let asked = about(&start);
        let answer = match &self.place {
            Place::Here(studio) => studio.start(start).await,
            Place::There(client) => client.start(start).await,
        };
        answer.map_err(|error| naming(&error, asked))
    }

    /// The folder of this machine where drafts lie.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// The studio, if it is of this machine.
    pub(crate) fn of_here(&self) -> Option<&Studio> {
        match &self.place {
            Place::Here(studio) => Some(studio),
            Place::There(_) => None,
        }
    }

    /// The studio, for what can be done only on the machine where it is; `what` names it for the refusal.
    pub(crate) fn studio(&self, what: &str) -> Result<&Studio, Error> {
        match &self.place {
            Place::Here(studio) => Ok(studio),
            Place::There(_) => Err(Error::OnlyHere { what: what.to_owned() }),
        }
    }
}

/// What is asked about: the project and the run, as they were named.
fn about(asked: &impl Serialize) -> Vec<(&'static str, Value)> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(asked) else { return Vec::new() };
    let named = |name| Some((name, fields.remove(name).filter(Value::is_string)?));
    ["project", "run"].into_iter().filter_map(named).collect()
}

/// The failure with what was asked about, for hints that name it. What it names itself stays.
fn naming(error: &qingyu_studio::Error, asked: Vec<(&'static str, Value)>) -> qingyu_studio::Error {
    let mut failure = error.failure();
    for (name, named) in asked {
        failure.data.entry(name.to_owned()).or_insert(named);
    }
    qingyu_studio::Error::Remote(failure)
}
