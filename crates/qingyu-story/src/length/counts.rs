//! Numbers and ranges at the end of a text, in both languages.

use crate::numerals::{is_digit_or_numeral, read_between, read_english};

/// Splits a number or a range from the end of `text`: `800`, `2千`, `三四`, `八百到一千`. Returns the text before it, the
/// least and the most. `units` are words that may stand behind the first number of a range: `三节到五节`.
pub fn chinese_range_at_end<'t>(text: &'t str, units: &[&str]) -> Option<(&'t str, (u32, u32))> {
    let (before, (least, most)) = chinese_number_at_end(text.trim_end_matches([' ', '多', '来', '余']))?;
    let range = before.trim_end().strip_suffix(['到', '至', '-', '–', '—', '~', '～']);
    let first = range.and_then(|range| {
        let range = range.trim_end();
        let bare = units.iter().find_map(|unit| range.strip_suffix(unit)).unwrap_or(range);
        chinese_number_at_end(bare.trim_end())
    });
    match first {
        Some((before, (first, _))) if first <= most => Some((before, (first, most))),
        _ => Some((before, (least, most))),
    }
}

fn chinese_number_at_end(text: &str) -> Option<(&str, (u32, u32))> {
    let is_of_number = |c: char| is_digit_or_numeral(c) || ".,".contains(c);
    let before = text.trim_end_matches(is_of_number);
    let number: String = text[before.len()..].chars().filter(|c| *c != ',').collect();
    let most = chinese_count(&number)?;
    let between = read_between(&number).and_then(|(least, _)| u32::try_from(least).ok());
    Some((before, (between.filter(|least| *least <= most).unwrap_or(most), most)))
}

/// Returns the number or the range at the end of `words`, and how many words it takes: `800`, `two hundred`, `3-5`,
/// `three or four`, `between 800 and 1,000`.
pub fn english_range_at_end(words: &[&str]) -> Option<(usize, (u32, u32))> {
    let last = *words.last()?;
    let is_digits = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    if let Some((first, second)) = last.split_once(['-', '–', '—']).filter(|_| is_digits(last)) {
        let (first, second) = (english_count(&[first])?, english_count(&[second])?);
        return (first <= second).then_some((1, (first, second)));
    }
    // `2nd` is no count.
    let letters = last.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    if is_digits(last) && !matches!(letters, "" | "k") {
        return None;
    }
    let count = english_count(words)?;
    let used = match words {
        [.., count, "hundred" | "thousand"] if *count == "a" || english_count(&[*count]).is_some() => 2,
        _ => 1,
    };
    let (before, joint) = match &words[..words.len() - used] {
        [before @ .., joint] => (before, *joint),
        [] => return Some((used, (count, count))),
    };
    let is_range = match joint {
        "to" | "or" => true,
        "and" => before.len() > 1 && before[before.len() - 2] == "between",
        _ => false,
    };
    match english_count(before).filter(|first| is_range && *first <= count) {
        Some(first) => Some((used + 2, (first, count))),
        None => Some((used, (count, count))),
    }
}

/// Parses a number in digits, in words, or in digits followed by 千 or 万; of `两三千` the greater number.
fn chinese_count(number: &str) -> Option<u32> {
    let (digits, unit) = match number.strip_suffix('万') {
        Some(digits) => (digits, 10_000.0),
        None => (number, 1.0),
    };
    let count = match digits.parse::<f64>() {
        Ok(plain) => (plain * unit) as u32,
        Err(_) => u32::try_from(read_between(number)?.1).ok()?,
    };
    Some(count).filter(|count| *count > 0)
}

/// Parses the number at the end of `words`: `500`, `1,000`, `two hundred`, `sixty thousand`, `3k`.
pub(super) fn english_count(words: &[&str]) -> Option<u32> {
    let number = |word: &str| {
        let digits = word.trim_start_matches(|c: char| !c.is_alphanumeric()).replace(',', "");
        let (digits, unit) = digits.strip_suffix('k').map_or((digits.as_str(), 1), |digits| (digits, 1_000));
        let plain = digits.parse::<u32>().ok().and_then(|count| count.checked_mul(unit));
        // Neither a Roman numeral nor an ordinal is a count.
        let is_roman = digits.chars().all(|c| "ivxlcdm".contains(c));
        let is_ordinal = ["first", "second", "third", "th"].iter().any(|end| digits.ends_with(end));
        plain.or_else(|| if is_roman || is_ordinal { None } else { read_english(digits) })
    };
    let of_unit = |count: &str, unit: u32| if count == "a" { Some(unit) } else { number(count)?.checked_mul(unit) };
    match words {
        [.., count, "thousand"] => of_unit(count, 1_000),
        [.., count, "hundred"] => of_unit(count, 100),
        [.., "hundred"] => Some(100),
        [.., count] => number(count),
        [] => None,
    }
}
