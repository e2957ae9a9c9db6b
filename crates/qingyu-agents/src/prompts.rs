//! The prompts: files compiled in, filled strictly, overridden by files of the same name.
//!
//! A prompt is named by agent and part, such as `outline/generate`, and exists in both languages as
//! `prompts/outline/generate.zh.md` and `.en.md`. System prompts hold what never changes; the requirement, the material
//! and the task follow in that order, so that a provider's cache finds the longest beginning it knows.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use qingyu_llm::estimate;
use qingyu_story::{Agent, Language};
use serde::Serialize;
use sha2::{Digest, Sha256};

mod files;
mod filled;
mod material;
#[cfg(test)]
mod tests;

pub(crate) use filled::MAX_REQUIREMENT;
pub use filled::{AnswerPrompt, DirectionsPrompt, PlanPrompt, ReviewPrompt, UnderstandPrompt, WorkPrompt, bare};
pub use material::Material;
pub(crate) use material::escaped;

use crate::Error;
use crate::context::WorkMode;

/// The prompts of one agent, declared with [`prompt_folder!`](crate::prompt_folder).
#[derive(Debug, Clone, Copy)]
pub struct Folder {
    /// The folder, which is the first segment of the agent's purposes.
    pub name: &'static str,
    /// Its files with their texts, such as `creative/plot.zh.md`.
    pub files: &'static [(&'static str, &'static str)],
    /// The names that all but `system` may use.
    pub variables: &'static [&'static str],
}

/// Declares a folder of prompts under `prompts/` of the crate that calls it: its name, its files without language, and the
/// names that they are filled with.
#[macro_export]
macro_rules! prompt_folder {
    ($folder:literal, [$($part:literal),+ $(,)?], [$($variable:literal),* $(,)?]) => {
        $crate::prompts::Folder {
            name: $folder,
            files: &[$(
                (
                    concat!($folder, "/", $part, ".zh.md"),
                    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/prompts/", $folder, "/", $part, ".zh.md")),
                ),
                (
                    concat!($folder, "/", $part, ".en.md"),
                    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/prompts/", $folder, "/", $part, ".en.md")),
                ),
            )+],
            variables: &[$($variable),*],
        }
    };
}

/// The name of a prompt in either language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(&'static str, &'static str);

impl Name {
    /// What the editor is who offers directions.
    pub const DIRECTIONS_SYSTEM: Self = Self("directions", "system");
    /// What the editor is asked.
    pub const DIRECTIONS_PROPOSE: Self = Self("directions", "propose");
    /// What the planner is.
    pub const PLANNER_SYSTEM: Self = Self("planner", "system");
    /// What the planner is asked.
    pub const PLANNER_GENERATE: Self = Self("planner", "generate");
    /// What the reviewer is.
    pub const REVIEW_SYSTEM: Self = Self("review", "system");
    /// What the reviewer is asked.
    pub const REVIEW_GENERATE: Self = Self("review", "generate");
    /// What the assistant is.
    pub const ASSISTANT_SYSTEM: Self = Self("assistant", "system");
    /// A question that is to become a pattern.
    pub const ASSISTANT_UNDERSTAND: Self = Self("assistant", "understand");
    /// A question with the passages that may hold its answer.
    pub const ASSISTANT_ANSWER: Self = Self("assistant", "answer");
    /// Passages that are to be put in order.
    pub const ASSISTANT_RERANK: Self = Self("assistant", "rerank");
    /// What the writer of chapters is.
    pub const CHAPTER_SYSTEM: Self = Self("chapter", "system");
    /// A chapter that is to be understood.
    pub const CHAPTER_UNDERSTAND: Self = Self("chapter", "understand");
    /// A chapter, or a scene of it, that is to be written.
    pub const CHAPTER_GENERATE: Self = Self("chapter", "generate");
    /// A text that was cut and is to go on.
    pub const CHAPTER_CONTINUE: Self = Self("chapter", "continue");
    /// A part of a chapter that is to be written anew.
    pub const CHAPTER_REWRITE: Self = Self("chapter", "rewrite");
    /// The places where scenes meet.
    pub const CHAPTER_SEAMS: Self = Self("chapter", "seams");
    /// Places of a chapter that are to be mended.
    pub const CHAPTER_FIX: Self = Self("chapter", "fix");
    /// What the reviewer of chapters is.
    pub const CRITIC_SYSTEM: Self = Self("critic", "system");
    /// A chapter that is to be reviewed.
    pub const CRITIC_REVIEW: Self = Self("critic", "review");
    /// What the reader is who says what a chapter tells.
    pub const SETTLE_SYSTEM: Self = Self("settle", "system");
    /// A chapter that is to be read so.
    pub const SETTLE_EXTRACT: Self = Self("settle", "extract");
    /// What the producer of content is.
    pub const PRODUCTION_SYSTEM: Self = Self("production", "system");
    /// An interview that is to go on.
    pub const PRODUCTION_INTERVIEW: Self = Self("production", "interview");
    /// Words that are to be understood.
    pub const PRODUCTION_ROUTE: Self = Self("production", "route");
    /// A field that is to be made or changed.
    pub const PRODUCTION_MAKE: Self = Self("production", "make");
    /// Words that are to be answered.
    pub const PRODUCTION_CHAT: Self = Self("production", "chat");
    /// What the researcher is.
    pub const RESEARCH_SYSTEM: Self = Self("research", "system");
    /// A question that is to become queries.
    pub const RESEARCH_PLAN: Self = Self("research", "plan");
    /// A page that is to become notes.
    pub const RESEARCH_NOTE: Self = Self("research", "note");
    /// Notes that are to become a report.
    pub const RESEARCH_WRITE: Self = Self("research", "write");
    /// What a simulated consumer is.
    pub const CONSUMER_SYSTEM: Self = Self("consumer", "system");
    /// Content that a simulated consumer is to read.
    pub const CONSUMER_READ: Self = Self("consumer", "read");
    /// Personas that are to be made up.
    pub const CONSUMER_PERSONAS: Self = Self("consumer", "personas");
    /// What a judge of content is.
    pub const JUDGE_SYSTEM: Self = Self("judge", "system");
    /// Content that is to be judged by criteria.
    pub const JUDGE_SCORE: Self = Self("judge", "score");
    /// What every model is told of the project.
    pub const GOLDEN: Self = Self("golden", "context");
    /// The layout of what a correcting agent is told.
    pub const META_CORRECTION: Self = Self("meta", "correction");

