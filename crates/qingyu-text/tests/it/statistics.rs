use qingyu_story::{Character, Document, Manuscript, OutlineNode, OutlineNodeKind, Story};
use qingyu_text::Meter;
use qingyu_text::statistics::Statistics;

fn story() -> Story {
    let character = |id: &str, name: &str, alias: &str| Character {
        id: id.into(),
        name: name.into(),
        alias: vec![alias.into()],
        ..Character::default()
    };
    let node = |name: &str, kind, parent: Option<&str>, words| OutlineNode {
        name: name.into(),
        kind,
        parent: parent.map(str::to_owned),
        words,
        participants: vec!["林深".into()],
        ..OutlineNode::default()
    };
    let document = |order, title: &str, text: &str| Document {
        id: format!("d-{order}"),
        title: title.into(),
        order,
        text: text.into(),
        ..Document::default()
    };
    Story {
        characters: vec![
            character("c-1", "林深", "阿深"),
            character("c-2", "苏晚", "晚晚"),
            character("c-3", "老周", ""),
        ],
        outline_nodes: vec![
            node("第一章 夜雨", OutlineNodeKind::Chapter, None, Some(20)),
            node("第二章 码头", OutlineNodeKind::Chapter, None, None),
            node("船舱", OutlineNodeKind::Scene, Some("第二章 码头"), Some(10)),
            node("甲板", OutlineNodeKind::Scene, Some("第二章 码头"), Some(30)),
            node("第三章 归来", OutlineNodeKind::Chapter, None, None),
        ],
        documents: vec![
            document(2, "第二章 码头", "阿深上了船。"),
            document(1, "第一章 夜雨", "雨停了。“走吧。”林深说。\n苏晚没有动，林深又等了一会儿。"),
            document(0, "笔记", "林深林深林深"),
        ],
        ..Story::default()
    }
}

#[test]
fn a_story_is_counted() {
    let story = story();
    let statistics = Statistics::of(&story, &mut Manuscript::default(), &Meter::default());
    let rows: Vec<_> =
        statistics.chapters.iter().map(|row| (row.order, row.length, row.planned, row.people.join("、"))).collect();
    assert_eq!(rows, [(1, 28, Some(20), "林深、苏晚".into()), (2, 6, Some(40), "林深".into())]);
    assert_eq!(statistics.chapters[0].share, Some(1.4));
    assert_eq!(statistics.chapters[0].dialogue, 0.095);
    let cast: Vec<_> = statistics
        .characters
        .iter()
        .map(|row| (row.name.as_str(), row.mentions, row.chapters.clone(), row.speeches, row.planned))
        .collect();
    assert_eq!(cast, [("林深", 3, vec![1, 2], 1, 3), ("苏晚", 1, vec![1], 0, 0), ("老周", 0, vec![], 0, 0)]);
    let progress = &statistics.progress;
    // The third chapter plans nothing, so it counts as the mean of the others: 30.
    assert_eq!((progress.chapters_planned, progress.chapters_written), (3, 2));
    assert_eq!((progress.words_planned, progress.words_written), (Some(90), 34));
    assert_eq!(progress.share, Some(0.378));
    assert_eq!((statistics.totals.length, statistics.totals.chapters), (34, 2));
}

#[test]
fn the_length_of_the_book_is_that_of_its_levels() {
    let node = |id: &str, kind, chapters| OutlineNode {
        id: id.into(),
        name: id.into(),
        kind,
        chapters,
        ..OutlineNode::default()
    };
    let mut chapter = node("o-2", OutlineNodeKind::Chapter, None);
    chapter.words = Some(500);
    let story =
        Story { outline_nodes: vec![node("o-1", OutlineNodeKind::Book, Some(45)), chapter], ..Story::default() };
    let progress = Statistics::of(&story, &mut Manuscript::default(), &Meter::default()).progress;
    assert_eq!((progress.chapters_planned, progress.words_planned), (45, Some(22_500)));
}

#[test]
fn an_empty_story_has_no_figures() {
    let statistics = Statistics::of(&Story::default(), &mut Manuscript::default(), &Meter::default());
    assert_eq!(statistics.totals.length, 0);
    assert_eq!(statistics.progress.share, None);
}

#[test]
fn people_called_by_less_than_a_name_are_counted() {
    let card = |name: &str| Character { name: name.into(), ..Character::default() };
    let document = Document {
        id: "d-1".into(),
        title: "1".into(),
        order: 1,
        text: "“No salt,” said Eleanor.\n“None,” Gideon said. Laity was there, and Eleanor Nance left.".into(),
        ..Document::default()
    };
    let characters = ["Eleanor Nance", "Gideon Nance", "John Laity"].map(card).to_vec();
    let story =
        Story { language: qingyu_story::Language::En, characters, documents: vec![document], ..Story::default() };
    let statistics = Statistics::of(&story, &mut Manuscript::default(), &Meter::default());
    let mut counts: Vec<_> =
        statistics.characters.iter().map(|row| (row.name.as_str(), row.mentions, row.speeches)).collect();
    counts.sort_unstable();
    assert_eq!(counts, [("Eleanor Nance", 2, 1), ("Gideon Nance", 1, 1), ("John Laity", 1, 0)]);
}
