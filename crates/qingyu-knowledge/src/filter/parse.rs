//! Reading conditions.

use std::borrow::Cow;

use super::{Comparison, Filter, Value};

/// How deep conditions may stand in each other.
const DEEPEST: usize = 64;

/// A condition that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at character {position}: {expected} expected, found {}", if found.is_empty() { "the end" } else { found })]
pub struct ParseError {
    /// Where, in characters from 1.
    pub position: usize,
    /// What could stand there.
    pub expected: &'static str,
    /// What stands there; empty at the end.
    pub found: String,
}

pub(super) fn parse(text: &str) -> Result<Filter, ParseError> {
    let mut reader = Reader { text: text.chars().collect(), at: 0, depth: 0 };
    let filter = reader.condition()?;
    match reader.peek() {
        Token::End => Ok(filter),
        _ => Err(reader.expected("and, or, or the end")),
    }
}

/// `text` as it stands in a condition.
pub(super) fn quoted(text: &str) -> Cow<'_, str> {
    let is_plain = !text.is_empty()
        && text.chars().all(|c| is_word(narrow(c)) && narrow(c) == c)
        && !(text.contains("..") || text.starts_with('.') || text.ends_with('.'))
        && number(text).is_none()
        && !KEYWORDS.contains(&text.to_lowercase().as_str());
    if is_plain {
        return Cow::Borrowed(text);
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    Cow::Owned(quoted)
}

const KEYWORDS: [&str; 5] = ["and", "or", "not", "in", "contains"];

#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// A word or number without quotes.
    Word(String),
    Quoted(String),
    Sign(&'static str),
    /// A quotation mark without its other half, or a mark that means nothing here.
    Bad,
    End,
}

impl Token {
    fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }
}

struct Reader {
    text: Vec<char>,
    at: usize,
    depth: usize,
}

impl Reader {
    fn condition(&mut self) -> Result<Filter, ParseError> {
        let first = self.all()?;
        self.several("or", first, Self::all, Filter::Or)
    }

    fn all(&mut self) -> Result<Filter, ParseError> {
        let first = self.one()?;
        self.several("and", first, Self::one, Filter::And)
    }

    fn several(
        &mut self,
        between: &str,
        first: Filter,
        next: fn(&mut Self) -> Result<Filter, ParseError>,
        together: fn(Vec<Filter>) -> Filter,
    ) -> Result<Filter, ParseError> {
        let mut several = vec![first];
        while self.peek().is(between) {
            self.next();
            several.push(next(self)?);
        }
        Ok(if several.len() == 1 { several.remove(0) } else { together(several) })
    }

