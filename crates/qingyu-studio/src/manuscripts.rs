//! Manuscripts come in: as a book, chapter by chapter, or as a reference.
//!
//! Reading and splitting is `qingyu-formats`; `plan` says what becomes of a story; here it is saved, at once or not at all.

mod cast;
mod plan;

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use qingyu_formats::{
    Apart, Coverage, Encoding, Format, HeadingForm, HeadingRule, Ingested, LeftOut, Reading, Split, Splitting, Warning,
    folder, read, split,
};
use qingyu_store::{ChangeKey, KeptStory, NewProject, Provenance, Save, change};
use qingyu_story::settlement::{self, Question, extract_with, follow_all, rebuild, recall};
use qingyu_story::{Document, Language, PieceKind, Story, ids};
use qingyu_text::cast::ProposedCharacter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::stories::PERSON;
use crate::studio::project_row;
use crate::{Error, ProjectRow, Studio};

pub use plan::{BroughtChapter, ChapterState};

/// A manuscript, and what is to become of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRequest {
    /// The name of its file: tells the format, and the title if nothing else does.
    pub name: String,
    /// The file; in documents as base64. Empty if [`Self::files`] are the manuscript.
    #[serde(with = "crate::encoded")]
    #[schemars(with = "String", extend("contentEncoding" = "base64"))]
    pub bytes: Arc<[u8]>,
    /// The files of a manuscript in several, in any order; they are read in the natural order of their names.
    #[serde(default)]
    pub files: Vec<ManuscriptFile>,
    /// What it becomes; the book if nothing is said.
    #[serde(default)]
    pub role: ManuscriptRole,
    /// The project it goes into; a new one if there is none.
    pub project: Option<String>,
    /// The title of the new project, or of the reference; that of the manuscript if there is none.
    pub title: Option<String>,
    /// The language of the new project; that of the text if there is none.
    pub language: Option<Language>,
    /// The encoding of a plain text; found out if there is none.
    pub encoding: Option<String>,
    /// Cuts a text without headings after so many characters.
    pub cut: Option<usize>,
    /// How headings are found.
    #[serde(default)]
    pub headings: HeadingRule,
    /// Puts new text in the place of that of chapters with the same title.
    #[serde(default)]
    pub replace: bool,
    /// Says what would be done, and does nothing.
    #[serde(default)]
    pub dry_run: bool,
}

/// A file of a manuscript in several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ManuscriptFile {
    /// Its name: tells the format, its place, and the title of its chapter if nothing else does.
    pub name: String,
    /// The file; in documents as base64.
    #[serde(with = "crate::encoded")]
    #[schemars(with = "String", extend("contentEncoding" = "base64"))]
    pub bytes: Arc<[u8]>,
}

/// What a manuscript becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ManuscriptRole {
    /// The book itself: chapters with their place in the outline.
    #[default]
    Book,
    /// A text beside the book, which style, search and originality look at.
    Reference,
}

/// What came of a manuscript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Brought {
    /// The project; none if there would have been a new one.
    pub project: Option<ProjectRow>,
    /// Whether nothing was done, since only to say it was asked.
    pub dry_run: bool,
    /// What it became.
    pub role: ManuscriptRole,
    /// The format.
    pub format: Format,
    /// As what its bytes were taken.
    pub encoding: Option<Encoding>,
    /// The title.
    pub title: String,
    /// The author, if it says so.
    pub author: Option<String>,
    /// The language.
    pub language: Language,
    /// The chapters, or the reference as one.
    pub chapters: Vec<BroughtChapter>,
    /// Which kinds of headings begin the chapters.
    #[serde(default)]
    pub headings: Vec<HeadingForm>,
    /// What is no part of the book, by kind; it is kept as a text beside it.
    #[serde(default)]
    pub apart: Vec<Apart>,
    /// The proof that nothing was lost.
    pub coverage: Coverage,
    /// What was not taken over.
    pub left_out: Vec<LeftOut>,
    /// What looks wrong.
    pub warnings: Vec<Warning>,
    /// What the chapters that are new or replaced say, as the rules read them.
    pub settled: SettledBook,
    /// The change that holds all of it; none if all was there already.
    pub change: Option<u64>,
    /// Whether this very manuscript had been brought in before.
    pub again: bool,
}

