//! Computation of a manuscript's changes to a story. Pure: saves nothing.

use std::collections::{BTreeMap, HashMap, HashSet};

use qingyu_formats::{Split, SplitChapter};
use qingyu_story::{Document, Language, OutlineNode, OutlineNodeKind, Story, numerals};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A chapter of a manuscript and its import result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedChapter {
    /// The title in the story.
    pub title: String,
    /// The volume.
    pub volume: Option<String>,
    /// The number of characters, without spaces.
    pub characters: usize,
    /// The import result.
    pub state: ChapterState,
    /// The ID of the document.
    pub document: Option<String>,
}

/// The import result of a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChapterState {
    /// New.
    New,
    /// Already present with the same text.
    Present,
    /// Present with a different text, kept as an earlier version.
    Replaced,
    /// Present with a different text, and not replaced.
    Differs,
}

/// Appends the chapters of a book to the existing chapters. Linear in time: all lookups use an index.
pub(crate) fn book(story: &mut Story, split: &Split, title: &str, replace: bool) -> Vec<ImportedChapter> {
    let mut taken = UniqueTitles::default();
    let mut order = story.documents.iter().map(|document| document.order).max().unwrap_or(0);
    let has_front = story.documents.iter().any(|document| document.text == split.front);
    if !split.front.is_empty() && !has_front {
        // Existing chapters leave no position for a preface; it is inserted as a side text.
        let place = u32::from(order == 0);
        order += place;
        front(story, &split.front, place);
    }
    let mut index = ChapterIndex::of(story);
    let alone = split.chapters.len() == 1;
    let has_headings = split.chapters.iter().any(|chapter| !chapter.title.is_empty());
    let mut brought = Vec::new();
    for (place, chapter) in split.chapters.iter().enumerate() {
        let title =
            taken.unique(&named(chapter, place, alone.then_some(title), place == 0 && has_headings, story.language));
        let known = index.chapters.get(&title).map(|at| &mut story.documents[*at]);
        let state = match known {
            Some(document) if document.text == chapter.text => ChapterState::Present,
            Some(document) if replace => {
                document.text.clone_from(&chapter.text);
                document.version += 1;
                ChapterState::Replaced
            }
            Some(_) => ChapterState::Differs,
            None => {
                order += 1;
                let title = index.free(&title);
                let volume = chapter.volume.as_deref().map(|volume| index.act(story, volume));
                index.node(story, &title, volume);
                let (outline_node, text) = (Some(title.clone()), chapter.text.clone());
                index.chapters.insert(title.clone(), story.documents.len());
                story.documents.push(Document { title, order, outline_node, version: 1, text, ..Document::default() });
                ChapterState::New
            }
        };
        brought.push(ImportedChapter {
            title,
            volume: chapter.volume.clone(),
            characters: chapter.characters,
            state,
            document: None,
        });
    }
    brought
}

/// Inserts the text before the first chapter, for inclusion in exports of the book.
fn front(story: &mut Story, text: &str, order: u32) {
    let title = match story.language {
        Language::Zh => "卷首",
        Language::En => "Front matter",
    };
    let title = ChapterIndex::of(story).free(title);
    story.documents.push(Document { title, order, version: 1, text: text.to_owned(), ..Document::default() });
}

/// Inserts content outside the book as a side text, so no text of the file is lost.
pub(crate) fn set_apart(story: &mut Story, text: &str) {
    if !text.trim().is_empty() {
        let title = match story.language {
            Language::Zh => "导入时另列的文字",
            Language::En => "Set apart when imported",
        };
        aside(story, title, text.trim_end());
    }
}

/// Inserts the whole manuscript as a side text.
pub(crate) fn reference(story: &mut Story, split: &Split, title: &str) -> ImportedChapter {
    let mut text = split.front.clone();
    let mut volume = None;
    for chapter in &split.chapters {
        let begins = (chapter.volume != volume).then(|| chapter.volume.clone()).flatten();
        volume.clone_from(&chapter.volume);
        let title = Some(chapter.title.clone()).filter(|title| !title.is_empty());
        for part in [begins, title, Some(chapter.text.clone())].into_iter().flatten() {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            text.push_str(&part);
        }
    }
    let (title, state) = aside(story, title, &text);
    let characters = split.chapters.iter().map(|chapter| chapter.characters).sum();
    ImportedChapter { title, volume: None, characters, state, document: None }
}

