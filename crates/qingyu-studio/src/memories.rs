//! Memories of the user: list, insert, edit, delete; learnt from decisions and passed to agents.

pub(crate) mod lessons;
pub(crate) mod sessions;
pub(crate) mod told;

use jiff::Timestamp;
use qingyu_agents::preference::{PreferenceHint, fitting};
use qingyu_memory::learning::{Lesson, learn};
use qingyu_memory::long_term::{Edit, Evidence, Kind, MemoryFilter, MemoryMatch, Source, Standing, What};
use qingyu_memory::{Memory, MemoryId};
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Noun};
use crate::runs::config::RunConfig;
use crate::studio::Studio;

/// The maximum number of retries after concurrent changes.
const PATIENCE: usize = 8;
/// The maximum number of preferences considered for agents; a limit in tokens applies as well.
const MOST_TOLD: usize = 100;
/// The maximum number of memories returned by a search.
const MOST_FOUND: usize = 50;
/// The maximum length of an example in a line for agents, in characters.
const EXAMPLE: usize = 60;

/// A memory in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryRow {
    /// The memory.
    #[serde(flatten)]
    pub memory: Memory,
    /// Whether the memory is active.
    pub active: bool,
}

impl From<Memory> for MemoryRow {
    fn from(memory: Memory) -> Self {
        Self { active: memory.standing.is_active(), memory }
    }
}

