//! Edits of a settings file preserving all other content, comments and order.

use std::ops::Range;

use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// Returns `text` with `value` at `names`, or with the entry removed.
///
/// Returns `None` if the text is not valid TOML, if a name on the path is not a table, or if the syntax of the entry is
/// unsupported.
pub(crate) fn edited(text: &str, names: &[String], value: Option<&Value>) -> Option<String> {
    let mut wanted: Table = text.parse().ok()?;
    change(&mut wanted, names, value)?;
    prune(&mut wanted);
    let document = DeTable::parse(text).ok()?;
    let is_wanted = |text: &String| {
        text.parse::<Table>().is_ok_and(|mut table| {
            prune(&mut table);
            table == wanted
        })
    };
    candidates(text, document.get_ref(), names, value).into_iter().find(is_wanted)
}

/// Inserts `value` at `names`, or removes the entry. Returns `None` if a name on the path is not a table.
pub(crate) fn change(table: &mut Table, names: &[String], value: Option<&Value>) -> Option<()> {
    let (last, way) = names.split_last()?;
    let mut place = table;
    for name in way {
        if value.is_none() && !place.contains_key(name) {
            return Some(());
        }
        place = place.entry(name.as_str()).or_insert_with(|| Value::Table(Table::new())).as_table_mut()?;
    }
    match value {
        Some(value) => drop(place.insert(last.clone(), value.clone())),
        None => drop(place.remove(last)),
    }
    Some(())
}

/// Returns the value at `names`.
pub(crate) fn at<'t>(table: &'t Table, names: &[String]) -> Option<&'t Value> {
    let (first, rest) = names.split_first()?;
    rest.iter().try_fold(table.get(first)?, |place, name| place.get(name))
}

/// Returns the dotted key of the names, quoted where needed.
pub(crate) fn written(names: &[String]) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let written = |name: &String| match !name.is_empty() && name.chars().all(is_bare) {
        true => name.clone(),
        false => Value::String(name.clone()).to_string(),
    };
    names.iter().map(written).collect::<Vec<_>>().join(".")
}

/// Removes empty tables.
fn prune(table: &mut Table) {
    table.retain(|_, value| match value {
        Value::Table(inner) => {
            prune(inner);
            !inner.is_empty()
        }
        _ => true,
    });
}

/// The location of a key in a file.
enum KeyLocation<'a, 'i> {
    /// An existing entry.
    Whole { key: Range<usize>, value: &'a Spanned<DeValue<'i>> },
    /// An inline table, reached after `depth` names.
    Inline { place: Range<usize>, depth: usize },
    /// Not found.
    Missing,
}

fn find<'a, 'i>(text: &str, mut table: &'a DeTable<'i>, names: &[String]) -> KeyLocation<'a, 'i> {
    for (depth, name) in names.iter().enumerate() {
        let Some((key, value)) = table.iter().find(|(key, _)| key.get_ref() == name) else {
            return KeyLocation::Missing;
        };
        if depth + 1 == names.len() {
            return KeyLocation::Whole { key: key.span(), value };
        }
        match value.get_ref() {
            DeValue::Table(_) if begins(text, value, '{') => {
                return KeyLocation::Inline { place: value.span(), depth: depth + 1 };
            }
            DeValue::Table(inner) => table = inner,
            _ => return KeyLocation::Missing,
        }
    }
    KeyLocation::Missing
}

/// Returns candidate texts, the best first; the caller validates the candidates, which may not parse or not have the
/// intended value.
fn candidates(text: &str, document: &DeTable<'_>, names: &[String], value: Option<&Value>) -> Vec<String> {
    match (find(text, document, names), value) {
        (KeyLocation::Inline { place, depth }, value) => {
            inside(text, &place, names, depth, value).into_iter().collect()
        }
        (KeyLocation::Whole { value: found, .. }, Some(value)) if !is_spread(text, found) => {
            vec![replaced(text, found.span(), &value.to_string())]
        }
        (KeyLocation::Whole { .. }, Some(value)) => {
            edited(text, names, None).and_then(|bare| edited(&bare, names, Some(value))).into_iter().collect()
        }
        (KeyLocation::Whole { key, value }, None) => {
            let mut lines = Vec::new();
            gather(text, &key, value, &mut lines);
            lines.sort_by_key(|range| std::cmp::Reverse(range.start));
            vec![lines.into_iter().fold(text.to_owned(), |text, range| replaced(&text, range, ""))]
        }
        (KeyLocation::Missing, Some(value)) => added(text, document, names, value),
        (KeyLocation::Missing, None) => vec![text.to_owned()],
    }
}

