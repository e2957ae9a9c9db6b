//! A recursive descent parser of the query language.

use super::error::Error;
use super::lex::{PatternToken, PatternTokenKind, is_keyword, tokens};
use super::query::{
    EdgeDirection, EdgePattern, Goal, GraphPattern, Hops, Instant, MOST_HOPS, MOST_PATTERNS, Name, NodePattern,
    Operator, Path, PropertyComparison, PropertyTest, Query, Set, USUAL_HOPS, Value, When,
};
use crate::graph::NodeKind;

/// Parses a query, without validation.
pub(super) fn query(text: &str) -> Result<Query, Error> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0, joined: 1 };
    let query = parser.query()?;
    match parser.peek() {
        PatternTokenKind::End => Ok(query),
        _ => Err(parser.expected("',', 'and', 'or', 'except', '@', 'return', 'limit' or the end")),
    }
}

struct Parser {
    tokens: Vec<PatternToken>,
    at: usize,
    /// The number of open braces.
    depth: usize,
    /// The number of patterns joined so far.
    joined: usize,
}

/// The maximum nesting of braces.
const DEEPEST: usize = 64;

impl Parser {
    fn query(&mut self) -> Result<Query, Error> {
        let goal = self.goal()?;
        let set = self.set()?;
        let when = self.when()?;
        let mut returns = Vec::new();
        if self.takes_keyword("return") {
            returns.push(self.variable()?);
            while self.takes(",") {
                returns.push(self.variable()?);
            }
        }
        let limit =
            if self.takes_keyword("limit") { Some(self.whole("a number of rows", u32::MAX)? as usize) } else { None };
        Ok(Query { goal, set, when, returns, limit })
    }

    fn goal(&mut self) -> Result<Goal, Error> {
        if self.takes_keyword("shortest") {
            return Ok(Goal::Shortest);
        }
        if self.takes_keyword("within") {
            return Ok(Goal::Within(self.hop()?));
        }
        Ok(Goal::Match)
    }

    /// Parses units joined by one operator; `except` may be repeated: rows in the first and in none of the others.
    fn set(&mut self) -> Result<Set, Error> {
        let mut left = self.unit()?;
        let mut before = None;
        while let Some(how) = self.operator() {
            if before.is_some_and(|before| before != how) {
                self.at -= 1;
                return Err(self.expected("the same operator as before, or braces { } around what belongs together"));
            }
            before = Some(how);
            self.joined += 1;
            if self.joined > MOST_PATTERNS {
                self.at -= 1;
                return Err(self.expected(&format!("the end: no more than {MOST_PATTERNS} patterns can be joined")));
            }
            let right = self.unit()?;
            left = Set::Join { how, left: Box::new(left), right: Box::new(right) };
        }
        Ok(left)
    }

    fn operator(&mut self) -> Option<Operator> {
        let all = [("and", Operator::And), ("or", Operator::Or), ("except", Operator::Except)];
        all.into_iter().find_map(|(word, operator)| self.takes_keyword(word).then_some(operator))
    }

