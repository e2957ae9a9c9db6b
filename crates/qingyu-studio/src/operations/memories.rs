//! What is remembered of the user.

use qingyu_memory::long_term::Kind;

use super::operations;
use crate::MemoryRow;

operations! {
    /// What is remembered: last changed first, or what fits some words best.
    Read Get "/memories"
    ListMemories as "list_memories" {
        /// Only of this kind.
        #[serde(default)]
        kind: Option<Kind>,
        /// Only of this project, and of all.
        #[serde(default)]
        project: Option<String>,
        /// Only what fits these words, at most 50.
        #[serde(default)]
        words: Option<String>,
    } -> Vec<MemoryRow>
        = |studio, it| studio.memories(it.kind, it.project.as_deref(), it.words.as_deref()).await;

    /// Remembers what the user says.
    Write Post "/memories"
    Remember as "remember" {
        /// What kind of memory.
        kind: Kind,
        /// The words.
        text: String,
        /// The project; every one without it.
        #[serde(default)]
        project: Option<String>,
    } -> MemoryRow
        = |studio, it| studio.remember(it.kind, &it.text, it.project.as_deref()).await;

    /// Changes the words of a memory, or switches it on or off.
    Write Patch "/memories/{memory}"
    EditMemory as "edit_memory" {
        /// The memory.
        memory: String,
        /// The new words.
        #[serde(default)]
        text: Option<String>,
        /// Whether it holds.
        #[serde(default)]
        on: Option<bool>,
    } -> MemoryRow
        = |studio, it| studio.edit_memory(&it.memory, it.text.as_deref(), it.on).await;

    /// Forgets a memory; gives it as it was.
    Write Delete "/memories/{memory}"
    ForgetMemory as "forget_memory" {
        /// The memory.
        memory: String,
    } -> MemoryRow
        = |studio, it| studio.forget_memory(&it.memory).await;

    /// Forgets everything; gives how much it was.
    Write Delete "/memories"
    ForgetMemories as "forget_memories" {} -> usize
        = |studio, _it| studio.forget_memories().await;
}
