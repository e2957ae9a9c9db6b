//! Failures, sorted by what the user can do about them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use qingyu_llm::stack::{Overdraft, Scope};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Layer, RunStatus};

/// What went wrong. Doors word it by [`code`](Error::code) and [`data`](Error::data).
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    // What the user asked for cannot be done as asked.
    /// There is no requirement.
    #[error("the requirement is empty")]
    RequirementEmpty,
    /// The requirement is too long.
    #[error("the requirement has {bytes} bytes, more than {limit}")]
    RequirementTooLong {
        /// How long it is, in bytes of UTF-8.
        bytes: usize,
        /// How long it may be.
        limit: usize,
    },
    /// The requirement holds a control character, as pasted binary data does.
    #[error("the requirement holds the control character U+{code_point:04X} at character {position}")]
    RequirementControl {
        /// Which character, from 0.
        position: usize,
        /// Its code point.
        code_point: u32,
    },
    /// No project has this id.
    #[error("there is no project {given}")]
    UnknownProject {
        /// What was asked for.
        given: String,
    },
    /// No run has this id.
    #[error("there is no run {given}")]
    UnknownRun {
        /// What was asked for.
        given: String,
    },
    /// Several projects or runs begin like this.
    #[error("{given} is the beginning of several ids: {}", matches.join(", "))]
    Ambiguous {
        /// What was asked for.
        given: String,
        /// What it could be.
        matches: Vec<String>,
    },
    /// No graph has this name.
    #[error("there is no graph {given}")]
    UnknownGraph {
        /// What was asked for.
        given: String,
        /// The graphs that exist.
        known: Vec<String>,
    },
    /// The run is done.
    #[error("run {run} is done")]
    NothingToResume {
        /// The run.
        run: String,
    },
    /// An answer was given to a run that does not ask.
    #[error("run {run} does not wait for an answer")]
    NotWaiting {
        /// The run.
        run: String,
        /// How it stands.
        status: RunStatus,
    },
    /// The edited material does not have the right shape.
    #[error("the material does not fit at {path}: {message}")]
    BadMaterial {
        /// Where, such as `characters[2].age`.
        path: String,
        /// What is wrong.
        message: String,
    },
    /// Another process works on the run.
    #[error("run {run} is worked on by another process")]
    ThreadBusy {
        /// The run.
        run: String,
    },

    /// The production's run was stopped or has failed, and has to be resumed before it is told something new.
    #[error("run {run} was stopped in the middle of its work; it has to be resumed first")]
    RunUnfinished {
        /// The run.
        run: String,
    },
    /// Something cannot be done with phases, fields or templates.
    #[error("{source}")]
    Production {
        /// What.
        source: qingyu_production::Error,
    },
    /// A field has been changed since it was looked at.
    #[error("{path} has version {found} by now, not {expected}")]
    FieldConflict {
        /// The field.
        path: String,
        /// The version that the change was made for.
        expected: u32,
        /// The version it has.
        found: u32,
    },

    /// No rule's code begins like this.
    #[error("there is no rule {given}")]
    UnknownRule {
        /// What was asked for.
        given: String,
    },
    /// No rule finds this, or no rule has this code.
    #[error("nothing is found that is called {given}")]
    UnknownFinding {
        /// What was asked for.
        given: String,
    },
    /// A finding may stand only with a reason.
    #[error("{finding} may stand only with a reason")]
    NoReason {
        /// The finding.
        finding: String,
    },
    /// The story has no piece of this id or name, or more than one.
    #[error("{given} is no piece of the story, or more than one")]
    UnknownPiece {
        /// What was asked for.
        given: String,
    },
    /// There are no rules for a platform of this name.
    #[error("there are no rules for the platform {given}")]
    UnknownPlatform {
        /// What was asked for.
        given: String,
        /// The platforms there are rules for.
        known: Vec<String>,
    },
    /// Nothing has been written there yet.
    #[error("there is no text in {given}")]
    NoText {
        /// What was asked for.
        given: String,
    },
    /// Nothing is asked.
    #[error("the question is empty")]
    QuestionEmpty,
    /// The question is too long to be one.
    #[error("the question has {characters} characters, more than {limit}")]
    QuestionTooLong {
        /// How long it is.
        characters: usize,
        /// How long it may be.
        limit: usize,
    },
    /// A condition on what is searched cannot be read.
    #[error("the condition {condition:?} cannot be read: {message}")]
    BadCondition {
        /// The condition.
        condition: String,
        /// Where, and what was expected there.
        message: String,
    },
    /// There is no such kind of pieces.
    #[error("there is no kind {given}")]
    UnknownKind {
        /// What was asked for.
        given: String,
    },
    /// A pattern or a time cannot be read, or names what the story does not have.
    #[error("{pattern:?} cannot be asked: {message}")]
    BadPattern {
        /// The pattern or the time.
        pattern: String,
        /// The line with a mark under the place, if it is one place.
        marked: Option<String>,
        /// What is wrong.
        message: String,
    },
    /// A question to the facts has a word that the story does not know.
    #[error("{message}")]
    Unclear {
        /// Which word.
        message: String,
    },
    /// The log of the project has no such change.
    #[error("{project} has no change {change}; the newest is {newest}")]
    UnknownChange {
        /// The project.
        project: String,
        /// What was asked for.
        change: u64,
        /// The newest change.
        newest: u64,
    },
    /// A change cannot be taken back, since a later one has touched the same piece.
    #[error("change {change} cannot be taken back: change {by} has touched {piece} since")]
    ChangedSince {
        /// What was to be taken back.
        change: u64,
        /// The piece.
        piece: String,
        /// The later change.
        by: u64,
    },
    /// No memory has this id, or several begin so.
    #[error("there is no memory {given}")]
    UnknownMemory {
        /// What was asked for.
        given: String,
    },
    /// What was to be remembered cannot be kept.
    #[error("the {what} cannot be kept: {message}")]
    BadMemory {
        /// What was given: `text` or `project`.
        what: String,
        /// What is wrong with it.
        message: String,
    },
    /// A manuscript cannot be read.
    #[error("{message}")]
    BadManuscript {
        /// Why, such as `damaged` or `too_large`.
        reason: String,
        /// Where and how much, by name.
        details: BTreeMap<String, Value>,
        /// In English.
        message: String,
    },
    /// Chapters of these titles are there with other texts.
    #[error("{project} has {} with another text", titles.join(", "))]
    DifferentText {
        /// The project.
        project: String,
        /// The titles.
        titles: Vec<String>,
    },
    /// There are no chapters, or none of those that were asked for.
    #[error("{project} has no such chapters; it has {chapters}")]
    NoChapters {
        /// The project.
        project: String,
        /// How many it has.
        chapters: usize,
    },
    /// No text has this id, title or place.
    #[error("there is no text {given}")]
    UnknownDocument {
        /// What was asked for.
        given: String,
    },
    /// The text has no such version.
    #[error("{document} has no version {version}; the newest is {newest}")]
    UnknownVersion {
        /// The title.
        document: String,
        /// What was asked for.
        version: u64,
        /// The newest one.
        newest: u32,
    },
    /// The project has no branch of that name.
    #[error("{project} has no branch {given}")]
    UnknownBranch {
        /// The project.
        project: String,
        /// What was asked for.
        given: String,
    },
    /// The project has a branch of that name, or the name is none.
    #[error("{project} cannot have a branch {name:?}: {reason}")]
    BadBranch {
        /// The project.
        project: String,
        /// The name.
        name: String,
        /// `taken` or `unfit`.
        reason: String,
    },
    /// Both sides have changed the same pieces.
    #[error("{branch} and its project have both changed {}", pieces.join(", "))]
    BranchConflict {
        /// The branch.
        branch: String,
        /// The pieces, such as `第三章 (d-3)`.
        pieces: Vec<String>,
    },
    /// What was to be written could not be.
    #[error("it cannot be written: {message}")]
    Unwritten {
        /// What the system said.
        message: String,
    },
    /// Somebody else has changed the project in the meantime.
    #[error("{project} has been changed in the meantime")]
    Conflict {
        /// The project.
        project: String,
    },

    /// The run has no cassette: it was not recorded, or its recording was too old to be kept.
    #[error("run {run} was not recorded")]
    NoCassette {
        /// The run.
        run: String,
    },
    /// A cassette cannot be played.
    #[error("{} cannot be played: {message}", path.display())]
    BadCassette {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A run that is played again asks what was not recorded.
    #[error("nothing is recorded for {purpose}: {difference}")]
    NotRecorded {
        /// What is asked.
        purpose: String,
        /// How it differs from what was recorded.
        difference: String,
    },

    // The settings must be mended.
    /// A setting is wrong.
    #[error("{}{key}: {message}", source_name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default())]
    BadSettings {
        /// The layer it is in.
        layer: Layer,
        /// The file or variable.
        source_name: Option<String>,
        /// The setting, such as `models.default`; empty when the file cannot be read at all.
        key: String,
        /// What is wrong.
        message: String,
    },
    /// The model is not known.
    #[error("there is no model {model}")]
    UnknownModel {
        /// What was asked for.
        model: String,
        /// The providers that are known.
        providers: Vec<String>,
    },
    /// The model's provider needs a key.
    #[error("{model} needs a key in {variable}")]
    NoKey {
        /// The model.
        model: String,
        /// Its provider.
        provider: String,
        /// The variable to set.
        variable: String,
    },
    /// A budget is used up.
    #[error("the budget is used up: {message}")]
    Budget {
        /// Which limit, what was spent, what was asked.
        message: String,
        /// The same in figures, if it is a matter of figures and not of an unknown price or another currency.
        overdraft: Option<Box<Overdraft>>,
    },

    // A provider did not do its part.
    /// The provider refuses the key or the account: 401, 402 (nothing left to pay with), 403.
    #[error("{model} refuses the key ({status}): {message}")]
    ProviderRefused {
        /// The model.
        model: String,
        /// The HTTP status.
        status: u16,
        /// The provider's words.
        message: String,
    },
    /// The provider is busy; wait.
    #[error("{model} is busy: {message}")]
    ProviderBusy {
        /// The model.
        model: String,
        /// The provider's words.
        message: String,
        /// How long to wait, in seconds, if the provider says.
        retry_after: Option<u64>,
    },
    /// The provider failed, or answered what cannot be an answer.
    #[error("{model} failed: {message}")]
    Provider {
        /// The model.
        model: String,
        /// The HTTP status, if there was one.
        status: Option<u16>,
        /// The provider's words.
        message: String,
    },
    /// The prompt does not fit into the model's context.
    #[error("the prompt does not fit into the context of {model}: {message}")]
    PromptTooLong {
        /// The model.
        model: String,
        /// The provider's words.
        message: String,
    },
    /// The provider cannot be reached, or stopped answering.
    #[error("{model} cannot be reached: {message}")]
    ProviderUnreachable {
        /// The model.
        model: String,
        /// What the network said.
        message: String,
    },
    /// The model's answer never had the shape it must have.
    #[error("the answer for {purpose} did not fit after {attempts} attempts")]
    BadOutput {
        /// What was asked.
        purpose: String,
        /// How often.
        attempts: u32,
        /// What did not fit in the last answer.
        problems: Vec<String>,
    },
    /// The model cannot do this.
    #[error("{model} cannot do {purpose}: {hint}")]
    Unsupported {
        /// The model.
        model: String,
        /// What was asked.
        purpose: String,
        /// What to do instead.
        hint: String,
    },

    // The machine must be mended.
    /// No space is left.
    #[error("no space left for {}", path.display())]
    DiskFull {
        /// Where.
        path: PathBuf,
    },
    /// The folder or file cannot be written.
    #[error("{} cannot be written: {message}", path.display())]
    ReadOnly {
        /// Where.
        path: PathBuf,
        /// What the system said.
        message: String,
    },
    /// The database is damaged, or is no database.
    #[error("{} is damaged: {message}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found.
        message: String,
    },
    /// Another process has been writing to the database for too long; try again.
    #[error("{} is busy", path.display())]
    DatabaseBusy {
        /// The file.
        path: PathBuf,
    },
    /// The database was written by a newer release.
    #[error("{} was written by a newer release", path.display())]
    NewerData {
        /// The file.
        path: PathBuf,
    },
    /// The database failed otherwise.
    #[error("the database failed: {message}")]
    Storage {
        /// The file.
        path: PathBuf,
        /// What it said.
        message: String,
    },

    // Nothing but a report helps.
    /// The run was begun with another graph and cannot go on with this one.
    #[error("run {run} was begun by another release: {message}")]
    GraphChanged {
        /// The run.
        run: String,
        /// What changed.
        message: String,
    },
    /// A step of the pipeline failed for a reason of its own.
    #[error("{node} failed: {message}")]
    Pipeline {
        /// The node.
        node: String,
        /// Why.
        message: String,
    },
    /// A defect.
    #[error("{message}")]
    Internal {
        /// What happened.
        message: String,
    },
}

