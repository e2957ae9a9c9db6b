//! Export of books: the chapters of a project, in order, as a file.

use std::io::Cursor;

use qingyu_formats::write::WriteSeek;
use qingyu_formats::{BookInfo, ChapterOpening, CoverArtwork, ManuscriptLength, OutputForm, TextLayout, write};
use qingyu_store::Picture;
use qingyu_story::chapters::{ChapterName, Chapters};
use qingyu_story::digest::prefix;
use qingyu_story::prose::editors_count;
use qingyu_story::{Document, Language, OutlineNode, OutlineNodeKind, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::studio::Studio;

/// The file format of an exported book.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BookForm {
    /// Markdown.
    #[default]
    Markdown,
    /// Plain text in the usual layout of books in its language.
    Txt,
    /// Plain text in the format of Qidian.
    Qidian,
    /// Plain text in the format of Fanqie.
    Fanqie,
    /// EPUB 3.
    Epub,
    /// EPUB 3 for Kindle Direct Publishing: with a title page; the store adds the cover.
    Kdp,
    /// Office Open XML.
    Docx,
    /// Office Open XML in the standard format of manuscripts for agents and magazines: 12 points, double spacing, a header
    /// with surname, title and page, and the rounded length.
    Manuscript,
}

impl BookForm {
    /// Returns the file extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Txt | Self::Qidian | Self::Fanqie => "txt",
            Self::Epub | Self::Kdp => "epub",
            Self::Docx | Self::Manuscript => "docx",
        }
    }

    fn of(self, language: Language, texts: &[String]) -> OutputForm {
        match self {
            Self::Markdown => OutputForm::Markdown,
            Self::Txt => OutputForm::Txt(TextLayout::plain(language)),
            Self::Qidian => OutputForm::Txt(TextLayout::qidian()),
            Self::Fanqie => OutputForm::Txt(TextLayout::fanqie()),
            Self::Epub => OutputForm::Epub,
            Self::Kdp => OutputForm::EpubWithoutCover,
            Self::Docx => OutputForm::Docx,
            Self::Manuscript => {
                let length = texts.iter().map(|text| editors_count(text, language)).sum();
                OutputForm::Manuscript(ManuscriptLength(length))
            }
        }
    }
}

/// The chapters to export and the file format.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BookExportRequest {
    /// The file format.
    pub format: BookForm,
    /// The chapters, such as `1-12`, `7`, `5-` or `#2-#4`; all by default.
    pub chapters: Option<ChapterName>,
    /// The author's name for the cover.
    pub author: Option<String>,
}

/// An exported book as a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BookFile {
    /// A summary of the exported book.
    pub exported: BookExportSummary,
    /// The file extension, such as `epub`.
    pub extension: String,
    /// The content; base64 in JSON documents.
    #[serde(with = "crate::encoded")]
    #[schemars(with = "String", extend("contentEncoding" = "base64"))]
    pub bytes: Vec<u8>,
}

/// A book ready for export.
#[derive(Debug)]
struct ReadyBook {
    /// The metadata for the cover.
    book: BookInfo,
    form: OutputForm,
    openings: Vec<ChapterOpening>,
    texts: Vec<String>,
}

/// A summary of an exported book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BookExportSummary {
    /// The title.
    pub title: String,
    /// The number of chapters.
    pub chapters: usize,
    /// The length, as editors count: in Chinese, characters with punctuation; in English, words.
    pub length: usize,
    /// The titles of the chapters without text.
    pub empty: Vec<String>,
}

impl Studio {
    /// Collects the chapters of a project; the project is named as for [`show`](Self::show).
    ///
    /// Returns [`Error::NoChapters`] if the project has no chapters, or none of the requested chapters.
    async fn book(&self, project: &str, request: &BookExportRequest) -> Result<ReadyBook, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let row = self.project(&id).await?;
        let chapters = Chapters::of(&kept.story);
        let named = match &request.chapters {
            Some(name) => chapters.resolve_list(name.as_str())?,
            None => chapters.all().iter().collect(),
        };
        let all: usize = chapters.all().iter().map(|chapter| chapter.documents.len()).sum();
        let chosen = named.into_iter().flat_map(|chapter| &chapter.documents);
        let chosen: Vec<&Document> = chosen.map(|document| &kept.story.documents[*document]).collect();
        if chosen.is_empty() {
            return Err(Error::NoChapters { project: id, chapters: all });
        }
        let opening = |document: &&Document| ChapterOpening {
            volume: volume(&kept.story, document),
            title: document.title.clone(),
        };
        let book = BookInfo {
            title: row.title,
            author: request.author.clone(),
            language: row.language,
            identifier: identifier(&id),
            picture: self
                .cover_of(&id)
                .await?
                .map(|Picture { media_type, bytes, .. }| CoverArtwork { media_type, bytes }),
            modified: row.updated.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        };
        let openings = chosen.iter().map(opening).collect();
        let texts: Vec<String> = chosen.iter().map(|document| document.text.clone()).collect();
        Ok(ReadyBook { form: request.format.of(book.language, &texts), book, openings, texts })
    }

    /// Exports the book to an in-memory file.
    pub(crate) async fn book_file(&self, project: &str, request: &BookExportRequest) -> Result<BookFile, Error> {
        let extension = request.format.extension().to_owned();
        let ready = self.book(project, request).await?;
        let written = tokio::task::spawn_blocking(move || {
            let mut sink = Cursor::new(Vec::new());
            ready.write(&mut sink).map(|exported| (exported, sink.into_inner()))
        });
        let (exported, bytes) = written.await.map_err(|error| Error::Internal { message: error.to_string() })??;
        Ok(BookFile { exported, extension, bytes })
    }
}

impl ReadyBook {
    /// Writes the book.
    ///
    /// Returns [`Error::Unwritten`] if the sink fails.
    fn write(&self, sink: &mut dyn WriteSeek) -> Result<BookExportSummary, Error> {
        let mut texts = |chapter: usize| Ok(self.texts[chapter].clone());
        write(&self.book, &self.openings, &mut texts, &self.form, sink).map_err(|error| match error {
            qingyu_formats::Error::Write(error) => Error::Unwritten { message: error.to_string() },
            other => Error::of_manuscript(&other),
        })?;
        let empty = self.openings.iter().zip(&self.texts).filter(|(_, text)| text.trim().is_empty());
        Ok(BookExportSummary {
            title: self.book.title.clone(),
            chapters: self.openings.len(),
            length: self.texts.iter().map(|text| editors_count(text, self.book.language)).sum(),
            empty: empty.map(|(opening, _)| opening.title.clone()).collect(),
        })
    }
}

/// Returns the name of the outline's act above a document.
fn volume(story: &Story, document: &Document) -> Option<String> {
    const DEEPEST: usize = 8;
    let find = |name: &str| story.outline_nodes.iter().find(|node| node.id == name || node.name == name);
    let mut node: &OutlineNode = find(document.outline_node.as_deref()?)?;
    for _ in 0..DEEPEST {
        if node.kind == OutlineNodeKind::Act {
            return Some(node.name.clone());
        }
        node = find(node.parent.as_deref()?)?;
    }
    None
}

/// Returns a stable, unique book identifier derived from the project ID.
fn identifier(project: &str) -> String {
    let bytes = prefix(format!("qingyu book {project}").as_bytes());
    format!("urn:uuid:{}", uuid::Builder::from_custom_bytes(bytes).into_uuid())
}
