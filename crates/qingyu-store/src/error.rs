//! The error type of the store, sorted by how the caller can react.

/// An error of the store.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The database failed.
    #[error(transparent)]
    Database(#[from] qingyu_db::Error),
    /// No project of the user has an id with the prefix.
    #[error("there is no project {given}")]
    UnknownProject {
        /// The id or prefix given by the caller.
        given: String,
    },
    /// The project is in the bin and read-only.
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
    /// No run of the user has an id with the prefix.
    #[error("there is no run {given}")]
    UnknownRun {
        /// The id or prefix given by the caller.
        given: String,
    },
    /// The request was answered meanwhile, or another caller executes the request.
    #[error("the request is executed by another caller")]
    Taken,
    /// Another run is active on the project.
    #[error("run {run} works on the project")]
    Busy {
        /// The active run.
        run: String,
    },
    /// Another server has taken over the run.
    #[error("another server works on run {run}")]
    Lost {
        /// The run.
        run: String,
    },
    /// No user has the id.
    #[error("there is no user {given}")]
    UnknownAccount {
        /// The id given by the caller.
        given: String,
    },
    /// A user with the id exists already.
    #[error("there is a user {id}")]
    AccountExists {
        /// The duplicate id.
        id: String,
    },
    /// No key has the id.
    #[error("there is no key {given}")]
    UnknownKey {
        /// The id given by the caller.
        given: String,
    },
    /// The project has a member of the name.
    #[error("the project has a member {name}")]
    MemberExists {
        /// The duplicate name.
        name: String,
    },
    /// The books before the project are others by now.
    #[error("the earlier books of {project} have changed")]
    SeriesChanged {
        /// The project.
        project: String,
    },
    /// A book would come before itself.
    #[error("{project} would come before itself")]
    SeriesCircle {
        /// The earlier book.
        project: String,
    },
    /// The project has the maximum number of members.
    #[error("the project has {limit} members already")]
    TooManyMembers {
        /// The maximum.
        limit: usize,
    },
    /// Several ids begin with the prefix.
    #[error("{given} is the beginning of several ids: {}", matches.join(", "))]
    Ambiguous {
        /// The prefix given by the caller.
        given: String,
        /// The matching ids.
        matches: Vec<String>,
    },
    /// Another caller changed the project since the read.
    #[error("project {project} is at version {found}, not {expected}")]
    Conflict {
        /// The project.
        project: String,
        /// The version on which the change is based.
        expected: u64,
        /// The current version.
        found: u64,
    },
    /// The project's log has no such change.
    #[error("project {project} has no change {change}; the newest is {newest}")]
    UnknownChange {
        /// The project.
        project: String,
        /// The change given by the caller.
        change: u64,
        /// The newest change; 0 if the log is empty.
        newest: u64,
    },
    /// The key has reached its limit of concurrent runs.
    #[error("this key allows {most} runs at once")]
    KeyBusy {
        /// Maximum number of concurrent runs.
        most: u32,
    },
    /// The key was revoked; no run can start with the key.
    #[error("the key {id} was revoked")]
    KeyRevoked {
        /// The key.
        id: String,
    },
    /// The project has a branch of the same name.
    #[error("project {project} has a branch {name}")]
    BranchExists {
        /// The project.
        project: String,
        /// The duplicate name.
        name: String,
    },
    /// The project has no branch of the name.
    #[error("project {project} has no branch {given}")]
    UnknownBranch {
        /// The project.
        project: String,
        /// The name given by the caller.
        given: String,
    },
    /// A change cannot be reverted, since a later change depends on it.
    #[error("change {change} of {project} cannot be taken back: change {by} has touched {piece} since")]
    ChangedSince {
        /// The project.
        project: String,
        /// The change to revert.
        change: u64,
        /// The piece, such as `character/c-1`.
        piece: String,
        /// The first later change of the piece.
        by: u64,
    },
    /// Vectors of a model have different lengths: the name now refers to another model.
    #[error("vectors of {model} have {expected} dimensions here, not {found}")]
    Dimensions {
        /// The name of the embedder.
        model: String,
        /// The length of the stored vectors.
        expected: u64,
        /// The length of the new vector.
        found: u64,
    },
    /// A vector with an infinite value or NaN.
    #[error("a vector of {model} has a value that is not a finite number")]
    NotFinite {
        /// The name of the embedder.
        model: String,
    },
    /// A value in the database is invalid.
    #[error("{what} cannot be read: {message}")]
    BadRow {
        /// The value, such as `piece p-3f/character/c-1`.
        what: String,
        /// Description of the error.
        message: String,
    },
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error.into())
    }
}

/// Returns whether a failure of the database is caused by a damaged file.
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
