//! Numbers, times and money for people.

use std::time::Duration;

use qingyu_studio::llm::Usage;

use crate::texts::LocalizedTexts;

/// Formats `1234567` as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats ascending numbers as accepted by `--chapters`: `1-3,7`.
pub(crate) fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => ranges.push((*number, *number)),
        }
    }
    let range = |(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    ranges.iter().map(range).collect::<Vec<_>>().join(",")
}

/// Formats a duration with suitable precision: `12 ms`, `3.4 s`, `2 min 05 s`.
pub(crate) fn elapsed(duration: Duration) -> String {
    match duration.as_millis() {
        millis @ 0..1000 => format!("{millis} ms"),
        1000..60_000 => format!("{:.1} s", duration.as_secs_f64()),
        _ => format!("{} min {:02} s", duration.as_secs() / 60, duration.as_secs() % 60),
    }
}

/// Formats input, cached and output tokens, marking estimates.
pub(crate) fn tokens(texts: &LocalizedTexts, usage: &Usage) -> String {
    let about = if usage.estimated { "≈" } else { "" };
    let arguments =
        [("input", format!("{about}{}", grouped(usage.input)).into()), ("output", grouped(usage.output).into())];
    if usage.cached == 0 {
        return texts.fill("usage-tokens", &arguments);
    }
    let [input, output] = arguments;
    texts.fill("usage-tokens-cached", &[input, output, ("cached", grouped(usage.cached).into())])
}

/// Formats a price in millionths of `currency`; free and unknown prices are words.
pub(crate) fn cost(texts: &LocalizedTexts, micros: Option<u64>, currency: &str) -> String {
    match micros {
        None => texts.get("cost-unknown"),
        Some(0) => texts.get("cost-free"),
        Some(micros) => {
            let digits = if micros < 10_000 { 6 } else { 4 };
            format!("{:.digits$} {currency}", micros as f64 / 1e6)
        }
    }
}

/// Returns a bar of `width` columns for a percentage from 0 to 100.
pub(crate) fn bar(percent: u8, width: usize) -> String {
    let filled = (usize::from(percent.min(100)) * width + 50) / 100;
    format!("{}{}", "█".repeat(filled), "░".repeat(width - filled))
}

#[cfg(test)]
mod tests {
    use super::*;
    use qingyu_studio::story::Language;

    #[test]
    fn numbers_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([12, 3400, 125_000].map(Duration::from_millis).map(elapsed), ["12 ms", "3.4 s", "2 min 05 s"]);
        assert_eq!(bar(72, 10), "███████░░░");
        assert_eq!(bar(255, 4), "████");
    }

    #[test]
    fn free_and_unknown_are_two_things() {
        let texts = LocalizedTexts::new(Language::En);
        assert_eq!(cost(&texts, Some(1_234), "USD"), "0.001234 USD");
        assert_eq!(cost(&texts, Some(0), "USD"), texts.get("cost-free"));
        assert_eq!(cost(&texts, None, "USD"), texts.get("cost-unknown"));
    }
}
