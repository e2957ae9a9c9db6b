//! The assistant as an agent of the service: answers what is asked about the project, with sources that are checked.
//!
//! Passages and cards come from the tools; the answer is asked for and checked as
//! [`crate::assistant`] does.

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_story::Language;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::agent::Summary;
use super::work::Asking;
use super::{Agent, Check, Course, Done, Halt, Skills, Step, Task, ToolUse, Understanding, Work};
use crate::assistant::problems_of_answer;
use crate::context::{Answering, Shown};
use crate::output::SourcedAnswer;
use crate::prompts::{AnswerPrompt, Folder};

/// Answers questions about the project.
#[derive(Debug)]
pub struct Assistant;

/// Its prompts are those of [`crate::assistant`].
static PROMPTS: Folder = Folder { name: "assistant", files: &[], variables: &[] };

/// How many characters of what the graph answers it is shown.
const GRAPH: usize = 1_500;
/// How many passages it is shown.
const PASSAGES: usize = 12;

#[derive(Debug, Default, Serialize, Deserialize)]
struct About {
    question: String,
}

impl Agent for Assistant {
    fn name(&self) -> &'static str {
        "assistant"
    }

    fn skills(&self) -> Skills {
        Skills {
            zh: "回答关于这部小说的问题、查设定，注明出处",
            en: "answers questions about the novel and looks up its settings, with sources",
            words: &[
                "谁",
                "什么",
                "为什么",
                "怎么",
                "哪里",
                "设定",
                "查一下",
                "查询",
                "吗",
                "？",
                "?",
                "who ",
                "what ",
                "why ",
                "where ",
                "setting",
                "look up",
            ],
            changes: false,
        }
    }

    fn prompts(&self) -> Option<&'static Folder> {
        Some(&PROMPTS)
    }

    fn tools(&self) -> &'static [&'static str] {
        &["rag_tool", "encyclopedia_tool", "knowledge_graph_tool"]
    }

    fn understand<'a>(&'a self, task: &'a Task, _: &'a Work<'_>) -> BoxFuture<'a, Result<Understanding, Halt>> {
        let about = About { question: task.description.trim().to_owned() };
        async move { Ok(Understanding::new("question", &about)) }.boxed()
    }

    fn plan(&self, _: &Understanding, language: Language) -> Vec<Step> {
        vec![
            Step::new("retrieve", language, "检索正文和设定", "searching prose and cards"),
            Step::new("answer", language, "依据出处回答", "answering from the sources"),
        ]
    }

    fn execute_step<'a>(
        &'a self,
        step: &'a Step,
        course: &'a Course,
        work: &'a Work<'_>,
    ) -> BoxFuture<'a, Result<Done, Halt>> {
        async move {
            match step.action.as_str() {
                "retrieve" => retrieve(&course.about::<About>().question, work).await,
                _ => answer(course, work).await,
            }
        }
        .boxed()
    }

    fn summarise(&self, course: &Course) -> Summary {
        let data = course.data("answer");
        let output = course.of("answer").map(|done| done.output.clone()).unwrap_or_default();
        Summary { output, data: data.clone() }
    }
}

async fn retrieve(question: &str, work: &Work<'_>) -> Result<Done, Halt> {
    let calls = [
        ("rag_tool", json!({"query": question, "top_k": PASSAGES})),
        ("encyclopedia_tool", json!({"action": "search", "query": question, "limit": 4})),
        ("knowledge_graph_tool", json!({"action": "ask", "question": question})),
    ];
    let used = work.tools("retrieve", &calls).await?;
    let mut reasoning = Vec::new();
    // Many a question is none that a graph can be asked; that is no loss.
    for lost in used.iter().filter(|call| !call.success && call.tool_name != "knowledge_graph_tool") {
        let (tool, why) = (&lost.tool_name, lost.error.clone().unwrap_or_default());
        work.warn(match work.language() {
            Language::Zh => format!("{tool} 没有成功，在没有它的情况下继续：{why}"),
            Language::En => format!("{tool} failed; going on without it: {why}"),
        });
    }
    let mut shown: Vec<Shown> = Vec::new();
    for (heading, text) in used.iter().flat_map(passages) {
        if !text.trim().is_empty() && !shown.iter().any(|known| known.text == text) {
            shown.push(Shown { number: shown.len() + 1, heading, text, ..Shown::default() });
        }
    }
    shown.truncate(PASSAGES + 6);
    reasoning.push(match work.language() {
        Language::Zh => format!("找到 {} 段材料", shown.len()),
        Language::En => format!("{} passages were found", shown.len()),
    });
    let found = Check::one("passages", !shown.is_empty());
    Ok(Done { checks: vec![found], reasoning, ..Done::with(&shown) })
}

