//! Failures, sorted by what the user can do about them.

mod codes;
mod data;
mod failure;
mod kind;
mod manuscript;
mod told;

use std::collections::BTreeMap;
use std::path::PathBuf;

use qingyu_llm::stack::Overdraft;
use serde_json::Value;

pub use failure::Failure;
pub use kind::ErrorKind;

use crate::access::Exceeded;
use crate::{Layer, RunStatus};

/// What went wrong. Doors word it by [`code`](Error::code) and [`data`](Error::data), and derive their status from its
/// [`kind`](Error::kind).
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
        /// Its project.
        project: String,
    },
    /// An answer was given to a run that does not ask.
    #[error("run {run} does not wait for an answer")]
    NotWaiting {
        /// The run.
        run: String,
        /// How it stands.
        status: RunStatus,
    },
    /// An answer names a question that the run does not ask any more.
    #[error("run {run} asks something else by now")]
    QuestionChanged {
        /// The run.
        run: String,
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

    /// What was asked for has not the right shape.
    #[error("the request does not fit at {path}: {message}")]
    BadRequest {
        /// Where, such as `request.limit`.
        path: String,
        /// What is wrong.
        message: String,
    },
    /// Who asks is not known: no key, or one that does not hold.
    #[error("this needs a key that holds")]
    Unauthorized,
    /// A limit of the key is reached; wait.
    #[error("{0}")]
    Limit(Exceeded),
    /// No user has this id.
    #[error("there is no user {given}")]
    UnknownUser {
        /// What was asked for.
        given: String,
    },
    /// A user cannot have this id.
    #[error("there cannot be a user {given:?}: {reason}")]
    BadUser {
        /// The id.
        given: String,
        /// `taken` or `unfit`.
        reason: String,
    },
    /// No key has this id.
    #[error("there is no key {given}")]
    UnknownKey {
        /// What was asked for.
        given: String,
    },
    /// A key cannot be made like this.
    #[error("there cannot be such a key: {reason}")]
    BadKey {
        /// `admin_of_member`, `admin_of_projects`, `expired` or `name`.
        reason: String,
    },
    /// The database server cannot be used.
    #[error("cannot use the database server {server}: {message}")]
    Unreachable {
        /// Where it is.
        server: String,
        /// What it, or the network, said.
        message: String,
    },
    /// Only files are copied; a server has tools for that.
    #[error("the database is on a server, whose own tools copy it: {command}")]
    OnServer {
        /// What copies it.
        command: String,
    },
    /// Who asks may not.
    #[error("this needs the right `{needed}`")]
    Forbidden {
        /// The right that is needed.
        needed: String,
    },
    /// A server of ours that was asked has failed.
    #[error("{}", .0.message)]
    Remote(Failure),
    /// The production's run was stopped or has failed, and has to be resumed before it is told something new.
    #[error("run {run} was stopped in the middle of its work; it has to be resumed first")]
    RunUnfinished {
        /// The run.
        run: String,
    },
    /// A run came to its end, but parts of its work failed. Resuming it retries them.
    #[error("{failed} of {total} parts failed: {message}")]
    PartsFailed {
        /// The run.
        run: String,
        /// How many parts were not done.
        failed: usize,
        /// How many there were.
        total: usize,
        /// Why the first of them failed.
        message: String,
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

    /// A chapter has been changed since it was looked at.
    #[error("{title} has version {found} by now, not {expected}")]
    ChapterChanged {
        /// The title of the chapter.
        title: String,
        /// The version that the text was written for.
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
        /// Which part of the question: `about`, `predicate` or `as_of`.
        part: String,
        /// The word.
        given: String,
        /// In English.
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
    /// Several chapters are called so.
    #[error("\"{given}\" may be {}", .choices.join(", "))]
    AmbiguousChapter {
        /// What was asked for.
        given: String,
        /// For each chapter a name that means it alone.
        choices: Vec<String>,
    },
    /// Chapters cannot be edited so.
    #[error("{message}")]
    BadChapterEdit {
        /// Why: `no_title`, `not_once`, `no_next`, `name_taken`, or `other`.
        reason: String,
        /// The title or words that it is about.
        given: String,
        /// Why, in words.
        message: String,
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
    /// The project is in the bin: nothing is written to it there.
    #[error("{project} is in the bin")]
    ProjectBinned {
        /// The project.
        project: String,
    },
    /// The project is not in the bin: only projects in the bin can be deleted permanently.
    #[error("{project} is not in the bin")]
    ProjectNotBinned {
        /// The project.
        project: String,
    },
    /// The picture cannot stand on a cover.
    #[error("the picture cannot stand on a cover: {reason}")]
    BadCover {
        /// `format` or `too_large`.
        reason: String,
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
    /// A file of a model cannot be served.
    #[error("{} cannot be served: {message}", path.display())]
    BadModelFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// What serves files of models is not installed.
    #[error("{program} is not installed")]
    NoModelServer {
        /// The program that was looked for.
        program: String,
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
    /// No prompt has this name.
    #[error("there is no prompt {given}")]
    UnknownPrompt {
        /// What was asked for.
        given: String,
    },
    /// A prompt cannot be filled.
    #[error("the prompt {name} cannot be used{}: {message}", line.map(|line| format!(", line {line}")).unwrap_or_default())]
    BadPrompt {
        /// Its name, such as `outline/generate.zh.md`.
        name: String,
        /// The line that is wrong, from 1, if one is.
        line: Option<usize>,
        /// What is wrong.
        message: String,
    },
    /// No server of tools has this name.
    #[error("the settings name no server {given}")]
    UnknownServer {
        /// What was asked for.
        given: String,
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
    /// A provider has no such model, or not for this key.
    #[error("{provider} has no model {model}{}", if models.is_empty() { String::new() } else { format!("; it has {}", models.join(", ")) })]
    ModelNotServed {
        /// The model that is asked for.
        model: String,
        /// The provider.
        provider: String,
        /// The models that it has, some of them if they are many.
        models: Vec<String>,
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
    /// The provider refuses the key or the account: 401, 403.
    #[error("{model} refuses the key ({status}): {message}")]
    ProviderRefused {
        /// The model.
        model: String,
        /// The HTTP status.
        status: u16,
        /// The provider's words.
        message: String,
    },
    /// The account behind the key has nothing left to pay with.
    #[error("the account of {model} is used up: {message}")]
    NoCredit {
        /// The model.
        model: String,
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
    /// No model answers at the address of the provider.
    #[error("no model answers at {address}{}: {message}", status.map(|status| format!(" ({status})")).unwrap_or_default())]
    ProviderAddress {
        /// The model.
        model: String,
        /// The address that was asked.
        address: String,
        /// The HTTP status, if there was one.
        status: Option<u16>,
        /// What is there instead.
        message: String,
    },
    /// The provider's filter refused the request, or ended the answer.
    #[error("the content filter of {model} refused {purpose}: {message}")]
    ContentRefused {
        /// The model.
        model: String,
        /// What was asked.
        purpose: String,
        /// The provider's words; empty if it has none.
        message: String,
    },
    /// The model answered nothing, more than once.
    #[error("{model} gave an empty answer for {purpose}{}", if *thought { ": all of it was thinking" } else { "" })]
    EmptyAnswer {
        /// The model.
        model: String,
        /// What was asked.
        purpose: String,
        /// Whether it thought.
        thought: bool,
    },
    /// The answer broke off before its end.
    #[error("the answer broke off after {characters} characters")]
    AnswerCut {
        /// How much had come.
        characters: usize,
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
    /// Nothing is written over a file.
    #[error("{} is there already", path.display())]
    TargetExists {
        /// The file.
        path: PathBuf,
    },
    /// A database is where another was to be put.
    #[error("there is a database already: {}", path.display())]
    HasData {
        /// The database.
        path: PathBuf,
    },
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
    /// The request is carried out by somebody else, since who began with it was silent for too long.
    #[error("the request is carried out already")]
    RequestAtWork,
    /// Who carried the request out is gone without an answer, and had made or changed a project by then. It is not carried out again.
    #[error("the request was carried out, in full or in part, and then its server died; what it made is in {project}")]
    RequestInterrupted {
        /// The project.
        project: String,
    },
    /// As many runs work in this server as may.
    #[error("{most} runs work here, which is as many as may; try again in {retry_after} seconds")]
    Overloaded {
        /// How many may.
        most: usize,
        /// In how many seconds it is worth trying again.
        retry_after: u64,
    },
    /// The server is about to go; another one, or the same a little later, takes the request.
    #[error("the server is about to go; try again in {retry_after} seconds")]
    Stopping {
        /// In how many seconds it is worth trying again.
        retry_after: u64,
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
    /// Whoever worked on the run died, again and again at the same place.
    #[error("run {run} was taken over {times} times without coming further, and is not taken over again")]
    Stalled {
        /// The run.
        run: String,
        /// How often.
        times: u64,
    },
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
