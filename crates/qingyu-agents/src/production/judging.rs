//! Content judged by criteria, several times side by side.

use qingyu_graph::NodeError;
use qingyu_production::content::{Content, LeftOut, Passage, reading};
use qingyu_production::evaluation::{self, Evaluation, Judged, Run, Scores};
use qingyu_story::Language;
use qingyu_story::production::Criterion;
use serde::{Deserialize, Serialize};

use super::consumers::{Notice, tell};
use crate::call::{Asked, CallRecord, Seat, side_by_side};
use crate::prompts::Name;

/// The name of the agent that judges, in events, calls and provenance.
pub const JUDGE: &str = "judge_agent";

/// What is judged, and by what.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Evaluating {
    /// The language to answer in.
    pub(super) language: Language,
    /// The content.
    pub(super) contents: Vec<Content>,
    /// By what.
    pub(super) criteria: Vec<Criterion>,
    /// How often.
    pub(super) runs: u32,
    /// Most characters that a judge is given.
    pub(super) budget: usize,
}

/// Purpose `judge.score`: fills `prompts/judge/score`. The answer is [`Scores`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Scoring {
    /// The language to answer in.
    pub language: Language,
    /// By what.
    pub criteria: Vec<Criterion>,
    /// What is judged.
    pub passages: Vec<Passage>,
    /// What is not.
    pub left_out: Vec<LeftOut>,
}

/// Has content judged.
///
/// A run whose answer cannot be used is counted as failed. A model that cannot be reached fails the node once every call
/// has ended.
pub(super) async fn evaluate(
    seat: &Seat<'_>,
    wanted: &Evaluating,
) -> Result<(Evaluation, Vec<CallRecord>, Vec<String>), NodeError> {
    let read = reading(&wanted.contents, wanted.budget);
    let (mut records, mut warnings) = (Vec::new(), Vec::new());
    warnings.extend(read.left_out.iter().map(|out| Notice::LeftOut(out).text(wanted.language)));
    let missing = [(read.passages.is_empty(), Notice::Nothing), (wanted.criteria.is_empty(), Notice::NoCriteria)];
    let missing = missing.into_iter().find(|(is_missing, _)| *is_missing);
    let mut runs = Vec::new();
    if let Some((_, notice)) = missing {
        warnings.push(notice.text(wanted.language));
    } else {
        let scoring = Scoring {
            language: wanted.language,
            criteria: wanted.criteria.clone(),
            passages: read.passages.clone(),
            left_out: read.left_out.clone(),
        };
        let check = |scores: &Scores| {
            let problems = evaluation::check(scores, &wanted.criteria, &read);
            problems.iter().map(|problem| problem.text(wanted.language)).collect::<Vec<_>>()
        };
        let ask = |run: u32| {
            let names = [Name::JUDGE_SYSTEM, Name::JUDGE_SCORE];
            let call =
                seat.call(Asked::of(JUDGE, "judge.score".into(), run.to_string(), names, 0.4), &scoring, &scoring);
            let check = &check;
            async move { call?.ask(Some(check)).await }
        };
        for (run, answer) in (1..=wanted.runs).zip(side_by_side((1..=wanted.runs).map(ask).collect()).await) {
            let called = answer?;
            let error = called.value.is_none().then(|| called.error());
            if let Some(error) = &error {
                warnings.push(Notice::FailedRun { run, error }.text(wanted.language));
            }
            runs.push(Run { scores: called.value.map(|scores| scores.scores), error });
            records.push(called.record);
        }
    }
    tell(seat, &warnings);
    let judged = |content: &Content| Judged { path: content.path.clone(), version: content.version };
    let contents = wanted.contents.iter().map(judged).collect();
    Ok((Evaluation { contents, ..evaluation::evaluate(&wanted.criteria, &read, &runs) }, records, warnings))
}

#[cfg(test)]
mod tests;
