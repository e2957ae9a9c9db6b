//! Templates (stub).

use qingyu_story::Language;
use qingyu_story::production::{Field, Production};

use crate::Error;

/// Texts in both languages.
#[derive(Debug, Clone, Default)]
pub struct Text {
    zh: String,
    en: String,
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

/// A template.
#[derive(Debug, Clone, Default)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: Text,
    /// Its description.
    pub description: Text,
}

impl Template {
    /// Its phases and fields.
    pub fn begin(&self, _: Language) -> (Production, Vec<Field>) {
        Default::default()
    }
}

/// All templates.
#[derive(Debug, Clone, Default)]
pub struct Templates(Vec<Template>);

impl Templates {
    /// Those compiled in.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// And these.
    pub fn with_texts(self, _: &[(String, String)]) -> Result<Self, Error> {
        Ok(self)
    }

    /// That of a name.
    pub fn get(&self, name: &str) -> Result<&Template, Error> {
        self.0.iter().find(|template| template.name == name).ok_or_else(|| Error::UnknownTemplate {
            name: name.to_owned(),
            known: self.0.iter().map(|template| template.name.clone()).collect(),
        })
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Template> {
        self.0.iter()
    }
}
