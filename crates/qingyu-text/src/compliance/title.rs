//! Validates the form of a chapter title.

use qingyu_story::Severity;
use qingyu_story::numerals::is_numeral;

use super::chapter::InspectedChapter;
use super::collector::FindingCollector;

pub(super) fn check(chapter: &InspectedChapter<'_>, notes: &mut FindingCollector<'_>) {
    let Some(title) = chapter.title.map(str::trim) else { return };
    let rules = &notes.platform.chapter_title;
    let example = rules.forms.first().map_or_else(|| "第一章 夜雨".to_owned(), |form| example(form));
    if title.is_empty() {
        if rules.required {
            notes.add("QC201", Severity::High, None, &[("example", example)]);
        }
        return;
    }
    let named = ("text", title.to_owned());
    if !rules.forms.is_empty() && !rules.forms.iter().any(|form| matches(form, title)) {
        notes.add("QC202", Severity::Medium, None, &[named, ("example", example)]);
    }
    let length = title.chars().count();
    if let Some(most) = rules.most.filter(|most| length > *most) {
        notes.add("QC203", Severity::Medium, None, &[("length", length.to_string()), ("most", most.to_string())]);
    }
    let forbidden: String = title.chars().filter(|c| rules.forbidden.contains(*c)).collect();
    if !forbidden.is_empty() {
        notes.add("QC204", Severity::Medium, None, &[("text", forbidden)]);
    }
}

/// Returns whether `title` matches a form of `{number}`, `{space}`, `{name}` and literal letters.
pub(super) fn matches(form: &str, title: &str) -> bool {
    if form.is_empty() {
        return title.is_empty();
    }
    let fits = |rest: &str, count: usize, ends: fn(char) -> bool| {
        // Greedy with backtracking: letters may follow `{name}`.
        let mut ends: Vec<usize> =
            title.char_indices().take_while(|(_, c)| ends(*c)).map(|(at, c)| at + c.len_utf8()).collect();
        ends.reverse();
        ends.truncate(ends.len().saturating_sub(count.saturating_sub(1)));
        ends.into_iter().any(|end| matches(rest, &title[end..]))
    };
    if let Some(rest) = form.strip_prefix("{number}") {
        return fits(rest, 1, is_numeral);
    }
    if let Some(rest) = form.strip_prefix("{space}") {
        return fits(rest, 1, |c| c.is_whitespace() || matches!(c, ':' | '：' | '、' | '·' | '.'));
    }
    if let Some(rest) = form.strip_prefix("{name}") {
        return fits(rest, 1, |c| c != '\n');
    }
    let mut letters = (form.chars(), title.chars());
    match (letters.0.next(), letters.1.next()) {
        (Some(a), Some(b)) if a.eq_ignore_ascii_case(&b) => matches(letters.0.as_str(), letters.1.as_str()),
        _ => false,
    }
}

/// Returns an example title of the form.
fn example(form: &str) -> String {
    form.replace("{number}", "一").replace("{space}", " ").replace("{name}", "夜雨")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_titles() {
        let form = "第{number}章{space}{name}";
        let cases = [
            ("第三章 夜雨", true),
            ("第103章：夜雨", true),
            ("第三章", false),
            ("第章 夜雨", false),
            ("第三章夜雨", false),
            ("三 夜雨", false),
            ("第一百二十章　夜 雨", true),
        ];
        for (title, expected) in cases {
            assert_eq!(matches(form, title), expected, "{title}");
        }
        assert!(matches("chapter {number}", "Chapter 12"));
        assert!(matches("{name}（上）", "夜雨（上）") && !matches("{name}（上）", "夜雨"));
    }
}
