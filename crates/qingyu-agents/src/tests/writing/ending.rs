//! How a run ends: with briefs, with questions, beside an author who writes too.

use std::sync::Arc;

use futures::FutureExt;

use crate::writing::questions::{About, Doubt};
use crate::writing::{AuthorAnswers, AuthorQuestions, Decision, WritingTask};
use qingyu_llm::testing::ScriptedModel;
use qingyu_story::edit::{self, Edit};
use qingyu_story::settlement::Extraction;
use qingyu_story::settlement::extraction::ToldFact;
use qingyu_story::{EditTarget, PieceKind, Provenance, Story};
use qingyu_tools::workspace::WorkspaceSave;
use qingyu_tools::{MemoryWorkspace, Workspace};
use serde_json::json;

use super::bench::{Bench, book, context, good};
use crate::tests::bench::answered;

#[tokio::test]
async fn briefs_need_no_prose() {
    let bench = Bench::new(2).config(|config| config.brief_only = true);
    let ended = bench.run().await;
    let steps = ended.steps();
    let state = ended.done();
    assert_eq!(bench.purposes(), ["understand"; 2]);
    assert_eq!(steps[..3], ["1 started", "1 planned", "1 briefed"]);
    assert!(state.accepted.is_empty() && bench.workspace.story().documents.is_empty(), "nothing is written");
    let brief = &state.briefs[1];
    assert_eq!((brief.chapter, brief.plan.scenes.len(), brief.from_outline), (2, 1, false));
    assert!(brief.card.contains("冷峻") && brief.card.contains("第2条线索"), "{}", brief.card);
}

/// A model whose reader is not sure of what it read.
fn unsure() -> ScriptedModel {
    ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.settle" => {
            let asked: crate::context::ChapterSettleContext = context(request);
            let quote = asked.text.split_inclusive('。').next().unwrap().to_owned();
            let fact = |predicate: &str, confidence| ToldFact {
                subject: "林青".into(),
                predicate: predicate.into(),
                value: true.into(),
                quote: quote.clone(),
                confidence,
                ..ToldFact::default()
            };
            let facts = vec![fact("怕黑", 0.3), fact("认得路", 0.95)];
            answered(&Extraction { summary: "过了一夜。".into(), facts, ..Extraction::default() })
        }
        _ => good(request),
    })
}

