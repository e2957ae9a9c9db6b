//! Import of manuscripts: as a book, chapter by chapter, or as a reference.
//!
//! `qingyu-formats` parses and splits, `plan` computes the changes of the story, and this module saves all changes in
//! one transaction.

mod cast;
mod plan;

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use qingyu_formats::{
    Apart, Coverage, Encoding, Format, HeadingForm, HeadingRule, Ingested, LeftOut, ProjectFile, ReadOptions, Split,
    SplitOptions, Warning, folder, read, read_project, split,
};
use qingyu_store::{ProjectDraft, StoredStory, StorySave, change};
use qingyu_story::digest::sha256;
use qingyu_story::settlement::{BookReader, Question, follow_all, mark_unsupported, rebuild};
use qingyu_story::{ChangeKey, Document, Language, PieceKind, Story, ids, settlement};
use qingyu_text::cast::ProposedCharacter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::projects::row::{ProjectRow, project_row};
use crate::stories::saved::by_hand;
use crate::studio::Studio;

pub use plan::{ChapterState, ImportedChapter};

/// A manuscript and the options of its import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRequest {
    /// The file name: determines the format, and by default the title.
    pub name: String,
    /// The file content; base64 in JSON documents. Empty if [`Self::files`] are given.
    #[serde(with = "crate::encoded")]
    #[schemars(with = "String", extend("contentEncoding" = "base64"))]
    pub bytes: Arc<[u8]>,
    /// The files of a manuscript in several files, in any order; read in the natural order of their names, or in the
    /// order of their project if they are the folder of a Scrivener or novelWriter project.
    #[serde(default)]
    pub files: Vec<ManuscriptFile>,
    /// The role of the manuscript; the book by default.
    #[serde(default)]
    pub role: ManuscriptRole,
    /// The target project; by default a new project is created.
    pub project: Option<String>,
    /// The title of the new project or of the reference; by default the manuscript's title.
    pub title: Option<String>,
    /// The language of the new project; detected from the text by default.
    pub language: Option<Language>,
    /// The encoding of a plain text; detected by default.
    pub encoding: Option<String>,
    /// The number of characters after which a text without headings is split.
    pub cut: Option<usize>,
    /// The rule for finding headings.
    #[serde(default)]
    pub headings: HeadingRule,
    /// Whether to replace the text of chapters with the same title.
    #[serde(default)]
    pub replace: bool,
    /// Whether to report the result without saving.
    #[serde(default)]
    pub dry_run: bool,
}

/// A file of a manuscript in several files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ManuscriptFile {
    /// The file name: determines the format, the position, and by default the chapter's title.
    pub name: String,
    /// The file content; base64 in JSON documents.
    #[serde(with = "crate::encoded")]
    #[schemars(with = "String", extend("contentEncoding" = "base64"))]
    pub bytes: Arc<[u8]>,
}

/// The role of a manuscript in the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ManuscriptRole {
    /// The book itself: chapters with nodes in the outline.
    #[default]
    Book,
    /// A side text used for style, search and originality checks.
    Reference,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ManuscriptImport {
    /// The project; `None` for a dry run with a new project.
    pub project: Option<ProjectRow>,
    /// Whether the import was a dry run without changes.
    pub dry_run: bool,
    /// The role of the manuscript.
    pub role: ManuscriptRole,
    /// The format.
    pub format: Format,
    /// The encoding used for decoding, if any.
    pub encoding: Option<Encoding>,
    /// The title.
    pub title: String,
    /// The author, if named by the manuscript.
    pub author: Option<String>,
    /// The language.
    pub language: Language,
    /// The imported chapters; a reference counts as a single chapter, one of several files as a chapter for each.
    pub chapters: Vec<ImportedChapter>,
    /// The kinds of headings starting the chapters.
    #[serde(default)]
    pub headings: Vec<HeadingForm>,
    /// Content outside the book, by kind; saved as a side text.
    #[serde(default)]
    pub apart: Vec<Apart>,
    /// The proof of completeness: no text was lost.
    pub coverage: Coverage,
    /// Content not imported.
    pub left_out: Vec<LeftOut>,
    /// Warnings about suspicious content.
    pub warnings: Vec<Warning>,
    /// The facts settled by rules from new and replaced chapters.
    pub settled: SettledBook,
    /// The number of the import's change; `None` if everything was present already.
    pub change: Option<u64>,
    /// Whether the same manuscript had been imported before.
    pub again: bool,
}

