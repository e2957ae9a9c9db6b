use proptest::prelude::*;
use qingyu_story::Language;
use qingyu_story::production::Criterion;

use super::score::{JudgeScore, problems};
use super::*;
use crate::content::{Content, Reading, reading};
use crate::simulation::AnswerProblem;

fn criteria(weights: &[f64]) -> Vec<Criterion> {
    let criterion = |(place, weight): (usize, &f64)| Criterion {
        name: format!("c{place}"),
        weight: *weight,
        ..Criterion::default()
    };
    weights.iter().enumerate().map(criterion).collect()
}

fn text() -> Reading {
    reading(&[Content { text: "定价要看价值。\n不要只看成本。".into(), ..Content::default() }], 1_000)
}

/// A run that gives these scores, in order of the criteria.
fn run(scores: &[Option<u8>]) -> Run {
    let score = |(place, score): (usize, &Option<u8>)| Score {
        criterion: format!("c{place}"),
        score: *score,
        why: "因为".into(),
        quotes: vec!["不要只看成本".into()],
    };
    Run { judge: String::new(), scores: Some(scores.iter().enumerate().map(score).collect()), error: None }
}

fn failed() -> Run {
    Run { judge: String::new(), scores: None, error: Some("乱码".into()) }
}

fn judged(weights: &[f64], runs: &[&[u8]]) -> Evaluation {
    let runs: Vec<Run> = runs.iter().map(|scores| run(&scores.iter().copied().map(Some).collect::<Vec<_>>())).collect();
    evaluate(&criteria(weights), &text(), &runs)
}

#[test]
fn weights_need_not_sum_to_one() {
    for weights in [[3.0, 1.0], [0.75, 0.25], [300.0, 100.0]] {
        assert_eq!(judged(&weights, &[&[80, 40]]).total, Some(70.0), "{weights:?}");
    }
    for weights in [[0.0, 0.0], [-1.0, f64::NAN], [1.0, 1.0]] {
        assert_eq!(judged(&weights, &[&[80, 40]]).total, Some(60.0), "{weights:?}");
    }
    assert_eq!(judged(&[1.0, 0.0], &[&[80, 40]]).total, Some(80.0));
}

#[test]
fn one_run_has_no_variance_and_none_has_no_score() {
    let one = judged(&[1.0], &[&[80]]);
    assert_eq!((one.criteria[0].deviation, one.deviation, one.total), (None, None, Some(80.0)));
    let none = judged(&[1.0], &[]);
    assert_eq!((none.criteria[0].mean, none.total, none.covered, none.runs), (None, None, 0.0, 0));
    assert!(serde_json::to_value(&one).unwrap()["deviation"].is_null());
    assert_eq!(evaluate(&[], &text(), &[failed()]).total, None);
}

#[test]
fn runs_stand_with_their_deviation_and_failed_ones_are_counted() {
    let runs = [run(&[Some(60), Some(90)]), failed(), run(&[Some(80), Some(90)])];
    let whole = evaluate(&criteria(&[1.0, 1.0]), &text(), &runs);
    assert_eq!((whole.runs, whole.failed, &whole.errors[..]), (2, 1, &["乱码".to_owned()][..]));
    assert_eq!((whole.criteria[0].mean, whole.criteria[0].deviation), (Some(70.0), Some(14.1421)));
    assert!(whole.criteria[0].is_unreliable && !whole.criteria[1].is_unreliable);
    // The totals of the runs are 75 and 85.
    assert_eq!((whole.total, whole.deviation), (Some(80.0), Some(7.0711)));
    let quoted = &whole.criteria[0].quotes;
    assert_eq!((quoted.len(), quoted[0].paragraph, quoted[0].quote.as_str()), (1, Some(2), "不要只看成本"));
    assert_eq!(quoted[0].place.as_ref().unwrap().paragraph, 2);
}

