//! Checks of a written text by rules, and fixes.

use std::collections::BTreeSet;

use qingyu_story::check::Config;
use qingyu_story::{Document, Issue, Language, Severity, Story, findings};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::context::{Fixes, RewriteContext};
use super::spans;
use super::subject::{MENDS, PASSAGE, WritingMaterial, WritingSubject};
use crate::service::agent::{Done, TaskProgress};
use crate::service::checker;
use crate::service::failure::AgentHalt;
use crate::service::proposal::{Proposal, Span};
use crate::service::task::Check;
use crate::service::work::{AgentWork, ModelQuestion};

/// A problem of the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct TextProblem {
    code: String,
    severity: Severity,
    title: String,
    quotes: Vec<String>,
}

/// A draft: the changes of the document, or the appended text.
#[derive(Debug, Clone)]
struct DraftText {
    /// Changed places of the current text; empty for an appended text.
    spans: Vec<Span>,
    /// Separator between the old text and the appended text.
    joint: &'static str,
    /// Appended text; `None` for changes of places.
    added: Option<String>,
}

/// Checks the draft by rules and fixes new problems, in at most two rounds. A round without improvement is discarded.
pub(super) async fn check_and_mend(
    about: &WritingSubject,
    course: &TaskProgress,
    work: &AgentWork<'_>,
) -> Result<Done, AgentHalt> {
    let mut draft = DraftText::of(about, course);
    let mut found = look(about, course, work, &draft, 0).await?;
    let first = found.len();
    let mut reasoning = Vec::new();
    for round in 1..=MENDS {
        if found.iter().all(|found| found.severity < Severity::Medium) {
            break;
        }
        let Some(mended) = mend(about, course, work, &draft, &found, round).await? else { break };
        let left = look(about, course, work, &mended, round).await?;
        if left.len() >= found.len() {
            break;
        }
        (draft, found) = (mended, left);
    }
    let mended = first - found.len();
    let zh = course.language() == Language::Zh;
    reasoning.push(match zh {
        true => format!("规则在新文字里发现 {first} 处问题，修好 {mended} 处"),
        false => format!("the rules found {first} problems in the new text; {mended} were mended"),
    });
    let checks = vec![clean_paragraphs(&draft.new_text(), &found)];
    let proposal = draft.proposal(about);
    let output = problems_text(&draft, &found, zh);
    Ok(Done { output, reasoning, checks, proposal, ..Done::with(&json!({"findings": found})) })
}

/// Returns the share of paragraphs without a remaining problem. A problem between paragraphs counts as one of them.
fn clean_paragraphs(text: &str, found: &[TextProblem]) -> Check {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let paragraphs: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let quotes: Vec<&str> = found.iter().flat_map(|found| &found.quotes).map(|quote| quote.trim_matches('…')).collect();
    let shows =
        |paragraph: &str, quote: &str| !quote.is_empty() && (paragraph.contains(quote) || quote.contains(paragraph));
    let clean = paragraphs.iter().filter(|paragraph| !quotes.iter().any(|quote| shows(paragraph, quote))).count();
    let of = paragraphs.len().max(1);
    let most = if found.is_empty() { of } else { of - 1 };
    Check { what: "rules".into(), held: count(clean.min(most)), of: count(of) }
}

impl DraftText {
    fn of(about: &WritingSubject, course: &TaskProgress) -> Self {
        if let Ok(spans) = Vec::<Span>::deserialize(&course.data("write_changes")["spans"]) {
            return Self { spans, joint: "", added: None };
        }
        let written =
            ["write_content", "work_with_tools"].iter().find_map(|action| course.data(action)["text"].as_str());
        let end = about.target.text.trim_end().len();
        let joint = if end == 0 { "" } else { "\n\n" };
        Self { spans: Vec::new(), joint, added: Some(written.unwrap_or_default().to_owned()) }
    }

    /// Returns the complete text after the change.
    fn whole(&self, about: &WritingSubject) -> String {
        self.proposed(about).map_or_else(|| self.added.clone().unwrap_or_default(), |proposal| proposal.text)
    }

