//! Export of produced content.

use std::io::Cursor;

use qingyu_formats::{BookInfo, write_html, write_markdown};
use qingyu_production::export::{
    ExportFile, ExportProblem, ProductionExport, ProductionFormat, Readiness, TooLong, export,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::productions::templates::refused;
use crate::studio::Studio;

/// The format of exported content.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContentForm {
    /// Markdown.
    #[default]
    Markdown,
    /// Office Open XML.
    Docx,
    /// A web page.
    Html,
    /// All fields, as JSON data.
    Json,
    /// The format of a channel, by name.
    Channel(String),
}

/// Content ready for export.
#[derive(Debug)]
struct ReadyContent {
    /// The documents.
    book: BookInfo,
    form: ContentForm,
    files: Vec<ExportFile>,
    /// The paths of fields without a value, missing in the export.
    missing: Vec<String>,
    /// The paths of stale fields.
    stale: Vec<String>,
    /// Texts exceeding the channel's length limits.
    too_long: Vec<TooLong>,
    /// Problems to be fixed before the content is published.
    problems: Vec<ExportProblem>,
}

/// Exported content as files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContentFiles {
    /// The files.
    pub files: Vec<ContentFile>,
    /// The paths of fields without a value, missing in the files.
    pub missing: Vec<String>,
    /// The paths of stale fields.
    pub stale: Vec<String>,
    /// Texts exceeding the channel's length limits.
    pub too_long: Vec<TooLong>,
    /// What is to be mended before the content is published.
    #[serde(default)]
    pub problems: Vec<ExportProblem>,
}

/// A complete file of exported content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContentFile {
    /// The title; not a sanitized file name.
    pub title: String,
    /// The file extension, such as `md`.
    pub extension: String,
    /// The content; base64 in JSON documents.
    #[serde(with = "crate::encoded")]
    #[schemars(with = "String", extend("contentEncoding" = "base64"))]
    pub bytes: Vec<u8>,
}

impl ReadyContent {
    /// Returns the files, or an error if a document cannot be built.
    fn files(&self) -> Result<Vec<ContentFile>, Error> {
        self.files.iter().map(|file| self.written(file)).collect()
    }

    fn written(&self, file: &ExportFile) -> Result<ContentFile, Error> {
        // One file for each audience is named after it.
        let title = match file.part.as_str() {
            "" => file.title.clone(),
            part => format!("{} - {part}", file.title),
        };
        let book = BookInfo { title: title.clone(), ..self.book.clone() };
        let (extension, bytes) = match self.form {
            ContentForm::Docx => {
                let mut sink = Cursor::new(Vec::new());
                write_markdown(&book, &file.text, &mut sink).map_err(|error| Error::of_manuscript(&error))?;
                ("docx".to_owned(), sink.into_inner())
            }
            ContentForm::Html => ("html".to_owned(), write_html(&book, &file.text).into_bytes()),
            ContentForm::Markdown | ContentForm::Json | ContentForm::Channel(_) => {
                (file.extension.clone(), file.text.clone().into_bytes())
            }
        };
        Ok(ContentFile { title, extension, bytes })
    }
}

impl Studio {
    /// Returns the content of a production for export; with `paths` only the content of the given fields.
    ///
    /// Returns [`Error::Production`] if there is no such production, field or channel, if the template of a channel
    /// does not render, or if the content is not ready and `is_draft` is not set.
    async fn content(
        &self,
        project: &str,
        form: &ContentForm,
        paths: &[String],
        is_draft: bool,
    ) -> Result<ReadyContent, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let row = self.project(&id).await?;
        let format = match form {
            ContentForm::Markdown | ContentForm::Docx | ContentForm::Html => ProductionFormat::Markdown,
            ContentForm::Json => ProductionFormat::Json,
            ContentForm::Channel(name) => ProductionFormat::Channels(Some(name.clone())),
        };
        let readiness = if is_draft { Readiness::Draft } else { Readiness::Ready };
        let exported = export(&kept.story, &row.title, row.language, &format, paths, readiness).map_err(refused)?;
        let ProductionExport { files, too_long, missing, stale, problems } = exported;
        let book = BookInfo {
            title: row.title,
            language: row.language,
            modified: row.updated.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            ..BookInfo::default()
        };
        Ok(ReadyContent { book, form: form.clone(), files, missing, stale, too_long, problems })
    }

    /// Exports the content as files.
    pub(crate) async fn content_files(
        &self,
        project: &str,
        form: &ContentForm,
        paths: &[String],
        is_draft: bool,
    ) -> Result<ContentFiles, Error> {
        let ready = self.content(project, form, paths, is_draft).await?;
        let written = tokio::task::spawn_blocking(move || {
            let files = ready.files()?;
            Ok(ContentFiles {
                files,
                missing: ready.missing,
                stale: ready.stale,
                too_long: ready.too_long,
                problems: ready.problems,
            })
        });
        written.await.map_err(|error| Error::Internal { message: error.to_string() })?
    }
}