/// Returns the text with an inline table rewritten, changed at the names after `depth`.
fn inside(text: &str, place: &Range<usize>, names: &[String], depth: usize, value: Option<&Value>) -> Option<String> {
    let (way, rest) = names.split_at(depth);
    let mut whole: Value = Value::Table(text.parse().ok()?);
    let mut table = &mut whole;
    for name in way {
        table = table.get_mut(name)?;
    }
    change(table.as_table_mut()?, rest, value)?;
    Some(replaced(text, place.clone(), &table.to_string()))
}

/// Returns the text with an inserted entry: in the section of its table, in a new section, or with a dotted key.
fn added(text: &str, document: &DeTable<'_>, names: &[String], value: &Value) -> Vec<String> {
    let entry = |names: &[String]| format!("{} = {value}", written(names));
    let mut candidates = Vec::new();
    let (way, last) = names.split_at(names.len() - 1);
    for depth in (1..=way.len()).rev() {
        let KeyLocation::Whole { value: found, .. } = find(text, document, &way[..depth]) else { continue };
        let DeValue::Table(table) = found.get_ref() else { continue };
        if begins(text, found, '[') {
            let end =
                line_end(text, table.iter().map(|(_, value)| end_of(text, value)).fold(found.span().end, usize::max));
            candidates.push(replaced(text, end..end, &format!("\n{}", entry(&names[depth..]))));
        }
        if depth < way.len() {
            break;
        }
    }
    let gap = match text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let place = candidates.len().min(usize::from(matches!(find(text, document, way), KeyLocation::Whole { .. })));
    candidates.insert(place, format!("{text}{gap}[{}]\n{}\n", written(way), entry(last)));
    candidates
}

/// Returns whether a table spans several entries: with a header, or by dotted keys.
fn is_spread(text: &str, value: &Spanned<DeValue<'_>>) -> bool {
    matches!(value.get_ref(), DeValue::Table(_)) && !begins(text, value, '{')
}

fn begins(text: &str, value: &Spanned<DeValue<'_>>, sign: char) -> bool {
    text[value.span().start..].starts_with(sign)
}

/// Returns the end of the last entry of a value without a header.
fn end_of(text: &str, value: &Spanned<DeValue<'_>>) -> usize {
    match value.get_ref() {
        DeValue::Table(_) if begins(text, value, '[') => 0,
        DeValue::Table(inner) if is_spread(text, value) => {
            inner.iter().map(|(_, value)| end_of(text, value)).max().unwrap_or(0)
        }
        _ => value.span().end,
    }
}

/// Appends the lines of an entry and of all nested entries.
fn gather(text: &str, key: &Range<usize>, value: &Spanned<DeValue<'_>>, lines: &mut Vec<Range<usize>>) {
    let line = |from: usize, to: usize| {
        let start = text[..from].rfind('\n').map_or(0, |before| before + 1);
        start..(line_end(text, to) + 1).min(text.len())
    };
    match value.get_ref() {
        DeValue::Table(inner) if is_spread(text, value) => {
            if begins(text, value, '[') {
                lines.push(line(value.span().start, value.span().end));
            }
            inner.iter().for_each(|(key, value)| gather(text, &key.span(), value, lines));
        }
        _ => lines.push(line(key.start, value.span().end)),
    }
}

fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |length| from + length)
}