    fn proposed(&self, about: &WritingSubject) -> Option<Proposal> {
        let text = &about.target.text;
        let mut spans = self.spans.clone();
        if let Some(added) = &self.added {
            let start = text.trim_end().len();
            let after = format!("{}{added}", self.joint);
            spans.push(Span { start, end: text.len(), before: text[start..].to_owned(), after, why: String::new() });
        }
        Proposal::of(text, spans)
    }

    /// Returns the proposal for the project; `None` for a text outside the project, or cut.
    fn proposal(&self, about: &WritingSubject) -> Option<Proposal> {
        let target = &about.target;
        let is_prose = matches!(about.kind.as_str(), "continue" | "dialogue" | "scene" | "rewrite");
        let has_place = target.document.is_some() || target.node.is_some();
        if !is_prose || !has_place || target.left_out > 0 {
            return None;
        }
        let proposal = self.proposed(about)?;
        let is_new = target.document.is_none();
        Some(Proposal {
            document: target.document.clone(),
            title: target.title.clone(),
            order: None,
            outline_node: target.node.clone().filter(|_| is_new),
            base: if is_new { String::new() } else { proposal.base },
            ..proposal
        })
    }

    /// Returns the new words alone.
    fn new_text(&self) -> String {
        match &self.added {
            Some(added) => added.clone(),
            None => self.spans.iter().map(|span| span.after.as_str()).collect::<Vec<_>>().join("\n\n"),
        }
    }
}

/// Returns the rules' findings in the changed text that were not found before.
async fn look(
    about: &WritingSubject,
    course: &TaskProgress,
    work: &AgentWork<'_>,
    draft: &DraftText,
    round: usize,
) -> Result<Vec<TextProblem>, AgentHalt> {
    let whole = draft.whole(about);
    let new = draft.new_text();
    let (rules, target) = (work.rules(), &about.target);
    if course.task.project.is_none() || course.task.text.is_some() {
        let language = course.language();
        let before = checker::alone(&target.text, language);
        let after = checker::alone(&whole, language);
        return Ok(newly(&before, &after, &new, rules));
    }
    work.read(&format!("look/{round}"), |story| {
        let mut after = story.clone();
        match after.documents.iter_mut().find(|document| Some(&document.id) == target.document.as_ref()) {
            Some(document) => document.text = whole,
            None => after.documents.push(Document {
                id: "new".into(),
                title: target.title.clone(),
                order: after.documents.iter().map(|document| document.order).max().unwrap_or_default() + 1,
                outline_node: target.node.clone(),
                text: whole,
                ..Document::default()
            }),
        }
        newly(story, &after, &new, rules)
    })
    .await
}

fn newly(before: &Story, after: &Story, new: &str, rules: &Config) -> Vec<TextProblem> {
    let known = findings(before, rules).into_iter().map(|finding| finding.issue.id).collect::<BTreeSet<_>>();
    let found = findings(after, rules).into_iter().map(|finding| finding.issue);
    let is_new = |issue: &Issue| {
        // A moved position gives an old finding a new id; only findings that quote the new words count.
        let quotes = issue.evidence.iter().filter(|evidence| !evidence.quote.is_empty());
        let quotes_it = quotes.map(|evidence| evidence.quote.trim_matches('…')).any(|quote| new.contains(quote));
        !known.contains(&issue.id) && issue.waived.is_none() && quotes_it
    };
    let of = |issue: Issue| TextProblem {
        code: issue.code.unwrap_or_default(),
        severity: issue.severity,
        title: issue.title,
        quotes: issue.evidence.into_iter().map(|evidence| evidence.quote).collect(),
    };
    found.filter(is_new).map(of).collect()
}

