//! What the rules find in a text that was written, and mending it.

use std::collections::BTreeSet;

use qingyu_story::check::Config;
use qingyu_story::{Document, Issue, Language, Severity, Story, findings};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::prose::{Fixes, Rewriting};
use super::{About, MENDS, PASSAGE, spans};
use crate::service::work::Asking;
use crate::service::{Check, Course, Done, Halt, Proposal, Span, Work, checker};

/// A problem of the text, as it is told and mended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Found {
    code: String,
    severity: Severity,
    title: String,
    quotes: Vec<String>,
}

/// A text as far as it is: the whole document as it is to be, and the part that is new.
#[derive(Debug, Clone)]
struct Draft {
    /// Places of the present text that change; an insertion at the end for what goes on.
    spans: Vec<Span>,
    /// What stands between the old text and what is added.
    joint: &'static str,
    /// What is added, for what is not a change of places.
    added: Option<String>,
}

/// Looks at what was written; what the rules newly find is mended, at most twice. A round that makes it worse is left out.
pub(super) async fn check_and_mend(about: &About, course: &Course, work: &Work<'_>) -> Result<Done, Halt> {
    let mut draft = Draft::of(about, course);
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
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    // What was written counts as one thing that holds if nothing is left; every problem that is left as one that does not.
    let checks = vec![Check { what: "rules".into(), held: 1, of: 1 + count(found.len()) }];
    let proposal = draft.proposal(about);
    let output = told(&draft, &found, zh);
    Ok(Done { output, reasoning, checks, proposal, ..Done::with(&json!({"findings": found})) })
}

impl Draft {
    fn of(about: &About, course: &Course) -> Self {
        if let Ok(spans) = Vec::<Span>::deserialize(&course.data("write_changes")["spans"]) {
            return Self { spans, joint: "", added: None };
        }
        let written =
            ["write_content", "work_with_tools"].iter().find_map(|action| course.data(action)["text"].as_str());
        let end = about.target.text.trim_end().len();
        let joint = if end == 0 { "" } else { "\n\n" };
        Self { spans: Vec::new(), joint, added: Some(written.unwrap_or_default().to_owned()) }
    }

    /// The whole text as it is to be.
    fn whole(&self, about: &About) -> String {
        self.proposed(about).map_or_else(|| self.added.clone().unwrap_or_default(), |proposal| proposal.text)
    }

    fn proposed(&self, about: &About) -> Option<Proposal> {
        let text = &about.target.text;
        let mut spans = self.spans.clone();
        if let Some(added) = &self.added {
            let start = text.trim_end().len();
            let after = format!("{}{added}", self.joint);
            spans.push(Span { start, end: text.len(), before: text[start..].to_owned(), after, why: String::new() });
        }
        Proposal::of(text, spans)
    }

    /// The proposal for the project; none if the text stands in no project, or was cut.
    fn proposal(&self, about: &About) -> Option<Proposal> {
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

    /// The new words only.
    fn new_text(&self) -> String {
        match &self.added {
            Some(added) => added.clone(),
            None => self.spans.iter().map(|span| span.after.as_str()).collect::<Vec<_>>().join("\n\n"),
        }
    }
}

/// What the rules find in the text as it is to be and did not find before.
async fn look(
    about: &About,
    course: &Course,
    work: &Work<'_>,
    draft: &Draft,
    round: usize,
) -> Result<Vec<Found>, Halt> {
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

fn newly(before: &Story, after: &Story, new: &str, rules: &Config) -> Vec<Found> {
    let known = findings(before, rules).into_iter().map(|finding| finding.issue.id).collect::<BTreeSet<_>>();
    let found = findings(after, rules).into_iter().map(|finding| finding.issue);
    let is_new = |issue: &Issue| {
        // A place may have moved, so that an old finding has a new id; only what quotes the new words is theirs.
        let quotes = issue.evidence.iter().filter(|evidence| !evidence.quote.is_empty());
        let quotes_it = quotes.map(|evidence| evidence.quote.trim_matches('…')).any(|quote| new.contains(quote));
        !known.contains(&issue.id) && issue.waived.is_none() && quotes_it
    };
    let of = |issue: Issue| Found {
        code: issue.code.unwrap_or_default(),
        severity: issue.severity,
        title: issue.title,
        quotes: issue.evidence.into_iter().map(|evidence| evidence.quote).collect(),
    };
    found.filter(is_new).map(of).collect()
}

/// The draft with places of the new words changed; none if the model gave nothing that can be used.
async fn mend(
    about: &About,
    course: &Course,
    work: &Work<'_>,
    draft: &Draft,
    found: &[Found],
    round: usize,
) -> Result<Option<Draft>, Halt> {
    let problems = found.iter().map(|found| format!("{} {}（{}）", found.code, found.title, found.quotes.join(" / ")));
    let new = draft.new_text();
    let rewriting = Rewriting {
        description: course.task.description.clone(),
        language: course.language(),
        title: about.target.title.clone(),
        passage: spans::bounded(&new, PASSAGE).to_owned(),
        problems: problems.take(20).collect(),
        ..Rewriting::default()
    };
    let check = |fixes: &Fixes| spans::problems(&fixes.fixes, &rewriting.passage);
    let part = round.to_string();
    let asking = Asking { act: "mend", part: &part, temperature: Some(0.3) };
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

impl Draft {
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

fn told(draft: &Draft, found: &[Found], zh: bool) -> String {
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
