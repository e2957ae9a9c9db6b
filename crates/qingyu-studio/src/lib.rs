//! The one API over everything: plain commands in, plain events out.
//!
//! Every door (command line, server) does the same: it collects its [`Settings`], opens a [`Studio`], calls a command
//! and draws the [`StudioEvent`]s. Nothing here prints, asks a terminal, reads the environment or writes in a
//! language: failures carry a stable [`code`](Error::code) and data, and doors word them.
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
//! The map:
//!
//! - [`settings`]: layers of settings, and the environment as a value
//! - [`command`]: what can be asked
//! - [`event`]: what a run tells
//! - [`handle`]: a run at work
//! - [`access`]: who asks, and what they may do: users, keys, limits, the audit; [`backup`]: the database copied and put back
//! - [`live`]: the runs of this process, and who follows which; [`observer`]: those who are told of all of them; [`watching`]: a run followed and stopped from anywhere
//! - [`serving`]: a process that serves, takes over and hands over
//! - [`operations`]: all that can be asked, as plain values with their places in the API
//! - [`outcome`]: what a run ends with, and the one JSON document of it
//! - [`questions`]: a project searched, asked, drawn as a graph; [`embedding`]: the vectors of its passages
//! - [`embedder`]: what makes the vectors that search compares, by its name in the settings
//! - [`manuscripts`]: manuscripts that become chapters or references; [`books`]: chapters that become a file
//! - [`versions`]: texts compared with what they were, and put back; [`branches`]: a story told in two ways
//! - [`shelf`]: titles and covers of projects, the archive, the bin
//! - [`guide`]: what a new author does next
//! - [`spending`]: what was spent, and what a day may; [`forecast`]: what a command will cost
//! - [`replay`]: recorded runs played again
//! - [`productions`]: phases and fields looked at, changed by hand, exported
//! - [`stories`]: a project's story brought in, checked, mended, asked; its past
//! - [`examiner`]: texts counted and reviewed without any model
//! - [`settling`]: chapters edited by hand, and a story settled again from its prose
//! - [`memories`]: what is remembered of the user
//! - [`prompts`]: the prompts, and the author's own in their place; [`upkeep`]: settings changed while the studio works
//! - [`diagnostics`]: how it is set up and what failed, for a bug report, with nothing of the author
//! - [`view`]: what can be looked at
//! - [`error`]: failures, sorted by what the user can do
//! - [`studio`]: the [`Studio`]

pub mod access;
mod archive;
pub mod backup;
pub mod books;
pub mod branches;
mod calls;
mod cassettes;
mod chapter_edits;
mod chapter_names;
pub mod command;
mod data_folder;
pub mod diagnostics;
mod doctor;
pub mod embedder;
pub mod embedding;
mod encoded;
pub mod error;
pub mod event;
pub mod examiner;
mod failures;
pub mod forecast;
mod graphs;
pub mod guide;
pub mod handle;
mod journal;
mod lessons;
pub mod listings;
pub mod live;
pub mod manuscripts;
pub mod memories;
mod model_file;
pub mod model_keys;
pub mod observer;
mod once;
mod opening;
pub mod operations;
pub mod outcome;
mod produce_orders;
pub mod productions;
pub mod prompts;
pub mod questions;
pub mod replay;
mod room;
mod roster;
mod run_rows;
mod samples;
pub mod serving;
pub mod settings;
pub mod settling;
pub mod shelf;
pub mod spending;
pub mod stories;
pub mod studio;
mod tape;
pub mod trial;
pub mod upkeep;
pub mod versions;
pub mod view;
pub mod watching;
mod work;
mod workspaces;
mod written;

/// The crates whose types stand in the studio's, for doors, which import nothing but the studio.
pub use {
    qingyu_agents as agents, qingyu_formats as formats, qingyu_graph::drawing, qingyu_knowledge as knowledge,
    qingyu_llm as llm, qingyu_memory as memory, qingyu_production as production, qingyu_story as story,
    qingyu_text as text, qingyu_tools as tools, qingyu_web as web,
};

pub use access::{
    Access, AuditEntry, AuditState, Exceeded, KeyRequest, KeyRow, KeyState, LimitName, Limits, MadeKey, Right, Scope,
    Secret, UserRequest, UserRole, UserRow,
};
pub use backup::{BackedUp, BackupRestored, Existing};
pub use books::{BookFile, BookForm, ExportRequest, Exported, ReadyBook};
pub use branches::{BranchComparison, BranchPiece, BranchRow, Fate, Merged, Side};
pub use chapter_edits::ChapterList;
pub use command::{CreateRequest, HumanAnswer, WriteRequest};
pub use doctor::Reach;
pub use embedder::embedder_of;
pub use embedding::Embedded;
pub use error::{Error, ErrorKind, Failure};
pub use event::{EventKind, RunSummary, StudioEvent};
pub use examiner::{Analysed, Examiner, PlatformChoice, ReviewOptions, Reviewed, Reviews};
pub use forecast::{CostRange, Forecast, ForecastLine, ForecastRequest};
pub use guide::{Guide, GuideStep};
pub use handle::RunHandle;
pub use listings::ModelListing;
pub use live::LiveEvent;
pub use manuscripts::{
    Brought, BroughtChapter, ChapterState, ImportRequest, ManuscriptFile, ManuscriptRole, SettledBook,
};
pub use memories::MemoryRow;
pub use model_keys::{KeySource, ModelKeyRow};
pub use observer::{Notice, Observer};
pub use once::Once;
#[cfg(feature = "bench")]
pub use outcome::NoopMade;
pub use outcome::{BookMade, ContentMade, HumanReview, Made, Outcome, Question, StoryMade, TaskMade, UsageView};
pub use productions::{
    ContentFile, ContentFiles, ContentForm, FieldView, PhaseRow, ProductionView, ReadyContent, TemplateRow,
};
pub use prompts::{PromptPreview, PromptProblem, PromptRow, PromptView};
pub use qingyu_graph::workers;
pub use qingyu_llm::Cost;
pub use questions::{Answered, AskRequest, GraphRequest, GraphView, SearchRequest, Searched};
pub use replay::{ChangedPiece, Replay, ReplayRequest, ReplayedRun};
pub use run_rows::RunsRequest;
pub use serving::Serving;
pub use settings::{Environment, Layer, SettingChange, Settings};
pub use settling::{Apply, ChapterText, EditedChapter, Otherwise, Reading, Reconciled};
pub use shelf::{CoverPicture, ProjectStatus};
pub use spending::{SpendingBy, SpendingReport, SpendingRow};
pub use stories::{ChangeRow, Checkup, Imported, Mended, PieceName, StoryFile, check_story, read_story};
pub use studio::Studio;
pub use trial::{ModelTrial, TrialAnswer};
pub use upkeep::ServerCheck;
pub use versions::{Comparison, Differences, Hunk, Op, Restored, Span, TextDifference, VersionRow};
pub use view::{
    CheckRow, CheckState, Estimate, ModelChoice, ModelReason, ModelRow, ProjectRow, ProjectView, Provenance,
    RuleExample, RuleRow, RunRow, RunStatus, SettingRow,
};
#[cfg(feature = "bench")]
pub use work::NoopRequest;
pub use work::{ProduceRequest, RunKind, TaskRequest, TellRequest};
pub use workspaces::OpenProject;