/// The facts found by rules in the chapters of a manuscript.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SettledBook {
    /// The number of chapters read.
    pub chapters: usize,
    /// The number of facts.
    pub facts: usize,
    /// The number of cards and other pieces created.
    pub cards: usize,
    /// Proposed members of the cast, by speech and action in the chapters; certain proposals got a card.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cast: Vec<ProposedCharacter>,
    /// Questions for the author.
    pub questions: Vec<Question>,
}

impl Studio {
    /// Imports a manuscript in a single change, revertible by undo.
    ///
    /// The same change settles new and replaced chapters by rules. Existing content is kept, so repeated imports of a
    /// manuscript are harmless. Returns [`Error::BadManuscript`] if the manuscript does not parse, and
    /// [`Error::DifferentText`] if a chapter of the same title has a different text, unless [`ImportRequest::replace`]
    /// is set.
    pub async fn import_manuscript(&self, request: ImportRequest) -> Result<ManuscriptImport, Error> {
        let (request, ingested, mut found) = taken_in(request).await?;
        let apart = std::mem::take(&mut found.apart_text);
        let bad = |error| self.place("").store(error);
        let is_folder = !request.files.is_empty();
        let stem = request.name.rsplit_once('.').filter(|_| !is_folder).map_or(request.name.as_str(), |(stem, _)| stem);
        let title = request.title.clone().or_else(|| found.title.clone()).unwrap_or_else(|| stem.to_owned());
        let language = request.language.unwrap_or(found.language);
        let step = format!("{} {}", request.role.name(), fingerprint(&ingested.text));
        let stories = self.stories_table();
        let target = match (&request.project, &request.title) {
            (Some(given), _) => Some(self.find_project(given).await?.id),
            (None, Some(_)) => None,
            (None, None) => stories.with_key(IMPORT, &step).await.map_err(bad)?,
        };
        let kept = match &target {
            Some(id) => stories.load(id).await.map_err(bad)?,
            None => StoredStory { story: Story { language, ..Story::default() }, version: 0 },
        };
        let mut after = kept.story.clone();
        let mut chapters = match request.role {
            ManuscriptRole::Book => {
                let chapters = plan::book(&mut after, &found, &title, request.replace);
                plan::set_apart(&mut after, &apart);
                chapters
            }
            ManuscriptRole::Reference if is_folder => plan::references(&mut after, &found, &title),
            ManuscriptRole::Reference => vec![plan::reference(&mut after, &found, &title)],
        };
        ids::assign(&mut after);
        plan::name(&mut chapters, &after);
        let differing: Vec<String> =
            chapters.iter().filter(|one| one.state == ChapterState::Differs).map(|one| one.title.clone()).collect();
        if let (Some(project), false, false) = (&target, differing.is_empty(), request.dry_run) {
            return Err(Error::DifferentText { project: project.clone(), titles: differing });
        }
        let (after, settled) = settled(kept.story.clone(), after, &chapters, request.role).await?;
        let again = match &target {
            Some(id) => stories
                .changes(id)
                .await
                .map_err(bad)?
                .iter()
                .any(|entry| entry.key.run == IMPORT && entry.key.step == step),
            None => false,
        };
        let mut brought = ManuscriptImport {
            project: None,
            dry_run: request.dry_run,
            role: request.role,
            format: ingested.format,
            encoding: ingested.encoding,
            title,
            author: found.author,
            language,
            chapters,
            headings: found.headings,
            apart: found.apart,
            coverage: found.coverage,
            left_out: ingested.left_out,
            warnings: found.warnings,
            settled,
            change: None,
            again,
        };
        let changes = change::difference(&kept.story, &after);
        let iteration = u32::try_from(kept.version).unwrap_or(u32::MAX);
        let key = ChangeKey { run: IMPORT.into(), step, iteration };
        let provenance = by_hand();
        let now = Timestamp::now();
        match target {
            Some(project) => {
                if !changes.is_empty() && !request.dry_run {
                    let save =
                        StorySave { project: project.clone(), key, provenance, expected: Some(kept.version), changes };
                    brought.change = Some(stories.save(save, now).await.map_err(bad)?.version);
                }
                brought.project = Some(self.project(&project).await?);
            }
            None if request.dry_run => {}
            None => {
                let new =
                    ProjectDraft { title: brought.title.clone(), language, premise: String::new(), untitled: false };
                let (project, saved) = stories.create(new, key, provenance, changes, now).await.map_err(bad)?;
                brought.change = Some(saved.version);
                brought.project = Some(project_row(project));
            }
        }
        Ok(brought)
    }
}