/// What the rules read in the chapters of a manuscript.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SettledBook {
    /// How many chapters were read.
    pub chapters: usize,
    /// How many facts they tell.
    pub facts: usize,
    /// How many cards and other pieces came from them.
    pub cards: usize,
    /// Who seems to belong to the cast, by who speaks and acts in the chapters; those that are sure got a card.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cast: Vec<ProposedCharacter>,
    /// What only the author can tell.
    pub questions: Vec<Question>,
}

impl Studio {
    /// Brings a manuscript in, in one change, which can be taken back.
    ///
    /// The chapters of a book that are new or replaced are settled by the rules in the same change.
    /// What is there already is left alone, so that the same manuscript can be brought in twice. Fails with
    /// [`Error::BadManuscript`] if it cannot be read, and with [`Error::DifferentText`] if a chapter of the same title
    /// has another text, unless [`ImportRequest::replace`] says so.
    pub async fn import_manuscript(&self, request: ImportRequest) -> Result<Brought, Error> {
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
            None => KeptStory { story: Story { language, ..Story::default() }, version: 0 },
        };
        let mut after = kept.story.clone();
        let mut chapters = match request.role {
            ManuscriptRole::Book => {
                let chapters = plan::book(&mut after, &found, &title, request.replace);
                plan::set_apart(&mut after, &apart);
                chapters
            }
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
        let mut brought = Brought {
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
        let provenance = Provenance { agent: PERSON.into(), ..Provenance::default() };
        let now = Timestamp::now();
        match target {
            Some(project) => {
                if !changes.is_empty() && !request.dry_run {
                    let save =
                        Save { project: project.clone(), key, provenance, expected: Some(kept.version), changes };
                    brought.change = Some(stories.save(save, now).await.map_err(bad)?.version);
                }
                brought.project = Some(self.project(&project).await?);
            }
            None if request.dry_run => {}
            None => {
                let new =
                    NewProject { title: brought.title.clone(), language, premise: String::new(), untitled: false };
                let (project, saved) = stories.create(new, key, provenance, changes, now).await.map_err(bad)?;
                brought.change = Some(saved.version);
                brought.project = Some(project_row(project));
            }
        }
        Ok(brought)
    }
}

/// What stands in the log as the run of what came from a manuscript.
const IMPORT: &str = "import";

impl ManuscriptRole {
    fn name(self) -> &'static str {
        match self {
            Self::Book => "book",
            Self::Reference => "reference",
        }
    }
}

/// Reads and splits, beside the threads that wait for answers.
async fn taken_in(request: ImportRequest) -> Result<(ImportRequest, Ingested, Split), Error> {
    let work = move || {
        let bad = |error| Error::of_manuscript(&error);
        let ingested = read_in(&request).map_err(bad)?;
        let splitting = Splitting { cut: request.cut, headings: request.headings.clone() };
        let found = split(&ingested, &splitting).map_err(bad)?;
        Ok((request, ingested, found))
    };
    let ended = tokio::task::spawn_blocking(work).await;
    ended.map_err(|error| Error::Internal { message: error.to_string() })?
}

/// The manuscript of a request: its file, or its files in natural order. Files without text are passed over.
fn read_in(request: &ImportRequest) -> Result<Ingested, qingyu_formats::Error> {
    let reading = |name: &str| Reading {
        format: Format::of_name(name),
        encoding: request.encoding.clone(),
        ..Reading::default()
    };
    if request.files.is_empty() {
        return read(&mut &request.bytes[..], &reading(&request.name));
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

/// Settles the chapters that are new or replaced, beside the threads that wait for answers.
///
/// What a model read in a chapter that is replaced stays as far as its words still stand; its summary goes.
async fn settled(
    before: Story,
    mut after: Story,
    chapters: &[BroughtChapter],
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
        let read = |story: &Story, document: &Document| match introduced.get(&document.id) {
            Some(new) if document.settled.is_none() => extract_with(story, &document.id, new),
            _ => recall(story, &document.id),
        };
        let rebuilt = rebuild(&after, settlement::Config::default(), is_fresh, read)
            .map_err(|error| Error::Internal { message: error.to_string() })?;
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

/// What names a manuscript: its words, not its file.
fn fingerprint(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
