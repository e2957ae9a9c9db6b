//! Search conditions, patterns of the story graph, and questions.

use std::fmt::{Debug, Display};

use qingyu_knowledge::filter::{Fields, Filter, Value};
use qingyu_knowledge::pattern::{Error, Query, QueryLimits};
use qingyu_knowledge::question;

use crate::input;
use crate::sample::GRAPH;

/// Limits for the rows and work of a short pattern.
const LIMITS: QueryLimits = QueryLimits { rows: 100, work: 100_000 };

/// Parses any text as a condition: rejected with the place, or equal after serialization and parsing, with the same
/// results.
pub fn condition(bytes: &[u8]) {
    let text = input::text(bytes);
    let filter = match Filter::parse(text) {
        Ok(filter) => filter,
        Err(error) => {
            let end = text.chars().count() + 1;
            assert!((1..=end).contains(&error.position), "{} of {end}", error.position);
            return;
        }
    };
    let again = written_and_read(&filter, Filter::parse);
    let card = |fields: &[(&str, Value)]| -> Fields {
        fields.iter().map(|(name, value)| ((*name).to_owned(), vec![value.clone()])).collect()
    };
    for fields in [Fields::new(), card(&[("name", "林青".into()), ("age", 30_u32.into())]), card(&[("a", true.into())])]
    {
        assert_eq!(filter.fits(&fields), again.fits(&fields));
        assert_ne!(
            filter.fits(&fields),
            Filter::Not(Box::new(filter.clone())).fits(&fields),
            "a thing or its opposite"
        );
    }
}

/// Serializes `value`, parses the text and asserts equality; returns the parsed value.
fn written_and_read<T: Display + Debug + PartialEq, E: Debug>(value: &T, read: fn(&str) -> Result<T, E>) -> T {
    let written = value.to_string();
    let again = read(&written);
    let again = again.unwrap_or_else(|error| panic!("what was written can be read: {error:?}: {written}"));
    assert_eq!(&again, value, "{written}");
    again
}

/// Parses any text as a pattern: rejected, with the place of a syntax error, or equal after serialization and parsing,
/// and executable.
pub fn pattern(bytes: &[u8]) {
    let text = input::text(bytes);
    match Query::parse(text) {
        // The pattern may name things unknown to the story.
        Ok(query) => drop(asked(&query)),
        Err(error) => {
            if let Error::Syntax { at, .. } = &error {
                let end = text.chars().count() + 1;
                assert!((1..=end).contains(at), "{at} of {end}");
                assert!(error.marked(text).is_some_and(|marked| marked.ends_with('^')), "its place is shown");
            }
        }
    }
}

/// Runs the query on the story; returns an error if the query is invalid for the story.
fn asked(query: &Query) -> Result<(), Error> {
    written_and_read(query, Query::parse);
    let json = serde_json::to_string(query).expect("a pattern is plain data");
    assert_eq!(&serde_json::from_str::<Query>(&json).expect("what was written can be read"), query, "{json}");
    // Not every query is expressible in Cypher.
    drop(query.to_cypher(&GRAPH, None));
    let found = query.run(&GRAPH, LIMITS)?;
    assert!(found.rows.len() <= LIMITS.rows, "no more is found than may be");
    assert!(found.rows.iter().all(|row| row.nodes.len() == found.columns.len()), "each row has all columns");
    found.to_json(&GRAPH);
    Ok(())
}

/// Parses any text as a question: understood and executable, or rejected with the place of the error.
pub fn question(bytes: &[u8]) {
    let text = input::text(bytes);
    let named = question::named(text, &GRAPH);
    assert!(named.iter().all(|node| named.iter().filter(|other| *other == node).count() == 1), "each is named once");
    let reading = question::read(text, &GRAPH);
    for unread in &reading.unread {
        assert_eq!(text.get(unread.start..unread.end), Some(unread.text.as_str()), "it stands there");
    }
    match &reading.query {
        Some(query) => {
            let outcome = asked(query);
            // A chapter number beyond the book is parsed, then rejected.
            assert!(matches!(outcome, Ok(()) | Err(Error::Chapter(_))), "what is understood can be asked: {outcome:?}");
        }
        None => {
            let told = serde_json::to_value(&reading).expect("a question is plain data");
            assert!(!reading.unread.is_empty() || told["reason"].is_string(), "it is said why");
        }
    }
}
