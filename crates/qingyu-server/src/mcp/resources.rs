//! The URIs of a project's pieces.
//!
//! | address | what is there |
//! |---|---|
//! | `qingyu://project/{project}/story` | the whole story, JSON |
//! | `qingyu://project/{project}/report` | what the checker finds, JSON |
//! | `qingyu://project/{project}/characters/{id}` | a character card, JSON |
//! | `qingyu://project/{project}/outline/{id}` | an act, chapter or scene of the outline, JSON |
//! | `qingyu://project/{project}/documents/{id}` | a text of the book, plain |
//!
//! Pieces are named by id or by name. All characters except ASCII letters and digits are percent-encoded.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use qingyu_story::{Config, Language, Story};
use qingyu_tools::workspace::{LoadedStory, ProjectEntry};
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde::Serialize;
use serde_json::json;

use super::texts;

const ROOT: &str = "qingyu://project/";
const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// Maximum size of a resource, in bytes; clients reject longer lines.
const LARGEST: usize = 12 << 20;

/// A part of a project with a URI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResourceAddress {
    /// The project id.
    pub(crate) project: String,
    /// The part of the project.
    pub(crate) part: ResourcePart,
}

/// A part of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResourcePart {
    /// The whole story.
    Story,
    /// The findings of the checker.
    Report,
    /// A character, by id or name.
    Character(String),
    /// A node of the outline, by id or name.
    Outline(String),
    /// A text, by id or title.
    Document(String),
}

/// A reason why reading failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ResourceError {
    #[error("nothing is at this address")]
    NotFound,
    #[error("it has {bytes} bytes, more than a message takes; read its pieces one by one")]
    TooLarge { bytes: usize },
}

impl ResourceAddress {
    /// Parses a URI. Returns `None` for a foreign or malformed URI.
    pub(crate) fn parse(uri: &str) -> Option<Self> {
        let decoded = |part: &str| Some(percent_decode_str(part).decode_utf8().ok()?.into_owned());
        let parts: Vec<&str> = uri.strip_prefix(ROOT)?.split('/').collect();
        let (project, part) = match parts[..] {
            [project, "story"] => (project, ResourcePart::Story),
            [project, "report"] => (project, ResourcePart::Report),
            [project, "characters", id] => (project, ResourcePart::Character(decoded(id)?)),
            [project, "outline", id] => (project, ResourcePart::Outline(decoded(id)?)),
            [project, "documents", id] => (project, ResourcePart::Document(decoded(id)?)),
            _ => return None,
        };
        Some(Self { project: decoded(project)?, part })
    }

    /// Returns the URI as text.
    pub(crate) fn uri(&self) -> String {
        let encoded = |part: &str| utf8_percent_encode(part, NON_ALPHANUMERIC).to_string().replace("%2D", "-");
        let part = match &self.part {
            ResourcePart::Story => "story".to_owned(),
            ResourcePart::Report => "report".to_owned(),
            ResourcePart::Character(id) => format!("characters/{}", encoded(id)),
            ResourcePart::Outline(id) => format!("outline/{}", encoded(id)),
            ResourcePart::Document(id) => format!("documents/{}", encoded(id)),
        };
        format!("{ROOT}{}/{part}", encoded(&self.project))
    }
}

/// Reads the resource at an address.
pub(crate) fn read(
    address: &ResourceAddress,
    loaded: &LoadedStory,
    checks: &Config,
) -> Result<ResourceContents, ResourceError> {
    let story = &loaded.story;
    let is_called = |id: &str, name: &str, called: &String| id == called || name == called;
    let (mime, text) = match &address.part {
        ResourcePart::Story => (JSON, json(story.as_ref())),
        ResourcePart::Report => (JSON, report(loaded, checks)),
        ResourcePart::Character(called) => {
            let found = story.characters.iter().find(|piece| is_called(&piece.id, &piece.name, called));
            (JSON, json(found.ok_or(ResourceError::NotFound)?))
        }
        ResourcePart::Outline(called) => {
            let found = story.outline_nodes.iter().find(|piece| is_called(&piece.id, &piece.name, called));
            (JSON, json(found.ok_or(ResourceError::NotFound)?))
        }
        ResourcePart::Document(called) => {
            let found = story.documents.iter().find(|piece| is_called(&piece.id, &piece.title, called));
            (TEXT, found.ok_or(ResourceError::NotFound)?.text.clone())
        }
    };
    if text.len() > LARGEST {
        return Err(ResourceError::TooLarge { bytes: text.len() });
    }
    Ok(ResourceContents::text(text, address.uri()).with_mime_type(mime))
}

