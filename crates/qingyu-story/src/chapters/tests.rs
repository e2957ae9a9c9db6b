use proptest::prelude::*;

use super::{ChapterLookupError, Chapters, HeadingLevel, heading, mention};
use crate::names::Names;
use crate::numerals::chinese;
use crate::truth::GroundTruth;
use crate::{Document, OutlineNode, OutlineNodeKind, PieceKind, Story};

#[test]
fn headings_have_numbers() {
    type Read<'t> = Option<(HeadingLevel, u32, &'t str)>;
    use HeadingLevel::{Bare, Chapter, Volume};
    let cases: &[(&str, Read<'_>)] = &[
        ("第三章 雨夜", Some((Chapter, 3, "雨夜"))),
        ("第三章雨夜来客", Some((Chapter, 3, "雨夜来客"))),
        ("第 一 百 回", Some((Chapter, 100, ""))),
        ("第一二章", Some((Chapter, 12, ""))),
        ("第12章：归来", Some((Chapter, 12, "归来"))),
        ("第１２章　归来", Some((Chapter, 12, "归来"))),
        ("第003章 旧账", Some((Chapter, 3, "旧账"))),
        ("第壹佰贰拾回", Some((Chapter, 120, ""))),
        ("【第三章】夜雨", Some((Chapter, 3, "夜雨"))),
        ("☆、第一章", Some((Chapter, 1, ""))),
        ("☆、第①①⑥章", Some((Chapter, 116, ""))),
        ("正文 第一章 夜雨", Some((Chapter, 1, "夜雨"))),
        ("十二把钥匙 第一章 雨停", Some((Chapter, 1, "雨停"))),
        ("第一卷 风起 第三章 夜雨", Some((Chapter, 3, "夜雨"))),
        ("第一卷 一 大厅", Some((Chapter, 1, "大厅"))),
        ("第三卷 旧港", Some((Volume, 3, "旧港"))),
        ("卷之三", Some((Volume, 3, ""))),
        ("下卷", Some((Volume, 3, ""))),
        ("第九九九九九九九九千章", None),
        ("第三者", None),
        ("第一场雪", None),
        ("第一部分", None),
        ("番外 第一章 旧事", None),
        ("楔子", None),
        ("章", None),
        ("Chapter 7: Rain", Some((Chapter, 7, "Rain"))),
        ("CHAPTER XII", Some((Chapter, 12, ""))),
        ("Chapter the First", Some((Chapter, 1, ""))),
        ("Chapter Twenty-One. The Port", Some((Chapter, 21, "The Port"))),
        ("Letter 4", Some((Chapter, 4, ""))),
        ("Stave One", Some((Chapter, 1, ""))),
        ("Act Two - Fire", Some((Volume, 2, "Fire"))),
        ("Book Two, Chapter 3", Some((Chapter, 3, ""))),
        ("Chapters", None),
        ("Part of the Tide", None),
        ("The Rain", None),
        ("12", Some((Bare, 12, ""))),
        ("001 夜雨", Some((Bare, 1, "夜雨"))),
        ("3. Rain", Some((Bare, 3, "Rain"))),
        ("一、夜雨", Some((Bare, 1, "夜雨"))),
        ("（一）", Some((Bare, 1, ""))),
        ("一〇", Some((Bare, 10, ""))),
        ("IV. The Gate", Some((Bare, 4, "The Gate"))),
        ("Twelve", Some((Bare, 12, ""))),
        ("1984年的夏天", None),
        ("12 Angry Men", None),
        ("三天后", None),
        ("I was born", None),
        ("两难", None),
    ];
    for (title, expected) in cases {
        let found = heading(title).map(|head| (head.rank, head.number, head.rest));
        assert_eq!(found, *expected, "{title}");
    }
    let head = heading("第二卷 海 第十章 灯").unwrap();
    assert_eq!((head.volume, head.words), (Some(2), "第二卷 海 第十章"));
    assert_eq!(heading("【第三章】夜雨").unwrap().words, "第三章");
}

#[test]
fn chapters_are_mentioned_in_sentences() {
    for (text, expected) in [
        ("把第三章的对话改短", Some("第三章")),
        ("续写第12章", Some("第12章")),
        ("rewrite chapter 3, please", Some("chapter 3")),
        ("Rewrite Chapter Three", Some("Chapter Three")),
        ("林深是谁", None),
        ("第三个人说，第二章", Some("第二章")),
        ("much chatter", None),
    ] {
        assert_eq!(mention(text).map(|range| &text[range]), expected, "{text}");
    }
}

fn node(id: &str, order: u32, kind: OutlineNodeKind, name: &str, parent: Option<&str>) -> OutlineNode {
    OutlineNode {
        id: id.into(),
        order,
        kind,
        name: name.into(),
        parent: parent.map(Into::into),
        ..OutlineNode::default()
    }
}

