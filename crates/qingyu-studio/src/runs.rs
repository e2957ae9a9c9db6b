//! Runs: starting, driving, resuming, watching, recording and replaying.
//!
//! Modules, lowest first:
//!
//! - `status`, `kind`, `question`, `event`, `output`, `outcome`, `row`, `checkpoint`, `requests`, `handle`: plain data
//! - `observer`, `limiter`, `live`, `journal`, `archive`, `tape`: parts of a process with runs
//! - `noop_graph`, `graphs`: the graphs, held by the studio
//! - `config`, `run_type`, `types`: a run of each kind
//! - `find`, `standing`, `list`, `drawings`, `cassette_path`, `nodes`, `checkpoints`, `prompted`: reading runs
//! - `setup`, `cassettes`, `ending`, `drive`, `reused`, `launch`: one execution of a run
//! - `outlined`, `begin`, `resume`, `start`: the operations that execute runs
//! - `forks`: editing and forking runs at a checkpoint
//! - `watching`, `serving`, [`replay`]

pub(crate) mod approver;
pub(crate) mod archive;
pub(crate) mod begin;
pub(crate) mod cassette_path;
pub(crate) mod cassettes;
pub(crate) mod checkpoint;
pub(crate) mod checkpoints;
pub(crate) mod config;
pub(crate) mod drawings;
pub(crate) mod drive;
pub(crate) mod ending;
pub(crate) mod event;
pub(crate) mod find;
pub(crate) mod forks;
pub(crate) mod graphs;
pub(crate) mod handle;
pub(crate) mod journal;
pub(crate) mod kind;
pub(crate) mod launch;
pub(crate) mod limiter;
pub(crate) mod list;
pub(crate) mod live;
pub(crate) mod nodes;
#[cfg(feature = "bench")]
pub(crate) mod noop_graph;
pub(crate) mod observer;
pub(crate) mod outcome;
pub(crate) mod outlined;
pub(crate) mod output;
pub(crate) mod prompted;
pub(crate) mod question;
pub mod replay;
pub(crate) mod requests;
pub(crate) mod resume;
pub(crate) mod reused;
pub(crate) mod row;
pub(crate) mod run_type;
pub(crate) mod serving;
pub(crate) mod setup;
pub(crate) mod standing;
pub(crate) mod start;
pub(crate) mod status;
pub(crate) mod tape;
pub(crate) mod types;
pub(crate) mod watching;
