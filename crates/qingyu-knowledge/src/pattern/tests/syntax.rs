use proptest::prelude::*;

use crate::graph::NodeKind;
use crate::pattern::{
    EdgeDirection, EdgePattern, Goal, GraphPattern, Hops, Instant, MOST_HOPS, MOST_PATTERNS, Name, NodePattern,
    Operator, Path, PropertyComparison, PropertyTest, Query, Set, Value, When,
};

#[test]
fn patterns_are_read_and_written_in_one_form() {
    for (text, written) in [
        (
            r#"(x:Character {traits contains "谨慎"})-[:friend_of @ch30]-(p {role_type="protagonist"}), (x)-[:visited]->(:Location "迷雾森林")"#,
            r#"(x:Character {traits contains "谨慎"})-[:friend_of @ch30]-(p {role_type = "protagonist"}), (x)-[:visited]->(:Location "迷雾森林")"#,
        ),
        ("（x：character|ITEM “铜钥匙”）<-【r:持有】-()", "(x:Character|Item \"铜钥匙\")<-[r:持有]-()"),
        ("(a)--(b)-->(c)<--(d)", "(a)--(b)-->(c)<--(d)"),
        ("(a)-[*]-(b)-[*3]-(c)-[*2..]->(d)-[*..4]-(e)", "(a)-[*1..8]-(b)-[*3]-(c)-[*2..8]->(d)-[*1..4]-(e)"),
        (
            "(a)-[@CH3..\"夜宴\"]-(b) @\"第3天\" RETURN b , a LIMIT 5",
            "(a)-[@ch3..\"夜宴\"]-(b) @\"第3天\" return b, a limit 5",
        ),
        ("shortest (a \"甲\")-[*..6]-(b \"乙\")", "shortest (a \"甲\")-[*1..6]-(b \"乙\")"),
        ("within 2 (a)-[:friend_of|\"hates deeply\"]-()", "within 2 (a)-[:friend_of|\"hates deeply\"]-()"),
        ("{(x) and (x)--(y)} except (x)--(z)", "{ (x) and (x)--(y) } except (x)--(z)"),
        ("(x) or (x)--(y) or (x)--(z)", "(x) or (x)--(y) or (x)--(z)"),
        (
            "(x {age >= 18, age < 30.5, \"in\" in [1, -2, \"a\\\"b\", true]})",
            "(x {age >= 18, age < 30.5, \"in\" in [1, -2, \"a\\\"b\", true]})",
        ),
    ] {
        let query = Query::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}\n{:?}", error.marked(text)));
        assert_eq!(query.to_string(), written);
        assert_eq!(Query::parse(written).as_ref(), Ok(&query), "{written}");
    }
}