/// Asks for changes of the new words; returns the changed draft, or `None` for an unusable answer.
async fn mend(
    about: &WritingSubject,
    course: &TaskProgress,
    work: &AgentWork<'_>,
    draft: &DraftText,
    found: &[TextProblem],
    round: usize,
) -> Result<Option<DraftText>, AgentHalt> {
    let problems = found.iter().map(|found| format!("{} {}（{}）", found.code, found.title, found.quotes.join(" / ")));
    let new = draft.new_text();
    // The fixes keep to the style and the people of the book, like the text itself.
    let gathered = ["retrieve_context", "retrieve_characters"]
        .iter()
        .map(|action| WritingMaterial::deserialize(course.data(action)).unwrap_or_default())
        .find(|gathered| !gathered.material.is_empty() || !gathered.cards.is_empty())
        .unwrap_or_default();
    let rewriting = RewriteContext {
        material: [vec![gathered.material], gathered.cards].concat().join("\n").trim().to_owned(),
        description: course.task.description.clone(),
        language: course.language(),
        title: about.target.title.clone(),
        passage: spans::bounded(&new, PASSAGE).to_owned(),
        problems: problems.take(20).collect(),
        ..RewriteContext::default()
    };
    let check = |fixes: &Fixes| spans::problems(&fixes.fixes, &rewriting.passage, rewriting.language);
    let part = round.to_string();
    let asking = ModelQuestion { act: "mend", part: &part, temperature: Some(0.3) };
    match work.ask(asking, &rewriting, &check).await? {
        Ok(fixes) => Ok(draft.with(&fixes, &rewriting.passage)),
        Err(failure) => {
            let why = failure.text(course.language());
            work.warn(match course.language() {
                Language::Zh => format!("没有修好规则发现的问题：{why}"),
                Language::En => format!("what the rules found was not mended: {why}"),
            });
            Ok(None)
        }
    }
}

impl DraftText {
    fn with(&self, fixes: &Fixes, passage: &str) -> Option<Self> {
        match &self.added {
            Some(added) => {
                let changes = spans::of(&fixes.fixes, added, 0..passage.len());
                let added = Proposal::of(added, changes)?.text;
                Some(Self { added: Some(added), ..self.clone() })
            }
            None => {
                let mut spans = self.spans.clone();
                for fix in &fixes.fixes {
                    let span = spans.iter_mut().find(|span| span.after.contains(&fix.find))?;
                    span.after = span.after.replacen(&fix.find, &fix.with, 1);
                }
                Some(Self { spans, ..self.clone() })
            }
        }
    }
}

fn problems_text(draft: &DraftText, found: &[TextProblem], zh: bool) -> String {
    let mut text = match &draft.added {
        Some(added) => added.clone(),
        None => {
            let line = |span: &Span| match (span.why.is_empty(), zh) {
                (true, _) => format!("- {}\n+ {}", span.before, span.after),
                (false, true) => format!("- {}\n+ {}\n（{}）", span.before, span.after, span.why),
                (false, false) => format!("- {}\n+ {}\n({})", span.before, span.after, span.why),
            };
            draft.spans.iter().map(line).collect::<Vec<_>>().join("\n\n")
        }
    };
    if !found.is_empty() {
        text.push_str(if zh { "\n\n仍有问题：" } else { "\n\nStill open:" });
        for found in found {
            text.push_str(&format!("\n- [{}] {}", found.code, found.title));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(quote: &str) -> TextProblem {
        TextProblem {
            code: "QY408".into(),
            severity: Severity::Medium,
            title: "眼睛的颜色变了".into(),
            quotes: vec![quote.into()],
        }
    }

    #[test]
    fn the_check_counts_paragraphs_without_a_problem() {
        let text = "雨停了。\n林青的蓝眼睛看着港口。\n\n船不在。";
        let held = |found: &[TextProblem]| {
            let check = clean_paragraphs(text, found);
            (check.held, check.of)
        };
        assert_eq!(held(&[]), (3, 3));
        assert_eq!(held(&[problem("…蓝眼睛看着…")]), (2, 3));
        assert_eq!(held(&[problem("蓝眼睛"), problem("林青的")]), (2, 3), "two problems of one paragraph");
        assert_eq!(held(&[problem("别处的话")]), (2, 3));
        assert_eq!(clean_paragraphs("", &[]).held, 0, "no text is not a clean one");
    }
}
