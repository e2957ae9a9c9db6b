//! Scores of content by criteria in several runs, their validation and combination.

use qingyu_story::Language;
use qingyu_story::production::Criterion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::content::{ContentPlace, LeftOut, OpenContent, Reading};
use crate::simulation::AnswerProblem;
use crate::statistics::{count, deviation, mean, rounded, sum};

/// The standard deviation between runs above which a criterion is unreliable, in points of 100.
const UNRELIABLE: f64 = 10.0;

/// One judgement of all criteria: the answer of `judge.score`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Scores {
    /// A line for every criterion.
    pub scores: Vec<Score>,
}

/// How content does by one criterion.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Score {
    /// The name of the criterion.
    pub criterion: String,
    /// From 0 to 100; null if it cannot be judged.
    pub score: Option<u8>,
    /// Why.
    pub why: String,
    /// Exact quotes of the content that show it.
    pub quotes: Vec<String>,
}

/// One run: scores, or why there are none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// The title of the judge's role; empty for runs without roles.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub judge: String,
    /// The scores.
    pub scores: Option<Vec<Score>>,
    /// Why there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What several runs came to.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Evaluation {
    /// What was judged, by path, with the version that it had.
    pub contents: Vec<Judged>,
    /// What was left out for its length.
    pub left_out: Vec<LeftOut>,
    /// What is still to be written, and was judged by nobody.
    pub open: Vec<OpenContent>,
    /// The roles of the judges that gave something. With several, the deviations say how far their views differ, not how
    /// exactly each of them measures.
    pub judges: Vec<String>,
    /// Each criterion, in order.
    pub(crate) criteria: Vec<Rating>,
    /// The mean by weights over the criteria that have a score; null if none has.
    pub total: Option<f64>,
    /// The standard deviation of the totals of the runs; null for fewer than two whole ones.
    pub deviation: Option<f64>,
    /// How many runs gave a score for every criterion of the total.
    pub whole_runs: usize,
    /// The share of the weights that the total covers, from 0 to 1.
    pub covered: f64,
    /// How many runs gave something.
    pub runs: usize,
    /// How many did not.
    pub failed: usize,
    /// Why they did not.
    pub errors: Vec<String>,
}

impl Evaluation {
    /// Returns the evaluation with the contents that were judged.
    #[must_use]
    pub fn with_contents(self, contents: Vec<Judged>) -> Self {
        Self { contents, ..self }
    }

    /// Returns whether it has criteria, and so can be compared.
    pub fn has_criteria(&self) -> bool {
        !self.criteria.is_empty()
    }
}

/// A content with its version.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Judged {
    /// Its path.
    pub path: String,
    /// Its version.
    pub version: u32,
}

/// What the runs say of a criterion.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Rating {
    /// The name.
    pub(crate) criterion: String,
    /// The name for people.
    pub(crate) title: String,
    /// The share of its weight in all weights, from 0 to 1.
    pub(crate) weight: f64,
    /// The scores of the runs, lowest first.
    pub(crate) scores: Vec<u8>,
    /// The score of each judge with a role.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) by_judge: Vec<JudgeScore>,
    /// Their mean; null if there is none.
    pub(crate) mean: Option<f64>,
    /// Their standard deviation; null for fewer than two.
    pub(crate) deviation: Option<f64>,
    /// Whether the runs differ too much to rely on it.
    pub(crate) is_unreliable: bool,
    /// Why, as the runs say it.
    pub(crate) why: Vec<String>,
    /// What they quote, each with its paragraph.
    pub(crate) quotes: Vec<Quoted>,
}

/// The score of one judge.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct JudgeScore {
    /// The role.
    pub judge: String,
    /// The score; null if it could not be judged.
    pub score: Option<u8>,
}

/// A quote and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Quoted {
    /// The paragraph; null if it stands nowhere.
    pub(crate) paragraph: Option<usize>,
    /// Where the paragraph stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<ContentPlace>,
    /// The words.
    pub(crate) quote: String,
}

/// Validates `scores` of `reading` by `criteria`; returns the problems in words.
pub fn check(scores: &Scores, criteria: &[Criterion], reading: &Reading, language: Language) -> Vec<String> {
    problems(scores, criteria, reading).iter().map(|problem| problem.text(language)).collect()
}

pub(super) fn problems(scores: &Scores, criteria: &[Criterion], reading: &Reading) -> Vec<AnswerProblem> {
    let mut problems = Vec::new();
    for (place, score) in scores.scores.iter().enumerate() {
        let is_known = criteria.iter().any(|criterion| criterion.name == score.criterion);
        let is_second = scores.scores[..place].iter().any(|other| other.criterion == score.criterion);
        if !is_known || is_second {
            problems.push(AnswerProblem::UnknownCriterion(score.criterion.clone()));
        }
        if score.why.trim().is_empty() {
            problems.push(AnswerProblem::NoWords);
        }
        problems.extend(score.score.filter(|score| *score > 100).map(AnswerProblem::Score));
        if score.score.is_some() && score.quotes.is_empty() {
            problems.push(AnswerProblem::NoQuote(score.criterion.clone()));
        }
        let missing = score.quotes.iter().filter(|quote| reading.find(quote, None).is_none());
        problems.extend(missing.cloned().map(AnswerProblem::Quote));
    }
    let is_missing = |criterion: &&Criterion| scores.scores.iter().all(|score| score.criterion != criterion.name);
    problems
        .extend(criteria.iter().filter(is_missing).map(|criterion| AnswerProblem::Criterion(criterion.name.clone())));
    problems
}

