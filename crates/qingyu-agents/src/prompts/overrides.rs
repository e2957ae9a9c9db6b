//! Overrides of prompts, checked against the variables that their files may use.

use std::collections::BTreeMap;
use std::path::Path;

use super::files;
use super::templates::Prompts;
use super::variables::variables;
use crate::error::Error;

impl Prompts {
    /// Returns the built-in prompts with overrides from `folder`, matched by file name (`outline/generate.zh.md`).
    ///
    /// Returns an error if the folder cannot be read, a file matches no prompt, or a file uses an unknown variable. A
    /// missing folder overrides nothing.
    pub fn with_overrides(folder: &Path) -> Result<Self, Error> {
        Self::builtin().with_texts(&files::read(folder)?)
    }

    /// Returns the prompts with overrides from `texts`.
    ///
    /// Returns the same errors as [`with_overrides`](Self::with_overrides).
    pub fn with_texts(&self, texts: &BTreeMap<String, String>) -> Result<Self, Error> {
        if texts.is_empty() {
            return Ok(self.clone());
        }
        let mut sources = (*self.sources).clone();
        let builtin = Self::builtin();
        for (file, text) in texts {
            let known = sources.get_mut(file).ok_or_else(|| Error::UnknownPrompt { file: file.clone() })?;
            builtin.check_variables(file, text)?;
            known.clone_from(text);
        }
        Self::parse(sources)
    }

    /// Returns an error if `text`, the override of the built-in `file`, uses a variable unknown to the built-in prompts
    /// of the folder.
    fn check_variables(&self, file: &str, text: &str) -> Result<(), Error> {
        let failed = |source| Error::Prompt { file: file.to_owned(), source };
        let asked = self.environment.template_from_str(text).map_err(failed)?.undeclared_variables(false);
        let given = variables(file);
        match asked.into_iter().filter(|name| !given.contains(name)).min() {
            Some(variable) => Err(Error::UnknownVariable { file: file.to_owned(), variable, known: given }),
            None => Ok(()),
        }
    }
}
