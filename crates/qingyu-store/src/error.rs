//! What can go wrong, sorted by what the caller can do.

/// Why the store could not do what was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The database failed.
    #[error(transparent)]
    Database(#[from] qingyu_db::Error),
    /// No project of this user has this id or begins like it.
    #[error("there is no project {given}")]
    UnknownProject {
        /// What was asked for.
        given: String,
    },
    /// The project is in the bin; nothing is written to it there.
    #[error("project {project} is in the bin")]
    Binned {
        /// The project.
        project: String,
    },
    /// The project is not in the bin; only projects in the bin can be deleted permanently.
    #[error("project {project} is not in the bin")]
    NotBinned {
        /// The project.
        project: String,
    },
    /// No run of this user has this id or begins like it.
    #[error("there is no run {given}")]
    UnknownRun {
        /// What was asked for.
        given: String,
    },
    /// The request was answered meanwhile, or somebody else carries it out.
    #[error("the request is carried out by somebody else")]
    Taken,
    /// Another run works on the project.
    #[error("run {run} works on the project")]
    Busy {
        /// Which.
        run: String,
    },
    /// Another server works on the run by now.
    #[error("another server works on run {run}")]
    Lost {
        /// Which.
        run: String,
    },
    /// There is no user of this id.
    #[error("there is no user {given}")]
    UnknownAccount {
        /// What was asked for.
        given: String,
    },
    /// There is a user of that id.
    #[error("there is a user {id}")]
    AccountExists {
        /// The id.
        id: String,
    },
    /// There is no key of this id.
    #[error("there is no key {given}")]
    UnknownKey {
        /// What was asked for.
        given: String,
    },
    /// Several begin like this.
    #[error("{given} is the beginning of several ids: {}", matches.join(", "))]
    Ambiguous {
        /// What was asked for.
        given: String,
        /// The ids that begin like it.
        matches: Vec<String>,
    },
    /// Somebody else changed the project since it was read.
    #[error("project {project} is at version {found}, not {expected}")]
    Conflict {
        /// The project.
        project: String,
        /// The version the change was made for.
        expected: u64,
        /// The version it has.
        found: u64,
    },
    /// The project's log has no such change.
    #[error("project {project} has no change {change}; the newest is {newest}")]
    UnknownChange {
        /// The project.
        project: String,
        /// What was asked for.
        change: u64,
        /// The newest change; 0 if there is none.
        newest: u64,
    },
    /// As many runs are at work with the key as may be.
    #[error("this key allows {most} runs at once")]
    KeyBusy {
        /// How many may be.
        most: u32,
    },
    /// The key was revoked; nothing is begun with it any more.
    #[error("the key {id} was revoked")]
    KeyRevoked {
        /// The key.
        id: String,
    },
    /// The project has a branch of that name.
    #[error("project {project} has a branch {name}")]
    BranchExists {
        /// The project.
        project: String,
        /// The name.
        name: String,
    },
    /// The project has no branch of that name.
    #[error("project {project} has no branch {given}")]
    UnknownBranch {
        /// The project.
        project: String,
        /// What was asked for.
        given: String,
    },
    /// A change cannot be taken back, since a later one builds on it.
    #[error("change {change} of {project} cannot be taken back: change {by} has touched {piece} since")]
    ChangedSince {
        /// The project.
        project: String,
        /// What was to be taken back.
        change: u64,
        /// The piece, such as `character/c-1`.
        piece: String,
        /// The first later change of it.
        by: u64,
    },
    /// Vectors of one model cannot have different lengths: the model behind the name is another one now.
    #[error("vectors of {model} have {expected} dimensions here, not {found}")]
    Dimensions {
        /// The name of the embedder.
        model: String,
        /// The length of those that are kept.
        expected: u64,
        /// The length of the new one.
        found: u64,
    },
    /// A vector with an infinite value, or one that is no number.
    #[error("a vector of {model} has a value that is not a finite number")]
    NotFinite {
        /// The name of the embedder.
        model: String,
    },
    /// A value in the database is not what was written there.
    #[error("{what} cannot be read: {message}")]
    BadRow {
        /// Which value, such as `piece p-3f/character/c-1`.
        what: String,
        /// What is wrong with it.
        message: String,
    },
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error.into())
    }
}

/// Whether a failure of the database means that the file is damaged.
pub fn is_damage(error: &qingyu_db::Error) -> bool {
    match error {
        qingyu_db::Error::NotADatabase { .. } => true,
        qingyu_db::Error::Sqlite(error) => {
            use rusqlite::ErrorCode;
            matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
        }
        _ => false,
    }
}