/// Inserts the files of a folder as side texts of their own, named after the file or its headings, so that each can be cited
/// by its name.
pub(crate) fn references(story: &mut Story, split: &Split, title: &str) -> Vec<ImportedChapter> {
    let mut made = Vec::new();
    if !split.front.trim().is_empty() {
        let characters = split.front.chars().filter(|letter| !letter.is_whitespace()).count();
        let (title, state) = aside(story, title, split.front.trim_end());
        made.push(ImportedChapter { title, volume: None, characters, state, document: None });
    }
    for (index, chapter) in split.chapters.iter().enumerate() {
        let name = match (&chapter.volume, chapter.title.as_str()) {
            (_, "") => format!("{title} {}", index + 1),
            (Some(volume), own) => format!("{volume} {own}"),
            (None, own) => own.to_owned(),
        };
        let text = if chapter.text.trim().is_empty() { &chapter.title } else { &chapter.text };
        let (title, state) = aside(story, &name, text.trim_end());
        made.push(ImportedChapter { title, volume: None, characters: chapter.characters, state, document: None });
    }
    made
}

/// Sets the document IDs of the imported chapters.
pub(crate) fn name(chapters: &mut [ImportedChapter], story: &Story) {
    let ids: HashMap<&str, &str> =
        story.documents.iter().map(|document| (document.title.as_str(), document.id.as_str())).collect();
    for chapter in chapters {
        chapter.document = ids.get(chapter.title.as_str()).map(|id| (*id).to_owned());
    }
}

/// Inserts a side text unless already present.
fn aside(story: &mut Story, title: &str, text: &str) -> (String, ChapterState) {
    if let Some(known) = story.documents.iter().find(|document| document.order == 0 && document.text == text) {
        return (known.title.clone(), ChapterState::Present);
    }
    let title = ChapterIndex::of(story).free(title);
    story.documents.push(Document { title: title.clone(), version: 1, text: text.to_owned(), ..Document::default() });
    (title, ChapterState::New)
}

/// Returns the title of a chapter: its full heading, or its position.
fn named(chapter: &SplitChapter, index: usize, book: Option<&str>, is_opening: bool, language: Language) -> String {
    if !chapter.title.is_empty() {
        return chapter.title.clone();
    }
    let place = u32::try_from(index).unwrap_or(u32::MAX - 1) + 1;
    match (book, language) {
        (Some(book), _) => book.to_owned(),
        // Prose before the first heading is a chapter without a heading.
        (None, Language::Zh) if is_opening => "开篇".to_owned(),
        (None, Language::En) if is_opening => "Opening".to_owned(),
        (None, Language::Zh) => format!("第{}章", numerals::chinese(place)),
        (None, Language::En) => format!("Chapter {place}"),
    }
}

/// The titles of a manuscript; duplicates get a number.
#[derive(Default)]
struct UniqueTitles(BTreeMap<String, u32>);

impl UniqueTitles {
    fn unique(&mut self, title: &str) -> String {
        let count = self.0.entry(title.to_owned()).or_default();
        *count += 1;
        if *count == 1 { title.to_owned() } else { numbered(title, *count) }
    }
}

/// An index of a story by name.
struct ChapterIndex {
    /// Document indexes of chapters, by title.
    chapters: HashMap<String, usize>,
    titles: HashSet<String>,
    nodes: HashSet<String>,
    acts: HashSet<String>,
    next: u32,
}

impl ChapterIndex {
    fn of(story: &Story) -> Self {
        let chapters = story.documents.iter().enumerate().rev().filter(|(_, one)| one.order > 0);
        let nodes = story.outline_nodes.iter();
        Self {
            // Of duplicate titles the first wins.
            chapters: chapters.map(|(at, one)| (one.title.clone(), at)).collect(),
            titles: story.documents.iter().map(|one| one.title.clone()).collect(),
            nodes: nodes.clone().map(|node| node.name.clone()).collect(),
            acts: nodes
                .clone()
                .filter(|node| node.kind == OutlineNodeKind::Act)
                .map(|node| node.name.clone())
                .collect(),
            next: nodes.map(|node| node.order).max().unwrap_or(0) + 1,
        }
    }

    /// Returns an unused title and registers it.
    fn free(&mut self, title: &str) -> String {
        let numbered = (2..).map(|count| numbered(title, count));
        let mut candidates = std::iter::once(title.to_owned()).chain(numbered);
        let free =
            candidates.find(|title| !self.titles.contains(title)).expect("there are more numbers than documents");
        self.titles.insert(free.clone());
        free
    }

    /// Returns the name of the act for a volume, inserting the act if missing.
    fn act(&mut self, story: &mut Story, volume: &str) -> String {
        if self.acts.insert(volume.to_owned()) {
            self.nodes.insert(volume.to_owned());
            let (kind, order) = (OutlineNodeKind::Act, self.take_next());
            story.outline_nodes.push(OutlineNode { kind, order, name: volume.into(), ..OutlineNode::default() });
        }
        volume.to_owned()
    }

