//! The node that fixes places named in the review, or sends the chapter back to generation.

use std::collections::BTreeSet;
use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::{AuthorInstruction, Language, Severity, Story};

use super::generation::scenes_of;
use super::keep::dispute;
use super::review::rules;
use crate::context::ChapterFixContext;
use crate::progress::ChapterStep;
use crate::prompts::PromptName;
use crate::writing::asking::{ChapterCallSpec, ChapterWork, ProjectChange, provenance_of, save, shown, trouble_of};
use crate::writing::author_words::AuthorWords;
use crate::writing::fix::{AgainstAuthor, Fix, FixRefusal, Fixes, is_gone, mend, moved};
use crate::writing::names::{FINALIZE, GENERATION, KEEP, REGENERATE, REVIEW, WRITER};
use crate::writing::notice::WritingNotice;
use crate::writing::own_words;
use crate::writing::refusal::{refusal, still_there, untouched};
use crate::writing::resources::WritingResources;
use crate::writing::review::{ChapterFinding, HeldReason, Verdict, instruction_of};
use crate::writing::route::{ChapterRoute, EditScope, after_review};
use crate::writing::state::WritingState;
use crate::writing::task::WritingTask;

/// Maximum number of places fixed at once.
const PLACES: usize = 12;

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = ChapterWork::new(&room, &state, &context);
    let mut verdict = state.review_result.clone().unwrap_or_default();
    let is_theirs = matches!(state.task, WritingTask::Correct { .. });
    let freedom = EditScope::of(&state.task);
    let retry = state.retry_count + 1;
    let way = after_review(&verdict, (state.retry_count, state.max_retries), freedom, &state.config);
    if way != ChapterRoute::Mend {
        let bad: Vec<&ChapterFinding> = verdict.open().filter(|finding| finding.severity >= Severity::Medium).collect();
        let again = scenes_of(&bad, &state);
        return Ok(Command::update(work.update.retry_count(retry).scenes_again(again)).goto([GENERATION]));
    }
    let is_good = verdict.is_usable();
    let findings: Vec<ChapterFinding> =
        verdict.open().filter(|finding| !finding.quote.is_empty()).take(PLACES).cloned().collect();
    let mut draft =
        FixableDraft { text: state.content_draft.clone(), starts: state.scene_starts.clone(), part: state.part };
    let author = AuthorWords::of(work.asked_beside(&findings), &findings);
    let mut first = ask(&mut work, "first", &draft, &findings, &author, &[]).await?;
    let mut is_held = hold(&mut verdict, &findings, &mut first, &author.asked);
    let first = first.fixes;
    let FixOutcome { mut fixed, mut refused, mended } = draft.mend(&first, &findings, &author, state.language);
    let mut open = open(&work, &draft.text, &findings, &mended).await?;
    open.retain(|finding| verdict.open().any(|other| other.id == finding.id));
    if !open.is_empty() && !first.is_empty() {
        let left = |finding: &ChapterFinding| match mended.contains(&finding.id) {
            true => still_there(&finding.title, state.language),
            false => untouched(&finding.title, state.language),
        };
        let told = refused.iter().map(|fix| fix.message.clone());
        let told: Vec<String> = told.chain(open.iter().map(left)).collect();
        let mut second = ask(&mut work, "again", &draft, &open, &author, &told).await?;
        is_held |= hold(&mut verdict, &open, &mut second, &author.asked);
        let second = draft.mend(&second.fixes, &open, &author, state.language);
        fixed += second.fixed;
        // Another attempt at an issue takes the place of the first one.
        refused.retain(|fix| fix.issue.as_ref().is_none_or(|issue| !second.has_tried(issue)));
        refused.extend(second.refused);
    }
    if is_held {
        verdict.decide(state.config.pass, true);
        if is_theirs {
            keep_disputes(&work, &verdict, retry).await?;
        }
    }
    work.reason(&WritingNotice::Mended { fixed, refused: refused.len() });
    work.tell(ChapterStep::Fixed { retry, fixed, refused: refused.len() });
    let mut next = REVIEW;
    let mut most = state.max_retries;
    if fixed == 0 {
        if !is_held {
            work.warn(&WritingNotice::NothingMended { given: !refused.is_empty() });
        }
        // Another review of the same text would return the same result.
        match freedom {
            // An acceptable chapter is not rewritten for issues without a fix; they are stored as remarks.
            EditScope::All if is_good => next = FINALIZE,
            // Without the issues that are left to the author, the chapter may pass.
            EditScope::All if is_held => {}
            EditScope::All => next = GENERATION,
            EditScope::PlacesOnly => most = retry,
        }
    }
    let update = work.update.content_draft(draft.text).scene_starts(draft.starts).part(draft.part);
    let update = update.review_passed(verdict.passed).review_result(Some(verdict));
    Ok(Command::update(update.retry_count(retry).max_retries(most)).goto([next]))
}

