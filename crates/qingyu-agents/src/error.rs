//! Errors, sorted by remedy: change the requirement, the prompts or the settings; or retry later.

use std::path::PathBuf;

/// An error of a workflow.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The requirement is empty.
    #[error("the requirement is empty")]
    EmptyRequirement,
    /// The requirement is too long for a model.
    #[error("the requirement has {characters} characters, at most {limit} are taken")]
    RequirementTooLong {
        /// Length in characters.
        characters: usize,
        /// Maximum length in characters.
        limit: usize,
    },
    /// A prompt could not be parsed or rendered.
    #[error("the prompt {file} cannot be used: {source}")]
    Prompt {
        /// Relative file name.
        file: String,
        /// Cause, with the line number.
        source: minijinja::Error,
    },
    /// An override file matches no prompt.
    #[error("there is no prompt called {file}")]
    UnknownPrompt {
        /// Relative file name.
        file: String,
    },
    /// An override uses a variable unknown to its prompt.
    #[error("the prompt {file} asks for {variable:?}, which it is not given; it is given {}", known.join(", "))]
    UnknownVariable {
        /// Relative file name.
        file: String,
        /// Name of the variable.
        variable: String,
        /// Names of the known variables.
        known: Vec<String>,
    },
    /// An override could not be read.
    #[error("cannot read {}: {source}", path.display())]
    PromptFile {
        /// Path of the file or folder.
        path: PathBuf,
        /// Cause from the operating system.
        source: std::io::Error,
    },
    /// An override is too long.
    #[error("{} is longer than {limit} bytes", path.display())]
    PromptTooLong {
        /// Path of the file.
        path: PathBuf,
        /// Maximum length in bytes.
        limit: u64,
    },
    /// A model was unreachable or refused; resume the run after fixing the cause.
    #[error("{agent}: {source}")]
    Model {
        /// Name of the calling agent.
        agent: String,
        /// Cause.
        source: qingyu_llm::Error,
    },
    /// The model gave no outline, and a story needs an outline.
    #[error("{agent} could not do its work, and nothing can be made without it: {source}")]
    Impossible {
        /// Name of the agent.
        agent: String,
        /// Cause.
        source: qingyu_llm::Error,
    },
    /// Finished work could not be archived; resume the run after fixing the cause.
    #[error("cannot keep the work of {agent}: {source}")]
    Archive {
        /// Name of the agent.
        agent: String,
        /// Cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The project could not be read or changed; resume the run after fixing the cause.
    #[error("the project is not available: {source}")]
    Workspace {
        /// Cause.
        #[from]
        source: qingyu_tools::workspace::Error,
    },
    /// Statements of a chapter do not fit the story.
    #[error("chapter {chapter} cannot be settled into the story: {source}")]
    Unfit {
        /// Number of the chapter.
        chapter: u32,
        /// Cause.
        source: qingyu_story::edit::Error,
    },
}
