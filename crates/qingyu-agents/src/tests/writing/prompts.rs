//! What stands in the prompts of a chapter: its plan once in each, in both languages.

use crate::WritingTask;
use crate::writing::Part;
use crate::writing::review::Dimension;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{FinishReason, Reply};
use qingyu_story::{AuthorInstruction, Language, PlotNode, Promise, Severity, Story, TimelineEvent};

use super::bench::{Bench, book, good, issue, plan, review, written};
use crate::tests::bench::answered;

/// What happens in the first chapter.
const HAPPENS: [(Language, &str); 2] = [
    (Language::Zh, "林青跟着第三盏灯笼穿过码头直到天亮。"),
    (Language::En, "林青 follows the third lantern across the harbour until daybreak."),
];
const QUOTE: &str = "他数到第1盏灯，第1个人从雾里走过去。";
/// The instruction of a rewrite.
const INSTRUCTION: &str = "对话更有张力";

/// The story with a first chapter of which the outline, an event, a turn and a promise say the same.
fn told_often(story: Story, language: Language, happens: &str) -> Story {
    let mut story = Story { language, ..story };
    story.outline_nodes[0].description = happens.into();
    story.outline_nodes[0].location = Some("旧港".into());
    story.timeline_events = vec![TimelineEvent {
        id: "e-1".into(),
        title: "夜追".into(),
        description: happens.into(),
        timestamp: "第一夜".into(),
        location: Some("旧港".into()),
        participants: story.outline_nodes[0].participants.clone(),
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    }];
    story.plot_nodes = vec![PlotNode {
        id: "p-1".into(),
        title: "灯笼".into(),
        description: happens.into(),
        outline_node: Some("o-1".into()),
        ..PlotNode::default()
    }];
    story.promises = vec![Promise {
        id: "promise-1".into(),
        name: "第三盏灯".into(),
        description: happens.into(),
        planted: vec!["o-1".into()],
        importance: 5,
        ..Promise::default()
    }];
    story
}

/// The beginning of an answer that breaks off.
fn cut() -> ModelScript {
    ModelScript::from(Reply {
        text: "林青推开门，看见".into(), finish: FinishReason::Length, ..Reply::default()
    })
}

/// The rewrite of a first chapter whose first answer breaks off.
fn rewrite(story: Story) -> Bench {
    let task = WritingTask::Rewrite { chapter: 1_u32.into(), part: Part::Whole, instruction: INSTRUCTION.into() };
    Bench::with(story, Bench::new(1).model).task(task).on("chapter.generate", cut())
}

/// Runs the task, and asserts that every prompt has the sentence once; prompts about words of the draft alone have no plan.
/// Returns the purposes of the calls.
async fn purposes_with_plan_once(bench: &Bench, happens: &str) -> Vec<String> {
    bench.run().await.done();
    let bare = happens.trim_end_matches(['。', '.']);
    for request in bench.model.requests() {
        let prompt = &request.messages[1].text;
        let expected = usize::from(!matches!(request.purpose.as_str(), "chapter.fix" | "chapter.seams"));
        assert_eq!(prompt.matches(bare).count(), expected, "{}: {prompt}", request.purpose);
    }
    bench.purposes()
}

#[tokio::test]
async fn the_plan_stands_once_in_each_prompt_of_a_draft() {
    for (language, happens) in HAPPENS {
        for is_planned in [true, false] {
            let model = ScriptedModel::responding("scripted", move |request| match request.purpose.as_str() {
                "chapter.understand" if !is_planned => "我不会写 JSON".into(),
                _ => good(request),
            });
            let found = review(75, vec![issue(Severity::High, Dimension::Character, QUOTE)]);
            let bench = Bench::with(told_often(book(2), language, happens), model)
                .task(WritingTask::Draft { chapters: vec![1_u32.into()] })
                .on("chapter.generate", cut())
                .on("chapter.review", answered(&found));
            let purposes = purposes_with_plan_once(&bench, happens).await;
            for purpose in ["understand", "generate", "review", "fix", "settle"] {
                assert!(purposes.iter().any(|other| other == purpose), "{purpose}: {purposes:?}");
            }
            assert!(purposes.iter().filter(|purpose| *purpose == "generate").count() > 1, "it was continued");
        }
    }
}

#[tokio::test]
async fn the_plan_stands_once_in_each_prompt_of_a_scene() {
    for (language, happens) in HAPPENS {
        let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
            "chapter.understand" => answered(&plan(1, 3, 4_500)),
            _ => good(request),
        });
        let bench = Bench::with(told_often(book(1), language, happens), model).config(|config| config.words = 4_500);
        let purposes = purposes_with_plan_once(&bench, happens).await;
        assert!(purposes.iter().filter(|purpose| *purpose == "generate").count() >= 3, "{purposes:?}");
    }
}

#[tokio::test]
async fn the_plan_stands_once_in_each_prompt_of_a_rewrite() {
    for (language, happens) in HAPPENS {
        let story = written(2, &["雨停了。林青在码头等船。\n“你来了。”苏曼说。他没有回答。"]);
        let bench = rewrite(told_often(story, language, happens));
        let purposes = purposes_with_plan_once(&bench, happens).await;
        assert!(purposes.iter().filter(|purpose| *purpose == "generate").count() > 1, "{purposes:?}");
    }
}

#[tokio::test]
async fn an_instruction_that_is_given_again_stands_once() {
    let mut story = written(1, &["雨停了。林青在码头等船。\n“你来了。”苏曼说。他没有回答。"]);
    let wish = |text: &str| AuthorInstruction { text: text.into(), ..AuthorInstruction::default() };
    story.documents[0].instructions = vec![wish(INSTRUCTION), wish("雨声再大一些")];
    let bench = rewrite(story);
    bench.run().await.done();
    for request in bench.model.requests() {
        let prompt = &request.messages[1].text;
        let expected = usize::from(request.purpose != "chapter.settle");
        assert_eq!(prompt.matches(INSTRUCTION).count(), expected, "{}: {prompt}", request.purpose);
        assert!(prompt.matches("雨声再大一些").count() <= expected, "{}: {prompt}", request.purpose);
    }
}
