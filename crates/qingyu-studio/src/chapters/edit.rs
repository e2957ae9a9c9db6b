//! Manual edits of chapters.

use std::collections::BTreeSet;
use std::path::PathBuf;

use qingyu_story::check::{Config, Finding, findings};
use qingyu_story::prose::editors_count;
use qingyu_story::settlement::{Kept, UnsupportedPassage, follow_all, mark_unsupported, outdated, withdrawn};
use qingyu_story::{Document, Evidence, Piece, ReadState, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chapters::names::document;
use crate::chapters::removed::{RemovedPiece, removed};
use crate::error::Error;
use crate::stories::changes::{PieceName, name_of};
use crate::studio::Studio;

/// The number of retries of an edit during concurrent changes of the story.
const EDIT_TRIES: usize = 8;

/// A chapter opened for editing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterText {
    /// The document ID.
    pub id: String,
    /// The title.
    pub title: String,
    /// The version of the text.
    pub version: u32,
    /// The prose.
    pub text: String,
    /// The path for a draft during editing; kept if the edit fails.
    #[serde(skip)]
    pub draft: PathBuf,
}

/// The result of a manual edit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EditedChapter {
    /// The number of the change including all settled pieces; `None` if the text is unchanged.
    pub change: Option<u64>,
    /// The document ID.
    pub id: String,
    /// The title.
    pub title: String,
    /// The new version of the text.
    pub version: u32,
    /// The length, as editors count.
    pub length: usize,
    /// Pieces removed with their sentence.
    pub gone: Vec<RemovedPiece>,
    /// Pieces restored with their sentence.
    pub back: Vec<PieceName>,
    /// Pieces found by rules in the changed paragraphs.
    pub found: Vec<PieceName>,
    /// Pieces kept after the removal of their sentence.
    pub kept: Vec<Kept>,
    /// Pieces told or dated in words that have changed; they stay as they are until the text is read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<PieceName>,
    /// The checker's findings about the chapter.
    pub findings: Vec<Finding>,
    /// The reading state of the text: rules alone do not detect contradictions of meaning.
    pub reading: ReadState,
}

impl Studio {
    /// Returns the text of a chapter, by any of its names, or of a side text.
    ///
    /// Returns [`Error::Unknown`] or [`Error::AmbiguousChapter`] if the name does not match exactly one text.
    pub async fn chapter_text(&self, project: &str, chapter: &str) -> Result<ChapterText, Error> {
        let (project, kept) = self.kept_story(project).await?;
        let document = &kept.story.documents[document(&kept.story, chapter)?];
        let Document { id, title, version, text, .. } = document.clone();
        let draft = self.settings().environment().home().join(format!("edit-{project}-{id}.md"));
        Ok(ChapterText { id, title, version, text, draft })
    }

    /// Replaces a chapter's text with `text` and updates the story, in a single change.
    ///
    /// Returns [`Error::ChapterChanged`] if the chapter's version is not `expected`, leaving the chapter unchanged.
    /// Retries after concurrent changes of the rest of the story.
    pub(crate) async fn edit_chapter(
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
        let config = self.checker(Some(&id)).await?;
        let position = document(&kept.story, chapter)?;
        let mut story = kept.story.clone();
        let document = &mut story.documents[position];
        if let Some(expected) = expected.filter(|expected| *expected != document.version) {
            let (title, found) = (document.title.clone(), document.version);
            return Err(Error::ChapterChanged { title, expected, found });
        }
        if document.text != text {
            let before = std::mem::replace(&mut document.text, text.to_owned());
            document.version = document.version.saturating_add(1);
            document.note_by_hand(&before);
        }
        let followed = follow_all(&kept.story, &mut story);
        let unsupported = mark_unsupported(&kept.story, &mut story);
        let version = self.put(&id, "edit", &kept, &story).await?;
        let language = story.language;
        let named = |pieces: Vec<Piece>| pieces.iter().map(|piece| name_of(piece, language)).collect();
        let following = followed.into_iter().next();
        let (back, found, kept_pieces) = following
            .map_or_else(Default::default, |following| (named(following.back), named(following.found), following.kept));
        let waiting = named(outdated(&story, &kept.story.documents[position]));
        let document = &story.documents[position];
        let gone = withdrawn(&kept.story, &story, &document.id).into_iter().map(removed).collect();
        Ok(EditedChapter {
            change: (version > kept.version).then_some(version),
            id: document.id.clone(),
            title: document.title.clone(),
            version: document.version,
            length: editors_count(&document.text, story.language),
            gone,
            back,
            found,
            kept: kept_pieces,
            waiting,
            findings: findings_about(&story, document, &unsupported, &config),
            reading: document.read_state(),
        })
    }
}

/// Returns the findings about a chapter's text, about facts stated in the chapter, and about sentences of later chapters
/// that rest on what it no longer tells.
fn findings_about(
    story: &Story,
    document: &Document,
    unsupported: &[UnsupportedPassage],
    config: &Config,
) -> Vec<Finding> {
    let facts = story.facts.iter().filter(|fact| {
        fact.source.as_ref().is_some_and(|source| source.document == document.id || source.document == document.title)
    });
    let mut own: BTreeSet<String> = facts.map(|fact| format!("facts/{}/", fact.id)).collect();
    own.insert(format!("documents/{}/", document.id));
    let of_chapter = |anchor: &str| own.iter().any(|own| anchor.starts_with(own.as_str()));
    let rests = |evidence: &Evidence| {
        let is_there = |passage: &UnsupportedPassage| {
            evidence.quote == passage.quote && evidence.anchor.starts_with(&format!("documents/{}/", passage.document))
        };
        unsupported.iter().any(is_there)
    };
    let all = findings(story, config).into_iter().filter(|finding| finding.issue.waived.is_none());
    let is_about = |evidence: &Evidence| of_chapter(&evidence.anchor) || rests(evidence);
    all.filter(|finding| finding.issue.evidence.iter().any(is_about)).collect()
}