impl Studio {
    /// Returns the memories, last changed first, or with `words` by relevance, at most 50. With a project, named as for
    /// [`show`](Self::show), returns the memories of the project and of all projects.
    ///
    /// Memories are about the user, from all projects: this and the changes below return [`Error::Forbidden`] if the
    /// caller sees only some projects.
    pub async fn memories(
        &self,
        kind: Option<Kind>,
        project: Option<&str>,
        words: Option<&str>,
    ) -> Result<Vec<MemoryRow>, Error> {
        self.scope().demand_all()?;
        let filter = MemoryFilter { kind, project: self.project_id(project).await?, active: None };
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
                found.into_iter().map(|MemoryMatch { memory, .. }| memory.into()).collect()
            }
        })
    }

    /// Inserts a memory stated by the user, for a project or for all projects. A duplicate increases the count of the
    /// existing memory and activates it.
    ///
    /// Returns [`Error::BadMemory`] if the text is empty, too long or has control characters.
    pub async fn remember(&self, kind: Kind, text: &str, project: Option<&str>) -> Result<MemoryRow, Error> {
        self.scope().demand_all()?;
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

    /// Changes the text of a memory, or activates or deactivates it. A unique prefix of the ID is enough.
    ///
    /// Returns [`Error::Unknown`] if no memory matches, [`Error::Ambiguous`] if several match.
    pub async fn edit_memory(&self, given: &str, text: Option<&str>, on: Option<bool>) -> Result<MemoryRow, Error> {
        self.scope().demand_all()?;
        let standing = on.map(|on| if on { Standing::On } else { Standing::Off });
        let edit = Edit { text: text.map(str::to_owned), standing, seen: None };
        let mut last = None;
        for _ in 0..PATIENCE {
            let known = self.find_memory(given).await?;
            match self.memory().edit(self.scope().user_id(), &known.id, known.revision, edit.clone()).await {
                // A concurrent change; retry, since the edit does not depend on the old value.
                Err(error @ qingyu_memory::Error::Changed { .. }) => last = Some(error),
                edited => return Ok(edited.map_err(|error| self.place("").memory(error))?.into()),
            }
        }
        Err(self.place("").memory(last.expect("every other way out has returned")))
    }

    /// Deletes a memory and returns it. A unique prefix of the ID is enough.
    pub async fn forget_memory(&self, given: &str) -> Result<MemoryRow, Error> {
        self.scope().demand_all()?;
        let known = self.find_memory(given).await?;
        self.memory().forget(self.scope().user_id(), &known.id).await.map_err(|error| self.place("").memory(error))?;
        Ok(known.into())
    }

    /// Deletes all memories of the user and returns their number.
    pub(crate) async fn forget_memories(&self) -> Result<usize, Error> {
        self.scope().demand_all()?;
        self.memory().forget_all(self.scope().user_id()).await.map_err(|error| self.place("").memory(error))
    }

    async fn project_id(&self, given: Option<&str>) -> Result<Option<String>, Error> {
        match given {
            Some(given) => Ok(Some(self.find_project(given).await?.id)),
            None => Ok(None),
        }
    }

    /// Returns the memory with the given ID or unique ID prefix (with or without `m-`).
    async fn find_memory(&self, given: &str) -> Result<Memory, Error> {
        let given = given.trim().to_lowercase();
        let bad = |error| self.place("").memory(error);
        if let Some(id) = MemoryId::parse(&given) {
            let found = self.memory().get(self.scope().user_id(), &id).await.map_err(bad)?;
            return found.ok_or_else(|| Error::unknown(Noun::Memory, given));
        }
        let begins = |memory: &Memory| {
            let id = memory.id.as_str();
            !given.is_empty() && (id.starts_with(&given) || id[2..].starts_with(&given))
        };
        let mut matches = self.memory().list(self.scope().user_id(), &MemoryFilter::default()).await.map_err(bad)?;
        matches.retain(begins);
        match matches.len() {
            0 => Err(Error::unknown(Noun::Memory, given)),
            1 => Ok(matches.remove(0)),
            _ => Err(Error::Ambiguous { given, matches: matches.into_iter().map(|found| found.id.into()).collect() }),
        }
    }

    /// Learns the lessons of a decision in a project, unless disabled by the project's settings.
    pub(crate) async fn learn_in(&self, project: &str, lessons: Vec<Lesson>) {
        match self.settings().values(Some(project)) {
            Ok(values) if values.pipeline.preferences => self.learn(lessons).await,
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "failed to learn from a decision"),
        }
    }

    /// Learns the statement that the author's words ask to remember, if any.
    pub(crate) async fn learn_from_words(&self, project: &str, words: &str) {
        if let Some(lesson) = told::of_words(project, words, Timestamp::now()) {
            self.learn_in(project, vec![lesson]).await;
        }
    }

    /// Stores lessons. Logs errors only: the user's decision is already saved.
    pub(crate) async fn learn(&self, lessons: Vec<Lesson>) {
        for lesson in lessons {
            if let Err(error) = learn(self.memory(), self.scope().user_id(), &lesson).await {
                tracing::warn!(%error, topic = lesson.topic, "failed to store a lesson");
            }
        }
    }

    /// Returns the author's preferences as lines for agents, then knowledge and history, each most frequent first, up to
    /// the token limit. Empty if the run's settings switch preferences off.
    pub(crate) async fn preferences(&self, project: &str, config: &RunConfig) -> Result<Vec<String>, Error> {
        if !config.pipeline.preferences {
            return Ok(Vec::new());
        }
        if let Some(props) = self.props() {
            return Ok(props.preferences.clone());
        }
        let mut lines: Vec<String> = Vec::new();
        for kind in [Kind::Preference, Kind::Knowledge, Kind::History] {
            let filter = MemoryFilter { kind: Some(kind), project: Some(project.into()), active: Some(true) };
            let found = self.memory().foremost(self.scope().user_id(), &filter, MOST_TOLD).await;
            let found = found.map_err(|error| self.place("").memory(error))?;
            lines.extend(found.iter().filter_map(|memory| memory_line(memory, config.language)));
        }
        Ok(fitting(&lines).into_iter().map(str::to_owned).collect())
    }
}

/// Returns a memory as a line, with the author's last example; `None` if it is not for agents.
fn memory_line(memory: &Memory, language: Language) -> Option<String> {
    let text = lessons::text_for_agents(memory, language)?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let example = memory.evidence.iter().rfind(|evidence| evidence.what == What::Edited);
    Some(match example {
        Some(example) => {
            PreferenceHint::with_example(&text, &excerpt(&example.before), &excerpt(&example.after), language)
        }
        None => text,
    })
}

fn excerpt(text: &str) -> String {
    let mut excerpt: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(EXAMPLE).collect();
    if excerpt.len() < text.trim().len() {
        excerpt.push('…');
    }
    excerpt
}
