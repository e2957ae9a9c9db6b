//! References taken apart into their structure, without a model.

use std::sync::Arc;

use qingyu_formats::{HeadingForm, HeadingRule, Warning};
use qingyu_story::genre::Genre;
use qingyu_text::Structure;
use qingyu_text::structure::ReferenceChapter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::scope::Right;
use crate::error::Error;
use crate::manuscripts::{self, ImportRequest, ManuscriptFile, ManuscriptRole};
use crate::stories::genres::checked_id;
use crate::studio::Studio;

/// A reference, and how it is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TeardownRequest {
    /// The file name: determines the format, and by default the title.
    pub name: String,
    /// The file content; base64 in JSON documents. Empty if [`Self::files`] are given.
    #[serde(with = "crate::encoded")]
    #[schemars(with = "String", extend("contentEncoding" = "base64"))]
    pub bytes: Arc<[u8]>,
    /// The files of a reference in several files, read in the natural order of their names.
    #[serde(default)]
    pub files: Vec<ManuscriptFile>,
    /// The encoding of a plain text; detected by default.
    #[serde(default)]
    pub encoding: Option<String>,
    /// The number of characters after which a text without headings is split.
    #[serde(default)]
    pub cut: Option<usize>,
    /// The rule for finding headings.
    #[serde(default)]
    pub headings: HeadingRule,
    /// The name of the genre to make from the structure; none by default.
    #[serde(default)]
    pub genre: Option<String>,
}

/// The structure of a reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Teardown {
    /// The title.
    pub title: String,
    /// The structure: figures of the chapters, without their sentences.
    pub structure: Structure,
    /// The kinds of headings starting the chapters.
    pub headings: Vec<HeadingForm>,
    /// Warnings about the division into chapters.
    pub warnings: Vec<Warning>,
    /// The genre made from the structure, if a name was given; not saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub genre: Option<Genre>,
}

impl From<TeardownRequest> for ImportRequest {
    fn from(request: TeardownRequest) -> Self {
        let TeardownRequest { name, bytes, files, encoding, cut, headings, genre: _ } = request;
        Self {
            name,
            bytes,
            files,
            role: ManuscriptRole::Reference,
            project: None,
            title: None,
            language: None,
            encoding,
            cut,
            headings,
            replace: false,
            dry_run: true,
        }
    }
}

impl Studio {
    /// Takes a reference apart into its structure, and makes a genre from it if the request names one. Nothing is saved.
    /// Requires [`Right::Write`].
    ///
    /// Returns [`Error::BadManuscript`] if the reference does not parse, [`Error::NoText`] if it has no text, and
    /// [`Error::BadRequest`] for a name that no genre can have.
    pub async fn tear_down(&self, request: TeardownRequest) -> Result<Teardown, Error> {
        // A whole book is parsed: no work for a key that only reads.
        self.scope().demand(Right::Write)?;
        let genre = request.genre.as_deref().map(checked_id).transpose()?;
        let meter = self.examiner()?.meter;
        let (request, _, found) = manuscripts::taken_in(request.into()).await?;
        let is_folder = !request.files.is_empty();
        let stem = request.name.rsplit_once('.').filter(|_| !is_folder).map_or(request.name.as_str(), |(stem, _)| stem);
        let title = found.title.clone().unwrap_or_else(|| stem.to_owned());
        let work = move || {
            let told = found.chapters.iter().filter(|chapter| !chapter.text.trim().is_empty());
            let chapters: Vec<ReferenceChapter<'_>> = told
                .map(|chapter| ReferenceChapter {
                    title: &chapter.title,
                    volume: chapter.volume.as_deref(),
                    text: &chapter.text,
                })
                .collect();
            if chapters.is_empty() {
                return Err(Error::NoText { given: title });
            }
            let structure = Structure::of(&chapters, found.language, &meter);
            let genre = genre.map(|id| structure.genre(&id));
            Ok(Teardown { title, structure, headings: found.headings, warnings: found.warnings, genre })
        };
        let ended = tokio::task::spawn_blocking(work).await;
        ended.map_err(|error| Error::Internal { message: error.to_string() })?
    }
}
