//! Reconciliation of a story with its prose.

use std::collections::BTreeSet;

use qingyu_story::chapters::ChapterName;
use qingyu_story::settlement::{
    Extraction, Kept, Question, RebuildOutcome, Rejected, StoryDifference, WithdrawnPiece, extract, rebuild, recall,
    withdrawn,
};
use qingyu_story::{ChapterCoverage, Document, Piece, Story, chapter_coverage, settlement};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chapters::names::documents;
use crate::chapters::removed::RemovedPiece;
use crate::error::Error;
use crate::stories::changes::{PieceName, name_of};
use crate::studio::Studio;

/// The method of reading chapters during reconciliation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadingMode {
    /// Recorded facts with words still in the text, and facts found by rules.
    Recalled,
    /// Facts found by rules only.
    Rules,
}

/// The result of a reconciliation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StoryReconciliation {
    /// The number of the change; `None` if nothing changed, or for a preview.
    pub change: Option<u64>,
    /// The number of chapters read.
    pub chapters: usize,
    /// The created pieces.
    pub created: Vec<PieceName>,
    /// The changed pieces.
    pub changed: Vec<DifferingPiece>,
    /// The removed pieces, with their sentences.
    pub removed: Vec<RemovedPiece>,
    /// Questions for the author.
    pub questions: Vec<Question>,
    /// Rejected statements.
    pub rejected: Vec<Rejected>,
    /// Pieces kept without support in any chapter.
    pub kept: Vec<Kept>,
    /// Whether there are unsaved changes.
    pub is_pending: bool,
    /// The reading state of each chapter; reconciling with recorded facts does not count as reading.
    pub readings: Vec<ChapterCoverage>,
}

/// A changed piece.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DifferingPiece {
    /// The piece after the change.
    #[serde(flatten)]
    pub piece: PieceName,
    /// The changed fields.
    pub fields: Vec<String>,
}

/// Whether to save a reconciliation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApplyMode {
    /// Preview only.
    Show,
    /// Save the changes.
    Save,
}

impl Studio {
    /// Reconciles the story with the accepted prose of the given chapters, or of all chapters by default, and returns
    /// the differences; saves the changes, as a single change, only with the corresponding `apply`.
    pub async fn reconcile(
        &self,
        project: &str,
        chapters: &[ChapterName],
        reading: ReadingMode,
        apply: ApplyMode,
    ) -> Result<StoryReconciliation, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let meant = documents(&kept.story, chapters)?;
        let ids: BTreeSet<&str> = meant.iter().map(|document| kept.story.documents[*document].id.as_str()).collect();
        let is_meant = |document: &Document| chapters.is_empty() || ids.contains(document.id.as_str());
        let read = |story: &Story, document: &Document| read(story, document, reading);
        let rebuilt = rebuild(&kept.story, settlement::Config::default(), is_meant, read);
        let rebuilt = rebuilt.map_err(|error| Error::Internal { message: error.to_string() })?;
        let version = match apply {
            ApplyMode::Save => self.put(&id, "reconcile", &kept, &rebuilt.story).await?,
            ApplyMode::Show => kept.version,
        };
        let change = (version > kept.version).then_some(version);
        let readings = chapter_coverage(if change.is_some() { &rebuilt.story } else { &kept.story });
        Ok(StoryReconciliation { readings, ..reconciled(change, apply, &kept.story, rebuilt) })
    }
}

/// Reads a chapter with the given method.
fn read(story: &Story, document: &Document, reading: ReadingMode) -> Result<Extraction, qingyu_story::edit::Error> {
    match reading {
        ReadingMode::Recalled => recall(story, &document.id),
        ReadingMode::Rules => extract(story, &document.id),
    }
}

fn reconciled(change: Option<u64>, apply: ApplyMode, before: &Story, rebuilt: RebuildOutcome) -> StoryReconciliation {
    let RebuildOutcome { difference, chapters, story } = rebuilt;
    let StoryDifference { created, changed, removed } = &difference;
    let told: Vec<WithdrawnPiece> =
        before.documents.iter().flat_map(|document| withdrawn(before, &story, &document.id)).collect();
    let with_quote = |piece: &Piece| {
        let told = told.iter().find(|told| told.kind == piece.kind() && told.id == piece.id());
        RemovedPiece {
            piece: name_of(piece, story.language),
            quote: told.map(|told| told.quote.clone()).unwrap_or_default(),
        }
    };
    let count = chapters.len();
    let named = |pieces: &[Piece]| pieces.iter().map(|piece| name_of(piece, story.language)).collect();
    let (mut questions, mut rejected, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for (_, settlement) in chapters {
        questions.extend(settlement.questions);
        rejected.extend(settlement.rejected);
        kept.extend(settlement.kept);
    }
    let otherwise = |(was, is): &(Piece, Piece)| {
        let old = was.fields();
        let fields = is.fields().into_iter().filter(|(field, value)| old.get(field) != Some(value));
        DifferingPiece { piece: name_of(is, story.language), fields: fields.map(|(field, _)| field).collect() }
    };
    StoryReconciliation {
        change,
        chapters: count,
        readings: Vec::new(),
        is_pending: apply == ApplyMode::Show && !difference.is_empty(),
        created: named(created),
        changed: changed.iter().map(otherwise).collect(),
        removed: removed.iter().map(with_quote).collect(),
        questions,
        rejected,
        kept,
    }
}
