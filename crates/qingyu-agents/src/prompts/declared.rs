//! The prompts of the service's agents and of the orchestrator, a folder each.

/// The prompts of one agent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PromptFolder {
    /// Folder name; the first segment of the agent's purposes.
    pub(crate) name: &'static str,
    /// File names with their texts, such as `creative/plot.zh.md`.
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// Names of the variables allowed in all files but `system`.
    pub(crate) variables: &'static [&'static str],
}

/// Declares a folder of prompts below `prompts/` of this crate: its name, file names without language, and variables.
macro_rules! prompt_folder {
    ($folder:literal, [$($part:literal),+ $(,)?], [$($variable:literal),* $(,)?]) => {
        PromptFolder {
            name: $folder,
            files: &[$(
                (
                    concat!($folder, "/", $part, ".zh.md"),
                    include_str!(concat!("../../prompts/", $folder, "/", $part, ".zh.md")),
                ),
                (
                    concat!($folder, "/", $part, ".en.md"),
                    include_str!(concat!("../../prompts/", $folder, "/", $part, ".en.md")),
                ),
            )+],
            variables: &[$($variable),*],
        }
    };
}

/// All folders; a new agent adds its own.
pub(super) static FOLDERS: [&PromptFolder; 6] =
    [&CREATIVE, &ANALYSIS, &TEXT_REVIEW, &DATA_ANALYSIS, &ASSISTANT, &ORCHESTRATOR];

/// Prompts of the agent for writing.
pub(crate) static CREATIVE: PromptFolder = prompt_folder!(
    "creative",
    ["system", "plot", "continue", "dialogue", "scene", "character", "general", "rewrite", "mend"],
    [
        "description",
        "language",
        "kind",
        "title",
        "before",
        "material",
        "cards",
        "relations",
        "beats",
        "setting",
        "characters",
        "requirements",
        "words",
        "earlier",
        "passage",
        "problems",
        "draft"
    ]
);

/// Prompts of the agent for measuring and judging a text.
pub(crate) static ANALYSIS: PromptFolder = prompt_folder!(
    "analysis",
    ["system", "judge"],
    ["description", "language", "title", "aspects", "figures", "shown", "text", "left_out"]
);

/// Prompts of the agent for reviewing a text.
pub(crate) static TEXT_REVIEW: PromptFolder =
    prompt_folder!("text_review", ["system", "judge"], ["description", "language", "title", "level", "hits"]);

/// Prompts of the agent for counting.
pub(crate) static DATA_ANALYSIS: PromptFolder =
    prompt_folder!("data_analysis", ["system", "phrase"], ["description", "language", "figures", "left_out"]);

/// The agent for questions about the project uses the prompts of the story assistant.
pub(crate) static ASSISTANT: PromptFolder = PromptFolder { name: "assistant", files: &[], variables: &[] };

/// Prompts of the orchestrator.
pub(crate) static ORCHESTRATOR: PromptFolder = prompt_folder!(
    "orchestrator",
    ["system", "split"],
    ["description", "language", "agents", "chapter", "has_text", "max_subtasks"]
);
