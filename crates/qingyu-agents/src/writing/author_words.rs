//! The author's instructions for a chapter while its findings are fixed: those already carried out, and pending ones.

use std::collections::BTreeSet;

use qingyu_story::AuthorInstruction;

use super::review::ChapterFinding;

/// The author's instructions for a chapter, split into those already carried out and pending ones.
pub(super) struct AuthorWords {
    /// The instructions that the text was written for; no fix may undo them.
    pub(super) asked: Vec<AuthorInstruction>,
    /// The ids of the findings whose remedy the author gave in an answer. These instructions are pending, and take precedence
    /// over earlier ones.
    ordered: BTreeSet<String>,
}

impl AuthorWords {
    /// Divides the instructions in `asked` into those that the text was written for and remedies of `findings`.
    pub(super) fn of(mut asked: Vec<AuthorInstruction>, findings: &[ChapterFinding]) -> Self {
        let is_order = |one: &AuthorInstruction, finding: &ChapterFinding| {
            let (words, passage) = (one.text.trim(), one.passage.trim());
            let is_said = !words.is_empty() && finding.fix.contains(words);
            one.kind.is_request() && is_said && !passage.is_empty() && passage == finding.quote.trim()
        };
        let of_author = findings.iter().filter(|finding| asked.iter().any(|one| is_order(one, finding)));
        let ordered = of_author.map(|finding| finding.id.clone()).collect();
        asked.retain(|one| !findings.iter().any(|finding| is_order(one, finding)));
        Self { asked, ordered }
    }

    /// Returns the numbers, from 1, of the findings whose remedy is an order of the author.
    pub(super) fn orders(&self, findings: &[ChapterFinding]) -> Vec<u32> {
        let numbered = (1_u32..).zip(findings);
        numbered.filter(|(_, finding)| self.ordered.contains(&finding.id)).map(|(number, _)| number).collect()
    }
}
