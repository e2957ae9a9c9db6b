//! Computed figures, and validation of a model's statements about them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A named figure, for citation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedFigure {
    /// Name, such as `dialogue.share`.
    pub name: String,
    /// Computed value.
    pub value: f64,
}

/// Maximum number of figures in a prompt.
pub const MOST: usize = 120;

/// Returns every number in `value`, named by its path; list entries are named by their `name`, `title` or `id`, or else
/// by their number from 1. Only the first `list` entries of a list count.
pub fn flatten(value: &Value, list: usize) -> Vec<NamedFigure> {
    let mut figures = Vec::new();
    walk(value, "", list, &mut figures);
    figures
}

fn walk(value: &Value, name: &str, list: usize, figures: &mut Vec<NamedFigure>) {
    let below = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
    match value {
        Value::Number(number) => {
            figures.extend(number.as_f64().map(|value| NamedFigure { name: name.to_owned(), value }));
        }
        Value::Object(fields) => {
            for (part, value) in fields {
                walk(value, &below(part), list, figures);
            }
        }
        Value::Array(entries) => {
            for (number, entry) in (1..).zip(entries.iter().take(list)) {
                let called = ["name", "title", "id"].iter().find_map(|key| entry.get(key)?.as_str());
                let part = called.filter(|called| !called.is_empty()).map_or_else(|| number.to_string(), str::to_owned);
                walk(entry, &below(&part), list, figures);
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Returns the numbers in `text` without a matching figure: exact, rounded to as many digits, in per cent or in ten
/// thousands. Numbers also found in `known` come from the author and are accepted.
pub fn unsupported(text: &str, figures: &[NamedFigure], known: &str) -> Vec<String> {
    let given = numbers(known).into_iter().map(|number| number.value).collect::<Vec<_>>();
    let mut wrong = Vec::new();
    for number in numbers(text) {
        let is_given = given.contains(&number.value);
        if !is_given && !figures.iter().any(|figure| number.tells(figure.value)) && !wrong.contains(&number.text) {
            wrong.push(number.text);
        }
    }
    wrong
}

/// A number in a text.
struct StatedNumber {
    text: String,
    value: f64,
    digits: u32,
    unit: NumberUnit,
}

#[derive(Clone, Copy, PartialEq)]
enum NumberUnit {
    One,
    Percent,
    TenThousand,
}

impl StatedNumber {
    /// Returns whether the number equals `figure`, rounded to the number's digits.
    fn tells(&self, figure: f64) -> bool {
        let close = |value: f64| (value - self.value).abs() <= 0.5_f64 * 10_f64.powi(-(self.digits as i32)) + 1e-9;
        match self.unit {
            NumberUnit::One => close(figure),
            NumberUnit::Percent => close(figure * 100.0) || close(figure),
            NumberUnit::TenThousand => close(figure / 10_000.0),
        }
    }
}

fn numbers(text: &str) -> Vec<StatedNumber> {
    let mut found = Vec::new();
    let characters = text.char_indices().collect::<Vec<_>>();
    let mut at = 0;
    while at < characters.len() {
        let (begin, c) = characters[at];
        if !c.is_ascii_digit() {
            at += 1;
            continue;
        }
        let mut end = at;
        let is_part = |index: usize| {
            let Some((_, c)) = characters.get(index) else { return false };
            let joins =
                matches!(c, '.' | ',') && characters.get(index + 1).is_some_and(|(_, next)| next.is_ascii_digit());
            c.is_ascii_digit() || joins
        };
        while is_part(end) {
            end += 1;
        }
        let stop = characters.get(end).map_or(text.len(), |(index, _)| *index);
        // A digit within a word, as in `t1` or `QY301`, belongs to a name.
        let is_name =
            at > 0 && (characters[at - 1].1.is_ascii_alphabetic() || matches!(characters[at - 1].1, '_' | '-'));
        let after = characters[end..].iter().map(|(_, c)| *c).find(|c| *c != ' ');
        let unit = match after {
            Some('%' | '％') => NumberUnit::Percent,
            Some('万') => NumberUnit::TenThousand,
            _ => NumberUnit::One,
        };
        let written = text[begin..stop].replace(',', "");
        let digits = written.split_once('.').map_or(0, |(_, fraction)| fraction.len() as u32);
        if let (false, Ok(value)) = (is_name, written.parse()) {
            found.push(StatedNumber { text: text[begin..stop].to_owned(), value, digits, unit });
        }
        at = end.max(at + 1);
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_named_by_the_way_to_them() {
        let value = json!({"total": {"length": 3210}, "cast": [{"name": "林深", "mentions": 7}], "x": null});
        let names = flatten(&value, 10).into_iter().map(|figure| format!("{}={}", figure.name, figure.value));
        assert_eq!(names.collect::<Vec<_>>(), ["cast.林深.mentions=7", "total.length=3210"]);
    }

    #[test]
    fn what_rests_on_no_figure_is_found() {
        let figure = |value| NamedFigure { name: "x".into(), value };
        let figures = [figure(3210.0), figure(0.4567), figure(12.25)];
        for (text, wrong) in [
            ("全书 3210 字，对话占 45.7%，约 0.3 万字", ""),
            ("全书 3,210 字", ""),
            ("对话占 46%", ""),
            ("每句 12.3 字", ""),
            ("每句 12.4 字，对话占 50%", "12.4 50"),
            ("第 3 章由 t1 完成", ""),
            ("第 4 章", "4"),
        ] {
            assert_eq!(unsupported(text, &figures, "看看第3章").join(" "), wrong, "{text}");
        }
    }
}
