//! Contexts of the prompts for writing, and answer types.

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Context of purposes `creative.continue`, `creative.dialogue`, `creative.scene`, `creative.character`,
/// `creative.general`: prose; fills the file of the same name in `prompts/creative`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ProseContext {
    /// The user's words.
    pub(crate) description: String,
    /// Language of the text.
    pub(crate) language: Language,
    /// Kind of writing.
    pub(crate) kind: String,
    /// Title of the chapter.
    pub(crate) title: String,
    /// End of the preceding text.
    pub(crate) before: String,
    /// Context, section by section.
    pub(crate) material: String,
    /// Cards of the participants, a line each.
    pub(crate) cards: Vec<String>,
    /// Relations of the participants, a line each.
    pub(crate) relations: Vec<String>,
    /// Beats, in order.
    pub(crate) beats: Vec<String>,
    /// Place and time.
    pub(crate) setting: String,
    /// Names of the participants.
    pub(crate) characters: Vec<String>,
    /// Requirements, a line each.
    pub(crate) requirements: Vec<String>,
    /// Target length in words.
    pub(crate) words: Option<u32>,
    /// Results of earlier tasks.
    pub(crate) earlier: Vec<String>,
}

/// What is to happen: the answer of `creative.plot`, which has the context [`ProseContext`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Sketch {
    /// What happens, in order.
    pub(crate) beats: Vec<String>,
    /// Who takes part.
    #[serde(default)]
    pub(crate) participants: Vec<String>,
    /// Why so.
    #[serde(default)]
    pub(crate) reasoning: Vec<String>,
}

/// Context of purposes `creative.rewrite` and `creative.mend`: changes of a text by place.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RewriteContext {
    /// The user's words.
    pub(crate) description: String,
    /// Language of the text.
    pub(crate) language: Language,
    /// Title of the chapter.
    pub(crate) title: String,
    /// Text that may be changed.
    pub(crate) passage: String,
    /// Context, section by section.
    pub(crate) material: String,
    /// Requirements, a line each.
    pub(crate) requirements: Vec<String>,
    /// Results of earlier tasks.
    pub(crate) earlier: Vec<String>,
    /// Problems to fix, a line each.
    pub(crate) problems: Vec<String>,
}

/// Changes of a text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Fixes {
    /// Each at its place.
    pub(crate) fixes: Vec<Fix>,
    /// Why so.
    #[serde(default)]
    pub(crate) reasoning: Vec<String>,
}

/// A change at one place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Fix {
    /// The words that stand there, letter by letter; they must stand there once.
    pub(crate) find: String,
    /// The words that are to stand there.
    pub(crate) with: String,
    /// Why.
    #[serde(default)]
    pub(crate) why: String,
}