fn document(id: &str, order: u32, title: &str, node: Option<&str>) -> Document {
    Document { id: id.into(), order, title: title.into(), outline_node: node.map(Into::into), ..Document::default() }
}

/// Two volumes that begin anew, a prologue, and an extra chapter without a node.
fn story() -> Story {
    use OutlineNodeKind::{Act, Chapter};
    Story {
        outline_nodes: vec![
            node("o-1", 1, Chapter, "楔子", None),
            node("o-2", 2, Act, "第一卷 风起", None),
            node("o-3", 3, Chapter, "第一章 雨夜", Some("第一卷 风起")),
            node("o-4", 4, Chapter, "第二章 旧港", Some("第一卷 风起")),
            node("o-5", 5, Act, "第二卷 云涌", None),
            node("o-6", 6, Chapter, "第一章 归来", Some("o-5")),
            node("o-7", 7, Chapter, "第三章", Some("o-5")),
        ],
        documents: vec![
            document("d-1", 1, "楔子", Some("楔子")),
            document("d-2", 2, "第一章 雨夜", Some("o-3")),
            document("d-3", 3, "番外 灯", None),
            document("d-4", 4, "归来", Some("o-6")),
            document("d-9", 0, "备忘", None),
        ],
        ..Story::default()
    }
}

#[test]
fn every_way_of_naming_a_chapter() {
    let chapters = Chapters::of(&story());
    let place = |given: &str| chapters.resolve(given).map(|chapter| chapter.place);
    let cases: &[(&str, u32)] = &[
        ("楔子", 1),
        ("#1", 1),
        ("第一章 雨夜", 2),
        ("雨夜", 2),
        ("o-3", 2),
        ("d-2", 2),
        ("@雨夜", 2),
        ("第1章 雨夜", 2),
        ("第一卷第一章", 2),
        ("第一卷 第 1 章", 2),
        ("风起", 0),
        ("第一卷 风起 第一章", 2),
        ("第一卷 风起 1", 2),
        ("番外 灯", 3),
        ("2", 4),
        ("二", 4),
        ("２", 4),
        ("第二章", 4),
        ("第2回", 4),
        ("Chapter 2", 4),
        ("ch2", 4),
        ("chapter:2", 4),
        ("chapter two", 4),
        ("第二卷第一章", 5),
        ("归来", 5),
        ("d-4", 5),
        ("3", 6),
        ("第三章", 6),
        ("chapters/6", 6),
        ("#6", 6),
        ("4", 0),
        ("备忘", 0),
        ("第三卷", 0),
        ("#7", 0),
        ("", 0),
    ];
    for (given, expected) in cases {
        match *expected {
            0 => assert!(matches!(place(given), Err(ChapterLookupError::Unknown { .. })), "{given} {:?}", place(given)),
            expected => assert_eq!(place(given), Ok(expected), "{given}"),
        }
    }
    let Err(ChapterLookupError::Ambiguous { choices, .. }) = chapters.resolve("第一章") else {
        panic!("both are called so")
    };
    assert_eq!(choices, ["第一章 雨夜 (#2)", "第一章 归来 (#5)"]);
    assert_eq!(chapters.resolve("1").unwrap_err().to_string(), "\"1\" may be 第一章 雨夜 (#2), 第一章 归来 (#5)");
}

#[test]
fn lists_of_chapters() {
    let chapters = Chapters::of(&story());
    let places = |given: &str| -> Result<Vec<u32>, ChapterLookupError> {
        Ok(chapters.resolve_list(given)?.into_iter().map(|chapter| chapter.place).collect())
    };
    assert_eq!(places("2-3"), Ok(vec![4, 5, 6]), "all that stand between");
    assert_eq!(places("3,楔子"), Ok(vec![1, 6]));
    assert_eq!(places("#1-#3、第三章"), Ok(vec![1, 2, 3, 6]));
    assert_eq!(places("楔子到雨夜"), Ok(vec![1, 2]));
    assert_eq!(places("归来-"), Ok(vec![5, 6]));
    assert_eq!(places("-2"), Ok(vec![1, 2, 3, 4]));
    assert_eq!(places("d-3"), Ok(vec![3]), "an id");
    assert_eq!(places("d-2-d-4"), Ok(vec![2, 3, 4, 5]));
    assert!(matches!(places("-"), Err(ChapterLookupError::Unknown { .. })));
    assert!(matches!(places("3-2"), Err(ChapterLookupError::NoList { .. })));
    assert!(matches!(places("1-3"), Err(ChapterLookupError::Ambiguous { .. })));
    assert!(matches!(places("2,9"), Err(ChapterLookupError::Unknown { .. })));
}

