//! What a production begins as: phases, fields, criteria and channels, from a file for each kind of content.
//!
//! - `draft`: a file as it is written, and what `extends` takes over; `shape`: short words for JSON Schemas
//! - `check`: what is refused, with its place

mod check;
mod draft;
mod shape;

use std::collections::BTreeMap;

use qingyu_story::Language;
use qingyu_story::production::{Autonomy, Channel, Criterion, Field, Golden, Phase, PhaseKind, Production};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Error;

/// The templates that are compiled in, by name.
const BUILTIN: [(&str, &str); 6] = [
    ("default", include_str!("../templates/default.toml")),
    ("course", include_str!("../templates/course.toml")),
    ("articles", include_str!("../templates/articles.toml")),
    ("product_page", include_str!("../templates/product_page.toml")),
    ("short_video", include_str!("../templates/short_video.toml")),
    ("novel", include_str!("../templates/novel.toml")),
];

/// A text in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// In Chinese.
    pub zh: String,
    /// In English.
    pub en: String,
}

impl Text {
    /// The text in `language`.
    pub fn of(&self, language: Language) -> &str {
        match language {
            Language::Zh => &self.zh,
            Language::En => &self.en,
        }
    }
}

/// A kind of content: how it is produced, what it is judged by, where it goes to.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Template {
    /// Its name, such as `course`.
    pub name: String,
    /// Its name for people.
    pub title: Text,
    /// What it is for.
    pub description: Text,
    /// The phases, in order.
    pub phases: Vec<TemplatePhase>,
    /// The fields, in the order of their phases.
    pub fields: Vec<TemplateField>,
    /// What content is judged by.
    pub criteria: Vec<TemplateCriterion>,
    /// Where content goes to.
    pub channels: Vec<TemplateChannel>,
}

/// A phase of a template.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemplatePhase {
    /// The name, such as `design_inner`.
    pub name: String,
    /// The name for people.
    pub title: Text,
    /// What is done in it.
    #[serde(default)]
    pub kind: PhaseKind,
    /// Whether a person confirms what came of it.
    #[serde(default)]
    pub autonomy: Autonomy,
}

/// A field of a template.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct TemplateField {
    /// Its path; the part before the first `/` is its phase.
    pub path: String,
    /// The name for people.
    pub title: Text,
    /// What it is to hold.
    pub guidance: Text,
    /// JSON Schema of its value.
    pub schema: Value,
    /// What it is made from.
    pub depends_on: Vec<String>,
    /// The list for whose entries it stands.
    pub each: Option<String>,
    /// What it tells every model.
    pub golden: Option<Golden>,
    /// Whether it is content for consumers.
    pub is_content: bool,
}

/// Something that content of a template is judged by.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateCriterion {
    /// The name, such as `clarity`.
    pub name: String,
    /// The name for people.
    pub title: Text,
    /// What is asked of the content.
    pub question: Text,
    /// How much it counts, beside the others; above 0.
    pub weight: f64,
}

/// A place that content of a template goes to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateChannel {
    /// The name, such as `wechat`.
    pub name: String,
    /// The name for people.
    pub title: Text,
    /// How long a text may be there, in characters.
    #[serde(default)]
    pub limit: Option<usize>,
    /// The ending of the file.
    pub extension: String,
    /// The text there, as a template in each language.
    pub template: Text,
}

impl Template {
    /// A production that is at its beginning, and its fields, in `language`.
    pub fn begin(&self, language: Language) -> (Production, Vec<Field>) {
        let text = |text: &Text| text.of(language).trim().to_owned();
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
            ..Field::default()
        };
        let production = Production {
            template: self.name.clone(),
            phases: self.phases.iter().map(phase).collect(),
            current_phase: self.phases.first().map(|phase| phase.name.clone()).unwrap_or_default(),
            criteria: self.criteria.iter().map(criterion).collect(),
            channels: self.channels.iter().map(channel).collect(),
        };
        (production, self.fields.iter().map(field).collect())
    }
}

fn phase_of(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// All templates there are, in order: those compiled in, then the user's own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Templates {
    templates: Vec<Template>,
}

impl Templates {
    /// Those compiled in.
    pub fn builtin() -> Self {
        let texts: Vec<(String, String)> =
            BUILTIN.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Self::default().with_texts(&texts).expect("the templates compiled in are tested")
    }

    /// These, and those in `texts`: each a name and a file. A file may extend any other, and one of a known name takes
    /// its place.
    ///
    /// Fails with [`Error::BadTemplate`], which names the file, the place in it, and what to do.
    pub fn with_texts(mut self, texts: &[(String, String)]) -> Result<Self, Error> {
        let mut drafts = BTreeMap::new();
        for (name, text) in texts {
            drafts.insert(name.as_str(), draft::read(name, text)?);
        }
        let known = self.templates.clone();
        for (name, _) in texts {
            let template = draft::finish(name, &drafts, &known, &mut Vec::new())?;
            check::check(&template)?;
            match self.templates.iter_mut().find(|known| known.name == *name) {
                Some(known) => *known = template,
                None => self.templates.push(template),
            }
        }
        Ok(self)
    }

    /// The template of that name. Fails with [`Error::UnknownTemplate`], which names those there are.
    pub fn get(&self, name: &str) -> Result<&Template, Error> {
        self.templates.iter().find(|template| template.name == name.trim()).ok_or_else(|| Error::UnknownTemplate {
            name: name.to_owned(),
            known: self.templates.iter().map(|template| template.name.clone()).collect(),
        })
    }

    /// All of them, in order.
    pub fn all(&self) -> impl Iterator<Item = &Template> {
        self.templates.iter()
    }
}

#[cfg(test)]
mod tests;
