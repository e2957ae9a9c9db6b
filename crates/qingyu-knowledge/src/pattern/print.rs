//! Serialization of queries to text: the parser returns the same value.

use std::fmt::{self, Display, Formatter};

use super::lex::{is_identifier, is_keyword};
use super::query::{
    EdgeDirection, EdgePattern, Goal, GraphPattern, Hops, Instant, NodePattern, Operator, Path, PropertyComparison,
    PropertyTest, Query, Set, Value, When,
};

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.goal {
            Goal::Match => Ok(()),
            Goal::Shortest => f.write_str("shortest "),
            Goal::Within(hops) => write!(f, "within {hops} "),
        }?;
        write!(f, "{}", self.set)?;
        if !self.when.is_ever() {
            write!(f, " {}", self.when)?;
        }
        if !self.returns.is_empty() {
            write!(f, " return {}", joined(&self.returns, ", "))?;
        }
        self.limit.map_or(Ok(()), |limit| write!(f, " limit {limit}"))
    }
}

impl Display for Set {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (how, left, right) = match self {
            Self::Pattern(pattern) => return write!(f, "{pattern}"),
            Self::Join { how, left, right } => (how, left, right),
        };
        let word = match how {
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Except => "except",
        };
        match &**left {
            Self::Join { how: other, .. } if other != how => write!(f, "{{ {left} }}"),
            _ => write!(f, "{left}"),
        }?;
        match &**right {
            Self::Join { .. } => write!(f, " {word} {{ {right} }}"),
            Self::Pattern(_) => write!(f, " {word} {right}"),
        }
    }
}

impl Display for GraphPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.paths, ", "))
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.start)?;
        self.steps.iter().try_for_each(|(edge, node)| write!(f, "{edge}{node}"))
    }
}

impl Display for NodePattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kinds = self.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>();
        let head = match (&self.variable, kinds.is_empty()) {
            (variable, false) => format!("{}:{}", optional(variable), kinds.join("|")),
            (variable, true) => optional(variable),
        };
        let parts = [head, self.name.as_deref().map(quoted).unwrap_or_default(), tests(&self.tests)];
        write!(f, "({})", present(&parts))
    }
}

impl Display for EdgePattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.words.iter().map(|word| bare(word)).collect();
        let head = match words.is_empty() {
            true => optional(&self.variable),
            false => format!("{}:{}", optional(&self.variable), words.join("|")),
        };
        let hops = if self.hops.is_one() { String::new() } else { self.hops.to_string() };
        let when = if self.when.is_ever() { String::new() } else { self.when.to_string() };
        let inside = present(&[head, hops, when, tests(&self.tests)]);
        let inside = if inside.is_empty() { inside } else { format!("[{inside}]") };
        let (left, right) = match self.direction {
            EdgeDirection::Right => ("", ">"),
            EdgeDirection::Left => ("<", ""),
            EdgeDirection::Either => ("", ""),
        };
        write!(f, "{left}-{inside}-{right}")
    }
}

impl Display for Hops {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.least == self.most {
            true => write!(f, "*{}", self.most),
            false => write!(f, "*{}..{}", self.least, self.most),
        }
    }
}

impl Display for When {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ever => Ok(()),
            Self::AsOf(time) => write!(f, "@{time}"),
            Self::During(from, to) => write!(f, "@{from}..{to}"),
        }
    }
}

impl Display for Instant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chapter(number) => write!(f, "ch{number}"),
            Self::Words(words) => f.write_str(&quoted(words)),
        }
    }
}

impl Display for PropertyTest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", bare(&self.property))?;
        match &self.is {
            PropertyComparison::Equal(value) => write!(f, "= {value}"),
            PropertyComparison::NotEqual(value) => write!(f, "!= {value}"),
            PropertyComparison::Less(number) => write!(f, "< {number}"),
            PropertyComparison::AtMost(number) => write!(f, "<= {number}"),
            PropertyComparison::Greater(number) => write!(f, "> {number}"),
            PropertyComparison::AtLeast(number) => write!(f, ">= {number}"),
            PropertyComparison::Contains(text) => write!(f, "contains {}", quoted(text)),
            PropertyComparison::In(values) => write!(f, "in [{}]", joined(values, ", ")),
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(&quoted(text)),
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

/// Returns a word, in quotes only if necessary.
fn bare(word: &str) -> String {
    if is_identifier(word) && !is_keyword(word) { word.to_owned() } else { quoted(word) }
}

fn tests(tests: &[PropertyTest]) -> String {
    if tests.is_empty() { String::new() } else { format!("{{{}}}", joined(tests, ", ")) }
}

fn optional(value: &Option<impl Display>) -> String {
    value.as_ref().map(ToString::to_string).unwrap_or_default()
}

fn joined(values: &[impl Display], separator: &str) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator)
}

fn present(parts: &[String]) -> String {
    parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
}
