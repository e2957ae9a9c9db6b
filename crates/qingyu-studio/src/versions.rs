//! The versions of texts: compared, and put back.
//!
//! - `compare`: two texts, paragraph by paragraph and character by character

mod compare;

use jiff::Timestamp;
use qingyu_story::settlement::follow_all;
use qingyu_story::{Document, Story};
use qingyu_tools::Workspace;
use qingyu_tools::workspace::DocumentVersion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Error, Studio, chapter_names};

pub use compare::{Comparison, Hunk, Op, Span, compare};

/// What is different in a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TextDifference {
    /// The id of the document.
    pub document: String,
    /// Its title.
    pub title: String,
    /// The older side: a version of the document, or of the project where no document was named; none if it was not there.
    pub from: Option<u64>,
    /// The newer side.
    pub to: Option<u64>,
    /// What is different.
    #[serde(flatten)]
    pub comparison: Comparison,
}

/// A version of a document in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VersionRow {
    /// Its number.
    pub version: u32,
    /// The change of the project that made it.
    pub change: Option<u64>,
    /// Who made it.
    pub agent: String,
    /// When.
    pub at: Option<Timestamp>,
    /// How many characters it has.
    pub characters: usize,
}

/// What was compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Differences {
    /// What is different, text by text.
    pub texts: Vec<TextDifference>,
    /// The versions of the document, if one was named; oldest first.
    pub versions: Vec<VersionRow>,
}

/// A text that was put back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Restored {
    /// The id of the document.
    pub document: String,
    /// Its title.
    pub title: String,
    /// The version whose text it has again.
    pub restored: u32,
    /// The version that it has now.
    pub version: u32,
    /// The change; none if it had that text already.
    pub change: Option<u64>,
}

impl Studio {
    /// Compares two versions of a document, or, where none is named, all texts at two versions of the project.
    ///
    /// Without `to` the newest is meant, without `from` the one before `to`.
    pub async fn compare(
        &self,
        project: &str,
        document: Option<&str>,
        from: Option<u64>,
        to: Option<u64>,
    ) -> Result<Differences, Error> {
        match document {
            Some(given) => self.compare_versions(project, given, from, to).await,
            None => self.compare_stories(project, from, to).await,
        }
    }

    /// Gives a document the text of an earlier version, as a new version, and lets the story follow, in one change.
    ///
    /// Fails with [`Error::UnknownVersion`] if there is no such version.
    pub async fn restore(&self, project: &str, document: &str, version: u32) -> Result<Restored, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let found = &kept.story.documents[chapter_names::document(&kept.story, document)?];
        let versions = self.versions_of(&id, &found.id).await?;
        let old = of_number(&versions, found, Some(u64::from(version)))?.text.clone();
        let mut story = kept.story.clone();
        let mut restored = Restored {
            document: found.id.clone(),
            title: found.title.clone(),
            restored: version,
            version: found.version,
            change: None,
        };
        let place = kept.story.documents.iter().position(|document| document.id == found.id);
        if let Some(document) = place.map(|place| &mut story.documents[place]).filter(|document| document.text != old) {
            document.text = old;
            document.version =
                versions.iter().map(|version| version.version).max().unwrap_or(0).max(document.version) + 1;
            restored.version = document.version;
            follow_all(&kept.story, &mut story);
            restored.change = Some(self.put(&id, "restore", &kept, &story).await?);
        }
        Ok(restored)
    }

    async fn compare_versions(
        &self,
        project: &str,
        given: &str,
        from: Option<u64>,
        to: Option<u64>,
    ) -> Result<Differences, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let found = &kept.story.documents[chapter_names::document(&kept.story, given)?];
        let versions = self.versions_of(&id, &found.id).await?;
        let newer = of_number(&versions, found, to)?;
        let at = versions.iter().position(|version| std::ptr::eq(version, newer)).unwrap_or(0);
        let older = match from {
            Some(_) => Some(of_number(&versions, found, from)?),
            None => at.checked_sub(1).map(|before| &versions[before]),
        };
        let comparison = compare(older.map_or("", |older| &older.text), &newer.text);
        let difference = TextDifference {
            document: found.id.clone(),
            title: found.title.clone(),
            from: older.map(|older| u64::from(older.version)),
            to: Some(u64::from(newer.version)),
            comparison,
        };
        let row = |version: &DocumentVersion| VersionRow {
            version: version.version,
            change: version.made.as_ref().map(|made| made.version),
            agent: version.made.as_ref().map(|made| made.provenance.agent.clone()).unwrap_or_default(),
            at: version.made.as_ref().map(|made| made.at),
            characters: version.text.chars().filter(|c| !c.is_whitespace()).count(),
        };
        Ok(Differences { texts: vec![difference], versions: versions.iter().map(row).collect() })
    }

    async fn compare_stories(&self, project: &str, from: Option<u64>, to: Option<u64>) -> Result<Differences, Error> {
        let row = self.project(project).await?;
        let to = to.unwrap_or(row.version);
        let from = from.unwrap_or_else(|| to.saturating_sub(1));
        let (older, newer) =
            (self.story_at(&row.project, Some(from)).await?, self.story_at(&row.project, Some(to)).await?);
        Ok(Differences { texts: differences(&older, &newer, from, to), versions: Vec::new() })
    }

    /// The versions of a document, oldest first.
    async fn versions_of(&self, project: &str, document: &str) -> Result<Vec<DocumentVersion>, Error> {
        let (workspace, _) = self.workspace(project);
        workspace.document_versions(document).await.map_err(|error| Error::Internal { message: error.to_string() })
    }
}

/// The texts that are different, in reading order.
pub(crate) fn differences(older: &Story, newer: &Story, from: u64, to: u64) -> Vec<TextDifference> {
    let find = |story: &Story, id: &str| story.documents.iter().find(|document| document.id == id).cloned();
    let mut ids: Vec<(u32, String)> =
        newer.documents.iter().map(|document| (document.order, document.id.clone())).collect();
    let gone = older.documents.iter().filter(|document| find(newer, &document.id).is_none());
    ids.extend(gone.map(|document| (document.order, document.id.clone())));
    ids.sort();
    let compared = ids.into_iter().map(|(_, id)| {
        let (before, after) = (find(older, &id), find(newer, &id));
        let text = |side: &Option<Document>| side.as_ref().map(|document| document.text.clone()).unwrap_or_default();
        TextDifference {
            title: after.as_ref().or(before.as_ref()).map(|document| document.title.clone()).unwrap_or_default(),
            from: before.is_some().then_some(from),
            to: after.is_some().then_some(to),
            comparison: compare(&text(&before), &text(&after)),
            document: id,
        }
    });
    compared.filter(|one| !one.comparison.hunks.is_empty() || one.from.is_none() || one.to.is_none()).collect()
}

/// The newest version with a number, or the newest of all.
fn of_number<'v>(
    versions: &'v [DocumentVersion],
    document: &Document,
    number: Option<u64>,
) -> Result<&'v DocumentVersion, Error> {
    let unknown = || Error::UnknownVersion {
        document: document.title.clone(),
        version: number.unwrap_or(0),
        newest: versions.last().map_or(0, |last| last.version),
    };
    let fits = |version: &&DocumentVersion| number.is_none_or(|number| u64::from(version.version) == number);
    versions.iter().rfind(fits).ok_or_else(unknown)
}
