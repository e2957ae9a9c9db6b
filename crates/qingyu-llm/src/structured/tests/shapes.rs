//! Values that are nearly of the wanted shape, and the schemas themselves.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Outline;
use crate::structured::read::{AnswerReader, AnswerReading};
use crate::structured::schema_of;

fn read(value: &Value) -> AnswerReading {
    AnswerReader::new(&schema_of::<Outline>()).unwrap().read(&value.to_string(), false)
}

#[test]
fn safe_coercions_are_repairs() {
    let wanted = json!({"title":"青羽","chapters":[{"n":1,"summary":"雪"}]});
    for (name, value) in [
        ("number in a string", json!({"title":"青羽","chapters":[{"n":" 1 ","summary":"雪"}]})),
        ("whole float", json!({"title":"青羽","chapters":[{"n":1.0,"summary":"雪"}]})),
        ("object for a list", json!({"title":"青羽","chapters":{"n":1,"summary":"雪"}})),
        ("wrapped", json!({"outline":{"title":"青羽","chapters":[{"n":1,"summary":"雪"}]}})),
        ("wrapped in a list", json!([{"title":"青羽","chapters":[{"n":1,"summary":"雪"}]}])),
        ("wrapped and in a string", json!({"result":{"title":"青羽","chapters":{"n":"1","summary":"雪"}}})),
        ("null for a default", json!({"title":"青羽","chapters":[{"n":1,"summary":"雪","done":null}],"note":null})),
    ] {
        let AnswerReading::Value { value, repaired } = read(&value) else { panic!("{name}: {:?}", read(&value)) };
        let outline: Outline = serde_json::from_value(value).unwrap();
        assert_eq!(outline, serde_json::from_value::<Outline>(wanted.clone()).unwrap(), "{name}");
        assert!(repaired, "{name}");
    }
}

#[test]
fn what_could_change_the_meaning_is_asked_about() {
    for (name, value, words) in [
        ("text for a number", json!({"title":"青羽","chapters":[{"n":"一","summary":"雪"}]}), "/chapters/0/n"),
        ("fraction", json!({"title":"青羽","chapters":[{"n":1.5,"summary":"雪"}]}), "/chapters/0/n"),
        ("negative", json!({"title":"青羽","chapters":[{"n":-1,"summary":"雪"}]}), "/chapters/0/n"),
        ("null for what is required", json!({"title":null,"chapters":[]}), "/title"),
        ("number for a text", json!({"title":7,"chapters":[]}), "/title"),
        ("text for a list", json!({"title":"青羽","chapters":"无"}), "/chapters"),
        ("two wrappers", json!({"a":{"title":"青羽","chapters":[]},"b":{}}), "unexpected"),
    ] {
        let AnswerReading::Bad { problems } = read(&value) else { panic!("{name}: {:?}", read(&value)) };
        assert!(problems.iter().any(|problem| problem.contains(words)), "{name}: {problems:?}");
    }
}

