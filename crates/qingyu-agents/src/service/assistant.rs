//! The assistant as an agent of the service: answers questions about the project, with validated sources.
//!
//! Passages and cards come from tools; the answer is requested and validated as in [`crate::assistant`].

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_knowledge::handbook::HandbookPassage;
use qingyu_knowledge::{card_question, handbook};
use qingyu_story::Language;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::agent::TaskSummary;
use super::work::ModelQuestion;
use crate::assistant::{by_cards, problems_of_answer};
use crate::context::{AnswerContext, ShownPassage};
use crate::notice::counted;
use crate::output::SourcedAnswer;
use crate::prompts::{ASSISTANT, AnswerPrompt, PromptFolder};
use crate::service::agent::{AgentSkills, AgentStep, Done, ServiceAgent, TaskProgress, TaskUnderstanding};
use crate::service::failure::AgentHalt;
use crate::service::task::{Check, Task, ToolUse};
use crate::service::work::AgentWork;

/// The agent for questions about the project.
#[derive(Debug)]
pub(crate) struct AssistantAgent;

/// Maximum characters of the graph's answer in a prompt.
const GRAPH: usize = 1_500;
/// Number of passages requested from the search tool.
const PASSAGES: usize = 12;

/// The material for an answer.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct AnswerMaterial {
    /// The answer, if fields of cards contain it.
    answer: Option<SourcedAnswer>,
    /// Passages, best first.
    passages: Vec<ShownPassage>,
    /// Whether the question is about the product, and the passages are from its handbook.
    is_about_product: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct QuestionSubject {
    question: String,
}

impl ServiceAgent for AssistantAgent {
    fn name(&self) -> &'static str {
        "assistant"
    }

    fn skills(&self) -> AgentSkills {
        AgentSkills {
            zh: "回答关于这部小说的问题、查设定，注明出处",
            en: "answers questions about the novel and looks up its settings, with sources",
            words: &[],
            verbs: &[
                "谁",
                "什么",
                "为什么",
                "怎么",
                "哪里",
                "哪一",
                "哪个",
                "哪些",
                "哪位",
                "第几",
                "列出",
                "list ",
                "哪儿",
                "多大",
                "几岁",
                "设定",
                "查一下",
                "查询",
                "介绍",
                "解释",
                "总结",
                "概括",
                "吗",
                "？",
                "?",
                "who ",
                "what ",
                "why ",
                "where ",
                "when ",
                "how ",
                "setting",
                "look up",
                "explain",
                "summar",
            ],
            leads: &[],
            changes: false,
        }
    }

    fn prompts(&self) -> Option<&'static PromptFolder> {
        Some(&ASSISTANT)
    }

    fn tools(&self) -> &'static [&'static str] {
        &["rag_tool", "encyclopedia_tool", "knowledge_graph_tool"]
    }

    fn understand<'a>(
        &'a self,
        task: &'a Task,
        _: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<TaskUnderstanding, AgentHalt>> {
        let about = QuestionSubject { question: task.description.trim().to_owned() };
        async move { Ok(TaskUnderstanding::new("question", &about)) }.boxed()
    }

    fn plan(&self, _: &TaskUnderstanding, language: Language) -> Vec<AgentStep> {
        vec![
            AgentStep::new("retrieve", language, "检索正文和设定", "searching prose and cards"),
            AgentStep::new("answer", language, "依据出处回答", "answering from the sources"),
        ]
    }

    fn execute_step<'a>(
        &'a self,
        step: &'a AgentStep,
        course: &'a TaskProgress,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<Done, AgentHalt>> {
        async move {
            match step.action.as_str() {
                "retrieve" => retrieve(&course.about::<QuestionSubject>().question, work).await,
                _ => answer(course, work).await,
            }
        }
        .boxed()
    }

    fn summarise(&self, course: &TaskProgress) -> TaskSummary {
        let data = course.data("answer");
        let output = course.of("answer").map(|done| done.output.clone()).unwrap_or_default();
        TaskSummary { output, data: data.clone() }
    }
}

/// Returns the material that needs no search: fields of cards, and the product's handbook.
async fn at_hand(question: &str, work: &AgentWork<'_>) -> Result<Option<AnswerMaterial>, AgentHalt> {
    let look = |story: &qingyu_story::Story| {
        if let Some(quotes) = card_question::answer(question, story) {
            let numbered = (1..).zip(&quotes);
            let passage = |(number, quote): (usize, &card_question::CardQuote)| ShownPassage {
                number,
                heading: quote.name.clone(),
                text: quote.quote.clone(),
                ..ShownPassage::default()
            };
            let passages = numbered.map(passage).collect();
            let answer = Some(by_cards(&quotes));
            return Some(AnswerMaterial { answer, passages, is_about_product: false });
        }
        let found = handbook::find(question, story);
        let passages = (1..).zip(found).map(|(number, HandbookPassage { heading, text })| ShownPassage {
            number,
            heading,
            text,
            ..ShownPassage::default()
        });
        let passages: Vec<ShownPassage> = passages.collect();
        (!passages.is_empty()).then_some(AnswerMaterial { answer: None, passages, is_about_product: true })
    };
    match work.read("at_hand", look).await {
        // Without a project there are no cards; the search says why it has nothing.
        Err(AgentHalt::Failed(_)) => Ok(None),
        looked => looked,
    }
}

