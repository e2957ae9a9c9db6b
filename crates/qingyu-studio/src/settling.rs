//! Chapters edited by hand, and the story settled again from its prose.

use std::collections::BTreeSet;
use std::path::PathBuf;

use qingyu_story::chapters::ChapterName;
use qingyu_story::check::{Config, Finding, findings};
use qingyu_story::settlement::{
    self, Extraction, Kept, Question, Rebuilt, Rejected, extract, follow_all, rebuild, recall,
};
use qingyu_story::{ChapterCoverage, Document, Piece, Prose, ReadState, Story, chapter_coverage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chapter_names::{document, documents};
use crate::stories::PieceName;
use crate::{Error, Studio};

/// How often an edit is tried while others change the rest of the story.
const EDIT_TRIES: usize = 8;

/// A chapter as it is edited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterText {
    /// The id of the document.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The version of the text.
    pub version: u32,
    /// The prose.
    pub text: String,
    /// Where a draft of it may lie while it is edited; kept if the edit fails.
    #[serde(skip)]
    pub draft: PathBuf,
}

/// What came of an edit by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EditedChapter {
    /// The change that holds the text and all that followed; none if the text is as it was.
    pub change: Option<u64>,
    /// The id of the document.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The version of the text from now on.
    pub version: u32,
    /// Chinese characters and Latin words.
    pub length: usize,
    /// What went with its sentence.
    pub gone: Vec<PieceName>,
    /// What came back with its sentence.
    pub back: Vec<PieceName>,
    /// What the rules found in the paragraphs that changed.
    pub found: Vec<PieceName>,
    /// What stays though its sentence is gone.
    pub kept: Vec<Kept>,
    /// What the checker finds about the chapter.
    pub findings: Vec<Finding>,
    /// How far the text has been read: rules alone find no contradiction between meanings.
    pub reading: ReadState,
}

/// How chapters are read when a story is settled again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// What is on record, as far as its words still stand, and what the rules find beside it.
    Recalled,
    /// Only what the rules find.
    Rules,
}

/// A story settled again from its prose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reconciled {
    /// The change that holds it; none if nothing was changed, or it was only shown.
    pub change: Option<u64>,
    /// How many chapters were read.
    pub chapters: usize,
    /// Pieces that are new.
    pub created: Vec<PieceName>,
    /// Pieces that are otherwise.
    pub changed: Vec<Otherwise>,
    /// Pieces that are gone.
    pub removed: Vec<PieceName>,
    /// What only the author can tell.
    pub questions: Vec<Question>,
    /// What was not believed.
    pub rejected: Vec<Rejected>,
    /// What stays though no chapter says it any more.
    pub kept: Vec<Kept>,
    /// Whether anything would change that was not changed.
    pub is_pending: bool,
    /// The chapters of the book, and how far each has been read; settling again from what is on record is no reading.
    pub readings: Vec<ChapterCoverage>,
}

/// A piece that is otherwise than it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Otherwise {
    /// The piece as it is.
    #[serde(flatten)]
    pub piece: PieceName,
    /// The fields that differ.
    pub fields: Vec<String>,
}

impl Studio {
    /// The text of a chapter, however it is called, or of a text beside the book.
    ///
    /// Fails with [`Error::UnknownDocument`] or [`Error::AmbiguousChapter`] if there is no one chapter of that name.
    pub async fn chapter_text(&self, project: &str, chapter: &str) -> Result<ChapterText, Error> {
        let (project, kept) = self.kept_story(project).await?;
        let document = &kept.story.documents[document(&kept.story, chapter)?];
        let Document { id, title, version, text, .. } = document.clone();
        let draft = self.settings().environment().home().join(format!("edit-{project}-{id}.md"));
        Ok(ChapterText { id, title, version, text, draft })
    }

    /// Puts `text` in place of a chapter's, and lets the story follow, in one change.
    ///
    /// Fails with [`Error::ChapterChanged`] if the chapter has not the version `expected`; nothing is changed then. What
    /// others do to the rest of the story meanwhile does not stand in the way.
    pub async fn edit_chapter(
        &self,
        project: &str,
        chapter: &str,
        text: &str,
        expected: Option<u32>,
    ) -> Result<EditedChapter, Error> {
        for _ in 1..EDIT_TRIES {
            match self.edit_once(project, chapter, text, expected).await {
                Err(Error::Conflict { .. }) => {}
                ended => return ended,
            }
        }
        self.edit_once(project, chapter, text, expected).await
    }

