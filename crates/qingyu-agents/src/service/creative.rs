//! Writing for the author: continuations, dialogue, scenes, characters, rewrites.
//!
//! Each kind has its own steps. The rules of the checker examine the result, with at most two rounds of fixes; the
//! result is a proposal, and only the orchestrator writes it into the project.
//!
//! - `subject`: what a task is about; `context`: contexts and answer types;
//!   `prose`: requests to models; `look`: findings of the rules; `spans`: changes by position

use std::collections::BTreeMap;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_story::{Character, Config, Language, Names, PieceKind, Story};
use serde::Deserialize;
use serde_json::{Value, json};

mod context;
mod look;
mod prose;
mod spans;
mod subject;

pub(crate) use subject::REWRITES;

pub(crate) use context::{ProseContext, RewriteContext};

use self::subject::{WritingMaterial, WritingSubject};
use super::agent::TaskSummary;
use super::target::TaskTarget;
use super::work::ModelQuestion;
use crate::prompts::{CREATIVE, PromptFolder};
use crate::service::agent::{AgentSkills, AgentStep, Done, ServiceAgent, TaskProgress, TaskUnderstanding};
use crate::service::failure::{AgentHalt, Failure};
use crate::service::task::{Check, Task};
use crate::service::work::AgentWork;
use crate::tool_use::Limits;
use crate::writing::book::NumberedBook;
use crate::writing::card;
use crate::writing::state::Constraints;

/// The agent for writing.
#[derive(Debug)]
pub(crate) struct CreativeAgent;

