//! The set of all prompts: parsing, rendering, hashes.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use qingyu_llm::estimate;
use qingyu_story::Language;
use qingyu_story::chapters::{HeadingLevel, heading};
use qingyu_story::digest::{hexadecimal, sha256};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::files;
use super::name::PromptName;
use crate::error::Error;

/// Built-in prompts, parsed on first use.
static BUILTIN: LazyLock<Prompts> =
    LazyLock::new(|| Prompts::parse(files::builtin()).expect("the prompts compiled in are tested"));

/// All prompts, ready to render. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Prompts {
    pub(super) environment: Arc<Environment<'static>>,
    pub(super) sources: Arc<BTreeMap<String, String>>,
    hashes: Arc<BTreeMap<String, String>>,
}

impl Default for Prompts {
    fn default() -> Self {
        Self::builtin()
    }
}

impl Prompts {
    /// Returns the built-in prompts.
    pub fn builtin() -> Self {
        BUILTIN.clone()
    }

    /// Returns the built-in texts by file name.
    pub fn texts() -> &'static BTreeMap<String, String> {
        &BUILTIN.sources
    }

    /// Returns the prompts together with the prompts of `folders`; existing prompts stay unchanged.
    ///
    /// Returns an error if a prompt cannot be parsed.
    #[cfg(test)]
    pub(crate) fn with_folders(&self, folders: &[&super::declared::PromptFolder]) -> Result<Self, Error> {
        let mut sources = BTreeMap::clone(&self.sources);
        for (file, text) in folders.iter().flat_map(|folder| folder.files) {
            sources.entry((*file).to_owned()).or_insert_with(|| (*text).to_owned());
        }
        Self::parse(sources)
    }

    /// Renders a prompt. Returns an error if a variable is missing from `context`.
    pub fn render(&self, name: PromptName, language: Language, context: &impl Serialize) -> Result<String, Error> {
        self.fill(&name.file(language), context)
    }

    /// Renders a prompt by its file name, such as `outline/generate.zh.md`.
    pub fn fill(&self, file: &str, context: &impl Serialize) -> Result<String, Error> {
        let failed = |source| Error::Prompt { file: file.to_owned(), source };
        let text = self.environment.get_template(file).map_err(failed)?.render(Serde(context)).map_err(failed)?;
        Ok(text.trim_end().to_owned())
    }

    /// Returns the SHA-256 over the templates of `names`, in hexadecimal; identifies the prompts behind a piece.
    pub fn hash(&self, names: &[PromptName], language: Language) -> String {
        let mut hasher = Sha256::new();
        for name in names {
            hasher.update(self.hashes.get(&name.file(language)).map_or("", String::as_str));
        }
        hexadecimal(&hasher.finalize())
    }

    /// Returns the hash of every prompt of `language`, by file name; included files are part of the hashes of the
    /// including prompts.
    pub fn hashes(&self, language: Language) -> BTreeMap<String, String> {
        let ending = format!(".{}.md", language.code());
        self.hashes
            .iter()
            .filter(|(file, _)| file.ends_with(&ending))
            .map(|(file, hash)| (file.clone(), hash.clone()))
            .collect()
    }

    /// Returns the tokens of a prompt before rendering, included rules counted; `name` is the file name without
    /// language, such as `outline/system`. `None` for an unknown file.
    pub fn tokens(&self, name: &str, language: Language) -> Option<u64> {
        let text = self.sources.get(&format!("{name}.{}.md", language.code()))?;
        let rules = format!("shared/rules.{}.md", language.code());
        let included = self.sources.get(&rules).filter(|_| text.contains(&rules));
        Some(estimate::tokens(text) + included.map_or(0, |rules| estimate::tokens(rules)))
    }

    /// Returns the overridden prompts, by file name.
    pub fn overridden(&self) -> BTreeMap<String, String> {
        let builtin = &BUILTIN.sources;
        if Arc::ptr_eq(&self.sources, builtin) {
            return BTreeMap::new();
        }
        let changed = |(file, text): &(&String, &String)| builtin.get(*file) != Some(*text);
        self.sources.iter().filter(changed).map(|(file, text)| (file.clone(), text.clone())).collect()
    }

    pub(super) fn parse(sources: BTreeMap<String, String>) -> Result<Self, Error> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.expect("the usual delimiters are valid"));
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.add_filter("inert", |text: String| text.replace("</", "< /"));
        environment.add_filter("unnumbered", |title: String| unnumbered(&title).to_owned());
        // An included file is part of every prompt that includes it, and of the prompt's hash.
        let shared = sources.iter().filter(|(file, _)| file.starts_with("shared/")).map(|(_, text)| text.as_str());
        let shared = shared.collect::<Vec<_>>().concat();
        let mut hashes = BTreeMap::new();
        let kept = Arc::new(sources.clone());
        for (file, text) in sources {
            hashes.insert(file.clone(), sha256(format!("{text}{shared}").as_bytes()));
            let failed = |source| Error::Prompt { file: file.clone(), source };
            environment.add_template_owned(file.clone(), text).map_err(failed)?;
        }
        Ok(Self { environment: Arc::new(environment), sources: kept, hashes: Arc::new(hashes) })
    }
}

/// Returns a chapter's title without the number in it, for a prompt that has told the number; a title that is only a number
/// stays as it is.
fn unnumbered(title: &str) -> &str {
    let found = heading(title).filter(|found| found.rank == HeadingLevel::Chapter && found.volume.is_none());
    found.map(|found| found.rest).filter(|rest| !rest.is_empty()).unwrap_or(title)
}
