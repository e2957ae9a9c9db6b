//! The values of panels.

use std::sync::LazyLock;

use regex::Regex;

use crate::numerals;

/// The value of an entry.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PanelValue {
    /// The current amount.
    Amount {
        /// The number.
        now: f64,
        /// The unit, such as `级`; may be empty.
        unit: String,
        /// The terms of the calculation in the entry: the summands of `12 + 5 = 18`, or the former number and the change
        /// of `12 → 17（+5）`; empty without a calculation.
        parts: Vec<f64>,
    },
    /// A gain, or a loss if negative.
    Change {
        /// The number.
        by: f64,
        /// The former and the new number, if they are stated: `力量+5（12→17）`.
        from_to: Option<(f64, f64)>,
    },
    /// Words: a step of a ladder, a class, a title.
    Text(String),
}

/// A number as panels write it.
const NUMBER: &str = r"(?:[0-9][0-9,，]*(?:\.[0-9]+)?\s*[万亿]?|[零〇一二三四五六七八九十百千万两]{1,8})";
const PLUS: &str = r"[+＋]";
const MINUS: &str = r"[-－−–]";
const ARROW: &str = r"(?:→|⇒|➔|=>|->|－>|——>|-->)";
const UNIT: &str = r"(?:点|點|级|層|层|重|枚|块|颗|个|株|张|瓶|年|岁|星|阶|段|%|points?|pts?|levels?|years?)";

/// Compiles a pattern in which `N`, `P`, `M`, `A` and `U` in angle brackets stand for a number, plus, minus, arrow and unit.
pub(super) fn pattern(words: &str) -> Regex {
    let full = [("<N>", NUMBER), ("<P>", PLUS), ("<M>", MINUS), ("<A>", ARROW), ("<U>", UNIT)]
        .into_iter()
        .fold(words.to_owned(), |pattern, (mark, meaning)| pattern.replace(mark, meaning));
    Regex::new(&full).unwrap_or_else(|error| panic!("the pattern is part of the program: {error}"))
}

static SUM: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?P<parts><N>(?:\s*(?:<P>|<M>)\s*<N>)+)\s*[=＝]\s*(?P<said><N>)\s*(?P<unit><U>)?$"));
static BONUS_SUM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?P<base><N>)\s*[（(]\s*(?P<sign><P>|<M>)\s*(?P<by><N>)\s*[)）]\s*[=＝]\s*(?P<said><N>)\s*(?P<unit><U>)?$",
    )
});
static STEP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?P<old><N>)\s*<A>\s*(?P<new><N>)\s*(?P<unit><U>)?(?:\s*[（(]\s*(?P<sign><P>|<M>)\s*(?P<by><N>)\s*<U>?\s*[)）])?$",
    )
});
static OF: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?P<now><N>)\s*[/／]\s*<N>\s*(?P<unit><U>)?$"));
static PLAIN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?i:lvl?\.?|level)?\s*(?P<now><N>)\s*(?P<unit><U>)?(?:\s*[（(][^（()）]{0,24}[)）])?[。.!！]?$")
});
static CHANGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?P<sign><P>|<M>)\s*(?P<by><N>)\s*<U>?(?:\s*[（(]\s*(?P<old><N>)\s*<A>\s*(?P<new><N>)\s*[)）])?[。.!！]?$",
    )
});
static PART: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?P<sign><P>|<M>)?\s*(?P<number><N>)"));

impl PanelValue {
    /// Parses the words behind a key; words without a number stay words.
    pub(super) fn read(words: &str) -> Self {
        let words = words.trim();
        Self::counted(words).unwrap_or_else(|| Self::Text(words.to_owned()))
    }

    /// Parses a number, a sum, a step from one number to another, or a change.
    pub(super) fn counted(words: &str) -> Option<Self> {
        let get = |found: &regex::Captures<'_>, name: &str| found.name(name).map(|part| part.as_str().to_owned());
        let number_of =
            |found: &regex::Captures<'_>, name: &str| found.name(name).and_then(|part| number(part.as_str()));
        if let Some(found) = SUM.captures(words) {
            let parts = PART.captures_iter(&found["parts"]).map(|part| {
                let number = number(&part["number"])?;
                Some(if part.name("sign").is_some_and(|sign| is_minus(sign.as_str())) { -number } else { number })
            });
            let unit = get(&found, "unit").unwrap_or_default();
            return Some(Self::Amount { now: number_of(&found, "said")?, unit, parts: parts.collect::<Option<_>>()? });
        }
        if let Some(found) = BONUS_SUM.captures(words) {
            let by = signed(&found["sign"], number_of(&found, "by")?);
            let parts = vec![number_of(&found, "base")?, by];
            return Some(Self::Amount { now: number_of(&found, "said")?, unit: String::new(), parts });
        }
        if let Some(found) = STEP.captures(words) {
            let (old, now) = (number_of(&found, "old")?, number_of(&found, "new")?);
            let by = number_of(&found, "by").map(|by| signed(&found["sign"], by));
            let parts = by.map(|by| vec![old, by]).unwrap_or_default();
            return Some(Self::Amount { now, unit: get(&found, "unit").unwrap_or_default(), parts });
        }
        if let Some(found) = CHANGE.captures(words) {
            let by = signed(&found["sign"], number_of(&found, "by")?);
            return Some(Self::Change { by, from_to: number_of(&found, "old").zip(number_of(&found, "new")) });
        }
        let found = OF.captures(words).or_else(|| PLAIN.captures(words))?;
        let unit = get(&found, "unit").unwrap_or_default();
        Some(Self::Amount { now: number_of(&found, "now")?, unit, parts: Vec::new() })
    }

    /// Returns the result of the stated numbers, and the stated result; `None` without a calculation.
    pub(super) fn sum(&self) -> Option<(f64, f64)> {
        match self {
            Self::Amount { now, parts, .. } if !parts.is_empty() => Some((parts.iter().sum(), *now)),
            Self::Change { by, from_to: Some((from, to)) } => Some((from + by, *to)),
            _ => None,
        }
    }
}

/// Returns the signed number of a change in the value of a fact: `+5`, `-3`; `None` for anything else.
pub(crate) fn change_of(value: &serde_json::Value) -> Option<f64> {
    let text = value.as_str()?.trim();
    let sign = text.chars().next().filter(|sign| "+＋-－−–".contains(*sign))?;
    let rest = text[sign.len_utf8()..].trim();
    let number: f64 = rest.parse().ok().filter(|_| rest.starts_with(|c: char| c.is_ascii_digit()))?;
    Some(signed(&text[..sign.len_utf8()], number))
}

fn is_minus(sign: &str) -> bool {
    sign.starts_with(['-', '－', '−', '–'])
}

fn signed(sign: &str, number: f64) -> f64 {
    if is_minus(sign) { -number } else { number }
}

/// Returns a number as panels write it: `1,200`, `3.5`, `12万`, `十二`.
pub(super) fn number(words: &str) -> Option<f64> {
    let words: String = words.chars().filter(|c| !matches!(c, ',' | '，' | ' ')).collect();
    let (digits, factor) = match words.strip_suffix('万') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => (rest.to_owned(), 1e4),
        _ => match words.strip_suffix('亿') {
            Some(rest) => (rest.to_owned(), 1e8),
            None => (words, 1.0),
        },
    };
    let plain = || numerals::read_chinese(&digits).map(|number| number as f64);
    digits.parse::<f64>().ok().or_else(plain).map(|number| number * factor).filter(|number| number.is_finite())
}
