//! The fields of a production: reading and manual editing.

use qingyu_agents::production::context::FieldSource;
use qingyu_llm::estimate;
use qingyu_production::change::Changed;
use qingyu_production::{FieldBoard, Status, change, progress, reports, text};
use qingyu_story::Story;
use qingyu_story::production::{Field, Maker};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;
use crate::productions::saving::produced;
use crate::productions::templates::refused;
use crate::stories::saved::PERSON;
use crate::studio::Studio;

/// A field with its value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FieldView {
    /// The field.
    #[serde(flatten)]
    pub field: Field,
    /// The status.
    pub status: Status,
    /// The value as text.
    pub text: String,
    /// The direct and indirect dependents.
    pub dependents: Vec<String>,
    /// What a model is shown to make the value, as of now.
    #[serde(default)]
    pub inputs: Vec<InputView>,
}

/// An input of a field: what a model is shown of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InputView {
    /// The declared input, such as `research/report?relevant`.
    pub input: String,
    /// The title of the field that it comes from.
    pub title: String,
    /// Estimated tokens of the text.
    pub tokens: u64,
    /// The text.
    pub text: String,
}

impl Studio {
    /// Returns a field with its value, or [`Error::Production`] if no field has the path or title.
    pub async fn field(&self, project: &str, path: &str) -> Result<FieldView, Error> {
        let (id, kept) = self.kept_story(project).await?;
        produced(&kept.story)?;
        let tokens = self.settings().values(Some(&id))?.production.source_tokens;
        let board = FieldBoard::new(&kept.story.fields);
        let field = board.find(path).map_err(refused)?;
        let value = board.value(&field.path).unwrap_or_default();
        Ok(FieldView {
            status: board.status(field),
            text: shown(&kept.story, field, &value),
            inputs: inputs(&kept.story, field, tokens),
            dependents: board.dependents(&field.path).into_iter().map(|field| field.path.clone()).collect(),
            field: Field { value, ..field.clone() },
        })
    }

    /// Sets a field's value by hand: plain text, or JSON for a structured field. `expected` is the field's version seen
    /// by the user.
    ///
    /// Returns [`Error::Production`] if the field does not exist or the value does not validate, and
    /// [`Error::FieldConflict`] if the field's version differs from `expected`; the field is unchanged then.
    pub async fn put_field(
        &self,
        project: &str,
        path: &str,
        typed: &str,
        expected: Option<u32>,
    ) -> Result<Changed, Error> {
        self.change_fields(project, |story| {
            let field = FieldBoard::new(&story.fields).find(path).map_err(refused)?;
            if let Some(expected) = expected.filter(|expected| *expected != field.version) {
                return Err(Error::FieldConflict { path: field.path.clone(), expected, found: field.version });
            }
            let value: Value = change::parse(field, typed).map_err(refused)?;
            let (path, maker) = (field.path.clone(), Maker { agent: PERSON.into(), ..Maker::default() });
            change::put_by_hand(story, &path, value, maker).map_err(refused)
        })
        .await
    }

    /// Confirms the current values of fields. Returns the errors of [`put_field`](Self::put_field), and an error for an
    /// empty field.
    pub(crate) async fn confirm_fields(&self, project: &str, paths: &[String]) -> Result<(), Error> {
        self.change_fields(project, |story| change::confirm(story, paths).map_err(refused)).await
    }
}

/// Returns what a model is shown to make a field, within `tokens`.
fn inputs(story: &Story, field: &Field, tokens: u64) -> Vec<InputView> {
    let view = |source: FieldSource| InputView {
        input: source.path,
        title: source.title,
        tokens: estimate::tokens(&source.text),
        text: source.text,
    };
    qingyu_agents::production::inputs(story, field, tokens).into_iter().map(view).collect()
}

/// Returns a value as readable text.
fn shown(story: &Story, field: &Field, value: &Value) -> String {
    let kind = progress::phase_of(story, field).map(|phase| phase.kind);
    let report = kind.and_then(|kind| reports::markdown(kind, value, story.language));
    report.unwrap_or_else(|| text::markdown(value, &field.schema))
}
