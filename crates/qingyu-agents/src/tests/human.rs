//! A person decides.

use crate::HumanReviewAnswer;
use crate::output::CharacterWork;
use qingyu_story::Story;

use crate::tests::bench::{Bench, cast, judgement};

/// A run that waits for a person because its score is low.
async fn waiting() -> (Bench, Story) {
    let bench = Bench::new().on("review.judge", &judgement(40));
    let (state, question) = bench.run().await.waiting();
    assert_eq!(question["reason"], "low_score");
    assert_eq!(question["report"]["quality_score"], 40);
    assert!(state.human_intervention_required && !state.review_passed);
    (bench, serde_json::from_value(question["story"].clone()).unwrap())
}

#[tokio::test]
async fn approval_ends_the_run() {
    let (bench, story) = waiting().await;
    let calls = bench.purposes().len();
    let state = bench.answer(&HumanReviewAnswer::Approve).await.done();
    assert!(state.review_passed && !state.human_intervention_required);
    assert_eq!((bench.purposes().len(), state.story()), (calls, story));
    assert!(state.reasoning.last().is_some_and(|line| line.contains("通过")));
}

#[tokio::test]
async fn rejection_leads_to_a_round_with_the_person_s_words() {
    let (bench, _) = waiting().await;
    let mut answer = cast();
    answer.characters[0].weakness = "怕水".into();
    let answer = CharacterWork { characters: vec![answer.characters.remove(0)], ..Default::default() };
    // A low score regenerates.
    let mut whole = cast();
    whole.characters[0] = answer.characters[0].clone();
    let bench = bench.on("character.regenerate", &whole);
    let state = bench.answer(&HumanReviewAnswer::Reject { feedback: "角色太完美了".into() }).await.done();
    assert_eq!(bench.purposes()[5..], ["character.regenerate", "review.judge"]);
    assert!(bench.request("character.regenerate").messages[1].text.contains("角色太完美了"));
    assert_eq!((state.characters[0].weakness.as_str(), state.characters[0].id.as_str()), ("怕水", "c-1"));
    assert!(state.review_passed && state.human_feedback.is_none());
    assert_eq!(state.iteration_count, 1);
}

#[tokio::test]
async fn an_edit_is_looked_at_by_the_rules_and_passes() {
    let (bench, mut story) = waiting().await;
    let calls = bench.purposes().len();
    story.characters[0].weakness = "怕水".into();
    let state = bench.answer(&HumanReviewAnswer::Edit { story: Box::new(story.clone()) }).await.done();
    assert_eq!(state.story(), story);
    assert!(state.review_passed);
    assert_eq!(bench.purposes().len(), calls, "no model is asked about a person's edit");
    assert!(state.diagnostic_report.unwrap().issues.iter().all(|issue| issue.code.is_some()));
}

#[tokio::test]
async fn an_edit_that_breaks_the_story_is_asked_about_again() {
    let (bench, story) = waiting().await;
    let broken = Story { characters: Vec::new(), ..story };
    let (state, question) = bench.answer(&HumanReviewAnswer::Edit { story: Box::new(broken) }).await.waiting();
    assert!(state.characters.is_empty() && !state.review_passed);
    assert!(question["report"]["issues"].as_array().is_some_and(|issues| !issues.is_empty()));
    let state = bench.answer(&HumanReviewAnswer::Approve).await.done();
    assert!(state.review_passed);
}

#[tokio::test]
async fn an_answer_of_the_wrong_shape_is_refused_and_the_question_stays() {
    let (bench, _) = waiting().await;
    let ended = bench.thread().answer("ok").await.unwrap().finish().await.unwrap();
    assert!(matches!(ended, qingyu_graph::Outcome::Waiting { .. }));
    assert!(bench.answer(&HumanReviewAnswer::Approve).await.done().review_passed);
}