async fn retrieve(question: &str, work: &AgentWork<'_>) -> Result<Done, AgentHalt> {
    if let Some(material) = at_hand(question, work).await? {
        let from = match (material.is_about_product, work.language()) {
            (true, Language::Zh) => "问的是软件本身，查手册",
            (true, Language::En) => "the question is about the product; its handbook has passages",
            (false, Language::Zh) => "卡片上的字段就是答案，不用模型",
            (false, Language::En) => "fields of cards are the answer; no model is needed",
        };
        let found = Check::one("passages", true);
        return Ok(Done { checks: vec![found], reasoning: vec![from.to_owned()], ..Done::with(&material) });
    }
    let calls = [
        ("rag_tool", json!({"query": question, "top_k": PASSAGES})),
        ("encyclopedia_tool", json!({"action": "search", "query": question, "limit": 4})),
        ("knowledge_graph_tool", json!({"action": "ask", "question": question})),
    ];
    let used = work.tools("retrieve", &calls).await?;
    let mut reasoning = Vec::new();
    // Many questions cannot be answered by the graph; this needs no warning.
    for lost in used.iter().filter(|call| !call.success && call.tool_name != "knowledge_graph_tool") {
        let (tool, why) = (&lost.tool_name, lost.error.clone().unwrap_or_default());
        work.warn(match work.language() {
            Language::Zh => format!("{tool} 没有成功，在没有它的情况下继续：{why}"),
            Language::En => format!("{tool} failed; going on without it: {why}"),
        });
    }
    let mut shown: Vec<ShownPassage> = Vec::new();
    for (heading, text) in used.iter().flat_map(passages) {
        if !text.trim().is_empty() && !shown.iter().any(|known| known.text == text) {
            shown.push(ShownPassage { number: shown.len() + 1, heading, text, ..ShownPassage::default() });
        }
    }
    shown.truncate(PASSAGES + 6);
    reasoning.push(match work.language() {
        Language::Zh => format!("找到 {} 段材料", shown.len()),
        Language::En => format!("{} found", counted(shown.len(), "passage was", "passages were")),
    });
    let found = Check::one("passages", !shown.is_empty());
    let material = AnswerMaterial { passages: shown, ..AnswerMaterial::default() };
    Ok(Done { checks: vec![found], reasoning, ..Done::with(&material) })
}

/// Returns a tool's results as pairs of heading and text.
fn passages(used: &ToolUse) -> Vec<(String, String)> {
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let list = |key: &str| used.result[key].as_array().cloned().unwrap_or_default();
    match used.tool_name.as_str() {
        "rag_tool" => list("results").iter().map(|found| (text(found, "name"), text(found, "text"))).collect(),
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

async fn answer(course: &TaskProgress, work: &AgentWork<'_>) -> Result<Done, AgentHalt> {
    let AnswerMaterial { answer, passages, is_about_product } =
        Deserialize::deserialize(course.data("retrieve")).unwrap_or_default();
    let answering = AnswerContext {
        question: course.about::<QuestionSubject>().question,
        language: course.language(),
        passages,
        is_about_product,
        ..AnswerContext::default()
    };
    if let Some(answer) = answer {
        return Ok(answered(&answer, &answering));
    }
    if answering.passages.is_empty() {
        let nothing = match answering.language {
            Language::Zh => "材料里没有与这个问题有关的内容。",
            Language::En => "The material has nothing about this question.",
        };
        return Ok(Done { output: nothing.into(), ..Done::with(&json!({"holds": false, "citations": []})) });
    }
    let check = |answer: &SourcedAnswer| problems_of_answer(answer, &answering.passages, answering.language);
    let asking = ModelQuestion { temperature: Some(0.0), ..ModelQuestion::once("answer") };
    let prompt = AnswerPrompt::new(&answering);
    match work.ask_with(asking, &prompt, &answering, &check).await? {
        Ok(answer) => Ok(answered(&answer, &answering)),
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

fn answered(answer: &SourcedAnswer, answering: &AnswerContext) -> Done {
    let checks = vec![Check::all("quotes", answer.citations.len()), Check::one("answered", answer.holds)];
    Done { output: with_sources(answer, answering), checks, ..Done::with(answer) }
}

fn with_sources(answer: &SourcedAnswer, answering: &AnswerContext) -> String {
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
