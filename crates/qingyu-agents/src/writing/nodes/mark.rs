//! The node that marks read chapters, and reports the findings of each.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::{Config, Story, edit};

use crate::Error;
use crate::progress::ChapterStep;
use crate::writing::accepted::AcceptedChapter;
use crate::writing::asking::{ChapterWork, ProjectChange, load, provenance_of, save, tell};
use crate::writing::clean::words;
use crate::writing::names::{CRITIC, MARK};
use crate::writing::nodes::keep::{is_theirs, mark_read, remark};
use crate::writing::reading::ChapterInReading;
use crate::writing::resources::WritingResources;
use crate::writing::review::{ChapterFinding, Verdict};
use crate::writing::settling::{FindingFilter, check};
use crate::writing::state::WritingState;
use crate::writing::task::WritingTask;

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let work = ChapterWork::new(&room, &state, &context);
    let marked = marked(&room, &state).await?;
    let queue = state.queue.as_ref().map_or(0, Vec::len);
    let of = state.accepted.len() + state.readings.len() + state.to_read.len() + queue;
    let mut rows = Vec::new();
    for reading in state.readings.values() {
        let row = row(reading, &marked, &room.workshop.rules)?;
        let say = |step| tell(&context, row.chapter, &row.title, step);
        let done = state.accepted.len() + rows.len();
        say(ChapterStep::Started { task: "read".into(), done, of, place: String::new() });
        if let Some(verdict) = &reading.verdict {
            // The row names all findings, those of the rules on the facts read as well.
            let verdict = Verdict { findings: Vec::new(), ..verdict.clone() };
            say(ChapterStep::Reviewed { verdict: Box::new(verdict) });
        }
        say(ChapterStep::Settled { version: marked.version, counts: reading.settled });
        rows.push(row);
    }
    let reviews = state.readings.iter().filter_map(|(number, reading)| Some((*number, reading.review.clone()?)));
    let update = work.update.reviews(reviews.collect()).overwrite_readings(BTreeMap::new());
    // A chapter read before its correction is accepted later, with the corrections.
    let is_first = matches!(state.task, WritingTask::Correct { .. });
    Ok(Command::update(if is_first { update } else { update.accepted(rows) }))
}

/// The story after marking, with the marked chapters.
struct MarkedChapters {
    story: Arc<Story>,
    version: u64,
    chapters: BTreeSet<u32>,
}

/// Marks the read chapters in one change; chapters edited meanwhile stay unread.
async fn marked(room: &WritingResources, state: &WritingState) -> Result<MarkedChapters, Error> {
    let saved = save(room, |story| {
        let mut after = Story::clone(story);
        let mut chapters = BTreeSet::new();
        let mut titles = Vec::new();
        for ChapterInReading { chapter, read_by, verdict, .. } in
            state.readings.values().filter(|reading| reading.is_read())
        {
            let document = chapter.base.as_ref().map(|base| base.document.as_str()).unwrap_or_default();
            if !is_theirs(&after, chapter, &chapter.text) && mark_read(&mut after, document, read_by.as_deref()) {
                verdict.iter().filter(|verdict| verdict.read).for_each(|verdict| remark(&mut after, document, verdict));
                chapters.insert(chapter.number);
                titles.push(chapter.title.as_str());
            }
        }
        let Some(first) = chapters.first() else { return Ok(None) };
        let key = format!("{}/marks/{first}", state.run_id);
        let provenance = provenance_of(state, CRITIC, MARK, titles.join("; "));
        Ok(Some(ProjectChange { after: after.clone(), key, provenance, made: (Arc::new(after), chapters) }))
    });
    match saved.await? {
        Some((version, (story, chapters))) => Ok(MarkedChapters { story, version, chapters }),
        None => {
            let (story, version) = load(room).await?;
            Ok(MarkedChapters { story, version, chapters: BTreeSet::new() })
        }
    }
}

fn row(reading: &ChapterInReading, marked: &MarkedChapters, rules: &Config) -> Result<AcceptedChapter, Error> {
    let chapter = &reading.chapter;
    let document = chapter.base.as_ref().map(|base| base.document.clone()).unwrap_or_default();
    let read = marked.chapters.contains(&chapter.number);
    let unfit = |source| Error::Unfit { chapter: chapter.number, source };
    let findings = if reading.changed { Vec::new() } else { found(&marked.story, reading, rules).map_err(unfit)? };
    Ok(AcceptedChapter {
        chapter: chapter.number,
        title: chapter.title.clone(),
        node: chapter.node.clone(),
        document,
        words: words(&chapter.text, marked.story.language),
        score: reading.verdict.as_ref().filter(|verdict| verdict.read).map(|verdict| verdict.score),
        read,
        findings,
        calls: reading.spent.calls,
        tokens: reading.spent.tokens,
        cost_micros: reading.spent.cost_micros,
        version: marked.version,
        settled: reading.settled,
        ..AcceptedChapter::default()
    })
}

/// Returns the findings of a reading: from the reviewer, and from the rules after insertion of the extracted facts.
fn found(story: &Story, reading: &ChapterInReading, rules: &Config) -> Result<Vec<ChapterFinding>, edit::Error> {
    let mut findings = check(story, &reading.chapter, &reading.chapter.text, rules, FindingFilter::All)?;
    findings.retain(|finding| !finding.is_remark());
    let reviewed = reading.verdict.iter().flat_map(|verdict| &verdict.findings);
    findings.extend(reviewed.filter(|finding| finding.code.is_none()).cloned());
    findings.sort_by_key(|finding| (Reverse(finding.severity), finding.code.is_none()));
    Ok(findings)
}
