use proptest::prelude::*;

use super::*;

fn fields() -> Fields {
    let texts = |values: &[&str]| values.iter().map(|value| Value::from(*value)).collect::<Vec<_>>();
    Fields::from([
        ("role_type".into(), texts(&["protagonist"])),
        ("traits".into(), texts(&["勇敢", "固執"])),
        ("name".into(), texts(&["林深"])),
        ("chapter".into(), vec![Value::from(12)]),
        ("open".into(), vec![Value::from(true)]),
    ])
}

#[test]
fn conditions_fit() {
    for (condition, fits) in [
        ("role_type=protagonist and traits contains 勇敢", true),
        ("role_type = Protagonist", true),
        ("role_type != protagonist", false),
        ("role_type in (antagonist, protagonist)", true),
        ("role_type not in (antagonist, minor)", true),
        ("traits = 勇敢", true),
        ("traits contains 勇", true),
        ("traits contains 固执", true),
        ("traits not contains 胆小", true),
        ("name contains 深 and not chapter > 12", true),
        ("chapter in 3..12", true),
        ("chapter in 13..20", false),
        ("chapter >= 12 and chapter < 12.5", true),
        ("chapter = \"12\"", false),
        ("age > 1 or chapter=12", true),
        ("not age > 1", true),
        ("age != 3", true),
        ("（open＝true，）", false),
        ("(open = true)", true),
        ("role_type＝“protagonist”", true),
        ("NOT (chapter = 1 OR chapter = 2) AND ()", true),
        ("not ()", false),
        ("traits in ()", false),
    ] {
        match Filter::parse(condition) {
            Ok(filter) => assert_eq!(filter.fits(&fields()), fits, "{condition}"),
            Err(error) => assert!(condition.contains("，）"), "{condition}: {error}"),
        }
    }
}

#[test]
fn errors_say_where_and_what() {
    for (condition, message) in [
        ("", "at character 1: the name of a field, not, or ( expected, found the end"),
        ("role_type", "at character 10: =, !=, <, <=, >, >=, in, contains, or not expected, found the end"),
        ("role_type = ", "at character 13: a value expected, found the end"),
        ("a = 1 b = 2", "at character 7: and, or, or the end expected, found b"),
        ("a = 1 and", "at character 10: the name of a field, not, or ( expected, found the end"),
        ("(a = 1", "at character 7: and, or, or ) expected, found the end"),
        ("a in (1, 2", "at character 11: , or ) expected, found the end"),
        ("a in 1", "at character 7: .. expected, found the end"),
        ("a = \"x", "at character 5: a value expected, found \"x"),
        ("a not = 1", "at character 7: in or contains expected, found ="),
        ("角色 ~ 1", "at character 4: =, !=, <, <=, >, >=, in, contains, or not expected, found ~"),
        ("a = and", "at character 5: a value expected, found and"),
    ] {
        assert_eq!(Filter::parse(condition).unwrap_err().to_string(), message, "{condition}");
    }
    assert!(Filter::parse(&"(".repeat(100_000)).is_err());
    assert!(Filter::parse(&"not ".repeat(100_000)).is_err());
}

#[test]
fn what_is_just_deep_enough_is_so_when_it_is_written() {
    let tests = [
        "a = 1",
        "a != 1",
        "a < 1",
        "not a = 1",
        "a not in (1)",
        "a not in 1..2",
        "a not contains b",
        "()",
        "(a < 1 and a < 2 or a < 3)",
        "(a < 1 or (a < 2 or a < 3) and a < 4)",
    ];
    let mut deepest = 0;
    for (depth, test) in (0..80).flat_map(|depth| tests.map(|test| (depth, test))) {
        for condition in
            [format!("{}{test}", "not ".repeat(depth)), format!("{}{test}{}", "(not ".repeat(depth), ")".repeat(depth))]
        {
            let Ok(filter) = Filter::parse(&condition) else { continue };
            assert_eq!(Filter::parse(&filter.to_string()).as_ref(), Ok(&filter), "{condition}");
            deepest = deepest.max(depth);
        }
    }
    assert!((30..80).contains(&deepest), "the limit was met: {deepest}");
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-1000i32..1000).prop_map(|number| Value::Number(f64::from(number) / 4.0)),
        "[a-z林深勇敢 .\"\\\\()，,=1-9]{0,6}".prop_map(Value::Text),
        Just(Value::from("and")),
        "\\PC{0,5}".prop_map(Value::Text),
    ]
}

/// Conditions as the parser makes them: `and` and `or` join at least two.
fn filter() -> impl Strategy<Value = Filter> {
    let field = || prop_oneof![Just("a".to_owned()), Just("角色".to_owned()), Just("role_type".to_owned())];
    let comparison = prop_oneof![
        Just(FieldComparison::Equal),
        Just(FieldComparison::Less),
        Just(FieldComparison::AtMost),
        Just(FieldComparison::Greater),
        Just(FieldComparison::AtLeast)
    ];
    let test = prop_oneof![
        (field(), comparison, value()).prop_map(|(field, comparison, value)| Filter::Is { field, comparison, value }),
        (field(), prop::collection::vec(value(), 0..3)).prop_map(|(field, values)| Filter::In { field, values }),
        (field(), value(), value()).prop_map(|(field, from, until)| Filter::Range { field, from, until }),
        (field(), value()).prop_map(|(field, value)| Filter::Contains { field, value }),
        Just(Filter::And(Vec::new())),
        Just(Filter::Or(Vec::new())),
    ];
    test.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Filter::And),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Filter::Or),
            // `not ()` means the alternative of nothing.
            inner
                .prop_filter("said shorter", |inner| *inner != Filter::And(Vec::new()))
                .prop_map(|inner| Filter::Not(Box::new(inner))),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(filter in filter()) {
        let printed = filter.to_string();
        prop_assert_eq!(Filter::parse(&printed), Ok(filter), "{}", printed);
    }

    #[test]
    fn no_text_breaks_the_reader(text in "\\PC{0,60}") {
        let _ = Filter::parse(&text);
    }
}
