//! The story as data and its checker: plain values, no I/O.
//!
//! The map:
//!
//! - [`story`]: the [`Story`] and all it holds
//! - [`outline`], [`character`], [`plot`], [`world`], [`style`]: the pieces; `part`: their common interface
//! - [`prose`]: prose as an editor reads it
//! - [`mod@placeholder`]: marks for what is still to be written
//! - [`document`]: the prose; [`fact`], [`promise`]: what it says and what it leads to expect
//! - [`language`]: the language a story is told in; [`marks`]: quotation marks and the ends of sentences; [`excerpt`]:
//!   excerpts cut outside of quotations
//! - [`piece`]: the smallest parts of a story that can be edited by themselves
//! - [`levels`]: the levels of a long book, and the chapters that are still to be planned; [`mod@length`]: how long a
//!   book is said to be
//! - [`names`]: looking names up, and finding them in text; `place_names`: names of places without a card
//! - [`chapters`]: the chapters of a book, and the one reading of what they are called; [`numerals`]: numbers as people
//!   write them
//! - [`ids`]: stable ids for pieces; [`digest`]: digests in hexadecimal; [`provenance`]: the author of a change
//! - [`edit`]: edits of pieces as commands, undo, and the guard of incremental corrections
//! - [`predicate`]: what the words of facts mean; [`truth`]: all that a story says to be so, as one view; [`holdings`]: who
//!   holds the things; `fact_time`: when a fact begins, and how sure that is
//! - [`audience`]: who knows what happens in public or before them; [`card_count`]: counts in the descriptions of cards
//! - [`phrase`]: statements between two as sentences; [`kinship`]: people called by what they are to somebody;
//!   `related_pair`: the word for two siblings
//! - [`schema`]: the format as JSON Schema
//! - [`mod@impact`]: what a change touches
//! - [`time`]: story time, exactly
//! - [`mod@check`]: running the rules; [`rules`]: the rules themselves, with explanations and examples
//! - [`waiver`]: findings that the author lets stand
//! - [`comment`]: comments on words of a text, and the anchors that keep them there through edits
//! - [`title`]: what a book is called
//! - [`ladder`]: ladders of power or standing; `panel`: panels and boxes of systems and games
//! - [`genre`]: what readers of a kind of book expect
//! - [`earlier`]: the ends of earlier books of a series, and of canon
//! - [`wish`]: what a person asks for, wish by wish, and whether the story meets it
//! - [`production`]: phases and fields of content that is no story
//! - [`settlement`]: what a chapter's prose says becomes data; [`telling`]: whether the text tells a piece or it is planned
//! - [`first_telling`]: where the text first tells a piece
//! - [`report`]: findings, the diagnostic report, correction instructions
//! - [`basis`]: what a verdict rests on; [`reading`]: how far the chapters have been read
//!
//! ```
//! use qingyu_story::{Character, Config, OutlineNode, Story, edit, findings};
//!
//! let mut story = Story {
//!     characters: vec![Character { name: "林青".into(), ..Character::default() }],
//!     outline_nodes: vec![OutlineNode {
//!         name: "第三章".into(),
//!         participants: vec!["林青".into(), "李四".into()],
//!         ..OutlineNode::default()
//!     }],
//!     ..Story::default()
//! };
//! let found = findings(&story, &Config::default());
//! let undefined = found.iter().find(|finding| finding.issue.title == "人物“李四”没有人物卡").expect("no card");
//! let change = edit::apply(&mut story, edit::from_instruction(&undefined.instructions[0])?)?;
//! assert_eq!(story.characters[1].name, "李四");
//! change.inverse().apply(&mut story)?;
//! # Ok::<(), edit::Error>(())
//! ```

pub mod audience;
pub mod basis;
pub mod bounded;
pub mod card_count;
pub mod chapters;
pub mod character;
pub mod check;
pub mod comment;
mod difference;
pub mod digest;
pub mod document;
mod due;
pub mod earlier;
pub mod edit;
pub mod excerpt;
pub mod fact;
mod fact_time;
pub mod first_telling;
pub mod genre;
pub mod holdings;
pub mod ids;
pub mod impact;
pub mod kinship;
pub mod ladder;
pub mod language;
pub mod length;
pub mod levels;
pub mod marks;
pub mod names;
pub mod numerals;
pub mod outline;
mod panel;
mod part;
pub mod phrase;
pub mod piece;
mod place_names;
pub mod placeholder;
pub mod plot;
pub mod predicate;
pub mod production;
pub mod promise;
pub mod prose;
pub mod provenance;
pub mod reading;
mod related_pair;
mod relation_kind;
pub mod report;
pub mod rules;
pub mod schema;
pub mod settlement;
mod side_by_side;
pub mod story;
pub mod style;
pub mod telling;
pub mod time;
pub mod title;
pub mod truth;
pub mod waiver;
pub mod wish;
pub mod world;

pub use basis::{Basis, Judge, PlannedStep, RuleCoverage, StepState};
pub use character::{Character, CharacterRelation, CustomField, OwnRelationKind, RoleType};
pub use check::{Config, Finding, check, findings, findings_with, score};
pub use comment::{Comment, CommentEntry, TextAnchor};
pub use difference::{PLACE, PieceChange, difference};
pub use document::{AuthorInstruction, Document, InstructionKind};
pub use earlier::{EarlierBook, EarlierBooks, EarlierKind};
pub use edit::{AppliedEdit, Edit, EditTarget};
pub use fact::{Fact, Knower, Quotation, with_unit};
pub use impact::impact;
pub use ladder::{Ladder, LadderStep, StepCost};
pub use language::Language;
pub use length::{BookLength, book_length};
pub use levels::Levels;
pub use names::Names;
pub use outline::{OutlineNode, OutlineNodeKind};
pub use piece::{Piece, PieceKind, WorldFrame};
pub use placeholder::{placeholder, placeholders, says_something, without_placeholders};
pub use plot::{Mode, PlotKind, PlotNode, TimelineEvent};
pub use promise::Promise;
pub use prose::{Manuscript, Prose};
pub use provenance::{ChangeKey, Provenance};
pub use reading::{ChapterCoverage, Dispute, ReadMark, ReadState, Remark, chapter_coverage};
pub use related_pair::RelatedPair;
pub use relation_kind::RelationKind;
pub use report::{
    Action, Agent, Category, CorrectionInstruction, DiagnosticReport, Evidence, Issue, Severity, Source, Strategy,
};
pub use story::Story;
pub use style::StyleGuide;
pub use waiver::Waiver;
pub use world::{Clause, Item, Location, Organisation, Travel, WorldRule, Worldview};