    /// The file `part` in the folder of an agent of the service.
    pub fn of(folder: &Folder, part: &'static str) -> Self {
        Self(folder.name, part)
    }

    /// What the specialist `agent` is.
    pub fn system(agent: Agent) -> Self {
        Self(folder(agent), "system")
    }

    /// What the specialist `agent` is asked.
    pub fn work(agent: Agent, mode: WorkMode) -> Self {
        let part = match mode {
            WorkMode::Generate => "generate",
            WorkMode::Correct => "correct",
            WorkMode::Regenerate => "regenerate",
        };
        Self(folder(agent), part)
    }

    fn file(self, language: Language) -> String {
        format!("{}/{}.{}.md", self.0, self.1, language.code())
    }
}

/// The agent's folder and the first segment of its purposes.
pub(crate) fn folder(agent: Agent) -> &'static str {
    agent.name().trim_end_matches("_agent")
}

/// The prompts compiled in, parsed when they are first needed.
static BUILTIN: LazyLock<Prompts> =
    LazyLock::new(|| Prompts::parse(files::builtin()).expect("the prompts compiled in are tested"));

/// All prompts, ready to be filled. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Prompts {
    environment: Arc<Environment<'static>>,
    sources: Arc<BTreeMap<String, String>>,
    hashes: Arc<BTreeMap<String, String>>,
}

impl Default for Prompts {
    fn default() -> Self {
        Self::builtin()
    }
}

impl Prompts {
    /// The prompts compiled in.
    pub fn builtin() -> Self {
        BUILTIN.clone()
    }

