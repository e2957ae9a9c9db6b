use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn field(path: &str, value: Value) -> Field {
    Field { path: path.into(), title: format!("T {path}"), is_content: true, value, version: 2, ..Field::default() }
}

fn paths(story: &Story, given: &[&str]) -> Result<Vec<String>, Error> {
    let given: Vec<String> = given.iter().map(|path| (*path).to_owned()).collect();
    Ok(contents(story, &given)?.into_iter().map(|content| content.path).collect())
}

fn course() -> Story {
    let list = Field { each: Some("plan#/lessons".into()), ..field("lessons", Value::Null) };
    let item = |number: usize, value: Value| Field {
        item: Some(qingyu_story::production::Item { of: "lessons".into(), index: number - 1 }),
        ..field(&format!("lessons/{number}"), value)
    };
    let plan = Field { is_content: false, ..field("plan", json!({"title": "定价", "lessons": []})) };
    let fields = vec![plan, list, item(2, json!("第二课")), item(1, json!("第一课")), field("page", Value::Null)];
    Story { fields, documents: book().documents, ..Story::default() }
}

fn book() -> Story {
    let document = |id: &str, order: u32, text: &str| Document {
        id: id.into(),
        title: format!("章 {id}"),
        order,
        text: text.into(),
        ..Document::default()
    };
    let documents =
        vec![document("d-2", 2, "乙"), document("d-1", 1, "甲"), document("note", 0, "便签"), document("d-3", 3, " ")];
    Story { documents, ..Story::default() }
}

#[test]
fn what_is_read() {
    let cases: [(Story, &[&str], &[&str]); 8] = [
        (course(), &[], &["lessons/1", "lessons/2"]),
        (course(), &["lessons"], &["lessons/1", "lessons/2"]),
        (course(), &["@lessons/2", "lessons"], &["lessons/2", "lessons/1"]),
        (course(), &["plan"], &["plan"]),
        (course(), &["chapters/2", "plan"], &["chapters/2", "plan"]),
        (book(), &[], &["chapters/1", "chapters/2"]),
        (book(), &["d-2", "章 d-1", "note"], &["chapters/2", "chapters/1", "note"]),
        (Story::default(), &[], &[]),
    ];
    for (story, given, wanted) in cases {
        assert_eq!(paths(&story, given).unwrap(), wanted, "{given:?}");
    }
}

#[test]
fn a_project_whose_content_is_still_empty_does_not_show_its_chapters_instead() {
    let mut story = course();
    for field in &mut story.fields {
        field.value = Value::Null;
    }
    assert_eq!(paths(&story, &[]).unwrap(), Vec::<String>::new());
}

#[test]
fn what_is_not_there_or_empty_is_said() {
    assert!(matches!(paths(&course(), &["nothing"]), Err(Error::UnknownField { .. })));
    assert_eq!(paths(&course(), &["page"]), Err(Error::Empty { path: "page".into() }));
    assert_eq!(paths(&book(), &["d-3"]), Err(Error::Empty { path: "d-3".into() }));
    assert!(matches!(paths(&book(), &["chapters/0"]), Err(Error::UnknownField { .. })));
}

fn of(texts: &[&str]) -> Vec<Content> {
    let content = |(place, text): (usize, &&str)| Content {
        path: format!("c/{place}"),
        text: (*text).to_owned(),
        ..Content::default()
    };
    texts.iter().enumerate().map(content).collect()
}

#[test]
fn paragraphs_are_counted_through_and_cut_at_their_borders() {
    let contents = of(&["一二三\n\n  四五 ", "六七八九\n十", "终"]);
    let all = reading(&contents, 100);
    let numbered: Vec<(usize, &str, &str)> =
        all.passages.iter().map(|passage| (passage.number, passage.path.as_str(), passage.text.as_str())).collect();
    let wanted = [(1, "c/0", "一二三"), (2, "c/0", "四五"), (3, "c/1", "六七八九"), (4, "c/1", "十"), (5, "c/2", "终")];
    assert_eq!((numbered.as_slice(), all.left_out.as_slice()), (&wanted[..], &[][..]));
    // 十 would fit behind what does not, and is left out all the same: nobody reads around a hole.
    let some = reading(&contents, 6);
    let left: Vec<_> = some.left_out.iter().map(|out| (out.path.as_str(), out.paragraphs, out.characters)).collect();
    assert_eq!((some.last(), left), (2, vec![("c/1", 2, 5), ("c/2", 1, 1)]));
    let head = reading(&contents, 2);
    assert_eq!((head.passages[0].text.as_str(), head.left_out[0].characters), ("一二", 3));
    assert_eq!(reading(&contents, 0).last(), 0);
}