/// Holds the findings that the model leaves to the author, because mending them would undo an instruction or because they
/// are wrong, and removes their fixes; returns whether there are any. `findings` are in the order shown to the model. A
/// finding with a fix is not disputed.
fn hold(verdict: &mut Verdict, findings: &[ChapterFinding], answer: &mut Fixes, asked: &[AuthorInstruction]) -> bool {
    let mut held: BTreeSet<u32> = BTreeSet::new();
    let against = answer.against.iter();
    let against =
        against.filter_map(|AgainstAuthor { issue, asked: number }| Some((*issue, instruction_of(asked, *number)?)));
    let is_fixed = |number: u32| answer.fixes.iter().any(|fix| fix.issue == number);
    let disputed = answer.disputed.iter().filter(|one| !one.reason.trim().is_empty() && !is_fixed(one.issue));
    let disputed = disputed.map(|one| (one.issue, HeldReason::Disputed { why: one.reason.trim().to_owned() }));
    for (number, reason) in against.chain(disputed) {
        let issue = usize::try_from(number).ok().and_then(|number| findings.get(number.checked_sub(1)?));
        let Some(issue) = issue else { continue };
        if let Some(finding) = verdict.findings.iter_mut().find(|finding| finding.id == issue.id) {
            finding.held = Some(reason);
            held.insert(number);
        }
    }
    answer.fixes.retain(|fix| !held.contains(&fix.issue));
    !held.is_empty()
}

/// Keeps the objections to findings with the author's text, which may not be saved again in this run.
async fn keep_disputes(work: &ChapterWork<'_>, verdict: &Verdict, retry: u32) -> Result<(), NodeError> {
    let (state, chapter) = (work.state, work.chapter());
    let Some(base) = &chapter.base else { return Ok(()) };
    let saved = save(work.room, |story| {
        let mut after = Story::clone(story);
        dispute(&mut after, &base.document, verdict);
        if after == *story {
            return Ok(None);
        }
        let key = state.save_key(&format!("disputes/{}/{retry}", chapter.number));
        let provenance = provenance_of(state, WRITER, KEEP, chapter.title.clone());
        Ok(Some(ProjectChange { after, key, provenance, made: () }))
    });
    saved.await?;
    Ok(())
}

/// The result of applying one answer's fixes.
struct FixOutcome {
    /// Number of applied fixes.
    fixed: usize,
    /// Refused fixes.
    refused: Vec<RefusedFix>,
    /// Ids of the fixed findings.
    mended: BTreeSet<String>,
}

impl FixOutcome {
    /// Returns whether any fix was for the finding with the id.
    fn has_tried(&self, finding: &str) -> bool {
        self.mended.contains(finding) || self.refused.iter().any(|fix| fix.issue.as_deref() == Some(finding))
    }
}

/// A refused fix.
struct RefusedFix {
    /// Id of its finding, if it has one.
    issue: Option<String>,
    /// The reason, as text for the model.
    message: String,
}

