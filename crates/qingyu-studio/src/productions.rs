//! The phases and fields of a project: looked at, changed by hand, exported.

use std::io::Cursor;
use std::path::Path;

use jiff::Timestamp;
use qingyu_formats::{Book, write_markdown};
use qingyu_production::change::Changed;
use qingyu_production::export::{File, Format, TooLong, export};
use qingyu_production::template::Templates;
use qingyu_production::{Board, GoldenContext, Row, Status, change, progress, reports, text};
use qingyu_store::{ChangeKey, Project, Provenance, Save, change as kept};
use qingyu_story::production::{Field, Maker, Phase, Production};
use qingyu_story::{Language, Story, title};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::outcome::Question;
use crate::shelf::new_project;
use crate::work::refused;
use crate::{Error, RunStatus, Studio};

/// A production as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProductionView {
    /// The project.
    pub project: String,
    /// Its title.
    pub title: String,
    /// The template it was begun from.
    pub template: String,
    /// The phase that is worked on; empty once all are done.
    pub current_phase: String,
    /// The phases, in order.
    pub phases: Vec<PhaseRow>,
    /// The fields, in order.
    pub fields: Vec<Row>,
    /// What every model is told.
    pub golden_context: GoldenContext,
    /// The newest run, if there is one, and how it stands.
    pub run: Option<(String, RunStatus)>,
    /// What the user is asked, if the run waits.
    pub turn: Option<qingyu_agents::production::Turn>,
}

/// A phase in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseRow {
    /// The phase.
    #[serde(flatten)]
    pub phase: Phase,
    /// How many of its fields stand how.
    pub empty: usize,
    /// Likewise.
    pub draft: usize,
    /// Likewise.
    pub confirmed: usize,
    /// Likewise.
    pub stale: usize,
}

/// A field with its value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FieldView {
    /// The field.
    #[serde(flatten)]
    pub field: Field,
    /// How it stands.
    pub status: Status,
    /// The value as text.
    pub text: String,
    /// Everything that is made from it, directly or not.
    pub dependents: Vec<String>,
}

/// A template in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TemplateRow {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is for.
    pub description: String,
    /// Its phases, in order.
    pub phases: Vec<String>,
    /// Its fields, in order.
    pub fields: Vec<String>,
}

/// As what content is handed out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContentForm {
    /// Markdown.
    #[default]
    Markdown,
    /// Office Open XML.
    Docx,
    /// Every field, as data.
    Json,
    /// The form of a channel.
    Channel(String),
}

/// Content that is ready to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadyContent {
    /// What it is.
    pub book: Book,
    is_docx: bool,
    files: Vec<File>,
    /// The paths of content without a value, which is missing in it.
    pub missing: Vec<String>,
    /// The paths of content that is stale.
    pub stale: Vec<String>,
    /// Texts that are too long for where they go.
    pub too_long: Vec<TooLong>,
}

/// Content as files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContentFiles {
    /// The files.
    pub files: Vec<ContentFile>,
    /// The paths of content without a value, which is missing in them.
    pub missing: Vec<String>,
    /// The paths of content that is stale.
    pub stale: Vec<String>,
    /// Texts that are too long for where they go.
    pub too_long: Vec<TooLong>,
}

/// A file of content, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContentFile {
    /// What it is about; not yet a safe name.
    pub title: String,
    /// The ending, such as `md`.
    pub extension: String,
    /// What stands in it; in documents as base64.
    #[serde(with = "crate::encoded")]
    #[schemars(with = "String", extend("contentEncoding" = "base64"))]
    pub bytes: Vec<u8>,
}

impl ReadyContent {
    /// The files. Fails if a document cannot be put together.
    pub fn files(&self) -> Result<Vec<ContentFile>, Error> {
        self.files.iter().map(|file| self.written(file)).collect()
    }

    fn written(&self, file: &File) -> Result<ContentFile, Error> {
        let title = file.title.clone();
        if !self.is_docx {
            return Ok(ContentFile { title, extension: file.extension.clone(), bytes: file.text.clone().into_bytes() });
        }
        let mut sink = Cursor::new(Vec::new());
        write_markdown(&self.book, &file.text, &mut sink).map_err(|error| Error::of_manuscript(&error))?;
        Ok(ContentFile { title, extension: "docx".into(), bytes: sink.into_inner() })
    }
}

impl Studio {
    /// The templates that productions can be begun from: those compiled in, and those in `templates` of the data folder.
    ///
    /// Fails with [`Error::Production`] if one of the user's own cannot be read as one.
    pub fn templates(&self) -> Result<Templates, Error> {
        let folder = self.settings().home().join("templates");
        Templates::builtin().with_texts(&texts_of(&folder)?).map_err(refused)
    }

