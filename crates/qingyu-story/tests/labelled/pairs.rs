//! Pairs of texts, the first of chapter 1 and the second of chapter 3 of a book in which no year passes: `A ! B` where both cannot
//! be so, `A = B` where they can.

use qingyu_story::language::is_han;
use qingyu_story::settlement::{Config as Settling, extract, settle};
use qingyu_story::{Config, Document, Language, OutlineNode, Story, findings};

use super::cast;

/// How well the checker tells contradictions from what fits together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MeasuredPairs {
    /// The number of pairs that contradict each other.
    pub(crate) planted: usize,
    /// The share of pairs with a finding that contradict each other.
    pub(crate) precision: f64,
    /// The share of contradictory pairs with a finding.
    pub(crate) recall: f64,
    /// The pairs that fit together and have a finding, with it.
    pub(crate) wrong: Vec<String>,
    /// The contradictory pairs without a finding.
    pub(crate) missed: Vec<String>,
}

/// Returns whether a line of a corpus is a pair of texts.
pub(crate) fn is_pair(line: &str) -> bool {
    !line.starts_with('#') && (line.contains(" ! ") || line.contains(" = "))
}

/// Reads both texts of each pair by the rules, and checks what they say.
pub(crate) fn measure_pairs(corpus: &str) -> MeasuredPairs {
    let (mut planted, mut caught, mut wrong, mut missed) = (0, 0, Vec::new(), Vec::new());
    for line in corpus.lines().filter(|line| is_pair(line)) {
        let is_planted = line.contains(" ! ");
        let (first, third) = line.split_once(if is_planted { " ! " } else { " = " }).expect("a line is a pair");
        let found = between(&of_three(first, third));
        match (is_planted, found.is_empty()) {
            (true, false) => caught += 1,
            (true, true) => missed.push(line.to_owned()),
            (false, false) => wrong.push(format!("{line}: {found:?}")),
            (false, true) => {}
        }
        planted += usize::from(is_planted);
    }
    let recall = caught as f64 / planted.max(1) as f64;
    let precision = caught as f64 / (caught + wrong.len()).max(1) as f64;
    MeasuredPairs { planted, precision, recall, wrong, missed }
}

/// A book of three chapters in which the first and the third hold these texts.
fn of_three(first: &str, third: &str) -> Story {
    let is_chinese = first.chars().any(is_han);
    let dull = if is_chinese { "雨下了一夜。" } else { "It rained all night." };
    let mut story = cast();
    story.language = if is_chinese { Language::Zh } else { Language::En };
    for (text, order) in [format!("{dull}\n{first}"), dull.into(), format!("{dull}\n{third}")].into_iter().zip(1..) {
        story.outline_nodes.push(OutlineNode {
            id: format!("o-{order}"),
            name: format!("第{order}章 夜{order}"),
            order,
            ..OutlineNode::default()
        });
        story.documents.push(Document {
            id: format!("d-{order}"),
            title: format!("正文{order}"),
            order,
            version: 1,
            outline_node: Some(format!("o-{order}")),
            text,
            ..Document::default()
        });
    }
    for document in story.documents.clone() {
        let extraction = extract(&story, &document.id).expect("the document is there");
        settle(&mut story, &document.id, &extraction, Settling::default()).expect("the document is there");
    }
    story
}

/// What is found between two statements of a story.
fn between(story: &Story) -> Vec<String> {
    let found = findings(story, &Config::default()).into_iter().map(|finding| finding.issue);
    let is_meant = |code: &str| ["QY2", "QY3", "QY4", "QY6"].iter().any(|family| code.starts_with(family));
    let codes = found.filter(|issue| issue.code.as_deref().is_some_and(is_meant));
    codes.map(|issue| format!("{} {}", issue.code.unwrap_or_default(), issue.title)).collect()
}