/// A failure as plain data: in events, documents and the run's row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Stable, such as `no_key`.
    pub code: String,
    /// In English, for logs and reports.
    pub message: String,
    /// What the message is made of, for doors to word it.
    #[serde(default)]
    pub data: BTreeMap<String, Value>,
}

impl Error {
    /// A stable code, for scripts and for doors to word.
    pub fn code(&self) -> &'static str {
        match self {
            Self::RequirementEmpty => "requirement_empty",
            Self::RequirementTooLong { .. } => "requirement_too_long",
            Self::RequirementControl { .. } => "requirement_control",
            Self::UnknownProject { .. } => "unknown_project",
            Self::UnknownRun { .. } => "unknown_run",
            Self::Ambiguous { .. } => "ambiguous",
            Self::UnknownGraph { .. } => "unknown_graph",
            Self::NothingToResume { .. } => "nothing_to_resume",
            Self::NotWaiting { .. } => "not_waiting",
            Self::BadMaterial { .. } => "bad_material",
            Self::ThreadBusy { .. } => "thread_busy",
            Self::RunUnfinished { .. } => "run_unfinished",
            Self::Production { .. } => "production",
            Self::FieldConflict { .. } => "field_conflict",
            Self::UnknownRule { .. } => "unknown_rule",
            Self::UnknownFinding { .. } => "unknown_finding",
            Self::NoReason { .. } => "no_reason",
            Self::UnknownPiece { .. } => "unknown_piece",
            Self::Unclear { .. } => "unclear",
            Self::UnknownPlatform { .. } => "unknown_platform",
            Self::NoText { .. } => "no_text",
            Self::QuestionEmpty => "question_empty",
            Self::QuestionTooLong { .. } => "question_too_long",
            Self::BadCondition { .. } => "bad_condition",
            Self::UnknownKind { .. } => "unknown_kind",
            Self::BadPattern { .. } => "bad_pattern",
            Self::UnknownChange { .. } => "unknown_change",
            Self::ChangedSince { .. } => "changed_since",
            Self::UnknownMemory { .. } => "unknown_memory",
            Self::BadMemory { .. } => "bad_memory",
            Self::BadManuscript { .. } => "bad_manuscript",
            Self::DifferentText { .. } => "different_text",
            Self::NoChapters { .. } => "no_chapters",
            Self::UnknownDocument { .. } => "unknown_document",
            Self::UnknownVersion { .. } => "unknown_version",
            Self::UnknownBranch { .. } => "unknown_branch",
            Self::BadBranch { .. } => "bad_branch",
            Self::BranchConflict { .. } => "branch_conflict",
            Self::Unwritten { .. } => "unwritten",
            Self::Conflict { .. } => "conflict",
            Self::NoCassette { .. } => "no_cassette",
            Self::BadCassette { .. } => "bad_cassette",
            Self::NotRecorded { .. } => "not_recorded",
            Self::BadSettings { .. } => "bad_settings",
            Self::UnknownModel { .. } => "unknown_model",
            Self::NoKey { .. } => "no_key",
            Self::Budget { .. } => "budget",
            Self::ProviderRefused { .. } => "provider_refused",
            Self::ProviderBusy { .. } => "provider_busy",
            Self::Provider { .. } => "provider",
            Self::PromptTooLong { .. } => "prompt_too_long",
            Self::ProviderUnreachable { .. } => "provider_unreachable",
            Self::BadOutput { .. } => "bad_output",
            Self::Unsupported { .. } => "unsupported",
            Self::DiskFull { .. } => "disk_full",
            Self::ReadOnly { .. } => "read_only",
            Self::Corrupt { .. } => "corrupt",
            Self::DatabaseBusy { .. } => "database_busy",
            Self::NewerData { .. } => "newer_data",
            Self::Storage { .. } => "storage",
            Self::GraphChanged { .. } => "graph_changed",
            Self::Pipeline { .. } => "pipeline",
            Self::Internal { .. } => "internal",
        }
    }

    /// What the failure is made of, by the names of the fields.
    pub fn data(&self) -> BTreeMap<String, Value> {
        let data = match self {
            Self::RequirementEmpty | Self::QuestionEmpty => json!({}),
            Self::RequirementTooLong { bytes, limit } => json!({"bytes": bytes, "limit": limit}),
            Self::RequirementControl { position, code_point } => {
                json!({"position": position, "code_point": code_point})
            }
            Self::UnknownProject { given }
            | Self::UnknownRun { given }
            | Self::UnknownRule { given }
            | Self::UnknownFinding { given }
            | Self::UnknownKind { given }
            | Self::UnknownPiece { given }
            | Self::UnknownDocument { given }
            | Self::NoText { given }
            | Self::UnknownMemory { given } => json!({"given": given}),
            Self::BadManuscript { reason, details, .. } => {
                let mut all = json!({"reason": reason, "place": "", "message": "", "limit": "", "unit": "",
                    "encoding": "", "bad": "", "characters": ""});
                details.iter().for_each(|(name, value)| all[name] = value.clone());
                all
            }
            Self::DifferentText { project, titles } => {
                let first: Vec<&String> = titles.iter().take(6).collect();
                json!({"project": project, "titles": first, "count": titles.len()})
            }
            Self::NoChapters { project, chapters } => json!({"project": project, "chapters": chapters}),
            Self::UnknownVersion { document, version, newest } => {
                json!({"document": document, "version": version, "newest": newest})
            }
            Self::UnknownBranch { project, given } => json!({"project": project, "given": given}),
            Self::BadBranch { project, name, reason } => json!({"project": project, "name": name, "reason": reason}),
            Self::BranchConflict { branch, pieces } => json!({"branch": branch, "pieces": pieces}),
            Self::Unwritten { message } => json!({"message": message}),
            Self::QuestionTooLong { characters, limit } => json!({"characters": characters, "limit": limit}),
            Self::BadCondition { condition, message } => json!({"condition": condition, "message": message}),
            Self::BadPattern { pattern, marked, message } => {
                json!({"pattern": pattern, "marked": marked, "message": message})
            }
            Self::NoReason { finding } => json!({"finding": finding}),
            Self::UnknownChange { project, change, newest } => {
                json!({"project": project, "change": change, "newest": newest})
            }
            Self::ChangedSince { change, piece, by } => json!({"change": change, "piece": piece, "by": by}),
            Self::BadMemory { what, message } => json!({"what": what, "message": message}),
            Self::Conflict { project } => json!({"project": project}),
            Self::Ambiguous { given, matches } => json!({"given": given, "matches": matches}),
            Self::UnknownGraph { given, known } | Self::UnknownPlatform { given, known } => {
                json!({"given": given, "known": known})
            }
            Self::BadCassette { path, message } => json!({"path": path, "message": message}),
            Self::NotRecorded { purpose, difference } => json!({"purpose": purpose, "difference": difference}),
            Self::NothingToResume { run }
            | Self::ThreadBusy { run }
            | Self::RunUnfinished { run }
            | Self::NoCassette { run } => json!({"run": run}),
            Self::Production { source } => source.data(),
            Self::FieldConflict { path, expected, found } => {
                json!({"path": path, "expected": expected, "found": found})
            }
            Self::NotWaiting { run, status } => json!({"run": run, "status": status}),
            Self::BadMaterial { path, message } => json!({"path": path, "message": message}),
            Self::BadSettings { layer, source_name, key, message } => {
                json!({"layer": layer, "source": source_name, "key": key, "message": message})
            }
            Self::UnknownModel { model, providers } => json!({"model": model, "providers": providers}),
            Self::NoKey { model, provider, variable } => {
                json!({"model": model, "provider": provider, "variable": variable})
            }
            Self::Budget { message, overdraft: Some(over) } => budget(message, over),
            Self::Budget { message, .. } | Self::Internal { message } | Self::Unclear { message } => {
                json!({"message": message})
            }
            Self::ProviderRefused { model, status, message } => {
                json!({"model": model, "status": status, "message": message})
            }
            Self::ProviderBusy { model, message, retry_after } => {
                json!({"model": model, "message": message, "retry_after": retry_after})
            }
            Self::Provider { model, status, message } => json!({"model": model, "status": status, "message": message}),
            Self::PromptTooLong { model, message } | Self::ProviderUnreachable { model, message } => {
                json!({"model": model, "message": message})
            }
            Self::BadOutput { purpose, attempts, problems } => {
                json!({"purpose": purpose, "attempts": attempts, "problems": problems})
            }
            Self::Unsupported { model, purpose, hint } => json!({"model": model, "purpose": purpose, "hint": hint}),
            Self::DiskFull { path } | Self::DatabaseBusy { path } | Self::NewerData { path } => json!({"path": path}),
            Self::ReadOnly { path, message } | Self::Corrupt { path, message } | Self::Storage { path, message } => {
                json!({"path": path, "message": message})
            }
            Self::GraphChanged { run, message } => json!({"run": run, "message": message}),
            Self::Pipeline { node, message } => json!({"node": node, "message": message}),
        };
        let Value::Object(fields) = data else { unreachable!("every arm is an object") };
        fields.into_iter().collect()
    }

    /// A manuscript that cannot be read, with what the user can do about it as its reason.
    pub(crate) fn of_manuscript(error: &qingyu_formats::Error) -> Self {
        use qingyu_formats::Error as Formats;
        let (reason, details) = match error {
            Formats::UnknownFormat => ("unknown_format", json!({})),
            Formats::NotText { encoding, bad, characters } => {
                ("not_text", json!({"encoding": encoding, "bad": bad, "characters": characters}))
            }
            Formats::UnknownEncoding { given } => ("unknown_encoding", json!({"encoding": given})),
            Formats::Damaged { place, message } => ("damaged", json!({"place": place, "message": message})),
            Formats::Refused { place, message } => ("refused", json!({"place": place, "message": message})),
            Formats::TooLarge { place, limit, unit } => {
                ("too_large", json!({"place": place, "limit": limit, "unit": unit}))
            }
            Formats::Protected { place } => ("protected", json!({"place": place})),
            Formats::Empty => ("empty", json!({})),
            other => return Self::Internal { message: other.to_string() },
        };
        let Value::Object(fields) = details else { unreachable!("every arm is an object") };
        let details = fields.into_iter().collect();
        Self::BadManuscript { reason: reason.into(), details, message: error.to_string() }
    }

    /// The failure as plain data.
    pub fn failure(&self) -> Failure {
        Failure { code: self.code().into(), message: self.to_string(), data: self.data() }
    }
}