/// A chapter during its fixes.
struct FixableDraft {
    text: String,
    starts: Vec<usize>,
    part: Option<(usize, usize)>,
}

impl FixableDraft {
    /// Applies all valid fixes; those of sentences that the author wrote by hand are refused, but for an order of the author,
    /// which is newer.
    fn mend(
        &mut self,
        fixes: &[Fix],
        findings: &[ChapterFinding],
        author: &AuthorWords,
        language: Language,
    ) -> FixOutcome {
        let part = self.part.map(|(start, end)| start..end);
        let orders = author.orders(findings);
        let is_kept = |fix: &Fix| {
            !orders.contains(&fix.issue) && own_words::keeping(&author.asked, &self.text, &fix.find).is_some()
        };
        let (kept, fixes): (Vec<Fix>, Vec<Fix>) = fixes.iter().cloned().partition(is_kept);
        let mended = mend(&self.text, &fixes, findings, part.as_ref());
        let id = |number: u32| {
            let finding = findings.get(usize::try_from(number).ok()?.checked_sub(1)?);
            finding.map(|finding| finding.id.clone())
        };
        let refused = mended.refused.iter().map(|(index, why)| (&fixes[*index], *why));
        let refused = refused.chain(kept.iter().map(|fix| (fix, FixRefusal::ByHand)));
        let refused = refused
            .map(|(fix, why)| RefusedFix { issue: id(fix.issue), message: refusal(&fix.find, why, language) })
            .collect();
        self.starts.iter_mut().for_each(|start| *start = moved(*start, &mended.places));
        self.part = self.part.map(|(start, end)| (moved(start, &mended.places), moved(end, &mended.places)));
        let ids = mended.done.iter().filter_map(|index| id(fixes[*index].issue)).collect();
        self.text = mended.text;
        FixOutcome { fixed: mended.done.len(), refused, mended: ids }
    }
}

/// Asks the model for fixes; returns none for an invalid answer.
async fn ask(
    work: &mut ChapterWork<'_>,
    part: &str,
    draft: &FixableDraft,
    findings: &[ChapterFinding],
    author: &AuthorWords,
    refused: &[String],
) -> Result<Fixes, NodeError> {
    let (state, chapter) = (work.state, work.chapter());
    let fixing = ChapterFixContext {
        chapter: chapter.told_number(),
        kind: state.task.kind().into(),
        language: state.language,
        title: chapter.title.clone(),
        stable: state.retrieved_context.stable.clone(),
        draft: draft.text.clone(),
        asked: shown(&author.asked, &draft.text),
        findings: findings.to_vec(),
        orders: author.orders(findings),
        refused: refused.to_vec(),
    };
    let call = ChapterCallSpec {
        agent: WRITER,
        purpose: "chapter.fix",
        part: part.to_owned(),
        names: [PromptName::CHAPTER_SYSTEM, PromptName::CHAPTER_FIX],
        temperature: 0.2,
    };
    let (fixes, error) = match work.call(call, &fixing)?.ask::<Fixes>(None).await {
        Ok(called) => {
            work.count(&called.record);
            let error = called.error();
            (called.value, error)
        }
        Err(error) => (None, trouble_of(error, REGENERATE)?.message),
    };
    if fixes.is_none() {
        work.warn(&WritingNotice::FixesUnread { error: &error });
    }
    let mut fixes = fixes.unwrap_or_default();
    let reasoning = std::mem::take(&mut fixes.reasoning);
    work.write(|update| update.reasoning(reasoning));
    Ok(fixes)
}

