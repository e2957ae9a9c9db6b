use proptest::prelude::*;
use qingyu_story::{
    Character, CustomField, Document, Item, Language, OutlineNode, OutlineNodeKind, PieceKind, Story, Worldview,
};

use super::{MirrorFile, MirrorSource, card_file, chapter_text, chapter_title, mirror};

mod cards;

fn document(id: &str, order: u32, title: &str, text: &str) -> Document {
    Document { id: id.into(), order, title: title.into(), version: 3, text: text.into(), ..Document::default() }
}

fn story() -> Story {
    let person = |name: &str, age| Character { name: name.into(), age, ..Character::default() };
    let lamp = Item { name: "铜灯".into(), holder: Some("林青".into()), ..Item::default() };
    Story {
        language: Language::Zh,
        premise: "一个灯塔看守人收到自己三十年前寄出的信".into(),
        outline_nodes: vec![OutlineNode {
            id: "o-3".into(),
            order: 3,
            kind: OutlineNodeKind::Chapter,
            name: "第三章 灯".into(),
            ..OutlineNode::default()
        }],
        documents: vec![
            document("d-1", 1, "第一章 来信", "　　雨下了一夜。\n　　“*谁*？”\n\n\n他没有回答。\n"),
            document("d-2", 2, "第二章 雾/海", ""),
            document("d-n", 0, "笔记", "1984 年。"),
        ],
        characters: vec![person("林青", Some(52)), person("林青", None)],
        worldview: Some(Worldview { items: vec![lamp], ..Worldview::default() }),
        ..Story::default()
    }
}

fn file<'f>(files: &'f [MirrorFile], path: &str) -> &'f MirrorFile {
    files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path}: {files:?}"))
}

#[test]
fn a_book_is_a_folder_of_readable_files() {
    let files = mirror(&story(), "守灯人");
    let chapter = files.iter().find(|file| file.path.ends_with("第一章 来信.md")).unwrap();
    assert!(chapter.path.starts_with("章节/"), "{}", chapter.path);
    assert_eq!(chapter.content, "# 第一章 来信\n\n　　雨下了一夜。\n\n　　“*谁*？”\n\n他没有回答。\n");
    assert_eq!(chapter.source, Some(MirrorSource::Text { document: "d-1".into(), version: 3 }));
    let contents = &file(&files, "README.md").content;
    assert!(contents.starts_with("# 守灯人\n\n一个灯塔看守人") && contents.contains("- 第三章 灯\n"), "{contents}");
    assert!(contents.contains(&format!("- [第一章 来信](<{}>)", chapter.path)), "{contents}");
    assert_eq!(file(&files, "人物/林青.md").content, "# 林青\n\n**年龄**：52\n");
    assert_eq!(file(&files, "人物/林青 (2).md").content, "# 林青\n");
    assert_eq!(file(&files, "物件/铜灯.md").content, "# 铜灯\n\n**持有者**：林青\n");
    let note = MirrorSource::Text { document: "d-n".into(), version: 3 };
    assert_eq!(file(&files, "笔记/笔记.md").source, Some(note));
    assert!(files.iter().any(|file| file.path.ends_with("第二章 雾 海.md")), "no slash in a name");
}

#[test]
fn a_card_has_the_author_s_own_fields_in_their_order() {
    let field = |name: &str, value: &str| CustomField { name: name.into(), value: value.into() };
    let person = Character {
        name: "林青".into(),
        gender: "女".into(),
        appearance: "左眉有一道疤。".into(),
        custom: vec![field("灵根", "火"), field("本命剑", "照夜"), field("道侣", " ")],
        ..Character::default()
    };
    let story = Story { characters: vec![person], language: Language::Zh, ..Story::default() };
    let files = mirror(&story, "守灯人");
    let card = &file(&files, "人物/林青.md").content;
    assert_eq!(card, "# 林青\n\n**性别**：女\n\n**外貌**：左眉有一道疤。\n\n**灵根**：火\n\n**本命剑**：照夜\n");
}

#[test]
fn the_file_of_one_card_is_that_of_the_mirror() {
    let mut story = story();
    story.characters[0].id = "c-1".into();
    let files = mirror(&story, "书");
    let source = Some(MirrorSource::Card { kind: PieceKind::Character, id: "c-1".into() });
    let written = files.iter().find(|file| file.source == source).unwrap();
    assert_eq!(card_file(&story, "c-1"), Some((PieceKind::Character, "林青".into(), written.content.clone())));
    assert_eq!(card_file(&story, "c-9"), None);
}

#[test]
fn the_heading_of_a_file_is_the_title() {
    assert_eq!(chapter_title("\n# 第一章  雨夜 \n\n雨。\n").as_deref(), Some("第一章 雨夜"));
    assert_eq!(chapter_title("雨。\n# 不是标题\n"), None);
    assert_eq!(chapter_title("# \n\n雨。\n"), None);
}

#[test]
fn edits_outside_keep_the_separators_of_the_book() {
    let base = "　　雨下了一夜。\n　　“谁？”\n\n\n他没有回答。\n";
    let read = |file: &str| chapter_text(base, file);
    let written = "# 第一章\n\n　　雨下了一夜。\n\n　　“谁？”\n\n他没有回答。\n";
    assert_eq!(read(written), base);
    assert_eq!(read(&written.replace('\n', "\r\n")), base, "line ends of another system");
    assert_eq!(read(&written.replace("# 第一章\n\n", "\u{feff}")), base, "without the heading");
    assert_eq!(
        read(&written.replace("“谁？”", "“谁在那里？”")),
        "　　雨下了一夜。\n　　“谁在那里？”\n他没有回答。\n",
        "a changed paragraph has the usual separator"
    );
    assert_eq!(
        read(&written.replace("　　“谁？”\n", "　　“谁？”\n\n天亮了。\n")),
        "　　雨下了一夜。\n　　“谁？”\n\n\n天亮了。\n他没有回答。\n"
    );
    assert_eq!(read("# 第一章\n"), "\n", "an emptied chapter");
    assert_eq!(read(&written.replace("# 第一章", "# ")), base, "a chapter without a title");
    assert_eq!(read(&written.replace("# 第一章", "#")), base, "a program that deletes white space at the end of lines");
    assert_eq!(chapter_text("", "# 新章\n\n第一句。\n\n第二句。\n"), "第一句。\n第二句。");
}

proptest! {
    #[test]
    fn a_file_without_changes_is_the_same_text(title in "(第一章)?", text in "[雨。#*“” \\-\na-c\u{3000}\r]{0,80}") {
        let story = Story { documents: vec![document("d-1", 1, &title, &text)], ..Story::default() };
        let files = mirror(&story, "书");
        let written = files.iter().find(|file| file.source.is_some()).unwrap();
        prop_assert_eq!(chapter_text(&text, &written.content), text);
    }
}
