//! A template with its parts.

use qingyu_story::Language;
use qingyu_story::production::{
    Autonomy, Channel, Criterion, Field, Golden, Phase, PhaseKind, Production, TextLength, Voice,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A text in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BilingualText {
    /// The Chinese text.
    pub(crate) zh: String,
    /// The English text.
    pub(crate) en: String,
}

impl BilingualText {
    /// Returns the text in `language`.
    pub(crate) fn of(&self, language: Language) -> &str {
        match language {
            Language::Zh => &self.zh,
            Language::En => &self.en,
        }
    }
}

/// The shortest and the longest text in each language: Chinese characters, and words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BilingualLength {
    /// In Chinese characters.
    pub(crate) zh: [usize; 2],
    /// In words.
    pub(crate) en: [usize; 2],
}

impl BilingualLength {
    /// Returns the length in `language`.
    pub(crate) fn of(&self, language: Language) -> TextLength {
        let [least, most] = match language {
            Language::Zh => self.zh,
            Language::En => self.en,
        };
        TextLength { least, most }
    }
}

/// A kind of content: its production, criteria and channels.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Template {
    /// The name, such as `course`.
    pub name: String,
    /// The display name.
    pub(crate) title: BilingualText,
    /// The purpose.
    pub(crate) description: BilingualText,
    /// The phases, in order.
    pub(crate) phases: Vec<TemplatePhase>,
    /// The fields, in the order of their phases.
    pub(crate) fields: Vec<TemplateField>,
    /// The criteria to evaluate content.
    pub(crate) criteria: Vec<TemplateCriterion>,
    /// The channels to publish content.
    pub(crate) channels: Vec<TemplateChannel>,
    /// The part of a field with the title of the content; empty by default.
    pub title_from: String,
    /// The content in the order in which a reader meets it; the order of the fields by default.
    pub reading_order: Vec<String>,
}

/// A phase of a template.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TemplatePhase {
    /// The name, such as `design_inner`.
    pub(crate) name: String,
    /// The display name.
    pub(crate) title: BilingualText,
    /// The kind of work.
    #[serde(default)]
    pub(crate) kind: PhaseKind,
    /// Whether a person confirms the result.
    #[serde(default)]
    pub(crate) autonomy: Autonomy,
}

/// A field of a template.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub(crate) struct TemplateField {
    /// The path; the part before the first `/` is the phase.
    pub(crate) path: String,
    /// The display name.
    pub(crate) title: BilingualText,
    /// The guidance for the value.
    pub(crate) guidance: BilingualText,
    /// The JSON Schema of the value.
    pub(crate) schema: Value,
    /// The dependencies.
    pub(crate) depends_on: Vec<String>,
    /// The list, if the field is a list field.
    pub(crate) each: Option<String>,
    /// The part of the golden context filled by the field, if any.
    pub(crate) golden: Option<Golden>,
    /// Whether the field is content for consumers.
    pub(crate) is_content: bool,
    /// For whom the content is; by default each field is exported apart.
    pub(crate) audience: Option<BilingualText>,
    /// The length of the text, if set.
    pub(crate) length: Option<BilingualLength>,
}

/// A criterion to evaluate content of a template.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TemplateCriterion {
    /// The name, such as `clarity`.
    pub(crate) name: String,
    /// The display name.
    pub(crate) title: BilingualText,
    /// The question about the content.
    pub(crate) question: BilingualText,
    /// The relative weight; above 0.
    pub(crate) weight: f64,
}

/// A channel to publish content of a template.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TemplateChannel {
    /// The name, such as `wechat`.
    pub name: String,
    /// The display name.
    pub title: BilingualText,
    /// Maximum length of a text, in characters.
    #[serde(default)]
    pub limit: Option<usize>,
    /// The extension of the file.
    pub extension: String,
    /// The text, as a template in each language.
    pub template: BilingualText,
}

impl Template {
    /// Returns the display name in `language`.
    pub fn title(&self, language: Language) -> &str {
        self.title.of(language)
    }

    /// Returns the purpose in `language`.
    pub fn description(&self, language: Language) -> &str {
        self.description.of(language)
    }

    /// Returns a new production and its fields, in `language`.
    pub fn begin(&self, language: Language) -> (Production, Vec<Field>) {
        let text = |text: &BilingualText| text.of(language).trim().to_owned();
        let phase = |phase: &TemplatePhase| Phase {
            name: phase.name.clone(),
            title: text(&phase.title),
            kind: phase.kind,
            autonomy: phase.autonomy,
            is_done: false,
        };
        let criterion = |criterion: &TemplateCriterion| Criterion {
            name: criterion.name.clone(),
            title: text(&criterion.title),
            question: text(&criterion.question),
            weight: criterion.weight,
        };
        let channel = |channel: &TemplateChannel| Channel {
            name: channel.name.clone(),
            title: text(&channel.title),
            limit: channel.limit,
            extension: channel.extension.clone(),
            template: channel.template.of(language).to_owned(),
        };
        let field = |field: &TemplateField| Field {
            path: field.path.clone(),
            title: text(&field.title),
            phase: phase_of(&field.path).to_owned(),
            schema: field.schema.clone(),
            guidance: text(&field.guidance),
            depends_on: field.depends_on.clone(),
            each: field.each.clone(),
            golden: field.golden,
            is_content: field.is_content,
            audience: field.audience.as_ref().map(text).unwrap_or_default(),
            length: field.length.map(|length| length.of(language)),
            ..Field::default()
        };
        let production = Production {
            template: self.name.clone(),
            phases: self.phases.iter().map(phase).collect(),
            current_phase: self.phases.first().map(|phase| phase.name.clone()).unwrap_or_default(),
            criteria: self.criteria.iter().map(criterion).collect(),
            channels: self.channels.iter().map(channel).collect(),
            title_from: self.title_from.clone(),
            reading_order: self.reading_order.clone(),
            voice: Voice::default(),
        };
        (production, self.fields.iter().map(field).collect())
    }
}

/// Returns the name of the phase of a field with the path.
pub(super) fn phase_of(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}
