//! The books before a book: a series and canon, told to writers and held against by the checker.

use crate::home::{Home, OFFLINE};

/// The first book: somebody dies in its text, and is the father of somebody.
const FIRST: &str = r#"{
    "language": "zh",
    "characters": [{"id": "c-1", "name": "老周"}, {"id": "c-2", "name": "林青", "birth": "2045", "occupation": "船医"}],
    "character_relations": [{"id": "r-1", "from": "老周", "to": "林青", "type": "parent_of"}],
    "worldview": {"rules": [{"id": "w-1", "name": "潮规", "statement": "退潮时不得出海"}]},
    "promises": [{"id": "promise-1", "name": "沉船里的信", "description": "信还没有拆开"}],
    "outline_nodes": [{"id": "o-1", "name": "第三十章 沉船", "order": 30}],
    "documents": [{"id": "d-1", "title": "第三十章 沉船", "order": 30, "outline_node": "o-1", "text": "老周倒在码头上，死了。"}],
    "facts": [{"id": "f-1", "subject": "老周", "predicate": "dies", "value": true,
        "source": {"document": "d-1", "version": 0, "quote": "老周倒在码头上，死了。"}}]
}"#;

/// The second book: the dead man, under his full name, negotiates; his daughter is his sister and born later.
const SECOND: &str = r#"{
    "language": "zh",
    "characters": [{"id": "c-1", "name": "周德海", "alias": ["老周"]}, {"id": "c-2", "name": "林青", "birth": "2048"}],
    "character_relations": [{"id": "r-1", "from": "周德海", "to": "林青", "type": "sibling"}],
    "outline_nodes": [{"id": "o-1", "name": "第一章 归来", "order": 1, "description": "林青回到码头。", "participants": ["林青"]}],
    "timeline_events": [{"id": "e-1", "title": "谈判", "participants": ["周德海", "林青"]}]
}"#;

/// A project of the story in `json`; its id.
fn import(home: &Home, title: &str, json: &str) -> String {
    let file = home.file(&format!("{title}.json"), json.as_bytes());
    let imported = home.run(&["import-story", file.to_str().unwrap(), "--title", title, "--json"]).expect(0).json();
    imported["project"]["project"].as_str().unwrap().to_owned()
}

