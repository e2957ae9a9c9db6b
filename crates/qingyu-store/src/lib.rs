//! Keeps projects, stories and runs in the embedded database.
//!
//! A story is kept twice: as an append-only log of [changes](change), which is the truth and says which run, agent,
//! prompt and model made what, and as [pieces](piece), which are the current story. Both are written in one
//! transaction. A save is named by its [`ChangeKey`](qingyu_story::ChangeKey); saving under the same key again changes nothing, so that a step
//! repeated after a crash does no harm.
//!
//! The map:
//!
//! - [`piece`]: a story split into pieces, and assembled again; `piece_row`, `row`: reading from rows
//! - [`kind`], [`change`]: the kinds of stored pieces, and their changes
//! - [`projects`], [`stories`], [`runs`]: the repositories; each belongs to one user. `past` adds to the stories their
//!   earlier states, and undo; `comments` keeps comments at their words
//! - [`branches`]: a story told in two ways, compared and merged
//! - [`spending`]: the cost of calls, by run, agent, purpose, model, chapter and hour
//! - [`access`]: users, their keys, the audit log, and responses to repeated requests
//! - `servers`: the servers of a shared database, and the runs to take over from them
//! - [`search`]: the index of each project, changed with its story
//! - [`id`]: ids that a person can type
//!
//! ```
//! use qingyu_store::{ProjectDraft, Projects, StorySave, Stories, change};
//! use qingyu_story::{ChangeKey, Character, Provenance, Story};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let database = qingyu_db::Database::Sqlite(qingyu_db::Sqlite::in_memory().await?);
//! qingyu_store::migrate(&database).await?;
//! let now = jiff::Timestamp::now();
//! let project = Projects::new(&database, "local").create(ProjectDraft { title: "灯塔".into(), ..Default::default() }, now).await?;
//!
//! let stories = Stories::new(&database, "local");
//! let story = Story { characters: vec![Character { name: "林远".into(), ..Default::default() }], ..Default::default() };
//! let save = StorySave {
//!     project: project.id.clone(),
//!     key: ChangeKey { run: "r-1".into(), step: "character_agent".into(), iteration: 0 },
//!     provenance: Provenance { agent: "character_agent".into(), ..Default::default() },
//!     expected: None,
//!     changes: change::difference(&Story::default(), &story),
//! };
//! let saved = stories.save(save, now).await?;
//! assert_eq!(saved.version, 1);
//! assert_eq!(stories.load(&project.id).await?.story.characters[0].name, "林远");
//! # Ok::<_, qingyu_store::Error>(())
//! # }).unwrap();
//! ```

pub mod access;
pub mod branches;
pub mod change;
mod comments;
pub mod error;
pub mod id;
pub mod kind;
mod past;
pub mod piece;
mod piece_row;
pub mod projects;
pub mod runs;
pub mod search;
pub mod servers;
pub mod spending;
pub mod stories;

mod row;

pub use access::{
    AccountRole, Accounts, ApiKey, Audit, AuditAct, AuditCheck, AuditRow, Idempotency, KeyLimits, KeyUse, Keys,
    RequestStart, RequestTicket, UserAccount,
};
pub use branches::{ProjectBranch, ThreeWayMerge};
pub use change::{StoredChange, StoryChange};
pub use error::{Error, is_damage};
pub use kind::StoredKind;
pub use piece::StoredPiece;
pub use projects::{
    CardPictureRow, EarlierProject, Picture, PicturePlace, ProductionSchedule, Project, ProjectDraft, ProjectStatus,
    Projects, ScheduledProject, ScheduledTurn,
};
pub use runs::{AgentUsage, Call, ChargeKey, ListedRun, LoggedEvent, NewRun, Run, RunQuery, RunStatus, Runs, Standing};
pub use search::Search;
pub use search::copies::{CopyBatch, CopyPiece, CopyProgress, EmbeddedTexts};
pub use servers::{OwnedRun, ServerId, Servers};
pub use spending::{Spending, SpendingQuery};
pub use stories::{KeptPiece, SavedStory, StoredStory, Stories, StorySave};

use qingyu_db::{Database, SqlMigrations};

