//! Contexts of the chapter workflow's prompts. Each holds the chapter's number and the kind of work.

use qingyu_story::{AuthorInstruction, Language};
use serde::{Deserialize, Serialize};

use crate::writing::book::ChapterSurroundings;
use crate::writing::plan::{ChapterPlan, ScenePlan};
use crate::writing::review::{ChapterFinding, Verdict};
use crate::writing::seams::Seam;
use crate::writing::state::ContextCard;

/// Context of purpose `chapter.understand`: fills `prompts/chapter/understand`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterPlanContext {
    /// Number of the chapter.
    pub chapter: u32,
    /// Kind of work, such as `draft`.
    pub kind: String,
    /// Language of the book.
    pub language: Language,
    /// Title of the chapter.
    pub title: String,
    /// Number of chapters in the book.
    pub of: u32,
    /// Target length in words.
    pub words: u32,
    /// Context shared by all chapters: style, world, rules.
    pub stable: String,
    /// Context around the chapter.
    pub surroundings: ChapterSurroundings,
    /// Findings about an earlier attempt.
    pub findings: Vec<ChapterFinding>,
}

/// Context of purpose `chapter.generate`: fills `prompts/chapter/generate`, `continue` or `rewrite`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ChapterProseContext {
    /// Number of the chapter.
    pub(crate) chapter: u32,
    /// Kind of work.
    pub(crate) kind: String,
    /// Language of the book.
    pub(crate) language: Language,
    /// Title of the chapter.
    pub(crate) title: String,
    /// Target length of the requested text in words.
    pub(crate) words: u32,
    /// Context card.
    pub(crate) card: ContextCard,
    /// Plan of the chapter.
    pub(crate) plan: ChapterPlan,
    /// Number of the requested scene, from 1; 0 for the whole chapter.
    pub(crate) scene: usize,
    /// Plan of the scene.
    pub(crate) scene_plan: ScenePlan,
    /// Preceding text, to be continued.
    pub(crate) before: String,
    /// Text following a rewritten part.
    pub(crate) after: String,
    /// Beginning of the book, as a sample of its prose; empty for a new book.
    pub(crate) sample: String,
    /// Comparisons used in the last chapters, not to be repeated.
    pub(crate) images: Vec<String>,
    /// Original text of a rewritten part.
    pub(crate) original: String,
    /// Whether a part of the chapter is rewritten, not the whole.
    pub(crate) is_part: bool,
    /// Whether the text to be rewritten begins the chapter, so that `before` is the end of the previous one.
    pub(crate) starts_chapter: bool,
    /// The author's instruction.
    pub(crate) instruction: String,
    /// Earlier instructions of the author for this chapter.
    pub(crate) asked: Vec<AuthorInstruction>,
    /// Findings about an earlier attempt.
    pub(crate) findings: Vec<ChapterFinding>,
    /// Word count of an earlier answer far below the target length; 0 without such an answer.
    pub(crate) last_words: u32,
}

/// Context of purpose `chapter.seams`: fills `prompts/chapter/seams`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ChapterSeamsContext {
    /// Number of the chapter.
    pub(crate) chapter: u32,
    /// Kind of work.
    pub(crate) kind: String,
    /// Language of the book.
    pub(crate) language: Language,
    /// Seams to check.
    pub(crate) seams: Vec<Seam>,
}

/// Context of purpose `chapter.review`: fills `prompts/critic/review`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ChapterReviewContext {
    /// Number of the chapter.
    pub(crate) chapter: u32,
    /// Kind of work.
    pub(crate) kind: String,
    /// Language of the book.
    pub(crate) language: Language,
    /// Title of the chapter.
    pub(crate) title: String,
    /// Target length in words.
    pub(crate) words: u32,
    /// Actual length in words.
    pub(crate) has: u32,
    /// Context card of the chapter.
    pub(crate) card: ContextCard,
    /// End of the previous chapter.
    pub(crate) before: String,
    /// Plan of the chapter.
    pub(crate) plan: ChapterPlan,
    /// Instructions of the author for this chapter, numbered from 1 in this order; the instruction for a rewrite is
    /// last.
    pub(crate) asked: Vec<AuthorInstruction>,
    /// Text of the chapter.
    pub(crate) draft: String,
    /// Findings of the rules; the reviewer need not repeat duplicates.
    pub(crate) findings: Vec<ChapterFinding>,
    /// The previous review; `None` in the first round.
    pub(crate) earlier: Option<Verdict>,
}

/// Context of purpose `chapter.fix`: fills `prompts/chapter/fix`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ChapterFixContext {
    /// Number of the chapter.
    pub(crate) chapter: u32,
    /// Kind of work.
    pub(crate) kind: String,
    /// Language of the book.
    pub(crate) language: Language,
    /// Title of the chapter.
    pub(crate) title: String,
    /// Style, world, rules.
    pub(crate) stable: String,
    /// Text of the chapter.
    pub(crate) draft: String,
    /// Instructions of the author for this chapter, numbered from 1 in this order.
    pub(crate) asked: Vec<AuthorInstruction>,
    /// Issues, numbered from 1 in this order.
    pub(crate) findings: Vec<ChapterFinding>,
    /// Numbers of the issues whose remedy is an order of the author, given after `asked`.
    pub(crate) orders: Vec<u32>,
    /// Refused fixes of the previous answer, with reasons; empty at first.
    pub(crate) refused: Vec<String>,
}

/// Context of purpose `chapter.settle`: fills `prompts/settle/extract`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ChapterSettleContext {
    /// Number of the chapter.
    pub(crate) chapter: u32,
    /// Kind of work.
    pub(crate) kind: String,
    /// Language of the book.
    pub(crate) language: Language,
    /// Title of the chapter.
    pub(crate) title: String,
    /// Text of the chapter.
    pub(crate) text: String,
    /// Names and kinds of likely mentioned pieces, a line each.
    pub(crate) known: Vec<String>,
    /// Events planned in the outline for the chapter, a line each: title, time and place, action.
    pub(crate) planned: Vec<String>,
    /// Names of open promises, and of promises planted here by the outline.
    pub(crate) promises: Vec<String>,
    /// Secrets of characters, a line each; needed to recognize lies.
    pub(crate) secrets: Vec<String>,
    /// What written later chapters tell of this one, and of the lives and things that it speaks of, a line each.
    pub(crate) later: Vec<String>,
    /// Predicates used in statements of the book.
    pub(crate) predicates: Vec<String>,
}