/// The titles of the findings of the rule.
fn found(home: &Home, project: &str, code: &str) -> Vec<String> {
    let checkup = home.run(&["check", project, "--json"]).json();
    let findings = checkup["findings"].as_array().unwrap_or_else(|| panic!("{checkup}"));
    let own = findings.iter().filter(|finding| finding["issue"]["code"] == code);
    own.map(|finding| finding["issue"]["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_second_book_of_a_series_is_held_against_the_first() {
    let home = Home::new();
    let (first, second) = (import(&home, "潮声", FIRST), import(&home, "归潮", SECOND));
    for code in ["QY208", "QY318", "QY609"] {
        assert_eq!(found(&home, &second, code), [""; 0], "{code} before there is a series");
    }
    let none = home.run(&["series", "show", &second, "--ui-lang", "zh"]).expect(0).stdout;
    assert!(none.contains("qingyu series add"), "{none}");
    let added = home.run(&["series", "add", &second, &first, "--gap", "十年", "--json"]).expect(0).json();
    let row = &added[0];
    assert_eq!((&row["title"], &row["kind"], &row["gap"]), (&"潮声".into(), &"volume".into(), &"十年".into()));
    assert_eq!((&row["missing"], &row["shared"]), (&false.into(), &serde_json::json!(["周德海", "林青"])), "{added}");
    let shown = home.run(&["series", "show", &second, "--ui-lang", "zh"]).expect(0).stdout;
    assert!(shown.contains("潮声") && shown.contains("相隔十年") && shown.contains("周德海"), "{shown}");

    for code in ["QY208", "QY318", "QY609"] {
        let titles = found(&home, &second, code);
        assert!(titles.len() == 1 && titles[0].contains("潮声"), "{code}: {titles:?}");
    }
    let checkup = home.run(&["check", &second, "--json"]).expect(4).json();
    let findings = checkup["findings"].as_array().unwrap();
    let dead = findings.iter().find(|finding| finding["issue"]["code"] == "QY208").unwrap();
    let cause = dead["issue"]["root_cause"].as_str().unwrap();
    assert!(cause.contains("老周倒在码头上，死了。") && cause.contains("谈判"), "the sentence and the place: {cause}");
    let text = home.run(&["check", &second, "--ui-lang", "zh"]).expect(4).stdout;
    assert!(text.contains("对照了前作与原作：潮声"), "{text}");
    assert_eq!(found(&home, &first, "QY208"), [""; 0], "the first book is not held against the second");

    // A writer is told of it, with the name of the book.
    let write = home.run(&[&["write", &second, "--chapters", "1", "--brief", "--json"], &OFFLINE[..]].concat());
    let written = write.expect_worked().stdout;
    for words in ["前作《潮声》结束时", "潮规", "沉船里的信", "《潮声》林青"] {
        assert!(written.contains(words), "{words}: {written}");
    }

    let third = import(&home, "外篇", r#"{"language": "zh", "characters": [{"id": "c-1", "name": "白鸽"}]}"#);
    home.run(&["series", "add", &second, &third, "--canon"]).expect(0);
    let titles = |output: serde_json::Value| {
        let rows = output.as_array().unwrap().iter();
        rows.map(|row| row["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let moved = home.run(&["series", "move", &second, "外篇", "1", "--json"]).expect(0).json();
    assert_eq!(titles(moved), ["外篇", "潮声"]);
    let left = home.run(&["series", "remove", &second, "2", "--json"]).expect(0).json();
    assert_eq!(titles(left), ["外篇"]);
    assert_eq!(found(&home, &second, "QY208"), [""; 0], "nothing is compared any more");
}

#[test]
fn fan_fiction_is_held_against_its_canon() {
    let home = Home::new();
    let (canon, fiction) = (import(&home, "潮声", FIRST), import(&home, "同人", SECOND));
    let added = home.run(&["series", "add", &fiction, &canon, "--canon", "--json"]).expect(0).json();
    assert_eq!(added[0]["kind"], "canon");
    assert_eq!(found(&home, &fiction, "QY208"), [""; 0], "canon may be the future of the book");
    home.run(&["series", "remove", &fiction, &canon]).expect(0);
    home.run(&["series", "add", &fiction, &canon, "--canon", "--gap", "十年"]).expect(0);
    for code in ["QY208", "QY318", "QY609"] {
        assert_eq!(found(&home, &fiction, code).len(), 1, "{code}");
    }
    // With a reason, the author may depart from it.
    let checkup = home.run(&["check", &fiction, "--json"]).json();
    let findings = checkup["findings"].as_array().unwrap();
    let dead = findings.iter().find(|finding| finding["issue"]["code"] == "QY208").unwrap();
    let id = dead["issue"]["id"].as_str().unwrap();
    home.run(&["waive", &fiction, id, "--reason", "这里他没有死"]).expect(0);
    let checkup = home.run(&["check", &fiction, "--json"]).json();
    let findings = checkup["findings"].as_array().unwrap();
    let dead = findings.iter().find(|finding| finding["issue"]["code"] == "QY208").unwrap();
    assert_eq!(dead["issue"]["waived"]["reason"], "这里他没有死");
    let text = home.run(&["series", "show", &fiction, "--ui-lang", "en"]).expect(0).stdout;
    assert!(text.contains("canon"), "{text}");
    let write = home.run(&[&["write", &fiction, "--chapters", "1", "--brief", "--json"], &OFFLINE[..]].concat());
    let written = write.expect_worked().stdout;
    assert!(written.contains("原作《潮声》的设定，不得违背"), "{written}");
}

#[test]
fn search_and_ask_reach_earlier_books_and_name_them() {
    let home = Home::new();
    let (first, second) = (import(&home, "潮声", FIRST), import(&home, "归潮", SECOND));
    home.run(&["series", "add", &second, &first, "--canon"]).expect(0);
    let books = |arguments: &[&str]| -> Vec<String> {
        let found = home.run(&[&["search", &second, "老周倒在码头上", "--json"], arguments].concat()).expect(0).json();
        let hits = found["hits"].as_array().unwrap().iter().filter(|hit| hit["chunk"]["source"]["kind"] == "document");
        hits.map(|hit| hit["book"]["title"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(books(&[]), [""; 0], "the second book has no text");
    assert_eq!(books(&["--series"]), ["潮声"]);
    assert_eq!(books(&["--series", "--before", "1"]), [""; 0], "canon without a gap may be the future");
    home.run(&["series", "remove", &second, &first]).expect(0);
    home.run(&["series", "add", &second, &first]).expect(0);
    assert_eq!(books(&["--series", "--before", "1"]), ["潮声"], "a volume is past as a whole");
    let told = home.run(&["search", &second, "老周倒在码头上", "--series", "--ui-lang", "zh"]).expect(0).stdout;
    assert!(told.contains("第三十章 沉船（《潮声》）"), "{told}");
    let question = ["ask", &second, "谁倒在码头上？", "--series", "--ui-lang", "zh"];
    let told = home.run(&question).expect_worked().stdout;
    assert!(told.contains("「老周倒在码头上，死了。」") && told.contains("第三十章 沉船（《潮声》）"), "{told}");
}

#[test]
fn a_deleted_book_leaves_the_later_one_whole_and_is_named() {
    let home = Home::new();
    let (first, second) = (import(&home, "潮声", FIRST), import(&home, "归潮", SECOND));
    home.run(&["series", "add", &second, &first]).expect(0);
    let before = home.run(&["export-story", &second]).expect(0).json();
    home.run(&["project", "delete", &first]).expect(0);
    assert_eq!(found(&home, &second, "QY208").len(), 1, "a book in the bin still counts");
    home.run(&["project", "delete", &first, "--forever", "--yes"]).expect(0);

    assert_eq!(found(&home, &second, "QY208"), [""; 0]);
    let rows = home.run(&["series", "show", &second, "--json"]).expect(0).json();
    assert_eq!((&rows[0]["title"], &rows[0]["missing"]), (&"潮声".into(), &true.into()), "{rows}");
    let shown = home.run(&["series", "show", &second, "--ui-lang", "zh"]).expect(0).stdout;
    assert!(shown.contains("潮声") && shown.contains("已删除"), "{shown}");
    let text = home.run(&["check", &second, "--ui-lang", "en"]).stdout;
    assert!(text.contains("Not compared") && text.contains("潮声"), "{text}");
    assert_eq!(home.run(&["export-story", &second]).expect(0).json(), before);
    // The missing book stays in the list until it is removed.
    let third = import(&home, "外篇", r#"{"language": "zh", "characters": [{"id": "c-1", "name": "白鸽"}]}"#);
    let added = home.run(&["series", "add", &second, &third, "--json"]).expect(0).json();
    assert_eq!(added.as_array().unwrap().len(), 2, "{added}");
    let left = home.run(&["series", "remove", &second, "潮声", "--json"]).expect(0).json();
    assert_eq!((left.as_array().unwrap().len(), &left[0]["title"]), (1, &"外篇".into()));
}

#[test]
fn a_series_that_cannot_be_is_refused() {
    let home = Home::new();
    let (first, second) = (import(&home, "潮声", FIRST), import(&home, "归潮", SECOND));
    home.run(&["series", "add", &second, &first]).expect(0);
    let long = "很".repeat(41);
    for (arguments, code) in [
        (&["series", "add", &second, &second][..], "series_circle"),
        (&["series", "add", &second, &first], "bad_request"),
        (&["series", "add", &first, &second], "series_circle"),
        (&["series", "add", &second, "p-none"], "unknown_project"),
        (&["series", "remove", &second, "p-none"], "unknown_project"),
        (&["series", "move", &second, "7", "1"], "unknown_project"),
        (&["series", "show", "p-none"], "unknown_project"),
        (&["series", "add", &first, "p-none", "--gap", &long], "bad_request"),
    ] {
        let refused = home.run(&[arguments, &["--json"][..]].concat());
        assert_eq!(refused.json()["error"]["code"], code, "{arguments:?}: {refused:?}");
    }
    let rows = home.run(&["series", "show", &second, "--json"]).expect(0).json();
    assert_eq!(rows.as_array().unwrap().len(), 1, "{rows}");
}