    /// The same as rows, in `language`.
    pub fn template_rows(&self, language: Language) -> Result<Vec<TemplateRow>, Error> {
        let templates = self.templates()?;
        let row = |template: &qingyu_production::template::Template| {
            let (production, fields) = template.begin(language);
            TemplateRow {
                name: template.name.clone(),
                title: template.title.of(language).to_owned(),
                description: template.description.of(language).to_owned(),
                phases: production.phases.into_iter().map(|phase| phase.name).collect(),
                fields: fields.into_iter().map(|field| field.path).collect(),
            }
        };
        Ok(templates.all().map(row).collect())
    }

    /// A project's production as it stands. Fails with [`Error::Production`] if it has none.
    pub async fn production(&self, project: &str) -> Result<ProductionView, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let row = self.project(&id).await?;
        let production = produced(&kept.story)?;
        let board = Board::new(&kept.story.fields);
        let fields = board.rows();
        let count = |phase: &Phase, status: Status| {
            fields.iter().filter(|row| row.phase == phase.name && row.status == status).count()
        };
        let phase = |phase: &Phase| PhaseRow {
            empty: count(phase, Status::Empty),
            draft: count(phase, Status::Draft),
            confirmed: count(phase, Status::Confirmed),
            stale: count(phase, Status::Stale),
            phase: phase.clone(),
        };
        let (run, turn) = match self.production_run(&id).await? {
            Some(run) => {
                let turn = match self.stand(&run).await?.question {
                    Some(Question::Turn { turn }) => Some(turn),
                    _ => None,
                };
                (Some((run.id.clone(), self.status_of(&run).await?)), turn)
            }
            None => (None, None),
        };
        Ok(ProductionView {
            project: id,
            title: row.title,
            template: production.template.clone(),
            current_phase: production.current_phase.clone(),
            phases: production.phases.iter().map(phase).collect(),
            golden_context: GoldenContext::of(&kept.story),
            fields,
            run,
            turn,
        })
    }

    /// What every model is told of a project.
    pub(crate) async fn golden_context(&self, project: &str) -> Result<GoldenContext, Error> {
        Ok(GoldenContext::of(&self.kept_story(project).await?.1.story))
    }

    /// A field with its value. Fails with [`Error::Production`] if there is none of that path or title.
    pub async fn field(&self, project: &str, path: &str) -> Result<FieldView, Error> {
        let (_, kept) = self.kept_story(project).await?;
        produced(&kept.story)?;
        let board = Board::new(&kept.story.fields);
        let field = board.find(path).map_err(refused)?;
        let value = board.value(&field.path).unwrap_or_default();
        Ok(FieldView {
            status: board.status(field),
            text: shown(&kept.story, field, &value),
            dependents: board.dependents(&field.path).into_iter().map(|field| field.path.clone()).collect(),
            field: Field { value, ..field.clone() },
        })
    }

    /// Puts a value into a field by hand: text as it is typed, else JSON. `expected` is the version the field had when the
    /// user began.
    ///
    /// Fails with [`Error::Production`] if there is no such field or the value does not fit it, and with
    /// [`Error::FieldConflict`] if it has another version by now; nothing is changed then.
    pub async fn put_field(
        &self,
        project: &str,
        path: &str,
        typed: &str,
        expected: Option<u32>,
    ) -> Result<Changed, Error> {
        self.change_fields(project, |story| {
            let field = Board::new(&story.fields).find(path).map_err(refused)?;
            if let Some(expected) = expected.filter(|expected| *expected != field.version) {
                return Err(Error::FieldConflict { path: field.path.clone(), expected, found: field.version });
            }
            let value: Value = change::parse(field, typed).map_err(refused)?;
            let (path, maker) = (field.path.clone(), Maker { agent: PERSON.into(), ..Maker::default() });
            change::put(story, &path, value, maker).map_err(refused)
        })
        .await
    }

    /// Confirms fields as they are. Fails as [`put_field`](Self::put_field) does, and if one is empty.
    pub async fn confirm_fields(&self, project: &str, paths: &[String]) -> Result<(), Error> {
        self.change_fields(project, |story| change::confirm(story, paths).map_err(refused)).await
    }

    /// Hands out the content of a production; with `paths` only that of these fields.
    ///
    /// Fails with [`Error::Production`] if there is no production, field or channel of that name, or if the template of a
    /// channel cannot be filled.
    pub async fn content(&self, project: &str, form: &ContentForm, paths: &[String]) -> Result<ReadyContent, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let row = self.project(&id).await?;
        let format = match form {
            ContentForm::Markdown | ContentForm::Docx => Format::Markdown,
            ContentForm::Json => Format::Json,
            ContentForm::Channel(name) => Format::Channels(Some(name.clone())),
        };
        let exported = export(&kept.story, &row.title, row.language, &format, paths).map_err(refused)?;
        let book = Book {
            title: row.title,
            language: row.language,
            modified: row.updated.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            ..Book::default()
        };
        let (missing, stale, too_long) = (exported.missing, exported.stale, exported.too_long);
        Ok(ReadyContent { book, is_docx: *form == ContentForm::Docx, files: exported.files, missing, stale, too_long })
    }

    /// The same as files.
    pub async fn content_files(
        &self,
        project: &str,
        form: &ContentForm,
        paths: &[String],
    ) -> Result<ContentFiles, Error> {
        let ready = self.content(project, form, paths).await?;
        let written = tokio::task::spawn_blocking(move || {
            let files = ready.files()?;
            Ok(ContentFiles { files, missing: ready.missing, stale: ready.stale, too_long: ready.too_long })
        });
        written.await.map_err(|error| Error::Internal { message: error.to_string() })?
    }

    /// Changes a project's phases and fields by hand, in one change that can be taken back.
    pub(crate) async fn change_fields<T>(
        &self,
        project: &str,
        change: impl FnOnce(&mut Story) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (id, before) = self.kept_story(project).await?;
        produced(&before.story)?;
        let mut after = before.story.clone();
        let value = change(&mut after)?;
        self.save_by_hand(&id, &before.story, &after, before.version).await?;
        Ok(value)
    }

    async fn save_by_hand(&self, project: &str, before: &Story, after: &Story, version: u64) -> Result<(), Error> {
        let changes = kept::difference(before, after);
        if changes.is_empty() {
            return Ok(());
        }
        let key = ChangeKey { run: uuid::Uuid::now_v7().to_string(), step: FIELDS.into(), iteration: 0 };
        let provenance = Provenance { agent: PERSON.into(), ..Provenance::default() };
        let save = Save { project: project.to_owned(), key, provenance, expected: Some(version), changes };
        let saved = self.stories_table().save(save, Timestamp::now()).await;
        saved.map(drop).map_err(|error| self.place("").store(error))
    }

    /// A new project with phases and fields.
    pub(crate) async fn new_project(
        &self,
        title: Option<String>,
        language: Language,
        premise: &str,
        story: &Story,
    ) -> Result<Project, Error> {
        let subject = title::named_in(premise).or_else(|| title::subject_in(premise));
        let new = new_project(title.as_deref().or(subject.as_deref()), premise, language);
        let project = self.projects_table().create(new, Timestamp::now()).await;
        let project = project.map_err(|error| self.place("").store(error))?;
        self.save_by_hand(&project.id, &Story::default(), story, project.version).await?;
        Ok(project)
    }

    /// Gives a project without phases and fields those of a book.
    pub(crate) async fn have_production(&self, project: &Project) -> Result<(), Error> {
        let (id, kept) = self.kept_story(&project.id).await?;
        if kept.story.production.is_some() {
            return Ok(());
        }
        let begun = self.begun("novel", project.language, &project.premise, &[])?;
        let after = Story { production: begun.production, fields: begun.fields, ..kept.story.clone() };
        self.save_by_hand(&id, &kept.story, &after, kept.version).await
    }
}

