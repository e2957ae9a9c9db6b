use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::Status;

fn field(path: &str, depends_on: &[&str]) -> Field {
    Field {
        path: path.into(),
        title: path.into(),
        phase: "p".into(),
        schema: json!({}),
        depends_on: depends_on.iter().map(|path| (*path).to_owned()).collect(),
        ..Field::default()
    }
}

/// `a → b → d`, `a → c → d`, a list with items that `e` is made from.
fn story() -> Story {
    let lessons = Field { each: Some("p/list#/entries".into()), ..field("p/lessons", &["p/a"]) };
    let fields = vec![
        field("p/a", &[]),
        field("p/b", &["p/a#/x"]),
        field("p/c", &["p/a"]),
        field("p/d", &["p/b", "p/c"]),
        field("p/list", &["p/a"]),
        lessons,
        field("p/e", &["p/lessons"]),
    ];
    Story { fields, ..Story::default() }
}

fn set(story: &mut Story, path: &str, value: Value) -> Changed {
    put(story, path, value, Maker::default()).unwrap()
}

fn filled() -> Story {
    let mut story = story();
    set(&mut story, "p/a", json!({"x": 1, "y": 1}));
    for path in ["p/b", "p/c", "p/d"] {
        set(&mut story, path, json!(path));
    }
    set(&mut story, "p/list", json!({"entries": ["one", "two"]}));
    set(&mut story, "p/lessons/1", json!("1"));
    set(&mut story, "p/lessons/2", json!("2"));
    set(&mut story, "p/e", json!("e"));
    story
}

fn stale_now(story: &Story) -> Vec<String> {
    super::stale(story)
}

#[test]
fn what_is_stale_because_of_a_change_is_neither_what_was_made_with_it_nor_what_was_stale_before() {
    let mut story = filled();
    set(&mut story, "p/a", json!({"x": 2, "y": 2}));
    let by = |story: &Story, paths: &[&str]| -> Vec<String> {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        FieldBoard::new(&story.fields).stale_by(&paths).into_iter().map(|field| field.path.clone()).collect()
    };
    assert_eq!(by(&story, &["p/a"]), ["p/b", "p/c", "p/d", "p/list", "p/lessons/1", "p/lessons/2", "p/e"]);
    // `b` and `list` are made from the change: nothing of it is stale because of itself, and `c` was stale before.
    set(&mut story, "p/b", json!("new"));
    set(&mut story, "p/list", json!({"entries": ["one", "three"]}));
    assert_eq!(by(&story, &["p/b", "p/list"]), ["p/d", "p/lessons/2", "p/e"]);
    // Made from something stale: it is not said to be stale because of itself.
    set(&mut story, "p/d", json!("new"));
    assert_eq!(by(&story, &["p/d"]), [""; 0]);
    assert_eq!(by(&story, &[]), [""; 0]);
}

