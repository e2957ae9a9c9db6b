use super::*;
use crate::OutlineNodeKind;
use crate::wish::{WishKind, read};

/// An outline with a chapter for each number of words; 0 for none.
fn outline(words: &[u32]) -> Story {
    let node = |(at, words): (u32, &u32)| OutlineNode {
        id: format!("o-{at}"),
        name: format!("第{at}章"),
        kind: OutlineNodeKind::Chapter,
        order: at,
        words: Some(*words).filter(|words| *words > 0),
        ..OutlineNode::default()
    };
    Story { outline_nodes: (1..).zip(words).map(node).collect(), ..Story::default() }
}

/// The wishes of a request for a new book with their state and numbers in a story.
fn checked(said: &str, story: &Story, language: Language) -> Vec<(String, WishState, String)> {
    let wishes = read(said, &Story::default()).into_iter().map(|wish| wish.check(story, false, language));
    let wishes = wishes.inspect(|wish| assert_eq!(wish.kind, WishKind::Length, "{said}"));
    wishes.map(|wish| (wish.text, wish.state, wish.evidence[0].quote.clone())).collect()
}

#[test]
fn chapters_and_words_of_a_new_book_are_wishes() {
    use WishState::{Met, NotCheckable, Unmet};
    let zh = |said: &str, words: &[u32]| checked(said, &outline(words), Language::Zh);
    let told = |text: &str, state: WishState, numbers: &str| (text.to_owned(), state, numbers.to_owned());
    let said = "写三章，每章约800字。";
    assert_eq!(
        zh(said, &[800, 780, 900]),
        [told("写三章", Met, "大纲共 3 章"), told("每章约800字", Met, "每章 780～900 字")]
    );
    assert_eq!(
        zh(said, &[800, 800, 0, 2_000]),
        [told("写三章", Unmet, "大纲共 4 章"), told("每章约800字", Unmet, "每章 800～2000 字，1 章没有写明字数")]
    );
    assert_eq!(zh("写三到五章", &[0; 4]), [told("写三到五章", Met, "大纲共 4 章")]);
    assert_eq!(zh("约十章", &[0; 11]), [told("约十章", Met, "大纲共 11 章")]);
    assert_eq!(zh("写十章每章约800字", &[800; 11])[0].1, Unmet, "about so many characters, and not chapters");
    assert_eq!(zh("至少三章", &[0; 9]), [told("至少三章", Met, "大纲共 9 章")]);
    assert_eq!(zh("不超过三章", &[0; 4]), [told("不超过三章", Unmet, "大纲共 4 章")]);
    assert_eq!(zh("全书三千字", &[1_000; 3]), [told("全书三千字", Met, "合计 3000 字")]);
    assert_eq!(zh("写三章", &[]), [told("写三章", NotCheckable, "大纲共 0 章")]);
    let en = |said: &str, words: &[u32]| checked(said, &outline(words), Language::En);
    let said = "Write a ghost story in three chapters of about 800 words each.";
    let text = "Write a ghost story in three chapters of about 800 words each";
    assert_eq!(en(said, &[800, 750, 800]), [told(text, Met, "the outline has 3 chapters, 750 to 800 words a chapter")]);
    assert_eq!(en(said, &[800]), [told(text, Unmet, "the outline has 1 chapter, 800 words a chapter")]);
}

#[test]
fn numbers_of_parts_and_of_other_texts_are_no_wishes() {
    for said in [
        "前三章写童年",
        "最后两章在雪地里",
        "每三章一个高潮",
        "他收到一封三千字的信",
        "他来过三回",
        "第三章下雨",
        "有一章写雨夜",
        "In one chapter she dies",
        "不要写三章",
        "The last two chapters are set in Rome",
        "He reads a letter of 500 words",
        "A man of few words",
    ] {
        assert_eq!(read(said, &Story::default()), [], "{said}");
    }
}

#[test]
fn a_number_given_beside_the_words_takes_their_place() {
    let mut requests = read("写十章，每章约800字。", &Story::default());
    with_chapters(&mut requests, 6, Language::Zh);
    let texts: Vec<&str> = requests.iter().map(|request| request.text.as_str()).collect();
    assert_eq!(texts, ["每章约800字", "共6章"]);
    let states = requests.iter().map(|request| request.check(&outline(&[800; 6]), false, Language::Zh).state);
    assert!(states.into_iter().all(|state| state == WishState::Met));
}

#[test]
fn an_outline_of_another_length_is_mended_by_data() {
    let story = outline(&[800, 2_000, 0]);
    let requests = read("写四章，每章800字", &Story::default());
    let changes: Vec<CorrectionInstruction> =
        requests.iter().flat_map(|request| request.instructions(&story, "w")).collect();
    let told: Vec<_> = changes.iter().map(|one| (one.action, one.parameters.clone())).collect();
    let update = |id: &str| (Action::Update, json!({ "kind": "outline_node", "id": id, "words": 800 }));
    assert_eq!(told, [(Action::Create, json!({ "kind": "outline_node" })), update("o-2"), update("o-3")]);
    let too_many = read("写两章", &Story::default());
    assert_eq!(too_many[0].instructions(&story, "w"), [], "which of them goes is for a person to say");
}
