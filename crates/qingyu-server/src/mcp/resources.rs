//! The addresses of a project's pieces.
//!
//! | address | what is there |
//! |---|---|
//! | `qingyu://project/{project}/story` | the whole story, JSON |
//! | `qingyu://project/{project}/report` | what the checker finds, JSON |
//! | `qingyu://project/{project}/characters/{id}` | a character card, JSON |
//! | `qingyu://project/{project}/outline/{id}` | an act, chapter or scene of the outline, JSON |
//! | `qingyu://project/{project}/documents/{id}` | a text of the book, plain |
//!
//! Pieces are named by id; their names are taken too. What is no plain letter or digit is percent-encoded.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use qingyu_story::{Config, Language, Story};
use qingyu_tools::workspace::Loaded;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde::Serialize;
use serde_json::json;

use super::texts;

const ROOT: &str = "qingyu://project/";
const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// The most bytes of one resource; clients do not take longer lines.
const LARGEST: usize = 12 << 20;

/// Something of a project that has an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The project.
    pub project: String,
    /// What of it.
    pub part: Part,
}

/// What of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The whole story.
    Story,
    /// What the checker finds.
    Report,
    /// A character, by id or name.
    Character(String),
    /// A node of the outline, by id or name.
    Outline(String),
    /// A text, by id or title.
    Document(String),
}

/// Why there is nothing to read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Error {
    #[error("nothing is at this address")]
    NotFound,
    #[error("it has {bytes} bytes, more than a message takes; read its pieces one by one")]
    TooLarge { bytes: usize },
}

impl Address {
    /// Reads an address. `None` if it is none of ours.
    pub fn parse(uri: &str) -> Option<Self> {
        let decoded = |part: &str| Some(percent_decode_str(part).decode_utf8().ok()?.into_owned());
        let parts: Vec<&str> = uri.strip_prefix(ROOT)?.split('/').collect();
        let (project, part) = match parts[..] {
            [project, "story"] => (project, Part::Story),
            [project, "report"] => (project, Part::Report),
            [project, "characters", id] => (project, Part::Character(decoded(id)?)),
            [project, "outline", id] => (project, Part::Outline(decoded(id)?)),
            [project, "documents", id] => (project, Part::Document(decoded(id)?)),
            _ => return None,
        };
        Some(Self { project: decoded(project)?, part })
    }

    /// The address as text.
    pub fn uri(&self) -> String {
        let encoded = |part: &str| utf8_percent_encode(part, NON_ALPHANUMERIC).to_string().replace("%2D", "-");
        let part = match &self.part {
            Part::Story => "story".to_owned(),
            Part::Report => "report".to_owned(),
            Part::Character(id) => format!("characters/{}", encoded(id)),
            Part::Outline(id) => format!("outline/{}", encoded(id)),
            Part::Document(id) => format!("documents/{}", encoded(id)),
        };
        format!("{ROOT}{}/{part}", encoded(&self.project))
    }
}

/// What stands at the address.
pub(crate) fn read(address: &Address, loaded: &Loaded, checks: &Config) -> Result<ResourceContents, Error> {
    let story = &loaded.story;
    let is_called = |id: &str, name: &str, called: &String| id == called || name == called;
    let (mime, text) = match &address.part {
        Part::Story => (JSON, json(story.as_ref())),
        Part::Report => (JSON, report(loaded, checks)),
        Part::Character(called) => {
            let found = story.characters.iter().find(|piece| is_called(&piece.id, &piece.name, called));
            (JSON, json(found.ok_or(Error::NotFound)?))
        }
        Part::Outline(called) => {
            let found = story.outline_nodes.iter().find(|piece| is_called(&piece.id, &piece.name, called));
            (JSON, json(found.ok_or(Error::NotFound)?))
        }
        Part::Document(called) => {
            let found = story.documents.iter().find(|piece| is_called(&piece.id, &piece.title, called));
            (TEXT, found.ok_or(Error::NotFound)?.text.clone())
        }
    };
    if text.len() > LARGEST {
        return Err(Error::TooLarge { bytes: text.len() });
    }
    Ok(ResourceContents::text(text, address.uri()).with_mime_type(mime))
}

/// All that can be read of a project.
pub(crate) fn list(project: &str, story: &Story, language: Language) -> Vec<Resource> {
    let entry = |part: Part, name: &str, kind: &str, mime: &str| {
        let uri = Address { project: project.to_owned(), part }.uri();
        let title = texts::text(language, &format!("{kind}.title"));
        let title = if name.is_empty() { title.to_owned() } else { format!("{title} · {name}") };
        let name = if name.is_empty() { kind } else { name };
        Resource::new(uri, name)
            .with_title(title)
            .with_description(texts::text(language, &format!("{kind}.about")))
            .with_mime_type(mime)
    };
    let whole = [entry(Part::Story, "", "story", JSON), entry(Part::Report, "", "report", JSON)];
    let characters =
        story.characters.iter().map(|piece| entry(Part::Character(piece.id.clone()), &piece.name, "characters", JSON));
    let outline =
        story.outline_nodes.iter().map(|piece| entry(Part::Outline(piece.id.clone()), &piece.name, "outline", JSON));
    let documents =
        story.documents.iter().map(|piece| entry(Part::Document(piece.id.clone()), &piece.title, "documents", TEXT));
    whole.into_iter().chain(characters).chain(outline).chain(documents).collect()
}

/// The forms of all addresses.
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

fn report(loaded: &Loaded, checks: &Config) -> String {
    let findings = qingyu_story::findings(&loaded.story, checks);
    let score = qingyu_story::score(findings.iter().map(|finding| &finding.issue));
    json(&json!({"version": loaded.version, "score": score, "findings": findings}))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("a story is plain data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        let parts = [
            Part::Story,
            Part::Report,
            Part::Character("c-1".into()),
            Part::Outline("第一章 雨夜/来客?".into()),
            Part::Document("d-2".into()),
        ];
        for part in parts {
            let address = Address { project: "雨 夜/1".into(), part };
            assert_eq!(Address::parse(&address.uri()), Some(address.clone()), "{}", address.uri());
        }
        let card = Address { project: "p-1".into(), part: Part::Character("c-1".into()) };
        assert_eq!(card.uri(), "qingyu://project/p-1/characters/c-1");
    }

    #[test]
    fn what_is_no_address_of_ours_is_refused() {
        for uri in ["", "file:///etc/passwd", "qingyu://project/p-1", "qingyu://project/p-1/secrets/1"] {
            assert_eq!(Address::parse(uri), None, "{uri}");
        }
    }
}