/// The run name of imports in the log.
const IMPORT: &str = "import";

impl ManuscriptRole {
    fn name(self) -> &'static str {
        match self {
            Self::Book => "book",
            Self::Reference => "reference",
        }
    }
}

/// Parses and splits on a thread for blocking work.
pub(crate) async fn taken_in(request: ImportRequest) -> Result<(ImportRequest, Ingested, Split), Error> {
    let work = move || {
        let bad = |error| Error::of_manuscript(&error);
        let ingested = read_in(&request).map_err(bad)?;
        let splitting = SplitOptions { cut: request.cut, headings: request.headings.clone() };
        let found = split(&ingested, &splitting).map_err(bad)?;
        Ok((request, ingested, found))
    };
    let ended = tokio::task::spawn_blocking(work).await;
    ended.map_err(|error| Error::Internal { message: error.to_string() })?
}

/// Parses the manuscript of a request: its file, its project, or its files in natural order. Skips files without text.
fn read_in(request: &ImportRequest) -> Result<Ingested, qingyu_formats::Error> {
    let reading = |name: &str| ReadOptions {
        format: Format::of_name(name),
        encoding: request.encoding.clone(),
        ..ReadOptions::default()
    };
    if request.files.is_empty() {
        return read(&mut &request.bytes[..], &reading(&request.name));
    }
    let project: Vec<ProjectFile<'_>> =
        request.files.iter().map(|file| ProjectFile { path: &file.name, bytes: &file.bytes }).collect();
    if let Some(ingested) = read_project(&project, &reading(""))? {
        return Ok(ingested);
    }
    let mut files = Vec::new();
    for file in &request.files {
        match read(&mut &file.bytes[..], &reading(&file.name)) {
            Ok(ingested) => files.push((file.name.clone(), ingested)),
            Err(qingyu_formats::Error::Empty) => {}
            Err(error) => return Err(error),
        }
    }
    folder::join(files).ok_or(qingyu_formats::Error::Empty)
}

