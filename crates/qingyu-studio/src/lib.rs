//! The studio API: plain commands in, plain events out.
//!
//! Every front end (command line, server) does the same: load the [`Settings`], open a [`Studio`], call a command and
//! render the [`StudioEvent`]s. The crate never prints, queries a terminal, reads the environment or writes in a user's
//! language: errors carry a stable [`code`](Error::code) and data, and front ends compose the messages.
//!
//! ```no_run
//! # async fn example() -> Result<(), qingyu_studio::Error> {
//! use qingyu_studio::{CreateRequest, Environment, Settings, Studio};
//!
//! let settings = Settings::load(Environment::new(std::env::vars()), toml::Table::new())?;
//! let studio = Studio::open(settings).await?;
//! let mut run = studio.create(CreateRequest::new("一个灯塔看守人收到自己三十年前寄出的信")).await?;
//! while let Some(event) = run.next().await {
//!     println!("{}", serde_json::to_string(&event).expect("events serialise"));
//! }
//! let outcome = run.finish().await;
//! println!("{}", outcome.document());
//! # Ok(())
//! # }
//! ```
//!
//! The [`Studio`] and its [`Error`] import no operation; the operations are methods of the studio, in a folder by noun.
//! There are no circles of imports; each folder's first file lists its modules, each after those it imports.
//!
//! - [`error`]: errors, grouped by the user's possible reaction; conversion of lower-level errors
//! - [`settings`]: layers of settings, and the environment as a value
//! - [`access`]: authentication and authorization: users, keys, limits, the audit log
//! - `storage`: the data folder and its database: opening, migration, backup
//! - `models`: keys, lists, selection and construction of models; embedders
//! - `engines`: servers of a team for search, the graph and memories, with the embedded parts as fallback
//! - `studio`: the [`Studio`]: its fields, for a single [`AccessScope`]
//! - `stories`, `projects`, `chapters`, `manuscripts`: a project, its story, its texts, and their import and export
//! - `texts`: analysis and review of texts without a model; `search`: search, questions, the graph of a story
//! - `spending`: budgets, ledgers, reports and estimates
//! - `mirrors`: books as folders of readable files, and edits read back from them
//! - `memories`, `prompts`: the user's memories, and the author's overrides of prompts
//! - `workspaces`: projects as seen by tools
//! - `runs`: starting, driving, resuming, watching, recording and replaying runs
//! - `productions`: phases and fields, produced with the user
//! - [`diagnostics`]: the doctor, and reports of bugs without the author's content
//! - [`operations`]: all operations as plain values with their API routes

pub mod access;
mod chapters;
pub mod diagnostics;
mod encoded;
mod engines;
pub mod error;
mod manuscripts;
mod memories;
mod mirrors;
mod models;
pub mod operations;
mod productions;
mod projects;
mod prompts;
mod runs;
mod search;
pub mod settings;
mod spending;
mod storage;
mod stories;
mod studio;
mod texts;
mod workspaces;

/// Re-exports of crates with types in the studio's API, for front ends, which depend on the studio only.
pub use {
    qingyu_agents as agents, qingyu_formats as formats, qingyu_graph::drawing, qingyu_knowledge as knowledge,
    qingyu_llm as llm, qingyu_memory as memory, qingyu_production as production, qingyu_story as story,
    qingyu_text as text, qingyu_tools as tools, qingyu_web as web,
};

