//! Adding an agent: one type with its prompts, one registration.

use std::sync::Arc;

use crate::orchestrator::Status;
use crate::prompts::PromptFolder;
use crate::service::Check;
use crate::service::agent::{AgentSkills, AgentStep, Done, ServiceAgent, TaskProgress, TaskSummary, TaskUnderstanding};
use crate::service::failure::AgentHalt;
use crate::service::work::{AgentWork, ModelQuestion};
use crate::{Task, TaskOptions};
use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench::{Bench, task};

/// Gives a chapter a title.
#[derive(Debug)]
struct Namer;

static PROMPTS: PromptFolder = PromptFolder {
    name: "namer",
    files: &[
        ("namer/system.zh.md", "你给章节起名。"),
        ("namer/system.en.md", "You name chapters."),
        ("namer/name.zh.md", "<task>\n{{ description | inert }}\n</task>"),
        ("namer/name.en.md", "<task>\n{{ description | inert }}\n</task>"),
    ],
    variables: &["description"],
};

#[derive(Serialize)]
struct Naming {
    description: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Named {
    title: String,
}

impl ServiceAgent for Namer {
    fn name(&self) -> &'static str {
        "namer"
    }

    fn skills(&self) -> AgentSkills {
        AgentSkills {
            zh: "给章节起名",
            en: "names chapters",
            words: &["起名", "取名", "name the chapter"],
            ..AgentSkills::default()
        }
    }

    fn prompts(&self) -> Option<&'static PromptFolder> {
        Some(&PROMPTS)
    }

    fn understand<'a>(
        &'a self,
        _: &'a Task,
        _: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<TaskUnderstanding, AgentHalt>> {
        async { Ok(TaskUnderstanding::new("name", &())) }.boxed()
    }

    fn plan(&self, _: &TaskUnderstanding, language: Language) -> Vec<AgentStep> {
        vec![AgentStep::new("name", language, "起名", "naming")]
    }

    fn execute_step<'a>(
        &'a self,
        _: &'a AgentStep,
        course: &'a TaskProgress,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<Done, AgentHalt>> {
        async move {
            let naming = Naming { description: course.task.description.clone() };
            let check = |named: &Named| {
                if named.title.is_empty() { vec!["title: it is empty".to_owned()] } else { Vec::new() }
            };
            let named = work.ask(ModelQuestion::once("name"), &naming, &check).await?.map_err(AgentHalt::Failed)?;
            Ok(Done { output: named.title.clone(), checks: vec![Check::one("named", true)], ..Done::with(&named) })
        }
        .boxed()
    }

    fn summarise(&self, course: &TaskProgress) -> TaskSummary {
        let output = course.of("name").map(|done| done.output.clone()).unwrap_or_default();
        TaskSummary { output, ..TaskSummary::default() }
    }
}

#[tokio::test]
async fn a_new_agent_is_offered_routed_to_and_run() {
    let mut bench = Bench::new();
    bench.agents = bench.agents.clone().with(Arc::new(Namer));
    let bench = bench
        .on("namer.name", r#"{"title": "灯灭"}"#)
        .options(TaskOptions { split_by_model: false, ..TaskOptions::default() });
    let state = bench.run(task("给第三章起名，然后检查时间线")).await.done();
    assert_eq!(state.results["t1"].result.as_ref().unwrap().output, "灯灭");
    assert_eq!((state.subtasks[0].agent.as_str(), state.status("t2")), ("namer", Status::Done));
    assert_eq!(bench.request("namer.name").messages[0].text, "你给章节起名。");
    // A model that splits is told of it as well.
    let mut asked = Bench::new();
    asked.agents = asked.agents.clone().with(Arc::new(Namer));
    asked.run(task("随便")).await.question();
    let sent = &asked.request("orchestrator.split").messages[1].text;
    assert!(sent.contains("- namer：给章节起名"), "{sent}");
}