fn replaced(text: &str, range: Range<usize>, by: &str) -> String {
    [&text[..range.start], by, &text[range.end..]].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(key: &str) -> Vec<String> {
        key.split('.').map(str::to_owned).collect()
    }

    fn set(text: &str, key: &str, value: &str) -> Option<String> {
        let value: Value = value.parse().unwrap();
        edited(text, &names(key), Some(&value))
    }

    #[test]
    fn a_change_leaves_everything_else_as_it_was() {
        let file = "# mine\n[budget] # money\ntokens = 5 # few\n\n# who\n[models]\ndefault = 'a/b'\n";
        for (key, value, expected) in [
            ("budget.tokens", "7", file.replace("tokens = 5", "tokens = 7")),
            ("budget.money", "1.5", file.replace("# few", "# few\nmoney = 1.5")),
            ("models.default", "'c/d'", file.replace("'a/b'", "\"c/d\"")),
            ("ui.language", "'zh'", format!("{file}\n[ui]\nlanguage = \"zh\"\n")),
            (
                "mcp_servers.clock",
                "{command = 'uvx'}",
                format!("{file}\n[mcp_servers]\nclock = {{ command = \"uvx\" }}\n"),
            ),
        ] {
            assert_eq!(set(file, key, value).as_deref(), Some(&*expected), "{key}");
        }
        assert_eq!(edited(file, &names("budget.tokens"), None), Some(file.replace("tokens = 5 # few\n", "")));
        assert_eq!(edited(file, &names("budget.money"), None).as_deref(), Some(file));
        assert_eq!(set("", "a.b", "1").as_deref(), Some("[a]\nb = 1\n"));
    }

    #[test]
    fn tables_are_changed_however_they_are_written() {
        for (file, key, value, expected) in [
            ("[a]\nb = { c = 1 }\n", "a.b.d", Some("2"), "[a]\nb = { c = 1, d = 2 }\n"),
            ("[a]\nb = { c = 1, d = 2 } # both\n", "a.b.c", None, "[a]\nb = { d = 2 } # both\n"),
            ("[a]\nb.c = 1\n", "a.b.d", Some("2"), "[a]\nb.c = 1\nb.d = 2\n"),
            ("[a.b]\nc = 1\n", "a.d", Some("2"), "[a.b]\nc = 1\n\n[a]\nd = 2\n"),
            ("[a]\n[a.b]\nc = 1\n", "a.d", Some("2"), "[a]\nd = 2\n[a.b]\nc = 1\n"),
            ("[a.b]\nc = 1\n[a.b.e]\nf = 1\n[g]\nh = 1\n", "a.b", None, "[g]\nh = 1\n"),
            ("[a.b]\nc = 1\n[g]\nh = 1\n", "a.b", Some("{ c = 2 }"), "[g]\nh = 1\n\n[a]\nb = { c = 2 }\n"),
            ("[a]\nb = [\n  1, # one\n  2,\n]\nc = 3\n", "a.b", Some("[4]"), "[a]\nb = [4]\nc = 3\n"),
            ("a.b = 1\n[c]\n", "a.d", Some("2"), ""),
            ("[a]\nb = 1", "a.c", Some("2"), "[a]\nb = 1\nc = 2"),
        ] {
            let value: Option<Value> = value.map(|value| value.parse().unwrap());
            let found = edited(file, &names(key), value.as_ref());
            assert_eq!(found.as_deref().unwrap_or_default(), expected, "{key} in {file}");
        }
        assert_eq!(set("[a]\nb = 1\n", "a.b.c", "1"), None, "a value is no table");
        assert_eq!(set("a = [", "a.b", "1"), None, "it is no TOML");
        let quoted = ["prices".to_owned(), "gpt-6.1-sol".to_owned(), "input".to_owned()];
        let text = edited("", &quoted, Some(&Value::Float(2.0))).unwrap();
        assert_eq!(text, "[prices.\"gpt-6.1-sol\"]\ninput = 2.0\n");
    }

    /// Generates files with every syntax of tables.
    fn file() -> impl Strategy<Value = String> {
        let line =
            prop_oneof!["[abc] = [0-9]", "[abc]\\.[abc] = [0-9]", "[abc] = \\{ [ab] = [0-9] \\}", "# [a-z]{0,5}", ""];
        let section = ("\\[[abc](\\.[abc]){0,2}\\]", prop::collection::vec(line, 0..4))
            .prop_map(|(header, lines)| format!("{header}\n{}\n", lines.join("\n")));
        prop::collection::vec(section, 0..4).prop_map(|sections| sections.concat())
    }

    proptest! {
        #[test]
        fn what_is_written_is_what_was_wanted(
            text in file(),
            names in prop::collection::vec("[abcd]", 2..4),
            value in prop::option::of(0_i64..100),
        ) {
            let Ok(mut wanted) = text.parse::<Table>() else { return Ok(()) };
            let value = value.map(Value::Integer);
            if let Some(new) = edited(&text, &names, value.as_ref()) {
                prop_assert!(change(&mut wanted, &names, value.as_ref()).is_some());
                let mut table: Table = new.parse().unwrap();
                prune(&mut table);
                prune(&mut wanted);
                prop_assert_eq!(table, wanted);
                for comment in text.lines().filter(|line| line.starts_with('#')) {
                    prop_assert!(new.lines().any(|line| line == comment), "{} is gone from {}", comment, new);
                }
            }
        }
    }
}