#[test]
fn a_list_written_by_hand_is_as_long_as_it_is_written() {
    let mut story = filled();
    let schema = json!({"type": "array", "minItems": 3, "maxItems": 4, "items": {"type": "string"}});
    story.fields.push(Field { schema, ..field("p/list3", &[]) });
    assert!(put(&mut story, "p/list3", json!(["a"]), Maker::default()).is_err(), "a model keeps to the template");
    let before = story.clone();
    assert!(put_by_hand(&mut story, "p/list3", json!([1]), Maker::default()).is_err());
    assert_eq!(story, before, "a value of another kind is refused, and nothing has changed");
    put_by_hand(&mut story, "p/list3", json!(["a", "b"]), Maker::default()).unwrap();
    put_by_hand(&mut story, "p/list3", json!(["a", "b", "c", "d", "e"]), Maker::default()).unwrap();
    let board = FieldBoard::new(&story.fields);
    assert_eq!(parse(board.get("p/list3").unwrap(), r#"["a"]"#).unwrap(), json!(["a"]));
}

#[test]
fn a_change_makes_stale_what_is_made_from_it_and_taking_it_back_does_not() {
    let mut story = filled();
    assert_eq!(stale_now(&story), [""; 0]);
    let changed = set(&mut story, "p/a", json!({"x": 1, "y": 2}));
    // Only a part of it is in `b`, and that part is the same.
    assert_eq!(changed.stale, ["p/c", "p/d", "p/list", "p/lessons/1", "p/lessons/2", "p/e"]);
    set(&mut story, "p/a", json!({"y": 1, "x": 1}));
    assert_eq!(stale_now(&story), [""; 0]);
}

/// A production as an older release stored it: without audiences, lengths, voice and reading order.
#[test]
fn a_production_of_an_older_release_opens_and_goes_on() {
    let production = json!({
        "template": "course", "phases": [{"name": "p", "title": "P", "kind": "make", "autonomy": "wait", "is_done": false}],
        "current_phase": "p", "criteria": [], "channels": [],
    });
    let field = json!({
        "path": "p/lessons", "title": "课文", "phase": "p", "schema": {"type": "string"}, "guidance": "", "is_content": true,
        "depends_on": ["p/list"], "each": "p/list#/entries", "value": null, "version": 0, "is_confirmed": false, "made_from": {},
    });
    let list = json!({"path": "p/list", "title": "大纲", "phase": "p", "schema": {"type": "object"}});
    let mut story = Story {
        production: Some(serde_json::from_value(production).unwrap()),
        fields: vec![serde_json::from_value(list).unwrap(), serde_json::from_value(field).unwrap()],
        ..Story::default()
    };
    set(&mut story, "p/list", json!({"entries": ["一", "二"]}));
    set(&mut story, "p/lessons/1", json!("写好了。"));
    set(&mut story, "p/lessons/2", json!("也写好了。"));
    assert_eq!(stale_now(&story), Vec::<String>::new());
    let format = crate::export::ProductionFormat::Markdown;
    let readiness = crate::export::Readiness::Ready;
    let exported = crate::export(&story, "题", qingyu_story::Language::Zh, &format, &[], readiness).unwrap();
    assert_eq!(exported.files.len(), 1, "a list without an audience is one file");
}

/// A course whose lessons are made from the titles, the findings that concern them, and the lesson before.
fn course() -> Story {
    let lessons = Field {
        each: Some("p/list#/entries".into()),
        ..field("p/lessons", &["p/list#/entries/*/title", "r/report?relevant", PREVIOUS])
    };
    let mut story = Story {
        fields: vec![field("r/report", &[]), field("p/list", &["r/report?relevant"]), lessons],
        ..Story::default()
    };
    set(&mut story, "r/report", report("wool", "bees"));
    set(&mut story, "p/list", entries("knit"));
    for at in 1..=3 {
        set(&mut story, &format!("p/lessons/{at}"), json!(format!("text {at}")));
    }
    story
}

fn entries(exercise: &str) -> Value {
    let entry = |title: &str, exercise: &str| json!({"title": title, "exercise": exercise});
    json!({"entries": [entry("Buying wool", "count"), entry("Spinning wool", exercise), entry("Keeping bees", "look")]})
}

fn report(first: &str, second: &str) -> Value {
    let finding = |subject: &str, source: u32| json!({"claim": format!("Most people forget {subject}"), "sources": [source], "is_supported": true});
    let source = |number: u32| json!({"number": number, "title": "t", "url": format!("https://{number}.example/")});
    json!({"findings": [finding(first, 1), finding(second, 2)], "sources": [source(1), source(2)]})
}

#[test]
fn a_lesson_is_stale_by_its_own_findings_the_titles_and_the_lesson_before() {
    let paths = |story: &Story| FieldBoard::new(&story.fields).get("p/lessons/3").unwrap().depends_on.clone();
    let mut story = course();
    assert_eq!(
        paths(&story),
        ["p/list#/entries/*/title", "r/report?relevant", "p/lessons/2", "p/list#/entries/2"],
        "the item before stands in place of the word"
    );
    assert_eq!(stale_now(&story), Vec::<String>::new());
    // Only the third lesson is about bees; the outline saw all findings.
    assert_eq!(
        set(&mut story, "r/report", report("wool", "honey bees")).stale,
        ["p/list", "p/lessons/1", "p/lessons/2", "p/lessons/3"]
    );
    confirm(&mut story, &["p/list".into()]).unwrap();
    assert_eq!(stale_now(&story), ["p/lessons/3"], "the outline stands, and one lesson has other findings");
    let mut story = course();
    let because = |story: &Story, path: &str| {
        let rows = FieldBoard::new(&story.fields).rows();
        rows.into_iter().find(|row| row.path == path).unwrap().because
    };
    let changed = set(&mut story, "p/list", entries("spin"));
    assert_eq!(changed.stale, ["p/lessons/2", "p/lessons/3"], "another exercise, and what builds on it");
    assert_eq!(because(&story, "p/lessons/2"), ["p/list#/entries/1"]);
    assert_eq!(because(&story, "p/lessons/3"), ["p/lessons/2"]);
    // One after the other, since each is made from the one before.
    let board = FieldBoard::new(&story.fields);
    let wanted = ["p/lessons/1", "p/lessons/2", "p/lessons/3"].map(str::to_owned).into_iter().collect();
    let ready: Vec<&str> = board.ready(&wanted).into_iter().map(|field| field.path.as_str()).collect();
    assert_eq!(ready, ["p/lessons/1"]);
    assert!(board.check().is_ok());
}

#[test]
fn one_entry_of_a_list_makes_one_item_stale() {
    let mut story = filled();
    let changed = set(&mut story, "p/list", json!({"entries": ["one", "zwei"]}));
    assert_eq!(changed.stale, ["p/lessons/2", "p/e"]);
    assert_eq!(FieldBoard::new(&story.fields).get("p/lessons/2").unwrap().title, "p/lessons 2: zwei");
    let board = FieldBoard::new(&story.fields);
    let row = board.rows().into_iter().find(|row| row.path == "p/e").unwrap();
    assert_eq!(row.because, ["p/lessons/2"]);
}

#[test]
fn a_list_that_grows_and_shrinks_keeps_what_was_written() {
    let mut story = filled();
    assert_eq!(set(&mut story, "p/list", json!({"entries": ["one", "two", "three"]})).added, ["p/lessons/3"]);
    let shrunk = set(&mut story, "p/list", json!({"entries": ["one"]}));
    assert_eq!(shrunk.removed, ["p/lessons/3"]);
    let paths: Vec<_> = story.fields.iter().map(|field| field.path.as_str()).collect();
    assert_eq!(paths[5..], ["p/lessons", "p/lessons/1", "p/lessons/2", "p/e"]);
    assert!(stale_now(&story).contains(&"p/lessons/2".to_owned()));
    let before = story.clone();
    assert_eq!(expand(&mut story.fields), (vec![], vec![]));
    assert_eq!(before, story);
}

#[test]
fn looked_at_is_stale_no_more() {
    let mut story = filled();
    set(&mut story, "p/a", json!({"x": 2, "y": 1}));
    let version = FieldBoard::new(&story.fields).get("p/b").unwrap().version;
    assert_eq!(set(&mut story, "p/b", json!("p/b")).version, version);
    confirm(&mut story, &["p/c".to_owned()]).unwrap();
    let board = FieldBoard::new(&story.fields);
    let status = |path: &str| board.status(board.get(path).unwrap());
    assert_eq!((status("p/b"), status("p/c"), status("p/d")), (Status::Draft, Status::Confirmed, Status::Draft));
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut story = filled();
    story.fields[0].schema = json!({"type": "object", "required": ["x"]});
    let before = story.clone();
    let mut refused = |path: &str, value: Value| put(&mut story, path, value, Maker::default()).unwrap_err().reason();
    assert_eq!(refused("p/a", json!({"y": 1})), "misfit");
    assert_eq!(refused("p/b", Value::Null), "misfit");
    assert_eq!(refused("p/lessons", json!([])), "pattern");
    assert_eq!(refused("p/x", json!(1)), "unknown_field");
    assert_eq!(story, before);
    let cases = [
        (vec![field("p/a", &["p/b"]), field("p/b", &["p/a"])], "cycle"),
        (vec![field("p/a", &["p/a#/x"])], "cycle"),
        (vec![field("p/a", &["p/x"])], "unknown_dependency"),
        (vec![field("p/a", &[]), field("p/a", &[])], "twice"),
        (vec![field("p/z", &["p/b"]), field("p/b", &["p/c"]), field("p/c", &["p/b"])], "cycle"),
    ];
    for (fields, reason) in cases {
        assert_eq!(FieldBoard::new(&fields).check().unwrap_err().reason(), reason);
    }
    assert_eq!(FieldBoard::new(&story.fields).check(), Ok(()));
}

/// How a field stands, as it is said in words: by recursion, without any order worked out.
fn naive(fields: &[Field], at: usize) -> Status {
    let board = FieldBoard::new(fields);
    let field = &fields[at];
    if field.is_empty() {
        return Status::Empty;
    }
    let is_stale = field.depends_on.iter().any(|path| {
        let source = fields.iter().position(|field| field.path == *path).unwrap();
        let is_other = board.made_from(field)[path] != *field.made_from.get(path).unwrap_or(&String::new());
        is_other || naive(fields, source) == Status::Stale
    });
    match (is_stale, field.is_confirmed) {
        (true, _) => Status::Stale,
        (false, true) => Status::Confirmed,
        (false, false) => Status::Draft,
    }
}

/// Up to eight fields, each made from some of those before it, listed backwards.
fn graphs() -> impl Strategy<Value = Vec<Field>> {
    prop::collection::vec(any::<u8>(), 1..8).prop_map(|masks| {
        let made = |(at, mask): (usize, &u8)| {
            let sources: Vec<String> =
                (0..at).filter(|source| mask >> source & 1 == 1).map(|source| format!("p/{source}")).collect();
            field(&format!("p/{at}"), &sources.iter().map(String::as_str).collect::<Vec<_>>())
        };
        masks.iter().enumerate().map(made).rev().collect()
    })
}

proptest! {
    #[test]
    fn statuses_are_what_is_said_of_them(
        fields in graphs(),
        steps in prop::collection::vec((any::<prop::sample::Index>(), 0..3_u8, any::<bool>()), 0..24),
    ) {
        let mut story = Story { fields, ..Story::default() };
        for (at, value, is_confirmed) in steps {
            let path = story.fields[at.index(story.fields.len())].path.clone();
            if is_confirmed {
                let _ = confirm(&mut story, &[path]);
            } else {
                set(&mut story, &path, json!(value));
            }
            let board = FieldBoard::new(&story.fields);
            let statuses = board.statuses();
            for (at, field) in story.fields.iter().enumerate() {
                prop_assert_eq!(statuses[field.path.as_str()], naive(&story.fields, at));
            }
        }
    }

    #[test]
    fn what_is_ready_does_not_wait_for_each_other_and_all_get_ready(fields in graphs(), mask in any::<u8>()) {
        let board = FieldBoard::new(&fields);
        let chosen = fields.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
        let mut wanted: BTreeSet<String> = chosen.map(|(_, field)| field.path.clone()).collect();
        while !wanted.is_empty() {
            let ready = board.ready(&wanted);
            prop_assert!(!ready.is_empty());
            for field in &ready {
                let dependents = board.dependents(&field.path);
                prop_assert!(dependents.iter().all(|dependent| !ready.iter().any(|other| other.path == dependent.path)));
            }
            for field in ready {
                wanted.remove(&field.path);
            }
        }
    }
}
