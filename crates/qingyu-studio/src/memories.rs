//! What is remembered of the user: looked at, added, changed, forgotten; learnt from decisions, told to agents.

use jiff::Timestamp;
use qingyu_agents::preference::{Hint, fitting};
use qingyu_memory::learning::{Lesson, learn};
use qingyu_memory::long_term::{Edit, Evidence, Filter, Kind, Source, Standing, What};
use qingyu_memory::{Memory, MemoryId};
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Error, Studio};

/// How often another process may be faster with a change before it is given up.
const PATIENCE: usize = 8;
/// The most preferences that agents might be told; what is told has its limit in tokens.
const MOST_TOLD: usize = 100;
/// The most memories that words find.
const MOST_FOUND: usize = 50;
/// The most characters of an example in a line for agents.
const EXAMPLE: usize = 60;

/// A memory in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryRow {
    /// The memory.
    #[serde(flatten)]
    pub memory: Memory,
    /// Whether it holds.
    pub active: bool,
}

impl From<Memory> for MemoryRow {
    fn from(memory: Memory) -> Self {
        Self { active: memory.standing.is_active(), memory }
    }
}

impl Studio {
    /// What is remembered: last changed first, or with `words` what fits them best, at most 50. A project is named as for
    /// [`show`](Self::show); its own memories and those of every project are listed then.
    pub async fn memories(
        &self,
        kind: Option<Kind>,
        project: Option<&str>,
        words: Option<&str>,
    ) -> Result<Vec<MemoryRow>, Error> {
        let filter = Filter { kind, project: self.project_id(project).await?, active: None };
        let bad = |error| self.place("").memory(error);
        Ok(match words {
            None => self
                .memory()
                .list(self.scope().user_id(), &filter)
                .await
                .map_err(bad)?
                .into_iter()
                .map(MemoryRow::from)
                .collect(),
            Some(words) => {
                let found =
                    self.memory().search(self.scope().user_id(), words, &filter, MOST_FOUND).await.map_err(bad)?;
                found.into_iter().map(|found| found.memory.into()).collect()
            }
        })
    }

    /// Remembers what the user says: in a project, or in every one. What is there already is counted once more, and holds.
    ///
    /// Fails with [`Error::BadMemory`] if the text is empty, too long or has control characters.
    pub async fn remember(&self, kind: Kind, text: &str, project: Option<&str>) -> Result<MemoryRow, Error> {
        let lesson = Lesson {
            kind,
            project: self.project_id(project).await?,
            topic: text.trim().into(),
            text: text.trim().into(),
            evidence: Evidence::new(Timestamp::now(), What::Said, ""),
            source: Source::User,
            needed: 1,
        };
        let learnt = learn(self.memory(), self.scope().user_id(), &lesson).await;
        Ok(learnt.map_err(|error| self.place("").memory(error))?.into())
    }

    /// Changes the words of a memory, or switches it on or off. The beginning of the id is enough.
    ///
    /// Fails with [`Error::UnknownMemory`] if there is none, with [`Error::Ambiguous`] if several begin so.
    pub async fn edit_memory(&self, given: &str, text: Option<&str>, on: Option<bool>) -> Result<MemoryRow, Error> {
        let standing = on.map(|on| if on { Standing::On } else { Standing::Off });
        let edit = Edit { text: text.map(str::to_owned), standing, seen: None };
        let mut last = None;
        for _ in 0..PATIENCE {
            let known = self.find_memory(given).await?;
            match self.memory().edit(self.scope().user_id(), &known.id, known.revision, edit.clone()).await {
                // Somebody was faster; what is asked for here does not depend on what it was.
                Err(error @ qingyu_memory::Error::Changed { .. }) => last = Some(error),
                edited => return Ok(edited.map_err(|error| self.place("").memory(error))?.into()),
            }
        }
        Err(self.place("").memory(last.expect("every other way out has returned")))
    }

