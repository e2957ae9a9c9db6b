//! Errors, grouped by the user's possible reaction.

mod chapter_edit;
mod codes;
mod data;
pub(crate) mod failures;
pub(crate) mod kind;
mod manuscript;
pub(crate) mod noun;
pub(crate) mod provider;
mod reaction;
pub(crate) mod record;
pub(crate) mod storage;
mod told;

use std::collections::BTreeMap;
use std::path::PathBuf;

use qingyu_llm::stack::Overdraft;
use serde_json::Value;

use crate::access::limits::ExceededLimit;
use crate::runs::status::RunStatus;
use crate::settings::layer::SettingLayer;

pub use chapter_edit::ChapterEditRefusal;
pub use kind::ErrorKind;
pub use noun::Noun;
pub use provider::ProviderFailure;
pub use record::FailureRecord;
pub use storage::StorageFailure;

/// An error of the studio. Front ends compose the message from [`code`](Error::code) and [`data`](Error::data), and
/// derive the status from [`kind`](Error::kind).
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    // Invalid requests.
    /// The requirement is empty.
    #[error("the requirement is empty")]
    RequirementEmpty,
    /// The requirement is too long.
    #[error("the requirement has {bytes} bytes, more than {limit}")]
    RequirementTooLong {
        /// The length in bytes of UTF-8.
        bytes: usize,
        /// The maximum length.
        limit: usize,
    },
    /// The requirement contains a control character, typically from pasted binary data.
    #[error("the requirement holds the control character U+{code_point:04X} at character {position}")]
    RequirementControl {
        /// The index of the character, from 0.
        position: usize,
        /// The code point.
        code_point: u32,
    },
    /// Nothing has the requested name, or, where one is wanted, several things have.
    #[error("there is no {what} {given}{}", listed(known))]
    Unknown {
        /// The kind of the requested thing.
        what: Noun,
        /// The requested name.
        given: String,
        /// The existing names, if they are few.
        known: Vec<String>,
    },
    /// Several projects or runs match the prefix.
    #[error("{given} is the beginning of several ids: {}", matches.join(", "))]
    Ambiguous {
        /// The requested prefix.
        given: String,
        /// The matching IDs.
        matches: Vec<String>,
    },
    /// The run has no checkpoint of the requested number.
    #[error("run {run} has no checkpoint {checkpoint}")]
    UnknownCheckpoint {
        /// The run.
        run: String,
        /// The requested checkpoint.
        checkpoint: u64,
    },
    /// The run is already done.
    #[error("run {run} is done")]
    NothingToResume {
        /// The run.
        run: String,
        /// The run's project.
        project: String,
    },
    /// An answer was sent to a run without a question.
    #[error("run {run} does not wait for an answer")]
    NotWaiting {
        /// The run.
        run: String,
        /// The run's status.
        status: RunStatus,
    },
    /// The answered question is no longer the current question of the run.
    #[error("run {run} has a different question now")]
    QuestionChanged {
        /// The run.
        run: String,
    },
    /// The edited material does not parse.
    #[error("the material does not fit at {path}: {message}")]
    BadMaterial {
        /// The path of the invalid value, such as `characters[2].age`.
        path: String,
        /// The problem.
        message: String,
    },
    /// Another process is working on the run.
    #[error("run {run} is worked on by another process")]
    ThreadBusy {
        /// The run.
        run: String,
    },

    /// The request does not parse.
    #[error("the request does not fit at {path}: {message}")]
    BadRequest {
        /// The path of the invalid value, such as `request.limit`.
        path: String,
        /// The problem.
        message: String,
    },
    /// The caller cannot be authenticated: the key is missing or invalid.
    #[error("this needs a valid key")]
    Unauthorized,
    /// The key that has set the schedule of a production is revoked, expired or gone, or its user is disabled.
    #[error("the key that has set the schedule is no longer valid: set the schedule again")]
    ScheduleKeyInvalid,
    /// A limit of the key is reached; retry later.
    #[error("{0}")]
    Limit(ExceededLimit),
    /// The ID is invalid or a duplicate.
    #[error("there cannot be a user {given:?}: {reason}")]
    BadUser {
        /// The ID.
        given: String,
        /// The reason: `taken` or `unfit`.
        reason: String,
    },
    /// The request for a new key is invalid.
    #[error("there cannot be such a key: {reason}")]
    BadKey {
        /// The reason: `admin_of_member`, `admin_of_projects`, `expired`, `name`, `no_name`, `taken`, or `too_many` members;
        /// `several` if members of a project share the given name, `several_approvers` if several of them may approve.
        reason: String,
    },
    /// The caller lacks a right.
    #[error("this needs the right `{needed}`")]
    Forbidden {
        /// The required right.
        needed: String,
    },
    /// The run waits for the answer of another person.
    #[error("only {approver} may answer run {run}")]
    NotApprover {
        /// The run.
        run: String,
        /// The name of the run's approver.
        approver: String,
    },
    /// A remote studio server returned an error.
    #[error("{}", .0.message)]
    Remote(FailureRecord),
    /// The production's run was stopped or failed, and must be resumed before further orders.
    #[error("run {run} was stopped during its work; resume it first")]
    RunUnfinished {
        /// The run.
        run: String,
    },
    /// The run finished with failed parts. Resuming retries the failed parts.
    #[error("{failed} of {total} parts failed: {message}")]
    PartsFailed {
        /// The run.
        run: String,
        /// The number of failed parts.
        failed: usize,
        /// The total number of parts.
        total: usize,
        /// The error of the first failed part.
        message: String,
    },
    /// An operation on phases, fields or templates is invalid.
    #[error("{source}")]
    Production {
        /// The error.
        source: qingyu_production::Error,
    },
    /// The field changed concurrently.
    #[error("{path} has version {found} by now, not {expected}")]
    FieldConflict {
        /// The path of the field.
        path: String,
        /// The version expected by the caller.
        expected: u32,
        /// The current version.
        found: u32,
    },

    /// The chapter changed concurrently.
    #[error("{title} has version {found} by now, not {expected}")]
    ChapterChanged {
        /// The title of the chapter.
        title: String,
        /// The version expected by the caller.
        expected: u32,
        /// The current version.
        found: u32,
    },
    /// A waiver requires a reason.
    #[error("waiving {finding} needs a reason")]
    NoReason {
        /// The finding.
        finding: String,
    },
    /// A comment that cannot be added.
    #[error("the comment cannot be added: {reason}")]
    BadComment {
        /// `empty`, `too_long`, `no_words`, `quote_too_long`, `missing`, `ambiguous`, `no_suggestion` or
        /// `closed`.
        reason: String,
        /// The words to comment on.
        quote: String,
        /// How often ambiguous words occur.
        count: usize,
    },
    /// The chapter has no text yet.
    #[error("there is no text in {given}")]
    NoText {
        /// The requested chapter.
        given: String,
    },
    /// The question is empty.
    #[error("the question is empty")]
    QuestionEmpty,
    /// The question is too long.
    #[error("the question has {characters} characters, more than {limit}")]
    QuestionTooLong {
        /// The length in characters.
        characters: usize,
        /// The maximum length in characters.
        limit: usize,
    },
    /// A search condition does not parse.
    #[error("the condition {condition:?} cannot be read: {message}")]
    BadCondition {
        /// The condition.
        condition: String,
        /// The position and the expected syntax.
        message: String,
    },
    /// A pattern or time does not parse, or contains a name unknown to the story.
    #[error("{pattern:?} cannot be asked: {message}")]
    BadPattern {
        /// The pattern or time.
        pattern: String,
        /// The line with a mark below the error's position, if known.
        marked: Option<String>,
        /// The problem.
        message: String,
    },
    /// A question about facts contains a word unknown to the story.
    #[error("{message}")]
    Unclear {
        /// The part of the question: `about`, `predicate` or `as_of`.
        part: String,
        /// The unknown word.
        given: String,
        /// The problem, in English.
        message: String,
    },
    /// The project's log has no change of the requested number.
    #[error("{project} has no change {change}; the newest is {newest}")]
    UnknownChange {
        /// The project.
        project: String,
        /// The requested number.
        change: u64,
        /// The number of the newest change.
        newest: u64,
    },
    /// A change cannot be undone: a later change touched the same piece.
    #[error("change {change} cannot be taken back: change {by} has touched {piece} since")]
    ChangedSince {
        /// The change to undo.
        change: u64,
        /// The piece.
        piece: String,
        /// The later change.
        by: u64,
    },
    /// The memory is invalid.
    #[error("the {what} cannot be kept: {message}")]
    BadMemory {
        /// The invalid field: `text` or `project`.
        what: String,
        /// The problem.
        message: String,
    },
    /// The manuscript does not parse.
    #[error("{message}")]
    BadManuscript {
        /// The reason, such as `damaged` or `too_large`.
        reason: String,
        /// Positions and sizes, by name.
        details: BTreeMap<String, Value>,
        /// The problem, in English.
        message: String,
    },
    /// The project already has chapters of the same titles with different texts.
    #[error("{project} has {} with another text", titles.join(", "))]
    DifferentText {
        /// The project.
        project: String,
        /// The titles.
        titles: Vec<String>,
    },
    /// The project has no chapters, or none of the requested chapters.
    #[error("{project} has no such chapters; it has {chapters}")]
    NoChapters {
        /// The project.
        project: String,
        /// The number of chapters in the project.
        chapters: usize,
    },
    /// The chapter name is ambiguous.
    #[error("\"{given}\" may be {}", .choices.join(", "))]
    AmbiguousChapter {
        /// The requested name.
        given: String,
        /// An unambiguous name for each matching chapter.
        choices: Vec<String>,
    },
    /// The chapter edit is invalid.
    #[error("{message}")]
    BadChapterEdit {
        /// The reason.
        reason: ChapterEditRefusal,
        /// The title or words in question.
        given: String,
        /// The reason in words.
        message: String,
    },
    /// The text has no version of the requested number.
    #[error("{document} has no version {version}; the newest is {newest}")]
    UnknownVersion {
        /// The title.
        document: String,
        /// The requested version.
        version: u64,
        /// The newest version.
        newest: u32,
    },
    /// The project is in the bin and therefore read-only.
    #[error("{project} is in the bin")]
    ProjectBinned {
        /// The project.
        project: String,
    },
    /// The project is not in the bin; only projects in the bin can be deleted permanently.
    #[error("{project} is not in the bin")]
    ProjectNotBinned {
        /// The project.
        project: String,
    },
    /// A book would come before itself in its series.
    #[error("{project} cannot come before itself")]
    SeriesCircle {
        /// The earlier book.
        project: String,
    },
    /// The picture is not usable as a cover or on a card.
    #[error("the picture cannot be used: {reason}")]
    BadPicture {
        /// The reason: `format`, `svg`, `too_large`, or `none` if there is no picture to describe.
        reason: String,
    },
    /// The project has no branch of the requested name.
    #[error("{project} has no branch {given}")]
    UnknownBranch {
        /// The project.
        project: String,
        /// The requested name.
        given: String,
    },
    /// The branch name is invalid or a duplicate.
    #[error("{project} cannot have a branch {name:?}: {reason}")]
    BadBranch {
        /// The project.
        project: String,
        /// The name.
        name: String,
        /// The reason: `taken` or `unfit`.
        reason: String,
    },
    /// Both sides changed the same pieces differently.
    #[error("{branch} and its project have both changed {}", pieces.join(", "))]
    BranchConflict {
        /// The branch.
        branch: String,
        /// The pieces, such as `第三章 (d-3)`.
        pieces: Vec<String>,
    },
    /// A file or stream could not be written.
    #[error("it cannot be written: {message}")]
    Unwritten {
        /// The message of the system.
        message: String,
    },
    /// The book has no place for a mirror: no folder for mirrors is set, or the book is not the local user's.
    #[error("there is no folder for a mirror of {project}")]
    NoMirror {
        /// The project.
        project: String,
    },
    /// The project changed concurrently.
    #[error("{project} has been changed in the meantime")]
    Conflict {
        /// The project.
        project: String,
    },

    /// The run has no cassette: recording was disabled, or the recording expired.
    #[error("run {run} was not recorded")]
    NoCassette {
        /// The run.
        run: String,
    },
    /// The cassette is not playable.
    #[error("{} cannot be played: {message}", path.display())]
    BadCassette {
        /// The file.
        path: PathBuf,
        /// The problem.
        message: String,
    },
    /// The model file is not usable.
    #[error("{} cannot be served: {message}", path.display())]
    BadModelFile {
        /// The file.
        path: PathBuf,
        /// The problem.
        message: String,
    },
    /// The server for model files is not installed.
    #[error("{program} is not installed")]
    NoModelServer {
        /// The missing program.
        program: String,
    },
    /// A replayed run made a call missing from the recording.
    #[error("nothing is recorded for {purpose}: {difference}")]
    NotRecorded {
        /// The purpose of the call.
        purpose: String,
        /// The difference from the recorded call.
        difference: String,
    },

    // Invalid settings.
    /// A setting is invalid.
    #[error("{}{key}: {message}", source_name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default())]
    BadSettings {
        /// The layer of the setting.
        layer: SettingLayer,
        /// The file or variable.
        source_name: Option<String>,
        /// The setting, such as `models.default`; empty when the whole file does not parse.
        key: String,
        /// The problem.
        message: String,
    },
    /// The prompt does not render.
    #[error("the prompt {name} cannot be used{}: {message}", line.map(|line| format!(", line {line}")).unwrap_or_default())]
    BadPrompt {
        /// The name, such as `outline/generate.zh.md`.
        name: String,
        /// The line of the problem, from 1, if known.
        line: Option<usize>,
        /// The problem.
        message: String,
    },
    /// The model is unknown.
    #[error("there is no model {model}")]
    UnknownModel {
        /// The requested model.
        model: String,
        /// The known providers.
        providers: Vec<String>,
    },
    /// The model's provider requires a key.
    #[error("{model} needs a key in {variable}")]
    NoKey {
        /// The model.
        model: String,
        /// The provider.
        provider: String,
        /// The environment variable of the key.
        variable: String,
    },
    /// The provider does not offer the model, or not for the given key.
    #[error("{provider} has no model {model}{}", if models.is_empty() { String::new() } else { format!("; it has {}", models.join(", ")) })]
    ModelNotServed {
        /// The requested model.
        model: String,
        /// The provider.
        provider: String,
        /// Some of the provider's models.
        models: Vec<String>,
    },
    /// A budget is exhausted.
    #[error("the budget is used up: {message}")]
    Budget {
        /// The limit, the amount spent, and the amount requested.
        message: String,
        /// The same in numbers; `None` if the cause is an unknown price or a foreign currency.
        overdraft: Option<Box<Overdraft>>,
    },
    /// The provider of a model failed.
    #[error(transparent)]
    Provider(#[from] ProviderFailure),

    // Failures of the machine.
    /// The database or a file failed.
    #[error(transparent)]
    Storage(#[from] StorageFailure),
    /// The request was taken over by another process after its first worker missed the heartbeat timeout.
    #[error("the request is carried out already")]
    RequestAtWork,
    /// The worker of the request died without an answer, after having created or changed a project. The request is not
    /// repeated.
    #[error("the request was carried out, in full or in part, and then its server died; what it made is in {project}")]
    RequestInterrupted {
        /// The project.
        project: String,
    },
    /// The server already runs the maximum number of runs.
    #[error("the server works on {most} runs, its maximum; try again in {retry_after} seconds")]
    Overloaded {
        /// The maximum number.
        most: usize,
        /// The time until a retry, in seconds.
        retry_after: u64,
    },
    /// The server is shutting down; retry with another server, or later.
    #[error("the server is shutting down; try again in {retry_after} seconds")]
    Stopping {
        /// The time until a retry, in seconds.
        retry_after: u64,
    },

    // Defects worth a bug report.
    /// The workers of the run died repeatedly at the same position.
    #[error("run {run} was taken over {times} times without progress, and is not taken over again")]
    Stalled {
        /// The run.
        run: String,
        /// The number of takeovers.
        times: u64,
    },
    /// The run was started with a different graph and cannot be resumed.
    #[error("run {run} was begun by another release: {message}")]
    GraphChanged {
        /// The run.
        run: String,
        /// The change of the graph.
        message: String,
    },
    /// A step of the pipeline failed.
    #[error("{node} failed: {message}")]
    Pipeline {
        /// The node.
        node: String,
        /// The error.
        message: String,
    },
    /// A defect of the program.
    #[error("{message}")]
    Internal {
        /// The details.
        message: String,
    },
}

impl Error {
    /// Returns the error that nothing has the name `given`.
    pub fn unknown(what: Noun, given: impl Into<String>) -> Self {
        Self::Unknown { what, given: given.into(), known: Vec::new() }
    }
}

fn listed(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!("; there are {}", known.join(", ")) }
}
