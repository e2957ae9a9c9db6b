//! Mends the places that the review names, or sends the chapter back to be written again.

use std::collections::BTreeSet;
use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::Severity;

use super::generation::scenes_of;
use super::review::rules;
use crate::context::ChapterFixing;
use crate::progress::ChapterStep;
use crate::prompts::Name;
use crate::writing::asking::{Asked, Work, trouble_of};
use crate::writing::fix::{Fix, Fixes, is_gone, mend, moved};
use crate::writing::notice::{Notice, refusal, still_there};
use crate::writing::review::ChapterFinding;
use crate::writing::route::{Freedom, Way, after_review};
use crate::writing::task::WritingTask;
use crate::writing::{FINALIZE, GENERATION, REGENERATE, REVIEW, WRITER, WritingRoom, WritingState};

/// The most places that are mended at once.
const PLACES: usize = 12;

pub(in crate::writing) async fn run(
    room: Arc<WritingRoom>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = Work::new(&room, &state, &context);
    let verdict = state.review_result.clone().unwrap_or_default();
    let is_theirs = matches!(state.task, WritingTask::Correct { .. });
    let freedom = if is_theirs { Freedom::PlacesOnly } else { Freedom::All };
    let retry = state.retry_count + 1;
    let way = after_review(&verdict, (state.retry_count, state.max_retries), freedom, &state.config);
    if way != Way::Mend {
        let bad: Vec<&ChapterFinding> =
            verdict.findings.iter().filter(|finding| finding.severity >= Severity::Medium).collect();
        let again = scenes_of(&bad, &state);
        return Ok(Command::update(work.update.retry_count(retry).scenes_again(again)).goto([GENERATION]));
    }
    let is_good = verdict.passed;
    let findings: Vec<ChapterFinding> =
        verdict.findings.into_iter().filter(|finding| !finding.quote.is_empty()).take(PLACES).collect();
    let mut draft = Draft { text: state.content_draft.clone(), starts: state.scene_starts.clone(), part: state.part };
    let first = ask(&mut work, "first", &draft, &findings, &[]).await?;
    let Applied { mut fixed, mut refused, mended } = draft.mend(&first, &findings, state.language);
    let open = open(&work, &draft.text, &findings, &mended).await?;
    if !open.is_empty() && !first.is_empty() {
        let mut told = std::mem::take(&mut refused);
        told.extend(open.iter().map(|finding| still_there(&finding.title, state.language)));
        let second = ask(&mut work, "again", &draft, &open, &told).await?;
        let second = draft.mend(&second, &open, state.language);
        fixed += second.fixed;
        refused = second.refused;
    }
    work.reason(&Notice::Mended { fixed, refused: refused.len() });
    work.tell(ChapterStep::Fixed { retry, fixed, refused: refused.len() });
    let mut next = REVIEW;
    let mut most = state.max_retries;
    if fixed == 0 {
        work.warn(&Notice::NothingMended);
        // The same review of the same text would say the same.
        match freedom {
            // A chapter that may be taken is not written again for what nobody could mend; it is remarked on it.
            Freedom::All if is_good => next = FINALIZE,
            Freedom::All => next = GENERATION,
            Freedom::PlacesOnly => most = retry,
        }
    }
    let update = work.update.content_draft(draft.text).scene_starts(draft.starts).part(draft.part);
    Ok(Command::update(update.retry_count(retry).max_retries(most)).goto([next]))
}

/// What became of the fixes of one answer.
struct Applied {
    /// How many were made.
    fixed: usize,
    /// What is said of the others.
    refused: Vec<String>,
    /// The findings that they mend, by id.
    mended: BTreeSet<String>,
}

/// A chapter that is mended.
struct Draft {
    text: String,
    starts: Vec<usize>,
    part: Option<(usize, usize)>,
}

impl Draft {
    /// Makes the fixes that fit.
    fn mend(&mut self, fixes: &[Fix], findings: &[ChapterFinding], language: qingyu_story::Language) -> Applied {
        let part = self.part.map(|(start, end)| start..end);
        let mended = mend(&self.text, fixes, findings, part.as_ref());
        let refused = mended.refused.iter().map(|(index, why)| refusal(&fixes[*index].find, *why, language));
        let refused = refused.collect();
        self.starts.iter_mut().for_each(|start| *start = moved(*start, &mended.places));
        self.part = self.part.map(|(start, end)| (moved(start, &mended.places), moved(end, &mended.places)));
        let numbers = mended.done.iter().map(|index| fixes[*index].issue);
        let finding = |number: u32| findings.get(usize::try_from(number).ok()?.checked_sub(1)?);
        let ids = numbers.filter_map(finding).map(|finding| finding.id.clone()).collect();
        self.text = mended.text;
        Applied { fixed: mended.done.len(), refused, mended: ids }
    }
}

/// The fixes that the model gives; none if they cannot be read.
async fn ask(
    work: &mut Work<'_>,
    part: &str,
    draft: &Draft,
    findings: &[ChapterFinding],
    refused: &[String],
) -> Result<Vec<Fix>, NodeError> {
    let (state, chapter) = (work.state, work.chapter());
    let fixing = ChapterFixing {
        chapter: chapter.told_number(),
        kind: state.task.kind().into(),
        language: state.language,
        title: chapter.title.clone(),
        stable: state.retrieved_context.stable.clone(),
        draft: draft.text.clone(),
        findings: findings.to_vec(),
        refused: refused.to_vec(),
    };
    let asked = Asked {
        agent: WRITER,
        purpose: "chapter.fix",
        part: part.to_owned(),
        names: [Name::CHAPTER_SYSTEM, Name::CHAPTER_FIX],
        temperature: 0.2,
    };
    let (fixes, error) = match work.call(asked, &fixing)?.ask::<Fixes>(None).await {
        Ok(called) => {
            work.count(&called.record);
            let error = called.error();
            (called.value, error)
        }
        Err(error) => (None, trouble_of(error, REGENERATE)?.message),
    };
    if fixes.is_none() {
        work.warn(&Notice::FixesUnread { error: &error });
    }
    let Fixes { fixes, reasoning } = fixes.unwrap_or_default();
    work.write(|update| update.reasoning(reasoning));
    Ok(fixes)
}

/// The findings that are still there: the rule finds them again; of the reviewer's, those for which nothing was changed and
/// whose words still stand. Whether a change mends what it is for, the next reading says.
async fn open(
    work: &Work<'_>,
    text: &str,
    findings: &[ChapterFinding],
    mended: &BTreeSet<String>,
) -> Result<Vec<ChapterFinding>, NodeError> {
    let now = if findings.iter().any(|finding| finding.code.is_some()) {
        rules(work, "verify", text).await?
    } else {
        Vec::new()
    };
    let is_read = |finding: &ChapterFinding| finding.code.is_none() || finding.is_remark();
    let still = |finding: &ChapterFinding| match &finding.code {
        _ if is_read(finding) && mended.contains(&finding.id) => None,
        // The rule may show it by other words now.
        Some(_) => now.iter().find(|other| other.id == finding.id && !other.quote.is_empty()).cloned(),
        None if is_gone(finding, text) => None,
        None => Some(finding.clone()),
    };
    Ok(findings.iter().filter_map(still).collect())
}