    /// Inserts the outline node of a chapter, unless planned by the author already.
    fn node(&mut self, story: &mut Story, title: &str, parent: Option<String>) {
        if self.nodes.insert(title.to_owned()) {
            let order = self.take_next();
            story.outline_nodes.push(OutlineNode { parent, order, name: title.into(), ..OutlineNode::default() });
        }
    }

    fn take_next(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }
}

fn numbered(title: &str, count: u32) -> String {
    format!("{title} ({count})")
}

#[cfg(test)]
mod tests {
    use qingyu_formats::{ReadOptions, SplitOptions, read, split};

    use super::*;

    fn found(text: &str) -> Split {
        split(&read(&mut text.as_bytes(), &ReadOptions::default()).unwrap(), &SplitOptions::default()).unwrap()
    }

    fn told(story: &Story) -> Vec<String> {
        let of =
            |one: &Document| format!("{} {} v{} {}", one.order, one.title, one.version, one.text.replace('\n', "|"));
        story.documents.iter().map(of).collect()
    }

    const BOOK: &str = "简介：一座灯塔和守塔人的二十年，还有海的另一边，以及许多别的事情。\n第一卷 风\n第一章 雨\n甲。\n第二章\n乙。\n第二章\n丙。\n";

    #[test]
    fn chapters_get_documents_and_nodes() {
        let mut story = Story::default();
        let brought = book(&mut story, &found(BOOK), "灯", false);
        assert!(brought.iter().all(|one| one.state == ChapterState::New));
        let front = "1 卷首 v1 简介：一座灯塔和守塔人的二十年，还有海的另一边，以及许多别的事情。";
        assert_eq!(told(&story), [front, "2 第一章 雨 v1 甲。", "3 第二章 v1 乙。", "4 第二章 (2) v1 丙。"]);
        let nodes: Vec<_> =
            story.outline_nodes.iter().map(|one| (one.order, one.name.as_str(), one.parent.as_deref())).collect();
        let volume = Some("第一卷 风");
        assert_eq!(
            nodes,
            [(1, "第一卷 风", None), (2, "第一章 雨", volume), (3, "第二章", volume), (4, "第二章 (2)", volume)]
        );
    }

    #[test]
    fn the_second_time_nothing_changes() {
        let mut story = Story::default();
        book(&mut story, &found(BOOK), "灯", false);
        let before = story.clone();
        let brought = book(&mut story, &found(BOOK), "灯", false);
        assert!(brought.iter().all(|one| one.state == ChapterState::Present), "{brought:?}");
        assert_eq!(story, before);
    }

    #[test]
    fn other_text_is_replaced_only_if_told() {
        let mut story = Story::default();
        book(&mut story, &found("第一章\n甲。\n第二章\n乙。"), "灯", false);
        let changed = found("第一章\n甲甲。\n第二章\n乙。\n第三章\n丙。");
        let states = |brought: Vec<ImportedChapter>| brought.into_iter().map(|one| one.state).collect::<Vec<_>>();
        use ChapterState::{Differs, New, Present, Replaced};
        assert_eq!(states(book(&mut story.clone(), &changed, "灯", false)), [Differs, Present, New]);
        assert_eq!(states(book(&mut story, &changed, "灯", true)), [Replaced, Present, New]);
        assert_eq!(told(&story), ["1 第一章 v2 甲甲。", "2 第二章 v1 乙。", "3 第三章 v1 丙。"]);
    }

    #[test]
    fn references_stand_beside_the_book() {
        let mut story = Story::default();
        book(&mut story, &found("他来了。"), "灯", false);
        assert_eq!(reference(&mut story, &found("第一章\n甲。\n第二章\n乙。"), "灯").title, "灯 (2)");
        assert_eq!(reference(&mut story, &found("第一章\n甲。\n第二章\n乙。"), "灯").state, ChapterState::Present);
        assert_eq!(told(&story), ["1 灯 v1 他来了。", "0 灯 (2) v1 第一章||甲。||第二章||乙。"]);
        assert_eq!(story.outline_nodes.len(), 1);
    }

    #[test]
    fn each_file_of_a_folder_is_a_reference_of_its_own() {
        let mut story = Story::default();
        let files = found("第一章\n甲。\n第二章\n乙。");
        let titles: Vec<String> = references(&mut story, &files, "资料").into_iter().map(|one| one.title).collect();
        assert_eq!(titles, ["第一章", "第二章"]);
        let again: Vec<ChapterState> =
            references(&mut story, &files, "资料").into_iter().map(|one| one.state).collect();
        assert_eq!(again, [ChapterState::Present, ChapterState::Present]);
        assert_eq!(told(&story), ["0 第一章 v1 甲。", "0 第二章 v1 乙。"]);
    }
}
