//! The prompts, and the author's own in their place.

use super::operations;
use crate::{PromptPreview, PromptRow, PromptView};

operations! {
    /// All prompts, by name, and which of them the author has replaced.
    Read Get "/prompts"
    ListPrompts as "list_prompts" {} -> Vec<PromptRow>
        = |studio, _it| studio.prompt_rows();

    /// A prompt: as it is built in, as the author has it, what it may use, and how it is filled.
    Read Get "/prompt"
    ReadPrompt as "read_prompt" {
        /// Its name, such as `outline/generate.zh.md`.
        name: String,
        /// Filled with what this project has; with an example without it.
        #[serde(default)]
        project: Option<String>,
    } -> PromptView
        = |studio, it| studio.prompt_view(&it.name, it.project.as_deref()).await;

    /// How a prompt would be filled with this text in its place. Nothing is kept.
    Admin Post "/prompt/preview"
    PreviewPrompt as "preview_prompt" {
        /// Its name, such as `outline/generate.zh.md`.
        name: String,
        /// The text.
        text: String,
        /// Filled with what this project has; with an example without it.
        #[serde(default)]
        project: Option<String>,
    } -> PromptPreview
        = |studio, it| studio.preview_prompt(&it.name, it.text, it.project.as_deref()).await;

    /// Puts a text in the place of a prompt, for all runs from now on. One that could not be filled is refused with the line.
    Admin Put "/prompt"
    WritePrompt as "write_prompt" {
        /// Its name, such as `outline/generate.zh.md`.
        name: String,
        /// The text.
        text: String,
    } -> PromptRow
        = |studio, it| studio.write_prompt(&it.name, it.text).await;

    /// Takes the author's text away, so that the prompt is as it is built in.
    Admin Delete "/prompt"
    DeletePrompt as "delete_prompt" {
        /// Its name, such as `outline/generate.zh.md`.
        name: String,
    } -> PromptRow
        = |studio, it| studio.delete_prompt(&it.name).await;
}