/// Returns the open findings: findings repeated by the rules, and findings of the reviewer without a change whose words
/// remain. Whether a change fixes its issue is decided by the next review.
async fn open(
    work: &ChapterWork<'_>,
    text: &str,
    findings: &[ChapterFinding],
    mended: &BTreeSet<String>,
) -> Result<Vec<ChapterFinding>, NodeError> {
    let now = if findings.iter().any(|finding| finding.code.is_some()) {
        rules(work, "verify", text).await?
    } else {
        Vec::new()
    };
    let still = |finding: &ChapterFinding| match &finding.code {
        _ if finding.is_of_reviewer() && mended.contains(&finding.id) => None,
        // Only another reading tells what the facts of the changed text contradict.
        Some(_) if work.state.contradictions.iter().any(|other| other.id == finding.id) => {
            let is_open = !mended.contains(&finding.id) && !is_gone(finding, text);
            is_open.then(|| finding.clone())
        }
        // The rule may quote other words now.
        Some(_) => now.iter().find(|other| other.id == finding.id && !other.quote.is_empty()).cloned(),
        None if is_gone(finding, text) => None,
        None => Some(finding.clone()),
    };
    Ok(findings.iter().filter_map(still).collect())
}

#[cfg(test)]
mod tests {
    use qingyu_story::Document;

    use super::*;

    #[test]
    fn a_fix_of_a_sentence_written_by_hand_is_refused_and_counted() {
        let text = "雨停了。他给了四两。门开了。";
        let finding =
            |id: &str, quote: &str| ChapterFinding { id: id.into(), quote: quote.into(), ..ChapterFinding::default() };
        let findings = [finding("rain", "雨停了。"), finding("door", "门开了。")];
        let fix = |find: &str, with: &str, issue: u32| Fix { find: find.into(), with: with.into(), issue };
        for (language, why) in [(Language::Zh, "亲手写的"), (Language::En, "by hand")] {
            let by_hand = vec!["他给了四两。".into()];
            let asked =
                own_words::instructions(&Document { text: text.into(), by_hand, ..Document::default() }, language);
            let author = AuthorWords::of(asked, &findings);
            let mut draft = FixableDraft { text: text.into(), starts: vec![0], part: None };
            let fixes = [fix("他给了四两。", "他给了五两。", 1), fix("门开了", "门关了", 2)];
            let outcome = draft.mend(&fixes, &findings, &author, language);
            assert_eq!(draft.text, text.replace("门开了", "门关了"));
            assert_eq!((outcome.fixed, outcome.refused.len()), (1, 1));
            assert_eq!(outcome.refused[0].issue.as_deref(), Some("rain"));
            assert!(outcome.refused[0].message.contains(why), "{}", outcome.refused[0].message);
            assert!(outcome.has_tried("rain") && outcome.mended.contains("door"));
        }
    }

    #[test]
    fn an_order_of_the_author_goes_before_what_was_written_by_hand() {
        let text = "“四两。”他说。他给了四两。门开了。";
        let finding = ChapterFinding {
            id: "price".into(),
            quote: "“四两。”".into(),
            fix: "两处都是五两".into(),
            ..ChapterFinding::default()
        };
        let by_hand = vec!["他给了四两。".into()];
        let document = Document { text: text.into(), by_hand, ..Document::default() };
        let mut asked = own_words::instructions(&document, Language::Zh);
        asked.push(AuthorInstruction {
            text: "两处都是五两".into(),
            passage: "“四两。”".into(),
            ..AuthorInstruction::default()
        });
        let author = AuthorWords::of(asked, std::slice::from_ref(&finding));
        assert_eq!(author.asked.len(), 1, "an order is still to be carried out");
        let mut draft = FixableDraft { text: text.into(), starts: vec![0], part: None };
        let fix = |find: &str, with: &str| Fix { find: find.into(), with: with.into(), issue: 1 };
        let fixes = [fix("“四两。”", "“五两。”"), fix("给了四两", "给了五两")];
        let outcome = draft.mend(&fixes, &[finding], &author, Language::Zh);
        assert_eq!((outcome.fixed, draft.text), (2, text.replace("四两", "五两")));
    }
}
