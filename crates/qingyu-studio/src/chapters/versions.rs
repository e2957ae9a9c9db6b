//! Versions of texts: comparison and restoration.

use jiff::Timestamp;
use qingyu_story::prose::editors_count;
use qingyu_story::settlement::{Config, follow_all, mark_unsupported, recall, settle};
use qingyu_story::{Document, Story};
use qingyu_tools::Workspace;
use qingyu_tools::workspace::DocumentVersion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chapters::compare::{TextComparison, compare};
use crate::chapters::names;
use crate::error::Error;
use crate::studio::Studio;

/// The differences in a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TextDifference {
    /// The document ID.
    pub document: String,
    /// The title.
    pub title: String,
    /// The older version: of the document, or of the project if no document was given; `None` if the document did not
    /// exist.
    pub from: Option<u64>,
    /// The newer version.
    pub to: Option<u64>,
    /// The differences.
    #[serde(flatten)]
    pub comparison: TextComparison,
}

/// A version of a document in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VersionRow {
    /// The version number.
    pub version: u32,
    /// The number of the project's change.
    pub change: Option<u64>,
    /// The agent.
    pub agent: String,
    /// The time of the change.
    pub at: Option<Timestamp>,
    /// The length, as editors count.
    pub length: usize,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VersionComparison {
    /// The differences, by text.
    pub texts: Vec<TextDifference>,
    /// The versions of the document, if given; oldest first.
    pub versions: Vec<VersionRow>,
}

/// A restored text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RestoredVersion {
    /// The document ID.
    pub document: String,
    /// The title.
    pub title: String,
    /// The version with the restored text.
    pub restored: u32,
    /// The new current version.
    pub version: u32,
    /// The number of the change; `None` if the text was current already.
    pub change: Option<u64>,
}

impl Studio {
    /// Compares two versions of a document, or by default all texts at two versions of the project.
    ///
    /// `to` defaults to the newest version, `from` to the version before `to`.
    pub async fn compare(
        &self,
        project: &str,
        document: Option<&str>,
        from: Option<u64>,
        to: Option<u64>,
    ) -> Result<VersionComparison, Error> {
        match document {
            Some(given) => self.compare_versions(project, given, from, to).await,
            None => self.compare_stories(project, from, to).await,
        }
    }

    /// Restores the text of an earlier version as a new version, with the facts, events, summary and remarks known of
    /// that text, in a single change.
    ///
    /// Returns [`Error::UnknownVersion`] if the version does not exist.
    pub async fn restore(&self, project: &str, document: &str, version: u32) -> Result<RestoredVersion, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let position = names::document(&kept.story, document)?;
        let found = &kept.story.documents[position];
        let versions = self.versions_of(&id, &found.id).await?;
        let old = of_number(&versions, found, Some(u64::from(version)))?.text.clone();
        // The newest change of the project with this text: settlement comes after the text.
        let next = versions.iter().rposition(|one| one.version == version).and_then(|at| versions.get(at + 1));
        let then = next.and_then(|next| next.made.as_ref()).map(|made| made.version.saturating_sub(1));
        let mut story = kept.story.clone();
        let mut restored = RestoredVersion {
            document: found.id.clone(),
            title: found.title.clone(),
            restored: version,
            version: found.version,
            change: None,
        };
        let document = &mut story.documents[position];
        if document.text != old {
            document.text = old;
            document.version =
                versions.iter().map(|version| version.version).max().unwrap_or(0).max(document.version) + 1;
            restored.version = document.version;
            follow_all(&kept.story, &mut story);
            if let Some(change) = then {
                let then = self.story_at(&id, Some(change)).await?;
                know_again(&then, &mut story, &restored.document)
                    .map_err(|error| Error::Internal { message: error.to_string() })?;
            }
            mark_unsupported(&kept.story, &mut story);
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
    ) -> Result<VersionComparison, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let found = &kept.story.documents[names::document(&kept.story, given)?];
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
            length: editors_count(&version.text, kept.story.language),
        };
        Ok(VersionComparison { texts: vec![difference], versions: versions.iter().map(row).collect() })
    }

    async fn compare_stories(
        &self,
        project: &str,
        from: Option<u64>,
        to: Option<u64>,
    ) -> Result<VersionComparison, Error> {
        let row = self.project(project).await?;
        let to = to.unwrap_or(row.version);
        let from = from.unwrap_or_else(|| to.saturating_sub(1));
        let (older, newer) =
            (self.story_at(&row.project, Some(from)).await?, self.story_at(&row.project, Some(to)).await?);
        Ok(VersionComparison { texts: differences(&older, &newer, from, to), versions: Vec::new() })
    }

    /// Returns the versions of a document, oldest first.
    async fn versions_of(&self, project: &str, document: &str) -> Result<Vec<DocumentVersion>, Error> {
        let (workspace, _) = self.workspace(project, None);
        workspace.document_versions(document).await.map_err(|error| Error::Internal { message: error.to_string() })
    }
}

/// Settles the content known of a text in the story `then` into `story` again, with its reading, remarks and
/// instructions. Has no effect unless the same text was settled then.
fn know_again(then: &Story, story: &mut Story, id: &str) -> Result<(), qingyu_story::edit::Error> {
    let is_settled = |document: &&Document| document.id == id && document.current_settlement().is_some();
    let Some(then_document) = then.documents.iter().find(is_settled) else { return Ok(()) };
    if !story.documents.iter().any(|document| document.id == id && document.text == then_document.text) {
        return Ok(());
    }
    let extraction = recall(then, id)?;
    settle(story, id, &extraction, Config::default())?;
    if let Some(document) = story.documents.iter_mut().find(|document| document.id == id) {
        document.read.clone_from(&then_document.read);
        document.remarks.clone_from(&then_document.remarks);
        document.disputes.clone_from(&then_document.disputes);
        document.instructions.clone_from(&then_document.instructions);
        document.by_hand.clone_from(&then_document.by_hand);
    }
    Ok(())
}

/// Returns the differing texts, in reading order.
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

/// Returns the newest version of the given number, or the newest of all.
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