#[test]
fn errors_say_where_and_what_was_expected() {
    for (text, message) in [
        ("", "at character 1: expected a node such as (x:Character), found the end"),
        (
            "(x:Person)",
            "at character 4: expected a kind of node (Character, Location, Item, Organisation, Event, Chapter, Plot, Fact, Unknown), found 'Person'",
        ),
        (
            "(x",
            "at character 3: expected a kind such as :Character, a name in quotes, a test in { }, or ')', found the end",
        ),
        ("(x)-[:friend_of](y)", "at character 17: expected '-', found '('"),
        (
            "(x)<-[:a]->(y)",
            "at character 11: expected a node; an edge has one arrow head, or none for both directions, found '>'",
        ),
        (
            "(x)-[:a @30]-(y)",
            "at character 10: expected a chapter such as ch30, or an event or time in quotes, found 30",
        ),
        ("(x \"甲)", "at character 4: expected a text with its closing quote, found no closing \""),
        ("(x {age 3})", "at character 9: expected =, !=, <, <=, >, >=, 'contains' or 'in', found 3"),
        ("(x)-[*0]-(y)", "at character 7: expected a number of hops from 1 to 12, found 0"),
        (
            "(x) and (x) or (x)",
            "at character 13: expected the same operator as before, or braces { } around what belongs together, found 'or'",
        ),
        (
            "(x) (y)",
            "at character 5: expected ',', 'and', 'or', 'except', '@', 'return', 'limit' or the end, found '('",
        ),
        ("(x)-[r]-(y), (y)-[r]-(z)", "'r' names an edge and something else; give each edge its own variable"),
        ("(x) return y", "'y' cannot be returned: the pattern has x"),
        ("(x) and (y)", "the two sides of 'and' have no variable in common; name a node on both sides, such as (x)"),
        ("(x)-[{strength > 1}]-(y)", "edges have no property 'strength': they have mode, by, source"),
        ("(x)-[*5..2]-(y)", "5 to 2 hops cannot be: from 1 to 12, the smaller one first"),
        ("shortest (a)--(b)--(c)", "'shortest' takes one edge, such as (a)-[*..6]-(b)"),
        ("(return)", "at character 2: expected a variable that is no word of the language, found 'return'"),
    ] {
        assert_eq!(
            Query::parse(text).map(|query| query.to_string()).map_err(|error| error.to_string()),
            Err(message.to_owned()),
            "{text}"
        );
    }
    let text = "(x:Character),\n(甲 \"乙\") (y)";
    let error = Query::parse(text).unwrap_err();
    assert_eq!(error.marked(text).unwrap(), "(甲 \"乙\") (y)\n          ^");
}

#[test]
fn only_so_many_patterns_are_joined() {
    let side_by_side = |patterns: usize| vec!["(x {a in [1]})-[:b]-(y {c = 2})"; patterns].join(" and ");
    let in_braces = |patterns: usize| {
        let (open, close) = ("(x) and { ".repeat(patterns - 2), " }".repeat(patterns - 2));
        format!("{open}(x) and (x {{a in [1]}}){close}")
    };
    for text in [side_by_side(MOST_PATTERNS), in_braces(MOST_PATTERNS)] {
        let query = Query::parse(&text).unwrap();
        assert_eq!(query.to_string(), text);
        let json = serde_json::to_string(&query).unwrap();
        assert_eq!(serde_json::from_str::<Query>(&json).unwrap(), query, "as JSON it is not too deep to be read");
    }
    let (one_more, far_more) = (MOST_PATTERNS + 1, 300_000);
    for text in [side_by_side(one_more), in_braces(one_more), side_by_side(far_more)] {
        let error = Query::parse(&text).unwrap_err();
        let expected = format!("the end: no more than {MOST_PATTERNS} patterns can be joined");
        assert!(error.to_string().contains(&expected), "{error}");
    }
    let one = Query::parse("(x)").unwrap().set;
    let join = |left, right| Set::Join { how: Operator::Or, left: Box::new(left), right: Box::new(right) };
    let set = (0..MOST_PATTERNS).fold(one.clone(), |left, _| join(left, one.clone()));
    let query = Query { set, ..Query::parse("(x)").unwrap() };
    assert_eq!(query.check().unwrap_err().to_string(), "a query joins at most 32 patterns");
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("friend_of".to_owned()),
        Just("持有".to_owned()),
        Just("in".to_owned()),
        Just("a \"quoted\" \\ word".to_owned()),
        "[a-z甲-癸_]{1,6}",
        "\\PC{1,6}".prop_filter("a word", |word| !word.trim().is_empty()),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![".{0,8}", "[甲-癸\"\\\\\n\t{}()]{0,6}"]
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![(-1000_i32..1000).prop_map(f64::from), prop::num::f64::NORMAL]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![any::<bool>().prop_map(Value::Flag), number().prop_map(Value::Number), text().prop_map(Value::Text)]
}