#[test]
fn keys_that_nobody_asked_for_are_dropped() {
    let value = json!({"title":"青羽","chapters":[{"n":1,"summary":"雪","pov":"她"}],"notes":"稿"});
    let wanted = json!({"title":"青羽","chapters":[{"n":1,"summary":"雪"}]});
    assert_eq!(read(&value), AnswerReading::Value { value: wanted, repaired: true });
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Card {
    #[serde(default)]
    traits: Vec<String>,
    #[serde(default)]
    words: Option<u32>,
    #[serde(default)]
    weight: Option<f64>,
    #[serde(default)]
    open: bool,
}

/// A list given as a text and a number with its unit are read as what they are.
#[test]
fn texts_are_read_where_a_list_or_a_number_is_wanted() {
    let reader = AnswerReader::new(&schema_of::<Card>()).unwrap();
    let card = |value: Value| match reader.read(&value.to_string(), false) {
        AnswerReading::Value { value, .. } => value,
        other => panic!("{value}: {other:?}"),
    };
    for (text, list) in [
        ("沉稳、多疑、重情义", json!(["沉稳", "多疑", "重情义"])),
        ("calm, wary", json!(["calm", "wary"])),
        ("[\"沉稳\", \"多疑\"]", json!(["沉稳", "多疑"])),
        ("1. 沉稳\n2. 多疑", json!(["沉稳", "多疑"])),
        ("- calm\n- 3 scars", json!(["calm", "3 scars"])),
        ("他走了，后来又回来。", json!(["他走了，后来又回来。"])),
        ("沉稳", json!(["沉稳"])),
    ] {
        assert_eq!(card(json!({ "traits": text }))["traits"], list, "{text}");
    }
    for (text, number) in [("700字", 700), ("约700字", 700), ("1,200 words", 1200), (" 7 ", 7), ("第3章", 3)] {
        assert_eq!(card(json!({ "words": text }))["words"], json!(number), "{text}");
    }
    assert_eq!(card(json!({ "weight": "1.5 kg" }))["weight"], json!(1.5));
    assert_eq!(card(json!({ "open": "true" }))["open"], json!(true));
    for text in ["700-800字", "3万", "8/10", "七百", "70%", "2k", "字"] {
        let reading = reader.read(&json!({ "words": text }).to_string(), false);
        assert!(matches!(reading, AnswerReading::Bad { .. }), "{text}: {reading:?}");
    }
}

#[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default)]
struct Style {
    tone: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    person: Option<String>,
}

#[test]
fn a_type_that_is_all_defaults_is_not_made_of_nothing() {
    let reader = AnswerReader::new(&schema_of::<Style>()).unwrap();
    for answer in [r#"{"error": "我做不到"}"#, r#"[]"#, r#"{"result": {"error": "我做不到"}}"#, "{\"tone\": \"冷"]
    {
        let reading = reader.read(answer, false);
        assert!(!matches!(reading, AnswerReading::Value { .. }), "{answer}: {reading:?}");
    }
    let wanted = AnswerReading::Value { value: json!({"tone": "冷"}), repaired: false };
    assert_eq!(reader.read("不是 {}，而是 {\"tone\": \"冷\"}。", false), wanted);
}

#[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default)]
struct Notes {
    summary: String,
    events: Vec<Note>,
    facts: Vec<Note>,
}

#[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default)]
struct Note {
    quote: String,
}

#[test]
fn entries_under_another_name_are_renamed_or_asked_about_never_dropped() {
    let synonyms = [("事实", "facts"), ("statements", "facts"), ("摘要", "summary")];
    let output = schema_of::<Notes>();
    let reader = AnswerReader::new(&output).unwrap().with_synonyms(&synonyms);
    let facts = |value: Value| match reader.read(&value.to_string(), false) {
        AnswerReading::Value { value, .. } => Ok(value["facts"].as_array().map_or(0, Vec::len)),
        AnswerReading::Bad { problems } => Err(problems),
        cut => panic!("{cut:?}"),
    };
    let entries = || json!([{"quote": "雪停了。"}]);
    for value in [
        json!({"摘要": "雪", "事实": entries(), "events": []}),
        json!({"summary": "snow", "statements": entries()}),
        json!({"result": {"summary": "snow", "facts": [], "statements": entries()}}),
        json!([{"statements": {"quote": "The snow stopped."}}]),
        // Every list was given, so the other one is something else.
        json!({"summary": "snow", "facts": entries(), "events": [], "notes": ["short"]}),
        // An unknown text or an empty list holds no entries.
        json!({"facts": entries(), "remark": "none", "notes": []}),
    ] {
        assert_eq!(facts(value.clone()), Ok(1), "{value}");
    }
    for (value, name) in [
        (json!({"summary": "雪", "事情": entries()}), "事情"),
        (json!({"summary": "snow", "facts": [], "events": [], "claims": entries()}), "claims"),
        (json!({"summary": "snow", "facts": entries(), "happenings": entries()}), "happenings"),
        (json!({"summary": "snow", "by_person": {"Mara": entries()}}), "by_person"),
    ] {
        let problems = facts(value.clone()).expect_err("it is asked about");
        assert_eq!(problems, [format!("`{name}` is not a field of the answer, use events, facts")], "{value}");
    }
    assert!(facts(json!([{"quote": "雪停了。"}, {"quote": "天亮了。"}])).is_err(), "a list is no answer");
    // Without other names unknown fields are dropped.
    let plain = AnswerReader::new(&output).unwrap();
    let reading = plain.read(&json!({"summary": "雪", "事情": entries()}).to_string(), false);
    assert_eq!(reading, AnswerReading::Value { value: json!({"summary": "雪"}), repaired: true });
}

#[test]
fn at_most_ten_problems_are_reported() {
    let chapters: Vec<Value> = (0..30).map(|_| json!({"n":"甲","summary":"雪"})).collect();
    let AnswerReading::Bad { problems } = read(&json!({"title":"青羽","chapters":chapters})) else { panic!() };
    assert_eq!(problems.len(), 10);
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Report<'a> {
    /// Between 0 and 100.
    score: f32,
    kinds: Vec<Kind>,
    #[serde(default)]
    by: Option<Kind>,
    #[serde(skip)]
    _hidden: &'a str,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// Of time.
    Timeline,
    /// Of place.
    Place,
}

#[test]
fn schemas_are_what_strict_modes_accept() {
    let schema = schema_of::<Report<'_>>();
    assert_eq!(schema.name, "Report");
    let kind = json!({"anyOf": [
        {"const": "timeline", "description": "Of time.", "type": "string"},
        {"const": "place", "description": "Of place.", "type": "string"},
    ]});
    let wanted = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["score", "kinds"],
        "properties": {
            "score": {"type": "number", "description": "Between 0 and 100."},
            "kinds": {"type": "array", "items": kind},
            "by": {"anyOf": [kind, {"type": "null"}]},
        }
    });
    assert_eq!(schema.schema, wanted);
}