    fn unit(&mut self) -> Result<Set, Error> {
        if self.takes("{") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(self.expected("fewer braces within each other"));
            }
            let inside = self.set()?;
            self.needs("}")?;
            self.depth -= 1;
            return Ok(inside);
        }
        let mut paths = vec![self.path()?];
        while self.takes(",") {
            paths.push(self.path()?);
        }
        Ok(Set::Pattern(GraphPattern { paths }))
    }

    fn path(&mut self) -> Result<Path, Error> {
        let start = self.node()?;
        let mut steps = Vec::new();
        while matches!(self.peek(), PatternTokenKind::Mark("-" | "<")) {
            let edge = self.edge()?;
            steps.push((edge, self.node()?));
        }
        Ok(Path { start, steps })
    }

    fn node(&mut self) -> Result<NodePattern, Error> {
        if !self.takes("(") {
            return Err(self.expected("a node such as (x:Character)"));
        }
        let variable = self.variable_if_any()?;
        let mut kinds = Vec::new();
        if self.takes(":") {
            kinds.push(self.node_kind()?);
            while self.takes("|") {
                kinds.push(self.node_kind()?);
            }
        }
        let name = self.text();
        let tests = self.tests()?;
        if !self.takes(")") {
            return Err(self.expected("a kind such as :Character, a name in quotes, a test in { }, or ')'"));
        }
        Ok(NodePattern { variable, kinds, name, tests })
    }

    fn node_kind(&mut self) -> Result<NodeKind, Error> {
        let names: Vec<&str> = NodeKind::ALL.into_iter().map(NodeKind::name).collect();
        let expected = format!("a kind of node ({})", names.join(", "));
        let PatternTokenKind::Word(word) = self.peek() else { return Err(self.expected(&expected)) };
        let kind = NodeKind::parse(word).ok_or_else(|| self.expected(&expected))?;
        self.at += 1;
        Ok(kind)
    }

    fn edge(&mut self) -> Result<EdgePattern, Error> {
        let from_right = self.takes("<");
        self.needs("-")?;
        let mut edge = EdgePattern::default();
        if self.takes("[") {
            edge.variable = self.variable_if_any()?;
            if self.takes(":") {
                edge.words.push(self.word("a relation such as friend_of")?);
                while self.takes("|") {
                    edge.words.push(self.word("a relation such as friend_of")?);
                }
            }
            edge.hops = self.hops()?;
            edge.when = self.when()?;
            edge.tests = self.tests()?;
            if !self.takes("]") {
                return Err(
                    self.expected("relations such as :friend_of, hops such as *1..3, a time such as @ch30, or ']'")
                );
            }
        }
        self.needs("-")?;
        let to_right = self.takes(">");
        edge.direction = match (from_right, to_right) {
            (true, false) => EdgeDirection::Left,
            (false, true) => EdgeDirection::Right,
            (false, false) => EdgeDirection::Either,
            (true, true) => {
                self.at -= 1;
                return Err(self.expected("a node; an edge has one arrow head, or none for both directions"));
            }
        };
        Ok(edge)
    }

    fn hops(&mut self) -> Result<Hops, Error> {
        if !self.takes("*") {
            return Ok(Hops::default());
        }
        let least = if matches!(self.peek(), PatternTokenKind::Number(_)) { Some(self.hop()?) } else { None };
        if !self.takes("..") {
            return Ok(least.map_or(Hops { least: 1, most: USUAL_HOPS }, |hops| Hops { least: hops, most: hops }));
        }
        let most = if matches!(self.peek(), PatternTokenKind::Number(_)) { Some(self.hop()?) } else { None };
        let least = least.unwrap_or(1);
        Ok(Hops { least, most: most.unwrap_or(USUAL_HOPS.max(least)) })
    }

    fn hop(&mut self) -> Result<u8, Error> {
        let hops = self.whole(&format!("a number of hops from 1 to {MOST_HOPS}"), u32::from(MOST_HOPS))?;
        Ok(u8::try_from(hops).expect("it is small"))
    }

    fn when(&mut self) -> Result<When, Error> {
        if !self.takes("@") {
            return Ok(When::Ever);
        }
        let from = self.instant()?;
        if self.takes("..") {
            return Ok(When::During(from, self.instant()?));
        }
        Ok(When::AsOf(from))
    }

    fn instant(&mut self) -> Result<Instant, Error> {
        if let Some(text) = self.text() {
            return Ok(Instant::Words(text));
        }
        let number = match self.peek() {
            PatternTokenKind::Word(word) if word.is_char_boundary(2) && word[..2].eq_ignore_ascii_case("ch") => {
                word[2..].parse().ok()
            }
            _ => None,
        };
        let number = number.ok_or_else(|| self.expected("a chapter such as ch30, or an event or time in quotes"))?;
        self.at += 1;
        Ok(Instant::Chapter(number))
    }

    fn tests(&mut self) -> Result<Vec<PropertyTest>, Error> {
        let mut tests = Vec::new();
        if self.takes("{") {
            tests.push(self.test()?);
            while self.takes(",") {
                tests.push(self.test()?);
            }
            if !self.takes("}") {
                return Err(self.expected("',' or '}'"));
            }
        }
        Ok(tests)
    }

    fn test(&mut self) -> Result<PropertyTest, Error> {
        let property = self.word("a property such as role_type")?;
        let is = if self.takes("=") {
            PropertyComparison::Equal(self.value()?)
        } else if self.takes("!=") {
            PropertyComparison::NotEqual(self.value()?)
        } else if self.takes("<=") {
            PropertyComparison::AtMost(self.number()?)
        } else if self.takes("<") {
            PropertyComparison::Less(self.number()?)
        } else if self.takes(">=") {
            PropertyComparison::AtLeast(self.number()?)
        } else if self.takes(">") {
            PropertyComparison::Greater(self.number()?)
        } else if self.takes_keyword("contains") {
            PropertyComparison::Contains(self.text().ok_or_else(|| self.expected("a text in quotes"))?)
        } else if self.takes_keyword("in") {
            self.needs("[")?;
            let mut values = vec![self.value()?];
            while self.takes(",") {
                values.push(self.value()?);
            }
            self.needs("]")?;
            PropertyComparison::In(values)
        } else {
            return Err(self.expected("=, !=, <, <=, >, >=, 'contains' or 'in'"));
        };
        Ok(PropertyTest { property, is })
    }

    fn value(&mut self) -> Result<Value, Error> {
        if let Some(text) = self.text() {
            return Ok(Value::Text(text));
        }
        for (word, flag) in [("true", true), ("false", false)] {
            if self.takes_keyword(word) {
                return Ok(Value::Flag(flag));
            }
        }
        match self.peek() {
            PatternTokenKind::Number(_) | PatternTokenKind::Mark("-") => Ok(Value::Number(self.number()?)),
            _ => Err(self.expected("a text in quotes, a number, true or false")),
        }
    }

    fn number(&mut self) -> Result<f64, Error> {
        let is_negative = self.takes("-");
        let PatternTokenKind::Number(number) = *self.peek() else { return Err(self.expected("a number")) };
        self.at += 1;
        Ok(if is_negative { -number } else { number })
    }

    /// Parses a whole number from 1 to `most`.
    fn whole(&mut self, what: &str, most: u32) -> Result<u32, Error> {
        match *self.peek() {
            PatternTokenKind::Number(number) if number.fract() == 0.0 && number >= 1.0 && number <= f64::from(most) => {
                self.at += 1;
                Ok(number as u32)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn variable(&mut self) -> Result<Name, Error> {
        self.variable_if_any()?.ok_or_else(|| self.expected("a variable"))
    }

    fn variable_if_any(&mut self) -> Result<Option<Name>, Error> {
        let PatternTokenKind::Word(word) = self.peek() else { return Ok(None) };
        let name = Name::new(word).map_err(|_| self.expected("a variable that is no word of the language"))?;
        self.at += 1;
        Ok(Some(name))
    }

    /// Parses a word that is no keyword, or a text in quotes.
    fn word(&mut self, expected: &str) -> Result<String, Error> {
        let word = match self.peek() {
            PatternTokenKind::Word(word) if !is_keyword(word) => word.clone(),
            PatternTokenKind::Text(text) => text.clone(),
            _ => return Err(self.expected(expected)),
        };
        self.at += 1;
        Ok(word)
    }

    fn text(&mut self) -> Option<String> {
        let PatternTokenKind::Text(text) = self.peek() else { return None };
        let text = text.clone();
        self.at += 1;
        Some(text)
    }

    fn peek(&self) -> &PatternTokenKind {
        &self.tokens[self.at].what
    }

    fn takes(&mut self, mark: &str) -> bool {
        let is_there = matches!(self.peek(), PatternTokenKind::Mark(found) if *found == mark);
        self.at += usize::from(is_there);
        is_there
    }

    fn takes_keyword(&mut self, keyword: &str) -> bool {
        let is_there = matches!(self.peek(), PatternTokenKind::Word(word) if word.eq_ignore_ascii_case(keyword));
        self.at += usize::from(is_there);
        is_there
    }

    fn needs(&mut self, mark: &str) -> Result<(), Error> {
        if self.takes(mark) { Ok(()) } else { Err(self.expected(&format!("'{mark}'"))) }
    }

    fn expected(&self, what: &str) -> Error {
        let token = &self.tokens[self.at];
        Error::Syntax { at: token.at, expected: what.to_owned(), found: token.what.shown() }
    }
}