pub use access::audit::{AuditEntry, AuditState};
pub use access::control::AccessControl;
pub use access::keys::{CreatedKey, KeyRequest, KeyRow, KeyState};
pub use access::limits::{ExceededLimit, KeyUsageLimits};
pub use access::members::{CreatedMember, MemberRequest, MemberRow};
pub use access::presented::Secret;
pub use access::scope::{AccessScope, Right};
pub use access::users::{UserRequest, UserRole, UserRow};
pub use chapters::book::{BookExportRequest, BookExportSummary, BookFile, BookForm};
pub use chapters::comments::{CommentChange, CommentList, CommentPlace, CommentRequest, CommentRow};
pub use chapters::compare::{DiffSpan, Hunk, SpanChange, TextComparison};
pub use chapters::edit::{ChapterText, EditedChapter};
pub use chapters::list::ChapterList;
pub use chapters::reconcile::{ApplyMode, DifferingPiece, ReadingMode, StoryReconciliation};
pub use chapters::removed::RemovedPiece;
pub use chapters::versions::{RestoredVersion, TextDifference, VersionComparison, VersionRow};
pub use diagnostics::check::{CheckRow, CheckState, DoctorReach};
pub use engines::report::{EnginePart, EngineState, EngineUse};
pub use error::kind::ErrorKind;
pub use error::record::FailureRecord;
pub use error::{ChapterEditRefusal, Error, Noun, ProviderFailure, StorageFailure};
pub use manuscripts::{
    ChapterState, ImportRequest, ImportedChapter, ManuscriptFile, ManuscriptImport, ManuscriptRole, SettledBook,
};
pub use memories::MemoryRow;
pub use memories::sessions::{SessionTurn, SessionTurnRow};
pub use mirrors::{
    MirrorCardEdit, MirrorCommit, MirrorConflict, MirrorEdit, MirrorReading, MirrorRefusal, MirrorRefusalReason,
    MirrorRun, MirrorStatus, MirrorUpdate,
};
pub use models::choice::{ModelChoice, ModelReason};
pub use models::listings::ModelListing;
pub use models::model_keys::{KeySource, ModelKeyRow};
pub use models::row::ModelRow;
pub use models::trial::{ModelTrial, TrialAnswer};
pub use operations::IdempotentOutcome;
pub use productions::export::{ContentFile, ContentFiles, ContentForm};
pub use productions::fields::{FieldView, InputView};
pub use productions::schedule::{ScheduleStatus, ScheduledRun};
pub use productions::start::{ProduceRequest, TellRequest};
pub use productions::templates::TemplateRow;
pub use productions::view::{PhaseRow, ProductionView};
pub use projects::branches::{BranchComparison, BranchMerge, BranchPiece, BranchRow, MergeSide, SideChange};
pub use projects::guide::{Guide, GuideStep};
pub use projects::pictures::{CardPicture, CoverPicture, PictureRow};
pub use projects::row::ProjectRow;
pub use projects::view::{PieceProvenance, ProjectView};
pub use prompts::{PromptPreview, PromptRow, PromptView};
pub use qingyu_graph::workers;
pub use qingyu_llm::Cost;
pub use qingyu_store::ProjectStatus;
pub use runs::checkpoint::{
    CheckpointRow, CheckpointSource, CheckpointState, EditedRun, ForkedRun, NodePrompts, RecordedMessage,
    RecordedPrompt, StateField,
};
pub use runs::event::{RunSummary, StudioEvent, StudioEventKind};
pub use runs::handle::RunHandle;
pub use runs::kind::RunKind;
pub use runs::list::RunsRequest;
pub use runs::live::LiveEvent;
pub use runs::observer::{Observer, ProcessNotice};
pub use runs::outcome::Outcome;
pub use runs::output::{BookOutput, ContentOutput, RunOutput, StoryOutput, TaskOutput};
pub use runs::question::{HumanReview, RunQuestion};
pub use runs::replay;
pub use runs::replay::report::{ChangedPiece, ReplayReport, ReplayRequest, ReplayedRun};
#[cfg(feature = "bench")]
pub use runs::requests::NoopRequest;
pub use runs::requests::{ChapterWriteRequest, CreateRequest, RunAnswer};
pub use runs::row::RunRow;
pub use runs::serving::Serving;
pub use runs::start::TaskRequest;
pub use runs::status::RunStatus;
pub use search::answer::{AskRequest, ProjectAnswer};
pub use search::embedding::EmbeddingProgress;
pub use search::graph::{GraphRequest, GraphView};
pub use search::passages::{SearchRequest, SearchResults};
pub use settings::change::SettingChange;
pub use settings::environment::Environment;
pub use settings::layer::SettingLayer;
pub use settings::layers::Settings;
pub use settings::row::SettingRow;
pub use spending::estimate::PlanCostEstimate;
pub use spending::forecast::{CostRange, Forecast, ForecastLine, ForecastRequest};
pub use spending::report::{SpendingBy, SpendingReport, SpendingRow};
pub use spending::usage::UsageView;
pub use storage::backup::{BackupRestored, BackupSummary, ExistingDatabase};
pub use storage::schedule::{BackupFailure, BackupFile, BackupStatus};
pub use stories::changes::{ChangeRow, PieceName};
pub use stories::check::{StoryCheck, StoryFixes, check_story};
pub use stories::genres::{GenreRow, LadderList};
pub use stories::import::{StoryFile, StoryImport, read_story};
pub use stories::rules::{RuleExample, RuleRow};
pub use stories::series::{EarlierRequest, EarlierRow};
pub use studio::Studio;
pub use texts::examiner::{PlatformChoice, ReviewOptions, ReviewSummary, ReviewedText, TextAnalysis};
pub use texts::progress::{ChapterProgress, WritingDay, WritingProgress};
pub use texts::teardown::{Teardown, TeardownRequest};
pub use workspaces::servers::ServerCheck;
pub use workspaces::workspace::OpenProject;