/// Two judges who disagree, and the figures that the definitions give.
#[test]
fn two_judges_with_roles_are_told_apart() {
    let judged = |number: u32, scores: &[Option<u8>]| Run { judge: role(number, Language::En).title, ..run(scores) };
    let runs = [judged(1, &[Some(90), Some(70)]), judged(3, &[Some(50), None])];
    let whole = evaluate(&criteria(&[3.0, 1.0]), &text(), &runs);
    let first = &whole.criteria[0];
    let score = |judge: &str, score| JudgeScore { judge: judge.into(), score };
    assert_eq!(first.by_judge, [score("editor", Some(90)), score("sceptic", Some(50))]);
    // (90 + 50) / 2, and √((20² + 20²) / 1).
    assert_eq!((first.mean, first.deviation, first.is_unreliable), (Some(70.0), Some(28.2843), true));
    assert_eq!(whole.criteria[1].by_judge, [score("editor", Some(70)), score("sceptic", None)]);
    // 3/4 of 70 and 1/4 of 70; only one judge gave every score.
    assert_eq!((whole.total, whole.whole_runs, whole.deviation), (Some(70.0), 1, None));
    assert_eq!(whole.judges, ["editor", "sceptic"]);
    let names: Vec<String> = (1..=4).map(|run| role(run, Language::Zh).title).collect();
    assert_eq!(names, ["编辑", "实做的人", "较真的人", "编辑"]);
}

#[test]
fn what_has_no_score_has_no_weight() {
    let whole = evaluate(&criteria(&[1.0, 3.0]), &text(), &[run(&[Some(50), None]), run(&[Some(70), None])]);
    assert_eq!((whole.total, whole.covered, whole.criteria[1].mean), (Some(60.0), 0.25, None));
    let mixed = evaluate(&criteria(&[1.0, 1.0]), &text(), &[run(&[Some(50), Some(90)]), run(&[Some(70), None])]);
    assert_eq!((mixed.total, mixed.whole_runs, mixed.deviation), (Some(75.0), 1, None));
}

#[test]
fn what_is_wrong_with_scores() {
    let line = |criterion: &str, score, quote: &str| Score {
        criterion: criterion.into(),
        score,
        why: "因为".into(),
        quotes: Some(quote.to_owned()).filter(|quote| !quote.is_empty()).into_iter().collect(),
    };
    let cases = [
        (vec![line("c0", Some(50), "看价值")], vec![]),
        (vec![line("c0", None, "")], vec![]),
        (vec![], vec![AnswerProblem::Criterion("c0".into())]),
        (vec![line("c0", Some(50), "")], vec![AnswerProblem::NoQuote("c0".into())]),
        (vec![line("c0", Some(120), "看价值")], vec![AnswerProblem::Score(120)]),
        (vec![line("c0", Some(50), "免费")], vec![AnswerProblem::Quote("免费".into())]),
        (vec![line("c0", None, ""), line("c0", None, "")], vec![AnswerProblem::UnknownCriterion("c0".into())]),
        (vec![line("c0", None, ""), line("other", None, "")], vec![AnswerProblem::UnknownCriterion("other".into())]),
        (vec![Score { why: " ".into(), ..line("c0", None, "") }], vec![AnswerProblem::NoWords]),
    ];
    for (scores, wanted) in cases {
        assert_eq!(problems(&Scores { scores: scores.clone() }, &criteria(&[1.0]), &text()), wanted, "{scores:?}");
    }
}

#[test]
fn versions_are_told_apart_only_beyond_the_noise() {
    let cases: [(&[u8], &[u8], Verdict); 9] = [
        (&[60, 61, 62], &[80, 81, 82], Verdict::Better),
        (&[80, 81, 82], &[60, 61, 62], Verdict::Worse),
        (&[50, 70, 90], &[60, 80, 95], Verdict::NotDistinguishable),
        (&[70, 70, 70], &[70, 70, 70], Verdict::NotDistinguishable),
        (&[70, 70, 70], &[75, 75, 75], Verdict::Better),
        (&[70], &[95], Verdict::NotDistinguishable),
        (&[70, 71], &[95], Verdict::NotDistinguishable),
        (&[], &[80, 81], Verdict::NotComparable),
        (&[70, 70], &[72, 72], Verdict::Better),
    ];
    for (before, after, wanted) in cases {
        let of = |scores: &[u8]| {
            let runs: Vec<[u8; 1]> = scores.iter().map(|score| [*score]).collect();
            judged(&[1.0], &runs.iter().map(|run| &run[..]).collect::<Vec<_>>())
        };
        let comparison = compare(&of(before), &of(after));
        let row = &comparison.criteria[0];
        assert_eq!((row.verdict, comparison.total.verdict), (wanted, wanted), "{before:?} {after:?} {row:?}");
    }
}