#[test]
fn placeholders_are_not_read_and_places_can_be_found() {
    let text = "## 缘起\n第一段。\n〔待补：例子〕\n- 〔待写〕\n有〔待补：数字〕个人。".to_owned();
    let lesson = Content { path: "lessons/2".into(), title: "课文 2：羊毛".into(), text, version: 1 };
    let read = reading(&[of(&["引子。"]).remove(0), lesson], 100);
    let texts: Vec<&str> = read.passages.iter().map(|passage| passage.text.as_str()).collect();
    assert_eq!(texts, ["引子。", "## 缘起", "第一段。", "有个人。"]);
    assert_eq!((read.open.len(), read.open[0].placeholders), (1, 3));
    let place = |number| read.place(number).map(|place| place.text(Language::Zh));
    assert_eq!(place(4).as_deref(), Some("「课文 2：羊毛」第 2 段"));
    assert_eq!(place(2).as_deref(), Some("「课文 2：羊毛」第 1 段"), "a heading leads to its paragraph");
    assert_eq!(read.place(3).unwrap().text(Language::En), "课文 2：羊毛, paragraph 1");
    assert_eq!(place(9), None);
    assert_eq!((read.passages[1].title.as_str(), read.passages[2].title.as_str()), ("课文 2：羊毛", ""));
}

#[test]
fn content_is_read_in_the_order_in_which_a_reader_meets_it() {
    let mut story = course();
    story.fields.last_mut().unwrap().value = json!("page");
    let reading_order = vec!["page".to_owned(), "lessons".to_owned()];
    story.production = Some(qingyu_story::production::Production { reading_order, ..Default::default() });
    assert_eq!(paths(&story, &[]).unwrap(), ["page", "lessons/1", "lessons/2"]);
    assert_eq!(paths(&story, &["lessons", "page"]).unwrap(), ["lessons/1", "lessons/2", "page"], "as it was asked for");
}

#[test]
fn quotes_are_found_word_for_word() {
    let reading = reading(&of(&["他说：“走 吧。”\n雨停了。\n雨停了。"]), 100);
    let cases = [
        ("走吧。", None, Some(1)),
        ("“雨停了。”", None, Some(2)),
        ("雨停了", Some(3), Some(3)),
        ("雨停了", Some(1), Some(2)),
        ("雨停了", Some(99), Some(2)),
        ("雪停了", None, None),
        ("走吧。”雨停了", None, None),
        (" ", None, None),
        ("“”", None, None),
    ];
    for (quote, near, wanted) in cases {
        assert_eq!(reading.find(quote, near), wanted, "{quote}");
    }
}

proptest! {
    #[test]
    fn nothing_is_dropped_silently(texts in prop::collection::vec("[一二三a \n]{0,30}", 0..6), budget in 0_usize..60) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let contents = of(&texts);
        let read = reading(&contents, budget);
        let shown: usize = read.passages.iter().map(|passage| passage.text.chars().count()).sum();
        let left: usize = read.left_out.iter().map(|out| out.characters).sum();
        let all: usize = texts.iter().flat_map(|text| text.lines()).map(|line| line.trim().chars().count()).sum();
        prop_assert!(shown <= budget);
        prop_assert_eq!(shown + left, all);
        let is_numbered = read.passages.iter().enumerate().all(|(place, passage)| passage.number == place + 1);
        prop_assert!(is_numbered);
        for passage in &read.passages {
            prop_assert!(read.find(&passage.text, Some(passage.number)) == Some(passage.number));
        }
    }
}
