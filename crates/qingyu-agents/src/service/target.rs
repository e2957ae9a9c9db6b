//! The text that a task is about.

use qingyu_story::{Document, Names, OutlineNode, OutlineNodeKind, PieceKind, Story};
use serde::{Deserialize, Serialize};

use super::{Failure, Halt, Task, Work};

/// The longest text that is worked on, in bytes; of a longer one only the beginning is.
pub const LONGEST: usize = 1 << 20;

/// A text, and where it stands.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Target {
    /// What it is called; empty for a text without a project.
    pub title: String,
    /// The text; empty for a chapter that is only planned.
    pub text: String,
    /// The document's id, if there is one.
    pub document: Option<String>,
    /// The outline node that it tells, by id.
    pub node: Option<String>,
    /// Its place in reading order.
    pub order: u32,
    /// Who takes part, as the outline says.
    pub participants: Vec<String>,
    /// How many bytes of the text were left out because it is too long.
    pub left_out: usize,
}

impl Target {
    /// The text of `task`: the one that is given, or the chapter that is named. Says so if it is cut.
    pub async fn of(task: &Task, work: &Work<'_>) -> Result<Option<Self>, Halt> {
        if let Some(text) = &task.text {
            return Ok(Some(Self { text: text.clone(), ..Self::default() }.bounded(work)));
        }
        let Some(chapter) = task.chapter.as_deref().filter(|chapter| !chapter.trim().is_empty()) else {
            return Ok(None);
        };
        let found = work.read("target", |story| find(story, chapter)).await?;
        let found = found.ok_or_else(|| Failure::UnknownChapter { given: chapter.to_owned() })?;
        Ok(Some(found.bounded(work)))
    }

    /// The same, or the last chapter that has a text.
    pub async fn or_last(task: &Task, work: &Work<'_>) -> Result<Self, Halt> {
        if let Some(target) = Self::of(task, work).await? {
            return Ok(target);
        }
        if task.project.is_none() {
            return Err(Failure::NoText.into());
        }
        let found = work.read("target", last).await?;
        Ok(found.ok_or(Failure::NothingWritten)?.bounded(work))
    }

    /// The same, if there is anything in it to read.
    pub async fn to_read(task: &Task, work: &Work<'_>) -> Result<Self, Halt> {
        let target = Self::of(task, work).await?.ok_or(Failure::NoText)?;
        if target.text.trim().is_empty() { Err(Failure::EmptyText.into()) } else { Ok(target) }
    }

    fn bounded(mut self, work: &Work<'_>) -> Self {
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

/// The chapter of that number, title or id.
///
/// A number is the place among the chapters of the outline, or, in a book without an outline, among its documents.
pub fn find(story: &Story, given: &str) -> Option<Target> {
    let names = Names::of(story);
    if let Some(document) = names.resolve(PieceKind::Document, given) {
        return Some(of_document(story, &names, &story.documents[document.position]));
    }
    if let Some(node) = names.resolve(PieceKind::OutlineNode, given) {
        return Some(of_node(story, &names, &story.outline_nodes[node.position]));
    }
    let number = number(given)?;
    let mut chapters =
        story.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Chapter).collect::<Vec<_>>();
    chapters.sort_by_key(|node| node.order);
    let place = usize::try_from(number).ok()?.checked_sub(1)?;
    if let Some(node) = chapters.get(place) {
        return Some(of_node(story, &names, node));
    }
    let document = story.documents.iter().find(|document| document.order == number)?;
    Some(of_document(story, &names, document))
}

/// The last text of the book.
fn last(story: &Story) -> Option<Target> {
    let told = story.documents.iter().filter(|document| document.order > 0 && !document.text.trim().is_empty());
    let last = told.max_by_key(|document| document.order)?;
    Some(of_document(story, &Names::of(story), last))
}

fn of_node(story: &Story, names: &Names, node: &OutlineNode) -> Target {
    let tells = |document: &&Document| {
        let told = document.outline_node.as_deref().and_then(|name| names.resolve(PieceKind::OutlineNode, name));
        told.is_some_and(|told| std::ptr::eq(&story.outline_nodes[told.position], node))
    };
    match story.documents.iter().find(tells) {
        Some(document) => of_document(story, names, document),
        None => Target {
            title: node.name.clone(),
            node: Some(node.id.clone()),
            order: node.order,
            participants: node.participants.clone(),
            ..Target::default()
        },
    }
}

fn of_document(story: &Story, names: &Names, document: &Document) -> Target {
    let node = document.outline_node.as_deref().and_then(|name| names.resolve(PieceKind::OutlineNode, name));
    let node = node.map(|node| &story.outline_nodes[node.position]);
    Target {
        title: document.title.clone(),
        text: document.text.clone(),
        document: Some(document.id.clone()),
        node: node.map(|node| node.id.clone()),
        order: document.order,
        participants: node.map(|node| node.participants.clone()).unwrap_or_default(),
        left_out: 0,
    }
}

/// `3`, `第3章` and `第三章` are 3.
fn number(given: &str) -> Option<u32> {
    let given = given.trim().to_lowercase();
    let given = given.strip_prefix("chapter").unwrap_or(&given).trim();
    let given = given.strip_prefix('第').map_or(given, |rest| rest.trim_end_matches(['章', '回', '节']));
    given.parse().ok().or_else(|| chinese(given))
}

/// A Chinese number below ten thousand.
fn chinese(text: &str) -> Option<u32> {
    const DIGITS: &str = "零一二三四五六七八九";
    let (mut sum, mut digit) = (0_u32, None);
    for c in text.chars() {
        let value = match c {
            '〇' => Some(0),
            '两' => Some(2),
            c => DIGITS.chars().position(|known| known == c).and_then(|value| u32::try_from(value).ok()),
        };
        let unit = match c {
            '十' => 10,
            '百' => 100,
            '千' => 1000,
            _ => {
                digit = Some(value?);
                continue;
            }
        };
        sum += digit.take().unwrap_or(1) * unit;
    }
    (!text.is_empty()).then_some(sum + digit.unwrap_or(0))
}

#[cfg(test)]
mod tests {
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
        let found = |given: &str| find(&story, given).map(|target| (target.title, target.document));
        let first = Some(("雨夜".to_owned(), Some("d-1".to_owned())));
        for given in ["1", "第一章", "第1章", "chapter 1", "雨夜", "d-1", "第一章 雨夜"] {
            assert_eq!(found(given), first, "{given}");
        }
        assert_eq!(found("2"), Some(("第二章 旧港".into(), None)), "planned, not written");
        assert_eq!(found("8"), Some(("番外".into(), Some("d-2".into()))), "a text without a node, by its order");
        assert_eq!(found("第九章"), None);
        assert_eq!(last(&story).unwrap().title, "番外");
    }

    #[test]
    fn chinese_numbers_are_read() {
        for (text, expected) in
            [("三", 3), ("十", 10), ("十二", 12), ("二十", 20), ("一百零五", 105), ("两千三百四十一", 2341)]
        {
            assert_eq!(chinese(text), Some(expected), "{text}");
        }
        assert_eq!(chinese("雨"), None);
    }
}