    /// Forgets a memory; gives it as it was. The beginning of the id is enough.
    pub async fn forget_memory(&self, given: &str) -> Result<MemoryRow, Error> {
        let known = self.find_memory(given).await?;
        self.memory().forget(self.scope().user_id(), &known.id).await.map_err(|error| self.place("").memory(error))?;
        Ok(known.into())
    }

    /// Forgets everything that is remembered of the user; gives how much it was.
    pub async fn forget_memories(&self) -> Result<usize, Error> {
        self.memory().forget_all(self.scope().user_id()).await.map_err(|error| self.place("").memory(error))
    }

    async fn project_id(&self, given: Option<&str>) -> Result<Option<String>, Error> {
        match given {
            Some(given) => Ok(Some(self.find_project(given).await?.id)),
            None => Ok(None),
        }
    }

    /// The memory with this id, or the only one whose id begins so (with or without its `m-`).
    async fn find_memory(&self, given: &str) -> Result<Memory, Error> {
        let given = given.trim().to_lowercase();
        let bad = |error| self.place("").memory(error);
        if let Some(id) = MemoryId::parse(&given) {
            let found = self.memory().get(self.scope().user_id(), &id).await.map_err(bad)?;
            return found.ok_or(Error::UnknownMemory { given });
        }
        let begins = |memory: &Memory| {
            let id = memory.id.as_str();
            !given.is_empty() && (id.starts_with(&given) || id[2..].starts_with(&given))
        };
        let mut matches = self.memory().list(self.scope().user_id(), &Filter::default()).await.map_err(bad)?;
        matches.retain(begins);
        match matches.len() {
            0 => Err(Error::UnknownMemory { given }),
            1 => Ok(matches.remove(0)),
            _ => Err(Error::Ambiguous { given, matches: matches.into_iter().map(|found| found.id.into()).collect() }),
        }
    }

    /// Learns what a decision in a project taught, unless the project's settings switch that off.
    pub(crate) async fn learn_in(&self, project: &str, lessons: Vec<Lesson>) {
        match self.settings().values(Some(project)) {
            Ok(values) if values.pipeline.preferences => self.learn(lessons).await,
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "nothing was learnt"),
        }
    }

    /// Learns. What the user decided has been carried out and stands, whatever becomes of the lessons.
    pub(crate) async fn learn(&self, lessons: Vec<Lesson>) {
        for lesson in lessons {
            if let Err(error) = learn(self.memory(), self.scope().user_id(), &lesson).await {
                tracing::warn!(%error, topic = lesson.topic, "a lesson was not learnt");
            }
        }
    }

    /// What the author prefers, as lines for agents: what was seen most often first, as much as agents are told.
    pub(crate) async fn preferences(&self, project: &str, language: Language) -> Result<Vec<String>, Error> {
        if let Some(props) = self.props() {
            return Ok(props.preferences.clone());
        }
        let filter = Filter { kind: Some(Kind::Preference), project: Some(project.into()), active: Some(true) };
        let found = self.memory().foremost(self.scope().user_id(), &filter, MOST_TOLD).await;
        let found = found.map_err(|error| self.place("").memory(error))?;
        let lines: Vec<String> = found.iter().map(|memory| told(memory, language)).collect();
        Ok(fitting(&lines).into_iter().map(str::to_owned).collect())
    }
}

/// A memory in a line, with what the author last made of such a text.
fn told(memory: &Memory, language: Language) -> String {
    let text = memory.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let example = memory.evidence.iter().rfind(|evidence| evidence.what == What::Edited);
    match example {
        Some(example) => Hint::with_example(&text, &excerpt(&example.before), &excerpt(&example.after), language),
        None => text,
    }
}

fn excerpt(text: &str) -> String {
    let mut excerpt: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(EXAMPLE).collect();
    if excerpt.len() < text.trim().len() {
        excerpt.push('…');
    }
    excerpt
}