/// Kinds of writing with their keywords; the first match wins.
const KINDS: [(&str, &[&str]); 5] = [
    ("rewrite", &REWRITES),
    ("continue", &["续写", "继续", "接着写", "往下写", "continue", "go on", "next part"]),
    ("dialogue", &["对话", "台词", "对白", "dialogue", "conversation"]),
    ("scene", &["场景", "描写", "一幕", "scene", "describe"]),
    ("character", &["人物", "角色", "小传", "character", "portrait"]),
];
/// Maximum tokens of the chapter's card.
const CARD: u64 = 4_000;
impl ServiceAgent for CreativeAgent {
    fn name(&self) -> &'static str {
        "creative"
    }

    fn skills(&self) -> AgentSkills {
        AgentSkills {
            zh: "写作：续写（continue）、对话（dialogue）、场景（scene）、人物（character）、改写已有正文（rewrite）、其他创作（general）",
            en: "writes: goes on (continue), dialogue, scene, character, changes of what is written (rewrite), anything \
                 else (general)",
            words: &[
                "续写",
                "继续写",
                "接着写",
                "往下写",
                "改写",
                "重写",
                "润色",
                "扩写",
                "缩写",
                "精简",
                "改得",
                "改短",
                "改长",
                "改紧",
                "改成",
                "小传",
                "rewrite",
                "revise",
                "polish",
                "tighten",
                "shorten",
            ],
            verbs: &["修改", "创作", "write", "continue"],
            leads: &[
                "写一",
                "写段",
                "写个",
                "写场",
                "写出",
                "写几",
                "写篇",
                "写首",
                "写第",
                "来一段",
                "想一",
                "想个",
                "想几",
                "翻译",
                "删",
                "来段",
                "来一场",
                "续写",
                "创作",
                "设计",
                "塑造",
                "构思",
                "描写",
                "修改",
                "改写",
                "重写",
                "润色",
                "扩写",
                "缩写",
                "精简",
                "编一",
                "起一个",
                "起个",
                "取个",
                "write",
                "draft",
                "continue",
                "design",
                "compose",
                "describe",
                "translate",
                "delete",
                "make the",
                "make it",
                "make this",
                "invent",
                "rewrite",
                "revise",
                "polish",
                "tighten",
                "shorten",
            ],
            changes: true,
        }
    }

    fn prompts(&self) -> Option<&'static PromptFolder> {
        Some(&CREATIVE)
    }

    fn tools(&self) -> &'static [&'static str] {
        &[
            "workspace_context_tool",
            "character_tool",
            "relationship_tool",
            "timeline_tool",
            "worldview_tool",
            "outline_tool",
            "document_tool",
            "encyclopedia_tool",
            "rag_tool",
        ]
    }

    fn understand<'a>(
        &'a self,
        task: &'a Task,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<TaskUnderstanding, AgentHalt>> {
        async move {
            let kind = kind_of(task);
            let target = match kind {
                "rewrite" => TaskTarget::to_read(task, work).await?,
                "continue" if task.context.previous_content.is_some() => {
                    TaskTarget::of(task, work).await?.unwrap_or_default()
                }
                "continue" => TaskTarget::or_last(task, work).await?,
                _ => TaskTarget::of(task, work).await?.unwrap_or_default(),
            };
            let named = match (task.context.characters.is_empty(), &task.project) {
                (true, Some(_)) => {
                    work.read("named", |story| card::named(story, &Names::of(story), &task.description)).await?
                }
                _ => task.context.characters.clone(),
            };
            // In a dialogue, the named characters are the speakers; elsewhere they are added to the chapter's
            // participants.
            let characters = match kind {
                _ if !task.context.characters.is_empty() => named,
                "dialogue" if !named.is_empty() => named,
                _ => target.participants.iter().cloned().chain(named).fold(Vec::new(), |mut all, name| {
                    if !all.contains(&name) {
                        all.push(name);
                    }
                    all
                }),
            };
            Ok(TaskUnderstanding::new(kind, &WritingSubject { kind: kind.into(), target, characters }))
        }
        .boxed()
    }

    fn plan(&self, understanding: &TaskUnderstanding, language: Language) -> Vec<AgentStep> {
        let step = |action: &str| match action {
            "retrieve_context" => {
                AgentStep::new(action, language, "检索相关角色和设定", "gathering people and settings")
            }
            "retrieve_characters" => AgentStep::new(action, language, "获取角色信息", "reading the characters' cards"),
            "analyze_relationship" => AgentStep::new(action, language, "分析角色关系", "reading what ties them"),
            "generate_plot" => AgentStep::new(action, language, "构思情节发展", "thinking out what happens"),
            "write_content" => AgentStep::new(action, language, "撰写正文", "writing"),
            "write_changes" => AgentStep::new(action, language, "改写", "changing the text"),
            "work_with_tools" => AgentStep::new(action, language, "查阅资料并写作", "looking things up and writing"),
            _ => AgentStep::new(action, language, "一致性检查", "checking for contradictions"),
        };
        let actions: &[&str] = match understanding.kind.as_str() {
            "continue" => &["retrieve_context", "generate_plot", "write_content", "consistency_check"],
            "dialogue" => &["retrieve_characters", "analyze_relationship", "write_content", "consistency_check"],
            "scene" => &["retrieve_context", "write_content", "consistency_check"],
            "character" => &["retrieve_characters", "analyze_relationship", "write_content", "consistency_check"],
            "rewrite" => &["retrieve_context", "write_changes", "consistency_check"],
            _ => &["work_with_tools", "consistency_check"],
        };
        actions.iter().map(|action| step(action)).collect()
    }

    fn execute_step<'a>(
        &'a self,
        step: &'a AgentStep,
        course: &'a TaskProgress,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<Done, AgentHalt>> {
        async move {
            let about: WritingSubject = course.about();
            match step.action.as_str() {
                "retrieve_context" => retrieve_context(&about, course, work).await,
                "retrieve_characters" => retrieve_characters(&about, course, work).await,
                "analyze_relationship" => analyze_relationship(&about, course, work).await,
                "generate_plot" => prose::sketch(&about, course, work).await,
                "write_content" => prose::write(&about, course, work).await,
                "write_changes" => prose::rewrite(&about, course, work).await,
                "work_with_tools" => with_tools(&about, course, work).await,
                _ => look::check_and_mend(&about, course, work).await,
            }
        }
        .boxed()
    }

    fn summarise(&self, course: &TaskProgress) -> TaskSummary {
        let about: WritingSubject = course.about();
        let checked = course.of("consistency_check");
        let output = checked.map(|done| done.output.clone()).unwrap_or_default();
        let findings = checked.map_or(Value::Null, |done| done.data["findings"].clone());
        let data = json!({
            "title": about.target.title,
            "document": about.target.document,
            "sketch": course.data("generate_plot"),
            "findings": findings,
        });
        TaskSummary { output, data }
    }
}

fn kind_of(task: &Task) -> &'static str {
    let given = task.context.kind.as_deref();
    if given == Some("general") {
        return "general";
    }
    let named = given.and_then(|given| KINDS.iter().find(|(kind, _)| *kind == given));
    let lower = task.description.to_lowercase();
    let found = named.or_else(|| KINDS.iter().find(|(_, words)| words.iter().any(|word| lower.contains(word))));
    found.map_or("general", |(kind, _)| kind)
}