/// The schema migrations for SQLite.
pub const MIGRATIONS: SqlMigrations = SqlMigrations {
    owner: "studio",
    files: &[
        ("0001_studio", include_str!("../migrations/0001_studio.sql")),
        ("0002_search", include_str!("../migrations/0002_search.sql")),
        ("0003_search_columns", include_str!("../migrations/0003_search_columns.sql")),
        ("0004_branches", include_str!("../migrations/0004_branches.sql")),
        ("0005_calls", include_str!("../migrations/0005_calls.sql")),
        ("0006_access", include_str!("../migrations/0006_access.sql")),
        ("0007_servers", include_str!("../migrations/0007_servers.sql")),
        ("0008_stalls", include_str!("../migrations/0008_stalls.sql")),
        ("0009_vectors_by_model", include_str!("../migrations/0009_vectors_by_model.sql")),
        ("0010_made", include_str!("../migrations/0010_made.sql")),
        ("0011_dead_servers", include_str!("../migrations/0011_dead_servers.sql")),
        ("0012_whole_with", include_str!("../migrations/0012_whole_with.sql")),
        ("0013_run_lists", include_str!("../migrations/0013_run_lists.sql")),
        ("0014_project_status", include_str!("../migrations/0014_project_status.sql")),
        ("0015_provenance", include_str!("../migrations/0015_provenance.sql")),
        ("0016_copies", include_str!("../migrations/0016_copies.sql")),
        ("0017_series", include_str!("../migrations/0017_series.sql")),
        ("0018_pictures", include_str!("../migrations/0018_pictures.sql")),
        ("0019_schedules", include_str!("../migrations/0019_schedules.sql")),
    ],
};

/// The schema migrations for PostgreSQL.
const POSTGRES: SqlMigrations = SqlMigrations {
    owner: "studio",
    files: &[
        ("0001_studio", include_str!("../migrations/postgres/0001_studio.sql")),
        ("0002_stalls", include_str!("../migrations/postgres/0002_stalls.sql")),
        ("0003_vectors_by_model", include_str!("../migrations/postgres/0003_vectors_by_model.sql")),
        ("0004_made", include_str!("../migrations/postgres/0004_made.sql")),
        ("0005_dead_servers", include_str!("../migrations/postgres/0005_dead_servers.sql")),
        ("0006_whole_with", include_str!("../migrations/postgres/0006_whole_with.sql")),
        ("0007_run_lists", include_str!("../migrations/postgres/0007_run_lists.sql")),
        ("0008_project_status", include_str!("../migrations/postgres/0008_project_status.sql")),
        ("0009_provenance", include_str!("../migrations/postgres/0009_provenance.sql")),
        ("0010_copies", include_str!("../migrations/postgres/0010_copies.sql")),
        ("0011_series", include_str!("../migrations/postgres/0011_series.sql")),
        ("0012_pictures", include_str!("../migrations/postgres/0012_pictures.sql")),
        ("0013_schedules", include_str!("../migrations/postgres/0013_schedules.sql")),
    ],
};

/// Creates the tables, or migrates the tables of an earlier release.
pub async fn migrate(database: &Database) -> Result<(), Error> {
    Ok(database.migrate(&MIGRATIONS, &POSTGRES).await?)
}

/// Checks the whole file for damage: pages, indexes, and texts with zero bytes, as left behind by a lost page in a long
/// text. Returns the problems found, one per line. A database server performs its own checks, so there the result is
/// empty.
pub async fn find_damage(database: &Database) -> Result<Vec<String>, Error> {
    let Some(file) = database.as_sqlite() else { return Ok(Vec::new()) };
    let job = |connection: &rusqlite::Connection| {
        let mut check = connection.prepare("PRAGMA integrity_check(20)")?;
        let rows = check.query_map([], |row| row.get::<_, String>(0))?;
        let lines = rows.collect::<Result<Vec<_>, _>>()?;
        let mut problems: Vec<String> = lines.into_iter().filter(|line| line != "ok").collect();
        if problems.is_empty() {
            problems = zeros_in_texts(connection)?;
        }
        Ok(problems)
    };
    file.read(job).await
}

/// Returns the columns with a zero byte in a text; valid texts have no zero bytes.
fn zeros_in_texts(connection: &rusqlite::Connection) -> Result<Vec<String>, Error> {
    let columns = "SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
                   WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT LIKE 'sqlite_%'";
    let mut select = connection.prepare(columns)?;
    let columns = select.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let mut problems = Vec::new();
    for column in columns {
        let (table, column) = column?;
        let count = format!(
            "SELECT count(*) FROM \"{table}\" WHERE typeof(\"{column}\") = 'text' AND instr(CAST(\"{column}\" AS BLOB), x'00') > 0"
        );
        let damaged: i64 = connection.query_row(&count, [], |row| row.get(0))?;
        if damaged > 0 {
            problems.push(format!("{damaged} texts in {table}.{column} have lost a part"));
        }
    }
    Ok(problems)
}

/// Returns the version of the SQLite library.
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}
