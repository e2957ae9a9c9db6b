//! Import of stories.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_store::{Project, ProjectDraft, change};
use qingyu_story::{Story, ids};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::projects::draft::new_project;
use crate::projects::row::{ProjectRow, project_row};
use crate::stories::saved::{by_hand, key};
use crate::studio::Studio;

/// A parsed story file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoryFile {
    /// The story.
    pub story: Story,
    /// Unknown fields of the file, ignored by the import, such as `characters[0].ege`.
    #[serde(default)]
    pub unknown: Vec<String>,
}

/// The result of importing a story as a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StoryImport {
    /// The project.
    pub project: ProjectRow,
    /// The number of pieces, by kind.
    pub pieces: BTreeMap<String, usize>,
    /// The ignored fields of the file.
    pub unknown: Vec<String>,
}

/// Parses a story from JSON.
///
/// Returns [`Error::BadMaterial`] with the path of the invalid value.
pub fn read_story(json: &[u8]) -> Result<StoryFile, Error> {
    let bad = |path: String, message: String| Error::BadMaterial { path, message };
    // Editors insert a byte order mark, and old editors use other encodings.
    let text = qingyu_formats::decode(json, None).map_err(|error| bad(".".into(), error.to_string()))?.text;
    let mut unknown = Vec::new();
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
    let story = serde_ignored::deserialize(tracked, |path| unknown.push(path.to_string()));
    let story: Story = story.map_err(|error: serde_json::Error| bad(track.path().to_string(), error.to_string()))?;
    deserializer.end().map_err(|error| bad(".".into(), error.to_string()))?;
    if !unknown.is_empty() && story == Story::default() {
        let message = format!("this is no story: nothing is known of {}", unknown.join(", "));
        return Err(bad(".".into(), message));
    }
    Ok(StoryFile { story, unknown })
}

impl Studio {
    /// Creates a project from a story, in a single change. Pieces without an ID get an ID.
    pub async fn import(&self, file: StoryFile, title: Option<String>) -> Result<StoryImport, Error> {
        let StoryFile { mut story, unknown } = file;
        ids::assign(&mut story);
        let bad = |error| self.place("").store(error);
        let now = Timestamp::now();
        let new = new_project(title.as_deref(), &story.premise, story.language);
        let changes = change::difference(&Story::default(), &story);
        let mut pieces = BTreeMap::new();
        changes.iter().for_each(|change| *pieces.entry(change.names().0.name().to_owned()).or_default() += 1);
        let (project, _) =
            self.stories_table().create(new, key("import"), by_hand(), changes, now).await.map_err(bad)?;
        Ok(StoryImport { project: project_row(project), pieces, unknown })
    }

    /// Creates a project from another project's story, keeping the ID counters.
    pub(crate) async fn bring_in(&self, story: &Story, title: &str) -> Result<Project, Error> {
        let bad = |error| self.place("").store(error);
        let new = ProjectDraft {
            title: title.into(),
            language: story.language,
            premise: story.premise.clone(),
            untitled: false,
        };
        let changes = change::difference(&Story::default(), story);
        let created = self.stories_table().create(new, key("replay"), by_hand(), changes, Timestamp::now()).await;
        let (project, _) = created.map_err(bad)?;
        self.projects_table().note_ids(&project.id, &story.last_ids).await.map_err(bad)?;
        self.projects_table().get(&project.id).await.map_err(bad)
    }
}
