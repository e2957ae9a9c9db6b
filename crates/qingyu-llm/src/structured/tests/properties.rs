//! What must hold for any text and any value.

use proptest::prelude::*;
use serde_json::Value;

use crate::structured::extract::spans;
use crate::structured::read::AnswerReader;
use crate::structured::scan::scan;
use crate::structured::schema_of;

/// Any object or list, with the strings that break extractors.
fn json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        any::<String>(),
        "[\\[\\]{}\"\\\\:,“”：，`'/#.a雪\n]{0,12}",
        Just("</think>".to_owned()),
        Just("```json\n{}\n```".to_owned()),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(text.clone(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
    .prop_filter("brackets outside", |value| value.is_object() || value.is_array())
}

proptest! {
    #[test]
    fn what_was_written_is_read(
        value in json(),
        pretty in any::<bool>(),
        before in "[^\\[\\]{}｛［`<]{0,30}",
        after in "[^`<]{0,30}",
        dress in 0..4,
    ) {
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let answer = match dress {
            0 => text,
            1 => format!("{before}\n{text}\n{after}"),
            2 => format!("{before}\n```json\n{text}\n```\n{after}"),
            _ => format!("<think>{before}</think>\n```\n{text}\n```"),
        };
        let spans = spans(&answer);
        prop_assert_eq!(spans.first().and_then(|span| span.value.clone()), Some(value), "{}", answer);
    }

    #[test]
    fn no_text_is_too_strange(text in any::<String>(), json in json(), cut in any::<prop::sample::Index>()) {
        let broken = json.to_string();
        let at = (0..=broken.len()).rev().filter(|&at| broken.is_char_boundary(at)).nth(cut.index(broken.chars().count())).unwrap();
        let reader = AnswerReader::new(&schema_of::<super::Outline>()).unwrap();
        for answer in [&text, &broken[..at], &format!("{text}{broken}"), &format!("{}{text}", &broken[..at])] {
            reader.read(answer, false);
            reader.read_continued(&broken[..at], answer, true);
        }
    }

    #[test]
    fn brackets_and_quotes_in_any_order(text in "[\\[\\]{}\"“”'\\\\/*#.,:，：｛］u0a\n`<>]{0,60}") {
        let reader = AnswerReader::new(&schema_of::<super::Outline>()).unwrap();
        reader.read(&text, false);
        let found = scan(&text);
        prop_assert!(text.is_char_boundary(found.length));
    }

    #[test]
    fn the_scanner_changes_nothing_in_json(value in json()) {
        let text = value.to_string();
        let found = scan(&text);
        prop_assert!(found.whole, "{}", text);
        prop_assert_eq!(found.length, text.len());
        prop_assert_eq!(serde_json::from_str::<Value>(&found.normal).unwrap(), value);
    }
}
