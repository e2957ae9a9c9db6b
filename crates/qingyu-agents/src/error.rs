//! Failures, sorted by what the caller can do: mend the requirement, the prompts, the settings; wait and resume.

use std::path::PathBuf;

/// What went wrong in a workflow.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing to work on.
    #[error("the requirement is empty")]
    EmptyRequirement,
    /// There is more than a model can take.
    #[error("the requirement has {characters} characters, at most {limit} are taken")]
    RequirementTooLong {
        /// How long it is.
        characters: usize,
        /// How long it may be.
        limit: usize,
    },
    /// A prompt cannot be read or filled.
    #[error("the prompt {file} cannot be used: {source}")]
    Prompt {
        /// Its relative name.
        file: String,
        /// What is wrong with it, and in which line.
        source: minijinja::Error,
    },
    /// A file among the overrides is no prompt's.
    #[error("there is no prompt called {file}")]
    UnknownPrompt {
        /// Its relative name.
        file: String,
    },
    /// An override asks for what its prompt is not given.
    #[error("the prompt {file} asks for {variable:?}, which it is not given; it is given {}", known.join(", "))]
    UnknownVariable {
        /// Its relative name.
        file: String,
        /// What it asks for.
        variable: String,
        /// What it is given.
        known: Vec<String>,
    },
    /// An override cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    PromptFile {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// An override is too long.
    #[error("{} is longer than {limit} bytes", path.display())]
    PromptTooLong {
        /// The file.
        path: PathBuf,
        /// How long it may be.
        limit: u64,
    },
    /// A model could not be reached, or refused; the run can be resumed when that is mended.
    #[error("{agent}: {source}")]
    Model {
        /// Whose call it was.
        agent: String,
        /// What went wrong.
        source: qingyu_llm::Error,
    },
    /// The model gives no outline, and without one there is no story.
    #[error("{agent} could not do its work, and nothing can be made without it: {source}")]
    Impossible {
        /// The agent.
        agent: String,
        /// What went wrong.
        source: qingyu_llm::Error,
    },
    /// What was made could not be kept; the run can be resumed when that is mended.
    #[error("cannot keep the work of {agent}: {source}")]
    Archive {
        /// Whose work it is.
        agent: String,
        /// What went wrong.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The project could not be read or changed; the run can be resumed when that is mended.
    #[error("the project is not at hand: {source}")]
    Workspace {
        /// What went wrong.
        #[from]
        source: qingyu_tools::workspace::Error,
    },
    /// What a chapter says does not fit the story that it belongs to.
    #[error("chapter {chapter} cannot be put into the story: {source}")]
    Unfit {
        /// The chapter.
        chapter: u32,
        /// What does not fit.
        source: qingyu_story::edit::Error,
    },
}
