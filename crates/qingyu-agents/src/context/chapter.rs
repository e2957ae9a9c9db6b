//! What the prompts of the chapter workflow are filled from. Each knows its chapter and the kind of work.

use qingyu_story::Language;
use serde::{Deserialize, Serialize};

use crate::writing::book::Surroundings;
use crate::writing::plan::{ChapterPlan, ScenePlan};
use crate::writing::review::{ChapterFinding, Verdict};
use crate::writing::seams::Seam;
use crate::writing::state::ContextCard;

/// Purpose `chapter.understand`: fills `prompts/chapter/understand`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterUnderstanding {
    /// The number of the chapter.
    pub chapter: u32,
    /// The kind of work, such as `draft`.
    pub kind: String,
    /// The language of the book.
    pub language: Language,
    /// The title.
    pub title: String,
    /// How many chapters the book has.
    pub of: u32,
    /// Words that it is to have.
    pub words: u32,
    /// What is the same for all chapters: style, world, rules.
    pub stable: String,
    /// What surrounds the chapter.
    pub surroundings: Surroundings,
    /// What an earlier attempt was found to lack.
    pub findings: Vec<ChapterFinding>,
}

/// Purpose `chapter.generate`: fills `prompts/chapter/generate`, `continue` or `rewrite`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterWriting {
    /// The number of the chapter.
    pub chapter: u32,
    /// The kind of work.
    pub kind: String,
    /// The language of the book.
    pub language: Language,
    /// The title.
    pub title: String,
    /// Words that this text is to have.
    pub words: u32,
    /// What it is written from.
    pub card: ContextCard,
    /// What is to happen in the chapter.
    pub plan: ChapterPlan,
    /// The number of the scene that is written, from 1; 0 for the whole chapter.
    pub scene: usize,
    /// That scene.
    pub scene_plan: ScenePlan,
    /// What stands just before, to go on from.
    pub before: String,
    /// What stands just after a part that is rewritten.
    pub after: String,
    /// How the book itself begins, as an example of its prose; empty while there is none.
    pub sample: String,
    /// Comparisons of the last chapters, which are not to come again.
    pub images: Vec<String>,
    /// The text as it was, where it is rewritten.
    pub original: String,
    /// What the author wants done to it.
    pub instruction: String,
    /// What an earlier attempt was found to lack.
    pub findings: Vec<ChapterFinding>,
    /// How many words an answer had that was much too short or too long; 0 if there was none.
    pub last_words: u32,
}

/// Purpose `chapter.seams`: fills `prompts/chapter/seams`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterSeams {
    /// The number of the chapter.
    pub chapter: u32,
    /// The kind of work.
    pub kind: String,
    /// The language of the book.
    pub language: Language,
    /// The seams.
    pub seams: Vec<Seam>,
}

/// Purpose `chapter.review`: fills `prompts/critic/review`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterReading {
    /// The number of the chapter.
    pub chapter: u32,
    /// The kind of work.
    pub kind: String,
    /// The language of the book.
    pub language: Language,
    /// The title.
    pub title: String,
    /// Words that it is to have.
    pub words: u32,
    /// Words that it has.
    pub has: u32,
    /// What it was written from.
    pub card: ContextCard,
    /// How the chapter before ends.
    pub before: String,
    /// What was to happen in it.
    pub plan: ChapterPlan,
    /// What the author wanted done, if it was rewritten.
    pub instruction: String,
    /// The chapter.
    pub draft: String,
    /// What the rules find; the reviewer need not repeat it.
    pub findings: Vec<ChapterFinding>,
    /// The review before, if there was one.
    pub earlier: Option<Verdict>,
}

/// Purpose `chapter.fix`: fills `prompts/chapter/fix`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterFixing {
    /// The number of the chapter.
    pub chapter: u32,
    /// The kind of work.
    pub kind: String,
    /// The language of the book.
    pub language: Language,
    /// The title.
    pub title: String,
    /// Style, world, rules.
    pub stable: String,
    /// The chapter.
    pub draft: String,
    /// The issues, numbered from 1 in this order.
    pub findings: Vec<ChapterFinding>,
    /// What did not fit in the answer before, and why; none at first.
    pub refused: Vec<String>,
}

/// Purpose `chapter.settle`: fills `prompts/settle/extract`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterSettling {
    /// The number of the chapter.
    pub chapter: u32,
    /// The kind of work.
    pub kind: String,
    /// The language of the book.
    pub language: Language,
    /// The title.
    pub title: String,
    /// The prose.
    pub text: String,
    /// Who and what has a card and is likely to be meant, a line each: names and kind.
    pub known: Vec<String>,
    /// The events that the outline plans for the chapter, a line each: the title, when and where, what happens.
    pub planned: Vec<String>,
    /// The promises that are open and those that the outline plants here, by name.
    pub promises: Vec<String>,
    /// What people hide, a line each: so that a lie can be told from the truth.
    pub secrets: Vec<String>,
    /// Words that statements of this book use.
    pub predicates: Vec<String>,
}
