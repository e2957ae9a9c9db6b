//! Templates of productions.

use std::path::Path;

use qingyu_production::template::Templates;
use qingyu_production::{Error as Refused, progress, sizes};
use qingyu_story::production::Autonomy;
use qingyu_story::{Language, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::studio::Studio;

/// A template in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TemplateRow {
    /// The name.
    pub name: String,
    /// The display name.
    pub title: String,
    /// The description.
    pub description: String,
    /// The phases, in order.
    pub phases: Vec<String>,
    /// The fields, in order.
    pub fields: Vec<String>,
}

impl Studio {
    /// Returns the templates for productions: built-in templates, and templates in `templates` of the data folder.
    ///
    /// Returns [`Error::Production`] if a template of the user does not parse.
    pub fn templates(&self) -> Result<Templates, Error> {
        let folder = self.settings().home().join("templates");
        Templates::builtin().with_texts(&texts_of(&folder)?).map_err(refused)
    }

    /// Returns the templates as rows, in `language`.
    pub(crate) fn template_rows(&self, language: Language) -> Result<Vec<TemplateRow>, Error> {
        let templates = self.templates()?;
        let row = |template: &qingyu_production::template::Template| {
            let (production, fields) = template.begin(language);
            TemplateRow {
                name: template.name.clone(),
                title: template.title(language).to_owned(),
                description: template.description(language).to_owned(),
                phases: production.phases.into_iter().map(|phase| phase.name).collect(),
                fields: fields.into_iter().map(|field| field.path).collect(),
            }
        };
        Ok(templates.all().map(row).collect())
    }

    /// Returns a story with the phases and fields of a template; sizes in the premise overrule those of the template.
    pub(crate) fn begun(
        &self,
        template: &str,
        language: Language,
        premise: &str,
        autonomy: &[(String, Autonomy)],
    ) -> Result<Story, Error> {
        let templates = self.templates()?;
        let (mut production, fields) = templates.get(template).map_err(refused)?.begin(language);
        progress::set_autonomy(&mut production, autonomy).map_err(refused)?;
        let mut story =
            Story { premise: premise.to_owned(), language, production: Some(production), fields, ..Story::default() };
        sizes::take(&mut story, premise, &[], false);
        Ok(story)
    }
}

/// Converts a production error.
pub(crate) fn refused(source: Refused) -> Error {
    Error::Production { source }
}

/// Reads the user's templates, sorted by name.
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
