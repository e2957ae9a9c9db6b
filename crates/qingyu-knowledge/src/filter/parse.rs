//! The parser of conditions.

use super::condition::{FieldComparison, Filter, Value};
use super::words::{KEYWORDS, is_word, narrow, number};

/// The maximum nesting of conditions.
pub(super) const DEEPEST: usize = 64;

/// A syntax error in a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at character {position}: {expected} expected, found {}", if found.is_empty() { "the end" } else { found })]
pub struct FilterParseError {
    /// The position, in characters from 1.
    pub position: usize,
    /// The expected token.
    pub expected: &'static str,
    /// The token found; empty at the end.
    pub found: String,
}

pub(super) fn parse(text: &str) -> Result<Filter, FilterParseError> {
    let mut reader = FilterReader { text: text.chars().collect(), at: 0, depth: 0 };
    let filter = reader.condition()?;
    match reader.peek() {
        FilterToken::End => Ok(filter),
        _ => Err(reader.expected("and, or, or the end")),
    }
}

#[derive(Debug, Clone, PartialEq)]
enum FilterToken {
    /// A word or number without quotes.
    Word(String),
    Quoted(String),
    Sign(&'static str),
    /// An unclosed quotation mark, or an unknown mark.
    Bad,
    End,
}

impl FilterToken {
    fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }
}

struct FilterReader {
    text: Vec<char>,
    at: usize,
    depth: usize,
}

impl FilterReader {
    fn condition(&mut self) -> Result<Filter, FilterParseError> {
        let first = self.all()?;
        self.several("or", first, Self::all, Filter::Or)
    }

    fn all(&mut self) -> Result<Filter, FilterParseError> {
        let first = self.one()?;
        self.several("and", first, Self::one, Filter::And)
    }

    fn several(
        &mut self,
        between: &str,
        first: Filter,
        next: fn(&mut Self) -> Result<Filter, FilterParseError>,
        together: fn(Vec<Filter>) -> Filter,
    ) -> Result<Filter, FilterParseError> {
        let mut several = vec![first];
        while self.peek().is(between) {
            self.next();
            several.push(next(self)?);
        }
        Ok(if several.len() == 1 { several.remove(0) } else { together(several) })
    }

    fn one(&mut self) -> Result<Filter, FilterParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.expected("a condition of less depth"));
        }
        let one = match self.peek() {
            token if token.is("not") => {
                self.next();
                let other = self.one()?;
                // The empty alternative is written `not ()`.
                if other == Filter::And(Vec::new()) { Filter::Or(Vec::new()) } else { Filter::Not(Box::new(other)) }
            }
            FilterToken::Sign("(") => {
                self.next();
                if self.peek() == FilterToken::Sign(")") {
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

    fn test(&mut self) -> Result<Filter, FilterParseError> {
        let field = match self.peek() {
            FilterToken::Word(word) if !KEYWORDS.contains(&word.to_lowercase().as_str()) => word,
            _ => return Err(self.expected("the name of a field, not, or (")),
        };
        self.next();
        let token = self.peek();
        if let FilterToken::Sign(sign) = token {
            let comparison = match sign {
                "=" | "!=" => FieldComparison::Equal,
                "<" => FieldComparison::Less,
                "<=" => FieldComparison::AtMost,
                ">" => FieldComparison::Greater,
                ">=" => FieldComparison::AtLeast,
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

    fn members(&mut self, field: String) -> Result<Filter, FilterParseError> {
        if self.peek() != FilterToken::Sign("(") {
            let from = self.value()?;
            self.sign("..", "..")?;
            return Ok(Filter::Range { field, from, until: self.value()? });
        }
        self.next();
        let mut values = Vec::new();
        if self.peek() != FilterToken::Sign(")") {
            values.push(self.value()?);
            while self.peek() == FilterToken::Sign(",") {
                self.next();
                values.push(self.value()?);
            }
        }
        self.sign(")", ", or )")?;
        Ok(Filter::In { field, values })
    }

    fn value(&mut self) -> Result<Value, FilterParseError> {
        let value = match self.peek() {
            FilterToken::Word(word) if KEYWORDS.contains(&word.to_lowercase().as_str()) => {
                return Err(self.expected("a value"));
            }
            FilterToken::Word(word) => number(&word).map_or(Value::Text(word), Value::Number),
            FilterToken::Quoted(text) => Value::Text(text),
            FilterToken::Sign(_) | FilterToken::Bad | FilterToken::End => return Err(self.expected("a value")),
        };
        self.next();
        Ok(value)
    }

    fn sign(&mut self, sign: &'static str, expected: &'static str) -> Result<(), FilterParseError> {
        if self.peek() != FilterToken::Sign(sign) {
            return Err(self.expected(expected));
        }
        self.next();
        Ok(())
    }

    fn expected(&self, expected: &'static str) -> FilterParseError {
        let start =
            self.text[self.at..].iter().position(|c| !c.is_whitespace()).map_or(self.text.len(), |s| self.at + s);
        let (_, end) = self.read();
        FilterParseError { position: start + 1, expected, found: self.text[start..end.max(start)].iter().collect() }
    }

    fn peek(&self) -> FilterToken {
        self.read().0
    }

    fn next(&mut self) {
        self.at = self.read().1;
    }

    /// Returns the token at the current position, and the end of the token.
    fn read(&self) -> (FilterToken, usize) {
        let Some(start) = self.text[self.at..].iter().position(|c| !c.is_whitespace()).map(|skip| self.at + skip)
        else {
            return (FilterToken::End, self.text.len());
        };
        let next = self.text.get(start + 1).map(|c| narrow(*c));
        let sign = |sign: &'static str| (FilterToken::Sign(sign), start + sign.len());
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
            _ => (FilterToken::Bad, start + 1),
        }
    }

    fn quotation(&self, start: usize) -> (FilterToken, usize) {
        let closing = if self.text[start] == '“' { '”' } else { self.text[start] };
        let mut text = String::new();
        let mut at = start + 1;
        while let Some(c) = self.text.get(at) {
            at += 1;
            match c {
                c if *c == closing => return (FilterToken::Quoted(text), at),
                '\\' => {
                    text.extend(self.text.get(at));
                    at += 1;
                }
                other => text.push(*other),
            }
        }
        (FilterToken::Bad, self.text.len())
    }

    fn word(&self, start: usize) -> (FilterToken, usize) {
        let mut end = start;
        while let Some(c) = self.text.get(end).filter(|c| is_word(narrow(**c))) {
            if *c == '.' && self.text.get(end + 1) == Some(&'.') {
                break;
            }
            end += 1;
        }
        (FilterToken::Word(self.text[start..end].iter().collect()), end)
    }
}

const OPERATORS: &str = "=, !=, <, <=, >, >=, in, contains, or not";
