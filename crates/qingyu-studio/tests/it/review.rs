use qingyu_llm::testing::ScriptedModel;
use qingyu_studio::{Outcome, RunAnswer, RunQuestion, RunStatus, Studio};
use serde_json::json;

use crate::script::{self, REQUIREMENT, judgement, reply};
use crate::{create, finish, kinds, studio};

/// A run that waits for a person.
async fn waiting(studio: &Studio, model: &ScriptedModel) -> Outcome {
    model.push("review.judge", reply(&judgement(40)));
    let (events, outcome) = create(studio, REQUIREMENT).await;
    assert_eq!((outcome.status, kinds(&events).last().unwrap().as_str()), (RunStatus::Waiting, "waiting"));
    outcome
}

#[tokio::test]
async fn a_question_waits_until_it_is_answered() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let asked = waiting(&studio, &model).await;
    let review = asked.human_review().unwrap().clone();
    assert_eq!((review.reason.as_str(), review.report.quality_score), ("low_score", 40));
    assert_eq!(asked.document()["resume"], format!("qingyu resume {}", asked.run));
    assert_eq!(studio.runs().await.unwrap()[0].status, RunStatus::Waiting);
    assert_eq!(
        studio.show(&asked.project).await.unwrap().question,
        Some(RunQuestion::HumanReview(Box::new(review.clone())))
    );

    let (_, again) = finish(studio.resume(&asked.run, None).await.unwrap()).await;
    assert_eq!((again.status, again.human_review()), (RunStatus::Waiting, Some(&review)));
    let (_, done) = finish(studio.resume(&asked.project, Some(RunAnswer::Approve)).await.unwrap()).await;
    assert_eq!((done.status, done.usage.calls), (RunStatus::Done, 5));
    let error = studio.resume(&asked.run, Some(RunAnswer::Approve)).await.unwrap_err();
    assert_eq!(error.code(), "nothing_to_resume");
}

#[tokio::test]
async fn rejected_material_is_corrected() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let asked = waiting(&studio, &model).await;
    let answer = RunAnswer::Reject { feedback: "结尾太平".into() };
    let (_, done) = finish(studio.resume(&asked.run, Some(answer)).await.unwrap()).await;
    assert_eq!((done.status, done.story_made().unwrap().iteration_count), (RunStatus::Done, 1), "{:?}", done.errors);
    let told =
        |request: &qingyu_llm::ChatRequest| request.messages.iter().any(|message| message.text.contains("结尾太平"));
    assert!(model.requests().iter().any(told), "the person's words reach an agent");
    assert_eq!(studio.show(&done.project).await.unwrap().story, done.story_made().unwrap().story);
}

#[tokio::test]
async fn edited_material_replaces_what_was_made() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let asked = waiting(&studio, &model).await;
    let wrong = RunAnswer::Edit { material: json!({"characters": [{"name": 3}]}) };
    let error = studio.resume(&asked.run, Some(wrong)).await.unwrap_err();
    assert_eq!((error.code(), &error.data()["path"]), ("bad_material", &json!("characters[0].name")));

    let mut document = asked.document();
    document["characters"][0]["weakness"] = "怕水".into();
    let answer = RunAnswer::Edit { material: document };
    let (_, done) = finish(studio.resume(&asked.run, Some(answer)).await.unwrap()).await;
    assert_eq!(done.story_made().unwrap().story.characters[0].weakness, "怕水");
    let view = studio.show(&done.project).await.unwrap();
    assert_eq!(view.story, done.story_made().unwrap().story);
    let changed = view.provenance.iter().find(|piece| piece.kind == "character" && piece.id == "c-1").unwrap();
    assert_eq!((changed.made.agent.as_str(), changed.made.model.as_deref()), ("human_review", None));
    let kept = view.provenance.iter().find(|piece| piece.id == "c-2").unwrap();
    assert_eq!(kept.made.agent, "character_agent");
}
