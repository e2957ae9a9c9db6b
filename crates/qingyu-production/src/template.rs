//! Templates of productions: phases, fields, criteria and channels, in a file for each kind of content.
//!
//! - `parts`: a template with its parts
//! - `draft`: a template file, and inheritance by `extends`; `shape`: short notation for JSON Schemas
//! - `check`: validation, with the place of each error

mod check;
mod draft;
mod parts;
mod shape;

use std::collections::BTreeMap;

use crate::error::Error;

pub use parts::Template;

/// The built-in templates, by name.
const BUILTIN: [(&str, &str); 6] = [
    ("default", include_str!("../templates/default.toml")),
    ("course", include_str!("../templates/course.toml")),
    ("articles", include_str!("../templates/articles.toml")),
    ("product_page", include_str!("../templates/product_page.toml")),
    ("short_video", include_str!("../templates/short_video.toml")),
    ("novel", include_str!("../templates/novel.toml")),
];

/// All templates, in order: the built-in templates, then the user's own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Templates {
    templates: Vec<Template>,
}

impl Templates {
    /// Returns the built-in templates.
    pub fn builtin() -> Self {
        let texts: Vec<(String, String)> =
            BUILTIN.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Self::default().with_texts(&texts).expect("the templates compiled in are tested")
    }

    /// Appends the templates in `texts`, pairs of name and file. A file may extend any other; a known name overrides
    /// the template.
    ///
    /// Returns [`Error::BadTemplate`] with the file, the place of the error, and advice.
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

    /// Returns the template with the name, or [`Error::UnknownTemplate`] with the existing names.
    pub fn get(&self, name: &str) -> Result<&Template, Error> {
        self.templates.iter().find(|template| template.name == name.trim()).ok_or_else(|| Error::UnknownTemplate {
            name: name.to_owned(),
            known: self.templates.iter().map(|template| template.name.clone()).collect(),
        })
    }

    /// Returns an iterator over all templates, in order.
    pub fn all(&self) -> impl Iterator<Item = &Template> {
        self.templates.iter()
    }
}

#[cfg(test)]
mod tests;
