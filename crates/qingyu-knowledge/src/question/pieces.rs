//! The nodes and edges of which the patterns of questions are made.

use super::lexicon::WordMeaning;
use super::tokens::{QuestionToken, of_role};
use crate::pattern::{EdgeDirection, EdgePattern, Name, NodePattern};

pub(super) fn edge(words: &[String], direction: EdgeDirection) -> EdgePattern {
    // Knowing is mutual.
    let direction = if words == ["tied_to"] { EdgeDirection::Either } else { direction };
    EdgePattern { words: words.to_vec(), direction, ..EdgePattern::default() }
}

pub(super) fn sought() -> NodePattern {
    NodePattern { variable: Some(variable("x")), ..NodePattern::default() }
}

pub(super) fn variable(letter: &str) -> Name {
    Name::new(letter).expect("a letter is a name")
}

pub(super) fn called(name: &str, node: &NodePattern) -> NodePattern {
    NodePattern { variable: Some(variable(name)), ..node.clone() }
}

/// Returns the pattern for a token that names a piece or a role.
pub(super) fn node(token: &QuestionToken) -> Option<NodePattern> {
    match token {
        QuestionToken::Node(node) => Some(node.clone()),
        QuestionToken::Word(WordMeaning::Role(role)) => Some(of_role(role)),
        _ => None,
    }
}
