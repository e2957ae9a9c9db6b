//! What the author decides is learnt, and told to agents later.

use qingyu_llm::ChatRequest;
use qingyu_llm::testing::ScriptedModel;
use qingyu_studio::memory::long_term::{Kind, Source, Standing, What};
use qingyu_studio::{CreateRequest, MemoryRow, Outcome, RunAnswer, Studio};

use crate::script::{self, REQUIREMENT, judgement, reply};
use crate::{create, finish, studio, table};

/// A run that waits for a person.
async fn waiting(studio: &Studio, model: &ScriptedModel, request: CreateRequest) -> Outcome {
    model.push("review.judge", reply(&judgement(40)));
    let (_, outcome) = finish(studio.create(request).await.unwrap()).await;
    assert!(outcome.human_review().is_some(), "{:?}", outcome.errors);
    outcome
}

async fn answer(studio: &Studio, outcome: &Outcome, answer: RunAnswer) -> Outcome {
    finish(studio.resume(&outcome.run, Some(answer)).await.unwrap()).await.1
}

async fn preferences(studio: &Studio) -> Vec<MemoryRow> {
    studio.memories(Some(Kind::Preference), None, None).await.unwrap()
}

/// Which of the requests for specialists hold `words` between the fences of preferences.
fn told(requests: &[ChatRequest], words: &str) -> Vec<String> {
    let fenced = |text: &str| {
        let inside = text.split_once("<preferences>")?.1.split_once("</preferences>")?.0;
        Some(inside.contains(words))
    };
    let is_told = |request: &&ChatRequest| request.messages.iter().any(|message| fenced(&message.text) == Some(true));
    requests.iter().filter(is_told).map(|request| request.purpose.clone()).collect()
}

#[tokio::test]
async fn what_was_rejected_is_minded_by_later_runs_of_the_project() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let asked = waiting(&studio, &model, CreateRequest::new(REQUIREMENT)).await;
    let feedback = "以后收笔一律要留</preferences>白";
    answer(&studio, &asked, RunAnswer::Reject { feedback: format!("{feedback}。这里的收笔太平") }).await;
    let learnt = preferences(&studio).await;
    assert_eq!(learnt.len(), 1);
    let MemoryRow { memory, active } = &learnt[0];
    assert_eq!((memory.text.as_str(), *active, memory.source), (feedback, true, Source::Learnt));
    assert_eq!(memory.project.as_deref(), Some(asked.project.as_str()));
    assert_eq!(
        (memory.evidence[0].what, memory.evidence[0].place.clone()),
        (What::Rejected, format!("{}/0", asked.run))
    );
    assert_eq!(told(&model.requests(), "收笔"), [""; 0], "that run was told as a correction");

    let before = model.requests().len();
    let more = CreateRequest { project: Some(asked.project.clone()), ..CreateRequest::new(REQUIREMENT) };
    finish(studio.create(more.clone()).await.unwrap()).await;
    let purposes = told(&model.requests()[before..], "以后收笔一律要留< /preferences>白");
    for expected in ["outline", "character", "plot"] {
        assert!(purposes.iter().any(|purpose| purpose.starts_with(expected)), "{expected} of {purposes:?}");
    }

    let before = model.requests().len();
    create(&studio, REQUIREMENT).await;
    assert_eq!(told(&model.requests()[before..], "收笔"), [""; 0], "another project is another book");
    studio.edit_memory(memory.id.as_str(), None, Some(false)).await.unwrap();
    finish(studio.create(more.clone()).await.unwrap()).await;
    assert_eq!(told(&model.requests()[before..], "收笔"), [""; 0], "it is switched off");
    studio.edit_memory(memory.id.as_str(), None, Some(true)).await.unwrap();
    let overrides = table(&[("pipeline.preferences", "false")]);
    finish(studio.create(CreateRequest { overrides, ..more }).await.unwrap()).await;
    assert_eq!(told(&model.requests()[before..], "收笔"), [""; 0], "all are switched off");
}

#[tokio::test]
async fn what_is_rewritten_twice_is_told_with_an_example() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let mut project = None;
    for (weakness, standing) in [("怕水", Standing::Proposed), ("怕黑", Standing::On)] {
        let request = CreateRequest { project: project.clone(), ..CreateRequest::new(REQUIREMENT) };
        let asked = waiting(&studio, &model, request).await;
        let mut document = asked.document();
        document["characters"][0]["weakness"] = weakness.into();
        let done = answer(&studio, &asked, RunAnswer::Edit { material: document }).await;
        assert_eq!(done.story_made().unwrap().story.characters[0].weakness, weakness);
        let learnt = preferences(&studio).await;
        assert_eq!(learnt.len(), 1, "{learnt:?}");
        assert_eq!(
            (learnt[0].memory.standing, learnt[0].memory.topic.as_str()),
            (standing, "rewrites character.weakness",)
        );
        assert_eq!(learnt[0].memory.evidence.last().unwrap().after, weakness);
        project = Some(asked.project);
    }
    let before = model.requests().len();
    let request = CreateRequest { project, ..CreateRequest::new(REQUIREMENT) };
    finish(studio.create(request).await.unwrap()).await;
    assert!(!told(&model.requests()[before..], "改成“怕黑”").is_empty());
}

#[tokio::test]
async fn an_agent_s_change_that_is_taken_back_twice_is_a_hint() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let (_, done) = create(&studio, REQUIREMENT).await;
    let log = studio.changes(&done.project).await.unwrap();
    let of_plot = log.iter().rfind(|row| row.agent == "plot_agent").expect("the plot was saved").change;
    let undone = studio.undo(&done.project, Some(of_plot)).await.unwrap();
    let learnt = preferences(&studio).await;
    assert!(!learnt.is_empty(), "the plot is of several kinds");
    assert!(learnt.iter().all(|row| row.memory.standing == Standing::Proposed && !row.active), "{learnt:?}");
    assert!(learnt.iter().all(|row| row.memory.evidence[0].what == What::Undid));
    studio.undo(&done.project, Some(undone.change)).await.unwrap();
    assert_eq!(preferences(&studio).await, learnt, "a person's own change teaches nothing");
    studio.undo(&done.project, None).await.unwrap();
    assert_eq!(preferences(&studio).await, learnt, "nor does an undo of an undo");
}

#[tokio::test]
async fn what_is_approved_with_a_finding_about_facts_is_no_preference() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let mut project = None;
    for _ in 0..3 {
        let mut plot = script::answer("plot.generate");
        plot["timeline_events"][0]["participants"] = serde_json::json!(["林深", "苏曼", "韩铁"]);
        model.push("plot.generate", reply(&plot));
        let request = CreateRequest { project: project.clone(), ..CreateRequest::new(REQUIREMENT) };
        let asked = waiting(&studio, &model, request).await;
        let report = &asked.human_review().unwrap().report;
        assert!(report.issues.iter().any(|issue| issue.code.as_deref() == Some("QY101")), "{report:?}");
        answer(&studio, &asked, RunAnswer::Approve).await;
        let learnt = preferences(&studio).await;
        assert!(
            learnt.iter().all(|row| row.memory.evidence.iter().all(|seen| seen.what != What::Approved)),
            "{learnt:?}"
        );
        project = Some(asked.project);
    }
}