/// What a tool found, with what stands over it.
fn passages(used: &ToolUse) -> Vec<(String, String)> {
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let list = |key: &str| used.result[key].as_array().cloned().unwrap_or_default();
    match used.tool_name.as_str() {
        "rag_tool" => list("passages").iter().map(|found| (text(found, "name"), text(found, "text"))).collect(),
        "encyclopedia_tool" => {
            let entries = list("results");
            entries.iter().map(|found| (text(found, "name"), text(found, "excerpt"))).collect()
        }
        _ if used.success => {
            let found = used.result["found"].to_string().chars().take(GRAPH).collect();
            vec![(text(&used.result, "pattern"), found)]
        }
        _ => Vec::new(),
    }
}

async fn answer(course: &Course, work: &Work<'_>) -> Result<Done, Halt> {
    let passages: Vec<Shown> = Deserialize::deserialize(course.data("retrieve")).unwrap_or_default();
    let answering = Answering {
        question: course.about::<About>().question,
        language: course.language(),
        passages,
        pattern: None,
        rank: None,
    };
    if answering.passages.is_empty() {
        let nothing = match answering.language {
            Language::Zh => "材料里没有与这个问题有关的内容。",
            Language::En => "The material has nothing about this question.",
        };
        return Ok(Done { output: nothing.into(), ..Done::with(&json!({"holds": false, "citations": []})) });
    }
    let check = |answer: &SourcedAnswer| problems_of_answer(answer, &answering.passages);
    let asking = Asking { temperature: Some(0.0), ..Asking::once("answer") };
    let prompt = AnswerPrompt::new(&answering);
    match work.ask_with(asking, &prompt, &answering, &check).await? {
        Ok(answer) => {
            let checks = vec![Check::all("quotes", answer.citations.len()), Check::one("answered", answer.holds)];
            let output = with_sources(&answer, &answering);
            Ok(Done { output, checks, ..Done::with(&answer) })
        }
        Err(failure) => {
            let why = failure.text(course.language());
            work.warn(match course.language() {
                Language::Zh => format!("没有得到有出处的回答，只列出找到的材料：{why}"),
                Language::En => format!("there is no answer with sources, only the passages that were found: {why}"),
            });
            let lines = answering
                .passages
                .iter()
                .take(5)
                .map(|passage| format!("[{}] {}\n{}", passage.number, passage.heading, passage.text));
            let output = lines.collect::<Vec<_>>().join("\n\n");
            Ok(Done {
                output,
                checks: vec![Check::one("answered", false)],
                ..Done::with(&json!({"holds": false, "citations": []}))
            })
        }
    }
}

fn with_sources(answer: &SourcedAnswer, answering: &Answering) -> String {
    let mut lines = vec![answer.answer.trim().to_owned()];
    for cited in &answer.citations {
        let heading = answering.passages.iter().find(|passage| passage.number == cited.number);
        let heading = heading.map(|passage| passage.heading.as_str()).unwrap_or_default();
        lines.push(match answering.language {
            Language::Zh => format!("[{}] {heading}：“{}”", cited.number, cited.quote),
            Language::En => format!("[{}] {heading}: \"{}\"", cited.number, cited.quote),
        });
    }
    lines.join("\n")
}