    fn one(&mut self) -> Result<Filter, ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.expected("a condition of less depth"));
        }
        let one = match self.peek() {
            token if token.is("not") => {
                self.next();
                let other = self.one()?;
                // `not ()` is how the alternative of nothing is written.
                if other == Filter::And(Vec::new()) { Filter::Or(Vec::new()) } else { Filter::Not(Box::new(other)) }
            }
            Token::Sign("(") => {
                self.next();
                if self.peek() == Token::Sign(")") {
                    self.next();
                    Filter::And(Vec::new())
                } else {
                    let inner = self.condition()?;
                    self.sign(")", "and, or, or )")?;
                    inner
                }
            }
            _ => self.test()?,
        };
        self.depth -= 1;
        Ok(one)
    }

    fn test(&mut self) -> Result<Filter, ParseError> {
        let field = match self.peek() {
            Token::Word(word) if !KEYWORDS.contains(&word.to_lowercase().as_str()) => word,
            _ => return Err(self.expected("the name of a field, not, or (")),
        };
        self.next();
        let token = self.peek();
        if let Token::Sign(sign) = token {
            let comparison = match sign {
                "=" | "!=" => Comparison::Equal,
                "<" => Comparison::Less,
                "<=" => Comparison::AtMost,
                ">" => Comparison::Greater,
                ">=" => Comparison::AtLeast,
                _ => return Err(self.expected(OPERATORS)),
            };
            self.next();
            let test = Filter::Is { field, comparison, value: self.value()? };
            return Ok(if sign == "!=" { Filter::Not(Box::new(test)) } else { test });
        }
        let is_negated = token.is("not");
        if is_negated {
            self.next();
        }
        let token = self.peek();
        let test = if token.is("contains") {
            self.next();
            Filter::Contains { field, value: self.value()? }
        } else if token.is("in") {
            self.next();
            self.members(field)?
        } else {
            return Err(self.expected(if is_negated { "in or contains" } else { OPERATORS }));
        };
        Ok(if is_negated { Filter::Not(Box::new(test)) } else { test })
    }

    fn members(&mut self, field: String) -> Result<Filter, ParseError> {
        if self.peek() != Token::Sign("(") {
            let from = self.value()?;
            self.sign("..", "..")?;
            return Ok(Filter::Range { field, from, until: self.value()? });
        }
        self.next();
        let mut values = Vec::new();
        if self.peek() != Token::Sign(")") {
            values.push(self.value()?);
            while self.peek() == Token::Sign(",") {
                self.next();
                values.push(self.value()?);
            }
        }
        self.sign(")", ", or )")?;
        Ok(Filter::In { field, values })
    }

    fn value(&mut self) -> Result<Value, ParseError> {
        let value = match self.peek() {
            Token::Word(word) if KEYWORDS.contains(&word.to_lowercase().as_str()) => {
                return Err(self.expected("a value"));
            }
            Token::Word(word) => number(&word).map_or(Value::Text(word), Value::Number),
            Token::Quoted(text) => Value::Text(text),
            Token::Sign(_) | Token::Bad | Token::End => return Err(self.expected("a value")),
        };
        self.next();
        Ok(value)
    }

    fn sign(&mut self, sign: &'static str, expected: &'static str) -> Result<(), ParseError> {
        if self.peek() != Token::Sign(sign) {
            return Err(self.expected(expected));
        }
        self.next();
        Ok(())
    }

    fn expected(&self, expected: &'static str) -> ParseError {
        let start =
            self.text[self.at..].iter().position(|c| !c.is_whitespace()).map_or(self.text.len(), |s| self.at + s);
        let (_, end) = self.read();
        ParseError { position: start + 1, expected, found: self.text[start..end.max(start)].iter().collect() }
    }

    fn peek(&self) -> Token {
        self.read().0
    }

    fn next(&mut self) {
        self.at = self.read().1;
    }

    /// The token at the place that is reached, and its end.
    fn read(&self) -> (Token, usize) {
        let Some(start) = self.text[self.at..].iter().position(|c| !c.is_whitespace()).map(|skip| self.at + skip)
        else {
            return (Token::End, self.text.len());
        };
        let next = self.text.get(start + 1).map(|c| narrow(*c));
        let sign = |sign: &'static str| (Token::Sign(sign), start + sign.len());
        match (narrow(self.text[start]), next) {
            ('!', Some('=')) => sign("!="),
            ('<', Some('=')) => sign("<="),
            ('>', Some('=')) => sign(">="),
            ('.', Some('.')) => sign(".."),
            ('=', _) => sign("="),
            ('<', _) => sign("<"),
            ('>', _) => sign(">"),
            ('(', _) => sign("("),
            (')', _) => sign(")"),
            (',', _) => sign(","),
            ('"', _) => self.quotation(start),
            (c, _) if is_word(c) => self.word(start),
            _ => (Token::Bad, start + 1),
        }
    }

    fn quotation(&self, start: usize) -> (Token, usize) {
        let closing = if self.text[start] == '“' { '”' } else { self.text[start] };
        let mut text = String::new();
        let mut at = start + 1;
        while let Some(c) = self.text.get(at) {
            at += 1;
            match c {
                c if *c == closing => return (Token::Quoted(text), at),
                '\\' => {
                    text.extend(self.text.get(at));
                    at += 1;
                }
                other => text.push(*other),
            }
        }
        (Token::Bad, self.text.len())
    }

    fn word(&self, start: usize) -> (Token, usize) {
        let mut end = start;
        while let Some(c) = self.text.get(end).filter(|c| is_word(narrow(**c))) {
            if *c == '.' && self.text.get(end + 1) == Some(&'.') {
                break;
            }
            end += 1;
        }
        (Token::Word(self.text[start..end].iter().collect()), end)
    }
}

const OPERATORS: &str = "=, !=, <, <=, >, >=, in, contains, or not";

fn is_word(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, '=' | '!' | '<' | '>' | '(' | ')' | ',' | '"' | '\\')
}

/// Digits with an optional sign and fraction; no `inf`, no `nan`.
fn number(word: &str) -> Option<f64> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
        && !digits.ends_with('.');
    word.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

/// Full-width marks of the language itself, as they come from a Chinese keyboard.
fn narrow(c: char) -> char {
    match c {
        '（' => '(',
        '）' => ')',
        '，' | '、' => ',',
        '＝' => '=',
        '！' => '!',
        '＜' => '<',
        '＞' => '>',
        '“' | '”' | '＂' => '"',
        '\u{3000}' => ' ',
        other => other,
    }
}
