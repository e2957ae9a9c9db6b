//! The tokens of the query language.

use super::error::Error;

pub(super) const KEYWORDS: [&str; 11] =
    ["and", "or", "except", "contains", "in", "return", "limit", "shortest", "within", "true", "false"];

/// A token with the position, in characters from 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PatternToken {
    pub(super) at: usize,
    pub(super) what: PatternTokenKind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum PatternTokenKind {
    /// A word, possibly a keyword.
    Word(String),
    Text(String),
    Number(f64),
    /// One of the [`MARKS`].
    Mark(&'static str),
    End,
}

/// The marks, longest first.
const MARKS: [&str; 19] =
    ["..", "!=", "<=", ">=", "(", ")", "[", "]", "{", "}", ":", ",", "|", "*", "@", "-", "<", ">", "="];

/// Returns whether `text` needs no quotes.
pub(super) fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(begins_word) && chars.all(is_in_word)
}

pub(super) fn is_keyword(text: &str) -> bool {
    KEYWORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Splits `text` into tokens; the last token is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<PatternToken>, Error> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at].is_whitespace() {
            at += 1;
            continue;
        }
        let (what, end) = token(&chars, at)?;
        tokens.push(PatternToken { at: at + 1, what });
        at = end;
    }
    tokens.push(PatternToken { at: chars.len() + 1, what: PatternTokenKind::End });
    Ok(tokens)
}

/// Returns the token at `at`, and the position after the token.
fn token(chars: &[char], at: usize) -> Result<(PatternTokenKind, usize), Error> {
    let first = chars[at];
    if first == '"' || first == '“' {
        return quoted(chars, at);
    }
    if first.is_ascii_digit() {
        return number(chars, at);
    }
    if begins_word(first) {
        let end = at + chars[at..].iter().take_while(|c| is_in_word(**c)).count();
        return Ok((PatternTokenKind::Word(chars[at..end].iter().collect()), end));
    }
    let ahead: String = chars[at..].iter().take(2).map(|c| narrow(*c)).collect();
    let mark = MARKS.iter().find(|mark| ahead.starts_with(**mark));
    mark.map(|mark| (PatternTokenKind::Mark(mark), at + mark.len())).ok_or_else(|| Error::Syntax {
        at: at + 1,
        expected: "a word, a number, a text in quotes, or a mark such as ( [ - @".into(),
        found: format!("'{first}'"),
    })
}

/// Parses a text in straight quotes, escaped as in JSON, or in Chinese quotes, without escapes.
fn quoted(chars: &[char], at: usize) -> Result<(PatternTokenKind, usize), Error> {
    let open = |found: &str| Error::Syntax {
        at: at + 1,
        expected: "a text with its closing quote".into(),
        found: found.to_owned(),
    };
    if chars[at] == '“' {
        let length = chars[at..].iter().position(|c| *c == '”').ok_or_else(|| open("no closing ”"))?;
        return Ok((PatternTokenKind::Text(chars[at + 1..at + length].iter().collect()), at + length + 1));
    }
    let mut end = at + 1;
    while chars.get(end).is_some_and(|c| *c != '"') {
        end += if chars[end] == '\\' { 2 } else { 1 };
    }
    if end >= chars.len() {
        return Err(open("no closing \""));
    }
    let raw: String = chars[at..=end].iter().collect();
    let text = serde_json::from_str(&raw.replace('\n', "\\n").replace('\t', "\\t"));
    Ok((PatternTokenKind::Text(text.map_err(|error| open(&format!("a wrong escape ({error})")))?), end + 1))
}

fn number(chars: &[char], at: usize) -> Result<(PatternTokenKind, usize), Error> {
    let digits = |from: usize| from + chars[from..].iter().take_while(|c| c.is_ascii_digit()).count();
    let mut end = digits(at);
    if chars.get(end) == Some(&'.') && chars.get(end + 1).is_some_and(char::is_ascii_digit) {
        end = digits(end + 1);
    }
    let text: String = chars[at..end].iter().collect();
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    let expected = "a number that is not so great".to_owned();
    number.map(|number| (PatternTokenKind::Number(number), end)).ok_or(Error::Syntax {
        at: at + 1,
        expected,
        found: text,
    })
}

fn begins_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the plain form of marks from a Chinese keyboard.
fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '【' => '[',
        '】' => ']',
        '《' => '<',
        '》' => '>',
        other => other,
    }
}

impl PatternTokenKind {
    /// Returns the token as named in errors.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Word(word) => format!("'{word}'"),
            Self::Text(text) => format!("\"{text}\""),
            Self::Number(number) => number.to_string(),
            Self::Mark(mark) => format!("'{mark}'"),
            Self::End => "the end".into(),
        }
    }
}
