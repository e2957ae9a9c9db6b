//! Prompts and the author's overrides.

use crate::operations::operation::operations;
use crate::prompts::{PromptPreview, PromptRow, PromptView};

operations! {
    /// Returns all prompts, sorted by name, with the override state of each.
    Read Get "/prompts"
    ListPrompts as "list_prompts" {} -> Vec<PromptRow>
        = |studio, _it| studio.prompt_rows();

    /// Returns a prompt: its built-in text, the author's override, the available variables, and the rendered text.
    Read Get "/prompt"
    ReadPrompt as "read_prompt" {
        /// The name, such as `outline/generate.zh.md`.
        name: String,
        /// The project with the data for rendering; an example by default.
        #[serde(default)]
        project: Option<String>,
    } -> PromptView
        = |studio, it| studio.prompt_view(&it.name, it.project.as_deref()).await;

    /// Renders a prompt with the given text as its override, without saving.
    Admin Post "/prompt/preview"
    PreviewPrompt as "preview_prompt" {
        /// The name, such as `outline/generate.zh.md`.
        name: String,
        /// The text.
        text: String,
        /// The project with the data for rendering; an example by default.
        #[serde(default)]
        project: Option<String>,
    } -> PromptPreview
        = |studio, it| studio.preview_prompt(&it.name, it.text, it.project.as_deref()).await;

    /// Overrides a prompt for all future runs. A text failing to render is rejected with the line of the error.
    Admin Put "/prompt"
    WritePrompt as "write_prompt" {
        /// The name, such as `outline/generate.zh.md`.
        name: String,
        /// The text.
        text: String,
    } -> PromptRow
        = |studio, it| studio.write_prompt(&it.name, it.text).await;

    /// Deletes the author's override, restoring the built-in prompt.
    Admin Delete "/prompt"
    DeletePrompt as "delete_prompt" {
        /// The name, such as `outline/generate.zh.md`.
        name: String,
    } -> PromptRow
        = |studio, it| studio.delete_prompt(&it.name).await;
}