#[test]
fn noise_is_that_of_welch() {
    let row = compare(&judged(&[1.0], &[&[60], &[62], &[64]]), &judged(&[1.0], &[&[70], &[74], &[78]]));
    // Variances 4 and 16, each and a twelfth, over 3: √(49/36 + 193/36) = 2.59272 at 2.96 degrees of freedom, so 2.
    let row = &row.criteria[0];
    assert_eq!((row.difference, row.noise), (Some(12.0), Some(11.1565)));
}

#[test]
fn totals_of_different_criteria_are_not_compared() {
    let one = judged(&[1.0, 1.0], &[&[60, 60], &[60, 60]]);
    let other = judged(&[1.0, 3.0], &[&[90, 90], &[90, 90]]);
    let comparison = compare(&one, &other);
    assert_eq!((comparison.total.verdict, comparison.criteria[0].verdict), (Verdict::NotComparable, Verdict::Better));
    assert_eq!(compare(&judged(&[1.0], &[&[60]]), &one).criteria.len(), 2);
}

proptest! {
    /// Of two judges, a deviation is their distance over √2: of each criterion, and of their weighted totals.
    #[test]
    fn figures_of_two_judges_are_those_of_the_definitions(
        scores in prop::array::uniform4(0_u8..=100),
        weights in prop::array::uniform2(0.1_f64..10.0),
    ) {
        let whole = judged(&weights, &[&scores[..2], &scores[2..]]);
        let of = |judge: usize, criterion: usize| f64::from(scores[judge * 2 + criterion]);
        let total = |judge: usize| (weights[0] * of(judge, 0) + weights[1] * of(judge, 1)) / (weights[0] + weights[1]);
        for (criterion, rating) in whole.criteria.iter().enumerate() {
            prop_assert!((rating.mean.unwrap() - (of(0, criterion) + of(1, criterion)) / 2.0).abs() < 1e-3);
            let distance = (of(0, criterion) - of(1, criterion)).abs();
            prop_assert!((rating.deviation.unwrap() - distance / 2.0_f64.sqrt()).abs() < 1e-3);
        }
        prop_assert!((whole.total.unwrap() - (total(0) + total(1)) / 2.0).abs() < 1e-3);
        prop_assert!((whole.deviation.unwrap() - (total(0) - total(1)).abs() / 2.0_f64.sqrt()).abs() < 1e-3);
    }

    #[test]
    fn the_order_of_runs_changes_nothing(
        runs in prop::collection::vec(prop::option::of(prop::collection::vec(prop::option::of(0_u8..=100), 3)), 0..7)
            .prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
        weights in prop::collection::vec(0.0_f64..10.0, 3),
    ) {
        let judge = |runs: &[Option<Vec<Option<u8>>>]| {
            let runs: Vec<Run> = runs.iter().map(|scores| scores.as_deref().map_or_else(failed, run)).collect();
            evaluate(&criteria(&weights), &text(), &runs)
        };
        let one = judge(&runs.0);
        prop_assert_eq!(&one, &judge(&runs.1));
        prop_assert_eq!(one.runs + one.failed, runs.0.len());
        if let Some(total) = one.total {
            let means: Vec<f64> = one.criteria.iter().filter_map(|rating| rating.mean).collect();
            let (low, high) = means.iter().fold((f64::MAX, f64::MIN), |(low, high), mean| (low.min(*mean), high.max(*mean)));
            prop_assert!(low - 0.001 <= total && total <= high + 0.001);
        }
        let twice = compare(&one, &one);
        let is_same = twice.criteria.iter().all(|row| !matches!(row.verdict, Verdict::Better | Verdict::Worse));
        prop_assert!(is_same);
    }
}