/// Settles the new and replaced chapters on a thread for blocking work.
///
/// Facts read by a model in a replaced chapter are kept while their words remain in the text; its summary is deleted.
async fn settled(
    before: Story,
    mut after: Story,
    chapters: &[ImportedChapter],
    role: ManuscriptRole,
) -> Result<(Story, SettledBook), Error> {
    if role == ManuscriptRole::Reference {
        return Ok((after, SettledBook::default()));
    }
    let fresh = chapters.iter().filter(|one| matches!(one.state, ChapterState::New | ChapterState::Replaced));
    let fresh: BTreeSet<String> = fresh.filter_map(|one| one.document.clone()).collect();
    let work = move || {
        follow_all(&before, &mut after);
        for document in after.documents.iter_mut().filter(|document| fresh.contains(&document.id)) {
            document.summary.clear();
        }
        let is_fresh = |document: &Document| fresh.contains(&document.id);
        let cast = cast::proposals(&after, &fresh);
        let introduced = cast::introductions(&after, &fresh, &cast);
        let mut reader = BookReader::default();
        let read = |story: &Story, document: &Document| match introduced.get(&document.id) {
            Some(new) if document.settled.is_none() => reader.extract_with(story, &document.id, new),
            _ => reader.recall(story, &document.id),
        };
        let mut rebuilt = rebuild(&after, settlement::Config::default(), is_fresh, read)
            .map_err(|error| Error::Internal { message: error.to_string() })?;
        mark_unsupported(&before, &mut rebuilt.story);
        let mut book = SettledBook { chapters: rebuilt.chapters.len(), cast, ..SettledBook::default() };
        for (_, settlement) in rebuilt.chapters {
            let made = || settlement.made.iter().map(qingyu_story::Piece::kind);
            book.facts += made().filter(|kind| *kind == PieceKind::Fact).count();
            book.cards += made().filter(|kind| !matches!(kind, PieceKind::Fact | PieceKind::Document)).count();
            book.questions.extend(settlement.questions);
        }
        Ok((rebuilt.story, book))
    };
    let ended = tokio::task::spawn_blocking(work).await;
    ended.map_err(|error| Error::Internal { message: error.to_string() })?
}

/// Returns a hash of the manuscript's words, independent of the file format.
fn fingerprint(text: &str) -> String {
    let mut digest = sha256(text.as_bytes());
    digest.truncate(16);
    digest
}

#[cfg(test)]
mod tests {
    use qingyu_story::settlement::extraction::ToldFact;
    use qingyu_story::settlement::{Config, Extraction, settle};
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn a_replaced_chapter_marks_later_sentences_that_rest_on_what_is_gone() {
        const GOT: &str = "林深在旧港拿到铜钥匙。";
        const USED: &str = "林深用铜钥匙开了门。";
        let mut before: Story = serde_json::from_value(json!({
            "characters": [{"id": "c-1", "name": "林深"}],
            "worldview": {"locations": [{"id": "l-1", "name": "旧港"}], "items": [{"id": "i-1", "name": "铜钥匙"}]},
            "documents": [
                {"id": "d-1", "title": "第一章 夜", "order": 1, "version": 1, "text": format!("{GOT}雨停了。")},
                {"id": "d-2", "title": "第二章 天亮", "order": 2, "version": 1, "text": format!("天亮了。{USED}")}
            ]
        }))
        .unwrap();
        for (document, predicate, quote) in [("d-1", "得到", GOT), ("d-2", "使用", USED)] {
            let fact = ToldFact {
                subject: "林深".into(),
                predicate: predicate.into(),
                object: Some("铜钥匙".into()),
                quote: quote.into(),
                confidence: 0.9,
                ..ToldFact::default()
            };
            let extraction = Extraction { facts: vec![fact], ..Extraction::default() };
            settle(&mut before, document, &extraction, Config::default()).unwrap();
        }
        let mut after = before.clone();
        after.documents[0].text = "林深在旧港站了很久。雨停了。".into();
        after.documents[0].version += 1;
        let replaced = ImportedChapter {
            title: "第一章 夜".into(),
            volume: None,
            characters: 13,
            state: ChapterState::Replaced,
            document: Some("d-1".into()),
        };
        let (story, _) = settled(before, after, &[replaced], ManuscriptRole::Book).await.unwrap();
        let quotes: Vec<&str> = story.documents[1].remarks.iter().map(|remark| remark.quote.as_str()).collect();
        assert_eq!(quotes, [USED]);
    }
}