/// What a budget does not allow: the setting that would have to be raised, and to what. Money is in units of the currency.
fn budget(message: &str, over: &Overdraft) -> Value {
    /// How much more than needed for the next call is suggested.
    const ROOM: f64 = 1.5;
    let day = over.scope == Scope::Day;
    let setting = match (day, over.currency.is_some()) {
        (false, false) => "budget.tokens",
        (false, true) => "budget.money",
        (true, false) => "budget.per_day_tokens",
        (true, true) => "budget.per_day_money",
    };
    let amount = |amount: u64| match over.currency {
        Some(_) => json!(amount as f64 / 1e6),
        None => json!(amount),
    };
    let enough = over.needed() as f64 * ROOM;
    let suggested = match over.currency {
        Some(_) => json!((enough / 1e6 * 100.0).ceil() / 100.0),
        None => json!((enough / 1000.0).ceil() as u64 * 1000),
    };
    json!({
        "message": message,
        "setting": setting,
        "day": day,
        "unit": over.currency.as_deref().unwrap_or("tokens"),
        "limit": amount(over.limit),
        "spent": amount(over.spent),
        "set_aside": amount(over.set_aside),
        "asked": amount(over.asked),
        "suggested": suggested,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_says_which_setting_would_have_to_be_raised_to_what() {
        let over = |scope, currency: Option<&str>, limit, spent, asked| {
            let currency = currency.map(str::to_owned);
            let over = Overdraft { scope, currency, limit, spent, set_aside: 0, asked };
            Error::Budget { message: over.to_string(), overdraft: Some(Box::new(over)) }.data()
        };
        let money = over(Scope::Run, Some("CNY"), 5_000_000, 4_980_000, 50_000);
        assert_eq!(
            (&money["setting"], &money["limit"], &money["spent"]),
            (&json!("budget.money"), &json!(5.0), &json!(4.98))
        );
        assert_eq!((&money["asked"], &money["suggested"], &money["unit"]), (&json!(0.05), &json!(7.55), &json!("CNY")));
        let tokens = over(Scope::Day, None, 10_000, 9_000, 2_100);
        assert_eq!((&tokens["setting"], &tokens["suggested"]), (&json!("budget.per_day_tokens"), &json!(17_000)));
    }
}