/// Returns the effective weight: 0 unless a positive number.
fn weight(criterion: &Criterion) -> f64 {
    if criterion.weight.is_finite() { criterion.weight.max(0.0) } else { 0.0 }
}

/// Combines runs. The order of runs does not matter, nor the sum of weights; the default without weights is equal
/// weight.
pub fn evaluate(criteria: &[Criterion], reading: &Reading, runs: &[Run]) -> Evaluation {
    let all = sum(&criteria.iter().map(weight).collect::<Vec<_>>());
    let share = |criterion: &Criterion| match all > 0.0 {
        true => weight(criterion) / all,
        false => 1.0 / count(criteria.len()),
    };
    let given: Vec<&Vec<Score>> = runs.iter().filter_map(|run| run.scores.as_ref()).collect();
    let mut judges: Vec<String> =
        runs.iter().filter(|run| run.scores.is_some() && !run.judge.is_empty()).map(|run| run.judge.clone()).collect();
    judges.sort();
    judges.dedup();
    let rated: Vec<(f64, Rating)> = criteria
        .iter()
        .map(|criterion| (share(criterion), rating(criterion, share(criterion), reading, runs)))
        .collect();
    let counted: Vec<(f64, &Rating)> =
        rated.iter().filter(|(_, rating)| rating.mean.is_some()).map(|(share, rating)| (*share, rating)).collect();
    let covered = sum(&counted.iter().map(|(share, _)| *share).collect::<Vec<_>>());
    let weighted = |score: &dyn Fn(&Rating) -> Option<f64>| {
        let parts = counted.iter().map(|(share, rating)| Some(share * score(rating)?)).collect::<Option<Vec<_>>>()?;
        (covered > 0.0).then(|| sum(&parts) / covered)
    };
    let total = weighted(&|rating| Some(sum(&floats(&rating.scores)) / count(rating.scores.len())));
    let whole: Vec<f64> =
        given.iter().filter_map(|run| weighted(&|rating| score_of(run, &rating.criterion).map(f64::from))).collect();
    let mut errors: Vec<String> = runs.iter().filter_map(|run| run.error.clone()).collect();
    errors.sort();
    errors.dedup();
    Evaluation {
        contents: Vec::new(),
        left_out: reading.left_out.clone(),
        open: reading.open.clone(),
        judges,
        total: total.map(rounded),
        deviation: deviation(&whole).map(rounded),
        whole_runs: whole.len(),
        // The empty sum is a negative zero.
        covered: rounded(covered) + 0.0,
        runs: given.len(),
        failed: runs.len() - given.len(),
        errors,
        criteria: rated.into_iter().map(|(_, rating)| rating).collect(),
    }
}

fn score_of(run: &[Score], criterion: &str) -> Option<u8> {
    run.iter().find(|score| score.criterion == criterion)?.score
}

fn floats(scores: &[u8]) -> Vec<f64> {
    scores.iter().copied().map(f64::from).collect()
}

fn rating(criterion: &Criterion, share: f64, reading: &Reading, runs: &[Run]) -> Rating {
    let line = |run: &Run| -> Option<Score> {
        run.scores.as_ref()?.iter().find(|score| score.criterion == criterion.name).cloned()
    };
    let all: Vec<(&str, Score)> = runs.iter().filter_map(|run| Some((run.judge.as_str(), line(run)?))).collect();
    let lines = || all.iter().map(|(_, score)| score);
    let mut scores: Vec<u8> = lines().filter_map(|line| line.score).collect();
    scores.sort_unstable();
    let values = floats(&scores);
    let mut why: Vec<String> = lines().map(|line| line.why.clone()).filter(|why| !why.is_empty()).collect();
    why.sort();
    why.dedup();
    let quoted = |quote: &String| {
        let paragraph = reading.find(quote, None);
        Quoted { paragraph, place: paragraph.and_then(|number| reading.place(number)), quote: quote.clone() }
    };
    let named = all.iter().filter(|(judge, _)| !judge.is_empty());
    let mut by_judge: Vec<JudgeScore> =
        named.map(|(judge, score)| JudgeScore { judge: (*judge).to_owned(), score: score.score }).collect();
    by_judge.sort();
    let mut quotes: Vec<Quoted> = lines().flat_map(|line| line.quotes.iter().map(quoted)).collect();
    quotes.sort();
    quotes.dedup();
    let spread = deviation(&values);
    Rating {
        criterion: criterion.name.clone(),
        title: criterion.title.clone(),
        weight: rounded(share),
        mean: mean(&values).map(rounded),
        deviation: spread.map(rounded),
        is_unreliable: spread.is_some_and(|spread| spread > UNRELIABLE),
        scores,
        by_judge,
        why,
        quotes,
    }
}