fn comparison() -> impl Strategy<Value = PropertyComparison> {
    prop_oneof![
        value().prop_map(PropertyComparison::Equal),
        value().prop_map(PropertyComparison::NotEqual),
        number().prop_map(PropertyComparison::Less),
        number().prop_map(PropertyComparison::AtMost),
        number().prop_map(PropertyComparison::Greater),
        number().prop_map(PropertyComparison::AtLeast),
        text().prop_map(PropertyComparison::Contains),
        prop::collection::vec(value(), 1..3).prop_map(PropertyComparison::In),
    ]
}

fn instant() -> impl Strategy<Value = Instant> {
    prop_oneof![any::<u32>().prop_map(Instant::Chapter), text().prop_map(Instant::Words)]
}

fn when() -> impl Strategy<Value = When> {
    prop_oneof![
        2 => Just(When::Ever),
        1 => instant().prop_map(When::AsOf),
        1 => (instant(), instant()).prop_map(|(from, to)| When::During(from, to)),
    ]
}

fn node() -> impl Strategy<Value = NodePattern> {
    let kinds = prop::collection::vec(prop::sample::select(NodeKind::ALL.to_vec()), 0..3);
    let tests = prop::collection::vec((word(), comparison()), 0..3);
    (prop::sample::select(vec!["x", "y", "甲", "_z9"]), kinds, prop::option::of(text()), tests).prop_map(
        |(variable, kinds, name, tests)| NodePattern {
            variable: Some(Name::new(variable).unwrap()),
            kinds,
            name,
            tests: tests.into_iter().map(|(property, is)| PropertyTest { property, is }).collect(),
        },
    )
}

fn edge() -> impl Strategy<Value = EdgePattern> {
    let direction = prop::sample::select(vec![EdgeDirection::Left, EdgeDirection::Right, EdgeDirection::Either]);
    let hops = (1..=MOST_HOPS, 0..4_u8).prop_map(|(most, less)| Hops { least: most.saturating_sub(less).max(1), most });
    let tests = prop::collection::vec((prop::sample::select(vec!["mode", "by", "source"]), comparison()), 0..2);
    (prop::collection::vec(word(), 0..3), direction, hops, when(), tests).prop_map(
        |(words, direction, hops, when, tests)| EdgePattern {
            variable: None,
            words,
            direction,
            hops,
            when,
            tests: tests.into_iter().map(|(property, is)| PropertyTest { property: property.to_owned(), is }).collect(),
        },
    )
}

fn pattern() -> impl Strategy<Value = GraphPattern> {
    // The first node is the same everywhere, so that all patterns have a variable in common.
    let start = node().prop_map(|node| NodePattern { variable: Some(Name::new("x").unwrap()), ..node });
    let path = (start, prop::collection::vec((edge(), node()), 0..3)).prop_map(|(start, steps)| Path { start, steps });
    prop::collection::vec(path, 1..3).prop_map(|paths| GraphPattern { paths })
}

fn set() -> impl Strategy<Value = Set> {
    let operator = prop::sample::select(vec![Operator::And, Operator::Or, Operator::Except]);
    pattern().prop_map(Set::Pattern).prop_recursive(3, 6, 2, move |inner| {
        (operator.clone(), inner.clone(), inner).prop_map(|(how, left, right)| Set::Join {
            how,
            left: Box::new(left),
            right: Box::new(right),
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back(set in set(), when in when(), limit in prop::option::of(1..1000_usize), one in any::<bool>()) {
        let returns = if one { vec![Name::new("x").unwrap()] } else { Vec::new() };
        let query = Query { goal: Goal::Match, set, when, returns, limit };
        prop_assume!(query.check().is_ok());
        let text = query.to_string();
        let read = Query::parse(&text);
        prop_assert_eq!(read.as_ref(), Ok(&query), "{}", text);
        let json = serde_json::to_string(&query).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Query>(&json).unwrap(), &query, "{}", json);
    }

    #[test]
    fn no_text_makes_the_reader_fall(text in "[(){}\\[\\]<>*@.|:,= xych0-9\"\\\\-]{0,40}") {
        let _ = Query::parse(&text);
    }
}