async fn retrieve_context(
    about: &WritingSubject,
    course: &TaskProgress,
    work: &AgentWork<'_>,
) -> Result<Done, AgentHalt> {
    if course.task.project.is_none() {
        return Ok(Done::with(&WritingMaterial::default()));
    }
    let mut arguments = json!({
        "task_type": match (about.kind.as_str(), about.target.text.is_empty()) {
            ("rewrite", _) => "review_content",
            (_, true) => "create_chapter",
            _ => "continue_writing",
        },
        "context_scope": "related_entities",
        "max_tokens": 4_000,
    });
    if let Some(chapter) = about.target.node.clone().or_else(|| about.target.document.clone()) {
        arguments["chapter_id"] = chapter.into();
    }
    if !about.characters.is_empty() {
        arguments["character_ids"] = json!(about.characters);
    }
    let used = work.tool("context", "workspace_context_tool", arguments).await?;
    if !used.success {
        without(work, &used.tool_name, used.error.as_deref().unwrap_or_default());
    }
    let related = used.result["related_content"].clone();
    let material = work.read("material", |story| material(story, work.rules(), about, related)).await?;
    Ok(Done {
        checks: vec![Check::one("context", used.success)],
        ..Done::with(&WritingMaterial { material, ..WritingMaterial::default() })
    })
}

async fn retrieve_characters(
    about: &WritingSubject,
    course: &TaskProgress,
    work: &AgentWork<'_>,
) -> Result<Done, AgentHalt> {
    if course.task.project.is_none() {
        return Ok(Done::with(&WritingMaterial::default()));
    }
    let get = |name: &String| ("character_tool", json!({"action": "get", "character_id": name}));
    let calls = about.characters.iter().take(8).map(get).collect::<Vec<_>>();
    let used = work.tools("characters", &calls).await?;
    let mut cards = Vec::new();
    for (name, used) in about.characters.iter().zip(&used) {
        match used.success {
            true => cards.extend(Character::deserialize(&used.result["character"]).ok()),
            false => without(work, &format!("character_tool {name}"), used.error.as_deref().unwrap_or_default()),
        }
    }
    let (held, of) = (cards.len(), used.len());
    let gathered = work.read("cards", |story| told_of(story, work.rules(), about, &cards)).await?;
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let checks = vec![Check { what: "cards".into(), held: count(held), of: count(of) }];
    Ok(Done { checks, ..Done::with(&gathered) })
}

async fn analyze_relationship(
    about: &WritingSubject,
    course: &TaskProgress,
    work: &AgentWork<'_>,
) -> Result<Done, AgentHalt> {
    if course.task.project.is_none() || about.characters.is_empty() {
        return Ok(Done::with(&WritingMaterial::default()));
    }
    let used = work.tool("relations", "relationship_tool", json!({"action": "get_graph"})).await?;
    if !used.success {
        without(work, &used.tool_name, used.error.as_deref().unwrap_or_default());
    }
    let edges = used.result["edges"].as_array().cloned().unwrap_or_default();
    let names = &about.characters;
    let relations = work.read("ties", |story| ties(story, names, &edges)).await?;
    Ok(Done {
        checks: vec![Check::one("relations", used.success)],
        ..Done::with(&WritingMaterial { relations, ..WritingMaterial::default() })
    })
}

/// Returns the context of the text: style, world, the story so far, people, facts.
fn material(story: &Story, rules: &Config, about: &WritingSubject, related: Value) -> String {
    let book = NumberedBook::of(story);
    let names = book.names();
    let people: Vec<String> = about
        .characters
        .iter()
        .filter_map(|name| Some(names.resolve(PieceKind::Character, name)?.id.clone()))
        .collect();
    let number = number_of(&book, about);
    let texts = story.documents.iter().rev().filter(|document| document.order > 0).take(5);
    let said = card::said(story, &people, texts.map(|document| document.text.as_str()));
    let surroundings = number.map(|number| card::surroundings(&book, number, ""));
    let absent = surroundings.iter().flat_map(|surroundings| &surroundings.absent);
    let absent = absent.filter_map(|name| Some(names.resolve(PieceKind::Character, name)?.id.clone()));
    let absent: Vec<String> = absent.filter(|id| !people.contains(id)).collect();
    let here = people.iter().chain(&absent).filter_map(|id| names.resolve(PieceKind::Character, id));
    let here: Vec<usize> = here.map(|named| named.position).collect();
    let earlier = card::earlier_people(story, names, &rules.earlier, &here);
    let found = card::CardMaterial {
        story: Some(story),
        related,
        people,
        absent,
        said,
        earlier,
        ..card::CardMaterial::default()
    };
    let stable = card::stable(story, rules, &Constraints::default(), &[]);
    let around = match surroundings {
        Some(surroundings) => {
            let manner = card::manner(&surroundings, story.language);
            format!("{}\n{manner}", card::chapter(&surroundings, &found, CARD))
        }
        None => card::material(&found, CARD),
    };
    format!("{stable}\n{around}").trim().to_owned()
}