/// Returns all resources of a project.
pub(crate) fn list(project: &str, story: &Story, language: Language) -> Vec<Resource> {
    let entry = |part: ResourcePart, name: &str, kind: &str, mime: &str| {
        let uri = ResourceAddress { project: project.to_owned(), part }.uri();
        let title = texts::text(language, &format!("{kind}.title"));
        let title = if name.is_empty() { title.to_owned() } else { format!("{title} · {name}") };
        let name = if name.is_empty() { kind } else { name };
        Resource::new(uri, name)
            .with_title(title)
            .with_description(texts::text(language, &format!("{kind}.about")))
            .with_mime_type(mime)
    };
    let whole = [entry(ResourcePart::Story, "", "story", JSON), entry(ResourcePart::Report, "", "report", JSON)];
    let characters = story
        .characters
        .iter()
        .map(|piece| entry(ResourcePart::Character(piece.id.clone()), &piece.name, "characters", JSON));
    let outline = story
        .outline_nodes
        .iter()
        .map(|piece| entry(ResourcePart::Outline(piece.id.clone()), &piece.name, "outline", JSON));
    let documents = story
        .documents
        .iter()
        .map(|piece| entry(ResourcePart::Document(piece.id.clone()), &piece.title, "documents", TEXT));
    whole.into_iter().chain(characters).chain(outline).chain(documents).collect()
}

/// Returns the whole story and the report of each project.
pub(crate) fn of_projects(projects: &[ProjectEntry], language: Language) -> Vec<Resource> {
    let mut resources = Vec::new();
    for entry in projects {
        for resource in list(&entry.project, &Story::default(), language) {
            let title = format!("{} · {}", resource.title.as_deref().unwrap_or_default(), entry.title);
            resources.push(resource.with_title(title));
        }
    }
    resources
}

/// Returns the URI templates.
pub(crate) fn templates(language: Language) -> Vec<ResourceTemplate> {
    let template = |kind: &str, mime: &str, is_one_of_many: bool| {
        let place = if is_one_of_many { format!("{kind}/{{id}}") } else { kind.to_owned() };
        ResourceTemplate::new(format!("{ROOT}{{project}}/{place}"), kind)
            .with_title(texts::text(language, &format!("{kind}.title")))
            .with_description(texts::text(language, &format!("{kind}.about")))
            .with_mime_type(mime)
    };
    vec![
        template("story", JSON, false),
        template("report", JSON, false),
        template("characters", JSON, true),
        template("outline", JSON, true),
        template("documents", TEXT, true),
    ]
}

fn report(loaded: &LoadedStory, checks: &Config) -> String {
    let findings = qingyu_story::findings(&loaded.story, checks);
    let score = qingyu_story::score(findings.iter().map(|finding| &finding.issue));
    json(&json!({"version": loaded.version, "score": score, "findings": findings}))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("a story is plain data")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        let parts = [
            ResourcePart::Story,
            ResourcePart::Report,
            ResourcePart::Character("c-1".into()),
            ResourcePart::Outline("第一章 雨夜/来客?".into()),
            ResourcePart::Document("d-2".into()),
        ];
        for part in parts {
            let address = ResourceAddress { project: "雨 夜/1".into(), part };
            assert_eq!(ResourceAddress::parse(&address.uri()), Some(address.clone()), "{}", address.uri());
        }
        let card = ResourceAddress { project: "p-1".into(), part: ResourcePart::Character("c-1".into()) };
        assert_eq!(card.uri(), "qingyu://project/p-1/characters/c-1");
    }

    #[test]
    fn what_is_no_address_of_ours_is_refused() {
        for uri in ["", "file:///etc/passwd", "qingyu://project/p-1", "qingyu://project/p-1/secrets/1"] {
            assert_eq!(ResourceAddress::parse(uri), None, "{uri}");
        }
    }

    proptest! {
        #[test]
        fn any_address_is_read_as_it_is_written(
            project in "\\PC{0,12}",
            id in "\\PC{0,12}",
            uri in "qingyu://project/[a-z0-9%/ 雨-]{0,8}/(story|report|(characters|outline|documents)/[a-z0-9%2DF雨./?-]{0,12})",
        ) {
            let written = ResourceAddress { project, part: ResourcePart::Document(id) };
            prop_assert_eq!(ResourceAddress::parse(&written.uri()), Some(written));
            if let Some(address) = ResourceAddress::parse(&uri) {
                prop_assert_eq!(ResourceAddress::parse(&address.uri()), Some(address));
            }
        }
    }
}