#[tokio::test]
async fn what_settlement_cannot_decide_is_asked_once_at_the_end() {
    let bench = Bench::with(book(3), unsure());
    let (state, payload) = bench.run().await.waiting();
    assert_eq!(state.accepted.len(), 3, "nothing waits for the answer");
    let asked: AuthorQuestions = serde_json::from_value(payload).unwrap();
    assert_eq!(asked.questions.iter().map(|question| question.chapter).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(asked.questions.iter().all(|question| matches!(
        &question.about,
        About::Settlement { doubt: Doubt::Unsure, label, .. } if label.contains("怕黑")
    )));
    assert_eq!(bench.workspace.story().facts.len(), 3);
    let answers = asked.questions.iter().zip([Decision::Accept, Decision::Reject, Decision::Later]);
    let answers = answers.map(|(question, decision)| (question.id.clone(), decision)).collect();
    let state = bench.answer(&AuthorAnswers { answers, ..AuthorAnswers::default() }).await.done();
    let story = bench.workspace.story();
    let afraid: Vec<_> = story.facts.iter().filter(|fact| fact.predicate == "怕黑").collect();
    assert_eq!(afraid.len(), 1);
    assert_eq!(afraid[0].source.as_ref().unwrap().document, story.documents[0].id, "of the first chapter");
    assert_eq!(state.questions.iter().map(|question| question.chapter).collect::<Vec<_>>(), [3], "what is left");
    assert_eq!(bench.purposes().len(), 12, "answers cost no call");
    // What is answered is not asked again, by no reading.
    let workspace = Arc::clone(&bench.workspace);
    let again = Bench { run: "run-2".into(), workspace, ..Bench::with(book(3), unsure()) };
    let again = again.task(WritingTask::Read { chapters: vec!["1-3".into()] });
    let (_, payload) = again.run().await.waiting();
    let asked: AuthorQuestions = serde_json::from_value(payload).unwrap();
    assert_eq!(asked.questions.iter().map(|question| question.chapter).collect::<Vec<_>>(), [3]);
    let story = again.workspace.story();
    assert_eq!(story.facts.iter().filter(|fact| fact.predicate == "怕黑").count(), 1, "it is still so in the first");
}

/// Saves a change of the author's.
async fn author(workspace: &Arc<MemoryWorkspace>, change: impl FnOnce(&mut Story)) {
    let loaded = workspace.load().await.unwrap();
    let mut after = Story::clone(&loaded.story);
    change(&mut after);
    let key = format!("author-{}", loaded.version);
    let provenance = Provenance { agent: "person".into(), ..Provenance::default() };
    let save = WorkspaceSave { before: loaded.story, after, expected: loaded.version, key, provenance };
    workspace.save(save).await.unwrap();
}

/// Runs a book in which the author does something while the chapter is settled.
async fn beside(
    change: impl Fn(&mut Story) + Send + Sync + 'static,
) -> (Bench, crate::tests::ended::Ended<crate::WritingState>) {
    let workspace = Arc::new(MemoryWorkspace::new("p-1", book(2)));
    let (shared, change) = (Arc::clone(&workspace), Arc::new(change));
    let model = ScriptedModel::responding("scripted", move |request| {
        if request.purpose == "chapter.settle" && shared.story().documents.len() < 2 {
            let (shared, change) = (Arc::clone(&shared), Arc::clone(&change));
            author(&shared, |story| change(story)).now_or_never().expect("memory does not wait");
        }
        good(request)
    });
    let bench = Bench { workspace, ..Bench::with(book(2), model) };
    let ended = bench.run().await;
    (bench, ended)
}

#[tokio::test]
async fn what_the_author_changes_elsewhere_stays() {
    let (bench, ended) =
        beside(|story| story.characters[0].age = story.characters[0].age.map_or(Some(30), |age| Some(age + 1))).await;
    let state = ended.done();
    let story = bench.workspace.story();
    assert_eq!((story.characters[0].age, story.documents.len(), story.facts.len()), (Some(31), 2, 2));
    assert!(state.warnings.is_empty(), "{:?}", state.warnings);
}

#[tokio::test]
async fn a_chapter_that_the_author_wrote_meanwhile_is_never_overwritten() {
    let (bench, ended) = beside(|story| {
        if story.documents.is_empty() {
            let document = qingyu_story::Document {
                title: "第1章 雨夜1".into(),
                order: 1,
                outline_node: Some("o-1".into()),
                version: 1,
                text: "这一章我自己写。".into(),
                ..Default::default()
            };
            edit::apply(story, Edit::Create { piece: qingyu_story::Piece::Document(document) }).unwrap();
        }
    })
    .await;
    let (state, payload) = ended.waiting();
    assert_eq!(bench.text(1), "这一章我自己写。");
    assert!(bench.text(2).starts_with("林青在第2天"), "the book goes on");
    assert!(state.warnings.iter().any(|warning| warning.contains("没有覆盖作者的文字")), "{:?}", state.warnings);
    let asked: AuthorQuestions = serde_json::from_value(payload).unwrap();
    let [question] = asked.questions.as_slice() else { panic!("{asked:?}") };
    let About::DraftKept { text, .. } = &question.about else { panic!("{question:?}") };
    assert!(text.starts_with("林青在第1天"), "the draft is not lost");
    let answers = [(question.id.clone(), Decision::Accept)].into();
    bench.answer(&AuthorAnswers { answers, ..AuthorAnswers::default() }).await.done();
    assert_eq!(bench.text(1), *text, "the author may still want it");
    let versions = bench.workspace.document_versions(&bench.workspace.story().documents[0].id).await.unwrap();
    assert_eq!(versions[0].text, "这一章我自己写。");
}

#[tokio::test]
async fn an_edit_between_two_runs_is_respected() {
    let bench = Bench::new(1);
    bench.run().await.done();
    author(&bench.workspace, |story| {
        let fields = [("text".to_owned(), json!("我改过了。"))].into();
        let target = EditTarget::Named(story.documents[0].id.clone());
        edit::apply(story, Edit::Update { kind: PieceKind::Document, target, fields }).unwrap();
    })
    .await;
    let again = Bench { run: "run-2".into(), ..bench };
    let state = again.run().await.done();
    assert_eq!((again.text(1).as_str(), state.accepted.len()), ("我改过了。", 0), "nothing was left to write");
}
