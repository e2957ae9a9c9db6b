//! Dates that name an event: 大水那夜, `the night of the flood`.

use crate::language::is_han;

/// Chinese words behind an event for its day, the longer one first.
const DAYS: [&str; 20] = [
    "那天夜里",
    "那天晚上",
    "那天早上",
    "那一夜",
    "那一天",
    "那一晚",
    "那夜",
    "那晚",
    "那天",
    "那日",
    "当夜",
    "当晚",
    "当天",
    "当日",
    "之夜",
    "之日",
    "的夜里",
    "的晚上",
    "的早上",
    "的夜晚",
];
/// English words before an event for its day.
const DAYS_OF: [&str; 5] = ["night of ", "day of ", "evening of ", "morning of ", "afternoon of "];

/// Returns the words for the event in a date that names one; `None` for other dates. `date` is folded.
pub(super) fn event_of_date(date: &str) -> Option<&str> {
    let date = date.trim();
    if date.chars().any(is_han) {
        let event = DAYS.iter().find_map(|day| date.strip_suffix(day))?.trim_end_matches('的');
        return (event.chars().count() >= 2).then_some(event);
    }
    let day = without(without(date, &["on ", "in ", "since "]), &["the "]);
    let event = DAYS_OF.iter().find_map(|of| day.strip_prefix(of))?;
    let event = without(event, &["the ", "a ", "an ", "that "]).trim();
    (event.len() >= 3).then_some(event)
}

/// Returns the text without the first of the words with which it begins.
fn without<'t>(text: &'t str, words: &[&str]) -> &'t str {
    words.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::event_of_date;

    #[test]
    fn a_date_may_name_an_event() {
        for (date, event) in [
            ("大水那夜", Some("大水")),
            ("城破的那天", Some("城破")),
            ("婚礼当晚", Some("婚礼")),
            ("the night of the flood", Some("flood")),
            ("on the day of the wedding", Some("wedding")),
            ("那夜", None),
            ("三天后", None),
            ("that night", None),
            ("the night", None),
            ("", None),
        ] {
            assert_eq!(event_of_date(date), event, "{date}");
        }
    }
}
