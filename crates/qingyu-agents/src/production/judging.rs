//! Scores by criteria, from several judges with different roles, concurrently.

use qingyu_graph::NodeError;
use qingyu_production::content::{Content, LeftOut, OpenContent, Passage, reading};
use qingyu_production::evaluation::{self, Evaluation, JudgeRole, Judged, Run, Scores, role};
use qingyu_story::Language;
use qingyu_story::production::Criterion;
use serde::{Deserialize, Serialize};

use super::consumers::{ConsumerNotice, limits_of, tell};
use crate::call::{CallContext, CallRecord, CallSpec, side_by_side};
use crate::prompts::PromptName;

/// Name of the agent that judges, in events, calls and provenance.
const JUDGE: &str = "judge_agent";

/// The input of an evaluation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct EvaluationRequest {
    /// Language of the answers.
    pub(super) language: Language,
    /// Content to score.
    pub(super) contents: Vec<Content>,
    /// Criteria.
    pub(super) criteria: Vec<Criterion>,
    /// Number of runs.
    pub(super) runs: u32,
    /// Maximum characters of content per judge.
    pub(super) budget: usize,
}

/// Context of purpose `judge.score`: fills `prompts/judge/score`. The answer is [`Scores`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ScoringContext {
    /// Language of the answer.
    pub language: Language,
    /// The role of the judge.
    pub role: JudgeRole,
    /// Criteria.
    pub criteria: Vec<Criterion>,
    /// Passages to score.
    pub passages: Vec<Passage>,
    /// Content left out of the passages.
    pub left_out: Vec<LeftOut>,
    /// Content that is still to be written in places.
    pub open: Vec<OpenContent>,
}

/// Runs the judges: each in a role, and on different models where several are configured.
///
/// A run with an unusable answer is counted as failed. An unreachable model fails the node after all calls have ended.
pub(super) async fn evaluate(
    seat: &CallContext<'_>,
    wanted: &EvaluationRequest,
) -> Result<(Evaluation, Vec<CallRecord>, Vec<String>), NodeError> {
    let read = reading(&wanted.contents, wanted.budget);
    let (mut records, mut warnings) = (Vec::new(), Vec::new());
    warnings.extend(limits_of(&read, wanted.language));
    let missing =
        [(read.passages.is_empty(), ConsumerNotice::Nothing), (wanted.criteria.is_empty(), ConsumerNotice::NoCriteria)];
    let missing = missing.into_iter().find(|(is_missing, _)| *is_missing);
    let mut runs = Vec::new();
    if let Some((_, notice)) = missing {
        warnings.push(notice.text(wanted.language));
    } else {
        let scoring = |run: u32| ScoringContext {
            language: wanted.language,
            role: role(run, wanted.language),
            criteria: wanted.criteria.clone(),
            passages: read.passages.clone(),
            left_out: read.left_out.clone(),
            open: read.open.clone(),
        };
        // Several models disagree for other reasons than one that is asked again.
        let models = seat.workshop.models.distinct("judge.score");
        let model_of = |run: u32| models[run.saturating_sub(1) as usize % models.len()];
        let judge = |run: u32| {
            let title = role(run, wanted.language).title;
            match (models.len(), wanted.language) {
                (1, _) => title,
                (_, Language::Zh) => format!("{title}（{}）", model_of(run).name()),
                (_, Language::En) => format!("{title} ({})", model_of(run).name()),
            }
        };
        let check = |scores: &Scores| evaluation::check(scores, &wanted.criteria, &read, wanted.language);
        let ask = |run: u32| {
            let names = [PromptName::JUDGE_SYSTEM, PromptName::JUDGE_SCORE];
            let scoring = scoring(run);
            let call =
                seat.call(CallSpec::of(JUDGE, "judge.score".into(), run.to_string(), names, 0.4), &scoring, &scoring);
            let (check, model) = (&check, model_of(run));
            async move { call?.on(model).ask(Some(check)).await }
        };
        for (run, answer) in (1..=wanted.runs).zip(side_by_side((1..=wanted.runs).map(ask).collect()).await) {
            let called = answer?;
            let error = called.value.is_none().then(|| called.error());
            if let Some(error) = &error {
                warnings.push(ConsumerNotice::FailedRun { run, error }.text(wanted.language));
            }
            runs.push(Run { judge: judge(run), scores: called.value.map(|scores| scores.scores), error });
            records.push(called.record);
        }
    }
    tell(seat, &warnings);
    let judged = |content: &Content| Judged { path: content.path.clone(), version: content.version };
    let contents = wanted.contents.iter().map(judged).collect();
    Ok((evaluation::evaluate(&wanted.criteria, &read, &runs).with_contents(contents), records, warnings))
}

#[cfg(test)]
mod tests;
