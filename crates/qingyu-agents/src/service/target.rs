//! The text of a task.

use qingyu_story::chapters::{Chapter, ChapterLookupError, Chapters};
use qingyu_story::{Document, Names, PieceKind, Story};
use serde::{Deserialize, Serialize};

use crate::service::failure::{AgentHalt, Failure};
use crate::service::task::Task;
use crate::service::work::AgentWork;

/// Maximum size of a text in bytes; the rest of a longer text is ignored.
pub const LONGEST: usize = 1 << 20;

/// A text, with its position in the project.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskTarget {
    /// Title; empty for a text outside a project.
    pub title: String,
    /// The text; empty for a chapter without prose.
    pub text: String,
    /// Id of the document, if any.
    pub document: Option<String>,
    /// Id of the outline node behind the text.
    pub node: Option<String>,
    /// Position in reading order.
    pub order: u32,
    /// Participants, according to the outline.
    pub participants: Vec<String>,
    /// Number of bytes cut from an overlong text.
    pub left_out: usize,
}

impl TaskTarget {
    /// Returns the text given with `task`, or the named chapter; `None` without either. Emits a warning if the text is
    /// cut.
    pub(crate) async fn of(task: &Task, work: &AgentWork<'_>) -> Result<Option<Self>, AgentHalt> {
        if let Some(text) = &task.text {
            return Ok(Some(Self { text: text.clone(), ..Self::default() }.bounded(work)));
        }
        let Some(chapter) = task.chapter.as_deref().filter(|chapter| !chapter.trim().is_empty()) else {
            return Ok(None);
        };
        let found = work.read("find", |story| find(story, chapter)).await?;
        match found {
            Ok(found) => Ok(Some(found.bounded(work))),
            Err(ChapterLookupError::Ambiguous { given, choices }) => {
                Err(Failure::AmbiguousChapter { given, choices }.into())
            }
            Err(_) => Err(Failure::UnknownChapter { given: chapter.to_owned() }.into()),
        }
    }

    /// Returns the same text; the fallback is the last chapter with a text.
    pub(crate) async fn or_last(task: &Task, work: &AgentWork<'_>) -> Result<Self, AgentHalt> {
        if let Some(target) = Self::of(task, work).await? {
            return Ok(target);
        }
        if task.project.is_none() {
            return Err(Failure::NoText.into());
        }
        let found = work.read("target", last).await?;
        Ok(found.ok_or(Failure::NothingWritten)?.bounded(work))
    }

    /// Returns the same text, or an error if it is missing or empty.
    pub(crate) async fn to_read(task: &Task, work: &AgentWork<'_>) -> Result<Self, AgentHalt> {
        let target = Self::of(task, work).await?.ok_or(Failure::NoText)?;
        if target.text.trim().is_empty() { Err(Failure::EmptyText.into()) } else { Ok(target) }
    }

    fn bounded(mut self, work: &AgentWork<'_>) -> Self {
        if self.text.len() > LONGEST {
            let end = (0..=LONGEST).rev().find(|end| self.text.is_char_boundary(*end)).unwrap_or_default();
            self.left_out = self.text.len() - end;
            self.text.truncate(end);
            work.warn(match work.language() {
                qingyu_story::Language::Zh => {
                    format!("文本太长，只处理前 {} 个字符", self.text.chars().count())
                }
                qingyu_story::Language::En => {
                    format!("the text is too long; only its first {} characters are used", self.text.chars().count())
                }
            });
        }
        self
    }
}

/// Resolves `given` to a chapter, or to a text outside the book by title or id.
///
/// Returns an error if nothing matches, or several do.
pub fn find(story: &Story, given: &str) -> Result<TaskTarget, ChapterLookupError> {
    let names = Names::of(story);
    let chapters = Chapters::with(story, &names);
    match chapters.resolve(given) {
        Ok(chapter) => Ok(of_chapter(story, &names, chapter)),
        Err(error) => match names.resolve(PieceKind::Document, given) {
            Some(document) if matches!(error, ChapterLookupError::Unknown { .. }) => {
                Ok(of_document(story, &names, &story.documents[document.position]))
            }
            _ => Err(error),
        },
    }
}

/// Returns the last text of the book.
fn last(story: &Story) -> Option<TaskTarget> {
    let told = story.documents.iter().filter(|document| document.order > 0 && !document.text.trim().is_empty());
    let last = told.max_by_key(|document| document.order)?;
    Some(of_document(story, &Names::of(story), last))
}

fn of_chapter(story: &Story, names: &Names, chapter: &Chapter) -> TaskTarget {
    let node = chapter.node.map(|node| &story.outline_nodes[node]);
    match (chapter.documents.first(), node) {
        (Some(document), _) => of_document(story, names, &story.documents[*document]),
        (None, Some(node)) => TaskTarget {
            title: node.name.clone(),
            node: Some(node.id.clone()),
            order: node.order,
            participants: node.participants.clone(),
            ..TaskTarget::default()
        },
        (None, None) => TaskTarget::default(),
    }
}

fn of_document(story: &Story, names: &Names, document: &Document) -> TaskTarget {
    let node = document.outline_node.as_deref().and_then(|name| names.resolve(PieceKind::OutlineNode, name));
    let node = node.map(|node| &story.outline_nodes[node.position]);
    TaskTarget {
        title: document.title.clone(),
        text: document.text.clone(),
        document: Some(document.id.clone()),
        node: node.map(|node| node.id.clone()),
        order: document.order,
        participants: node.map(|node| node.participants.clone()).unwrap_or_default(),
        left_out: 0,
    }
}

#[cfg(test)]
mod tests {
    use qingyu_story::{OutlineNode, OutlineNodeKind};

    use super::*;

    fn story() -> Story {
        let node = |id: &str, order, name: &str, kind| OutlineNode {
            id: id.into(),
            order,
            name: name.into(),
            kind,
            participants: vec!["林深".into()],
            ..OutlineNode::default()
        };
        let document = |id: &str, order, title: &str, node: Option<&str>| Document {
            id: id.into(),
            order,
            title: title.into(),
            outline_node: node.map(Into::into),
            text: format!("{title}的正文。"),
            ..Document::default()
        };
        Story {
            outline_nodes: vec![
                node("o-1", 1, "第一幕", OutlineNodeKind::Act),
                node("o-2", 2, "第一章 雨夜", OutlineNodeKind::Chapter),
                node("o-3", 3, "第二章 旧港", OutlineNodeKind::Chapter),
            ],
            documents: vec![document("d-1", 7, "雨夜", Some("第一章 雨夜")), document("d-2", 8, "番外", None)],
            ..Story::default()
        }
    }

    #[test]
    fn a_chapter_is_found_by_what_people_call_it() {
        let story = story();
        let found = |given: &str| find(&story, given).ok().map(|target| (target.title, target.document));
        let first = Some(("雨夜".to_owned(), Some("d-1".to_owned())));
        for given in ["1", "第一章", "第1章", "chapter 1", "雨夜", "d-1", "第一章 雨夜"] {
            assert_eq!(found(given), first, "{given}");
        }
        assert_eq!(found("2"), Some(("第二章 旧港".into(), None)), "planned, not written");
        assert_eq!(found("8"), None, "no heading has that number");
        assert_eq!(found("番外"), Some(("番外".into(), Some("d-2".into()))), "a text without a node");
        assert_eq!(found("第九章"), None);
        assert_eq!(last(&story).unwrap().title, "番外");
    }
}