    /// The texts compiled in, by file.
    pub fn texts() -> &'static BTreeMap<String, String> {
        &BUILTIN.sources
    }

    /// The prompts compiled in, except where `folder` has a file of the same name (`outline/generate.zh.md`).
    ///
    /// Fails if the folder cannot be read, if a file in it is no prompt's, or if it asks for what its prompt is not
    /// given. A folder that does not exist overrides nothing.
    pub fn with_overrides(folder: &Path) -> Result<Self, Error> {
        Self::builtin().with_texts(&files::read(folder)?)
    }

    /// The same with the prompts of `folders`; what is there already stays as it is.
    ///
    /// Fails if one of them cannot be read.
    pub fn with_folders(&self, folders: &[&Folder]) -> Result<Self, Error> {
        let mut sources = BTreeMap::clone(&self.sources);
        for (file, text) in folders.iter().flat_map(|folder| folder.files) {
            sources.entry((*file).to_owned()).or_insert_with(|| (*text).to_owned());
        }
        Self::parse(sources)
    }

    /// Fills a prompt. Fails if it asks for what `context` does not hold.
    pub fn render(&self, name: Name, language: Language, context: &impl Serialize) -> Result<String, Error> {
        self.fill(&name.file(language), context)
    }

    /// The same by the file's name, such as `outline/generate.zh.md`.
    pub fn fill(&self, file: &str, context: &impl Serialize) -> Result<String, Error> {
        let failed = |source| Error::Prompt { file: file.to_owned(), source };
        let text = self.environment.get_template(file).map_err(failed)?.render(Serde(context)).map_err(failed)?;
        Ok(text.trim_end().to_owned())
    }

    /// SHA-256 over the templates of `names`, in hexadecimal: which prompts a piece was made with.
    pub fn hash(&self, names: &[Name], language: Language) -> String {
        let mut hasher = Sha256::new();
        for name in names {
            hasher.update(self.hashes.get(&name.file(language)).map_or("", String::as_str));
        }
        hex(&hasher.finalize())
    }

    /// The hash of every prompt of `language`, by file; those that fill others are in the hashes of these.
    pub fn hashes(&self, language: Language) -> BTreeMap<String, String> {
        let ending = format!(".{}.md", language.code());
        self.hashes
            .iter()
            .filter(|(file, _)| file.ends_with(&ending))
            .map(|(file, hash)| (file.clone(), hash.clone()))
            .collect()
    }

    /// How many tokens the text of a prompt has before it is filled, with the rules that it includes; `name` is that of the
    /// file without language, such as `outline/system`. None if there is no such file.
    pub fn tokens(&self, name: &str, language: Language) -> Option<u64> {
        let text = self.sources.get(&format!("{name}.{}.md", language.code()))?;
        let rules = format!("shared/rules.{}.md", language.code());
        let included = self.sources.get(&rules).filter(|_| text.contains(&rules));
        Some(estimate::tokens(text) + included.map_or(0, |rules| estimate::tokens(rules)))
    }

    /// The prompts whose text is not the one compiled in, by file.
    pub fn overridden(&self) -> BTreeMap<String, String> {
        let builtin = &BUILTIN.sources;
        if Arc::ptr_eq(&self.sources, builtin) {
            return BTreeMap::new();
        }
        let changed = |(file, text): &(&String, &String)| builtin.get(*file) != Some(*text);
        self.sources.iter().filter(changed).map(|(file, text)| (file.clone(), text.clone())).collect()
    }

    /// These prompts, except for the files in `texts`.
    ///
    /// Fails as [`with_overrides`](Self::with_overrides) does.
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

    fn parse(sources: BTreeMap<String, String>) -> Result<Self, Error> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.expect("the usual delimiters are valid"));
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.add_filter("inert", |text: String| text.replace("</", "< /"));
        // An included file is part of every prompt that includes it, and so of its hash.
        let shared = sources.iter().filter(|(file, _)| file.starts_with("shared/")).map(|(_, text)| text.as_str());
        let shared = shared.collect::<Vec<_>>().concat();
        let mut hashes = BTreeMap::new();
        let kept = Arc::new(sources.clone());
        for (file, text) in sources {
            hashes.insert(file.clone(), hex(&Sha256::digest(format!("{text}{shared}"))));
            let failed = |source| Error::Prompt { file: file.clone(), source };
            environment.add_template_owned(file.clone(), text).map_err(failed)?;
        }
        Ok(Self { environment: Arc::new(environment), sources: kept, hashes: Arc::new(hashes) })
    }

    /// Fails if `text`, instead of the built-in `file`, asks for something that the built-in prompts of that folder are
    /// not given.
    fn check_variables(&self, file: &str, text: &str) -> Result<(), Error> {
        let failed = |source| Error::Prompt { file: file.to_owned(), source };
        let asked = self.environment.template_from_str(text).map_err(failed)?.undeclared_variables(false);
        let given = filled::variables(file);
        match asked.into_iter().filter(|name| !given.contains(name)).min() {
            Some(variable) => Err(Error::UnknownVariable { file: file.to_owned(), variable, known: given }),
            None => Ok(()),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