/// Returns the cards of the named characters.
fn cast(story: &Story, people: &[String]) -> Vec<Character> {
    let names = Names::of(story);
    let found = people.iter().filter_map(|name| names.resolve(PieceKind::Character, name));
    found.map(|named| story.characters[named.position].clone()).collect()
}

/// Returns the number of the chapter that the task is about, if any.
fn number_of(book: &NumberedBook<'_>, about: &WritingSubject) -> Option<u32> {
    about.target.document.as_deref().and_then(|document| book.number_of(document)).or_else(|| {
        let node = about.target.node.as_deref()?;
        (1..=book.len()).find(|number| book.node(*number).is_some_and(|one| one.id == node))
    })
}

/// Returns the cards of the participants, with the book's style and manner for all prose.
fn told_of(story: &Story, rules: &Config, about: &WritingSubject, cast: &[Character]) -> WritingMaterial {
    let book = NumberedBook::of(story);
    let manner = number_of(&book, about).map(|number| card::surroundings(&book, number, ""));
    let manner = manner.map(|surroundings| card::manner(&surroundings, story.language)).unwrap_or_default();
    let people: Vec<String> = cast.iter().map(|card| card.id.clone()).collect();
    let texts = story.documents.iter().rev().filter(|document| document.order > 0).take(5);
    let said = card::said(story, &people, texts.map(|document| document.text.as_str()));
    WritingMaterial {
        material: format!("{}\n{manner}", card::stable(story, rules, &Constraints::default(), &[])).trim().to_owned(),
        cards: card::cards(cast, &said, &BTreeMap::new(), story.language),
        relations: Vec::new(),
    }
}

/// Returns the relations among these people, a line each.
fn ties(story: &Story, people: &[String], edges: &[Value]) -> Vec<String> {
    let names = Names::of(story);
    let of = |name: &str| names.resolve(PieceKind::Character, name).map(|named| named.position);
    let here: Vec<usize> = people.iter().filter_map(|name| of(name)).collect();
    let is_here = |edge: &Value, key: &str| edge[key].as_str().and_then(of).is_some_and(|one| here.contains(&one));
    let own = |edge: &&Value| is_here(edge, "from") && is_here(edge, "to");
    let edges: Vec<Value> = edges.iter().filter(own).take(20).cloned().collect();
    card::ties(&edges, &story.characters, story.language)
}

/// Handles any other kind: the model calls tools as needed, and writes.
async fn with_tools(about: &WritingSubject, course: &TaskProgress, work: &AgentWork<'_>) -> Result<Done, AgentHalt> {
    let mut writing = prose::writing(about, course);
    if course.task.project.is_some() {
        // The style and the people of the book are in every prompt for prose; the rest is looked up with tools.
        let rules = work.rules();
        let told = |story: &Story| told_of(story, rules, about, &cast(story, &about.characters));
        let gathered = work.read("manner", told).await?;
        (writing.material, writing.cards) = (gathered.material, gathered.cards);
    }
    let asking = ModelQuestion { temperature: Some(0.8), ..ModelQuestion::once("general") };
    let limits = Limits { rounds: 6, ..Limits::default() };
    let text = work.act(asking, &writing, limits).await??;
    if let Some(refusal) = prose::refusal(&text, course.language()) {
        return Err(AgentHalt::Failed(Failure::Model { message: refusal }));
    }
    Ok(Done::with(&json!({"text": text.trim()})))
}

/// Emits a warning about a failed tool.
fn without(work: &AgentWork<'_>, tool: &str, why: &str) {
    work.warn(match work.language() {
        Language::Zh => format!("{tool} 没有成功，在没有它的情况下继续：{why}"),
        Language::En => format!("{tool} failed; going on without it: {why}"),
    });
}