const PERSON: &str = "person";
/// The step of changes to fields by hand, in the log.
const FIELDS: &str = "fields";

fn produced(story: &Story) -> Result<&Production, Error> {
    story.production.as_ref().ok_or(Error::Production { source: qingyu_production::Error::NoProduction })
}

/// A value as people read it.
fn shown(story: &Story, field: &Field, value: &Value) -> String {
    let kind = progress::phase_of(story, field).map(|phase| phase.kind);
    let report = kind.and_then(|kind| reports::markdown(kind, value, story.language));
    report.unwrap_or_else(|| text::markdown(value, &field.schema))
}

/// The user's own templates, by name.
fn texts_of(folder: &Path) -> Result<Vec<(String, String)>, Error> {
    let unread = |error: std::io::Error| {
        let (name, message) = (folder.display().to_string(), error.to_string());
        Error::Production { source: qingyu_production::Error::BadTemplate { name, message } }
    };
    let mut texts = Vec::new();
    if !folder.exists() {
        return Ok(texts);
    }
    for entry in std::fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        let is_template = path.extension().is_some_and(|extension| extension == "toml");
        if let Some(name) = path.file_stem().and_then(|name| name.to_str()).filter(|_| is_template) {
            texts.push((name.to_owned(), std::fs::read_to_string(&path).map_err(unread)?));
        }
    }
    texts.sort();
    Ok(texts)
}
