//! Where the commands do their work: in the studio of this machine, or on a server.

use std::path::{Path, PathBuf};

use qingyu_server::Client;
use qingyu_studio::operations::{Operation, Start};
use qingyu_studio::{RunHandle, Studio};

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
        match &self.place {
            Place::Here(studio) => studio.call(operation).await,
            Place::There(client) => client.call(operation).await,
        }
    }

    /// Sets a run to work.
    pub(crate) async fn start(&self, start: Start) -> Result<RunHandle, qingyu_studio::Error> {
        match &self.place {
            Place::Here(studio) => studio.start(start).await,
            Place::There(client) => client.start(start).await,
        }
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
