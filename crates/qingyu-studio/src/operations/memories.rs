//! Memories of the user.

use qingyu_memory::long_term::Kind;

use crate::memories::MemoryRow;
use crate::memories::sessions::SessionTurnRow;
use crate::operations::operation::operations;

operations! {
    /// Returns memories, last changed first, or by relevance to search words.
    Read Get "/memories"
    ListMemories as "list_memories" {
        /// Restricts to a kind.
        #[serde(default)]
        kind: Option<Kind>,
        /// Restricts to memories of a project and memories of all projects.
        #[serde(default)]
        project: Option<String>,
        /// Search words; returns at most 50 memories.
        #[serde(default)]
        words: Option<String>,
    } -> Vec<MemoryRow>
        = |studio, it| studio.memories(it.kind, it.project.as_deref(), it.words.as_deref()).await;

    /// Adds a memory stated by the user.
    Write Post "/memories"
    Remember as "remember" {
        /// The kind of memory.
        kind: Kind,
        /// The text.
        text: String,
        /// The project; all projects by default.
        #[serde(default)]
        project: Option<String>,
    } -> MemoryRow
        = |studio, it| studio.remember(it.kind, &it.text, it.project.as_deref()).await;

    /// Changes the text of a memory, or activates or deactivates it.
    Write Patch "/memories/{memory}"
    EditMemory as "edit_memory" {
        /// The ID of the memory.
        memory: String,
        /// The new text.
        #[serde(default)]
        text: Option<String>,
        /// Whether the memory is active.
        #[serde(default)]
        on: Option<bool>,
    } -> MemoryRow
        = |studio, it| studio.edit_memory(&it.memory, it.text.as_deref(), it.on).await;

    /// Deletes a memory and returns it.
    Write Delete "/memories/{memory}"
    ForgetMemory as "forget_memory" {
        /// The ID of the memory.
        memory: String,
    } -> MemoryRow
        = |studio, it| studio.forget_memory(&it.memory).await;

    /// Returns the remembered turns of a session, oldest first. A turn is remembered for an hour.
    Read Get "/sessions/{session}"
    ReadSession as "read_session" {
        /// The name of the session, as given in the header `X-Qingyu-Session`.
        session: String,
    } -> Vec<SessionTurnRow>
        = |studio, it| studio.session_turns(&it.session).await;

    /// Forgets a session and returns the number of its turns.
    Write Delete "/sessions/{session}"
    ForgetSession as "forget_session" {
        /// The name of the session.
        session: String,
    } -> usize
        = |studio, it| studio.forget_session(&it.session).await;

    /// Deletes all memories and returns their number.
    Write Delete "/memories"
    ForgetMemories as "forget_memories" {} -> usize
        = |studio, _it| studio.forget_memories().await;
}