    async fn edit_once(
        &self,
        project: &str,
        chapter: &str,
        text: &str,
        expected: Option<u32>,
    ) -> Result<EditedChapter, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let config = self.checker(Some(&id))?;
        let position = document(&kept.story, chapter)?;
        let mut story = kept.story.clone();
        let document = &mut story.documents[position];
        if let Some(expected) = expected.filter(|expected| *expected != document.version) {
            let (title, found) = (document.title.clone(), document.version);
            return Err(Error::ChapterChanged { title, expected, found });
        }
        if document.text != text {
            document.text = text.to_owned();
            document.version = document.version.saturating_add(1);
        }
        let followed = follow_all(&kept.story, &mut story);
        let version = self.put(&id, "edit", &kept, &story).await?;
        let named = |pieces: Vec<Piece>| pieces.iter().map(name_of).collect();
        let following = followed.into_iter().next();
        let (gone, back, found, kept_pieces) = following.map_or_else(Default::default, |following| {
            (named(following.gone), named(following.back), named(following.found), following.kept)
        });
        let document = &story.documents[position];
        Ok(EditedChapter {
            change: (version > kept.version).then_some(version),
            id: document.id.clone(),
            title: document.title.clone(),
            version: document.version,
            length: Prose::of(&document.text).length,
            gone,
            back,
            found,
            kept: kept_pieces,
            findings: findings_about(&story, document, &config),
            reading: document.read_state(),
        })
    }

    /// Settles the chapters that are named again, or all if none is named, from the accepted prose, and shows the difference; saves it, as
    /// one change, only if `apply` says so.
    pub async fn reconcile(
        &self,
        project: &str,
        chapters: &[ChapterName],
        reading: Reading,
        apply: Apply,
    ) -> Result<Reconciled, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let meant = documents(&kept.story, chapters)?;
        let ids: BTreeSet<&str> = meant.iter().map(|document| kept.story.documents[*document].id.as_str()).collect();
        let is_meant = |document: &Document| chapters.is_empty() || ids.contains(document.id.as_str());
        let read = |story: &Story, document: &Document| read(story, document, reading);
        let rebuilt = rebuild(&kept.story, settlement::Config::default(), is_meant, read);
        let rebuilt = rebuilt.map_err(|error| Error::Internal { message: error.to_string() })?;
        let version = match apply {
            Apply::Save => self.put(&id, "reconcile", &kept, &rebuilt.story).await?,
            Apply::Show => kept.version,
        };
        let change = (version > kept.version).then_some(version);
        let readings = chapter_coverage(if change.is_some() { &rebuilt.story } else { &kept.story });
        Ok(Reconciled { readings, ..reconciled(change, apply, rebuilt) })
    }
}

/// Whether what was worked out is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Apply {
    /// It is only shown.
    Show,
    /// It is saved.
    Save,
}

/// How a chapter is read.
fn read(story: &Story, document: &Document, reading: Reading) -> Result<Extraction, qingyu_story::edit::Error> {
    match reading {
        Reading::Recalled => recall(story, &document.id),
        Reading::Rules => extract(story, &document.id),
    }
}

fn reconciled(change: Option<u64>, apply: Apply, rebuilt: Rebuilt) -> Reconciled {
    let Rebuilt { difference, chapters, .. } = rebuilt;
    let count = chapters.len();
    let (mut questions, mut rejected, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for (_, settlement) in chapters {
        questions.extend(settlement.questions);
        rejected.extend(settlement.rejected);
        kept.extend(settlement.kept);
    }
    let otherwise = |(was, is): &(Piece, Piece)| {
        let old = was.fields();
        let fields = is.fields().into_iter().filter(|(field, value)| old.get(field) != Some(value));
        Otherwise { piece: name_of(is), fields: fields.map(|(field, _)| field).collect() }
    };
    Reconciled {
        change,
        chapters: count,
        readings: Vec::new(),
        is_pending: apply == Apply::Show && !difference.is_empty(),
        created: difference.created.iter().map(name_of).collect(),
        changed: difference.changed.iter().map(otherwise).collect(),
        removed: difference.removed.iter().map(name_of).collect(),
        questions,
        rejected,
        kept,
    }
}

fn name_of(piece: &Piece) -> PieceName {
    PieceName { kind: piece.kind().name().into(), id: piece.id().into(), name: piece.label() }
}

/// What the checker finds about a chapter: about its text, or about a fact that it tells.
fn findings_about(story: &Story, document: &Document, config: &Config) -> Vec<Finding> {
    let facts = story.facts.iter().filter(|fact| {
        fact.source.as_ref().is_some_and(|source| source.document == document.id || source.document == document.title)
    });
    let mut own: BTreeSet<String> = facts.map(|fact| format!("facts/{}/", fact.id)).collect();
    own.insert(format!("documents/{}/", document.id));
    let of_chapter = |anchor: &str| own.iter().any(|own| anchor.starts_with(own.as_str()));
    let all = findings(story, config).into_iter().filter(|finding| finding.issue.waived.is_none());
    all.filter(|finding| finding.issue.evidence.iter().any(|evidence| of_chapter(&evidence.anchor))).collect()
}
