//! Books go out: the chapters of a project, in order, as a file.

use std::io::Cursor;

use qingyu_formats::write::Sink;
use qingyu_formats::{Book, Form, Layout, Opening, Picture, write};
use qingyu_store::Cover;
use qingyu_story::chapters::{ChapterName, Chapters};
use qingyu_story::{Document, Language, OutlineNode, OutlineNodeKind, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Error, Studio};

/// As what a book is taken away.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BookForm {
    /// Markdown.
    #[default]
    Markdown,
    /// Plain text, as books in its language are laid out.
    Txt,
    /// Plain text as Qidian takes it.
    Qidian,
    /// Plain text as Fanqie takes it.
    Fanqie,
    /// EPUB 3.
    Epub,
    /// Office Open XML.
    Docx,
}

impl BookForm {
    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Txt | Self::Qidian | Self::Fanqie => "txt",
            Self::Epub => "epub",
            Self::Docx => "docx",
        }
    }

    fn of(self, language: Language) -> Form {
        match self {
            Self::Markdown => Form::Markdown,
            Self::Txt => Form::Txt(Layout::plain(language)),
            Self::Qidian => Form::Txt(Layout::qidian()),
            Self::Fanqie => Form::Txt(Layout::fanqie()),
            Self::Epub => Form::Epub,
            Self::Docx => Form::Docx,
        }
    }
}

/// Which chapters, and in which form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ExportRequest {
    /// The form.
    pub format: BookForm,
    /// Which chapters, such as `1-12`, `7`, `5-` or `#2-#4`; all without it.
    pub chapters: Option<ChapterName>,
    /// The author, for the cover.
    pub author: Option<String>,
}

/// A book as a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BookFile {
    /// What was written.
    pub exported: Exported,
    /// The ending of the file, such as `epub`.
    pub extension: String,
    /// The file; in documents as base64.
    #[serde(with = "crate::encoded")]
    #[schemars(with = "String", extend("contentEncoding" = "base64"))]
    pub bytes: Vec<u8>,
}

/// A book that is ready to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadyBook {
    /// What stands on the cover.
    pub book: Book,
    form: Form,
    openings: Vec<Opening>,
    texts: Vec<String>,
}

/// A book that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exported {
    /// Its title.
    pub title: String,
    /// How many chapters it has.
    pub chapters: usize,
    /// How many characters, spaces not counted.
    pub characters: usize,
    /// The chapters without text.
    pub empty: Vec<String>,
}

impl Studio {
    /// Gathers the chapters of a project, named as for [`show`](Self::show).
    ///
    /// Fails with [`Error::NoChapters`] if there is none, or none of those that were asked for.
    pub async fn book(&self, project: &str, request: &ExportRequest) -> Result<ReadyBook, Error> {
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
        let opening =
            |document: &&Document| Opening { volume: volume(&kept.story, document), title: document.title.clone() };
        let book = Book {
            title: row.title,
            author: request.author.clone(),
            language: row.language,
            identifier: identifier(&id),
            picture: self
                .cover_of(&id)
                .await?
                .map(|Cover { media_type, picture }| Picture { media_type, bytes: picture }),
            modified: row.updated.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        };
        let openings = chosen.iter().map(opening).collect();
        let texts = chosen.iter().map(|document| document.text.clone()).collect();
        Ok(ReadyBook { form: request.format.of(book.language), book, openings, texts })
    }

    /// The same as a file.
    pub async fn book_file(&self, project: &str, request: &ExportRequest) -> Result<BookFile, Error> {
        let extension = request.format.extension().to_owned();
        let ready = self.book(project, request).await?;
        let written = tokio::task::spawn_blocking(move || {
            let mut sink = Cursor::new(Vec::new());
            ready.write(&mut sink, |_| ()).map(|exported| (exported, sink.into_inner()))
        });
        let (exported, bytes) = written.await.map_err(|error| Error::Internal { message: error.to_string() })??;
        Ok(BookFile { exported, extension, bytes })
    }
}

impl ReadyBook {
    /// How many chapters there are.
    pub fn chapters(&self) -> usize {
        self.openings.len()
    }

    /// Writes the book; `tell` learns how many chapters are done.
    ///
    /// Fails with [`Error::Unwritten`] if the sink does.
    pub fn write(&self, sink: &mut dyn Sink, mut tell: impl FnMut(usize)) -> Result<Exported, Error> {
        let mut texts = |chapter: usize| {
            tell(chapter);
            Ok(self.texts[chapter].clone())
        };
        write(&self.book, &self.openings, &mut texts, &self.form, sink).map_err(|error| match error {
            qingyu_formats::Error::Write(error) => Error::Unwritten { message: error.to_string() },
            other => Error::of_manuscript(&other),
        })?;
        let visible = |text: &String| text.chars().filter(|c| !c.is_whitespace()).count();
        let empty = self.openings.iter().zip(&self.texts).filter(|(_, text)| visible(text) == 0);
        Ok(Exported {
            title: self.book.title.clone(),
            chapters: self.openings.len(),
            characters: self.texts.iter().map(visible).sum(),
            empty: empty.map(|(opening, _)| opening.title.clone()).collect(),
        })
    }
}

/// The act that the outline has above a document.
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

/// The same for a project every time, and for no other.
fn identifier(project: &str) -> String {
    let hash = Sha256::digest(format!("qingyu book {project}").as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    format!("urn:uuid:{}", uuid::Builder::from_custom_bytes(bytes).into_uuid())
}