#[test]
fn a_text_belongs_to_the_node_of_the_same_name() {
    let node = node("o-1", 1, OutlineNodeKind::Chapter, "第一章 来信", None);
    let documents = vec![document("d-1", 1, "第一章 来信", None), document("d-2", 2, "番外", None)];
    let story = Story { outline_nodes: vec![node], documents, ..Story::default() };
    let chapters = Chapters::of(&story);
    assert_eq!(chapters.all().len(), 2);
    assert_eq!(chapters.resolve("1").unwrap().documents, [0]);
}

#[test]
fn chapters_without_numbers_are_counted() {
    let story = Story {
        documents: vec![document("d-1", 3, "雨夜", None), document("d-2", 7, "旧港", None)],
        ..Story::default()
    };
    let chapters = Chapters::of(&story);
    assert_eq!(chapters.resolve("第二章").unwrap().title, "旧港");
    assert_eq!(chapters.resolve("2").unwrap().number, Some(2));
}

/// A chapter of a random book: whether it begins a volume, has a number of its own, is written, and is named in Chinese.
type Drawn = (bool, Option<u8>, bool, bool);

fn book(drawn: &[Drawn], of_volumes: bool) -> Story {
    let mut story = Story::default();
    let (mut volume, mut number, mut act) = (0, 0, None);
    for (at, (begins, own, is_written, is_chinese)) in drawn.iter().enumerate() {
        let order = u32::try_from(story.outline_nodes.len()).unwrap() + 1;
        if *begins && of_volumes {
            volume += 1;
            number = 0;
            let name = format!("第{}卷 卷名{volume}", chinese(volume));
            story.outline_nodes.push(node(&format!("a-{volume}"), order, OutlineNodeKind::Act, &name, None));
            act = Some(format!("a-{volume}"));
        }
        // Numbers go up by one or leave a gap; 0 is the same number again.
        number += u32::from(own.unwrap_or(1));
        let title = match (own, is_chinese) {
            (None, _) => format!("楔子{at}"),
            (Some(_), true) => format!("第{}章 题{at}", chinese(number.max(1))),
            (Some(_), false) => format!("Chapter {}: Title {at}", number.max(1)),
        };
        let id = format!("o-{at}");
        story.outline_nodes.push(node(&id, order + 1, OutlineNodeKind::Chapter, &title, act.as_deref()));
        if *is_written {
            story.documents.push(document(&format!("d-{at}"), u32::try_from(at).unwrap() + 1, &title, Some(&id)));
        }
    }
    story
}

proptest! {
    /// Whoever is asked, every way of naming a chapter means that chapter, or says that it may mean several.
    #[test]
    fn everybody_agrees(
        drawn in prop::collection::vec((any::<bool>(), prop::option::weighted(0.8, 0_u8..3), any::<bool>(), any::<bool>()), 1..14),
        of_volumes in any::<bool>(),
    ) {
        let story = book(&drawn, of_volumes);
        let (chapters, names) = (Chapters::of(&story), Names::of(&story));
        let truth = GroundTruth::of(&story);
        let clock = truth.clock();
        prop_assert_eq!(chapters.all().len(), drawn.len());
        for chapter in chapters.all() {
            let node = &story.outline_nodes[chapter.node.unwrap()];
            let alone = chapters.name(chapter);
            for name in [format!("#{}", chapter.place), node.id.clone(), node.name.clone(), alone.clone()] {
                prop_assert_eq!(chapters.resolve(&name).map(|one| one.place), Ok(chapter.place), "{}", name);
            }
            let Some(number) = chapter.number else { continue };
            let same = chapters.all().iter().filter(|other| other.number == Some(number)).count();
            let ways = [
                number.to_string(), chinese(number), format!("第{number}章"), format!("第 {} 章", chinese(number)),
                format!("Chapter {number}"), format!("chapter:{number}"), format!("@第{}章", chinese(number)),
            ];
            for way in ways {
                let found = chapters.find(&way);
                prop_assert_eq!(found.len(), same, "{}", way);
                prop_assert!(found.iter().any(|one| one.place == chapter.place), "{}", way);
                if same == 1 {
                    let told = clock.chapter(number).unwrap().order();
                    prop_assert_eq!(told, Some(node.order));
                    if let Some(named) = names.resolve(PieceKind::OutlineNode, &way) {
                        prop_assert_eq!(&named.id, &node.id, "{}", way);
                    }
                    if let Ok(Some(time)) = clock.read(&way) {
                        prop_assert_eq!(time.order(), Some(node.order), "{}", way);
                    }
                } else {
                    prop_assert!(matches!(chapters.resolve(&way), Err(ChapterLookupError::Ambiguous { .. })), "{}", way);
                }
            }
            for document in &chapter.documents {
                prop_assert_eq!(chapters.of_document(*document).map(|one| one.place), Some(chapter.place));
            }
        }
    }
}
